//! Where pointers come from, so that a write is known to be one of a variable.
//!
//! Values are followed to what they are made of: access chains to their base, parameters to every argument, results
//! of calls to what is returned, phis and selections to each side, composites to their parts. A pointer that was kept
//! in memory comes out as any pointer that was kept in memory of its class; classes are the memory behind pointers
//! that may be equal, merged once for each instruction, so that the whole is linear in the size of the module. Images
//! and samplers are followed like pointers: what is loaded from a variable stands for it.

use crate::grammar;
use crate::module::{Instruction, Module};
use crate::uses::Function;
use rspirv::spirv::{GlslStd450Op, Op, StorageClass};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// An imported set of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Of debug information, or non-semantic.
    Debug,
    /// GLSL.std.450.
    Glsl,
    /// Any other.
    Other,
}

/// What holds of a module whatever its entry point.
#[derive(Debug)]
pub(crate) struct Facts {
    /// Types whose values are pointers or opaque, or hold such.
    carrying: HashSet<u32>,
    sets: HashMap<u32, Set>,
}

/// What becomes of pointers in the reachable code.
#[derive(Debug)]
pub(crate) struct Flow<'m> {
    module: &'m Module,
    facts: &'m Facts,
    /// From a value to what it is made of.
    sources: HashMap<u32, Vec<u32>>,
    /// From a loaded value to the pointer that it was loaded through.
    loads: HashMap<u32, u32>,
    memory: Memory,
    stores: Vec<(u32, usize)>,
    atomics: Vec<(u32, usize)>,
}

/// What is written: variables with the first instruction, and writes whose pointer comes from nowhere.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) variables: BTreeMap<u32, usize>,
    pub(crate) untraced: BTreeSet<usize>,
}

impl Facts {
    pub(crate) fn new(module: &Module) -> Self {
        let mut carrying = HashSet::new();
        for inst in module.instructions() {
            let Some(op) = Op::from_u32(u32::from(inst.opcode)) else { continue };
            let carries = match op {
                // Declared ahead of a structure that holds it.
                Op::TypeForwardPointer
                | Op::TypePointer
                | Op::TypeUntypedPointerKHR
                | Op::TypeImage
                | Op::TypeSampledImage
                | Op::TypeSampler => true,
                Op::TypeArray | Op::TypeRuntimeArray => {
                    inst.operand(2).is_some_and(|t| carrying.contains(&t))
                }
                Op::TypeStruct => inst.words[1..].iter().skip(1).any(|t| carrying.contains(t)),
                Op::Function => break,
                _ => false,
            };
            if carries {
                carrying.extend(inst.operand(1));
            }
        }
        let sets = module.imports.iter().map(|(id, name)| {
            let debug = name.starts_with("NonSemantic.") || name.contains("DebugInfo");
            let set = match name.as_str() {
                _ if debug => Set::Debug,
                "GLSL.std.450" => Set::Glsl,
                _ => Set::Other,
            };
            (*id, set)
        });
        Facts { carrying, sets: sets.collect() }
    }

    /// Whether a set names things without using them.
    pub(crate) fn is_debug(&self, set: u32) -> bool {
        self.sets.get(&set) == Some(&Set::Debug)
    }
}

impl<'m> Flow<'m> {
    pub(crate) fn new(module: &'m Module, facts: &'m Facts) -> Self {
        Flow {
            module,
            facts,
            sources: HashMap::new(),
            loads: HashMap::new(),
            memory: Memory::default(),
            stores: Vec::new(),
            atomics: Vec::new(),
        }
    }

    /// Whether a value is a pointer or opaque, or holds such.
    fn carries(&self, id: u32) -> bool {
        let ty = self.module.definition(id).and_then(|i| i.result_type());
        ty.is_some_and(|t| self.facts.carrying.contains(&t))
    }

    fn is_pointer(&self, id: u32) -> bool {
        let ty = self.module.definition(id).and_then(|i| i.result_type());
        ty.and_then(|t| self.module.definition(t))
            .is_some_and(|t| t.is(Op::TypePointer) || t.is(Op::TypeUntypedPointerKHR))
    }

    fn derive(&mut self, from: u32, to: u32) {
        if self.carries(from) {
            self.sources.entry(to).or_default().push(from);
            self.memory.same(from, to);
        }
    }

    fn keep(&mut self, pointer: u32, value: u32) {
        if self.carries(value) {
            self.memory.keep(pointer, value);
        }
    }

    /// Notes one instruction of a reachable function.
    pub(crate) fn note(&mut self, inst: &Instruction<'_>, functions: &HashMap<u32, Function>) {
        let Some(op) = Op::from_u32(u32::from(inst.opcode)) else { return };
        let at = inst.index;
        let (first, second) = (inst.operand(1), inst.operand(2));
        match op {
            Op::Store => {
                self.stores.extend(first.map(|p| (p, at)));
                if let (Some(to), Some(value)) = (first, second) {
                    self.keep(to, value);
                }
            }
            Op::CopyMemory | Op::CopyMemorySized => {
                self.stores.extend(first.map(|p| (p, at)));
                if let (Some(to), Some(from)) = (first, second) {
                    self.memory.same(to, from);
                }
            }
            Op::Variable => {
                if let (Some(to), Some(value)) = (inst.result(), inst.operand(4)) {
                    self.keep(to, value);
                }
            }
            Op::Load => {
                if let (Some(x), Some(pointer)) = (inst.result(), inst.operand(3))
                    && self.carries(x)
                {
                    self.loads.insert(x, pointer);
                    self.memory.load(pointer, x);
                }
            }
            Op::FunctionCall => {
                let Some(callee) = inst.operand(3).and_then(|f| functions.get(&f)) else { return };
                let arguments = inst.words.get(4..).unwrap_or_default();
                for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
                    self.derive(argument, parameter);
                }
                if let Some(result) = inst.result() {
                    callee.returns.iter().for_each(|&r| self.derive(r, result));
                }
            }
            Op::ImageWrite => self.stores.extend(first.map(|p| (p, at))),
            Op::ExtInst => self.extended(inst),
            _ => self.other(op, inst),
        }
    }

    /// Instructions of imported sets, some of which write through an operand.
    fn extended(&mut self, inst: &Instruction<'_>) {
        let (Some(set), Some(number)) = (inst.operand(3), inst.operand(4)) else { return };
        let writes = [GlslStd450Op::Modf as u32, GlslStd450Op::Frexp as u32];
        match self.facts.sets.get(&set) {
            Some(Set::Debug) => return,
            Some(Set::Glsl) if !writes.contains(&number) => return,
            _ => {}
        }
        // Of other sets it is not known which operands they write.
        let pointers = inst.words.get(5..).unwrap_or_default().iter().filter(|&&id| self.is_pointer(id));
        let pointers: Vec<_> = pointers.map(|&p| (p, inst.index)).collect();
        self.stores.extend(pointers);
    }

    fn other(&mut self, op: Op, inst: &Instruction<'_>) {
        let name = grammar::op_name(inst.opcode).unwrap_or_default();
        let atomic = name.starts_with("Atomic");
        // Those that are known to leave what their pointers point to as it is; any other is taken for a write.
        let reads = matches!(
            op,
            Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::UntypedAccessChainKHR
                | Op::UntypedInBoundsAccessChainKHR
                | Op::UntypedPtrAccessChainKHR
                | Op::UntypedInBoundsPtrAccessChainKHR
                | Op::ArrayLength
                | Op::UntypedArrayLengthKHR
                | Op::ImageTexelPointer
                | Op::CopyObject
                | Op::CopyLogical
                | Op::Select
                | Op::Phi
                | Op::CompositeConstruct
                | Op::CompositeExtract
                | Op::CompositeInsert
                | Op::ReturnValue
                | Op::PtrEqual
                | Op::PtrNotEqual
                | Op::PtrDiff
                | Op::ConvertPtrToU
                | Op::Bitcast
                | Op::GenericCastToPtr
                | Op::GenericCastToPtrExplicit
                | Op::PtrCastToGeneric
        ) || ["RayQuery", "Lifetime"].iter().any(|n| name.starts_with(n))
            || ["Load", "Read", "Prefetch"].iter().any(|n| name.contains(n));
        let mut pointers = Vec::new();
        inst.ids(|_, id| pointers.push(id));
        if atomic || !reads {
            for &p in &pointers {
                if self.is_pointer(p) {
                    if atomic {
                        self.atomics.push((p, inst.index));
                    }
                    if !reads {
                        self.stores.push((p, inst.index));
                    }
                }
            }
        }
        let Some(result) = inst.result().filter(|&r| self.carries(r)) else { return };
        if name.contains("AccessChain") {
            // The indices hold no pointers, and the base is what counts.
            let base = if name.starts_with("Untyped") { 4 } else { 3 };
            pointers = inst.operand(base).into_iter().collect();
        }
        pointers.into_iter().for_each(|id| self.derive(id, result));
    }

    /// What the stores and other writes go to.
    pub(crate) fn written(&mut self, variables: &BTreeSet<u32>) -> Written {
        let starts = std::mem::take(&mut self.stores);
        self.roots(&starts, variables)
    }

    /// What atomics work on.
    pub(crate) fn atomic(&mut self, variables: &BTreeSet<u32>) -> BTreeMap<u32, usize> {
        let starts = std::mem::take(&mut self.atomics);
        self.roots(&starts, variables).variables
    }

    fn roots(&mut self, starts: &[(u32, usize)], variables: &BTreeSet<u32>) -> Written {
        let mut out = Written::default();
        let mut seen = HashSet::new();
        // Kept values are gone through once for each class of memory.
        let mut opened = HashSet::new();
        for &(start, at) in starts {
            let mut todo = vec![start];
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                if variables.contains(&id) {
                    out.variables.entry(id).or_insert(at);
                    continue;
                }
                if let Some(sources) = self.sources.get(&id) {
                    todo.extend(sources);
                } else if let Some(&pointer) = self.loads.get(&id) {
                    let class = self.memory.class(pointer);
                    let kept = &self.memory.kept[class];
                    if self.is_pointer(id) && (kept.is_empty() || self.is_physical(id)) {
                        out.untraced.insert(at);
                    }
                    if opened.insert(class) {
                        todo.extend(kept);
                    }
                    if !self.is_pointer(id) {
                        todo.push(pointer);
                    }
                } else if self.carries(id) && !self.module.definition(id).is_some_and(|i| i.is(Op::Variable))
                {
                    out.untraced.insert(at);
                }
            }
        }
        out
    }

    /// Whether a pointer is an address, behind which lies whatever the host put there.
    fn is_physical(&self, id: u32) -> bool {
        let ty = self.module.definition(id).and_then(|i| i.result_type());
        let class = ty.and_then(|t| self.module.definition(t)).and_then(|t| t.operand(2));
        class == Some(StorageClass::PhysicalStorageBuffer as u32)
    }
}

/// The memory behind pointers, in classes.
#[derive(Debug, Default)]
struct Memory {
    nodes: HashMap<u32, usize>,
    /// Union-find: the parent of each class, itself for the first of one.
    parents: Vec<usize>,
    /// The class behind the pointers that a class holds.
    behind: Vec<Option<usize>>,
    /// The values that a class holds.
    kept: Vec<Vec<u32>>,
}

impl Memory {
    fn fresh(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.behind.push(None);
        self.kept.push(Vec::new());
        self.parents.len() - 1
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn class(&mut self, pointer: u32) -> usize {
        let node = match self.nodes.get(&pointer) {
            Some(&n) => n,
            None => {
                let n = self.fresh();
                self.nodes.insert(pointer, n);
                n
            }
        };
        self.find(node)
    }

    fn unite(&mut self, a: usize, b: usize) {
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            let (mut a, mut b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            // The smaller list moves, so that each value moves seldom.
            if self.kept[a].len() < self.kept[b].len() {
                (a, b) = (b, a);
            }
            self.parents[b] = a;
            let moved = std::mem::take(&mut self.kept[b]);
            self.kept[a].extend(moved);
            match (self.behind[a], self.behind[b]) {
                (Some(x), Some(y)) => todo.push((x, y)),
                (None, behind) => self.behind[a] = behind,
                (Some(_), None) => {}
            }
        }
    }

    /// Two pointers may be equal.
    fn same(&mut self, a: u32, b: u32) {
        let (a, b) = (self.class(a), self.class(b));
        self.unite(a, b);
    }

    fn behind(&mut self, class: usize) -> usize {
        match self.behind[class] {
            Some(b) => b,
            None => {
                let b = self.fresh();
                self.behind[class] = Some(b);
                b
            }
        }
    }

    /// A pointer is loaded.
    fn load(&mut self, pointer: u32, value: u32) {
        let class = self.class(pointer);
        let (behind, value) = (self.behind(class), self.class(value));
        self.unite(behind, value);
    }

    /// A pointer is kept.
    fn keep(&mut self, pointer: u32, value: u32) {
        self.load(pointer, value);
        let class = self.class(pointer);
        self.kept[class].push(value);
    }
}
