//! `shaderport effect build`.

use super::{BuildArgs, BuildReport, FormArg, LightsArg, ProfilesArg, stem};
use crate::Exit;
use crate::args::Format;
use crate::inputs::{read_one, read_text};
use crate::output::{Fatal, Out, make_folder, print_finding, printable, write_whole};
use crate::parallel;
use crate::report::Status;
use shaderport::diagnostics::codes::cli as codes;
use shaderport::effect::budget::{Budget, Lights, Profiles, Table};
use shaderport::effect::package::{BuildOptions, Form, JobResult, Package, Plan, Reason};
use shaderport::{Diagnostic, FailureKind, LinkFailure};
use std::convert::Infallible;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::available_parallelism;

pub(super) fn run(args: &BuildArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let mut report = BuildReport {
        input: args.file.to_string_lossy().into_owned(),
        status: Status::Invalid,
        outputs: Vec::new(),
        completeness: None,
        diagnostics: Vec::new(),
    };
    let mut package = None;
    match read_one(&args.file) {
        Err(finding) => report.diagnostics.push(finding),
        Ok(bytes) => match shaderport::effect::read(&bytes) {
            Err(findings) => report.diagnostics = findings,
            Ok(read) => {
                let (link, bitangents) = args.profile.options(&args.translator, &[])?;
                let options = BuildOptions {
                    link,
                    bitangents,
                    budget: budget(args)?,
                    form: match args.form {
                        FormArg::Folder => Form::Folder,
                        FormArg::Container => Form::Container,
                    },
                    stem: stem(&args.file),
                };
                report.diagnostics.clone_from(&read.diagnostics);
                package = Some(build(&Plan::new(&read, &options), args.jobs.map(usize::from)));
            }
        },
    }
    if let Some(package) = &package {
        let index = &package.index;
        report.status = match () {
            () if index.excluded.iter().any(|e| e.reason == Reason::Invalid) => Status::Invalid,
            () if !index.excluded.is_empty() || !index.completeness.package_valid => Status::Refused,
            () => Status::Translated,
        };
        report.completeness = Some(index.completeness.clone());
        report.diagnostics.extend(index.failures.iter().flat_map(|f| &f.diagnostics).cloned());
        if let Some(folder) = args.out_dir.as_deref().filter(|_| !args.check) {
            make_folder(folder)?;
            for file in &package.files {
                match write_whole(&folder.join(&file.path), &file.bytes) {
                    Ok(()) => report.outputs.push(file.path.clone()),
                    Err(finding) => report.diagnostics.push(finding),
                }
            }
        }
    }
    match args.format {
        Format::Json => out.json_line(&report)?,
        Format::Human => {
            report.diagnostics.iter().for_each(|d| print_finding(&report.input, d));
            if let Some(package) = &package {
                out.write(printable(&summary(package)).as_bytes())?;
            }
        }
    }
    Ok(match report.status {
        _ if report.diagnostics.iter().any(|d| d.code == codes::OUTPUT_UNWRITABLE) => Exit::Unwritten,
        Status::Translated => Exit::Fine,
        Status::Refused | Status::Invalid => Exit::Findings,
    })
}

/// The budget that the arguments stand for.
fn budget(args: &BuildArgs) -> Result<Budget, Fatal> {
    let table = match &args.table {
        None => Table::default(),
        Some(path) => {
            let name = path.to_string_lossy();
            let text = read_text(path).map_err(|finding| Fatal::finding(name.clone(), finding))?;
            serde_json::from_str(&text).map_err(|e| Fatal::Usage(format!("{name} is no table: {e}")))?
        }
    };
    let lights = match args.lights {
        LightsArg::PackedTexture => Lights::PackedTexture,
        LightsArg::ConstantBlock => Lights::ConstantBlock,
        LightsArg::Stub => Lights::Stub,
        LightsArg::Keep => Lights::Keep,
    };
    let profiles = match args.light_profiles {
        ProfilesArg::Neutral => Profiles::Neutral,
        ProfilesArg::Packed => Profiles::Packed,
    };
    Ok(Budget { units: args.texture_units.0, table, lights, profiles })
}

/// Makes all programs of a plan on several threads.
fn build(plan: &Plan<'_, '_>, jobs: Option<usize>) -> Package {
    let jobs = jobs.or_else(|| available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let all: Vec<usize> = (0..plan.len()).collect();
    let mut results = Vec::with_capacity(all.len());
    let done = |_: &usize, result| {
        results.push(result);
        Ok::<_, Infallible>(())
    };
    match parallel::in_order(&all, jobs, |&job| guarded(plan, job), done) {
        Ok(()) => plan.finish(results),
        Err(never) => match never {},
    }
}

/// [`Plan::run`], where a fault of the translator is a finding about this program alone. The fault's own message is on
/// standard error by then.
fn guarded(plan: &Plan<'_, '_>, job: usize) -> JobResult {
    // Nothing is shared between jobs but the plan, which is only read.
    catch_unwind(AssertUnwindSafe(|| plan.run(job))).unwrap_or_else(|_| {
        let finding = Diagnostic::new(codes::INTERNAL_ERROR, "the translator failed on this program")
            .help("please report it, with the effect if you may share it");
        Err(LinkFailure { kind: FailureKind::Invalid, diagnostics: vec![finding] })
    })
}

/// What was made, and what was not.
fn summary(package: &Package) -> String {
    let index = &package.index;
    let c = &index.completeness;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} permutations, {} different; {} of {} passes have a program; {} programs",
        index.permutations.len(),
        index.bodies.len(),
        c.passes_translated,
        c.passes,
        c.programs
    );
    let yes = |b| if b { "yes" } else { "no" };
    let _ = writeln!(
        text,
        "package valid: {}; sources complete: {}",
        yes(c.package_valid),
        yes(c.sources_complete)
    );
    for gap in &c.gaps {
        let _ = writeln!(text, "gap: {gap}");
    }
    text
}
