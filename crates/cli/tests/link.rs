//! `shaderport link`: output names, statuses, and pairs that fit.

mod common;

use common::{REFUSED, files, fixture, fixture_path, folder, put, run, run_with};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn link(vertex: &Path, pixel: &Path, rest: &[&str]) -> common::Run {
    let rest = rest.iter().map(PathBuf::from).collect();
    run([vec!["link".into(), vertex.into(), pixel.into()], rest].concat())
}

#[test]
fn a_program_is_three_files() {
    let out = folder();
    let (vertex, pixel) = (fixture_path("pair_mesh.vs.dxbc"), fixture_path("pair_mesh.ps.dxbc"));
    put(&out, "program.json", b"older");
    let r = link(&vertex, &pixel, &["--out-dir", out.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    let [report] = &r.lines()[..] else { panic!("{}", r.stdout) };
    assert_eq!(report["status"], "translated");
    let names = ["program.vert.glsl", "program.frag.glsl", "program.json"];
    assert_eq!(report["outputs"], serde_json::json!(names));
    assert_eq!(files(out.path()), ["program.frag.glsl", "program.json", "program.vert.glsl"]);
    for name in &names[..2] {
        let text = std::fs::read_to_string(out.path().join(name)).unwrap();
        assert!(text.starts_with("#version 300 es"), "{text}");
    }
    let text = std::fs::read_to_string(out.path().join("program.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    let check = |name: &str, value: &Value| {
        let schema = serde_json::from_str(&run(["schema", name]).stdout).unwrap();
        common::schema::check(&schema, value).unwrap();
    };
    check("program", &manifest);
    check("link", report);
}

#[test]
fn pairs_that_fail_end_with_1() {
    let at = folder();
    let vertex = fixture_path("pair_mesh.vs.dxbc");
    let damaged = put(&at, "damaged.dxbc", &fixture("pair_mesh.ps.dxbc")[..99]);
    for (pixel, code) in [
        (fixture_path(REFUSED), "refused-double"),
        (damaged, "container-truncated"),
        (at.path().join("gone"), "input-missing"),
    ] {
        let r = link(&vertex, &pixel, &["--check"]);
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{pixel:?}");
        assert!(r.stderr.contains(&format!("error[{code}]")), "{}", r.stderr);
    }
}

#[test]
fn wrong_usage_ends_with_2() {
    let (vertex, pixel) = (fixture_path("pair_mesh.vs.dxbc"), fixture_path("pair_mesh.ps.dxbc"));
    assert_eq!(link(&vertex, &pixel, &[]).status, 2);
    assert_eq!(link(&vertex, &pixel, &["--out-dir", vertex.to_str().unwrap()]).status, 2);
    assert_eq!(run_with(["link", "-", "-", "--check"], b"").status, 2);
}

/// Under a profile that is built in, one from a file, and one with a rule set; the profile's schema takes its own.
#[test]
fn profiles_change_the_program() {
    let out = folder();
    let (vertex, pixel) =
        (fixture_path("pair_same_layout.vs.dxbc"), fixture_path("pair_same_layout.ps.dxbc"));
    let own = r#"{ "extends": "carbon", "name": "own", "depth_range": "d3d" }"#;
    let own = put(&out, "own.json", own.as_bytes());
    let own = own.to_str().unwrap();
    for (arguments, profile, depth, name) in [
        (&["--profile", "carbon"][..], "carbon", "reversed", "ConstantBuffer"),
        (&["--profile", own], "own", "d3d", "ConstantBuffer"),
        (&["--profile", own, "--depth-range", "gl"], "own", "gl", "ConstantBuffer"),
        (&["--profile", "specs", "--rule", "constant_form=array"], "specs", "gl", "cb"),
    ] {
        let to = out.path().join("program");
        let r = link(&vertex, &pixel, &[&["--out-dir", to.to_str().unwrap()], arguments].concat());
        assert_eq!(r.status, 0, "{}", r.stderr);
        let manifest: Value =
            serde_json::from_str(&std::fs::read_to_string(to.join("program.json")).unwrap()).unwrap();
        assert_eq!(manifest["profile"], profile);
        assert_eq!(manifest["vertex"]["conventions"]["depth_range"], depth);
        let list = if name == "cb" { "uniform_arrays" } else { "uniform_blocks" };
        let key = if name == "cb" { "name" } else { "block" };
        assert!(manifest[list][0][key].as_str().unwrap().starts_with(name), "{manifest}");
        let schema = serde_json::from_str(&run(["schema", "program"]).stdout).unwrap();
        common::schema::check(&schema, &manifest).unwrap();
    }
    let schema: Value = serde_json::from_str(&run(["schema", "profile"]).stdout).unwrap();
    for (text, good) in [
        (std::fs::read_to_string(own).unwrap().as_str(), true),
        (
            r#"{ "extends": "specs", "skinning": { "form": "rows", "joints": 40 }, "unused_outputs": "drop" }"#,
            true,
        ),
        (r#"{ "constant_form": "array", "pixel_slots": [{ "from": 0, "to": 7 }] }"#, true),
        (r#"{ "extends": "nothing" }"#, false),
        (r#"{ "nothing": 1 }"#, false),
        (r#"{ "varyings": "names" }"#, false),
    ] {
        let checked = common::schema::check(&schema, &serde_json::from_str(text).unwrap());
        assert_eq!(checked.is_ok(), good, "{text}: {checked:?}");
    }
    for wrong in [["--profile", "no-such-file"], ["--rule", "nothing=1"], ["--rule", "varyings=names"]] {
        assert_eq!(link(&vertex, &pixel, &[&["--check"], &wrong[..]].concat()).status, 2, "{wrong:?}");
    }
}
