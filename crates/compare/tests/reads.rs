//! Every opcode that reads a texture or buffer, without filters, so that every bit must be right: coordinates and texels
//! outside, indices beyond the end, all dimensions, offsets. Every two of dimension, mask, swizzles, offset and
//! destination that is an address are together, by pixels or by vertices, on one of the GLs. `lod` is in
//! `derivatives.rs`.
//!
//! `ALL=1` takes all of them together, by both and on both (`ALL=n`: every `n`th). `ONLY=ld` tries one opcode.

use shaderport_asm::{Ins, Operand, Shader, Type, l, null, o, r, s, t, v};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Tolerance, compare_and_show};
use shaderport_dxbc::program::{ResourceDimension as D, ReturnType};
use shaderport_dxbc::{Family, Opcode, ScalarType, Slot, Stage};
use shaderport_exec::{Address, Bindings, Comparison, Inputs, Resource, Sampler, TexelKind, Texture};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

const ROWS: usize = 128;
const SIDE: u32 = 4;
const LAYERS: u32 = 3;
const STRIDE: u32 = 20;

/// Numbers of texels, elements and levels.
const INDICES: [u32; 16] =
    [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, u32::MAX, 0x1_0000, 0x4000_0000];
/// Of what is read: one lane for all, others in another order, and some twice.
const SWIZZLES: [&str; 4] = ["xyzw", "wzxy", "yyyy", "zwwx"];
/// Of coordinates.
const PLACES: [&str; 4] = ["xyzw", "wzyx", "xxxx", "zwxy"];
/// Of directions, in which no two axes may be equally long.
const DIRECTIONS: [&str; 4] = ["xyzw", "zyxw", "yzxw", "zxyw"];

fn dimensions(opcode: Opcode) -> &'static [D] {
    use Opcode::*;
    match opcode {
        // ES 3.00 has no form that takes a level for the others.
        SampleCClampFeedback => return &[D::Texture1D, D::Texture2D],
        SampleDClampFeedback => {
            return &[D::Texture1D, D::Texture1DArray, D::Texture2D, D::Texture2DArray, D::Texture3D];
        }
        _ => {}
    }
    match opcode.without_feedback() {
        LdRaw => &[D::RawBuffer],
        LdStructured => &[D::StructuredBuffer],
        BufInfo => &[D::RawBuffer, D::StructuredBuffer, D::Buffer],
        Ld => &[D::Buffer, D::Texture1D, D::Texture1DArray, D::Texture2D, D::Texture2DArray, D::Texture3D],
        Gather4Po | Gather4PoC => &[D::Texture2D, D::Texture2DArray],
        Gather4 | Gather4C => &[D::Texture2D, D::Texture2DArray, D::TextureCube],
        SampleC | SampleCLz => {
            &[D::Texture1D, D::Texture1DArray, D::Texture2D, D::Texture2DArray, D::TextureCube]
        }
        _ => {
            &[D::Texture1D, D::Texture1DArray, D::Texture2D, D::Texture2DArray, D::Texture3D, D::TextureCube]
        }
    }
}

fn compares(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode.without_feedback(), SampleC | SampleCLz | Gather4C | Gather4PoC)
}

fn resource(dimension: D, levels: u32, random: &mut Random) -> Resource {
    let mut words = |n: u32| (0..n).map(|_| random.bits()).collect::<Vec<_>>();
    match dimension {
        D::RawBuffer => return Resource::Raw(words(13)),
        D::StructuredBuffer => {
            return Resource::Structured { stride: STRIDE, words: words(5 * STRIDE / 4) };
        }
        D::Buffer => {
            let texels = words(7).iter().map(|&w| [w, !w, w ^ 1, w >> 3]).collect();
            return Resource::Typed(texels, TexelKind::Uint);
        }
        _ => {}
    }
    let (axes, layers) = match dimension {
        D::Texture1D => (1, 1),
        D::Texture1DArray => (1, LAYERS),
        D::Texture3D => (3, 1),
        D::Texture2DArray => (2, LAYERS),
        D::TextureCube => (2, 6),
        _ => (2, 1),
    };
    // Eighths from 0 to 1, which comparisons meet exactly.
    let mut level = |side: u32| {
        let count = side.pow(axes) * layers;
        (0..count).map(|_| [0; 4].map(|_: u32| eighth(random))).collect::<Vec<_>>()
    };
    let levels = (0..levels).map(|n| level(SIDE >> n)).collect();
    let size = [SIDE, if axes > 1 { SIDE } else { 1 }, if axes > 2 { SIDE } else { 1 }];
    Resource::Texture(Texture::new(dimension, size, layers, levels).unwrap())
}

fn eighth(random: &mut Random) -> u32 {
    (random.below(9) as f32 / 8.0).to_bits()
}

/// What an opcode may be written with: the numbers of its factors.
struct Rule {
    opcode: Opcode,
    factors: Factors,
    dimension: usize,
    mask: usize,
    swizzle: usize,
    /// Which register is written: one of those of the addresses, or another.
    dest: usize,
    place: usize,
    /// Whether there is an offset.
    offset: usize,
}

impl Rule {
    fn new(opcode: Opcode) -> Rule {
        let mut factors = Factors::default();
        let dimensions = dimensions(opcode);
        let dimension = factors.add(dimensions.len());
        let mask = factors.add(15);
        let swizzle = factors.add(if compares(opcode) { 1 } else { SWIZZLES.len() });
        let dest = factors.add(4);
        let place = factors.add(PLACES.len());
        let texels = |d: &D| !matches!(d, D::RawBuffer | D::StructuredBuffer | D::Buffer | D::TextureCube);
        let fixed =
            !matches!(opcode.without_feedback(), Opcode::Gather4Po | Opcode::Gather4PoC | Opcode::ResInfo);
        let offset = factors.add(if fixed && dimensions.iter().any(texels) { 2 } else { 1 });
        for (n, _) in dimensions.iter().enumerate().filter(|(_, d)| !texels(d)) {
            factors.exclude((dimension, n), (offset, 1));
        }
        Rule { opcode, factors, dimension, mask, swizzle, dest, place, offset }
    }

    fn rows(&self) -> Vec<Vec<usize>> {
        let Some(n) = share() else { return self.factors.covering(self.opcode as u64) };
        let all = self.factors.product(|f| f != self.place, |_| 0).into_iter().step_by(n);
        let mut random = Random::new(self.opcode as u64);
        let placed = all.map(|mut row| {
            row[self.place] = random.below(PLACES.len() as u32) as usize;
            row
        });
        placed.collect()
    }

    /// A shader with an instruction for each row, all of one dimension.
    fn shader(&self, stage: Stage, rows: &[&Vec<usize>], random: &mut Random) -> Vec<u8> {
        let opcode = self.opcode;
        let dimension = dimensions(opcode)[rows[0][self.dimension]];
        let mut shader = Shader::new(stage);
        for n in 0..3 {
            shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
        }
        let slots = opcode.info().slots;
        if slots.contains(&Slot::Sampler) {
            shader.sampler(0, compares(opcode));
        }
        match dimension {
            D::RawBuffer => shader.raw_buffer(0),
            D::StructuredBuffer => shader.structured(0, STRIDE),
            D::Buffer => shader.texture(0, dimension, ReturnType::Uint),
            _ => shader.texture(0, dimension, ReturnType::Float),
        };
        for n in 0..rows.len() as u32 {
            match stage {
                Stage::Vertex => shader.output(n, "xyzw", &format!("B{n}"), Type::Uint),
                _ => shader.target(n, "xyzw", Type::Uint),
            };
        }
        shader.temps(4);
        for (n, row) in rows.iter().enumerate() {
            // What the mask leaves out stays.
            for k in 0..4 {
                shader.op(Opcode::Mov, &[r(k, "xyzw"), v(k % 3, "xyzw")]);
            }
            let register = row[self.dest] as u32;
            let operands = self.operands(row, dimension, random);
            let mut ins = Ins::new(opcode, &operands);
            if opcode == Opcode::ResInfo {
                ins = ins.controls(random.below(3) << 11);
            }
            if row[self.offset] == 1 {
                ins = ins.offsets([0; 3].map(|_: i8| random.below(16) as i8 - 8));
            }
            shader.push(ins).op(Opcode::Mov, &[o(n as u32, "xyzw"), r(register, "xyzw")]);
        }
        shader.op(Opcode::Ret, &[]);
        shader.build()
    }

    fn operands(&self, row: &[usize], dimension: D, random: &mut Random) -> Vec<Operand> {
        let opcode = self.opcode;
        let mask: String = "xyzw"
            .chars()
            .enumerate()
            .filter(|(n, _)| (row[self.mask] + 1) >> n & 1 != 0)
            .map(|(_, c)| c)
            .collect();
        let place = if dimension == D::TextureCube { DIRECTIONS } else { PLACES }[row[self.place]];
        let (mut sources, mut dests) = (0, 0);
        let operand = |slot: &Slot| {
            let lane = random.pick(&["x", "y", "z", "w"]);
            Some(match slot {
                Slot::Dest(_) => {
                    dests += 1;
                    // The second is the status, which there is not.
                    if dests == 2 { null() } else { r(row[self.dest] as u32, &mask) }
                }
                Slot::Resource if compares(opcode) => t(0, "xxxx"),
                Slot::Resource => t(0, SWIZZLES[row[self.swizzle]]),
                Slot::Sampler => s(0).read(if compares(opcode) { "x" } else { lane }),
                Slot::Src(ty) => {
                    sources += 1;
                    let float = *ty == ScalarType::Float;
                    match (opcode.without_feedback(), sources) {
                        // Bytes beyond the structure are undefined.
                        (Opcode::LdStructured, 2) => l(random.below(2) * 4),
                        (Opcode::SampleL, 2) => l(random.pick(&[-1.0f32, 0.0, 0.25, 0.75, 1.0, 5.0])),
                        (Opcode::SampleD, 2 | 3) => r(2, random.pick(&PLACES)),
                        (Opcode::LdRaw | Opcode::LdStructured | Opcode::ResInfo, _) => r(1, lane),
                        (_, 1) if float => r(0, place),
                        (_, _) if float => r(2, lane),
                        (_, 1) => r(1, place),
                        _ => r(1, random.pick(&PLACES)),
                    }
                }
                _ => return None,
            })
        };
        opcode.info().slots.iter().filter_map(operand).collect()
    }
}

/// A direction to a texel of a cube, a quarter of it off its edges.
fn direction(random: &mut Random) -> [f32; 4] {
    let mut minor = || (random.below(SIDE) as f32 + 0.25) / (SIDE / 2) as f32 - 1.0;
    let mut d = [minor(), minor(), minor(), 0.0];
    d[random.below(3) as usize] = random.pick(&[-1.0, 1.0]);
    let scale = random.pick(&[0.125, 1.0, 3.0, 64.0]);
    d.map(|x| x * scale)
}

fn opcodes(stage: Stage) -> impl Iterator<Item = Opcode> {
    use Opcode::*;
    // What takes derivatives is of pixels.
    let derives = |op: &Opcode| matches!(op.without_feedback(), Sample | SampleB | SampleC);
    Opcode::ALL.iter().copied().filter(move |op| {
        matches!(op.info().family, Family::Texture | Family::Memory)
            && op.is_sayable()
            && op.info().stages.contains(stage)
            && (stage == Stage::Pixel || !derives(op))
            && *op != Lod
    })
}

/// Draws instructions of a rule and compares them: how many values, or `None` where there are others.
fn compare(
    worker: &mut Worker,
    rule: &Rule,
    stage: Stage,
    rows: &[&Vec<usize>],
    random: &mut Random,
) -> Option<usize> {
    let opcode = rule.opcode;
    let dimension = dimensions(opcode)[rows[0][rule.dimension]];
    let address = random.pick(&[Address::Wrap, Address::Clamp, Address::Mirror]);
    let comparison = random.pick(&[Comparison::LessEqual, Comparison::Greater, Comparison::Equal]);
    let bytes = rule.shader(stage, rows, random);
    let levels = match opcode.without_feedback() {
        Opcode::SampleL | Opcode::Ld | Opcode::ResInfo => 2,
        // Points have no derivatives.
        _ => 1,
    };
    let resource = resource(dimension, levels, random);
    let raw = opcode.without_feedback() == Opcode::LdRaw;
    let inputs = (0..ROWS).map(|_| {
        // A quarter of a texel into each, in the texture and up to two of its sizes around.
        let place = [0; 4].map(|_: u32| (random.below(20) as f32 - 8.0 + 0.25) / SIDE as f32);
        let place = if dimension == D::TextureCube { direction(random) } else { place };
        let index = [0; 4].map(|_: u32| {
            let n = random.pick(&INDICES);
            // Addresses of bytes that are no multiple of four are undefined.
            if raw { n.wrapping_mul(4) | n & 0x8000_0000 } else { n }
        });
        let third = [0; 4].map(|_: u32| eighth(random));
        Inputs::default().floats(0, place).register(1, index).register(2, third)
    });
    let sampler = Sampler { address: [address; 3], comparison, ..Sampler::default() };
    let bindings = Bindings::default().resource(0, resource).sampler(0, sampler);
    let scene = Scene::points(inputs.collect(), bindings, 16);
    // The texel that a corner of a cube lacks is a mean, which may be off by some units in the last place.
    let mean = matches!(opcode.without_feedback(), Opcode::Gather4 | Opcode::Gather4C)
        && dimension == D::TextureCube;
    let tolerance = Tolerance { integer: if mean { 8e-9 } else { 0.0 }, ..Tolerance::EXACT };
    compare_and_show(worker, &bytes, &scene, tolerance, &format!("{opcode:?} {dimension:?} {address:?}"), 3)
}

fn run(backend: Backend, stage: Stage) {
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let all = share().is_some();
    let (mut bad, mut compared, mut instructions) = (0, 0, 0);
    for opcode in opcodes(stage).filter(|op| only.is_empty() || op.name() == only) {
        let rule = Rule::new(opcode);
        let mut random = Random::new(opcode as u64);
        let mut rows = rule.rows();
        if !all && opcodes(Stage::Vertex).any(|op| op == opcode) {
            // Every day, half of them are tried by pixels, half by vertices, and each on one of the GLs.
            let mut n = 0;
            rows.retain(|_| {
                n += 1;
                n % 2 == stage as usize
            });
        }
        if !all && opcode.without_feedback() != opcode {
            // They differ by the status alone.
            rows = rows.into_iter().step_by(4).collect();
        }
        for dimension in 0..dimensions(opcode).len() {
            let rows: Vec<_> = rows.iter().filter(|row| row[rule.dimension] == dimension).collect();
            let outputs = if stage == Stage::Vertex { 16 } else { 4 };
            for (n, rows) in rows.chunks(outputs).enumerate() {
                let turn = (opcode as usize + dimension + n) % 2 == backend as usize;
                if all || turn {
                    instructions += rows.len();
                    match compare(&mut worker, &rule, stage, rows, &mut random) {
                        Some(values) => compared += values,
                        None => bad += 1,
                    }
                }
            }
        }
    }
    println!("{instructions} instructions, {compared} values");
    assert_eq!(bad, 0);
    assert!(compared > 10_000 || !only.is_empty(), "only {compared} values");
}

#[test]
fn pixels_angle() {
    run(Backend::Angle, Stage::Pixel);
}

#[test]
fn pixels_mesa() {
    run(Backend::Mesa, Stage::Pixel);
}

#[test]
fn vertices_angle() {
    run(Backend::Angle, Stage::Vertex);
}

#[test]
fn vertices_mesa() {
    run(Backend::Mesa, Stage::Vertex);
}

/// Every two choices of an opcode are together in the everyday run.
#[test]
fn every_two_choices_meet() {
    for opcode in opcodes(Stage::Pixel) {
        let rule = Rule::new(opcode);
        let rows = rule.factors.covering(opcode as u64);
        assert_eq!(rule.factors.unmet(&rows), None, "{opcode:?}");
    }
}
