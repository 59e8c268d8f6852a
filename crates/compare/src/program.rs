//! Whole programs: one triangle, drawn as a host would and computed by the executor.
//!
//! The executor runs the vertex stage for three vertices and the pixel stage for every pixel whose centre the triangle
//! covers. What lies between is computed here in double precision: coverage, depth and interpolation.

use crate::draw::{self, CLEAR, components, kind};
use crate::scene::Scene;
use crate::{Difference, Differences, Subject, Tolerance};
use shaderport_dxbc::program::Interpolation;
use shaderport_dxbc::signature::ComponentType;
use shaderport_dxbc::{Opcode, Program, Signature, SystemValue};
use shaderport_exec::{ConstantBuffer, Executor, Inputs, Outputs, Resource};
use shaderport_gl_harness as gl;
use shaderport_gl_harness::{Job, Worker};
use shaderport_glsl::manifest::LaneType;
use shaderport_glsl::options::DepthRange;
use shaderport_glsl::pair::is_varying;
use shaderport_link::LinkedProgram;

/// Width and height of what is drawn.
pub const SIDE: usize = 32;

/// What the depth buffer holds before the draw.
const DEPTH_CLEAR: f32 = 0.125;

/// Two stages with what they read, and what comes of it.
#[derive(Debug)]
pub struct Picture<'a> {
    vertex: &'a Subject<'a>,
    pixel: &'a Subject<'a>,
    /// What the vertex stage reads; three vertices.
    pub vertices: Scene,
    /// What is bound to the pixel stage.
    pub bound: Scene,
    corners: Vec<Outputs>,
    weights: Triangle,
    /// Registers and lanes of clip distances.
    clips: Vec<(usize, usize)>,
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

/// Where the rasterizer has a vertex: between pixels it has four bits, which is the least that GL asks for.
fn snapped(place: f64) -> f64 {
    let scale = SIDE as f64 / 2.0 * 16.0;
    (place * scale).round() / scale
}

impl Triangle {
    /// `None` unless all of it is in front of the eye, between the planes of depth, and large.
    fn new(corners: [[f64; 4]; 3]) -> Option<Triangle> {
        let inside = |c: &[f64; 4]| {
            c.iter().all(|x| x.is_finite()) && c[3] > 0.05 && c[3] < 100.0 && (0.0..=c[3]).contains(&c[2])
        };
        if !corners.iter().all(inside) {
            return None;
        }
        let [a, b, c] = corners.map(|c| [snapped(c[0] / c[3]) * c[3], snapped(c[1] / c[3]) * c[3], c[3]]);
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

    /// Weights of the vertices at a pixel's centre: in perspective, and along the target.
    fn at(&self, x: usize, y: usize, flip: bool) -> ([f64; 3], [f64; 3]) {
        let place = |n: usize| (n as f64 + 0.5) / SIDE as f64 * 2.0 - 1.0;
        let point = [place(x), if flip { -place(y) } else { place(y) }, 1.0];
        let raw = self.inverse.map(|r| (0..3).map(|n| r[n] * point[n]).sum::<f64>());
        let total: f64 = raw.iter().sum();
        let along = std::array::from_fn(|n| raw[n] * self.corners[n][3]);
        (raw.map(|w| w / total), along)
    }

    fn is_counterclockwise(&self) -> bool {
        let [a, b, c] = self.corners.map(|c| [c[0] / c[3], c[1] / c[3]]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    }
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
    /// Finds random inputs whose triangle is in view.
    ///
    /// # Errors
    /// What cannot be run, or that no triangle was found.
    pub fn new(vertex: &'a Subject<'a>, pixel: &'a Subject<'a>, seed: u64) -> Result<Picture<'a>, String> {
        let signature = output_signature(vertex).ok_or("no output signature")?;
        let position = lanes_of(&signature, SystemValue::Position);
        let register = position.first().ok_or("no position")?.0;
        let clips = lanes_of(&signature, SystemValue::ClipDistance);
        let executor = Executor::new(&vertex.program).map_err(|e| e.to_string())?.limit(crate::LIMIT);
        for attempt in 0..400 {
            // Even seeds have no filters.
            let scenes = scenes(vertex, pixel, (seed * 1000 + attempt) * 2, attempt >= 200);
            let (vertices, bound) = scenes.ok_or("no input signature")?;
            let run = |i| executor.run_vertex(&vertices.bindings, i).map_err(|e| e.to_string());
            let corners = vertices.inputs.iter().map(run).collect::<Result<Vec<_>, _>>()?;
            let places = std::array::from_fn(|n| floats(corners[n].registers[register]));
            if let Some(weights) = Triangle::new(places) {
                return Ok(Picture { vertex, pixel, vertices, bound, corners, weights, clips });
            }
        }
        Err("no triangle is in view".into())
    }

    fn job(&self, program: &LinkedProgram) -> Result<Job, String> {
        let m = &program.manifest;
        let mut job = Job {
            vertex: program.vertex.clone(),
            fragment: program.fragment.clone(),
            vertices: 3,
            size: [SIDE as u32; 2],
            clear: [CLEAR; 4],
            clip_distances: m.vertex.clip_distances,
            depth: Some(gl::Depth { clear: DEPTH_CLEAR, test: gl::Compare::Always }),
            ..Job::default()
        };
        draw::bind(&mut job, &m.vertex, &self.vertices)?;
        draw::bind(&mut job, &m.pixel, &self.bound)?;
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
        for o in m.pixel.outputs.iter() {
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
        let job = self.job(program)?;
        let output = worker.draw(&job).map_err(|e| e.to_string())?;
        let mut differences = Differences { list: Vec::new(), compared: 0, tolerance };
        self.vertices(program, &output, &mut differences)?;
        let seen = self.pixels(program, &output, &mut differences)?;
        Ok(Compared { values: differences.compared, differences: differences.list, seen })
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
        let range = m.conventions.depth_range;
        for (row, ([x, y, z, w], found)) in
            self.weights.corners.iter().zip(captured("gl_Position")?).enumerate()
        {
            let z = match range {
                DepthRange::Gl => 2.0 * z - w,
                DepthRange::Reversed => w - 2.0 * z,
                DepthRange::D3d => *z,
            };
            let y = if m.conventions.flip_y { -y } else { *y };
            for (lane, (value, &bits)) in [*x, y, z, *w].into_iter().zip(found).enumerate() {
                let value = Some((value as f32).to_bits());
                differences.check(row, ("gl_Position", None), lane, value, bits, true);
            }
        }
        Ok(())
    }

    /// What a pixel gets: `None` where it is too near an edge to say whether it is covered.
    fn inputs(&self, x: usize, y: usize, flip: bool) -> (Inputs, Option<bool>, f64) {
        let (perspective, along) = self.weights.at(x, y, flip);
        let mix = |weights: [f64; 3], value: &dyn Fn(&Outputs) -> f64| {
            (0..3).map(|n| weights[n] * value(&self.corners[n])).sum::<f64>()
        };
        let least = along.iter().copied().fold(f64::INFINITY, f64::min);
        let mut covered = (least.abs() > 1e-3).then_some(least > 0.0);
        for &(register, lane) in &self.clips {
            let distance = mix(perspective, &|o| f64::from(f32::from_bits(o.registers[register][lane])));
            covered = covered.filter(|_| distance.abs() > 1e-2).map(|c| c && distance > 0.0);
        }
        let depth: f64 =
            (0..3).map(|n| along[n] * self.weights.corners[n][2] / self.weights.corners[n][3]).sum();
        let w = 1.0 / (0..3).map(|n| along[n] / self.weights.corners[n][3]).sum::<f64>();
        let mut inputs = Inputs { depth: depth as f32, ..Inputs::default() };
        let modes = interpolations(&self.pixel.program);
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
                        if self.weights.is_counterclockwise() != flip {
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
                            Interpolation::LinearNoPerspective
                            | Interpolation::LinearNoPerspectiveCentroid
                            | Interpolation::LinearNoPerspectiveSample => along,
                            _ => perspective,
                        };
                        let value = mix(weights, &|o| f64::from(f32::from_bits(o.registers[register][l])));
                        (value as f32).to_bits()
                    }
                };
            }
        }
        (inputs, covered, depth)
    }

    fn pixels(
        &self,
        program: &LinkedProgram,
        output: &gl::Output,
        differences: &mut Differences,
    ) -> Result<usize, String> {
        let m = &program.manifest.pixel;
        let conventions = &program.manifest.vertex.conventions;
        let executor = Executor::new(&self.pixel.program).map_err(|e| e.to_string())?.limit(crate::LIMIT);
        let mut seen = 0;
        for quad in 0..SIDE * SIDE / 4 {
            let (left, low) = (quad % (SIDE / 2) * 2, quad / (SIDE / 2) * 2);
            let all: [_; 4] =
                std::array::from_fn(|n| self.inputs(left + (n & 1), low + (n >> 1), conventions.flip_y));
            let inputs = all.each_ref().map(|a| a.0.clone());
            let outputs = executor.run_quad(&self.bound.bindings, &inputs).map_err(|e| e.to_string())?;
            for (n, (expected, (_, covered, depth))) in outputs.iter().zip(&all).enumerate() {
                let Some(covered) = *covered else { continue };
                let row = (low + (n >> 1)) * SIDE + left + (n & 1);
                let shown = covered && !expected.discarded;
                seen += usize::from(shown);
                for o in &m.outputs {
                    let Some(location) = o.location.map(|l| l as usize) else { continue };
                    for lane in draw::lanes(o.written_mask) {
                        let value = shown.then_some(expected.registers[location][lane]);
                        let float = kind(o.ty) == gl::Kind::Float;
                        let found = output.pixels[location][row][lane];
                        differences.check(row, (&o.name, Some(location)), lane, value, found, float);
                    }
                }
                let window = match conventions.depth_range {
                    DepthRange::Gl => expected.depth.map_or(*depth, f64::from),
                    DepthRange::Reversed => 1.0 - expected.depth.map_or(*depth, f64::from),
                    // Without clip control the window's depth is half as deep.
                    DepthRange::D3d => expected.depth.map_or((*depth + 1.0) / 2.0, f64::from),
                };
                let window = if shown { window.clamp(0.0, 1.0) as f32 } else { DEPTH_CLEAR };
                let found = output.depth[row];
                differences.check(row, ("depth", None), 0, Some(window.to_bits()), found, true);
            }
        }
        Ok(seen)
    }
}

/// What both stages read: the same wherever they could share a slot, whatever a profile makes of it.
fn scenes(vertex: &Subject<'_>, pixel: &Subject<'_>, seed: u64, small: bool) -> Option<(Scene, Scene)> {
    let mut vertices = Scene::random(&vertex.container, &vertex.program, seed)?;
    let mut bound = Scene::random(&pixel.container, &pixel.program, seed + 1_000_000)?;
    vertices.calm_constants(&vertex.program);
    bound.calm_constants(&pixel.program);
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
    vertices.inputs.truncate(3);
    let signature = vertex.container.input_signature().ok()??;
    for e in signature.elements.iter().filter(|e| e.name.eq_ignore_ascii_case("POSITION") && e.register < 32)
    {
        let triangle = if small {
            [[0.125, 0.125, 0.25, 1.0], [0.875, 0.25, 0.5, 1.0], [0.25, 0.875, 0.75, 1.0f32]]
        } else {
            [[-1.0, -1.0, 0.25, 1.0], [2.5, -1.0, 0.5, 1.0], [-1.0, 2.5, 0.75, 1.0]]
        };
        for (inputs, place) in vertices.inputs.iter_mut().zip(triangle) {
            if e.component_type == ComponentType::Float32 {
                inputs.registers[e.register as usize] = place.map(f32::to_bits);
            }
        }
    }
    Some((vertices, bound))
}
