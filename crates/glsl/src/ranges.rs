//! Which values a register can hold where it is used as an index.
//!
//! Only what is cheap and common: literals, masks, fields, clamps, sums and products of those, and counters of
//! loops that a comparison at their head bounds.

use crate::flow::{Flow, NO_WEB, Web};
use rustc_hash::FxHashMap;
use shaderport_dxbc::program::{Index, Modifier, OperandKind};
use shaderport_dxbc::{Instruction, Opcode, Program};
use std::cell::RefCell;

/// Deepest chain of definitions that is looked through.
const MAX_DEPTH: u32 = 6;

/// Values from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    low: i64,
    high: i64,
}

impl Range {
    fn new(low: i64, high: i64) -> Option<Range> {
        // What could wrap round is unknown.
        (low >= i64::from(i32::MIN) && high <= i64::from(i32::MAX) && low <= high)
            .then_some(Range { low, high })
    }
}

/// Ranges of one program's webs, worked out on demand.
pub(crate) struct Ranges<'a> {
    p: &'a Program,
    flow: &'a Flow,
    counters: RefCell<FxHashMap<Web, Option<Counter>>>,
}

/// A loop counter: its values, and where they are still below the bound.
#[derive(Clone, Copy)]
struct Counter {
    start: i64,
    bound: i64,
    step: i64,
    /// The exit test and the step.
    between: (usize, usize),
}

impl<'a> Ranges<'a> {
    pub(crate) fn new(p: &'a Program, flow: &'a Flow) -> Self {
        Ranges { p, flow, counters: RefCell::default() }
    }

    /// Whether `index`, used by instruction `at`, is proved to lie in `0..count`.
    pub(crate) fn below(&self, index: &Index, count: u32, at: usize) -> bool {
        let Some((place, o)) = self.p.relative_index(index) else {
            return index.immediate < count;
        };
        if o.kind != OperandKind::Temp {
            return false;
        }
        let web = self.flow.relative_webs[place];
        let Some(r) = self.web(web, at, MAX_DEPTH) else { return false };
        let offset = i64::from(index.immediate as i32);
        r.low + offset >= 0 && r.high + offset < i64::from(count)
    }

    /// Whether lane `lane` of source `k` is proved to be 0.
    pub(crate) fn is_zero(&self, i: &Instruction, k: usize, lane: u8) -> bool {
        // Only single definitions are looked through, so the place does not matter.
        self.source(i, k, lane, usize::MAX, MAX_DEPTH) == Some(Range { low: 0, high: 0 })
    }

    fn web(&self, web: Web, at: usize, depth: u32) -> Option<Range> {
        if web == NO_WEB || depth == 0 {
            return None;
        }
        let info = self.flow.webs.get(web as usize)?;
        if info.undefined {
            return None;
        }
        match info.defs {
            1 => self.definition(info.def as usize, info.lane(), depth),
            2 if at != usize::MAX => self.counter(web, at),
            _ => None,
        }
    }

    /// The value that an instruction gives to a lane of its destination.
    fn definition(&self, n: usize, lane: u8, depth: u32) -> Option<Range> {
        let i = self.p.instructions.get(n)?;
        if i.saturate() {
            return None;
        }
        let source = |k: usize| self.source(i, k, lane, n, depth - 1);
        let literal = |k: usize| self.literal(i, k, lane).map(i64::from);
        use Opcode::*;
        match i.opcode {
            Mov => source(1),
            Movc => {
                let (a, b) = (source(2)?, source(3)?);
                Range::new(a.low.min(b.low), a.high.max(b.high))
            }
            And => {
                let m = literal(1).or_else(|| literal(2)).filter(|m| *m >= 0);
                Range::new(0, m?)
            }
            Ubfe => {
                let width = literal(1)? & 31;
                Range::new(0, (1 << width) - 1)
            }
            Umin => {
                let m = literal(1).or_else(|| literal(2)).filter(|m| *m >= 0)?;
                Range::new(0, m)
            }
            Imin => {
                let (a, b) = (source(1), source(2));
                match (a, b) {
                    (Some(a), Some(b)) => Range::new(a.low.min(b.low), a.high.min(b.high)),
                    _ => None,
                }
            }
            Imax => {
                let (a, b) = (source(1)?, source(2)?);
                Range::new(a.low.max(b.low), a.high.max(b.high))
            }
            Iadd => {
                let (a, b) = (source(1)?, source(2)?);
                Range::new(a.low + b.low, a.high + b.high)
            }
            Ushr => {
                let s = literal(2)? & 31;
                match source(1) {
                    Some(a) if a.low >= 0 => Range::new(a.low >> s, a.high >> s),
                    _ => Range::new(0, i64::from(u32::MAX >> s)),
                }
            }
            Ishl => {
                let (a, s) = (source(1)?, literal(2)? & 31);
                if a.low < 0 { None } else { Range::new(a.low << s, a.high << s) }
            }
            Imul | Umul => {
                // Destination 1 is the low half.
                if self.p.operands(i).first().is_none_or(|o| !o.is_null()) {
                    return None;
                }
                let (a, b) = (self.source(i, 2, lane, n, depth - 1)?, self.source(i, 3, lane, n, depth - 1)?);
                if a.low < 0 || b.low < 0 {
                    None
                } else {
                    Range::new(a.low * b.low, a.high.checked_mul(b.high)?)
                }
            }
            Imad | Umad => {
                let (a, b, c) = (source(1)?, source(2)?, source(3)?);
                if a.low < 0 || b.low < 0 {
                    return None;
                }
                Range::new(a.low * b.low + c.low, a.high.checked_mul(b.high)? + c.high)
            }
            _ => None,
        }
    }

    fn literal(&self, i: &Instruction, k: usize, lane: u8) -> Option<i32> {
        let o = self.p.operands(i).get(k)?;
        (o.kind == OperandKind::Immediate32 && o.modifier == Modifier::None)
            .then(|| self.p.immediate(o)[lane as usize & 3] as i32)
    }

    fn source(&self, i: &Instruction, k: usize, lane: u8, at: usize, depth: u32) -> Option<Range> {
        let o = self.p.operands(i).get(k)?;
        if o.modifier != Modifier::None {
            return None;
        }
        match o.kind {
            OperandKind::Immediate32 => {
                let v = i64::from(self.p.immediate(o)[lane as usize & 3] as i32);
                Range::new(v, v)
            }
            OperandKind::Temp => {
                let w = self.flow.operand_webs[self.p.operand_index(i) + k][o.source_lane(lane as usize)];
                self.web(w, at, depth)
            }
            _ => None,
        }
    }

    fn counter(&self, web: Web, at: usize) -> Option<Range> {
        let known = self.counters.borrow().get(&web).copied();
        let c = match known {
            Some(c) => c?,
            None => {
                let c = self.find_counter(web);
                self.counters.borrow_mut().insert(web, c);
                c?
            }
        };
        let inside = at > c.between.0 && at <= c.between.1;
        Range::new(c.start, if inside { c.bound - 1 } else { c.bound - 1 + c.step })
    }

    /// `mov c, a` … `loop; ige t, c, N; breakc_nz t; …; iadd c, c, step; endloop`: between the test and the step,
    /// the counter lies in `a..N`; anywhere else in the loop in `a..N + step`.
    fn find_counter(&self, web: Web) -> Option<Counter> {
        let info = &self.flow.webs[web as usize];
        let step_at = info.def as usize;
        let p = self.p;
        let step_by = p.instructions.get(step_at)?;
        if step_by.opcode != Opcode::Iadd {
            return None;
        }
        let is_counter = |i: &Instruction, k: usize, lane: u8| {
            p.operands(i).get(k).is_some_and(|o| {
                o.kind == OperandKind::Temp
                    && o.modifier == Modifier::None
                    && self.flow.operand_webs[p.operand_index(i) + k][o.source_lane(lane as usize)] == web
            })
        };
        let step = match (is_counter(step_by, 1, info.lane()), is_counter(step_by, 2, info.lane())) {
            (true, false) => self.literal(step_by, 2, info.lane())?,
            (false, true) => self.literal(step_by, 1, info.lane())?,
            _ => return None,
        };
        if step <= 0 || step > 0xffff {
            return None;
        }
        // The loop around the step, at the step's own depth: no inner loop repeats it.
        let depth = self.flow.depth[step_at];
        let mut head = step_at;
        loop {
            head = head.checked_sub(1)?;
            match p.instructions[head].opcode {
                Opcode::Loop if self.flow.depth[head] < depth => break,
                Opcode::EndLoop if self.flow.depth[head] < depth => return None,
                _ => {}
            }
        }
        // The step may stand in conditions of its loop, but not in an inner loop.
        if p.instructions[head..step_at].iter().enumerate().any(|(n, i)| {
            let n = head + n;
            n > head && i.opcode == Opcode::Loop && !self.closes_before(n, step_at)
        }) {
            return None;
        }
        // The other definition: a literal before the loop.
        let mut start = None;
        for n in (0..head).rev() {
            let i = &p.instructions[n];
            if i.opcode.is_declaration() {
                break;
            }
            let defines = p.operands(i).first().is_some_and(|o| {
                o.kind == OperandKind::Temp
                    && (0..4).any(|l| self.flow.operand_webs[p.operand_index(i)][l] == web)
            });
            if defines {
                start = (i.opcode == Opcode::Mov).then(|| self.literal(i, 1, info.lane())).flatten();
                break;
            }
        }
        let start = i64::from(start?);
        // The test at the loop's head.
        let (test, exit) = (p.instructions.get(head + 1)?, p.instructions.get(head + 2)?);
        if exit.opcode != Opcode::Breakc || !exit.test_nonzero() {
            return None;
        }
        let lane = p.operands(test).first()?.mask().trailing_zeros() as u8;
        let tested = p.operands(exit).first().is_some_and(|o| {
            o.kind == OperandKind::Temp
                && p.operands(test).first().is_some_and(|d| {
                    d.kind == OperandKind::Temp
                        && d.register() == o.register()
                        && d.mask().count_ones() == 1
                        && o.source_lane(0) == lane as usize
                })
        });
        if !tested {
            return None;
        }
        let bound = match test.opcode {
            Opcode::Ige | Opcode::Uge if is_counter(test, 1, lane) => i64::from(self.literal(test, 2, lane)?),
            Opcode::Ilt if is_counter(test, 2, lane) => i64::from(self.literal(test, 1, lane)?) + 1,
            _ => return None,
        };
        if start < 0 || bound <= start {
            return None;
        }
        Some(Counter { start, bound, step: i64::from(step), between: (head + 2, step_at) })
    }

    /// Whether the loop opened at `open` is closed before `at`.
    fn closes_before(&self, open: usize, at: usize) -> bool {
        let depth = self.flow.depth[open];
        (open + 1..at)
            .any(|n| self.p.instructions[n].opcode == Opcode::EndLoop && self.flow.depth[n] == depth)
    }
}
