//! Random programs: any bits in any register, arrays and dynamic indices, nested branches, loops, switches and
//! subroutines; in tests of their own, also several uses of one texture. Only values that depend neither on the bits of a NaN, the sign of a zero nor the flushing of
//! denormals are compared: GLSL leaves these open, and the program may take them for integers.
//!
//! `PROGRAMS=n` runs more, `SEED=n` begins elsewhere, `REGISTERS=float` translates to a float register file.

use shaderport_asm::{Idx, Ins, Operand, Shader, Type, cb, icb, l, l4, label, o, r, s, t, v, x};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, draw, execute_row, makes_nan, translate};
use shaderport_dxbc::disasm::disassemble;
use shaderport_dxbc::program::{ResourceDimension, ReturnType};
use shaderport_dxbc::{Opcode, ScalarType, Slot};
use shaderport_exec::{
    Address, Bindings, ConstantBuffer, Executor, Inputs, Outputs, Resource, Sampler, Step, Texture,
};
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{Options, Registers};
use std::time::Duration;

const WIDTH: usize = 16;
const ROWS: usize = 64;
const TEMPS: u32 = 5;
/// Where a texture is read: the temporary behind that of indices.
const PLACE: u32 = TEMPS + 1;
/// Texels along each side of the texture, which has a smaller level as well.
const TEXELS: u32 = 4;
/// Loop counters stand behind the temporaries.
const COUNTERS: u32 = 8;
const ARRAY: u32 = 4;
const CONSTANTS: u32 = 6;
/// Runs with what is open chosen at random, where a value differs: if one of them differs as well, it depends on that.
const FREE_RUNS: u64 = 256;

/// Opcodes whose results are exact on every implementation; `min` and `max` may flush denormals or not.
const OPCODES: [Opcode; 46] = {
    use Opcode::*;
    [
        Add, Mul, RoundNe, RoundNi, RoundPi, RoundZ, Add, Mul, Eq, Ge, Lt, Ne, Ige, Ieq, Ilt, Ine, Uge, Ult,
        Iadd, Imad, Imax, Imin, Umax, Umin, Ineg, Imul, Umul, Udiv, Uaddc, Usubb, And, Or, Xor, Not, Ishl,
        Ishr, Ushr, Ubfe, Ibfe, Bfi, Ftoi, Ftou, Mov, Movc, Mov, Swapc,
    ]
};

#[derive(Clone, Debug)]
enum Node {
    Op(Ins),
    /// What must stay together.
    Ops(Vec<Ins>),
    If(Operand, bool, Vec<Node>, Option<Vec<Node>>),
    Loop(u32, u32, Vec<Node>),
    Switch(Operand, Vec<(Option<u32>, Vec<Node>)>),
    Call(u32),
}

struct Maker {
    random: Random,
    loops: u32,
    /// Blocks around that a `break` may leave, and whether one of them is a loop.
    breaks: u32,
    in_loop: u32,
    calls: bool,
    textures: bool,
    /// Whether there are jumps without a condition, and calls with one: since seed [`JUMPS_FROM`] of those with
    /// textures, as older seeds would make other programs.
    jumps: bool,
}

impl Maker {
    fn swizzle(&mut self) -> String {
        (0..4).map(|_| self.random.pick(&['x', 'y', 'z', 'w'])).collect()
    }

    fn mask(&mut self) -> String {
        let bits = 1 + self.random.below(15);
        "xyzw".char_indices().filter(|(n, _)| bits >> n & 1 != 0).map(|(_, c)| c).collect()
    }

    fn lane(&mut self) -> &'static str {
        self.random.pick(&["x", "y", "z", "w"])
    }

    fn word(&mut self) -> u32 {
        let some =
            [0, 1, 2, 5, 31, 32, 0x3f80_0000, 0xbf00_0000, 0x4049_0fdb, 0x8000_0000, u32::MAX, 0x7f80_0000];
        if self.random.once_in(4) { self.random.bits() } else { self.random.pick(&some) }
    }

    /// An index within `count`, computed: `(r & (count - 1))` stands in a temporary of its own.
    fn index(&mut self, out: &mut Vec<Node>, count: u32) -> Idx {
        let lane = self.lane();
        let from = r(self.random.below(TEMPS), self.lane());
        out.push(Node::Op(Ins::new(Opcode::And, &[r(TEMPS, lane), from, l(count - 1)])));
        Idx::from((r(TEMPS, lane), 0))
    }

    fn source(&mut self, out: &mut Vec<Node>, scalar: bool, literal: &mut bool) -> Operand {
        let lanes = if scalar { self.lane().to_string() } else { self.swizzle() };
        match self.random.below(12) {
            0 | 1 => v(self.random.below(2), &lanes),
            2 => cb(0, self.random.below(CONSTANTS), &lanes),
            3 if *literal => {
                *literal = false;
                if scalar { l(self.word()) } else { l4([0; 4].map(|_: u32| self.word())) }
            }
            4 if *literal => {
                *literal = false;
                let index = self.index(out, 4);
                if self.random.once_in(2) { icb(index, &lanes) } else { cb(0, index, &lanes) }
            }
            5 if *literal => {
                *literal = false;
                x(0, self.index(out, ARRAY), &lanes)
            }
            6 => x(0, self.random.below(ARRAY), &lanes),
            _ => r(self.random.below(TEMPS), &lanes),
        }
    }

    /// A use of the texture: texels by any integers, sizes, gathers, and samples by one of two samplers. Places lie
    /// between the centres and the edges of texels in every level, in the texture and around it.
    fn fetch(&mut self, out: &mut Vec<Node>) {
        let from = r(self.random.below(TEMPS), &self.swizzle());
        let dest = r(self.random.below(TEMPS), &self.mask());
        let (texture, place) = (t(0, &self.swizzle()), r(PLACE, "xyzw"));
        let mut all = Vec::new();
        let ins = match self.random.below(5) {
            0 => Ins::new(Opcode::Ld, &[dest, from, texture]),
            1 => {
                // Mostly inside: one more than there are texels and levels.
                all.push(Ins::new(Opcode::And, &[place.clone(), from, l4([7, 3, 0, 1u32])]));
                Ins::new(Opcode::Ld, &[dest, place, texture])
            }
            2 => {
                all.push(Ins::new(Opcode::And, &[place, from, l4([3u32; 4])]));
                Ins::new(Opcode::ResInfo, &[dest, r(PLACE, "x"), texture]).controls(2 << 11)
            }
            kind => {
                for (opcode, operands) in [
                    (Opcode::And, [from, l4([7u32; 4])].to_vec()),
                    (Opcode::Utof, [place.clone()].to_vec()),
                    (Opcode::Add, [place.clone(), l4([-1.25f32; 4])].to_vec()),
                    (Opcode::Mul, [place.clone(), l4([1.0 / TEXELS as f32; 4])].to_vec()),
                ] {
                    all.push(Ins::new(opcode, &[std::slice::from_ref(&place), &operands[..]].concat()));
                }
                let sampler = s(self.random.below(2));
                if kind == 3 {
                    Ins::new(Opcode::Gather4, &[dest, place, texture, sampler])
                } else {
                    let level = l(self.random.below(2) as f32);
                    Ins::new(Opcode::SampleL, &[dest, place, texture, sampler, level])
                }
            }
        };
        all.push(ins);
        out.push(Node::Ops(all));
    }

    fn op(&mut self, out: &mut Vec<Node>) {
        if self.textures && self.random.once_in(4) {
            return self.fetch(out);
        }
        let opcode = self.random.pick(&OPCODES);
        let slots = opcode.info().slots;
        let mut literal = true;
        let mut operands = Vec::new();
        let mut float = false;
        let mut used = Vec::new();
        for slot in slots {
            match slot {
                Slot::Dest(ty) => {
                    float |= *ty == ScalarType::Float;
                    let mask = self.mask();
                    // Two destinations are two registers.
                    let free: Vec<u32> = (0..TEMPS).filter(|n| !used.contains(n)).collect();
                    let register = self.random.pick(&free);
                    used.push(register);
                    operands.push(if used.len() == 1 && self.random.once_in(8) {
                        x(0, self.random.below(ARRAY), &mask)
                    } else {
                        r(register, &mask)
                    });
                }
                Slot::Src(ty) => {
                    let operand = self.source(out, false, &mut literal);
                    let signed = matches!(ty, ScalarType::Float | ScalarType::Int | ScalarType::Bits)
                        && !matches!(
                            opcode,
                            Opcode::And
                                | Opcode::Or
                                | Opcode::Xor
                                | Opcode::Not
                                | Opcode::Ishl
                                | Opcode::Ishr
                        );
                    operands.push(match self.random.below(6) {
                        0 if signed => -operand,
                        1 if *ty == ScalarType::Float => operand.abs(),
                        _ => operand,
                    });
                }
                _ => {}
            }
        }
        let ins = Ins::new(opcode, &operands);
        out.push(Node::Op(if float && self.random.once_in(6) { ins.sat() } else { ins }));
    }

    /// A jump at the end of a branch.
    fn jump(&mut self) -> Option<Node> {
        if !self.jumps || !self.random.once_in(3) {
            return None;
        }
        let opcode = match self.random.below(5) {
            0 | 1 if self.breaks > 0 => Opcode::Break,
            2 | 3 if self.in_loop > 0 => Opcode::Continue,
            4 => Opcode::Ret,
            _ => return None,
        };
        Some(Node::Op(Ins::new(opcode, &[])))
    }

    fn block(&mut self, depth: u32) -> Vec<Node> {
        let mut out = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            self.op(&mut out);
            if depth == 0 {
                continue;
            }
            match self.random.below(14) {
                0 | 1 => {
                    let condition = self.source(&mut out, true, &mut false);
                    let (nz, mut then) = (self.random.once_in(2), self.block(depth - 1));
                    then.extend(self.jump());
                    let mut otherwise = self.random.once_in(2).then(|| self.block(depth - 1));
                    if let Some(otherwise) = &mut otherwise {
                        otherwise.extend(self.jump());
                    }
                    out.push(Node::If(condition, nz, then, otherwise));
                }
                2 if self.loops < 3 => {
                    let counter = COUNTERS + self.loops;
                    let saved = (self.breaks, self.in_loop);
                    (self.loops, self.breaks, self.in_loop) =
                        (self.loops + 1, self.breaks + 1, self.in_loop + 1);
                    let body = self.block(depth - 1);
                    self.loops -= 1;
                    (self.breaks, self.in_loop) = saved;
                    out.push(Node::Loop(1 + self.random.below(4), counter, body));
                }
                3 | 4 => {
                    self.breaks += 1;
                    let selector = self.source(&mut out, true, &mut false);
                    let mut cases = Vec::new();
                    let mut labels = vec![0, 1, 2, u32::MAX, 0x3f80_0000];
                    let default = self.random.below(5);
                    for n in 0..1 + self.random.below(4) {
                        let at = self.random.below(labels.len() as u32) as usize;
                        let value = if n == default { None } else { Some(labels.swap_remove(at)) };
                        // Falling through is for empty bodies, or with code as model 4 has it.
                        let mut body =
                            if self.random.once_in(3) { Vec::new() } else { self.block(depth - 1) };
                        if !body.is_empty() && !self.random.once_in(4) {
                            body.push(Node::Op(Ins::new(Opcode::Break, &[])));
                        }
                        cases.push((value, body));
                    }
                    self.breaks -= 1;
                    out.push(Node::Switch(selector, cases));
                }
                5 if self.breaks > 0 => {
                    let condition = self.source(&mut out, true, &mut false);
                    let ins = Ins::new(Opcode::Breakc, &[condition]);
                    out.push(Node::Op(if self.random.once_in(2) { ins.nz() } else { ins }));
                }
                6 if self.in_loop > 0 => {
                    let condition = self.source(&mut out, true, &mut false);
                    let ins = Ins::new(Opcode::Continuec, &[condition]);
                    out.push(Node::Op(if self.random.once_in(2) { ins.nz() } else { ins }));
                }
                7 if self.calls => {
                    let n = self.random.below(2);
                    if self.jumps && self.random.once_in(2) {
                        let condition = self.source(&mut out, true, &mut false);
                        let ins = Ins::new(Opcode::Callc, &[condition, label(n)]);
                        out.push(Node::Op(if self.random.once_in(2) { ins.nz() } else { ins }));
                    } else {
                        out.push(Node::Call(n));
                    }
                }
                8 if self.random.once_in(4) => {
                    let condition = self.source(&mut out, true, &mut false);
                    out.push(Node::Op(Ins::new(Opcode::Retc, &[condition])));
                }
                _ => {}
            }
        }
        out
    }
}

fn write(nodes: &[Node], shader: &mut Shader) {
    for node in nodes {
        match node {
            Node::Op(ins) => {
                shader.push(ins.clone());
            }
            Node::Ops(all) => {
                for ins in all {
                    shader.push(ins.clone());
                }
            }
            Node::If(condition, nz, then, otherwise) => {
                let ins = Ins::new(Opcode::If, std::slice::from_ref(condition));
                shader.push(if *nz { ins.nz() } else { ins });
                write(then, shader);
                if let Some(otherwise) = otherwise {
                    shader.op(Opcode::Else, &[]);
                    write(otherwise, shader);
                }
                shader.op(Opcode::EndIf, &[]);
            }
            Node::Loop(rounds, counter, body) => {
                let c = *counter;
                shader
                    .op(Opcode::Mov, &[r(c, "x"), l(0u32)])
                    .op(Opcode::Loop, &[])
                    .op(Opcode::Uge, &[r(c, "y"), r(c, "x"), l(*rounds)])
                    .op_nz(Opcode::Breakc, &[r(c, "y")])
                    .op(Opcode::Iadd, &[r(c, "x"), r(c, "x"), l(1u32)]);
                write(body, shader);
                shader.op(Opcode::EndLoop, &[]);
            }
            Node::Switch(selector, cases) => {
                shader.op(Opcode::Switch, std::slice::from_ref(selector));
                for (n, (value, body)) in cases.iter().enumerate() {
                    match value {
                        Some(value) => shader.op(Opcode::Case, &[l(*value)]),
                        None => shader.op(Opcode::Default, &[]),
                    };
                    write(body, shader);
                    if n + 1 == cases.len() {
                        shader.op(Opcode::Break, &[]);
                    }
                }
                shader.op(Opcode::EndSwitch, &[]);
            }
            Node::Call(n) => {
                shader.op(Opcode::Call, &[label(*n)]);
            }
        }
    }
}

/// A texture of two levels, and two samplers that differ beyond its edges.
fn bind_texture(bindings: Bindings, random: &mut Random) -> Bindings {
    let mut level = |side: u32| {
        let texels = (0..side * side).map(|_| [0; 4].map(|_: u32| random.dyadic(-8.0, 8.0).to_bits()));
        texels.collect::<Vec<_>>()
    };
    let levels = vec![level(TEXELS), level(TEXELS / 2)];
    let texture = Texture::new(ResourceDimension::Texture2D, [TEXELS, TEXELS, 1], 1, levels).unwrap();
    bindings
        .resource(0, Resource::Texture(texture))
        .sampler(0, Sampler::default())
        .sampler(1, Sampler { address: [Address::Wrap; 3], ..Sampler::default() })
}

/// Main program and subroutines.
type Blocks = Vec<Vec<Node>>;

/// What a program declares.
struct Frame {
    icb_rows: Vec<[u32; 4]>,
    textures: bool,
}

fn build(blocks: &Blocks, frame: &Frame) -> Vec<u8> {
    let mut shader = Shader::pixel();
    if frame.textures {
        let texture = (ResourceDimension::Texture2D, ReturnType::Float);
        shader.sampler(0, false).sampler(1, false).texture(0, texture.0, texture.1);
    }
    shader.immediate_constants(&frame.icb_rows).constant_buffer(0, CONSTANTS, true);
    for n in 0..2 {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    for n in 0..4 {
        shader.target(n, "xyzw", Type::Uint);
    }
    shader.temps(COUNTERS + 3).indexable_temp(0, ARRAY, 4);
    // A value in every register: reads before writes are undefined.
    for n in 0..COUNTERS + 3 {
        shader.op(Opcode::Mov, &[r(n, "xyzw"), v(n % 2, ["xyzw", "wzyx", "yyxx"][n as usize % 3])]);
    }
    for n in 0..ARRAY {
        shader.op(Opcode::Mov, &[x(0, n, "xyzw"), cb(0, n, "xyzw")]);
    }
    // Outputs are written by a subroutine's caller alone, so a `ret` in the main program must leave them written.
    let body = blocks.len() as u32 - 1;
    shader.op(Opcode::Call, &[label(body)]);
    for n in 0..4u32 {
        shader.op(Opcode::Mov, &[o(n, "xyzw"), if n < 3 { r(n, "xyzw") } else { x(0, 1u32, "xyzw") }]);
    }
    shader.op(Opcode::Ret, &[]);
    for (n, block) in blocks.iter().enumerate() {
        shader.op(Opcode::Label, &[label(n as u32)]);
        write(block, &mut shader);
        shader.op(Opcode::Ret, &[]);
    }
    shader.build()
}

/// Seeds from here on, of programs that read a texture, have all kinds of jumps.
const JUMPS_FROM: u64 = 1000;

/// Seeds that showed a fault once, of the translation or of the comparison: they run every time.
const REGRESSIONS: [u64; 11] =
    [700_121, 700_123, 700_263, 700_270, 700_619, 700_630, 701_024, 701_087, 701_142, 910_493, 800_681];

/// The same of programs that read a texture.
const TEXTURE_REGRESSIONS: [u64; 3] = [19, 25, 5480];

/// Seeds of what a driver does in its own way: see `tests/drivers.rs`.
const KNOWN: [(Backend, u64, &str); 2] = [
    (Backend::Mesa, 702_971, "Mesa compares a sum with its own term by the other"),
    (Backend::Mesa, 710_717, "Mesa takes NaN for more than a value that it knows to be 0 on that path"),
];

fn options() -> Options {
    let registers = match std::env::var("REGISTERS").as_deref() {
        Ok("float") => Registers::Float,
        _ => Registers::Typed,
    };
    Options { registers, ..draw::options() }
}

/// What draws, and what came of it.
struct Bench {
    worker: Worker,
    backend: Backend,
    /// Values compared.
    compared: u64,
}

/// What is different, in a line; `Err` if the text is refused.
///
/// On Mesa, an integer may become 0 where a float may be added to it and is not: llvmpipe flushes what looks like a
/// denormal (`tests/drivers.rs`).
fn difference(bench: &mut Bench, bytes: &[u8], scene: &Scene) -> Result<Option<String>, String> {
    let subject = Subject::new(bytes).map_err(|e| format!("{e:?}"))?;
    let translation = translate(bytes, &options()).map_err(|e| format!("{e:?}"))?;
    let fail = |e: shaderport_exec::Error| e.to_string();
    let flushing = Executor::new(&subject.program).map_err(fail)?.limit(20_000);
    let executors = [flushing.clone(), flushing.clone().keep_denormals(true)];
    let mut rows = Vec::new();
    for row in 0..scene.inputs.len() {
        let mut nan = false;
        let mut look = |step: &Step<'_>| nan |= makes_nan(&subject.program, step);
        let mut runs = Vec::new();
        for executor in &executors {
            // Loops within loops and calls may take long: no matter.
            let Ok(outputs) = execute_row(executor, scene, row, &mut look) else { return Ok(None) };
            runs.push(outputs);
        }
        rows.push((!nan).then_some(runs));
    }
    let job = draw::job(&translation, scene)?;
    let output = bench.worker.draw(&job).map_err(|e| format!("{e}\n{}", translation.source))?;
    for (row, runs) in rows.iter().enumerate() {
        let Some(runs) = runs else { continue };
        for (target, pixels) in output.pixels.iter().enumerate() {
            for (lane, &found) in pixels[row].iter().enumerate() {
                let value = |run: &Outputs| run.registers[target][lane];
                let a = value(&runs[0]);
                let open = || {
                    (0..FREE_RUNS).any(|seed| {
                        // What makes a NaN then may depend on its bits, which are open, too.
                        let mut nan = false;
                        let mut look = |step: &Step<'_>| nan |= makes_nan(&subject.program, step);
                        let run = execute_row(&flushing.clone().free(seed), scene, row, &mut look);
                        run.is_ok_and(|run| nan || value(&run) != a)
                    })
                };
                let flushed = bench.backend == Backend::Mesa && a & 0x7f80_0000 == 0 && a & 1 << 31 == found;
                bench.compared += u64::from(a == value(&runs[1]));
                if a == value(&runs[1]) && a != found && !flushed && !open() {
                    return Ok(Some(format!(
                        "row {row} o{target} lane {lane}: expected {a:08x}, found {found:08x}"
                    )));
                }
            }
        }
    }
    Ok(None)
}

/// Every way to leave out one node, or to put a block's contents in its place.
fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    for n in 0..nodes.len() {
        let with = |middle: &[Node]| [&nodes[..n], middle, &nodes[n + 1..]].concat();
        all.push(with(&[]));
        match &nodes[n] {
            Node::If(c, nz, then, otherwise) => {
                if otherwise.is_some() {
                    all.push(with(&[Node::If(c.clone(), *nz, then.clone(), None)]));
                }
                for then in smaller(then) {
                    all.push(with(&[Node::If(c.clone(), *nz, then, otherwise.clone())]));
                }
                for otherwise in otherwise.iter().flat_map(|o| smaller(o)) {
                    all.push(with(&[Node::If(c.clone(), *nz, then.clone(), Some(otherwise))]));
                }
            }
            Node::Loop(rounds, counter, body) => {
                for body in smaller(body) {
                    all.push(with(&[Node::Loop(*rounds, *counter, body)]));
                }
            }
            Node::Switch(selector, cases) => {
                for at in 0..cases.len() {
                    let mut fewer = cases.clone();
                    fewer.remove(at);
                    if !fewer.is_empty() {
                        all.push(with(&[Node::Switch(selector.clone(), fewer)]));
                    }
                    for body in smaller(&cases[at].1) {
                        let mut cases = cases.clone();
                        cases[at].1 = body;
                        all.push(with(&[Node::Switch(selector.clone(), cases)]));
                    }
                }
            }
            Node::Op(_) | Node::Ops(_) | Node::Call(_) => {}
        }
    }
    all
}

fn shrink(bench: &mut Bench, mut blocks: Blocks, frame: &Frame, scene: &Scene) -> Blocks {
    let mut tries = 0;
    // A program that is refused must not become one that differs, or the other way about.
    let refused = difference(bench, &build(&blocks, frame), scene).is_err();
    'again: loop {
        for n in 0..blocks.len() {
            for candidate in smaller(&blocks[n]) {
                tries += 1;
                if tries > 1500 {
                    return blocks;
                }
                let mut fewer = blocks.clone();
                fewer[n] = candidate;
                let found = difference(bench, &build(&fewer, frame), scene);
                if !matches!(found, Ok(None)) && found.is_err() == refused {
                    blocks = fewer;
                    continue 'again;
                }
            }
        }
        return blocks;
    }
}

fn run(backend: Backend, default: u64, textures: bool) {
    let number =
        |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, seed) = (number("PROGRAMS", default), number("SEED", if textures { JUMPS_FROM } else { 1 }));
    let worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let mut bench = Bench { worker, backend, compared: 0 };
    let (mut bad, mut programs) = (0, 0);
    let regressions = if textures { &TEXTURE_REGRESSIONS[..] } else { &REGRESSIONS[..] };
    for seed in regressions.iter().copied().chain(seed..seed + count) {
        if !textures && KNOWN.iter().any(|(b, known, _)| (*b, *known) == (backend, seed)) {
            continue;
        }
        programs += 1;
        let random = Random::new(seed);
        let mut maker = Maker {
            random,
            loops: 0,
            breaks: 0,
            in_loop: 0,
            calls: false,
            textures,
            jumps: textures && seed >= JUMPS_FROM,
        };
        // A subroutine has loop counters of its own only where no caller loops over it: these do not loop.
        maker.loops = 3;
        let leaves: Blocks = (0..2).map(|_| maker.block(2)).collect();
        (maker.loops, maker.calls) = (0, true);
        let blocks = [leaves, vec![maker.block(3)]].concat();
        let mut random = maker.random;
        let mut word = || {
            let some = [0, 1, 3, 0x3f80_0000, 0xc000_0000, 0x4120_0000, 0x8000_0000, u32::MAX, 0x0000_8000];
            if random.once_in(3) { random.bits() } else { random.pick(&some) }
        };
        let mut row = || std::array::from_fn(|_| word());
        let icb_rows: Vec<[u32; 4]> = (0..4).map(|_| row()).collect();
        let frame = Frame { icb_rows, textures };
        let constants = ConstantBuffer::from_rows((0..CONSTANTS).map(|_| row()).collect());
        let inputs: Vec<_> =
            (0..ROWS).map(|_| Inputs::default().register(0, row()).register(1, row())).collect();
        let mut bindings = Bindings::default().constants(0, constants);
        if textures {
            bindings = bind_texture(bindings, &mut random);
        }
        let scene =
            Scene { bindings, inputs, width: WIDTH, position: None, elements: Vec::new(), corners: None };
        match difference(&mut bench, &build(&blocks, &frame), &scene) {
            Ok(None) => continue,
            Ok(Some(what)) => println!("DIFF seed {seed}: {what}"),
            Err(what) => println!("FAIL seed {seed}: {what}"),
        }
        bad += 1;
        if bad > 5 {
            break;
        }
        let blocks = shrink(&mut bench, blocks, &frame, &scene);
        let bytes = build(&blocks, &frame);
        println!("  smallest: {:?}", difference(&mut bench, &bytes, &scene));
        let mut listing = String::new();
        disassemble(&Subject::new(&bytes).unwrap().program, &mut listing);
        let code: Vec<_> = listing.lines().skip_while(|l| !l.starts_with("dcl_index")).collect();
        println!("{}", code.join("\n"));
        println!("{}", translate(&bytes, &options()).unwrap().source);
    }
    assert_eq!(bad, 0);
    let share = bench.compared * 100 / (programs * ROWS as u64 * 16);
    println!("{programs} programs, {} values, {share} of 100", bench.compared);
    assert!(share >= 50 || programs < 10, "only {share} of 100 values were compared");
}

#[test]
fn angle() {
    run(Backend::Angle, 200, false);
}

#[test]
fn mesa() {
    run(Backend::Mesa, 20, false);
}

#[test]
fn angle_with_textures() {
    run(Backend::Angle, 100, true);
}

#[test]
fn mesa_with_textures() {
    run(Backend::Mesa, 10, true);
}
