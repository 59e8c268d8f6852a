//! GL in a child process, `gl-check serve` (see [`child`]).

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::child::{self, Children, NoAnswer, NoChild};
use crate::draw::JobError;
use crate::gl::{Backend, Gl, GlError, Phase, Rejection, Stage};
use crate::job::{Job, Output};

const KIND: child::Kind = child::Kind {
    name: "gl-check",
    folder: env!("CARGO_MANIFEST_DIR"),
    variable: "GL_CHECK",
    fingerprint: child::fingerprint(&[
        include_bytes!("child.rs"),
        include_bytes!("draw.rs"),
        include_bytes!("egl.rs"),
        include_bytes!("gl.rs"),
        include_bytes!("job.rs"),
        include_bytes!("worker.rs"),
    ]),
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    One { stage: Stage, source: String },
    Pair { vertex: String, fragment: String },
    Draw(Box<Job>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Checked(Result<(), Rejection>),
    Drawn(Result<Output, JobError>),
}

/// The child's side: answers tasks from standard input until that ends.
///
/// # Errors
/// When standard input or output fails, or a line is no task.
pub fn serve(backend: Backend, limit: Duration) -> Result<(), String> {
    child::serve(
        KIND.fingerprint,
        limit,
        || Gl::open(backend),
        |gl, task| match task {
            Task::One { stage, source } => Answer::Checked(gl.check_one(stage, &source)),
            Task::Pair { vertex, fragment } => Answer::Checked(gl.check_pair(&vertex, &fragment)),
            Task::Draw(job) => Answer::Drawn(gl.draw(&job)),
        },
    )
}

/// The parent's side: one child, started again after it hung or died.
pub struct Worker {
    backend: Backend,
    children: Children<Answer, GlError>,
}

fn unavailable(e: NoChild<GlError>) -> GlError {
    match e {
        NoChild::Driver(e) => e,
        NoChild::Child(text) => GlError::Child(text),
    }
}

fn arguments(backend: Backend) -> Vec<String> {
    vec!["serve".into(), "--backend".into(), backend.to_string()]
}

impl Worker {
    /// A worker that gives each task `limit`.
    ///
    /// Its program is `$GL_CHECK`, else the `gl-check` built beside the running executable, else one that cargo
    /// builds now.
    pub fn new(backend: Backend, limit: Duration) -> Result<Worker, GlError> {
        let children = Children::new(KIND, arguments(backend), limit).map_err(unavailable)?;
        Ok(Worker { backend, children })
    }

    /// A worker whose children run `program`, a `gl-check`.
    pub fn with_program(
        program: impl Into<PathBuf>,
        backend: Backend,
        limit: Duration,
    ) -> Result<Worker, GlError> {
        let children = Children::with_program(KIND, program.into(), arguments(backend), limit);
        Ok(Worker { backend, children: children.map_err(unavailable)? })
    }

    /// The GL that its children use.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Whether one shader compiles. A hang or a crash counts as a refusal.
    pub fn check_one(&mut self, stage: Stage, source: &str) -> Result<(), Rejection> {
        self.check(&Task::One { stage, source: source.into() })
    }

    /// Whether two shaders compile and link. A hang or a crash counts as a refusal.
    pub fn check_pair(&mut self, vertex: &str, fragment: &str) -> Result<(), Rejection> {
        self.check(&Task::Pair { vertex: vertex.into(), fragment: fragment.into() })
    }

    /// Runs a job. A hang or a crash counts as a refusal.
    pub fn draw(&mut self, job: &Job) -> Result<Output, JobError> {
        match self.run(&Task::Draw(Box::new(job.clone())))? {
            Answer::Drawn(result) => result,
            Answer::Checked(_) => unreachable!("a job is answered by its output"),
        }
    }

    fn check(&mut self, task: &Task) -> Result<(), Rejection> {
        match self.run(task)? {
            Answer::Checked(result) => result,
            Answer::Drawn(_) => unreachable!("a check is answered by a verdict"),
        }
    }

    fn run(&mut self, task: &Task) -> Result<Answer, Rejection> {
        self.children.run(task).map_err(|failed| match failed {
            NoAnswer::Timeout(limit) => {
                Rejection { phase: Phase::Timeout, log: format!("no answer within {limit:?}") }
            }
            NoAnswer::Died(log) => Rejection { phase: Phase::Crash, log },
        })
    }
}
