//! Which shaders the named files and folders hold, and what their outputs are called.

use crate::output::{Fatal, shown_path};
use crate::parallel;
use shaderport::diagnostics::codes::cli as codes;
use shaderport::dxbc::{container, scan};
use shaderport::{Diagnostic, Found, find_containers};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use walkdir::WalkDir;

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Where an input's bytes are.
#[derive(Debug)]
enum Source {
    File(PathBuf),
    /// Standard input or a pipe, which can be read only once.
    Bytes(Vec<u8>),
    /// What kept it from being read.
    Broken(Diagnostic),
}

/// A file among the inputs.
#[derive(Debug)]
struct Candidate {
    /// As it is shown.
    name: String,
    source: Source,
    /// Path of its outputs below the output folder, without any extension.
    stem: PathBuf,
    /// Whether it lies in a folder that was named, rather than having been named itself.
    in_folder: bool,
}

/// An input with the shaders in it.
#[derive(Debug)]
pub(crate) struct Input {
    /// As it is shown.
    pub(crate) name: String,
    source: Source,
    stem: PathBuf,
    /// What is in it.
    pub(crate) contents: Contents,
}

/// What an input holds.
#[derive(Debug)]
pub(crate) enum Contents {
    /// It begins with DXBC.
    One,
    /// It was searched; the places of what was found.
    Several(Vec<Range<usize>>),
    /// Nothing that could be translated.
    Nothing(Diagnostic),
}

impl Input {
    /// The bytes, read again where they are in a file: a batch does not fit into memory.
    ///
    /// # Errors
    /// What kept them from being read.
    pub(crate) fn bytes(&self) -> Result<std::borrow::Cow<'_, [u8]>, Diagnostic> {
        match &self.source {
            Source::File(path) => fs::read(path).map(Into::into).map_err(|e| unreadable(&e)),
            Source::Bytes(bytes) => Ok(bytes.into()),
            Source::Broken(finding) => Err(finding.clone()),
        }
    }

    /// Path of an output below the output folder, without extension: of the shader itself, or of the one with that
    /// number.
    pub(crate) fn stem(&self, number: Option<usize>) -> PathBuf {
        match number {
            None => self.stem.clone(),
            Some(n) => with_suffix(&self.stem, &format!(".{n}")),
        }
    }

    /// The stems of everything it holds.
    fn stems(&self) -> Vec<PathBuf> {
        match &self.contents {
            Contents::One => vec![self.stem(None)],
            Contents::Several(places) => (0..places.len()).map(|n| self.stem(Some(n))).collect(),
            Contents::Nothing(_) => vec![],
        }
    }

    /// Number of shaders in it.
    pub(crate) fn shader_count(&self) -> usize {
        match &self.contents {
            Contents::One => 1,
            Contents::Several(places) => places.len(),
            Contents::Nothing(_) => 0,
        }
    }
}

/// Everything to be done.
#[derive(Debug)]
pub(crate) struct Plan {
    /// In the order of the command line, folders in sorted order.
    pub(crate) inputs: Vec<Input>,
    /// Files in folders that hold no shader.
    pub(crate) skipped: usize,
}

impl Plan {
    /// Finds the files and looks into each.
    ///
    /// # Errors
    /// Wrong usage.
    pub(crate) fn new(paths: &[PathBuf], jobs: usize) -> Result<Self, Fatal> {
        if paths.iter().filter(|p| p.as_os_str() == STDIN).count() > 1 {
            return Err(Fatal::Usage("standard input can be read only once".to_string()));
        }
        let mut candidates = Vec::new();
        let mut plan = Plan { inputs: Vec::new(), skipped: 0 };
        for path in paths {
            gather(path, &mut candidates, &mut plan.skipped);
        }
        let mut contents = Vec::with_capacity(candidates.len());
        parallel::in_order(&candidates, jobs, look_into, |_, found| {
            contents.push(found);
            Ok(())
        })?;
        for (candidate, contents) in candidates.into_iter().zip(contents) {
            match contents {
                Some(contents) => plan.inputs.push(Input {
                    name: candidate.name,
                    source: candidate.source,
                    stem: candidate.stem,
                    contents,
                }),
                None => plan.skipped += 1,
            }
        }
        Ok(plan)
    }

    /// Number of shaders in all inputs.
    pub(crate) fn shader_count(&self) -> usize {
        self.inputs.iter().map(Input::shader_count).sum()
    }

    /// Checks that no two shaders have the same outputs.
    ///
    /// # Errors
    /// Every pair that has.
    pub(crate) fn check_collisions(&self) -> Result<(), Fatal> {
        let mut taken: HashMap<PathBuf, &Input> = HashMap::new();
        let mut findings = Vec::new();
        for input in &self.inputs {
            for stem in input.stems() {
                let shown = shown_path(&stem);
                if let Some(first) = taken.insert(folded(stem), input) {
                    findings.push((
                        input.name.clone(),
                        Diagnostic::new(
                            codes::OUTPUT_COLLISION,
                            format!("`{}` and `{}` would both write `{shown}.json`", first.name, input.name),
                        )
                        .help("name the folder that holds both, so that its tree is kept"),
                    ));
                }
            }
        }
        if findings.is_empty() { Ok(()) } else { Err(Fatal::Findings(findings)) }
    }
}

/// The name by which the file system tells files apart.
fn folded(path: PathBuf) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) { path.to_string_lossy().to_lowercase().into() } else { path }
}

/// The path with `suffix` behind its last part.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

fn unreadable(e: &io::Error) -> Diagnostic {
    match e.kind() {
        io::ErrorKind::NotFound => Diagnostic::new(codes::INPUT_MISSING, "the input does not exist"),
        _ => Diagnostic::new(codes::INPUT_UNREADABLE, format!("the input cannot be read: {e}")),
    }
}

/// The file's name less its last extension.
fn stem_of(path: &Path) -> OsString {
    path.file_stem().unwrap_or(OsStr::new("shader")).to_os_string()
}

/// Adds the file, or the files of the folder, to the candidates.
fn gather(path: &Path, candidates: &mut Vec<Candidate>, skipped: &mut usize) {
    let named = |source| Candidate {
        name: path.to_string_lossy().into_owned(),
        source,
        stem: stem_of(path).into(),
        in_folder: false,
    };
    if path.as_os_str() == STDIN {
        let source = read_stdin().map_or_else(Source::Broken, Source::Bytes);
        candidates.push(Candidate { stem: "stdin".into(), ..named(source) });
        return;
    }
    match fs::metadata(path) {
        Ok(m) if m.is_dir() => walk(path, candidates, skipped),
        Ok(m) if m.is_file() => candidates.push(named(Source::File(path.to_path_buf()))),
        // A pipe or a device: what it gives once it may not give again.
        Ok(_) => candidates.push(named(match fs::read(path) {
            Ok(bytes) => Source::Bytes(bytes),
            Err(e) => Source::Broken(unreadable(&e)),
        })),
        Err(e) => candidates.push(named(Source::Broken(unreadable(&e)))),
    }
}

/// All of standard input. There is nothing in it for a second reader.
fn read_stdin() -> Result<Vec<u8>, Diagnostic> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let finding = Diagnostic::new(codes::INPUT_UNREADABLE, "standard input can be read only once");
        return Err(finding.help("name a file instead of one `-`"));
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    Ok(bytes)
}

/// Adds every regular file below `root`. Links to files are followed; links to folders are not, because many of them
/// that point at each other describe more paths than could ever be walked.
fn walk(root: &Path, candidates: &mut Vec<Candidate>, skipped: &mut usize) {
    for entry in WalkDir::new(root).sort_by_file_name() {
        let (path, source) = match entry {
            Ok(entry) => {
                let path = entry.path().to_path_buf();
                let kind = entry.file_type();
                if kind.is_dir() || entry.depth() == 0 {
                    continue;
                }
                let is_file = kind.is_file() || kind.is_symlink() && path.is_file();
                if !is_file {
                    *skipped += usize::from(!path.is_dir());
                    continue;
                }
                (path.clone(), Source::File(path))
            }
            Err(e) => {
                let path = e.path().unwrap_or(root).to_path_buf();
                let error = e.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                (path, Source::Broken(unreadable(&error)))
            }
        };
        let below = path.strip_prefix(root).unwrap_or(&path);
        candidates.push(Candidate {
            name: path.to_string_lossy().into_owned(),
            stem: below.with_file_name(stem_of(below)),
            source,
            in_folder: true,
        });
    }
}

/// What a candidate holds; `None` for a file that is passed over.
fn look_into(candidate: &Candidate) -> Option<Contents> {
    let found = match &candidate.source {
        Source::Broken(finding) => return Some(Contents::Nothing(finding.clone())),
        Source::Bytes(bytes) => Ok(classify(bytes)),
        Source::File(path) => classify_file(path),
    };
    match found {
        Ok(Contents::Nothing(_)) if candidate.in_folder => None,
        Ok(contents) => Some(contents),
        Err(e) => Some(Contents::Nothing(unreadable(&e))),
    }
}

fn classify_file(path: &Path) -> io::Result<Contents> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(container::MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == container::MAGIC {
        return Ok(Contents::One);
    }
    file.read_to_end(&mut bytes)?;
    Ok(classify(&bytes))
}

fn classify(bytes: &[u8]) -> Contents {
    if bytes.starts_with(&container::MAGIC) {
        return Contents::One;
    }
    let places: Vec<_> = scan::find_all(bytes).map(|(at, found)| at..at + found.len()).collect();
    if places.is_empty() { Contents::Nothing(nothing_in(bytes)) } else { Contents::Several(places) }
}

/// The finding about a file without a container.
fn nothing_in(bytes: &[u8]) -> Diagnostic {
    if bytes.is_empty() {
        return Diagnostic::new(codes::NO_SHADER_FOUND, "the input is empty");
    }
    let mut finding = Diagnostic::new(
        codes::NO_SHADER_FOUND,
        "the input neither begins with DXBC nor holds a DXBC container",
    );
    // The container's reader knows what else it may be.
    if let Err(wrong) = shaderport::Container::parse(bytes) {
        finding.notes = wrong.notes;
    }
    finding
}

/// The bytes of a file that is named alone.
///
/// # Errors
/// What kept them from being read.
pub(crate) fn read_one(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    if path.as_os_str() == STDIN {
        return read_stdin();
    }
    fs::read(path).map_err(|e| {
        // What the operating system says of reading a folder is not the same everywhere.
        if path.is_dir() {
            let finding = Diagnostic::new(codes::INPUT_UNREADABLE, "the input is a folder");
            return finding.help("name one file");
        }
        unreadable(&e)
    })
}

/// The text of a file that is named alone: JSON that a person or another program wrote.
///
/// # Errors
/// What kept it from being read, or `input-encoding`.
pub(crate) fn read_text(path: &Path) -> Result<String, Diagnostic> {
    decode(read_one(path)?)
}

/// Text in UTF-8, less the byte order mark that some editors begin it with.
fn decode(mut bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    bytes.drain(..mark);
    let found = match bytes[..] {
        // By their byte order marks; else by the zeros beside the first letter, which JSON has in ASCII.
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [1..=255, 0, 0, 0, ..] | [0, 0, 0, 1..=255, ..] => {
            "UTF-32"
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=255, 0, ..] | [0, 1..=255, ..] => "UTF-16",
        _ => "",
    };
    let wrong = |message: String| {
        Diagnostic::new(codes::INPUT_ENCODING, message).help("save the file with the encoding UTF-8")
    };
    if !found.is_empty() {
        return Err(wrong(format!("the text is in {found}, and UTF-8 is wanted")));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = mark + e.utf8_error().valid_up_to();
        wrong(format!("the text is not in UTF-8: byte {at} is no part of a character"))
    })
}

/// The stem of what is made of a file that is named alone.
pub(crate) fn stem_of_one(path: &Path) -> OsString {
    if path.as_os_str() == STDIN { "stdin".into() } else { stem_of(path) }
}

/// A container's number as it is shown: `3`, or `3.0` for one inside it.
pub(crate) fn shown_number(found: &Found<'_>) -> String {
    found.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(".")
}

/// The container of `bytes` that a verb about one shader means: the whole file if it begins with DXBC, the only one
/// of any other file, or the one that `number` names.
///
/// # Errors
/// `Ok(Err(..))` if there is none, and wrong usage if the file leaves a choice.
pub(crate) fn pick<'a>(bytes: &'a [u8], number: Option<&str>) -> Result<Result<&'a [u8], Diagnostic>, Fatal> {
    if number.is_none() && bytes.starts_with(&container::MAGIC) {
        return Ok(Ok(bytes));
    }
    let all = find_containers(bytes);
    if let Some(number) = number {
        let found = all.iter().find(|f| shown_number(f) == number);
        return found.map(|f| Ok(f.bytes)).ok_or_else(|| {
            Fatal::Usage(format!("the file has no container {number}; `shaderport extract` lists them"))
        });
    }
    match &all[..] {
        [] => Ok(Err(nothing_in(bytes))),
        [only] => Ok(Ok(only.bytes)),
        [first, .., last] => Err(Fatal::Usage(format!(
            "the file holds {} containers: choose one with --blob, from {} to {}",
            all.len(),
            shown_number(first),
            shown_number(last)
        ))),
    }
}
