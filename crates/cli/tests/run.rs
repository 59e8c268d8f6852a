//! `shaderport run`: the sample, the forms of its inputs, and what is wrong with them.

mod common;

use common::{fixture_path, root, run, run_with};
use serde_json::{Value, json};
use std::path::PathBuf;

fn example(name: &str) -> PathBuf {
    root().join("examples").join(name)
}

fn run_json(shader: PathBuf, inputs: &Value) -> Value {
    let arguments = ["run".into(), shader, "--inputs".into(), "-".into(), "--format".into(), "json".into()];
    let r = run_with(arguments, inputs.to_string().as_bytes());
    assert_eq!(r.status, 0, "{}", r.stderr);
    serde_json::from_str(&r.stdout).unwrap()
}

#[test]
fn the_sample_runs() {
    for stage in ["vs", "ps"] {
        let [shader, inputs] = ["dxbc", "inputs.json"].map(|e| example(&format!("lit.{stage}.{e}")));
        let r = run(["run".into(), shader, "--inputs".into(), inputs, "--trace".into()]);
        assert_eq!(r.status, 0, "{}", r.stderr);
        assert!(r.stdout.contains("->"), "{}", r.stdout);
    }
    let [shader, inputs] = ["lit.vs.dxbc", "lit.vs.inputs.json"].map(example);
    let r = run(["run".into(), shader, "--inputs".into(), inputs]);
    let line =
        "  SV_Position0  o0  xyzw  1.5 -2.0 4.9490004 5.0   [0x3fc00000 0xc0000000 0x409e5e36 0x40a00000]";
    assert!(r.stdout.starts_with(&format!("vertex 0\n{line}\n")), "{}", r.stdout);
    assert!(r.stdout.contains("\nvertex 2\n"), "{}", r.stdout);
}

#[test]
fn reports_are_json() {
    let inputs = json!({
        "constants": { "cb1": [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, "0x3f800000"]] },
        "inputs": { "position": [1, 2, 3], "v1": [0.0, "nan", "-inf"] },
    });
    let report = run_json(example("lit.vs.dxbc"), &inputs);
    assert_eq!(report["stage"], "vertex");
    let outputs = report["invocations"][0]["outputs"].as_array().unwrap();
    let output = |name: &str| outputs.iter().find(|o| o["semantic"] == name).unwrap();
    assert_eq!(output("TEXCOORD1")["values"], json!([1.0, 2.0, 3.0]));
    assert_eq!(output("TEXCOORD1")["bits"][0], "0x3f800000");
    assert_eq!(output("NORMAL0")["values"], json!(["NaN", "NaN", "NaN"]));
}

#[test]
fn textures_and_pixels() {
    let inputs = json!({
        "constants": { "Tint": [2, 1, 1, 1], "AlphaCutoff": 0.5, "LightDirection": [0, 0, 1], "Ambient": [1, 1, 1, 1] },
        "textures": { "Albedo": { "size": [2, 1], "levels": [[[0.25, 0.5, 1, 1], [1, 1, 1, 0]]] } },
        "samplers": { "s0": { "filter": "point", "address": ["clamp"] } },
        "inputs": { "FOG": 1, "NORMAL": [0, 0, -1] },
        "invocations": [{ "TEXCOORD0": [0.1, 0.5] }, { "TEXCOORD0": [0.9, 0.5] }],
    });
    let report = run_json(example("lit.ps.dxbc"), &inputs);
    let pixels = report["invocations"].as_array().unwrap();
    assert_eq!(pixels.len(), 2);
    assert_eq!(pixels[0]["outputs"][0]["values"], json!([0.5, 0.5, 1.0, 1.0]));
    assert_eq!((&pixels[0]["discarded"], &pixels[1]["discarded"]), (&Value::Null, &json!(true)));
}

#[test]
fn wrong_inputs_are_explained() {
    let with = |shader: &str, inputs: &str| {
        let r = run_with(["run".into(), example(shader), "--inputs".into(), "-".into()], inputs.as_bytes());
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{inputs}");
        assert!(r.stderr.contains("error[run-inputs]"), "{}", r.stderr);
        r.stderr
    };
    let at = |inputs: &str| with("lit.vs.dxbc", inputs);
    assert!(at(r#"{"inputs": {"COLOR": 1}}"#).contains("its inputs are POSITION0, NORMAL0, TEXCOORD0"));
    assert!(at(r#"{"inputs": {"POSITION": [1, 2, 3, 4]}}"#).contains("3 lanes"));
    assert!(at(r#"{"constants": {"World.x": 1}}"#).contains("no such member"));
    assert!(at(r#"{"constants": {"Wrld": 1}}"#).contains("no constant"));
    // These would reach into what stands behind.
    for world in [
        "[[1], [1], [1], [1], [1]]",
        "[[1, 0, 0, 0, 0]]",
        "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    ] {
        assert!(
            at(&format!(r#"{{"constants": {{"World": {world}}}}}"#)).contains("more than there is room for")
        );
    }
    assert!(at(r#"{"constants": {"cb1": [[1, 0, 0, 0, 0]]}}"#).contains("row 0 of `cb1`"));
    assert!(at(r#"{"constants": {"cb9": [[1]]}}"#).contains("does not declare `cb9`"));
    assert!(
        at(r#"{"textures": {"t9": {"size": [1, 1], "levels": [[0]]}}}"#).contains("does not declare `t9`")
    );
    assert!(at(r#"{"buffers": {"t9": [0]}}"#).contains("does not declare `t9`"));
    assert!(at(r#"{"samplers": {"s9": {}}}"#).contains("does not declare `s9`"));
    assert!(at(r#"{"inputs": {"POSITION": [1e39]}}"#).contains("infinity is"));
    let texture = |inputs: &str| with("lit.ps.dxbc", inputs);
    assert!(texture(r#"{"textures": {"t0": {"size": [0, 1]}}}"#).contains("size"));
    assert!(
        texture(r#"{"textures": {"t0": {"size": [1, 1], "levels": [[[0, 0, 0, 0, 0]]]}}}"#)
            .contains("more than four")
    );
    assert!(at(r#"{"texture": {}}"#).contains("unknown field"));
    assert!(at("").contains("cannot be read"));
    let png = format!(r#"{{"textures": {{"t1": {{"files": [{:?}]}}}}}}"#, example("albedo.png"));
    let r = run_with(
        ["run".into(), fixture_path("a068_integer_textures.ps.dxbc"), "--inputs".into(), "-".into()],
        png.as_bytes(),
    );
    assert_eq!(r.status, 1, "{}", r.stdout);
    assert!(r.stderr.contains("this texture holds integers"), "{}", r.stderr);
    let r = run(["run".into(), fixture_path("stage_basic.gs.dxbc")]);
    assert_eq!(r.status, 1);
    assert!(r.stderr.contains("error[exec-unsupported]"), "{}", r.stderr);
}
