//! What an effect container holds, in the terms of version 15. Older versions read as the same tree, with the
//! values that version 15 would store.
//!
//! Codes, booleans and floats keep their raw bits, so that a container that is read and written again keeps its
//! bytes; [`crate::names`] says what they mean.

use std::borrow::Cow;
use std::fmt;

/// A name or another text. The format stores bytes that a zero byte ends; in practice they are UTF-8.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text<'a>(pub Cow<'a, [u8]>);

impl Text<'_> {
    /// The text, with a replacement character for what is not UTF-8.
    pub fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(s: &'a str) -> Self {
        Text(Cow::Borrowed(s.as_bytes()))
    }
}

impl From<String> for Text<'_> {
    fn from(s: String) -> Self {
        Text(Cow::Owned(s.into_bytes()))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

/// A reference that refers to nothing.
pub const NULL: u32 = u32::MAX;

/// A program, default values or a backend block.
#[derive(Clone, PartialEq, Eq)]
pub struct Blob<'a> {
    /// Its bytes.
    pub data: Cow<'a, [u8]>,
    /// The offset word that stands beside size 0. It means nothing, but shipped files hold several values.
    pub empty_offset: u32,
}

impl<'a> Blob<'a> {
    /// A blob of these bytes; the null reference if there are none.
    pub fn new(data: impl Into<Cow<'a, [u8]>>) -> Self {
        Blob { data: data.into(), empty_offset: NULL }
    }
}

impl Default for Blob<'_> {
    fn default() -> Self {
        Blob::new(&[][..])
    }
}

impl std::hash::Hash for Blob<'_> {
    /// Hashes the ends only: programs carry a checksum in front, and many references may share a long blob.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        const END: usize = 64;
        let data = &*self.data;
        data.len().hash(state);
        data[..data.len().min(END)].hash(state);
        data[data.len().saturating_sub(END)..].hash(state);
        self.empty_offset.hash(state);
    }
}

impl fmt::Debug for Blob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data.len() {
            0 => write!(f, "no bytes ({:#x})", self.empty_offset),
            n => write!(f, "{n} bytes"),
        }
    }
}

/// A whole container.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect<'a> {
    /// The version it was read from: 8 to 15.
    pub version: u32,
    /// Who compiled it.
    pub provenance: Provenance,
    /// Permutation axes; the first varies fastest.
    pub axes: Vec<Axis<'a>>,
    /// One row for each permutation.
    pub rows: Vec<Row>,
    /// What the rows refer to, in the order of first use.
    pub bodies: Vec<Body<'a>>,
}

/// Which compiler made the container of which sources. Version 15 only; nothing but a rebuild check reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// Major, minor, patch, tweak.
    pub compiler: [u8; 4],
    /// Lower-case hexadecimal MD5 of sources, defines and settings.
    pub hash: [u8; 32],
}

impl Default for Provenance {
    /// The compiler of the shipped version 15 files, with no known sources.
    fn default() -> Self {
        Provenance { compiler: [1, 2, 6, 0], hash: [b'0'; 32] }
    }
}

/// A permutation axis: a macro and the values it takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axis<'a> {
    /// The macro.
    pub name: Text<'a>,
    /// The option taken where the host names none.
    pub default_option: u8,
    /// May be empty.
    pub description: Text<'a>,
    /// 0 static, 1 dynamic.
    pub kind: u8,
    /// The options' macro names.
    pub options: Vec<Text<'a>>,
}

/// A row of the permutation table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The index that the row stores: its place in every tidy file.
    pub index: u32,
    /// Its body, as an index into [`Effect::bodies`].
    pub body: u32,
}

/// What one permutation, or several alike, consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Body<'a> {
    /// Techniques.
    pub techniques: Vec<Technique<'a>>,
    /// Ray tracing libraries (version 14 and up).
    pub libraries: Vec<Library<'a>>,
    /// Parameters with their annotations.
    pub parameters: Vec<Parameter<'a>>,
    /// Whether every pass carries the reference to a backend block, empty or not.
    pub backend_blocks: bool,
}

/// A technique.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Technique<'a> {
    /// `Main` is the default one.
    pub name: Text<'a>,
    /// Passes.
    pub passes: Vec<Pass<'a>>,
}

/// A pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pass<'a> {
    /// Stages in the authored order, each kind at most once.
    pub stages: Vec<Stage<'a>>,
    /// Render states, by ascending state.
    pub render_states: Vec<RenderState>,
    /// The backend block; meaningless unless [`Body::backend_blocks`].
    pub backend_block: Blob<'a>,
}

/// Kind of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum StageKind {
    Vertex,
    Pixel,
    Compute,
    Geometry,
    Hull,
    Domain,
}

impl StageKind {
    /// Every kind, by its code.
    pub const ALL: [StageKind; 6] = [
        StageKind::Vertex,
        StageKind::Pixel,
        StageKind::Compute,
        StageKind::Geometry,
        StageKind::Hull,
        StageKind::Domain,
    ];
    /// The kind with that code.
    pub fn from_code(code: u8) -> Option<StageKind> {
        Self::ALL.get(usize::from(code)).copied()
    }
    /// The code that the format stores.
    pub const fn code(self) -> u8 {
        self as u8
    }
    /// `vertex`, `pixel`, `compute`, `geometry`, `hull` or `domain`.
    pub const fn name(self) -> &'static str {
        ["vertex", "pixel", "compute", "geometry", "hull", "domain"][self as usize]
    }
    /// `vs`, `ps`, `cs`, `gs`, `hs` or `ds`.
    pub const fn prefix(self) -> &'static str {
        ["vs", "ps", "cs", "gs", "hs", "ds"][self as usize]
    }
}

/// A stage of a pass.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage<'a> {
    /// Which.
    pub kind: StageKind,
    /// The program: DXBC, or text in a translated container; empty where it could not be translated.
    pub program: Blob<'a>,
    /// Of a compute stage; other stages store what the compiler happened to have.
    pub thread_group: [u32; 3],
    /// Inputs without those that carry a system value.
    pub inputs: Vec<Input>,
    /// Resources and constants.
    pub set: InputSet<'a>,
}

/// What a stage or a library binds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputSet<'a> {
    /// Bound registers, without static samplers (version 9 and up).
    pub registers: Vec<Register>,
    /// Samplers fixed in the program's root signature (version 13 and up).
    pub static_samplers: Vec<StaticSampler>,
    /// Constants of slot 0.
    pub constants: Vec<Constant<'a>>,
    /// Bytes of the default constants, up to the last that has an initialiser.
    pub defaults: Blob<'a>,
    /// Shader resource views, by ascending register.
    pub textures: Vec<Texture<'a>>,
    /// Samplers, by ascending register.
    pub samplers: Vec<Sampler<'a>>,
    /// Unordered access views, by ascending register.
    pub uavs: Vec<Uav<'a>>,
    /// Annotations of the stage, by ascending name.
    pub annotations: Vec<Annotation<'a>>,
}

/// An input of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    /// Usage code, see [`crate::names::usage`].
    pub usage: u8,
    /// Register.
    pub register: u8,
    /// Semantic index.
    pub usage_index: u8,
    /// Lanes that are read: x is bit 0.
    pub used_mask: u8,
    /// Constant type code; derived below version 11.
    pub ty: u8,
    /// 1 + highest lane of the declaration; 4 below version 11.
    pub dimension: u8,
}

/// A bound register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Code, see [`crate::names::register`]; version 9's are converted.
    pub kind: u8,
    /// First register.
    pub index: u32,
    /// Registers; 0 for an unbounded array. 1 below version 13.
    pub count: u32,
    /// Register space; the stage's code below version 13.
    pub space: u8,
}

/// The bits of a 32-bit float.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bits(pub u32);

impl Bits {
    /// The number.
    pub fn value(self) -> f32 {
        f32::from_bits(self.0)
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.value())
    }
}

/// How a sampler filters, addresses and compares: the fields that static and other samplers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filtering {
    /// Whether it compares; a raw boolean byte.
    pub comparison: u8,
    /// Minification, magnification and mip filter codes.
    pub filters: [u8; 3],
    /// Address mode codes of u, v and w.
    pub address: [u8; 3],
    /// Bias.
    pub mip_bias: Bits,
    /// Anisotropy.
    pub max_anisotropy: u8,
    /// Compare code.
    pub comparison_func: u8,
    /// Least level.
    pub min_lod: Bits,
    /// Greatest level.
    pub max_lod: Bits,
}

/// A static sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticSampler {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u8,
    /// State.
    pub filtering: Filtering,
    /// 0 transparent black, 1 opaque black, 2 opaque white.
    pub border_color: u8,
}

/// A constant of the effect's constant buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant<'a> {
    /// HLSL name.
    pub name: Text<'a>,
    /// Bytes from the start of the buffer.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// 0 float, 1 int, 2 uint, 3 bool, 4 other; codes below version 11 are converted.
    pub ty: u8,
    /// 1 a scalar, 16 a matrix, else vector lanes (times elements).
    pub dimension: u8,
    /// 0 unless an array.
    pub elements: u32,
    /// Raw boolean byte.
    pub is_srgb: u8,
    /// Raw boolean byte.
    pub is_autoregister: u8,
}

/// A shader resource view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Texture<'a> {
    /// Register.
    pub register: u8,
    /// HLSL name.
    pub name: Text<'a>,
    /// Code, see [`crate::names::resource`].
    pub ty: u8,
    /// Array elements; 1 below version 13.
    pub count: u32,
    /// Raw boolean byte.
    pub is_srgb: u8,
    /// Raw boolean byte.
    pub is_autoregister: u8,
}

/// A sampler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sampler<'a> {
    /// Register; bindless samplers use 100 and up.
    pub register: u8,
    /// HLSL name.
    pub name: Text<'a>,
    /// State.
    pub filtering: Filtering,
    /// Red, green, blue, alpha.
    pub border_color: [Bits; 4],
    /// Whether the host may replace it; a raw boolean byte. 1 below version 13.
    pub is_dynamic: u8,
}

/// An unordered access view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uav<'a> {
    /// Register.
    pub register: u8,
    /// HLSL name.
    pub name: Text<'a>,
    /// Code, see [`crate::names::resource`].
    pub ty: u8,
    /// Array elements; 1 below version 13.
    pub count: u32,
    /// Raw boolean byte.
    pub is_autoregister: u8,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Annotation<'a> {
    /// Name.
    pub name: Text<'a>,
    /// Value.
    pub value: Value<'a>,
}

/// Value of an annotation, with its raw bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value<'a> {
    /// Any word but 0 is true.
    Bool(u32),
    /// An integer.
    Int(i32),
    /// A float.
    Float(Bits),
    /// A text.
    Text(Text<'a>),
    /// A type that is not known, with its four bytes.
    Other {
        /// Type code: 4 and up.
        ty: u8,
        /// Value.
        word: u32,
    },
}

/// A render state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RenderState {
    /// State, numbered as in Direct3D 9; see [`crate::names::render_state`].
    pub state: u32,
    /// Value.
    pub value: u32,
}

/// A ray tracing library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Library<'a> {
    /// Bytes of the ray payload.
    pub payload_size: u32,
    /// DXIL.
    pub program: Blob<'a>,
    /// Exported shaders.
    pub exports: Vec<Export<'a>>,
    /// Empty if there is none.
    pub hit_group: Text<'a>,
    /// Bound once for all.
    pub global: InputSet<'a>,
    /// Bound for each record.
    pub local: InputSet<'a>,
}

/// An exported shader of a library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Export<'a> {
    /// 0 ray generation, 1 miss, 2 closest hit, 3 any hit, 4 intersection.
    pub ty: u8,
    /// Name.
    pub name: Text<'a>,
}

/// A parameter of the effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter<'a> {
    /// Name.
    pub name: Text<'a>,
    /// Annotations, by ascending name.
    pub annotations: Vec<Annotation<'a>>,
}

/// Limits that the engine keeps, which are narrower than the fields (container format, limits and errors).
pub(crate) mod limit {
    pub(crate) const PASSES: u32 = 64;
    pub(crate) const STAGES: u32 = 6;
    pub(crate) const RECORDS: u32 = 64;
    pub(crate) const PARAMETERS: u32 = 256;
    /// Of lists whose count is a byte and that the engine does not limit.
    pub(crate) const BYTE: u32 = 255;
}
