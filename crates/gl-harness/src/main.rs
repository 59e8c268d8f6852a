//! `gl-check`: compiles, links and runs shaders from the command line. See [`USAGE`].
#![forbid(unsafe_code)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use shaderport_gl_harness::{Backend, Job, Worker, chromium, list, serve};

/// What the program takes.
const USAGE: &str = "\
gl-check compile LIST [--backend angle|mesa] [--jobs N] [--timeout SECONDS]
    compiles and links shaders in child processes
gl-check chromium LIST [--use-angle NAME] [--page N]
    does so in a headless browser, $CHROME or chromium
gl-check draw JOBS [--backend angle|mesa] [--timeout SECONDS]
    runs jobs in a child process

LIST has lines `vert PATH`, `frag PATH` or `pair VERTEX FRAGMENT`; JOBS has one job a line, in JSON. `-` is standard
input. Each failure, or each job, is answered with a line of JSON, and a check ends with a summary. The exit status
is 0 when nothing failed, 1 when something did, 2 when the work could not be done.
";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(text) => {
            eprintln!("gl-check: {text}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing failed.
fn run(mut arguments: Vec<String>) -> Result<bool, String> {
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        print!("{USAGE}");
        return Ok(true);
    }
    let mut option = |name: &str| -> Result<Option<String>, String> {
        let Some(at) = arguments.iter().position(|a| a == name) else { return Ok(None) };
        if at + 1 == arguments.len() {
            return Err(format!("{name} needs a value"));
        }
        Ok(arguments.drain(at..at + 2).next_back())
    };
    let backend = option("--backend")?.map_or(Ok(Backend::Angle), |name| name.parse())?;
    let jobs = number(option("--jobs")?)?;
    let limit = Duration::from_secs(number(option("--timeout")?)?.unwrap_or(30));
    let defaults = chromium::Options::default();
    let browser = chromium::Options {
        angle: option("--use-angle")?.unwrap_or(defaults.angle),
        page: number(option("--page")?)?.map_or(defaults.page, |n| n as usize),
        ..defaults
    };

    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["compile", path] => {
            let items = list::parse(&read(path)?)?;
            let jobs = jobs.map_or_else(cores, |n| n as usize);
            let program = std::env::current_exe().map_err(|e| e.to_string())?;
            let options = list::Options { backend, jobs, limit };
            summary(items.len(), list::check(&program, &items, &options).map_err(|e| e.to_string())?)
        }
        ["chromium", path] => {
            let items = list::parse(&read(path)?)?;
            summary(items.len(), chromium::check(&items, &browser)?)
        }
        ["draw", path] => draw(&read(path)?, backend, limit),
        ["serve"] => serve(backend, limit).map(|()| true),
        _ => Err(format!("what to do is not clear\n\n{USAGE}")),
    }
}

fn number(text: Option<String>) -> Result<Option<u64>, String> {
    text.map(|text| text.parse().map_err(|_| format!("`{text}` is not a number"))).transpose()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn read(path: &str) -> Result<String, String> {
    let mut text = String::new();
    match path {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| text),
        path => std::fs::read_to_string(Path::new(path)),
    }
    .map_err(|e| format!("{path}: {e}"))
    // Some editors begin a file with a byte order mark.
    .map(|text| text.trim_start_matches('\u{feff}').to_owned())
}

fn print(value: &impl Serialize) -> Result<(), String> {
    println!("{}", serde_json::to_string(value).map_err(|e| e.to_string())?);
    Ok(())
}

fn summary(checked: usize, failures: Vec<list::Failure>) -> Result<bool, String> {
    failures.iter().try_for_each(print)?;
    print(&json!({ "checked": checked, "failed": failures.len() }))?;
    Ok(failures.is_empty())
}

fn draw(jobs: &str, backend: Backend, limit: Duration) -> Result<bool, String> {
    let program: PathBuf = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut worker = Worker::with_program(program, backend, limit).map_err(|e| e.to_string())?;
    let mut all = true;
    for (line, text) in (1..).zip(jobs.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let job: Job = serde_json::from_str(text).map_err(|e| format!("line {line}: {e}"))?;
        let result = worker.draw(&job);
        all &= result.is_ok();
        match result {
            Ok(output) => print(&json!({ "line": line, "output": output }))?,
            Err(error) => print(&json!({ "line": line, "error": error }))?,
        }
    }
    Ok(all)
}
