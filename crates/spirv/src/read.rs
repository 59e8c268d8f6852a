//! From bytes to a module, with everything that is wrong with them.

use crate::decorations::{Decoration, Decorations};
use crate::grammar::{self, Class, Misfit};
use crate::module::{EntryPoint, ExecutionMode, Header, IdTable, Inst, Instruction, Module};
use crate::types::{Scalar, Type, type_of};
use rspirv::spirv::{self, Op};
use shaderport_diagnostics::codes::spirv as codes;
use shaderport_diagnostics::{Code, Diagnostic, Place, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// What came of reading.
#[derive(Debug)]
pub struct Reading {
    /// The module: everything up to the first place where the instruction stream breaks. `None` where there is no
    /// header.
    pub module: Option<Module>,
    /// Every instruction was found, up to the end of the file.
    pub complete: bool,
    /// What is wrong or worth knowing, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// More findings than this are left out; a damaged module can have one for each word.
const MOST_FINDINGS: usize = 256;

/// Reads a module of either byte order. Never panics; memory is bounded by the input's length.
pub fn read(bytes: &[u8]) -> Reading {
    let mut findings = Findings::default();
    if bytes.len() < 20 || !bytes.len().is_multiple_of(4) {
        findings.add(codes::NOT_WORDS, Place::default(), || {
            format!(
                "the file has {} bytes, which is no header of 20 bytes followed by whole words",
                bytes.len()
            )
        });
        return Reading { module: None, complete: false, diagnostics: findings.list };
    }
    let big_endian = match [bytes[0], bytes[1], bytes[2], bytes[3]] {
        [0x03, 0x02, 0x23, 0x07] => false,
        [0x07, 0x23, 0x02, 0x03] => true,
        first => {
            findings.add(codes::MAGIC, Place::at(0), || {
                format!("the file begins with the bytes {first:02x?}, not with the SPIR-V magic word")
            });
            return Reading { module: None, complete: false, diagnostics: findings.list };
        }
    };
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|c| {
            let c = [c[0], c[1], c[2], c[3]];
            if big_endian { u32::from_be_bytes(c) } else { u32::from_le_bytes(c) }
        })
        .collect();
    let header =
        Header { version: words[1], generator: words[2], bound: words[3], schema: words[4], big_endian };
    findings.header(&header);
    let (insts, complete) = split(&words, &mut findings);
    let mut reader = Reader::new(header, words, insts, findings);
    reader.instructions();
    reader.whole();
    let (module, diagnostics) = reader.finish();
    Reading { module: Some(module), complete, diagnostics }
}

#[derive(Default)]
struct Findings {
    list: Vec<Diagnostic>,
}

impl Findings {
    fn add(&mut self, code: Code, place: Place, message: impl FnOnce() -> String) -> Option<&mut Diagnostic> {
        match self.list.len() {
            n if n < MOST_FINDINGS => self.list.push(Diagnostic::new(code, message()).at(place)),
            MOST_FINDINGS => {
                self.list.push(Diagnostic::new(
                    codes::TOO_MANY,
                    format!("only the first {MOST_FINDINGS} findings are shown"),
                ));
                return None;
            }
            _ => return None,
        }
        self.list.last_mut()
    }

    fn header(&mut self, header: &Header) {
        if header.version().is_none() {
            self.add(codes::VERSION, Place::at(4), || {
                format!("the version word is {:#010x}, which is none of 1.0 to 1.6", header.version)
            });
        }
        if header.bound == 0 {
            self.add(codes::BOUND, Place::at(12), || "the bound is 0".into());
        }
        if header.schema != 0 {
            self.add(codes::SCHEMA, Place::at(16), || format!("the reserved word is {}", header.schema));
        }
    }
}

/// Finds where each instruction begins and ends.
fn split(words: &[u32], findings: &mut Findings) -> (Vec<Inst>, bool) {
    let mut insts = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        let len = (first >> 16) as u16;
        if len == 0 || usize::from(len) > words.len() - at {
            let place = Place {
                instruction: u32::try_from(insts.len()).ok(),
                opcode: grammar::op_name(first as u16),
                ..Place::at(at * 4)
            };
            findings.add(codes::INSTRUCTION_LENGTH, place, || {
                format!("the instruction at word {at} says it has {len} words; {} are left", words.len() - at)
            });
            return (insts, false);
        }
        insts.push(Inst { word: at as u32, len, opcode: first as u16 });
        at += usize::from(len);
    }
    (insts, true)
}

struct Reader {
    module: Module,
    findings: Findings,
    decorations: Vec<Decoration>,
    /// Decorations per group: what each `OpDecorationGroup` target has is found in `decorations`.
    groups: Vec<(u32, u32)>,
    memory_models: usize,
    in_function: bool,
}

impl Reader {
    fn new(header: Header, words: Vec<u32>, insts: Vec<Inst>, findings: Findings) -> Self {
        let defs = IdTable::for_words(words.len(), header.bound);
        let module = Module {
            header,
            words,
            insts,
            defs,
            decorations: Decorations::default(),
            names: Vec::new(),
            extents: BTreeMap::new(),
            locked: BTreeSet::new(),
            debug_lines: Default::default(),
            capabilities: Vec::new(),
            extensions: Vec::new(),
            imports: Vec::new(),
            memory_model: None,
            entry_points: Vec::new(),
            execution_modes: Vec::new(),
            variables: Vec::new(),
        };
        Reader {
            module,
            findings,
            decorations: Vec::new(),
            groups: Vec::new(),
            memory_models: 0,
            in_function: false,
        }
    }

    /// One pass over the instructions: grammar, ids, and the tables.
    fn instructions(&mut self) {
        for index in 0..self.module.insts.len() {
            // Taken apart so that the tables can grow while the instruction is borrowed from a copy of its place.
            let Inst { word, len, opcode } = self.module.insts[index];
            let range = word as usize..word as usize + usize::from(len);
            let place = |m: &Module| m.instruction(index).map(|i| i.place()).unwrap_or_default();
            let Some(entry) = grammar::lookup(opcode) else {
                self.findings.add(codes::UNKNOWN_INSTRUCTION, place(&self.module), || {
                    format!("the opcode {opcode} at word {word} is unknown and passed over")
                });
                continue;
            };
            let selector = if opcode == Op::Switch as u16 {
                self.selector_words(&self.module.words[range.clone()])
            } else {
                1
            };
            let words = &self.module.words[range];
            let mut result = None;
            let fits = grammar::walk(entry, words, selector, |class, at| {
                if class == Class::Result {
                    result = Some(words[at]);
                }
            });
            if let Err(misfit) = fits {
                let (code, what) = match misfit {
                    Misfit::Missing => (codes::OPERANDS, "lacks an operand".to_owned()),
                    Misfit::Extra(n) => {
                        (codes::EXTRA_WORDS, format!("has {n} words behind its last operand"))
                    }
                    Misfit::Unterminated => (codes::STRING, "has a string that does not end".to_owned()),
                };
                self.findings.add(code, place(&self.module), || {
                    format!("Op{} at word {word} {what}", entry.grammar.opname)
                });
            }
            if let Some(id) = result {
                if id == 0 || id >= self.module.header.bound {
                    let added = self.findings.add(codes::BOUND, place(&self.module), || {
                        format!("the id {id} is not below the bound {}", self.module.header.bound)
                    });
                    // A decoration group is no object that a driver keeps a place for.
                    if let Some(d) = added.filter(|_| opcode == Op::DecorationGroup as u16) {
                        d.severity = Severity::Warning;
                    }
                }
                if !self.module.defs.insert(id, index) {
                    self.findings.add(codes::ID_REDEFINED, place(&self.module), || {
                        format!("the id {id} was defined before")
                    });
                }
            }
            self.tabulate(index);
        }
    }

    /// Words of a case literal: those of the selector's type.
    fn selector_words(&self, words: &[u32]) -> usize {
        let width = (|| {
            let selector = self.module.definition(*words.get(1)?)?;
            match self.module.scalar(selector.result_type()?)? {
                Scalar::Int { width, .. } => Some(width),
                _ => None,
            }
        })();
        if width.is_some_and(|w| w > 32) { 2 } else { 1 }
    }

    fn tabulate(&mut self, index: usize) {
        let Some(inst) = self.module.instruction(index) else { return };
        let Some(op) = Op::from_u32(u32::from(inst.opcode)) else { return };
        let at = |i: usize| inst.operand(i);
        match op {
            Op::Capability => self.module.capabilities.extend(at(1)),
            Op::Extension => {
                let name = inst.text(1);
                self.module.extensions.push(name);
            }
            Op::ExtInstImport => {
                if let Some(id) = at(1) {
                    let name = inst.text(2);
                    self.module.imports.push((id, name));
                }
            }
            Op::MemoryModel => {
                self.memory_models += 1;
                if let (Some(a), Some(m)) = (at(1), at(2)) {
                    self.module.memory_model.get_or_insert((a, m));
                }
            }
            Op::EntryPoint => {
                if let (Some(model), Some(function)) = (at(1), at(2)) {
                    let text = &inst.words[3..];
                    let name_words =
                        text.iter().position(|w| w.to_le_bytes().contains(&0)).map_or(text.len(), |p| p + 1);
                    let entry = EntryPoint {
                        model,
                        function,
                        name: inst.text(3),
                        interface: text[name_words..].to_vec(),
                        inst: index,
                    };
                    self.module.entry_points.push(entry);
                }
            }
            Op::ExecutionMode | Op::ExecutionModeId => {
                if let (Some(function), Some(mode)) = (at(1), at(2)) {
                    let operands = inst.words[3..].to_vec();
                    self.module.execution_modes.push(ExecutionMode { function, mode, operands });
                }
            }
            Op::Name => {
                if let Some(target) = at(1) {
                    self.module.names.push((target, None, index as u32));
                }
            }
            Op::MemberName => {
                if let (Some(target), Some(member)) = (at(1), at(2)) {
                    self.module.names.push((target, Some(member), index as u32));
                }
            }
            Op::Decorate | Op::DecorateId | Op::DecorateString => {
                if let (Some(target), Some(kind)) = (at(1), at(2)) {
                    let d = Decoration { target, member: None, kind, inst: index as u32, grouped: false };
                    self.decorations.push(d);
                }
            }
            Op::MemberDecorate | Op::MemberDecorateString => {
                if let (Some(target), Some(member), Some(kind)) = (at(1), at(2), at(3)) {
                    let d =
                        Decoration { target, member: Some(member), kind, inst: index as u32, grouped: false };
                    self.decorations.push(d);
                }
            }
            Op::GroupDecorate | Op::GroupMemberDecorate => {
                if let Some(group) = at(1) {
                    self.groups.push((group, index as u32));
                }
            }
            Op::Function => self.in_function = true,
            Op::FunctionEnd => self.in_function = false,
            Op::Variable if !self.in_function => self.module.variables.push(index as u32),
            _ => {}
        }
    }

    /// Checks and tables that need the whole module.
    fn whole(&mut self) {
        self.expand_groups();
        self.module.names.sort_unstable();
        self.module.decorations = Decorations::new(std::mem::take(&mut self.decorations));
        self.duplicates();
        self.references();
        if self.memory_models != 1 {
            let n = self.memory_models;
            self.findings.add(codes::MEMORY_MODEL, Place::default(), || {
                format!("the module has {n} OpMemoryModel instructions")
            });
        }
        self.resources();
        self.module.compute_extents();
        self.module.index_debug_lines();
    }

    fn expand_groups(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        // No compiler comes near this; without it a small file could ask for its square in memory.
        let most = self.module.words.len() * 8 + 4096;
        let direct = Decorations::new(self.decorations.clone());
        for &(group, index) in &self.groups {
            let Some(inst) = self.module.instruction(index as usize) else { continue };
            let own = direct.of(group, None);
            let (targets, step) = (&inst.words[2..], if inst.is(Op::GroupMemberDecorate) { 2 } else { 1 });
            if self.decorations.len() + own.len() * (targets.len() / step) > most {
                self.findings.add(codes::GROUP_EXPANSION, inst.place(), || {
                    format!(
                        "the group {group} copies {} decorations to {} targets",
                        own.len(),
                        targets.len() / step
                    )
                });
                continue;
            }
            for target in targets.chunks_exact(step) {
                let member = (step == 2).then(|| target[1]);
                self.decorations.extend(own.iter().map(|d| Decoration {
                    target: target[0],
                    member,
                    grouped: true,
                    ..*d
                }));
            }
        }
    }

    fn duplicates(&mut self) {
        for pair in self.module.decorations.all().windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let same = (a.target, a.member, a.kind) == (b.target, b.member, b.kind);
            if !same || may_repeat(a.kind) {
                continue;
            }
            let Some(inst) = self.module.instruction(b.inst as usize) else { continue };
            let name = decoration_name(a.kind);
            self.findings.add(codes::DUPLICATE_DECORATION, inst.place(), || match a.member {
                None => format!("the id {} is decorated with {name} more than once", a.target),
                Some(m) => format!(
                    "member {m} of the structure {} is decorated with {name} more than once",
                    a.target
                ),
            });
        }
    }

    /// Every id that is used is defined; types are made of earlier types; constants have their type's words.
    fn references(&mut self) {
        let Reader { module, findings, .. } = self;
        let mut members: Vec<(usize, u32, u32)> = Vec::new();
        for inst in module.instructions() {
            let check = |id: u32, findings: &mut Findings| {
                if module.defs.get(id).is_none() {
                    findings
                        .add(codes::ID_UNDEFINED, inst.place(), || format!("nothing defines the id {id}"));
                }
            };
            if let Some(ty) = inst.result_type() {
                check(ty, findings);
                if module.defs.get(ty).is_some() && module.ty(ty).is_none() {
                    findings.add(codes::TYPE_INVALID, inst.place(), || {
                        format!("the result type {ty} is no type")
                    });
                }
            }
            let selector = if inst.is(Op::Switch) { switch_words(module, &inst) } else { 1 };
            if let Some(entry) = grammar::lookup(inst.opcode) {
                // Misfits were reported in the first pass.
                let _ = grammar::walk(entry, inst.words, selector, |class, at| {
                    if class == Class::Id {
                        check(inst.words[at], findings);
                    }
                });
            }
            if let Some(ty) = type_of(inst) {
                parts(ty, |part| {
                    let earlier = module.defs.get(part).is_some_and(|d| d < inst.index);
                    let forward = matches!(ty, Type::Pointer { .. });
                    if module.defs.get(part).is_some() && (module.ty(part).is_none() || !(earlier || forward))
                    {
                        // A structure may hold a pointer that was declared ahead of it.
                        if !matches!(module.ty(part), Some(Type::Pointer { .. })) {
                            findings.add(codes::TYPE_INVALID, inst.place(), || {
                                format!("{part} is no type that stands before this one")
                            });
                        }
                    }
                });
            }
            if (inst.is(Op::Constant) || inst.is(Op::SpecConstant)) && inst.words.len() > 3 {
                let width = match inst.result_type().and_then(|t| module.scalar(t)) {
                    Some(Scalar::Int { width, .. } | Scalar::Float { width }) => width,
                    _ => continue,
                };
                let words = u64::from(width).div_ceil(32).max(1);
                if inst.words.len() as u64 - 3 != words {
                    findings.add(codes::CONSTANT_WIDTH, inst.place(), || {
                        format!(
                            "a constant of {width} bits takes {words} words, not {}",
                            inst.words.len() - 3
                        )
                    });
                }
            }
            if (inst.is(Op::MemberDecorate) || inst.is(Op::MemberName) || inst.is(Op::MemberDecorateString))
                && let (Some(target), Some(member)) = (inst.operand(1), inst.operand(2))
            {
                members.push((inst.index, target, member));
            }
        }
        for (index, target, member) in members {
            let count = match module.ty(target) {
                Some(Type::Struct { members }) => members.len(),
                _ => 0,
            };
            if member as usize >= count {
                let place = module.instruction(index).map(|i| i.place()).unwrap_or_default();
                findings.add(codes::MEMBER_INDEX, place, || {
                    format!("{target} has {count} members, so none of index {member}")
                });
            }
        }
    }

    /// Resources without a set or binding, push constants that are no blocks: separate findings for each.
    fn resources(&mut self) {
        use spirv::{Decoration as D, StorageClass as C};
        let Reader { module, findings, .. } = self;
        for variable in module.variables() {
            let Some(id) = variable.result() else { continue };
            let class = variable.operand(3).and_then(C::from_u32);
            let name = || module.name(id).map(|n| format!(" ({n})")).unwrap_or_default();
            match class {
                Some(C::UniformConstant | C::Uniform | C::StorageBuffer) => {
                    if !module.is_decorated(id, None, D::DescriptorSet) {
                        findings.add(codes::RESOURCE_WITHOUT_SET, variable.place(), || {
                            format!("the resource {id}{} has no DescriptorSet", name())
                        });
                    }
                    if !module.is_decorated(id, None, D::Binding) {
                        findings.add(codes::RESOURCE_WITHOUT_BINDING, variable.place(), || {
                            format!("the resource {id}{} has no Binding", name())
                        });
                    }
                }
                Some(C::PushConstant) => {
                    let block = module
                        .pointee(&variable)
                        .is_some_and(|(_, ty)| module.is_decorated(ty, None, D::Block));
                    if !block {
                        findings.add(codes::PUSH_WITHOUT_BLOCK, variable.place(), || {
                            format!("the push-constant variable {id}{} points to no Block structure", name())
                        });
                    }
                }
                _ => {}
            }
        }
    }

    fn finish(self) -> (Module, Vec<Diagnostic>) {
        let mut list = self.findings.list;
        list.sort_by_key(|d| d.place.byte_offset.unwrap_or(0));
        (self.module, list)
    }
}

fn switch_words(module: &Module, inst: &Instruction<'_>) -> usize {
    let ty = inst.operand(1).and_then(|s| module.definition(s)).and_then(|d| d.result_type());
    match ty.and_then(|t| module.scalar(t)) {
        Some(Scalar::Int { width, .. }) if width > 32 => 2,
        _ => 1,
    }
}

/// The types that a type is made of.
fn parts(ty: Type<'_>, mut see: impl FnMut(u32)) {
    match ty {
        Type::Vector { component: t, .. }
        | Type::Matrix { column: t, .. }
        | Type::Image { sampled_type: t, .. }
        | Type::SampledImage { image: t }
        | Type::Array { element: t, .. }
        | Type::RuntimeArray { element: t }
        | Type::Pointer { pointee: t, .. } => see(t),
        Type::Struct { members } => members.iter().for_each(|&t| see(t)),
        _ => {}
    }
}

/// Decorations that may stand more than once on one target.
fn may_repeat(kind: u32) -> bool {
    use spirv::Decoration as D;
    matches!(
        D::from_u32(kind),
        None | Some(
            D::FuncParamAttr
                | D::UserSemantic
                | D::AlignmentId
                | D::LinkageAttributes
                | D::CacheControlLoadINTEL
                | D::CacheControlStoreINTEL
        )
    )
}

pub(crate) fn decoration_name(kind: u32) -> String {
    spirv::Decoration::from_u32(kind).map_or_else(|| format!("decoration {kind}"), |d| format!("{d:?}"))
}
