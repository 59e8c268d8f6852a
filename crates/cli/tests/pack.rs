//! `shaderport spirv` and every verb of `shaderport pack`.

mod common;

use common::{Run, files, folder, put, root, run, run_with};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The command with a compiler in reach.
fn run_with_path(arguments: &[&str]) -> Run {
    let output = common::command(arguments).env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A value against the published schema of that name.
fn check_schema(name: &str, value: &Value) {
    let r = run(["schema", name]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    common::schema::check(&serde_json::from_str(&r.stdout).unwrap(), value)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
}

fn parse(r: &Run) -> Value {
    serde_json::from_str(&r.stdout).unwrap_or_else(|e| panic!("{e}: {} {}", r.stdout, r.stderr))
}

/// A new pack in a folder of its own, named `dusk`.
fn new_pack(profile: &str) -> (TempDir, String) {
    let at = folder();
    let dir = at.path().join("dusk").to_str().unwrap().to_owned();
    let r = run(["pack", "new", &dir, "--profile", profile]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    assert_eq!(r.stdout, format!("{} files in {dir}\n", files(Path::new(&dir)).len()));
    (at, dir)
}

/// Changes the descriptor of a pack.
fn edit(dir: &str, pointer: &str, value: Value) {
    let path = Path::new(dir).join("pack.json");
    let mut d: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    *d.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    std::fs::write(path, serde_json::to_string_pretty(&d).unwrap()).unwrap();
}

fn spirv_fixture(name: &str) -> PathBuf {
    root().join("fixtures/spirv/spv").join(name)
}

#[test]
fn modules_are_described() {
    let path = spirv_fixture("layouts.frag.v13.spv");
    let r = run([Path::new("spirv"), &path]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    for line in ["SPIR-V 1.3, ", "capabilities: Shader", "entry point main (Fragment)", "descriptors"] {
        assert!(r.stdout.contains(line), "{line}: {}", r.stdout);
    }
    let mut modules = 0;
    for entry in std::fs::read_dir(root().join("fixtures/spirv/spv")).unwrap() {
        let path = entry.unwrap().path();
        let r = run([Path::new("spirv"), &path, Path::new("--format=json")]);
        let report = parse(&r);
        check_schema("spirv", &report);
        let sound = report["status"] == "sound";
        assert_eq!((r.status, sound), if sound { (0, true) } else { (1, false) }, "{path:?}");
        assert_eq!(report["interface"]["entry_points"][0]["name"], "main");
        modules += 1;
    }
    assert!(modules >= 45, "{modules}");
}

#[test]
fn damaged_modules_end_with_1() {
    let at = folder();
    let whole = std::fs::read(spirv_fixture("uses.frag.v16.spv")).unwrap();
    for (name, bytes, code) in [
        ("empty", &whole[..0], "spirv-not-words"),
        ("short", &whole[..whole.len() - 2], "spirv-not-words"),
        ("cut", &whole[..whole.len() - 8], "spirv-"),
    ] {
        let path = put(&at, name, bytes);
        let r = run([Path::new("spirv"), &path]);
        assert_eq!(r.status, 1, "{name}: {}", r.stdout);
        assert!(r.stderr.contains(code), "{name}: {}", r.stderr);
        let r = run([Path::new("spirv"), &path, Path::new("--format"), Path::new("json")]);
        assert_eq!((r.status, r.stderr.as_str()), (1, ""));
        let report = parse(&r);
        check_schema("spirv", &report);
        assert_eq!(report["status"], "invalid");
    }
    // From standard input, and from nowhere.
    assert_eq!(run_with(["spirv", "-"], &whole).status, 0);
    let r = run(["spirv", "no-such-file.spv"]);
    assert_eq!(r.status, 1);
    assert!(r.stderr.contains("no-such-file.spv"), "{}", r.stderr);
    assert_eq!(run(["spirv"]).status, 2);
}

#[test]
fn new_packs_check_clean() {
    for (profile, presets, shaders) in [("no-op", 1, 0), ("shadows", 1, 11), ("atmospheric", 4, 16)] {
        let (_at, dir) = new_pack(profile);
        for compat in ["contract", "upstream"] {
            let r = run(["pack", "check", &dir, "--compat", compat]);
            assert_eq!((r.status, r.stderr.as_str()), (0, ""), "{profile}");
            let ok = format!(
                "OK: dusk 0.1.0 (API 1, {presets} preset(s)).\nValidated 1 render pack(s) from 'dusk'.\n"
            );
            assert_eq!(r.stdout, ok);
            let r = run(["pack", "check", &dir, "--compat", compat, "--format", "json"]);
            let report = parse(&r);
            check_schema("pack-check", &report);
            assert_eq!(
                (r.status, &report["status"], &report["reason"]),
                (0, &json!("accepted"), &Value::Null)
            );
            assert_eq!((&report["pack"], &report["version"]), (&json!("dusk"), &json!("0.1.0")));
            assert_eq!(report["shaders"].as_array().unwrap().len(), shaders);
        }
        let descriptor = std::fs::read(Path::new(&dir).join("pack.json")).unwrap();
        check_schema("pack", &serde_json::from_slice(&descriptor).unwrap());
    }
}

#[test]
fn new_wants_an_empty_folder_and_a_stable_id() {
    let (at, dir) = new_pack("no-op");
    let r = run(["pack", "new", &dir]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("exists and is not an empty folder"), "{}", r.stderr);
    let other = at.path().join("2nd").to_str().unwrap().to_owned();
    let r = run(["pack", "new", &other]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("no stable id") && r.stderr.contains("--id"), "{}", r.stderr);
    assert!(!Path::new(&other).exists());
    assert_eq!(run(["pack", "new", &other, "--id", "studio.second"]).status, 0);
    assert!(run(["pack", "check", &other]).stdout.starts_with("OK: studio.second 0.1.0 "));
    assert_eq!(run(["pack", "new", &other, "--profile", "none"]).status, 2);
}

#[test]
fn the_first_reason_stands_ahead_of_every_finding() {
    let (_at, dir) = new_pack("shadows");
    edit(&dir, "/displayName", json!(""));
    edit(&dir, "/settings/0/defaultValue", json!("many"));
    edit(&dir, "/passes/1/id", json!("Copy"));
    std::fs::write(Path::new(&dir).join("shaders/copy.frag.spv"), b"abc").unwrap();
    let r = run(["pack", "check", &dir]);
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    let lines: Vec<_> = r.stderr.lines().collect();
    assert_eq!(lines[0], "FAIL: Pack 'dusk' has no display name.");
    let heads: Vec<_> = lines.iter().filter(|l| l.starts_with("error[")).collect();
    assert_eq!(heads.len(), 4, "{}", r.stderr);
    assert!(
        heads[0].starts_with("error[pack-display-name]: ")
            && heads[3].starts_with("error[asset-not-spirv]: ")
    );
    assert!(lines[2].starts_with("  at ") && lines[2].ends_with(" $.displayName"), "{}", lines[2]);

    let r = run(["pack", "check", &dir, "--first"]);
    assert_eq!(
        (r.status, r.stdout.as_str(), r.stderr.as_str()),
        (1, "", "FAIL: Pack 'dusk' has no display name.\n")
    );

    let r = run(["pack", "check", &dir, "--format", "json"]);
    let report = parse(&r);
    check_schema("pack-check", &report);
    assert_eq!((r.status, &report["status"]), (1, &json!("rejected")));
    assert_eq!(report["reason"], "Pack 'dusk' has no display name.");
    assert_eq!(report["findings"].as_array().unwrap().len(), 4);
    let r = run(["pack", "check", &dir, "--format", "json", "--first"]);
    let report = parse(&r);
    check_schema("pack-check", &report);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    assert_eq!(report["findings"][0]["code"], "pack-display-name");
}

/// A shader of upstream's liking that the contract refuses, and one that neither takes.
#[test]
fn compat_chooses_the_rules() {
    let (_at, dir) = new_pack("shadows");
    let shaders = Path::new(&dir).join("shaders");
    // A fragment shader with a capability that packs do not have.
    let path = shaders.join("copy.frag.spv");
    let mut module = std::fs::read(&path).unwrap();
    module.splice(20..20, [0x0002_0011u32, 2].iter().flat_map(|w| w.to_le_bytes()));
    std::fs::write(&path, module).unwrap();
    let r = run(["pack", "check", &dir]);
    assert_eq!(r.status, 1);
    let reason = "FAIL: Pack 'dusk' asset 'shaders/copy.frag.spv' fails render-pack shader ABI v1: the capability Geometry is not available to this shader role.";
    assert_eq!(r.stderr.lines().next(), Some(reason));
    assert!(r.stderr.contains("error[shader-capability]"), "{}", r.stderr);
    assert_eq!(run(["pack", "check", &dir, "--without", "shader-capability"]).status, 0);
    assert_eq!(run(["pack", "check", &dir, "--compat", "upstream"]).status, 0);
    let r = run(["pack", "check", &dir, "--without", "shader-entry"]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("no such hardening rule"), "{}", r.stderr);
    // The wrong stage is wrong for both.
    std::fs::copy(shaders.join("fullscreen.vert.spv"), &path).unwrap();
    for compat in ["contract", "upstream"] {
        let r = run(["pack", "check", &dir, "--compat", compat, "--first"]);
        assert_eq!(r.status, 1);
        assert!(
            r.stderr.contains("the declared fragment asset must expose exactly entry point 'main'"),
            "{}",
            r.stderr
        );
    }
    assert_eq!(run(["pack", "check", &dir, "--compat", "none"]).status, 2);
}

#[test]
fn devices_are_read_from_files() {
    let (at, dir) = new_pack("shadows");
    let device = |name: &str, v: Value| {
        check_schema("device", &v);
        put(&at, name, v.to_string().as_bytes()).to_str().unwrap().to_owned()
    };
    let able = device("able.json", json!({ "videoMemoryBytes": 8_589_934_592u64, "samples": 4 }));
    assert_eq!(run(["pack", "check", &dir, "--device", &able]).status, 0);
    let small =
        device("small.json", json!({ "capabilities": ["FullscreenPasses", "MainWorldColorIntermediate"] }));
    let r = run(["pack", "check", &dir, "--device", &small]);
    assert_eq!(r.status, 1);
    assert!(r.stderr.starts_with("FAIL: Pack 'dusk' requires unsupported capability '"), "{}", r.stderr);
    assert!(r.stderr.contains("error[device-capability]"), "{}", r.stderr);
    for (text, what) in [
        ("{", "small.json"),
        ("{ \"colour\": 1 }", "colour"),
        ("{ \"capabilities\": [\"Flying\"] }", "Flying"),
        ("[]", "small.json"),
    ] {
        put(&at, "small.json", text.as_bytes());
        for verb in ["check", "plan"] {
            let r = run(["pack", verb, &dir, "--device", &small]);
            assert_eq!((r.status, r.stdout.as_str()), (2, ""), "{text}");
            assert!(r.stderr.contains(what), "{text}: {}", r.stderr);
        }
    }
}

#[test]
fn what_is_no_pack_is_told_apart() {
    let at = folder();
    let dir = at.path().to_str().unwrap();
    let r = run(["pack", "check", dir]);
    assert_eq!((r.status, r.stderr.lines().next()), (1, Some("FAIL: The pack descriptor is missing.")));
    let report = parse(&run(["pack", "check", dir, "--format", "json"]));
    check_schema("pack-check", &report);
    assert_eq!((&report["pack"], &report["status"]), (&Value::Null, &json!("rejected")));
    for (bytes, code) in
        [(&b"\xff\xfe"[..], "pack-json"), (b"{ \"id\": }", "pack-json"), (b"[]", "pack-wrong-type")]
    {
        put(&at, "pack.json", bytes);
        let r = run(["pack", "check", dir]);
        assert_eq!((r.status, r.stdout.as_str()), (1, ""), "{code}");
        assert!(r.stderr.starts_with("FAIL: ") && r.stderr.contains(code), "{}", r.stderr);
        for verb in ["resolve", "plan", "build"] {
            assert_eq!(run(["pack", verb, dir]).status, 2, "{verb}");
        }
    }
    assert_eq!(run(["pack", "check", "no-such-folder"]).status, 2);
    assert_eq!(run(["pack", "check"]).status, 2);
    assert_eq!(run(["pack"]).status, 2);
    assert_eq!(run(["pack", "check", "--help"]).status, 0);
}

#[test]
fn one_shader_is_checked_for_one_role() {
    let (_at, dir) = new_pack("shadows");
    let shader = |name: &str| format!("{dir}/shaders/{name}.spv");
    let check = |name: &str, stage: &str, role: &str, rest: &[&str]| {
        let file = shader(name);
        run([&["pack", "check-shader", &file, "--stage", stage, "--role", role], rest].concat())
    };
    let r = check("copy.frag", "fragment", "custom:WorldColor", &[]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    assert_eq!(r.stdout, format!("OK: {} (fragment, CustomFullscreen).\n", shader("copy.frag")));
    assert_eq!(check("copy.frag", "fragment", "custom:+reads", &[]).status, 0);
    assert_eq!(check("terrain_caster.vert", "vertex", "TerrainDirectionalShadowCaster", &[]).status, 0);

    let r = check("copy.frag", "fragment", "custom:FrameTime", &[]);
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    let reason = "set 2 binding 0 is sampled without a declared semantic/resource input";
    assert_eq!(r.stderr.lines().next(), Some(&*format!("FAIL: {reason}")));
    assert!(r.stderr.contains("error[shader-table-undeclared]"), "{}", r.stderr);
    let r = check("copy.frag", "fragment", "custom:FrameTime", &["--first"]);
    assert_eq!((r.status, r.stderr), (1, format!("FAIL: {reason}\n")));
    for rest in [&["--format", "json"][..], &["--format", "json", "--first", "--compat", "upstream"]] {
        let r = check("copy.frag", "fragment", "custom:FrameTime", rest);
        let report = parse(&r);
        check_schema("pack-check-shader", &report);
        assert_eq!((r.status, &report["status"], &report["reason"]), (1, &json!("rejected"), &json!(reason)));
        let report = parse(&check("copy.frag", "fragment", "custom:WorldColor", rest));
        check_schema("pack-check-shader", &report);
        assert_eq!((&report["status"], &report["role"]), (&json!("accepted"), &json!("CustomFullscreen")));
    }
    for role in ["custom:Moon", "Nothing", ""] {
        assert_eq!(check("copy.frag", "fragment", role, &[]).status, 2, "{role}");
    }
    assert_eq!(check("copy.frag", "compute", "SunRays", &[]).status, 2);
    assert_eq!(check("none.frag", "fragment", "SunRays", &[]).status, 1);
}

#[test]
fn packs_are_built_from_their_sources() {
    let (_at, dir) = new_pack("atmospheric");
    let path = Path::new(&dir);
    // Built anew, the pack is as good, and every asset is written.
    let names: Vec<_> = files(&path.join("shaders"));
    names.iter().for_each(|n| std::fs::remove_file(path.join("shaders").join(n)).unwrap());
    std::fs::remove_file(path.join("src/pack_abi.glsl")).unwrap();
    assert_eq!(run(["pack", "check", &dir]).status, 1);
    for extra in [&[][..], &["-g"]] {
        let r = run_with_path(&[&["pack", "build", &dir], extra].concat());
        assert_eq!((r.status, r.stderr.as_str()), (0, ""));
        assert_eq!(r.stdout.lines().count(), names.len());
        assert!(r.stdout.contains("shaders/filmic.frag.spv ("), "{}", r.stdout);
        assert_eq!(files(&path.join("shaders")), names);
        let r = run(["pack", "check", &dir]);
        assert_eq!((r.status, r.stderr.as_str()), (0, ""), "{extra:?}");
    }
    // A source that does not compile fails, and leaves the asset as it was.
    let before = std::fs::read(path.join("shaders/filmic.frag.spv")).unwrap();
    std::fs::write(path.join("src/filmic.frag"), "#version 460\nvoid main() { nothing(); }\n").unwrap();
    let r = run_with_path(&["pack", "build", &dir]);
    assert_eq!(r.status, 1);
    assert!(
        r.stderr.contains("src/filmic.frag does not compile:") && r.stderr.contains("nothing"),
        "{}",
        r.stderr
    );
    assert_eq!(std::fs::read(path.join("shaders/filmic.frag.spv")).unwrap(), before);
    // A source that is not there, and a compiler that is not.
    std::fs::remove_file(path.join("src/filmic.frag")).unwrap();
    let r = run_with_path(&["pack", "build", &dir]);
    assert_eq!((r.status, r.stdout.as_str()), (2, ""));
    assert!(r.stderr.contains("src/ lacks filmic.frag"), "{}", r.stderr);
    let (_at, dir) = new_pack("shadows");
    assert_eq!(run_with_path(&["pack", "build", &dir, "--compiler", "no-such-compiler"]).status, 2);
    let (_at, dir) = new_pack("no-op");
    let r = run_with_path(&["pack", "build", &dir]);
    assert_eq!((r.status, r.stdout.as_str()), (0, "the pack has no shaders\n"));
}

/// A descriptor of somebody else must not make `build` write outside the pack; what it does not compile it names.
#[test]
fn builds_stay_inside_the_pack() {
    let (at, dir) = new_pack("shadows");
    let outside = put(&at, "own.frag", b"#version 460\nvoid main() {}\n");
    edit(&dir, "/passes/1/fragmentShaderAsset", json!("shaders/../../own.frag.spv"));
    edit(&dir, "/passes/1/vertexShaderAsset", json!("other/copy.vert.spv"));
    let r = run_with_path(&["pack", "build", &dir]);
    assert_eq!(r.status, 0);
    for key in ["shaders/../../own.frag.spv", "other/copy.vert.spv"] {
        let line = format!("not compiled, since only shaders/NAME.spv has a source: {key}\n");
        assert!(r.stderr.contains(&line), "{}", r.stderr);
    }
    assert!(!outside.with_extension("frag.spv").exists());
    assert!(r.stdout.contains("shaders/depth.frag.spv ("), "{}", r.stdout);
    #[cfg(unix)]
    {
        let (at, dir) = new_pack("shadows");
        let (shaders, elsewhere) = (Path::new(&dir).join("shaders"), at.path().join("elsewhere"));
        std::fs::rename(&shaders, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &shaders).unwrap();
        let module = elsewhere.join("depth.frag.spv");
        let before = std::fs::read(&module).unwrap();
        let r = run_with_path(&["pack", "build", &dir, "-g"]);
        assert_eq!((r.status, r.stdout.as_str()), (2, ""));
        assert!(r.stderr.contains("lies outside the pack, by a link"), "{}", r.stderr);
        assert_eq!(std::fs::read(&module).unwrap(), before);
    }
}

fn abi(format: &str) -> String {
    let r = run(["pack", "abi", "--format", format]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""), "{format}");
    r.stdout
}

#[test]
fn the_abi_is_printed_in_every_form() {
    assert_eq!(run(["pack", "abi"]).stdout, abi("glsl"));
    assert!(abi("glsl").contains("layout(std140, set = 3, binding = 5) uniform AtmosphericFrame {"));
    assert!(
        abi("csharp").contains(
            "[StructLayout(LayoutKind.Explicit, Size = 336)]\npublic unsafe struct DirectionalShadow"
        )
    );
    let page = std::fs::read_to_string(root().join("docs/render-packs.md")).unwrap();
    assert!(page.ends_with(&abi("markdown")));
    let value: Value = serde_json::from_str(&abi("json")).unwrap();
    check_schema("pack-abi", &value);
    let block = value["blocks"].as_array().unwrap().iter().find(|b| b["name"] == "PackSettings").unwrap();
    assert_eq!(block["slot"], json!({ "binding": { "set": 3, "binding": 8 } }));
    let r = run(["pack", "abi", "--format", "pascal"]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("csharp"), "{}", r.stderr);
}

/// Compiles a printed host header; its assertions run with that.
fn compile(at: &TempDir, program: &str, arguments: &[&str], file: &str, text: &str) -> bool {
    let path = put(at, file, text.as_bytes());
    let output = Command::new(program).args(arguments).arg(path).current_dir(at.path()).output();
    output.unwrap_or_else(|e| panic!("{program}: {e}")).status.success()
}

#[test]
fn host_structures_assert_their_offsets() {
    let at = folder();
    let rustc = ["--edition=2021", "--crate-type=lib", "--emit=metadata", "--out-dir=."];
    let c = ["-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-x", "c"];
    let cases =
        [("rust", "rustc", &rustc[..], "abi.rs", "light_debug"), ("c", "cc", &c, "abi.h", "light_debug")];
    for (format, program, arguments, file, member) in cases {
        // The header is for including, which makes a compiler warn where it is the main file.
        let text = abi(format).replace("#pragma once", "");
        assert!(compile(&at, program, arguments, file, &text), "{format}");
        // A member less, and the assertions fail.
        let line = text.lines().find(|l| l.contains(member) && !l.contains("assert")).unwrap();
        let without = text.replacen(&format!("{line}\n"), "", 1);
        assert!(!compile(&at, program, arguments, file, &without), "{format}: {line}");
        // A member more at the start moves the others.
        let open = text.lines().find(|l| l.contains("struct AtmosphericFrame {")).unwrap();
        let word = if format == "rust" { "    pub more: u32," } else { "    float more;" };
        let moved = text.replacen(open, &format!("{open}\n{word}"), 1);
        assert!(!compile(&at, program, arguments, file, &moved), "{format}");
    }
}

#[test]
fn presets_are_resolved() {
    let (_at, dir) = new_pack("atmospheric");
    let r = run(["pack", "resolve", &dir]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    assert_eq!(r.stdout.lines().next(), Some("dusk, preset low"));
    assert!(r.stdout.contains("  slot A: WorldColor\n"), "{}", r.stdout);
    let json = |rest: &[&str]| {
        let r = run([&["pack", "resolve", &dir, "--format", "json"], rest].concat());
        assert_eq!((r.status, r.stderr.as_str()), (0, ""));
        let report = parse(&r);
        check_schema("pack-resolve", &report);
        report
    };
    let plain = json(&["--preset", "HIGH"]);
    assert_eq!((&plain["pack"], &plain["preset"]), (&json!("dusk"), &json!("high")));
    let of = |report: &Value, id: &str| {
        let s = report["settings"].as_array().unwrap().iter().find(|s| s["id"] == id).unwrap();
        (s["index"].as_u64().unwrap() as usize, s["value"].as_f64().unwrap(), s["source"].clone())
    };
    let (index, value, source) = of(&plain, "exposure");
    assert_eq!((value, source), (1.0, json!("default")));
    let set = json(&["--preset", "high", "--set", "EXPOSURE=1.5"]);
    assert_eq!(of(&set, "exposure"), (index, 1.5, json!("user")));
    // The block's bytes hold it at its index.
    let hex = set["pack_settings"].as_str().unwrap();
    assert_eq!((hex.len(), &hex[8 * index..8 * index + 8]), (512, "0000c03f"));
    let filmic =
        set["passes"].as_array().unwrap().iter().find(|p| p["semantic"] == "FilmicComposite").unwrap();
    assert_eq!(filmic["pack_pass"][0][0], 1.5);
    // Texel steps are of the preset's targets on the device: half of the main world here.
    let step = |report: &Value, semantic: &str, k: usize| {
        let passes = report["passes"].as_array().unwrap();
        let pass = passes.iter().find(|p| p["semantic"] == semantic).unwrap();
        pass["pack_pass"][0][k].as_f64().unwrap() as f32
    };
    let steps = |r: &Value| [step(r, "BloomBlurHorizontal", 0), step(r, "BloomBlurVertical", 1)];
    assert_eq!(steps(&plain), [1.0 / 960.0, 1.0 / 540.0]);
    let at = folder();
    let device = put(&at, "device.json", br#"{ "mainWorldWidth": 2560, "mainWorldHeight": 1440 }"#);
    let large = json(&["--preset", "high", "--device", device.to_str().unwrap()]);
    assert_eq!(steps(&large), [1.0 / 1280.0, 1.0 / 720.0]);
    // A fused preset's passes sample what the fused work needs.
    edit(&dir, "/qualityPresets/0/executionHints", json!(["FusedAtmosphericPostProcess"]));
    let fused = json(&["--preset", "low"]);
    let slots = |semantic: &str| {
        let passes = fused["passes"].as_array().unwrap();
        passes.iter().find(|p| p["semantic"] == semantic).unwrap()["slots"].clone()
    };
    assert_eq!(slots("SunRays"), json!([{ "semantic": "SceneDepth" }]));
    let composite =
        json!([{ "semantic": "WorldColor" }, { "resource": "sun-rays" }, { "resource": "shafts" }]);
    assert_eq!(slots("FilmicComposite"), composite);

    for (argument, reason) in [
        ("moon=1", "FAIL: Render pack 'dusk' has a user override for unknown setting 'moon'.\n"),
        (
            "exposure=bright",
            "FAIL: Render pack 'dusk' user override 'exposure' has invalid Float value 'bright'.\n",
        ),
    ] {
        let r = run(["pack", "resolve", &dir, "--set", argument]);
        assert_eq!((r.status, r.stdout.as_str(), r.stderr.as_str()), (1, "", reason));
    }
    assert_eq!(run(["pack", "resolve", &dir, "--set", "exposure"]).status, 2);
    let r = run(["pack", "resolve", &dir, "--preset", "ultra"]);
    assert_eq!(r.status, 2);
    assert!(r.stderr.contains("there are low, medium, high, "), "{}", r.stderr);
}

#[test]
fn memory_is_planned() {
    let (at, dir) = new_pack("atmospheric");
    let r = run(["pack", "plan", &dir]);
    assert_eq!((r.status, r.stderr.as_str()), (0, ""));
    assert!(r.stdout.starts_with("low: ") && r.stdout.contains("\nhigh: "), "{}", r.stdout);
    let plans = parse(&run(["pack", "plan", &dir, "--format", "json"]));
    check_schema("pack-plan", &plans);
    assert_eq!(plans.as_array().unwrap().len(), 4);
    for p in plans.as_array().unwrap() {
        let images: i64 =
            p["resident"].as_array().unwrap().iter().map(|i| i["bytes"].as_i64().unwrap()).sum();
        assert_eq!(p["resident_bytes"], images);
    }
    let device = put(&at, "small.json", br#"{ "videoMemoryBytes": 134217728, "samples": 4 }"#);
    let device = device.to_str().unwrap();
    let r = run(["pack", "plan", &dir, "--device", device, "--preset", "High"]);
    assert_eq!((r.status, r.stderr.as_str()), (1, ""));
    assert!(r.stdout.starts_with("high: ") && r.stdout.contains("  exceeded: "), "{}", r.stdout);
    let plans = parse(&run(["pack", "plan", &dir, "--device", device, "--format", "json"]));
    check_schema("pack-plan", &plans);
    assert!(plans[2]["exceeded"].as_array().unwrap().len() >= 2, "{plans}");
    assert_eq!(run(["pack", "plan", &dir, "--preset", "none"]).status, 2);
    // Presets times images are more than a descriptor of this size may ask for.
    let path = Path::new(&dir).join("pack.json");
    let mut root: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let preset = root["qualityPresets"][0].clone();
    root["qualityPresets"].as_array_mut().unwrap().extend(vec![preset; 10_000]);
    std::fs::write(&path, root.to_string()).unwrap();
    let r = run(["pack", "plan", &dir]);
    assert_eq!((r.status, r.stdout.as_str()), (2, ""));
    assert!(r.stderr.contains("name one with --preset"), "{}", r.stderr);
    assert_eq!(run(["pack", "plan", &dir, "--preset", "high"]).status, 0);
    assert_eq!(run(["pack", "plan", "no-such-folder"]).status, 2);
}

/// The page of documentation, followed from nothing to a valid pack: what it shows is what there is.
#[test]
fn the_page_can_be_followed() {
    let page = std::fs::read_to_string(root().join("docs/render-packs.md")).unwrap();
    let block = |start: &str| {
        let from = page.find(start).unwrap_or_else(|| panic!("{start}")) + start.len();
        &page[from..from + page[from..].find("```").unwrap()]
    };
    let (_at, dir) = new_pack("shadows");
    let shown = block("$ shaderport pack new dusk --profile shadows\n");
    let (made, checked) = shown.split_once("$ shaderport pack check dusk\n").unwrap();
    assert_eq!(made, format!("{} files in dusk\n", files(Path::new(&dir)).len()));
    assert_eq!(run(["pack", "check", &dir]).stdout, checked);
    // The shader of the page, and what it comes to.
    std::fs::write(Path::new(&dir).join("src/copy.frag"), block("```glsl\n")).unwrap();
    let built = run_with_path(&["pack", "build", &dir]);
    assert_eq!(built.status, 0, "{}", built.stderr);
    let r = run(["pack", "check", &dir]);
    assert_eq!(r.status, 1);
    let places = |text: &str| {
        // The number of an instruction is the compiler's business.
        let end = text.find(", instruction").map(|i| i..i + text[i..].find(" Op").unwrap());
        end.map_or(text.to_owned(), |range| text[..range.start].to_owned() + &text[range.end..])
    };
    assert_eq!(
        places(&r.stderr),
        places(block("## When the check fails\n\n```\n$ shaderport pack check dusk\n"))
    );
    edit(&dir, "/passes/1/semanticInputs", json!(["WorldColor", "Weather"]));
    assert_eq!(run(["pack", "check", &dir]).status, 0);
    check_schema("device", &serde_json::from_str(block("```json\n")).unwrap());
}
