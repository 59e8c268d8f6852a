//! An effect as data for JSON: codes as names, references resolved, equal stages once.

use crate::model::{self, Bits, Effect, InputSet, Text, Value};
use crate::names;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::HashMap;

type Name = Cow<'static, str>;

/// Version of [`Index`]; raised when a field changes its meaning or goes away.
pub const INDEX_VERSION: u32 = 1;

/// A whole effect.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Index {
    /// Version of this format.
    pub index_version: u32,
    /// The container that it was read from.
    pub source: Source,
    /// Permutation axes; the first varies fastest in `permutations`.
    pub axes: Vec<AxisInfo>,
    /// For each permutation the index of its body. The place of a permutation is the sum over the axes of the option
    /// times the product of the option counts of the axes before.
    pub permutations: Vec<u32>,
    /// What permutations consist of.
    pub bodies: Vec<BodyInfo>,
    /// The stages of all passes, equal ones once.
    pub stages: Vec<StageInfo>,
}

/// A container.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Version of the format.
    pub version: u32,
    /// Version of the compiler; version 15 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// MD5 of the compiled sources and settings; version 15 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// A permutation axis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AxisInfo {
    /// Macro.
    pub name: String,
    /// May be empty.
    pub description: String,
    /// `static` or `dynamic`.
    #[serde(rename = "type")]
    pub kind: Name,
    /// Index of the default option.
    pub default: u8,
    /// Options.
    pub options: Vec<String>,
}

/// What one permutation, or several alike, consists of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BodyInfo {
    /// Techniques; `Main` is the default one.
    pub techniques: Vec<TechniqueInfo>,
    /// Ray tracing libraries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<LibraryInfo>,
    /// Parameters that carry annotations.
    pub parameters: Vec<ParameterInfo>,
}

/// A technique.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TechniqueInfo {
    /// Name.
    pub name: String,
    /// Passes.
    pub passes: Vec<PassInfo>,
}

/// A pass.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassInfo {
    /// Index of its program in the package; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<u32>,
    /// Indices of its stages, in the authored order.
    pub stages: Vec<u32>,
    /// Render states, by ascending number.
    pub render_states: Vec<RenderStateInfo>,
}

/// A render state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RenderStateInfo {
    /// Number, as in Direct3D 9.
    pub state: u32,
    /// Name; absent where the number is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
    /// Value.
    pub value: u32,
    /// What the value means, where it is a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<&'static str>,
    /// The value of a state whose bits are a float.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub float: Option<Float>,
}

/// A float: a number, or the bits of what is none as text such as `0x7fc00000`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Float(pub Bits);

impl Serialize for Float {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let value = self.0.value();
        if value.is_finite() {
            s.serialize_f32(value)
        } else {
            s.collect_str(&format_args!("{:#010x}", self.0.0))
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Float {
    fn schema_name() -> Cow<'static, str> {
        "Float".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number, or the bits of what is none as text such as 0x7fc00000.",
            "type": ["number", "string"]
        })
    }
}

/// A stage.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageInfo {
    /// `vertex`, `pixel`, `compute`, `geometry`, `hull` or `domain`.
    pub stage: &'static str,
    /// Bytes of the program.
    pub program_size: u32,
    /// Thread group; meaningful for compute.
    pub thread_group: [u32; 3],
    /// Inputs without those that carry a system value.
    pub inputs: Vec<InputInfo>,
    /// Resources and constants.
    #[serde(flatten)]
    pub set: SetInfo,
}

/// What a stage or a library binds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetInfo {
    /// Bound registers, without static samplers.
    pub registers: Vec<RegisterInfo>,
    /// Samplers that are fixed in the program.
    pub static_samplers: Vec<StaticSamplerInfo>,
    /// Constants of slot 0.
    pub constants: Vec<ConstantInfo>,
    /// Bytes of the default constants, two hexadecimal digits each; at most the 4,096 bytes that the engine copies.
    pub defaults: String,
    /// Textures and buffers, by ascending register.
    pub textures: Vec<TextureInfo>,
    /// Samplers, by ascending register.
    pub samplers: Vec<SamplerInfo>,
    /// Unordered access views, by ascending register.
    pub uavs: Vec<UavInfo>,
    /// Annotations.
    pub annotations: Vec<AnnotationInfo>,
}

/// An input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InputInfo {
    /// Usage, such as `POSITION`; HLSL's `BINORMAL` is `BITANGENT` here.
    pub usage: Name,
    /// Semantic index.
    pub usage_index: u8,
    /// Register.
    pub register: u8,
    /// Lanes that are read: x is bit 0.
    pub used_mask: u8,
    /// `float`, `int`, `uint` or `bool`.
    #[serde(rename = "type")]
    pub ty: Name,
    /// 1 + highest lane that is declared.
    pub dimension: u8,
}

/// A bound register.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterInfo {
    /// Kind, such as `constant-buffer` or `texture-2d`.
    pub kind: Name,
    /// First register, such as `t3`.
    pub register: String,
    /// Registers; 0 for an unbounded array.
    pub count: u32,
    /// Register space.
    pub space: u8,
}

/// How a sampler filters, addresses and compares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FilteringInfo {
    /// Whether it compares.
    pub comparison: bool,
    /// Minification filter: `none`, `point`, `linear` or `anisotropic`.
    pub min_filter: Name,
    /// Magnification filter.
    pub mag_filter: Name,
    /// Mip filter.
    pub mip_filter: Name,
    /// Address mode of u: `wrap`, `mirror`, `clamp`, `border` or `mirror-once`.
    pub address_u: Name,
    /// Address mode of v.
    pub address_v: Name,
    /// Address mode of w.
    pub address_w: Name,
    /// Coordinates, such as `u`, whose address mode WebGL2 lacks: all but `wrap`, `mirror` and `clamp`. The host
    /// chooses what to bind instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsupported_addresses: Vec<&'static str>,
    /// Bias.
    pub mip_bias: Float,
    /// Anisotropy.
    pub max_anisotropy: u8,
    /// Compare function, such as `less-equal`.
    pub comparison_func: Name,
    /// Least level.
    pub min_lod: Float,
    /// Greatest level.
    pub max_lod: Float,
}

/// A static sampler.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StaticSamplerInfo {
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u8,
    /// State.
    #[serde(flatten)]
    pub filtering: FilteringInfo,
    /// Red, green, blue, alpha.
    pub border_color: [Float; 4],
}

/// A constant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConstantInfo {
    /// HLSL name.
    pub name: String,
    /// Bytes from the start of the buffer.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// `float`, `int`, `uint`, `bool` or `other`.
    #[serde(rename = "type")]
    pub ty: Name,
    /// 1 a scalar, 16 a matrix, else vector lanes (times elements).
    pub dimension: u8,
    /// 0 unless an array.
    pub elements: u32,
    /// Whether it is a colour that the host converts from sRGB.
    pub srgb: bool,
    /// Whether the engine fills it.
    pub autoregister: bool,
}

/// A texture or buffer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureInfo {
    /// HLSL name.
    pub name: String,
    /// `t` register.
    pub register: u8,
    /// Type, such as `texture-2d`.
    #[serde(rename = "type")]
    pub ty: Name,
    /// Array elements; 0 for an unbounded array.
    pub count: u32,
    /// Whether it holds sRGB colours.
    pub srgb: bool,
    /// Whether the engine binds it.
    pub autoregister: bool,
}

/// A sampler.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SamplerInfo {
    /// HLSL name.
    pub name: String,
    /// `s` register.
    pub register: u8,
    /// State.
    #[serde(flatten)]
    pub filtering: FilteringInfo,
    /// Red, green, blue, alpha.
    pub border_color: [Float; 4],
    /// Whether the host may replace the state.
    pub dynamic: bool,
}

/// An unordered access view.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UavInfo {
    /// HLSL name.
    pub name: String,
    /// `u` register.
    pub register: u8,
    /// Type, such as `rw-typed`.
    #[serde(rename = "type")]
    pub ty: Name,
    /// Array elements.
    pub count: u32,
    /// Whether the engine binds it.
    pub autoregister: bool,
}

/// A named value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnotationInfo {
    /// Name.
    pub name: String,
    /// Value.
    pub value: ValueInfo,
}

/// Value of an annotation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ValueInfo {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i32),
    /// A float.
    Float(Float),
    /// A text.
    Text(String),
    /// A type that is not known.
    Other {
        /// Type code.
        type_code: u8,
        /// Its four bytes.
        word: u32,
    },
}

/// A parameter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterInfo {
    /// Name.
    pub name: String,
    /// Annotations.
    pub annotations: Vec<AnnotationInfo>,
}

/// A ray tracing library.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LibraryInfo {
    /// Bytes of the program.
    pub program_size: u32,
    /// Bytes of the ray payload.
    pub payload_size: u32,
    /// Exported shaders.
    pub exports: Vec<String>,
    /// Empty if there is none.
    pub hit_group: String,
    /// Bound once for all.
    pub global: SetInfo,
    /// Bound for each record.
    pub local: SetInfo,
}

impl Index {
    /// Describes an effect. Passes have no programs yet.
    pub fn of(effect: &Effect<'_>) -> Index {
        let mut stages = Vec::new();
        let mut known: HashMap<&model::Stage<'_>, u32> = HashMap::new();
        let bodies = effect
            .bodies
            .iter()
            .map(|b| BodyInfo {
                techniques: b
                    .techniques
                    .iter()
                    .map(|t| TechniqueInfo {
                        name: string(&t.name),
                        passes: t
                            .passes
                            .iter()
                            .map(|p| PassInfo {
                                program: None,
                                stages: p
                                    .stages
                                    .iter()
                                    .map(|s| {
                                        *known.entry(s).or_insert_with(|| {
                                            stages.push(stage(s));
                                            (stages.len() - 1) as u32
                                        })
                                    })
                                    .collect(),
                                render_states: p.render_states.iter().map(render_state).collect(),
                            })
                            .collect(),
                    })
                    .collect(),
                libraries: b.libraries.iter().map(library).collect(),
                parameters: b
                    .parameters
                    .iter()
                    .map(|p| ParameterInfo {
                        name: string(&p.name),
                        annotations: annotations(&p.annotations),
                    })
                    .collect(),
            })
            .collect();
        let latest = effect.version >= 15;
        let [major, minor, patch, tweak] = effect.provenance.compiler;
        Index {
            index_version: INDEX_VERSION,
            source: Source {
                version: effect.version,
                compiler: latest.then(|| format!("{major}.{minor}.{patch}.{tweak}")),
                hash: latest.then(|| String::from_utf8_lossy(&effect.provenance.hash).into_owned()),
            },
            axes: effect.axes.iter().map(axis).collect(),
            permutations: effect.rows.iter().map(|r| r.body).collect(),
            bodies,
            stages,
        }
    }
}

fn string(t: &Text<'_>) -> String {
    t.to_str().into_owned()
}

/// The name of a code, or the code itself.
fn name(known: Option<&'static str>, code: u8) -> Name {
    known.map_or_else(|| format!("code-{code}").into(), Cow::Borrowed)
}

fn axis(a: &model::Axis<'_>) -> AxisInfo {
    AxisInfo {
        name: string(&a.name),
        description: string(&a.description),
        kind: name(["static", "dynamic"].get(usize::from(a.kind)).copied(), a.kind),
        default: a.default_option,
        options: a.options.iter().map(string).collect(),
    }
}

fn render_state(s: &model::RenderState) -> RenderStateInfo {
    RenderStateInfo {
        state: s.state,
        name: names::render_state(s.state),
        value: s.value,
        meaning: names::render_value(s.state, s.value),
        float: [175, 195].contains(&s.state).then_some(Float(Bits(s.value))),
    }
}

fn stage(s: &model::Stage<'_>) -> StageInfo {
    StageInfo {
        stage: s.kind.name(),
        program_size: s.program.data.len() as u32,
        thread_group: s.thread_group,
        inputs: s
            .inputs
            .iter()
            .map(|i| InputInfo {
                usage: name(names::usage(i.usage), i.usage),
                usage_index: i.usage_index,
                register: i.register,
                used_mask: i.used_mask,
                ty: name(names::constant_type(i.ty), i.ty),
                dimension: i.dimension,
            })
            .collect(),
        set: set(&s.set),
    }
}

fn set(s: &InputSet<'_>) -> SetInfo {
    SetInfo {
        registers: s
            .registers
            .iter()
            .map(|r| {
                let (kind, letter) = names::register(r.kind).unzip();
                let letter = letter.unwrap_or('r');
                RegisterInfo {
                    kind: name(kind, r.kind),
                    register: format!("{letter}{}", r.index),
                    count: r.count,
                    space: r.space,
                }
            })
            .collect(),
        static_samplers: s
            .static_samplers
            .iter()
            .map(|s| StaticSamplerInfo {
                register: s.register,
                space: s.space,
                filtering: filtering(&s.filtering),
                border_color: border(s.border_color),
            })
            .collect(),
        constants: s
            .constants
            .iter()
            .map(|c| ConstantInfo {
                name: string(&c.name),
                offset: c.offset,
                size: c.size,
                ty: name(names::constant_type(c.ty), c.ty),
                dimension: c.dimension,
                elements: c.elements,
                srgb: c.is_srgb != 0,
                autoregister: c.is_autoregister != 0,
            })
            .collect(),
        defaults: hex(&s.defaults.data[..s.defaults.data.len().min(4096)]),
        textures: s
            .textures
            .iter()
            .map(|t| TextureInfo {
                name: string(&t.name),
                register: t.register,
                ty: name(names::resource(t.ty), t.ty),
                count: t.count,
                srgb: t.is_srgb != 0,
                autoregister: t.is_autoregister != 0,
            })
            .collect(),
        samplers: s
            .samplers
            .iter()
            .map(|s| SamplerInfo {
                name: string(&s.name),
                register: s.register,
                filtering: filtering(&s.filtering),
                border_color: s.border_color.map(Float),
                dynamic: s.is_dynamic != 0,
            })
            .collect(),
        uavs: s
            .uavs
            .iter()
            .map(|u| UavInfo {
                name: string(&u.name),
                register: u.register,
                ty: name(names::resource(u.ty), u.ty),
                count: u.count,
                autoregister: u.is_autoregister != 0,
            })
            .collect(),
        annotations: annotations(&s.annotations),
    }
}

/// The colour of a static sampler's code; the engine takes unknown codes as transparent black.
fn border(code: u8) -> [Float; 4] {
    let lanes: [f32; 4] = match code {
        1 => [0.0, 0.0, 0.0, 1.0],
        2 => [1.0; 4],
        _ => [0.0; 4],
    };
    lanes.map(|v| Float(Bits(v.to_bits())))
}

fn filtering(f: &model::Filtering) -> FilteringInfo {
    let [min_filter, mag_filter, mip_filter] = f.filters.map(|c| name(names::filter(c), c));
    let [address_u, address_v, address_w] = f.address.map(|c| name(names::address(c), c));
    let unsupported =
        ["u", "v", "w"].into_iter().zip(f.address).filter(|&(_, c)| !names::webgl_has_address(c));
    FilteringInfo {
        comparison: f.comparison != 0,
        min_filter,
        mag_filter,
        mip_filter,
        address_u,
        address_v,
        address_w,
        unsupported_addresses: unsupported.map(|(coordinate, _)| coordinate).collect(),
        mip_bias: Float(f.mip_bias),
        max_anisotropy: f.max_anisotropy,
        comparison_func: name(names::compare(f.comparison_func.into()), f.comparison_func),
        min_lod: Float(f.min_lod),
        max_lod: Float(f.max_lod),
    }
}

fn annotations(list: &[model::Annotation<'_>]) -> Vec<AnnotationInfo> {
    list.iter()
        .map(|a| AnnotationInfo {
            name: string(&a.name),
            value: match &a.value {
                Value::Bool(w) => ValueInfo::Bool(*w != 0),
                Value::Int(i) => ValueInfo::Int(*i),
                Value::Float(b) => ValueInfo::Float(Float(*b)),
                Value::Text(t) => ValueInfo::Text(string(t)),
                Value::Other { ty, word } => ValueInfo::Other { type_code: *ty, word: *word },
            },
        })
        .collect()
}

fn library(l: &model::Library<'_>) -> LibraryInfo {
    LibraryInfo {
        program_size: l.program.data.len() as u32,
        payload_size: l.payload_size,
        exports: l.exports.iter().map(|e| string(&e.name)).collect(),
        hit_group: string(&l.hit_group),
        global: set(&l.global),
        local: set(&l.local),
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u8| DIGITS[usize::from(n & 15)] as char;
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(*b)]).collect()
}
