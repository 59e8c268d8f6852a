//! `shaderport run`: the sample, the forms of its inputs, and what is wrong with them.

mod common;

use common::{fixture_path, root, run, run_with};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;

fn example(name: &str) -> PathBuf {
    root().join("examples").join(name)
}

fn run_json(shader: PathBuf, inputs: &Value) -> Value {
    let arguments = ["run".into(), shader, "--inputs".into(), "-".into(), "--format".into(), "json".into()];
    let r = run_with(arguments, inputs.to_string().as_bytes());
    assert_eq!(r.status, 0, "{}", r.stderr);
    let report = serde_json::from_str(&r.stdout).unwrap();
    check_schema(&report);
    report
}

fn check_schema(report: &Value) {
    let schema = serde_json::from_str(&run(["schema", "run"]).stdout).unwrap();
    common::schema::check(&schema, report).unwrap_or_else(|e| panic!("{e}: {report}"));
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

/// The register that an index comes from, and what it reached.
#[test]
fn traces_show_indices() {
    let shader = fixture_path("cb_dynamic.sm51.vs.dxbc");
    let inputs = r#"{"inputs": {"JNDEX": [2, 0], "INDEX": 7}, "constants": {"arr[5]": [1, 2, 3, 4]}}"#;
    let with = |format: &str| {
        let arguments = ["run", "--trace", "--inputs", "-", "--format", format].map(PathBuf::from);
        let r = run_with(arguments.into_iter().chain([shader.clone()]), inputs.as_bytes());
        assert_eq!(r.status, 0, "{}", r.stderr);
        r.stdout
    };
    let text = with("human");
    let line =
        "r0.x = 5, r0.y = 7, CB0[3][5].xyzw = 1 2 3 4, CB0[3][7].xyzw = 0 0 0 0  ->  r1.xyzw = 1 2 3 4\n";
    assert!(text.contains(line), "{text}");
    let report: Value = serde_json::from_str(&with("json")).unwrap();
    check_schema(&report);
    let steps = report["trace"].as_array().unwrap();
    let add = steps.iter().find(|s| s["writes"][0]["operand"] == "r1.xyzw").unwrap();
    assert_eq!(
        add["indices"][1],
        json!({ "operand": "CB0[3][r0.y + 0].xyzw", "register": "r0.y", "value": 7, "reached": 7 })
    );
    // A texture has no value of its own to show.
    let r = run(["run".into(), fixture_path("sm51_texture_array.ps.dxbc"), "--trace".into()]);
    assert!(r.stdout.contains("pixel 0: r1.x = 2, T0[12].xyzw, r2.xyzw = "), "{}", r.stdout);
}

/// A trace is printed as the shader runs, so that it is there where the run does not end.
#[test]
fn traces_of_endless_programs() {
    let shader = fixture_path("a014_udiv_both.ps.dxbc");
    let with = |format: &str| {
        let arguments = ["run", "--trace", "--limit", "50", "--format", format].map(PathBuf::from);
        let r = run(arguments.into_iter().chain([shader.clone()]));
        assert_eq!(r.status, 1, "{}", r.stderr);
        assert!(r.stderr.contains("error[exec-step-limit]"), "{}", r.stderr);
        assert!(r.stderr.contains("help: `--limit` lets it run for longer"), "{}", r.stderr);
        r.stdout
    };
    let text = with("human");
    assert_eq!(text.lines().filter(|l| l.contains("pixel 3: ")).count(), 50, "{text}");
    let report: Value = serde_json::from_str(&with("json")).unwrap();
    check_schema(&report);
    assert_eq!(report["trace"].as_array().unwrap().len(), 200);
    assert_eq!(report["trace"][0]["text"], "udiv r0.x, r1.x, v0.x, v0.y");
    assert_eq!((&report["invocations"], &report["error"]["code"]), (&json!([]), &json!("exec-step-limit")));
}

/// A reader that goes away ends the run.
#[test]
fn traces_end_with_their_reader() {
    use std::io::Read;
    let shader = fixture_path("a014_udiv_both.ps.dxbc");
    // Without an end but this, it would take hours.
    let limit = u64::MAX.to_string();
    let mut command = common::command(["run", "--trace", "--limit", &limit, "--format", "json"]);
    let mut child = command.arg(shader).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 1000]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
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

/// The sample with other names in its reflection, each no longer than that before.
fn renamed(folder: &Path, names: &[(&str, &str)]) -> PathBuf {
    let mut bytes = std::fs::read(example("lit.ps.dxbc")).unwrap();
    for (old, new) in names {
        let old = [b"\0", old.as_bytes(), b"\0"].concat();
        let at = bytes.windows(old.len()).position(|w| w == old).unwrap() + 1;
        let place = &mut bytes[at..at + old.len() - 1];
        place.fill(0);
        place[..new.len()].copy_from_slice(new.as_bytes());
    }
    let sum = shaderport::dxbc::checksum::of(&bytes);
    bytes[4..20].copy_from_slice(&sum);
    let path = folder.join("renamed.dxbc");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Names come before registers, each among those of its kind.
#[test]
fn names_that_look_like_registers() {
    let folder = tempfile::tempdir().unwrap();
    let shader = renamed(folder.path(), &[("Albedo", "t5"), ("AlbedoSampler", "t5"), ("Tint", "cb1")]);
    let inputs = json!({
        "constants": { "cb1": [2, 1, 1, 1], "LightDirection": [0, 0, 1], "Ambient": [1, 1, 1, 1] },
        "textures": { "t5": { "size": [2, 1], "levels": [[[0.25, 0.5, 1, 1], [0.5, 0.25, 0, 1]]] } },
        "samplers": { "t5": { "address": ["wrap"] } },
        "inputs": { "FOG": 1, "NORMAL": [0, 0, -1] },
        "invocations": [{ "TEXCOORD0": [0.1, 0.5] }, { "TEXCOORD0": [1.1, 0.5] }],
    });
    let report = run_json(shader, &inputs);
    for pixel in report["invocations"].as_array().unwrap() {
        assert_eq!(pixel["outputs"][0]["values"], json!([0.5, 0.5, 1.0, 1.0]));
    }
}

/// A texture of one texel.
fn texel(color: [f32; 4]) -> Value {
    json!({ "size": [1, 1], "levels": [[color]] })
}

#[test]
fn registers_of_other_spaces() {
    let shader = fixture_path("sm51_spaces.ps.dxbc");
    let (a, b) = (texel([1.0, 2.0, 3.0, 4.0]), texel([1.0, 1.0, 1.0, 1.0]));
    let rows = json!([[0.0, 0, 0, 0], [5.0, 5.0, 5.0, 5.0], [10.0, 20.0, 30.0, 40.0]]);
    let by_register = json!({
        "textures": { "t7,space1": a, "t7,space3": b },
        "samplers": { "s5,space1": {}, "s0,space4": {} },
        "constants": { "cb3": [[1.0, 1.0, 1.0, 1.0], [1, 0, 0, 0]], "cb3,space2": rows },
    });
    let by_name = json!({
        "textures": { "A": a, "B": b },
        "samplers": { "S": {}, "S2": {} },
        "constants": { "ka": [1, 1, 1, 1], "u": [1], "kb": rows },
    });
    for inputs in [by_register, by_name] {
        let report = run_json(shader.clone(), &inputs);
        // A times 1, B times the third row, A again, and the second row.
        let expected = json!([17.0, 29.0, 41.0, 53.0]);
        assert_eq!(report["invocations"][0]["outputs"][0]["values"], expected, "{inputs}");
    }
}

#[test]
fn elements_of_arrays() {
    let shader = fixture_path("sm51_texture_array.ps.dxbc");
    for names in [["arr[1]", "arr[3]", "arr[4]"], ["t11,space5", "t13, space5", "t14,space5"]] {
        let mut inputs = json!({ "textures": {}, "constants": { "u": [0, 4] }, "inputs": { "I": 1 } });
        for (name, n) in names.into_iter().zip([1.0, 10.0, 100.0]) {
            inputs["textures"][name] = texel([n; 4]);
        }
        let report = run_json(shader.clone(), &inputs);
        // Elements I, u.y, 4 and I + 2.
        assert_eq!(
            report["invocations"][0]["outputs"][0]["values"][0],
            1.0 + 100.0 + 100.0 + 10.0,
            "{names:?}"
        );
    }
    // Only the sampler that is meant has a border, and every coordinate is outside.
    let border = json!({ "address": ["border"], "border": [7, 7, 7, 7] });
    let with = |name: &str| {
        let inputs = json!({ "samplers": { name: border }, "inputs": { "C": [-1, -1, -1, -1] },
            "constants": { "u": [0, 0, 2] },
            "textures": { "arr[0]": texel([0.0; 4]), "arr[4]": texel([0.0; 4]) } });
        run_json(shader.clone(), &inputs)["invocations"][0]["outputs"][0]["values"][0].as_f64().unwrap()
    };
    let found = ["ss[0]", "ss[1]", "ss[2]", "s9,space5", "S"].map(with);
    assert_eq!(found, [0.0, 7.0, 7.0, 7.0, 7.0]);

    let shader = fixture_path("sm51_cbuffer_array.ps.dxbc");
    let rows = |n: f32| json!([[0.0], [0.0], [0.0], [n, n, n]]);
    for (constants, expected) in [
        (
            json!({ "mats[1].col": [1, 2, 3, 4], "mats[2].rough": 10, "one.col": [5, 5, 5, 5] }),
            [15.0, 25.0, 35.0],
        ),
        (
            json!({ "cb7,space2": [[1.0, 2.0, 3.0, 4.0]], "cb8,space2": [[0], [10.0]], "one.col": [5, 5, 5, 5] }),
            [15.0, 25.0, 35.0],
        ),
        (json!({ "mats[4].pad[1]": [1, 2, 3], "u": [4] }), [1.0, 2.0, 3.0]),
        (json!({ "cb10,space2": rows(6.0), "u": [4] }), [6.0, 6.0, 6.0]),
    ] {
        let inputs = json!({ "constants": constants, "inputs": { "I": 1 } });
        let report = run_json(shader.clone(), &inputs);
        let values = &report["invocations"][0]["outputs"][0]["values"];
        assert_eq!([0, 1, 2].map(|n| values[n].as_f64().unwrap()), expected, "{inputs}: {values}");
    }
}

/// What is wrong with a register says which there are.
#[test]
fn registers_that_are_not_there() {
    for (shader, inputs, messages) in [
        ("sm51_spaces.ps", r#"{"textures": {"t7": {}}}"#, ["`t7`", "it declares `t7,space1`, `t7,space3`"]),
        (
            "sm51_spaces.ps",
            r#"{"samplers": {"s0,space1": {}}}"#,
            ["declare `s0,space1`", "`s5,space1`, `s0,space4`"],
        ),
        (
            "sm51_spaces.ps",
            r#"{"constants": {"cb3,space1": []}}"#,
            ["declare `cb3,space1`", "`cb3`, `cb3,space2`"],
        ),
        ("sm51_spaces.ps", r#"{"textures": {"t7_space1": {}}}"#, ["no resource", "as in `t7,space1`"]),
        (
            "sm51_texture_array.ps",
            r#"{"textures": {"t9,space5": {}}}"#,
            ["declare", "`t10,space5` to `t15,space5`"],
        ),
        ("sm51_texture_array.ps", r#"{"textures": {"arr[6]": {}}}"#, ["no resource", "`name[1]`"]),
        ("sm51_unbounded.ps", r#"{"textures": {"t0": {}}}"#, ["declare", "`t0,space7` and on"]),
        (
            "sm51_cbuffer_array.ps",
            r#"{"constants": {"mats[5].col": [1]}}"#,
            ["no such member", "mats[5].col"],
        ),
        ("sm51_cbuffer_array.ps", r#"{"textures": {"t0": {}}}"#, ["declare", "it declares no `t` register"]),
    ] {
        let arguments =
            ["run".into(), fixture_path(&format!("{shader}.dxbc")), "--inputs".into(), "-".into()];
        let r = run_with(arguments, inputs.as_bytes());
        assert_eq!(r.status, 1, "{inputs}");
        for message in messages {
            assert!(r.stderr.contains(message), "{inputs}: {}", r.stderr);
        }
    }
}

/// A system value is kept, however its name is written.
#[test]
fn names_have_no_case() {
    let inputs = json!({ "invocations": [{ "sv_vertexid": 7 }, { "SV_VertexID0": 8 }, { "v0": [9] }, {}] });
    let report = run_json(fixture_path("a102_vertex_instance_id.vs.dxbc"), &inputs);
    let ids = report["invocations"].as_array().unwrap().iter().map(|i| &i["outputs"][0]["values"][0]);
    // Half of each id, as the fixture has it.
    assert_eq!(ids.collect::<Vec<_>>(), [3.5, 4.0, 4.5, 1.5]);
}

/// What would be taken for something else, or passed over, is refused.
#[test]
fn nothing_is_passed_over() {
    let with = |shader: PathBuf, inputs: &str| {
        let r = run_with(["run".into(), shader, "--inputs".into(), "-".into()], inputs.as_bytes());
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{inputs}");
        assert!(r.stderr.contains("error[run-inputs]"), "{}", r.stderr);
        r.stderr
    };
    for (inputs, message) in [
        ("[]", "expected an object"),
        (r#"{"inputs": []}"#, "expected an object"),
        (r#"{"invocations": [[]]}"#, "expected an object"),
        (r#"{"invocations": []}"#, "no `invocations` in the list"),
        (r#"{"textures": {"t0": []}}"#, "expected an object"),
        (r#"{"samplers": {"s0": []}}"#, "expected an object"),
        (r#"{"samplers": {"s0": {}, "s0": {}}}"#, "`s0` is given twice"),
        (r#"{"samplers": {"s0": {}, "AlbedoSampler": {}}}"#, "bound twice"),
        (r#"{"samplers": {"Albedo": {}}}"#, "no resource"),
        (r#"{"samplers": {"s00": {}}}"#, "no resource"),
        (r#"{"samplers": {"s+0": {}}}"#, "no resource"),
        (r#"{"samplers": {"s0": {"address": ["wrap", "wrap", "wrap", "wrap"]}}}"#, "up to three modes"),
        (r#"{"samplers": {"s0": {"border": [0, 0, 0, 0, 0]}}}"#, "four numbers"),
        (r#"{"samplers": {"s0": {"min_lod": 1e39}}}"#, "no float of 32 bits"),
        (r#"{"samples": 0}"#, "1, 2, 4, 8 or 16 samples, not 0"),
        (r#"{"samples": 3}"#, "1, 2, 4, 8 or 16 samples, not 3"),
        (r#"{"inputs": {"FOG": 1, "FOG": 2}}"#, "`FOG` is given twice"),
        (r#"{"inputs": {"FOG": 1, "FOG0": 2}}"#, "`FOG` and `FOG0` stand for the same"),
        (r#"{"inputs": {"FOG": 1, "fog": 2}}"#, "`FOG` and `fog` stand for the same"),
        (r#"{"inputs": {"TEXCOORD0": [0, 0], "v3": [1, 1]}}"#, "`TEXCOORD0` and `v3` stand for the same"),
        (r#"{"invocations": [{}, {"FOG": 0, "v1": [1, 1, 1, 1]}]}"#, "`FOG` and `v1` stand for the same"),
        (
            r#"{"constants": {"Tint": 1, "cb1": [[], [], [], [], [1]]}}"#,
            "`Tint` and `cb1` stand for the same",
        ),
        (r#"{"inputs": {"FOG": "1.5"}}"#, "no value of 32 bits"),
        (r#"{"inputs": {"FOG": "0x+1"}}"#, "no value of 32 bits"),
        (r#"{"inputs": {"v1": [1, 2, 3, 4, 5]}}"#, "more than four"),
        (r#"{"inputs": {"v9": 1}}"#, "does not declare `v9`"),
        (r#"{"buffers": {"t0": [0]}}"#, "give it in `textures`"),
        (r#"{"textures": {"t0": {"size": [1, 1, 1, 1]}}}"#, "three numbers"),
        (r#"{"textures": {"t0": {"size": [1, 1], "levels": [[0]], "channels": 5}}}"#, "1 to 4 channels"),
        (r#"{"textures": {"t0": {"size": [1, 1], "levels": [[0]], "depth_bits": 32}}}"#, "24 bits"),
        (r#"{"textures": {"t0": {"size": [1, 1], "levels": [[0]], "srgb": true}}}"#, "`srgb` is for `files`"),
    ] {
        let found = with(example("lit.ps.dxbc"), inputs);
        assert!(found.contains(message), "{inputs}: {found}");
    }
    let png =
        format!(r#"{{"textures": {{"t0": {{"size": [1, 4], "files": [{:?}]}}}}}}"#, example("albedo.png"));
    assert!(with(example("lit.ps.dxbc"), &png).contains("and level 0 is 1 by 4"));
    let twice = r#"{"textures": {"t1": {"size": [1, 1], "levels": [[0]]}}, "buffers": {"t1": [0]}}"#;
    assert!(with(fixture_path("a068_integer_textures.ps.dxbc"), twice).contains("give it in `textures`"));
    let integer = r#"{"inputs": {"SV_VertexID": "nan"}}"#;
    assert!(with(fixture_path("a102_vertex_instance_id.vs.dxbc"), integer).contains("should be an integer"));
}

/// Other lanes of one register, other words of one buffer, and what an invocation says instead are no doubles.
#[test]
fn parts_are_given_apart() {
    let inputs = json!({
        "constants": { "arr[2]": [1, 2, 3, 4], "arr[3]": [5], "cb3": [[9.0]] },
        "inputs": { "INDEX": 2, "JNDEX": [-3, 0] },
        "invocations": [{}, { "v1": [3] }],
    });
    let shader = fixture_path("cb_dynamic.sm51.vs.dxbc");
    let r = run_with(
        ["run".into(), shader.clone(), "--inputs".into(), "-".into(), "--trace".into()],
        inputs.to_string().as_bytes(),
    );
    assert_eq!(r.status, 0, "{}", r.stderr);
    for sum in ["vertex 0: r0.x = 0, r0.y = 2, CB0[3][0].xyzw = 9 0 0 0", "vertex 1: r0.x = 0, r0.y = 3"] {
        assert!(r.stdout.contains(sum), "{}", r.stdout);
    }
    let twice = json!({ "constants": { "arr": [1], "arr[0]": [1] } });
    let r = run_with(["run".into(), shader, "--inputs".into(), "-".into()], twice.to_string().as_bytes());
    assert!(r.stderr.contains("`arr` and `arr[0]` stand for the same"), "{}", r.stderr);
}

/// The finding of `translate`, beside the outputs.
#[test]
fn a_wrong_checksum_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(example("lit.vs.dxbc")).unwrap();
    bytes[4] ^= 1;
    let path = folder.path().join("edited.dxbc");
    std::fs::write(&path, &bytes).unwrap();
    let with = |verb: &str, shader: &Path, format: &str| {
        run([Path::new(verb), shader, "--format".as_ref(), format.as_ref()])
    };
    let translated = &with("translate", &path, "json").reports().0[0]["diagnostics"];
    assert_eq!(
        (&translated[0]["code"], &translated[0]["severity"]),
        (&json!("checksum-mismatch"), &json!("warning"))
    );
    for trace in [false, true] {
        let mut arguments = vec!["run".into(), path.clone(), "--format".into(), "json".into()];
        arguments.extend(trace.then(|| "--trace".into()));
        let r = run(arguments);
        assert_eq!(r.status, 0, "{}", r.stderr);
        let report: Value = serde_json::from_str(&r.stdout).unwrap();
        check_schema(&report);
        assert_eq!(report["diagnostics"], *translated);
        assert_eq!(report["invocations"].as_array().unwrap().len(), 1);
    }
    let [wrong, right] = [path, example("lit.vs.dxbc")].map(|shader| with("run", &shader, "human"));
    assert_eq!((wrong.status, &wrong.stdout), (0, &right.stdout));
    let translated = with("translate", &folder.path().join("edited.dxbc"), "human");
    assert_eq!((right.stderr.as_str(), wrong.stderr), ("", translated.stderr));
    let [wrong, right] = [folder.path().join("edited.dxbc"), example("lit.vs.dxbc")]
        .map(|shader| run([Path::new("disasm"), &shader]));
    assert_eq!((wrong.status, &wrong.stdout), (0, &right.stdout));
    assert!(
        right.stderr.is_empty() && wrong.stderr.contains("warning[checksum-mismatch]"),
        "{}",
        wrong.stderr
    );
    // Of a file that is damaged further on, it says why.
    let at = bytes.windows(4).position(|w| w == b"SHEX" || w == b"SHDR").unwrap();
    bytes[at + 12..at + 16].fill(0xff);
    std::fs::write(folder.path().join("edited.dxbc"), bytes).unwrap();
    let r = with("run", &folder.path().join("edited.dxbc"), "human");
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    assert!(r.stderr.contains("warning[checksum-mismatch]") && r.stderr.contains("error["), "{}", r.stderr);
}

/// Every finding says what is wrong, where, and what to do.
#[test]
fn values_that_do_not_fit() {
    let integers = "a102_vertex_instance_id.vs";
    let whole = "an integer is from -2147483648 to 4294967295";
    let spelled = r#"a value is a number, "nan", "inf", "-inf", its bits"#;
    let many = format!(r#"{{"inputs": {{"FOG": {:?}}}}}"#, "x".repeat(1 << 20));
    for (shader, inputs, found) in [
        ("lit.ps", r#"{"inputs": {"FOG": NaN}}"#, ["expected value at line 1 column 20", "run --help"]),
        ("lit.ps", r#"{"inputs": {"FOG": Infinity}}"#, ["expected value at line 1 column 20", "run --help"]),
        ("lit.ps", r#"{"inputs": {"FOG": "Infinity"}}"#, ["in input `FOG`", spelled]),
        ("lit.ps", r#"{"inputs": {"FOG": "+inf"}}"#, ["in `inputs`", spelled]),
        ("lit.ps", r#"{"inputs": {"FOG": "0x1ffffffff"}}"#, ["in input `FOG`", spelled]),
        ("lit.ps", r#"{"inputs": {"FOG": null}}"#, ["`null` is no value", spelled]),
        ("lit.ps", r#"{"inputs": {"NORMAL": [0, [0], 0]}}"#, ["`[0]` is no value", spelled]),
        ("lit.ps", r#"{"inputs": {"NORMAL": {"x": 1}}}"#, ["in input `NORMAL`", spelled]),
        (
            "lit.ps",
            r#"{"inputs": {"FOG": 3.5e38}}"#,
            ["in input `FOG`", "the greatest float is 3.4028235e38"],
        ),
        ("lit.ps", r#"{"inputs": {"FOG": 1e999}}"#, ["number out of range at line 1 column", "run --help"]),
        (
            "lit.ps",
            r#"{"invocations": [{}, {"FOG": "x"}]}"#,
            ["in input `FOG`", "in number 1 of `invocations`"],
        ),
        ("lit.ps", &many, ["`\"xxxxxxxx", "xxx...` is no value of 32 bits"]),
        (integers, r#"{"inputs": {"v1": [5000000000]}}"#, ["in input `v1`", whole]),
        (integers, r#"{"inputs": {"v1": [18446744073709551615]}}"#, ["in input `v1`", whole]),
        (integers, r#"{"inputs": {"v1": 1.5}}"#, ["in input `v1`", "`1.5` should be an integer"]),
        ("lit.ps", r#"{"constants": {"cb0": [[5000000000]]}}"#, ["in row 0 of `cb0`", whole]),
        (
            "lit.ps",
            r#"{"inputs": {"coverage": 1}}"#,
            ["`coverage` is no input of this shader", "its inputs are "],
        ),
        ("lit.vs", r#"{"inputs": {"depth": 1}}"#, ["`depth` is no input of this shader", "its inputs are "]),
        ("lit.vs", r#"{"samples": 4}"#, ["no pixel shader", "run --help"]),
        (integers, r#"{"inputs": {"SV_VertexID": 4294967296}}"#, ["in input `SV_VertexID`", whole]),
        (integers, r#"{"inputs": {"SV_VertexID": -2147483649}}"#, ["in input `SV_VertexID`", whole]),
        (
            integers,
            r#"{"inputs": {"SV_VertexID": 1.5}}"#,
            ["`1.5` should be an integer", "in input `SV_VertexID`"],
        ),
        (
            "lit.ps",
            r#"{"constants": {"Tint": [1, 2, 3, 4, 5]}}"#,
            ["room for 4 numbers here, and these are 5", "`Tint`"],
        ),
        ("lit.ps", r#"{"constants": {"Tint": ["x"]}}"#, ["in constant `Tint`", spelled]),
        (
            "lit.ps",
            r#"{"samplers": {"s0": {"filter": "bilinear"}}}"#,
            ["expected `point` or `linear` at line 1", "run --help"],
        ),
        ("lit.ps", r#"{"samplers": {"s0": {"border": ["x"]}}}"#, ["in `border`", "in sampler `s0`"]),
        (
            "lit.ps",
            r#"{"textures": {"t0": {}}}"#,
            ["in texture `t0`", "give `files`, or `size` and `levels`"],
        ),
        ("lit.ps", r#"{"textures": {"t0": {"size": 4}}}"#, ["expected a sequence at line 1", "run --help"]),
        ("lit.ps", r#"{"textures": {"t0": {"size": [-1, 1]}}}"#, ["expected u32 at line 1", "run --help"]),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"size": [2, 2], "levels": [[0, 0, 0]]}}}"#,
            ["level 0 needs 4 texels, not 3", "in texture `t0`"],
        ),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"size": [4294967295, 4294967295], "levels": [[]]}}}"#,
            ["needs 18446744065119617025 texels", "in texture `t0`"],
        ),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"size": [1, 1], "levels": [[0], [0]]}}}"#,
            ["1 to 1 levels, not 2", "in texture `t0`"],
        ),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"size": [1, 1], "layers": 2, "levels": [[0, 0]]}}}"#,
            ["cannot have 2 layers", "in texture `t0`"],
        ),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"size": [2, 1], "levels": [[0, "x"]]}}}"#,
            ["in texel 1 of level 0", "in texture `t0`"],
        ),
        (
            "lit.ps",
            r#"{"textures": {"t0": {"files": ["a.png"], "levels": [[0]]}}}"#,
            ["both give the texels", "leave out one of them"],
        ),
        (
            "a068_integer_textures.ps",
            r#"{"textures": {"t1": {"size": [1, 1], "levels": [[0.5]]}}}"#,
            ["`0.5` should be an integer", "in texel 0 of level 0"],
        ),
        ("lit.ps", r#"{} {}"#, ["trailing characters at line 1 column 4", "run --help"]),
        ("lit.ps", r#"{"inputs": {}, "inputs": {}}"#, ["duplicate field `inputs` at line 1", "run --help"]),
        (
            "lit.ps",
            &format!(r#"{{"inputs": {{"FOG": {}}}}}"#, "[".repeat(100_000)),
            ["recursion limit exceeded at line 1", "run --help"],
        ),
    ] {
        let path = if shader.starts_with("lit") {
            example(&format!("{shader}.dxbc"))
        } else {
            fixture_path(&format!("{shader}.dxbc"))
        };
        let r = run_with(
            ["run".into(), path, "--inputs".into(), "-".into(), "--trace".into(), "--format=json".into()],
            inputs.as_bytes(),
        );
        let inputs = &inputs[..inputs.len().min(200)];
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{inputs}");
        assert!(r.stderr.contains("error[run-inputs]") && r.stderr.len() < 2000, "{inputs}: {}", r.stderr);
        for text in found {
            assert!(r.stderr.contains(text), "{inputs}: {text}: {}", r.stderr);
        }
    }
}

/// What is unusual, and has a meaning.
#[test]
fn values_at_the_edge() {
    let first = |inputs: Value| {
        let report = run_json(example("lit.vs.dxbc"), &inputs);
        report["invocations"][0]["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .find(|o| o["semantic"] == "NORMAL0")
            .unwrap()["bits"]
            .clone()
    };
    let world = json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let with =
        |normal: Value| first(json!({ "constants": { "World": world }, "inputs": { "NORMAL": normal } }));
    // Lanes that are left out are 0; beyond the least float there is 0.
    assert_eq!(with(json!([true, 1e-60])), json!(["0x3f800000", "0x00000000", "0x00000000"]));
    // Infinity times 0, and times 1.
    assert_eq!(with(json!(["0x40000000", "INF", 0])), json!(["0x7fc00000", "0x7f800000", "0x7fc00000"]));
    assert_eq!(with(json!([])), json!(["0x00000000", "0x00000000", "0x00000000"]));
    // Integers are their bits, with a sign or without; -0 is 0.
    let inputs = json!({ "invocations": [{ "SV_VertexID": -2 }, { "SV_VertexID": 4_294_967_294u32 }, { "SV_VertexID": -0.0 }] });
    let report = run_json(fixture_path("a102_vertex_instance_id.vs.dxbc"), &inputs);
    let ids: Vec<_> =
        report["invocations"].as_array().unwrap().iter().map(|i| &i["outputs"][0]["values"][0]).collect();
    assert_eq!((ids[0], ids[2]), (ids[1], &json!(0.0)));
}

/// Names and sizes that only a shader made for it has.
#[test]
fn no_more_memory_than_direct3d_has() {
    let rows = format!(r#"{{"constants": {{"cb1": [{}[1]]}}}}"#, "[],".repeat(4096));
    let r = run_with(["run".into(), example("lit.ps.dxbc"), "--inputs".into(), "-".into()], rows.as_bytes());
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    assert!(r.stderr.contains("beyond the 4096 rows of a constant buffer"), "{}", r.stderr);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stride.dxbc");
    for (stride, status) in [(2048, 0), (u32::MAX - 3, 1), (0, 1)] {
        let mut shader = shaderport_asm::Shader::pixel();
        shader.structured(0, stride).target(0, "xyzw", shaderport_asm::Type::Float);
        shader.op(shaderport::dxbc::Opcode::Ret, &[]);
        std::fs::write(&path, shader.build()).unwrap();
        let inputs = r#"{"buffers": {"t0": [1]}}"#;
        let r = run_with(["run".into(), path.clone(), "--inputs".into(), "-".into()], inputs.as_bytes());
        assert_eq!(r.status, status, "{stride}: {}", r.stderr);
        let message = format!("structures have {stride} bytes");
        assert_eq!(r.stderr.contains(&message), status == 1, "{}", r.stderr);
    }
}

/// A shader with raw views at `u1` to `u3` that adds 1 to a word of each.
fn raw_views(folder: &Path) -> PathBuf {
    use shaderport::dxbc::Opcode;
    let mut shader = shaderport_asm::Shader::pixel();
    shader.target(0, "xyzw", shaderport_asm::Type::Float);
    for n in 1..4 {
        shader.raw_view(n);
    }
    for (n, at) in [(1, 400u32), (2, 0), (3, 36)] {
        let (view, at, one) = (shaderport_asm::u(n, ""), shaderport_asm::l(at), shaderport_asm::l(1u32));
        shader.op(Opcode::AtomicIadd, &[view, at, one]);
    }
    shader.op(Opcode::Ret, &[]);
    let path = folder.join("views.dxbc");
    std::fs::write(&path, shader.build()).unwrap();
    path
}

/// What a few bytes stand for is counted for all of a file together.
#[test]
fn no_more_memory_than_a_file_is_worth() {
    let folder = tempfile::tempdir().unwrap();
    let shader = raw_views(folder.path());
    let with = |shader: &Path, inputs: Value| {
        let arguments = ["run".into(), shader.to_path_buf(), "--inputs".into(), "-".into()];
        let r = run_with(arguments, inputs.to_string().as_bytes());
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{inputs}");
        r.stderr
    };
    let (half, words) = (1 << 21, "4194304 words at the most, all together");
    let stderr = with(&shader, json!({ "views": { "u1": { "count": half }, "u2": { "count": half + 1 } } }));
    assert!(stderr.contains(words) && stderr.contains("in view `u2`"), "{stderr}");
    let whole = json!({ "u1": { "count": 2 * half }, "u2": { "elements": [1] } });
    let stderr = with(&shader, json!({ "views": whole }));
    assert!(stderr.contains(words) && stderr.contains("in view `u2`"), "{stderr}");
    // Two images that may be read each by itself.
    let path = folder.path().join("large.png");
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), 16384, 4097);
    encoder.set_color(png::ColorType::Grayscale);
    drop(encoder.write_header().unwrap());
    let stderr = with(&example("lit.ps.dxbc"), json!({ "textures": { "t0": { "files": [path] } } }));
    for text in ["67108864 texels at the most, all together", "is 16384 by 4097", "in texture `t0`"] {
        assert!(stderr.contains(text), "{text}: {stderr}");
    }
}

/// People are told how many elements are as before, programs what they are.
#[test]
fn elements_as_before_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let shader = raw_views(folder.path());
    let inputs = json!({ "views": {
        "u1": { "count": 20_000 }, "u2": { "elements": [7, 8, 9] }, "u3": { "count": 19 } } });
    let text = human(&shader, &inputs.to_string(), &[]);
    let from = |n: u32, to: u32| {
        (n..to)
            .map(|n| {
                format!(
                    "  [{}]  0.0   [0x00000000]
",
                    n * 4
                )
            })
            .collect()
    };
    let one = |at: u32| {
        format!(
            "* [{at}]  1   [0x00000001]
"
        )
    };
    let all: String = [
        format!(
            "u1 (raw_buffer)
  100 elements as before
{}",
            one(400)
        ),
        "  19899 elements as before
u2 (raw_buffer)
* [0]  8   [0x00000008]
"
        .into(),
        "  [4]  8   [0x00000008]
  [8]  9   [0x00000009]
u3 (raw_buffer)
"
        .into(),
        "  9 elements as before
"
        .into(),
        one(36),
        "  9 elements as before
"
        .into(),
    ]
    .concat();
    assert!(text.ends_with(&all), "{}", &text[..text.len().min(2000)]);
    let few = json!({ "views": { "u3": { "count": 18 } } });
    let text = human(&shader, &few.to_string(), &[]);
    let shown: String = from(10, 18);
    assert!(
        text.ends_with(&format!(
            "  9 elements as before
{}{shown}",
            one(36)
        )),
        "{text}"
    );
    let report = run_json(shader, &inputs);
    let elements = report["views"][0]["elements"].as_array().unwrap();
    assert_eq!(elements.len(), 20_000);
    let changed: Vec<_> = elements.iter().filter(|e| e["changed"] == true).collect();
    assert_eq!(
        changed,
        [&json!({ "address": [400], "values": [1], "bits": ["0x00000001"], "changed": true })]
    );
}

/// A list among the elements of a structured buffer is a structure, whole and alone; numbers are words.
#[test]
fn structures_are_lists() {
    use shaderport::dxbc::Opcode;
    use shaderport_asm::{Type, l, o, r, t, u};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("structures.dxbc");
    let mut shader = shaderport_asm::Shader::pixel();
    shader.structured(0, 12).structured_view(1, 12).target(0, "xyzw", Type::Uint).temps(1);
    shader
        .op(Opcode::LdStructured, &[r(0, "xyz"), l(1u32), l(0u32), t(0, "xyzx")])
        .op(Opcode::Mov, &[o(0, "xyz"), r(0, "xyzx")])
        .op(Opcode::LdStructured, &[r(0, "x"), l(2u32), l(0u32), t(0, "xxxx")])
        .op(Opcode::Mov, &[o(0, "w"), r(0, "xxxx")])
        .op(Opcode::StoreStructured, &[u(1, "x"), l(9u32), l(0u32), l(1u32)])
        .op(Opcode::Ret, &[]);
    std::fs::write(&path, shader.build()).unwrap();
    for (list, words) in [
        (json!([[1, 2], [3]]), vec![1, 2, 0, 3, 0, 0]),
        (json!([1, 2, 3, 4]), vec![1, 2, 3, 4, 0, 0]),
        (json!([1, [2, 3, 4], 5, 6]), vec![1, 0, 0, 2, 3, 4, 5, 6, 0]),
        (json!([[], [7]]), vec![0, 0, 0, 7, 0, 0]),
        (json!([]), vec![]),
    ] {
        let inputs = json!({ "buffers": { "t0": list }, "views": { "u1": { "elements": list } } });
        let report = run_json(path.clone(), &inputs);
        let elements = report["views"][0]["elements"].as_array().unwrap();
        let hex = |w: &u32| format!("0x{w:08x}");
        let found: Vec<_> = elements.iter().map(|e| e["bits"].clone()).collect();
        let expected: Vec<_> =
            words.chunks(3).map(|s| json!(s.iter().map(hex).collect::<Vec<_>>())).collect();
        assert_eq!(found, expected, "{list}");
        let word = |n: usize| hex(words.get(n).unwrap_or(&0));
        let read = json!([3, 4, 5, 6].map(word));
        assert_eq!(report["invocations"][0]["outputs"][0]["bits"], read, "{list}");
    }
    for inputs in [
        json!({ "buffers": { "t0": [0, [1, 2, 3, 4]] } }),
        json!({ "views": { "u1": { "elements": [0, [1, 2, 3, 4]] } } }),
    ] {
        let arguments = ["run".into(), path.clone(), "--inputs".into(), "-".into()];
        let r = run_with(arguments, inputs.to_string().as_bytes());
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{inputs}");
        for text in ["`[1,2,3,4]` is more than a structure, which has 3 words", "in element 1 of the list"] {
            assert!(r.stderr.contains(text), "{}", r.stderr);
        }
    }
    // Three bytes that stand for a structure of 2048.
    let mut shader = shaderport_asm::Shader::pixel();
    shader.structured(0, 2048).target(0, "xyzw", Type::Float).op(Opcode::Ret, &[]);
    std::fs::write(&path, shader.build()).unwrap();
    let inputs = format!(r#"{{"buffers": {{"t0": [{}[]]}}}}"#, "[],".repeat(1 << 13));
    let r = run_with(["run".into(), path.clone(), "--inputs".into(), "-".into()], inputs.as_bytes());
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    assert!(r.stderr.contains("4194304 words at the most"), "{}", r.stderr);
}

/// A typed buffer whose format has fewer than four lanes: `RWBuffer<uint>`.
#[test]
fn channels_of_typed_views() {
    use shaderport::dxbc::Opcode;
    use shaderport_asm::{ResourceDimension, ReturnType, Type, l, o, r, u};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("typed.dxbc");
    let mut shader = shaderport_asm::Shader::pixel();
    shader.typed_view(1, ResourceDimension::Buffer, ReturnType::Uint).target(0, "xyzw", Type::Uint).temps(1);
    shader
        .op(Opcode::LdUavTyped, &[r(0, "xyzw"), l(1u32), u(1, "xyzw")])
        .op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Opcode::StoreUavTyped, &[u(1, "xyzw"), l(0u32), l(7u32)])
        .op(Opcode::Ret, &[]);
    std::fs::write(&path, shader.build()).unwrap();
    for (channels, output, stored) in [
        (json!(1), json!([5, 0, 0, 1]), json!([7])),
        (json!(3), json!([5, 0, 0, 1]), json!([7, 7, 7])),
        (Value::Null, json!([5, 0, 0, 1]), json!([7, 7, 7, 7])),
    ] {
        let view = json!({ "elements": [4, 5], "channels": channels });
        let report = run_json(path.clone(), &json!({ "views": { "u1": view } }));
        assert_eq!(report["invocations"][0]["outputs"][0]["values"], output, "{channels}");
        assert_eq!(report["views"][0]["elements"][0]["values"], stored, "{channels}");
    }
    for channels in [0, 5] {
        let inputs = json!({ "views": { "u1": { "channels": channels } } }).to_string();
        let r = run_with(["run".into(), path.clone(), "--inputs".into(), "-".into()], inputs.as_bytes());
        assert!(r.status == 1 && r.stderr.contains("a format has 1 to 4 channels"), "{}", r.stderr);
    }
}

/// A register's lanes are of the types that the signature gives them, as by name.
#[test]
fn registers_have_types() {
    use shaderport::dxbc::Opcode;
    use shaderport_asm::{Type, o, v};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("types.dxbc");
    let mut shader = shaderport_asm::Shader::vertex();
    shader.input(0, "xy", "A", Type::Float).input(1, "xyzw", "B", Type::Uint).output(
        0,
        "xyzw",
        "C",
        Type::Uint,
    );
    shader.op(Opcode::Mov, &[o(0, "xy"), v(0, "xyxx")]).op(Opcode::Mov, &[o(0, "zw"), v(1, "xxxy")]);
    shader.op(Opcode::Ret, &[]);
    std::fs::write(&path, shader.build()).unwrap();
    for names in [["A", "B"], ["v0", "v1"]] {
        let inputs = json!({ names[0]: [1, "0x7fc00000"], names[1]: [1, -1] });
        let report = run_json(path.clone(), &json!({ "inputs": inputs }));
        let bits = json!(["0x3f800000", "0x7fc00000", "0x00000001", "0xffffffff"]);
        assert_eq!(report["invocations"][0]["outputs"][0]["bits"], bits);
    }
}

fn png(color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 51, 255]);
        encoder.set_trns(vec![255, 51]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

/// Every form of pixels is read as the same numbers; what is no whole PNG is refused.
#[test]
fn forms_of_pngs() {
    use png::{BitDepth::*, ColorType::*};
    let folder = tempfile::tempdir().unwrap();
    let put = |bytes: &[u8]| std::fs::write(folder.path().join("a.png"), bytes).unwrap();
    let inputs = folder.path().join("inputs.json");
    // The texel at the left and at the right, times white.
    let file = json!({
        "constants": { "Tint": [1, 1, 1, 1], "LightDirection": [0, 0, 1], "Ambient": [1, 1, 1, 1] },
        "textures": { "t0": { "files": ["a.png"] } },
        "inputs": { "FOG": 1, "NORMAL": [0, 0, -1] },
        "invocations": [{ "TEXCOORD0": [0.25, 0.5] }, { "TEXCOORD0": [0.75, 0.5] }],
    });
    std::fs::write(&inputs, file.to_string()).unwrap();
    let with = || {
        run(["run".into(), example("lit.ps.dxbc"), "--inputs".into(), inputs.clone(), "--format=json".into()])
    };
    for (bytes, right) in [
        (png(Rgba, Eight, &[255, 0, 0, 255, 0, 51, 255, 51]), json!([0.0, 0.2, 1.0, 0.2])),
        (
            png(Rgba, Sixteen, &[255, 255, 0, 0, 0, 0, 255, 255, 0, 0, 51, 51, 255, 255, 51, 51]),
            json!([0.0, 0.2, 1.0, 0.2]),
        ),
        (png(Rgb, Eight, &[255, 0, 0, 0, 51, 255]), json!([0.0, 0.2, 1.0, 1.0])),
        (png(Indexed, Eight, &[0, 1]), json!([0.0, 0.2, 1.0, 0.2])),
        (png(Indexed, One, &[0b0100_0000]), json!([0.0, 0.2, 1.0, 0.2])),
        (png(Grayscale, Eight, &[255, 51]), json!([0.2, 0.2, 0.2, 1.0])),
        (png(Grayscale, Two, &[0b1101_0000]), json!([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 1.0])),
        (png(Grayscale, Sixteen, &[255, 255, 51, 51]), json!([0.2, 0.2, 0.2, 1.0])),
        (png(GrayscaleAlpha, Eight, &[255, 255, 51, 102]), json!([0.2, 0.2, 0.2, 0.4])),
    ] {
        put(&bytes);
        let r = with();
        assert_eq!(r.status, 0, "{}", r.stderr);
        let report: Value = serde_json::from_str(&r.stdout).unwrap();
        let found = &report["invocations"][1]["outputs"][0]["values"];
        for lane in 0..4 {
            let [found, right] = [found, &right].map(|v| v[lane].as_f64().unwrap());
            assert!((found - right).abs() < 1e-6, "{right} {found}");
        }
    }
    let whole = png(Rgba, Eight, &[255, 0, 0, 255, 0, 51, 255, 51]);
    let end = whole.len() - 12;
    for bytes in [&b""[..], b"no PNG at all", &whole[..20], &whole[..40], &whole[..end - 6]] {
        put(bytes);
        let r = with();
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{} bytes", bytes.len());
        for text in ["error[run-inputs]", "a.png cannot be read", "in texture `t0`", "`files` are PNG images"]
        {
            assert!(r.stderr.contains(text), "{text}: {}", r.stderr);
        }
    }
    std::fs::remove_file(folder.path().join("a.png")).unwrap();
    assert!(with().stderr.contains("a.png cannot be read"));
    std::fs::create_dir(folder.path().join("a.png")).unwrap();
    assert!(with().stderr.contains("a.png cannot be read"));
}

/// A file of a hundred bytes that asks for more memory than there is.
#[test]
fn pngs_that_are_too_large() {
    let folder = tempfile::tempdir().unwrap();
    for (width, height) in [(200_000, 200_000), (16385, 1), (1, 16385)] {
        let path = folder.path().join("large.png");
        let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Sixteen);
        let mut writer = encoder.write_header().unwrap();
        writer.write_chunk(png::chunk::IDAT, &[0; 8]).unwrap();
        drop(writer);
        let inputs = json!({ "textures": { "t0": { "files": [path] } } }).to_string();
        let arguments = ["run".into(), example("lit.ps.dxbc"), "--inputs".into(), "-".into()];
        let r = run_with(arguments, inputs.as_bytes());
        assert_eq!((r.status, r.stdout.as_str()), (1, ""));
        assert!(r.stderr.contains(&format!("it is {width} by {height}")), "{}", r.stderr);
        assert!(r.stderr.contains("16384 texels"), "{}", r.stderr);
    }
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
    assert!(at("").contains("the inputs are empty"));
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

fn human(shader: &Path, inputs: &str, more: &[&str]) -> String {
    let arguments = ["run".into(), shader.to_path_buf(), "--inputs".into(), "-".into()];
    let more = more.iter().map(PathBuf::from);
    let r = run_with(arguments.into_iter().chain(more), inputs.as_bytes());
    assert_eq!(r.status, 0, "{}", r.stderr);
    r.stdout
}

/// The sample, whose two pixels append and consume; the other two only help.
#[test]
fn views_are_shown() {
    let shader = fixture_path("refused_append_consume.ps.dxbc");
    let inputs = std::fs::read_to_string(example("append.ps.inputs.json")).unwrap();
    let text = human(&shader, &inputs, &[]);
    let views = "u1 AP (structured_buffer, counter 3)
  [0]  0.0 0.0 0.0 0.0   [0x00000000 0x00000000 0x00000000 0x00000000]
* [1]  10.0 20.0 30.0 40.0   [0x41200000 0x41a00000 0x41f00000 0x42200000]
* [2]  50.0 60.0 70.0 80.0   [0x42480000 0x42700000 0x428c0000 0x42a00000]
u2 CO (structured_buffer, counter 0)
";
    assert!(text.contains(views), "{text}");
    let report = run_json(shader.clone(), &serde_json::from_str(&inputs).unwrap());
    let outputs = report["invocations"].as_array().unwrap().iter().map(|i| &i["outputs"][0]["values"]);
    assert_eq!(outputs.collect::<Vec<_>>(), [&json!([2.5, 3.0, 3.5, 4.0]), &json!([0.5, 1.0, 1.5, 2.0])]);
    let appended = json!({ "address": [2], "values": [50.0, 60.0, 70.0, 80.0], "changed": true,
        "bits": ["0x42480000", "0x42700000", "0x428c0000", "0x42a00000"] });
    assert_eq!(report["views"][0]["elements"][2], appended);
    let heads = report["views"].as_array().unwrap().iter().map(|v| {
        json!([v["register"], v["name"], v["kind"], v["counter"], v["elements"].as_array().unwrap().len()])
    });
    let expected =
        [json!(["u1", "AP", "structured_buffer", 3, 3]), json!(["u2", "CO", "structured_buffer", 0, 2])];
    assert_eq!(heads.collect::<Vec<_>>(), expected);
    let trace = human(&shader, &inputs, &["--trace"]);
    for line in [
        "pixel 1: u1.counter = 2  ->  r0.x = 2, u1.counter = 3\n",
        "pixel 3:   ->  r0.x = 0\n",
        "pixel 1: r0.x = 2, l(0) = 0, v0.xyzw = 50 60 70 80  ->  u1[2, 0] = 50 60 70 80\n",
        "pixel 0: r0.x = 1, l(8) = 8, u2[1, 8] = 3.5  ->  r1.z = 3.5\n",
    ] {
        assert!(trace.contains(line), "{line}{trace}");
    }
}

/// Every kind of view, by name and by register, and what a step does to one.
#[test]
fn views_of_every_kind() {
    let shader = fixture_path("refused_atomics.ps.dxbc");
    let inputs = json!({ "constants": { "u": [0, 1] }, "inputs": { "A": [-2.5, -9] }, "views": {
        "R": { "elements": [0, 10, 12], "count": 4 },
        "u5": { "elements": ["0xfffffffb", "0xfffffff6"] },
        "UT": { "size": [2, 2], "elements": [0, 0, 7], "channels": 1 },
    } });
    let report = run_json(shader.clone(), &inputs);
    assert_eq!(report["invocations"][0]["outputs"][0]["values"][0], 39.0);
    let bits = |view: usize| -> Vec<&str> {
        let elements = report["views"][view]["elements"].as_array().unwrap();
        elements.iter().map(|e| e["bits"][0].as_str().unwrap()).collect()
    };
    assert_eq!(bits(0), ["0x00000000", "0x0000000e", "0x00000000", "0x00000000"]);
    assert_eq!(bits(1), ["0xfffffff7", "0xfffffffc"]);
    assert_eq!(bits(2), ["0x00000000", "0x00000000", "0x00000008", "0x00000000"]);
    assert_eq!(report["views"][2]["elements"][2]["address"], json!([0, 1]));
    assert_eq!(report["views"][0]["elements"][2]["address"], json!([8]));
    let arguments = ["run", "--trace", "--inputs", "-", "--format", "json"].map(PathBuf::from);
    let r = run_with(arguments.into_iter().chain([shader]), inputs.to_string().as_bytes());
    let traced: Value = serde_json::from_str(&r.stdout).unwrap();
    check_schema(&traced);
    assert_eq!(traced["views"], report["views"]);
    let view = |text: &str| {
        let step = traced["trace"]
            .as_array()
            .unwrap()
            .iter()
            .find(|s| s["text"].as_str().unwrap().starts_with(text));
        step.unwrap()["view"].clone()
    };
    let expected = json!({ "operand": "u5", "register": "u5", "address": [0, 0], "lanes": "x",
        "read": { "values": [-5], "bits": ["0xfffffffb"] },
        "written": { "values": [-2], "bits": ["0xfffffffe"] } });
    assert_eq!(view("imm_atomic_imax"), expected);
    assert_eq!(view("atomic_iadd u6")["address"], json!([0, 1]));

    let shader = fixture_path("refused_uav_typed.ps.dxbc");
    let inputs = json!({ "constants": { "u": [3, 7, 1] }, "inputs": { "A": [1.5, 0.5, -2.5, 9] }, "views": {
        "U2": { "size": [2, 3] }, "UB": { "count": 5 }, "U1": { "size": [4], "channels": 2 },
        "U3": { "size": [4, 8, 2], "channels": 1 },
    } });
    let report = run_json(shader, &inputs);
    assert_eq!(report["invocations"][0]["outputs"][0]["values"], json!([12.0, 12.0, 12.0, 12.0]));
    let changed = |view: usize| {
        let elements = report["views"][view]["elements"].as_array().unwrap();
        let changed: Vec<_> = elements.iter().filter(|e| e["changed"] == true).collect();
        assert_eq!(changed.len(), 1);
        json!([changed[0]["address"], changed[0]["values"]])
    };
    assert_eq!(
        [0, 1, 2, 3].map(changed),
        [
            json!([[1, 0], [1.5, 0.5, -2.5, 9.0]]),
            json!([[3], [7, 7, 7, 7]]),
            json!([[1], [-2, 9]]),
            json!([[3, 7, 1], [1.5]]),
        ]
    );
    let shader = fixture_path("refused_uav_arrays.ps.dxbc");
    let inputs = json!({ "constants": { "u": [1, 2, 3, 9] }, "views": {
        "A1": { "size": [2], "layers": 3 }, "A2": { "size": [2, 3], "layers": 4 } } });
    let report = run_json(shader, &inputs);
    assert_eq!(report["views"][1]["elements"][1 + 2 * (2 + 3 * 3)]["address"], json!([1, 2, 3]));
    assert_eq!(report["views"][1]["elements"][1 + 2 * (2 + 3 * 3)]["values"][0], 9);
    // Elements of an array in another space, by name and by register.
    let shader = fixture_path("sm51_refused_uav.ps.dxbc");
    for name in ["ua[1]", "u3,space1"] {
        let inputs = json!({ "inputs": { "C": [1.5, 1.5, 3, 4], "I": 1 },
            "views": { name: { "size": [2, 2] } } });
        let report = run_json(shader.clone(), &inputs);
        assert_eq!(report["views"][0]["register"], "u3,space1");
        assert_eq!(report["invocations"][0]["outputs"][0]["values"], json!([1.5, 1.5, 3.0, 4.0]), "{name}");
    }
}

#[test]
fn wrong_views_are_explained() {
    let with = |shader: &str, views: Value| {
        let arguments = ["run".into(), fixture_path(shader), "--inputs".into(), "-".into()];
        let r = run_with(arguments, json!({ "views": views }).to_string().as_bytes());
        assert_eq!(r.status, 1, "{}", r.stdout);
        r.stderr
    };
    let at = |views| with("refused_atomics.ps.dxbc", views);
    assert!(at(json!({ "R": { "elements": [1, 2], "count": 1 } })).contains("2 elements are given"));
    assert!(at(json!({ "R": {}, "u1": {} })).contains("bound twice"));
    assert!(at(json!({ "u2": {} })).contains("does not declare `u2`"));
    assert!(at(json!({ "u2": {} })).contains("it declares `u1`, `u5`, `u6`"));
    assert!(at(json!({ "R": { "size": [1] } })).contains("a raw_buffer has no `size`"));
    assert!(at(json!({ "R": { "counter": 1 } })).contains("a raw_buffer has no `counter`"));
    assert!(at(json!({ "UT": { "count": 1 } })).contains("a texture2d has no `count`"));
    assert!(at(json!({ "UT": { "size": [2, 1], "elements": [1, 2, 3] } })).contains("there are 2 texels"));
    assert!(at(json!({ "UT": { "elements": [1.5] } })).contains("should be an integer"));
    assert!(at(json!({ "UT": { "size": [0, 1] } })).contains("cannot be of size"));
    assert!(at(json!({ "UT": { "size": [9999, 9999] } })).contains("words at the most"));
    assert!(at(json!({ "SI": { "count": 4294967295u32 } })).contains("words at the most"));
    assert!(at(json!({ "R": [1] })).contains("an object"));
    // A `t` register is no view, and a view no `t` register.
    let r = run_with(
        ["run".into(), fixture_path("refused_atomics.ps.dxbc"), "--inputs".into(), "-".into()],
        br#"{"buffers": {"R": [1]}}"#,
    );
    assert!(r.stderr.contains("`R` is no resource of this shader"), "{}", r.stderr);
}

/// Class instances by name, by class and by function table, for interfaces by name and by number.
#[test]
fn interfaces_are_bound() {
    let shader = fixture_path("refused_interfaces.ps.dxbc");
    let shiny = json!({ "class": "Shiny", "buffer": 1, "row": 1 });
    let tabled = json!({ "table": 2, "buffer": 1, "row": 1 });
    let cases = [
        json!({ "which": "plain", "pair": "plain", "pair[1]": "shiny" }),
        json!({ "fp0": "plain", "pair[0]": { "class": "Plain", "buffer": 1 }, "fp2": shiny }),
        json!({ "fp0": { "table": 1, "buffer": 1 }, "fp1": { "table": 3, "buffer": 1 }, "fp2": tabled }),
    ];
    for interfaces in cases {
        let inputs = json!({ "inputs": { "A": [1, 2, 0.5, 4] }, "interfaces": interfaces, "constants": {
            "plain.c": [2, 3, 4, 5], "shiny.c": [0.5, 0.25, 0.125, 1], "shiny.p": 2, "u": [1] } });
        // which.lit(a) + pair[u.x].gloss() + pair[1].lit(a.wzyx), of a * c, p * 2 and pow(a.wzyx, p) + c.
        let expected = json!([2.0 + 4.0 + 16.5, 6.0 + 4.0 + 0.5, 2.0 + 4.0 + 4.125, 20.0 + 4.0 + 2.0]);
        let report = run_json(shader.clone(), &inputs);
        assert_eq!(report["invocations"][0]["outputs"][0]["values"], expected, "{interfaces}");
    }
    let trace = human(&shader, r#"{"constants": {"u": [1]}}"#, &["--trace"]);
    assert!(trace.contains("fcall fp1[r1.x + 0][0]\n         pixel 0: r1.x = 1, fp1[1][0]\n"), "{trace}");
    let with = |interfaces: Value| {
        let arguments = ["run".into(), shader.clone(), "--inputs".into(), "-".into()];
        let r = run_with(arguments, json!({ "interfaces": interfaces }).to_string().as_bytes());
        assert_eq!(r.status, 1, "{}", r.stdout);
        r.stderr
    };
    assert!(with(json!({ "what": "plain" })).contains("`what` is no interface"));
    assert!(with(json!({ "pair[2]": "plain" })).contains("`pair[2]` is no interface"));
    assert!(with(json!({ "fp3": "plain" })).contains("does not declare `fp3`"));
    assert!(with(json!({ "which": "dull" })).contains("its class instances are plain, shiny"));
    assert!(with(json!({ "which": { "class": "Dull" } })).contains("its classes are Shiny, Plain"));
    assert!(with(json!({ "which": {} })).contains("either a `class` or a `table`"));
    assert!(
        with(json!({ "which": { "class": "Plain", "table": 0 } })).contains("either a `class` or a `table`")
    );
    assert!(with(json!({ "which": [0] })).contains("this is no class instance"));
    assert!(with(json!({ "which": "plain", "fp0": "plain" })).contains("bound twice"));
    assert!(with(json!({ "which": { "table": 2 } })).contains("fp0 takes ft0, ft1 and is bound to ft2"));
}
