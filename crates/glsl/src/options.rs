//! What a caller may choose, with the defaults. Every choice is recorded in the manifest.

use crate::rewrite::PixelResources;
use serde::{Deserialize, Serialize};

/// How clip-space depth is mapped from Direct3D's 0..w.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DepthRange {
    /// `z' = 2z - w`: OpenGL's -w..w.
    #[default]
    Gl,
    /// `z' = w - 2z`: for engines that render with reversed depth.
    Reversed,
    /// `z' = z`: for hosts that use `EXT_clip_control`.
    D3d,
}

/// How integer vertex attributes are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IntegerAttributes {
    /// As floats that hold the integer's value (`vertexAttribPointer`), converted where they are read.
    #[default]
    Float,
    /// As integers (`vertexAttribIPointer`).
    Native,
}

/// How close the arithmetic stays to Direct3D's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// NaN, infinities, division by zero, conversions and reads out of bounds as Direct3D defines them.
    #[default]
    Strict,
    /// GLSL's own functions where they are the same for ordinary numbers.
    Fast,
}

/// What a constant-buffer read past the declared size gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CbOutOfBounds {
    /// 0, guarded by the declared size.
    #[default]
    Declared,
    /// Whatever WebGL's own bounds give: 0 or some value of the buffer.
    Driver,
}

/// How temporary registers are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Registers {
    /// Each live range in the type that its definitions and uses need.
    #[default]
    Typed,
    /// One `vec4` a register, integers as float bit patterns.
    Float,
}

/// Where structured, raw and typed buffers are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BufferForm {
    /// A std140 uniform block of fixed capacity.
    Block,
    /// An RGBA32UI data texture.
    Texture,
}

/// Where the element count of a buffer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BufferLength {
    /// The capacity it was translated with.
    #[default]
    Capacity,
    /// A `uint` uniform that the manifest names.
    Uniform,
}

/// A WebGL extension that a translation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Extension {
    /// No-perspective varyings.
    #[serde(rename = "NV_shader_noperspective_interpolation")]
    NoPerspective,
    /// Per-sample varyings and interpolation functions.
    #[serde(rename = "OES_shader_multisample_interpolation")]
    MultisampleInterpolation,
    /// Sample index and masks.
    #[serde(rename = "OES_sample_variables")]
    SampleVariables,
    /// Clip and cull distances.
    #[serde(rename = "WEBGL_clip_cull_distance")]
    ClipCullDistance,
}

impl Extension {
    /// Every extension, in the order in which they are listed.
    pub const ALL: [Extension; 4] = [
        Extension::NoPerspective,
        Extension::MultisampleInterpolation,
        Extension::SampleVariables,
        Extension::ClipCullDistance,
    ];
    /// The name that `getExtension` takes.
    pub const fn webgl_name(self) -> &'static str {
        match self {
            Extension::NoPerspective => "NV_shader_noperspective_interpolation",
            Extension::MultisampleInterpolation => "OES_shader_multisample_interpolation",
            Extension::SampleVariables => "OES_sample_variables",
            Extension::ClipCullDistance => "WEBGL_clip_cull_distance",
        }
    }
    /// The name that `#extension` takes.
    pub const fn glsl_name(self) -> &'static str {
        match self {
            Extension::NoPerspective => "GL_NV_shader_noperspective_interpolation",
            Extension::MultisampleInterpolation => "GL_OES_shader_multisample_interpolation",
            Extension::SampleVariables => "GL_OES_sample_variables",
            Extension::ClipCullDistance => "GL_ANGLE_clip_cull_distance",
        }
    }
    /// From either name.
    pub fn find(name: &str) -> Option<Extension> {
        Self::ALL.into_iter().find(|e| name == e.webgl_name() || name == e.glsl_name())
    }
}

/// What the implementation offers; the default is what every WebGL2 implementation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct Limits {
    pub max_vertex_attribs: u32,
    pub max_varying_vectors: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_vertex_uniform_blocks: u32,
    pub max_fragment_uniform_blocks: u32,
    pub max_combined_uniform_blocks: u32,
    /// Bytes.
    pub max_uniform_block_size: u32,
    pub max_draw_buffers: u32,
    pub max_vertex_uniform_vectors: u32,
    pub max_fragment_uniform_vectors: u32,
}

impl Limits {
    /// The minima that WebGL 2.0 guarantees (OpenGL ES 3.0.6, section 6.2).
    pub const GUARANTEED: Limits = Limits {
        max_vertex_attribs: 16,
        max_varying_vectors: 15,
        max_vertex_texture_image_units: 16,
        max_texture_image_units: 16,
        max_combined_texture_image_units: 32,
        max_vertex_uniform_blocks: 12,
        max_fragment_uniform_blocks: 12,
        max_combined_uniform_blocks: 24,
        max_uniform_block_size: 16384,
        max_draw_buffers: 4,
        max_vertex_uniform_vectors: 256,
        max_fragment_uniform_vectors: 224,
    };

    /// The limit of that name; `u32::MAX` for a name that is none.
    pub fn get(&self, name: &str) -> u32 {
        match name {
            "max_vertex_attribs" => self.max_vertex_attribs,
            "max_varying_vectors" => self.max_varying_vectors,
            "max_vertex_texture_image_units" => self.max_vertex_texture_image_units,
            "max_texture_image_units" => self.max_texture_image_units,
            "max_combined_texture_image_units" => self.max_combined_texture_image_units,
            "max_vertex_uniform_blocks" => self.max_vertex_uniform_blocks,
            "max_fragment_uniform_blocks" => self.max_fragment_uniform_blocks,
            "max_combined_uniform_blocks" => self.max_combined_uniform_blocks,
            "max_uniform_block_size" => self.max_uniform_block_size,
            "max_draw_buffers" => self.max_draw_buffers,
            "max_vertex_uniform_vectors" => self.max_vertex_uniform_vectors,
            "max_fragment_uniform_vectors" => self.max_fragment_uniform_vectors,
            _ => u32::MAX,
        }
    }
}

/// Elements of one buffer where the caller knows better than the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BufferCapacity {
    /// The `t` register.
    pub register: u32,
    /// Elements: structures, or 16-byte rows of a raw buffer, or texels of a typed one.
    pub elements: u32,
}

/// How varyings are named and cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum VaryingNames {
    /// `vs_` + semantic + index, as wide as the signature element: `decl-io`, `dcl_output`.
    #[default]
    Semantic,
    /// `vs_r` + register: all elements of a register in one variable of four lanes.
    Register,
}

/// How sampler uniforms are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TextureNames {
    /// `t` + register: `decl-io`, `dcl_resource`.
    #[default]
    Register,
    /// `vs` + register in the vertex and `s` + register in the pixel stage.
    Stage,
}

/// How constant buffers are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ConstantForm {
    /// `layout(std140) uniform ConstantBufferN { vec4 data[rows]; } cbN;`: `decl-io`, `dcl_constant_buffer`.
    #[default]
    Block,
    /// `uniform vec4 cbN[rows];`, set with `uniform4fv`.
    Array,
}

/// A constant-buffer slot that is bound as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SlotMove {
    /// `b` register of the shader.
    pub from: u32,
    /// Slot that the host binds, which names the block.
    pub to: u32,
}

/// Bones as rows of a constant buffer: `memory-structured`, section B. Each has three rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Joints {
    /// `b` register.
    pub slot: u32,
    /// Row that the first joint begins at. The shader's own use of it, an offset added to bone indices, goes.
    pub first_row: u32,
    /// Joints.
    pub joints: u32,
    /// Rows that the buffer has at least.
    pub least_rows: u32,
}

impl Default for Joints {
    fn default() -> Self {
        Joints { slot: 3, first_row: 26, joints: 58, least_rows: 200 }
    }
}

/// Names and places that a host's runtime binds by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Abi {
    /// Varyings.
    pub varyings: VaryingNames,
    /// Sampler uniforms.
    pub textures: TextureNames,
    /// Constant buffers.
    pub constant_form: ConstantForm,
    /// Constant-buffer slots of pixel stages that are bound as others.
    pub pixel_slots: Vec<SlotMove>,
    /// Vertex input registers whose pipeline input is a bitangent: `in_BINORMALn` becomes `in_BITANGENTn`.
    pub bitangent_inputs: Vec<u32>,
    /// Bones of a vertex stage in rows of a constant buffer; `None` leaves them in their structured buffer, in the
    /// form of [`Options::vertex_buffers`].
    pub joints: Option<Joints>,
}

/// Everything a caller may choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// A wrong checksum is an error rather than a warning.
    #[serde(skip)]
    pub strict_checksum: bool,
    /// Depth mapping of `gl_Position`.
    pub depth_range: DepthRange,
    /// Negate `gl_Position.y`, so that row 0 of the image is Direct3D's row 0.
    pub flip_y: bool,
    /// Declaration of integer vertex attributes.
    pub integer_attributes: IntegerAttributes,
    /// Arithmetic.
    pub fidelity: Fidelity,
    /// Constant-buffer reads out of bounds.
    pub cb_oob: CbOutOfBounds,
    /// Temporary registers.
    pub registers: Registers,
    /// Buffers of a vertex shader.
    pub vertex_buffers: BufferForm,
    /// Buffers of a pixel shader.
    pub pixel_buffers: BufferForm,
    /// Elements of a buffer block where nothing else says.
    pub buffer_capacity: u32,
    /// Elements of single buffers.
    pub buffer_capacities: Vec<BufferCapacity>,
    /// What `bufinfo` reads.
    pub buffer_length: BufferLength,
    /// Texels in a row of a data texture: a power of two.
    pub data_texture_width: u32,
    /// Other forms of a pixel stage's resources.
    pub pixel_resources: PixelResources,
    /// Names and places that a host's runtime binds by.
    pub abi: Abi,
    /// Extensions to do without.
    pub forbid_extensions: Vec<Extension>,
    /// Limits to keep; `None` warns beyond [`Limits::GUARANTEED`], a value makes an excess an error.
    pub limits: Option<Limits>,
    /// Write `#line` with the DXBC instruction's index (source string 0 vertex, 1 pixel).
    pub line_directives: bool,
    /// List in the manifest which text line stands for which instruction.
    pub line_map: bool,
    /// Write names from reflection as comments.
    pub comments: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strict_checksum: false,
            depth_range: DepthRange::default(),
            flip_y: false,
            integer_attributes: IntegerAttributes::default(),
            fidelity: Fidelity::default(),
            cb_oob: CbOutOfBounds::default(),
            registers: Registers::default(),
            vertex_buffers: BufferForm::Block,
            pixel_buffers: BufferForm::Texture,
            buffer_capacity: 69,
            buffer_capacities: Vec::new(),
            buffer_length: BufferLength::default(),
            data_texture_width: 2048,
            pixel_resources: PixelResources::default(),
            abi: Abi::default(),
            forbid_extensions: Vec::new(),
            limits: None,
            line_directives: false,
            line_map: false,
            comments: true,
        }
    }
}
