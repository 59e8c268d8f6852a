//! The source line of an instruction, from `OpLine` or from `NonSemantic.Shader.DebugInfo.100`.

use crate::module::{Instruction, Module};
use rspirv::spirv::Op;
use std::collections::BTreeMap;

/// A place in the source that a module was compiled from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// File name as the compiler wrote it.
    pub file: String,
    /// One-based line.
    pub line: u32,
    /// One-based column, or 0.
    pub column: u32,
}

/// Where `NonSemantic.Shader.DebugInfo.100` says something about lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct DebugLines {
    /// The import.
    import: Option<u32>,
    /// The instruction about each module-scope variable.
    globals: BTreeMap<u32, u32>,
}

/// How many instructions back a line is looked for; compilers write one for each statement.
const REACH: usize = 4096;

const DEBUG_INFO: &str = "NonSemantic.Shader.DebugInfo.100";
const DEBUG_GLOBAL_VARIABLE: u32 = 18;
const DEBUG_LINE: u32 = 103;
const DEBUG_NO_LINE: u32 = 104;

impl Module {
    /// The source line that applies to an instruction of a function.
    pub fn source_line(&self, index: usize) -> Option<SourceLine> {
        let debug = self.debug_lines.import;
        for i in (index.saturating_sub(REACH)..index).rev() {
            let inst = self.instruction(i)?;
            match Op::from_u32(u32::from(inst.opcode)) {
                Some(Op::Line) => return self.op_line(&inst),
                // A line ends with its block.
                Some(Op::NoLine | Op::Label | Op::FunctionParameter | Op::Function) => return None,
                Some(Op::ExtInst) if debug.is_some() && inst.operand(3) == debug => match inst.operand(4) {
                    Some(DEBUG_LINE) => return self.debug_line(&inst, 5, 6, 8),
                    Some(DEBUG_NO_LINE) => return None,
                    _ => {}
                },
                _ => {}
            }
        }
        None
    }

    /// The source line of a module-scope variable.
    pub fn variable_line(&self, id: u32) -> Option<SourceLine> {
        if let Some(&at) = self.debug_lines.globals.get(&id) {
            return self.debug_line(&self.instruction(at as usize)?, 7, 8, 9);
        }
        let before = self.instruction(self.defs.get(id)?.checked_sub(1)?)?;
        if before.is(Op::Line) { self.op_line(&before) } else { None }
    }

    /// Looks up once what every finding may ask for.
    pub(crate) fn index_debug_lines(&mut self) {
        let import = self.imports.iter().find(|(_, name)| name == DEBUG_INFO).map(|&(id, _)| id);
        let Some(import) = import else { return };
        let mut globals = BTreeMap::new();
        for i in self.instructions() {
            let global = i.is(Op::ExtInst)
                && i.operand(3) == Some(import)
                && i.operand(4) == Some(DEBUG_GLOBAL_VARIABLE);
            if let Some(variable) = i.operand(11).filter(|_| global) {
                globals.entry(variable).or_insert(i.index as u32);
            }
        }
        self.debug_lines = DebugLines { import: Some(import), globals };
    }

    fn op_line(&self, inst: &Instruction<'_>) -> Option<SourceLine> {
        Some(SourceLine {
            file: self.string(inst.operand(1)?)?,
            line: inst.operand(2)?,
            column: inst.operand(3)?,
        })
    }

    fn debug_line(
        &self,
        inst: &Instruction<'_>,
        source: usize,
        line: usize,
        column: usize,
    ) -> Option<SourceLine> {
        let source = self.definition(inst.operand(source)?)?;
        Some(SourceLine {
            file: self.string(source.operand(5)?)?,
            line: self.constant(inst.operand(line)?)?,
            column: inst.operand(column).and_then(|id| self.constant(id)).unwrap_or(0),
        })
    }

    fn string(&self, id: u32) -> Option<String> {
        let inst = self.definition(id)?;
        inst.is(Op::String).then(|| inst.text(2))
    }
}
