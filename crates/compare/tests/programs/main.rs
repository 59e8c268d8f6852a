//! Random programs of pixels and vertices: any bits in any register, arrays and dynamic indices, nested branches, loops,
//! switches and subroutines; in tests of their own, also textures and buffers. Only values that depend neither on the
//! bits of a NaN, the sign of a zero nor the flushing of denormals are compared: GLSL leaves these open, and the program
//! may take them for integers.
//!
//! `PROGRAMS=n` runs more, `SEED=n` begins elsewhere, `REGISTERS=float` translates to a float register file.

mod generate;

use generate::{Blocks, Frame, IMPLICIT, ROWS, WHOLE_FROM, build, make, smaller};
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, draw, execute_row, makes_nan, translate};
use shaderport_dxbc::disasm::disassemble;
use shaderport_dxbc::{Opcode, Program, Stage};
use shaderport_exec::{ErrorKind, Executor, Outputs, Step};
use shaderport_gl_harness::{Backend, Output, Worker};
use shaderport_glsl::Translation;
use shaderport_glsl::options::{Options, Registers};
use std::collections::BTreeSet;
use std::time::Duration;

/// Runs with what is open chosen at random, where a value differs: if one of them differs as well, it depends on that.
const FREE_RUNS: u64 = 256;

/// Seeds that showed a fault once, of the translation or of the comparison: they run every time.
const REGRESSIONS: [u64; 13] = [
    700_121, 700_123, 700_263, 700_270, 700_619, 700_630, 701_024, 701_087, 701_142, 910_493, 800_681,
    10_000_403, 21_000_011,
];

/// The same of programs that read a texture.
const TEXTURE_REGRESSIONS: [u64; 8] =
    [19, 25, 5480, 10_000_021, 10_000_057, 10_000_117, 10_000_140, 10_000_401];

/// Seeds of what a driver does in its own way, with textures or without: see `tests/drivers.rs`.
const KNOWN: [(Backend, bool, u64, &str); 3] = [
    (Backend::Mesa, false, 702_971, "Mesa compares a sum with its own term by the other"),
    (
        Backend::Mesa,
        false,
        710_717,
        "Mesa takes NaN for more than a value that it knows to be 0 on that path",
    ),
    (Backend::Mesa, true, 11_001_182, "Mesa compares a sum with its own term by the other"),
];

/// First seeds of those with the same choices, and what [`seeds_keep_their_programs`] makes of some programs.
const OLD: [(u64, u64); 4] = [
    (0, 0x692f_f620_ab7e_7caf),
    (1000, 0x5081_0307_37cc_da4a),
    (700_000, 0xa5af_e241_19e5_52f1),
    (10_000_000, 0xc8df_a5dd_a63c_2fb6),
];

fn options() -> Options {
    let registers = match std::env::var("REGISTERS").as_deref() {
        Ok("float") => Registers::Float,
        _ => Registers::Typed,
    };
    Options { registers, ..draw::options() }
}

/// What draws, and what came of it.
struct Bench {
    worker: Worker,
    backend: Backend,
    /// Values compared.
    compared: u64,
}

/// What the GL left of a lane of an output.
fn found(
    output: &Output,
    translation: &Translation,
    stage: Stage,
    (register, row, lane): (usize, usize, usize),
) -> u32 {
    if stage == Stage::Pixel {
        return output.pixels[register][row][lane];
    }
    let varyings = &translation.manifest.varyings;
    let varying = varyings.iter().find(|v| v.register as usize == register).expect("every output is written");
    output.captured[&varying.name][row][lane]
}

/// Bits of a lane of an output.
fn value(outputs: &Outputs, register: usize, lane: usize) -> u32 {
    if outputs.discarded { draw::CLEAR } else { outputs.registers[register][lane] }
}

/// Whether an instruction makes a NaN, whose bits are open: of a half float as well.
fn opens(program: &Program, step: &Step<'_>) -> bool {
    let halves = program.instructions[step.instruction].opcode == Opcode::F32ToF16;
    let nan = |bits: &u32| f32::from_bits(*bits).is_nan();
    makes_nan(program, step) || halves && step.reads.iter().any(|r| r.bits.iter().any(nan))
}

/// What came of a program.
#[derive(Debug, PartialEq)]
enum Found {
    Same,
    /// What is different, in a line.
    Different(String),
    /// Loops within loops and calls take longer than anyone waits: nothing is compared.
    Endless,
}

/// Instructions after which a row is taken for endless.
const ENDLESS: u64 = 20_000;

/// What comes of a program; `Err` if the text is refused.
///
/// `tests/drivers.rs` shows what is left out here: on Mesa, an integer may become 0 where a float may be added to it and
/// is not, as llvmpipe flushes what looks like a denormal.
fn difference(bench: &mut Bench, bytes: &[u8], scene: &Scene) -> Result<Found, String> {
    let subject = Subject::new(bytes).map_err(|e| format!("{e:?}"))?;
    let translation = translate(bytes, &options()).map_err(|e| format!("{e:?}"))?;
    let fail = |e: shaderport_exec::Error| e.to_string();
    let flushing = Executor::new(&subject.program).map_err(fail)?.limit(ENDLESS);
    let executors = [flushing.clone(), flushing.clone().keep_denormals(true)];
    let mut rows = Vec::new();
    for row in 0..scene.inputs.len() {
        let mut nan = false;
        let mut look = |step: &Step<'_>| nan |= opens(&subject.program, step);
        let mut runs = Vec::new();
        for executor in &executors {
            match execute_row(executor, scene, row, &mut look) {
                Ok(outputs) => runs.push(outputs),
                Err(e) if matches!(e.kind, ErrorKind::StepLimit(_)) => return Ok(Found::Endless),
                Err(e) => return Err(e.to_string()),
            }
        }
        rows.push((!nan).then_some(runs));
    }
    let job = draw::job(&translation, scene)?;
    let output = bench.worker.draw(&job).map_err(|e| format!("{e}\n{}", translation.source))?;
    for (row, runs) in rows.iter().enumerate() {
        let Some(runs) = runs else { continue };
        for target in 0..4 {
            for lane in 0..4 {
                let found = found(&output, &translation, subject.program.stage, (target, row, lane));
                let value = |run: &Outputs| value(run, target, lane);
                let a = value(&runs[0]);
                let open = || {
                    (0..FREE_RUNS).any(|seed| {
                        // What makes a NaN then may depend on its bits, which are open, too.
                        let mut nan = false;
                        let mut look = |step: &Step<'_>| nan |= opens(&subject.program, step);
                        let run = execute_row(&flushing.clone().free(seed), scene, row, &mut look);
                        run.is_ok_and(|run| nan || value(&run) != a)
                    })
                };
                let flushed = bench.backend == Backend::Mesa && a & 0x7f80_0000 == 0 && a & 1 << 31 == found;
                bench.compared += u64::from(a == value(&runs[1]));
                if a == value(&runs[1]) && a != found && !flushed && !open() {
                    return Ok(Found::Different(format!(
                        "row {row} o{target} lane {lane}: expected {a:08x}, found {found:08x}, of {:08x?}",
                        scene.inputs[row].registers[..2].as_flattened()
                    )));
                }
            }
        }
    }
    Ok(Found::Same)
}

fn shrink(bench: &mut Bench, mut blocks: Blocks, frame: &Frame, scene: &Scene) -> Blocks {
    let mut tries = 0;
    // A program that is refused must not become one that differs, or the other way about.
    let refused = difference(bench, &build(&blocks, frame), scene).is_err();
    'again: loop {
        for n in 0..blocks.len() {
            for candidate in smaller(&blocks[n]) {
                tries += 1;
                if tries > 1500 {
                    return blocks;
                }
                let mut fewer = blocks.clone();
                fewer[n] = candidate;
                let found = difference(bench, &build(&fewer, frame), scene);
                if !matches!(found, Ok(Found::Same | Found::Endless)) && found.is_err() == refused {
                    blocks = fewer;
                    continue 'again;
                }
            }
        }
        return blocks;
    }
}

fn run(backend: Backend, default: u64, textures: bool) {
    let number =
        |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, seed) = (number("PROGRAMS", default), number("SEED", WHOLE_FROM));
    let worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let mut bench = Bench { worker, backend, compared: 0 };
    let (mut bad, mut programs, mut endless) = (0, 0, 0);
    let regressions = if textures { &TEXTURE_REGRESSIONS[..] } else { &REGRESSIONS[..] };
    let known = KNOWN.iter().filter(|k| (k.0, k.1) == (backend, textures));
    let seeds = regressions.iter().copied().chain(known.clone().map(|k| k.2));
    for seed in seeds.chain(seed..seed + count) {
        // Mesa's interpolation functions fail on points (`tests/drivers.rs`).
        let (blocks, frame, scene) = make(seed, textures, backend == Backend::Angle);
        let compared = bench.compared;
        let found = difference(&mut bench, &build(&blocks, &frame), &scene);
        if let Some((.., why)) = known.clone().find(|k| k.2 == seed) {
            bench.compared = compared;
            if !matches!(found, Ok(Found::Different(_))) {
                bad += 1;
                println!("seed {seed}: {found:?}, although {why}");
            }
            continue;
        }
        programs += u64::from(found != Ok(Found::Endless));
        match found {
            Ok(Found::Same) => continue,
            Ok(Found::Endless) => {
                endless += 1;
                continue;
            }
            Ok(Found::Different(what)) => println!("DIFF seed {seed}: {what}"),
            Err(what) => println!("FAIL seed {seed}: {what}"),
        }
        bad += 1;
        if bad > 5 {
            break;
        }
        let blocks = shrink(&mut bench, blocks, &frame, &scene);
        let bytes = build(&blocks, &frame);
        println!("  smallest: {:?}", difference(&mut bench, &bytes, &scene));
        let mut listing = String::new();
        disassemble(&Subject::new(&bytes).unwrap().program, &mut listing);
        let code: Vec<_> = listing.lines().skip_while(|l| !l.starts_with("dcl_index")).collect();
        println!("{}", code.join("\n"));
        println!("{}", translate(&bytes, &options()).unwrap().source);
    }
    assert_eq!(bad, 0);
    let share = bench.compared * 100 / (programs * ROWS as u64 * 16);
    println!("{programs} programs, {} values, {share} of 100; {endless} do not end", bench.compared);
    assert!(endless <= (programs / 100).max(1), "{endless} programs do not end");
    assert!(share >= 50 || programs < 10, "only {share} of 100 values were compared");
}

/// The opcodes that a stage is translated with are in the programs of a few seeds, but for what vertices cannot have.
#[test]
fn every_opcode_is_in_some_program() {
    let mut seen = BTreeSet::new();
    for seed in WHOLE_FROM..WHOLE_FROM + 200 {
        for textures in [false, true] {
            let (blocks, frame, _) = make(seed, textures, true);
            let bytes = build(&blocks, &frame);
            let program = Subject::new(&bytes).unwrap().program;
            seen.extend(program.instructions.iter().map(|i| (program.stage, i.opcode)));
        }
    }
    for stage in [Stage::Pixel, Stage::Vertex] {
        let all = Opcode::ALL.iter().copied().filter(|&opcode| {
            let info = opcode.info();
            info.stages.contains(stage) && opcode.is_sayable() && !opcode.is_declaration()
        });
        // Forms with a status are in `reads.rs` and `derivatives.rs`.
        let all = all.filter(|&opcode| opcode.without_feedback() == opcode);
        let missing = all.filter(|&opcode| !seen.contains(&(stage, opcode)));
        let expected: BTreeSet<_> = match stage {
            Stage::Vertex => IMPLICIT.into(),
            _ => BTreeSet::new(),
        };
        assert_eq!(missing.collect::<BTreeSet<_>>(), expected, "{stage:?}");
    }
}

/// `REGRESSIONS` and `KNOWN` name programs by their seeds: what newer seeds have more leaves the programs of older ones
/// as they were.
#[test]
fn seeds_keep_their_programs() {
    let found = OLD.map(|(first, _)| {
        // FNV-1a.
        let mut sum = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |word: u32| sum = (sum ^ u64::from(word)).wrapping_mul(0x100_0000_01b3);
        for (seed, textures) in (first..first + 20).flat_map(|seed| [(seed, false), (seed, true)]) {
            let (blocks, frame, scene) = make(seed, textures, true);
            build(&blocks, &frame).into_iter().for_each(|byte| add(byte.into()));
            let constants = scene.bindings.constants.values().flat_map(|b| b.rows());
            let inputs = scene.inputs.iter().flat_map(|i| &i.registers);
            constants.chain(inputs).flatten().for_each(|&word| add(word));
        }
        (first, sum)
    });
    assert_eq!(found, OLD);
}

#[test]
fn angle() {
    run(Backend::Angle, 100, false);
}

#[test]
fn mesa() {
    run(Backend::Mesa, 20, false);
}

#[test]
fn angle_with_textures() {
    run(Backend::Angle, 60, true);
}

#[test]
fn mesa_with_textures() {
    run(Backend::Mesa, 10, true);
}
