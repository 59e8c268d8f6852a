//! Lists of shader files to check, and the checking of them in child processes.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;

use crate::gl::{Backend, GlError, Phase, Rejection, Stage};
use crate::worker::Worker;

/// One shader or pair to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Line of the list, from 1.
    pub line: usize,
    /// The vertex shader's file, if one is to be checked.
    pub vertex: Option<PathBuf>,
    /// The fragment shader's file, if one is to be checked.
    pub fragment: Option<PathBuf>,
}

/// The text of an [`Item`]'s shaders.
pub type Sources = (Option<String>, Option<String>);

/// A refusal of an item, as `gl-check` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Line of the list, from 1.
    pub line: usize,
    /// The vertex shader's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertex: Option<PathBuf>,
    /// The fragment shader's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<PathBuf>,
    /// What was refused, and why.
    #[serde(flatten)]
    pub rejection: Rejection,
}

impl Item {
    /// Reads the shaders.
    pub fn sources(&self) -> Result<Sources, Rejection> {
        let read = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| {
                std::fs::read_to_string(path)
                    .map_err(|e| Rejection { phase: Phase::Read, log: format!("{}: {e}", path.display()) })
            })
        };
        Ok((read(&self.vertex).transpose()?, read(&self.fragment).transpose()?))
    }

    /// The failure of this item.
    pub fn failure(&self, rejection: Rejection) -> Failure {
        Failure { line: self.line, vertex: self.vertex.clone(), fragment: self.fragment.clone(), rejection }
    }
}

/// Parses a list: lines `vert PATH`, `frag PATH` or `pair VERTEX FRAGMENT`, their parts separated by tabs, or by
/// blanks where a line has no tab. Empty lines and those that start with `#` are skipped.
pub fn parse(text: &str) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let parts: Vec<&str> =
            if text.contains('\t') { text.split('\t').collect() } else { text.split_whitespace().collect() };
        let path = |part: &str| Some(PathBuf::from(part));
        items.push(match parts[..] {
            ["vert", vertex] => Item { line, vertex: path(vertex), fragment: None },
            ["frag", fragment] => Item { line, vertex: None, fragment: path(fragment) },
            ["pair", vertex, fragment] => Item { line, vertex: path(vertex), fragment: path(fragment) },
            _ => return Err(format!("line {line}: not `vert PATH`, `frag PATH` or `pair VERTEX FRAGMENT`")),
        });
    }
    Ok(items)
}

/// How [`check`] goes about it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The driver.
    pub backend: Backend,
    /// Child processes at a time.
    pub jobs: usize,
    /// Time for one item.
    pub limit: Duration,
}

/// Checks items in child processes of `program`, a `gl-check`; the failures come in the order of the list.
pub fn check(program: &Path, items: &[Item], options: &Options) -> Result<Vec<Failure>, GlError> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || -> Result<(), GlError> {
        let mut worker = Worker::with_program(program, options.backend, options.limit)?;
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(rejection) = item.sources().and_then(|sources| match &sources {
                (Some(vertex), Some(fragment)) => worker.check_pair(vertex, fragment),
                (Some(vertex), None) => worker.check_one(Stage::Vertex, vertex),
                (None, Some(fragment)) => worker.check_one(Stage::Fragment, fragment),
                (None, None) => Ok(()),
            }) {
                failures.lock().unwrap_or_else(PoisonError::into_inner).push(item.failure(rejection));
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..options.jobs.clamp(1, items.len().max(1))).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.sort_by_key(|failure| failure.line);
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let items = parse("# comment\nvert a.vert\n\npair  a.vert b.frag\nfrag\twith blank.frag\n").unwrap();
        let path = |p: &str| Some(PathBuf::from(p));
        assert_eq!(
            items,
            [
                Item { line: 2, vertex: path("a.vert"), fragment: None },
                Item { line: 4, vertex: path("a.vert"), fragment: path("b.frag") },
                Item { line: 5, vertex: None, fragment: path("with blank.frag") },
            ]
        );
        assert!(parse("vert a\npair a\n").unwrap_err().starts_with("line 2"));
    }
}
