//! Carries compiled Direct3D shaders across the border to WebGL2.
//!
//! One function for each job, from borrowed bytes to owned results; no files, no threads, no global state.
//!
//! | job | function |
//! |---|---|
//! | vertex or pixel shader to GLSL ES 3.00 and a manifest | [`translate`] |
//! | a vertex and a pixel shader to one program | [`link()`] |
//! | a compiled effect with all its permutations | [`effect::read()`] |
//! | an effect to a package of programs | [`effect::package::build`] |
//! | what a container holds and needs | [`inspect()`] |
//! | the compiler's listing of a program | [`disassemble`] |
//! | the containers inside any file | [`find_containers`] |
//! | what a program computes, on the CPU | [`exec::Executor`] |
//! | a SPIR-V module's interface | [`spirv::read`], [`spirv::reflect`] |
//! | a render pack against its contract | [`renderpack::check_pack`], [`renderpack::check_shader`] |
//!
//! The crates below are re-exported whole for those who want a single chunk or instruction: [`dxbc`], [`glsl`],
//! [`exec`], [`spirv`], [`renderpack`] and [`diagnostics`].
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/lit.vs.dxbc");
//! use shaderport::{Options, translate};
//!
//! let bytes = std::fs::read(path)?;
//! let options = Options { flip_y: true, ..Options::default() };
//! match translate(&bytes, &options) {
//!     Ok(stage) => {
//!         assert!(stage.source.starts_with("#version 300 es"));
//!         for attribute in &stage.manifest.attributes {
//!             println!("{} at location {}", attribute.name, attribute.location);
//!         }
//!     }
//!     // Every finding at once, each with a stable code and a place.
//!     Err(failure) => {
//!         for finding in &failure.diagnostics {
//!             println!("{finding}");
//!         }
//!         # panic!("lit.vs.dxbc is translated");
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Whatever the bytes, no function here panics or hangs, and memory stays in proportion to the input.
//!
//! Needs Rust 1.88 or later. The feature `schema` adds [JSON Schemas](https://json-schema.org) of what is
//! serialised.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each damaged file.
#![allow(clippy::result_large_err)]

mod find;
mod inspect;

pub use find::{Found, MAX_NESTING, find_containers};
pub use inspect::{
    BindingInfo, BufferInfo, Checksum, ChunkInfo, ElementInfo, Features, INSPECTION_VERSION, IndexableTemp,
    Inspection, MemberInfo, Needs, OpcodeCount, ProgramInfo, ReflectionInfo, ResourceInfo, Signatures,
    StatisticInfo, StructInfo, VariableInfo, inspect,
};
pub use shaderport_diagnostics::{self as diagnostics, Code, Diagnostic, Place, Severity};
pub use shaderport_dxbc::disasm::Options as DisasmOptions;
pub use shaderport_dxbc::{self as dxbc, Container, Program, Stage};
pub use shaderport_effect as effect;
pub use shaderport_exec as exec;
pub use shaderport_glsl::{self as glsl, Failure, FailureKind, Manifest, Options, Translation, translate};
pub use shaderport_link::{self as linker, LinkFailure, LinkOptions, LinkedProgram, ProgramManifest, link};
pub use shaderport_renderpack as renderpack;
pub use shaderport_spirv as spirv;

/// The listing of the program in one DXBC container, line for line as Microsoft's compiler writes it.
///
/// Every stage and every model from 4.0 to 5.1 is listed, also those that are not translated.
///
/// # Errors
/// The finding that stopped the reader: no container, no program, or a damaged one.
pub fn disassemble(bytes: &[u8], options: &DisasmOptions) -> Result<String, Diagnostic> {
    let chunk = Container::parse(bytes)?.program_chunk()?;
    let program = Program::decode(chunk.data, chunk.tag, chunk.place(0).byte_offset.unwrap_or(chunk.offset))?;
    let mut listing = String::new();
    dxbc::disasm::disassemble_with(&program, options, &mut listing);
    Ok(listing)
}
