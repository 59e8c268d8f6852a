//! Packages: an effect's permutations as WebGL2 programs.
//!
//! [`Plan::new`] finds the programs that an effect needs, each pair of equal shaders once; [`Plan::run`] makes one,
//! so that a host may make several at a time; [`Plan::finish`] puts the package together. [`build`] does all three.

mod backend;
mod report;

pub use report::{
    Completeness, Excluded, FailureInfo, PACKAGE_VERSION, PackageIndex, ProgramFiles, ProgramInfo, Reason,
};

use crate::budget::{self, Budget, Built, Step, Transform};
use crate::describe::Index;
use crate::model::{Blob, Effect, NULL, Pass, Stage, StageKind};
use crate::names;
use crate::read::Read;
use crate::{read, write};
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::effect as codes;
use shaderport_dxbc::{Container, checksum};
use shaderport_glsl::FailureKind;
use shaderport_link::{LinkFailure, LinkOptions, LinkedProgram};
use std::borrow::Cow;
use std::collections::HashMap;

/// How a package is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `STEM.json`, and the programs with their manifests in the folder `STEM`.
    #[default]
    Folder,
    /// `STEM.carbonwebgl`, a version 15 container with GLSL in its program slots and a WebGL block behind each
    /// pass, and `STEM.json` with the manifests in it.
    Container,
}

/// What a caller may choose.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// How pairs of shaders become programs.
    pub link: LinkOptions,
    /// Whether the bitangents among a vertex stage's pipeline inputs are named so; they go before those of `link`.
    pub bitangents: bool,
    /// Texture units, and how a stage is kept within them.
    pub budget: Budget,
    /// Layout.
    pub form: Form,
    /// What the files' names begin with.
    pub stem: String,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            link: LinkOptions::default(),
            bitangents: false,
            budget: Budget::default(),
            form: Form::default(),
            stem: "effect".into(),
        }
    }
}

/// What came of a job.
pub type JobResult = Result<Built, LinkFailure>;

/// Two shaders that become a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Job<'e, 'a> {
    vertex: &'e Blob<'a>,
    /// `None` in a pass that writes depth only.
    pixel: Option<&'e Blob<'a>>,
    /// What may be done for the budget, which follows from the names of the pixel stage's resources.
    steps: Vec<Step>,
    /// Registers of the vertex stage whose pipeline inputs are bitangents, in ascending order, where that matters.
    bitangents: Vec<u32>,
}

/// A program with the steps that were taken for it.
#[derive(Debug)]
struct Made {
    program: LinkedProgram,
    transforms: Vec<Transform>,
}

/// What is to be done for a pass.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Job(usize),
    Excluded(Reason),
}

/// The programs that an effect needs.
#[derive(Debug)]
pub struct Plan<'e, 'a> {
    source: &'e Read<'a>,
    options: &'e BuildOptions,
    jobs: Vec<Job<'e, 'a>>,
    /// For every pass, in the order of bodies, techniques and passes.
    entries: Vec<Entry>,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path below the output folder, with `/` between its parts.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// A package.
#[derive(Clone, Debug)]
pub struct Package {
    /// What is in it, and what is not: the contents of `STEM.json`.
    pub index: PackageIndex,
    /// The files, `STEM.json` among them.
    pub files: Vec<File>,
}

/// Makes a package, one program after another.
pub fn build(source: &Read<'_>, options: &BuildOptions) -> Package {
    let plan = Plan::new(source, options);
    let results = (0..plan.len()).map(|job| plan.run(job)).collect();
    plan.finish(results)
}

/// Every pass of an effect, in the order of bodies, techniques and passes.
fn passes<'e, 'a>(effect: &'e Effect<'a>) -> impl Iterator<Item = &'e Pass<'a>> {
    effect.bodies.iter().flat_map(|b| &b.techniques).flat_map(|t| &t.passes)
}

impl<'e, 'a> Plan<'e, 'a> {
    /// Finds the programs.
    pub fn new(source: &'e Read<'a>, options: &'e BuildOptions) -> Self {
        let mut jobs = Vec::new();
        let mut known = HashMap::new();
        let entries = passes(&source.effect)
            .map(|pass| match job_of(pass, options) {
                Ok(job) => Entry::Job(*known.entry(job).or_insert_with_key(|job| {
                    jobs.push(job.clone());
                    jobs.len() - 1
                })),
                Err(reason) => Entry::Excluded(reason),
            })
            .collect();
        Plan { source, options, jobs, entries }
    }

    /// How many programs there are to be made.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is nothing to be made.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Makes one program.
    ///
    /// # Errors
    /// As [`shaderport_link::link`] does.
    ///
    /// # Panics
    /// If there is no such job.
    pub fn run(&self, job: usize) -> JobResult {
        let job = &self.jobs[job];
        let pixel = match job.pixel {
            Some(pixel) => Cow::Borrowed(&*pixel.data),
            None => Cow::Owned(empty_pixel_shader()),
        };
        let mut link = Cow::Borrowed(&self.options.link);
        if self.options.bitangents {
            link.to_mut().translation.abi.bitangent_inputs.clone_from(&job.bitangents);
        }
        budget::link_within(&job.vertex.data, &pixel, &job.steps, &self.options.budget, &link)
    }

    /// Puts the package together.
    ///
    /// # Panics
    /// If there are fewer results than jobs.
    pub fn finish(&self, results: Vec<JobResult>) -> Package {
        let effect = &self.source.effect;
        let Index { source, axes, permutations, mut bodies, stages, .. } = Index::of(effect);
        let mut programs: Vec<ProgramInfo> = Vec::new();
        let mut failures: Vec<FailureInfo> = Vec::new();
        // For each job its program, or why there is none.
        let mut places = Vec::with_capacity(results.len());
        let (mut linked, mut texts) = (Vec::new(), Texts::default());
        // What a budget could not do, and for which programs.
        let mut budget_gaps: Vec<(String, Vec<usize>)> = Vec::new();
        for (job, result) in self.jobs.iter().zip(results) {
            let (vertex_shader, pixel_shader) =
                (digest(&job.vertex.data), job.pixel.and_then(|p| digest(&p.data)));
            match result {
                Ok(Built { program, transforms, gaps }) => {
                    for gap in gaps {
                        match budget_gaps.iter_mut().find(|g| g.0 == gap) {
                            Some(known) => known.1.push(programs.len()),
                            None => budget_gaps.push((gap, vec![programs.len()])),
                        }
                    }
                    places.push(Ok(programs.len()));
                    programs.push(ProgramInfo {
                        vertex_shader,
                        pixel_shader,
                        files: None,
                        manifest: None,
                        transforms: transforms.clone(),
                        diagnostics: program.diagnostics.clone(),
                    });
                    let program = Made { program, transforms };
                    linked.push(program);
                }
                Err(LinkFailure { kind, diagnostics }) => {
                    places.push(Err((reason_of(kind), failures.len())));
                    failures.push(FailureInfo {
                        kind: reason_of(kind),
                        vertex_shader,
                        pixel_shader,
                        diagnostics,
                    });
                }
            }
        }
        let mut excluded = Vec::new();
        let mut entries = self.entries.iter();
        let mut rows = vec![0u32; bodies.len()];
        for &body in &permutations {
            rows[body as usize] += 1;
        }
        let mut pass_count = 0;
        for (b, body) in bodies.iter_mut().enumerate() {
            for technique in &mut body.techniques {
                for (p, (pass, entry)) in technique.passes.iter_mut().zip(&mut entries).enumerate() {
                    pass_count += 1;
                    let (reason, failure) = match *entry {
                        Entry::Excluded(reason) => (reason, None),
                        Entry::Job(job) => match places[job] {
                            Ok(program) => {
                                pass.program = Some(program as u32);
                                continue;
                            }
                            Err((reason, failure)) => (reason, Some(failure as u32)),
                        },
                    };
                    excluded.push(Excluded {
                        body: b as u32,
                        permutations: rows[b],
                        technique: technique.name.clone(),
                        pass: p as u32,
                        reason,
                        failure,
                    });
                }
            }
        }
        let mut files = Vec::new();
        let mut gaps = report::gaps(self.source, &excluded);
        gaps.extend(report::address_gaps(&bodies, &stages));
        gaps.extend(budget_gaps.iter().map(|(gap, programs)| report::of_programs(gap, programs)));
        let stem = &self.options.stem;
        let mut package_valid = true;
        match self.options.form {
            Form::Folder => {
                for (n, (info, Made { program, .. })) in programs.iter_mut().zip(&linked).enumerate() {
                    let manifest = format!("{stem}/{n:04}.json");
                    files.push(File {
                        path: manifest.clone(),
                        bytes: program.manifest.to_json().into_bytes(),
                    });
                    info.files = Some(ProgramFiles {
                        vertex: texts.file(&program.vertex, format!("{stem}/{n:04}.vert.glsl"), &mut files),
                        fragment: texts.file(
                            &program.fragment,
                            format!("{stem}/{n:04}.frag.glsl"),
                            &mut files,
                        ),
                        manifest,
                    });
                }
            }
            Form::Container => {
                let program_of = |entry: &Entry| match *entry {
                    Entry::Job(job) => places[job].ok().map(|n| &linked[n]),
                    Entry::Excluded(_) => None,
                };
                let programs_of_passes = self.entries.iter().map(program_of);
                match container(effect, programs_of_passes, &mut gaps) {
                    Ok(bytes) => {
                        files.push(File { path: format!("{stem}.carbonwebgl"), bytes });
                    }
                    Err(errors) => {
                        package_valid = false;
                        gaps.extend(errors.iter().map(|d| d.message.to_string()));
                    }
                }
                for (info, program) in programs.iter_mut().zip(linked) {
                    info.manifest = Some(program.program.manifest);
                }
            }
        }
        let completeness = Completeness {
            package_valid,
            sources_complete: self.source.diagnostics.is_empty()
                && !excluded.iter().any(|e| matches!(e.reason, Reason::EmptyProgram | Reason::Invalid)),
            passes: pass_count,
            passes_translated: pass_count - excluded.len() as u32,
            programs: programs.len() as u32,
            gaps,
        };
        let index = PackageIndex {
            package_version: PACKAGE_VERSION,
            source,
            axes,
            permutations,
            bodies,
            stages,
            programs,
            excluded,
            failures,
            completeness,
        };
        files.push(File {
            path: format!("{stem}.json"),
            bytes: shaderport_glsl::manifest::to_json(&index).into(),
        });
        Package { index, files }
    }
}

fn reason_of(kind: FailureKind) -> Reason {
    match kind {
        FailureKind::Refused => Reason::Refused,
        FailureKind::Invalid => Reason::Invalid,
    }
}

/// The shaders of a pass, if they can be a program.
fn job_of<'e, 'a>(pass: &'e Pass<'a>, options: &BuildOptions) -> Result<Job<'e, 'a>, Reason> {
    let find = |kind| pass.stages.iter().find(|s| s.kind == kind);
    if pass.stages.iter().any(|s| !matches!(s.kind, StageKind::Vertex | StageKind::Pixel)) {
        return Err(Reason::Stage);
    }
    let pixel = find(StageKind::Pixel);
    let vertex = find(StageKind::Vertex).ok_or(Reason::NoVertexStage)?;
    let job = Job {
        vertex: &vertex.program,
        pixel: pixel.map(|s| &s.program),
        steps: pixel.map(|s| budget::steps(&options.budget, s)).unwrap_or_default(),
        bitangents: if options.bitangents { bitangents(vertex) } else { Vec::new() },
    };
    if job.vertex.data.is_empty() || job.pixel.is_some_and(|p| p.data.is_empty()) {
        return Err(Reason::EmptyProgram);
    }
    Ok(job)
}

/// Registers whose pipeline inputs are bitangents, in ascending order.
fn bitangents(vertex: &Stage<'_>) -> Vec<u32> {
    let inputs = vertex.inputs.iter().filter(|i| names::usage(i.usage) == Some("BITANGENT"));
    let mut registers: Vec<u32> = inputs.map(|i| i.register.into()).collect();
    registers.sort_unstable();
    registers.dedup();
    registers
}

/// A `ps_5_0` shader that returns at once: WebGL2 has no program without a fragment shader.
fn empty_pixel_shader() -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    let mut words = vec![1, 0, 3, 44, 60, 76];
    let tag = |t: &[u8; 4]| u32::from_le_bytes(*t);
    // Signatures without elements, then version, length and `ret`.
    words.extend([tag(b"ISGN"), 8, 0, 8, tag(b"OSGN"), 8, 0, 8, tag(b"SHEX"), 12, 0x50, 3, 0x0100_003e]);
    words[1] = 20 + words.len() as u32 * 4;
    out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    let digest = checksum::of(&out);
    out[4..20].copy_from_slice(&digest);
    out
}

/// The checksum of a shader, by which the host knows it; `None` if it is no DXBC container.
fn digest(program: &[u8]) -> Option<String> {
    let sum = Container::parse(program).ok()?.computed_checksum();
    Some(sum.iter().map(|b| format!("{b:02x}")).collect())
}

/// Files of GLSL, equal texts once.
#[derive(Default)]
struct Texts {
    known: HashMap<String, String>,
}

impl Texts {
    /// The path of the file with that text, new if need be.
    fn file(&mut self, text: &str, path: String, files: &mut Vec<File>) -> String {
        if let Some(path) = self.known.get(text) {
            return path.clone();
        }
        files.push(File { path: path.clone(), bytes: text.as_bytes().to_vec() });
        self.known.insert(text.to_owned(), path.clone());
        path
    }
}

/// The effect with GLSL in its program slots, written and read again.
fn container<'p>(
    effect: &Effect<'_>,
    programs: impl Iterator<Item = Option<&'p Made>>,
    gaps: &mut Vec<String>,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut translated: Effect<'_> = effect.clone();
    translated.bodies.iter_mut().for_each(|b| b.backend_blocks = true);
    let all = translated.bodies.iter_mut().flat_map(|b| &mut b.techniques).flat_map(|t| &mut t.passes);
    // A block is made once for each program.
    let mut blocks: HashMap<*const Made, Vec<u8>> = HashMap::new();
    for (pass, program) in all.zip(programs) {
        for stage in &mut pass.stages {
            let text = match (program, stage.kind) {
                (Some(p), StageKind::Vertex) => &*p.program.vertex,
                (Some(p), StageKind::Pixel) => &*p.program.fragment,
                _ => "",
            };
            // Some readers follow the offset of an empty program, so it must lie inside the area of names.
            let empty_offset = if text.is_empty() { 0 } else { NULL };
            stage.program = Blob { data: Cow::Borrowed(text.as_bytes()), empty_offset };
        }
        let Some(program) = program else { continue };
        if !pass.stages.iter().any(|s| s.kind == StageKind::Pixel) {
            pass.stages.push(backend::stage_of_text(&program.program.fragment));
        }
        if !blocks.contains_key(&std::ptr::from_ref(program)) {
            let bytes = backend::block(program, gaps).to_bytes().map_err(|d| vec![d])?;
            blocks.insert(program, bytes);
        }
        let bytes = blocks.get(&std::ptr::from_ref(program)).cloned().unwrap_or_default();
        pass.backend_block = Blob::new(bytes);
    }
    let bytes = write(&translated)?;
    // What is handed out is what a reader will find.
    let again = read(&bytes)?.effect;
    let same = again.axes == translated.axes
        && again.rows.iter().zip(&translated.rows).all(|(a, b)| {
            a.index == b.index && again.bodies[a.body as usize] == translated.bodies[b.body as usize]
        });
    if !same {
        return Err(vec![Diagnostic::new(
            codes::UNWRITABLE,
            "the container does not read back as it was written",
        )]);
    }
    Ok(bytes)
}
