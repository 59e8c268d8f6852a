//! The listing of a program, line for line as Microsoft's disassembler writes it.
//!
//! The rules were read off Microsoft's own listings of thousands of shaders and of token streams made by
//! hand. Quirks (which literals are shown as integers, which operands show a conversion of precision) are kept,
//! so that a listing can be compared with `fxc`'s by a plain diff.

mod declaration;
mod operand;
#[cfg(test)]
mod tests;

use crate::CUSTOM_DATA_MESSAGE;
use crate::opcode::{Family, Opcode, Slot};
use crate::program::{Instruction, Program};
use std::fmt::Write;

/// Blocks deeper than any compiler nests them are indented no further: a listing must not grow with the
/// square of a hostile program's length.
const MAX_INDENT: usize = 64;

/// Class of custom data: text, shown as a comment.
const CUSTOM_DATA_COMMENT: u32 = 0;

/// What a listing shows beside the instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// A number before every executable instruction (`fxc /Ni`).
    pub instruction_numbers: bool,
    /// The byte offset from the program's version token before every line (`fxc /No`).
    pub byte_offsets: bool,
    /// Literals as hexadecimal words (`fxc /Lx`).
    pub hex_literals: bool,
}

/// Appends the listing of `program` to `out`: the profile, then one line for each instruction.
///
/// An immediate constant buffer takes a line for each of its rows. Instructions without operands end in a
/// blank, as they do in Microsoft's listings.
///
/// ```
/// use shaderport_dxbc::{Program, disasm::disassemble};
///
/// let words = [0x0001_0040u32, 3, 0x0100_003e]; // vs_4_0, three words long, `ret`
/// let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
/// let program = Program::decode(&bytes, *b"SHDR", 0).unwrap();
/// let mut text = String::new();
/// disassemble(&program, &mut text);
/// assert_eq!(text, "vs_4_0\nret \n");
/// ```
pub fn disassemble(program: &Program, out: &mut String) {
    disassemble_with(program, &Options::default(), out);
}

/// [`disassemble`] with options.
pub fn disassemble_with(program: &Program, options: &Options, out: &mut String) {
    let mut number = 0u32;
    let mut depth = 0usize;
    margin(options, None, 0, out);
    let _ = writeln!(out, "{}_{}_{}", program.stage.prefix(), program.major, program.minor);
    for i in &program.instructions {
        let numbered = is_numbered(i).then_some(number);
        number += numbered.is_some() as u32;
        depth = depth.saturating_sub(closes_block(i.opcode) as usize);
        margin(options, numbered, i.offset.wrapping_sub(program.offset), out);
        for _ in 0..depth.min(MAX_INDENT) {
            out.push_str("  ");
        }
        write(program, i, options.hex_literals, out);
        out.push('\n');
        depth += opens_block(i.opcode) as usize;
    }
}

/// The text of one instruction, numbered as in [`Program::instructions`]; empty where there is none.
pub fn instruction_text(program: &Program, index: usize) -> String {
    let mut out = String::with_capacity(64);
    write_instruction(program, index, &mut out);
    out
}

/// Appends the text of one instruction, without indentation or line end, to `out`.
pub fn write_instruction(program: &Program, index: usize, out: &mut String) {
    if let Some(i) = program.instructions.get(index) {
        write(program, i, false, out);
        out.truncate(out.trim_end_matches(' ').len());
    }
}

/// What stands left of a line: the instruction's number, or blanks for a declaration, and the offset.
fn margin(options: &Options, number: Option<u32>, offset: u32, out: &mut String) {
    if options.instruction_numbers {
        let _ = match number {
            Some(n) if options.byte_offsets => write!(out, "{n:4}  "),
            Some(n) => write!(out, "{n:4}: "),
            None => write!(out, "      "),
        };
    }
    if options.byte_offsets {
        let _ = write!(out, "0x{offset:08X}: ");
    }
}

fn is_numbered(i: &Instruction) -> bool {
    match i.opcode {
        // A message is sent when it is reached; other custom data only describes.
        Opcode::CustomData => i.controls >> 11 == CUSTOM_DATA_MESSAGE,
        Opcode::HsDecls => false,
        op => !op.is_declaration(),
    }
}

fn opens_block(op: Opcode) -> bool {
    matches!(op, Opcode::If | Opcode::Else | Opcode::Loop | Opcode::Switch)
}

fn closes_block(op: Opcode) -> bool {
    matches!(op, Opcode::Else | Opcode::EndIf | Opcode::EndLoop | Opcode::EndSwitch)
}

fn write(program: &Program, i: &Instruction, hex: bool, out: &mut String) {
    let mut w = Writer { program, hex, out };
    match i.opcode {
        Opcode::CustomData => w.custom_data(i),
        op if op.is_declaration() => w.declaration(i),
        _ => w.instruction(i),
    }
}

/// Writes the parts of a line; declarations and operands have files of their own.
struct Writer<'a> {
    program: &'a Program,
    hex: bool,
    out: &'a mut String,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn number(&mut self, n: impl std::fmt::Display) {
        let _ = write!(self.out, "{n}");
    }

    /// An instruction that executes: mnemonic, modifiers, operands.
    fn instruction(&mut self, i: &Instruction) {
        self.mnemonic(i);
        match i.opcode {
            Opcode::Sync => return,
            Opcode::InterfaceCall => return self.interface_call(i),
            _ => {}
        }
        let operands = self.program.operands(i);
        let slots = i.opcode.info().slots;
        let precision = operands.first().map(|o| o.min_precision).unwrap_or_default();
        self.text(" ");
        for (n, (operand, slot)) in operands.iter().zip(slots).enumerate() {
            if n > 0 {
                self.text(", ");
            }
            let converted = converts(i.opcode, n).then_some(precision);
            self.operand(operand, operand::Literal::of(i.opcode, *slot), converted);
        }
    }

    fn mnemonic(&mut self, i: &Instruction) {
        let e = &i.extended;
        let indexable = e.dimension.is_some() || e.return_types.is_some();
        self.text(i.opcode.name());
        if e.offsets.is_some() {
            self.text("_aoffimmi");
        }
        if indexable {
            self.text("_indexable");
        }
        if i.opcode != Opcode::HsDecls {
            self.result_modifiers(i);
        }
        if let Some([u, v, w]) = e.offsets {
            let _ = write!(self.out, "({u},{v},{w})");
        }
        if let Some(dimension) = e.dimension {
            self.text("(");
            self.text(dimension.name());
            if e.stride != 0 {
                let _ = write!(self.out, ", stride={}", e.stride);
            }
            self.text(")");
        }
        if let Some(types) = e.return_types {
            self.return_types(types);
        }
        match i.opcode {
            Opcode::ResInfo => match i.controls >> 11 & 3 {
                1 => self.text("_rcpfloat"),
                2 => self.text("_uint"),
                _ => {}
            },
            Opcode::SampleInfo if i.controls >> 11 & 1 != 0 => self.text("_uint"),
            Opcode::Breakc
            | Opcode::Callc
            | Opcode::Continuec
            | Opcode::Discard
            | Opcode::If
            | Opcode::Retc => self.text(if i.test_nonzero() { "_nz" } else { "_z" }),
            Opcode::Sync => {
                // From the widest scope to the threads themselves.
                for (bit, name) in [(14, "_uglobal"), (13, "_ugroup"), (12, "_g"), (11, "_t")] {
                    // Of the two scopes of views only the wider is named.
                    if i.controls >> bit & 1 != 0 && !(bit == 13 && i.controls >> 14 & 1 != 0) {
                        self.text(name);
                    }
                }
            }
            _ => {}
        }
    }

    fn result_modifiers(&mut self, i: &Instruction) {
        if i.saturate() {
            self.text("_sat");
        }
        match i.precise() {
            0 => {}
            15 => self.text(" [precise]"),
            mask => {
                self.text(" [precise(");
                self.lanes(mask);
                self.text(")]");
            }
        }
    }

    /// `fcall`: the call site's number is the last index of the interface pointer.
    fn interface_call(&mut self, i: &Instruction) {
        self.text(" ");
        if let Some(pointer) = self.program.operands(i).first() {
            self.operand(pointer, operand::Literal::Int, None);
        }
        let site = self.program.words(i).first().copied().unwrap_or(0);
        let _ = write!(self.out, "[{site}]");
    }

    /// `printf "format", operands`. The words are a number for the kind, one for the format (1), the counts
    /// of characters, operands and words of operands, the operands and the text.
    fn message(&mut self, i: &Instruction, words: &[u32]) {
        let operands = self.program.operands(i);
        let &[kind, format, characters, count, length, ref rest @ ..] = words else {
            return self.undecipherable();
        };
        let text = rest.get(length as usize..).unwrap_or(&[]);
        let fits = count as usize == operands.len() && (count == 0) == (length == 0);
        if !fits || characters as usize >= text.len() * 4 {
            return self.undecipherable();
        }
        self.text(match (kind, format) {
            (0x0020_0102, 1) => "printf \"",
            (0x0020_0103, 1) => "errorf \"",
            _ => "<unknown> \"",
        });
        for byte in text.iter().flat_map(|w| w.to_le_bytes()).take_while(|b| *b != 0) {
            match byte {
                b'\t' => self.text("\\t"),
                b'\n' => self.text("\\n"),
                b'\r' => self.text("\\r"),
                b'\\' => self.text("\\\\"),
                b' '..=0x7f => self.out.push(char::from(byte)),
                _ => self.text("."),
            }
        }
        self.text("\"");
        for operand in operands {
            self.text(", ");
            self.operand(operand, operand::Literal::Guess, None);
        }
    }

    fn undecipherable(&mut self) {
        self.text("undecipherable custom data");
    }

    fn custom_data(&mut self, i: &Instruction) {
        let words = self.program.words(i);
        match i.controls >> 11 {
            crate::CUSTOM_DATA_ICB => self.immediate_constant_buffer(words),
            CUSTOM_DATA_COMMENT => {
                self.text("// COMMENT: ");
                let bytes = words.iter().flat_map(|w| w.to_le_bytes());
                let text = bytes.take_while(|b| *b != 0).filter(|b| matches!(b, b' '..=b'~'));
                self.out.extend(text.map(char::from));
            }
            CUSTOM_DATA_MESSAGE => self.message(i, words),
            _ => self.undecipherable(),
        }
    }
}

/// Whether operand `n` is shown with the precision to which the instruction converts it, which is that of
/// the first operand. Conversions, comparisons and everything that touches memory take operands as they are,
/// and so do shift counts and the like.
fn converts(op: Opcode, n: usize) -> bool {
    use Opcode::*;
    match op {
        Ishl | Ishr | Ushr | Ubfe | Ibfe | Bfi | EvalSnapped | EvalSampleIndex | Swapc => n == 1,
        Movc | Dmovc => n >= 2,
        Deq | Dge | Dlt | Dne | FtoD | DtoI | DtoU | ItoD | UtoD => false,
        _ => {
            let info = op.info();
            matches!(
                info.family,
                Family::Float
                    | Family::Integer
                    | Family::Bit
                    | Family::Move
                    | Family::Double
                    | Family::Derivative
                    | Family::Interpolation
            ) && matches!(info.slots.get(n), Some(Slot::Src(_)))
        }
    }
}
