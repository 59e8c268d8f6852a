//! What an entry point really uses.
//!
//! Static use is any instruction of a function reachable from the entry point that names a variable, or the
//! variable's being part of what such an instruction names (an initialiser, a constant expression). Writes are
//! traced to variables by [`crate::flow`].

use crate::flow::{Facts, Flow};
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
    /// Instructions that write through a pointer that comes from no variable: an address, or one that was made of
    /// nothing that is known.
    pub untraced: BTreeSet<usize>,
    /// Variables that an atomic works on.
    pub atomic: BTreeMap<u32, usize>,
    /// Members of the used variables.
    pub members: BTreeMap<u32, MemberUse>,
    /// Functions reachable from the entry point, by id.
    pub functions: BTreeSet<u32>,
}

/// A function's instructions, and where pointers enter and leave it.
#[derive(Debug)]
pub(crate) struct Function {
    start: usize,
    end: usize,
    pub(crate) parameters: Vec<u32>,
    pub(crate) returns: Vec<u32>,
}

/// What tracing any entry point of a module needs.
pub(crate) struct Tracer<'m> {
    module: &'m Module,
    functions: HashMap<u32, Function>,
    variables: BTreeSet<u32>,
    facts: Facts,
    /// Instructions that may yet be visited.
    budget: usize,
}

impl<'m> Tracer<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let variables = module.variables().filter_map(|v| v.result()).collect();
        // Entry points share their code in hostile modules alone, where their number times its size is too much.
        let budget = module.instruction_count().saturating_mul(64).max(1 << 20);
        Tracer { module, functions: module.functions(), variables, facts: Facts::new(module), budget }
    }

    /// The uses of one entry point; `None` where the entry points before it have taken too much.
    pub(crate) fn uses(&mut self, entry: &EntryPoint) -> Option<Uses> {
        let Tracer { module, functions, variables, facts, budget } = self;
        let mut uses = Uses::default();
        let mut flow = Flow::new(module, facts);
        let mut todo = vec![entry.function];
        let mut globals = Vec::new();
        while let Some(id) = todo.pop() {
            let Some(function) = functions.get(&id) else { continue };
            if !uses.functions.insert(id) {
                continue;
            }
            *budget = budget.checked_sub(function.end - function.start)?;
            for index in function.start..function.end {
                let Some(inst) = module.instruction(index) else { continue };
                module.note(&inst, variables, facts, &mut uses, &mut globals);
                if inst.is(Op::FunctionCall) {
                    todo.extend(inst.operand(3));
                }
                flow.note(&inst, functions);
            }
        }
        *budget = budget.checked_sub(variables.len())?;
        module.through_globals(globals, variables, &mut uses);
        // Pointers may be kept in module-scope variables from the start.
        module.variables().for_each(|v| flow.note(&v, functions));
        let written = flow.written(variables);
        (uses.written, uses.untraced) = (written.variables, written.untraced);
        uses.atomic = flow.atomic(variables);
        Some(uses)
    }
}

impl Module {
    /// The uses of one entry point.
    pub fn uses(&self, entry: &EntryPoint) -> Uses {
        // One entry point never takes what many may.
        Tracer::new(self).uses(entry).unwrap_or_default()
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
        facts: &Facts,
        uses: &mut Uses,
        globals: &mut Vec<(u32, usize)>,
    ) {
        let chain = inst.is(Op::AccessChain) || inst.is(Op::InBoundsAccessChain);
        // Debug information names variables without using them.
        if inst.is(Op::ExtInst) && inst.operand(3).is_some_and(|set| facts.is_debug(set)) {
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

/// Whether a storage class is one that a host binds something to.
pub(crate) fn is_resource(class: u32) -> bool {
    matches!(
        StorageClass::from_u32(class),
        Some(StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer)
    )
}
