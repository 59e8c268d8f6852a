//! `shaderport pack check-shader`.

use super::RuleArgs;
use crate::Exit;
use crate::args::Format;
use crate::inputs::read_one;
use crate::output::{Fatal, Out, print_error_line, print_finding, printable};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use shaderport::Severity;
use shaderport::renderpack::abi::{SEMANTIC_V1, Stage};
use shaderport::renderpack::{Access, Finding, Shader, check_shader};
use std::path::PathBuf;

/// Check one SPIR-V module against one role
///
/// ROLE is a variant's semantic (TerrainDirectionalShadowCaster), a pass's semantic (SunRays), or `custom:` with the
/// semantic inputs of a custom pass and `+reads` where it reads resources; `custom-variant:` likewise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack check-shader copy.frag.spv --stage fragment --role custom:WorldColor
  shaderport pack check-shader rays.frag.spv --stage fragment --role custom:SunScreenPosition,FrameTime+reads
  shaderport pack check-shader caster.vert.spv --stage vertex --role TerrainDirectionalShadowCaster")]
pub(crate) struct CheckShaderArgs {
    /// A SPIR-V module, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The stage that the module is declared for
    #[arg(long, value_enum)]
    stage: StageName,

    /// The role
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: Access,

    #[command(flatten)]
    rules: RuleArgs,

    /// Report the first finding alone
    #[arg(long)]
    first: bool,

    /// How to report
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StageName {
    Vertex,
    Fragment,
}

fn role(text: &str) -> Result<Access, String> {
    Access::parse(&SEMANTIC_V1, text)
}

/// What `pack check-shader --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShaderCheckReport<'r> {
    /// The file.
    input: &'r str,
    /// `vertex` or `fragment`.
    stage: &'static str,
    /// The role's semantic.
    role: &'static str,
    /// `accepted` or `rejected`.
    status: &'static str,
    /// The first reason, as upstream words it.
    reason: Option<&'r str>,
    /// Every finding, in the order of the rules.
    findings: &'r [Finding],
}

pub(crate) fn run(args: &CheckShaderArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let input = args.file.to_string_lossy().into_owned();
    let bytes = match read_one(&args.file) {
        Ok(bytes) => bytes,
        Err(finding) => {
            print_finding(&input, &finding);
            return Ok(Exit::Findings);
        }
    };
    let options = args.rules.options();
    let stage = match args.stage {
        StageName::Vertex => Stage::Vertex,
        StageName::Fragment => Stage::Fragment,
    };
    let mut findings = check_shader(&Shader::read(&bytes, &options), &input, stage, &args.role, &options);
    let error = findings.iter().position(|f| f.severity == Severity::Error);
    if args.first {
        findings = error
            .or((!findings.is_empty()).then_some(0))
            .map(|i| findings.swap_remove(i))
            .into_iter()
            .collect();
    }
    let reason = findings.iter().find(|f| f.severity == Severity::Error).map(|f| f.message.as_str());
    let role = args.role.role.name;
    match args.format {
        Format::Json => out.json_line(&ShaderCheckReport {
            input: &input,
            stage: stage.name(),
            role,
            status: if error.is_none() { "accepted" } else { "rejected" },
            reason,
            findings: &findings,
        })?,
        Format::Human => {
            if let Some(reason) = reason {
                print_error_line(&format!("FAIL: {reason}"));
            }
            if !args.first || error.is_none() {
                findings.iter().for_each(|f| print_error_line(&f.to_string()));
            }
            if error.is_none() {
                out.write(printable(&format!("OK: {input} ({}, {role}).\n", stage.name())).as_bytes())?;
            }
        }
    }
    Ok(if error.is_none() { Exit::Fine } else { Exit::Findings })
}
