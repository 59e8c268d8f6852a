//! What a container holds, as plain data for reports.

use serde::Serialize;
use shaderport_diagnostics::codes::dxbc as codes;
use shaderport_diagnostics::{Diagnostic, tag_text};
use shaderport_dxbc::container::describe_chunk;
use shaderport_dxbc::program::{ResourceDimension, ReturnType};
use shaderport_dxbc::reflection::{Binding, Class, ConstantBuffer, Type, TypeId, TypeTable, Variable};
use shaderport_dxbc::signature::{MinPrecision, NO_REGISTER, SignatureElement};
use shaderport_dxbc::{
    CUSTOM_DATA_ICB, Container, Instruction, Opcode, Program, Reflection, Signature, Stage, SystemValue,
};
use shaderport_glsl::manifest::LimitUse;
use shaderport_glsl::options::Extension;
use shaderport_glsl::{FailureKind, Options, translate};
use std::borrow::Cow;
use std::collections::HashMap;

/// Version of [`Inspection`]; raised when a field changes its meaning or goes away.
pub const INSPECTION_VERSION: u32 = 1;

/// What one container holds. Names are borrowed from it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Inspection<'a> {
    /// Version of this format.
    pub inspection_version: u32,
    /// `shader`, `dxil`, `effect`, `library`, `root-signature` or `unknown`.
    pub kind: &'static str,
    /// Bytes of the container.
    pub size: usize,
    /// Bytes behind it in the input.
    pub trailing_size: usize,
    /// Version of the container format.
    pub format_version: String,
    /// The container's checksum.
    pub checksum: Checksum,
    /// The chunks in the order of the chunk table.
    pub chunks: Vec<ChunkInfo>,
    /// The program; absent where there is none or it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramInfo>,
    /// Inputs, outputs and patch constants.
    pub signatures: Signatures<'a>,
    /// Names and types of the source; absent where they were stripped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflection: Option<ReflectionInfo<'a>>,
    /// The compiler's counts that are not zero; absent where they were stripped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Vec<StatisticInfo>>,
    /// Optional features that Direct3D must offer; absent where the container does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Features>,
    /// What the shader asks of WebGL2.
    pub needs: Needs,
    /// What is damaged.
    pub diagnostics: Vec<Diagnostic>,
}

/// The checksum in a container's header.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checksum {
    /// As stored, in hexadecimal.
    pub stored: String,
    /// That of the contents.
    pub computed: String,
    /// Whether they are the same.
    pub ok: bool,
}

/// A chunk.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChunkInfo {
    /// Four-character code.
    pub tag: String,
    /// Offset in bytes of its header from the start of the container.
    pub offset: u32,
    /// Bytes of its contents.
    pub size: usize,
    /// What it is for, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'static str>,
}

/// Facts of the program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgramInfo {
    /// `vertex`, `pixel`, `geometry`, `hull`, `domain` or `compute`.
    pub stage: &'static str,
    /// Shader model, such as `5.0`.
    pub model: String,
    /// Profile, such as `ps_5_0`.
    pub profile: String,
    /// Instructions that are executed.
    pub instructions: usize,
    /// Declarations.
    pub declarations: usize,
    /// How often each instruction occurs, in the order of the opcode numbers.
    pub opcodes: Vec<OpcodeCount>,
    /// Global flags, as the listing spells them.
    pub global_flags: Vec<&'static str>,
    /// Temporary registers.
    pub temps: u32,
    /// Indexable arrays of temporaries.
    pub indexable_temps: Vec<IndexableTemp>,
    /// Rows of the immediate constant buffer.
    pub immediate_constant_rows: usize,
    /// Constant buffers, resources, samplers and views in the order of their declarations.
    pub resources: Vec<ResourceInfo>,
    /// Threads of a compute shader's group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_group: Option<[u32; 3]>,
}

/// How often an instruction occurs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpcodeCount {
    /// Mnemonic.
    pub opcode: &'static str,
    /// Occurrences.
    pub count: u32,
}

/// An array of temporaries.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexableTemp {
    /// `x` register.
    pub register: u32,
    /// Elements.
    pub elements: u32,
    /// Components of an element.
    pub components: u32,
}

/// A declared resource.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResourceInfo {
    /// First register, such as `t0`.
    pub register: String,
    /// Register space.
    pub space: u32,
    /// Number of registers; absent for an array without bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// `constant-buffer`, `sampler`, or the dimension, such as `texture2d`.
    pub kind: &'static str,
    /// Whether the shader writes it.
    pub writable: bool,
    /// What the four lanes of a read hold, for typed resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returns: Option<[&'static str; 4]>,
    /// Bytes of a structured buffer's element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<u32>,
    /// Rows of 16 bytes of a constant buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// `immediate` or `dynamic` indexing of a constant buffer; `default`, `comparison` or `mono` of a sampler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<&'static str>,
}

/// The signatures; an absent one has no chunk or cannot be read.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Signatures<'a> {
    /// Inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Vec<ElementInfo<'a>>>,
    /// Outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<ElementInfo<'a>>>,
    /// Patch constants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_constant: Option<Vec<ElementInfo<'a>>>,
}

/// An element of a signature.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ElementInfo<'a> {
    /// Semantic, without its index.
    pub semantic: &'a str,
    /// Its index.
    pub semantic_index: u32,
    /// Meaning that the pipeline gives it, or `none`.
    pub system_value: String,
    /// Type of a component.
    pub component_type: String,
    /// Register; absent for depth, coverage and stencil reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub register: Option<u32>,
    /// Components of the register that it occupies.
    pub mask: String,
    /// Components that the program reads or may write.
    pub used_mask: String,
    /// Geometry shader output stream.
    #[serde(skip_serializing_if = "is_zero")]
    pub stream: u32,
    /// Minimum precision, where one is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_precision: Option<String>,
}

/// Names and types of the source.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReflectionInfo<'a> {
    /// Compiler.
    pub creator: &'a str,
    /// Compiler flags.
    pub flags: u32,
    /// Slots of interfaces.
    pub interface_slots: u32,
    /// Resources that are bound.
    pub bindings: Vec<BindingInfo<'a>>,
    /// Constant buffers, and the elements of structured buffers.
    pub buffers: Vec<BufferInfo<'a>>,
    /// Structures that variables and members refer to by their place in this list.
    pub structs: Vec<StructInfo<'a>>,
}

/// A bound resource.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BindingInfo<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Kind, such as `cbuffer`, `texture` or `sampler`.
    pub kind: String,
    /// Dimension of a texture or buffer.
    pub dimension: String,
    /// What a read returns.
    pub returns: String,
    /// Components that a read of a typed resource returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<u32>,
    /// First register.
    pub register: u32,
    /// Number of registers; absent for an array without bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Register space, in model 5.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<u32>,
    /// Whether a sampler compares.
    pub comparison: bool,
}

/// A constant buffer, or another group of variables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BufferInfo<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// `cbuffer`, `tbuffer`, `interfaces` or `resource`.
    pub kind: String,
    /// Bytes.
    pub size: u32,
    /// Its variables.
    pub variables: Vec<VariableInfo<'a>>,
}

/// A variable of a buffer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariableInfo<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// HLSL type, such as `row_major float4x4`.
    #[serde(rename = "type")]
    pub ty: Cow<'a, str>,
    /// Place in [`ReflectionInfo::structs`], for a structure.
    #[serde(rename = "struct", skip_serializing_if = "Option::is_none")]
    pub structure: Option<usize>,
    /// Array elements; 0 where it is no array.
    pub elements: u16,
    /// Bytes from the start of the buffer.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Whether the program reads it.
    pub used: bool,
    /// Initial value as 32-bit words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<u32>>,
}

/// A structure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StructInfo<'a> {
    /// Name in the source, where the file has it (model 5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Its members.
    pub members: Vec<MemberInfo<'a>>,
}

/// A member of a structure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberInfo<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// HLSL type.
    #[serde(rename = "type")]
    pub ty: Cow<'a, str>,
    /// Place in [`ReflectionInfo::structs`], for a structure.
    #[serde(rename = "struct", skip_serializing_if = "Option::is_none")]
    pub structure: Option<usize>,
    /// Array elements; 0 where it is no array.
    pub elements: u16,
    /// Bytes from the start of the structure.
    pub offset: u32,
}

/// One of the compiler's counts.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatisticInfo {
    /// Name.
    pub name: &'static str,
    /// Value.
    pub value: u32,
}

/// Optional features.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Features {
    /// The names of those that are known.
    pub names: Vec<&'static str>,
    /// Bits without a known meaning.
    pub unknown_bits: u64,
}

/// What the shader asks of WebGL2, as [`translate`] found it with the options given.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Needs {
    /// `translated`, `refused` or `invalid`.
    pub status: &'static str,
    /// Extensions that must be enabled.
    pub extensions: Vec<Extension>,
    /// What is used of each limit.
    pub limits: Vec<LimitUse>,
    /// What is left out without changing a value.
    pub dropped: Vec<Cow<'static, str>>,
    /// Why it is refused, or what else the translator found.
    pub diagnostics: Vec<Diagnostic>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Describes the DXBC container at the start of `bytes`.
///
/// Damage inside a chunk does not stop the rest: it is a finding of [`Inspection::diagnostics`].
///
/// # Errors
/// The finding that kept the container itself from being read.
pub fn inspect<'a>(bytes: &'a [u8], options: &Options) -> Result<Inspection<'a>, Diagnostic> {
    let container = Container::parse(bytes)?;
    let mut diagnostics = Vec::new();
    let (major, minor) = container.version();
    let checksum = Checksum {
        stored: hex(container.stored_checksum()),
        computed: hex(container.computed_checksum()),
        ok: container.checksum_ok(),
    };
    let chunks = container.chunks().map(|c| ChunkInfo {
        tag: tag_text(c.tag),
        offset: c.offset,
        size: c.data.len(),
        description: describe_chunk(c.tag),
    });
    let program = container.program_chunk().ok().and_then(|chunk| {
        let offset = chunk.place(0).byte_offset.unwrap_or(chunk.offset);
        keep(Program::decode(chunk.data, chunk.tag, offset), &mut diagnostics)
    });
    let mut signature = |read: Result<Option<Signature<'a>>, Diagnostic>, written: bool| {
        let signature = keep(read, &mut diagnostics)??;
        Some(signature.elements.iter().map(|e| element(e, written)).collect())
    };
    let stage = program.as_ref().map(|p| p.stage);
    let signatures = Signatures {
        input: signature(container.input_signature(), false),
        output: signature(container.output_signature(), true),
        patch_constant: signature(container.patch_constant_signature(), stage == Some(Stage::Hull)),
    };
    let reflection = keep(container.reflection(), &mut diagnostics).flatten();
    let reflection = reflection.map(|r| reflect(&r, &container, &mut diagnostics));
    let statistics = keep(container.statistics(), &mut diagnostics)
        .flatten()
        .map(|s| s.named().filter(|n| n.1 != 0).map(|(name, value)| StatisticInfo { name, value }).collect());
    let features = keep(container.feature_flags(), &mut diagnostics)
        .flatten()
        .map(|f| Features { names: f.named().map(|n| n.0).collect(), unknown_bits: f.unknown() });
    Ok(Inspection {
        inspection_version: INSPECTION_VERSION,
        kind: container.kind().name(),
        size: container.data().len(),
        trailing_size: container.trailing_len(),
        format_version: format!("{major}.{minor}"),
        checksum,
        chunks: chunks.collect(),
        program: program.as_ref().map(describe_program),
        signatures,
        reflection,
        statistics,
        features,
        needs: needs(bytes, options),
        diagnostics,
    })
}

/// The value, or its finding in `diagnostics`.
fn keep<T>(read: Result<T, Diagnostic>, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
    read.map_err(|d| diagnostics.push(d)).ok()
}

fn hex(bytes: [u8; 16]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn mask_text(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, c)| c).collect()
}

fn element<'a>(e: &SignatureElement<'a>, written: bool) -> ElementInfo<'a> {
    // The file marks what an input reads and what an output never writes.
    let used = if written { e.mask & !e.read_write_mask } else { e.mask & e.read_write_mask };
    let system_value = if written { e.resolved_system_value() } else { e.system_value };
    ElementInfo {
        semantic: e.name,
        semantic_index: e.semantic_index,
        system_value: match system_value {
            SystemValue::None => "none".to_string(),
            v => v.to_string(),
        },
        component_type: e.component_type.to_string(),
        register: (e.register != NO_REGISTER).then_some(e.register),
        mask: mask_text(e.mask),
        used_mask: mask_text(used),
        stream: e.stream,
        min_precision: (e.min_precision != MinPrecision::Default).then(|| e.min_precision.to_string()),
    }
}

fn describe_program(program: &Program) -> ProgramInfo {
    let mut info = ProgramInfo {
        stage: program.stage.name(),
        model: format!("{}.{}", program.major, program.minor),
        profile: format!("{}_{}_{}", program.stage.prefix(), program.major, program.minor),
        instructions: 0,
        declarations: 0,
        opcodes: Vec::new(),
        global_flags: Vec::new(),
        temps: 0,
        indexable_temps: Vec::new(),
        immediate_constant_rows: 0,
        resources: Vec::new(),
        thread_group: None,
    };
    let mut counts = [0u32; 256];
    for i in &program.instructions {
        let words = program.words(i);
        let word = |n: usize| words.get(n).copied().unwrap_or(0);
        match i.opcode {
            Opcode::CustomData => {
                if i.controls >> 11 == CUSTOM_DATA_ICB {
                    info.immediate_constant_rows = words.len() / 4;
                }
                info.declarations += 1;
                continue;
            }
            op if !op.is_declaration() => {
                info.instructions += 1;
                counts[op as usize & 255] += 1;
                continue;
            }
            Opcode::DclTemps => info.temps = info.temps.max(word(0)),
            Opcode::DclIndexableTemp => info.indexable_temps.push(IndexableTemp {
                register: word(0),
                elements: word(1),
                components: word(2),
            }),
            Opcode::DclGlobalFlags => info.global_flags = i.global_flags().collect(),
            Opcode::DclThreadGroup => info.thread_group = Some([word(0), word(1), word(2)]),
            _ => info.resources.extend(resource(program, i)),
        }
        info.declarations += 1;
    }
    let counted =
        Opcode::ALL.iter().map(|op| OpcodeCount { opcode: op.name(), count: counts[*op as usize & 255] });
    info.opcodes = counted.filter(|c| c.count != 0).collect();
    info
}

/// The resource that a declaration declares, if it declares one.
fn resource(program: &Program, i: &Instruction) -> Option<ResourceInfo> {
    let words = program.words(i);
    let word = |n: usize| words.get(n).copied().unwrap_or(0);
    let operand = program.operands(i).first()?;
    let index = operand.index.map(|x| x.immediate);
    let slots = program.slots(i)?;
    let unbounded = program.is_5_1() && slots.upper == u32::MAX;
    let count = (!unbounded).then(|| slots.upper.saturating_sub(slots.lower).saturating_add(1));
    let typed = i.resource_dimension().unwrap_or(ResourceDimension::Unknown).name();
    let (prefix, kind) = match i.opcode {
        Opcode::DclConstantBuffer => ("cb", "constant-buffer"),
        Opcode::DclSampler => ("s", "sampler"),
        Opcode::DclResource => ("t", typed),
        Opcode::DclResourceRaw => ("t", "raw"),
        Opcode::DclResourceStructured => ("t", "structured"),
        Opcode::DclUavTyped => ("u", typed),
        Opcode::DclUavRaw => ("u", "raw"),
        Opcode::DclUavStructured => ("u", "structured"),
        _ => return None,
    };
    let returns = || Some(ReturnType::unpack(word(0)).map(ReturnType::name));
    Some(ResourceInfo {
        register: format!("{prefix}{}", slots.lower),
        space: slots.space,
        count,
        kind,
        writable: prefix == "u",
        returns: matches!(i.opcode, Opcode::DclResource | Opcode::DclUavTyped).then(returns).flatten(),
        stride: (kind == "structured").then(|| word(0)),
        rows: (prefix == "cb").then(|| if program.is_5_1() { word(0) } else { index[1] }),
        mode: match (prefix, i.controls >> 11 & 15) {
            ("cb", n) => Some(if n & 1 != 0 { "dynamic" } else { "immediate" }),
            ("s", 0) => Some("default"),
            ("s", 1) => Some("comparison"),
            ("s", 2) => Some("mono"),
            _ => None,
        },
    })
}

fn reflect<'a>(
    reflection: &Reflection<'a>,
    container: &Container<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ReflectionInfo<'a> {
    let mut reader = ReflectionReader {
        types: TypeTable::new(reflection),
        structs: Vec::new(),
        known: HashMap::new(),
        // Each default value may claim the whole chunk: what all of them may take is bounded.
        defaults_left: container.chunk(*b"RDEF").map_or(0, |c| c.data.len()),
    };
    let mut info = ReflectionInfo {
        creator: keep(reflection.creator(), diagnostics).unwrap_or_default(),
        flags: reflection.flags,
        interface_slots: reflection.interface_slot_count,
        bindings: Vec::new(),
        buffers: Vec::new(),
        structs: Vec::new(),
    };
    // One damaged row says enough; the rows behind it are not trusted.
    let bindings: Result<Vec<_>, _> = reflection.bindings().map(|b| b.map(|b| binding(&b))).collect();
    info.bindings = keep(bindings, diagnostics).unwrap_or_default();
    for b in reflection.constant_buffers() {
        let Some(b) = keep(b.and_then(|b| reader.buffer(&b)), diagnostics) else { break };
        info.buffers.push(b);
    }
    info.structs = reader.structs;
    info
}

fn binding<'a>(b: &Binding<'a>) -> BindingInfo<'a> {
    use shaderport_dxbc::reflection::{InputType, ReturnType};
    let typed = matches!(b.input_type, InputType::Texture | InputType::RwTyped);
    BindingInfo {
        name: b.name,
        kind: b.input_type.to_string(),
        dimension: b.dimension.to_string(),
        returns: b.return_type.to_string(),
        components: (typed && b.return_type != ReturnType::None).then(|| b.component_count()),
        register: b.bind_point,
        count: (b.bind_count != 0).then_some(b.bind_count),
        space: b.space,
        comparison: b.input_type == InputType::Sampler && b.is_comparison_sampler(),
    }
}

/// Reads variables and gathers the structures that they are made of, each once.
struct ReflectionReader<'a> {
    types: TypeTable<'a>,
    structs: Vec<StructInfo<'a>>,
    known: HashMap<TypeId, usize>,
    defaults_left: usize,
}

impl<'a> ReflectionReader<'a> {
    fn buffer(&mut self, b: &ConstantBuffer<'a>) -> Result<BufferInfo<'a>, Diagnostic> {
        let variables = b.variables().map(|v| self.variable(&v?)).collect::<Result<_, _>>()?;
        Ok(BufferInfo { name: b.name, kind: b.kind.to_string(), size: b.size, variables })
    }

    fn variable(&mut self, v: &Variable<'a>) -> Result<VariableInfo<'a>, Diagnostic> {
        let id = self.types.resolve(v.type_offset)?;
        let (ty, structure, elements) = self.describe(id);
        let default = v.default_value.map(|bytes| {
            let left = self.defaults_left.checked_sub(bytes.len());
            self.defaults_left = left
                .ok_or_else(|| Diagnostic::new(codes::REFLECTION_MALFORMED, "the default values overlap"))?;
            Ok(bytes.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect())
        });
        Ok(VariableInfo {
            name: v.name,
            ty,
            structure,
            elements,
            offset: v.offset,
            size: v.size,
            used: v.is_used(),
            default: default.transpose()?,
        })
    }

    /// A type's text, its structure and its array elements. The table bounds how deep types are nested.
    fn describe(&mut self, id: TypeId) -> (Cow<'a, str>, Option<usize>, u16) {
        let Some(ty) = self.types.get(id) else { return (Cow::Borrowed("?"), None, 0) };
        let (text, elements) = (type_text(ty), ty.elements);
        let known = self.known.get(&id).copied();
        // Many variables may share a long structure: it is copied once.
        let fresh = (known.is_none() && !ty.members.is_empty()).then(|| ty.clone());
        (text, known.or_else(|| fresh.map(|ty| self.structure(id, &ty))), elements)
    }

    fn structure(&mut self, id: TypeId, ty: &Type<'a>) -> usize {
        let members = ty.members.iter().map(|m| {
            let (ty, structure, elements) = self.describe(m.ty);
            MemberInfo { name: m.name, ty, structure, elements, offset: m.offset }
        });
        let members = members.collect();
        let at = self.structs.len();
        self.structs.push(StructInfo { name: ty.name, members });
        self.known.insert(id, at);
        at
    }
}

fn type_text<'a>(ty: &Type<'a>) -> Cow<'a, str> {
    match ty.class {
        Class::Vector => format!("{}{}", ty.base, ty.columns).into(),
        Class::MatrixRows => format!("row_major {}{}x{}", ty.base, ty.rows, ty.columns).into(),
        Class::MatrixColumns => format!("{}{}x{}", ty.base, ty.rows, ty.columns).into(),
        Class::Struct | Class::InterfaceClass | Class::InterfacePointer => ty.name.unwrap_or("struct").into(),
        Class::Scalar | Class::Object | Class::Other(_) => ty.base.to_string().into(),
    }
}

fn needs(bytes: &[u8], options: &Options) -> Needs {
    match translate(bytes, options) {
        Ok(t) => Needs {
            status: "translated",
            extensions: t.manifest.extensions,
            limits: t.manifest.limits,
            dropped: t.manifest.dropped,
            diagnostics: t.diagnostics,
        },
        Err(f) => Needs {
            status: match f.kind {
                FailureKind::Refused => "refused",
                FailureKind::Invalid => "invalid",
            },
            extensions: Vec::new(),
            limits: Vec::new(),
            dropped: Vec::new(),
            diagnostics: f.diagnostics,
        },
    }
}
