//! Running a [`Job`].

use std::fmt;
use std::time::{Duration, Instant};

use glow::HasContext;
use serde::{Deserialize, Serialize};

use crate::gl::{Gl, Phase, Program, Rejection};
use crate::job::{
    Attribute, Compare, Data, Depth, Dimension, FULLSCREEN_VERTEX, Filter, Format, Job, Kind, Mode, Output,
    Sampler, Target, Texture, Wrap,
};

/// Why a job has no output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobError {
    /// The shaders do not compile or link, or bring the driver down.
    Rejected(Rejection),
    /// The job lacks something the program uses, contradicts itself, or GL refuses it.
    Invalid(String),
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobError::Rejected(rejection) => rejection.fmt(f),
            JobError::Invalid(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for JobError {}

impl From<Rejection> for JobError {
    fn from(rejection: Rejection) -> JobError {
        JobError::Rejected(rejection)
    }
}

/// GL's own failures to make an object.
impl From<String> for JobError {
    fn from(text: String) -> JobError {
        JobError::Invalid(text)
    }
}

fn invalid<T>(text: impl Into<String>) -> Result<T, JobError> {
    Err(JobError::Invalid(text.into()))
}

/// Clip distances that a shader can have.
const MAX_CLIP_DISTANCES: u32 = 8;

/// Shows a depth texture as the first component of a float target.
pub(crate) const DEPTH_FRAGMENT: &str = "#version 300 es
precision highp float;
uniform highp sampler2D source;
out vec4 color;
void main() {
    color = vec4(texelFetch(source, ivec2(gl_FragCoord.xy), 0).r);
}
";

impl Gl {
    /// Runs a job and reads its results back, bit for bit.
    ///
    /// A shader that does not end hangs the driver: jobs that are not known to end belong in a
    /// [`Worker`](crate::Worker).
    pub fn draw(&self, job: &Job) -> Result<Output, JobError> {
        self.run(job, |run| run.draw())
    }

    /// Draws a job that captures nothing, `warm` times and then `count` times more; how long each of these took.
    pub fn time(&self, job: &Job, warm: usize, count: usize) -> Result<Vec<Duration>, JobError> {
        self.run(job, |run| (0..warm + count).map(|_| run.time()).skip(warm).collect())
    }

    fn run<T>(
        &self,
        job: &Job,
        work: impl FnOnce(&mut Run<'_>) -> Result<T, JobError>,
    ) -> Result<T, JobError> {
        let (vertex, fragment) = self.cached_pair(&job.vertex, &job.fragment)?;
        let names: Vec<&str> = job.capture.iter().map(String::as_str).collect();
        let program = self
            .link_capturing(&vertex, &fragment, &names)
            .map_err(|log| Rejection { phase: Phase::Link, log })?;
        let mut run = Run::new(self, &program, job);
        run.bind_blocks()?;
        run.set_uniforms()?;
        run.bind_attributes()?;
        run.make_targets()?;
        work(&mut run)
    }
}

/// A job under way. It owns the objects made for it, and leaves the context as it found it.
struct Run<'a> {
    gl: &'a glow::Context,
    owner: &'a Gl,
    program: glow::Program,
    job: &'a Job,
    width: i32,
    height: i32,
    depth: Option<(Depth, glow::Texture)>,
    buffers: Vec<glow::Buffer>,
    textures: Vec<glow::Texture>,
    samplers: Vec<glow::Sampler>,
    renderbuffers: Vec<glow::Renderbuffer>,
    framebuffers: Vec<glow::Framebuffer>,
    vertex_arrays: Vec<glow::VertexArray>,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let gl = self.gl;
        // SAFETY: the context is current, it was when the run began and nothing switches in between; the
        // objects are its own.
        unsafe {
            gl.use_program(None);
            gl.bind_vertex_array(None);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            gl.disable(glow::DEPTH_TEST);
            gl.disable(glow::RASTERIZER_DISCARD);
            for n in 0..self.job.clip_distances.min(MAX_CLIP_DISTANCES) {
                gl.disable(glow::CLIP_DISTANCE0 + n);
            }
            self.buffers.drain(..).for_each(|o| gl.delete_buffer(o));
            self.textures.drain(..).for_each(|o| gl.delete_texture(o));
            self.samplers.drain(..).for_each(|o| gl.delete_sampler(o));
            self.renderbuffers.drain(..).for_each(|o| gl.delete_renderbuffer(o));
            self.framebuffers.drain(..).for_each(|o| gl.delete_framebuffer(o));
            self.vertex_arrays.drain(..).for_each(|o| gl.delete_vertex_array(o));
            while gl.get_error() != glow::NO_ERROR {}
        }
    }
}

impl<'a> Run<'a> {
    fn new(owner: &'a Gl, program: &Program, job: &'a Job) -> Run<'a> {
        let gl = owner.current();
        // SAFETY: the context is current and the program is its own.
        unsafe {
            gl.use_program(Some(program.id()));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        }
        Run {
            gl,
            owner,
            program: program.id(),
            job,
            width: job.size[0].max(1) as i32,
            height: job.size[1].max(1) as i32,
            depth: None,
            buffers: Vec::new(),
            textures: Vec::new(),
            samplers: Vec::new(),
            renderbuffers: Vec::new(),
            framebuffers: Vec::new(),
            vertex_arrays: Vec::new(),
        }
    }

    /// Turns a pending GL error into one that says what was being done.
    fn check(&self, doing: &str) -> Result<(), JobError> {
        // SAFETY: the context is current.
        match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => Ok(()),
            glow::INVALID_ENUM => invalid(format!("{doing}: GL says INVALID_ENUM")),
            glow::INVALID_VALUE => invalid(format!("{doing}: GL says INVALID_VALUE")),
            glow::INVALID_OPERATION => invalid(format!("{doing}: GL says INVALID_OPERATION")),
            glow::INVALID_FRAMEBUFFER_OPERATION => {
                invalid(format!("{doing}: GL says INVALID_FRAMEBUFFER_OPERATION"))
            }
            glow::OUT_OF_MEMORY => invalid(format!("{doing}: GL is out of memory")),
            code => invalid(format!("{doing}: GL error {code:#06x}")),
        }
    }

    fn buffer(&mut self, target: u32, bytes: &[u8]) -> Result<glow::Buffer, JobError> {
        // SAFETY: the context is current, and GL copies the bytes during the call.
        unsafe {
            let buffer = self.gl.create_buffer()?;
            self.buffers.push(buffer);
            self.gl.bind_buffer(target, Some(buffer));
            self.gl.buffer_data_u8_slice(target, bytes, glow::STATIC_DRAW);
            Ok(buffer)
        }
    }

    fn bind_blocks(&mut self) -> Result<(), JobError> {
        let (gl, program, job) = (self.gl, self.program, self.job);
        // SAFETY: the context is current, and the program is its own.
        let count = unsafe { gl.get_program_parameter_i32(program, glow::ACTIVE_UNIFORM_BLOCKS) } as u32;
        for index in 0..count {
            // SAFETY: as above; the index is below the count.
            let (name, size) = unsafe {
                let size =
                    gl.get_active_uniform_block_parameter_i32(program, index, glow::UNIFORM_BLOCK_DATA_SIZE);
                (gl.get_active_uniform_block_name(program, index), size as usize)
            };
            let Some(bytes) = job.blocks.get(&name) else {
                return invalid(format!("no bytes for the uniform block `{name}` ({size} bytes)"));
            };
            if bytes.len() < size {
                return invalid(format!("uniform block `{name}` has {} bytes of {size}", bytes.len()));
            }
            let buffer = self.buffer(glow::UNIFORM_BUFFER, bytes)?;
            // SAFETY: as above.
            unsafe {
                gl.uniform_block_binding(program, index, index);
                gl.bind_buffer_base(glow::UNIFORM_BUFFER, index, Some(buffer));
            }
        }
        self.check("uniform blocks")
    }

    fn set_uniforms(&mut self) -> Result<(), JobError> {
        let (gl, program, job) = (self.gl, self.program, self.job);
        let mut unit = 0;
        // SAFETY: the context is current, and the program is its own.
        for index in 0..unsafe { gl.get_active_uniforms(program) } {
            // SAFETY: as above; the index is below the count.
            let Some(uniform) = (unsafe { gl.get_active_uniform(program, index) }) else { continue };
            // SAFETY: as above.
            let Some(location) = (unsafe { gl.get_uniform_location(program, &uniform.name) }) else {
                continue; // a member of a block
            };
            let name = uniform.name.strip_suffix("[0]").unwrap_or(&uniform.name);
            let count = uniform.size as usize;
            if let Some(scalar) = scalar_of(uniform.utype) {
                let Some(data) = job.uniforms.get(name) else {
                    return invalid(format!("no value for the uniform `{name}`"));
                };
                if data.kind != scalar.0 || data.bits.len() != scalar.1 * count {
                    return invalid(format!(
                        "uniform `{name}` takes {} x {count} of {:?}, not {} of {:?}",
                        scalar.1,
                        scalar.0,
                        data.bits.len(),
                        data.kind
                    ));
                }
                self.set_uniform(&location, uniform.utype, data);
                continue;
            }
            for element in 0..count {
                let name =
                    if uniform.name.ends_with(']') { format!("{name}[{element}]") } else { name.to_owned() };
                let Some(texture) = job.textures.get(&name) else {
                    return invalid(format!("no texture for the sampler `{name}`"));
                };
                self.bind_texture(unit, &name, texture)?;
                // SAFETY: as above.
                unsafe {
                    let location = gl.get_uniform_location(program, &name);
                    gl.uniform_1_i32(location.as_ref(), unit as i32);
                }
                unit += 1;
            }
        }
        self.check("uniforms")
    }

    fn set_uniform(&self, location: &glow::UniformLocation, ty: u32, data: &Data) {
        let (gl, at) = (self.gl, Some(location));
        let bits = &data.bits;
        let floats: Vec<f32> = bits.iter().map(|&b| f32::from_bits(b)).collect();
        let ints: Vec<i32> = bits.iter().map(|&b| b as i32).collect();
        // SAFETY: the program is current, and the slices are as long as its type asks.
        unsafe {
            match ty {
                glow::FLOAT => gl.uniform_1_f32_slice(at, &floats),
                glow::FLOAT_VEC2 => gl.uniform_2_f32_slice(at, &floats),
                glow::FLOAT_VEC3 => gl.uniform_3_f32_slice(at, &floats),
                glow::FLOAT_VEC4 => gl.uniform_4_f32_slice(at, &floats),
                glow::FLOAT_MAT2 => gl.uniform_matrix_2_f32_slice(at, false, &floats),
                glow::FLOAT_MAT3 => gl.uniform_matrix_3_f32_slice(at, false, &floats),
                glow::FLOAT_MAT4 => gl.uniform_matrix_4_f32_slice(at, false, &floats),
                glow::INT | glow::BOOL => gl.uniform_1_i32_slice(at, &ints),
                glow::INT_VEC2 | glow::BOOL_VEC2 => gl.uniform_2_i32_slice(at, &ints),
                glow::INT_VEC3 | glow::BOOL_VEC3 => gl.uniform_3_i32_slice(at, &ints),
                glow::INT_VEC4 | glow::BOOL_VEC4 => gl.uniform_4_i32_slice(at, &ints),
                glow::UNSIGNED_INT => gl.uniform_1_u32_slice(at, bits),
                glow::UNSIGNED_INT_VEC2 => gl.uniform_2_u32_slice(at, bits),
                glow::UNSIGNED_INT_VEC3 => gl.uniform_3_u32_slice(at, bits),
                _ => gl.uniform_4_u32_slice(at, bits),
            }
        }
    }

    fn bind_texture(&mut self, unit: u32, name: &str, texture: &Texture) -> Result<(), JobError> {
        let gl = self.gl;
        let [width, height, depth] = texture.size.map(|n| n as i32);
        let (internal, format, ty, texel) = format_of(texture.format);
        let (target, faces) = match texture.dimension {
            Dimension::D2 => (glow::TEXTURE_2D, 1),
            Dimension::D3 => (glow::TEXTURE_3D, 1),
            Dimension::Cube => (glow::TEXTURE_CUBE_MAP, 6),
            Dimension::D2Array => (glow::TEXTURE_2D_ARRAY, 1),
        };
        let layered = matches!(texture.dimension, Dimension::D3 | Dimension::D2Array);
        if !layered && depth != 1 {
            return invalid(format!("texture `{name}` has a depth of {depth}"));
        }
        let levels = texture.levels.len() as i32;
        // SAFETY: the context is current.
        unsafe {
            let id = gl.create_texture()?;
            self.textures.push(id);
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(target, Some(id));
            if layered {
                gl.tex_storage_3d(target, levels, internal, width, height, depth);
            } else {
                gl.tex_storage_2d(target, levels, internal, width, height);
            }
        }
        self.check(&format!("storage of texture `{name}`"))?;
        for (level, bytes) in texture.levels.iter().enumerate() {
            let at = |n: i32| (n >> level).max(1);
            let (w, h) = (at(width), at(height));
            let d = if texture.dimension == Dimension::D3 { at(depth) } else { depth };
            let face = (w as usize) * (h as usize) * (d as usize) * texel;
            if bytes.len() != face * faces {
                return invalid(format!(
                    "level {level} of texture `{name}` has {} bytes, not {}",
                    bytes.len(),
                    face * faces
                ));
            }
            let level = level as i32;
            for (index, bytes) in bytes.chunks(face).enumerate() {
                let pixels = glow::PixelUnpackData::Slice(Some(bytes));
                // SAFETY: the context is current, and the slice holds as many texels as the call reads.
                unsafe {
                    if layered {
                        gl.tex_sub_image_3d(target, level, 0, 0, 0, w, h, d, format, ty, pixels);
                    } else {
                        let target = if faces == 6 {
                            glow::TEXTURE_CUBE_MAP_POSITIVE_X + index as u32
                        } else {
                            target
                        };
                        gl.tex_sub_image_2d(target, level, 0, 0, w, h, format, ty, pixels);
                    }
                }
            }
        }
        self.check(&format!("texels of texture `{name}`"))?;
        self.bind_sampler(unit, &texture.sampler)?;
        self.check(&format!("sampler of texture `{name}`"))
    }

    fn bind_sampler(&mut self, unit: u32, sampler: &Sampler) -> Result<(), JobError> {
        let gl = self.gl;
        let mag = match sampler.mag {
            Filter::Nearest => glow::NEAREST,
            Filter::Linear => glow::LINEAR,
        };
        let min = match (sampler.min, sampler.mip) {
            (Filter::Nearest, None) => glow::NEAREST,
            (Filter::Linear, None) => glow::LINEAR,
            (Filter::Nearest, Some(Filter::Nearest)) => glow::NEAREST_MIPMAP_NEAREST,
            (Filter::Linear, Some(Filter::Nearest)) => glow::LINEAR_MIPMAP_NEAREST,
            (Filter::Nearest, Some(Filter::Linear)) => glow::NEAREST_MIPMAP_LINEAR,
            (Filter::Linear, Some(Filter::Linear)) => glow::LINEAR_MIPMAP_LINEAR,
        };
        let wrap = sampler.wrap.map(|wrap| match wrap {
            Wrap::Clamp => glow::CLAMP_TO_EDGE,
            Wrap::Repeat => glow::REPEAT,
            Wrap::Mirror => glow::MIRRORED_REPEAT,
        });
        let mut parameters = vec![
            (glow::TEXTURE_MAG_FILTER, mag),
            (glow::TEXTURE_MIN_FILTER, min),
            (glow::TEXTURE_WRAP_S, wrap[0]),
            (glow::TEXTURE_WRAP_T, wrap[1]),
            (glow::TEXTURE_WRAP_R, wrap[2]),
        ];
        if let Some(compare) = sampler.compare {
            parameters.push((glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE));
            parameters.push((glow::TEXTURE_COMPARE_FUNC, compare_of(compare)));
        }
        // SAFETY: the context is current.
        unsafe {
            let id = gl.create_sampler()?;
            self.samplers.push(id);
            for (name, value) in parameters {
                gl.sampler_parameter_i32(id, name, value as i32);
            }
            gl.sampler_parameter_f32(id, glow::TEXTURE_MIN_LOD, sampler.lod[0]);
            gl.sampler_parameter_f32(id, glow::TEXTURE_MAX_LOD, sampler.lod[1]);
            gl.bind_sampler(unit, Some(id));
        }
        Ok(())
    }

    fn bind_attributes(&mut self) -> Result<(), JobError> {
        let (gl, program, job) = (self.gl, self.program, self.job);
        // SAFETY: the context is current, and the program is its own.
        let count = unsafe {
            let array = gl.create_vertex_array()?;
            self.vertex_arrays.push(array);
            gl.bind_vertex_array(Some(array));
            gl.get_active_attributes(program)
        };
        for index in 0..count {
            // SAFETY: as above; the index is below the count.
            let Some(active) = (unsafe { gl.get_active_attribute(program, index) }) else { continue };
            let name = active.name.as_str();
            // SAFETY: as above.
            let Some(location) = (unsafe { gl.get_attrib_location(program, name) }) else {
                continue; // gl_VertexID and its like
            };
            let Some((kind, 1..=4)) = scalar_of(active.atype) else {
                return invalid(format!("attribute `{name}` is a matrix"));
            };
            let Some(Attribute { size, divisor, data }) = job.attributes.get(name) else {
                return invalid(format!("no data for the attribute `{name}`"));
            };
            let elements = match divisor {
                0 => job.vertices,
                divisor => job.instances.max(1).div_ceil(*divisor),
            };
            if data.kind != kind || data.bits.len() < elements as usize * usize::from(*size) {
                return invalid(format!(
                    "attribute `{name}` takes {elements} x {size} of {kind:?}, not {} of {:?}",
                    data.bits.len(),
                    data.kind
                ));
            }
            let bytes: Vec<u8> = data.bits.iter().flat_map(|b| b.to_ne_bytes()).collect();
            self.buffer(glow::ARRAY_BUFFER, &bytes)?;
            let size = i32::from(*size);
            // SAFETY: as above; the buffer just bound holds every element that the draw reads.
            unsafe {
                match kind {
                    Kind::Float => gl.vertex_attrib_pointer_f32(location, size, glow::FLOAT, false, 0, 0),
                    Kind::Int => gl.vertex_attrib_pointer_i32(location, size, glow::INT, 0, 0),
                    Kind::Uint => gl.vertex_attrib_pointer_i32(location, size, glow::UNSIGNED_INT, 0, 0),
                }
                gl.vertex_attrib_divisor(location, *divisor);
                gl.enable_vertex_attrib_array(location);
            }
            self.check(&format!("attribute `{name}`"))?;
        }
        Ok(())
    }

    /// Makes, binds and clears the framebuffer.
    fn make_targets(&mut self) -> Result<(), JobError> {
        let (gl, job) = (self.gl, self.job);
        // SAFETY: the context is current, and the clear values have the four components that the calls read.
        unsafe {
            let framebuffer = gl.create_framebuffer()?;
            self.framebuffers.push(framebuffer);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.viewport(0, 0, self.width, self.height);
            let mut draw_buffers = Vec::new();
            for (index, target) in (0u32..).zip(&job.targets) {
                let attachment = glow::COLOR_ATTACHMENT0 + index;
                let Some((internal, ..)) = target_of(*target) else {
                    draw_buffers.push(glow::NONE);
                    continue;
                };
                draw_buffers.push(attachment);
                self.attach(attachment, internal)?;
            }
            if draw_buffers.iter().all(|&b| b == glow::NONE) && job.depth.is_none() {
                // Nothing to draw to is no framebuffer at all, even for a capture without pixels.
                self.attach(glow::COLOR_ATTACHMENT0, glow::RGBA8)?;
            }
            if let Some(depth) = job.depth {
                let texture = gl.create_texture()?;
                self.textures.push(texture);
                self.depth = Some((depth, texture));
                // The last unit that every GL has: the first ones hold the job's textures.
                gl.active_texture(glow::TEXTURE31);
                gl.bind_texture(glow::TEXTURE_2D, Some(texture));
                gl.tex_storage_2d(glow::TEXTURE_2D, 1, glow::DEPTH_COMPONENT32F, self.width, self.height);
                // A texture that is bound while it is drawn to is a feedback loop, also if nothing reads it.
                gl.bind_texture(glow::TEXTURE_2D, None);
                gl.framebuffer_texture_2d(
                    glow::FRAMEBUFFER,
                    glow::DEPTH_ATTACHMENT,
                    glow::TEXTURE_2D,
                    Some(texture),
                    0,
                );
                gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[depth.clear]);
                gl.enable(glow::DEPTH_TEST);
                gl.depth_func(compare_of(depth.test));
            }
            for n in 0..job.clip_distances.min(MAX_CLIP_DISTANCES) {
                gl.enable(glow::CLIP_DISTANCE0 + n);
            }
            gl.draw_buffers(&draw_buffers);
            self.check("framebuffer")?;
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            if status != glow::FRAMEBUFFER_COMPLETE {
                return invalid(format!("the framebuffer is incomplete ({status:#06x})"));
            }
            for (index, target) in (0u32..).zip(&job.targets) {
                match target {
                    Target::Rgba32f => {
                        gl.clear_buffer_f32_slice(glow::COLOR, index, &job.clear.map(f32::from_bits));
                    }
                    Target::Rgba32i => {
                        gl.clear_buffer_i32_slice(glow::COLOR, index, &job.clear.map(|b| b as i32));
                    }
                    Target::Rgba32ui => gl.clear_buffer_u32_slice(glow::COLOR, index, &job.clear),
                    Target::Unused => {}
                }
            }
        }
        self.check("clear")
    }

    /// Attaches new storage to the framebuffer that is bound.
    ///
    /// # Safety
    /// The context must be current.
    unsafe fn attach(&mut self, attachment: u32, internal: u32) -> Result<(), JobError> {
        let gl = self.gl;
        // SAFETY: the context is current.
        unsafe {
            let renderbuffer = gl.create_renderbuffer()?;
            self.renderbuffers.push(renderbuffer);
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(renderbuffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, internal, self.width, self.height);
            gl.framebuffer_renderbuffer(
                glow::FRAMEBUFFER,
                attachment,
                glow::RENDERBUFFER,
                Some(renderbuffer),
            );
        }
        Ok(())
    }

    fn mode(&self) -> u32 {
        match self.job.mode {
            Mode::Points => glow::POINTS,
            Mode::Lines => glow::LINES,
            Mode::Triangles => glow::TRIANGLES,
            Mode::TriangleStrip => glow::TRIANGLE_STRIP,
        }
    }

    /// One draw, from nothing to do to nothing to do.
    fn time(&mut self) -> Result<Duration, JobError> {
        let mode = self.mode();
        let (vertices, instances) = (self.job.vertices as i32, self.job.instances.max(1) as i32);
        // SAFETY: the context is current, and the attributes hold what the draw reads.
        let time = unsafe {
            self.gl.finish();
            let start = Instant::now();
            self.gl.draw_arrays_instanced(mode, 0, vertices, instances);
            self.gl.finish();
            start.elapsed()
        };
        self.check("draw")?;
        Ok(time)
    }

    fn draw(&mut self) -> Result<Output, JobError> {
        let (gl, job, mode) = (self.gl, self.job, self.mode());
        let (vertices, instances) = (job.vertices as i32, job.instances.max(1) as i32);
        let mut output = Output::default();
        if job.capture.is_empty() {
            // SAFETY: the context is current, and the attributes hold what the draw reads.
            unsafe { gl.draw_arrays_instanced(mode, 0, vertices, instances) }
            self.check("draw")?;
        } else {
            self.draw_capturing(mode, &mut output)?;
        }
        for (index, target) in (0u32..).zip(&job.targets) {
            output.pixels.push(match target_of(*target) {
                Some((_, format, ty)) => self.read(glow::COLOR_ATTACHMENT0 + index, format, ty)?,
                None => Vec::new(),
            });
        }
        if let Some((_, texture)) = self.depth {
            output.depth = self.read_depth(texture)?;
        }
        Ok(output)
    }

    fn draw_capturing(&mut self, mode: u32, output: &mut Output) -> Result<(), JobError> {
        let (gl, job) = (self.gl, self.job);
        // Leftover vertices draw nothing, but ANGLE leaves room for them in the records of later instances.
        let vertices = match job.mode {
            Mode::Points => job.vertices,
            Mode::Lines => job.vertices / 2 * 2,
            Mode::Triangles => job.vertices / 3 * 3,
            Mode::TriangleStrip => return invalid("OpenGL ES 3.0 does not capture strips"),
        };
        let instances = job.instances.max(1);
        let recorded = vertices as usize * instances as usize;
        let mut components = Vec::new();
        for (index, name) in (0u32..).zip(&job.capture) {
            // SAFETY: the context is current, and the program was linked to capture these.
            let varying = unsafe { gl.get_transform_feedback_varying(self.program, index) };
            match varying.map(|v| (scalar_of(v.tftype), v.size)) {
                Some((Some((_, count)), size)) => components.push(count * size as usize),
                _ => return invalid(format!("`{name}` cannot be captured")),
            }
        }
        let stride: usize = components.iter().sum();
        let size = recorded * stride * 4;
        let buffer = self.buffer(glow::TRANSFORM_FEEDBACK_BUFFER, &vec![0; size])?;
        // SAFETY: the context is current. The buffer has room for every vertex, is bound for the capture alone,
        // and the mapping is read within its length before it is undone.
        let words: Vec<u32> = unsafe {
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer));
            if job.targets.is_empty() && job.depth.is_none() {
                gl.enable(glow::RASTERIZER_DISCARD);
            }
            gl.begin_transform_feedback(mode);
            gl.draw_arrays_instanced(mode, 0, vertices as i32, instances as i32);
            gl.end_transform_feedback();
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
            self.check("draw with capture")?;
            if size == 0 {
                Vec::new()
            } else {
                gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer));
                let mapped = gl.map_buffer_range(glow::COPY_READ_BUFFER, 0, size as i32, glow::MAP_READ_BIT);
                if mapped.is_null() {
                    self.check("reading the capture")?;
                    return invalid("the capture cannot be read");
                }
                let words = std::slice::from_raw_parts(mapped, size)
                    .chunks_exact(4)
                    .map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]))
                    .collect();
                gl.unmap_buffer(glow::COPY_READ_BUFFER);
                gl.bind_buffer(glow::COPY_READ_BUFFER, None);
                words
            }
        };
        let mut start = 0;
        for (name, count) in job.capture.iter().zip(components) {
            let vertices = words.chunks_exact(stride).map(|vertex| vertex[start..start + count].to_vec());
            output.captured.insert(name.clone(), vertices.collect());
            start += count;
        }
        Ok(())
    }

    fn read(&self, attachment: u32, format: u32, ty: u32) -> Result<Vec<[u32; 4]>, JobError> {
        let mut bytes = vec![0; self.width as usize * self.height as usize * 16];
        // SAFETY: the context is current, and the slice has the 16 bytes a pixel that the call writes.
        unsafe {
            self.gl.read_buffer(attachment);
            let pixels = glow::PixelPackData::Slice(Some(&mut bytes));
            self.gl.read_pixels(0, 0, self.width, self.height, format, ty, pixels);
        }
        self.check("read-back")?;
        let word = |b: &[u8]| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]);
        Ok(bytes
            .chunks_exact(16)
            .map(|p| [word(&p[..4]), word(&p[4..8]), word(&p[8..12]), word(&p[12..])])
            .collect())
    }

    /// Depth cannot be read back as such, so it is drawn into a float target first.
    fn read_depth(&mut self, depth: glow::Texture) -> Result<Vec<u32>, JobError> {
        let gl = self.gl;
        let (vertex, fragment) = self.owner.cached_pair(FULLSCREEN_VERTEX, DEPTH_FRAGMENT)?;
        let program =
            self.owner.link(&vertex, &fragment).map_err(|log| Rejection { phase: Phase::Link, log })?;
        // SAFETY: the context is current, and the objects are its own.
        unsafe {
            let framebuffer = gl.create_framebuffer()?;
            self.framebuffers.push(framebuffer);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            self.attach(glow::COLOR_ATTACHMENT0, glow::RGBA32F)?;
            gl.disable(glow::DEPTH_TEST);
            gl.disable(glow::RASTERIZER_DISCARD);
            for n in 0..self.job.clip_distances.min(MAX_CLIP_DISTANCES) {
                gl.disable(glow::CLIP_DISTANCE0 + n);
            }
            gl.use_program(Some(program.id()));
            let array = gl.create_vertex_array()?;
            self.vertex_arrays.push(array);
            gl.bind_vertex_array(Some(array));
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(depth));
            gl.bind_sampler(0, None);
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAG_FILTER, glow::NEAREST as i32);
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
        self.check("depth")?;
        let pixels = self.read(glow::COLOR_ATTACHMENT0, glow::RGBA, glow::FLOAT)?;
        Ok(pixels.into_iter().map(|p| p[0]).collect())
    }
}

/// Scalar type and component count; `None` for samplers and what WebGL2 does not have.
fn scalar_of(ty: u32) -> Option<(Kind, usize)> {
    Some(match ty {
        glow::FLOAT => (Kind::Float, 1),
        glow::FLOAT_VEC2 => (Kind::Float, 2),
        glow::FLOAT_VEC3 => (Kind::Float, 3),
        glow::FLOAT_VEC4 => (Kind::Float, 4),
        glow::FLOAT_MAT2 => (Kind::Float, 4),
        glow::FLOAT_MAT3 => (Kind::Float, 9),
        glow::FLOAT_MAT4 => (Kind::Float, 16),
        glow::INT | glow::BOOL => (Kind::Int, 1),
        glow::INT_VEC2 | glow::BOOL_VEC2 => (Kind::Int, 2),
        glow::INT_VEC3 | glow::BOOL_VEC3 => (Kind::Int, 3),
        glow::INT_VEC4 | glow::BOOL_VEC4 => (Kind::Int, 4),
        glow::UNSIGNED_INT => (Kind::Uint, 1),
        glow::UNSIGNED_INT_VEC2 => (Kind::Uint, 2),
        glow::UNSIGNED_INT_VEC3 => (Kind::Uint, 3),
        glow::UNSIGNED_INT_VEC4 => (Kind::Uint, 4),
        _ => return None,
    })
}

fn compare_of(compare: Compare) -> u32 {
    match compare {
        Compare::Never => glow::NEVER,
        Compare::Less => glow::LESS,
        Compare::Equal => glow::EQUAL,
        Compare::LessEqual => glow::LEQUAL,
        Compare::Greater => glow::GREATER,
        Compare::NotEqual => glow::NOTEQUAL,
        Compare::GreaterEqual => glow::GEQUAL,
        Compare::Always => glow::ALWAYS,
    }
}

/// Internal format, and the format and type to read it back.
fn target_of(target: Target) -> Option<(u32, u32, u32)> {
    Some(match target {
        Target::Rgba32f => (glow::RGBA32F, glow::RGBA, glow::FLOAT),
        Target::Rgba32i => (glow::RGBA32I, glow::RGBA_INTEGER, glow::INT),
        Target::Rgba32ui => (glow::RGBA32UI, glow::RGBA_INTEGER, glow::UNSIGNED_INT),
        Target::Unused => return None,
    })
}

/// Internal format, format, type, and bytes a texel.
pub(crate) fn format_of(format: Format) -> (u32, u32, u32, usize) {
    use glow::*;
    match format {
        Format::R8 => (R8, RED, UNSIGNED_BYTE, 1),
        Format::R8Snorm => (R8_SNORM, RED, BYTE, 1),
        Format::R8Ui => (R8UI, RED_INTEGER, UNSIGNED_BYTE, 1),
        Format::R8I => (R8I, RED_INTEGER, BYTE, 1),
        Format::Rg8 => (RG8, RG, UNSIGNED_BYTE, 2),
        Format::Rg8Snorm => (RG8_SNORM, RG, BYTE, 2),
        Format::Rgba8 => (RGBA8, RGBA, UNSIGNED_BYTE, 4),
        Format::Rgba8Snorm => (RGBA8_SNORM, RGBA, BYTE, 4),
        Format::Rgba8Ui => (RGBA8UI, RGBA_INTEGER, UNSIGNED_BYTE, 4),
        Format::Rgba8I => (RGBA8I, RGBA_INTEGER, BYTE, 4),
        Format::Srgb8Alpha8 => (SRGB8_ALPHA8, RGBA, UNSIGNED_BYTE, 4),
        Format::Rgb10A2 => (RGB10_A2, RGBA, UNSIGNED_INT_2_10_10_10_REV, 4),
        Format::Rgb10A2Ui => (RGB10_A2UI, RGBA_INTEGER, UNSIGNED_INT_2_10_10_10_REV, 4),
        Format::R11fG11fB10f => (R11F_G11F_B10F, RGB, UNSIGNED_INT_10F_11F_11F_REV, 4),
        Format::Rgb9E5 => (RGB9_E5, RGB, UNSIGNED_INT_5_9_9_9_REV, 4),
        Format::R16f => (R16F, RED, HALF_FLOAT, 2),
        Format::Rg16f => (RG16F, RG, HALF_FLOAT, 4),
        Format::Rgba16f => (RGBA16F, RGBA, HALF_FLOAT, 8),
        Format::R16Ui => (R16UI, RED_INTEGER, UNSIGNED_SHORT, 2),
        Format::R16I => (R16I, RED_INTEGER, SHORT, 2),
        Format::Rgba16Ui => (RGBA16UI, RGBA_INTEGER, UNSIGNED_SHORT, 8),
        Format::Rgba16I => (RGBA16I, RGBA_INTEGER, SHORT, 8),
        Format::R32f => (R32F, RED, FLOAT, 4),
        Format::Rg32f => (RG32F, RG, FLOAT, 8),
        Format::Rgb32f => (RGB32F, RGB, FLOAT, 12),
        Format::Rgba32f => (RGBA32F, RGBA, FLOAT, 16),
        Format::R32Ui => (R32UI, RED_INTEGER, UNSIGNED_INT, 4),
        Format::R32I => (R32I, RED_INTEGER, INT, 4),
        Format::Rg32Ui => (RG32UI, RG_INTEGER, UNSIGNED_INT, 8),
        Format::Rg32I => (RG32I, RG_INTEGER, INT, 8),
        Format::Rgba32Ui => (RGBA32UI, RGBA_INTEGER, UNSIGNED_INT, 16),
        Format::Rgba32I => (RGBA32I, RGBA_INTEGER, INT, 16),
        Format::Depth16 => (DEPTH_COMPONENT16, DEPTH_COMPONENT, UNSIGNED_SHORT, 2),
        Format::Depth32f => (DEPTH_COMPONENT32F, DEPTH_COMPONENT, FLOAT, 4),
    }
}
