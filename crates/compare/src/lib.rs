//! Compares translated shaders, drawn by real GL implementations, with the reference executor.
//!
//! A [`Scene`] binds random things to a program; [`compare`] runs the program on the CPU and its translation on
//! a GL, and lists what differs. Each row of a draw is a vertex or a pixel with inputs of its own.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod cover;
pub mod draw;
pub mod files;
pub mod program;
pub mod random;
pub mod scene;
pub mod third_party;

use draw::{CLEAR, lanes};
use scene::Scene;
use shaderport_dxbc::{Container, Family, Opcode, Program, ScalarType, Slot, Stage, SystemValue};
use shaderport_exec::{Access, Executor, Noise, Outputs, Step, Views};
use shaderport_gl_harness::{Job, Output, Worker};
use shaderport_glsl::{Options, Translation};
use std::fmt;
use std::ops::ControlFlow;

/// A value that came out different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Vertex or pixel.
    pub row: usize,
    /// GLSL name of the output.
    pub output: String,
    /// Its register; `None` for depth.
    pub register: Option<usize>,
    /// Lane of the register.
    pub lane: usize,
    /// Bits that the executor computed; `None` if the pixel was discarded.
    pub expected: Option<u32>,
    /// Bits that the GL left.
    pub found: u32,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lane = ["x", "y", "z", "w"][self.lane & 3];
        write!(f, "row {} {}.{lane}: ", self.row, self.output)?;
        match self.expected {
            Some(bits) => write!(f, "expected {bits:08x} ({})", f32::from_bits(bits))?,
            None => write!(f, "expected nothing")?,
        }
        write!(f, ", found {:08x} ({})", self.found, f32::from_bits(self.found))
    }
}

/// How close floats must come.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Relative to the greater of the two.
    pub relative: f32,
    /// Absolute.
    pub absolute: f32,
    /// Of integers, relative: those that floats were converted to.
    pub integer: f64,
}

impl Tolerance {
    /// The same bits, but for NaN and the sign of zero.
    pub const EXACT: Tolerance = Tolerance::floats(0.0, 0.0);

    /// Of floats alone.
    pub const fn floats(relative: f32, absolute: f32) -> Tolerance {
        Tolerance { relative, absolute, integer: 0.0 }
    }

    /// Whether two integers are close enough.
    pub fn accepts_integers(self, a: u32, b: u32) -> bool {
        let (x, y) = (f64::from(a as i32), f64::from(b as i32));
        a == b || (x - y).abs() <= self.integer * x.abs().max(y.abs())
    }

    /// Whether two floats are close enough.
    pub fn accepts(self, a: u32, b: u32) -> bool {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        if a == b || x == y || x.is_nan() && y.is_nan() {
            return true;
        }
        let distance = (x - y).abs();
        distance <= self.absolute || distance <= self.relative * x.abs().max(y.abs())
    }
}

/// Why there was no comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The translator refused the shader.
    Refused(String),
    /// The scene or harness cannot feed it.
    Scene(String),
    /// The executor cannot run it.
    Executor(String),
}

/// A failure of the drawing itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Nothing was compared.
    Skipped(Skipped),
    /// The GL refused the text, or the draw.
    Draw(String),
}

/// What came of one shader and scene.
#[derive(Debug)]
pub struct Comparison {
    /// Values that differ.
    pub differences: Vec<Difference>,
    /// Values compared.
    pub compared: usize,
}

impl Comparison {
    /// Whether all values are the same; if not, prints `name` and the first that differ.
    pub fn is_same(&self, name: &str) -> bool {
        if !self.differences.is_empty() {
            println!("DIFF {name}: {} of {}", self.differences.len(), self.compared);
            self.differences.iter().take(4).for_each(|d| println!("    {d}"));
        }
        self.differences.is_empty()
    }
}

/// Runs a shader on the executor: the outputs of every row. What one writes of views the next finds there.
///
/// # Errors
/// [`Skipped::Executor`].
pub fn execute(program: &Program, scene: &Scene, limit: u64) -> Result<Vec<Outputs>, Skipped> {
    let fail = |e: shaderport_exec::Error| Skipped::Executor(e.to_string());
    let executor = executor(program, scene).map_err(fail)?.limit(limit);
    let mut views = scene.views.clone();
    let rows = 0..scene.inputs.len();
    rows.map(|row| run_row(&executor, scene, &mut views, row, &mut |_| {}).map_err(fail)).collect()
}

/// An executor that takes derivatives as the scene says.
fn executor<'a>(program: &'a Program, scene: &Scene) -> Result<Executor<'a>, shaderport_exec::Error> {
    Ok(Executor::new(program)?.limit(LIMIT).manner(scene.manner))
}

/// Runs one row alone, showing each instruction to `observer`; of a quad, those of all its pixels.
///
/// # Errors
/// What the executor says.
pub fn execute_row(
    executor: &Executor<'_>,
    scene: &Scene,
    row: usize,
    observer: &mut dyn FnMut(&Step<'_>),
) -> Result<Outputs, shaderport_exec::Error> {
    run_row(executor, scene, &mut scene.views.clone(), row, observer)
}

fn run_row(
    executor: &Executor<'_>,
    scene: &Scene,
    views: &mut Views,
    row: usize,
    observer: &mut dyn FnMut(&Step<'_>),
) -> Result<Outputs, shaderport_exec::Error> {
    let mut to_the_end = |step: &Step<'_>| {
        observer(step);
        ControlFlow::Continue(())
    };
    if executor.program().stage == Stage::Vertex {
        return Ok(executor.trace_vertex(&scene.bindings, views, &scene.inputs[row], &mut to_the_end)?.0);
    }
    let (quad, lane) = scene.quad(row);
    let (outputs, _) = executor.trace_quad(&scene.bindings, views, &quad, &mut to_the_end)?;
    Ok(outputs.into_iter().nth(lane).unwrap_or_default())
}

/// Whether arithmetic made a NaN, whose bits Direct3D leaves open and which [`Fidelity::Fast`] does not keep.
///
/// [`Fidelity::Fast`]: shaderport_glsl::options::Fidelity::Fast
pub fn makes_nan(program: &Program, step: &Step<'_>) -> bool {
    writes_float(program, step, f32::is_nan)
}

fn writes_float(program: &Program, step: &Step<'_>, test: impl Fn(f32) -> bool) -> bool {
    let slots = program.instructions[step.instruction].opcode.info().slots;
    step.writes.iter().any(|w| {
        let float = matches!(slots.get(w.operand), Some(Slot::Dest(ScalarType::Float)));
        float && (0..4).any(|n| w.mask >> n & 1 != 0 && test(f32::from_bits(w.bits[n])))
    })
}

/// Whether a row comes near the end of the floats on its way, where the order of terms decides what overflows; with
/// `nan`, also whether it makes a NaN, which [`Fidelity::Fast`] may make something else of.
///
/// [`Fidelity::Fast`]: shaderport_glsl::options::Fidelity::Fast
pub fn overflows(program: &Program, scene: &Scene, row: usize, nan: bool) -> bool {
    some_step(program, scene, row, |step| step_overflows(program, step, nan))
}

/// Whether a row ends, and has such a step on its way.
fn some_step(program: &Program, scene: &Scene, row: usize, test: impl Fn(&Step<'_>) -> bool) -> bool {
    let Ok(executor) = executor(program, scene) else { return false };
    let mut found = false;
    let mut look = |step: &Step<'_>| found |= test(step);
    execute_row(&executor, scene, row, &mut look).is_ok() && found
}

pub(crate) fn step_overflows(program: &Program, step: &Step<'_>, nan: bool) -> bool {
    writes_float(program, step, |x| x.abs() > 1e18 || nan && x.is_nan())
}

/// Whether a row samples at a coordinate or level that is infinite or NaN, or whose texel may be beyond the integers:
/// GLSL leaves open what comes of it (array layers apart, which `tests/layers.rs` compares).
pub fn samples_nowhere(program: &Program, scene: &Scene, row: usize) -> bool {
    some_step(program, scene, row, |step| step_samples_nowhere(program, step))
}

pub(crate) fn step_samples_nowhere(program: &Program, step: &Step<'_>) -> bool {
    let info = program.instructions[step.instruction].opcode.info();
    info.family == Family::Texture
        && step.reads.iter().any(|r| {
            let float = matches!(info.slots.get(r.operand), Some(Slot::Src(ScalarType::Float)));
            // Of the largest texture, which has 16,384 texels: Direct3D takes coordinates modulo 1 before (7.18.6).
            let within = |bits: u32| f32::from_bits(bits).abs() < 2147483648.0 / 16384.0;
            float && !r.bits.iter().all(|&b| within(b))
        })
}

/// Whether a row loads texels that are 0 in every lane, as those outside of a texture are: [`Fidelity::Fast`] may load
/// others.
///
/// [`Fidelity::Fast`]: shaderport_glsl::options::Fidelity::Fast
pub fn loads_nothing(program: &Program, scene: &Scene, row: usize) -> bool {
    some_step(program, scene, row, |step| {
        let loads = program.instructions[step.instruction].opcode.without_feedback() == Opcode::Ld;
        loads && values(step.writes).all(|bits| bits == 0)
    })
}

/// The lanes that count.
fn values(accesses: &[Access]) -> impl Iterator<Item = u32> + '_ {
    accesses.iter().flat_map(|a| (0..4).filter(|n| a.mask >> n & 1 != 0).map(|n| a.bits[n]))
}

/// Whether a row makes an integer of a float that its type has not: [`Fidelity::Fast`] leaves it to the driver.
///
/// [`Fidelity::Fast`]: shaderport_glsl::options::Fidelity::Fast
pub fn converts_outside(program: &Program, scene: &Scene, row: usize) -> bool {
    some_step(program, scene, row, |step| {
        let range = match program.instructions[step.instruction].opcode {
            Opcode::Ftoi => -2147483648.0..2147483648.0,
            // What is cut off to 0 is one.
            Opcode::Ftou => -0.999_999_94..4294967296.0,
            _ => return false,
        };
        values(step.reads).any(|bits| !range.contains(&f32::from_bits(bits)))
    })
}

/// Whether a row makes a half float of what none of the normal ones is: [`Fidelity::Fast`] rounds it as the driver likes,
/// and what is too small may become 0.
///
/// [`Fidelity::Fast`]: shaderport_glsl::options::Fidelity::Fast
pub fn packs_inexactly(program: &Program, scene: &Scene, row: usize) -> bool {
    some_step(program, scene, row, |step| {
        let packs = program.instructions[step.instruction].opcode == Opcode::F32ToF16;
        let exact = |bits: u32| match bits & 0x7fff_ffff {
            0 | 0x7f80_0000 => true,
            // From 2^-14 to below 65,536, with 10 bits of a fraction.
            magnitude => (0x3880_0000..0x4780_0000).contains(&magnitude) && magnitude & 0x1fff == 0,
        };
        packs && values(step.reads).any(|bits| !exact(bits))
    })
}

/// Instructions that the executor may take for a row that is to be drawn as well.
const LIMIT: u64 = 50_000;

/// A shader that was read.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The container.
    pub container: Container<'a>,
    /// Its program.
    pub program: Program,
}

impl<'a> Subject<'a> {
    /// Reads a container.
    ///
    /// # Errors
    /// [`Skipped::Scene`].
    pub fn new(bytes: &'a [u8]) -> Result<Subject<'a>, Skipped> {
        let unreadable = |e: shaderport_diagnostics::Diagnostic| Skipped::Scene(e.to_string());
        let container = Container::parse(bytes).map_err(unreadable)?;
        let chunk = container.program_chunk().map_err(unreadable)?;
        let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).map_err(unreadable)?;
        Ok(Subject { container, program })
    }
}

/// Translates a shader.
///
/// # Errors
/// [`Skipped::Refused`].
pub fn translate(bytes: &[u8], options: &Options) -> Result<Translation, Skipped> {
    shaderport_glsl::translate(bytes, options).map_err(|f| {
        Skipped::Refused(f.diagnostics.iter().map(|d| d.code.name()).collect::<Vec<_>>().join(" "))
    })
}

/// Compares one shader with a random scene.
///
/// # Errors
/// [`Failed`].
pub fn compare(
    worker: &mut Worker,
    bytes: &[u8],
    options: &Options,
    seed: u64,
    tolerance: Tolerance,
) -> Result<Comparison, Failed> {
    let subject = Subject::new(bytes).map_err(Failed::Skipped)?;
    let translation = translate(bytes, options).map_err(Failed::Skipped)?;
    let scene = Scene::random(&subject.container, &subject.program, seed);
    let scene = scene.ok_or_else(|| Failed::Skipped(Skipped::Scene("no input signature".into())))?;
    compare_scene(worker, &subject, &translation, &scene, tolerance)
}

/// A draw of a translation with a scene, and what the executor has for each row.
///
/// # Errors
/// [`Skipped`].
pub fn prepare(
    subject: &Subject<'_>,
    translation: &Translation,
    scene: &Scene,
) -> Result<(Job, Vec<Outputs>), Skipped> {
    let expected = execute(&subject.program, scene, LIMIT)?;
    let job = draw::job(translation, scene).map_err(Skipped::Scene)?;
    Ok((job, expected))
}

/// Compares what was drawn with what the executor has.
pub fn compare_output(
    subject: &Subject<'_>,
    translation: &Translation,
    expected: &[Outputs],
    output: &Output,
    tolerance: Tolerance,
) -> Comparison {
    let position = subject.container.output_signature().ok().flatten().and_then(|s| {
        let e = s.elements.iter().find(|e| e.system_value == SystemValue::Position)?;
        Some(e.register as usize)
    });
    let mut differences = Differences { list: Vec::new(), compared: 0, tolerance };
    if translation.manifest.stage == "vertex" {
        vertex(translation, expected, output, position, &mut differences);
    } else {
        pixel(translation, expected, output, &mut differences);
    }
    let Differences { list, compared, .. } = differences;
    Comparison { differences: list, compared }
}

/// Compares a translation with a scene.
///
/// # Errors
/// [`Failed`].
pub fn compare_scene(
    worker: &mut Worker,
    subject: &Subject<'_>,
    translation: &Translation,
    scene: &Scene,
    tolerance: Tolerance,
) -> Result<Comparison, Failed> {
    let (job, expected) = prepare(subject, translation, scene).map_err(Failed::Skipped)?;
    let output = worker.draw(&job).map_err(|e| Failed::Draw(e.to_string()))?;
    Ok(compare_output(subject, translation, &expected, &output, tolerance))
}

/// Compares a shader of a test's own, translated by default options, and prints what differs: `name`, the first rows with
/// `registers` of their inputs, the listing and the text. How many values were the same, `None` if not all were.
///
/// # Panics
/// For a shader that cannot be read or is refused.
pub fn compare_and_show(
    worker: &mut Worker,
    bytes: &[u8],
    scene: &Scene,
    tolerance: Tolerance,
    name: &str,
    registers: usize,
) -> Option<usize> {
    let subject = Subject::new(bytes).unwrap();
    let translation = translate(bytes, &draw::options()).unwrap();
    match compare_scene(worker, &subject, &translation, scene, tolerance) {
        Ok(c) if c.differences.is_empty() => return Some(c.compared),
        Ok(c) => {
            println!("DIFF {name}: {}", c.differences.len());
            for d in c.differences.iter().take(3) {
                println!("    {d} of {:08x?}", scene.inputs[d.row].registers[..registers].as_flattened());
            }
            for i in 0..subject.program.instructions.len() {
                println!("      {}", shaderport_dxbc::disasm::instruction_text(&subject.program, i));
            }
        }
        Err(e) => println!("FAIL {name}: {e:?}"),
    }
    println!("{}", translation.source);
    None
}

/// What an implementation may do that is no fault.
#[derive(Clone, Copy, Debug)]
pub struct Shake {
    /// Relative, of everything that is bound or interpolated.
    pub inputs: f32,
    /// Of inexact instructions.
    pub noise: Noise,
}

/// Whether a difference is no more than what comes of small errors: the program magnifies them there, or stands at
/// the edge of a branch.
pub fn is_sensitive(program: &Program, scene: &Scene, difference: &Difference, shake: &Shake) -> bool {
    let Ok(executor) = executor(program, scene) else { return false };
    let value = |o: &Outputs| match difference.register {
        Some(register) => o.registers[register][difference.lane],
        None => o.depth.unwrap_or(0.0).clamp(0.0, 1.0).to_bits(),
    };
    reaches(difference, |seed| {
        let shaken = scene.shaken(seed, shake.inputs);
        let executor = executor.clone().noise(Noise { seed, ..shake.noise });
        let outputs = execute_row(&executor, &shaken, difference.row, &mut |_| {}).ok()?;
        Some((!outputs.discarded).then(|| value(&outputs)))
    })
}

/// Whether runs with small errors come near what was found. `run` says what a run with the errors of a seed gives:
/// nothing where the pixel is discarded.
pub(crate) fn reaches(difference: &Difference, run: impl Fn(u64) -> Option<Option<u32>>) -> bool {
    let test = |value: Option<u32>| {
        let (Some(expected), Some(value)) = (difference.expected, value) else {
            return difference.expected.is_some() != value.is_some();
        };
        let [expected, found, other] = [expected, difference.found, value].map(f32::from_bits);
        // A few runs only sample the errors that may come together.
        other.is_nan() != expected.is_nan() || (other - expected).abs() * 8.0 >= (found - expected).abs()
    };
    (0..16).any(|seed| run(seed).is_some_and(test))
}

pub(crate) struct Differences {
    pub(crate) list: Vec<Difference>,
    pub(crate) compared: usize,
    pub(crate) tolerance: Tolerance,
}

impl Differences {
    pub(crate) fn check(
        &mut self,
        row: usize,
        output: (&str, Option<usize>),
        lane: usize,
        expected: Option<u32>,
        found: u32,
        float: bool,
    ) {
        self.compared += 1;
        let same = match expected {
            Some(bits) if float => self.tolerance.accepts(bits, found),
            Some(bits) => self.tolerance.accepts_integers(bits, found),
            None => found == CLEAR,
        };
        if !same {
            let (output, register) = (output.0.into(), output.1);
            self.list.push(Difference { row, output, register, lane, expected, found });
        }
    }
}

fn vertex(
    translation: &Translation,
    expected: &[Outputs],
    output: &Output,
    position: Option<usize>,
    differences: &mut Differences,
) {
    for v in &translation.manifest.varyings {
        let Some(captured) = output.captured.get(&v.name) else { continue };
        let register = v.register as usize;
        let held: Vec<usize> = lanes(v.mask).collect();
        for (row, (expected, found)) in expected.iter().zip(captured).enumerate() {
            for (place, &bits) in found.iter().enumerate() {
                let lane = if held.len() == found.len() { held[place] } else { place };
                if expected.written[register] >> lane & 1 != 0 && held.contains(&lane) {
                    let value = Some(expected.registers[register][lane]);
                    differences.check(
                        row,
                        (&v.name, Some(register)),
                        lane,
                        value,
                        bits,
                        !v.ty.starts_with(['i', 'u']),
                    );
                }
            }
        }
    }
    if let (Some(register), Some(captured)) = (position, output.captured.get("gl_Position")) {
        for (row, (expected, found)) in expected.iter().zip(captured).enumerate() {
            for (lane, &bits) in found.iter().enumerate() {
                if expected.written[register] >> lane & 1 != 0 {
                    let value = Some(expected.registers[register][lane]);
                    differences.check(row, ("gl_Position", Some(register)), lane, value, bits, true);
                }
            }
        }
    }
}

fn pixel(translation: &Translation, expected: &[Outputs], output: &Output, differences: &mut Differences) {
    for o in &translation.manifest.outputs {
        let Some(location) = o.location.map(|l| l as usize) else {
            for (row, (expected, &found)) in expected.iter().zip(&output.depth).enumerate() {
                let Some(depth) = expected.depth.filter(|_| !expected.discarded) else { continue };
                // The depth buffer clamps.
                let depth = depth.clamp(0.0, 1.0).to_bits();
                differences.check(row, (&o.name, None), 0, Some(depth), found, true);
            }
            continue;
        };
        let Some(pixels) = output.pixels.get(location) else { continue };
        for (row, (expected, found)) in expected.iter().zip(pixels).enumerate() {
            for lane in lanes(o.written_mask) {
                let value = (!expected.discarded).then_some(expected.registers[location][lane]);
                if value.is_none() || expected.written[location] >> lane & 1 != 0 {
                    differences.check(
                        row,
                        (&o.name, Some(location)),
                        lane,
                        value,
                        found[lane],
                        o.ty.starts_with(['v', 'f']),
                    );
                }
            }
        }
    }
}
