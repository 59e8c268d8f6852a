//! The interface of a module as plain data, for hosts and for JSON.

use crate::module::{EntryPoint, Instruction, Module};
use crate::types::{Scalar, Type};
use crate::uses::{Tracer, Uses, is_resource};
use rspirv::spirv::{self, Decoration as D, Op, StorageClass};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Version of the form of [`Reflection`]; raised when a key changes its meaning or goes away.
pub const REFLECTION_VERSION: u32 = 1;

/// What a module asks of its host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reflection {
    /// Version of this form.
    pub reflection_version: u32,
    /// SPIR-V version, as `1.5`; absent where the header names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The tool that wrote the module, by number.
    pub generator: u32,
    /// Size of the module in bytes.
    pub bytes: u64,
    /// Bytes of instructions that only serve debuggers, which a stripping tool would save.
    pub debug_bytes: u64,
    /// Declared capabilities.
    pub capabilities: Vec<String>,
    /// Declared extensions.
    pub extensions: Vec<String>,
    /// Imported instruction sets.
    pub imports: Vec<String>,
    /// Addressing model; absent where the module states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addressing_model: Option<String>,
    /// Memory model; absent where the module states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_model: Option<String>,
    /// Specialisation constants, in the order of the file.
    pub specialization_constants: Vec<SpecConstant>,
    /// Descriptors, in the order of the file.
    pub resources: Vec<Resource>,
    /// Push-constant blocks, in the order of the file.
    pub push_constants: Vec<Resource>,
    /// Entry points.
    pub entry_points: Vec<EntryPointInfo>,
    /// The types that the above name, by id.
    pub types: BTreeMap<u32, TypeInfo>,
}

/// A specialisation constant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecConstant {
    /// Result id.
    pub id: u32,
    /// `SpecId`; absent where there is none, which is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec_id: Option<u32>,
    /// Debug name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type.
    #[serde(rename = "type")]
    pub ty: u32,
    /// Default: the words of a number, or 0 and 1 for a boolean.
    pub default_words: Vec<u32>,
}

/// How many descriptors a binding has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// One, no array.
    One,
    /// An array of that many.
    Sized(u32),
    /// An array whose length is the specialisation constant of that id.
    Specialized(u32),
    /// A runtime array.
    Unbounded,
    /// An array whose length cannot be told.
    Unknown,
}

/// What a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    /// A uniform block.
    UniformBuffer,
    /// A storage block.
    StorageBuffer,
    /// A push-constant block.
    PushConstants,
    /// An image joined with a sampler.
    CombinedImageSampler,
    /// A sampler.
    Sampler,
    /// An image for sampling.
    SampledImage,
    /// An image for load and store.
    StorageImage,
    /// A texel buffer for sampling.
    UniformTexelBuffer,
    /// A texel buffer for load and store.
    StorageTexelBuffer,
    /// An input attachment.
    InputAttachment,
    /// An acceleration structure.
    AccelerationStructure,
    /// Something else.
    Other,
}

/// A descriptor or a push-constant block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resource {
    /// The variable.
    pub id: u32,
    /// Debug name of the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is.
    pub kind: ResourceKind,
    /// Descriptor set; absent where there is no decoration, which is not set 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<u32>,
    /// Binding; absent where there is no decoration, which is not binding 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binding: Option<u32>,
    /// Number of descriptors.
    pub count: Count,
    /// The type behind pointer and array.
    #[serde(rename = "type")]
    pub ty: u32,
    /// Exact bytes of the block, without padding at the end and without a runtime array there; absent for what is
    /// no block, and for blocks whose decorations do not give one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Stride of the runtime array at the block's end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_stride: Option<u32>,
    /// The variable or every member is `NonWritable`.
    pub non_writable: bool,
}

/// An entry point.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntryPointInfo {
    /// Name.
    pub name: String,
    /// Execution model, as in the SPIR-V specification.
    pub stage: String,
    /// The module has so many entry points that this one was not followed: nothing is known of it but its name.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_traced: bool,
    /// Execution modes with their operands.
    pub modes: Vec<String>,
    /// Stage inputs.
    pub inputs: Vec<StageVariable>,
    /// Stage outputs.
    pub outputs: Vec<StageVariable>,
    /// Ids of the resources and push constants that reachable code uses. Others are declared alone.
    pub used: Vec<u32>,
    /// Ids of those that reachable code writes.
    pub written: Vec<u32>,
    /// Used ids that the interface list leaves out (from SPIR-V 1.4 on it lists every variable).
    pub unlisted: Vec<u32>,
}

/// A stage input or output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StageVariable {
    /// The variable.
    pub id: u32,
    /// Debug name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type behind the pointer.
    #[serde(rename = "type")]
    pub ty: u32,
    /// Location; absent for built-ins and blocks of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u32>,
    /// First component within the location, if given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<u32>,
    /// Built-ins: one, or those of a block's members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub built_ins: Vec<String>,
    /// Interpolation decorations (`Flat`, `NoPerspective`, `Centroid`, `Sample`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interpolation: Vec<String>,
    /// Reachable code uses it.
    pub used: bool,
}

/// A type, one level deep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TypeInfo {
    /// A boolean.
    Bool,
    /// An integer.
    Int {
        /// Bits.
        width: u32,
        /// Two's complement.
        signed: bool,
    },
    /// A floating-point number.
    Float {
        /// Bits.
        width: u32,
    },
    /// A vector.
    Vector {
        /// Component type.
        component: u32,
        /// Number of components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// Column type.
        column: u32,
        /// Number of columns.
        columns: u32,
    },
    /// An array.
    Array {
        /// Element type.
        element: u32,
        /// Length.
        count: Count,
        /// Bytes from one element to the next, where decorated.
        #[serde(skip_serializing_if = "Option::is_none")]
        stride: Option<u32>,
    },
    /// A structure.
    Struct {
        /// Debug name.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Exact bytes, where decorations give them.
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
        /// Members, in the order of declaration.
        members: Vec<MemberInfo>,
    },
    /// An image.
    Image {
        /// Component type of a texel.
        sampled_type: u32,
        /// Dimensionality.
        dim: String,
        /// Comparison image: `no`, `yes` or `unknown`.
        depth: String,
        /// Arrayed.
        arrayed: bool,
        /// Multisampled.
        multisampled: bool,
        /// Texel format.
        format: String,
    },
    /// An image joined with a sampler.
    SampledImage {
        /// The image type.
        image: u32,
    },
    /// A sampler.
    Sampler,
    /// A pointer.
    Pointer {
        /// Storage class.
        class: String,
        /// What it points to.
        pointee: u32,
    },
    /// An acceleration structure.
    AccelerationStructure,
    /// Something else, by its instruction; an id that is no type is `unknown`.
    Other {
        /// Instruction.
        name: String,
    },
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemberInfo {
    /// Debug name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Type.
    #[serde(rename = "type")]
    pub ty: u32,
    /// Offset; absent where there is no decoration, which is not 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// Matrix stride.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix_stride: Option<u32>,
    /// Row-major matrix.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub row_major: bool,
    /// Built-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
}

/// Name of an enumerant, or its number.
fn named<T: std::fmt::Debug>(value: Option<T>, number: u32) -> String {
    value.map_or_else(|| number.to_string(), |v| format!("{v:?}"))
}

/// Name of a capability, or its number.
pub fn capability_name(number: u32) -> String {
    named(spirv::Capability::from_u32(number), number)
}

/// Name of an execution model, or its number.
pub fn stage_name(model: u32) -> String {
    named(spirv::ExecutionModel::from_u32(model), model)
}

/// Name of a storage class, or its number.
pub fn class_name(class: u32) -> String {
    named(StorageClass::from_u32(class), class)
}

/// Name of a built-in, or its number.
pub fn built_in_name(number: u32) -> String {
    named(spirv::BuiltIn::from_u32(number), number)
}

/// Name of a decoration, or its number.
pub fn decoration_name(number: u32) -> String {
    crate::read::decoration_name(number)
}

/// Describes a module's interface.
pub fn reflect(module: &Module) -> Reflection {
    let mut types = BTreeMap::new();
    let mut resources = Vec::new();
    let mut push_constants = Vec::new();
    for variable in module.variables() {
        let Some((class, _)) = module.pointee(&variable) else { continue };
        let Some(resource) = module.resource(&variable) else { continue };
        add_type(module, resource.ty, &mut types);
        if is_resource(class) {
            resources.push(resource);
        } else if class == StorageClass::PushConstant as u32 {
            push_constants.push(resource);
        }
    }
    let specialization_constants: Vec<_> = spec_constants(module).collect();
    for s in &specialization_constants {
        add_type(module, s.ty, &mut types);
    }
    let entry_points = entry_points(module, &mut types);
    Reflection {
        reflection_version: REFLECTION_VERSION,
        version: module.header.version().map(|(a, b)| format!("{a}.{b}")),
        generator: module.header.generator,
        bytes: module.words.len() as u64 * 4,
        debug_bytes: debug_bytes(module),
        capabilities: module.capabilities.iter().map(|&c| capability_name(c)).collect(),
        extensions: module.extensions.clone(),
        imports: module.imports.iter().map(|(_, n)| n.clone()).collect(),
        addressing_model: module.memory_model.map(|(a, _)| named(spirv::AddressingModel::from_u32(a), a)),
        memory_model: module.memory_model.map(|(_, m)| named(spirv::MemoryModel::from_u32(m), m)),
        specialization_constants,
        resources,
        push_constants,
        entry_points,
        types,
    }
}

/// Bytes of a module that only serve debuggers.
pub fn debug_bytes(module: &Module) -> u64 {
    let semantic_free: BTreeSet<u32> =
        module.imports.iter().filter(|(_, n)| n.starts_with("NonSemantic.")).map(|&(id, _)| id).collect();
    module
        .instructions()
        .filter(|i| match Op::from_u32(u32::from(i.opcode)) {
            Some(
                Op::Source
                | Op::SourceContinued
                | Op::SourceExtension
                | Op::String
                | Op::Name
                | Op::MemberName
                | Op::Line
                | Op::NoLine
                | Op::ModuleProcessed,
            ) => true,
            Some(Op::ExtInst) => i.operand(3).is_some_and(|s| semantic_free.contains(&s)),
            _ => false,
        })
        .map(|i| i.words.len() as u64 * 4)
        .sum()
}

fn spec_constants(module: &Module) -> impl Iterator<Item = SpecConstant> {
    module.instructions().filter_map(|inst| {
        let default_words = match Op::from_u32(u32::from(inst.opcode))? {
            Op::SpecConstantTrue => vec![1],
            Op::SpecConstantFalse => vec![0],
            Op::SpecConstant => inst.words.get(3..)?.to_vec(),
            _ => return None,
        };
        let id = inst.result()?;
        Some(SpecConstant {
            id,
            spec_id: module.decoration_value(id, None, D::SpecId),
            name: module.name(id),
            ty: inst.result_type()?,
            default_words,
        })
    })
}

fn entry_points(module: &Module, types: &mut BTreeMap<u32, TypeInfo>) -> Vec<EntryPointInfo> {
    let mut tracer = Tracer::new(module);
    let mut modes: HashMap<u32, Vec<String>> = HashMap::new();
    for m in &module.execution_modes {
        let operands: String = m.operands.iter().map(|o| format!(" {o}")).collect();
        let text = named(spirv::ExecutionMode::from_u32(m.mode), m.mode) + &operands;
        modes.entry(m.function).or_default().push(text);
    }
    let all = module.entry_points.iter().map(|entry| {
        let uses = tracer.uses(entry);
        let mut info = EntryPointInfo {
            name: entry.name.clone(),
            stage: stage_name(entry.model),
            not_traced: uses.is_none(),
            modes: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            used: Vec::new(),
            written: Vec::new(),
            unlisted: Vec::new(),
        };
        // Where tracing has become too much, so has all else that grows with both entry points and variables.
        let Some(uses) = uses else { return info };
        info.modes = modes.get(&entry.function).cloned().unwrap_or_default();
        info.unlisted = module.unlisted(entry, &uses);
        entry_interface(module, entry, &uses, types, &mut info);
        info
    });
    all.collect()
}

fn entry_interface(
    module: &Module,
    entry: &EntryPoint,
    uses: &Uses,
    types: &mut BTreeMap<u32, TypeInfo>,
    info: &mut EntryPointInfo,
) {
    let listed: HashSet<u32> = entry.interface.iter().copied().collect();
    for variable in module.variables() {
        let (Some(id), Some((class, _))) = (variable.result(), module.pointee(&variable)) else { continue };
        if is_resource(class) || class == StorageClass::PushConstant as u32 {
            if uses.used.contains_key(&id) {
                info.used.push(id);
            }
            if uses.written.contains_key(&id) {
                info.written.push(id);
            }
        }
        if !listed.contains(&id) {
            continue;
        }
        let Some(v) = module.stage_variable(&variable, uses) else { continue };
        add_type(module, v.ty, types);
        match StorageClass::from_u32(class) {
            Some(StorageClass::Input) => info.inputs.push(v),
            Some(StorageClass::Output) => info.outputs.push(v),
            _ => {}
        }
    }
}

/// The most built-ins of a block that are told, and the most members that are looked at for them: no stage has as many.
const MOST_BUILT_INS: u32 = 64;

impl Module {
    /// Used variables that an entry point's interface ought to list and does not: inputs and outputs in every
    /// version, all module-scope variables from 1.4 on.
    pub fn unlisted(&self, entry: &EntryPoint, uses: &Uses) -> Vec<u32> {
        let listed: BTreeSet<u32> = entry.interface.iter().copied().collect();
        let all = self.header.version().is_some_and(|v| v >= (1, 4));
        uses.used
            .keys()
            .filter(|id| !listed.contains(id))
            .filter(|&&id| {
                let class = self.definition(id).and_then(|v| self.pointee(&v)).map(|(c, _)| c);
                all || matches!(
                    class.and_then(StorageClass::from_u32),
                    Some(StorageClass::Input | StorageClass::Output)
                )
            })
            .copied()
            .collect()
    }

    /// How many elements an array type has; `One` for any other type.
    pub fn count(&self, ty: u32) -> Count {
        match self.ty(ty) {
            Some(Type::RuntimeArray { .. }) => Count::Unbounded,
            Some(Type::Array { length, .. }) => match (self.constant(length), self.definition(length)) {
                (Some(n), _) => Count::Sized(n),
                (None, Some(d)) if d.is(Op::SpecConstant) || d.is(Op::SpecConstantOp) => {
                    Count::Specialized(length)
                }
                _ => Count::Unknown,
            },
            _ => Count::One,
        }
    }

    /// Describes a variable that a host binds something to, or a push-constant block.
    pub fn resource(&self, variable: &Instruction<'_>) -> Option<Resource> {
        let id = variable.result()?;
        let (class, pointee) = self.pointee(variable)?;
        let push = class == StorageClass::PushConstant as u32;
        if !is_resource(class) && !push {
            return None;
        }
        let count = self.count(pointee);
        let mut ty = pointee;
        if let Some(Type::Array { element, .. } | Type::RuntimeArray { element }) = self.ty(pointee) {
            ty = element;
        }
        let extent = self.extent(ty);
        Some(Resource {
            id,
            name: self.name(id).or_else(|| self.name(ty)),
            kind: if push { ResourceKind::PushConstants } else { self.resource_kind(class, ty) },
            set: self.decoration_value(id, None, D::DescriptorSet),
            binding: self.decoration_value(id, None, D::Binding),
            count,
            ty,
            bytes: extent.map(|e| e.bytes),
            tail_stride: extent.and_then(|e| e.tail_stride),
            non_writable: self.is_decorated(id, None, D::NonWritable) || self.locked.contains(&ty),
        })
    }

    fn resource_kind(&self, class: u32, ty: u32) -> ResourceKind {
        use ResourceKind as K;
        let image = |image| match self.ty(image) {
            Some(Type::Image { dim, sampled, .. }) => match (spirv::Dim::from_u32(dim), sampled) {
                (Some(spirv::Dim::DimSubpassData), _) => K::InputAttachment,
                (Some(spirv::Dim::DimBuffer), 2) => K::StorageTexelBuffer,
                (Some(spirv::Dim::DimBuffer), _) => K::UniformTexelBuffer,
                (_, 2) => K::StorageImage,
                _ => K::SampledImage,
            },
            _ => K::Other,
        };
        match self.ty(ty) {
            Some(Type::Struct { .. }) if class == StorageClass::StorageBuffer as u32 => K::StorageBuffer,
            Some(Type::Struct { .. }) if self.is_decorated(ty, None, D::BufferBlock) => K::StorageBuffer,
            Some(Type::Struct { .. }) if self.is_decorated(ty, None, D::Block) => K::UniformBuffer,
            Some(Type::SampledImage { image: i }) => match image(i) {
                K::UniformTexelBuffer => K::UniformTexelBuffer,
                _ => K::CombinedImageSampler,
            },
            Some(Type::Image { .. }) => image(ty),
            Some(Type::Sampler) => K::Sampler,
            Some(Type::AccelerationStructure) => K::AccelerationStructure,
            _ => K::Other,
        }
    }

    /// Describes a stage input or output.
    pub fn stage_variable(&self, variable: &Instruction<'_>, uses: &Uses) -> Option<StageVariable> {
        let id = variable.result()?;
        let (_, ty) = self.pointee(variable)?;
        let mut built_ins: Vec<u32> = self.decoration_value(id, None, D::BuiltIn).into_iter().collect();
        let mut inner = ty;
        if let Some(Type::Array { element, .. }) = self.ty(ty) {
            inner = element;
        }
        if let Some(Type::Struct { members }) = self.ty(inner) {
            let members = (members.len() as u32).min(MOST_BUILT_INS);
            built_ins.extend((0..members).filter_map(|m| self.decoration_value(inner, Some(m), D::BuiltIn)));
        }
        let interpolation = [D::Flat, D::NoPerspective, D::Centroid, D::Sample];
        Some(StageVariable {
            id,
            name: self.name(id).or_else(|| self.name(inner)),
            ty,
            location: self.decoration_value(id, None, D::Location),
            component: self.decoration_value(id, None, D::Component),
            built_ins: built_ins.into_iter().map(built_in_name).collect(),
            interpolation: interpolation
                .into_iter()
                .filter(|&d| self.is_decorated(id, None, d))
                .map(|d| format!("{d:?}"))
                .collect(),
            used: uses.used.contains_key(&id),
        })
    }
}

/// Adds a type and all it is made of. Iterative, and each id once: types nest deeply in hostile modules.
fn add_type(module: &Module, id: u32, types: &mut BTreeMap<u32, TypeInfo>) {
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        if types.contains_key(&id) {
            continue;
        }
        types.insert(id, type_info(module, id, &mut todo));
    }
}

fn type_info(module: &Module, id: u32, todo: &mut Vec<u32>) -> TypeInfo {
    let Some(ty) = module.ty(id) else { return TypeInfo::Other { name: "unknown".into() } };
    match ty {
        Type::Scalar(Scalar::Bool) => TypeInfo::Bool,
        Type::Scalar(Scalar::Int { width, signed }) => TypeInfo::Int { width, signed },
        Type::Scalar(Scalar::Float { width }) => TypeInfo::Float { width },
        Type::Vector { component, count } => {
            todo.push(component);
            TypeInfo::Vector { component, count }
        }
        Type::Matrix { column, columns } => {
            todo.push(column);
            TypeInfo::Matrix { column, columns }
        }
        Type::Array { element, .. } | Type::RuntimeArray { element } => {
            todo.push(element);
            TypeInfo::Array { element, count: module.count(id), stride: module.array_stride(id) }
        }
        Type::Struct { members } => {
            todo.extend(members);
            let members = module.members(id).unwrap_or_default();
            TypeInfo::Struct {
                name: module.name(id),
                bytes: module.extent(id).map(|e| e.bytes),
                members: members
                    .into_iter()
                    .map(|m| MemberInfo {
                        name: module.member_name(id, m.index),
                        ty: m.ty,
                        offset: m.offset,
                        matrix_stride: m.matrix_stride,
                        row_major: m.row_major,
                        built_in: module.decoration_value(id, Some(m.index), D::BuiltIn).map(built_in_name),
                    })
                    .collect(),
            }
        }
        Type::Image { sampled_type, dim, depth, arrayed, multisampled, format, .. } => {
            todo.push(sampled_type);
            TypeInfo::Image {
                sampled_type,
                dim: named(spirv::Dim::from_u32(dim), dim).trim_start_matches("Dim").to_owned(),
                depth: match depth {
                    0 => "no",
                    1 => "yes",
                    _ => "unknown",
                }
                .into(),
                arrayed: arrayed != 0,
                multisampled: multisampled != 0,
                format: named(spirv::ImageFormat::from_u32(format), format),
            }
        }
        Type::SampledImage { image } => {
            todo.push(image);
            TypeInfo::SampledImage { image }
        }
        Type::Sampler => TypeInfo::Sampler,
        Type::Pointer { class, pointee } => {
            todo.push(pointee);
            TypeInfo::Pointer { class: class_name(class), pointee }
        }
        Type::AccelerationStructure => TypeInfo::AccelerationStructure,
        Type::Void | Type::Function | Type::Other { .. } => {
            let name = module.definition(id).and_then(|i| crate::grammar::op_name(i.opcode));
            TypeInfo::Other { name: format!("Op{}", name.unwrap_or("?")) }
        }
    }
}
