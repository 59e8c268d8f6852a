//! Children with a time limit, and the program they are.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use shaderport_gl_harness::{
    Backend, Data, FULLSCREEN_VERTEX, GlError, Job, JobError, Phase, Stage, Target, Worker,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_gl-check");

fn worker(backend: Backend, seconds: u64) -> Worker {
    Worker::with_program(PROGRAM, backend, Duration::from_secs(seconds)).unwrap_or_else(|e| panic!("{e}"))
}

/// Counts to 100 in steps of a uniform.
fn counting(step: u32) -> Job {
    let fragment = "#version 300 es
        precision highp float;
        precision highp int;
        uniform uint step;
        layout(location = 0) out uvec4 color;
        void main() { uint n = 0u; while (n < 100u) n += step; color = uvec4(n); }";
    Job::fullscreen(fragment, Target::Rgba32ui, [1, 1]).uniform("step", Data::uints(&[step]))
}

#[test]
fn a_shader_without_end_costs_no_more_than_the_limit() {
    let mut worker = worker(Backend::Angle, 2);
    assert_eq!(worker.draw(&counting(5)).unwrap().pixels[0], [[100; 4]]);
    match worker.draw(&counting(0)) {
        Err(JobError::Rejected(rejection)) => assert_eq!(rejection.phase, Phase::Timeout),
        other => panic!("{other:?}"),
    }
    assert_eq!(worker.draw(&counting(30)).unwrap().pixels[0], [[120; 4]]);
}

#[test]
fn verdicts_and_values_come_through() {
    for backend in [Backend::Angle, Backend::Mesa] {
        let mut worker = worker(backend, 60);
        assert_eq!(worker.draw(&counting(7)).unwrap().pixels[0], [[105; 4]]);
        worker.check_one(Stage::Vertex, FULLSCREEN_VERTEX).unwrap();
        let rejection =
            worker.check_pair(FULLSCREEN_VERTEX, "#version 300 es\nvoid main() { x; }").unwrap_err();
        assert_eq!(rejection.phase, Phase::Fragment);
        assert!(rejection.log.contains('x'), "{rejection}");
    }
}

#[test]
fn workers_find_their_program() {
    Worker::new(Backend::Angle, Duration::from_secs(20)).unwrap_or_else(|e| panic!("{e}"));
    let absent = Worker::with_program("/nonexistent/gl-check", Backend::Angle, Duration::from_secs(20));
    assert!(matches!(absent, Err(GlError::Child(_))));
}

/// A folder with a few shaders and a list of them.
struct Files(PathBuf);

impl Files {
    fn new(name: &str) -> Files {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("good.vert"), FULLSCREEN_VERTEX).unwrap();
        std::fs::write(dir.join("good.frag"), "#version 300 es\nvoid main() {}\n").unwrap();
        std::fs::write(dir.join("bad.frag"), "#version 300 es\nvoid main() { x; }\n// <&\u{e9}>\n").unwrap();
        std::fs::write(
            dir.join("reads.frag"),
            "#version 300 es\nin highp vec4 v; out highp vec4 c; void main() { c = v; }\n",
        )
        .unwrap();
        let list = "# a comment\nvert good.vert\nfrag good.frag\npair good.vert good.frag\n\
                    frag bad.frag\npair good.vert bad.frag\npair good.vert reads.frag\nfrag absent.frag\n";
        std::fs::write(dir.join("list"), list).unwrap();
        Files(dir)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(PROGRAM).args(arguments).current_dir(&self.0).output().unwrap()
    }
}

/// Line and phase of each failure, and the summary.
fn failures(output: &Output) -> (Vec<(u64, String)>, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let failures = lines.iter().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(!value["log"].as_str().unwrap().is_empty());
        (value["line"].as_u64().unwrap(), value["phase"].as_str().unwrap().to_owned())
    });
    (failures.collect(), summary.to_owned())
}

fn expect_the_usual_failures(output: &Output) {
    let (failures, summary) = failures(output);
    let expected = [(5, "fragment"), (6, "fragment"), (7, "link"), (8, "read")];
    assert_eq!(failures, expected.map(|(line, phase)| (line, phase.to_owned())));
    assert_eq!(summary, r#"{"checked":7,"failed":4}"#);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn lists_are_checked_on_both_drivers() {
    let files = Files::new("lists");
    for arguments in [&["--jobs", "1"][..], &["--jobs", "3"], &["--backend", "mesa"]] {
        expect_the_usual_failures(&files.run(&[&["compile", "list"], arguments].concat()));
    }
}

#[test]
fn a_missing_driver_is_not_a_refusal() {
    let files = Files::new("missing");
    let output = Command::new(PROGRAM)
        .args(["compile", "list"])
        .current_dir(&files.0)
        .env("ANGLE_DIR", "/nonexistent")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("tools/get-angle.sh"), "{text}");
}

#[test]
fn jobs_are_read_from_json() {
    let files = Files::new("jobs");
    let jobs = [counting(9), counting(0)].map(|job| serde_json::to_string(&job).unwrap()).join("\n");
    std::fs::write(files.0.join("jobs"), jobs).unwrap();
    let output = files.run(&["draw", "jobs", "--timeout", "2"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines[0]["output"]["pixels"][0][0][0], 108);
    assert_eq!(lines[1]["error"]["rejected"]["phase"], "timeout");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
#[ignore = "needs a Chromium; the browser pass runs apart"]
fn lists_are_checked_in_chromium() {
    let files = Files::new("chromium");
    for arguments in [&[][..], &["--page", "2"]] {
        expect_the_usual_failures(&files.run(&[&["chromium", "list"], arguments].concat()));
    }
}

/// As files of some editors do.
#[test]
fn lists_may_begin_with_a_byte_order_mark() {
    let mut command = Command::new(PROGRAM);
    let mut child =
        command.args(["compile", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("\u{feff}# nothing to check\n".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{\"checked\":0,\"failed\":0}\n");
}
