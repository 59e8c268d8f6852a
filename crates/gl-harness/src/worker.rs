//! A driver in a child process, which a shader without end or a crash cannot take the parent down with.
//!
//! The child is `gl-check serve`. It answers each line of JSON on its standard input, a [`Task`], with one line
//! on its standard output, an [`Answer`].

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::draw::JobError;
use crate::gl::{Backend, Gl, GlError, Phase, Rejection, Stage};
use crate::job::{Job, Output};

/// Changes with what a child does, so that a parent does not talk to one built from other sources.
const FINGERPRINT: u64 = {
    let files: [&[u8]; 5] = [
        include_bytes!("draw.rs"),
        include_bytes!("egl.rs"),
        include_bytes!("gl.rs"),
        include_bytes!("job.rs"),
        include_bytes!("worker.rs"),
    ];
    let mut hash = 0xCBF2_9CE4_8422_2325_u64; // FNV-1a
    let mut file = 0;
    while file < files.len() {
        let mut at = 0;
        while at < files[file].len() {
            hash = (hash ^ files[file][at] as u64).wrapping_mul(0x0100_0000_01B3);
            at += 1;
        }
        file += 1;
    }
    hash
};

/// Time for a child to make its context, on a machine that may be busy.
const START: Duration = Duration::from_secs(60);

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
    Ready(u64),
    Unavailable(GlError),
    Checked(Result<(), Rejection>),
    Drawn(Result<Output, JobError>),
}

/// The child's side: answers tasks from standard input until that ends.
///
/// # Errors
/// When standard input or output fails, or a line is no task.
pub fn serve(backend: Backend, limit: Duration) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    let mut answer = |answer: &Answer| {
        let mut line = serde_json::to_vec(answer).map_err(|e| e.to_string())?;
        line.push(b'\n');
        out.write_all(&line).and_then(|()| out.flush()).map_err(|e| e.to_string())
    };
    let gl = match Gl::open(backend) {
        Ok(gl) => gl,
        Err(e) => return answer(&Answer::Unavailable(e)),
    };
    answer(&Answer::Ready(FINGERPRINT))?;
    let watchdog = Watchdog::start(limit);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let task: Task = serde_json::from_str(&line).map_err(|e| format!("not a task: {e}"))?;
        watchdog.set(Some(Instant::now()));
        let result = match task {
            Task::One { stage, source } => Answer::Checked(gl.check_one(stage, &source)),
            Task::Pair { vertex, fragment } => Answer::Checked(gl.check_pair(&vertex, &fragment)),
            Task::Draw(job) => Answer::Drawn(gl.draw(&job)),
        };
        watchdog.set(None);
        answer(&result)?;
    }
    Ok(())
}

/// Ends a child that hangs and whose parent is no longer there to do it.
struct Watchdog(Arc<Mutex<Option<Instant>>>);

impl Watchdog {
    fn start(limit: Duration) -> Watchdog {
        let busy_since = Arc::new(Mutex::new(None::<Instant>));
        let watched = Arc::clone(&busy_since);
        // The parent comes first, by this much.
        let limit = limit + Duration::from_secs(5);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let since = *watched.lock().unwrap_or_else(PoisonError::into_inner);
                if since.is_some_and(|since| since.elapsed() > limit) {
                    std::process::abort();
                }
            }
        });
        Watchdog(busy_since)
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }
}

/// The parent's side: one child, started again after it hung or died.
pub struct Worker {
    program: PathBuf,
    backend: Backend,
    limit: Duration,
    child: Option<Running>,
}

struct Running {
    process: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
    errors: Option<JoinHandle<Vec<u8>>>,
}

/// Why a child gave no answer.
enum Failed {
    Timeout,
    Died(String),
}

impl Worker {
    /// A worker that gives each task `limit`.
    ///
    /// Its program is `$GL_CHECK`, else the `gl-check` built beside the running executable, else one that cargo
    /// builds now.
    pub fn new(backend: Backend, limit: Duration) -> Result<Worker, GlError> {
        if let Some(program) = std::env::var_os("GL_CHECK") {
            return Worker::with_program(program, backend, limit);
        }
        if let Some(program) = beside_this_executable() {
            match Worker::with_program(program, backend, limit) {
                Err(GlError::Child(_)) => {} // built from other sources, perhaps
                result => return result,
            }
        }
        Worker::with_program(build()?, backend, limit)
    }

    /// A worker whose children run `program`, a `gl-check`.
    pub fn with_program(
        program: impl Into<PathBuf>,
        backend: Backend,
        limit: Duration,
    ) -> Result<Worker, GlError> {
        let mut worker = Worker { program: program.into(), backend, limit, child: None };
        worker.child = Some(worker.start()?);
        Ok(worker)
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
            _ => unreachable!("a job is answered by its output"),
        }
    }

    fn check(&mut self, task: &Task) -> Result<(), Rejection> {
        match self.run(task)? {
            Answer::Checked(result) => result,
            _ => unreachable!("a check is answered by a verdict"),
        }
    }

    fn run(&mut self, task: &Task) -> Result<Answer, Rejection> {
        let crash = |log| Rejection { phase: Phase::Crash, log };
        let line = serde_json::to_string(task).map_err(|e| crash(e.to_string()))? + "\n";
        // A crash may be the late effect of an earlier task, so only one of a new child counts.
        let used = self.child.is_some();
        let failed = match self.attempt(&line) {
            Err(Failed::Died(_)) if used => self.attempt(&line),
            result => result,
        };
        failed.map_err(|failed| match failed {
            Failed::Timeout => {
                Rejection { phase: Phase::Timeout, log: format!("no answer within {:?}", self.limit) }
            }
            Failed::Died(log) => crash(log),
        })
    }

    fn attempt(&mut self, line: &str) -> Result<Answer, Failed> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => self.start().map_err(|e| Failed::Died(e.to_string()))?,
        };
        // A child that died before is noticed when its answer is missing.
        let _ = child.tasks.write_all(line.as_bytes());
        let answer = child.answer(self.limit)?;
        self.child = Some(child);
        Ok(answer)
    }

    fn start(&self) -> Result<Running, GlError> {
        let failed = |what: String| GlError::Child(format!("{}: {what}", self.program.display()));
        let mut process = Command::new(&self.program)
            .args(["serve", "--backend", &self.backend.to_string()])
            .args(["--timeout", &self.limit.as_secs().max(1).to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| failed(e.to_string()))?;
        let (Some(tasks), Some(out), Some(mut err)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            unreachable!("all three were asked to be pipes");
        };
        let (send, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            // What came before a failed read is all there is to show.
            let _ = err.read_to_end(&mut text);
            text
        });
        let mut child = Running { process, tasks, answers, errors: Some(errors) };
        match child.answer(START) {
            Ok(Answer::Ready(FINGERPRINT)) => Ok(child),
            Ok(Answer::Unavailable(e)) => Err(e),
            Ok(_) => Err(failed("is of another version".into())),
            Err(Failed::Timeout) => Err(failed(format!("not ready within {START:?}"))),
            Err(Failed::Died(log)) => Err(failed(log)),
        }
    }
}

impl Running {
    fn answer(&mut self, limit: Duration) -> Result<Answer, Failed> {
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).map_err(|e| Failed::Died(format!("{e} in {line:?}"))),
            Err(RecvTimeoutError::Timeout) => Err(Failed::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(Failed::Died(self.obituary())),
        }
    }

    /// How the child ended, with the last of what it said.
    fn obituary(&mut self) -> String {
        let status = match self.process.wait() {
            Ok(status) => status.to_string(),
            Err(e) => e.to_string(),
        };
        let errors = self.errors.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        let last: Vec<&str> = errors.lines().rev().take(5).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        format!("{status}: {}", last.join("\n"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A child that has ended already cannot be killed, which is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn beside_this_executable() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let name = Path::new("gl-check").with_extension(std::env::consts::EXE_EXTENSION);
    // Tests lie one folder below the programs.
    executable.ancestors().skip(1).take(2).map(|dir| dir.join(&name)).find(|path| path.is_file())
}

/// Has cargo build `gl-check`, for tests of other crates, which do not depend on it as a program.
fn build() -> Result<PathBuf, GlError> {
    let failed = |what: String| GlError::Child(format!("gl-check cannot be built: {what}"));
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--quiet", "--bin", "gl-check", "--message-format", "json-render-diagnostics"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    output
        .stdout
        .split(|&b| b == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
        .ok_or_else(|| failed("cargo names no program".into()))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program that says `lines` and then runs `rest`.
    fn fake(name: &str, ready: u64, rest: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("gl-check-{name}-{}", std::process::id()));
        let script = format!("#!/bin/sh\necho '{{\"ready\":{ready}}}'\n{rest}\n");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn worker(program: &Path) -> Result<Worker, GlError> {
        Worker::with_program(program, Backend::Angle, Duration::from_secs(20))
    }

    #[test]
    fn a_crash_is_tried_again_and_then_reported() {
        let program = fake("crash", FINGERPRINT, "read task; echo $$ >> $0.runs; echo gone >&2; exit 3");
        let rejection = worker(&program).unwrap().check_pair("", "").unwrap_err();
        let runs = program.with_file_name(format!("{}.runs", program.file_name().unwrap().display()));
        assert_eq!(std::fs::read_to_string(&runs).unwrap().lines().count(), 2);
        std::fs::remove_file(&runs).unwrap();
        std::fs::remove_file(&program).unwrap();
        assert_eq!(rejection.phase, Phase::Crash);
        assert!(rejection.log.contains("exit status: 3") && rejection.log.contains("gone"), "{rejection}");
    }

    #[test]
    fn a_child_of_another_version_is_refused() {
        let program = fake("version", FINGERPRINT ^ 1, "read task");
        let error = worker(&program).err().map(|e| e.to_string());
        std::fs::remove_file(&program).unwrap();
        assert!(error.as_ref().is_some_and(|e| e.contains("another version")), "{error:?}");
    }
}
