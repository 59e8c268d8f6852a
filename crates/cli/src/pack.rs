//! `shaderport pack ...`: render packs.

mod abi;
mod build;
pub(crate) mod check;
pub(crate) mod check_shader;
mod new;
mod plan;
pub(crate) mod resolve;

use crate::Exit;
use crate::output::{Fatal, Out};
use clap::{Args, Subcommand, ValueEnum};
use shaderport::Code;
use shaderport::renderpack::{Compat, HARDENING, Options};

/// Check, make and inspect render packs
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  shaderport pack new my-pack --profile shadows
  shaderport pack build my-pack
  shaderport pack check my-pack")]
pub(crate) enum PackVerb {
    Check(check::CheckArgs),
    CheckShader(check_shader::CheckShaderArgs),
    New(new::NewArgs),
    Build(build::BuildArgs),
    Abi(abi::AbiArgs),
    Resolve(resolve::ResolveArgs),
    Plan(plan::PlanArgs),
}

pub(crate) fn run(verb: &PackVerb, out: &mut Out) -> Result<Exit, Fatal> {
    match verb {
        PackVerb::Check(a) => check::run(a, out),
        PackVerb::CheckShader(a) => check_shader::run(a, out),
        PackVerb::New(a) => new::run(a, out),
        PackVerb::Build(a) => build::run(a, out),
        PackVerb::Abi(a) => abi::run(a, out),
        PackVerb::Resolve(a) => resolve::run(a, out),
        PackVerb::Plan(a) => plan::run(a, out),
    }
}

/// Whose rules count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CompatName {
    /// The contract, hardened.
    Contract,
    /// As the upstream validators do.
    Upstream,
}

/// Which rules count.
#[derive(Debug, Args)]
struct RuleArgs {
    /// Whose rules count: the contract with its hardening, or upstream's practice
    #[arg(long, value_enum, default_value = "contract")]
    compat: CompatName,

    /// Turn a hardening rule off, by the code that its findings show
    #[arg(long, value_name = "CODE", value_parser = hardening_rule)]
    without: Vec<Code>,
}

fn hardening_rule(name: &str) -> Result<Code, String> {
    HARDENING.iter().copied().find(|c| c.name() == name).ok_or_else(|| {
        let names: Vec<_> = HARDENING.iter().map(|c| c.name()).collect();
        format!("no such hardening rule; there are {}", names.join(", "))
    })
}

impl RuleArgs {
    fn options(&self) -> Options {
        Options {
            compat: match self.compat {
                CompatName::Contract => Compat::Contract,
                CompatName::Upstream => Compat::Upstream,
            },
            without: self.without.iter().copied().collect(),
            ..Options::default()
        }
    }
}
