//! `shaderport translate`.

use crate::Exit;
use crate::args::{Format, TranslateArgs};
use crate::inputs::{Contents, Input, Plan, with_suffix};
use crate::output::{Fatal, Out, make_folder, print_finding, write_files};
use crate::parallel;
use crate::report::{FoundReport, InputReport, ShaderReport, Status, Summary, SummaryLine};
use indicatif::{ProgressBar, ProgressStyle};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::{Diagnostic, Failure, FailureKind, Options, Stage, Translation, translate};
use std::panic::catch_unwind;
use std::path::Path;
use std::thread::available_parallelism;

/// Where a translation goes.
enum Sink<'a> {
    /// Nowhere.
    Nowhere,
    /// Into files below this folder.
    Folder(&'a Path),
    /// Into the report.
    Report,
}

/// Inputs from which on a progress bar is worth showing.
const PROGRESS_FROM: usize = 10;

pub(crate) fn run(args: &TranslateArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let jobs = args.jobs.or_else(|| available_parallelism().ok()).map_or(1, usize::from);
    let plan = Plan::new(&args.inputs, jobs)?;
    let sink = match &args.out_dir {
        _ if args.check => Sink::Nowhere,
        Some(folder) => Sink::Folder(folder),
        None => Sink::Report,
    };
    let printing = matches!(sink, Sink::Report) && args.format == Format::Human;
    if printing && (plan.shader_count() > 1 || plan.inputs.len() > 1) {
        return Err(Fatal::Usage(format!(
            "there are {} inputs with {} shaders: give --out-dir, or --check to only report",
            plan.inputs.len(),
            plan.shader_count()
        )));
    }
    if args.out_dir.is_some() {
        plan.check_collisions()?;
    }
    if let Sink::Folder(folder) = sink {
        make_folder(folder)?;
    }

    let options = args.profile.link_options(&args.translator)?.translation;
    let mut summary = Summary { skipped: plan.skipped, shaders: plan.shader_count(), ..Summary::default() };
    let mut exit = Exit::Fine;
    let bar = progress(plan.inputs.len());
    let done = |_: &Input, report: InputReport| {
        summary.add(&report);
        exit = exit.max(exit_of(&report));
        if args.format == Format::Json {
            bar.suspend(|| out.json_line(&report))?;
        } else if report.each().any(|s| !s.diagnostics.is_empty()) {
            bar.suspend(|| print_findings(&report));
        }
        if printing && let Some(text) = report.each().find_map(|s| s.source.as_deref()) {
            out.write(text.as_bytes())?;
        }
        bar.inc(1);
        Ok(())
    };
    parallel::in_order(&plan.inputs, jobs, |input| do_input(input, &options, &sink), done)?;
    bar.finish_and_clear();
    match args.format {
        Format::Json => out.json_line(&SummaryLine { summary })?,
        Format::Human if printing => {}
        Format::Human => print_summary(&summary),
    }
    Ok(exit)
}

/// A bar on standard error, which is hidden where that is no terminal.
fn progress(count: usize) -> ProgressBar {
    if count < PROGRESS_FROM {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} ({eta})") {
        bar.set_style(style);
    }
    bar
}

fn exit_of(report: &InputReport) -> Exit {
    if report.each().flat_map(|s| &s.diagnostics).any(|d| d.code == codes::OUTPUT_UNWRITABLE) {
        return Exit::Unwritten;
    }
    match report.shader.status {
        Status::Translated => Exit::Fine,
        Status::Refused | Status::Invalid => Exit::Findings,
    }
}

fn do_input(input: &Input, options: &Options, sink: &Sink<'_>) -> InputReport {
    let report = |shader, shaders| InputReport { input: input.name.clone(), shader, shaders };
    let places = match &input.contents {
        Contents::Nothing(finding) => return report(ShaderReport::invalid(finding.clone()), None),
        Contents::One => None,
        Contents::Several(places) => Some(places),
    };
    let bytes = match input.bytes() {
        Ok(bytes) => bytes,
        // It could be read a moment ago.
        Err(finding) => return report(ShaderReport::invalid(finding), None),
    };
    let Some(places) = places else {
        return report(do_shader(&bytes, &input.stem(None), options, sink), None);
    };
    let shaders: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(n, place)| {
            // Empty, and so invalid, if the file has been cut short since.
            let bytes = bytes.get(place.clone()).unwrap_or_default();
            let shader = do_shader(bytes, &input.stem(Some(n)), options, sink);
            FoundReport { offset: place.start, shader }
        })
        .collect();
    let top = ShaderReport {
        status: shaders.iter().map(|s| s.shader.status).max().unwrap_or(Status::Invalid),
        stage: None,
        model: None,
        outputs: shaders.iter().flat_map(|s| s.shader.outputs.clone()).collect(),
        diagnostics: Vec::new(),
        source: None,
        manifest: None,
    };
    report(top, Some(shaders))
}

fn do_shader(bytes: &[u8], stem: &Path, options: &Options, sink: &Sink<'_>) -> ShaderReport {
    match guarded(bytes, options) {
        Err(failure) => ShaderReport {
            status: failure.kind.into(),
            stage: failure.stage.map(Stage::name),
            model: failure.model.map(model_text),
            outputs: Vec::new(),
            diagnostics: failure.diagnostics,
            source: None,
            manifest: None,
        },
        Ok(done) => {
            let mut report = ShaderReport {
                status: Status::Translated,
                stage: Some(done.stage.name()),
                model: Some(model_text(done.model)),
                outputs: Vec::new(),
                diagnostics: done.diagnostics,
                source: None,
                manifest: None,
            };
            match sink {
                Sink::Nowhere => {}
                Sink::Report => (report.source, report.manifest) = (Some(done.source), Some(done.manifest)),
                Sink::Folder(folder) => {
                    let files = [
                        (with_suffix(stem, extension(done.stage)), done.source),
                        (with_suffix(stem, ".json"), done.manifest.to_json()),
                    ];
                    write_files(folder, files, &mut report.outputs, &mut report.diagnostics);
                }
            }
            report
        }
    }
}

fn extension(stage: Stage) -> &'static str {
    if stage == Stage::Vertex { ".vert.glsl" } else { ".frag.glsl" }
}

fn model_text((major, minor): (u8, u8)) -> String {
    format!("{major}.{minor}")
}

/// [`translate`], where a fault of the translator is a finding about this shader alone. The fault's own message is
/// on standard error by then.
fn guarded(bytes: &[u8], options: &Options) -> Result<Translation, Failure> {
    catch_unwind(|| translate(bytes, options)).unwrap_or_else(|_| {
        let finding = Diagnostic::new(codes::INTERNAL_ERROR, "the translator failed on this shader")
            .help("please report it, with the shader if you may share it");
        Err(Failure { kind: FailureKind::Invalid, stage: None, model: None, diagnostics: vec![finding] })
    })
}

fn print_findings(report: &InputReport) {
    for finding in &report.shader.diagnostics {
        print_finding(&report.input, finding);
    }
    for (n, found) in report.shaders.iter().flatten().enumerate() {
        for finding in &found.shader.diagnostics {
            print_finding(&format!("{} (container {n} at byte {})", report.input, found.offset), finding);
        }
    }
}

fn print_summary(s: &Summary) {
    let mut parts = vec![format!("{} translated", s.translated)];
    for (count, what) in [(s.refused, "refused"), (s.invalid, "invalid")] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    if s.skipped > 0 {
        parts.push(format!("{} without a shader passed over", s.skipped));
    }
    if s.warnings > 0 {
        parts.push(format!("{} warnings", s.warnings));
    }
    // Nothing is left to tell where standard error cannot be written.
    let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", parts.join(", ")));
}
