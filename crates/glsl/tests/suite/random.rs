//! Random programs that mix floats, integers and masks in the same registers, under branches, loops and switches:
//! what two drivers draw must be what a few lines of Rust compute.
//!
//! Floats stay small integers, so that no driver may round them in its own way. `SHADERPORT_PROGRAMS=n` runs more,
//! `SHADERPORT_SEED=n` begins elsewhere.

use shaderport_asm::{Ins, Opcode, Operand, Shader, Type, cb, l, l4, o, r};
use shaderport_dxbc::{Container, Program, disasm};
use shaderport_gl_harness::{Backend, Gl, Job, Target};
use shaderport_glsl::options::*;

use crate::run::{bytes, drivers, glsl_with};

const REGISTERS: usize = 4;
/// Two of small floats, two of anything, one of masks.
const ROWS: usize = 5;

/// splitmix64
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What is known of a lane while the program is made.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A small whole float.
    Float,
    /// 0 or all ones.
    Mask,
    /// Anything.
    Bits,
}

#[derive(Clone, Copy)]
enum Source {
    Temp(usize, [usize; 4]),
    /// Row and swizzle; the first two rows hold small floats, the others anything.
    Constant(usize, [usize; 4]),
    Literal([u32; 4]),
}

#[derive(Clone)]
enum Node {
    /// Opcode, register, mask, sources.
    Op(Opcode, usize, u8, Vec<Source>),
    If(Source, bool, Vec<Node>, Vec<Node>),
    /// Rounds, counted in a lane of the register after the last.
    Loop(u32, usize, Vec<Node>),
    /// Leaves the loop, or begins its next round, where the source is not zero.
    Leave(Source, Opcode),
    /// Selector, labels with their bodies (and whether they end with a break); the last is the default.
    Switch(Source, Vec<(u32, Vec<Node>, bool)>),
}

struct Maker {
    random: Random,
    kinds: [[Kind; 4]; REGISTERS],
    loops: usize,
    in_loop: bool,
}

const FLOATS: [f32; 6] = [1.0, -2.0, 3.0, 5.0, -7.0, 16.0];

impl Maker {
    /// A source whose lanes under `mask` are of this kind, where it is not `Bits`.
    fn source(&mut self, mask: u8, kind: Kind) -> Source {
        let mut lanes = [0; 4];
        if self.random.below(3) > 0 {
            for _ in 0..8 {
                let register = self.random.below(REGISTERS);
                let fits: Vec<usize> =
                    (0..4).filter(|&n| kind == Kind::Bits || self.kinds[register][n] == kind).collect();
                if !fits.is_empty() {
                    lanes = lanes.map(|_| self.random.pick(&fits));
                    return Source::Temp(register, lanes);
                }
            }
        }
        lanes = lanes.map(|_| self.random.below(4));
        // Where every value were known, the driver's own folding would be put to the test: literals are few.
        let constant = self.random.below(4) > 0;
        match kind {
            Kind::Float if constant => Source::Constant(self.random.below(2), lanes),
            Kind::Float => Source::Literal(lanes.map(|_| self.random.pick(&FLOATS).to_bits())),
            Kind::Mask => Source::Constant(4, lanes),
            Kind::Bits if constant => Source::Constant(2 + self.random.below(2), lanes),
            Kind::Bits => {
                let some = [1, 2, 31, 33, 0xff, 0x8000_0001, 0x1234_5678];
                Source::Literal(lanes.map(|_| self.random.pick(&some)))
            }
        }
        .masked(mask)
    }

    fn op(&mut self, out: &mut Vec<Node>) {
        use Opcode::*;
        let register = self.random.below(REGISTERS);
        let mask = 1 + self.random.below(15) as u8;
        let (op, kinds, result): (Opcode, &[Kind], Kind) = {
            use Kind::{Bits as B, Float as F, Mask as M};
            self.random.pick(&[
                (Add, &[F, F][..], F),
                (Mul, &[F, F], F),
                (Mad, &[F, F, F], F),
                (Min, &[F, F], F),
                (Max, &[F, F], F),
                (Mov, &[F], F),
                (Movc, &[M, F, F], F),
                (Movc, &[B, F, F], F),
                (And, &[M, F], F),
                (And, &[F, M], F),
                (Lt, &[F, F], M),
                (Ge, &[F, F], M),
                (Eq, &[F, F], M),
                (Ne, &[F, F], M),
                (Ilt, &[B, B], M),
                (Ige, &[B, B], M),
                (Ult, &[B, B], M),
                (Uge, &[B, B], M),
                (Ieq, &[B, B], M),
                (Ine, &[B, B], M),
                (And, &[M, M], M),
                (Or, &[M, M], M),
                (Xor, &[M, M], M),
                (Not, &[M], M),
                (Movc, &[M, M, M], M),
                (Mov, &[M], M),
                (Mov, &[B], B),
                (Movc, &[B, B, B], B),
                (Movc, &[M, B, B], B),
                (And, &[B, B], B),
                (And, &[M, B], B),
                (Or, &[B, B], B),
                (Xor, &[B, B], B),
                (Not, &[B], B),
                (Iadd, &[B, B], B),
                (Iadd, &[M, B], B),
                (Ineg, &[B], B),
                (Imad, &[B, B, B], B),
                (Imax, &[B, B], B),
                (Umin, &[B, B], B),
                (Ishl, &[B, B], B),
                (Ishr, &[B, B], B),
                (Ushr, &[B, B], B),
                (Ftoi, &[F], B),
                (CountBits, &[B], B),
                (Bfrev, &[B], B),
                (Ubfe, &[B, B, B], B),
                (Ibfe, &[B, B, B], B),
            ])
        };
        let mut sources: Vec<Source> = kinds.iter().map(|&kind| self.source(mask, kind)).collect();
        if sources.iter().all(|s| matches!(s, Source::Literal(_))) {
            sources[0] = match kinds[0] {
                Kind::Float => Source::Constant(0, [3, 2, 1, 0]),
                Kind::Mask => Source::Constant(4, [3, 2, 1, 0]),
                Kind::Bits => Source::Constant(2, [3, 2, 1, 0]),
            };
        }
        out.push(Node::Op(op, register, mask, sources));
        for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
            self.kinds[register][lane] = result;
        }
        if matches!(op, Add | Mul | Mad) {
            // Back to where every product is exact, and without a negative zero.
            let own = Source::Temp(register, [0, 1, 2, 3]);
            for (op, bound) in [(Min, 64f32), (Max, -64.0)] {
                out.push(Node::Op(op, register, mask, vec![own, Source::Literal([bound.to_bits(); 4])]));
            }
            let zero = Source::Literal([0; 4]);
            out.push(Node::Op(Eq, REGISTERS, 15, vec![own, zero]));
            out.push(Node::Op(Movc, register, mask, vec![Source::Temp(REGISTERS, [0, 1, 2, 3]), zero, own]));
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Node> {
        let mut out = Vec::new();
        for _ in 0..2 + self.random.below(6) {
            match self.random.below(if depth < 3 { 10 } else { 6 }) {
                6 | 7 => {
                    let kind = self.random.pick(&[Kind::Mask, Kind::Bits]);
                    let (condition, nz) = (self.source(1, kind), self.random.below(2) == 0);
                    let before = self.kinds;
                    let then = self.block(depth + 1);
                    let after_then = std::mem::replace(&mut self.kinds, before);
                    let other = if self.random.below(2) == 0 { self.block(depth + 1) } else { Vec::new() };
                    self.merge(after_then);
                    out.push(Node::If(condition, nz, then, other));
                }
                8 => {
                    // What a round may have changed is not known at its beginning.
                    let unknown = [[Kind::Bits; 4]; REGISTERS];
                    self.kinds = unknown;
                    let counter = self.loops;
                    self.loops += 1;
                    let outer = std::mem::replace(&mut self.in_loop, true);
                    let mut body = self.block(depth + 1);
                    if self.random.below(2) == 0 {
                        let leave = self.random.pick(&[Opcode::Breakc, Opcode::Continuec]);
                        let condition = self.source(1, Kind::Bits);
                        let at = self.random.below(body.len());
                        body.insert(at, Node::Leave(condition, leave));
                    }
                    self.in_loop = outer;
                    self.kinds = unknown;
                    out.push(Node::Loop(1 + self.random.below(3) as u32, counter, body));
                }
                9 => {
                    let selector = self.source(1, Kind::Bits);
                    let before = self.kinds;
                    let mut cases: Vec<(u32, Vec<Node>, bool)> = Vec::new();
                    for n in 0..2 + self.random.below(3) {
                        self.kinds = if n == 0 { before } else { [[Kind::Bits; 4]; REGISTERS] };
                        let label = self.random.pick(&[0, 1, 2, 31, 0xff, u32::MAX]);
                        if cases.iter().any(|(l, ..)| *l == label) {
                            continue;
                        }
                        let mut body = self.block(depth + 1);
                        if self.in_loop && self.random.below(3) == 0 {
                            let condition = self.source(1, Kind::Bits);
                            body.push(Node::Leave(condition, Opcode::Continuec));
                        }
                        cases.push((label, body, self.random.below(3) > 0));
                    }
                    self.kinds = [[Kind::Bits; 4]; REGISTERS];
                    out.push(Node::Switch(selector, cases));
                }
                _ => self.op(&mut out),
            }
        }
        out
    }

    fn merge(&mut self, other: [[Kind; 4]; REGISTERS]) {
        for (mine, theirs) in self.kinds.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
            if mine != theirs {
                *mine = Kind::Bits;
            }
        }
    }
}

impl Source {
    /// Lanes that are not read are the first that is, as a compiler writes them.
    fn masked(self, mask: u8) -> Source {
        let first = mask.trailing_zeros() as usize & 3;
        let fill = |lanes: [usize; 4]| {
            let mut n = 0;
            lanes.map(|lane| {
                n += 1;
                if mask >> (n - 1) & 1 != 0 { lane } else { lanes[first] }
            })
        };
        match self {
            Source::Temp(register, lanes) => Source::Temp(register, fill(lanes)),
            Source::Constant(row, lanes) => Source::Constant(row, fill(lanes)),
            literal => literal,
        }
    }

    fn operand(self, scalar: bool) -> Operand {
        let text = |lanes: [usize; 4]| -> String {
            lanes.iter().take(if scalar { 1 } else { 4 }).map(|&n| ["x", "y", "z", "w"][n]).collect()
        };
        match self {
            Source::Temp(n, lanes) => r(n as u32, &text(lanes)),
            Source::Constant(row, lanes) => cb(0, row as u32, &text(lanes)),
            Source::Literal(bits) if scalar => l(bits[0]),
            Source::Literal(bits) => l4(bits),
        }
    }
}

fn assemble(nodes: &[Node], s: &mut Shader) {
    for node in nodes {
        match node {
            Node::Op(op, register, mask, sources) => {
                let lanes: String =
                    (0..4).filter(|n| mask >> n & 1 != 0).map(|n| ["x", "y", "z", "w"][n]).collect();
                let mut operands = vec![r(*register as u32, &lanes)];
                operands.extend(sources.iter().map(|source| source.operand(false)));
                s.op(*op, &operands);
            }
            Node::If(condition, nz, then, other) => {
                let head = Ins::new(Opcode::If, &[condition.operand(true)]);
                s.push(if *nz { head.nz() } else { head });
                assemble(then, s);
                if !other.is_empty() {
                    s.op(Opcode::Else, &[]);
                    assemble(other, s);
                }
                s.op(Opcode::EndIf, &[]);
            }
            Node::Loop(rounds, counter, body) => {
                let counter = || r((REGISTERS + 1 + counter) as u32, "x");
                let done = || r((REGISTERS + 1) as u32, "y");
                s.op(Opcode::Mov, &[counter(), l(0)])
                    .op(Opcode::Loop, &[])
                    .op(Opcode::Uge, &[done(), counter(), l(*rounds)])
                    .op_nz(Opcode::Breakc, &[done()])
                    .op(Opcode::Iadd, &[counter(), counter(), l(1)]);
                assemble(body, s);
                s.op(Opcode::EndLoop, &[]);
            }
            Node::Leave(condition, op) => {
                s.op_nz(*op, &[condition.operand(true)]);
            }
            Node::Switch(selector, cases) => {
                s.op(Opcode::Switch, &[selector.operand(true)]);
                for (n, (label, body, leaves)) in cases.iter().enumerate() {
                    if n + 1 == cases.len() {
                        s.op(Opcode::Default, &[]);
                    } else {
                        s.op(Opcode::Case, &[l(*label)]);
                    }
                    assemble(body, s);
                    if *leaves || n + 1 == cases.len() {
                        s.op(Opcode::Break, &[]);
                    }
                }
                s.op(Opcode::EndSwitch, &[]);
            }
        }
    }
}

struct Machine<'a> {
    registers: [[u32; 4]; REGISTERS + 1],
    constants: &'a [[u32; 4]; ROWS],
}

/// How a block was left.
#[derive(PartialEq)]
enum Left {
    Through,
    Break,
    Continue,
}

impl Machine<'_> {
    fn read(&self, source: Source) -> [u32; 4] {
        match source {
            Source::Temp(n, lanes) => lanes.map(|lane| self.registers[n][lane]),
            Source::Constant(row, lanes) => lanes.map(|lane| self.constants[row][lane]),
            Source::Literal(bits) => bits,
        }
    }

    fn run(&mut self, nodes: &[Node]) -> Left {
        for node in nodes {
            match node {
                Node::Op(op, register, mask, sources) => {
                    let values: Vec<[u32; 4]> = sources.iter().map(|s| self.read(*s)).collect();
                    for lane in (0..4).filter(|lane| mask >> lane & 1 != 0) {
                        let args: Vec<u32> = values.iter().map(|v| v[lane]).collect();
                        self.registers[*register][lane] = compute(*op, &args);
                    }
                }
                Node::If(condition, nz, then, other) => {
                    let taken = (self.read(*condition)[0] != 0) == *nz;
                    let left = self.run(if taken { then } else { other });
                    if left != Left::Through {
                        return left;
                    }
                }
                Node::Loop(rounds, _, body) => {
                    for _ in 0..*rounds {
                        if self.run(body) == Left::Break {
                            break;
                        }
                    }
                }
                Node::Leave(condition, op) => {
                    if self.read(*condition)[0] != 0 {
                        return if *op == Opcode::Breakc { Left::Break } else { Left::Continue };
                    }
                }
                Node::Switch(selector, cases) => {
                    let value = self.read(*selector)[0];
                    let last = cases.len() - 1;
                    let from = cases[..last].iter().position(|c| c.0 == value).unwrap_or(last);
                    for (_, body, leaves) in &cases[from..] {
                        match self.run(body) {
                            Left::Through if !leaves => {}
                            Left::Through | Left::Break => break,
                            Left::Continue => return Left::Continue,
                        }
                    }
                }
            }
        }
        Left::Through
    }
}

fn compute(op: Opcode, a: &[u32]) -> u32 {
    use Opcode::*;
    let f = |n: usize| f32::from_bits(a[n]);
    let i = |n: usize| a[n] as i32;
    let mask = |b: bool| if b { u32::MAX } else { 0 };
    match op {
        Add => (f(0) + f(1)).to_bits(),
        Mul => (f(0) * f(1)).to_bits(),
        Mad => (f(0) * f(1) + f(2)).to_bits(),
        Min => (if f(0) < f(1) { f(0) } else { f(1) }).to_bits(),
        Max => (if f(0) >= f(1) { f(0) } else { f(1) }).to_bits(),
        Mov => a[0],
        Movc => a[if a[0] != 0 { 1 } else { 2 }],
        And => a[0] & a[1],
        Or => a[0] | a[1],
        Xor => a[0] ^ a[1],
        Not => !a[0],
        Lt => mask(f(0) < f(1)),
        Ge => mask(f(0) >= f(1)),
        Eq => mask(f(0) == f(1)),
        Ne => mask(f(0) != f(1)),
        Ilt => mask(i(0) < i(1)),
        Ige => mask(i(0) >= i(1)),
        Ult => mask(a[0] < a[1]),
        Uge => mask(a[0] >= a[1]),
        Ieq => mask(a[0] == a[1]),
        Ine => mask(a[0] != a[1]),
        Iadd => a[0].wrapping_add(a[1]),
        Ineg => a[0].wrapping_neg(),
        Imad => a[0].wrapping_mul(a[1]).wrapping_add(a[2]),
        Imax => i(0).max(i(1)) as u32,
        Umin => a[0].min(a[1]),
        Ishl => a[0] << (a[1] & 31),
        Ishr => (i(0) >> (a[1] & 31)) as u32,
        Ushr => a[0] >> (a[1] & 31),
        Ftoi => f(0) as i32 as u32,
        CountBits => a[0].count_ones(),
        Bfrev => a[0].reverse_bits(),
        Ubfe | Ibfe => {
            let (width, offset) = (a[0] & 31, a[1] & 31);
            if width == 0 {
                return 0;
            }
            // What is left of the value above the field's top, or above bit 31, is shifted out.
            if width + offset < 32 {
                let top = a[2] << (32 - width - offset);
                return if op == Ubfe { top >> (32 - width) } else { (top as i32 >> (32 - width)) as u32 };
            }
            if op == Ubfe { a[2] >> offset } else { (a[2] as i32 >> offset) as u32 }
        }
        _ => unreachable!("{op:?} is not made"),
    }
}

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |v| v.parse().unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// The program without its `n`th node (in the order of reading); a block may leave its contents. `None` past the end.
fn without(nodes: &[Node], n: &mut usize, keep_contents: bool) -> Option<Vec<Node>> {
    for (at, node) in nodes.iter().enumerate() {
        let replaced = |with: Vec<Node>| Some([&nodes[..at], &with, &nodes[at + 1..]].concat());
        if *n == 0 {
            return replaced(match node {
                Node::If(_, _, then, _) if keep_contents => then.clone(),
                Node::Loop(_, _, body) if keep_contents => body.clone(),
                _ => Vec::new(),
            });
        }
        *n -= 1;
        match node {
            Node::If(condition, nz, then, other) => {
                if let Some(then) = without(then, n, keep_contents) {
                    return replaced(vec![Node::If(*condition, *nz, then, other.clone())]);
                }
                if let Some(other) = without(other, n, keep_contents) {
                    return replaced(vec![Node::If(*condition, *nz, then.clone(), other)]);
                }
            }
            Node::Loop(rounds, counter, body) => {
                if let Some(body) = without(body, n, keep_contents) {
                    return replaced(vec![Node::Loop(*rounds, *counter, body)]);
                }
            }
            Node::Switch(selector, cases) => {
                for (k, (label, body, leaves)) in cases.iter().enumerate() {
                    if let Some(body) = without(body, n, keep_contents) {
                        let mut cases = cases.clone();
                        cases[k] = (*label, body, *leaves);
                        return replaced(vec![Node::Switch(*selector, cases)]);
                    }
                }
            }
            Node::Op(..) | Node::Leave(..) => {}
        }
    }
    None
}

/// The program as a shader that ends with its registers in four targets.
fn shader(nodes: &[Node], loops: usize) -> Shader {
    let mut s = Shader::pixel();
    s.constant_buffer(0, ROWS as u32, false);
    for n in 0..REGISTERS as u32 {
        s.target(n, "xyzw", Type::Uint);
    }
    s.temps((REGISTERS + 2 + loops) as u32);
    assemble(nodes, &mut s);
    for n in 0..REGISTERS as u32 {
        s.op(Opcode::Mov, &[o(n, "xyzw"), r(n, "xyzw")]);
    }
    s.op(Opcode::Ret, &[]);
    s
}

/// What differs, if anything does.
fn difference(
    nodes: &[Node],
    loops: usize,
    constants: &[[u32; 4]; ROWS],
    gls: &[(Backend, Gl)],
) -> Option<String> {
    let shader = shader(nodes, loops);
    let mut machine = Machine { registers: [[0; 4]; REGISTERS + 1], constants };
    machine.run(nodes);
    let want = &machine.registers[..REGISTERS];
    for registers in [Registers::Typed, Registers::Float] {
        let source = glsl_with(&shader, &Options { registers, ..Options::default() }).source;
        for (backend, gl) in gls {
            let mut job = Job::fullscreen(source.clone(), Target::Rgba32ui, [1, 1]);
            job.targets = vec![Target::Rgba32ui; REGISTERS];
            let job = job.block("ConstantBuffer0", bytes(constants));
            let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{source}"));
            let got: Vec<[u32; 4]> = output.pixels.iter().map(|p| p[0]).collect();
            if got != want {
                return Some(format!("{backend}, {registers:?}\n{source}\ngot  {got:x?}\nwant {want:x?}"));
            }
        }
    }
    None
}

#[test]
fn random_programs_compute_what_direct3d_would() {
    let (count, first) = (number("SHADERPORT_PROGRAMS", 10), number("SHADERPORT_SEED", 0));
    let gls = drivers();
    for seed in first..first + count {
        let kinds = [[Kind::Bits; 4]; REGISTERS];
        let mut maker = Maker { random: Random(seed), kinds, loops: 0, in_loop: false };
        let mut nodes: Vec<Node> = (0..REGISTERS)
            .map(|n| Node::Op(Opcode::Mov, n, 15, vec![Source::Constant(n, [0, 1, 2, 3])]))
            .collect();
        nodes.extend(maker.block(0));
        let small = |random: &mut Random| [0; 4].map(|_| random.pick(&FLOATS).to_bits());
        let any = |random: &mut Random| [0; 4].map(|_| random.next() as u32 >> random.below(32));
        let random = &mut maker.random;
        let masks = [0; 4].map(|_| random.pick(&[0, u32::MAX]));
        let constants = [small(random), small(random), any(random), any(random), masks];
        // Mesa takes most of a second for its machine code.
        let gls = if seed % 16 == 0 { &gls[..] } else { &gls[..1] };
        let Some(mut wrong) = difference(&nodes, maker.loops, &constants, gls) else { continue };
        // The smallest part of it that is still wrong.
        let mut at = 0;
        while let Some(smaller) = without(&nodes, &mut { at / 2 }, at % 2 == 0) {
            match difference(&smaller, maker.loops, &constants, gls) {
                Some(still) => (nodes, wrong, at) = (smaller, still, 0),
                None => at += 1,
            }
        }
        let s = shader(&nodes, maker.loops);
        panic!("SHADERPORT_SEED={seed} SHADERPORT_PROGRAMS=1: {wrong}\n{constants:x?}\n{}", listing(&s));
    }
}

fn listing(shader: &Shader) -> String {
    let bytes = shader.build();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap();
    let mut text = String::new();
    disasm::disassemble(&program, &mut text);
    text
}
