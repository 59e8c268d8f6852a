//! Shaders of the shared corpus, where that is at hand, with random but sensible inputs: each with points, whose
//! derivatives are 0, and pixel shaders with a triangle as well; by the default options, and with `fast`, a float register
//! file, and both.
//!
//! `CORPUS=n` takes so many shaders (`all`: every one) with all of these; without it, the few that are taken have one
//! of them each beside the defaults. `SKIP=n` leaves out the first, `ONLY=name` takes those with
//! that in their name; `SHOW=1` prints how what differs is explained.

use shaderport_compare::bounds::{LIMITS, PLAIN, shake};
use shaderport_compare::files::{corpus, name};
use shaderport_compare::scene::Scene;
use shaderport_compare::{
    Comparison, Failed, Shake, Skipped, Subject, compare_scene, draw, is_sensitive, loads_nothing, overflows,
    packs_inexactly, samples_nowhere, translate,
};
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{Fidelity, Options, Registers};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

#[derive(Default)]
struct Count {
    shaders: usize,
    draws: usize,
    values: usize,
    /// Beyond the tolerance, but no more than inputs that are a little off make of it.
    sensitive: usize,
    /// Sampled at coordinates that are no numbers.
    nowhere: usize,
    /// In `fast`, rows that load texels outside of a texture.
    outside: usize,
    /// Where floats overflow; in `fast`, where NaN is made or halves are packed.
    over: usize,
    skipped: BTreeMap<String, usize>,
    /// Those that a driver takes too long to compile, in some way.
    slow: BTreeSet<String>,
    bad: usize,
}

impl Count {
    fn skip(&mut self, skipped: Skipped) {
        let reason = match skipped {
            Skipped::Refused(codes) => format!("refused: {codes}"),
            Skipped::Scene(what) => format!("scene: {what}"),
            Skipped::Executor(what) => format!("executor: {what}"),
        };
        // Without the names and numbers of the one shader.
        let reason: Vec<_> = reason.split_whitespace().take(8).collect();
        *self.skipped.entry(reason.join(" ")).or_default() += 1;
    }
}

fn one(
    worker: &mut Worker,
    (name, bytes): (&str, &[u8]),
    options: &Options,
    (scene, subject): (&Scene, &Subject<'_>),
    shake: &Shake,
    count: &mut Count,
) -> bool {
    let result = translate(bytes, options)
        .map_err(Failed::Skipped)
        .and_then(|translation| compare_scene(worker, subject, &translation, scene, PLAIN));
    let how = format!(
        "{name} ({:?} {:?}{})",
        options.fidelity,
        options.registers,
        if scene.corners.is_some() { " triangle" } else { "" }
    );
    match result {
        Ok(Comparison { differences, compared, .. }) => {
            count.draws += 1;
            count.values += compared;
            let (sensitive, bad): (Vec<_>, Vec<_>) =
                differences.iter().partition(|d| is_sensitive(&subject.program, scene, d, shake));
            count.sensitive += sensitive.len();
            let (nowhere, bad): (Vec<_>, Vec<_>) =
                bad.into_iter().partition(|d| samples_nowhere(&subject.program, scene, d.row));
            count.nowhere += nowhere.len();
            let fast = options.fidelity == Fidelity::Fast;
            // Halves are rounded as the driver likes in `fast`, and integers are packed of them.
            let (over, bad): (Vec<_>, Vec<_>) = bad.into_iter().partition(|d| {
                overflows(&subject.program, scene, d.row, fast)
                    || fast && packs_inexactly(&subject.program, scene, d.row)
            });
            let (outside, bad): (Vec<_>, Vec<_>) =
                bad.into_iter().partition(|d| fast && loads_nothing(&subject.program, scene, d.row));
            count.outside += outside.len();
            count.over += over.len();
            if !bad.is_empty() {
                count.bad += 1;
                println!("DIFF {how}: {} of {compared}", bad.len());
                bad.iter().take(if only_one() { 100 } else { 4 }).for_each(|d| println!("    {d}"));
            }
            if std::env::var_os("SHOW").is_some() {
                sensitive.iter().take(4).for_each(|d| println!("  sensitive {how}: {d}"));
            }
            true
        }
        Err(Failed::Skipped(skipped)) => {
            count.skip(skipped);
            false
        }
        Err(Failed::Draw(e)) if LIMITS.iter().any(|(text, _)| e.contains(text)) => {
            let (_, why) = LIMITS.iter().find(|(text, _)| e.contains(text)).unwrap();
            if e.contains("timeout") {
                count.slow.insert(name.to_owned());
            }
            count.skip(Skipped::Scene((*why).into()));
            false
        }
        Err(Failed::Draw(e)) => {
            count.bad += 1;
            println!("FAIL {how}: {e}");
            false
        }
    }
}

fn only_one() -> bool {
    std::env::var_os("ONLY").is_some()
}

fn run(backend: Backend, default: usize) {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse().unwrap_or(usize::MAX));
    let only = std::env::var("ONLY").ok();
    let thorough = number("CORPUS").is_some();
    let wanted = number("CORPUS").unwrap_or(if only.is_some() { usize::MAX } else { default });
    let mut worker = Worker::new(backend, Duration::from_secs(15)).unwrap();
    let shake = shake(backend);
    let mut count = Count::default();
    let all = corpus();
    for (n, path) in all.iter().enumerate().skip(number("SKIP").unwrap_or(0)) {
        let name = name(path);
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        if count.shaders == wanted {
            break;
        }
        let bytes = std::fs::read(path).unwrap();
        let subject = match Subject::new(&bytes) {
            Ok(subject) => subject,
            Err(skipped) => {
                count.skip(skipped);
                continue;
            }
        };
        let options = |fidelity, registers| Options { fidelity, registers, ..draw::options() };
        let strict = options(Fidelity::Strict, Registers::Typed);
        let prepare = |scene: Scene| scene.on(backend, &subject.program);
        let scene = Scene::random(&subject.container, &subject.program, 2 * n as u64);
        let Some(scene) = scene.map(prepare) else {
            count.skip(Skipped::Scene("no input signature".into()));
            continue;
        };
        let file = (&*name, &bytes[..]);
        if !one(&mut worker, file, &strict, (&scene, &subject), &shake, &mut count) {
            continue;
        }
        count.shaders += 1;
        let sloped = Scene::sloped(&subject.container, &subject.program, 2 * n as u64 + 1).map(prepare);
        if let Some(sloped) = &sloped {
            one(&mut worker, file, &strict, (sloped, &subject), &shake, &mut count);
        }
        let others = [
            options(Fidelity::Fast, Registers::Typed),
            options(Fidelity::Strict, Registers::Float),
            options(Fidelity::Fast, Registers::Float),
        ];
        for (k, other) in others.iter().enumerate() {
            if !thorough && n % others.len() != k {
                continue;
            }
            one(&mut worker, file, other, (&scene, &subject), &shake, &mut count);
            if let Some(sloped) = &sloped {
                one(&mut worker, file, other, (sloped, &subject), &shake, &mut count);
            }
        }
    }
    let Count { shaders, draws, values, sensitive, nowhere, outside, over, skipped, slow, bad } = count;
    println!("{backend:?}: {shaders} shaders, {draws} draws, {values} values");
    println!(
        "    {sensitive} sensitive, {nowhere} sampled nowhere, {over} overflow, or NaN and halves in fast, {outside} \
         loaded outside in fast, {bad} bad"
    );
    for (reason, n) in skipped {
        println!("    skipped {n}: {reason}");
    }
    println!("    {} take too long to compile: {slow:?}", slow.len());
    assert_eq!(bad, 0);
    assert!(slow.len() <= (shaders / 50).max(1), "{slow:?} take too long to compile");
    // Of all of them, which nobody counts, at least one.
    let enough = if wanted == usize::MAX { 1 } else { wanted };
    assert!(all.is_empty() || only.is_some() || shaders >= enough, "only {shaders} shaders");
}

#[test]
fn angle() {
    run(Backend::Angle, 30);
}

#[test]
fn mesa() {
    run(Backend::Mesa, 10);
}
