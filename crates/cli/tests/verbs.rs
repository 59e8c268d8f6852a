//! The smaller verbs, and the schemas against what is really printed.

mod common;

use common::{
    PIXEL, REFUSED, VERTEX, all_fixtures, codes, files, fixture, fixture_path, folder, put, run, run_with,
};
use serde_json::Value;
use shaderport::diagnostics::codes as tables;
use std::path::PathBuf;

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn schema(name: &str) -> Value {
    let r = run(["schema", name]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    parse(&r.stdout)
}

#[test]
fn every_code_is_explained() {
    let list = run(["explain", "--list"]).stdout;
    assert_eq!(list.lines().count(), tables::all().count());
    for (code, line) in tables::all().zip(list.lines()) {
        let r = run(["explain", code.name()]);
        assert_eq!(r.status, 0);
        let head = format!("{}[{}]: {}\n\n", code.severity(), code.name(), code.info().title);
        assert!(r.stdout.starts_with(&head), "{}", r.stdout);
        assert!(r.stdout.len() > head.len() + 10, "too short: {}", r.stdout);
        assert!(line.starts_with(code.name()) && line.ends_with(code.info().title));
    }
    let r = run(["explain", "checksum-mismach"]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("'checksum-mismatch'"), "{}", r.stderr);
    assert_eq!(run(["explain"]).status, 2);
}

#[test]
fn completions_know_the_verbs() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let r = run(["completions", shell]);
        assert_eq!(r.status, 0);
        for word in ["translate", "inspect", "depth-range"] {
            assert!(r.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(["completions", "csh"]).status, 2);
}

#[test]
fn every_verb_has_help() {
    for verb in ["translate", "disasm", "inspect", "extract", "explain", "schema", "completions"] {
        let r = run([verb, "--help"]);
        assert_eq!(r.status, 0);
        assert!(r.stdout.contains("Examples:"), "{}", r.stdout);
    }
}

/// Lines, manifests and inspections of every fixture are as their schemas say.
#[test]
fn schemas_describe_what_is_printed() {
    let (line, manifest, inspection) = (schema("translate"), schema("manifest"), schema("inspect"));
    let at = folder();
    let broken = put(&at, "broken.dxbc", &fixture(PIXEL)[..99]);
    let pak = put(&at, "pak", &[b"?", &fixture(VERTEX)[..], &fixture(REFUSED)].concat());
    let folder = common::root().join("fixtures/dxbc");
    let mut arguments = vec!["translate".into(), folder, broken, pak];
    arguments.extend(["--format=json", "--line-map"].map(PathBuf::from));
    let lines = run(arguments).lines();
    assert_eq!(lines.len(), all_fixtures().len() + 3);
    let mut manifests = 0;
    for l in &lines {
        common::schema::check(&line, l).unwrap_or_else(|e| panic!("{}: {e}", l["input"]));
        if let Some(m) = l.get("manifest") {
            common::schema::check(&manifest, m).unwrap_or_else(|e| panic!("{}: {e}", l["input"]));
            manifests += 1;
        }
    }
    assert!(manifests > 300, "{manifests}");
    // The check tells wrong from right.
    assert!(common::schema::check(&manifest, &lines[0]).is_err());

    for path in all_fixtures().into_iter().step_by(7) {
        let r = run(["inspect".into(), path.clone(), "--format=json".into()]);
        assert_eq!(r.status, 0, "{}", r.stderr);
        common::schema::check(&inspection, &parse(&r.stdout)).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    }
}

#[test]
fn an_inspection_tells_what_is_inside() {
    let r = run(["inspect".into(), fixture_path(VERTEX), "--format=json".into()]);
    let i = parse(&r.stdout);
    assert_eq!((r.status, &i["kind"]), (0, &"shader".into()));
    assert_eq!(i["checksum"]["ok"], true);
    assert_eq!(i["program"]["profile"], "vs_5_0");
    assert_eq!(i["needs"]["status"], "translated");
    let tags: Vec<_> = i["chunks"].as_array().unwrap().iter().map(|c| c["tag"].as_str().unwrap()).collect();
    assert!(tags.contains(&"SHEX") && tags.contains(&"ISGN"), "{tags:?}");
    assert!(!i["signatures"]["input"].as_array().unwrap().is_empty());
    assert!(!i["reflection"]["buffers"][0]["variables"].as_array().unwrap().is_empty());

    let r = run(["inspect".into(), fixture_path(VERTEX)]);
    assert_eq!(r.status, 0);
    for words in ["checksum ", "Chunks", "Program: vertex shader, vs_5_0", "Inputs", "Outputs", "Reflection"]
    {
        assert!(r.stdout.contains(words), "{words} in {}", r.stdout);
    }

    // Refusal is what the inspection says, not how it went.
    let r = run(["inspect".into(), fixture_path(REFUSED), "--format=json".into()]);
    assert_eq!((r.status, &parse(&r.stdout)["needs"]["status"]), (0, &"refused".into()));
}

#[test]
fn every_fixture_is_inspected_and_listed() {
    for path in all_fixtures() {
        let r = run(["inspect".into(), path.clone()]);
        assert_eq!(r.status, 0, "{path:?}: {}", r.stderr);
        let r = run(["disasm".into(), path.clone()]);
        assert_eq!(r.status, 0, "{path:?}: {}", r.stderr);
        let stage = path.file_stem().unwrap().to_str().unwrap().rsplit('.').next().unwrap();
        assert!(r.stdout.starts_with(&format!("{stage}_")), "{path:?}");
    }
}

#[test]
fn listings_have_options() {
    let path = fixture_path(PIXEL);
    let listing = |flags: &[&str]| {
        let r =
            run([vec!["disasm".into(), path.clone()], flags.iter().map(PathBuf::from).collect()].concat());
        assert_eq!(r.status, 0);
        r.stdout
    };
    let plain = listing(&[]);
    assert!(plain.starts_with("ps_5_0\n") && plain.trim_end().ends_with("ret"));
    assert!(listing(&["--numbers"]).contains("   0: "));
    assert!(listing(&["--offsets"]).contains("0x00000008: "));
    assert_eq!(run_with(["disasm", "-"], &fixture(PIXEL)).stdout, plain);
}

#[test]
fn damaged_files_end_with_1() {
    let at = folder();
    let damaged = put(&at, "x.dxbc", &fixture(PIXEL)[..100]);
    let text = put(&at, "x.txt", b"text");
    for (path, code) in [
        (damaged, "container-truncated"),
        (text, "no-shader-found"),
        (at.path().join("gone"), "input-missing"),
    ] {
        for verb in ["inspect", "disasm", "extract"] {
            if verb == "extract" && code == "container-truncated" {
                continue;
            }
            let r = run([verb.into(), path.clone()]);
            assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{verb} {path:?}");
            assert!(r.stderr.contains(&format!("error[{code}]")), "{verb}: {}", r.stderr);
        }
    }
}

#[test]
fn containers_are_extracted() {
    let (at, out) = (folder(), folder());
    let (vertex, pixel) = (fixture(VERTEX), fixture(PIXEL));
    // An effect: a container whose chunk holds shaders.
    let effect = common::container(b"FX10", &[&b"fx"[..], &pixel, &vertex].concat());
    let pak = put(&at, "game.pak", &[b"????", &vertex[..], &effect, &pixel].concat());

    let listed = run(["extract".into(), pak.clone()]);
    assert_eq!((listed.status, listed.stdout.lines().count()), (0, 5));
    let to = out.path().join("shaders");
    let r = run(["extract".into(), pak.clone(), "--out-dir".into(), to.clone()]);
    assert_eq!((r.status, &r.stdout), (0, &listed.stdout));
    let expected = ["game.0.dxbc", "game.1.0.dxbc", "game.1.1.dxbc", "game.1.dxbc", "game.2.dxbc"];
    assert_eq!(files(&to), expected);
    for (name, bytes) in expected.into_iter().zip([&vertex, &pixel, &vertex, &effect, &pixel]) {
        assert_eq!(&std::fs::read(to.join(name)).unwrap(), bytes, "{name}");
    }
    assert!(listed.stdout.contains("vs_5_0") && listed.stdout.contains("effect"), "{}", listed.stdout);

    // The other verbs take one of them by its number, and ask where there is a choice.
    let alone = run(["disasm".into(), fixture_path(PIXEL)]).stdout;
    let disasm = |blob: &str| run(["disasm".into(), pak.clone(), "--blob".into(), PathBuf::from(blob)]);
    assert_eq!(disasm("1.0").stdout, alone);
    assert_eq!(disasm("2").stdout, alone);
    assert_eq!(disasm("1").status, 1);
    assert_eq!(disasm("3").status, 2);
    assert_eq!(run(["disasm".into(), pak]).status, 2);

    // A file in place of the folder.
    let blocked = put(&at, "blocked", b"");
    let r = run(["extract".into(), fixture_path(PIXEL), "--out-dir".into(), blocked]);
    assert_eq!((r.status, r.stdout.as_str()), (2, ""));
}

/// Any damage is a finding: single bytes and words of a shader are changed, and every verb still ends as it should.
#[test]
fn damage_never_ends_a_verb_badly() {
    let (at, out) = (folder(), folder());
    let bytes = fixture(PIXEL);
    let mut count = 0;
    for i in (0..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[i] ^= 0xff;
        put(&at, &format!("{i:05}.dxbc"), &changed);
        count += 1;
    }
    let mut arguments: Vec<PathBuf> = vec!["translate".into(), at.path().into(), "--format=json".into()];
    arguments.extend(["--out-dir".into(), out.path().into()]);
    let r = run(arguments);
    assert!(r.status <= 1);
    let (reports, _) = r.reports();
    // Those whose magic was hit are no shaders any more.
    assert!(reports.len() >= count - 1);
    assert!(reports.iter().all(|l| !codes(l).contains(&"internal-error")));
    for path in std::fs::read_dir(at.path()).unwrap().map(|e| e.unwrap().path()) {
        for verb in ["inspect", "disasm"] {
            assert!(run([verb.into(), path.clone()]).status <= 1);
        }
    }
}
