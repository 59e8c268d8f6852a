//! Whole programs: one triangle, drawn as a host would and computed by the executor.
//!
//! The executor runs the vertex stage for three vertices and the pixel stage for every pixel whose centre the triangle
//! covers. What lies between is computed here in double precision: coverage, depth and interpolation.

use crate::bounds::manner;
use crate::draw::{self, CLEAR, components, kind};
use crate::random::Random;
use crate::scene::Scene;
use crate::{
    Difference, Differences, Shake, Subject, Tolerance, reaches, step_overflows, step_samples_nowhere,
};
use shaderport_dxbc::program::Interpolation;
use shaderport_dxbc::signature::ComponentType;
use shaderport_dxbc::{Opcode, Program, Signature, SystemValue};
use shaderport_exec::{ConstantBuffer, Executor, Inputs, Noise, Outputs, Resource, Step};
use shaderport_gl_harness as gl;
use shaderport_gl_harness::{Backend, Job, Worker};
use shaderport_glsl::manifest::LaneType;
use shaderport_glsl::options::DepthRange;
use shaderport_glsl::pair::is_varying;
use shaderport_link::LinkedProgram;
use std::ops::ControlFlow;

/// Width and height of what is drawn.
pub const SIDE: usize = 32;

/// What the depth buffer holds before the draw.
const DEPTH_CLEAR: f32 = 0.125;

/// Two stages with what they read, and what comes of it.
#[derive(Debug)]
pub struct Picture<'a> {
    vertex: &'a Subject<'a>,
    pixel: &'a Subject<'a>,
    /// What the vertex stage reads: three vertices, or more where no triangle of them is in view.
    pub vertices: Scene,
    /// What is bound to the pixel stage.
    pub bound: Scene,
    corners: Vec<Outputs>,
    /// Where the position is.
    position: usize,
    weights: Option<Triangle>,
    /// Drawn without the pixel stage.
    alone: bool,
    /// Seed of errors of interpolation.
    jitter: Option<u64>,
    /// Registers and lanes of clip distances.
    clips: Vec<(usize, usize)>,
    /// The GL that draws it.
    backend: Backend,
}

/// What a profile makes of Direct3D's clip space and window.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    depth_range: DepthRange,
    flip_y: bool,
}

impl Window {
    fn of(program: &LinkedProgram) -> Window {
        let conventions = &program.manifest.vertex.conventions;
        Window { depth_range: conventions.depth_range, flip_y: conventions.flip_y }
    }
}

/// What the executor makes of a pixel.
#[derive(Debug)]
struct Pixel {
    outputs: Outputs,
    /// `None` where it is too near an edge to say.
    covered: Option<bool>,
    /// Direct3D's depth of the triangle.
    depth: f64,
}

impl Pixel {
    /// Of one that is surely covered or surely not: whether it is drawn.
    fn shown(&self) -> Option<bool> {
        self.covered.map(|c| c && !self.outputs.discarded)
    }

    /// The bits that an output of the program gets; nothing where the pixel stays as it is.
    fn value(&self, location: Option<usize>, lane: usize, window: Window) -> Option<u32> {
        if self.shown() != Some(true) {
            return None;
        }
        if let Some(location) = location {
            return Some(self.outputs.registers[location][lane]);
        }
        let written = self.outputs.depth.map(f64::from);
        let depth = match window.depth_range {
            DepthRange::Gl => written.unwrap_or(self.depth),
            DepthRange::Reversed => 1.0 - written.unwrap_or(self.depth),
            // Without clip control the window's depth is half as deep.
            DepthRange::D3d => written.unwrap_or((self.depth + 1.0) / 2.0),
        };
        Some((depth.clamp(0.0, 1.0) as f32).to_bits())
    }
}

/// Why a value may differ though nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Errors within the bounds of `docs/fidelity.md` make as much of it.
    Sensitive,
    /// Mesa clips the triangle, and takes `noperspective` varyings of new vertices by x/w alone.
    Clipped,
    /// A sample at coordinates that are infinite, NaN or so large that texels may be beyond the integers.
    SampledNowhere,
    /// Floats near their end.
    Overflow,
}

/// What was compared.
#[derive(Debug)]
pub struct Compared {
    /// Values that differ.
    pub differences: Vec<Difference>,
    /// Values compared.
    pub values: usize,
    /// Pixels that the triangle covers and that were not discarded.
    pub seen: usize,
}

fn output_signature<'a>(subject: &Subject<'a>) -> Option<Signature<'a>> {
    subject.container.output_signature().ok().flatten()
}

/// Lanes and registers that a signature gives a meaning.
fn lanes_of(signature: &Signature<'_>, system: SystemValue) -> Vec<(usize, usize)> {
    let elements = signature.elements.iter().filter(|e| e.system_value == system && e.register < 32);
    elements.flat_map(|e| (0..4).filter(|l| e.mask >> l & 1 != 0).map(|l| (e.register as usize, l))).collect()
}

fn floats(bits: [u32; 4]) -> [f64; 4] {
    bits.map(|b| f64::from(f32::from_bits(b)))
}

/// Three vertices in clip space, and the way back from the target.
#[derive(Clone, Debug)]
struct Triangle {
    /// Direct3D's clip space.
    corners: [[f64; 4]; 3],
    /// From a point of the target to weights that sum to 1/w.
    inverse: [[f64; 3]; 3],
}

/// Where the rasterizer has a vertex: SwiftShader's has four bits between pixels, the least that GL asks for, ties to even;
/// llvmpipe interpolates between the vertices as they are.
fn snapped(place: f64, backend: Backend) -> f64 {
    let scale = SIDE as f64 / 2.0 * 16.0;
    match backend {
        Backend::Angle => (place * scale).round_ties_even() / scale,
        Backend::Mesa => place,
    }
}

impl Triangle {
    /// `None` unless all of it is in front of the eye and it is not thin; between the planes of depth or, if it may be
    /// `clipped`, near them.
    fn new(corners: [[f64; 4]; 3], clipped: bool) -> Option<Triangle> {
        let inside = |c: &[f64; 4]| {
            let depths = if clipped { -8.0 * c[3]..=8.0 * c[3] } else { 0.0..=c[3] };
            c.iter().all(|x| x.is_finite()) && c[3] > 0.05 && c[3] < 100.0 && depths.contains(&c[2])
        };
        if !corners.iter().all(inside) {
            return None;
        }
        Triangle::on(corners, Backend::Angle)
    }

    /// As a GL has it.
    fn on(corners: [[f64; 4]; 3], backend: Backend) -> Option<Triangle> {
        let place = |c: [f64; 4]| [0, 1].map(|n| snapped(c[n] / c[3], backend) * c[3]);
        let [a, b, c] = corners.map(|c| {
            let [x, y] = place(c);
            [x, y, c[3]]
        });
        let cross = |u: [f64; 3], v: [f64; 3]| {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant: f64 = (0..3).map(|n| a[n] * rows[0][n]).sum();
        if determinant.abs() < 0.05 {
            return None;
        }
        Some(Triangle { corners, inverse: rows.map(|r| r.map(|x| x / determinant)) })
    }

    /// Whether some of it is outside of the view.
    fn is_clipped(&self) -> bool {
        self.corners.iter().any(|[x, y, z, w]| x.abs() > *w || y.abs() > *w || !(0.0..=*w).contains(z))
    }

    /// Weights of the vertices at a pixel's centre: in perspective, and along the target.
    fn at(&self, x: usize, y: usize, flip: bool) -> ([f64; 3], [f64; 3]) {
        let place = |n: usize| (n as f64 + 0.5) / SIDE as f64 * 2.0 - 1.0;
        let point = [place(x), if flip { -place(y) } else { place(y) }, 1.0];
        let raw = self.inverse.map(|r| (0..3).map(|n| r[n] * point[n]).sum::<f64>());
        let total: f64 = raw.iter().sum();
        let along = std::array::from_fn(|n| raw[n] * self.corners[n][3]);
        (raw.map(|w| w / total), along)
    }

    /// About how many pixels it covers: one of four is looked at.
    fn area(&self) -> usize {
        let half = SIDE / 2;
        let covered = |n: &usize| self.covers(n % half * 2, n / half * 2, false, 0.0) == Some(true);
        (0..half * half).filter(covered).count() * 4
    }

    /// Whether a pixel is covered, with the least depth that is drawn; `None` near an edge.
    fn covers(&self, x: usize, y: usize, flip: bool, nearest: f64) -> Option<bool> {
        let along = |x, y| self.at(x, y, flip).1;
        let (here, right, below) = (along(x, y), along(x + 1, y), along(x, y + 1));
        // Positive inside; `None` where it is less than a tenth of a pixel from 0: rasterizers move vertices to
        // sixteenths, those as well that come of clipping.
        let side = |value: &dyn Fn([f64; 3]) -> f64| {
            let (slope, value) =
                ((value(right) - value(here)).hypot(value(below) - value(here)), value(here));
            (value.abs() > f64::max(1e-3, slope / 10.0)).then_some(value > 0.0)
        };
        let edges = [0, 1, 2].map(|n| side(&|along| along[n]));
        let whole = self.corners.iter().all(|c| (nearest * c[3]..=c[3]).contains(&c[2]));
        let planes = if whole {
            [Some(true); 2]
        } else {
            [side(&|along| self.depth(along) - nearest), side(&|along| 1.0 - self.depth(along))]
        };
        let sides = edges.iter().chain(&planes);
        if sides.clone().any(|s| *s == Some(false)) {
            return Some(false);
        }
        sides.clone().all(Option::is_some).then_some(true)
    }

    fn depth(&self, along: [f64; 3]) -> f64 {
        (0..3).map(|n| along[n] * self.corners[n][2] / self.corners[n][3]).sum()
    }

    fn is_counterclockwise(&self) -> bool {
        let [a, b, c] = self.corners.map(|c| [c[0] / c[3], c[1] / c[3]]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    }
}

fn is_without_perspective(mode: Interpolation) -> bool {
    use Interpolation::*;
    matches!(mode, LinearNoPerspective | LinearNoPerspectiveCentroid | LinearNoPerspectiveSample)
}

/// How each lane of each register of a pixel program is interpolated.
fn interpolations(program: &Program) -> [[Interpolation; 4]; 32] {
    let mut all = [[Interpolation::Linear; 4]; 32];
    for i in &program.instructions {
        let declares = matches!(i.opcode, Opcode::DclInputPs | Opcode::DclInputPsSiv | Opcode::DclInputPsSgv);
        let Some(o) = program.operands(i).first().filter(|_| declares) else { continue };
        if let Some(lanes) = all.get_mut(o.register() as usize) {
            (0..4).filter(|l| o.mask() >> l & 1 != 0).for_each(|l| lanes[l] = i.interpolation());
        }
    }
    all
}

impl<'a> Picture<'a> {
    /// Finds random inputs whose triangle is in view and not all discarded. Where there are none, the picture is of
    /// one that is discarded, or else of vertices alone: see [`Picture::in_view`].
    ///
    /// # Errors
    /// What cannot be run.
    pub fn new(vertex: &'a Subject<'a>, pixel: &'a Subject<'a>, seed: u64) -> Result<Picture<'a>, String> {
        let signature = output_signature(vertex).ok_or("no output signature")?;
        let position = lanes_of(&signature, SystemValue::Position).first().ok_or("no position")?.0;
        let clips = lanes_of(&signature, SystemValue::ClipDistance);
        let executor = Executor::new(&vertex.program).map_err(|e| e.to_string())?.limit(crate::LIMIT);
        let (mut fallback, mut failure, mut tries) = (None, None, 0);
        for attempt in 0..ATTEMPTS {
            // Even seeds have no filters.
            let scenes = scenes(vertex, pixel, (seed * 1000 + attempt) * 2, Choice::of(attempt));
            let (mut vertices, bound) = scenes.ok_or("no input signature")?;
            let run = |i| {
                executor
                    .run_vertex(&vertices.bindings, &mut vertices.views.clone(), i)
                    .map_err(|e| e.to_string())
            };
            let mut corners = match vertices.inputs.iter().map(run).collect::<Result<Vec<_>, _>>() {
                Ok(corners) => corners,
                Err(e) => {
                    failure.get_or_insert(e);
                    continue;
                }
            };
            let place = |n: usize| floats(corners[n].registers[position]);
            let weights = in_view(&vertices, place, attempt >= ATTEMPTS / 2).map(|(weights, chosen)| {
                vertices.inputs = chosen.map(|n| vertices.inputs[n].clone()).into();
                corners = chosen.map(|n| corners[n].clone()).into();
                weights
            });
            let (alone, jitter, clips) = (false, None, clips.clone());
            let backend = Backend::Angle;
            let picture = Picture {
                vertex,
                pixel,
                vertices,
                bound,
                corners,
                position,
                weights,
                alone,
                jitter,
                clips,
                backend,
            };
            if picture.weights.is_none() {
                fallback.get_or_insert(picture);
                continue;
            }
            match picture.raster(Window::default()) {
                Ok(pixels) if pixels.iter().any(|p| p.shown() == Some(true)) => return Ok(picture),
                Ok(_) => {
                    if fallback.as_ref().is_none_or(|f| f.weights.is_none()) {
                        fallback = Some(picture);
                    }
                }
                Err(e) => failure = Some(e),
            }
            tries += 1;
            if tries == 8 {
                break;
            }
        }
        fallback.ok_or_else(|| failure.unwrap_or_default())
    }

    /// The same as a GL has its triangle; without this, ANGLE on SwiftShader.
    #[must_use]
    pub fn on(self, backend: Backend) -> Picture<'a> {
        let weights = self.weights.as_ref().and_then(|w| Triangle::on(w.corners, backend));
        Picture { weights, backend, ..self }
    }

    /// Whether there is a triangle in view; otherwise what the vertex stage writes is compared alone.
    pub fn in_view(&self) -> bool {
        self.weights.is_some()
    }

    fn job(&self, program: &LinkedProgram) -> Result<Job, String> {
        let m = &program.manifest;
        let mut job = Job {
            vertex: program.vertex.clone(),
            fragment: program.fragment.clone(),
            vertices: self.vertices.inputs.len() as u32,
            size: [SIDE as u32; 2],
            clear: [CLEAR; 4],
            clip_distances: m.vertex.clip_distances,
            depth: Some(gl::Depth { clear: DEPTH_CLEAR, test: gl::Compare::Always }),
            ..Job::default()
        };
        draw::bind(&mut job, &m.vertex, &self.vertices)?;
        if self.alone {
            job.fragment = gl::EMPTY_FRAGMENT.into();
            job.depth = None;
        } else {
            draw::bind(&mut job, &m.pixel, &self.bound)?;
        }
        for a in &m.uniform_arrays {
            // One array of both stages is as long as the longer.
            if let Some(data) = job.uniforms.get_mut(&a.name) {
                data.bits.resize(a.rows as usize * 4, 0);
            }
        }
        for a in &m.vertex.attributes {
            let mask: Vec<usize> = draw::lanes(a.mask).collect();
            let count = components(a.ty) as usize;
            let lanes = if mask.len() == count { mask } else { (0..count).collect() };
            let value = |bits: u32| match a.component_type {
                LaneType::Int if a.value_converted => (bits as i32 as f32).to_bits(),
                LaneType::Uint if a.value_converted => (bits as f32).to_bits(),
                _ => bits,
            };
            let register = a.register as usize;
            let bits = self
                .vertices
                .inputs
                .iter()
                .flat_map(|i| lanes.iter().map(move |&l| value(i.registers[register][l])))
                .collect();
            let data = gl::Data { kind: kind(a.ty), bits };
            job.attributes.insert(a.name.clone(), gl::Attribute::new(count as u8, data));
        }
        for o in m.pixel.outputs.iter().filter(|_| !self.alone) {
            let Some(location) = o.location.map(|l| l as usize) else { continue };
            if job.targets.len() <= location {
                job.targets.resize(location + 1, gl::Target::Unused);
            }
            job.targets[location] = match kind(o.ty) {
                gl::Kind::Float => gl::Target::Rgba32f,
                gl::Kind::Int => gl::Target::Rgba32i,
                gl::Kind::Uint => gl::Target::Rgba32ui,
            };
        }
        job.capture = m.vertex.varyings.iter().map(|v| v.name.clone()).collect();
        let mut seen = std::collections::HashSet::new();
        job.capture.retain(|name| seen.insert(name.clone()));
        job.capture.push("gl_Position".into());
        Ok(job)
    }

    /// The same without what comes after the vertex stage, for pixel stages that a driver cannot draw.
    #[must_use]
    pub fn vertices_alone(mut self) -> Picture<'a> {
        (self.weights, self.alone) = (None, true);
        self
    }

    /// Draws a program of the two stages and compares vertex outputs, position, pixels and depth.
    ///
    /// # Errors
    /// What cannot be fed, drawn or run.
    pub fn compare(
        &self,
        worker: &mut Worker,
        program: &LinkedProgram,
        tolerance: Tolerance,
    ) -> Result<Compared, String> {
        // What the executor cannot end is not drawn.
        let pixels = self.raster(Window::of(program))?;
        let job = self.job(program)?;
        let output = worker.draw(&job).map_err(|e| e.to_string())?;
        let mut differences = Differences { list: Vec::new(), compared: 0, tolerance };
        self.vertices(program, &output, &mut differences)?;
        let seen = self.pixels(program, &pixels, &output, &mut differences);
        Ok(Compared { values: differences.compared, differences: differences.list, seen })
    }

    /// Why a difference is no fault, if it is none.
    pub fn cause(&self, program: &LinkedProgram, difference: &Difference, shake: &Shake) -> Option<Cause> {
        let window = Window::of(program);
        let of_pixel = self.is_of_pixel(program, difference);
        let (x, y) = (difference.row % SIDE, difference.row / SIDE);
        let (place, lane) = ((y & !1, x & !1), (y & 1) * 2 + (x & 1));
        let shaken = |seed, shake: &Shake| {
            let picture = self.shaken(seed, shake)?;
            if !of_pixel {
                return Some(Some(picture.vertex_value(difference, window)));
            }
            let executor = picture.pixel_executor(Some(Noise { seed, ..shake.noise })).ok()?;
            let pixel = picture.quad(&executor, place, window).ok()?.into_iter().nth(lane)?;
            Some(pixel.value(difference.register, difference.lane, window))
        };
        if reaches(difference, |seed| shaken(seed, shake)) {
            return Some(Cause::Sensitive);
        }
        let mesa = self.backend == Backend::Mesa;
        let without = self.pixel.container.input_signature().ok().flatten().is_some_and(|s| {
            let modes = interpolations(&self.pixel.program);
            let mut varyings =
                s.elements.iter().filter(|e| e.register < 32 && e.system_value == SystemValue::None);
            varyings.any(|e| modes[e.register as usize].iter().any(|&m| is_without_perspective(m)))
        });
        if of_pixel && mesa && without && self.weights.as_ref().is_some_and(Triangle::is_clipped) {
            return Some(Cause::Clipped);
        }
        let (mut nowhere, mut over) = (false, false);
        for row in 0..self.corners.len() {
            let executor = Executor::new(&self.vertex.program).ok()?.limit(crate::LIMIT);
            let mut look = |step: &Step<'_>| {
                nowhere |= step_samples_nowhere(&self.vertex.program, step);
                over |= step_overflows(&self.vertex.program, step, false);
                ControlFlow::Continue(())
            };
            if of_pixel || row == difference.row {
                executor
                    .trace_vertex(
                        &self.vertices.bindings,
                        &mut self.vertices.views.clone(),
                        &self.vertices.inputs[row],
                        &mut look,
                    )
                    .ok()?;
            }
        }
        if of_pixel {
            let inputs = self.quad_inputs(place, window)?.map(|(inputs, ..)| inputs);
            let mut look = |step: &Step<'_>| {
                nowhere |= step_samples_nowhere(&self.pixel.program, step);
                over |= step_overflows(&self.pixel.program, step, false);
                ControlFlow::Continue(())
            };
            self.pixel_executor(None)
                .ok()?
                .trace_quad(&self.bound.bindings, &mut self.bound.views.clone(), &inputs, &mut look)
                .ok()?;
        }
        match (nowhere, over) {
            (true, _) => Some(Cause::SampledNowhere),
            (_, true) => Some(Cause::Overflow),
            _ => None,
        }
    }

    fn is_of_pixel(&self, program: &LinkedProgram, difference: &Difference) -> bool {
        difference.output == "depth"
            || program.manifest.pixel.outputs.iter().any(|o| o.name == difference.output)
    }

    /// The same with small errors in what the vertex stage reads, computes and writes. The triangle stays.
    fn shaken(&self, seed: u64, shake: &Shake) -> Option<Picture<'a>> {
        let vertices = self.vertices.shaken(seed, shake.inputs);
        let executor = Executor::new(&self.vertex.program).ok()?.limit(crate::LIMIT);
        let executor = executor.noise(Noise { seed, ..shake.noise });
        let run = |i| executor.run_vertex(&vertices.bindings, &mut vertices.views.clone(), i).ok();
        let corners = vertices.inputs.iter().map(run).collect::<Option<Vec<_>>>()?;
        Some(Picture {
            bound: self.bound.shaken(seed, shake.inputs),
            corners,
            weights: self.weights.clone(),
            jitter: Some(seed),
            clips: self.clips.clone(),
            vertices,
            ..*self
        })
    }

    /// What the vertex stage writes, where a difference is.
    fn vertex_value(&self, difference: &Difference, window: Window) -> u32 {
        let outputs = &self.corners[difference.row];
        match difference.register {
            Some(register) => outputs.registers[register][difference.lane],
            None => {
                let place = gl_position(floats(outputs.registers[self.position]), window);
                (place[difference.lane] as f32).to_bits()
            }
        }
    }

    fn vertices(
        &self,
        program: &LinkedProgram,
        output: &gl::Output,
        differences: &mut Differences,
    ) -> Result<(), String> {
        let m = &program.manifest.vertex;
        let signature = output_signature(self.vertex).ok_or("no output signature")?;
        let is_float = |register: u32, lane: usize| {
            signature.elements.iter().any(|e| {
                e.register == register
                    && e.mask >> lane & 1 != 0
                    && e.component_type == ComponentType::Float32
            })
        };
        let captured =
            |name: &str| output.captured.get(name).ok_or_else(|| format!("{name} was not captured"));
        for v in &m.varyings {
            let register = v.register as usize;
            for (row, (expected, found)) in self.corners.iter().zip(captured(&v.name)?).enumerate() {
                // Where varyings share a variable, its lanes hold those of the register in order.
                let first = v.lanes.and_then(|l| draw::lanes(l).next()).unwrap_or(0);
                for (lane, &bits) in draw::lanes(v.mask).zip(&found[first..]) {
                    let value = Some(expected.registers[register][lane]);
                    let float = is_float(v.register, lane);
                    differences.check(row, (&v.name, Some(register)), lane, value, bits, float);
                }
            }
        }
        for (row, (expected, found)) in self.corners.iter().zip(captured("gl_Position")?).enumerate() {
            let place = gl_position(floats(expected.registers[self.position]), Window::of(program));
            for (lane, (value, &bits)) in place.into_iter().zip(found).enumerate() {
                let value = Some((value as f32).to_bits());
                differences.check(row, ("gl_Position", None), lane, value, bits, true);
            }
        }
        Ok(())
    }

    /// What a pixel gets, whether it is covered (`None` where it is too near an edge to say), and its depth.
    fn inputs(
        &self,
        triangle: &Triangle,
        (x, y): (usize, usize),
        window: Window,
    ) -> (Inputs, Option<bool>, f64) {
        let flip = window.flip_y;
        let (perspective, along) = triangle.at(x, y, flip);
        let mix = |weights: [f64; 3], value: &dyn Fn(&Outputs) -> f64| {
            (0..3).map(|n| weights[n] * value(&self.corners[n])).sum::<f64>()
        };
        let nearest = if window.depth_range == DepthRange::D3d { -1.0 } else { 0.0 };
        let mut covered = triangle.covers(x, y, flip, nearest);
        for &(register, lane) in &self.clips {
            let distance = mix(perspective, &|o| f64::from(f32::from_bits(o.registers[register][lane])));
            covered = covered.filter(|_| distance.abs() > 1e-2).map(|c| c && distance > 0.0);
        }
        let depth = triangle.depth(along);
        let w = 1.0 / (0..3).map(|n| along[n] / triangle.corners[n][3]).sum::<f64>();
        let mut inputs = Inputs { depth: depth as f32, ..Inputs::default() };
        let modes = interpolations(&self.pixel.program);
        let mut random = self.jitter.map(|seed| Random::new(seed << 16 | (y * SIDE + x) as u64));
        let varying = output_signature(self.vertex).map_or([0u8; 32], |s| {
            let mut masks = [0; 32];
            for e in s.elements.iter().filter(|e| e.register < 32 && is_varying(e.resolved_system_value())) {
                masks[e.register as usize] |= e.mask;
            }
            masks
        });
        for e in &self.bound.elements {
            for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                let position = [x as f64 + 0.5, y as f64 + 0.5, depth, w];
                let (register, mode) = (e.register, modes[e.register][l]);
                inputs.registers[register][l] = match e.system {
                    SystemValue::Position => (position[l] as f32).to_bits(),
                    SystemValue::IsFrontFace => {
                        if triangle.is_counterclockwise() != flip {
                            u32::MAX
                        } else {
                            0
                        }
                    }
                    SystemValue::SampleIndex
                    | SystemValue::RenderTargetArrayIndex
                    | SystemValue::ViewportArrayIndex => 0,
                    system if is_varying(system) && varying[register] >> l & 1 == 0 => 0,
                    // OpenGL takes the last vertex where Direct3D takes the first.
                    _ if mode == Interpolation::Constant => self.corners[2].registers[register][l],
                    _ => {
                        let weights = match mode {
                            mode if is_without_perspective(mode) => along,
                            _ => perspective,
                        };
                        let value = mix(weights, &|o| f64::from(f32::from_bits(o.registers[register][l])));
                        let error = random.as_mut().map_or(0.0, |random| {
                            let greatest =
                                self.corners.iter().map(|o| f32::from_bits(o.registers[register][l]).abs());
                            greatest.fold(0.0, f32::max) * INTERPOLATION * random.dyadic(-1.0, 1.0)
                        });
                        (value as f32 + error).to_bits()
                    }
                };
            }
        }
        (inputs, covered, depth)
    }

    fn pixel_executor(&self, noise: Option<Noise>) -> Result<Executor<'a>, String> {
        let executor = Executor::new(&self.pixel.program).map_err(|e| e.to_string())?.limit(crate::LIMIT);
        let executor = executor.manner(manner(self.backend));
        Ok(match noise {
            Some(noise) => executor.noise(noise),
            None => executor,
        })
    }

    /// What a quad gets, whose first pixel is in an even row and column; `None` without a triangle.
    fn quad_inputs(
        &self,
        (row, column): (usize, usize),
        window: Window,
    ) -> Option<[(Inputs, Option<bool>, f64); 4]> {
        let triangle = self.weights.as_ref()?;
        let place = |n: usize| (column + (n & 1), row + (n >> 1));
        Some(std::array::from_fn(|n| self.inputs(triangle, place(n), window)))
    }

    fn quad(
        &self,
        executor: &Executor<'_>,
        place: (usize, usize),
        window: Window,
    ) -> Result<[Pixel; 4], String> {
        let all = self.quad_inputs(place, window).ok_or("no triangle is in view")?;
        let inputs = all.each_ref().map(|a| a.0.clone());
        let outputs: [Outputs; 4] = if all.iter().all(|a| a.1 == Some(false)) {
            Default::default()
        } else {
            executor
                .run_quad(&self.bound.bindings, &mut self.bound.views.clone(), &inputs)
                .map_err(|e| e.to_string())?
        };
        let mut outputs = outputs.into_iter();
        Ok(all.map(|(_, covered, depth)| Pixel {
            outputs: outputs.next().unwrap_or_default(),
            covered,
            depth,
        }))
    }

    /// All pixels, row by row; none without a triangle.
    fn raster(&self, window: Window) -> Result<Vec<Pixel>, String> {
        if self.weights.is_none() {
            return Ok(Vec::new());
        }
        let executor = self.pixel_executor(None)?;
        let mut pixels = Vec::with_capacity(SIDE * SIDE);
        for row in (0..SIDE).step_by(2) {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            for column in (0..SIDE).step_by(2) {
                let [a, b, c, d] = self.quad(&executor, (row, column), window)?;
                upper.extend([a, b]);
                lower.extend([c, d]);
            }
            pixels.append(&mut upper);
            pixels.append(&mut lower);
        }
        Ok(pixels)
    }

    /// Compares pixels; how many are drawn.
    fn pixels(
        &self,
        program: &LinkedProgram,
        pixels: &[Pixel],
        output: &gl::Output,
        differences: &mut Differences,
    ) -> usize {
        let m = &program.manifest.pixel;
        let window = Window::of(program);
        let mut seen = 0;
        for (row, pixel) in pixels.iter().enumerate() {
            let Some(shown) = pixel.shown() else { continue };
            seen += usize::from(shown);
            for o in &m.outputs {
                let Some(location) = o.location.map(|l| l as usize) else { continue };
                for lane in draw::lanes(o.written_mask) {
                    let value = pixel.value(Some(location), lane, window);
                    let float = kind(o.ty) == gl::Kind::Float;
                    let found = output.pixels[location][row][lane];
                    differences.check(row, (&o.name, Some(location)), lane, value, found, float);
                }
            }
            let depth = pixel.value(None, 0, window).unwrap_or(DEPTH_CLEAR.to_bits());
            differences.check(row, ("depth", None), 0, Some(depth), output.depth[row], true);
        }
        seen
    }
}

/// Direct3D's position as a profile has it in GL.
fn gl_position([x, y, z, w]: [f64; 4], window: Window) -> [f64; 4] {
    let z = match window.depth_range {
        DepthRange::Gl => 2.0 * z - w,
        DepthRange::Reversed => w - 2.0 * z,
        DepthRange::D3d => z,
    };
    [x, if window.flip_y { -y } else { y }, z, w]
}

/// Error of what is interpolated, of the greatest corner: a few units in the last place. What derivatives are made of
/// magnifies it.
const INTERPOLATION: f32 = 1e-6;

/// Scenes that are tried for a picture.
const ATTEMPTS: u64 = 240;

/// Pixels that a triangle must cover.
const LEAST_AREA: usize = 8;

/// How inputs are chosen; what is not said here is random.
#[derive(Clone, Copy, Debug)]
struct Choice {
    constants: Constants,
    /// Where three vertices are; otherwise random like all others.
    corners: Option<[[f32; 4]; 3]>,
}

#[derive(Clone, Copy, Debug)]
enum Constants {
    /// Every four rows nearly the identity.
    Calm,
    /// What reflection says are matrices of four columns nearly the identity, the rest random.
    Matrices,
    /// Random.
    Random,
}

impl Choice {
    fn of(attempt: u64) -> Choice {
        let large = [[-1.0, -1.0, 0.25, 1.0], [2.5, -1.0, 0.5, 1.0], [-1.0, 2.5, 0.75, 1.0]];
        let small = [[0.125, 0.125, 0.25, 1.0], [0.875, 0.25, 0.5, 1.0], [0.25, 0.875, 0.75, 1.0]];
        Choice {
            constants: [Constants::Calm, Constants::Matrices, Constants::Random][(attempt % 3) as usize],
            corners: [Some(large), Some(small), None][(attempt / 3 % 3) as usize],
        }
    }
}

/// Three vertices whose triangle covers pixels: the first three, or those that cover the most.
fn in_view(
    scene: &Scene,
    place: impl Fn(usize) -> [f64; 4],
    clipped: bool,
) -> Option<(Triangle, [usize; 3])> {
    let of = |chosen: [usize; 3]| {
        let triangle = Triangle::new(chosen.map(&place), clipped)?;
        let area = triangle.area();
        (area >= LEAST_AREA).then_some((area, triangle, chosen))
    };
    if let Some((_, triangle, chosen)) = of([0, 1, 2]) {
        return Some((triangle, chosen));
    }
    // Their numbers are those of the draw.
    if scene.elements.iter().any(|e| e.system == SystemValue::VertexId) {
        return None;
    }
    let count = scene.inputs.len().min(16);
    let all =
        (0..count).flat_map(|a| (a + 1..count).flat_map(move |b| (b + 1..count).map(move |c| [a, b, c])));
    let (_, triangle, chosen) = all.filter_map(of).max_by_key(|(area, ..)| *area)?;
    Some((triangle, chosen))
}

/// What both stages read: the same wherever they could share a slot, whatever a profile makes of it.
fn scenes(vertex: &Subject<'_>, pixel: &Subject<'_>, seed: u64, choice: Choice) -> Option<(Scene, Scene)> {
    let mut vertices = Scene::random(&vertex.container, &vertex.program, seed)?;
    let mut bound = Scene::random(&pixel.container, &pixel.program, seed + 1_000_000)?;
    for (scene, subject) in [(&mut vertices, vertex), (&mut bound, pixel)] {
        match choice.constants {
            Constants::Calm => scene.calm_constants(&subject.program),
            Constants::Matrices => scene.calm_matrices(&subject.container, &subject.program),
            Constants::Random => {}
        }
    }
    for (slot, buffer) in &mut bound.bindings.constants {
        let first = vertices.bindings.constants.entry(*slot).or_default();
        let rest = buffer.rows().iter().skip(first.rows().len());
        *buffer = ConstantBuffer::from_rows(first.rows().iter().chain(rest).copied().collect()).into();
        first.clone_from(buffer);
    }
    for (slot, resource) in &mut bound.bindings.resources {
        let Some(other) = vertices.bindings.resources.get(slot) else { continue };
        let alike = match (&**other, &**resource) {
            (Resource::Texture(a), Resource::Texture(b)) => {
                a.dimension() == b.dimension() && a.kind == b.kind && a.present == b.present
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if alike {
            resource.clone_from(other);
        }
    }
    for (slot, sampler) in &mut bound.bindings.samplers {
        if let Some(other) = vertices.bindings.samplers.get(slot) {
            *sampler = *other;
        }
    }
    for scene in [&mut vertices, &mut bound] {
        [vertex, pixel].iter().for_each(|s| scene.avoid_offsets_between_levels(&s.program));
    }
    // Whole triangles, for what the vertex stage writes.
    vertices.inputs.truncate(vertices.inputs.len() / 3 * 3);
    let signature = vertex.container.input_signature().ok()??;
    let Some(corners) = choice.corners else { return Some((vertices, bound)) };
    let floats = || {
        signature.elements.iter().filter(|e| e.component_type == ComponentType::Float32 && e.register < 32)
    };
    let named = |name: &str| floats().find(|e| e.name.eq_ignore_ascii_case(name));
    let position = floats().filter(|e| e.name.eq_ignore_ascii_case("POSITION")).collect::<Vec<_>>();
    let positions = if position.is_empty() {
        // Translators from other languages number their inputs.
        named("SV_Position").or_else(|| floats().find(|e| e.register == 0)).into_iter().collect()
    } else {
        position
    };
    for e in positions {
        for (inputs, place) in vertices.inputs.iter_mut().zip(corners) {
            inputs.registers[e.register as usize] = place.map(f32::to_bits);
        }
    }
    Some((vertices, bound))
}
