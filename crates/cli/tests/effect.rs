//! `shaderport effect`: what is listed, extracted and built.

mod common;
#[path = "../../effect/tests/common/mod.rs"]
mod effects;

use common::{files, folder, put, run};
use effects::{OldWriter, pairs, some_effect};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with an effect of that version.
fn with_effect(version: u32) -> (TempDir, String) {
    let at = folder();
    let bytes = OldWriter::write(&some_effect(5, &[2, 3], &pairs()[..3]), version);
    let path = put(&at, "quad.sm_hi", &bytes);
    let path = path.to_str().unwrap().to_owned();
    (at, path)
}

fn check_schema(name: &str, value: &Value) {
    let schema = serde_json::from_str(&run(["schema", name]).stdout).unwrap();
    common::schema::check(&schema, value).unwrap();
}

#[test]
fn effects_are_listed() {
    for version in [8, 13, 15] {
        let (_at, path) = with_effect(version);
        let r = run(["effect", "list", &path]);
        assert_eq!((r.status, r.stderr.as_str()), (0, ""));
        for text in
            [&format!("version {version}"), "6 permutations", "axis AXIS_1", "technique Main", "pixel stage"]
        {
            assert!(r.stdout.contains(text), "{text}: {}", r.stdout);
        }
        let r = run(["effect", "list", &path, "--format", "json"]);
        let json: Value = serde_json::from_str(&r.stdout).unwrap();
        assert_eq!(json["source"]["version"], version);
        assert_eq!(json["permutations"].as_array().unwrap().len(), 6);
        check_schema("effect", &json);
    }
}

#[test]
fn programs_are_extracted_once() {
    let (at, path) = with_effect(9);
    let out = at.path().join("out");
    let r = run(["effect", "extract", &path, "--out-dir", out.to_str().unwrap()]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    let names = files(&out);
    assert_eq!(names.len(), r.stdout.lines().count());
    assert!(names.iter().any(|n| n.ends_with(".vs.dxbc")) && names.iter().any(|n| n.ends_with(".ps.dxbc")));
    let mut all: Vec<_> = names.iter().map(|n| std::fs::read(out.join(n)).unwrap()).collect();
    assert!(all.iter().all(|b| b.starts_with(b"DXBC")));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), names.len());
    // Only a list without a folder.
    let again = run(["effect", "extract", &path]);
    assert_eq!(again.stdout, r.stdout);
}

#[test]
fn packages_are_built() {
    let (at, path) = with_effect(8);
    for form in ["folder", "container"] {
        let out = at.path().join(form);
        let dir = out.to_str().unwrap();
        let r = run(["effect", "build", &path, "--out-dir", dir, "--form", form, "--format", "json"]);
        assert_eq!((r.status, r.stderr.as_str()), (0, ""), "{}", r.stdout);
        let [report] = &r.lines()[..] else { panic!("{}", r.stdout) };
        assert_eq!(report["status"], "translated");
        assert_eq!(report["completeness"]["package_valid"], true);
        check_schema("effect-build", report);
        let mut outputs: Vec<_> =
            report["outputs"].as_array().unwrap().iter().map(|o| o.as_str().unwrap().to_owned()).collect();
        outputs.sort();
        assert_eq!(outputs, files(&out));
        let json = std::fs::read(out.join("quad.json")).unwrap();
        check_schema("package", &serde_json::from_slice(&json).unwrap());
        assert_eq!(outputs.contains(&"quad.carbonwebgl".to_owned()), form == "container");
    }
    // The container is one itself, and its programs are text.
    let made = at.path().join("container/quad.carbonwebgl");
    let r = run(["effect", "extract", made.to_str().unwrap()]);
    assert!(
        r.stdout.contains(".vert.glsl\tvertex") && r.stdout.contains(".frag.glsl\tpixel"),
        "{}",
        r.stdout
    );
    let r = run(["effect", "build", &path, "--check"]);
    assert_eq!(r.status, 0);
    assert!(r.stdout.contains("package valid: yes; sources complete: yes"), "{}", r.stdout);
}

/// Profile and rules reach every program, and bitangents come from the effect's own stage inputs.
#[test]
fn profiles_reach_the_package() {
    let skinned: Vec<_> =
        pairs().into_iter().filter(|(v, _)| v.windows(8).any(|w| w == b"BINORMAL")).collect();
    let mut effect = some_effect(5, &[2], &skinned[..1]);
    let passes = effect.bodies.iter_mut().flat_map(|b| &mut b.techniques).flat_map(|t| &mut t.passes);
    for stage in passes.flat_map(|p| &mut p.stages) {
        stage.inputs.clear();
        // BITANGENT, for any register.
        let input = |register| effects::input(4, register);
        stage.inputs.extend((0..16).map(input));
    }
    let at = folder();
    let path = put(&at, "skin.sm_hi", &OldWriter::write(&effect, 15));
    let path = path.to_str().unwrap();
    for form in ["folder", "container"] {
        let build = |name: &str, rest: &[&str]| {
            let out = at.path().join(format!("{form}-{name}"));
            let dir = out.to_str().unwrap();
            let r = run([&["effect", "build", path, "--out-dir", dir, "--form", form], rest].concat());
            assert_eq!(r.status, 0, "{}", r.stderr);
            let read = |path: &str| -> Value {
                serde_json::from_slice(&std::fs::read(out.join(path)).unwrap()).unwrap()
            };
            let program = read("skin.json")["programs"][0].clone();
            let manifest = match program["files"]["manifest"].as_str() {
                Some(path) => read(path),
                None => program["manifest"].clone(),
            };
            let attributes = manifest["vertex"]["attributes"].as_array().unwrap().clone();
            let names: Vec<_> = attributes.iter().map(|a| a["name"].as_str().unwrap().to_owned()).collect();
            (
                manifest,
                names.contains(&"in_BITANGENT0".to_owned()),
                names.contains(&"in_BINORMAL0".to_owned()),
            )
        };
        let (manifest, bitangent, binormal) = build("plain", &[]);
        assert_eq!((manifest["profile"].as_str(), bitangent, binormal), (None, false, true));
        let (manifest, bitangent, binormal) = build("carbon", &["--profile", "carbon"]);
        assert_eq!((manifest["profile"].as_str(), bitangent, binormal), (Some("carbon"), true, false));
        assert_eq!(manifest["vertex"]["conventions"]["depth_range"], "reversed");
        let rules = ["--rule", "bitangents=true", "--rule", "constant_form=array"];
        let (manifest, bitangent, _) = build("rules", &rules);
        assert!(bitangent && manifest["uniform_arrays"][0]["name"].is_string(), "{manifest}");
        // What is given goes before the profile.
        let (manifest, ..) = build("given", &["--profile", "carbon", "--depth-range", "d3d"]);
        assert_eq!(manifest["vertex"]["conventions"]["depth_range"], "d3d");
        let file = put(&at, "mine.json", br#"{"extends":"carbon","bitangents":false,"name":"mine"}"#);
        let (manifest, bitangent, _) = build("file", &["--profile", file.to_str().unwrap()]);
        assert_eq!((manifest["profile"].as_str(), bitangent), (Some("mine"), false));
    }
    let check = |rest: &[&str]| run([&["effect", "build", path, "--check"], rest].concat()).status;
    assert_eq!((check(&["--profile", "none"]), check(&["--rule", "varyings=name"])), (2, 2));
    // The effect says what its inputs are.
    assert_eq!(check(&["--profile", "carbon", "--bitangent", "1"]), 2);
}

#[test]
fn damage_ends_with_1_and_wrong_usage_with_2() {
    let (at, path) = with_effect(15);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 1);
    let damaged = put(&at, "damaged.sm_hi", &bytes);
    let damaged = damaged.to_str().unwrap();
    for verb in ["list", "extract"] {
        let r = run(["effect", verb, damaged]);
        assert_eq!((r.status, r.stdout.as_str()), (1, ""));
        assert!(r.stderr.contains("error[effect-rows]"), "{}", r.stderr);
    }
    let r = run(["effect", "build", damaged, "--check", "--format", "json"]);
    assert_eq!((r.status, &r.lines()[0]["status"]), (1, &Value::from("invalid")));
    check_schema("effect-build", &r.lines()[0]);
    assert_eq!(run(["effect", "build", &path]).status, 2);
    assert_eq!(run(["effect"]).status, 2);
    assert_eq!(run(["effect", "list", "--check", &path]).status, 2);
}

/// The table that is printed is one that can be given, and the budget reaches the package.
#[test]
fn budgets_are_given_as_data() {
    let (at, path) = with_effect(15);
    let r = run(["effect", "table"]);
    assert_eq!(r.status, 0);
    check_schema("effect-table", &serde_json::from_str(&r.stdout).unwrap());
    let table = put(&at, "table.json", r.stdout.as_bytes());
    let table = table.to_str().unwrap();
    let build = |rest: &[&str]| run([&["effect", "build", &path, "--check"], rest].concat());
    assert_eq!(build(&["--table", table, "--lights", "stub", "--texture-units", "any"]).status, 0);
    // A budget that cannot be kept is a gap.
    let r = build(&["--texture-units", "0"]);
    assert!(r.stdout.contains("gap: a pixel stage uses"), "{}", r.stdout);
    let wrong = put(&at, "wrong.json", b"{}");
    assert_eq!(build(&["--table", wrong.to_str().unwrap()]).status, 2);
    assert_eq!(build(&["--texture-units", "many"]).status, 2);
}
