//! A driver in a child process, which a shader without end or a crash cannot take the parent down with.
//!
//! The child answers each line of JSON on its standard input, a task, with one line on its standard output. Which
//! tasks and answers these are is the driver's matter: [`Worker`](crate::Worker) has those of GL.

use std::io::{BufRead, BufReader, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Time for a child to make its context, on a machine that may be busy.
const START: Duration = Duration::from_secs(60);

/// A hash of what a child is made of, so that a parent does not talk to one built from other sources.
pub const fn fingerprint(files: &[&[u8]]) -> u64 {
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
}

/// What a child says: first whether its driver is there, then answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said<A, E> {
    Ready(u64),
    Unavailable(E),
    Answer(A),
}

/// The child's side: answers tasks from standard input until that ends.
///
/// # Errors
/// When standard input or output fails, or a line is no task.
pub fn serve<D, T, A, E>(
    fingerprint: u64,
    limit: Duration,
    open: impl FnOnce() -> Result<D, E>,
    mut answer: impl FnMut(&D, T) -> A,
) -> Result<(), String>
where
    T: DeserializeOwned,
    A: Serialize,
    E: Serialize,
{
    let mut out = std::io::stdout().lock();
    let mut say = |said: &Said<A, E>| {
        let mut line = serde_json::to_vec(said).map_err(|e| e.to_string())?;
        line.push(b'\n');
        out.write_all(&line).and_then(|()| out.flush()).map_err(|e| e.to_string())
    };
    let driver = match open() {
        Ok(driver) => driver,
        Err(e) => return say(&Said::Unavailable(e)),
    };
    say(&Said::Ready(fingerprint))?;
    let watchdog = Watchdog::start(limit);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let task = serde_json::from_str(&line).map_err(|e| format!("not a task: {e}"))?;
        watchdog.set(Some(Instant::now()));
        let result = Said::Answer(answer(&driver, task));
        watchdog.set(None);
        say(&result)?;
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

/// The program that children run.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The folder of the crate that has it: cargo builds it from there, where it is not beside this executable.
    pub folder: &'static str,
    /// The variable of the environment that says where it is.
    pub variable: &'static str,
    /// Its [`fingerprint`].
    pub fingerprint: u64,
}

/// Why there is no child.
#[derive(Debug)]
pub enum NoChild<E> {
    /// The child runs, its driver does not.
    Driver(E),
    /// The child does not run, or is not the program it should be.
    Child(String),
}

/// Why a child gave no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// It was still at it when the limit was over.
    Timeout(Duration),
    /// It ended, with these words.
    Died(String),
}

/// The parent's side: one child, started again after it hung or died. It gives answers `A`, or says with an `E` why it
/// has no driver.
pub struct Children<A, E> {
    kind: Kind,
    program: PathBuf,
    arguments: Vec<String>,
    limit: Duration,
    child: Option<Running>,
    speech: PhantomData<fn() -> (A, E)>,
}

struct Running {
    process: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
    errors: Option<JoinHandle<Vec<u8>>>,
}

impl<A: DeserializeOwned, E: DeserializeOwned> Children<A, E> {
    /// Children that are given `arguments` and `limit` for each task.
    ///
    /// Their program is the one that the variable names, else the one built beside the running executable, else one
    /// that cargo builds now.
    ///
    /// # Errors
    /// [`NoChild`].
    pub fn new(kind: Kind, arguments: Vec<String>, limit: Duration) -> Result<Self, NoChild<E>> {
        let with = |program| Self::with_program(kind, program, arguments.clone(), limit);
        if let Some(program) = std::env::var_os(kind.variable) {
            return with(program.into());
        }
        if let Some(program) = beside_this_executable(kind.name) {
            match with(program) {
                Err(NoChild::Child(_)) => {} // built from other sources, perhaps
                result => return result,
            }
        }
        with(build(&kind).map_err(NoChild::Child)?)
    }

    /// Children that run `program`.
    ///
    /// # Errors
    /// [`NoChild`].
    pub fn with_program(
        kind: Kind,
        program: PathBuf,
        arguments: Vec<String>,
        limit: Duration,
    ) -> Result<Self, NoChild<E>> {
        let mut children = Children { kind, program, arguments, limit, child: None, speech: PhantomData };
        children.child = Some(children.start()?);
        Ok(children)
    }

    /// The answer to a task.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn run(&mut self, task: &impl Serialize) -> Result<A, NoAnswer> {
        let line = serde_json::to_string(task).map_err(|e| NoAnswer::Died(e.to_string()))? + "\n";
        // A crash may be the late effect of an earlier task, so only one of a new child counts.
        let used = self.child.is_some();
        match self.attempt(&line) {
            Err(NoAnswer::Died(_)) if used => self.attempt(&line),
            result => result,
        }
    }

    fn attempt(&mut self, line: &str) -> Result<A, NoAnswer> {
        let mut child = match self.child.take() {
            Some(child) => child,
            None => self.start().map_err(|e| match e {
                NoChild::Driver(_) => NoAnswer::Died("the driver is no longer there".into()),
                NoChild::Child(text) => NoAnswer::Died(text),
            })?,
        };
        // A child that died before is noticed when its answer is missing.
        let _ = child.tasks.write_all(line.as_bytes());
        match child.hear::<A, E>(self.limit)? {
            Said::Answer(answer) => {
                self.child = Some(child);
                Ok(answer)
            }
            _ => Err(NoAnswer::Died("it answers no task".into())),
        }
    }

    fn start(&self) -> Result<Running, NoChild<E>> {
        let failed = |what: String| NoChild::Child(format!("{}: {what}", self.program.display()));
        let mut process = Command::new(&self.program)
            .args(&self.arguments)
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
        match child.hear::<A, E>(START) {
            Ok(Said::Ready(fingerprint)) if fingerprint == self.kind.fingerprint => Ok(child),
            Ok(Said::Unavailable(e)) => Err(NoChild::Driver(e)),
            Ok(_) => Err(failed("is of another version".into())),
            Err(NoAnswer::Timeout(limit)) => Err(failed(format!("not ready within {limit:?}"))),
            Err(NoAnswer::Died(log)) => Err(failed(log)),
        }
    }
}

impl Running {
    fn hear<A: DeserializeOwned, E: DeserializeOwned>(
        &mut self,
        limit: Duration,
    ) -> Result<Said<A, E>, NoAnswer> {
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).map_err(|e| NoAnswer::Died(format!("{e} in {line:?}"))),
            Err(RecvTimeoutError::Timeout) => Err(NoAnswer::Timeout(limit)),
            Err(RecvTimeoutError::Disconnected) => Err(NoAnswer::Died(self.obituary())),
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

fn beside_this_executable(name: &str) -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let name = Path::new(name).with_extension(std::env::consts::EXE_EXTENSION);
    // Tests lie one folder below the programs.
    executable.ancestors().skip(1).take(2).map(|dir| dir.join(&name)).find(|path| path.is_file())
}

/// Has cargo build the program, for tests of other crates, which do not depend on it as a program.
fn build(kind: &Kind) -> Result<PathBuf, String> {
    let failed = |what: String| format!("{} cannot be built: {what}", kind.name);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--quiet", "--bin", kind.name, "--message-format", "json-render-diagnostics"])
        .arg("--manifest-path")
        .arg(Path::new(kind.folder).join("Cargo.toml"));
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

    const KIND: Kind = Kind { name: "none", folder: "", variable: "", fingerprint: 7 };

    /// A program that says that it is ready and then runs `rest`.
    fn fake(name: &str, ready: u64, rest: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("child-{name}-{}", std::process::id()));
        let script = format!("#!/bin/sh\necho '{{\"ready\":{ready}}}'\n{rest}\n");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn children(program: &Path) -> Result<Children<u32, String>, NoChild<String>> {
        Children::with_program(KIND, program.into(), Vec::new(), Duration::from_secs(20))
    }

    #[test]
    fn a_crash_is_tried_again_and_then_reported() {
        let program = fake("crash", KIND.fingerprint, "read task; echo $$ >> $0.runs; echo gone >&2; exit 3");
        let failed = children(&program).unwrap().run(&1).unwrap_err();
        let runs = program.with_file_name(format!("{}.runs", program.file_name().unwrap().display()));
        assert_eq!(std::fs::read_to_string(&runs).unwrap().lines().count(), 2);
        std::fs::remove_file(&runs).unwrap();
        std::fs::remove_file(&program).unwrap();
        let NoAnswer::Died(log) = failed else { panic!("{failed:?}") };
        assert!(log.contains("exit status: 3") && log.contains("gone"), "{log}");
    }

    #[test]
    fn a_child_of_another_version_is_refused() {
        let program = fake("version", KIND.fingerprint ^ 1, "read task");
        let error = children(&program).err();
        std::fs::remove_file(&program).unwrap();
        assert!(matches!(&error, Some(NoChild::Child(e)) if e.contains("another version")), "{error:?}");
    }
}
