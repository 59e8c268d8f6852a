//! From a [`Program`] back to the words of a `SHDR` or `SHEX` chunk.

use crate::opcode::Opcode;
use crate::program::*;

impl Program {
    /// The contents of the program's chunk: the bytes that [`Program::decode`] read.
    ///
    /// ```
    /// use shaderport_dxbc::Program;
    ///
    /// // vs_4_0: ret
    /// let words = [0x0001_0040u32, 3, 0x0100_003e];
    /// let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    /// let program = Program::decode(&bytes, *b"SHDR", 0)?;
    /// assert_eq!(program.encode(), bytes);
    /// # Ok::<(), shaderport_diagnostics::Diagnostic>(())
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        let version = (self.stage as u32) << 16 | u32::from(self.major) << 4 | u32::from(self.minor);
        let mut words = vec![version, 0];
        for i in &self.instructions {
            self.instruction(i, &mut words);
        }
        words[1] = words.len() as u32;
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    fn instruction(&self, i: &Instruction, out: &mut Vec<u32>) {
        let start = out.len();
        let token = i.opcode as u32 | i.controls;
        let mut words = self.words(i);
        if i.opcode == Opcode::CustomData {
            out.extend([token, words.len() as u32 + 2]);
            out.extend(words);
            return;
        }
        let tokens = i.extended.tokens();
        out.push(token);
        chain(start, tokens, out);
        if i.opcode == Opcode::InterfaceCall
            && let Some((function, rest)) = words.split_first()
        {
            out.push(*function);
            words = rest;
        }
        for o in self.operands(i) {
            self.operand(o, out);
        }
        out.extend(words);
        out[start] |= ((out.len() - start) as u32 & 0x7f) << 24;
    }

    fn operand(&self, o: &Operand, out: &mut Vec<u32>) {
        let start = out.len();
        let mut token = o.components().token();
        token |= (o.kind as u32) << 12 | u32::from(o.dimensions) << 20;
        let indices = o.index.iter().take(o.dimensions as usize);
        for (n, index) in indices.clone().enumerate() {
            token |= index.representation() << (22 + 3 * n);
        }
        out.push(token);
        chain(start, o.extended(), out);
        match (o.kind, o.components()) {
            (OperandKind::Immediate32, Components::One) => out.extend(&self.immediate(o)[..1]),
            (OperandKind::Immediate64, Components::One) => out.extend(&self.immediate(o)[..2]),
            (OperandKind::Immediate32 | OperandKind::Immediate64, _) => out.extend(self.immediate(o)),
            _ => {}
        }
        for index in indices {
            if matches!(index.representation(), 1 | 4) {
                out.push(0);
            }
            if index.representation() != 2 {
                out.push(index.immediate);
            }
            if let Some(register) = self.relative(index) {
                self.operand(register, out);
            }
        }
    }
}

/// Bit 31: another token follows.
const MORE: u32 = 1 << 31;

/// Adds extended tokens behind the one at `start`.
fn chain(start: usize, tokens: impl Iterator<Item = u32>, out: &mut Vec<u32>) {
    let mut last = start;
    for token in tokens {
        out[last] |= MORE;
        last = out.len();
        out.push(token);
    }
}

impl Extended {
    fn tokens(&self) -> impl Iterator<Item = u32> + use<> {
        let signed = |n: i8| u32::from(n as u8 & 15);
        let offsets = self.offsets.map(|[u, v, w]| 1 | signed(u) << 9 | signed(v) << 13 | signed(w) << 17);
        let dimension = self.dimension.map(|d| 2 | (d as u32) << 6 | u32::from(self.stride) << 11);
        let types = self.return_types.map(|types| {
            let packed = types.iter().rev().fold(0, |sum, &t| sum << 4 | t as u32);
            3 | packed << 6
        });
        [offsets, dimension, types].into_iter().flatten()
    }
}

impl Components {
    /// Bits 0 to 11 of an operand token.
    pub(crate) fn token(self) -> u32 {
        match self {
            Components::None => 0,
            Components::One => 1,
            Components::Mask(mask) => 2 | u32::from(mask & 15) << 4,
            Components::Swizzle(all) => {
                2 | 1 << 2 | all.iter().rev().fold(0, |sum, &l| sum << 2 | u32::from(l & 3)) << 4
            }
            Components::Select(lane) => 2 | 2 << 2 | u32::from(lane & 3) << 4,
        }
    }
}

impl Operand {
    fn extended(&self) -> impl Iterator<Item = u32> + use<> {
        let precision = match self.min_precision {
            MinPrecision::Full => 0,
            MinPrecision::Float16 => 1,
            MinPrecision::Float10 => 2,
            MinPrecision::Sint16 => 4,
            MinPrecision::Uint16 => 5,
            MinPrecision::Unknown(n) => n.into(),
        };
        let facts = (self.modifier as u32) << 6 | precision << 14 | u32::from(self.non_uniform) << 17;
        (facts != 0).then_some(1 | facts).into_iter()
    }
}
