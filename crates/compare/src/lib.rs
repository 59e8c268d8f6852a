//! Compares translated shaders, drawn by real GL implementations, with the reference executor.
//!
//! A [`Scene`] binds random things to a program; [`compare`] runs the program on the CPU and its translation on
//! a GL, and lists what differs. Each row of a draw is a vertex or a pixel with inputs of its own.
#![forbid(unsafe_code)]

pub mod draw;
pub mod random;
pub mod scene;

use draw::{CLEAR, lanes};
use scene::Scene;
use shaderport_dxbc::{Container, Program, Stage, SystemValue};
use shaderport_exec::{Executor, Outputs, Step};
use shaderport_gl_harness::{Output, Worker};
use shaderport_glsl::{Options, Translation};
use std::fmt;

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
}

impl Tolerance {
    /// The same bits, but for NaN and the sign of zero.
    pub const EXACT: Tolerance = Tolerance { relative: 0.0, absolute: 0.0 };

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

/// What both sides made of one shader and scene.
#[derive(Debug)]
pub struct Comparison {
    /// The translation.
    pub translation: Translation,
    /// Values that differ.
    pub differences: Vec<Difference>,
    /// Values compared.
    pub compared: usize,
}

/// Runs a shader on the executor: the outputs of every row.
///
/// # Errors
/// [`Skipped::Executor`].
pub fn execute(program: &Program, scene: &Scene, limit: u64) -> Result<Vec<Outputs>, Skipped> {
    let fail = |e: shaderport_exec::Error| Skipped::Executor(e.to_string());
    let executor = Executor::new(program).map_err(fail)?.limit(limit);
    (0..scene.inputs.len()).map(|row| execute_row(&executor, scene, row, &mut |_| {}).map_err(fail)).collect()
}

/// Runs one row, showing each instruction to `observer`; of a quad, those of all its pixels.
///
/// # Errors
/// What the executor says.
pub fn execute_row(
    executor: &Executor<'_>,
    scene: &Scene,
    row: usize,
    observer: &mut dyn FnMut(&Step<'_>),
) -> Result<Outputs, shaderport_exec::Error> {
    if executor.program().stage == Stage::Vertex {
        return Ok(executor.trace_vertex(&scene.bindings, &scene.inputs[row], observer)?.0);
    }
    let (quad, lane) = scene.quad(row);
    let (outputs, _) = executor.trace_quad(&scene.bindings, &quad, observer)?;
    Ok(outputs.into_iter().nth(lane).unwrap_or_default())
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
    compare_scene(worker, &subject, translation, &scene, tolerance)
}

/// Compares a translation with a scene.
///
/// # Errors
/// [`Failed`].
pub fn compare_scene(
    worker: &mut Worker,
    subject: &Subject<'_>,
    translation: Translation,
    scene: &Scene,
    tolerance: Tolerance,
) -> Result<Comparison, Failed> {
    let expected = execute(&subject.program, scene, LIMIT).map_err(Failed::Skipped)?;
    let job = draw::job(&translation, scene).map_err(|e| Failed::Skipped(Skipped::Scene(e)))?;
    let output = worker.draw(&job).map_err(|e| Failed::Draw(e.to_string()))?;
    let position = subject.container.output_signature().ok().flatten().and_then(|s| {
        let e = s.elements.iter().find(|e| e.system_value == SystemValue::Position)?;
        Some(e.register as usize)
    });
    let mut differences = Differences { list: Vec::new(), compared: 0, tolerance };
    if translation.manifest.stage == "vertex" {
        vertex(&translation, &expected, &output, position, &mut differences);
    } else {
        pixel(&translation, &expected, &output, &mut differences);
    }
    let Differences { list, compared, .. } = differences;
    Ok(Comparison { translation, differences: list, compared })
}

/// Whether a difference is no more than what inputs that are off by `relative` make of a value: the program
/// magnifies errors there, or stands at the edge of a branch.
pub fn is_sensitive(program: &Program, scene: &Scene, difference: &Difference, relative: f32) -> bool {
    let Some(bits) = difference.expected else {
        return reaches(program, scene, difference.row, relative, |o| !o.discarded);
    };
    let value = |o: &Outputs| match difference.register {
        Some(register) => o.registers[register][difference.lane],
        None => o.depth.unwrap_or(0.0).clamp(0.0, 1.0).to_bits(),
    };
    let (expected, found) = (f32::from_bits(bits), f32::from_bits(difference.found));
    let off = (found - expected).abs();
    reaches(program, scene, difference.row, relative, |o| {
        let other = f32::from_bits(value(o));
        // What is shaken only samples the errors that may come together.
        o.discarded || other.is_nan() != expected.is_nan() || (other - expected).abs() * 4.0 >= off
    })
}

/// Whether `test` holds for what a row gives in some of a few scenes that are shaken.
fn reaches(
    program: &Program,
    scene: &Scene,
    row: usize,
    relative: f32,
    test: impl Fn(&Outputs) -> bool,
) -> bool {
    let Ok(executor) = Executor::new(program) else { return false };
    let executor = executor.limit(LIMIT);
    (0..16).any(|seed| {
        let shaken = scene.shaken(seed, relative);
        execute_row(&executor, &shaken, row, &mut |_| {}).is_ok_and(|o| test(&o))
    })
}

struct Differences {
    list: Vec<Difference>,
    compared: usize,
    tolerance: Tolerance,
}

impl Differences {
    fn check(
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
            Some(bits) => bits == found,
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
                    differences.check(row, (&v.name, Some(register)), lane, value, bits, !v.ty.starts_with(['i', 'u']));
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
                    differences.check(row, (&o.name, Some(location)), lane, value, found[lane], o.ty.starts_with(['v', 'f']));
                }
            }
        }
    }
}
