//! A headless Chromium draws a sample of the comparisons: every third fixture, with the values that the executor has.
//!
//! `ONLY=name` takes the fixtures with that in their name.

use shaderport_compare::files::{fixtures, name};
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, Tolerance, compare_output, draw, prepare, translate};
use shaderport_gl_harness::{Backend, chromium};

#[test]
#[ignore = "starts a browser; ./test runs it"]
fn values_in_a_browser() {
    let only = std::env::var("ONLY").ok();
    let files: Vec<(String, Vec<u8>)> = fixtures()
        .into_iter()
        .map(|path| (name(&path), path))
        .enumerate()
        .filter(|(n, (name, _))| only.as_ref().map_or(n % 3 == 0, |only| name.contains(only)))
        .map(|(_, (name, path))| (name, std::fs::read(path).unwrap()))
        .collect();
    let mut subjects = Vec::new();
    let mut jobs = Vec::new();
    for (name, bytes) in &files {
        let Ok(translation) = translate(bytes, &draw::options()) else { continue };
        let subject = Subject::new(bytes).unwrap();
        let Some(scene) = Scene::random(&subject.container, &subject.program, 0) else { continue };
        // The browser is ANGLE on SwiftShader as well.
        let scene = scene.on(Backend::Angle, &subject.program);
        // What has no scene here has none in `fixtures.rs`.
        let Ok((job, expected)) = prepare(&subject, &translation, &scene) else { continue };
        subjects.push((name, subject, translation, expected));
        jobs.push(job);
    }
    let options = chromium::Options { page: 60, ..chromium::Options::default() };
    let outputs = chromium::draw(&jobs, &options).unwrap();
    assert_eq!(outputs.len(), jobs.len());
    let (mut bad, mut drawn, mut values) = (0, 0, 0);
    for ((name, subject, translation, expected), output) in subjects.into_iter().zip(outputs) {
        match output {
            Ok(output) => {
                let tolerance = Tolerance::floats(2e-3, 2e-3);
                let c = compare_output(&subject, &translation, &expected, &output, tolerance);
                drawn += 1;
                values += c.compared;
                bad += u32::from(!c.is_same(name));
            }
            Err(e) => {
                bad += 1;
                println!("FAIL {name}: {e}");
            }
        }
    }
    println!("{drawn} shaders, {values} values in the browser");
    assert_eq!(bad, 0);
    assert!(only.is_some() || drawn >= 90, "only {drawn} shaders");
    assert!(only.is_some() || values >= 15_000, "only {values} values");
}
