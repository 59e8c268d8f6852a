//! What an entry point really uses.
//!
//! Static use is any instruction of a function reachable from the entry point that names a variable, or the
//! variable's being part of what such an instruction names (an initialiser, a constant expression). Writes are
//! traced through every pointer made from a variable: access chains, copies, selections, phis, call arguments and
//! results, and pointers kept in variables.

use crate::grammar;
use crate::module::{EntryPoint, Instruction, Module};
use rspirv::spirv::{Op, StorageClass};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which members of a block are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberUse {
    /// Members reached by constant index, with the first instruction that does so.
    pub members: BTreeMap<u32, usize>,
    /// The first instruction that takes the block as a whole or by a computed index.
    pub whole: Option<usize>,
}

/// Use of module-scope variables by one entry point. Values are indices of the first instruction.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Variables named by reachable code.
    pub used: BTreeMap<u32, usize>,
    /// Variables written through some pointer.
    pub written: BTreeMap<u32, usize>,
    /// Variables that an atomic works on.
    pub atomic: BTreeMap<u32, usize>,
    /// Members of the used variables.
    pub members: BTreeMap<u32, MemberUse>,
    /// Functions reachable from the entry point, by id.
    pub functions: BTreeSet<u32>,
}

struct Function {
    start: usize,
    end: usize,
    parameters: Vec<u32>,
    returns: Vec<u32>,
}

impl Module {
    /// The uses of one entry point.
    pub fn uses(&self, entry: &EntryPoint) -> Uses {
        let functions = self.functions();
        let variables: BTreeSet<u32> = self.variables().filter_map(|v| v.result()).collect();
        let mut uses = Uses::default();
        let mut flow = Flow::default();
        let mut todo = vec![entry.function];
        let mut globals = Vec::new();
        while let Some(id) = todo.pop() {
            let Some(function) = functions.get(&id) else { continue };
            if !uses.functions.insert(id) {
                continue;
            }
            for index in function.start..function.end {
                let Some(inst) = self.instruction(index) else { continue };
                self.note(&inst, &variables, &mut uses, &mut globals);
                if inst.is(Op::FunctionCall) {
                    todo.extend(inst.operand(3));
                }
                flow.note(self, &inst, &functions);
            }
        }
        self.through_globals(globals, &variables, &mut uses);
        uses.written = flow.roots(&flow.stores, &variables);
        uses.atomic = flow.roots(&flow.atomics, &variables);
        uses
    }

    fn functions(&self) -> HashMap<u32, Function> {
        let mut out = HashMap::new();
        let mut open: Option<(u32, Function)> = None;
        for inst in self.instructions() {
            match Op::from_u32(u32::from(inst.opcode)) {
                Some(Op::Function) => {
                    if let Some(id) = inst.result() {
                        let f = Function {
                            start: inst.index,
                            end: inst.index,
                            parameters: Vec::new(),
                            returns: Vec::new(),
                        };
                        open = Some((id, f));
                    }
                }
                Some(Op::FunctionParameter) => {
                    if let (Some((_, f)), Some(id)) = (&mut open, inst.result()) {
                        f.parameters.push(id);
                    }
                }
                Some(Op::ReturnValue) => {
                    if let (Some((_, f)), Some(id)) = (&mut open, inst.operand(1)) {
                        f.returns.push(id);
                    }
                }
                Some(Op::FunctionEnd) => {
                    if let Some((id, mut f)) = open.take() {
                        f.end = inst.index;
                        out.entry(id).or_insert(f);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Notes the variables that one instruction names, and which member an access chain goes to.
    fn note(
        &self,
        inst: &Instruction<'_>,
        variables: &BTreeSet<u32>,
        uses: &mut Uses,
        globals: &mut Vec<(u32, usize)>,
    ) {
        let chain = inst.is(Op::AccessChain) || inst.is(Op::InBoundsAccessChain);
        // Debug information names variables without using them.
        if inst.is(Op::ExtInst) && self.is_non_semantic(inst.operand(3)) {
            return;
        }
        inst.ids(|at, id| {
            if !variables.contains(&id) {
                // Constants may be made of variables.
                globals.push((id, inst.index));
                return;
            }
            uses.used.entry(id).or_insert(inst.index);
            let members = uses.members.entry(id).or_default();
            let member = (chain && at == 3).then(|| inst.operand(4).and_then(|i| self.constant(i))).flatten();
            match member {
                Some(m) => {
                    members.members.entry(m).or_insert(inst.index);
                }
                None => members.whole = members.whole.or(Some(inst.index)),
            }
        });
    }

    fn is_non_semantic(&self, set: Option<u32>) -> bool {
        self.imports.iter().any(|(id, name)| Some(*id) == set && name.starts_with("NonSemantic."))
    }

    /// Follows constants and initialisers at module scope.
    fn through_globals(&self, mut todo: Vec<(u32, usize)>, variables: &BTreeSet<u32>, uses: &mut Uses) {
        let mut seen = BTreeSet::new();
        todo.extend(uses.used.iter().map(|(&id, &at)| (id, at)));
        while let Some((id, at)) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(inst) = self.definition(id) else { continue };
            let global = inst.is(Op::Variable)
                || inst.is(Op::SpecConstantOp)
                || inst.is(Op::ConstantComposite)
                || inst.is(Op::SpecConstantComposite);
            if !global {
                continue;
            }
            inst.ids(|_, part| {
                if variables.contains(&part) {
                    uses.used.entry(part).or_insert(at);
                    uses.members.entry(part).or_default().whole.get_or_insert(at);
                }
                todo.push((part, at));
            });
        }
    }
}

/// Where pointers come from: edges from a derived pointer to what it was made of.
#[derive(Default)]
struct Flow {
    sources: HashMap<u32, Vec<u32>>,
    stores: Vec<(u32, usize)>,
    atomics: Vec<(u32, usize)>,
}

impl Flow {
    fn derive(&mut self, from: u32, to: u32) {
        self.sources.entry(to).or_default().push(from);
    }

    fn note(&mut self, module: &Module, inst: &Instruction<'_>, functions: &HashMap<u32, Function>) {
        let Some(op) = Op::from_u32(u32::from(inst.opcode)) else { return };
        let pointer = inst.operand(1);
        match op {
            Op::Store | Op::CopyMemory | Op::CopyMemorySized => {
                self.stores.extend(pointer.map(|p| (p, inst.index)));
                if let (Some(to), Some(from)) = (pointer, inst.operand(2)) {
                    // A pointer kept in a variable comes out of it again.
                    self.derive(from, to);
                }
                return;
            }
            Op::AtomicStore | Op::AtomicFlagClear => {
                self.atomics.extend(pointer.map(|p| (p, inst.index)));
                self.stores.extend(pointer.map(|p| (p, inst.index)));
                return;
            }
            Op::CooperativeMatrixStoreKHR | Op::CooperativeMatrixStoreNV => {
                self.stores.extend(pointer.map(|p| (p, inst.index)));
                return;
            }
            Op::FunctionCall => {
                let Some(callee) = inst.operand(3).and_then(|f| functions.get(&f)) else { return };
                for (&parameter, &argument) in
                    callee.parameters.iter().zip(inst.words.get(4..).unwrap_or_default())
                {
                    self.derive(argument, parameter);
                }
                if let Some(result) = inst.result() {
                    for &r in &callee.returns {
                        self.derive(r, result);
                    }
                }
                return;
            }
            _ => {}
        }
        let name = grammar::op_name(inst.opcode).unwrap_or_default();
        if name.starts_with("Atomic")
            && let Some(p) = inst.operand(3)
        {
            self.atomics.push((p, inst.index));
            if op != Op::AtomicLoad {
                self.stores.push((p, inst.index));
            }
        }
        // Only pointers carry a variable on. An image loaded from a variable is written through, too.
        let Some(result) = inst.result() else {
            if op == Op::ImageWrite {
                self.stores.extend(pointer.map(|p| (p, inst.index)));
            }
            return;
        };
        let carries = inst.result_type().and_then(|t| module.definition(t)).is_some_and(|t| {
            t.is(Op::TypePointer)
                || t.is(Op::TypeUntypedPointerKHR)
                || t.is(Op::TypeImage)
                || t.is(Op::TypeSampledImage)
        });
        if carries {
            inst.ids(|_, id| self.derive(id, result));
        }
    }

    /// The variables that some of `starts` come from; each with the first instruction that reached it.
    fn roots(&self, starts: &[(u32, usize)], variables: &BTreeSet<u32>) -> BTreeMap<u32, usize> {
        let mut out = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for &(start, at) in starts {
            let mut todo = vec![start];
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                if variables.contains(&id) {
                    out.entry(id).or_insert(at);
                }
                todo.extend(self.sources.get(&id).into_iter().flatten());
            }
        }
        out
    }
}

/// Whether a storage class is one that a host binds something to.
pub(crate) fn is_resource(class: u32) -> bool {
    matches!(
        StorageClass::from_u32(class),
        Some(StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer)
    )
}
