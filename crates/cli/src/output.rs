//! What leaves the process: standard output, findings on standard error, and files.

use anstyle::{AnsiColor, Style};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::{Diagnostic, Severity};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a verb could not be carried out at all. Ends with status 2.
#[derive(Debug)]
pub(crate) enum Fatal {
    /// Wrong usage that the argument parser cannot see.
    Usage(String),
    /// Findings, each with what it is about.
    Findings(Vec<(String, Diagnostic)>),
}

impl Fatal {
    /// A single finding about `name`.
    pub(crate) fn finding(name: impl Into<String>, finding: Diagnostic) -> Self {
        Fatal::Findings(vec![(name.into(), finding)])
    }

    /// Says so on standard error.
    pub(crate) fn print(&self) {
        match self {
            Fatal::Usage(message) => {
                let style = style(Severity::Error);
                let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {}", printable(message));
            }
            Fatal::Findings(all) => {
                for (name, finding) in all {
                    print_finding(name, finding);
                }
            }
        }
    }
}

/// Standard output. A reader that went away is no error: the rest is not printed.
#[derive(Debug, Default)]
pub(crate) struct Out {
    closed: bool,
}

impl Out {
    /// Whether the reader went away.
    pub(crate) fn closed(&self) -> bool {
        self.closed
    }

    /// Writes and flushes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Fatal> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(e) => Err(Fatal::finding("standard output", unwritable(&e))),
        }
    }

    /// Writes one value as a line of JSON.
    pub(crate) fn json_line(&mut self, value: &impl serde::Serialize) -> Result<(), Fatal> {
        let mut line = Vec::with_capacity(512);
        // Writing plain data to memory cannot fail.
        let _ = serde_json::to_writer(&mut line, value);
        line.push(b'\n');
        self.write(&line)
    }

    /// Writes one value as indented JSON.
    pub(crate) fn json_pretty(&mut self, value: &impl serde::Serialize) -> Result<(), Fatal> {
        let mut text = Vec::with_capacity(4096);
        let _ = serde_json::to_writer_pretty(&mut text, value);
        text.push(b'\n');
        self.write(&text)
    }
}

fn unwritable(e: &io::Error) -> Diagnostic {
    Diagnostic::new(codes::OUTPUT_UNWRITABLE, format!("the output cannot be written: {e}"))
}

/// Writes a file so that it is there whole or, on failure, as it was before. Makes the folders it lies in.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let write = || {
        let folder = path.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".shaderport-");
        // Temporary files are private by default; an output is as open as the process's mask has it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file =
            builder.tempfile_in(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    write().map_err(|e: io::Error| unwritable(&e).note(format!("the output is {}", path.display())))
}

/// Writes files below `folder`. Notes each in `outputs`, or in `findings` why it could not be written.
pub(crate) fn write_files(
    folder: &Path,
    files: impl IntoIterator<Item = (PathBuf, String)>,
    outputs: &mut Vec<String>,
    findings: &mut Vec<Diagnostic>,
) {
    for (path, text) in files {
        match write_whole(&folder.join(&path), text.as_bytes()) {
            Ok(()) => outputs.push(shown_path(&path)),
            Err(finding) => findings.push(finding),
        }
    }
}

/// A path below the output folder, the same on every system.
pub(crate) fn shown_path(path: &Path) -> String {
    path.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Makes the output folder, so that a wrong one is known before any work is done.
pub(crate) fn make_folder(path: &Path) -> Result<(), Fatal> {
    std::fs::create_dir_all(path).map_err(|e| Fatal::finding(path.to_string_lossy(), unwritable(&e)))
}

/// The text without control characters, which could steer the terminal: names come from files.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => AnsiColor::Red.on_default().bold(),
        Severity::Warning => AnsiColor::Yellow.on_default().bold(),
        Severity::Note => AnsiColor::Cyan.on_default().bold(),
    }
}

/// A finding about `name` on standard error.
pub(crate) fn print_finding(name: &str, finding: &Diagnostic) {
    let style = style(finding.severity);
    let head = format!("{}[{}]", finding.severity, finding.code);
    let text = finding.to_string();
    let rest = text.strip_prefix(&head).unwrap_or(&text);
    // Nothing is left to tell where standard error cannot be written.
    let _ = writeln!(anstream::stderr(), "{}: {style}{head}{style:#}{}", printable(name), printable(rest));
}

/// A line of text on standard error.
pub(crate) fn print_error_line(line: &str) {
    // Nothing is left to tell where standard error cannot be written.
    let _ = writeln!(anstream::stderr(), "{}", printable(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\n\tb"), "a\n\tb");
        assert_eq!(printable("a\x1b[2Jb\u{9b}c"), "a\u{fffd}[2Jb\u{fffd}c");
    }

    #[test]
    fn files_are_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.glsl");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        // Nothing else is left, neither after success nor after failure.
        let taken = folder.path().join("a/b");
        assert_eq!(write_whole(&taken, b"three").unwrap_err().code, codes::OUTPUT_UNWRITABLE);
        assert_eq!(std::fs::read_dir(&taken).unwrap().count(), 1);
        assert_eq!(std::fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn outputs_are_as_open_as_other_files() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_whole(&ours, b"").unwrap();
        std::fs::write(&plain, b"").unwrap();
        let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
