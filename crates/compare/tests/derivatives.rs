//! What the neighbours of a pixel have a part in, drawn as a triangle: derivatives, levels of detail, samples that choose
//! levels, and evaluated attributes. Every two of opcode, mask, modifier, swizzle, saturation and kind of source are together on one of the
//! GLs; with `ALL=1` all of them, on both (`ALL=n`: every `n`th).

use shaderport_asm::{Ins, Operand, Shader, Type, l, l4, null, o, r, s, t, v};
use shaderport_compare::bounds::{Inexact, error, manner};
use shaderport_compare::cover::{Factors, share};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, draw, execute, translate};
use shaderport_dxbc::Opcode;
use shaderport_dxbc::program::{ResourceDimension as D, ReturnType};
use shaderport_exec::{Address, Comparison, Filter, Manner, Outputs, Resource, Sampler, Texture};
use shaderport_gl_harness::{Backend, Worker};
use std::collections::BTreeMap;
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
    shader.temps(5);
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

/// Draws a triangle over 8 by 4 pixels and returns how many values were compared. `accepts` gets what is expected and what
/// was found; lanes that the instruction does not write must be the input's.
fn compare(
    worker: &mut Worker,
    wanted: &Wanted<'_>,
    seed: u64,
    accepts: impl Fn(f32, f32) -> bool,
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
            for lane in 0..4 {
                let expected = f32::from_bits(expected[pixel].registers[target][lane]);
                let found = f32::from_bits(output.pixels[target][pixel][lane]);
                let same = match mask >> lane & 1 {
                    0 => expected == found,
                    _ => accepts(expected, found),
                };
                compared += 1;
                if !same {
                    return Err(fail(format!(
                        "target {target} pixel {pixel} lane {lane}: {expected}, found {found}"
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

/// Each opcode, and what ES 3.00 has for it, which is one kind: on SwiftShader coarse, on llvmpipe fine.
const DERIVATIVES: [(Opcode, [Opcode; 2]); 6] = {
    const X: [Opcode; 2] = [Opcode::DerivRtxCoarse, Opcode::DerivRtxFine];
    const Y: [Opcode; 2] = [Opcode::DerivRtyCoarse, Opcode::DerivRtyFine];
    [
        (Opcode::DerivRtx, X),
        (Opcode::DerivRty, Y),
        (Opcode::DerivRtxCoarse, X),
        (Opcode::DerivRtyCoarse, Y),
        (Opcode::DerivRtxFine, X),
        (Opcode::DerivRtyFine, Y),
    ]
};

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

fn derivative(shader: &mut Shader, target: usize, row: &[usize], instead: Option<Backend>) {
    let &[opcode, mask, modifier, swizzle, saturate, alias, source] = row else { unreachable!() };
    let (opcode, kinds) = DERIVATIVES[opcode];
    let opcode = instead.map_or(opcode, |backend| kinds[usize::from(manner(backend).fine)]);
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
        let made = |instead| {
            shader(rows.len(), |shader| {
                rows.iter().enumerate().for_each(|(n, row)| derivative(shader, n, row, instead));
            })
        };
        let masks: Vec<_> = rows.iter().map(|row| row[1] + 1).collect();
        let wanted = Wanted { drawn: &made(None), executed: &made(Some(backend)), masks: &masks };
        compare(&mut worker, &wanted, n as u64, |expected, found| expected == found)
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
            results.push(compare(&mut worker, &wanted, (n * 100 + k) as u64, |expected, found| {
                expected == found || (expected - found).abs() <= bound
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

/// Instructions that choose levels.
const SAMPLES: [Opcode; 9] = [
    Opcode::Sample,
    Opcode::SampleB,
    Opcode::SampleD,
    Opcode::SampleL,
    Opcode::SampleC,
    Opcode::SampleClampFeedback,
    Opcode::SampleBClampFeedback,
    Opcode::SampleDClampFeedback,
    Opcode::SampleCClampFeedback,
];
/// Filters within a level and between levels.
const FILTERS: [(Filter, Filter); 4] = [
    (Filter::Point, Filter::Point),
    (Filter::Point, Filter::Linear),
    (Filter::Linear, Filter::Point),
    (Filter::Linear, Filter::Linear),
];
const BIASES: [f32; 6] = [-2.0, -0.5, 0.0, 0.75, 1.5, 3.0];
const LEVELS: [f32; 6] = [-1.0, 0.2, 1.0, 1.7, 2.35, 9.0];
/// Least levels.
const CLAMPS: [f32; 6] = [-1.0, 0.6, 1.25, 2.0, 3.7, 9.0];
/// What derivatives are multiplied with.
const SCALES: [f32; 6] = [1.0 / 128.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 0.25];

fn compares(opcode: Opcode) -> bool {
    opcode.without_feedback() == Opcode::SampleC
}

/// Whether there is a clamp, and a status, which must be `null`.
fn clamps(opcode: Opcode) -> bool {
    opcode.without_feedback() != opcode
}

/// Factors of samples: opcode, dimension, mask, swizzle of the result, swizzle of the coordinate, destination that is
/// the coordinate, filters, and bias, level, scale or
/// clamp.
fn sample_factors() -> Factors {
    let mut factors = Factors::default();
    for count in [SAMPLES.len(), DIMENSIONS.len(), 15, SWIZZLES.len(), SWIZZLES.len(), 2, FILTERS.len(), 6] {
        factors.add(count);
    }
    // No two axes of a direction may be equally long.
    factors.exclude((1, 5), (4, 2));
    factors.exclude((1, 5), (4, 3));
    for (n, &opcode) in SAMPLES.iter().enumerate() {
        let not = |d: &D| match opcode {
            Opcode::SampleC => *d == D::Texture3D,
            // ES 3.00 has no form that takes a level.
            Opcode::SampleCClampFeedback => !matches!(d, D::Texture1D | D::Texture2D),
            Opcode::SampleDClampFeedback => *d == D::TextureCube,
            _ => false,
        };
        for (d, _) in DIMENSIONS.iter().enumerate().filter(|(_, d)| not(d)) {
            factors.exclude((0, n), (1, d));
        }
    }
    factors
}

fn sample(shader: &mut Shader, target: usize, row: &[usize], random: &mut Random) {
    let &[opcode, dimension, mask, swizzle, place, alias, _, number] = row else { unreachable!() };
    let opcode = SAMPLES[opcode];
    shader.op(Opcode::Mov, &[r(0, "xyzw"), v(0, "xyzw")]).op(Opcode::Mov, &[r(1, "xyzw"), v(1, "xyzw")]);
    let dest = 1 - alias as u32;
    let place = r(0, SWIZZLES[place]);
    let texture = t(0, if compares(opcode) { "xxxx" } else { SWIZZLES[swizzle] });
    let mut operands = vec![r(dest, &lanes(mask + 1))];
    if clamps(opcode) {
        operands.push(null());
    }
    operands.extend([place.clone(), texture, s(0)]);
    // Of a clamp there is one for each number, and the others are as chance has it.
    let clamp = number;
    let number = if clamps(opcode) { random.below(6) as usize } else { number };
    let mut scalar = |shader: &mut Shader, x: f32| {
        if random.below(2) == 0 {
            return l(x);
        }
        let lane = random.pick(&["x", "y", "z", "w"]);
        shader.op(Opcode::Mov, &[r(3, lane), l(x)]);
        r(3, lane)
    };
    match opcode.without_feedback() {
        Opcode::SampleB => operands.push(scalar(shader, BIASES[number])),
        Opcode::SampleL => operands.push(scalar(shader, LEVELS[number])),
        Opcode::SampleD => {
            let scale = l4([SCALES[number]; 4]);
            for (register, from) in [(2, "xyzw"), (4, "wzxy")] {
                shader.op(Opcode::Mul, &[r(register, "xyzw"), v(1, from), scale.clone()]);
                if DIMENSIONS[dimension] == D::TextureCube {
                    // At right angles to the direction: of what goes along with it, Direct3D's level is nearly
                    // infinitely less than SwiftShader's.
                    shader
                        .op(Opcode::Dp3, &[r(3, "x"), r(register, "xyzw"), place.clone()])
                        .op(Opcode::Dp3, &[r(3, "y"), place.clone(), place.clone()])
                        .op(Opcode::Div, &[r(3, "x"), r(3, "x"), r(3, "y")])
                        .op(
                            Opcode::Mad,
                            &[r(register, "xyz"), place.clone(), -r(3, "xxxx"), r(register, "xyzw")],
                        );
                }
                operands.push(r(register, "xyzw"));
            }
        }
        Opcode::SampleC => operands.push(scalar(shader, REFERENCE)),
        _ => {}
    }
    if clamps(opcode) {
        operands.push(scalar(shader, CLAMPS[clamp]));
    }
    shader.op(opcode, &operands).op(Opcode::Mov, &[o(target as u32, "xyzw"), r(dest, "xyzw")]);
}

/// How much each lane of a texel changes from one level to the next.
const STEPS: [f32; 4] = [0.125, -0.125, 0.0625, -0.0625];
/// Less than the first lane of some levels.
const REFERENCE: f32 = 0.3;

/// A texture with all its levels, of which `texel` gets the number.
fn texture(dimension: D, sides: [u32; 3], mut texel: impl FnMut(u32) -> [f32; 4]) -> Resource {
    let (axes, layers) = match dimension {
        D::Texture1D => (1, 1),
        D::Texture1DArray => (1, 3),
        D::Texture2DArray => (2, 3),
        D::Texture3D => (3, 1),
        D::TextureCube => (2, 6),
        _ => (2, 1),
    };
    let size: [u32; 3] = std::array::from_fn(|n| match dimension {
        D::TextureCube if n < axes => sides[0],
        _ if n < axes => sides[n],
        _ => 1,
    });
    let greatest = size.into_iter().fold(1, u32::max);
    let levels = (0..=greatest.ilog2()).map(|n| {
        let texels = size.map(|side| (side >> n).max(1)).into_iter().product::<u32>() * layers;
        (0..texels).map(|_| texel(n).map(f32::to_bits)).collect()
    });
    Resource::Texture(Texture::new(dimension, size, layers, levels.collect()).unwrap())
}

/// A texture whose texels say which level they are of, all alike, so that no filter within a level shows.
fn leveled(dimension: D) -> Resource {
    let side = if dimension == D::Texture3D { 16 } else { 64 };
    texture(dimension, [side; 3], |level| {
        STEPS.map(|step| if step < 0.0 { 1.0 } else { 0.0 } + level as f32 * step)
    })
}

/// Draws samples of one dimension, all with the same filters, and returns how many values were compared and, where
/// levels are blended, how many levels the farthest was off. A value must lie between those of a level that is less and
/// one that is more by `bound`. The executor takes derivatives in the GL's manner, or in Direct3D's.
fn sampled(
    worker: &mut Worker,
    bytes: &[u8],
    rows: &[&Vec<usize>],
    (manner, bound): (Manner, f32),
    seed: u64,
) -> Result<(usize, f32), String> {
    let first = rows[0];
    let (comparing, (within, mip)) = (compares(SAMPLES[first[0]]), FILTERS[first[6]]);
    let subject = Subject::new(bytes).unwrap();
    // Even seeds give no filters; they are put in below.
    let mut scene = Scene::sloped(&subject.container, &subject.program, seed * 2).unwrap();
    scene.manner = manner;
    scene.bindings.resources.insert(0.into(), leveled(DIMENSIONS[first[1]]).into());
    let sampler =
        Sampler { mag: within, min: within, mip, comparison: Comparison::LessEqual, ..Sampler::default() };
    let translation = translate(bytes, &draw::options()).unwrap();
    scene.bindings.samplers.insert(0.into(), sampler);
    let job = draw::job(&translation, &scene).unwrap();
    let output = worker.draw(&job).map_err(|e| e.to_string())?;
    // The text knows of no bias of a sampler, the executor does.
    let [expected, low, high] = [0.0, -bound, bound].map(|lod_bias| {
        scene.bindings.samplers.insert(0.into(), Sampler { lod_bias, ..sampler });
        execute(&subject.program, &scene, 10_000).unwrap()
    });
    let (mut compared, mut farthest) = (0, 0f32);
    for (target, row) in rows.iter().enumerate() {
        for pixel in 0..expected.len() {
            for lane in 0..4 {
                let of = |run: &[Outputs]| f32::from_bits(run[pixel].registers[target][lane]);
                let found = f32::from_bits(output.pixels[target][pixel][lane]);
                let written = (row[2] + 1) >> lane & 1 != 0;
                let small = if written { error(Inexact::Samples, worker.backend()) } else { 0.0 };
                let (least, most) =
                    if written { (of(&low), of(&high)) } else { (of(&expected), of(&expected)) };
                compared += 1;
                if !(found >= least.min(most) - small && found <= least.max(most) + small) {
                    let program = &subject.program;
                    let text = |i| shaderport_dxbc::disasm::instruction_text(program, i) + "\n";
                    let listing: String = (0..program.instructions.len()).map(text).collect();
                    return Err(format!(
                        "seed {seed} {:?} {sampler:?} target {target} pixel {pixel} lane {lane}: {} ({least} to \
                         {most}), found {found}\n{listing}{}",
                        DIMENSIONS[first[1]],
                        of(&expected),
                        translation.source
                    ));
                }
                if written && !comparing && mip == Filter::Linear {
                    let step = STEPS["xyzw".find(&SWIZZLES[row[3]][lane..=lane]).unwrap()];
                    farthest = farthest.max((found - of(&expected)).abs() / step.abs());
                }
            }
        }
    }
    Ok((compared, farthest))
}

/// How far a sample may be off: by levels of the table, or by the weight of a level that is given.
fn inexact(opcode: Opcode, dimension: D) -> Inexact {
    match dimension {
        _ if opcode == Opcode::SampleL => Inexact::Samples,
        // With a clamp, the rule is the translation's own.
        D::TextureCube if !clamps(opcode) => Inexact::CubeLevels,
        _ => Inexact::Levels,
    }
}

/// Draws those shaders of these rows that `turn` says yes to; the errors that were found, by the rows of the table. In
/// the GL's manner, levels of cubes are as exact as all others.
fn samples(
    backend: Backend,
    rows: &[Vec<usize>],
    manner: Option<Manner>,
    turn: impl Fn(usize) -> bool,
) -> (Vec<Result<usize, String>>, BTreeMap<Inexact, f32>) {
    let mut worker = worker(backend);
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    for row in rows {
        let (opcode, dimension) = (SAMPLES[row[0]], DIMENSIONS[row[1]]);
        groups.entry((row[1], row[6], compares(opcode), inexact(opcode, dimension))).or_default().push(row);
    }
    let (mut results, mut farthest) = (Vec::new(), BTreeMap::new());
    let chunks = groups.iter().flat_map(|(key, rows)| rows.chunks(TARGETS).map(move |rows| (key, rows)));
    for (n, (&(dimension, _, comparing, inexact), rows)) in chunks.enumerate().filter(|(n, _)| turn(*n)) {
        let mut random = Random::new(n as u64);
        let made = shader(rows.len(), |shader| {
            shader.sampler(0, comparing).texture(0, DIMENSIONS[dimension], ReturnType::Float);
            rows.iter().enumerate().for_each(|(n, row)| sample(shader, n, row, &mut random));
        });
        let bound = match inexact {
            Inexact::CubeLevels if manner.is_some() => Inexact::Levels,
            other => other,
        };
        let how = (manner.unwrap_or_default(), error(bound, backend));
        let result = sampled(&mut worker, &made, rows, how, n as u64);
        if let Ok((_, off)) = &result {
            let most = farthest.entry(inexact).or_insert(0f32);
            *most = most.max(*off);
        }
        results.push(result.map(|(values, _)| values));
    }
    (results, farthest)
}

fn all_samples(backend: Backend) {
    let (results, farthest) =
        samples(backend, &sample_factors().rows(1), Some(manner(backend)), |n| turn(n, backend));
    println!("at most off: {farthest:?}");
    finish(results);
}

#[test]
fn samples_angle() {
    all_samples(Backend::Angle);
}

#[test]
fn samples_mesa() {
    all_samples(Backend::Mesa);
}

/// The greatest error of filters between texels and between levels of random textures, with every address mode.
fn filtered(backend: Backend) -> f32 {
    let mut worker = worker(backend);
    let mut random = Random::new(3);
    let mut greatest = 0f32;
    let addresses = [Address::Wrap, Address::Mirror, Address::Clamp];
    let draws = DIMENSIONS.iter().flat_map(|d| addresses.iter().map(move |a| (*d, *a)));
    for (n, (dimension, address)) in draws.enumerate() {
        let made = shader(TARGETS, |shader| {
            shader.sampler(0, false).texture(0, dimension, ReturnType::Float);
            // Some sizes of the texture around it.
            shader.op(Opcode::Mul, &[r(0, "xyzw"), v(0, "xyzw"), l4([4.3f32; 4])]);
            for (n, level) in [0.0f32, 0.3, 1.7, 2.9].into_iter().enumerate() {
                let place = r(0, ["xyzw", "zyxw"][n % 2]);
                shader.op(Opcode::SampleL, &[o(n as u32, "xyzw"), place, t(0, "xyzw"), s(0), l(level)]);
            }
        });
        let subject = Subject::new(&made).unwrap();
        let mut scene = Scene::sloped(&subject.container, &subject.program, n as u64).unwrap();
        let linear = Filter::Linear;
        let sampler =
            Sampler { mag: linear, min: linear, mip: linear, address: [address; 3], ..Sampler::default() };
        scene.bindings.samplers.insert(0.into(), sampler);
        // Sizes that are no powers of 2, so that places of texels are rounded.
        let texels = texture(dimension, [7, 5, 3], |_| [(); 4].map(|()| random.dyadic(0.0, 1.0)));
        scene.bindings.resources.insert(0.into(), texels.into());
        let translation = translate(&made, &draw::options()).unwrap();
        let output = worker.draw(&draw::job(&translation, &scene).unwrap()).unwrap();
        for (pixel, expected) in execute(&subject.program, &scene, 10_000).unwrap().iter().enumerate() {
            for target in 0..TARGETS {
                let [expected, found] = [expected.registers[target], output.pixels[target][pixel]];
                for lane in 0..4 {
                    let off = (f32::from_bits(expected[lane]) - f32::from_bits(found[lane])).abs();
                    greatest = greatest.max(off);
                }
            }
        }
    }
    greatest
}

/// No error is greater than the table says, and the table says no more than some times the greatest.
fn measured(backend: Backend) {
    let mut rows = Vec::new();
    for dimension in 0..DIMENSIONS.len() {
        for opcode in [Opcode::Sample, Opcode::SampleB, Opcode::SampleD] {
            let opcode = SAMPLES.iter().position(|o| *o == opcode).unwrap();
            // Both filters, all lanes as they are.
            rows.extend((0..6).map(|number| vec![opcode, dimension, 14, 0, number % 2, 0, 3, number]));
        }
    }
    let (results, mut farthest) = samples(backend, &rows, None, |_| true);
    finish(results);
    farthest.insert(Inexact::Samples, filtered(backend));
    for (of, off) in farthest {
        let bound = error(of, backend);
        println!("{of:?}: {off:e} measured, {bound:e} allowed");
        assert!(off <= bound && bound <= 8.0 * off, "{of:?}: {off:e} measured, {bound:e} allowed");
    }
}

#[test]
fn measured_angle() {
    measured(Backend::Angle);
}

#[test]
fn measured_mesa() {
    measured(Backend::Mesa);
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
        compare(&mut worker, &wanted, n as u64, |expected, found| expected == found)
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
    for factors in [derivative_factors(), lod_factors(), sample_factors(), evaluation_factors()] {
        let rows = factors.covering(1);
        assert_eq!(factors.unmet(&rows), None);
    }
}
