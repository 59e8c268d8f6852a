//! `shaderport translate`: names, order, statuses, and what becomes of files that are not as they should be.

mod common;

use common::{
    PIXEL, REFUSED, VERTEX, all_fixtures, codes, command, files, fixture, fixture_path, folder, put, run,
    run_with, status,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const GLSL: &str = "#version 300 es";

/// `translate INPUT... --out-dir OUT --format json`.
fn to(out: &Path, inputs: &[impl AsRef<Path>]) -> common::Run {
    let mut arguments: Vec<PathBuf> = vec!["translate".into()];
    arguments.extend(inputs.iter().map(|p| p.as_ref().to_path_buf()));
    arguments.extend(["--out-dir".into(), out.into(), "--format".into(), "json".into()]);
    run(arguments)
}

#[test]
fn one_shader_is_printed() {
    for name in [VERTEX, PIXEL] {
        let r = run(["translate".into(), fixture_path(name)]);
        assert_eq!(r.status, 0, "{}", r.stderr);
        assert!(r.stdout.starts_with(GLSL) && r.stdout.ends_with('\n'), "{}", r.stdout);
    }
}

#[test]
fn standard_input_is_an_input() {
    let bytes = fixture(PIXEL);
    let printed = run_with(["translate", "-"], &bytes);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert_eq!(printed.stdout, run(["translate".into(), fixture_path(PIXEL)]).stdout);

    let out = folder();
    let to = out.path().to_str().unwrap();
    let r = run_with(["translate", "-", "--out-dir", to, "--format", "json"], &bytes);
    let (reports, _) = r.reports();
    assert_eq!((r.status, &reports[0]["input"]), (0, &Value::from("-")));
    assert_eq!(files(out.path()), ["stdin.frag.glsl", "stdin.json"]);

    assert_eq!(run_with(["translate", "-", "-", "--check"], &bytes).status, 2);
}

#[test]
fn refused_and_invalid_shaders_end_with_1() {
    let r = run(["translate".into(), fixture_path(REFUSED)]);
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    assert!(r.stderr.contains("error["), "{}", r.stderr);

    let at = folder();
    let damaged = put(&at, "damaged.dxbc", &fixture(PIXEL)[..200]);
    let r = run(["translate".into(), damaged]);
    assert_eq!((r.status, r.stdout.as_str()), (1, ""));
    assert!(r.stderr.contains("error[container-truncated]"), "{}", r.stderr);
}

#[test]
fn wrong_usage_ends_with_2() {
    let (vertex, pixel) = (fixture_path(VERTEX), fixture_path(PIXEL));
    let (vertex, pixel) = (vertex.to_str().unwrap(), pixel.to_str().unwrap());
    for arguments in [
        &["translate"][..],
        &["translate", vertex, pixel],
        &["translate", vertex, "--jobs", "0"],
        &["translate", vertex, "--format", "xml"],
        &["translate", vertex, "--limits", "max_nothing=1"],
        &["translate", vertex, "--nothing"],
        &["translate", vertex, "--out-dir", pixel],
        &["transmute", vertex],
        &[],
    ] {
        let r = run(arguments);
        assert_eq!((r.status, r.stdout.as_str()), (2, ""), "{arguments:?}: {}", r.stderr);
        assert!(!r.stderr.is_empty());
    }
}

#[test]
fn outputs_are_named_after_the_input() {
    let (at, out) = (folder(), folder());
    let vertex = put(&at, "a.b.dxbc", &fixture(VERTEX));
    let pixel = put(&at, "c.cso", &fixture(PIXEL));
    let bare = put(&at, "d", &fixture(PIXEL));
    let r = to(out.path(), &[vertex, pixel, bare]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    let expected = [
        ["a.b.vert.glsl", "a.b.json", "vertex"],
        ["c.frag.glsl", "c.json", "pixel"],
        ["d.frag.glsl", "d.json", "pixel"],
    ];
    let (reports, summary) = r.reports();
    for (report, [text, manifest, stage]) in reports.iter().zip(expected) {
        assert_eq!(report["outputs"], serde_json::json!([text, manifest]));
        assert_eq!(report["stage"], stage);
        assert_eq!(report["model"], "5.0");
        assert!(std::fs::read_to_string(out.path().join(text)).unwrap().starts_with(GLSL));
        let manifest = std::fs::read_to_string(out.path().join(manifest)).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["stage"], stage);
    }
    assert_eq!(files(out.path()).len(), 6);
    assert_eq!((&summary["translated"], &summary["outputs"]), (&Value::from(3), &Value::from(6)));
}

#[test]
fn json_lines_have_their_shape() {
    let (at, out) = (folder(), folder());
    let inputs = [
        fixture_path(VERTEX),
        fixture_path(REFUSED),
        put(&at, "damaged.dxbc", b"DXBC and nothing else"),
        put(&at, "text.txt", b"float4 main() : SV_Target { return 0; }"),
        at.path().join("missing.dxbc"),
        put(&at, "two.bin", &[b"??", &fixture(VERTEX)[..], &fixture(REFUSED)].concat()),
        put(&at, "empty.dxbc", b""),
    ];
    let r = to(out.path(), &inputs);
    assert_eq!(r.status, 1);
    let (reports, summary) = r.reports();
    let names: Vec<_> = reports.iter().map(|l| l["input"].as_str().unwrap().to_string()).collect();
    assert_eq!(names, inputs.iter().map(|p| p.to_str().unwrap()).collect::<Vec<_>>());
    let statuses: Vec<_> = reports.iter().map(status).collect();
    assert_eq!(statuses, ["translated", "refused", "invalid", "invalid", "invalid", "refused", "invalid"]);
    assert_eq!(codes(&reports[2]), ["container-truncated"]);
    assert_eq!(codes(&reports[3]), ["no-shader-found"]);
    assert_eq!(codes(&reports[4]), ["input-missing"]);
    assert_eq!(codes(&reports[6]), ["no-shader-found"]);
    assert_eq!((&reports[1]["stage"], &reports[1]["model"]), (&"pixel".into(), &"5.0".into()));
    assert!(reports[2]["stage"].is_null());
    assert_eq!(summary["inputs"], 7);
    assert_eq!([&summary["translated"], &summary["refused"], &summary["invalid"]], [1, 2, 4]);
    assert_eq!([&summary["shaders"], &summary["skipped"], &summary["outputs"]], [5, 0, 4]);

    // The keys are there, in this order, and `input` nowhere below the top.
    for (line, report) in r.stdout.lines().zip(&reports) {
        let mut rest = line;
        for key in [
            "{\"input\":",
            ",\"status\":",
            ",\"stage\":",
            ",\"model\":",
            ",\"outputs\":[",
            "],\"diagnostics\":[",
        ] {
            let at = rest.find(key).unwrap_or_else(|| panic!("{key} in {line}"));
            rest = &rest[at + key.len()..];
        }
        assert_eq!(line.matches("\"input\":").count(), 1, "{line}");
        for finding in report["diagnostics"].as_array().unwrap() {
            for key in ["code", "severity", "message", "place"] {
                assert!(finding.get(key).is_some(), "{finding}");
            }
        }
    }
}

#[test]
fn a_file_is_searched_for_containers() {
    let (at, out) = (folder(), folder());
    let (vertex, pixel) = (fixture(VERTEX), fixture(PIXEL));
    let pak = put(&at, "game.pak", &[b"PACK!", &vertex[..], b"???", &pixel].concat());
    let r = to(out.path(), &[&pak]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    let (reports, summary) = r.reports();
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(status(report), "translated");
    let shaders = report["shaders"].as_array().unwrap();
    assert_eq!(shaders.len(), 2);
    assert_eq!([&shaders[0]["offset"], &shaders[1]["offset"]], [5, 8 + vertex.len()]);
    assert_eq!([&shaders[0]["stage"], &shaders[1]["stage"]], ["vertex", "pixel"]);
    assert_eq!(shaders[1]["outputs"], serde_json::json!(["game.1.frag.glsl", "game.1.json"]));
    assert_eq!(files(out.path()), ["game.0.json", "game.0.vert.glsl", "game.1.frag.glsl", "game.1.json"]);
    assert_eq!(report["outputs"].as_array().unwrap().len(), 4);
    assert_eq!((&summary["inputs"], &summary["shaders"]), (&1.into(), &2.into()));

    // The shaders are translated as they are alone.
    let alone = run(["translate".into(), fixture_path(PIXEL)]).stdout;
    assert_eq!(std::fs::read_to_string(out.path().join("game.1.frag.glsl")).unwrap(), alone);

    // A number is there even if only one is found, and one alone is printed.
    let one = put(&at, "one.bin", &[b"x", &pixel[..]].concat());
    assert_eq!(to(out.path(), &[&one]).status, 0);
    assert!(out.path().join("one.0.frag.glsl").exists());
    assert_eq!(run(["translate".into(), one]).stdout, alone);
    assert_eq!(run(["translate".into(), pak]).status, 2);
}

#[test]
fn folders_are_walked_in_order_and_keep_their_tree() {
    let (at, out) = (folder(), folder());
    put(&at, "b/z.dxbc", &fixture(VERTEX));
    put(&at, "b/c/z.dxbc", &fixture(PIXEL));
    put(&at, "a.dxbc", &fixture(PIXEL));
    put(&at, "b.txt", b"not a shader");
    put(&at, "empty", b"");
    put(&at, "z.bin", &[b"?", &fixture(PIXEL)[..]].concat());
    let r = to(&out.path().join("deep/er"), &[at.path()]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    let (reports, summary) = r.reports();
    let names: Vec<_> = reports
        .iter()
        .map(|l| Path::new(l["input"].as_str().unwrap()).strip_prefix(at.path()).unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, ["a.dxbc", "b/c/z.dxbc", "b/z.dxbc", "z.bin"]);
    assert_eq!(summary["skipped"], 2);
    let expected = [
        "a.frag.glsl",
        "a.json",
        "b/c/z.frag.glsl",
        "b/c/z.json",
        "b/z.json",
        "b/z.vert.glsl",
        "z.0.frag.glsl",
        "z.0.json",
    ];
    assert_eq!(files(&out.path().join("deep/er")), expected);
    assert_eq!(reports[1]["outputs"][0], "b/c/z.frag.glsl");
}

#[test]
fn colliding_outputs_stop_everything() {
    let (at, out) = (folder(), folder());
    let out = out.path().join("out");
    let a = put(&at, "a/x.dxbc", &fixture(VERTEX));
    let b = put(&at, "b/x.cso", &fixture(VERTEX));
    let numbered = put(&at, "x.0.dxbc", &fixture(PIXEL));
    let searched = put(&at, "x.bin", &[b"?", &fixture(VERTEX)[..]].concat());
    for inputs in [[a.clone(), b.clone()], [a.clone(), a.clone()], [numbered, searched]] {
        let r = to(&out, &inputs);
        assert_eq!((r.status, r.stdout.as_str()), (2, ""), "{inputs:?}");
        assert!(r.stderr.contains("error[output-collision]"), "{}", r.stderr);
        assert!(!out.exists());
    }
    // The same names in folders that are walked are no collision.
    assert_eq!(to(&out, &[at.path().join("a"), put(&at, "c/y.dxbc", &fixture(PIXEL))]).status, 0);
    // What holds no shader has no outputs.
    put(&at, "d/x.dxbc", &fixture(PIXEL));
    put(&at, "d/x.txt", b"text");
    assert_eq!(to(&out, &[at.path().join("d")]).status, 0);
}

#[test]
fn outputs_stay_below_the_output_folder() {
    let at = folder();
    put(&at, "in/x.dxbc", &fixture(PIXEL));
    put(&at, "work/here", b"");
    let mut c = command(["translate", "../in/x.dxbc", "../in/../in", "--out-dir", "out/put", "--check"]);
    assert_eq!(c.current_dir(at.path().join("work")).output().unwrap().status.code(), Some(2));
    for input in ["../in/x.dxbc", "../in", "../in/.", "../in/../in/"] {
        let mut c = command(["translate", input, "--out-dir", "out/put"]);
        let output = c.current_dir(at.path().join("work")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{input}");
        assert_eq!(
            files(at.path()),
            ["in/x.dxbc", "work/here", "work/out/put/x.frag.glsl", "work/out/put/x.json"]
        );
        std::fs::remove_dir_all(at.path().join("work/out")).unwrap();
    }
}

#[test]
fn checking_writes_nothing() {
    let out = folder();
    let wanted = out.path().join("out");
    for format in ["human", "json"] {
        let mut arguments: Vec<PathBuf> = vec!["translate".into(), fixture_path(VERTEX), fixture_path(PIXEL)];
        arguments.extend(["--check", "--format", format].map(PathBuf::from));
        let r = run(&arguments);
        assert_eq!(r.status, 0, "{}", r.stderr);
        assert!(!r.stdout.contains(GLSL));
        arguments.extend(["--out-dir".into(), wanted.clone()]);
        let with_folder = run(&arguments);
        assert_eq!((with_folder.status, with_folder.stdout), (0, r.stdout));
        assert!(!wanted.exists());
    }
}

#[test]
fn text_and_manifest_travel_in_the_report_without_a_folder() {
    let r = run(["translate".into(), fixture_path(PIXEL), "--format".into(), "json".into()]);
    let (reports, _) = r.reports();
    assert!(reports[0]["source"].as_str().unwrap().starts_with(GLSL));
    assert_eq!(reports[0]["manifest"]["stage"], "pixel");
    assert_eq!(reports[0]["outputs"], serde_json::json!([]));
}

#[test]
fn outputs_are_replaced_whole() {
    let (at, out) = (folder(), folder());
    let input = put(&at, "x.dxbc", &fixture(PIXEL));
    put(&out, "x.frag.glsl", &[b'!'; 100_000]);
    assert_eq!(to(out.path(), &[&input]).status, 0);
    let text = std::fs::read_to_string(out.path().join("x.frag.glsl")).unwrap();
    assert_eq!(text, run(["translate".into(), input.clone()]).stdout);
    assert_eq!(files(out.path()), ["x.frag.glsl", "x.json"]);

    // A shader that fails leaves the older outputs alone.
    std::fs::write(&input, &fixture(PIXEL)[..100]).unwrap();
    assert_eq!(to(out.path(), &[input]).status, 1);
    assert_eq!(std::fs::read_to_string(out.path().join("x.frag.glsl")).unwrap(), text);
}

#[test]
fn an_output_that_cannot_be_written_ends_with_2() {
    let (at, out) = (folder(), folder());
    let inputs = [put(&at, "a.dxbc", &fixture(PIXEL)), put(&at, "b.dxbc", &fixture(PIXEL))];
    // A folder is in the way.
    put(&out, "a.frag.glsl/taken", b"");
    let r = to(out.path(), &inputs);
    assert_eq!(r.status, 2, "{}", r.stderr);
    let (reports, _) = r.reports();
    assert!(codes(&reports[0]).contains(&"output-unwritable"));
    assert_eq!(reports[0]["outputs"], serde_json::json!(["a.json"]));
    // The rest was done, and nothing else is left behind.
    assert_eq!(files(out.path()), ["a.frag.glsl/taken", "a.json", "b.frag.glsl", "b.json"]);
}

#[test]
fn a_missing_input_does_not_stop_the_rest() {
    let (at, out) = (folder(), folder());
    let r = to(out.path(), &[at.path().join("gone"), fixture_path(PIXEL)]);
    assert_eq!(r.status, 1);
    let (reports, summary) = r.reports();
    assert_eq!((status(&reports[0]), status(&reports[1])), ("invalid", "translated"));
    assert_eq!(summary["invalid"], 1);
    assert_eq!(files(out.path()).len(), 2);
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let mut runs = Vec::new();
    for jobs in ["1", "2", "7"] {
        let out = folder();
        let mut arguments: Vec<PathBuf> = vec!["translate".into(), common::root().join("fixtures/dxbc")];
        arguments.extend(["--format", "json", "--jobs", jobs, "--out-dir"].map(PathBuf::from));
        arguments.push(out.path().into());
        let r = run(arguments);
        let names = files(out.path());
        let texts: Vec<_> = names.iter().map(|f| std::fs::read(out.path().join(f)).unwrap()).collect();
        runs.push((r.stdout, names, texts));
    }
    assert!(runs.windows(2).all(|w| w[0] == w[1]));
}

/// What the fixtures' names promise.
#[test]
fn fixtures_have_the_status_of_their_names() {
    let r = run([
        "translate".into(),
        common::root().join("fixtures/dxbc"),
        "--check".into(),
        "--format=json".into(),
    ]);
    assert_eq!(r.status, 1);
    let (reports, summary) = r.reports();
    assert_eq!(reports.len(), all_fixtures().len());
    assert_eq!(summary["invalid"], 0);
    for report in &reports {
        let name = Path::new(report["input"].as_str().unwrap()).file_name().unwrap().to_str().unwrap();
        // A message of `printf` changes no value: the rest of that shader can be translated.
        let refused = name.starts_with("refused_");
        if refused || name.starts_with("stage_") {
            assert_eq!(status(report), "refused", "{report}");
        }
        let errors =
            report["diagnostics"].as_array().unwrap().iter().filter(|d| d["severity"] == "error").count();
        assert_eq!(errors > 0, status(report) == "refused", "{report}");
    }
}

#[test]
fn containers_without_a_shader_are_refused_by_their_kind() {
    let at = folder();
    let kinds = [
        (b"DXIL", "refused", "container-dxil"),
        (b"FX10", "refused", "container-effect"),
        (b"LIBF", "refused", "container-library"),
        (b"RTS0", "refused", "container-root-signature"),
        (b"SPDB", "invalid", "container-no-program"),
        (b"SHEX", "invalid", "program-truncated"),
    ];
    let inputs = kinds.map(|(tag, ..)| put(&at, &format!("{tag:?}.dxbc"), &common::container(tag, b"")));
    let r =
        run([vec!["translate".into()], inputs.to_vec(), vec!["--check".into(), "--format=json".into()]]
            .concat());
    assert_eq!(r.status, 1);
    let (reports, _) = r.reports();
    for ((_, expected, code), report) in kinds.iter().zip(&reports) {
        assert_eq!(status(report), *expected, "{report}");
        assert!(codes(report).contains(code), "{report}");
    }
}

#[test]
fn options_reach_the_manifest() {
    let flags =
        ["--format=json", "--flip-y", "--depth-range", "reversed", "--fidelity", "fast"].map(PathBuf::from);
    let r = run([vec!["translate".into(), fixture_path(VERTEX)], flags.to_vec()].concat());
    let (reports, _) = r.reports();
    let manifest = &reports[0]["manifest"];
    assert_eq!(manifest["conventions"]["flip_y"], true);
    assert_eq!(manifest["conventions"]["depth_range"], "reversed");
    assert_eq!(manifest["options"]["fidelity"], "fast");
}

#[test]
fn a_wrong_checksum_is_a_warning_unless_strict() {
    let at = folder();
    let mut bytes = fixture(PIXEL);
    bytes[4] ^= 1;
    let path = put(&at, "x.dxbc", &bytes);
    let r = run(["translate".into(), path.clone()]);
    assert_eq!(r.status, 0);
    assert!(r.stdout.starts_with(GLSL) && r.stderr.contains("warning[checksum-mismatch]"), "{}", r.stderr);
    let r = run(["translate".into(), path, "--strict".into()]);
    assert_eq!(r.status, 1);
    assert!(r.stderr.contains("error[checksum-mismatch]"), "{}", r.stderr);
}

#[test]
fn colours_follow_the_environment() {
    let coloured = |name: &str, value: &str| {
        let output = command(["translate", "gone"]).env(name, value).output().unwrap();
        output.stderr.contains(&0x1b)
    };
    assert!(coloured("CLICOLOR_FORCE", "1"));
    assert!(!coloured("NO_COLOR", "1"));
    assert!(!coloured("UNRELATED", "1"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut arguments: Vec<PathBuf> = vec!["translate".into(), common::root().join("fixtures/dxbc")];
    arguments.extend(["--check", "--format", "json"].map(PathBuf::from));
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(1), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_ends_with_2() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(["translate".into(), fixture_path(PIXEL)]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("error[output-unwritable]"));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_astray() {
    use std::os::unix::fs::symlink;
    let (at, out) = (folder(), folder());
    let real = put(&at, "a/x.dxbc", &fixture(PIXEL));
    let path = |name: &str| at.path().join(name);
    // A link to a file is the file. Links to folders, to nothing and to themselves are passed over.
    symlink(&real, path("a/y.dxbc")).unwrap();
    symlink(at.path(), path("a/up")).unwrap();
    symlink("loop", path("a/loop")).unwrap();
    symlink("nothing", path("a/dangling")).unwrap();
    for i in 0..12 {
        std::fs::create_dir(path(&format!("d{i}"))).unwrap();
        for j in 0..12 {
            symlink(format!("../d{j}"), path(&format!("d{i}/to{j}"))).unwrap();
        }
    }
    let r = to(out.path(), &[at.path()]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    assert_eq!(files(out.path()), ["a/x.frag.glsl", "a/x.json", "a/y.frag.glsl", "a/y.json"]);
    // A link that is named leads to its folder; one that leads nowhere is missing.
    symlink("a", path("link")).unwrap();
    let (reports, _) = to(&out.path().join("2"), &[path("link"), path("a/dangling")]).reports();
    assert_eq!(reports.iter().map(status).collect::<Vec<_>>(), ["translated", "translated", "invalid"]);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let (at, out) = (folder(), folder());
    let name = OsStr::from_bytes(b"caf\xe9.dxbc");
    std::fs::write(at.path().join(name), fixture(PIXEL)).unwrap();
    let r = to(out.path(), &[at.path()]);
    assert_eq!(r.status, 0, "{}", r.stderr);
    let (reports, _) = r.reports();
    assert_eq!(reports[0]["outputs"][0], "caf\u{fffd}.frag.glsl");
    assert!(out.path().join(OsStr::from_bytes(b"caf\xe9.frag.glsl")).exists());
}

#[cfg(unix)]
#[test]
fn an_unreadable_input_is_invalid() {
    use std::os::unix::fs::PermissionsExt;
    let (at, out) = (folder(), folder());
    let locked = put(&at, "locked/x.dxbc", &fixture(PIXEL));
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is unreadable to the superuser.
    if std::fs::read(&locked).is_ok() {
        return;
    }
    put(&at, "open.dxbc", &fixture(PIXEL));
    let r = to(out.path(), &[at.path()]);
    let (reports, _) = r.reports();
    assert_eq!((r.status, status(&reports[0]), status(&reports[1])), (1, "invalid", "translated"));
    assert_eq!(codes(&reports[0]), ["input-unreadable"]);
}
