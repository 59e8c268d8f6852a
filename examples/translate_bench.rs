//! Times translation in process: `cargo run --release --example translate_bench -- LIST ROUNDS`.
//!
//! LIST names one DXBC file a line. Each is translated ROUNDS times in a row, from its bytes to text and manifest JSON,
//! and its best time counts. Then the whole list is gone through ROUNDS times, so that caches and branch predictors come
//! from other files, as in a batch; that figure stands by itself. Files that are not translated are skipped and counted.

use shaderport::{Container, FailureKind, Options, Program, translate};
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, rounds] = &arguments[..] else {
        eprintln!("usage: translate_bench LIST ROUNDS");
        return ExitCode::from(2);
    };
    match rounds.parse().map_err(Into::into).and_then(|rounds| run(list, rounds)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(list: &str, rounds: u32) -> Result<(), Box<dyn Error>> {
    let names = std::fs::read_to_string(list).map_err(|e| format!("{list}: {e}"))?;
    let read = |name: &str| std::fs::read(name).map_err(|e| format!("{name}: {e}"));
    let files: Vec<Vec<u8>> =
        names.lines().map(str::trim).filter(|n| !n.is_empty()).map(read).collect::<Result<_, _>>()?;

    let options = Options::default();
    let (mut refused, mut invalid) = (0u32, 0u32);
    let sound: Vec<&[u8]> = files
        .iter()
        .map(Vec::as_slice)
        .filter(|bytes| match translate(bytes, &options) {
            Ok(_) => true,
            Err(failure) => {
                match failure.kind {
                    FailureKind::Refused => refused += 1,
                    FailureKind::Invalid => invalid += 1,
                }
                false
            }
        })
        .collect();

    let time = |bytes: &[u8]| {
        let start = Instant::now();
        let stage = translate(black_box(bytes), &options).ok()?;
        let output = black_box((stage.source, stage.manifest.to_json()));
        Some((start.elapsed(), output.0.len() + output.1.len()))
    };
    let mut in_a_row = vec![Duration::MAX; sound.len()];
    let mut in_turn = in_a_row.clone();
    let mut produced = 0usize;
    for (bytes, best) in sound.iter().zip(&mut in_a_row) {
        let mut size = 0;
        for (elapsed, n) in (0..rounds).filter_map(|_| time(bytes)) {
            *best = elapsed.min(*best);
            size = n;
        }
        produced += size;
    }
    for _ in 0..rounds {
        for (bytes, best) in sound.iter().zip(&mut in_turn) {
            *best = time(bytes).map_or(*best, |t| t.0.min(*best));
        }
    }

    println!("{} files, {refused} refused, {invalid} invalid, {rounds} rounds", sound.len());
    if sound.is_empty() || rounds == 0 {
        return Ok(());
    }
    let [seconds, turns] = [in_a_row, in_turn].map(|best| best.iter().sum::<Duration>().as_secs_f64());
    let bytes = sound.iter().map(|b| b.len()).sum::<usize>() as f64;
    let instructions = sound.iter().filter_map(|b| instruction_count(b)).sum::<usize>() as f64;
    println!("sum of best times: {:.3} ms", seconds * 1e3);
    println!("{:.1} us/file", seconds * 1e6 / sound.len() as f64);
    println!("{:.2} ns/byte, {:.1} MB/s of DXBC", seconds * 1e9 / bytes, bytes / seconds / 1e6);
    println!("{:.0} instructions/s", instructions / seconds);
    println!(
        "one file after another: {:.1} us/file, {:.2} ns/byte",
        turns * 1e6 / sound.len() as f64,
        turns * 1e9 / bytes
    );
    println!("{:.1} MB in, {:.1} MB out", bytes / 1e6, produced as f64 / 1e6);
    if let Some(peak) = peak_memory() {
        println!("peak memory: {peak}");
    }
    Ok(())
}

/// Executable instructions of a shader.
fn instruction_count(bytes: &[u8]) -> Option<usize> {
    let chunk = Container::parse(bytes).ok()?.program_chunk().ok()?;
    let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).ok()?;
    Some(program.instructions.iter().filter(|i| !i.opcode.is_declaration()).count())
}

/// The process's peak memory, where the system tells.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.trim().to_string())
}
