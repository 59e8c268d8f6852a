//! Every arithmetic opcode, its choices enumerated.
//!
//! - Operands, by pixels: every two edge operands of any two sources meet, under every two modifiers of sources and
//!   saturation.
//! - Shapes, by vertices: each write mask, modifier, swizzle, literal, saturation, destination that is a source and null
//!   destination, every two of them together on one of the GLs.
//!
//! `ALL=1` takes all of them together instead of every two, on both (`ALL=n`: every `n`th). `ONLY=add` tries one opcode,
//! `SHOW=1` shows the text of what differs, `REGISTERS=float` takes the float register file.

use shaderport_asm::{Ins, Operand, Shader, Type, l, l4, null, o, r, v};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, Tolerance, bounds, compare_scene, draw, execute_row, translate};
use shaderport_dxbc::opcode::Es300;
use shaderport_dxbc::{Family, Opcode, Program, ScalarType, Slot, Stage};
use shaderport_exec::{Bindings, Executor, Inputs, Outputs, Step};
use shaderport_gl_harness::{Backend, Output, Worker};
use shaderport_glsl::Translation;
use shaderport_glsl::options::{Options, Registers};
use std::collections::BTreeSet;
use std::time::Duration;

const WIDTH: usize = 32;
/// Rows where every two operands are to meet: 1,600 pairs in four lanes, and more.
const ROWS: usize = 416;
/// Rows for each shape.
const FEW_ROWS: usize = 64;
/// The first register that copies of sources are in; the sources are in those below.
const COPIES: u32 = 4;

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
#[derive(Clone, Copy, Debug)]
enum How {
    Bits,
    /// By the table of bounds.
    Float(Opcode),
    /// Only where the argument is small, or no number.
    Sine,
    /// NaN has no sign.
    Half,
    /// A sum of products, which may overflow when it is put another way, and whether it is saturated.
    Terms(Opcode, bool),
}

fn how(opcode: Opcode, ty: ScalarType, changed: bool, saturated: bool) -> How {
    match (opcode, ty) {
        (Opcode::SinCos, _) => How::Sine,
        (Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4 | Opcode::Mad, _) => How::Terms(opcode, saturated),
        (Opcode::F32ToF16, _) => How::Half,
        (_, ScalarType::Float) => How::Float(opcode),
        (_, ScalarType::Any) if changed => How::Float(opcode),
        _ => How::Bits,
    }
}

fn opcodes() -> impl Iterator<Item = Opcode> {
    let families =
        [Family::Float, Family::Integer, Family::Bit, Family::Compare, Family::Convert, Family::Move];
    let all = Opcode::ALL.iter().copied();
    all.filter(move |op| {
        families.contains(&op.info().family)
            && matches!(op.info().es300, Es300::Says(_))
            && *op != Opcode::Nop
    })
}

/// Beside the lanes as they are: one for all, others in another order, and some twice.
const SWIZZLES: [&str; 4] = ["xyzw", "wzxy", "yyyy", "zwwx"];

fn lanes(mask: usize) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

/// What an opcode may be written with: the numbers of its factors.
struct Rule {
    opcode: Opcode,
    from: Vec<ScalarType>,
    to: Vec<ScalarType>,
    factors: Factors,
    /// Of each destination: all masks but none, and `null` where it may be.
    masks: Vec<usize>,
    /// Of each destination: no source, one of the sources, or all sources.
    alias: Vec<usize>,
    /// Of each source: none, negated, of its magnitude, both.
    modifiers: Vec<usize>,
    swizzles: Vec<usize>,
    /// None of the sources, or one of them.
    literal: usize,
    saturate: usize,
    /// Whether sources are temporaries, or the inputs themselves.
    temps: usize,
}

impl Rule {
    fn new(opcode: Opcode) -> Rule {
        let slots = opcode.info().slots;
        let from: Vec<_> =
            slots.iter().filter_map(|s| if let Slot::Src(t) = s { Some(*t) } else { None }).collect();
        let to: Vec<_> =
            slots.iter().filter_map(|s| if let Slot::Dest(t) = s { Some(*t) } else { None }).collect();
        let mut factors = Factors::default();
        let n = from.len();
        let masks: Vec<_> = (0..to.len())
            .map(|d| {
                use Opcode::*;
                let null = to.len() == 2
                    && (matches!(opcode, SinCos | Imul | Umul | Udiv) || d == 1 && opcode != Swapc);
                factors.add(15 + usize::from(null))
            })
            .collect();
        if let [a, b] = masks[..] {
            factors.exclude((a, 15), (b, 15));
            // But with `ALL=1`: alone they would take more rows than all others.
            factors.need_not_meet(a, b);
        }
        // All sources are one register only where there is more than one.
        let alias: Vec<_> = to.iter().map(|_| factors.add(if n > 1 { n + 2 } else { 2 })).collect();
        let modifiers = from.iter().map(|ty| {
            factors.add(match ty {
                // It has none (22.9.3).
                _ if opcode == Opcode::Swapc => 1,
                ScalarType::Float | ScalarType::Any => 4,
                ScalarType::Int | ScalarType::Bits => 2,
                _ => 1,
            })
        });
        let modifiers: Vec<_> = modifiers.collect();
        let swizzles = from.iter().map(|_| factors.add(SWIZZLES.len())).collect();
        let literal = factors.add(n + 1);
        let saturates = matches!(to[0], ScalarType::Float | ScalarType::Any)
            && opcode != Opcode::Swapc
            && opcode.info().family != Family::Convert;
        let saturate = factors.add(1 + usize::from(saturates));
        let temps = factors.add(2);
        for &alias in &alias {
            for k in 1..=n {
                // A literal is no destination, and an input is none.
                factors.exclude((alias, k), (literal, k));
            }
            let aliases = if n > 1 { n + 2 } else { 2 };
            (1..aliases).for_each(|k| factors.exclude((alias, k), (temps, 0)));
        }
        if let [a, b] = alias[..] {
            (1..=n).for_each(|k| factors.exclude((a, k), (b, k)));
            // All sources are the first register.
            for (k, other) in [(1, n + 1), (n + 1, 1), (n + 1, n + 1)] {
                factors.exclude((a, k), (b, other));
            }
        }
        Rule { opcode, from, to, factors, masks, alias, modifiers, swizzles, literal, saturate, temps }
    }

    /// Every two modifiers, and saturation, together, or all, and nothing else.
    fn operands(&self, all: Option<usize>) -> Vec<Vec<usize>> {
        let full = |f: usize| if self.masks.contains(&f) { 14 } else { 0 };
        let varied = [&self.modifiers[..], &[self.saturate]].concat();
        if let Some(n) = all {
            return self.factors.product(|f| varied.contains(&f), full).into_iter().step_by(n).collect();
        }
        let mut alone = Factors::default();
        varied.iter().for_each(|&f| _ = alone.add(self.factors.count(f)));
        let rows = alone.covering(self.opcode as u64).into_iter().map(|chosen| {
            let mut row: Vec<usize> = (0..=self.temps).map(full).collect();
            varied.iter().zip(chosen).for_each(|(&f, v)| row[f] = v);
            row
        });
        rows.collect()
    }

    /// Every two choices together; or all, with swizzles in turn.
    fn shapes(&self, all: Option<usize>) -> Vec<Vec<usize>> {
        let Some(n) = all else { return self.factors.covering(self.opcode as u64) };
        let rows = self.factors.product(|f| !self.swizzles.contains(&f) && f != self.temps, |_| 1);
        let mut rows: Vec<_> = rows.into_iter().step_by(n).collect();
        let mut random = Random::new(self.opcode as u64);
        for row in &mut rows {
            self.swizzles.iter().for_each(|&f| row[f] = random.below(SWIZZLES.len() as u32) as usize);
            if self.alias.iter().all(|&f| row[f] == 0) {
                row[self.temps] = random.below(2) as usize;
            }
        }
        rows
    }

    /// Adds an instruction with the choices of a row to `shader`, its results to outputs from `first` on.
    fn add(&self, shader: &mut Shader, row: &[usize], first: usize, random: &mut Random) -> Vec<Wanted> {
        let n = self.from.len();
        let all = |alias: usize| alias == n + 1;
        let together = self.alias.iter().any(|&f| all(row[f]));
        // What is written has a copy of its own.
        let copied = |k: usize| self.alias.iter().any(|&f| row[f] == k + 1) || together && k == 0;
        for k in (0..n).filter(|&k| copied(k)) {
            shader.op(Opcode::Mov, &[r(COPIES + k as u32, "xyzw"), v(k as u32, "xyzw")]);
        }
        let mut changed = row[self.saturate] == 1;
        let mut sources = Vec::new();
        for (k, ty) in self.from.iter().enumerate() {
            let swizzle = SWIZZLES[row[self.swizzles[k]]];
            let of = if together { 0 } else { k };
            let operand = match row[self.temps] {
                _ if row[self.literal] == k + 1 => l4([0; 4].map(|_: u32| value(random, *ty))),
                0 => v(of as u32, swizzle),
                _ if copied(of) => r(COPIES + of as u32, swizzle),
                _ => r(of as u32, swizzle),
            };
            let float = matches!(ty, ScalarType::Float | ScalarType::Any);
            changed |= float && row[self.modifiers[k]] > 0;
            sources.push(modified(operand, row[self.modifiers[k]]));
        }
        let (mut operands, mut wanted, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        for (d, ty) in self.to.iter().enumerate() {
            // 0 is one lane at least.
            let mask = (row[self.masks[d]] + 1) & 15;
            if mask == 0 {
                operands.push(null());
                continue;
            }
            let output = first + d;
            let lanes = lanes(mask);
            let copy = match row[self.alias[d]] {
                0 => None,
                alias if all(alias) => Some(COPIES),
                alias => Some(COPIES + alias as u32 - 1),
            };
            operands.push(match copy {
                Some(register) => r(register, &lanes),
                None => {
                    // What the mask leaves out stays.
                    shader.op(Opcode::Mov, &[o(output as u32, "xyzw"), v(0, "wxyz")]);
                    o(output as u32, &lanes)
                }
            });
            copies.extend(copy.map(|register| (output as u32, register)));
            let how = how(self.opcode, *ty, changed, row[self.saturate] == 1);
            wanted.push(Wanted { output, mask, how, instruction: 0 });
        }
        operands.extend(sources);
        let ins = Ins::new(self.opcode, &operands);
        shader.push(if row[self.saturate] == 1 { ins.sat() } else { ins });
        for (output, register) in copies {
            shader.op(Opcode::Mov, &[o(output, "xyzw"), r(register, "xyzw")]);
        }
        wanted
    }

    /// A shader with an instruction for each row.
    fn shader(&self, stage: Stage, rows: &[Vec<usize>], random: &mut Random) -> (Vec<u8>, Vec<Wanted>) {
        let mut shader = Shader::new(stage);
        for n in 0..self.from.len() as u32 {
            shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
        }
        for n in 0..(rows.len() * self.to.len()) as u32 {
            match stage {
                Stage::Vertex => shader.output(n, "xyzw", &format!("B{n}"), Type::Uint),
                _ => shader.target(n, "xyzw", Type::Uint),
            };
        }
        shader.temps(2 * COPIES);
        for k in 0..self.from.len() as u32 {
            shader.op(Opcode::Mov, &[r(k, "xyzw"), v(k, "xyzw")]);
        }
        let mut wanted = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            let of_row = self.add(&mut shader, row, n * self.to.len(), random);
            wanted.extend(of_row.into_iter().map(|w| Wanted { instruction: n, ..w }));
        }
        shader.op(Opcode::Ret, &[]);
        (shader.build(), wanted)
    }
}

/// A result.
#[derive(Clone, Copy)]
struct Wanted {
    output: usize,
    mask: usize,
    how: How,
    /// Which of those of the opcode writes it.
    instruction: usize,
}

fn modified(operand: Operand, modifier: usize) -> Operand {
    match modifier {
        1 => -operand,
        2 => operand.abs(),
        3 => -operand.abs(),
        _ => operand,
    }
}

fn edges_of(ty: ScalarType) -> &'static [u32] {
    match ty {
        ScalarType::Float | ScalarType::Any => &FLOATS,
        _ => &INTS,
    }
}

/// Numbers of edge operands, one for each source: all together, or so few that every two of any two sources meet.
fn meetings(counts: &[usize], all: bool) -> Vec<Vec<usize>> {
    if counts.len() < 3 || all {
        let product = |rows: Vec<Vec<usize>>, &count: &usize| {
            rows.iter().flat_map(|row| (0..count).map(move |n| [&row[..], &[n]].concat())).collect()
        };
        return counts.iter().fold(vec![Vec::new()], product);
    }
    // a, b, a + b and a + 2b, modulo a prime: any two of these have every two values once.
    let is_prime = |n: &usize| (2..*n).all(|d| !n.is_multiple_of(d));
    let prime = (*counts.iter().max().unwrap_or(&2)..).find(is_prime).unwrap();
    let all = (0..prime).flat_map(|a| (0..prime).map(move |b| [a, b, (a + b) % prime, (a + 2 * b) % prime]));
    all.map(|row| row[..counts.len()].to_vec()).collect()
}

/// Rows in which edge operands of the sources meet, and random ones.
fn full_rows(types: &[ScalarType], all: bool, random: &mut Random) -> Vec<Inputs> {
    let counts: Vec<_> = types.iter().map(|ty| edges_of(*ty).len()).collect();
    let mut meetings = meetings(&counts, all);
    // Neighbours in a row should have nothing in common, for the sake of sums over lanes.
    for n in (1..meetings.len()).rev() {
        meetings.swap(n, random.below(n as u32 + 1) as usize);
    }
    let count = ROWS.max(meetings.len().div_ceil(4)).next_multiple_of(WIDTH);
    let mut rows = few_rows(types, count, random);
    for (n, meeting) in meetings.into_iter().enumerate() {
        for (k, edge) in meeting.into_iter().enumerate() {
            // Of the prime, some are no edges: these stay random.
            if let Some(&bits) = edges_of(types[k]).get(edge) {
                rows[n / 4].registers[k][n % 4] = bits;
            }
        }
    }
    rows
}

fn few_rows(types: &[ScalarType], count: usize, random: &mut Random) -> Vec<Inputs> {
    let row = |_| {
        let mut inputs = Inputs::default();
        for (n, ty) in types.iter().enumerate() {
            inputs.registers[n] = std::array::from_fn(|_| value(random, *ty));
        }
        inputs
    };
    (0..count).map(row).collect()
}

/// How large the terms of a sum of products are.
#[derive(Clone, Copy)]
enum Sum {
    /// The sum of the magnitudes.
    Within(f32),
    /// The same, with factors that are too large to be added before they are multiplied.
    Large(f32),
    /// Operands are infinite or NaN: what their order makes of these is open.
    Beyond,
    /// Its order decides whether it overflows, or terms share what is infinite or NaN.
    Overflows,
}

/// What a lane of an instruction read that its bound depends on.
#[derive(Clone, Copy)]
struct Read {
    argument: f32,
    sum: Sum,
}

fn same(how: How, backend: Backend, expected: u32, found: u32, read: Read) -> bool {
    match how {
        How::Bits => expected == found,
        How::Float(opcode) => bounds::tolerance(opcode, backend, 0.0).accepts(expected, found),
        How::Half => expected == found || [expected, found].iter().all(|h| h & 0x7fff > 0x7c00),
        How::Terms(opcode, saturated) => {
            let accepts = |terms| bounds::tolerance(opcode, backend, terms).accepts(expected, found);
            // Another infinity or NaN, but no other number.
            let beyond = |x: u32| {
                let x = f32::from_bits(x);
                !x.is_finite() || saturated && (x == 0.0 || x == 1.0)
            };
            match read.sum {
                Sum::Within(terms) => accepts(terms),
                Sum::Large(terms) => accepts(terms) || beyond(found),
                Sum::Beyond => accepts(0.0) || beyond(found),
                Sum::Overflows => true,
            }
        }
        How::Sine => {
            let large = read.argument.is_finite() && read.argument.abs() > 100.0;
            large || bounds::tolerance(Opcode::SinCos, backend, 0.0).accepts(expected, found)
        }
    }
}

/// The outputs of every row, and what each of the opcode's instructions read.
fn expected(program: &Program, opcode: Opcode, scene: &Scene) -> Vec<(Outputs, Vec<[Read; 4]>)> {
    let executor = Executor::new(program).unwrap().limit(10_000);
    let row = |row| {
        let mut reads = Vec::new();
        let mut look = |step: &Step<'_>| {
            if program.instructions[step.instruction].opcode != opcode {
                return;
            }
            let read = |n: usize| step.reads.get(n).map_or([0.0; 4], |r| r.bits.map(f32::from_bits));
            let lanes = |n: usize| match opcode {
                Opcode::Dp2 => 0..2,
                Opcode::Dp3 => 0..3,
                Opcode::Dp4 => 0..4,
                _ => n..n + 1,
            };
            reads.push(std::array::from_fn(|n| {
                let other = if opcode == Opcode::Mad { read(2)[n] } else { 0.0 };
                let terms = lanes(n).map(|n| (read(0)[n] * read(1)[n]).abs()).sum::<f32>() + other.abs();
                let factors = lanes(n).flat_map(|n| [read(0)[n].abs(), read(1)[n].abs()]);
                let greatest = factors.clone().fold(0.0, f32::max);
                // What two terms share may be multiplied with the sum of their others.
                let shared = |k: usize| {
                    let mut beyond = lanes(n).map(|n| read(k)[n]).filter(|x| !x.is_finite());
                    beyond.next().is_some_and(|first| beyond.any(|x| x.to_bits() == first.to_bits()))
                };
                let sum = if shared(0) || shared(1) {
                    Sum::Overflows
                } else if !factors.chain([other]).all(f32::is_finite) {
                    Sum::Beyond
                } else if terms > f32::MAX / 2.0 {
                    Sum::Overflows
                } else if greatest > f32::MAX / 8.0 {
                    Sum::Large(terms)
                } else {
                    Sum::Within(terms)
                };
                Read { argument: read(0)[n], sum }
            }));
        };
        let outputs = execute_row(&executor, scene, row, &mut look).unwrap();
        (outputs, reads)
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

/// Bits of an output of a row.
fn found(translation: &Translation, output: &Output, register: usize, row: usize) -> Vec<u32> {
    if translation.manifest.stage == "pixel" {
        return output.pixels[register][row].to_vec();
    }
    let varying = translation.manifest.varyings.iter().find(|v| v.register as usize == register).unwrap();
    output.captured[&varying.name][row].clone()
}

/// Where instructions are tried, and how many were.
struct Bench {
    worker: Worker,
    backend: Backend,
    stage: Stage,
    variants: usize,
    shaders: usize,
    values: usize,
    bad: usize,
}

impl Bench {
    /// Draws instructions of a rule and compares them.
    fn compare(&mut self, rule: &Rule, choices: &[Vec<usize>], rows: Vec<Inputs>, random: &mut Random) {
        let (shader, wanted) = rule.shader(self.stage, choices, random);
        let scene = Scene::points(rows, Bindings::default(), WIDTH);
        let subject = Subject::new(&shader).unwrap();
        let translation = translate(&shader, &options()).unwrap();
        let expected = expected(&subject.program, rule.opcode, &scene);
        let job = draw::job(&translation, &scene).unwrap();
        self.variants += choices.len();
        self.shaders += 1;
        let output = match self.worker.draw(&job) {
            Ok(output) => output,
            Err(e) => {
                self.bad += 1;
                println!("FAIL {:?}: {e}\n{}", rule.opcode, translation.source);
                return;
            }
        };
        let texts = (0..subject.program.instructions.len())
            .filter(|&i| subject.program.instructions[i].opcode == rule.opcode);
        let texts: Vec<_> =
            texts.map(|i| shaderport_dxbc::disasm::instruction_text(&subject.program, i)).collect();
        let before = self.bad;
        for w in &wanted {
            let mut shown = 0;
            for (row, (outputs, reads)) in expected.iter().enumerate() {
                let found = found(&translation, &output, w.output, row);
                let read = reads[w.instruction];
                for lane in 0..4 {
                    let how = if w.mask >> lane & 1 != 0 { w.how } else { How::Bits };
                    let (e, f) = (outputs.registers[w.output][lane], found[lane]);
                    self.values += 1;
                    if !same(how, self.backend, e, f, read[lane]) {
                        shown += 1;
                        if shown <= 2 {
                            println!(
                                "DIFF {} o{} lane {lane}: expected {e:08x} ({}) found {f:08x} ({})",
                                texts[w.instruction],
                                w.output,
                                f32::from_bits(e),
                                f32::from_bits(f)
                            );
                            for n in 0..rule.from.len() {
                                println!("      v{n} = {:08x?}", scene.inputs[row].registers[n]);
                            }
                        }
                    }
                }
            }
            if shown > 0 {
                self.bad += 1;
                println!("  {shown} values of {}", texts[w.instruction]);
            }
        }
        if self.bad > before && std::env::var_os("SHOW").is_some() {
            println!("{}", translation.source);
        }
    }
}

fn run(backend: Backend, stage: Stage, shapes: bool) {
    let worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let mut bench = Bench { worker, backend, stage, variants: 0, shaders: 0, values: 0, bad: 0 };
    let only = std::env::var("ONLY").unwrap_or_default();
    let all = share();
    for opcode in opcodes().filter(|op| only.is_empty() || op.name() == only) {
        let rule = Rule::new(opcode);
        let mut random = Random::new(opcode as u64);
        let choices = if shapes { rule.shapes(all) } else { rule.operands(all) };
        // As many outputs as every GL captures, or has targets.
        let outputs = if stage == Stage::Vertex { 16 } else { 4 };
        for (n, choices) in choices.chunks(outputs / rule.to.len()).enumerate() {
            // Every day, one of the two tries it, but the first operands.
            if (shapes || n > 0) && all.is_none() && (n + opcode as usize) % 2 != backend as usize {
                continue;
            }
            let rows = if shapes {
                few_rows(&rule.from, FEW_ROWS, &mut random)
            } else {
                full_rows(&rule.from, all.is_some(), &mut random)
            };
            bench.compare(&rule, choices, rows, &mut random);
        }
    }
    let Bench { variants, shaders, values, bad, .. } = bench;
    println!("{variants} instructions in {shaders} shaders, {values} values");
    assert_eq!(bad, 0);
}

#[test]
fn operands_angle() {
    run(Backend::Angle, Stage::Pixel, false);
}

#[test]
fn operands_mesa() {
    run(Backend::Mesa, Stage::Pixel, false);
}

#[test]
fn shapes_angle() {
    run(Backend::Angle, Stage::Vertex, true);
}

#[test]
fn shapes_mesa() {
    run(Backend::Mesa, Stage::Vertex, true);
}

/// What was folded wrongly, by the translation or by what compiles it, under every edge operand.
#[test]
fn literals_at_the_edges() {
    let (inf, zero) = (f32::INFINITY, [0.0, -0.0, 0.0, 0.0]);
    let instructions = [
        (Opcode::Lt, -v(0, "xyzw").abs(), l4([0.0, -inf, -0.0, 1.0])),
        (Opcode::Lt, l4([inf, 0.0, -1.0, f32::MAX]), v(0, "xyzw").abs()),
        (Opcode::Max, v(0, "xyzw").abs(), l4([0.0, -0.0, -1.0, 1.0])),
        (Opcode::Max, l4(zero), v(0, "xyzw").abs()),
        (Opcode::Dp2, v(0, "xyzw"), l4(zero)),
        (Opcode::Dp4, -l4([-0.0, 3.0, 0.0, 0.0]), v(0, "xyzw")),
        (Opcode::Div, v(0, "xyzw"), l4([0.0, -0.0, inf, -inf])),
        (Opcode::Div, v(0, "xyzw").abs(), l4([3.0, 0.0, 1.0, 1e-40])),
        (Opcode::Add, v(0, "xyzw"), -v(0, "xyzw")),
        (Opcode::Add, -v(0, "wzyx").abs(), v(0, "wzyx").abs()),
        (Opcode::Add, -v(0, "xyzw"), v(0, "yxzz")),
        (Opcode::Add, v(0, "xxxx"), -v(0, "xyzw")),
        (Opcode::Add, -v(0, "xyzw"), -v(0, "xyzw")),
    ];
    let scene = edges();
    for backend in [Backend::Angle, Backend::Mesa] {
        let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
        for (opcode, a, b) in instructions.clone() {
            let ty = if opcode == Opcode::Lt { Type::Uint } else { Type::Float };
            let mut shader = Shader::pixel();
            shader.input(0, "xyzw", "A", Type::Uint).target(0, "xyzw", ty);
            shader.op(opcode, &[o(0, "xyzw"), a, b]).op(Opcode::Ret, &[]);
            let bytes = shader.build();
            let subject = Subject::new(&bytes).unwrap();
            let translation = translate(&bytes, &options()).unwrap();
            let tolerance = Tolerance::floats(1e-6, 4.0 * f32::MIN_POSITIVE);
            let compared = compare_scene(&mut worker, &subject, &translation, &scene, tolerance).unwrap();
            let differences = compared.differences;
            assert!(differences.is_empty(), "{backend} {opcode:?}: {}", differences[0]);
        }
    }
}

/// Every edge operand, beside others.
fn edges() -> Scene {
    let row = |n: usize| [0, 1, 7, 18].map(|k| FLOATS[(n + k) % FLOATS.len()]);
    let inputs = (0..FLOATS.len()).map(|n| Inputs::default().register(0, row(n)));
    Scene::points(inputs.collect(), Bindings::default(), 8)
}

/// Signs of zeros that are only moved: of literals, and of what selects and masks leave of them, held as floats or bits.
#[test]
fn zeros_keep_their_signs() {
    let all = |n: u32| r(n, "xyzw");
    let (input, turned) = (v(0, "xyzw"), v(0, "xzyw"));
    let (ones, zeros) = (l4([1.0, -1.0, 1.0, -1.0]), l4([-0.0, 0.0, 0.0, -0.0]));
    let mixed = l4([-0.0, 2.0, -1.0, 0.0]);
    let below = Ins::new(Opcode::Lt, &[all(1), l(0f32), input.clone()]);
    let mov = |from: Operand| vec![Ins::new(Opcode::Mov, &[all(0), from])];
    let movc = |c: &Operand, a: &Operand, b: &Operand| {
        vec![Ins::new(Opcode::Movc, &[all(0), c.clone(), a.clone(), b.clone()])]
    };
    let masked = |value: Operand| vec![below.clone(), Ins::new(Opcode::And, &[all(0), all(1), value])];
    let selected = |c: Operand| vec![below.clone(), Ins::new(Opcode::Movc, &[all(0), c, l(-1f32), l(0f32)])];
    let cases = [
        mov(l4([-0.0f32; 4])),
        mov(zeros.clone()),
        mov(-zeros.clone()),
        movc(&input, &ones, &zeros),
        movc(&input, &zeros, &ones),
        movc(&input, &mixed, &zeros),
        movc(&input, &zeros, &l4([0.0, -0.0, 0.0, -0.0])),
        movc(&input, &ones, &input),
        movc(&input, &ones, &-input.clone()),
        movc(&turned, &ones, &input),
        movc(&v(0, "xxxx"), &ones, &zeros),
        masked(ones.clone()),
        masked(l(-1f32)),
        selected(all(1)),
        selected(r(1, "yyyy")),
    ];
    let scene = edges();
    for backend in [Backend::Angle, Backend::Mesa] {
        let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
        for last in [Opcode::F32ToF16, Opcode::Mov] {
            let mut shader = Shader::vertex();
            shader.input(0, "xyzw", "A", Type::Uint).temps(2);
            for (n, instructions) in (0..).zip(&cases) {
                shader.output(n, "xyzw", &format!("B{n}"), Type::Uint);
                instructions.iter().for_each(|i| _ = shader.push(i.clone()));
                shader.op(last, &[o(n, "xyzw"), all(0)]);
            }
            shader.op(Opcode::Ret, &[]);
            let bytes = shader.build();
            let subject = Subject::new(&bytes).unwrap();
            let translation = translate(&bytes, &options()).unwrap();
            let compared =
                compare_scene(&mut worker, &subject, &translation, &scene, Tolerance::EXACT).unwrap();
            assert_eq!(compared.compared, cases.len() * scene.inputs.len() * 4);
            assert!(compared.is_same(last.name()), "{backend}\n{}", translation.source);
        }
    }
}

/// The shapes of the everyday run have every two choices of an opcode together.
#[test]
fn every_two_choices_meet() {
    for opcode in opcodes() {
        let rule = Rule::new(opcode);
        let rows = rule.shapes(None);
        assert_eq!(rule.factors.unmet(&rows), None, "{opcode:?}");
    }
}

/// The operands of every opcode have every two edges of any two sources together in a lane; with `ALL`, all of them.
#[test]
fn every_two_operands_meet() {
    for opcode in opcodes() {
        let types = Rule::new(opcode).from;
        let rows = full_rows(&types, false, &mut Random::new(1));
        for (j, k) in (1..types.len()).flat_map(|k| (0..k).map(move |j| (j, k))) {
            let pairs = rows.iter().flat_map(|r| (0..4).map(move |n| [j, k].map(|s| r.registers[s][n])));
            let met: BTreeSet<_> = pairs
                .filter(|[a, b]| edges_of(types[j]).contains(a) && edges_of(types[k]).contains(b))
                .collect();
            assert_eq!(met.len(), edges_of(types[j]).len() * edges_of(types[k]).len(), "{opcode:?} {j} {k}");
        }
    }
    let all = meetings(&[40, 24, 24], true);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 40 * 24 * 24);
}
