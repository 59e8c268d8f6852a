//! `vk-check serve [--timeout SECONDS]`: answers jobs, one a line of JSON (see the library).
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let limit = match arguments[..] {
        ["serve"] => Ok(30),
        ["serve", "--timeout", seconds] => seconds.parse().map_err(|_| format!("`{seconds}` is no number")),
        _ => Err("vk-check serve [--timeout SECONDS]".into()),
    };
    match limit.and_then(|seconds| shaderport_vk_harness::serve(Duration::from_secs(seconds))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("vk-check: {text}");
            ExitCode::from(2)
        }
    }
}
