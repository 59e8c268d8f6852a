//! Runs the compact form: one vertex, or the four pixels of a quad.
//!
//! Each lane has its own registers and point of execution. The lanes that are deepest in subroutines and, among
//! these, furthest behind go first, and together where they meet: blocks nest, so lanes that parted meet again
//! where the block ends. A lane that does not take part in an instruction still shows its registers to the
//! derivatives of the others.

use crate::code::{Access, Binding};
use crate::code::{
    COVERAGE, COVERAGE_IN, Code, DEPTH, DEPTH_GREATER, DEPTH_LESS, Dest, DestPlace, File, INNER_COVERAGE,
    Modifier, OUTPUTS, Op, PRIMITIVE_ID, RegisterIndex, STENCIL, Source, SourcePlace,
};
use crate::error::{Error, ErrorKind};
use crate::invocation::{Inputs, Outputs, REGISTERS};
use crate::noise::{self, Noise, Terms};
use crate::resource::{Bindings, Resource, Sampler, Slot, View, Views};
use crate::rules::flow::{CALL_DEPTH, Flow};
use crate::rules::{Rule, compare, double, float};
use crate::trace::{Access as Traced, Index, Observer, Step, ViewAccess};
use shaderport_dxbc::program::OperandKind;
use shaderport_dxbc::{Opcode, Program};
use std::cmp::Reverse;
use std::ops::ControlFlow;

const SIGN: u32 = 0x8000_0000;

/// Instructions in a row, at the least, that pixels which do not act may take before they are ended, if others wait for
/// them. What they read of views is undefined (16.13), so a loop that waits for a value there may hold them for ever.
const HELPERS_ALONE: u64 = 1 << 16;

/// One vertex or pixel.
pub(crate) struct Lane {
    registers: Vec<[u32; 4]>,
    /// Lanes of each output that were written.
    written: [u8; OUTPUTS],
    at: u32,
    /// Where to return to.
    calls: Vec<u32>,
    live: bool,
    helper: bool,
    pub(crate) discarded: bool,
}

/// What an instruction is about to do in one lane.
#[derive(Default)]
struct Observed {
    indices: Vec<Index>,
    reads: Vec<Traced>,
    /// Registers that it will write.
    places: Vec<Option<usize>>,
}

pub(crate) struct Machine<'a, const N: usize> {
    pub(crate) code: &'a Code,
    pub(crate) bindings: &'a Bindings,
    views: &'a mut Views,
    constants: Vec<&'a [[u32; 4]]>,
    pub(crate) lanes: [Lane; N],
    /// State of the generator of free choices.
    choices: Option<u64>,
    /// Whether an observer is told of each instruction.
    pub(crate) traces: bool,
    /// What the current instruction did to a view in each lane.
    seen: [Option<ViewAccess>; N],
}

impl<'a, const N: usize> Machine<'a, N> {
    pub(crate) fn new(
        code: &'a Code,
        bindings: &'a Bindings,
        views: &'a mut Views,
        inputs: [&Inputs; N],
    ) -> Self {
        let constants = code.constants.iter().map(|slot| match bindings.constants.get(slot) {
            Some(buffer) => buffer.rows.as_slice(),
            None => &[],
        });
        let lanes = inputs.map(|inputs| {
            let mut registers = vec![[0; 4]; code.registers];
            let v = &mut registers[code.inputs..];
            v[..REGISTERS].copy_from_slice(&inputs.registers);
            v[COVERAGE_IN] = [inputs.coverage; 4];
            v[INNER_COVERAGE] = [inputs.inner_coverage; 4];
            v[PRIMITIVE_ID] = [inputs.primitive_id; 4];
            Lane {
                registers,
                written: [0; OUTPUTS],
                at: 0,
                calls: Vec::new(),
                live: true,
                helper: inputs.helper,
                discarded: false,
            }
        });
        // Seeds near each other should not begin alike; 0 would stay 0.
        let choices =
            code.free.map(|seed| (seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1);
        let seen = std::array::from_fn(|_| None);
        Machine { code, bindings, views, constants: constants.collect(), lanes, choices, traces: false, seen }
    }

    /// Runs to the end of the program, or to where the observer breaks off; returns the number of instructions, those of
    /// a quad's lanes together counted once.
    pub(crate) fn run(
        &mut self,
        program: &Program,
        limit: u64,
        mut observer: Option<Observer<'_>>,
    ) -> Result<u64, Error> {
        let code = self.code;
        self.traces = observer.is_some();
        let helps = N > 1 && code.declared.iter().any(|d| d.kind == OperandKind::UnorderedAccessView);
        let mut steps = 0;
        // The last step that was taken by a pixel which acts.
        let mut acted = 0;
        loop {
            if helps && !(0..N).any(|n| self.lanes[n].live && self.acts(n)) {
                return Ok(steps);
            }
            let key = |lane: &Lane| (Reverse(lane.calls.len()), lane.at);
            let Some(first) = self.lanes.iter().filter(|l| l.live).map(key).min() else { return Ok(steps) };
            let active: [bool; N] =
                std::array::from_fn(|n| self.lanes[n].live && key(&self.lanes[n]) == first);
            if helps {
                if (0..N).any(|n| active[n] && self.acts(n)) {
                    acted = steps;
                } else if steps - acted >= HELPERS_ALONE {
                    self.for_active(active, |lane| lane.live = false);
                    acted = steps;
                    continue;
                }
            }
            // Where another lane waits.
            let waiting = self.lanes.iter().filter(|l| l.live && key(l) > first && key(l).0 == first.0);
            let stop = waiting.map(|l| l.at).min().unwrap_or(u32::MAX);
            let mut at = first.1;
            loop {
                let Some(op) = code.ops.get(at as usize) else {
                    // Past the last instruction.
                    self.for_active(active, |lane| lane.live = false);
                    break;
                };
                if steps >= limit {
                    return Err(Error::at(ErrorKind::StepLimit(limit), program, op.instruction as usize));
                }
                steps += 1;
                let before = observer.as_ref().map(|_| self.observe(active, op));
                let noisy = code.noise.as_ref().map(|noise| {
                    let opcode = program.instructions[op.instruction as usize].opcode;
                    (noise, opcode, self.terms(noise, active, op, opcode))
                });
                let flows = matches!(op.rule, Rule::Flow(_));
                match op.rule {
                    Rule::Flow(Flow::Abort) => {
                        return Err(Error::at(ErrorKind::Aborted, program, op.instruction as usize));
                    }
                    Rule::Flow(flow) => {
                        for lane in (0..N).filter(|&n| active[n]) {
                            self.flow(flow, lane, at, op);
                        }
                    }
                    Rule::Pixel(pixel) => self.pixel(pixel, active, op),
                    Rule::Texture(texture) => self.texture(texture, active, op),
                    _ => {
                        for lane in (0..N).filter(|&n| active[n]) {
                            self.lane_by_lane(lane, op);
                        }
                    }
                }
                if let Some((noise, opcode, terms)) = noisy {
                    let error = noise.of(opcode);
                    self.disturb(active, op, steps, |lane, n| {
                        error.or_else(|| Some(noise.of_sum(terms?[lane][n])))
                    });
                }
                if let (Some(observer), Some(before)) = (observer.as_mut(), before)
                    && self.report(active, op, before, observer).is_break()
                {
                    return Ok(steps);
                }
                if flows {
                    break;
                }
                at += 1;
                if at == stop {
                    self.for_active(active, |lane| lane.at = at);
                    break;
                }
            }
        }
    }

    fn for_active(&mut self, active: [bool; N], mut change: impl FnMut(&mut Lane)) {
        self.lanes.iter_mut().zip(active).filter(|(_, a)| *a).for_each(|(lane, _)| change(lane));
    }

    /// The sums of the terms' magnitudes of an instruction that adds, while its operands stand.
    fn terms(&self, noise: &Noise, active: [bool; N], op: &Op, opcode: Opcode) -> Option<[[f32; 4]; N]> {
        let terms = Terms::of(opcode).filter(|_| noise.sums > 0.0)?;
        let of = |lane| terms.magnitudes(|n| self.source(lane, op, n).map(f32::from_bits));
        Some(std::array::from_fn(|lane| if active[lane] { of(lane) } else { [0.0; 4] }))
    }

    /// Makes the results of an inexact instruction a little wrong: those of the lanes that `error` has something for.
    fn disturb(
        &mut self,
        active: [bool; N],
        op: &Op,
        step: u64,
        error: impl Fn(usize, usize) -> Option<noise::Error>,
    ) {
        for lane in (0..N).filter(|&n| active[n]) {
            for dest in op.dests() {
                let Some(register) = self.dest_register(lane, dest) else { continue };
                for n in (0..4).filter(|n| dest.mask >> n & 1 != 0) {
                    let Some(error) = error(lane, n) else { return };
                    let bits = &mut self.lanes[lane].registers[register][n];
                    let x = error.add(f32::from_bits(*bits), step << 4 | (lane << 2 | n) as u64);
                    *bits = if op.saturate { float::saturate(x) } else { x }.to_bits();
                }
            }
        }
    }

    /// 22.7
    fn flow(&mut self, flow: Flow, lane: usize, at: u32, op: &Op) {
        let condition = || self.condition(lane, op);
        let next = at + 1;
        let target = match flow {
            Flow::If => {
                if condition() {
                    next
                } else {
                    op.target
                }
            }
            Flow::Jump => op.target,
            Flow::JumpIf => {
                if condition() {
                    op.target
                } else {
                    next
                }
            }
            Flow::Switch => {
                let value = self.source(lane, op, 0)[0];
                let table = &self.code.switches[op.target as usize];
                let case = table.cases.iter().find(|(v, _)| *v == value);
                case.map_or(table.otherwise, |(_, at)| *at)
            }
            Flow::Call | Flow::CallIf | Flow::CallInterface => {
                let function = match flow {
                    Flow::CallIf if !condition() => None,
                    Flow::CallInterface => self.function(lane, op),
                    _ => Some(op.target),
                };
                let lane = &mut self.lanes[lane];
                match function.filter(|_| lane.calls.len() < CALL_DEPTH) {
                    Some(function) => {
                        lane.calls.push(next);
                        function
                    }
                    None => next,
                }
            }
            Flow::Return | Flow::ReturnIf => {
                let returns = flow == Flow::Return || condition();
                let lane = &mut self.lanes[lane];
                if !returns {
                    next
                } else if let Some(back) = lane.calls.pop() {
                    back
                } else {
                    lane.live = false;
                    next
                }
            }
            Flow::Abort => next,
        };
        self.lanes[lane].at = target;
    }

    /// Where the function begins that an interface stands for; none where nothing is bound.
    fn function(&self, lane: usize, op: &Op) -> Option<u32> {
        let call = self.code.calls.get(op.target as usize)?;
        let number = call.pointer.wrapping_add(self.index(lane, call.index));
        let instance = self.bindings.interfaces.get(&number)?;
        self.code.tables.get(&instance.table)?.get(call.site as usize).copied()
    }

    /// Whether the tested bits are what `_z` or `_nz` asks for.
    pub(crate) fn condition(&self, lane: usize, op: &Op) -> bool {
        (self.source(lane, op, 0)[0] != 0) == op.test_nonzero
    }

    fn index(&self, lane: usize, index: RegisterIndex) -> u32 {
        let relative = index.relative.map_or(0, |n| self.read(lane, &self.code.relative[n as usize])[0]);
        index.immediate.wrapping_add(relative)
    }

    /// What stands in a register before swizzle and modifiers. Where Direct3D leaves a read undefined, 0.
    #[inline]
    fn fetch(&self, lane: usize, place: SourcePlace) -> [u32; 4] {
        match place {
            SourcePlace::Register(n) => self.lanes[lane].registers[n as usize],
            SourcePlace::Literal(n) => self.code.literals[n as usize],
            SourcePlace::Constant { buffer, row } => {
                self.constants[buffer as usize].get(row as usize).copied().unwrap_or_default()
            }
            SourcePlace::Computed(n) => {
                let computed = &self.code.computed[n as usize];
                let index = self.index(lane, computed.index);
                match computed.file {
                    File::Registers { first, count } if index < count => {
                        self.lanes[lane].registers[(first + index) as usize]
                    }
                    File::Registers { .. } => [0; 4],
                    // 7.5: 0 beyond the buffer that is bound, and where none is.
                    File::Constants { space, buffer } => {
                        let slot = Slot { space, register: self.index(lane, buffer) };
                        let buffer = self.bindings.constants.get(&slot);
                        buffer.and_then(|b| b.rows.get(index as usize)).copied().unwrap_or_default()
                    }
                    File::This => {
                        let bound = self.bindings.interfaces.get(&index).copied().unwrap_or_default();
                        [bound.buffer, bound.offset, bound.texture, bound.sampler]
                    }
                    // 7.5.1: as a constant buffer.
                    File::Immediate => self.code.immediate.get(index as usize).copied().unwrap_or_default(),
                }
            }
        }
    }

    #[inline]
    fn read(&self, lane: usize, source: &Source) -> [u32; 4] {
        let register = self.fetch(lane, source.place);
        let value = source.swizzle.map(|n| register[n as usize & 3]);
        let signs = |x: u32, absolute: bool, negate: bool| {
            let x = if absolute { x & !SIGN } else { x };
            if negate { x ^ SIGN } else { x }
        };
        match source.modifier {
            Modifier::None => value,
            Modifier::Float { absolute, negate } => value.map(|x| signs(x, absolute, negate)),
            Modifier::Double { absolute, negate } => {
                let [a, b, c, d] = value;
                [a, signs(b, absolute, negate), c, signs(d, absolute, negate)]
            }
            Modifier::IntegerNegate => value.map(u32::wrapping_neg),
        }
    }

    /// The value of the `n`th source.
    #[inline]
    pub(crate) fn source(&self, lane: usize, op: &Op, n: usize) -> [u32; 4] {
        self.read(lane, &op.sources[n])
    }

    fn dest_register(&self, lane: usize, dest: &Dest) -> Option<usize> {
        match dest.place {
            DestPlace::None => None,
            DestPlace::Register(n) => Some(n as usize),
            DestPlace::Computed(n) => {
                let computed = &self.code.computed[n as usize];
                let index = self.index(lane, computed.index);
                match computed.file {
                    File::Registers { first, count } if index < count => Some((first + index) as usize),
                    // What Direct3D leaves undefined writes nothing.
                    _ => None,
                }
            }
        }
    }

    /// Writes the lanes of the mask to the `n`th destination.
    #[inline]
    pub(crate) fn write(&mut self, lane: usize, op: &Op, n: usize, value: [u32; 4]) {
        let dest = &op.dests[n];
        let Some(register) = self.dest_register(lane, dest) else { return };
        let outputs = self.code.outputs;
        let lane = &mut self.lanes[lane];
        for (n, x) in value.into_iter().enumerate() {
            if dest.mask >> n & 1 != 0 {
                lane.registers[register][n] = x;
            }
        }
        if register >= outputs {
            lane.written[register - outputs] |= dest.mask;
        }
    }

    /// A free choice; `false` where nothing is free.
    #[inline]
    fn choose(&mut self) -> bool {
        let Some(state) = &mut self.choices else { return false };
        // xorshift64*
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 63 != 0
    }

    /// Whether a denormal stays.
    #[inline]
    fn keeps(&mut self) -> bool {
        self.code.keep_denormals || self.choose()
    }

    /// Writes floats, saturated where the instruction says so (22.19.1).
    #[inline]
    pub(crate) fn write_floats(
        &mut self,
        lane: usize,
        op: &Op,
        n: usize,
        mut value: impl FnMut(usize) -> f32,
    ) {
        let mask = op.dests[n].mask;
        let bits = std::array::from_fn(|n| {
            if mask >> n & 1 == 0 {
                return 0;
            }
            let x = value(n);
            let x = if op.saturate { float::saturate(x) } else { x };
            let bits = if self.keeps() && !x.is_nan() { x.to_bits() } else { float::result(x) };
            if bits << 1 == 0 && self.choose() { bits ^ 1 << 31 } else { bits }
        });
        self.write(lane, op, n, bits);
    }

    #[inline]
    fn write_bits(&mut self, lane: usize, op: &Op, mut value: impl FnMut(usize) -> u32) {
        let mask = op.dests[0].mask;
        let bits = std::array::from_fn(|n| if mask >> n & 1 == 0 { 0 } else { value(n) });
        self.write(lane, op, 0, bits);
    }

    /// Writes what is moved: untouched, unless it is saturated.
    fn write_moved(&mut self, lane: usize, op: &Op, n: usize, value: [u32; 4]) {
        if op.saturate {
            self.write_floats(lane, op, n, |n| float::operand(value[n]));
        } else {
            self.write(lane, op, n, value);
        }
    }

    fn write_doubles(&mut self, lane: usize, op: &Op, value: impl Fn(usize) -> f64) {
        let words = |n: usize| {
            let x = value(n);
            double::split(if op.saturate { double::saturate(x) } else { x })
        };
        let ([a, b], [c, d]) = (words(0), words(1));
        self.write(lane, op, 0, [a, b, c, d]);
    }

    /// A source of float arithmetic.
    fn floats(&mut self, lane: usize, op: &Op, n: usize) -> [f32; 4] {
        let bits = self.source(lane, op, n);
        bits.map(|bits| if self.keeps() { f32::from_bits(bits) } else { float::operand(bits) })
    }

    /// The rules that know one lane alone.
    fn lane_by_lane(&mut self, lane: usize, op: &Op) {
        let s = |n: usize| self.source(lane, op, n);
        let d = |n: usize| {
            let [a, b, c, d] = self.source(lane, op, n);
            [double::join(a, b), double::join(c, d)]
        };
        match op.rule {
            Rule::Float1(rule) => {
                let a = self.floats(lane, op, 0);
                self.write_floats(lane, op, 0, |n| rule(a[n]));
            }
            Rule::Float2(rule) => {
                let (a, b) = (self.floats(lane, op, 0), self.floats(lane, op, 1));
                self.write_floats(lane, op, 0, |n| rule(a[n], b[n]));
            }
            Rule::Extreme(rule) => {
                let bits = [self.source(lane, op, 0), self.source(lane, op, 1)];
                let (a, b) = (self.floats(lane, op, 0), self.floats(lane, op, 1));
                let mut value: [f32; 4] = std::array::from_fn(|n| rule(a[n], b[n]));
                if self.choices.is_some() {
                    for (n, x) in value.iter_mut().enumerate() {
                        let one = f32::from_bits(bits[usize::from(self.choose())][n]);
                        if float::flush(*x) == 0.0 && float::flush(one) == 0.0 {
                            *x = one;
                        }
                    }
                }
                self.write_floats(lane, op, 0, |n| value[n]);
            }
            Rule::Float3(rule) => {
                let (a, b, c) =
                    (self.floats(lane, op, 0), self.floats(lane, op, 1), self.floats(lane, op, 2));
                self.write_floats(lane, op, 0, |n| rule(a[n], b[n], c[n]));
            }
            Rule::FloatPair(rule) => {
                let a = self.floats(lane, op, 0).map(rule);
                self.write_floats(lane, op, 0, |n| a[n].0);
                self.write_floats(lane, op, 1, |n| a[n].1);
            }
            Rule::FloatTest(rule) => {
                let (a, b) = (self.floats(lane, op, 0), self.floats(lane, op, 1));
                self.write_bits(lane, op, |n| compare::mask(rule(a[n], b[n])));
            }
            Rule::FloatToBits(rule) => {
                let a = self.floats(lane, op, 0);
                self.write_bits(lane, op, |n| rule(a[n]));
            }
            Rule::Dot(lanes) => {
                let (a, b) = (self.floats(lane, op, 0), self.floats(lane, op, 1));
                let sum = float::dot(&a[..lanes], &b[..lanes]);
                self.write_floats(lane, op, 0, |_| sum);
            }
            Rule::Bits1(rule) => {
                let a = s(0);
                self.write_bits(lane, op, |n| rule(a[n]));
            }
            Rule::Bits2(rule) => {
                let (a, b) = (s(0), s(1));
                self.write_bits(lane, op, |n| rule(a[n], b[n]));
            }
            Rule::Bits3(rule) => {
                let (a, b, c) = (s(0), s(1), s(2));
                self.write_bits(lane, op, |n| rule(a[n], b[n], c[n]));
            }
            Rule::Bits4(rule) => {
                let (a, b, c, d) = (s(0), s(1), s(2), s(3));
                self.write_bits(lane, op, |n| rule(a[n], b[n], c[n], d[n]));
            }
            Rule::BitsPair(rule) => {
                let (a, b) = (s(0), s(1));
                let pairs: [(u32, u32); 4] = std::array::from_fn(|n| rule(a[n], b[n]));
                self.write(lane, op, 0, pairs.map(|p| p.0));
                self.write(lane, op, 1, pairs.map(|p| p.1));
            }
            Rule::BitsToFloat(rule) => {
                let a = s(0);
                self.write_floats(lane, op, 0, |n| rule(a[n]));
            }
            Rule::Widen(rule) => {
                let value = s(0).map(rule);
                self.write_moved(lane, op, 0, value);
            }
            Rule::Double1(rule) => {
                let a = d(0);
                self.write_doubles(lane, op, |n| rule(a[n]));
            }
            Rule::Double2(rule) => {
                let (a, b) = (d(0), d(1));
                self.write_doubles(lane, op, |n| rule(a[n], b[n]));
            }
            Rule::Double3(rule) => {
                let (a, b, c) = (d(0), d(1), d(2));
                self.write_doubles(lane, op, |n| rule(a[n], b[n], c[n]));
            }
            Rule::DoubleTest(rule) => {
                let (a, b) = (d(0), d(1));
                self.write_first_two(lane, op, [0, 1].map(|n| compare::mask(rule(a[n], b[n]))));
            }
            Rule::DoubleToBits(rule) => {
                let a = d(0);
                self.write_first_two(lane, op, a.map(rule));
            }
            Rule::BitsToDouble(rule) => {
                let a = s(0);
                self.write_doubles(lane, op, |n| rule(a[n]));
            }
            Rule::DoubleMove => {
                let value = s(0);
                self.write_moved_doubles(lane, op, value);
            }
            Rule::DoubleSelect => {
                let (test, a, b) = (s(0), s(1), s(2));
                let value = std::array::from_fn(|n| if test[n / 2] != 0 { a[n] } else { b[n] });
                self.write_moved_doubles(lane, op, value);
            }
            Rule::Move => {
                let value = s(0);
                self.write_moved(lane, op, 0, value);
            }
            Rule::Select => {
                let (test, a, b) = (s(0), s(1), s(2));
                self.write_moved(
                    lane,
                    op,
                    0,
                    std::array::from_fn(|n| if test[n] != 0 { a[n] } else { b[n] }),
                );
            }
            Rule::Swap => {
                let (test, a, b) = (s(0), s(1), s(2));
                self.write_moved(
                    lane,
                    op,
                    0,
                    std::array::from_fn(|n| if test[n] != 0 { b[n] } else { a[n] }),
                );
                self.write_moved(
                    lane,
                    op,
                    1,
                    std::array::from_fn(|n| if test[n] != 0 { a[n] } else { b[n] }),
                );
            }
            Rule::Memory(memory) => self.memory(memory, lane, op),
            Rule::Atomic(atomic) => self.atomic(atomic, lane, op),
            Rule::Nothing | Rule::Flow(_) | Rule::Pixel(_) | Rule::Texture(_) => {}
        }
    }

    fn write_moved_doubles(&mut self, lane: usize, op: &Op, value: [u32; 4]) {
        if op.saturate {
            let [a, b, c, d] = value;
            let value = [double::join(a, b), double::join(c, d)];
            self.write_doubles(lane, op, |n| value[n]);
        } else {
            self.write(lane, op, 0, value);
        }
    }

    /// The results of two doubles go to the first two lanes of the mask (22.15.1).
    fn write_first_two(&mut self, lane: usize, op: &Op, results: [u32; 2]) {
        let mask = op.dests[0].mask;
        let mut next = results.into_iter();
        let value = std::array::from_fn(|n| if mask >> n & 1 == 0 { 0 } else { next.next().unwrap_or(0) });
        self.write(lane, op, 0, value);
    }

    fn slot(&self, lane: usize, binding: Binding) -> Slot {
        Slot { space: binding.space, register: self.index(lane, binding.register) }
    }

    /// What stands behind a register, whether it is read only or written.
    pub(crate) fn resource(&self, lane: usize, access: &Access) -> Option<&Resource> {
        let binding = access.resource?;
        let slot = self.slot(lane, binding);
        if binding.view {
            self.views.slots.get(&slot).map(|v| &v.resource)
        } else {
            self.bindings.resources.get(&slot).map(|r| &**r)
        }
    }

    /// A view that a lane reads; `None` also for what is only read.
    pub(crate) fn view(&self, lane: usize, access: &Access) -> Option<&View> {
        let binding = access.resource.filter(|b| b.view)?;
        self.views.slots.get(&self.slot(lane, binding))
    }

    /// Whether a lane's accesses of views are real.
    pub(crate) fn acts(&self, lane: usize) -> bool {
        !(self.lanes[lane].discarded || self.lanes[lane].helper)
    }

    /// A view that a lane writes; `None` also for a lane that may not.
    pub(crate) fn view_mut(&mut self, lane: usize, access: &Access) -> Option<&mut View> {
        let binding = access.resource.filter(|b| b.view && self.acts(lane))?;
        let slot = self.slot(lane, binding);
        self.views.slots.get_mut(&slot)
    }

    /// Keeps for the observer what the instruction did to words or lanes of a view; without an address, to its counter.
    pub(crate) fn note(
        &mut self,
        lane: usize,
        access: &Access,
        address: Option<[u32; 4]>,
        mask: u8,
        [read, written]: [Option<[u32; 4]>; 2],
    ) {
        let (true, Some(binding)) = (self.traces && mask != 0, access.resource) else { return };
        let slot = self.slot(lane, binding);
        let Some(view) = self.views.slots.get(&slot) else { return };
        let address = address.map(|a| view.resource.address(a)).unwrap_or_default();
        let operand = binding.operand.into();
        self.seen[lane] = Some(ViewAccess { operand, slot, address, mask, read, written });
    }

    pub(crate) fn sampler(&self, lane: usize, access: &Access) -> Sampler {
        let slot = access.sampler.map(|binding| self.slot(lane, binding));
        slot.and_then(|slot| self.bindings.samplers.get(&slot)).copied().unwrap_or_default()
    }

    /// What the instruction is about to read and where it will write, for each lane that takes part.
    fn observe(&self, active: [bool; N], op: &Op) -> [Observed; N] {
        let lane = |lane: usize| {
            let reads = op.sources().iter().map(|s| Traced {
                operand: s.operand.into(),
                mask: if s.swizzle == [s.swizzle[0]; 4] { 1 } else { 15 },
                bits: self.read(lane, s),
            });
            Observed {
                indices: self.indices(lane, op),
                reads: reads.collect(),
                places: op.dests().iter().map(|d| self.dest_register(lane, d)).collect(),
            }
        };
        std::array::from_fn(|n| if active[n] { lane(n) } else { Observed::default() })
    }

    /// The registers that the instruction's operands are indexed by.
    fn indices(&self, lane: usize, op: &Op) -> Vec<Index> {
        let mut list = Vec::new();
        for dest in op.dests() {
            if let DestPlace::Computed(n) = dest.place {
                self.computed_indices(lane, dest.operand, n, &mut list);
            }
        }
        for source in op.sources() {
            if let SourcePlace::Computed(n) = source.place {
                self.computed_indices(lane, source.operand, n, &mut list);
            }
        }
        if matches!(op.rule, Rule::Texture(_) | Rule::Memory(_) | Rule::Atomic(_)) {
            let access = self.code.accesses.get(op.access as usize);
            let bindings = access.into_iter().flat_map(|a| [a.resource, a.sampler]);
            for b in bindings.flatten() {
                self.relative_index(lane, b.operand, b.register, &mut list);
            }
        }
        if let Rule::Flow(Flow::CallInterface) = op.rule
            && let Some(call) = self.code.calls.get(op.target as usize)
        {
            self.relative_index(lane, 0, call.index, &mut list);
        }
        list.sort_by_key(|i| i.operand);
        list
    }

    fn computed_indices(&self, lane: usize, operand: u8, computed: u32, list: &mut Vec<Index>) {
        let computed = &self.code.computed[computed as usize];
        if let File::Constants { buffer, .. } = computed.file {
            self.relative_index(lane, operand, buffer, list);
        }
        self.relative_index(lane, operand, computed.index, list);
    }

    fn relative_index(&self, lane: usize, operand: u8, index: RegisterIndex, list: &mut Vec<Index>) {
        let Some(n) = index.relative else { return };
        let register = &self.code.relative[n as usize];
        if let SourcePlace::Computed(n) = register.place {
            self.computed_indices(lane, operand, n, list);
        }
        let value = self.read(lane, register)[0];
        list.push(Index { operand: operand.into(), value, reached: self.index(lane, index) });
    }

    fn report(
        &mut self,
        active: [bool; N],
        op: &Op,
        before: [Observed; N],
        observer: &mut Observer<'_>,
    ) -> ControlFlow<()> {
        for (lane, before) in before.into_iter().enumerate().filter(|&(n, _)| active[n]) {
            let writes = op.dests().iter().zip(before.places).filter_map(|(dest, place)| {
                let bits = self.lanes[lane].registers[place?];
                Some(Traced { operand: dest.operand.into(), mask: dest.mask, bits })
            });
            let writes: Vec<_> = writes.collect();
            let view = self.seen[lane].take();
            observer(&Step {
                instruction: op.instruction as usize,
                lane,
                depth: self.lanes[lane].calls.len(),
                indices: &before.indices,
                reads: &before.reads,
                writes: &writes,
                view: view.as_ref(),
                discarded: self.lanes[lane].discarded,
            })?;
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn outputs(&self, inputs: [&Inputs; N]) -> [Outputs; N] {
        std::array::from_fn(|n| {
            let lane = &self.lanes[n];
            let o = &lane.registers[self.code.outputs..];
            let written = |n: usize| (lane.written[n] != 0).then(|| o[n][0]);
            let mut outputs = Outputs { discarded: lane.discarded, ..Outputs::default() };
            outputs.registers.copy_from_slice(&o[..REGISTERS]);
            outputs.written.copy_from_slice(&lane.written[..REGISTERS]);
            // 16.9.3.1: conservative depth does not leave the rasterizer's on the wrong side.
            outputs.depth = written(DEPTH).map(f32::from_bits);
            if let Some(depth) = written(DEPTH_GREATER) {
                outputs.depth = Some(float::max(f32::from_bits(depth), inputs[n].depth));
            }
            if let Some(depth) = written(DEPTH_LESS) {
                outputs.depth = Some(float::min(f32::from_bits(depth), inputs[n].depth));
            }
            outputs.coverage = written(COVERAGE);
            outputs.stencil = written(STENCIL);
            outputs
        })
    }
}
