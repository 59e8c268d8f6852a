//! From a translation and a scene to a draw.

use crate::scene::{DEPTH, Scene};
use shaderport_dxbc::program::ResourceDimension;
use shaderport_exec::{Address, Bindings, Comparison, Filter, Resource, Slot, TexelKind, Texture};
use shaderport_gl_harness as gl;
use shaderport_gl_harness::Job;
use shaderport_glsl::Translation;
use shaderport_glsl::manifest::Manifest;
use shaderport_glsl::options::{BufferForm, BufferLength, DepthRange, Extension, IntegerAttributes, Options};
use std::fmt::Write;

/// What pixels hold before the draw, in every lane.
pub const CLEAR: u32 = 0x4048_F5C3;

/// Options of the translator that fit what is drawn here.
pub fn options() -> Options {
    Options {
        depth_range: DepthRange::D3d,
        integer_attributes: IntegerAttributes::Native,
        buffer_length: BufferLength::Uniform,
        data_texture_width: 64,
        ..Options::default()
    }
}

/// Lanes of a mask such as `xz`.
pub(crate) fn lanes(mask: &str) -> impl Iterator<Item = usize> + '_ {
    mask.bytes().filter_map(|c| b"xyzw".iter().position(|l| *l == c))
}

pub(crate) fn kind(ty: &str) -> gl::Kind {
    match ty.as_bytes().first() {
        Some(b'u') => gl::Kind::Uint,
        Some(b'i') => gl::Kind::Int,
        _ => gl::Kind::Float,
    }
}

pub(crate) fn components(ty: &str) -> u8 {
    match ty.bytes().last() {
        Some(n @ b'2'..=b'4') => n - b'0',
        _ => 1,
    }
}

/// The lanes of a register that a variable of `count` components holds: those of its mask, or from x on where it is
/// wider.
pub(crate) fn held(count: usize, mask: Vec<usize>) -> Vec<usize> {
    if mask.len() == count { mask } else { (0..count).collect() }
}

fn data(scene: &Scene, register: usize, ty: &str, mask: &str) -> gl::Data {
    let lanes = held(components(ty).into(), lanes(mask).collect());
    let vertices = scene.corners.as_ref().map_or(&scene.inputs[..], |c| &c[..]);
    let bits = vertices.iter().flat_map(|i| lanes.iter().map(move |&l| i.registers[register][l]));
    gl::Data { kind: kind(ty), bits: bits.collect() }
}

/// A draw of a translated vertex stage that captures its outputs, or of a pixel stage: a point for each pixel, or a
/// triangle.
///
/// # Errors
/// What the scene or the harness lacks.
pub fn job(translation: &Translation, scene: &Scene) -> Result<Job, String> {
    let manifest = &translation.manifest;
    let mut job = Job { mode: gl::Mode::Points, vertices: scene.inputs.len() as u32, ..Job::default() };
    bind(&mut job, manifest, scene)?;
    if manifest.stage == "vertex" {
        for a in &manifest.attributes {
            let data = data(scene, a.register as usize, a.ty, a.mask);
            job.attributes.insert(a.name.clone(), gl::Attribute::new(components(a.ty), data));
        }
        job.vertex = translation.source.clone();
        job.fragment = gl::EMPTY_FRAGMENT.into();
        job.capture = manifest.varyings.iter().map(|v| v.name.clone()).collect();
        if translation.source.contains("gl_Position") {
            job.capture.push("gl_Position".into());
        }
        return Ok(job);
    }
    if manifest.varyings.len() > 16 {
        return Err("more varyings than there are attributes to feed them".into());
    }
    if manifest.extensions.contains(&Extension::ClipCullDistance) {
        return Err("clip distances come from a vertex stage".into());
    }
    let height = scene.inputs.len() / scene.width;
    let place = if scene.corners.is_some() {
        (job.mode, job.vertices) = (gl::Mode::Triangles, 3);
        "vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;".into()
    } else {
        place_of_points(scene.width, height)
    };
    job.vertex = pixel_feeder(manifest, &place);
    for (n, v) in manifest.varyings.iter().enumerate() {
        let data = data(scene, v.register as usize, v.ty, v.mask);
        job.attributes.insert(format!("a{n}"), gl::Attribute::new(components(v.ty), data));
    }
    job.fragment = translation.source.clone();
    job.size = [scene.width as u32, height as u32];
    job.clear = [CLEAR; 4];
    for o in &manifest.outputs {
        let Some(location) = o.location else {
            if o.name == "gl_FragDepth" {
                job.depth = Some(gl::Depth { clear: 0.25, test: gl::Compare::Always });
                continue;
            }
            return Err(format!("{} cannot be read back", o.name));
        };
        set_target(&mut job.targets, location as usize, kind(o.ty));
    }
    if job.targets.is_empty() {
        // A target that the program does not write must not be there.
        job.targets.push(gl::Target::Unused);
    }
    Ok(job)
}

/// Puts a target of four 32-bit lanes at a location.
pub(crate) fn set_target(targets: &mut Vec<gl::Target>, location: usize, kind: gl::Kind) {
    if targets.len() <= location {
        targets.resize(location + 1, gl::Target::Unused);
    }
    targets[location] = match kind {
        gl::Kind::Float => gl::Target::Rgba32f,
        gl::Kind::Int => gl::Target::Rgba32i,
        gl::Kind::Uint => gl::Target::Rgba32ui,
    };
}

/// A statement that finds where in the target a point is, from 0 to 1.
fn place_of_points(width: usize, height: usize) -> String {
    format!("vec2 at = (vec2(gl_VertexID % {width}, gl_VertexID / {width}) + 0.5) / vec2({width}, {height});")
}

/// A vertex shader that hands attributes through; `place` finds where in the target, from 0 to 1.
fn pixel_feeder(manifest: &Manifest, place: &str) -> String {
    let mut text = String::from("#version 300 es\n");
    for extension in &manifest.extensions {
        let _ = writeln!(text, "#extension {} : require", extension.glsl_name());
    }
    let mut body = String::new();
    for (n, v) in manifest.varyings.iter().enumerate() {
        let _ = writeln!(text, "layout(location = {n}) in highp {} a{n};", v.ty);
        let _ = writeln!(text, "{} out highp {} {};", v.interpolation, v.ty, v.name);
        let _ = writeln!(body, "    {} = a{n};", v.name);
    }
    let _ = write!(
        text,
        "void main() {{\n{body}    {place}\n    gl_Position = vec4(at * 2.0 - 1.0, {:.1}, 1.0);\n    \
         gl_PointSize = 1.0;\n}}\n",
        DEPTH * 2.0 - 1.0
    );
    text
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Rows of a constant buffer as the stage wants them: with the bones in those that are for them.
fn rows(manifest: &Manifest, bindings: &Bindings, slot: Slot, rows: u32) -> Vec<u32> {
    let mut words: Vec<u32> =
        bindings.constants.get(&slot).iter().flat_map(|b| b.rows()).flatten().copied().collect();
    words.resize(words.len().max(rows as usize * 4), 0);
    if let Some(joints) = manifest.joints.filter(|j| slot == Slot::from(j.slot))
        && let Some(Resource::Structured { words: bones, .. }) =
            bindings.resources.get(&Slot::from(joints.buffer)).map(|r| &**r)
    {
        // The host's rows begin at joint 0, to which the shader's offset leads.
        let first = joints.first_row as usize * 4;
        let offset = words[first] as usize * 12;
        let bones = bones.iter().skip(offset).take(joints.joints as usize * 12);
        words[first..].iter_mut().zip(bones).for_each(|(w, b)| *w = *b);
    }
    words
}

/// Binds what a stage reads.
pub(crate) fn bind(job: &mut Job, manifest: &Manifest, scene: &Scene) -> Result<(), String> {
    let bindings = &scene.bindings;
    for a in &manifest.uniform_arrays {
        let slot = Slot { space: a.space, register: a.register };
        let words = rows(manifest, bindings, slot, a.rows);
        job.uniforms.insert(a.name.clone(), gl::Data::float_bits(&words[..a.rows as usize * 4]));
    }
    for block in &manifest.uniform_blocks {
        let slot = Slot { space: block.space, register: block.register };
        if !bindings.constants.contains_key(&slot) && manifest.joints.is_none_or(|j| slot != j.slot.into()) {
            return Err(format!("{} is not bound", block.block));
        }
        let content = bytes(rows(manifest, bindings, slot, block.rows));
        // A block of both stages is as long as the longer.
        let other = job.blocks.entry(block.block.clone()).or_default();
        if other.len() < content.len() {
            *other = content;
        }
    }
    for t in &manifest.textures {
        let slot = Slot { space: t.space, register: t.register };
        let Some(Resource::Texture(texture)) = bindings.resources.get(&slot).map(|r| &**r) else {
            return Err(format!("{} is not bound to a texture", t.name));
        };
        let sampler = t.sampler.map(|register| Slot { space: t.sampler_space.unwrap_or(0), register });
        let sampler = sampler.and_then(|s| bindings.samplers.get(&s)).copied().unwrap_or_default();
        job.textures.insert(t.name.clone(), gl_texture(texture, &sampler, t.comparison)?);
        let levels = gl::Data::uints(&[texture.level_count() as u32]);
        job.uniforms.insert(format!("{}_levels", t.name), levels);
    }
    for b in &manifest.buffers {
        let slot = Slot { space: b.space, register: b.register };
        let resource = bindings.resources.get(&slot).ok_or_else(|| format!("{} is not bound", b.name))?;
        let (words, per_element, length): (Vec<u32>, usize, usize) = match &**resource {
            Resource::Typed(texels, _) => (texels.iter().flatten().copied().collect(), 4, texels.len()),
            Resource::Raw(words) => (words.clone(), 4, words.len() * 4),
            Resource::Structured { stride, words } => {
                let each = *stride as usize / 4;
                (words.clone(), each, words.len() / each)
            }
            Resource::Texture(_) => return Err(format!("{} is bound to a texture", b.name)),
        };
        if let Some(name) = &b.length_uniform {
            job.uniforms.insert(name.clone(), gl::Data::uints(&[length as u32]));
        }
        match b.form {
            BufferForm::Block => {
                let rows = b.rows_per_element.unwrap_or(1) as usize;
                let mut content = Vec::new();
                for element in words.chunks(per_element) {
                    let mut element = element.to_vec();
                    element.resize(rows * 4, 0);
                    content.extend(element);
                }
                let mut content = bytes(content);
                content.resize(content.len().max(b.byte_size.unwrap_or(0) as usize), 0);
                job.blocks.insert(b.name.clone(), content);
            }
            BufferForm::Texture => {
                let width = b.texture_width.unwrap_or(64);
                let texels = words.len().div_ceil(4) as u32;
                let height = texels.div_ceil(width).max(1);
                let mut content = bytes(words);
                content.resize((width * height * 16) as usize, 0);
                job.textures.insert(
                    b.name.clone(),
                    gl::Texture::new_2d(gl::Format::Rgba32Ui, width, height, content),
                );
            }
        }
    }
    Ok(())
}

fn gl_texture(
    texture: &Texture,
    sampler: &shaderport_exec::Sampler,
    comparison: bool,
) -> Result<gl::Texture, String> {
    use ResourceDimension::*;
    let dimension = match texture.dimension() {
        Texture1D | Texture2D => gl::Dimension::D2,
        Texture1DArray | Texture2DArray => gl::Dimension::D2Array,
        Texture3D => gl::Dimension::D3,
        TextureCube => gl::Dimension::Cube,
        other => return Err(format!("there is no {} in GL", other.name())),
    };
    let [w, h, d] = texture.level_size(0);
    let size = if dimension == gl::Dimension::D2Array { [w, h, texture.layers()] } else { [w, h, d] };
    let (format, lanes) = match texture.kind {
        _ if comparison => (gl::Format::Depth32f, 1),
        TexelKind::Float => (gl::Format::Rgba32f, 4),
        TexelKind::Sint => (gl::Format::Rgba32I, 4),
        TexelKind::Uint => (gl::Format::Rgba32Ui, 4),
    };
    let level = |n: usize| bytes(texture.level(n).iter().flat_map(|t| t[..lanes].iter().copied()));
    Ok(gl::Texture {
        dimension,
        format,
        size,
        levels: (0..texture.level_count()).map(level).collect(),
        sampler: gl_sampler(sampler, texture.kind == TexelKind::Float, comparison)?,
    })
}

/// A sampler, which filters where it may and compares where it is to.
pub(crate) fn gl_sampler(
    sampler: &shaderport_exec::Sampler,
    filters: bool,
    comparison: bool,
) -> Result<gl::Sampler, String> {
    let filter = |f: Filter| match f {
        Filter::Linear if filters => gl::Filter::Linear,
        _ => gl::Filter::Nearest,
    };
    let wrap = |a: Address| match a {
        Address::Wrap => Ok(gl::Wrap::Repeat),
        Address::Mirror => Ok(gl::Wrap::Mirror),
        Address::Clamp => Ok(gl::Wrap::Clamp),
        Address::Border | Address::MirrorOnce => Err("GL has no such address mode"),
    };
    let compare = match sampler.comparison {
        Comparison::Never => gl::Compare::Never,
        Comparison::Less => gl::Compare::Less,
        Comparison::Equal => gl::Compare::Equal,
        Comparison::LessEqual => gl::Compare::LessEqual,
        Comparison::Greater => gl::Compare::Greater,
        Comparison::NotEqual => gl::Compare::NotEqual,
        Comparison::GreaterEqual => gl::Compare::GreaterEqual,
        Comparison::Always => gl::Compare::Always,
    };
    let [s, t, r] = sampler.address.map(wrap);
    Ok(gl::Sampler {
        mag: filter(sampler.mag),
        min: filter(sampler.min),
        mip: Some(filter(sampler.mip)),
        wrap: [s?, t?, r?],
        compare: comparison.then_some(compare),
        ..gl::Sampler::default()
    })
}
