//! Operands: registers with their indices, literals, lanes, modifiers and precisions.

use super::Writer;
use crate::opcode::{Opcode, ScalarType, Slot};
use crate::program::{Components, Index, MinPrecision, Modifier, Operand, OperandKind};
use std::fmt::Write;

/// Integers no further than this from zero are shown in decimal.
const DECIMAL_LIMIT: u32 = 10_000;

const LANES: [char; 4] = ['x', 'y', 'z', 'w'];

/// How the words of a literal are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Literal {
    Float,
    Int,
    /// Each word as what it looks like; these are not followed by blanks.
    Guess,
}

impl Literal {
    /// Microsoft's disassembler knows the operand types of shader model 4; it takes most floats of later
    /// opcodes for integers, and stores for untyped throughout.
    pub(super) fn of(op: Opcode, slot: Slot) -> Literal {
        use Opcode::*;
        match op {
            Mov | Movc | Swapc | StoreUavTyped | StoreRaw | StoreStructured => Literal::Guess,
            Dmovc => Literal::Float,
            Lod | DerivRtxCoarse | DerivRtxFine | DerivRtyCoarse | DerivRtyFine | Gather4Po | Gather4PoC
            | Gather4PoFeedback | Gather4PoCFeedback | Rcp | EvalSnapped | EvalSampleIndex | EvalCentroid
            | Dfma | Drcp | DtoI | DtoU => Literal::Int,
            _ => match slot {
                Slot::Src(ScalarType::Float | ScalarType::Double) => Literal::Float,
                _ => Literal::Int,
            },
        }
    }
}

/// How the indices of a register file are bracketed.
enum Brackets {
    /// `r12`: none but those around a register that is added.
    Never,
    /// `x0[12]`: around all but the first.
    AfterFirst,
    /// `v[3][12]`, but `v12`: around all where there is more than one.
    IfMany,
    /// `this[3]`, but `this3[12]`: around one, and after the first where there are more.
    ThisPointer,
}

fn brackets(kind: OperandKind) -> Brackets {
    use OperandKind::*;
    match kind {
        Input | Output | InputControlPoint | OutputControlPoint => Brackets::IfMany,
        IndexableTemp | Sampler | Resource | ConstantBuffer | Interface | FunctionInput | FunctionOutput
        | UnorderedAccessView => Brackets::AfterFirst,
        ThisPointer => Brackets::ThisPointer,
        _ => Brackets::Never,
    }
}

fn precision_name(p: MinPrecision) -> &'static str {
    match p {
        MinPrecision::Float16 => "min16f",
        MinPrecision::Float10 => "min2_8f",
        MinPrecision::Sint16 => "min16i",
        MinPrecision::Uint16 => "min16u",
        MinPrecision::Full | MinPrecision::Unknown(_) => "def32",
    }
}

impl Writer<'_> {
    /// An operand. `converted` is the precision at which the instruction computes, where that is shown.
    pub(super) fn operand(&mut self, o: &Operand, literal: Literal, converted: Option<MinPrecision>) {
        let absolute = matches!(o.modifier, Modifier::Abs | Modifier::AbsNeg);
        if matches!(o.modifier, Modifier::Neg | Modifier::AbsNeg) {
            self.text("-");
        }
        if absolute {
            self.text("|");
        }
        match o.kind {
            OperandKind::Immediate32 => self.literal(o, literal),
            OperandKind::Immediate64 => self.literal64(o),
            _ => {
                self.register(o);
                self.components(&o.components());
            }
        }
        self.precision(o.min_precision, converted);
        if o.non_uniform {
            self.text(" { nonuniform }");
        }
        if absolute {
            self.text("|");
        }
    }

    fn precision(&mut self, own: MinPrecision, converted: Option<MinPrecision>) {
        let target = converted.unwrap_or(own);
        if own == target && own == MinPrecision::Full {
            return;
        }
        self.text(" {");
        self.text(precision_name(own));
        if own != target {
            self.text(" as ");
            self.text(precision_name(target));
        }
        self.text("}");
    }

    /// The name and the indices of a register.
    pub(super) fn register(&mut self, o: &Operand) {
        self.text(o.kind.prefix(self.program.is_5_1()));
        let dimensions = (o.dimensions as usize).min(o.index.len());
        for (n, index) in o.index[..dimensions].iter().enumerate() {
            let bracketed = index.is_relative()
                || match brackets(o.kind) {
                    Brackets::Never => false,
                    Brackets::AfterFirst => n > 0,
                    Brackets::IfMany => dimensions > 1,
                    Brackets::ThisPointer => n > 0 || dimensions == 1,
                };
            if bracketed {
                self.text("[");
                self.index(index);
                self.text("]");
            } else {
                self.index(index);
            }
        }
    }

    /// An index: a number, or `register + number`.
    fn index(&mut self, index: &Index) {
        if let Some(r) = self.program.relative(index) {
            if r.dimensions == 2 && r.kind != OperandKind::IndexableTemp {
                // Microsoft's spelling: the last index first, and no brackets.
                let [first, last, _] = r.index.map(|i| i.immediate as i32);
                let _ = write!(self.out, "{}_{last}_{first}", r.kind.prefix(self.program.is_5_1()));
            } else {
                self.register(r);
            }
            self.text(".");
            self.out.push(LANES[r.source_lane(0) & 3]);
            self.precision(r.min_precision, None);
            self.text(" + ");
        }
        self.number(index.immediate as i32);
    }

    fn components(&mut self, components: &Components) {
        match components {
            Components::None | Components::One => {}
            Components::Mask(mask) => {
                self.text(".");
                self.lanes(*mask);
            }
            Components::Swizzle(lanes) => {
                self.text(".");
                self.out.extend(lanes.iter().map(|l| LANES[(l & 3) as usize]));
            }
            Components::Select(lane) => {
                self.text(".");
                self.out.push(LANES[(lane & 3) as usize]);
            }
        }
    }

    /// The letters of a mask's lanes.
    pub(super) fn lanes(&mut self, mask: u8) {
        self.out.extend((0..4).filter(|l| mask >> l & 1 != 0).map(|l| LANES[l]));
    }

    fn literal(&mut self, o: &Operand, style: Literal) {
        let count = if o.components() == Components::One { 1 } else { 4 };
        self.text("l(");
        for (n, word) in self.program.immediate(o)[..count].iter().enumerate() {
            if n > 0 {
                self.text(if style == Literal::Guess { "," } else { ", " });
            }
            self.word(*word, style);
        }
        self.text(")");
    }

    /// A literal of doubles; one that should hold a single double is shown as its first word.
    fn literal64(&mut self, o: &Operand) {
        let [a, b, c, d] = self.program.immediate(o);
        self.text("d(");
        if o.components() == Components::One {
            self.word(a, Literal::Float);
        } else if self.hex {
            let _ = write!(self.out, "0x{a:08x}, 0x{b:08x}, 0x{c:08x}, 0x{d:08x}");
        } else {
            self.float(f64::from_bits(u64::from(b) << 32 | u64::from(a)));
            self.text("l, ");
            self.float(f64::from_bits(u64::from(d) << 32 | u64::from(c)));
            self.text("l");
        }
        self.text(")");
    }

    /// One word of a literal.
    pub(super) fn word(&mut self, word: u32, style: Literal) {
        let small = (word as i32).unsigned_abs() <= DECIMAL_LIMIT;
        let value = f32::from_bits(word);
        let float = match style {
            Literal::Float => true,
            Literal::Int => false,
            // Neither a small integer, a denormal, an infinity nor a NaN.
            Literal::Guess => !small && (value.is_normal() || value == 0.0),
        };
        if self.hex || !(float || small) {
            let _ = write!(self.out, "0x{word:08x}");
        } else if float {
            self.float(f64::from(value));
        } else {
            self.number(word as i32);
        }
    }

    /// A number as the C library of old writes it with `%f`.
    pub(super) fn float(&mut self, value: f64) {
        const INDEFINITE: u64 = 0xfff8_0000_0000_0000;
        if value.is_finite() {
            let _ = write!(self.out, "{value:.6}");
            return;
        }
        if value.is_sign_negative() {
            self.text("-");
        }
        self.text(if value.is_infinite() {
            "1.#INF00"
        } else if value.to_bits() == INDEFINITE {
            "1.#IND00"
        } else {
            "1.#QNAN0"
        });
    }
}
