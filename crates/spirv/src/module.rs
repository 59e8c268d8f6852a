//! A module as it was read: words, instructions, and tables of what stands where.

use crate::decorations::Decorations;
use crate::grammar::{self, Class};
use crate::lines::DebugLines;
use crate::types::Extent;
use rspirv::spirv::Op;
use shaderport_diagnostics::Place;
use std::collections::{BTreeMap, BTreeSet};

/// The five words at a module's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version word as it stands, `0x00MMmm00`.
    pub version: u32,
    /// The tool that wrote the module.
    pub generator: u32,
    /// One more than the largest id, as claimed.
    pub bound: u32,
    /// Reserved, 0.
    pub schema: u32,
    /// The file's words are big-endian.
    pub big_endian: bool,
}

impl Header {
    /// Major and minor version, if the word is one of 1.0 to 1.6.
    pub fn version(&self) -> Option<(u8, u8)> {
        let [zero, major, minor, low] = self.version.to_be_bytes();
        (zero == 0 && low == 0 && major == 1 && minor <= 6).then_some((major, minor))
    }
}

/// An instruction's place in the word stream.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// Index of its first word in the file.
    pub word: u32,
    /// Number of words, at least 1.
    pub len: u16,
    /// Opcode number.
    pub opcode: u16,
}

/// One instruction of a module.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'m> {
    /// Index among the module's instructions.
    pub index: usize,
    /// Opcode number.
    pub opcode: u16,
    /// Index of its first word in the file.
    pub word: u32,
    /// Its words; the first holds length and opcode.
    pub words: &'m [u32],
}

impl<'m> Instruction<'m> {
    /// Whether this is a `op`.
    pub fn is(&self, op: Op) -> bool {
        u32::from(self.opcode) == op as u32
    }
    /// The word at `index` (0 is the first word), if there is one.
    pub fn operand(&self, index: usize) -> Option<u32> {
        self.words.get(index).copied()
    }
    /// The result id, for known opcodes that have one.
    pub fn result(&self) -> Option<u32> {
        let entry = grammar::lookup(self.opcode)?;
        entry.has_result.then(|| self.operand(entry.result_at()))?
    }
    /// The result type's id, for known opcodes that have one.
    pub fn result_type(&self) -> Option<u32> {
        let entry = grammar::lookup(self.opcode)?;
        entry.has_type.then(|| self.operand(1))?
    }
    /// Calls `see` with the index and value of every id operand but results.
    pub fn ids(&self, mut see: impl FnMut(usize, u32)) {
        let Some(entry) = grammar::lookup(self.opcode) else { return };
        // A misfit has been reported by the reader; what fits is visited.
        let _ = grammar::walk(entry, self.words, 1, |class, at| {
            if class == Class::Id {
                see(at, self.words[at]);
            }
        });
    }
    /// Its place for a finding.
    pub fn place(&self) -> Place {
        Place {
            byte_offset: self.word.checked_mul(4),
            instruction: u32::try_from(self.index).ok(),
            opcode: grammar::op_name(self.opcode),
            ..Place::default()
        }
    }
    /// The string that starts at the word `index`, up to its zero byte.
    pub fn text(&self, index: usize) -> String {
        text(self.words.get(index..).unwrap_or_default())
    }
}

/// A string literal; bytes that are not UTF-8 become replacement characters.
fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An `OpEntryPoint`.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// Execution model number (0 vertex, 4 fragment).
    pub model: u32,
    /// The function.
    pub function: u32,
    /// The name that a host asks for.
    pub name: String,
    /// The variables listed.
    pub interface: Vec<u32>,
    /// Index of the instruction.
    pub inst: usize,
}

/// An `OpExecutionMode` or `OpExecutionModeId`.
#[derive(Clone, Debug)]
pub struct ExecutionMode {
    /// The function that it applies to.
    pub function: u32,
    /// Mode number.
    pub mode: u32,
    /// Its literals or ids.
    pub operands: Vec<u32>,
}

/// Ids to instructions. Dense where the ids are, so that a large bound costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable {
    dense: Vec<u32>,
    sparse: BTreeMap<u32, u32>,
}

impl IdTable {
    /// A table for a module of `words` words: ids up to that number are kept densely.
    pub(crate) fn for_words(words: usize, bound: u32) -> Self {
        let dense = words.min(usize::try_from(bound).unwrap_or(usize::MAX));
        IdTable { dense: vec![u32::MAX; dense], sparse: BTreeMap::new() }
    }
    pub(crate) fn get(&self, id: u32) -> Option<usize> {
        let index = match self.dense.get(id as usize) {
            Some(&i) if i != u32::MAX => i,
            Some(_) => return None,
            None => *self.sparse.get(&id)?,
        };
        Some(index as usize)
    }
    /// Keeps the first definition; says whether this was it.
    pub(crate) fn insert(&mut self, id: u32, index: usize) -> bool {
        let index = index as u32;
        match self.dense.get_mut(id as usize) {
            Some(slot) if *slot == u32::MAX => *slot = index,
            Some(_) => return false,
            None => {
                if self.sparse.contains_key(&id) {
                    return false;
                }
                self.sparse.insert(id, index);
            }
        }
        true
    }
}

/// A module that was read.
#[derive(Clone, Debug)]
pub struct Module {
    /// The header.
    pub header: Header,
    pub(crate) words: Vec<u32>,
    pub(crate) insts: Vec<Inst>,
    pub(crate) defs: IdTable,
    pub(crate) decorations: Decorations,
    /// Indices of the `OpName` and `OpMemberName` instructions, sorted by target and member.
    pub(crate) names: Vec<(u32, Option<u32>, u32)>,
    pub(crate) extents: BTreeMap<u32, Extent>,
    pub(crate) debug_lines: DebugLines,
    /// Structures of which every member is `NonWritable`.
    pub(crate) locked: BTreeSet<u32>,
    /// Declared capabilities, in order, by number.
    pub capabilities: Vec<u32>,
    /// Declared extensions.
    pub extensions: Vec<String>,
    /// Imported instruction sets: id and name.
    pub imports: Vec<(u32, String)>,
    /// Addressing and memory model numbers.
    pub memory_model: Option<(u32, u32)>,
    /// Entry points.
    pub entry_points: Vec<EntryPoint>,
    /// Execution modes.
    pub execution_modes: Vec<ExecutionMode>,
    /// Indices of the module-scope `OpVariable` instructions, in order.
    pub(crate) variables: Vec<u32>,
}

impl Module {
    /// Number of instructions.
    pub fn instruction_count(&self) -> usize {
        self.insts.len()
    }

    /// The instruction of that index.
    pub fn instruction(&self, index: usize) -> Option<Instruction<'_>> {
        let i = self.insts.get(index)?;
        let words = self.words.get(i.word as usize..i.word as usize + usize::from(i.len))?;
        Some(Instruction { index, opcode: i.opcode, word: i.word, words })
    }

    /// All instructions, in the order of the file.
    pub fn instructions(&self) -> impl Iterator<Item = Instruction<'_>> {
        (0..self.insts.len()).filter_map(|i| self.instruction(i))
    }

    /// The instruction that defines `id`.
    pub fn definition(&self, id: u32) -> Option<Instruction<'_>> {
        self.instruction(self.defs.get(id)?)
    }

    /// The module-scope variables, in the order of the file.
    pub fn variables(&self) -> impl Iterator<Item = Instruction<'_>> {
        self.variables.iter().filter_map(|&i| self.instruction(i as usize))
    }

    /// The debug name of an id, if it has one that is not empty.
    pub fn name(&self, id: u32) -> Option<String> {
        self.debug_name(id, None)
    }

    /// The debug name of a structure's member, if it has one that is not empty.
    pub fn member_name(&self, id: u32, member: u32) -> Option<String> {
        self.debug_name(id, Some(member))
    }

    fn debug_name(&self, id: u32, member: Option<u32>) -> Option<String> {
        let at = self.names.binary_search_by(|&(i, m, _)| (i, m).cmp(&(id, member))).ok()?;
        let inst = self.instruction(self.names[at].2 as usize)?;
        let name = inst.text(if member.is_some() { 3 } else { 2 });
        (!name.is_empty()).then_some(name)
    }

    /// The value of an `OpConstant` of an integer type of 32 bits or fewer.
    pub fn constant(&self, id: u32) -> Option<u32> {
        let inst = self.definition(id)?;
        (inst.is(Op::Constant) && inst.words.len() == 4).then(|| inst.operand(3))?
    }
}
