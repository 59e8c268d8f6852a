//! The manifest of a program: both stages, and what belongs to neither alone.

use crate::{ConstantBuffers, LinkOptions, UnusedOutputs};
use serde::Serialize;
use shaderport_diagnostics::codes::link as codes;
use shaderport_diagnostics::{Code, Diagnostic};
use shaderport_glsl::manifest::{
    Buffer, LimitUse, MANIFEST_VERSION, Manifest, Varying, to_json, used_by, varying_vectors,
};
use shaderport_glsl::options::{BufferForm, Extension, Limits};

/// Everything a host must know to create, bind and draw a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramManifest {
    /// Version of this format.
    pub manifest_version: u32,
    /// Uniform blocks with their binding points.
    pub uniform_blocks: Vec<ProgramBlock>,
    /// Constant buffers that are plain arrays, where the options ask for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uniform_arrays: Vec<ProgramArray>,
    /// Sampler uniforms with their texture units.
    pub textures: Vec<ProgramTexture>,
    /// What passes from the vertex to the pixel stage.
    pub varyings: Vec<Varying>,
    /// WebGL extensions that must be enabled before compiling.
    pub extensions: Vec<Extension>,
    /// What the program uses of each limit that counts both stages.
    pub limits: Vec<LimitUse>,
    /// Name of the ABI profile; absent without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub profile: String,
    /// What became of vertex outputs that the pixel stage does not read.
    pub unused_outputs: UnusedOutputs,
    /// How constant-buffer slots were shared.
    pub constant_buffers: ConstantBuffers,
    /// Which vertex of a primitive gives constant varyings: `first` in Direct3D, so that a host either enables
    /// `WEBGL_provoking_vertex` with the first-vertex convention or accepts OpenGL's last.
    pub provoking_vertex: &'static str,
    /// The vertex stage; its units and blocks are those above.
    pub vertex: Manifest,
    /// The pixel stage.
    pub pixel: Manifest,
}

/// A uniform block of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramBlock {
    /// Name for `getUniformBlockIndex`.
    pub block: String,
    /// For `uniformBlockBinding`.
    pub binding: u32,
    /// Bytes that the bound range must hold.
    pub byte_size: u32,
    /// The slots it stands for, such as `vertex b0`.
    pub slots: Vec<String>,
}

/// A constant buffer of a program that is a plain array of `vec4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramArray {
    /// GLSL name, for `getUniformLocation` and `uniform4fv`.
    pub name: String,
    /// Rows of four floats.
    pub rows: u32,
    /// The slots it stands for, such as `vertex b0`.
    pub slots: Vec<String>,
}

/// A sampler uniform of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramTexture {
    /// GLSL name.
    pub name: String,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Texture unit, for `uniform1i`.
    pub unit: u32,
    /// The slots it stands for, such as `pixel t0 s1`.
    pub slots: Vec<String>,
}

impl ProgramManifest {
    /// The manifest as indented JSON that ends with a newline.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

fn slot(stage: &str, kind: char, register: u32, space: u32) -> String {
    if space == 0 {
        format!("{stage} {kind}{register}")
    } else {
        format!("{stage} {kind}{register} space{space}")
    }
}

/// Joins the manifests: units and bindings are dense, vertex stage first, in the order of the text.
pub(crate) fn make(
    mut vertex: Manifest,
    mut pixel: Manifest,
    options: &LinkOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> ProgramManifest {
    let mut textures: Vec<ProgramTexture> = Vec::new();
    let mut uniform_blocks: Vec<ProgramBlock> = Vec::new();
    let mut uniform_arrays: Vec<ProgramArray> = Vec::new();
    for m in [&mut vertex, &mut pixel] {
        let stage = m.stage;
        for t in &mut m.textures {
            let mut text = slot(stage, 't', t.register, t.space);
            if let Some(s) = t.sampler {
                text.push_str(&format!(" s{s}"));
            }
            t.unit = texture(&mut textures, &t.name, t.ty, text);
        }
        for b in &mut m.buffers {
            let text = slot(stage, 't', b.register, b.space);
            match b.form {
                BufferForm::Texture => {
                    b.unit = b.unit.map(|_| texture(&mut textures, &b.name, "usampler2D", text))
                }
                BufferForm::Block => block(&mut uniform_blocks, &b.name, byte_size(b), text),
            }
        }
        for a in &m.uniform_arrays {
            let text = slot(stage, 'b', a.register, a.space);
            match uniform_arrays.iter_mut().find(|o| o.name == a.name) {
                Some(o) => {
                    o.rows = o.rows.max(a.rows);
                    o.slots.push(text);
                }
                None => {
                    uniform_arrays.push(ProgramArray {
                        name: a.name.clone(),
                        rows: a.rows,
                        slots: vec![text],
                    });
                }
            }
        }
        for u in &m.uniform_blocks {
            block(&mut uniform_blocks, &u.block, u.byte_size, slot(stage, 'b', u.register, u.space));
        }
    }
    let mut extensions: Vec<Extension> = vertex.extensions.iter().chain(&pixel.extensions).copied().collect();
    extensions.sort_unstable();
    extensions.dedup();
    let limits = limits(&vertex, &pixel, &textures, options, diagnostics);
    ProgramManifest {
        manifest_version: MANIFEST_VERSION,
        uniform_blocks,
        uniform_arrays,
        textures,
        varyings: pixel.varyings.clone(),
        extensions,
        limits,
        profile: options.profile.clone(),
        unused_outputs: options.unused_outputs,
        constant_buffers: options.constant_buffers,
        provoking_vertex: vertex.conventions.provoking_vertex,
        vertex,
        pixel,
    }
}

fn byte_size(b: &Buffer) -> u32 {
    b.byte_size.unwrap_or(0)
}

/// The unit of a uniform of that name, new or shared with the other stage.
fn texture(list: &mut Vec<ProgramTexture>, name: &str, ty: &'static str, slot: String) -> u32 {
    if let Some(t) = list.iter_mut().find(|t| t.name == name) {
        t.slots.push(slot);
        return t.unit;
    }
    let unit = list.len() as u32;
    list.push(ProgramTexture { name: name.to_owned(), ty, unit, slots: vec![slot] });
    unit
}

fn block(list: &mut Vec<ProgramBlock>, name: &str, byte_size: u32, slot: String) {
    if let Some(b) = list.iter_mut().find(|b| b.block == name) {
        b.byte_size = b.byte_size.max(byte_size);
        b.slots.push(slot);
        return;
    }
    let binding = list.len() as u32;
    list.push(ProgramBlock { block: name.to_owned(), binding, byte_size, slots: vec![slot] });
}

/// Limits that count both stages.
fn limits(
    vertex: &Manifest,
    pixel: &Manifest,
    textures: &[ProgramTexture],
    options: &LinkOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<LimitUse> {
    let used = |m: &Manifest, name: &str| m.limits.iter().find(|l| l.name == name).map_or(0, |l| l.used);
    let guaranteed = Limits::GUARANTEED;
    // A uniform that both stages sample counts twice: OpenGL ES 3.0.6, section 2.12.7.
    let shared = textures.iter().filter(|t| t.slots.len() > 1).count() as u32;
    let units = textures.len() as u32 + shared;
    let blocks = used(vertex, "max_vertex_uniform_blocks") + used(pixel, "max_fragment_uniform_blocks");
    let list = vec![
        LimitUse {
            name: "max_combined_texture_image_units",
            used: units,
            guaranteed: guaranteed.max_combined_texture_image_units,
        },
        LimitUse {
            name: "max_combined_uniform_blocks",
            used: blocks,
            guaranteed: guaranteed.max_combined_uniform_blocks,
        },
        LimitUse {
            name: "max_varying_vectors",
            used: varying_vectors(&pixel.varyings),
            guaranteed: guaranteed.max_varying_vectors,
        },
    ];
    let given = options.translation.limits.unwrap_or(guaranteed);
    for u in &list {
        if u.used > given.get(u.name) {
            let code: Code =
                if options.translation.limits.is_some() { codes::LIMIT } else { codes::LIMIT_UNGUARANTEED };
            let text = format!("{} of {} are used, {} is the limit", u.used, u.name, given.get(u.name));
            let of = |m: &Manifest| {
                m.users(u.name).into_iter().map(|name| format!("{} {name}", m.stage)).collect::<Vec<_>>()
            };
            let users =
                if u.name == "max_varying_vectors" { of(pixel) } else { [of(vertex), of(pixel)].concat() };
            diagnostics.push(Diagnostic::new(code, text).note(used_by(&users)));
        }
    }
    list
}
