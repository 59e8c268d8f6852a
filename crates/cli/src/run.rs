//! `shaderport run`.

pub(crate) mod report;
mod scene;

use crate::Exit;
use crate::args::RunArgs;
use crate::inputs::{pick, read_one, read_text};
use crate::output::{Fatal, Out, print_finding};
use scene::{Scene, Shader};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::diagnostics::codes::exec as exec_codes;
use shaderport::exec::{Executor, Step, Views};
use shaderport::{Diagnostic, Stage};

pub(crate) fn run(args: &RunArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let name = args.shader.file.to_string_lossy();
    let fail = |name: &str, finding: &Diagnostic| {
        print_finding(name, finding);
        Ok(Exit::Findings)
    };
    let bytes = match read_one(&args.shader.file) {
        Ok(bytes) => bytes,
        Err(finding) => return fail(&name, &finding),
    };
    let mut warnings = Vec::new();
    let read = |container| Shader::read(container, &mut warnings);
    let shader = pick(&bytes, args.shader.blob.as_deref())?.and_then(read);
    // A report in JSON has them as well; before it there may be an end by something else.
    warnings.iter().for_each(|finding| print_finding(&name, finding));
    let shader = match shader {
        Ok(shader) => shader,
        Err(finding) => return fail(&name, &finding),
    };
    let scene = match &args.inputs {
        None => Scene::read(&shader, "{}", std::path::Path::new("")),
        Some(path) => {
            let folder = path.parent().unwrap_or(std::path::Path::new(""));
            read_text(path).and_then(|text| Scene::read(&shader, &text, folder))
        }
    };
    let scene = match scene {
        Ok(scene) => scene,
        Err(finding) => {
            let inputs = args.inputs.as_deref().unwrap_or(&args.shader.file);
            return fail(&inputs.to_string_lossy(), &finding);
        }
    };
    let executor = match Executor::new(&shader.program) {
        Ok(executor) => executor.limit(args.limit),
        Err(error) => return fail(&name, &error.diagnostic()),
    };
    let mut report = report::Report::new(&shader, args.format, args.trace, out);
    let mut views = scene.views.clone();
    let error = execute(&executor, &shader, &scene, &mut views, &mut report).err();
    let error = error.map(|error| match error.code == exec_codes::EXEC_STEP_LIMIT {
        true => error.help("`--limit` lets it run for longer, and `--trace` shows what it does"),
        false => error,
    });
    report.end(&scene.views, &views, warnings, error.clone())?;
    match error {
        None => Ok(Exit::Fine),
        Some(finding) => fail(&name, &finding),
    }
}

fn execute(
    executor: &Executor<'_>,
    shader: &Shader<'_>,
    scene: &Scene,
    views: &mut Views,
    report: &mut report::Report<'_>,
) -> Result<(), Diagnostic> {
    if shader.program.stage == Stage::Pixel {
        let quad: &[_; 4] = scene.invocations[..].try_into().map_err(|_| {
            Diagnostic::new(codes::RUN_INPUTS, "a pixel shader runs for the four pixels of a quad")
        })?;
        let outputs = if report.traces() {
            let mut observer = |step: &Step<'_>| report.step(step.lane, step);
            executor.trace_quad(&scene.bindings, views, quad, &mut observer).map(|r| r.0)
        } else {
            executor.run_quad(&scene.bindings, views, quad)
        };
        let outputs = outputs.map_err(|e| e.diagnostic())?;
        outputs.iter().take(scene.shown).for_each(|o| report.outputs(o));
    } else {
        for (n, inputs) in scene.invocations.iter().enumerate() {
            let outputs = if report.traces() {
                let mut observer = |step: &Step<'_>| report.step(n, step);
                executor.trace_vertex(&scene.bindings, views, inputs, &mut observer).map(|r| r.0)
            } else {
                executor.run_vertex(&scene.bindings, views, inputs)
            };
            report.outputs(&outputs.map_err(|e| e.diagnostic())?);
            if report.is_cut() {
                break;
            }
        }
    }
    Ok(())
}
