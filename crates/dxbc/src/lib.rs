//! Reader for DXBC, the container of compiled Direct3D 10 and 11 shaders, and for its programs of shader
//! models 4.0 to 5.1.
//!
//! Readers are total: for any bytes they return a value or a [`shaderport_diagnostics::Diagnostic`] with the
//! place of the fault, never panic, and hold no more memory than the input's length warrants.
#![forbid(unsafe_code)]

mod decode;
pub mod opcode;
pub mod program;

pub use decode::CUSTOM_DATA_ICB;
pub use opcode::{Family, Opcode, OpcodeInfo, Refusal, ScalarType, Slot, Stage};
pub use program::{Instruction, Operand, Program};
