//! A shader ABI as data.
//!
//! An [`Abi`] says what a renderer binds and who may see it. The checker of shaders, the generated headers, the
//! documentation and the tests read the same table; `semantic_v1` is the table of the contract
//! `semantic-bindings-v1`. A renderer with another ABI writes another table.

mod print;
mod semantic_v1;

pub use print::{Format, print};
pub use semantic_v1::SEMANTIC_V1;

use serde::{Serialize, Serializer};
use shaderport_spirv::spirv::Capability;

/// A whole ABI.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Abi {
    /// Name of the contract.
    pub name: &'static str,
    /// How messages about descriptors and bindings call it.
    pub label: &'static str,
    /// How messages about a shader as a whole call it.
    pub shader_label: &'static str,
    /// Version of the shader ABI.
    pub version: u32,
    /// Name that every entry point has.
    pub entry_point: &'static str,
    /// Every block: the packs' own, the push block, and the renderer's.
    pub blocks: &'static [Block],
    /// What the descriptor sets are for.
    pub sets: &'static [Set],
    /// The table of sampled textures.
    pub table: Table,
    /// What a shader may ask for by name.
    pub inputs: &'static [Input],
    /// Roles of passes and pipeline variants.
    pub roles: &'static [Role],
    /// Capabilities that a module may declare.
    pub capabilities: &'static [AllowedCapability],
    /// Text that the GLSL header has behind its declarations: aliases and helper functions.
    pub glsl_helpers: &'static [Helper],
}

/// What a descriptor set is for.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Set {
    /// Number of the set.
    pub set: u32,
    /// Its use.
    pub kind: SetKind,
}

/// The use of a descriptor set. The table's set needs no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SetKind {
    /// Uniform blocks of packs.
    Blocks,
    /// The renderer's storage buffers, read-only for variants.
    RendererStorage,
    /// The renderer's uniform blocks.
    RendererUniforms,
}

/// Where a block is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Slot {
    /// Push constants.
    Push,
    /// A descriptor.
    Binding {
        /// Set.
        set: u32,
        /// Binding.
        binding: u32,
    },
}

/// A block of memory that shaders read.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Name of the GLSL block.
    pub name: &'static str,
    /// Name of the GLSL instance, where members are reached through one.
    pub instance: Option<&'static str>,
    /// Where it is bound.
    pub slot: Slot,
    /// What it is for.
    pub doc: &'static str,
    /// Section of the contract.
    pub section: &'static str,
    /// Members, in order; for [`Layout::Opaque`] blocks none.
    pub fields: &'static [Field],
    /// Known layouts.
    pub layout: Layout,
    /// The reason given for a wrong number of members.
    #[serde(skip)]
    pub count_reason: &'static str,
    /// The reason given for wrong offsets of members that have no reason of their own.
    #[serde(skip)]
    pub offset_reason: &'static str,
    /// The reason given for wrong types of members that have no reason of their own.
    #[serde(skip)]
    pub type_reason: &'static str,
}

/// How much of a block's layout the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Layout {
    /// The first so many members and bytes are one published version; the last is the current one.
    Versions(&'static [Version]),
    /// A runtime array of elements of that many bytes; the fields are those of an element.
    Elements {
        /// Stride in bytes.
        stride: u32,
    },
    /// The table does not know the members.
    Opaque,
}

/// A published version of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Its number.
    pub number: u32,
    /// Members.
    pub members: usize,
    /// Bytes.
    pub bytes: u32,
}

/// A member of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Type.
    pub ty: Ty,
    /// Offset in bytes.
    pub offset: u32,
    /// What it holds; for vectors, what the components hold.
    pub doc: &'static str,
    /// The reason given when offset or type is wrong, where the member has its own.
    #[serde(skip)]
    pub reason: &'static str,
    /// Semantic inputs of which one must be declared to read the member; none for members that any may read.
    pub opened_by: &'static [&'static str],
}

/// The type of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Ty {
    /// `float`.
    F32,
    /// `int`.
    I32,
    /// `uint`.
    U32,
    /// Any scalar of 32 bits: a member that some of the renderer's shaders use otherwise.
    Any32,
    /// `vec2`.
    Vec2,
    /// `vec4`.
    Vec4,
    /// `uvec4`.
    UVec4,
    /// `mat4`, column-major with a stride of 16.
    Mat4,
    /// An array.
    Array {
        /// Element.
        of: &'static Ty,
        /// Elements.
        len: u32,
        /// Bytes from one to the next.
        stride: u32,
    },
    /// A structure.
    Struct {
        /// Its name.
        name: &'static str,
        /// Its members.
        fields: &'static [Field],
        /// Its bytes.
        bytes: u32,
    },
}

impl Ty {
    /// Bytes in a block.
    pub const fn bytes(&self) -> u32 {
        match self {
            Ty::F32 | Ty::I32 | Ty::U32 | Ty::Any32 => 4,
            Ty::Vec2 => 8,
            Ty::Vec4 | Ty::UVec4 => 16,
            Ty::Mat4 => 64,
            Ty::Array { len, stride, .. } => *len * *stride,
            Ty::Struct { bytes, .. } => *bytes,
        }
    }
}

/// The table of sampled textures.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Name in GLSL.
    pub name: &'static str,
    /// Texture slots that passes have.
    pub slots: u32,
}

/// Something a shader may ask for by name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// Name.
    pub name: &'static str,
    /// Capability that the descriptor must require for it.
    pub capability: Option<&'static str>,
    /// Capability that the upstream validators ask for where the contract asks for none.
    pub upstream_capability: Option<&'static str>,
    /// Brings the texture table.
    pub opens_table: bool,
    /// Takes a texture slot.
    pub takes_slot: bool,
    /// Bindings of the packs' set that it brings.
    pub opens: &'static [u32],
    /// Those that the upstream validators grant.
    pub upstream_opens: &'static [u32],
    /// What the shader gets.
    pub doc: &'static str,
}

/// A shader stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Vertex.
    Vertex,
    /// Fragment.
    Fragment,
}

impl Stage {
    /// Lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
        }
    }
    /// SPIR-V execution model.
    pub fn model(self) -> u32 {
        match self {
            Stage::Vertex => 0,
            Stage::Fragment => 4,
        }
    }
}

/// What kind of declaration has a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RoleKind {
    /// A pass.
    Pass,
    /// A pipeline variant.
    Variant,
}

/// A role and what its shaders see.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// Name of the semantic.
    pub name: &'static str,
    /// Of a pass or a variant.
    pub kind: RoleKind,
    /// Semantic inputs bring the table and bindings.
    pub by_inputs: bool,
    /// Sees the table whatever its inputs.
    pub table: bool,
    /// Bindings of the packs' set seen whatever the inputs.
    pub blocks: &'static [u32],
    /// The renderer's storage buffers.
    pub storage: &'static [u32],
    /// Only the vertex stage has a use for them.
    pub storage_in_vertex_only: bool,
    /// The renderer's uniform blocks.
    pub uniforms: &'static [u32],
    /// Runs once for several views.
    pub multiview: bool,
    /// Colour outputs of the fragment stage.
    pub colour_outputs: u32,
    /// Inputs and reads that the role usually has, for checking one shader without a descriptor.
    pub usual: Usual,
}

/// What a pass of a role usually declares.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usual {
    /// Semantic inputs.
    pub inputs: &'static [&'static str],
    /// Reads resources.
    pub reads: bool,
}

/// A capability that modules may declare.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AllowedCapability {
    /// The capability.
    #[serde(serialize_with = "capability")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub capability: Capability,
    /// Only in that stage.
    pub stage: Option<Stage>,
    /// Only in multiview roles.
    pub multiview_only: bool,
}

/// A piece of GLSL that authors include.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Helper {
    /// File name of the include.
    pub file: &'static str,
    /// The block that it reads, if it reads one: files are included where that block is.
    pub needs: Option<&'static str>,
    /// The text.
    pub text: &'static str,
}

fn capability<S: Serializer>(c: &Capability, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(&format_args!("{c:?}"))
}

impl Abi {
    /// The role of that name and kind.
    pub fn role(&self, kind: RoleKind, name: &str) -> Option<&'static Role> {
        self.roles.iter().find(|r| r.kind == kind && r.name == name)
    }
    /// The input of that name.
    pub fn input(&self, name: &str) -> Option<&'static Input> {
        self.inputs.iter().find(|i| i.name == name)
    }
    /// The block at that place.
    pub fn block(&self, slot: Slot) -> Option<&'static Block> {
        self.blocks.iter().find(|b| b.slot == slot)
    }
    /// What a descriptor set is for.
    pub fn set_kind(&self, set: u32) -> Option<SetKind> {
        self.sets.iter().find(|s| s.set == set).map(|s| s.kind)
    }
    /// The set of the packs' own blocks.
    pub fn pack_set(&self) -> Option<u32> {
        self.sets.iter().find(|s| s.kind == SetKind::Blocks).map(|s| s.set)
    }
}

impl Block {
    /// Bytes of the current version.
    pub fn bytes(&self) -> Option<u32> {
        match self.layout {
            Layout::Versions(v) => v.last().map(|v| v.bytes),
            Layout::Elements { .. } | Layout::Opaque => None,
        }
    }
}
