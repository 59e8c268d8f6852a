//! Every arithmetic opcode, with edge operands, masks, modifiers and destinations that are sources.
//!
//! `ROUNDS=n` tries more variants of each, `ONLY=add` one opcode, `REGISTERS=float` the float register file.

use shaderport_asm::{Ins, Operand, Shader, Type, l4, null, o, r, v};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, bounds, draw, execute_row, translate};
use shaderport_dxbc::opcode::Es300;
use shaderport_dxbc::{Family, Opcode, Program, ScalarType, Slot};
use shaderport_exec::{Bindings, Executor, Inputs, Outputs, Step};
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{Options, Registers};
use std::collections::BTreeMap;
use std::time::Duration;

const WIDTH: usize = 32;
const ROWS: usize = 512;

const FLOATS: [u32; 40] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0xbfc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x3eff_ffff,
    0x3f7f_ffff,
    0x3f80_0001,
    0xb400_0000,
    0x4040_0000,
    0xc040_0000,
    0x4b00_0001,
    0xcb7f_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0x4f80_0000,
    0x4f7f_ffff,
    0x477f_e000,
    0x4780_0000,
    0x3380_0000,
    0x3880_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc1_2345,
    0x7f80_0001,
];

const INTS: [u32; 24] = [
    0,
    1,
    2,
    3,
    4,
    5,
    8,
    15,
    16,
    30,
    31,
    32,
    33,
    63,
    64,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0xffff_fffe,
    0xaaaa_aaaa,
    0x1234_5678,
    0x0001_0000,
];

fn value(random: &mut Random, ty: ScalarType) -> u32 {
    match ty {
        ScalarType::Float => match random.below(4) {
            0 => random.dyadic(-8.0, 8.0).to_bits(),
            // Any exponent near 0.
            1 => random.bits() & 0x8fff_ffff | 0x3800_0000,
            _ => random.pick(&FLOATS),
        },
        ScalarType::Test if random.once_in(2) => 0,
        ScalarType::Any if random.once_in(2) => random.pick(&FLOATS),
        _ if random.once_in(3) => random.bits(),
        _ => random.pick(&INTS),
    }
}

/// How the results of an opcode are compared.
#[derive(Clone, Copy)]
enum How {
    Bits,
    /// By the table of bounds.
    Float(Opcode),
    /// Only where the argument is small.
    Sine,
    /// NaN has no sign.
    Half,
    /// Not where a sum of products may overflow when it is put another way.
    Dot(Opcode),
}

fn how(opcode: Opcode, ty: ScalarType, changed: bool) -> How {
    match (opcode, ty) {
        (Opcode::SinCos, _) => How::Sine,
        (Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4, _) => How::Dot(opcode),
        (Opcode::F32ToF16, _) => How::Half,
        (_, ScalarType::Float) => How::Float(opcode),
        (_, ScalarType::Any) if changed => How::Float(opcode),
        _ => How::Bits,
    }
}

fn sources(opcode: Opcode) -> Vec<ScalarType> {
    let types = opcode.info().slots.iter().filter_map(|s| if let Slot::Src(t) = s { Some(*t) } else { None });
    types.collect()
}

fn dests(opcode: Opcode) -> Vec<ScalarType> {
    let types =
        opcode.info().slots.iter().filter_map(|s| if let Slot::Dest(t) = s { Some(*t) } else { None });
    types.collect()
}

fn opcodes() -> Vec<Opcode> {
    let families =
        [Family::Float, Family::Integer, Family::Bit, Family::Compare, Family::Convert, Family::Move];
    let all = Opcode::ALL.iter().copied();
    all.filter(|op| {
        families.contains(&op.info().family)
            && matches!(op.info().es300, Es300::Says(_))
            && *op != Opcode::Nop
    })
    .collect()
}

fn modified(opcode: Opcode, operand: Operand, ty: ScalarType, random: &mut Random) -> (Operand, bool) {
    // It has no modifiers (22.9.3).
    if opcode == Opcode::Swapc {
        return (operand, false);
    }
    match (ty, random.below(5)) {
        (ScalarType::Float | ScalarType::Any, 0) => (-operand, true),
        (ScalarType::Float | ScalarType::Any, 1) => (operand.abs(), true),
        (ScalarType::Float | ScalarType::Any, 2) => (-operand.abs(), true),
        (ScalarType::Int | ScalarType::Bits, 0) => (-operand, false),
        _ => (operand, false),
    }
}

/// One opcode in four variants, each with an output register of its own for every destination.
struct Case {
    shader: Vec<u8>,
    /// Output register, mask and how to compare.
    outputs: Vec<(usize, &'static str, How)>,
}

const SWIZZLES: [&str; 8] = ["xyzw", "wzyx", "xxxx", "yxwz", "zwxy", "wwww", "yyzz", "zxyw"];
const MASKS: [&str; 8] = ["xyzw", "xyz", "xy", "x", "yw", "zw", "w", "xz"];

fn case(opcode: Opcode, random: &mut Random) -> Case {
    let (from, to) = (sources(opcode), dests(opcode));
    let mut shader = Shader::pixel();
    for n in 0..from.len() as u32 {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    let per_variant = to.len();
    let variants = 4 / per_variant;
    for n in 0..(variants * per_variant) as u32 {
        shader.target(n, "xyzw", Type::Uint);
    }
    shader.temps(12);
    let mut outputs = Vec::new();
    for variant in 0..variants {
        // Temporaries: 0.. the sources, 6.. results.
        let aliases = random.once_in(2);
        let in_temps = aliases || random.once_in(2);
        if in_temps {
            for n in 0..from.len() as u32 {
                shader.op(Opcode::Mov, &[r(n, "xyzw"), v(n, "xyzw")]);
            }
        }
        let mut changed = false;
        let mut literal = random.once_in(4);
        let mut values = Vec::new();
        for (n, ty) in from.iter().enumerate() {
            let swizzle = random.pick(&SWIZZLES);
            let is_literal = literal && random.once_in(2);
            let operand = if is_literal {
                literal = false;
                l4([0; 4].map(|_: u32| value(random, *ty)))
            } else if in_temps {
                r(n as u32, swizzle)
            } else {
                v(n as u32, swizzle)
            };
            let (operand, float) = modified(opcode, operand, *ty, random);
            changed |= float;
            values.push(operand);
        }
        let saturate = matches!(to[0], ScalarType::Float | ScalarType::Any)
            && opcode != Opcode::Swapc
            && opcode.info().family != Family::Convert
            && random.once_in(3);
        changed |= saturate;
        let mut operands = Vec::new();
        let mut results = Vec::new();
        for (n, ty) in to.iter().enumerate() {
            let mask = random.pick(&MASKS);
            let register = if aliases && n < from.len() { n as u32 } else { 6 + n as u32 };
            let may_be_null = matches!(opcode, Opcode::SinCos | Opcode::Imul | Opcode::Umul | Opcode::Udiv)
                || n == 1 && matches!(opcode, Opcode::Uaddc | Opcode::Usubb);
            if to.len() == 2 && may_be_null && results.is_empty() != (n == 1) && random.once_in(4) {
                operands.push(null());
                continue;
            }
            operands.push(r(register, mask));
            results.push((n, register, mask, *ty));
        }
        operands.extend(values);
        let ins = Ins::new(opcode, &operands);
        shader.push(if saturate { ins.sat() } else { ins });
        for (n, register, mask, ty) in results {
            let output = variant * per_variant + n;
            shader.op(Opcode::Mov, &[o(output as u32, mask), r(register, "xyzw")]);
            outputs.push((output, mask, how(opcode, ty, changed)));
        }
    }
    shader.op(Opcode::Ret, &[]);
    Case { shader: shader.build(), outputs }
}

fn lanes(mask: &str) -> impl Iterator<Item = usize> + '_ {
    mask.chars().filter_map(|c| "xyzw".find(c))
}

fn same(
    how: How,
    backend: Backend,
    (expected, found): (u32, u32),
    inputs: &Inputs,
    terms: Option<f32>,
) -> bool {
    let terms = terms.unwrap_or(0.0);
    match how {
        How::Bits => expected == found,
        How::Float(opcode) => bounds::tolerance(opcode, backend, terms).accepts(expected, found),
        How::Half => expected == found || [expected, found].iter().all(|h| h & 0x7fff > 0x7c00),
        How::Dot(opcode) => {
            let mut all = inputs.registers.as_flattened().iter().map(|&x| f32::from_bits(x));
            let large = all.any(|x| x.is_nan() || x.abs() > 1e6);
            large || bounds::tolerance(opcode, backend, terms).accepts(expected, found)
        }
        How::Sine => {
            let argument = inputs.registers[0].map(f32::from_bits);
            let large = argument.iter().any(|x| x.abs() > 100.0);
            large || bounds::tolerance(Opcode::SinCos, backend, 0.0).accepts(expected, found)
        }
    }
}

/// The outputs of every row, and in each lane of each of its sums of products what the magnitudes of the terms come to.
fn expected(program: &Program, scene: &Scene) -> Vec<(Outputs, Vec<[f32; 4]>)> {
    let executor = Executor::new(program).unwrap().limit(10_000);
    let row = |row| {
        let mut terms = BTreeMap::new();
        let mut look = |step: &Step<'_>| {
            let read = |n: usize| step.reads[n].bits.map(f32::from_bits);
            let dot = |lanes: usize| [(0..lanes).map(|n| (read(0)[n] * read(1)[n]).abs()).sum(); 4];
            let sums: [f32; 4] = match program.instructions[step.instruction].opcode {
                Opcode::Dp2 => dot(2),
                Opcode::Dp3 => dot(3),
                Opcode::Dp4 => dot(4),
                Opcode::Mad => std::array::from_fn(|n| (read(0)[n] * read(1)[n]).abs() + read(2)[n].abs()),
                _ => return,
            };
            terms.insert(step.instruction, sums);
        };
        let outputs = execute_row(&executor, scene, row, &mut look).unwrap();
        (outputs, terms.into_values().collect())
    };
    (0..scene.inputs.len()).map(row).collect()
}

fn options() -> Options {
    let registers = match std::env::var("REGISTERS").as_deref() {
        Ok("float") => Registers::Float,
        _ => Registers::Typed,
    };
    Options { registers, ..draw::options() }
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut bad = 0;
    for opcode in opcodes() {
        if !only.is_empty() && opcode.name() != only {
            continue;
        }
        for round in 0..rounds {
            let mut random = Random::new(opcode as u64 * 1000 + round);
            let case = case(opcode, &mut random);
            let types = sources(opcode);
            let inputs = (0..ROWS).map(|_| {
                let mut inputs = Inputs::default();
                for (n, ty) in types.iter().enumerate() {
                    inputs.registers[n] = std::array::from_fn(|_| value(&mut random, *ty));
                }
                inputs
            });
            let scene = Scene {
                bindings: Bindings::default(),
                inputs: inputs.collect(),
                width: WIDTH,
                position: None,
                elements: Vec::new(),
                corners: None,
            };
            let subject = Subject::new(&case.shader).unwrap();
            let translation = translate(&case.shader, &options()).unwrap();
            let (expected, terms): (Vec<_>, Vec<_>) = expected(&subject.program, &scene).into_iter().unzip();
            let job = draw::job(&translation, &scene).unwrap();
            let output = match worker.draw(&job) {
                Ok(output) => output,
                Err(e) => {
                    bad += 1;
                    println!("FAIL {opcode:?} round {round}: {e}\n{}", translation.source);
                    continue;
                }
            };
            let mut shown = 0;
            for &(register, mask, how) in &case.outputs {
                for (row, expected) in expected.iter().enumerate() {
                    for lane in lanes(mask) {
                        let (e, f) = (expected.registers[register][lane], output.pixels[register][row][lane]);
                        let terms = terms[row].get(register).copied();
                        if !same(how, backend, (e, f), &scene.inputs[row], terms.map(|t| t[lane])) {
                            shown += 1;
                            if shown <= 4 {
                                println!(
                                    "DIFF {opcode:?} round {round} o{register} lane {lane}: expected {e:08x} ({}) \
                                     found {f:08x} ({})",
                                    f32::from_bits(e),
                                    f32::from_bits(f)
                                );
                                for n in 0..types.len() {
                                    println!("      v{n} = {:08x?}", scene.inputs[row].registers[n]);
                                }
                            }
                        }
                    }
                }
            }
            if shown > 0 {
                bad += 1;
                println!("  {shown} of round {round}");
                for i in 0..subject.program.instructions.len() {
                    let i = &shaderport_dxbc::disasm::instruction_text(&subject.program, i);
                    if !i.starts_with("dcl") {
                        println!("      {i}");
                    }
                }
                if std::env::var_os("SHOW").is_some() {
                    println!("{}", translation.source);
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
