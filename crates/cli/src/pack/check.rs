//! `shaderport pack check`.

use super::RuleArgs;
use crate::Exit;
use crate::args::Format;
use crate::inputs;
use crate::output::{Fatal, Out, print_error_line, printable};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use shaderport::Diagnostic;
use shaderport::diagnostics::codes::cli as codes;
use shaderport::renderpack::{Device, DirAssets, Finding, Options, PackReport, ShaderReport, check_pack};
use std::path::{Path, PathBuf};

/// Check a render pack: its pack.json against every rule, and every shader for every use of it
///
/// Prints `OK: ID VERSION (API N, K preset(s)).`, or `FAIL: REASON` with the first reason on standard error, followed
/// by every finding.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack check my-pack
  shaderport pack check my-pack --format json
  shaderport pack check my-pack --device low-end.json
  shaderport pack check my-pack --compat upstream --first")]
pub(crate) struct CheckArgs {
    /// The pack's folder, which holds pack.json
    #[arg(value_name = "DIR")]
    pub(super) dir: PathBuf,

    #[command(flatten)]
    rules: RuleArgs,

    /// Report the first finding alone
    #[arg(long)]
    first: bool,

    /// Check against a device as well; `shaderport schema device` describes the file
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,

    /// How to report
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// What `pack check --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CheckReport<'r> {
    /// The pack's id; null where the descriptor cannot be read.
    pack: Option<&'r str>,
    /// The pack's version.
    version: Option<&'r str>,
    /// `accepted` or `rejected`.
    status: &'static str,
    /// The first reason, as upstream words it.
    reason: Option<String>,
    /// Every finding, in the order of the rules.
    findings: &'r [Finding],
    /// The shaders, in the order of first use.
    shaders: &'r [ShaderReport],
}

/// Largest descriptor that is read.
const LARGEST: u64 = 16 << 20;

/// Reads a file of the pack that is text.
pub(super) fn read_text(path: &Path) -> Result<String, Fatal> {
    text_of(path).map_err(|finding| Fatal::finding(path.to_string_lossy(), finding))
}

fn text_of(path: &Path) -> Result<String, Diagnostic> {
    if let Some(n) = std::fs::metadata(path).ok().map(|m| m.len()).filter(|n| *n > LARGEST) {
        let text = format!("the file has {n} bytes; at most {LARGEST} are read");
        return Err(Diagnostic::new(codes::INPUT_UNREADABLE, text));
    }
    inputs::read_text(path)
}

/// Reads a device file.
pub(super) fn read_device(path: &Path) -> Result<Device, Fatal> {
    Device::read(&read_text(path)?).map_err(|findings| {
        let text: Vec<_> = findings.iter().map(ToString::to_string).collect();
        Fatal::Usage(format!("{}: {}", path.display(), text.join("\n")))
    })
}

/// Checks the pack in a folder. A descriptor that is not there or cannot be read is a finding.
pub(super) fn check_dir(dir: &Path, options: &Options) -> Result<PackReport, Fatal> {
    if !dir.is_dir() {
        return Err(Fatal::Usage(format!("{} is no folder", dir.display())));
    }
    let path = dir.join("pack.json");
    if !path.exists() {
        return Ok(PackReport::unreadable(None));
    }
    Ok(match text_of(&path) {
        Ok(text) => check_pack(&text, &mut DirAssets::new(dir), options),
        Err(finding) => PackReport::unreadable(Some(&finding.message)),
    })
}

pub(crate) fn run(args: &CheckArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let device = args.device.as_deref().map(read_device).transpose()?;
    let options = Options { device, ..args.rules.options() };
    let mut report = check_dir(&args.dir, &options)?;
    let accepted = report.accepted();
    if args.first {
        // The first that refuses the pack, or else the first of any kind.
        let keep = report.findings.iter().position(|f| accepted || f.severity == shaderport::Severity::Error);
        report.findings = keep.map(|i| report.findings.swap_remove(i)).into_iter().collect();
    }
    let descriptor = report.document.as_ref().map(|d| &d.descriptor);
    let id = descriptor.map_or("", |d| &d.id);
    let reason = report
        .findings
        .iter()
        .find(|f| f.severity == shaderport::Severity::Error)
        .map(|f| f.reason(id, options.abi));
    match args.format {
        Format::Json => out.json_line(&CheckReport {
            pack: descriptor.map(|d| d.id.as_str()),
            version: descriptor.map(|d| d.pack_version.as_str()),
            status: if accepted { "accepted" } else { "rejected" },
            reason,
            findings: &report.findings,
            shaders: &report.shaders,
        })?,
        Format::Human => {
            if let Some(reason) = reason {
                print_error_line(&format!("FAIL: {reason}"));
            }
            if !args.first || accepted {
                report.findings.iter().for_each(|f| print_error_line(&f.to_string()));
            }
            if let Some(d) = descriptor.filter(|_| accepted) {
                let n = d.quality_presets.len();
                let text = format!(
                    "OK: {id} {} (API {}, {n} preset(s)).\nValidated 1 render pack(s) from '{id}'.\n",
                    d.pack_version, d.pack_api_version
                );
                out.write(printable(&text).as_bytes())?;
            }
        }
    }
    Ok(if accepted { Exit::Fine } else { Exit::Findings })
}
