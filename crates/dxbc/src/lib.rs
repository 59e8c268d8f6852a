//! Reader for DXBC, the container of compiled Direct3D 10 and 11 shaders, and for its programs of shader
//! models 4.0 to 5.1.
//!
//! [`Container::parse`] checks the container; its methods read each chunk on demand and borrow from the input.
//! [`Program::decode`] reads the instructions. Every reader is total: whatever the bytes, it returns a value or a
//! [`shaderport_diagnostics::Diagnostic`] with the place of the fault, in time and memory linear in the length of
//! the input.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each damaged file.
#![allow(clippy::result_large_err)]

mod build;
mod bytes;
pub mod checksum;
pub mod container;
mod decode;
pub mod disasm;
mod encode;
pub mod features;
pub mod linkage;
#[cfg(test)]
mod mutation_tests;
pub mod opcode;
pub mod program;
pub mod reflection;
pub mod scan;
pub mod signature;
pub mod stat;
#[cfg(test)]
mod testing;

pub use container::{Chunk, Container, ContainerKind};
pub use decode::{CUSTOM_DATA_ICB, CUSTOM_DATA_MESSAGE};
pub use features::FeatureFlags;
pub use linkage::Linkage;
pub use opcode::{Family, Opcode, OpcodeInfo, Refusal, ScalarType, Slot, Stage};
pub use program::{Instruction, Operand, Program};
pub use reflection::Reflection;
pub use signature::{Signature, SignatureElement, SystemValue};
pub use stat::Statistics;
