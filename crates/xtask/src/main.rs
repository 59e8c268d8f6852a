//! Chores of the workspace.
//!
//! `cargo run -p xtask -- docs` writes the generated pages of `docs/`; with `--check` it only says which of them
//! are stale.
#![forbid(unsafe_code)]

mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names and texts of the generated pages.
fn generate() -> Result<Vec<(&'static str, String)>, String> {
    Ok(vec![
        ("docs/opcodes.md", pages::opcodes()),
        ("docs/diagnostics.md", pages::diagnostics()),
        ("docs/fixture-coverage.md", pages::coverage(&root())?),
    ])
}

/// Writes the pages, or compares them; returns the names of those that were stale.
fn docs(check: bool) -> Result<Vec<&'static str>, String> {
    let mut stale = Vec::new();
    for (name, text) in generate()? {
        let path = root().join(name);
        if std::fs::read_to_string(&path).ok().as_ref() == Some(&text) {
            continue;
        }
        stale.push(name);
        if !check {
            std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(stale)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["docs"] => docs(false).map(|written| {
            written.iter().for_each(|name| println!("wrote {name}"));
            true
        }),
        ["docs", "--check"] => docs(true).map(|stale| {
            stale.iter().for_each(|name| println!("{name} is stale: cargo run -p xtask -- docs"));
            stale.is_empty()
        }),
        _ => Err("usage: cargo run -p xtask -- docs [--check]".into()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_pages_are_up_to_date() {
        let stale = super::docs(true).unwrap();
        assert!(stale.is_empty(), "{stale:?}: cargo run -p xtask -- docs");
    }

    #[test]
    fn every_opcode_of_vertex_and_pixel_shaders_is_covered() {
        let uncovered = super::pages::uncovered(&super::root()).unwrap();
        assert!(uncovered.is_empty(), "neither a fixture nor a hand-assembled test has {uncovered:?}");
    }
}
