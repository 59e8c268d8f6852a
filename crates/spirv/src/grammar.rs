//! The published grammar of instructions, and a walk over one instruction's operands.
//!
//! The tables are those of `rspirv`; its parser is not used, since it panics on damaged modules.

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, OperandKind, OperandQuantifier};
use rspirv::{dr, spirv};
use std::sync::LazyLock;

/// The grammar of one opcode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) grammar: &'static Instruction<'static>,
    /// The first operand is a result type.
    pub(crate) has_type: bool,
    /// The instruction has a result.
    pub(crate) has_result: bool,
}

impl Entry {
    /// Index of the result among the instruction's words.
    pub(crate) fn result_at(self) -> usize {
        if self.has_type { 2 } else { 1 }
    }
}

/// Indexed by opcode; the published opcodes stay below some 7,000.
static TABLE: LazyLock<Vec<Option<Entry>>> = LazyLock::new(|| {
    let mut table: Vec<Option<Entry>> = Vec::new();
    for grammar in INSTRUCTION_TABLE.iter() {
        let op = grammar.opcode as usize;
        if table.len() <= op {
            table.resize(op + 1, None);
        }
        table[op].get_or_insert(Entry {
            grammar,
            has_type: grammar.operands.iter().any(|o| o.kind == OperandKind::IdResultType),
            has_result: grammar.operands.iter().any(|o| o.kind == OperandKind::IdResult),
        });
    }
    table
});

/// The grammar of `opcode`, if it is published.
pub(crate) fn lookup(opcode: u16) -> Option<Entry> {
    TABLE.get(usize::from(opcode)).copied().flatten()
}

/// `OpName` of an opcode, or `None` where it is unknown.
pub fn op_name(opcode: u16) -> Option<&'static str> {
    lookup(opcode).map(|e| e.grammar.opname)
}

/// What an operand word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    ResultType,
    Result,
    /// Any other id: a value, a type, a scope, a label.
    Id,
    /// A number, a piece of a string, a mask or an enumerant.
    Literal,
}

/// How an instruction departs from its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// An operand is missing.
    Missing,
    /// This many words stand behind the last operand.
    Extra(usize),
    /// A string runs past the end.
    Unterminated,
}

struct Walk<'a, F> {
    words: &'a [u32],
    at: usize,
    selector_words: usize,
    see: F,
}

/// Calls `see(class, index)` for every operand word of one instruction; `words[0]` is its first word.
///
/// `selector_words` is the number of words of a case literal of `OpSwitch`.
pub(crate) fn walk(
    entry: Entry,
    words: &[u32],
    selector_words: usize,
    see: impl FnMut(Class, usize),
) -> Result<(), Misfit> {
    let mut walk = Walk { words, at: 1, selector_words, see };
    for operand in entry.grammar.operands {
        walk.repeated(operand.kind, operand.quantifier)?;
    }
    match words.len() - walk.at {
        0 => Ok(()),
        n => Err(Misfit::Extra(n)),
    }
}

impl<F: FnMut(Class, usize)> Walk<'_, F> {
    fn repeated(&mut self, kind: OperandKind, quantifier: OperandQuantifier) -> Result<(), Misfit> {
        match quantifier {
            OperandQuantifier::One => self.one(kind),
            OperandQuantifier::ZeroOrOne if self.at < self.words.len() => self.one(kind),
            OperandQuantifier::ZeroOrOne => Ok(()),
            OperandQuantifier::ZeroOrMore => {
                while self.at < self.words.len() {
                    self.one(kind)?;
                }
                Ok(())
            }
        }
    }

    fn take(&mut self, class: Class) -> Result<u32, Misfit> {
        let word = *self.words.get(self.at).ok_or(Misfit::Missing)?;
        (self.see)(class, self.at);
        self.at += 1;
        Ok(word)
    }

    fn rest(&mut self, class: Class) {
        while self.at < self.words.len() {
            (self.see)(class, self.at);
            self.at += 1;
        }
    }

    fn one(&mut self, kind: OperandKind) -> Result<(), Misfit> {
        use OperandKind as K;
        match kind {
            K::IdResultType => self.take(Class::ResultType).map(drop),
            K::IdResult => self.take(Class::Result).map(drop),
            K::IdRef | K::IdScope | K::IdMemorySemantics => self.take(Class::Id).map(drop),
            K::PairIdRefIdRef => {
                self.take(Class::Id)?;
                self.take(Class::Id).map(drop)
            }
            K::PairIdRefLiteralInteger => {
                self.take(Class::Id)?;
                self.take(Class::Literal).map(drop)
            }
            K::PairLiteralIntegerIdRef => {
                for _ in 0..self.selector_words {
                    self.take(Class::Literal)?;
                }
                self.take(Class::Id).map(drop)
            }
            K::LiteralString => self.string(),
            K::LiteralContextDependentNumber => {
                self.take(Class::Literal)?;
                self.rest(Class::Literal);
                Ok(())
            }
            K::LiteralSpecConstantOpInteger => self.spec_constant_op(),
            K::ImageOperands => self.mask(image_operand),
            K::MemoryAccess => self.mask(memory_operand),
            K::LoopControl => self.mask(loop_operand),
            K::TensorAddressingOperands | K::TensorOperands | K::RawAccessChainOperands => {
                // Vendor masks: their operands are ids, whatever the bits.
                self.take(Class::Literal)?;
                self.rest(Class::Id);
                Ok(())
            }
            K::Decoration => {
                let word = self.take(Class::Literal)?;
                self.parameters(spirv::Decoration::from_u32(word).map(dr::Operand::Decoration))
            }
            K::ExecutionMode => {
                let word = self.take(Class::Literal)?;
                self.parameters(spirv::ExecutionMode::from_u32(word).map(dr::Operand::ExecutionMode))
            }
            _ => self.take(Class::Literal).map(drop),
        }
    }

    /// The parameters of an enumerant; those of an unknown one are passed over.
    fn parameters(&mut self, enumerant: Option<dr::Operand>) -> Result<(), Misfit> {
        let Some(enumerant) = enumerant else {
            self.rest(Class::Literal);
            return Ok(());
        };
        for p in enumerant.additional_operands() {
            self.repeated(p.kind, p.quantifier)?;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Misfit> {
        loop {
            let word = self.take(Class::Literal).map_err(|_| Misfit::Unterminated)?;
            if word.to_le_bytes().contains(&0) {
                return Ok(());
            }
        }
    }

    /// The operands of the operation that `OpSpecConstantOp` names, which has neither result type nor result here.
    fn spec_constant_op(&mut self) -> Result<(), Misfit> {
        let opcode = self.take(Class::Literal)?;
        let inner = u16::try_from(opcode).ok().and_then(lookup);
        let Some(inner) = inner.filter(|e| e.grammar.opcode != spirv::Op::SpecConstantOp) else {
            self.rest(Class::Id);
            return Ok(());
        };
        for o in inner.grammar.operands {
            if !matches!(o.kind, OperandKind::IdResultType | OperandKind::IdResult) {
                self.repeated(o.kind, o.quantifier)?;
            }
        }
        Ok(())
    }

    /// A mask whose bits, from the lowest, each bring operands.
    fn mask(&mut self, operands: fn(u32) -> Option<&'static [Class]>) -> Result<(), Misfit> {
        let word = self.take(Class::Literal)?;
        for bit in (0..32).map(|b| 1u32 << b).filter(|b| word & b != 0) {
            let Some(classes) = operands(bit) else {
                // An unknown bit: how many operands it has is unknown too.
                self.rest(Class::Literal);
                return Ok(());
            };
            for &class in classes {
                self.take(class)?;
            }
        }
        Ok(())
    }
}

fn image_operand(bit: u32) -> Option<&'static [Class]> {
    use spirv::ImageOperands as B;
    let bit = B::from_bits(bit)?;
    Some(if bit == B::GRAD {
        &[Class::Id, Class::Id]
    } else if bit.intersects(
        B::NON_PRIVATE_TEXEL | B::VOLATILE_TEXEL | B::SIGN_EXTEND | B::ZERO_EXTEND | B::NONTEMPORAL,
    ) {
        &[]
    } else {
        &[Class::Id]
    })
}

fn memory_operand(bit: u32) -> Option<&'static [Class]> {
    use spirv::MemoryAccess as B;
    let bit = B::from_bits(bit)?;
    Some(if bit == B::ALIGNED {
        &[Class::Literal]
    } else if bit.intersects(B::VOLATILE | B::NONTEMPORAL | B::NON_PRIVATE_POINTER) {
        &[]
    } else {
        &[Class::Id]
    })
}

fn loop_operand(bit: u32) -> Option<&'static [Class]> {
    use spirv::LoopControl as B;
    let bit = B::from_bits(bit)?;
    let bare = B::UNROLL | B::DONT_UNROLL | B::DEPENDENCY_INFINITE | B::NO_FUSION_ALTERA;
    // The dependency array's own length is not in its mask.
    if bit == B::DEPENDENCY_ARRAY_ALTERA {
        return None;
    }
    Some(if bit.intersects(bare) { &[] } else { &[Class::Literal] })
}
