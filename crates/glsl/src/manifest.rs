//! Everything a host must know to bind and draw one translated stage. Versioned; a JSON Schema describes it.

use crate::options::*;
use crate::rewrite::MergeKind;
use serde::Serialize;
use std::borrow::Cow;

type Text = Cow<'static, str>;

/// Version of [`Manifest`]; raised when a field changes its meaning or goes away.
pub const MANIFEST_VERSION: u32 = 1;

/// Scalar type of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum LaneType {
    Float,
    Int,
    Uint,
}

/// One translated stage.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Manifest {
    /// Version of this format.
    pub manifest_version: u32,
    /// `vertex` or `pixel`.
    pub stage: &'static str,
    /// Shader model, such as `5.0`.
    pub model: Text,
    /// Vertex attributes.
    pub attributes: Vec<Attribute>,
    /// Outputs of a vertex stage or inputs of a pixel stage.
    pub varyings: Vec<Varying>,
    /// Render targets, depth and coverage written by a pixel stage.
    pub outputs: Vec<Output>,
    /// Built-in inputs that are read.
    pub system_values: Vec<SystemInput>,
    /// Clip distances that a vertex stage writes: the host enables `CLIP_DISTANCE0_WEBGL` and so many minus one after
    /// it, without which nothing is clipped and reads are undefined.
    #[serde(skip_serializing_if = "is_zero")]
    pub clip_distances: u32,
    /// Uniform blocks of constant buffers.
    pub uniform_blocks: Vec<UniformBlock>,
    /// Constant buffers that are plain arrays, where the options ask for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uniform_arrays: Vec<UniformArray>,
    /// Where the bones of a skinned mesh go, where they are rows of a constant buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<JointRows>,
    /// Sampler uniforms.
    pub textures: Vec<Texture>,
    /// Structured, raw and typed buffers.
    pub buffers: Vec<Buffer>,
    /// Plain uniforms that the host must set.
    pub uniforms: Vec<Uniform>,
    /// WebGL extensions that must be enabled before compiling.
    pub extensions: Vec<Extension>,
    /// What the stage uses of each limit, beside what WebGL2 guarantees.
    pub limits: Vec<LimitUse>,
    /// Conventions of clip space and of the window.
    pub conventions: Conventions,
    /// What the shader asks for and WebGL2 cannot give, left out without changing a value.
    pub dropped: Vec<Text>,
    /// Helper functions in the text.
    pub helpers: Vec<&'static str>,
    /// The options that shaped the text.
    pub options: OptionsRecord,
    /// For each line of the text that stands for an instruction: line (from 1) and instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_map: Option<Vec<LineMapEntry>>,
}

/// A vertex attribute.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribute {
    /// GLSL name.
    pub name: String,
    /// `layout(location)`.
    pub location: u32,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// What the input signature says a lane holds.
    pub component_type: LaneType,
    /// Whether an integer lane is given as a float of its value.
    pub value_converted: bool,
    /// HLSL semantic.
    pub semantic: String,
    /// Its index.
    pub semantic_index: u32,
    /// Input register.
    pub register: u32,
    /// Lanes of the register, such as `xyz`.
    pub mask: &'static str,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A value that is interpolated between the stages.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Varying {
    /// GLSL name.
    pub name: String,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Lanes of the variable that hold this, where varyings share it: `link-varyings-packed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<&'static str>,
    /// GLSL qualifier, empty for smooth.
    pub interpolation: &'static str,
    /// HLSL semantic.
    pub semantic: String,
    /// Its index.
    pub semantic_index: u32,
    /// Register.
    pub register: u32,
    /// Lanes of the register.
    pub mask: &'static str,
    /// Lanes that the vertex stage writes or the pixel stage reads.
    pub used_mask: &'static str,
}

/// A pixel stage's output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Output {
    /// GLSL name.
    pub name: String,
    /// `layout(location)`: the draw buffer; absent for depth and coverage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Lanes that the shader writes; the others are 0.
    pub written_mask: &'static str,
    /// HLSL semantic.
    pub semantic: String,
}

/// A built-in that the stage reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SystemInput {
    /// HLSL semantic.
    pub semantic: &'static str,
    /// GLSL expression that it is read from.
    pub source: &'static str,
    /// What a host must know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// A constant buffer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UniformBlock {
    /// Name for `getUniformBlockIndex`.
    pub block: String,
    /// Instance name in the text.
    pub instance: String,
    /// `b` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Rows of 16 bytes.
    pub rows: u32,
    /// Bytes that the bound buffer range must hold.
    pub byte_size: u32,
    /// Whether rows are read by computed indices.
    pub dynamically_indexed: bool,
    /// Its name in HLSL, where reflection is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hlsl_name: Option<String>,
    /// Its constants, where reflection is present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<Constant>,
}

/// A constant buffer that is a plain array of `vec4`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UniformArray {
    /// GLSL name, for `getUniformLocation` and `uniform4fv`.
    pub name: String,
    /// `b` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Rows of four floats.
    pub rows: u32,
    /// Whether rows are read by computed indices.
    pub dynamically_indexed: bool,
    /// Its name in HLSL, where reflection is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hlsl_name: Option<String>,
    /// Its constants, where reflection is present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<Constant>,
}

/// Bones as rows of a constant buffer, three for each.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointRows {
    /// `t` register of the structured buffer that they replace.
    pub buffer: u32,
    /// `b` register of the constant buffer.
    pub slot: u32,
    /// Row that the first joint begins at.
    pub first_row: u32,
    /// Joints.
    pub joints: u32,
}

/// A constant of a buffer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constant {
    /// HLSL name.
    pub name: String,
    /// HLSL type, such as `float4x4`, with `row_major` where it is.
    #[serde(rename = "type")]
    pub ty: String,
    /// Bytes from the start of the block.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Array elements; 0 where it is no array.
    pub elements: u32,
    /// Whether the shader reads it.
    pub used: bool,
    /// Default value as 32-bit words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<u32>>,
}

/// A sampler uniform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Texture {
    /// GLSL name.
    pub name: String,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Texture unit, dense from 0.
    pub unit: u32,
    /// `t` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `s` register it is sampled with; absent where it is only loaded or queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampler: Option<u32>,
    /// Register space of the sampler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampler_space: Option<u32>,
    /// Whether the host must set `TEXTURE_COMPARE_MODE` on the sampler.
    pub comparison: bool,
    /// Direct3D dimension; 1D textures are bound as 2D of height 1.
    pub dimension: &'static str,
    /// What a lane holds.
    pub component_type: LaneType,
    /// What the host puts together for it, where it stands for several textures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    /// Its name in HLSL, where reflection is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hlsl_name: Option<String>,
    /// The sampler's name in HLSL, where reflection is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hlsl_sampler: Option<String>,
}

/// A texture made of several.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Merged {
    /// `array`: each part is a layer. `channels`: the first channel of each part is red, green, blue or alpha.
    pub kind: MergeKind,
    /// The textures, in the order of layers or channels.
    pub parts: Vec<MergedPart>,
}

/// A texture that became a layer or a channel.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MergedPart {
    /// `t` register.
    pub register: u32,
    /// Whether the stage reads it through this uniform.
    pub read: bool,
}

/// A structured, raw or typed buffer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Buffer {
    /// GLSL name: of the sampler uniform, or of the block.
    pub name: String,
    /// Where it is read from.
    pub form: BufferForm,
    /// Texture unit of a data texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<u32>,
    /// First texel of a data texture that holds several buffers, counted along the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_texel: Option<u32>,
    /// Texels that the buffer has there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texels: Option<u32>,
    /// `t` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `structured`, `raw` or `typed`.
    pub kind: &'static str,
    /// Bytes from one element to the next: of the Direct3D buffer for structured and raw; 16 for typed, whose
    /// texels the host widens to four 32-bit lanes of `component_type`.
    pub stride: u32,
    /// Elements of a block; of a data texture the texture's size decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<u32>,
    /// Bytes of a block's range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_size: Option<u32>,
    /// 16-byte rows from one element to the next in a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_per_element: Option<u32>,
    /// Texels in a row of a data texture (RGBA32UI, four 32-bit words a texel, in buffer order).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_width: Option<u32>,
    /// What a lane of a typed buffer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component_type: Option<LaneType>,
    /// Uniform that holds the element count, where the shader reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_uniform: Option<String>,
    /// Its name in HLSL, where reflection is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hlsl_name: Option<String>,
}

/// A plain uniform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Uniform {
    /// GLSL name.
    pub name: String,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// What the host puts in it.
    pub meaning: Text,
}

/// One limit.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitUse {
    /// Name, as `getParameter` spells it in lower case.
    pub name: &'static str,
    /// What is used.
    pub used: u32,
    /// What every WebGL2 implementation has.
    pub guaranteed: u32,
}

/// Conventions of clip space and of the window.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conventions {
    /// Depth mapping.
    pub depth_range: DepthRange,
    /// Whether `gl_Position.y` is negated.
    pub flip_y: bool,
    /// Where row 0 of the window and `SV_Position.y` = 0 lie: `lower-left` unless flipped.
    pub window_origin: &'static str,
    /// `gl.frontFace` that stands for Direct3D's default (clockwise is front): `CW`, or `CCW` when flipped.
    pub front_face: &'static str,
    /// Which vertex of a primitive gives constant varyings in Direct3D.
    pub provoking_vertex: &'static str,
}

/// The options that shaped the text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct OptionsRecord {
    pub fidelity: Fidelity,
    pub registers: Registers,
    pub cb_oob: CbOutOfBounds,
    pub integer_attributes: IntegerAttributes,
    pub vertex_buffers: BufferForm,
    pub pixel_buffers: BufferForm,
    pub buffer_capacity: u32,
    pub buffer_length: BufferLength,
    pub forbid_extensions: Vec<Extension>,
}

/// One line of the text.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineMapEntry {
    /// Line of the GLSL text, from 1.
    pub line: u32,
    /// Index of the DXBC instruction.
    pub instruction: u32,
}

/// Lanes of a mask as text.
pub(crate) const fn mask_text(mask: u8) -> &'static str {
    const T: [&str; 16] =
        ["", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];
    T[(mask & 15) as usize]
}

/// How many variables the varyings are.
pub fn varying_vectors(varyings: &[Varying]) -> u32 {
    let first = |n: usize| varyings.iter().position(|v| v.name == varyings[n].name) == Some(n);
    (0..varyings.len()).filter(|&n| first(n)).count() as u32
}

/// The variables of varyings; of those that are shared, also what shares them.
fn varying_users(varyings: &[Varying]) -> Vec<String> {
    let mut users: Vec<(&str, Vec<String>)> = Vec::new();
    for v in varyings {
        let semantic = v.lanes.map(|_| format!("{}{}", v.semantic, v.semantic_index));
        match users.iter_mut().find(|u| u.0 == v.name) {
            Some(u) => u.1.extend(semantic),
            None => users.push((&v.name, semantic.into_iter().collect())),
        }
    }
    let text = |(name, shared): (&str, Vec<String>)| match shared.as_slice() {
        [] => name.to_owned(),
        shared => format!("{name} ({})", shared.join(" ")),
    };
    users.into_iter().map(text).collect()
}

/// A list of users for a finding about a limit.
pub fn used_by(users: &[String]) -> String {
    const SHOWN: usize = 40;
    let more = users.len().saturating_sub(SHOWN);
    let mut text = format!("used by {}", users[..users.len() - more].join(", "));
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

impl Manifest {
    /// What counts toward a limit of [`Manifest::limits`], by GLSL name.
    pub fn users(&self, limit: &str) -> Vec<String> {
        let blocks = || {
            let own = self.uniform_blocks.iter().map(|b| (&b.block, b.byte_size));
            let of_buffers = self.buffers.iter().filter_map(|b| Some((&b.name, b.byte_size?)));
            own.chain(of_buffers)
        };
        let sized = |(name, size): (&String, u32)| format!("{name} ({size} bytes)");
        match limit {
            "max_vertex_attribs" => self.attributes.iter().map(|a| a.name.clone()).collect(),
            "max_varying_vectors" => varying_users(&self.varyings),
            "max_draw_buffers" => {
                self.outputs.iter().filter(|o| o.location.is_some()).map(|o| o.name.clone()).collect()
            }
            "max_vertex_uniform_vectors" | "max_fragment_uniform_vectors" => {
                self.uniform_arrays.iter().map(|a| format!("{}[{}]", a.name, a.rows)).collect()
            }
            "max_uniform_block_size" => {
                let mut all: Vec<_> = blocks().collect();
                all.sort_by_key(|b| std::cmp::Reverse(b.1));
                all.into_iter().map(sized).collect()
            }
            name if name.ends_with("uniform_blocks") => blocks().map(|b| b.0.clone()).collect(),
            _ => {
                let buffers = self.buffers.iter().filter(|b| b.unit.is_some()).map(|b| b.name.clone());
                self.textures.iter().map(|t| t.name.clone()).chain(buffers).collect()
            }
        }
    }

    /// The manifest as indented JSON that ends with a newline.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// Plain data as indented JSON that ends with a newline.
pub fn to_json(value: &impl Serialize) -> String {
    let mut out = Vec::with_capacity(8192);
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Indented::default());
    // Writing plain data to memory cannot fail.
    let _ = value.serialize(&mut serializer);
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

/// Two blanks a level, as `to_string_pretty` has them, written in one piece each.
#[derive(Default)]
struct Indented {
    depth: usize,
    has_value: bool,
}

impl Indented {
    #[inline(never)]
    fn line(&self, w: &mut (impl std::io::Write + ?Sized), comma: bool) -> std::io::Result<()> {
        // Text of a length that is known is copied in place.
        match (comma, self.depth) {
            (true, 1) => return w.write_all(b",\n  "),
            (true, 2) => return w.write_all(b",\n    "),
            (true, 3) => return w.write_all(b",\n      "),
            (false, 1) => return w.write_all(b"\n  "),
            (false, 2) => return w.write_all(b"\n    "),
            (false, 3) => return w.write_all(b"\n      "),
            _ => {}
        }
        const LINE: &[u8] = b",\n                                        ";
        let end = (2 + self.depth * 2).min(LINE.len());
        w.write_all(&LINE[usize::from(!comma)..end])
    }
    fn close(&mut self, w: &mut (impl std::io::Write + ?Sized), bracket: &[u8]) -> std::io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            self.line(w, false)?;
        }
        self.has_value = true;
        w.write_all(bracket)
    }
}

impl serde_json::ser::Formatter for Indented {
    fn begin_array<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        w.write_all(b"[")
    }
    fn end_array<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.close(w, b"]")
    }
    fn begin_array_value<W: std::io::Write + ?Sized>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.line(w, !first)
    }
    fn end_array_value<W: std::io::Write + ?Sized>(&mut self, _w: &mut W) -> std::io::Result<()> {
        self.has_value = true;
        Ok(())
    }
    fn begin_object<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        w.write_all(b"{")
    }
    fn end_object<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        self.close(w, b"}")
    }
    fn begin_object_key<W: std::io::Write + ?Sized>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.line(w, !first)
    }
    fn begin_object_value<W: std::io::Write + ?Sized>(&mut self, w: &mut W) -> std::io::Result<()> {
        w.write_all(b": ")
    }
    fn end_object_value<W: std::io::Write + ?Sized>(&mut self, _w: &mut W) -> std::io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}
