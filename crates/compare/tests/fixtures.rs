//! Every fixture, with random but sensible inputs, on two GL implementations.

use shaderport_compare::{Failed, Tolerance, compare, draw};
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

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(20)).unwrap();
    let tolerance = Tolerance { relative: 1e-3, absolute: 1e-4 };
    let mut bad = 0;
    let only = std::env::var("ONLY").unwrap_or_default();
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for seed in 0..2 {
            match compare(&mut worker, &bytes, &draw::options(), seed, tolerance) {
                Ok(c) if c.differences.is_empty() => println!("ok {name} seed {seed}: {} values", c.compared),
                Ok(c) => {
                    bad += 1;
                    println!("DIFF {name} seed {seed}: {} of {}", c.differences.len(), c.compared);
                    for d in c.differences.iter().take(4) {
                        println!("    {d}");
                    }
                }
                Err(Failed::Skipped(s)) => {
                    println!("skip {name}: {s:?}");
                    break;
                }
                Err(Failed::Draw(e)) => {
                    bad += 1;
                    println!("FAIL {name}: {e}");
                    break;
                }
            }
        }
    }
    assert_eq!(bad, 0);
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}
