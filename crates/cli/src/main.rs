//! The `shaderport` command: compiled Direct3D shaders to WebGL2.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each damaged file.
#![allow(clippy::result_large_err)]

mod args;
mod disasm;
mod effect;
mod explain;
mod extract;
mod inputs;
mod inspect;
mod link;
mod options;
mod output;
mod pack;
mod parallel;
mod report;
mod run;
mod schema;
mod spirv;
mod translate;

use args::{Cli, Verb};
use clap::{CommandFactory, Parser};
use output::{Fatal, Out};
use std::process::ExitCode;

/// Many small pieces live and die with each file: on all cores, glibc's allocator is the slower one by a tenth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a verb that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// All fine.
    Fine,
    /// Something was refused or invalid; the rest was done.
    Findings,
    /// An output could not be written; the rest was done.
    Unwritten,
}

fn main() -> ExitCode {
    // Prints help, versions and wrong usage by itself, the latter with status 2.
    let cli = Cli::parse();
    let mut out = Out::default();
    let outcome = match cli.verb {
        Verb::Translate(a) => translate::run(&a, &mut out),
        Verb::Link(a) => link::run(&a, &mut out),
        Verb::Disasm(a) => disasm::run(&a, &mut out),
        Verb::Inspect(a) => inspect::run(&a, &mut out),
        Verb::Extract(a) => extract::run(&a, &mut out),
        Verb::Run(a) => run::run(&a, &mut out),
        Verb::Spirv(a) => spirv::run(&a, &mut out),
        Verb::Pack(a) => pack::run(&a, &mut out),
        Verb::Effect(a) => effect::run(&a, &mut out),
        Verb::Explain(a) => explain::run(&a, &mut out),
        Verb::Schema(a) => schema::run(a.name, &mut out),
        Verb::Completions(a) => completions(a.shell, &mut out),
    };
    match outcome {
        Ok(Exit::Fine) => ExitCode::SUCCESS,
        Ok(Exit::Findings) => ExitCode::from(1),
        Ok(Exit::Unwritten) => ExitCode::from(2),
        Err(fatal) => {
            fatal.print();
            ExitCode::from(2)
        }
    }
}

fn completions(shell: clap_complete::Shell, out: &mut Out) -> Result<Exit, Fatal> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "shaderport", &mut script);
    out.write(&script)?;
    Ok(Exit::Fine)
}
