//! Pixel resources in other forms than the shader declares: textures merged into one, buffers in a shared data
//! texture, resources left out. A host asks for it where a shader needs more texture units than there are.
//!
//! Every use that the other form would change is refused, with its instruction.

use crate::decls::{BufferKind, Decls, scalar_of_returns};
use crate::flow::place;
use crate::options::{BufferCapacity, Options};
use crate::resources::Resources;
use crate::tree::Scalar;
use serde::Serialize;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::webgl as codes;
use shaderport_dxbc::program::{OperandKind, ResourceDimension};
use shaderport_dxbc::{Instruction, Opcode, Program, Slot, Stage};
use std::fmt::Write;

/// Other forms of a pixel stage's resources, all of register space 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PixelResources {
    /// Textures that become one.
    pub merges: Vec<TextureMerge>,
    /// Buffers that become areas of one data texture.
    pub packed: Vec<PackedBuffers>,
    /// Buffers that become uniform blocks, whatever [`Options::pixel_buffers`] says.
    pub blocks: Vec<BufferCapacity>,
    /// Resources that are not there.
    pub stubs: Vec<Stub>,
}

/// How textures become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MergeKind {
    /// Layers of a 2D array: textures of one size, format and number of mips.
    Array,
    /// Channels of one RGBA texture: up to four textures of which the shader reads the first channel alone.
    Channels,
}

/// Textures that become one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct TextureMerge {
    /// Name of the uniform: letters, digits and single underscores, an upper-case letter first.
    pub name: String,
    /// How.
    pub kind: MergeKind,
    /// `t` registers; the place is the layer or the channel.
    pub registers: Vec<u32>,
}

/// Buffers that become areas of one RGBA32UI data texture, [`Options::data_texture_width`] texels wide.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PackedBuffers {
    /// Name of the uniform, as for a merge.
    pub name: String,
    /// The areas.
    pub areas: Vec<PackedArea>,
    /// A texture array of light profiles that goes there too, as long as a buffer does.
    pub profiles: Option<PackedProfiles>,
}

/// Light profiles in a data texture: for each layer 1,024 half floats of the first channel and its ten smaller
/// mips, one after another in [`PROFILE_TEXELS`] texels. They are filtered linearly and clamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PackedProfiles {
    /// `t` register of the texture array.
    pub register: u32,
    /// First texel.
    pub texel: u32,
    /// Layers.
    pub layers: u32,
}

/// Texels of one layer of profiles: 2,048 half floats, of which the last is not used.
pub const PROFILE_TEXELS: u32 = 256;

/// An area of a data texture that holds a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PackedArea {
    /// `t` register of the buffer.
    pub register: u32,
    /// First texel, counted along the rows.
    pub texel: u32,
    /// Texels.
    pub texels: u32,
}

/// A resource that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Stub {
    /// `t` register.
    pub register: u32,
    /// Whether samples read 1 rather than 0 in all lanes: for a factor. Buffers always read 0.
    pub one: bool,
}

/// What a sampler uniform's own texture is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Layer(u32),
    Channel(u8),
    Stub {
        one: bool,
    },
    /// Light profiles in a data texture.
    Profiles,
}

/// Where a buffer is in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Area {
        texture: String,
        texel: u32,
        texels: u32,
    },
    Nowhere,
    /// Rows of a constant buffer, as [`crate::options::Abi::joints`] says.
    Joints,
}

impl Home {
    /// Whether it is an area of that texture.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        matches!(self, Home::Area { texture, .. } if texture == name)
    }

    /// Functions that load a word or a row, as for a buffer by itself: 0 outside the buffer. `mask` and `shift`
    /// turn a texel's number into its column and row.
    pub(crate) fn functions(
        &self,
        kind: BufferKind,
        word: Option<&str>,
        row: Option<&str>,
        mask: u32,
        shift: u32,
    ) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_functions(&mut out, kind, word, row, [mask, shift]);
        out
    }

    fn write_functions(
        &self,
        out: &mut String,
        kind: BufferKind,
        word: Option<&str>,
        row: Option<&str>,
        [mask, shift]: [u32; 2],
    ) -> std::fmt::Result {
        let (word_type, word_args) = match kind {
            BufferKind::Raw => ("uint", "uint i"),
            BufferKind::Typed(_) => ("uvec4", "uint e, uint r"),
            BufferKind::Structured(_) => ("uint", "uint e, uint w"),
        };
        let Home::Area { texture: t, texel, texels } = self else {
            if let Some(f) = word {
                writeln!(out, "{word_type} {f}({word_args}) {{ return {word_type}(0u); }}")?;
            }
            return row
                .map_or(Ok(()), |f| writeln!(out, "uvec4 {f}(uint e, uint r) {{ return uvec4(0u); }}"));
        };
        // The host may have made the texture no taller than what it holds.
        let tail = format!(
            "    uvec2 s = uvec2(textureSize({t}, 0));\n    uvec4 v = a && r < s.x * s.y ? texelFetch({t}, ivec2(r & {mask}u, r >> {shift}u), 0) : uvec4(0u);"
        );
        let stride = match kind {
            BufferKind::Structured(stride) => stride.max(4),
            BufferKind::Raw => 4,
            BufferKind::Typed(_) => 16,
        };
        let words = stride / 4;
        let elements = texels.saturating_mul(4) / words;
        if let Some(f) = word {
            let texel_of = match kind {
                BufferKind::Typed(_) => format!("    r = e + {texel}u;"),
                BufferKind::Raw => format!("    uint r = (i >> 2u) + {texel}u;"),
                BufferKind::Structured(_) => {
                    format!("    uint i = e * {words}u + w;\n    uint r = (i >> 2u) + {texel}u;")
                }
            };
            let (inside, result) = match kind {
                BufferKind::Typed(_) => (format!("e < {elements}u"), "v"),
                BufferKind::Raw => (format!("i < {elements}u"), "v[i & 3u]"),
                BufferKind::Structured(_) => (format!("e < {elements}u && w < {words}u"), "v[i & 3u]"),
            };
            writeln!(
                out,
                "{word_type} {f}({word_args}) {{\n    bool a = {inside};\n{texel_of}\n{tail}\n    return {result};\n}}"
            )?;
        }
        if let Some(f) = row {
            let each = (stride / 16).max(1);
            writeln!(
                out,
                "uvec4 {f}(uint e, uint r) {{\n    bool a = e < {elements}u && r < {each}u;\n    r += e * {each}u + {texel}u;\n{tail}\n    return v;\n}}"
            )?;
        }
        Ok(())
    }
}

/// The function `f` that samples light profiles at a place and level, for the texture array in that register.
pub(crate) fn profile_function(options: &Options, register: u32, f: &str) -> String {
    let all = options.pixel_resources.packed.iter();
    let found = all.filter_map(|p| Some((&p.name, p.profiles?))).find(|(_, p)| p.register == register);
    let Some((t, profiles)) = found else { return String::new() };
    let width = options.data_texture_width.max(1).next_power_of_two();
    let (mask, shift) = (width - 1, width.trailing_zeros());
    let (texel, last) = (profiles.texel, profiles.layers.max(1) - 1);
    format!(
        "float {f}_half(uint h) {{
    uint r = (h >> 3u) + {texel}u;
    vec2 v = unpackHalf2x16(texelFetch({t}, ivec2(r & {mask}u, r >> {shift}u), 0)[(h >> 1u) & 3u]);
    return (h & 1u) == 0u ? v.x : v.y;
}}
float {f}_mip(float x, uint layer, int m) {{
    int last = (1024 >> m) - 1;
    uint at = layer * 2048u + 2048u - (2048u >> uint(m));
    float u = clamp(x, 0.0, 1.0) * float(last + 1) - 0.5;
    int i = int(floor(u));
    return mix({f}_half(at + uint(max(i, 0))), {f}_half(at + uint(min(i + 1, last))), u - floor(u));
}}
float {f}(vec3 p, float level) {{
    float l = clamp(level, 0.0, 10.0);
    int m = int(l);
    uint layer = uint(clamp(p.z, 0.0, {last}.0));
    return mix({f}_mip(p.x, layer, m), {f}_mip(p.x, layer, min(m + 1, 10)), l - float(m));
}}
"
    )
}

/// Applies the options to a pixel stage's resources. Returns what stands in the way.
pub(crate) fn apply(r: &mut Resources, p: &Program, decls: &Decls<'_>, options: &Options) -> Vec<Diagnostic> {
    let wanted = &options.pixel_resources;
    if p.stage != Stage::Pixel || *wanted == PixelResources::default() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let names = wanted.merges.iter().map(|m| &m.name).chain(wanted.packed.iter().map(|p| &p.name));
    let mut seen: Vec<&String> = Vec::new();
    for name in names {
        if !is_free_name(name) || seen.contains(&name) {
            let text = format!("`{name}` cannot be the name of a merged texture");
            found.push(Diagnostic::new(codes::MERGE, text));
        }
        seen.push(name);
    }
    for s in &mut r.samplers {
        let d = &decls.textures[s.texture];
        if d.slots.space != 0 {
            continue;
        }
        if let Some(stub) = wanted.stubs.iter().find(|x| x.register == s.register) {
            s.part = Some(Part::Stub { one: stub.one });
            s.is_declared = false;
        }
        for merge in &wanted.merges {
            let Some(n) = merge.registers.iter().position(|&x| x == s.register) else { continue };
            let plain = d.dimension == ResourceDimension::Texture2D
                && scalar_of_returns(&d.returns) == Scalar::Float
                && d.slots.lower == d.slots.upper;
            if !plain || (merge.kind == MergeKind::Channels && n >= 4) {
                let text = format!("t{} cannot become part of {}", s.register, merge.name);
                found.push(Diagnostic::new(codes::MERGE, text).note(format!(
                    "it has to be a {} of floats, of one element",
                    ResourceDimension::Texture2D.name()
                )));
            }
            s.part = Some(match merge.kind {
                MergeKind::Array => Part::Layer(n as u32),
                MergeKind::Channels => Part::Channel(n as u8 & 3),
            });
            s.name.clone_from(&merge.name);
        }
    }
    name_and_declare(r);
    for (name, profiles) in wanted.packed.iter().filter_map(|x| Some((&x.name, x.profiles?))) {
        let areas = wanted.packed.iter().filter(|x| x.name == *name).flat_map(|x| &x.areas);
        let registers: Vec<u32> = areas.map(|a| a.register).collect();
        if !r.buffers.iter().any(|b| registers.contains(&b.register)) {
            continue;
        }
        for s in r.samplers.iter_mut().filter(|s| s.register == profiles.register && s.part.is_none()) {
            let d = &decls.textures[s.texture];
            if d.slots.space == 0 && d.dimension == ResourceDimension::Texture2DArray {
                s.part = Some(Part::Profiles);
                s.is_declared = false;
            }
        }
    }
    for b in r.buffers.iter_mut().filter(|b| decls.buffers[b.decl].slots.space == 0) {
        if wanted.stubs.iter().any(|x| x.register == b.register) {
            b.home = Some(Home::Nowhere);
        }
        for packed in &wanted.packed {
            if let Some(a) = packed.areas.iter().find(|a| a.register == b.register) {
                b.home = Some(Home::Area { texture: packed.name.clone(), texel: a.texel, texels: a.texels });
            }
        }
    }
    for (n, i) in p.instructions.iter().enumerate() {
        if let Some(text) = broken_use(r, p, decls, i) {
            found.push(Diagnostic::new(codes::MERGE, text).at(place(p, n)));
        }
    }
    found
}

/// A merged texture has a uniform for each sampler that its parts are read with, declared at the first part.
fn name_and_declare(r: &mut Resources) {
    for k in 0..r.samplers.len() {
        let (before, rest) = r.samplers.split_at_mut(k);
        let s = &mut rest[0];
        if !matches!(s.part, Some(Part::Layer(_) | Part::Channel(_))) {
            continue;
        }
        let merged = s.name.clone();
        let of_merge = |o: &&crate::resources::SamplerUniform| {
            o.part.is_some() && (o.name == merged || o.name.starts_with(&format!("{merged}_s")))
        };
        let first = before.iter().find(of_merge);
        let same = before.iter().filter(of_merge).find(|o| o.sampler == s.sampler);
        match (same, first, s.sampler) {
            (Some(same), ..) => {
                s.name.clone_from(&same.name);
                s.is_declared = false;
            }
            (None, Some(_), Some((_, register))) => s.name = format!("{merged}_s{register}"),
            _ => {}
        }
    }
}

/// Whether a name is one that the translator never makes: its own begin in lower case, with `SV_` or with
/// `ConstantBuffer`.
fn is_free_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.contains("__")
        && !name.ends_with('_')
        && !name.starts_with("SV_")
        && !name.starts_with("ConstantBuffer")
}

/// Why an instruction's use of a merged texture would change its result.
fn broken_use(r: &Resources, p: &Program, decls: &Decls<'_>, i: &Instruction) -> Option<String> {
    if i.opcode.is_declaration() || !i.names(OperandKind::Resource) {
        return None;
    }
    let slot = i.opcode.info().slots.iter().position(|s| *s == Slot::Resource)?;
    let operands = p.operands(i);
    let resource = operands.get(slot)?;
    let (texture, _) = decls.texture(resource.register())?;
    let index = p.bound_register(resource);
    let of_texture = |s: &&crate::resources::SamplerUniform| s.texture == texture;
    let merged = r.samplers.iter().filter(of_texture).find(|s| {
        matches!(s.part, Some(Part::Layer(_) | Part::Channel(_) | Part::Profiles))
            && (index.is_relative() || s.register == index.immediate)
    })?;
    let name = i.opcode.name();
    let reads =
        |opcode| matches!(opcode, Opcode::Sample | Opcode::SampleB | Opcode::SampleL | Opcode::SampleD);
    // The forms with feedback clamp the level by the size of the texture.
    let is_sample = reads(i.opcode) || (i.opcode.without_feedback() == Opcode::SampleL);
    let is_gather = matches!(i.opcode, Opcode::Gather4 | Opcode::Gather4Po);
    let t = merged.register;
    let sampler = i.opcode.info().slots.iter().position(|s| *s == Slot::Sampler);
    let sampler = sampler.and_then(|s| operands.get(s));
    if index.is_relative() || sampler.is_some_and(|s| p.bound_register(s).is_relative()) {
        return Some(format!("`{name}` chooses t{t} or its sampler by a computed index"));
    }
    match merged.part {
        Some(Part::Layer(_)) if is_sample || is_gather => None,
        Some(Part::Profiles) if i.opcode != Opcode::SampleL || i.extended.offsets.is_some() => {
            Some(format!("`{name}` reads the light profiles t{t} other than by a level"))
        }
        Some(Part::Channel(_) | Part::Profiles) if is_sample => {
            let dest = operands.first()?;
            let other = (0..4).any(|l| dest.mask() >> l & 1 != 0 && resource.source_lane(l) != 0);
            other.then(|| format!("`{name}` reads more than the first channel of t{t}"))
        }
        _ => Some(format!("`{name}` of t{t} depends on the texture being by itself")),
    }
}
