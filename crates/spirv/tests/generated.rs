//! Modules that compilers make, read and compared with `spirv-val`: every source of `glsl/` and of the fixtures, for
//! SPIR-V 1.0 to 1.6, with and without debug information, before and after `spirv-opt -O`, and damaged.
//!
//! Needs glslangValidator, spirv-opt and spirv-val.

use shaderport_diagnostics::Severity;
use shaderport_spirv::{Reading, read, reflect};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shaderport-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|e| e.unwrap().path())
        .filter(|p| p.is_file())
        .collect();
    all.sort();
    all
}

fn sources() -> Vec<PathBuf> {
    let all = [root().join("crates/spirv/tests/glsl"), root().join("fixtures/spirv/glsl")];
    all.iter().flat_map(|d| files(d)).collect()
}

/// The least minor version that a source says it needs.
fn least_version(source: &Path) -> u32 {
    let text = fs::read_to_string(source).unwrap();
    text.lines().find_map(|l| l.strip_prefix("// from 1.")).map_or(0, |v| v.parse().unwrap())
}

/// Runs a program that must be there; whether it ended well, and what it said.
fn run(program: &str, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// Does the work of every item, on two threads.
fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

fn errors(reading: &Reading) -> Vec<String> {
    let all = reading.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    all.map(|d| format!("{}: {}", d.code, d.message)).collect()
}

/// `spirv-val` on a module: whether it is valid, and why not.
fn validate(path: &str, minor: u32) -> (bool, String) {
    run("spirv-val", &["--target-env", &format!("spv1.{minor}"), path])
}

#[test]
fn compiled_modules_are_read() {
    let folder = Folder::new("generated");
    let mut items = Vec::new();
    for source in sources() {
        for minor in least_version(&source)..=6 {
            for debug in [None, Some("-g"), Some("-gVS")] {
                // The third kind of debug information is the same instructions in every version.
                if debug == Some("-gVS") && !matches!(minor, 1 | 6) {
                    continue;
                }
                items.push((source.clone(), minor, debug));
            }
        }
    }
    let wrong = Mutex::new(Vec::new());
    let (read_, valid) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&items, |(source, minor, debug)| {
        let name = source.file_name().unwrap().to_str().unwrap();
        let stem = folder.0.join(format!("{name}.{minor}{}", debug.unwrap_or("")));
        let (plain, optimised) = (format!("{}.spv", stem.display()), format!("{}.opt.spv", stem.display()));
        let target = format!("spirv1.{minor}");
        let mut arguments = vec!["-V", "-Od", "--target-env", &target, "-o", &plain];
        arguments.extend(debug);
        arguments.push(source.to_str().unwrap());
        let (compiled, said) = run("glslangValidator", &arguments);
        assert!(compiled, "{arguments:?}: {said}");
        let mut modules = vec![plain.clone()];
        // This optimiser gives up on what the compiler writes wrongly, which is debug information alone.
        let (done, said) = run("spirv-opt", &["-O", &plain, "-o", &optimised]);
        assert!(done || *debug == Some("-gVS"), "{plain}: {said}");
        modules.extend(done.then_some(optimised));
        for path in modules {
            let reading = read(&fs::read(&path).unwrap());
            let (sound, why) = validate(&path, *minor);
            let errors = errors(&reading);
            let fail = |what: String| wrong.lock().unwrap().push(format!("{path}: {what}"));
            if !reading.complete
                || reading.diagnostics.iter().any(|d| d.code.name() == "spirv-unknown-instruction")
            {
                fail(format!("not read whole: {:?}", reading.diagnostics));
            }
            if sound != errors.is_empty() && (sound || debug.is_none()) {
                fail(format!("valid: {sound} {why}, but found: {errors:?}"));
            }
            let module = reading.module.expect("a module");
            assert_eq!(reflect(&module).entry_points.len(), 1, "{path}");
            read_.fetch_add(1, Ordering::Relaxed);
            valid.fetch_add(usize::from(sound), Ordering::Relaxed);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let (read_, valid) = (read_.into_inner(), valid.into_inner());
    println!("{read_} modules of {} sources read, {valid} of them valid", sources().len());
    assert!(wrong.is_empty(), "{} of {read_}\n{}", wrong.len(), wrong.join("\n"));
    assert!(read_ > 600 && valid * 20 > read_ * 19, "{read_} {valid}");
}

/// Where a damaged module has an error, the validator must not take it.
#[test]
fn damaged_modules_are_judged_alike() {
    let folder = Folder::new("damaged");
    let rounds = std::env::var("SPIRV_VERDICTS").ok().and_then(|v| v.parse().ok()).unwrap_or(12);
    let mut items = Vec::new();
    for path in files(&root().join("fixtures/spirv/spv")) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let minor = match name.rsplit('.').nth(1).unwrap() {
            "v10" => 0,
            "v13" => 3,
            _ => 6,
        };
        items.push((name, fs::read(path).unwrap(), minor));
    }
    let wrong = Mutex::new(Vec::new());
    let (judged, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&items, |(name, bytes, minor)| {
        let mut state =
            name.bytes().fold(0x5eed_0201u64, |s, b| s.wrapping_mul(31).wrapping_add(u64::from(b)));
        let mut next = |n: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % n.max(1) as u64) as usize
        };
        let words = bytes.len() / 4;
        let bound = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
        for round in 0..rounds {
            let mut module = bytes.clone();
            let at = 5 + next(words - 5);
            let old = u32::from_le_bytes(module[4 * at..4 * at + 4].try_into().unwrap());
            let new = match next(5) {
                0 => next(bound as usize + 2) as u32,
                1 => old ^ (1 << next(32)),
                2 => old ^ (1 << (16 + next(3))),
                3 => old.wrapping_add(1),
                _ => next(8) as u32,
            };
            module[4 * at..4 * at + 4].copy_from_slice(&new.to_le_bytes());
            let errors = errors(&read(&module));
            judged.fetch_add(1, Ordering::Relaxed);
            if errors.is_empty() {
                continue;
            }
            refused.fetch_add(1, Ordering::Relaxed);
            let path = folder.0.join(name);
            fs::write(&path, &module).unwrap();
            let (sound, _) = validate(path.to_str().unwrap(), *minor);
            if sound {
                let what = format!("{name} round {round}: word {at} was {old:#x}, is {new:#x}: {errors:?}");
                wrong.lock().unwrap().push(what);
            }
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let (judged, refused) = (judged.into_inner(), refused.into_inner());
    println!("{judged} damaged modules, errors in {refused}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused * 10 > judged, "{refused} of {judged}");
}

/// The shared modules, where the checkout has them beside it; the fixtures always.
#[test]
fn given_modules_are_judged_alike() {
    let mut all = files(&root().join("fixtures/spirv/spv"));
    let shared = root().join("../shared/renderpack/spv");
    for part in ["accepted", "negative", "mutated"].map(|p| shared.join(p)) {
        if part.is_dir() {
            all.extend(files(&part));
        }
    }
    for path in all {
        let reading = read(&fs::read(&path).unwrap());
        let text = path.to_str().unwrap();
        let (sound, why) = run("spirv-val", &["--target-env", "vulkan1.3", text]);
        // The validator does not look at the reserved word of the header.
        let errors: Vec<_> =
            errors(&reading).into_iter().filter(|e| !e.starts_with("spirv-schema:")).collect();
        assert!(!sound || errors.is_empty(), "{text}: valid, but {errors:?}");
        let damaged = text.contains("/mutated/");
        assert!(reading.complete || damaged, "{text}: {errors:?} {why}");
    }
}
