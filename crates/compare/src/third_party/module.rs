//! SPIR-V modules of one stage: their interface, and what is added so that it can be fed and read.

use shaderport_asm::spirv_words;
use shaderport_spirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel, Op,
    StorageClass,
};
use shaderport_spirv::{Count, Reflection, ResourceKind, StageVariable, TypeInfo};
use shaderport_vk_harness::Kind;
use std::collections::BTreeMap;

/// A module as it came from the compiler.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its words.
    pub words: Vec<u32>,
    /// What the compiler complained of.
    pub warnings: String,
}

/// A stage input or output.
pub(super) struct Variable {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) location: Option<usize>,
    /// First lane within the location.
    pub(super) component: Option<usize>,
    pub(super) built_in: Option<String>,
    /// The type of its words, `None` for booleans.
    pub(super) kind: Option<Kind>,
    /// Its words.
    pub(super) count: usize,
}

/// A descriptor.
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) kind: ResourceKind,
    pub(super) binding: u32,
}

/// What a module asks for.
pub(super) struct Interface {
    pub(super) bindings: Vec<Binding>,
    pub(super) inputs: Vec<Variable>,
    pub(super) outputs: Vec<Variable>,
}

/// Words and their kind: a number, a vector or an array of these.
fn shape(reflection: &Reflection, ty: u32) -> Option<(Option<Kind>, usize)> {
    Some(match reflection.types.get(&ty)? {
        TypeInfo::Bool => (None, 1),
        TypeInfo::Float { width: 32 } => (Some(Kind::Float), 1),
        TypeInfo::Int { width: 32, signed: true } => (Some(Kind::Int), 1),
        TypeInfo::Int { width: 32, signed: false } => (Some(Kind::Uint), 1),
        TypeInfo::Vector { component: of, count }
        | TypeInfo::Array { element: of, count: Count::Sized(count), .. } => {
            let (kind, each) = shape(reflection, *of)?;
            (kind, each * *count as usize)
        }
        _ => return None,
    })
}

fn variable(reflection: &Reflection, v: &StageVariable) -> Result<Variable, String> {
    let name = v.name.clone().unwrap_or_default();
    let (kind, count) = shape(reflection, v.ty).ok_or_else(|| format!("the type of {name} is not clear"))?;
    Ok(Variable {
        id: v.id,
        name,
        location: v.location.map(|n| n as usize),
        component: v.component.map(|n| n as usize),
        built_in: v.built_ins.first().cloned(),
        kind,
        count,
    })
}

/// The interface of a module with one entry point.
pub(super) fn interface(words: &[u32]) -> Result<Interface, String> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let module = shaderport_spirv::read(&bytes).module.ok_or("no module")?;
    let reflection = shaderport_spirv::reflect(&module);
    let [entry] = &reflection.entry_points[..] else { return Err("not one entry point".into()) };
    let all = |list: &[StageVariable]| -> Result<Vec<Variable>, String> {
        list.iter().map(|v| variable(&reflection, v)).collect()
    };
    let bindings = reflection.resources.iter().map(|r| {
        let name = r.name.clone().unwrap_or_default();
        match (r.set, r.binding, r.count) {
            (Some(0), Some(binding), Count::One) => Ok(Binding { name, kind: r.kind, binding }),
            _ => Err(format!("where {name} is bound is not clear")),
        }
    });
    Ok(Interface {
        bindings: bindings.collect::<Result<_, _>>()?,
        inputs: all(&entry.inputs)?,
        outputs: all(&entry.outputs)?,
    })
}

/// A vertex module that writes `outputs` side by side to buffer 0 of transform feedback.
pub(super) fn capturing(words: &[u32], outputs: &[Variable]) -> Vec<u32> {
    let stride = outputs.iter().map(|o| o.count as u32 * 4).sum::<u32>();
    let mut out = words[..5].to_vec();
    let put = |out: &mut Vec<u32>, op: Op, operands: &[u32]| {
        out.push((operands.len() as u32 + 1) << 16 | op as u32);
        out.extend(operands);
    };
    put(&mut out, Op::Capability, &[Capability::TransformFeedback as u32]);
    let (mut at, mut decorated) = (5, false);
    while at < words.len() {
        let (length, op) = ((words[at] >> 16) as usize, words[at] & 0xFFFF);
        let instruction = &words[at..at + length];
        let decoration = op == Op::Decorate as u32 || op == Op::MemberDecorate as u32;
        if decoration && !std::mem::replace(&mut decorated, true) {
            let mut offset = 0;
            for o in outputs {
                let mut decorate =
                    |kind: Decoration, n: u32| put(&mut out, Op::Decorate, &[o.id, kind as u32, n]);
                decorate(Decoration::XfbBuffer, 0);
                decorate(Decoration::XfbStride, stride);
                decorate(Decoration::Offset, offset);
                offset += o.count as u32 * 4;
            }
        }
        out.extend(instruction);
        if op == Op::EntryPoint as u32 {
            put(&mut out, Op::ExecutionMode, &[instruction[2], ExecutionMode::Xfb as u32]);
        }
        at += length;
    }
    out
}

/// Declarations of a module, each made once.
#[derive(Default)]
struct Declarations {
    last: u32,
    types: Vec<Vec<u32>>,
    known: BTreeMap<Vec<u32>, u32>,
    variables: Vec<u32>,
    decorations: Vec<Vec<u32>>,
}

impl Declarations {
    fn id(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    fn ty(&mut self, op: Op, operands: &[u32]) -> u32 {
        let key = [&[op as u32], operands].concat();
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.id();
        self.types.push([&[op as u32, id], operands].concat());
        self.known.insert(key, id);
        id
    }

    fn vector(&mut self, kind: Kind, count: usize) -> u32 {
        let scalar = match kind {
            Kind::Float => self.ty(Op::TypeFloat, &[32]),
            Kind::Int => self.ty(Op::TypeInt, &[32, 1]),
            Kind::Uint => self.ty(Op::TypeInt, &[32, 0]),
        };
        if count == 1 { scalar } else { self.ty(Op::TypeVector, &[scalar, count as u32]) }
    }

    fn variable(&mut self, ty: u32, class: StorageClass, decorations: &[(Decoration, u32)]) -> u32 {
        let pointer = self.ty(Op::TypePointer, &[class as u32, ty]);
        let id = self.id();
        self.types.push(vec![Op::Variable as u32, pointer, id, class as u32]);
        self.variables.push(id);
        let decorate = |&(kind, n): &(Decoration, u32)| vec![Op::Decorate as u32, id, kind as u32, n];
        self.decorations.extend(decorations.iter().map(decorate));
        id
    }
}

/// A vertex module that hands attributes through to the inputs of a fragment module: attribute n to the nth of
/// `varyings`, and the one behind them to the position.
pub(super) fn feeder(varyings: &[&Variable]) -> Vec<u32> {
    let mut d = Declarations::default();
    let void = d.ty(Op::TypeVoid, &[]);
    let function = d.ty(Op::TypeFunction, &[void]);
    let mut body = Vec::new();
    let mut pass = |d: &mut Declarations, n: usize, ty: u32, to: &[(Decoration, u32)]| {
        let from = d.variable(ty, StorageClass::Input, &[(Decoration::Location, n as u32)]);
        let to = d.variable(ty, StorageClass::Output, to);
        let value = d.id();
        body.push(vec![Op::Load as u32, ty, value, from]);
        body.push(vec![Op::Store as u32, to, value]);
    };
    for (n, v) in varyings.iter().enumerate() {
        let ty = d.vector(v.kind.unwrap_or(Kind::Uint), v.count);
        let place = [(Decoration::Location, v.location), (Decoration::Component, v.component)];
        pass(&mut d, n, ty, &place.map(|(kind, n)| (kind, n.unwrap_or(0) as u32)));
    }
    let vec4 = d.vector(Kind::Float, 4);
    pass(&mut d, varyings.len(), vec4, &[(Decoration::BuiltIn, BuiltIn::Position as u32)]);
    let float = d.vector(Kind::Float, 1);
    let point = [(Decoration::BuiltIn, BuiltIn::PointSize as u32)];
    let size = d.variable(float, StorageClass::Output, &point);
    let [main, label, one] = [(); 3].map(|()| d.id());
    d.types.push(vec![Op::Constant as u32, float, one, 1f32.to_bits()]);
    let name = [u32::from_le_bytes(*b"main"), 0];
    let entry = [&[Op::EntryPoint as u32, ExecutionModel::Vertex as u32, main], &name[..], &d.variables];
    spirv_words([1, 0], d.last + 1, |put| {
        put(&[Op::Capability as u32, Capability::Shader as u32]);
        put(&[Op::MemoryModel as u32, AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32]);
        put(&entry.concat());
        d.decorations.iter().chain(&d.types).for_each(|i| put(i));
        put(&[Op::Function as u32, void, main, 0, function]);
        put(&[Op::Label as u32, label]);
        body.iter().for_each(|i| put(i));
        put(&[Op::Store as u32, size, one]);
        put(&[Op::Return as u32]);
        put(&[Op::FunctionEnd as u32]);
    })
}
