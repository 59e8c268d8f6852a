//! What the neighbours of a pixel have a part in, drawn as a triangle: derivatives, levels of detail and evaluated
//! attributes. Every two of opcode, mask, modifier, swizzle, saturation and kind of source are together on one of the
//! GLs; with `ALL=1` all of them, on both (`ALL=n`: every `n`th).

use shaderport_asm::{Ins, Operand, Shader, Type, l4, o, r, s, t, v};
use shaderport_compare::bounds::{Inexact, error};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, draw, execute, translate};
use shaderport_dxbc::Opcode;
use shaderport_dxbc::program::{ResourceDimension as D, ReturnType};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

/// Results that fit into the targets of every GL.
const TARGETS: usize = 4;
const SWIZZLES: [&str; 4] = ["xyzw", "wzxy", "yyyy", "zwwx"];

fn lanes(mask: usize) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

/// A shader with inputs `v0` and `v1`, whose targets `body` fills.
fn shader(count: usize, body: impl FnOnce(&mut Shader)) -> Vec<u8> {
    let mut shader = Shader::pixel();
    shader.input(0, "xyzw", "A0", Type::Float).input(1, "xyzw", "A1", Type::Float);
    for n in 0..count as u32 {
        shader.target(n, "xyzw", Type::Float);
    }
    shader.temps(4);
    body(&mut shader);
    shader.op(Opcode::Ret, &[]);
    shader.build()
}

/// What a shader is to be compared with.
struct Wanted<'a> {
    /// The shader that is drawn.
    drawn: &'a [u8],
    /// The one that is executed.
    executed: &'a [u8],
    /// Masks of the lanes of each target that the instruction under test writes.
    masks: &'a [usize],
}

/// Draws a triangle over 8 by 4 pixels and returns how many values were compared. `accepts` gets the target, what the
/// pixels of the quad have there, from this one on along x and then along y, and what was found; lanes that the
/// instruction does not write must be the input's.
fn compare(
    worker: &mut Worker,
    wanted: &Wanted<'_>,
    seed: u64,
    accepts: impl Fn(usize, [f32; 4], f32) -> bool,
) -> Result<usize, String> {
    let (drawn, executed) = (Subject::new(wanted.drawn).unwrap(), Subject::new(wanted.executed).unwrap());
    let scene = Scene::sloped(&drawn.container, &drawn.program, seed).unwrap();
    let expected = execute(&executed.program, &scene, 10_000).unwrap();
    let translation = translate(wanted.drawn, &draw::options()).unwrap();
    let job = draw::job(&translation, &scene).unwrap();
    let fail = |what: String| {
        let program = &drawn.program;
        let text = |i| shaderport_dxbc::disasm::instruction_text(program, i) + "\n";
        let listing: String = (0..program.instructions.len()).map(text).collect();
        format!("seed {seed}: {what}\n{listing}{}", translation.source)
    };
    let output = worker.draw(&job).map_err(|e| fail(e.to_string()))?;
    let mut compared = 0;
    for (target, &mask) in wanted.masks.iter().enumerate() {
        for pixel in 0..expected.len() {
            let row = scene.width;
            for lane in 0..4 {
                let at = |n: usize| f32::from_bits(expected[n].registers[target][lane]);
                let below = if (pixel / row).is_multiple_of(2) { pixel + row } else { pixel - row };
                let quad = [at(pixel), at(pixel ^ 1), at(below), at(below ^ 1)];
                let found = f32::from_bits(output.pixels[target][pixel][lane]);
                let same = match mask >> lane & 1 {
                    0 => (quad[0] - found).abs() <= 1e-4 * (1.0 + quad[0].abs()),
                    _ => accepts(target, quad, found),
                };
                compared += 1;
                if !same {
                    return Err(fail(format!(
                        "target {target} pixel {pixel} lane {lane}: {quad:?}, found {found}"
                    )));
                }
            }
        }
    }
    Ok(compared)
}

/// Whether the shader of this number is drawn: every day, one of the GLs has it.
fn turn(n: usize, backend: Backend) -> bool {
    share().is_some() || n % 2 == backend as usize
}

fn finish(results: Vec<Result<usize, String>>) {
    let values: usize = results.iter().flatten().sum();
    let bad: Vec<_> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    bad.iter().take(5).for_each(|b| println!("{b}"));
    println!("{values} values in {} shaders", results.len());
    assert!(bad.is_empty(), "{} of {} shaders differ", bad.len(), results.len());
    assert!(values > 1000);
}

fn worker(backend: Backend) -> Worker {
    Worker::new(backend, Duration::from_secs(60)).unwrap()
}

/// Each opcode, and the one that takes the difference beside the pixel itself.
const DERIVATIVES: [(Opcode, Opcode); 6] = [
    (Opcode::DerivRtx, Opcode::DerivRtxFine),
    (Opcode::DerivRty, Opcode::DerivRtyFine),
    (Opcode::DerivRtxCoarse, Opcode::DerivRtxFine),
    (Opcode::DerivRtyCoarse, Opcode::DerivRtyFine),
    (Opcode::DerivRtxFine, Opcode::DerivRtxFine),
    (Opcode::DerivRtyFine, Opcode::DerivRtyFine),
];

/// Factors of derivatives: opcode, mask, modifier, swizzle, saturation, destination that is the source, and the source:
/// an input, a temporary, and squares.
fn derivative_factors() -> Factors {
    let mut factors = Factors::default();
    for count in [DERIVATIVES.len(), 15, 4, SWIZZLES.len(), 2, 2, 3] {
        factors.add(count);
    }
    // An input is no destination.
    factors.exclude((5, 1), (6, 0));
    factors
}

fn derivative(shader: &mut Shader, target: usize, row: &[usize], fine: bool) {
    let &[opcode, mask, modifier, swizzle, saturate, alias, source] = row else { unreachable!() };
    let (opcode, own) = DERIVATIVES[opcode];
    let opcode = if fine { own } else { opcode };
    match source {
        2 => shader.op(Opcode::Mul, &[r(0, "xyzw"), v(0, "xyzw"), v(0, "xyzw")]),
        _ => shader.op(Opcode::Mov, &[r(0, "xyzw"), v(0, "xyzw")]),
    };
    shader.op(Opcode::Mov, &[r(1, "xyzw"), v(1, "xyzw")]);
    let operand = if source == 0 { v(0, SWIZZLES[swizzle]) } else { r(0, SWIZZLES[swizzle]) };
    let operand = match modifier {
        1 => -operand,
        2 => operand.abs(),
        3 => -operand.abs(),
        _ => operand,
    };
    let dest = 1 - alias as u32;
    let ins = Ins::new(opcode, &[r(dest, &lanes(mask + 1)), operand]);
    shader.push(if saturate == 1 { ins.sat() } else { ins });
    shader.op(Opcode::Mov, &[o(target as u32, "xyzw"), r(dest, "xyzw")]);
}

fn derivatives(backend: Backend) {
    let mut worker = worker(backend);
    let rows = derivative_factors().rows(1);
    let chunks = rows.chunks(TARGETS).enumerate().filter(|(n, _)| turn(*n, backend));
    let results = chunks.map(|(n, rows)| {
        let made = |fine| {
            shader(rows.len(), |shader| {
                rows.iter().enumerate().for_each(|(n, row)| derivative(shader, n, row, fine));
            })
        };
        let masks: Vec<_> = rows.iter().map(|row| row[1] + 1).collect();
        let wanted = Wanted { drawn: &made(false), executed: &made(true), masks: &masks };
        compare(&mut worker, &wanted, n as u64, |target, quad, found| {
            let near = |x: f32| (x - found).abs() <= 1e-3 * (1.0 + x.abs());
            // GLSL ES leaves open whether the difference is that of this row or column, or of the other.
            let vertical = rows[target][0] % 2 == 1;
            near(quad[0]) || near(if vertical { quad[1] } else { quad[2] })
        })
    });
    finish(results.collect());
}

#[test]
fn derivatives_angle() {
    derivatives(Backend::Angle);
}

#[test]
fn derivatives_mesa() {
    derivatives(Backend::Mesa);
}

const DIMENSIONS: [D; 6] =
    [D::Texture1D, D::Texture1DArray, D::Texture2D, D::Texture2DArray, D::Texture3D, D::TextureCube];

/// Factors of `lod`: dimension, mask, swizzle of the result, swizzle of the coordinate, and destination that is the
/// coordinate.
fn lod_factors() -> Factors {
    let mut factors = Factors::default();
    for count in [DIMENSIONS.len(), 15, SWIZZLES.len(), SWIZZLES.len(), 2] {
        factors.add(count);
    }
    // No two axes of a direction may be equally long.
    factors.exclude((0, 5), (3, 2));
    factors.exclude((0, 5), (3, 3));
    factors
}

fn lod(shader: &mut Shader, target: usize, row: &[usize]) {
    let &[_, mask, swizzle, place, alias] = row else { unreachable!() };
    shader.op(Opcode::Mov, &[r(0, "xyzw"), v(0, "xyzw")]).op(Opcode::Mov, &[r(1, "xyzw"), v(1, "xyzw")]);
    let dest = 1 - alias as u32;
    shader
        .op(Opcode::Lod, &[r(dest, &lanes(mask + 1)), r(0, SWIZZLES[place]), t(0, SWIZZLES[swizzle]), s(0)]);
    shader.op(Opcode::Mov, &[o(target as u32, "xyzw"), r(dest, "xyzw")]);
}

fn levels(backend: Backend) {
    let mut worker = worker(backend);
    let rows = lod_factors().rows(1);
    let mut results = Vec::new();
    for (n, &dimension) in DIMENSIONS.iter().enumerate() {
        let rows: Vec<_> = rows.iter().filter(|row| row[0] == n).collect();
        let kind = if dimension == D::TextureCube { Inexact::CubeLevels } else { Inexact::Levels };
        // The rule of cubes is the translation's own.
        let bound = error(kind, Backend::Mesa);
        for (k, rows) in rows.chunks(TARGETS).enumerate().filter(|(k, _)| turn(n + k, backend)) {
            let made = shader(rows.len(), |shader| {
                shader.sampler(0, false).texture(0, dimension, ReturnType::Float);
                rows.iter().enumerate().for_each(|(n, row)| lod(shader, n, row));
            });
            let masks: Vec<_> = rows.iter().map(|row| row[1] + 1).collect();
            let wanted = Wanted { drawn: &made, executed: &made, masks: &masks };
            results.push(compare(&mut worker, &wanted, (n * 100 + k) as u64, |_, quad, found| {
                quad[0] == found || (quad[0] - found).abs() <= bound
            }));
        }
    }
    finish(results);
}

#[test]
fn levels_angle() {
    levels(Backend::Angle);
}

#[test]
fn levels_mesa() {
    levels(Backend::Mesa);
}

const EVALUATIONS: [Opcode; 3] = [Opcode::EvalCentroid, Opcode::EvalSampleIndex, Opcode::EvalSnapped];

/// Factors of evaluations: opcode, mask, swizzle, which input, and whether the place is a literal or in a register.
fn evaluation_factors() -> Factors {
    let mut factors = Factors::default();
    for count in [EVALUATIONS.len(), 15, SWIZZLES.len(), 2, 2] {
        factors.add(count);
    }
    factors
}

fn evaluation(shader: &mut Shader, target: usize, row: &[usize], random: &mut Random) {
    let &[opcode, mask, swizzle, input, register] = row else { unreachable!() };
    let opcode = EVALUATIONS[opcode];
    // One sample; of a place, four bits count.
    let place = l4(match opcode {
        Opcode::EvalSampleIndex => [0; 4],
        _ => [(); 4].map(|()| random.bits()),
    });
    shader.op(Opcode::Mov, &[r(0, "xyzw"), place.clone()]).op(Opcode::Mov, &[r(1, "xyzw"), v(1, "xyzw")]);
    let place = if register == 1 { r(0, "zyxw") } else { place };
    let mut operands: Vec<Operand> = vec![r(1, &lanes(mask + 1)), v(input as u32, SWIZZLES[swizzle])];
    if opcode != Opcode::EvalCentroid {
        operands.push(if opcode == Opcode::EvalSampleIndex && register == 1 { r(0, "y") } else { place });
    }
    shader.op(opcode, &operands).op(Opcode::Mov, &[o(target as u32, "xyzw"), r(1, "xyzw")]);
}

fn evaluations(backend: Backend) {
    let mut worker = worker(backend);
    let rows = evaluation_factors().rows(1);
    let chunks = rows.chunks(TARGETS).enumerate().filter(|(n, _)| turn(*n, backend));
    let results = chunks.map(|(n, rows)| {
        let mut random = Random::new(n as u64);
        let made = shader(rows.len(), |shader| {
            rows.iter().enumerate().for_each(|(n, row)| evaluation(shader, n, row, &mut random));
        });
        let masks: Vec<_> = rows.iter().map(|row| row[1] + 1).collect();
        let wanted = Wanted { drawn: &made, executed: &made, masks: &masks };
        compare(&mut worker, &wanted, n as u64, |_, quad, found| {
            (quad[0] - found).abs() <= 1e-3 * (1.0 + quad[0].abs())
        })
    });
    finish(results.collect());
}

#[test]
fn evaluations_angle() {
    evaluations(Backend::Angle);
}

#[test]
fn evaluations_mesa() {
    evaluations(Backend::Mesa);
}

/// Every two choices are together in the everyday run.
#[test]
fn every_two_choices_meet() {
    for factors in [derivative_factors(), lod_factors(), evaluation_factors()] {
        let rows = factors.covering(1);
        let met = |p: &[(usize, usize); 2]| rows.iter().any(|row| p.iter().all(|&(f, v)| row[f] == v));
        assert!(factors.pairs().iter().all(met));
    }
}
