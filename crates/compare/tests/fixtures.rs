//! Every fixture, with random but sensible inputs, on two GL implementations. Odd seeds have filters, which are
//! compared loosely. `SEEDS=n` tries more of them, `ONLY=name` the fixtures with that in their name.

use shaderport_compare::scene::Scene;
use shaderport_compare::{Failed, Skipped, Subject, Tolerance, compare, draw, execute};
use shaderport_gl_harness::{Backend, Worker};
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
    let (mut bad, mut compared) = (0, 0);
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let known = KNOWN.iter().any(|(n, b, _)| name.starts_with(n) && b.is_none_or(|b| b == backend));
        if known || !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for seed in 0..seeds {
            match compare(&mut worker, &bytes, &draw::options(), seed, tolerance(&name, seed)) {
                Ok(c) if c.differences.is_empty() => compared += 1,
                Ok(c) => {
                    bad += 1;
                    println!("DIFF {name} seed {seed}: {} of {}", c.differences.len(), c.compared);
                    c.differences.iter().take(4).for_each(|d| println!("    {d}"));
                }
                Err(Failed::Skipped(_)) => break,
                Err(Failed::Draw(e)) => {
                    bad += 1;
                    println!("FAIL {name}: {e}");
                    break;
                }
            }
        }
    }
    assert_eq!(bad, 0);
    assert!(!only.is_empty() || compared > 500, "only {compared} comparisons");
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
