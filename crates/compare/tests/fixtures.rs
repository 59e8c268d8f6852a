//! Every fixture, with random but sensible inputs, on two GL implementations: with the defaults, with a float register
//! file and with `fast`. Every opcode that is translated must be among them. Odd seeds have filters, which are compared
//! loosely. `SEEDS=n` tries more of them, `ONLY=name` the fixtures with that in their name.

use shaderport_compare::scene::Scene;
use shaderport_compare::{
    Failed, Skipped, Subject, Tolerance, compare_scene, draw, execute, overflows, translate,
};
use shaderport_dxbc::opcode::Es300;
use shaderport_dxbc::{Opcode, Stage};
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{Fidelity, Options, Registers};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut list: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    list.retain(|p| {
        let name = p.file_name().unwrap().to_string_lossy();
        name.ends_with(".vs.dxbc") || name.ends_with(".ps.dxbc")
    });
    list.sort();
    list
}

/// What a driver does in its own way.
const KNOWN: [(&str, Option<Backend>, &str); 9] = [
    ("a064_cube_grad", Some(Backend::Angle), "SwiftShader's levels of cubes (tests/drivers.rs)"),
    ("io_target_eight", Some(Backend::Angle), "outside of a browser ANGLE has six draw buffers"),
    ("io_target_gap", Some(Backend::Angle), "outside of a browser ANGLE has six draw buffers"),
    ("io_eval", Some(Backend::Mesa), "Mesa's interpolation functions fail on points"),
    ("made_evaluations", Some(Backend::Mesa), "Mesa's interpolation functions fail on points"),
    ("io_clip.vs", Some(Backend::Mesa), "Mesa has no clip distances"),
    ("io_clip_cull.vs", Some(Backend::Mesa), "Mesa has no clip distances"),
    ("pair_clip.vs", Some(Backend::Mesa), "Mesa has no clip distances"),
    ("limit_31_varyings.vs", Some(Backend::Mesa), "more outputs than can be captured"),
];

/// What `fast` gives up in a fixture, by `docs/fidelity.md`.
const FAST: [(&str, &str); 6] = [
    ("a068_integer_textures", "loads outside the texture"),
    ("a104_target_types", "negative floats as unsigned integers"),
    ("io_target_partial", "negative floats as unsigned integers"),
    ("tex_1d", "loads outside the texture"),
    ("tex_load", "loads outside the texture"),
    ("tex_saturate", "loads outside the texture"),
];

/// How close the values of a fixture must come. Filters and levels of detail are of fixed point in hardware; loops
/// of samples at computed places make much of little.
fn tolerance(name: &str, seed: u64) -> Tolerance {
    match seed % 2 {
        _ if name.starts_with("flow_long") => Tolerance::floats(0.1, 0.1),
        // Sines are off by some 5e-4 on SwiftShader.
        0 => Tolerance::floats(2e-3, 2e-3),
        _ => Tolerance::floats(0.25, 0.2),
    }
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(20)).unwrap();
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut bad, mut compared, mut seen) = (0, 0, BTreeSet::new());
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let known = KNOWN.iter().any(|(n, b, _)| name.starts_with(n) && b.is_none_or(|b| b == backend));
        if known || !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let subject = Subject::new(&bytes).unwrap();
        // The default options with every seed, the others with the first.
        let ways = (0..seeds).map(|seed| (seed, Fidelity::Strict, Registers::Typed));
        let others = [(Fidelity::Strict, Registers::Float), (Fidelity::Fast, Registers::Typed)];
        for (seed, fidelity, registers) in ways.chain(others.map(|(f, r)| (0, f, r))) {
            let options = Options { fidelity, registers, ..draw::options() };
            let Some(scene) = Scene::random(&subject.container, &subject.program, seed) else { break };
            let tolerance = tolerance(&name, seed);
            let result = translate(&bytes, &options)
                .map_err(Failed::Skipped)
                .and_then(|t| compare_scene(&mut worker, &subject, t, &scene, tolerance));
            match result {
                Ok(mut c) => {
                    compared += 1;
                    seen.extend(subject.program.instructions.iter().map(|i| i.opcode));
                    if fidelity == Fidelity::Fast {
                        // What it does not promise; halves are rounded as the driver likes.
                        let halves =
                            subject.program.instructions.iter().any(|i| i.opcode == Opcode::F32ToF16);
                        c.differences
                            .retain(|d| !halves && !overflows(&subject.program, &scene, d.row, true));
                        if FAST.iter().any(|(n, _)| name.starts_with(n)) {
                            continue;
                        }
                    }
                    if !c.differences.is_empty() {
                        bad += 1;
                        let (n, of) = (c.differences.len(), c.compared);
                        println!("DIFF {name} seed {seed} {fidelity:?} {registers:?}: {n} of {of}");
                        c.differences.iter().take(4).for_each(|d| println!("    {d}"));
                    }
                }
                Err(Failed::Skipped(_)) => break,
                Err(Failed::Draw(e)) => {
                    bad += 1;
                    println!("FAIL {name} {fidelity:?} {registers:?}: {e}");
                    break;
                }
            }
        }
    }
    assert_eq!(bad, 0);
    if only.is_empty() {
        assert!(compared > 1000, "only {compared} comparisons");
        let missing: Vec<_> = executed().filter(|o| !seen.contains(o)).map(|o| o.name()).collect();
        let known: &[&str] = match backend {
            Backend::Angle => &[],
            // They fail on points.
            Backend::Mesa => &["eval_snapped", "eval_sample_index", "eval_centroid"],
        };
        assert_eq!(missing, known, "opcodes that no fixture compares");
    }
}

/// Opcodes of vertex and pixel shaders that are translated and do something.
fn executed() -> impl Iterator<Item = Opcode> {
    Opcode::ALL.iter().copied().filter(|o| {
        let info = o.info();
        (info.stages.contains(Stage::Vertex) || info.stages.contains(Stage::Pixel))
            && matches!(info.es300, Es300::Says(_))
            && !o.is_declaration()
    })
}

/// The executor alone: every vertex and pixel fixture runs to its end.
#[test]
fn executor() {
    let (mut ran, mut endless) = (0, 0);
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let Ok(subject) = Subject::new(&bytes) else { continue };
        for seed in 0..4 {
            let Some(scene) = Scene::random(&subject.container, &subject.program, seed) else { break };
            match execute(&subject.program, &scene, 1_000_000) {
                Ok(_) => ran += 1,
                // A loop that random numbers do not end.
                Err(Skipped::Executor(e)) if e.contains("exec-step-limit") => endless += 1,
                // Views for writing, interfaces, and what ends by intention.
                Err(Skipped::Executor(e)) => {
                    assert!(e.contains("exec-unsupported") || e.contains("exec-aborted"), "{name}: {e}");
                    break;
                }
                Err(e) => panic!("{name}: {e:?}"),
            }
        }
    }
    assert!(ran > 1000 && endless < 20, "{ran} runs, {endless} without end");
}

/// The executor alone, on the corpus where there is one.
#[test]
fn executor_on_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let (mut ran, mut refused) = (0, 0);
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(Result::ok).map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let Ok(subject) = Subject::new(&bytes) else { continue };
            let Some(scene) = Scene::random(&subject.container, &subject.program, 0) else { continue };
            match execute(&subject.program, &scene, 1_000_000) {
                Ok(_) => ran += 1,
                Err(Skipped::Executor(e)) if e.contains("exec-unsupported") => refused += 1,
                Err(Skipped::Executor(e)) if e.contains("exec-step-limit") || e.contains("exec-aborted") => {}
                Err(e) => panic!("{}: {e:?}", path.display()),
            }
        }
    }
    println!("{ran} ran, {refused} were refused");
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}
