//! Registers that others index, inside and out of range: indexable temporaries read and written, constants, immediate
//! constants, inputs and outputs. Every two of mask, swizzle, immediate part of the index, lane and register that hold
//! the rest, and instruction are together, by vertices or by pixels and on one of the GLs; of outputs, every fourth such
//! row is taken. `ALL=1` takes all of them together, by both and on both (`ALL=n`: every `n`th).

use shaderport_asm::{Idx, Operand, Shader, Type, cb, icb, l, o, r, v, x};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Tolerance, compare_and_show};
use shaderport_dxbc::{Opcode, Stage};
use shaderport_exec::{Bindings, ConstantBuffer, Inputs};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

const ROWS: usize = 64;
const SWIZZLES: [&str; 4] = ["xyzw", "wzxy", "yyyy", "zwwx"];
/// What is added to the register's lane.
const IMMEDIATES: [u32; 3] = [0, 1, 3];
/// Of inputs. All are indexed: what an index outside of the range of a declaration reads is open (22.3.27).
const INPUTS: u32 = 6;
/// Of outputs that are indexed.
const OUTPUTS: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Temps,
    Constants,
    Immediates,
    Inputs,
    /// Elements of indexable temporaries, written.
    Written,
    Outputs,
}

const FILES: [File; 6] =
    [File::Temps, File::Constants, File::Immediates, File::Inputs, File::Written, File::Outputs];

impl File {
    fn count(self) -> u32 {
        match self {
            File::Temps | File::Written => 5,
            File::Constants => 7,
            File::Immediates => 6,
            File::Inputs => INPUTS,
            File::Outputs => OUTPUTS,
        }
    }

    /// Outputs that one variant takes.
    fn outputs(self) -> usize {
        match self {
            File::Written => 5,
            File::Outputs => OUTPUTS as usize,
            _ => 1,
        }
    }
}

/// Mask, swizzle, immediate part, lane of the index, where it is, and instruction.
fn factors() -> Factors {
    let mut factors = Factors::default();
    for count in [15, SWIZZLES.len(), IMMEDIATES.len(), 4, 3, 2] {
        factors.add(count);
    }
    factors
}

fn lanes(mask: usize) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

/// Adds an instruction with an indexed register; its results go to outputs from `first` on.
fn add(shader: &mut Shader, file: File, row: &[usize], first: u32) {
    let &[mask, swizzle, immediate, lane, place, instruction] = row else { unreachable!() };
    let (mask, swizzle, lane) = (lanes(mask + 1), SWIZZLES[swizzle], ["x", "y", "z", "w"][lane]);
    shader.op(Opcode::Mov, &[r(0, "xyzw"), v(0, "xyzw")]).op(Opcode::Mov, &[r(1, "xyzw"), v(1, "wzyx")]);
    let register = match place {
        0 => r(0, lane),
        1 => v(0, lane),
        _ => x(1, 0, lane),
    };
    let index = || Idx::from((register.clone(), IMMEDIATES[immediate]));
    let op = |shader: &mut Shader, dest: Operand, source: Operand| match instruction {
        0 => _ = shader.op(Opcode::Mov, &[dest, source]),
        _ => _ = shader.op(Opcode::Iadd, &[dest, -source, l(3u32)]),
    };
    let source = match file {
        File::Temps => x(0, index(), swizzle),
        File::Constants => cb(0, index(), swizzle),
        File::Immediates => icb(index(), swizzle),
        File::Inputs => v(index(), swizzle),
        File::Written => {
            fill(shader);
            op(shader, x(0, index(), &mask), v(1, swizzle));
            for n in 0..file.count() {
                shader.op(Opcode::Mov, &[o(first + n, "xyzw"), x(0, n, "xyzw")]);
            }
            return;
        }
        File::Outputs => {
            for n in 0..OUTPUTS {
                shader.op(Opcode::Mov, &[o(n, "xyzw"), v(2 + n, "xyzw")]);
            }
            op(shader, o(index(), &mask), v(1, swizzle));
            return;
        }
    };
    op(shader, r(1, &mask), source);
    shader.op(Opcode::Mov, &[o(first, "xyzw"), r(1, "xyzw")]);
}

/// Gives every element of the indexable temporaries a value of its own.
fn fill(shader: &mut Shader) {
    for n in 0..File::Temps.count() {
        shader.op(Opcode::Xor, &[x(0, n, "xyzw"), v(2 + n % OUTPUTS, "xyzw"), l(n)]);
    }
}

fn shader(stage: Stage, file: File, rows: &[Vec<usize>], random: &mut Random) -> Vec<u8> {
    let mut shader = Shader::new(stage);
    if file == File::Immediates {
        let rows = (0..file.count()).map(|_| [(); 4].map(|()| random.bits()));
        shader.immediate_constants(&rows.collect::<Vec<_>>());
    }
    for n in 0..INPUTS {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    shader.index_range(v(0, "xyzw"), INPUTS);
    let outputs = (rows.len() * file.outputs()) as u32;
    for n in 0..outputs {
        match stage {
            Stage::Vertex => shader.output(n, "xyzw", &format!("B{n}"), Type::Uint),
            _ => shader.target(n, "xyzw", Type::Uint),
        };
    }
    if file == File::Outputs {
        shader.index_range(o(0, "xyzw"), OUTPUTS);
    }
    if file == File::Constants {
        shader.constant_buffer(0, file.count(), true);
    }
    shader.temps(2).indexable_temp(0, File::Temps.count(), 4).indexable_temp(1, 1, 4);
    shader.op(Opcode::Mov, &[x(1, 0, "xyzw"), v(0, "xyzw")]);
    fill(&mut shader);
    for (n, row) in rows.iter().enumerate() {
        add(&mut shader, file, row, (n * file.outputs()) as u32);
    }
    shader.op(Opcode::Ret, &[]);
    shader.build()
}

/// In range, at its ends, and far out; what wraps round with an immediate part as well.
fn index(file: File, random: &mut Random) -> u32 {
    let count = file.count();
    let edges = [
        0,
        1,
        count - 1,
        count,
        count + 1,
        u32::MAX,
        u32::MAX - 1,
        u32::MAX - 2,
        0x8000_0000,
        0x7fff_ffff,
        0x1_0000,
        0x4000_0000,
    ];
    if random.once_in(2) { random.below(count) } else { random.pick(&edges) }
}

fn compare(
    worker: &mut Worker,
    stage: Stage,
    file: File,
    rows: &[Vec<usize>],
    random: &mut Random,
) -> Option<usize> {
    let bytes = shader(stage, file, rows, random);
    let mut words = |_| [(); 4].map(|()| random.bits());
    let constants = ConstantBuffer::from_rows((0..file.count()).map(&mut words).collect());
    let inputs = (0..ROWS).map(|_| {
        let mut inputs = Inputs::default();
        for n in 1..INPUTS {
            inputs.registers[n as usize] = [(); 4].map(|()| random.bits());
        }
        inputs.register(0, [(); 4].map(|()| index(file, random)))
    });
    let scene = Scene::points(inputs.collect(), Bindings::default().constants(0, constants), 16);
    compare_and_show(worker, &bytes, &scene, Tolerance::EXACT, &format!("{stage:?} {file:?}"), 1)
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let all = share().is_some();
    let rows = factors().rows(1);
    let (mut bad, mut compared, mut shaders) = (0, 0, 0);
    for (k, file) in FILES.into_iter().enumerate() {
        for stage in [Stage::Vertex, Stage::Pixel] {
            let outputs = if stage == Stage::Vertex { 16 } else { 4 };
            // A pixel shader has too few targets for what takes several.
            if stage == Stage::Pixel && file.outputs() > 1 {
                continue;
            }
            let mut random = Random::new(k as u64);
            let tried = |n: &usize| match file {
                _ if all => true,
                // Each takes a shader of its own.
                File::Outputs => n.is_multiple_of(4),
                File::Written => true,
                _ => n % 2 == stage as usize,
            };
            let rows: Vec<_> = (0..rows.len()).filter(tried).map(|n| rows[n].clone()).collect();
            let each = if file == File::Outputs { 1 } else { outputs / file.outputs() };
            for (n, rows) in rows.chunks(each).enumerate() {
                if !all && (n + k) % 2 != backend as usize {
                    continue;
                }
                shaders += 1;
                match compare(&mut worker, stage, file, rows, &mut random) {
                    Some(values) => compared += values,
                    None => bad += 1,
                }
            }
        }
    }
    println!("{compared} values in {shaders} shaders");
    assert_eq!(bad, 0);
    assert!(compared > 10_000, "only {compared} values");
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}

/// Every two choices are together in the everyday run.
#[test]
fn every_two_choices_meet() {
    let (factors, rows) = (factors(), factors().covering(1));
    assert_eq!(factors.unmet(&rows), None);
}
