//! From the words of a `SHDR` or `SHEX` chunk to a [`Program`].

use crate::opcode::{Opcode, Slot, Stage};
use crate::program::*;
use shaderport_diagnostics::{Diagnostic, Place, codes::dxbc as codes};

/// Relative indices nest no deeper than this (the format allows two levels).
const MAX_NESTING: u32 = 4;

/// Class of custom data: an immediate constant buffer.
pub const CUSTOM_DATA_ICB: u32 = 3;

/// Class of custom data: a message of `printf` or `errorf`. Its operands are decoded as those of an instruction.
pub const CUSTOM_DATA_MESSAGE: u32 = 4;

/// Words of a message before its operands; the last two are their number and their length in words.
const MESSAGE_HEADER: usize = 5;

struct Words<'a> {
    words: &'a [[u8; 4]],
    tag: [u8; 4],
    /// Offset of `bytes` in the container.
    base: usize,
}

impl Words<'_> {
    #[inline]
    fn get(&self, i: usize) -> Option<u32> {
        self.words.get(i).map(|w| u32::from_le_bytes(*w))
    }
    fn offset(&self, word: usize) -> usize {
        self.base + word * 4
    }
}

struct Decoder<'a> {
    words: Words<'a>,
    program: Program,
    /// The words up to the end of the current instruction.
    current: &'a [[u8; 4]],
    opcode: Opcode,
    /// Register files that the current instruction names.
    kinds: u64,
}

impl Program {
    /// Decodes the contents of a `SHDR` or `SHEX` chunk.
    ///
    /// `tag` and `offset` (of `data` from the start of the container, in bytes) only serve places and
    /// [`Instruction::offset`]. Words behind an instruction's operands are kept, not refused: Microsoft's
    /// compiler leaves some.
    ///
    /// # Errors
    /// `program-truncated`, `opcode-unknown`, `operand-malformed`, `program-version`.
    pub fn decode(data: &[u8], tag: [u8; 4], offset: u32) -> Result<Program, Diagnostic> {
        let words = Words { words: data.as_chunks().0, tag, base: offset as usize };
        let (Some(version), Some(length)) = (words.get(0), words.get(1)) else {
            return Err(Diagnostic::new(
                codes::PROGRAM_TRUNCATED,
                "the program chunk is shorter than its header",
            )
            .at(Place::in_chunk(tag, offset as usize)));
        };
        let (major, minor) = ((version >> 4 & 15) as u8, (version & 15) as u8);
        let stage = Stage::from_number(version >> 16);
        let Some(stage) = stage.filter(|_| matches!((major, minor), (4, 0 | 1) | (5, 0 | 1))) else {
            return Err(Diagnostic::new(
                codes::PROGRAM_VERSION,
                format!("program version token 0x{version:08x} is of no shader model from 4.0 to 5.1"),
            )
            .at(Place::in_chunk(tag, offset as usize)));
        };
        let available = data.len() / 4;
        if length as usize > available || length < 2 {
            return Err(Diagnostic::new(
                codes::PROGRAM_TRUNCATED,
                format!("the program says {length} words, its chunk holds {available}"),
            )
            .at(Place::in_chunk(tag, offset as usize + 4)));
        }
        let length = length as usize;
        let mut d = Decoder {
            words,
            program: Program {
                stage,
                major,
                minor,
                offset,
                // Few programs have more: an instruction is seven words in the mean, an operand two and a half.
                instructions: Vec::with_capacity(length / 5 + 4),
                operands: Vec::with_capacity(length * 2 / 5 + 8),
                relative: Vec::new(),
                immediates: Vec::with_capacity(16),
                words: Vec::with_capacity(64),
            },
            current: &[],
            opcode: Opcode::Nop,
            kinds: 0,
        };
        let mut at = 2;
        while at < length {
            at = d.instruction(at, length).map_err(|e| *e)?;
        }
        Ok(d.program)
    }
}

impl Decoder<'_> {
    fn place(&self, word: usize) -> Place {
        Place {
            instruction: Some(self.program.instructions.len() as u32),
            ..Place::in_chunk(self.words.tag, self.words.offset(word))
        }
    }

    #[cold]
    fn malformed(&self, word: usize, what: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
        let place = Place { opcode: Some(self.opcode.name()), ..self.place(word) };
        Box::new(Diagnostic::new(codes::OPERAND_MALFORMED, what).at(place))
    }

    #[cold]
    fn truncated(&self, word: usize) -> Box<Diagnostic> {
        let d = Diagnostic::new(codes::PROGRAM_TRUNCATED, "the instruction runs past the end of the program");
        Box::new(d.at(self.place(word)))
    }

    /// A word of the current instruction.
    #[inline]
    fn word(&self, at: usize) -> Result<u32, Box<Diagnostic>> {
        match self.current.get(at) {
            Some(w) => Ok(u32::from_le_bytes(*w)),
            None => Err(self.malformed(at, "the operands reach past the instruction's length")),
        }
    }

    /// Decodes the instruction at word `at`; returns the place of the next.
    fn instruction(&mut self, at: usize, program_end: usize) -> Result<usize, Box<Diagnostic>> {
        let token = self.words.get(at).ok_or_else(|| self.truncated(at))?;
        let Some(opcode) = Opcode::from_number(token & 0x7ff) else {
            let text = format!("no shader model up to 5.1 defines opcode {}", token & 0x7ff);
            return Err(Box::new(Diagnostic::new(codes::OPCODE_UNKNOWN, text).at(self.place(at))));
        };
        self.opcode = opcode;
        let custom = opcode == Opcode::CustomData;
        let length = if custom {
            let n = self.words.get(at + 1).filter(|_| at + 1 < program_end);
            n.ok_or_else(|| self.truncated(at))? as usize
        } else {
            (token >> 24 & 0x7f) as usize
        };
        let least = if custom { 2 } else { 1 };
        if length < least || length > program_end - at {
            return Err(self.truncated(at));
        }
        let end = at + length;
        self.current = self.words.words.get(..end).ok_or_else(|| self.truncated(at))?;
        self.kinds = 0;
        let mut instruction = Instruction {
            opcode,
            controls: if custom { token & 0xffff_f800 } else { token & 0x00ff_f800 },
            offset: self.words.offset(at) as u32,
            length: length as u32,
            first_operand: self.program.operands.len() as u32,
            operand_count: 0,
            kinds: 0,
            extended: Extended::default(),
            first_word: self.program.words.len() as u32,
            word_count: 0,
        };
        let mut at = at + least;
        if !custom {
            let mut more = token >> 31 != 0;
            while more {
                let t = self.word(at)?;
                at += 1;
                more = t >> 31 != 0;
                extended_token(t, &mut instruction.extended);
            }
            // A call by interface has the number of the function before its operand.
            if opcode == Opcode::InterfaceCall {
                let n = self.word(at)?;
                self.program.words.push(n);
                at += 1;
            }
            for slot in opcode.info().slots {
                at = self.operand(at, *slot)?;
            }
            instruction.operand_count = opcode.info().slots.len() as u8;
        } else if token >> 11 == CUSTOM_DATA_MESSAGE {
            let (operands, relative) = (self.program.operands.len(), self.program.relative.len());
            let immediates = self.program.immediates.len();
            instruction.operand_count = self.message_operands(at).unwrap_or_else(|_| {
                self.program.operands.truncate(operands);
                self.program.relative.truncate(relative);
                self.program.immediates.truncate(immediates);
                0
            });
        }
        let rest = self.current.get(at..).unwrap_or_default();
        self.program.words.extend(rest.iter().map(|w| u32::from_le_bytes(*w)));
        instruction.kinds = self.kinds;
        instruction.word_count = self.program.words.len() as u32 - instruction.first_word;
        self.program.instructions.push(instruction);
        Ok(end)
    }

    /// Decodes the operands of the message at word `at`; returns how many there are.
    fn message_operands(&mut self, at: usize) -> Result<u8, Box<Diagnostic>> {
        let (count, length) = (self.word(at + 3)?, self.word(at + 4)?);
        let mut next = at + MESSAGE_HEADER;
        let end = next.saturating_add(length as usize);
        for _ in 0..count {
            let mut operand = Operand::NULL;
            next = self.operand_at(next, 0, &mut operand)?;
            self.program.operands.push(operand);
        }
        match u8::try_from(count) {
            Ok(count) if next == end => Ok(count),
            _ => Err(self.malformed(next, "the message's operands are not as long as it says")),
        }
    }

    /// Decodes one operand of the instruction; returns the place behind it.
    #[inline]
    fn operand(&mut self, at: usize, slot: Slot) -> Result<usize, Box<Diagnostic>> {
        let (operand, next) = match self.plain(at) {
            Some(operand) => (operand, at + 2),
            None => {
                let mut operand = Operand::NULL;
                let next = self.operand_at(at, 0, &mut operand)?;
                (operand, next)
            }
        };
        if matches!(slot, Slot::Dest(_)) && operand.selects_lanes() {
            return Err(self.malformed(at, "a destination selects lanes to read"));
        }
        self.program.operands.push(operand);
        Ok(next)
    }

    /// Decodes the most frequent form, of two words: a register of one constant index, without modifiers.
    /// [`Self::operand_at`] reads it alike.
    #[inline]
    fn plain(&mut self, at: usize) -> Option<Operand> {
        /// No token follows; one index; its representation is 0.
        const MASK: u32 = 1 << 31 | 3 << 20 | 7 << 22;
        const FORM: u32 = 1 << 20;
        let [token, register] = *self.current.get(at..)?.first_chunk()?;
        let token = u32::from_le_bytes(token);
        let kind = OperandKind::from_number(token >> 12 & 0xff)?;
        if token & MASK != FORM || matches!(kind, OperandKind::Immediate32 | OperandKind::Immediate64) {
            return None;
        }
        self.kinds |= 1 << kind as u8;
        Operand::of_register(kind, token, u32::from_le_bytes(register))
    }

    fn operand_at(
        &mut self,
        mut at: usize,
        depth: u32,
        operand: &mut Operand,
    ) -> Result<usize, Box<Diagnostic>> {
        let start = at;
        let token = self.word(at)?;
        at += 1;
        let Some(kind) = OperandKind::from_number(token >> 12 & 0xff) else {
            return Err(self.malformed(start, format!("operand kind {} is not defined", token >> 12 & 0xff)));
        };
        operand.kind = kind;
        if !operand.set_lanes(token) {
            let text = match token & 3 {
                3 => "operands of more than four lanes are not defined",
                _ => "lane selection mode 3 is not defined",
            };
            return Err(self.malformed(start, text));
        }
        operand.dimensions = (token >> 20 & 3) as u8;
        self.kinds |= 1 << kind as u8;
        let mut more = token >> 31 != 0;
        while more {
            let t = self.word(at)?;
            at += 1;
            more = t >> 31 != 0;
            if t & 0x3f == 1 {
                operand.modifier = match t >> 6 & 0xff {
                    0 => Modifier::None,
                    1 => Modifier::Neg,
                    2 => Modifier::Abs,
                    3 => Modifier::AbsNeg,
                    n => return Err(self.malformed(at - 1, format!("operand modifier {n} is not defined"))),
                };
                operand.min_precision = match t >> 14 & 7 {
                    0 => MinPrecision::Full,
                    1 => MinPrecision::Float16,
                    2 => MinPrecision::Float10,
                    4 => MinPrecision::Sint16,
                    5 => MinPrecision::Uint16,
                    n => MinPrecision::Unknown(n as u8),
                };
                operand.non_uniform = t >> 17 & 1 != 0;
            }
        }
        match kind {
            OperandKind::Immediate32 | OperandKind::Immediate64 => {
                let count = match (token & 3, kind) {
                    (1, OperandKind::Immediate32) => 1,
                    (1, _) => 2,
                    _ => 4,
                };
                at = self.immediate(start, at, count, operand)?;
            }
            _ => {}
        }
        for d in 0..operand.dimensions as usize {
            let representation = token >> (22 + 3 * d) & 7;
            let mut index = Index::new(0, representation);
            match representation {
                0 | 3 => {
                    index.immediate = self.word(at)?;
                    at += 1;
                }
                1 | 4 => {
                    // High half first; no register file has more than 2^32 entries.
                    let high = self.word(at)?;
                    index.immediate = self.word(at + 1)?;
                    at += 2;
                    if high != 0 {
                        return Err(self.malformed(at - 2, "an index needs more than 32 bits"));
                    }
                }
                2 => {}
                n => return Err(self.malformed(start, format!("index representation {n} is not defined"))),
            }
            if representation >= 2 {
                if depth + 1 >= MAX_NESTING {
                    return Err(self.malformed(at, "relative indices nest too deep"));
                }
                let mut inner = Operand::NULL;
                at = self.operand_at(at, depth + 1, &mut inner)?;
                self.kinds |= KINDS_RELATIVE;
                index.set_relative(self.program.relative.len());
                self.program.relative.push(inner);
            }
            operand.index[d] = index;
        }
        Ok(at)
    }
}

impl Decoder<'_> {
    /// Keeps the `count` words of an immediate; returns the place behind them.
    fn immediate(
        &mut self,
        start: usize,
        at: usize,
        count: usize,
        operand: &mut Operand,
    ) -> Result<usize, Box<Diagnostic>> {
        if operand.dimensions != 0 {
            return Err(self.malformed(start, "an immediate has an index"));
        }
        let mut lanes = [self.word(at)?; 4];
        for (n, lane) in lanes.iter_mut().enumerate().take(count).skip(1) {
            *lane = self.word(at + n)?;
        }
        if count == 2 {
            lanes[2..].fill(0);
        }
        operand.index[0] = Index::new(self.program.immediates.len() as u32, 0);
        self.program.immediates.push(lanes);
        Ok(at + count)
    }
}

fn extended_token(t: u32, e: &mut Extended) {
    let signed = |n: u32| ((t >> n & 15) as i8) << 4 >> 4;
    match t & 0x3f {
        1 => e.offsets = Some([signed(9), signed(13), signed(17)]),
        2 => {
            let dimension = ResourceDimension::from_number(t >> 6 & 31);
            e.dimension = Some(dimension.unwrap_or(ResourceDimension::Unknown));
            e.stride = (t >> 11 & 0xfff) as u16;
        }
        3 => e.return_types = Some(ReturnType::unpack(t >> 6)),
        _ => {}
    }
}
