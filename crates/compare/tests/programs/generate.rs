//! Makes programs of seeds, and makes them smaller.

use shaderport_asm::{Idx, Ins, Operand, Shader, Type, cb, icb, l, l4, label, null, o, r, s, t, v, x};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_dxbc::program::{Interpolation, ResourceDimension, ReturnType};
use shaderport_dxbc::{Opcode, ScalarType, Slot, Stage, SystemValue};
use shaderport_exec::{
    Address, Bindings, Comparison, ConstantBuffer, Inputs, Resource, Sampler, TexelKind, Texture,
};

const WIDTH: usize = 16;
pub(crate) const ROWS: usize = 64;
const TEMPS: u32 = 5;
/// Where a texture is read: the temporary behind that of indices.
const PLACE: u32 = TEMPS + 1;
/// Beside it, for what takes two.
const OTHER: u32 = TEMPS + 2;
/// Texels along each side of the texture, which has a smaller level as well.
const TEXELS: u32 = 4;
/// Bytes of a structure.
const STRIDE: u32 = 20;
/// Loop counters stand behind the temporaries.
const COUNTERS: u32 = 8;
const ARRAY: u32 = 4;
const CONSTANTS: u32 = 6;
/// Seeds from here on, of programs that read a texture, have all kinds of jumps.
const JUMPS_FROM: u64 = 1000;

/// Seeds from here on have all kinds of jumps, every opcode but [`EVALUATIONS`], and programs of vertices.
const WIDE_FROM: u64 = 10_000_000;

/// Seeds from here on have every opcode.
pub(crate) const WHOLE_FROM: u64 = 12_000_000;

/// Opcodes whose results are exact on every implementation, whatever they are given.
const OPCODES: [Opcode; 46] = {
    use Opcode::*;
    [
        Add, Mul, RoundNe, RoundNi, RoundPi, RoundZ, Add, Mul, Eq, Ge, Lt, Ne, Ige, Ieq, Ilt, Ine, Uge, Ult,
        Iadd, Imad, Imax, Imin, Umax, Umin, Ineg, Imul, Umul, Udiv, Uaddc, Usubb, And, Or, Xor, Not, Ishl,
        Ishr, Ushr, Ubfe, Ibfe, Bfi, Ftoi, Ftou, Mov, Movc, Mov, Swapc,
    ]
};

/// More of these, since seed [`WIDE_FROM`].
const MORE: [Opcode; 11] = {
    use Opcode::*;
    [Min, Max, Umad, Msad, CountBits, Bfrev, FirstBitHi, FirstBitLo, FirstBitShi, F32ToF16, F16ToF32]
};

/// Opcodes that are exact only for some arguments, or up to a rounding, or are for pixels alone: see [`Maker::recipe`].
const RECIPES: [Opcode; 23] = {
    use Opcode::*;
    [
        Itof,
        Utof,
        Frc,
        Mad,
        Dp2,
        Dp3,
        Dp4,
        Div,
        Rcp,
        Sqrt,
        Rsq,
        Exp,
        Log,
        SinCos,
        Nop,
        DebugBreak,
        Discard,
        DerivRtx,
        DerivRty,
        DerivRtxCoarse,
        DerivRtyCoarse,
        DerivRtxFine,
        DerivRtyFine,
    ]
};

/// Reads of textures and buffers.
const READS: [Opcode; 16] = {
    use Opcode::*;
    [
        Ld,
        LdRaw,
        LdStructured,
        BufInfo,
        ResInfo,
        Sample,
        SampleB,
        SampleC,
        SampleCLz,
        SampleL,
        SampleD,
        Lod,
        Gather4,
        Gather4C,
        Gather4Po,
        Gather4PoC,
    ]
};

/// Reads at the level that derivatives give, which only pixels have; the table of opcodes lets vertices name them, too.
pub(crate) const IMPLICIT: [Opcode; 3] = [Opcode::Sample, Opcode::SampleB, Opcode::SampleC];

/// Evaluations of an input, which has one value all over a point. Since seed [`WHOLE_FROM`].
const EVALUATIONS: [Opcode; 3] = [Opcode::EvalSnapped, Opcode::EvalSampleIndex, Opcode::EvalCentroid];

/// The register of inputs that are interpolated, by pairs of lanes, and of those that are constant.
const INTERPOLATED: u32 = 3;
const FLAT: u32 = 4;

#[derive(Clone, Debug)]
pub(crate) enum Node {
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
    /// Whether there is everything else that came later: since seed [`WIDE_FROM`].
    wide: bool,
    /// Whether there are evaluations as well, since seed [`WHOLE_FROM`], and whether they are written as such.
    whole: bool,
    evaluates: bool,
    stage: Stage,
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
            0 if self.wide && *literal => {
                *literal = false;
                v(self.index(out, 2), &lanes)
            }
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

    /// Whether the stage has an opcode.
    fn has(&self, opcode: Opcode) -> bool {
        opcode.info().stages.contains(self.stage)
            && (self.stage == Stage::Pixel || !IMPLICIT.contains(&opcode))
    }

    /// One of `list` that the stage has.
    fn pick_opcode(&mut self, list: &[Opcode]) -> Opcode {
        let list: Vec<Opcode> = list.iter().copied().filter(|&o| self.has(o)).collect();
        self.random.pick(&list)
    }

    /// Any temporary, with any swizzle.
    fn any(&mut self) -> Operand {
        r(self.random.below(TEMPS), &self.swizzle())
    }

    /// Any temporary to write to.
    fn dest(&mut self) -> Operand {
        r(self.random.below(TEMPS), &self.mask())
    }

    /// A use of an opcode with arguments for which the result is exact on every implementation, or exact once it is
    /// rounded. They stand in temporaries of their own.
    fn recipe(&mut self, out: &mut Vec<Node>) {
        use Opcode::*;
        let opcode = match self.whole {
            true => self.pick_opcode(&[&RECIPES[..], &EVALUATIONS].concat()),
            false => self.pick_opcode(&RECIPES),
        };
        let (place, other) = (r(PLACE, "xyzw"), r(OTHER, "xyzw"));
        let (from, second, dest) = (self.any(), self.any(), self.dest());
        let (read, read_other) = (r(PLACE, &self.swizzle()), r(OTHER, &self.swizzle()));
        let sign = self.random.once_in(2);
        let signed = move |operand: Operand| if sign { -operand } else { operand };
        let mut all = Vec::new();
        let mut op = |opcode, operands: &[Operand]| all.push(Ins::new(opcode, operands));
        // Numbers below `most`, and powers of two.
        macro_rules! numbers {
            ($to:expr, $from:expr, $most:expr) => {
                op(And, &[$to.clone(), $from, l($most - 1u32)]);
                op(if self.random.once_in(2) { Itof } else { Utof }, &[$to.clone(), $to.clone()]);
            };
        }
        macro_rules! powers {
            ($to:expr, $from:expr, $most:expr) => {
                op(And, &[$to.clone(), $from, l($most - 1u32)]);
                op(Ishl, &[$to.clone(), l(1u32), $to.clone()]);
                op(Utof, &[$to.clone(), $to.clone()]);
            };
        }
        // What an inexact result is multiplied with before it is rounded to a whole number.
        let mut rounded = None;
        match opcode {
            Itof => {
                op(Ishr, &[place, from, l(8u32)]);
                op(opcode, &[dest.clone(), signed(read)]);
            }
            Utof => {
                op(Ushr, &[place, from, l(8u32)]);
                op(opcode, &[dest.clone(), read]);
            }
            Frc => {
                op(Ishr, &[place.clone(), from, l(20u32)]);
                op(Itof, &[place.clone(), place.clone()]);
                op(Mul, &[place.clone(), place, l(1.0f32 / 64.0)]);
                op(opcode, &[dest.clone(), signed(read)]);
            }
            Mad | Dp2 | Dp3 | Dp4 => {
                numbers!(place, from, 1024);
                numbers!(other, second, 1024);
                let mut operands = vec![dest.clone(), signed(read), read_other.clone()];
                operands.extend((opcode == Mad).then_some(-read_other));
                op(opcode, &operands);
            }
            Div => {
                numbers!(place, from, 4096);
                powers!(other, second, 16);
                op(opcode, &[dest.clone(), read, signed(read_other)]);
            }
            Rcp => {
                powers!(other, second, 16);
                op(opcode, &[dest.clone(), signed(read_other)]);
            }
            Sqrt => {
                numbers!(place, from, 16);
                op(Mul, &[place.clone(), place.clone(), place.clone()]);
                op(opcode, &[place, read]);
                rounded = Some(1.0);
            }
            Rsq => {
                powers!(other, second, 8);
                op(Mul, &[other.clone(), other.clone(), other]);
                op(opcode, &[place, read_other]);
                rounded = Some(128.0);
            }
            Exp => {
                numbers!(place, from, 8);
                op(opcode, &[place, read]);
                rounded = Some(1.0);
            }
            Log => {
                powers!(other, second, 16);
                op(opcode, &[place, read_other]);
                rounded = Some(1.0);
            }
            SinCos => {
                // No eight sines of these are near the middle between two whole numbers.
                numbers!(place, from, 8);
                let both =
                    if self.random.once_in(2) { [place.clone(), other] } else { [other, place.clone()] };
                let [sine, cosine] = match self.random.once_in(3) {
                    true if self.random.once_in(2) => [null(), place],
                    true => [place, null()],
                    false => both,
                };
                op(opcode, &[sine, cosine, read]);
                rounded = Some(8.0);
            }
            Nop | DebugBreak => op(opcode, &[]),
            Discard => {
                op(Ieq, &[place, from, l(5u32)]);
                all.push(Ins::new(opcode, &[r(PLACE, self.lane())]).nz());
            }
            EvalSnapped | EvalSampleIndex | EvalCentroid => {
                let input = v(self.random.pick(&[INTERPOLATED, INTERPOLATED, FLAT]), &self.swizzle());
                let (literal, lane) = (self.random.once_in(2), self.lane());
                let place = match opcode {
                    // Four bits of each lane count.
                    EvalSnapped if literal => Some(l4([0; 4].map(|_: u32| self.word()))),
                    EvalSnapped => Some(second),
                    // There is one sample.
                    EvalSampleIndex if literal => Some(l(0u32)),
                    EvalSampleIndex => {
                        op(And, &[other, second, l(0u32)]);
                        Some(r(OTHER, lane))
                    }
                    _ => None,
                };
                let operands: Vec<_> = [dest.clone(), input].into_iter().chain(place).collect();
                match self.evaluates {
                    true => op(opcode, &operands),
                    false => op(Mov, &operands[..2]),
                }
            }
            // Derivatives of the position times what is the same in all pixels of a quad.
            _ => {
                numbers!(other, second, 8);
                op(Mul, &[place, other, v(2, "xyxy")]);
                op(opcode, &[dest.clone(), signed(read)]);
            }
        }
        if let Some(scale) = rounded {
            all.push(Ins::new(Mul, &[r(PLACE, "xyzw"), r(PLACE, "xyzw"), l(scale)]));
            all.push(Ins::new(RoundNe, &[dest, r(PLACE, &self.swizzle())]));
        }
        if let Some(last) = all.last_mut()
            && self.random.once_in(8)
            && !matches!(opcode, Nop | DebugBreak | Discard)
        {
            *last = last.clone().sat();
        }
        out.push(Node::Ops(all));
    }

    /// Any read of a texture or buffer. The level of detail of a point is that of magnification.
    fn read(&mut self, out: &mut Vec<Node>) {
        use Opcode::*;
        let opcode = self.pick_opcode(&READS);
        let (from, second, dest) = (self.any(), self.any(), self.dest());
        let (place, other) = (r(PLACE, "xyzw"), r(OTHER, "xyzw"));
        let compares = matches!(opcode, SampleC | SampleCLz | Gather4C | Gather4PoC);
        let texture = if compares { t(1, "xxxx") } else { t(0, &self.swizzle()) };
        let sampler = match compares {
            true => s(2),
            false if matches!(opcode, Gather4 | Gather4Po) => s(self.random.below(2)).read(self.lane()),
            false => s(self.random.below(2)),
        };
        let mut all = Vec::new();
        let mut op = |opcode, operands: &[Operand]| all.push(Ins::new(opcode, operands));
        if opcode.info().slots.contains(&Slot::Sampler) {
            // Between the centres and the edges of texels in every level, in the texture and around it.
            op(And, &[place.clone(), from.clone(), l4([7u32; 4])]);
            op(Utof, &[place.clone(), place.clone()]);
            op(Add, &[place.clone(), place.clone(), l4([-1.25f32; 4])]);
            op(Mul, &[place.clone(), place.clone(), l4([1.0 / TEXELS as f32; 4])]);
            // Eighths, as texels that are compared.
            op(And, &[other.clone(), second.clone(), l(7u32)]);
            op(Utof, &[other.clone(), other.clone()]);
            op(Mul, &[other.clone(), other.clone(), l(0.125f32)]);
        }
        let reference = r(OTHER, self.lane());
        let (operands, controls) = match opcode {
            Ld if self.random.once_in(3) => (vec![dest, from, t(4, &self.swizzle())], 0),
            Ld if self.random.once_in(2) => {
                // Mostly inside: one more than there are texels and levels.
                op(And, &[place.clone(), from, l4([7, 3, 0, 1u32])]);
                (vec![dest, place, texture], 0)
            }
            Ld => (vec![dest, from, texture], 0),
            LdRaw => {
                // Addresses of bytes that are no multiple of four are undefined.
                op(And, &[place, from, l(0x8000_00fcu32)]);
                (vec![dest, r(PLACE, self.lane()), t(2, &self.swizzle())], 0)
            }
            LdStructured => {
                op(And, &[place, from, l(0x8000_0007u32)]);
                // Bytes beyond the structure are undefined.
                let offset = l(self.random.below(2) * 4);
                (vec![dest, r(PLACE, self.lane()), offset, t(3, &self.swizzle())], 0)
            }
            BufInfo => (vec![dest, t(2 + self.random.below(3), &self.swizzle())], 0),
            ResInfo => {
                op(And, &[place, from, l4([3u32; 4])]);
                (vec![dest, r(PLACE, self.lane()), texture], self.random.below(3) << 11)
            }
            Sample | Gather4 => (vec![dest, place, texture, sampler], 0),
            SampleB | SampleL => {
                let level = l(self.random.below(2) as f32);
                (vec![dest, place, texture, sampler, level], 0)
            }
            // A step of some texels is far from the middle between the two levels.
            SampleD => {
                let step = r(OTHER, &self.swizzle());
                op(RoundNe, &[other.clone(), other.clone()]);
                (vec![dest, place, texture, sampler, other, step], 0)
            }
            SampleC | SampleCLz | Gather4C => (vec![dest, place, texture, sampler, reference], 0),
            Gather4Po => (vec![dest, place, second, texture, sampler], 0),
            Gather4PoC => (vec![dest, place, second, texture, sampler, reference], 0),
            // `lod`: without slope, the level before it is clamped is minus infinity.
            _ => (vec![r(PLACE, "x"), place, t(0, "xyzw"), sampler], 0),
        };
        let offset =
            matches!(opcode, Sample | SampleB | SampleC | SampleCLz | SampleL | SampleD | Gather4 | Gather4C);
        let mut ins = Ins::new(opcode, &operands).controls(controls);
        if offset && self.random.once_in(3) {
            ins = ins.offsets([0; 3].map(|_: i8| self.random.below(16) as i8 - 8));
        }
        all.push(ins);
        if opcode == Lod {
            all.push(Ins::new(Mov, &[self.dest(), r(PLACE, "xxxx")]));
        }
        out.push(Node::Ops(all));
    }

    fn op(&mut self, out: &mut Vec<Node>) {
        if self.wide {
            match self.random.below(6) {
                0 | 1 if self.textures => return self.read(out),
                2 | 3 => return self.recipe(out),
                _ => {}
            }
        } else if self.textures && self.random.once_in(4) {
            return self.fetch(out);
        }
        let opcode = if self.wide && self.random.once_in(3) {
            self.random.pick(&MORE)
        } else {
            self.random.pick(&OPCODES)
        };
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
                    if self.wide && self.has_null(opcode, used.len(), &operands) {
                        operands.push(null());
                        continue;
                    }
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

    /// Whether one of two results is not wanted: at random, but never both.
    fn has_null(&mut self, opcode: Opcode, number: usize, before: &[Operand]) -> bool {
        let may = match opcode {
            Opcode::Imul | Opcode::Umul | Opcode::Udiv => true,
            Opcode::Uaddc | Opcode::Usubb => number == 2,
            _ => false,
        };
        may && self.random.once_in(4) && !before.iter().any(Operand::is_null)
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

/// A texture of eighths that is compared with, and a buffer of each kind.
fn bind_more(bindings: Bindings, random: &mut Random) -> Bindings {
    let texels = (0..TEXELS * TEXELS).map(|_| [(random.below(9) as f32 / 8.0).to_bits(), 0, 0, 0]);
    let texels = vec![texels.collect()];
    let texture = Texture::new(ResourceDimension::Texture2D, [TEXELS, TEXELS, 1], 1, texels).unwrap();
    let comparison = random.pick(&[Comparison::LessEqual, Comparison::Greater, Comparison::Equal]);
    let mut words = |n: u32| (0..n).map(|_| random.bits()).collect::<Vec<_>>();
    let structures = Resource::Structured { stride: STRIDE, words: words(5 * STRIDE / 4) };
    let elements = words(7).iter().map(|&w| [w, !w, w ^ 1, w >> 3]).collect();
    bindings
        .sampler(2, Sampler { comparison, ..Sampler::default() })
        .resource(1, Resource::Texture(texture))
        .resource(2, Resource::Raw(words(13)))
        .resource(3, structures)
        .resource(4, Resource::Typed(elements, TexelKind::Uint))
}

/// Main program and subroutines.
pub(crate) type Blocks = Vec<Vec<Node>>;

/// What a program declares.
pub(crate) struct Frame {
    icb_rows: Vec<[u32; 4]>,
    textures: bool,
    wide: bool,
    /// How the inputs are interpolated that are evaluated.
    interpolation: Option<Interpolation>,
    stage: Stage,
}

pub(crate) fn build(blocks: &Blocks, frame: &Frame) -> Vec<u8> {
    let mut shader = Shader::new(frame.stage);
    if frame.textures {
        let texture = (ResourceDimension::Texture2D, ReturnType::Float);
        shader.sampler(0, false).sampler(1, false).texture(0, texture.0, texture.1);
        if frame.wide {
            shader.sampler(2, true).texture(1, texture.0, texture.1).raw_buffer(2).structured(3, STRIDE);
            shader.texture(4, ResourceDimension::Buffer, ReturnType::Uint);
        }
    }
    shader.immediate_constants(&frame.icb_rows).constant_buffer(0, CONSTANTS, true);
    for n in 0..2 {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    if frame.wide {
        shader.index_range(v(0, "xyzw"), 2);
    }
    for n in 0..4 {
        match frame.stage {
            Stage::Vertex => shader.output(n, "xyzw", &format!("B{n}"), Type::Uint),
            _ => shader.target(n, "xyzw", Type::Uint),
        };
    }
    if frame.wide && frame.stage == Stage::Pixel {
        shader.system_input(2, "xy", SystemValue::Position, Type::Float);
    }
    if let Some(how) = frame.interpolation {
        shader.input_as(INTERPOLATED, "xy", "C0", Type::Float, how);
        shader.input_as(INTERPOLATED, "zw", "C1", Type::Float, how);
        shader.input_as(FLAT, "xyzw", "C2", Type::Float, Interpolation::Constant);
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

/// A program, and what it runs with. Where inputs are not to be evaluated, they are moved.
pub(crate) fn make(seed: u64, textures: bool, evaluates: bool) -> (Blocks, Frame, Scene) {
    let (wide, whole) = (seed >= WIDE_FROM, seed >= WHOLE_FROM);
    let mut random = Random::new(seed);
    let stage = if wide && random.once_in(3) { Stage::Vertex } else { Stage::Pixel };
    let mut maker = Maker {
        random,
        loops: 0,
        breaks: 0,
        in_loop: 0,
        calls: false,
        textures,
        jumps: wide || textures && seed >= JUMPS_FROM,
        wide,
        whole,
        evaluates,
        stage,
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
    let constants = ConstantBuffer::from_rows((0..CONSTANTS).map(|_| row()).collect());
    let mut inputs: Vec<_> =
        (0..ROWS).map(|_| Inputs::default().register(0, row()).register(1, row())).collect();
    let mut interpolation = None;
    if whole && stage == Stage::Pixel {
        use Interpolation::*;
        let how = [
            Linear,
            LinearCentroid,
            LinearSample,
            LinearNoPerspective,
            LinearNoPerspectiveCentroid,
            LinearNoPerspectiveSample,
        ];
        interpolation = Some(random.pick(&how));
        for row in &mut inputs {
            for register in [INTERPOLATED, FLAT] {
                row.registers[register as usize] = [0; 4].map(|_: u32| random.dyadic(-8.0, 8.0).to_bits());
            }
        }
    }
    let frame = Frame { icb_rows, textures, wide, interpolation, stage };
    let mut bindings = Bindings::default().constants(0, constants);
    if textures {
        bindings = bind_texture(bindings, &mut random);
        if wide {
            bindings = bind_more(bindings, &mut random);
        }
    }
    let position = (wide && stage == Stage::Pixel).then_some(2);
    let scene = Scene { position, ..Scene::points(inputs, bindings, WIDTH) };
    (blocks, frame, scene)
}

/// Every way to leave out one node, or to put a block's contents in its place.
pub(crate) fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
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
