//! A total reader of SPIR-V 1.0 to 1.6 and a reflection of what a module asks of its host.
//!
//! [`read`] takes any bytes at all: it does not panic, and its memory is bounded by the input's length. It gives a
//! [`Module`] (every instruction whose place in the file is known, with tables of ids, types, names and decorations)
//! and findings. [`reflect`] describes a module's interface: descriptors with exact shapes, push constants, stage
//! inputs and outputs, and which of them an entry point really uses.
//!
//! Offsets, strides and sizes come from decorations alone and are never worked out from layout rules.
#![forbid(unsafe_code)]

mod decorations;
mod flow;
mod grammar;
mod lines;
mod module;
mod read;
mod reflect;
mod types;
mod uses;

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod tests;

pub use decorations::Decoration;
pub use grammar::op_name;
pub use lines::SourceLine;
pub use module::{EntryPoint, ExecutionMode, Header, Inst, Instruction, Module};
pub use read::{Reading, read};
pub use reflect::*;
pub use rspirv::spirv;
pub use types::{Extent, Member, Scalar, Type};
pub use uses::{MemberUse, Uses};
