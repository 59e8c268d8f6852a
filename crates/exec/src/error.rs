//! Why a program could not be prepared or run to its end.

use shaderport_diagnostics::{Diagnostic, Place, codes::exec as codes};
use shaderport_dxbc::{Opcode, Program};
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The executor runs vertex and pixel programs.
    Stage,
    /// An instruction or register of another stage.
    Unsupported,
    /// Blocks that do not nest, labels that are missing.
    Flow,
    /// A register that is not declared or cannot be.
    Register(String),
    /// The instruction limit was reached.
    StepLimit(u64),
    /// The shader executed `abort`.
    Aborted,
    /// What is bound is not what the shader declares.
    Mismatch(String),
}

/// An error, with the instruction at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// Index in [`Program::instructions`], where there is one.
    pub instruction: Option<usize>,
    /// The instruction's opcode.
    pub opcode: Option<Opcode>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Error {
        Error { kind, instruction: None, opcode: None }
    }

    pub(crate) fn at(kind: ErrorKind, program: &Program, instruction: usize) -> Error {
        let opcode = program.instructions.get(instruction).map(|i| i.opcode);
        Error { kind, instruction: Some(instruction), opcode }
    }

    /// The error as a finding with its code.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self.kind {
            ErrorKind::Stage | ErrorKind::Unsupported => codes::EXEC_UNSUPPORTED,
            ErrorKind::Flow | ErrorKind::Register(_) => codes::EXEC_MALFORMED,
            ErrorKind::StepLimit(_) => codes::EXEC_STEP_LIMIT,
            ErrorKind::Aborted => codes::EXEC_ABORTED,
            ErrorKind::Mismatch(_) => codes::EXEC_MISMATCH,
        };
        let place = Place {
            instruction: self.instruction.and_then(|i| i.try_into().ok()),
            opcode: self.opcode.map(Opcode::name),
            ..Place::default()
        };
        Diagnostic::new(code, self.message()).at(place)
    }

    fn message(&self) -> String {
        match &self.kind {
            ErrorKind::Stage => "the program is of neither the vertex nor the pixel stage".into(),
            ErrorKind::Unsupported => "the executor does not run this instruction".into(),
            ErrorKind::Flow => "no block or label answers the instruction".into(),
            ErrorKind::Register(what) | ErrorKind::Mismatch(what) => what.clone(),
            ErrorKind::StepLimit(limit) => format!("the program did not end within {limit} instructions"),
            ErrorKind::Aborted => "the shader executed `abort`".into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(f)
    }
}

impl std::error::Error for Error {}
