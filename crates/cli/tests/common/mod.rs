//! Runs the command and looks at what it says.
// Each test program uses a part of this.
#![allow(dead_code, unreachable_pub)]

pub mod schema;

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a run left.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The lines of standard output as JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }

    /// The lines but the last, and the summary that is in the last.
    pub fn reports(&self) -> (Vec<Value>, Value) {
        let mut lines = self.lines();
        let last = lines.pop().expect("a summary");
        (lines, last["summary"].clone())
    }
}

/// The command, with nothing in its environment that could change what it says.
pub fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shaderport"));
    command.args(arguments).env_clear().env("RUST_BACKTRACE", "0");
    command
}

pub fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    run_with(arguments, b"")
}

/// Runs with `stdin` on standard input.
pub fn run_with<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, stdin: &[u8]) -> Run {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read its input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let run = Run {
        status: output.status.code().expect("no signal"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run
}

/// A folder that is gone after the test.
pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn fixture_path(name: &str) -> PathBuf {
    root().join("fixtures/dxbc").join(name)
}

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixture_path(name)).unwrap()
}

/// Sound shaders that are translated with the default options.
pub const VERTEX: &str = "cb_multi.row.vs.dxbc";
pub const PIXEL: &str = "cb_types.ps.dxbc";
/// A sound shader that is refused.
pub const REFUSED: &str = "refused_doubles.ps.dxbc";

/// A container of one chunk, without a checksum.
pub fn container(tag: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0; 16]);
    for word in [1, 44 + contents.len() as u32, 1, 36] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes.extend(tag);
    bytes.extend(u32::to_le_bytes(contents.len() as u32));
    bytes.extend(contents);
    bytes
}

/// Every compiled shader among the fixtures, sorted.
pub fn all_fixtures() -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(root().join("fixtures/dxbc"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension() == Some(OsStr::new("dxbc")))
        .collect();
    all.sort();
    assert!(all.len() > 300);
    all
}

/// Writes a file below `folder`, with the folders it lies in.
pub fn put(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Every file below `folder`, relative to it, sorted.
pub fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                all.push(path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    all.sort();
    all
}

/// The status of a report.
pub fn status(report: &Value) -> &str {
    report["status"].as_str().unwrap()
}

/// The codes of a report's findings.
pub fn codes(report: &Value) -> Vec<&str> {
    report["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect()
}
