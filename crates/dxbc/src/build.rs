//! Programs made instruction by instruction, to be written by [`Program::encode`].

use crate::opcode::{Opcode, Stage};
use crate::program::*;

impl Program {
    /// A program without instructions.
    ///
    /// ```
    /// use shaderport_dxbc::program::{Components, Extended, Index, Operand, OperandKind};
    /// use shaderport_dxbc::{Opcode, Program, Stage};
    ///
    /// // mov r0.x, l(1.0)
    /// let mut program = Program::new(Stage::Vertex, 4, 0);
    /// let to = Operand::new(OperandKind::Temp, Components::Mask(1)).at(Index::constant(0));
    /// let one = program.literal(OperandKind::Immediate32, Components::One, [1f32.to_bits(); 4]);
    /// program.push(Opcode::Mov, 0, Extended::default(), &[to, one], &[]);
    /// let read = Program::decode(&program.encode(), *b"SHDR", 0)?;
    /// assert_eq!(read.operands, program.operands);
    /// # Ok::<(), shaderport_diagnostics::Diagnostic>(())
    /// ```
    pub fn new(stage: Stage, major: u8, minor: u8) -> Program {
        Program {
            stage,
            major,
            minor,
            offset: 0,
            instructions: Vec::new(),
            operands: Vec::new(),
            relative: Vec::new(),
            immediates: Vec::new(),
            words: Vec::new(),
        }
    }

    /// An immediate; of a 64-bit one, the words in file order.
    pub fn literal(&mut self, kind: OperandKind, components: Components, lanes: [u32; 4]) -> Operand {
        self.immediates.push(lanes);
        let mut operand = Operand::new(kind, components);
        operand.index[0] = Index::constant(self.immediates.len() as u32 - 1);
        operand
    }

    /// An index with a register added to its constant part.
    pub fn indexed_by(&mut self, immediate: u32, register: Operand) -> Index {
        let mut index = Index::new(immediate, if immediate == 0 { 2 } else { 3 });
        index.set_relative(self.relative.len());
        self.relative.push(register);
        index
    }

    /// Adds an instruction: bits 11 to 23 of its token in place (of custom data 11 to 31), what extended tokens say, its
    /// operands, and the words behind them. Its offset and length are 0, as it stands in no file.
    pub fn push(
        &mut self,
        opcode: Opcode,
        controls: u32,
        extended: Extended,
        operands: &[Operand],
        words: &[u32],
    ) {
        let kinds = operands.iter().fold(0, |kinds, o| kinds | self.kinds_of(o));
        self.instructions.push(Instruction {
            opcode,
            controls,
            offset: 0,
            length: 0,
            first_operand: self.operands.len() as u32,
            operand_count: operands.len() as u8,
            kinds,
            extended,
            first_word: self.words.len() as u32,
            word_count: words.len() as u32,
        });
        self.operands.extend(operands);
        self.words.extend(words);
    }

    /// The register files that an operand and its indices name.
    fn kinds_of(&self, o: &Operand) -> u64 {
        let mut kinds = 1 << o.kind as u8;
        for index in o.index.iter().take(o.dimensions as usize) {
            if let Some(register) = self.relative(index) {
                kinds |= KINDS_RELATIVE | self.kinds_of(register);
            }
        }
        kinds
    }
}

impl Index {
    /// A constant index.
    pub const fn constant(immediate: u32) -> Index {
        Index::new(immediate, 0)
    }
}

impl Operand {
    /// An operand without indices and modifiers; [`Program::literal`] makes immediates.
    pub fn new(kind: OperandKind, components: Components) -> Operand {
        let mut operand = Operand::NULL;
        operand.kind = kind;
        operand.set_lanes(components.token());
        operand
    }

    /// The same with one more index.
    ///
    /// # Panics
    /// When it has three.
    #[must_use]
    pub fn at(mut self, index: Index) -> Operand {
        self.index[self.dimensions as usize] = index;
        self.dimensions += 1;
        self
    }
}
