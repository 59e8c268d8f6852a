//! The shared shaders and descriptors, where the checkout has them beside it.

use shaderport_diagnostics::Severity;
use shaderport_renderpack::abi::{SEMANTIC_V1, Stage};
use shaderport_renderpack::{Access, Compat, Finding, Options, Shader, check_pack_text, check_shader};
use std::fs;
use std::path::{Path, PathBuf};

fn shared() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/renderpack");
    dir.is_dir().then_some(dir)
}

fn findings(bytes: &[u8], stage: Stage, role: &str, compat: Compat) -> Vec<Finding> {
    let options = Options { compat, ..Options::default() };
    let access = Access::parse(&SEMANTIC_V1, role).unwrap();
    check_shader(&Shader::read(bytes, &options), "file", stage, &access, &options)
}

#[test]
fn expected_verdicts() {
    let Some(dir) = shared() else { return };
    let table = fs::read_to_string(dir.join("expected.tsv")).unwrap();
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, stage, role, verdict, reason, default] = cells[..] else { panic!("{line}") };
        let bytes = fs::read(dir.join(file)).unwrap();
        let stage = if stage == "vertex" { Stage::Vertex } else { Stage::Fragment };
        let upstream = findings(&bytes, stage, role, Compat::Upstream);
        let first = upstream.first().map_or("", |f| f.message.as_str());
        if upstream.is_empty() != (verdict == "ACCEPT") || first != reason {
            wrong.push(format!("{file} upstream: {verdict} {reason:?}, not {first:?}"));
        }
        let contract = findings(&bytes, stage, role, Compat::Contract);
        let refused = contract.iter().any(|f| f.severity == Severity::Error);
        let codes: Vec<_> = contract.iter().map(|f| f.code.name()).collect();
        if refused != (default == "REJECT") {
            wrong.push(format!("{file} default: {default}, not {codes:?}"));
        }
        if verdict == "ACCEPT" && default == "REJECT" {
            println!("{file}: {codes:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn descriptors_are_accepted() {
    let Some(dir) = shared() else { return };
    for entry in fs::read_dir(dir.join("descriptors")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for compat in [Compat::Contract, Compat::Upstream] {
            let report = check_pack_text(&text, &Options { compat, ..Options::default() });
            let all: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
            assert!(all.is_empty(), "{} {compat:?}\n{}", path.display(), all.join("\n"));
        }
    }
}
