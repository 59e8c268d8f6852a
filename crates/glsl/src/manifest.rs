//! Everything a host must know to bind and draw one translated stage. Versioned; a JSON Schema describes it.

pub use crate::json::to_json;
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
    /// Uniform blocks of constant buffers.
    pub uniform_blocks: Vec<UniformBlock>,
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

/// A value that is interpolated between the stages.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Varying {
    /// GLSL name.
    pub name: String,
    /// GLSL type.
    #[serde(rename = "type")]
    pub ty: &'static str,
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

impl Manifest {
    /// The manifest as indented JSON that ends with a newline.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}
