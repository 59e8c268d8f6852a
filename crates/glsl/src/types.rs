//! What type each web is held in.
//!
//! Webs that a value is moved between form one class. A class is typed by what its definitions make and what its
//! uses want. An integer never rests in a float: a class that an integer use reaches is held as float only where
//! floating-point arithmetic made every value of it. Masks that only comparisons and logic make are bools.

use crate::decls::{Decls, scalar_of_returns};
use crate::flow::{Flow, NO_WEB, Web};
use crate::tree::{Lanes, Scalar};
use shaderport_dxbc::program::{Modifier, OperandKind};
use shaderport_dxbc::{Instruction, Opcode, Operand, Program, ScalarType, Slot};

/// What is known of a web or class: a set of these, and a sign.
pub(crate) type Facts = (u16, i32);

const FLOAT_DEF: u16 = 1;
const INT_DEF: u16 = 2;
/// Made by a load or a literal that has no type of its own.
const RAW_DEF: u16 = 4;
const FLOAT_USE: u16 = 8;
const INT_USE: u16 = 16;
const TEST_USE: u16 = 32;
/// Made by something that is no bool.
const NOT_BOOL: u16 = 64;
/// Made by a comparison, at least once.
const MASK_DEF: u16 = 128;
/// Used where only an integer or float will do.
const WORD_USE: u16 = 256;
/// Used where a bool will do.
const BOOL_USE: u16 = 512;
const ALL_FACTS: u16 = 1023;

#[derive(Clone, Copy, Default)]
struct Class {
    facts: u16,
    /// Above zero: rather signed.
    sign: i32,
}

/// The type of each web and of each indexable array.
#[derive(Debug)]
pub(crate) struct Types {
    webs: Vec<Scalar>,
    arrays: Vec<Scalar>,
    /// Type of the immediate constant buffer.
    pub(crate) icb: Scalar,
}

impl Types {
    pub(crate) fn of(&self, w: Web) -> Scalar {
        self.webs.get(w as usize).copied().unwrap_or(Scalar::Uint)
    }
    pub(crate) fn of_array(&self, i: usize) -> Scalar {
        self.arrays.get(i).copied().unwrap_or(Scalar::Uint)
    }

    /// Everything as float: the register file of the specs.
    pub(crate) fn float(flow: &Flow, decls: &Decls<'_>) -> Types {
        Types {
            webs: vec![Scalar::Float; flow.webs.len()],
            arrays: vec![Scalar::Float; decls.arrays.len()],
            icb: Scalar::Uint,
        }
    }

    pub(crate) fn infer(p: &Program, decls: &Decls<'_>, flow: &Flow) -> Types {
        let web_count = flow.webs.len();
        let nodes = web_count + decls.arrays.len() + 1;
        let mut t = Inference {
            p,
            decls,
            flow,
            parent: (0..nodes as u32).collect(),
            class: flow
                .webs
                .iter()
                .map(|w| Class { facts: w.facts().0, sign: w.facts().1 })
                .chain((web_count..nodes).map(|_| Class::default()))
                .collect(),
            logic: Vec::new(),
            first_array: web_count as u32,
            icb: nodes as u32 - 1,
        };
        // The rows of an immediate constant buffer are no masks, unless they look like it.
        let rows = decls.icb.map(|at| p.words(&p.instructions[at as usize])).unwrap_or_default();
        if rows.iter().any(|w| !matches!(*w, 0 | u32::MAX)) {
            t.class[nodes - 1].facts |= NOT_BOOL;
        }
        for i in &p.instructions {
            if !i.opcode.is_declaration() {
                t.instruction(i);
            }
        }
        t.finish()
    }
}

struct Inference<'p> {
    p: &'p Program,
    decls: &'p Decls<'p>,
    flow: &'p Flow,
    parent: Vec<u32>,
    class: Vec<Class>,
    /// `and`, `or`, `xor`, `not`: destination and source nodes (`NO_WEB` for a literal mask or nothing).
    logic: Vec<(u32, [u32; 2], Opcode)>,
    first_array: u32,
    icb: u32,
}

impl Inference<'_> {
    fn find(&mut self, mut n: u32) -> u32 {
        while self.parent[n as usize] != n {
            let up = self.parent[self.parent[n as usize] as usize];
            self.parent[n as usize] = up;
            n = up;
        }
        n
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let (low, high) = (a.min(b), a.max(b));
            self.parent[high as usize] = low;
            let c = self.class[high as usize];
            let l = &mut self.class[low as usize];
            l.facts |= c.facts;
            l.sign = l.sign.wrapping_add(c.sign);
        }
    }

    fn mark(&mut self, node: u32, facts: u16, sign: i32) {
        let r = self.find(node);
        let c = &mut self.class[r as usize];
        c.facts |= facts;
        c.sign = c.sign.wrapping_add(sign);
    }

    /// The node of a register's lane, where it has one.
    fn node(&self, operand: usize, o: &Operand, register_lane: usize) -> Option<u32> {
        match o.kind {
            OperandKind::Temp => {
                let w = self.flow.operand_webs[operand][register_lane & 3];
                (w != NO_WEB).then_some(w)
            }
            OperandKind::IndexableTemp => {
                self.decls.array(o.register()).map(|(i, _)| self.first_array + i as u32)
            }
            OperandKind::ImmediateConstantBuffer => Some(self.icb),
            _ => None,
        }
    }

    fn indices(&mut self, o: &Operand) {
        for d in 0..(o.dimensions as usize).min(3) {
            if let Some((r, inner)) = self.p.relative_index(&o.index[d]) {
                let w = self.flow.relative_webs[r];
                if w != NO_WEB {
                    self.mark(w, INT_USE | WORD_USE, 1);
                }
                if inner.kind == OperandKind::IndexableTemp
                    && let Some((i, _)) = self.decls.array(inner.register())
                {
                    self.mark(self.first_array + i as u32, INT_USE | WORD_USE, 1);
                }
                self.indices(inner);
            }
        }
    }

    /// What a register that is no node holds in a lane.
    fn source_facts(&self, o: &Operand, lane: usize, register_lane: usize) -> (u16, i32) {
        match o.kind {
            OperandKind::Immediate32 => match self.p.immediate(o)[lane & 3] {
                // Could be false or true as well.
                0 | u32::MAX => (RAW_DEF, 0),
                _ => (RAW_DEF | NOT_BOOL, 0),
            },
            OperandKind::Input => {
                let e = self.decls.inputs.at(o.register(), register_lane as u8);
                match e.map(|e| self.decls.inputs.elements[e].scalar) {
                    Some(Scalar::Int) => (INT_DEF | NOT_BOOL, 2),
                    Some(Scalar::Uint) => (INT_DEF | NOT_BOOL, -2),
                    Some(Scalar::Bool) => (INT_DEF | MASK_DEF, -1),
                    _ => (FLOAT_DEF | NOT_BOOL, 0),
                }
            }
            OperandKind::InputCoverageMask => (INT_DEF | NOT_BOOL, -2),
            _ => (RAW_DEF | NOT_BOOL, 0),
        }
    }

    fn instruction(&mut self, i: &Instruction) {
        let p = self.p;
        let operands = p.operands(i);
        if i.has_relative_index() {
            for o in operands {
                self.indices(o);
            }
        }
        let first = p.operand_index(i);
        match passes(p, i) {
            Passes::Moved | Passes::Logic => {
                let logic = passes(p, i) == Passes::Logic;
                for (k, o) in operands.iter().enumerate() {
                    if !matches!(i.opcode.info().slots.get(k), Some(Slot::Dest(_))) {
                        break;
                    }
                    for &l in Lanes::of_mask(o.mask()).as_slice() {
                        let node = self.node(first + k, o, l as usize);
                        match node {
                            Some(node) if logic => self.logic_def(i, operands, first, node, l as usize),
                            _ if logic => {}
                            _ => self.moved(i, operands, first, l as usize, node, o),
                        }
                    }
                }
                // The condition is tested; temporaries were told so by the flow graph.
                for (k, o) in operands.iter().enumerate() {
                    if i.opcode.info().slots.get(k) == Some(&Slot::Src(ScalarType::Test)) {
                        self.mark_array(first + k, o, use_facts(ScalarType::Test, i.opcode, false));
                    }
                }
            }
            Passes::Nothing { as_float } => {
                if !i.names_any(&[OperandKind::IndexableTemp, OperandKind::ImmediateConstantBuffer]) {
                    return;
                }
                for (k, o) in operands.iter().enumerate() {
                    let facts = match i.opcode.info().slots.get(k) {
                        Some(Slot::Dest(ty)) => def_facts(*ty, self.decls, i, operands, as_float),
                        Some(Slot::Src(ty)) => use_facts(*ty, i.opcode, as_float),
                        _ => continue,
                    };
                    self.mark_array(first + k, o, facts);
                }
            }
        }
    }

    /// Marks an array or the immediate constant buffer; webs have their facts from the flow graph.
    fn mark_array(&mut self, operand: usize, o: &Operand, (facts, sign): Facts) {
        if o.kind != OperandKind::Temp
            && let Some(node) = self.node(operand, o, 0)
        {
            self.mark(node, facts, sign);
        }
    }

    /// One lane of a move: source and destination share a class, or a typed end marks it.
    fn moved(
        &mut self,
        i: &Instruction,
        operands: &[Operand],
        first: usize,
        lane: usize,
        node: Option<u32>,
        dest: &Operand,
    ) {
        // mov d, s; movc d, c, a, b; swapc d, e, c, a, b
        let sources: &[usize] = match i.opcode {
            Opcode::Mov => &[1],
            Opcode::Movc => &[2, 3],
            _ => &[3, 4],
        };
        let use_of_dest = match dest.kind {
            OperandKind::Output => {
                let e = self.decls.outputs.at(dest.register(), lane as u8);
                match e.map(|e| self.decls.outputs.elements[e].scalar) {
                    Some(Scalar::Int) => (INT_USE | WORD_USE, 2),
                    Some(Scalar::Uint) => (INT_USE | WORD_USE, -2),
                    _ => (FLOAT_USE | WORD_USE, 0),
                }
            }
            OperandKind::OutputCoverageMask => (INT_USE | WORD_USE, -2),
            _ => (FLOAT_USE | WORD_USE, 0),
        };
        for &s in sources {
            let Some(o) = operands.get(s) else { continue };
            let l = o.source_lane(lane);
            match (self.node(first + s, o, l), node) {
                (Some(a), Some(b)) => self.join(a, b),
                (Some(a), None) => self.mark(a, use_of_dest.0, use_of_dest.1),
                (None, Some(b)) => {
                    let (facts, sign) = self.source_facts(o, lane, l);
                    self.mark(b, facts, sign);
                }
                (None, None) => {}
            }
        }
    }

    fn logic_def(&mut self, i: &Instruction, operands: &[Operand], first: usize, node: u32, lane: usize) {
        let mut sources = [NO_WEB; 2];
        let mut masks_only = true;
        for (s, o) in operands.iter().enumerate().skip(1) {
            let l = o.source_lane(lane);
            match self.node(first + s, o, l) {
                Some(n) => {
                    sources[(s - 1) & 1] = n;
                    self.mark(n, BOOL_USE, -1);
                }
                None => {
                    let literal = o.kind == OperandKind::Immediate32
                        && matches!(self.p.immediate(o)[lane], 0 | u32::MAX);
                    let front = o.kind == OperandKind::Input
                        && self
                            .decls
                            .inputs
                            .at(o.register(), l as u8)
                            .is_some_and(|e| self.decls.inputs.elements[e].scalar == Scalar::Bool);
                    masks_only &= literal || front;
                }
            }
        }
        self.mark(node, INT_DEF | if masks_only { 0 } else { NOT_BOOL }, -1);
        self.logic.push((node, sources, i.opcode));
    }

    fn finish(mut self) -> Types {
        // Logic of masks is a mask: start from "all are" and strike out, until nothing changes. Long chains of
        // bit arithmetic are cut off; they only read worse.
        let logic = std::mem::take(&mut self.logic);
        for round in 0.. {
            let mut changed = false;
            for &(dest, sources, _) in logic.iter().rev().chain(logic.iter()) {
                let d = self.find(dest) as usize;
                if self.class[d].facts & NOT_BOOL != 0 {
                    continue;
                }
                let mut is_mask = true;
                for s in sources {
                    if s != NO_WEB {
                        let r = self.find(s) as usize;
                        is_mask &= self.class[r].facts & NOT_BOOL == 0;
                    }
                }
                if !is_mask || round >= 8 {
                    self.class[d].facts |= NOT_BOOL;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Something is a mask only if a comparison is behind it: literals alone are numbers.
        for _ in 0..8 {
            let mut changed = false;
            for &(dest, sources, _) in &logic {
                let d = self.find(dest) as usize;
                let any = sources.iter().any(|&s| {
                    s != NO_WEB && {
                        let r = self.find(s) as usize;
                        self.class[r].facts & MASK_DEF != 0
                    }
                });
                changed |= any && self.class[d].facts & MASK_DEF == 0;
                self.class[d].facts |= if any { MASK_DEF } else { 0 };
            }
            if !changed {
                break;
            }
        }
        // What is left of logic on other things are integer uses of the sources, except a mask that picks a
        // float's bits: that use is of the float's own kind.
        for &(dest, sources, op) in &logic {
            let d = self.find(dest) as usize;
            let dest_is_bool = is_mask(self.class[d].facts);
            if dest_is_bool {
                continue;
            }
            for k in 0..2 {
                if sources[k] == NO_WEB {
                    continue;
                }
                let s = self.find(sources[k]) as usize;
                let s_is_bool = is_mask(self.class[s].facts);
                let other_is_bool = sources[1 - k] != NO_WEB && {
                    let o = self.find(sources[1 - k]) as usize;
                    is_mask(self.class[o].facts)
                };
                if s_is_bool {
                    continue;
                }
                if op == Opcode::And && other_is_bool {
                    // `mask & value` is `mask ? value : 0`: the value keeps its kind.
                    let f = self.class[s].facts;
                    let float = f & FLOAT_DEF != 0 && f & (INT_DEF | RAW_DEF) == 0;
                    self.class[d].facts |= if float { FLOAT_DEF } else { 0 };
                    if !float {
                        self.class[s].facts |= INT_USE;
                    }
                } else {
                    self.class[s].facts |= INT_USE;
                }
            }
        }
        // The lowest node of a class is its root: whatever a node was joined to has been decided before it.
        let mut decided: Vec<Scalar> = Vec::with_capacity(self.class.len());
        for (n, (&parent, class)) in self.parent.iter().zip(&self.class).enumerate() {
            let scalar = if parent == n as u32 { decide(*class) } else { decided[parent as usize] };
            decided.push(scalar);
        }
        let arrays = decided[self.first_array as usize..self.icb as usize]
            .iter()
            .map(|s| if *s == Scalar::Bool { Scalar::Uint } else { *s })
            .collect();
        let icb = match decided[self.icb as usize] {
            Scalar::Bool => Scalar::Uint,
            s => s,
        };
        decided.truncate(self.first_array as usize);
        Types { webs: decided, arrays, icb }
    }
}

/// How an instruction passes values on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passes {
    /// As they are: sources and destination share a class.
    Moved,
    /// As masks, where the sources are masks.
    Logic,
    /// Not at all: operands have types of their own. `as_float`: a move that changes signs is float arithmetic.
    Nothing { as_float: bool },
}

pub(crate) fn passes(p: &Program, i: &Instruction) -> Passes {
    match i.opcode {
        Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Not => Passes::Logic,
        Opcode::Mov | Opcode::Movc | Opcode::Swapc => {
            let as_float = i.saturate() || p.operands(i).iter().any(|o| o.modifier != Modifier::None);
            if as_float { Passes::Nothing { as_float } } else { Passes::Moved }
        }
        _ => Passes::Nothing { as_float: false },
    }
}

/// What a use as `ty` says.
pub(crate) fn use_facts(ty: ScalarType, op: Opcode, as_float: bool) -> Facts {
    match ty {
        ScalarType::Any if as_float => (FLOAT_USE | WORD_USE, 0),
        ScalarType::Float => (FLOAT_USE | WORD_USE, 0),
        ScalarType::Int => (INT_USE | WORD_USE, 2),
        ScalarType::Uint => (INT_USE | WORD_USE, -2),
        ScalarType::Bits => (INT_USE | WORD_USE, bits_sign(op)),
        ScalarType::Test => (TEST_USE | BOOL_USE, 0),
        _ => (INT_USE | WORD_USE, 0),
    }
}

/// What a definition as `ty` says.
pub(crate) fn def_facts(
    ty: ScalarType,
    decls: &Decls<'_>,
    i: &Instruction,
    operands: &[Operand],
    as_float: bool,
) -> Facts {
    match ty {
        _ if as_float => (FLOAT_DEF | NOT_BOOL, 0),
        ScalarType::Float => (FLOAT_DEF | NOT_BOOL, 0),
        ScalarType::Int => (INT_DEF | NOT_BOOL, 2),
        ScalarType::Uint => (INT_DEF | NOT_BOOL, -2),
        ScalarType::Bits => (INT_DEF | NOT_BOOL, bits_sign(i.opcode)),
        ScalarType::Mask => (INT_DEF | MASK_DEF, -1),
        ScalarType::Any => loaded(decls, i, operands),
        ScalarType::Double | ScalarType::Test => (INT_DEF | NOT_BOOL, 0),
    }
}

/// What a load makes.
fn loaded(decls: &Decls<'_>, i: &Instruction, operands: &[Operand]) -> Facts {
    let typed = |s: Scalar| match s {
        Scalar::Float => (FLOAT_DEF | NOT_BOOL, 0),
        Scalar::Int => (INT_DEF | NOT_BOOL, 2),
        _ => (INT_DEF | NOT_BOOL, -2),
    };
    let resource = i.opcode.info().slots.iter().position(|s| *s == Slot::Resource);
    let id = resource.and_then(|r| operands.get(r)).map(|o| o.register());
    match i.opcode.without_feedback() {
        Opcode::Ld => {
            let id = id.unwrap_or(u32::MAX);
            if let Some((_, t)) = decls.texture(id) {
                return typed(scalar_of_returns(&t.returns));
            }
            match decls.buffer(id).map(|b| b.1.kind) {
                Some(crate::decls::BufferKind::Typed(r)) => typed(scalar_of_returns(&r)),
                _ => (RAW_DEF | NOT_BOOL, 0),
            }
        }
        Opcode::ResInfo => match i.controls >> 11 & 3 {
            2 => typed(Scalar::Uint),
            _ => typed(Scalar::Float),
        },
        _ => (RAW_DEF | NOT_BOOL, 0),
    }
}

/// Which sign reads better for an operation that has none.
fn bits_sign(op: Opcode) -> i32 {
    match op {
        Opcode::Iadd | Opcode::Imad | Opcode::Imul | Opcode::Ineg | Opcode::Ieq | Opcode::Ine => 1,
        Opcode::Case | Opcode::Switch => 1,
        _ => -1,
    }
}

/// Whether a class is of masks: comparisons are behind it, and nothing else.
const fn is_mask(facts: u16) -> bool {
    facts & (MASK_DEF | NOT_BOOL) == MASK_DEF
}

/// The type of a class. Signed integers stand for both: which one is read off its sign.
const fn kind(facts: u16) -> Scalar {
    const fn has(facts: u16, any: u16) -> bool {
        facts & any != 0
    }
    if is_mask(facts) && (has(facts, BOOL_USE) || !has(facts, WORD_USE)) {
        return Scalar::Bool;
    }
    if has(facts, INT_USE | TEST_USE) {
        let float = has(facts, FLOAT_DEF | FLOAT_USE) && !has(facts, INT_DEF | RAW_DEF);
        return if float { Scalar::Float } else { Scalar::Int };
    }
    if has(facts, FLOAT_USE) || !has(facts, INT_DEF) { Scalar::Float } else { Scalar::Int }
}

fn decide(c: Class) -> Scalar {
    // A table: no predictor foresees what a program's next value is.
    const KINDS: [Scalar; ALL_FACTS as usize + 1] = {
        let mut kinds = [Scalar::Float; ALL_FACTS as usize + 1];
        let mut facts = 0;
        while facts <= ALL_FACTS {
            kinds[facts as usize] = kind(facts);
            facts += 1;
        }
        kinds
    };
    match KINDS[(c.facts & ALL_FACTS) as usize] {
        Scalar::Int if c.sign <= 0 => Scalar::Uint,
        scalar => scalar,
    }
}
