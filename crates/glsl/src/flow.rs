//! The structured flow graph and the live ranges of register lanes.
//!
//! Every lane of every temporary is split into webs: the classes of definitions that reach a common use. A web is
//! the unit that gets a type and a variable. Uses look definitions up on demand: a use in a block without one asks
//! the block's predecessors, and where several answer, their webs become one (the union of SSA's phi operands).
//!
//! Invariant: a lane of an operand that the instruction reads or writes has a web; all others have [`NO_WEB`].

use crate::decls::{Decls, coordinate_lanes, gradient_lanes};
use crate::tree::lanes_in;
use crate::types::{Facts, Passes, def_facts, passes, use_facts};
use rustc_hash::FxHashMap;
use shaderport_diagnostics::{Diagnostic, Place, codes::dxbc as codes};
use shaderport_dxbc::program::OperandKind;
use shaderport_dxbc::{Instruction, Opcode, Operand, Program, ScalarType, Slot};

/// A web, or before [`Builder::finish`] one definition of it.
pub(crate) type Web = u32;
/// No web. It has an entry among the webs all the same: what is said of lanes that do not matter lands there, which
/// is cheaper than asking of each lane whether it matters.
pub(crate) const NO_WEB: Web = 0;

/// Most places where values of a lane meet; far above what a compiler makes.
const MAX_MERGES: usize = 1 << 19;

/// Deepest nesting that is translated; GLSL compilers give up between 100 and 256.
const MAX_NESTING: usize = 120;

/// One basic block: instructions `first..end`.
#[derive(Debug, Default)]
struct Block {
    preds: Preds,
    /// Definitions that leave the block: a run of `outs`, one a lane.
    outs: (u32, u32),
    /// Whether control enters the program here.
    entry: bool,
    unreachable: bool,
    /// A block that every path here passes, and the blocks between (first, last): a lane that none of them writes
    /// comes from there.
    skip: Option<(u32, u32, u32)>,
}

/// Predecessors: most blocks have at most two.
#[derive(Debug, Default)]
struct Preds {
    few: [u32; 2],
    count: u32,
    many: Vec<u32>,
}

impl Preds {
    fn push(&mut self, b: u32) {
        match self.count {
            0 | 1 => self.few[self.count as usize] = b,
            _ => self.many.push(b),
        }
        self.count += 1;
    }
    fn get(&self, i: u32) -> u32 {
        if i < 2 { self.few[i as usize] } else { self.many[i as usize - 2] }
    }
}

/// What is known of a program's flow.
#[derive(Debug)]
pub(crate) struct Flow {
    /// For each operand of [`Program::operands`], the web of each lane of its register.
    pub(crate) operand_webs: Vec<[Web; 4]>,
    /// For each source operand, the lanes of the result for which it is read.
    pub(crate) positions: Vec<u8>,
    /// For each operand of [`Program::relative`], the web of the lane that it reads.
    pub(crate) relative_webs: Vec<Web>,
    /// By root: definitions, uses, and whether the register may be read before it is written.
    pub(crate) webs: Vec<WebInfo>,
    /// For each instruction: nesting depth of conditions and loops.
    pub(crate) depth: Vec<u16>,
    /// For each `continue`: whether a switch stands between it and its loop. For each `loop` and `switch`: whether
    /// it holds such a `continue`.
    pub(crate) forwarded_continue: Vec<u32>,
    /// Whether subroutines are called.
    pub(crate) has_calls: bool,
    /// Place of the first `label`, or the number of instructions.
    pub(crate) main_end: usize,
}

/// Facts of one web.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebInfo {
    /// Uses, and in the upper half the sign of its facts: sums, which one addition moves on.
    sums: u64,
    /// Four times the temporary register, and the lane.
    register_lane: u32,
    pub(crate) defs: u32,
    /// The last instruction that defines it (the only one where `defs` is 1).
    pub(crate) def: u32,
    /// What its definitions make and its uses want, but for the sign.
    facts: u16,
    /// May be read before it is written.
    pub(crate) undefined: bool,
}

/// The sums of `uses` uses of that sign.
const fn sums(uses: u32, sign: i32) -> u64 {
    (sign as u32 as u64) << 32 | uses as u64
}

impl WebInfo {
    /// A web of a lane (four times the register, and the lane).
    const fn new(register_lane: u32) -> WebInfo {
        WebInfo { sums: 0, register_lane, defs: 0, def: 0, facts: 0, undefined: false }
    }
    /// Temporary register.
    pub(crate) fn register(&self) -> u32 {
        self.register_lane / 4
    }
    /// Lane of the register.
    pub(crate) fn lane(&self) -> u8 {
        (self.register_lane % 4) as u8
    }
    pub(crate) fn uses(&self) -> u32 {
        self.sums as u32
    }
    /// What its definitions make and its uses want.
    pub(crate) fn facts(&self) -> Facts {
        (self.facts, (self.sums >> 32) as i32)
    }
}

#[derive(Debug)]
enum Frame {
    If { cond: u32, then_end: Option<u32>, has_else: bool },
    Loop { header: u32, breaks: Vec<u32>, start: usize },
    Switch { head: u32, breaks: Vec<u32>, has_default: bool, start: usize },
}

/// The latest definitions of a register's lanes, and the blocks that they are in.
#[derive(Clone, Copy)]
struct Latest {
    block: [u32; 4],
    web: [Web; 4],
}

/// Masks as words: for each lane all ones where it is of the mask, and how many lanes of the mask come before it; the
/// mask's lanes in order. Which lanes an operand has is what a branch predictor cannot know: all four are gone through
/// alike, in words that are dealt with at once.
struct MaskWords {
    lanes: [u32; 4],
    before: [u32; 4],
    nth: [u32; 4],
    count: usize,
}

const MASKS: [MaskWords; 16] = {
    const NONE: MaskWords = MaskWords { lanes: [0; 4], before: [0; 4], nth: [0; 4], count: 0 };
    let mut masks = [NONE; 16];
    let mut m = 0;
    while m < 16 {
        let (mut l, mut count) = (0, 0);
        while l < 4 {
            masks[m].before[l] = count;
            if m >> l & 1 != 0 {
                masks[m].lanes[l] = u32::MAX;
                masks[m].nth[count as usize] = l as u32;
                count += 1;
            }
            l += 1;
        }
        masks[m].count = count as usize;
        m += 1;
    }
    masks
};

struct Builder<'p> {
    p: &'p Program,
    decls: &'p Decls<'p>,
    blocks: Vec<Block>,
    current: Option<u32>,
    frames: Vec<Frame>,
    /// Definitions that leave blocks.
    outs: Vec<(u32, Web)>,
    /// The same by lane: block and definition, and where each lane's begin.
    lane_writes: Vec<(u32, Web)>,
    lane_starts: Vec<u32>,
    /// Register to its lanes' latest definitions in the current block, and the block that they are of.
    local: Vec<Latest>,
    /// Registers written in the current block.
    touched: Vec<u32>,
    live_in: FxHashMap<(u32, u32), Web>,
    pending: Vec<(u32, u32, Web)>,
    /// For each web the one that it was joined to, or itself; made when definitions meet.
    parents: Vec<Web>,
    flow: Flow,
    lanes: u32,
    /// Label to its entry block; ends of subroutines; calls.
    labels: FxHashMap<u32, u32>,
    label_exits: FxHashMap<u32, Vec<u32>>,
    calls: Vec<(u32, u32, u32)>,
    label: Option<u32>,
}

#[cold]
fn malformed(p: &Program, n: usize, what: &'static str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::FLOW_MALFORMED, what).at(place(p, n)))
}

/// The place of instruction `n`.
pub(crate) fn place(p: &Program, n: usize) -> Place {
    let i = &p.instructions[n.min(p.instructions.len() - 1)];
    Place {
        chunk: None,
        byte_offset: Some(i.offset),
        instruction: Some(n as u32),
        opcode: Some(i.opcode.name()),
    }
}

/// Lanes of the result for which source `k` (an index into the operands) is read, and whether that holds for every
/// source of the instruction.
fn read_positions(p: &Program, decls: &Decls<'_>, i: &Instruction, k: usize) -> (u8, bool) {
    let slots = i.opcode.info().slots;
    let operands = p.operands(i);
    let opcode = i.opcode.without_feedback();
    let dimension = || {
        let r = slots.iter().position(|s| *s == Slot::Resource)?;
        let o = operands.get(r)?;
        decls.texture(o.register()).map(|(_, t)| t.dimension)
    };
    let lanes = |n: u8| (1u8 << n) - 1;
    // Feedback forms have a status between result and coordinate.
    let k = if opcode == i.opcode { k } else { k - 1 };
    match opcode {
        Opcode::Dp2 => (3, true),
        Opcode::Dp3 => (7, true),
        Opcode::Dp4 => (15, true),
        Opcode::Ld => match dimension() {
            Some(d) => (lanes(coordinate_lanes(d)) | 8, true),
            None => (1, true),
        },
        Opcode::Sample | Opcode::SampleC | Opcode::SampleCLz | Opcode::SampleL | Opcode::SampleB => {
            (if k == 1 { dimension().map_or(3, |d| lanes(coordinate_lanes(d))) } else { 1 }, false)
        }
        Opcode::SampleD => match (k, dimension()) {
            (1, Some(d)) => (lanes(coordinate_lanes(d)), false),
            (_, Some(d)) if k < 6 => (lanes(gradient_lanes(d)), false),
            (_, Some(_)) => (1, false),
            _ => (3, false),
        },
        Opcode::Lod => (dimension().map_or(3, |d| lanes(gradient_lanes(d))), true),
        Opcode::Gather4 | Opcode::Gather4C | Opcode::Gather4Po | Opcode::Gather4PoC => match (opcode, k) {
            (_, 1) => (dimension().map_or(3, |d| lanes(coordinate_lanes(d))), false),
            (Opcode::Gather4Po | Opcode::Gather4PoC, 2) => (3, false),
            _ => (1, false),
        },
        Opcode::LdRaw | Opcode::LdStructured | Opcode::ResInfo | Opcode::BufInfo => (1, true),
        Opcode::If
        | Opcode::Breakc
        | Opcode::Continuec
        | Opcode::Retc
        | Opcode::Discard
        | Opcode::Callc
        | Opcode::Switch
        | Opcode::Case => (1, true),
        Opcode::EvalSnapped if k == 2 => (3, false),
        Opcode::EvalSampleIndex if k == 2 => (1, false),
        Opcode::EvalSnapped | Opcode::EvalSampleIndex => (operands.first().map_or(15, Operand::mask), false),
        _ => {
            // Destinations come first.
            let mut mask = 0;
            for (o, _) in operands.iter().zip(slots).take_while(|(_, s)| matches!(s, Slot::Dest(_))) {
                if !o.is_null() {
                    mask |= o.mask();
                }
            }
            (if mask == 0 { 15 } else { mask }, true)
        }
    }
}

/// How many of a lane's definitions lie in blocks before `block`.
fn before(writes: &[(u32, Web)], block: u32) -> usize {
    if writes.len() <= 8 {
        // Most lanes have few: looking at all is faster than a search.
        writes.iter().map(|w| usize::from(w.0 < block)).sum()
    } else {
        writes.partition_point(|w| w.0 < block)
    }
}

impl Flow {
    /// Builds the graph of `p` and the webs of its temporaries.
    ///
    /// # Errors
    /// `flow-malformed`: blocks that do not nest; `nesting-too-deep`; `operand-malformed`: a temporary that is
    /// not declared.
    pub(crate) fn build(p: &Program, decls: &Decls<'_>) -> Result<Flow, Box<Diagnostic>> {
        let lanes = decls.temps.min(4096) * 4;
        let mut b = Builder {
            p,
            decls,
            blocks: Vec::with_capacity(16),
            current: None,
            frames: Vec::new(),
            outs: Vec::with_capacity(64),
            lane_writes: Vec::new(),
            lane_starts: Vec::new(),
            local: vec![Latest { block: [u32::MAX; 4], web: [NO_WEB; 4] }; lanes as usize / 4],
            touched: Vec::with_capacity(64),
            live_in: FxHashMap::default(),
            pending: Vec::new(),
            parents: Vec::new(),
            flow: Flow {
                operand_webs: vec![[NO_WEB; 4]; p.operands.len()],
                positions: vec![0; p.operands.len()],
                relative_webs: vec![NO_WEB; p.relative.len()],
                webs: Vec::with_capacity(p.operands.len() + 8),
                depth: vec![0; p.instructions.len()],
                forwarded_continue: Vec::new(),
                has_calls: false,
                main_end: p.instructions.len(),
            },
            lanes,
            labels: FxHashMap::default(),
            label_exits: FxHashMap::default(),
            calls: Vec::new(),
            label: None,
        };
        b.flow.webs.push(WebInfo::new(0));
        b.start_block(true);
        for (n, i) in p.instructions.iter().enumerate() {
            b.instruction(n, i)?;
        }
        if !b.frames.is_empty() {
            return Err(malformed(p, p.instructions.len() - 1, "the program ends inside a block"));
        }
        b.end_block();
        b.finish()
    }
}

impl Builder<'_> {
    fn start_block(&mut self, entry: bool) -> u32 {
        self.blocks.push(Block { entry, ..Block::default() });
        let b = self.blocks.len() as u32 - 1;
        self.current = Some(b);
        b
    }

    /// Closes the current block: keeps the definitions that leave it.
    fn end_block(&mut self) -> Option<u32> {
        let b = self.current.take()?;
        let start = self.outs.len() as u32;
        for &r in &self.touched {
            let latest = &self.local[r as usize];
            for l in 0..4 {
                if latest.block[l] == b {
                    self.outs.push((r * 4 + l as u32, latest.web[l]));
                }
            }
        }
        self.touched.clear();
        let block = &mut self.blocks[b as usize];
        block.outs = (start, self.outs.len() as u32);
        (!block.unreachable).then_some(b)
    }

    /// A new block that follows those given.
    fn follow(&mut self, preds: impl IntoIterator<Item = u32>) -> u32 {
        let b = self.start_block(false);
        for p in preds {
            self.blocks[b as usize].preds.push(p);
        }
        b
    }

    fn new_web(&mut self, lane: u32) -> Web {
        let w = self.flow.webs.len() as Web;
        self.flow.webs.push(WebInfo::new(lane));
        w
    }

    fn find(&mut self, mut w: Web) -> Web {
        let parents = &mut self.parents;
        while parents[w as usize] != w {
            let up = parents[parents[w as usize] as usize];
            parents[w as usize] = up;
            w = up;
        }
        w
    }

    fn union(&mut self, a: Web, b: Web) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number stays: results do not depend on the order of unions.
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
    }

    fn live_in(&mut self, block: u32, lane: u32) -> Web {
        if let Some(&w) = self.live_in.get(&(block, lane)) {
            return w;
        }
        if self.live_in.is_empty() {
            // One allocation is enough for most programs that need any.
            self.live_in.reserve(56);
        }
        let w = self.new_web(lane);
        if !self.parents.is_empty() {
            self.parents.push(w);
        }
        self.live_in.insert((block, lane), w);
        self.pending.push((block, lane, w));
        w
    }

    /// Refuses a temporary that is not declared.
    #[inline]
    fn check(&self, n: usize, o: &Operand) -> Result<(), Box<Diagnostic>> {
        if o.register() < self.lanes / 4 { Ok(()) } else { Err(self.undeclared(n, o)) }
    }

    #[cold]
    fn undeclared(&self, n: usize, o: &Operand) -> Box<Diagnostic> {
        let text =
            format!("r{} is used but only {} temporaries are declared", o.register(), self.decls.temps);
        Box::new(Diagnostic::new(codes::OPERAND_MALFORMED, text).at(place(self.p, n)))
    }

    /// The definition of a lane that is read here.
    #[inline]
    fn read(&mut self, register: u32, lane: u8) -> Web {
        let block = self.current.unwrap_or(0);
        let latest = &self.local[register as usize];
        let l = lane as usize & 3;
        if latest.block[l] == block {
            latest.web[l]
        } else {
            self.live_in(block, register * 4 + u32::from(lane))
        }
    }

    /// The definitions of the lanes of `mask`, which are read here as `facts` say.
    #[inline]
    fn read_lanes(&mut self, register: u32, mask: u8, facts: Facts) -> [Web; 4] {
        let block = self.current.unwrap_or(0);
        let latest = self.local[register as usize];
        let lanes = MASKS[mask as usize & 15].lanes;
        let here: [u32; 4] =
            std::array::from_fn(|l| u32::from(latest.block[l] == block).wrapping_neg() & lanes[l]);
        let mut webs: [Web; 4] = std::array::from_fn(|l| latest.web[l] & here[l]);
        if here != lanes {
            for l in lanes_in(mask) {
                if latest.block[l as usize & 3] != block {
                    webs[l as usize & 3] = self.live_in(block, register * 4 + u32::from(l));
                }
            }
        }
        let sums = sums(1, facts.1);
        for w in webs {
            let info = &mut self.flow.webs[w as usize];
            info.sums = info.sums.wrapping_add(sums);
            info.facts |= facts.0;
        }
        webs
    }

    /// New definitions of the lanes of `mask`.
    #[inline]
    fn write_lanes(&mut self, n: usize, register: u32, mask: u8, facts: Facts) -> [Web; 4] {
        let mut webs = [NO_WEB; 4];
        if mask == 0 {
            return webs;
        }
        let block = self.current.unwrap_or(0);
        let MaskWords { lanes, before, nth, count } = &MASKS[mask as usize & 15];
        let first = self.flow.webs.len();
        let info = WebInfo {
            sums: sums(0, facts.1),
            defs: 1,
            def: n as u32,
            facts: facts.0,
            ..WebInfo::new(register * 4)
        };
        // One place for each lane, of which those beyond the mask's go.
        let places = nth.map(|l| WebInfo { register_lane: info.register_lane + l, ..info });
        self.flow.webs.extend_from_slice(&places);
        self.flow.webs.truncate(first + count);
        let latest = &mut self.local[register as usize];
        let Latest { block: old_block, web: old_web } = *latest;
        webs = std::array::from_fn(|l| (first as u32 + before[l]) & lanes[l]);
        latest.web = std::array::from_fn(|l| old_web[l] & !lanes[l] | webs[l]);
        latest.block = std::array::from_fn(|l| old_block[l] & !lanes[l] | block & lanes[l]);
        let is_known = old_block.iter().fold(false, |known, b| known | (*b == block));
        if !is_known {
            self.touched.push(register);
        }
        webs
    }

    fn operands(&mut self, n: usize, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let p = self.p;
        let slots = i.opcode.info().slots;
        let dests = usize::from(i.opcode.info().dests);
        let operands = p.operands(i);
        let first = p.operand_index(i);
        if i.has_relative_index() {
            for o in operands {
                self.relatives(n, o)?;
            }
        }
        // Moves and logic of masks say nothing of types themselves.
        let typed = match passes(p, i) {
            Passes::Nothing { as_float } => Some(as_float),
            Passes::Moved | Passes::Logic => None,
        };
        // Reads before writes: a register may be source and destination.
        let mut shared = None;
        let sources = operands.get(dests..).unwrap_or_default().iter().zip(&slots[dests..]);
        for (k, (o, slot)) in (dests..).zip(sources) {
            let Slot::Src(ty) = *slot else { continue };
            let positions = match shared {
                Some(all) => all,
                None => {
                    let (positions, same) = read_positions(p, self.decls, i, k);
                    if same {
                        shared = Some(positions);
                    }
                    positions
                }
            };
            self.flow.positions[first + k] = positions;
            if o.kind == OperandKind::Temp {
                self.check(n, o)?;
                let facts = match (typed, ty) {
                    (Some(as_float), ty) => use_facts(ty, i.opcode, as_float),
                    (None, ScalarType::Test) => use_facts(ty, i.opcode, false),
                    (None, _) => (0, 0),
                };
                let lanes = o.source_lanes(positions);
                self.flow.operand_webs[first + k] = self.read_lanes(o.register(), lanes, facts);
            }
        }
        if !i.names(OperandKind::Temp) {
            return Ok(());
        }
        for (k, (o, slot)) in operands.iter().zip(&slots[..dests]).enumerate() {
            let Slot::Dest(ty) = *slot else { break };
            if o.kind == OperandKind::Temp {
                self.check(n, o)?;
                let facts = typed.map_or((0, 0), |as_float| def_facts(ty, self.decls, i, operands, as_float));
                self.flow.operand_webs[first + k] = self.write_lanes(n, o.register(), o.mask(), facts);
            }
        }
        Ok(())
    }

    /// The registers in an operand's indices.
    fn relatives(&mut self, n: usize, o: &Operand) -> Result<(), Box<Diagnostic>> {
        let p = self.p;
        for index in o.index.iter().take(o.dimensions as usize) {
            if let Some((r, inner)) = p.relative_index(index) {
                self.relative(n, r, inner)?;
            }
        }
        Ok(())
    }

    fn relative(&mut self, n: usize, r: usize, o: &Operand) -> Result<(), Box<Diagnostic>> {
        self.relatives(n, o)?;
        if o.kind == OperandKind::Temp {
            self.check(n, o)?;
            let w = self.read(o.register(), o.source_lane(0) as u8);
            let info = &mut self.flow.webs[w as usize];
            info.sums = info.sums.wrapping_add(sums(1, 0));
            self.flow.relative_webs[r] = w;
        }
        Ok(())
    }

    fn instruction(&mut self, n: usize, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        self.flow.depth[n] = self.frames.len() as u16;
        if i.opcode.is_declaration() {
            return Ok(());
        }
        use Opcode::*;
        if self.current.is_none()
            && !matches!(i.opcode, Else | EndIf | EndLoop | EndSwitch | Case | Default | Label)
        {
            // Nothing leads here, and from here to nothing.
            let b = self.start_block(false);
            self.blocks[b as usize].unreachable = true;
        }
        let p = self.p;
        self.operands(n, i)?;
        if self.frames.len() > MAX_NESTING {
            let d = Diagnostic::new(codes::NESTING_TOO_DEEP, "blocks nest deeper than GLSL compilers allow");
            return Err(Box::new(d.at(place(p, n))));
        }
        match i.opcode {
            Opcode::If => {
                let cond = self.end_block().unwrap_or(0);
                self.frames.push(Frame::If { cond, then_end: None, has_else: false });
                self.follow([cond]);
            }
            Opcode::Else => {
                let end = self.end_block();
                let Some(Frame::If { cond, then_end, has_else }) = self.frames.last_mut() else {
                    return Err(malformed(p, n, "`else` without `if`"));
                };
                if std::mem::replace(has_else, true) {
                    return Err(malformed(p, n, "a second `else`"));
                }
                *then_end = end;
                let cond = *cond;
                self.flow.depth[n] -= 1;
                self.follow([cond]);
            }
            Opcode::EndIf => {
                let end = self.end_block();
                let Some(Frame::If { cond, then_end, has_else }) = self.frames.pop() else {
                    return Err(malformed(p, n, "`endif` without `if`"));
                };
                self.flow.depth[n] -= 1;
                let other = if has_else { then_end } else { Some(cond) };
                let join = self.follow([end, other].into_iter().flatten());
                self.blocks[join as usize].skip = Some((cond, cond + 1, join - 1));
            }
            Opcode::Loop => {
                let before = self.end_block().unwrap_or(0);
                let header = self.follow([before]);
                self.blocks[header as usize].skip = Some((before, header, header));
                self.frames.push(Frame::Loop { header, breaks: Vec::new(), start: n });
            }
            Opcode::EndLoop => {
                let end = self.end_block();
                let Some(Frame::Loop { header, breaks, .. }) = self.frames.pop() else {
                    return Err(malformed(p, n, "`endloop` without `loop`"));
                };
                self.flow.depth[n] -= 1;
                if let Some(e) = end {
                    self.blocks[header as usize].preds.push(e);
                }
                let exit = self.follow(breaks);
                self.blocks[exit as usize].skip = Some((header, header, exit - 1));
                if let Some(skip) = &mut self.blocks[header as usize].skip {
                    skip.2 = exit - 1;
                }
            }
            Opcode::Switch => {
                let head = self.end_block().unwrap_or(0);
                self.frames.push(Frame::Switch { head, breaks: Vec::new(), has_default: false, start: n });
            }
            Opcode::Case | Opcode::Default => {
                let end = self.end_block();
                let Some(Frame::Switch { head, has_default, .. }) = self.frames.last_mut() else {
                    return Err(malformed(p, n, "a case outside a switch"));
                };
                *has_default |= i.opcode == Opcode::Default;
                let head = *head;
                // Control falls through from the case above.
                let case = self.follow([Some(head), end].into_iter().flatten());
                self.blocks[case as usize].skip = Some((head, head + 1, case - 1));
            }
            Opcode::EndSwitch => {
                let end = self.end_block();
                let Some(Frame::Switch { head, breaks, has_default, .. }) = self.frames.pop() else {
                    return Err(malformed(p, n, "`endswitch` without `switch`"));
                };
                self.flow.depth[n] -= 1;
                let skip = (!has_default).then_some(head);
                let join = self.follow(breaks.into_iter().chain(end).chain(skip));
                self.blocks[join as usize].skip = Some((head, head + 1, join - 1));
            }
            Opcode::Break | Opcode::Breakc => {
                let here = self.end_block().unwrap_or(0);
                let frame = self.frames.iter_mut().rev().find(|f| !matches!(f, Frame::If { .. }));
                match frame {
                    Some(Frame::Loop { breaks, .. } | Frame::Switch { breaks, .. }) => breaks.push(here),
                    _ => return Err(malformed(p, n, "a break outside loops and switches")),
                }
                if i.opcode == Opcode::Breakc {
                    self.follow([here]);
                }
            }
            Opcode::Continue | Opcode::Continuec => {
                let here = self.end_block().unwrap_or(0);
                let mut between = Vec::new();
                let mut target = None;
                for f in self.frames.iter().rev() {
                    match f {
                        Frame::Loop { header, start, .. } => {
                            target = Some((*header, *start));
                            break;
                        }
                        Frame::Switch { start, .. } => between.push(*start as u32),
                        Frame::If { .. } => {}
                    }
                }
                let Some((header, start)) = target else {
                    return Err(malformed(p, n, "a continue outside loops"));
                };
                self.blocks[header as usize].preds.push(here);
                if !between.is_empty() {
                    between.push(n as u32);
                    between.push(start as u32);
                    self.flow.forwarded_continue.extend(between);
                }
                if i.opcode == Opcode::Continuec {
                    self.follow([here]);
                }
            }
            Opcode::Ret | Opcode::Retc => {
                let here = self.end_block().unwrap_or(0);
                if let Some(l) = self.label {
                    self.label_exits.entry(l).or_default().push(here);
                }
                if i.opcode == Opcode::Retc {
                    self.follow([here]);
                }
            }
            Opcode::Call | Opcode::Callc => {
                self.flow.has_calls = true;
                let here = self.end_block().unwrap_or(0);
                let after = self.follow((i.opcode == Opcode::Callc).then_some(here));
                let label = p.operands(i).last().map_or(0, |o| o.register());
                self.calls.push((here, label, after));
            }
            Opcode::Label => {
                self.end_block();
                if !self.frames.is_empty() {
                    return Err(malformed(p, n, "a label inside a block"));
                }
                self.flow.main_end = self.flow.main_end.min(n);
                let label = p.operands(i).first().map_or(0, |o| o.register());
                self.label = Some(label);
                let b = self.start_block(false);
                if self.labels.insert(label, b).is_some() {
                    return Err(malformed(p, n, "the label is defined twice"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Sorts the definitions that leave blocks by lane; within a lane they stay in the order of their blocks.
    fn index_writes(&mut self) {
        self.lane_starts = vec![0; self.lanes as usize + 2];
        for b in &self.blocks {
            for o in &self.outs[b.outs.0 as usize..b.outs.1 as usize] {
                self.lane_starts[o.0 as usize + 2] += 1;
            }
        }
        for l in 1..self.lane_starts.len() {
            self.lane_starts[l] += self.lane_starts[l - 1];
        }
        self.lane_writes = vec![(0, NO_WEB); self.outs.len()];
        for (n, b) in self.blocks.iter().enumerate() {
            for o in &self.outs[b.outs.0 as usize..b.outs.1 as usize] {
                let at = &mut self.lane_starts[o.0 as usize + 1];
                self.lane_writes[*at as usize] = (n as u32, o.1);
                *at += 1;
            }
        }
    }

    fn writes(&self, lane: u32) -> &[(u32, Web)] {
        let (from, to) = (self.lane_starts[lane as usize], self.lane_starts[lane as usize + 1]);
        &self.lane_writes[from as usize..to as usize]
    }

    /// What leaves `block` in `lane`, without merging: a definition, [`NO_WEB`] where nothing defines it, or `None`
    /// where several answers meet (then on the way back to `block`'s beginning).
    fn leaving(&self, block: u32, lane: u32) -> Option<Web> {
        let writes = self.writes(lane);
        if let Ok(at) = writes.binary_search_by_key(&block, |w| w.0) {
            return Some(writes[at].1);
        }
        self.shortcut(block, lane)
    }

    /// What enters `block` in `lane`, as [`Builder::leaving`].
    fn shortcut(&self, block: u32, lane: u32) -> Option<Web> {
        let writes = self.writes(lane);
        let mut at = block;
        // A cycle without a definition is unreachable: nothing defines the lane.
        for _ in 0..=self.blocks.len() {
            let b = &self.blocks[at as usize];
            let next = match b.skip {
                Some((dominator, first, last)) if !self.flow.has_calls => {
                    let k = before(writes, first);
                    let written = writes.get(k).is_some_and(|w| w.0 <= last);
                    (!written).then_some((dominator, &writes[..k]))
                }
                _ => None,
            };
            let (next, writes) = match (next, b.preds.count) {
                (Some(n), _) => n,
                (None, 0) => return Some(NO_WEB),
                (None, 1) if !b.entry => (b.preds.get(0), writes),
                _ => return None,
            };
            match writes.last() {
                Some(w) if w.0 == next => return Some(w.1),
                Some(w) if w.0 > next => {
                    if let Ok(k) = writes.binary_search_by_key(&next, |w| w.0) {
                        return Some(writes[k].1);
                    }
                }
                _ => {}
            }
            at = next;
        }
        Some(NO_WEB)
    }

    fn finish(mut self) -> Result<Flow, Box<Diagnostic>> {
        for (here, label, after) in std::mem::take(&mut self.calls) {
            let Some(&entry) = self.labels.get(&label) else {
                return Err(malformed(
                    self.p,
                    self.p.instructions.len() - 1,
                    "a call of a label that is not defined",
                ));
            };
            self.blocks[entry as usize].preds.push(here);
            for &e in self.label_exits.get(&label).into_iter().flatten() {
                self.blocks[after as usize].preds.push(e);
            }
        }
        // The entry of no web has heard of many.
        self.flow.webs[NO_WEB as usize] = WebInfo::new(0);
        if self.pending.is_empty() {
            // Every use found its definition in its own block: each is a web of its own.
            return Ok(self.ordered());
        }
        self.index_writes();
        self.parents = (0..self.flow.webs.len() as Web).collect();
        // Resolve what was read from blocks' ends.
        while let Some((block, lane, w)) = self.pending.pop() {
            if let Some(from) = self.shortcut(block, lane) {
                match from {
                    NO_WEB => self.flow.webs[w as usize].undefined = true,
                    from => self.union(w, from),
                }
                continue;
            }
            if self.blocks[block as usize].entry {
                self.flow.webs[w as usize].undefined = true;
            }
            for k in 0..self.blocks[block as usize].preds.count {
                let pred = self.blocks[block as usize].preds.get(k);
                let from = match self.leaving(pred, lane) {
                    Some(NO_WEB) => {
                        self.flow.webs[w as usize].undefined = true;
                        continue;
                    }
                    Some(from) => from,
                    None => self.live_in(pred, lane),
                };
                self.union(w, from);
            }
            if self.live_in.len() > MAX_MERGES {
                let d =
                    Diagnostic::new(codes::PROGRAM_TOO_COMPLEX, "too many values meet at too many places");
                return Err(Box::new(d));
            }
        }
        // Roots gather their members' facts.
        for w in 0..self.flow.webs.len() as Web {
            if self.parents[w as usize] == w {
                continue;
            }
            let r = self.find(w);
            self.parents[w as usize] = r;
            let m = self.flow.webs[w as usize];
            self.flow.webs[w as usize].undefined = false;
            let root = &mut self.flow.webs[r as usize];
            root.sums = root.sums.wrapping_add(m.sums);
            if m.defs > 0 {
                root.def = if root.defs == 0 { m.def } else { root.def.max(m.def) };
            }
            root.defs += m.defs;
            root.undefined |= m.undefined;
            root.facts |= m.facts;
        }
        let parents = self.parents.as_slice();
        for webs in self.flow.operand_webs.iter_mut().filter(|w| **w != [NO_WEB; 4]) {
            *webs = webs.map(|w| parents[w as usize]);
        }
        for w in &mut self.flow.relative_webs {
            *w = parents[*w as usize];
        }
        Ok(self.ordered())
    }

    fn ordered(mut self) -> Flow {
        self.flow.forwarded_continue.sort_unstable();
        self.flow.forwarded_continue.dedup();
        self.flow
    }
}
