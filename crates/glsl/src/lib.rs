//! Direct3D vertex and pixel programs to GLSL ES 3.00 for WebGL2.
//!
//! [`translate`] takes the bytes of one DXBC container and returns text, manifest and findings. Data flows one
//! way: bytes, program, declarations, flow and webs, types, tree, text.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each refused file.
#![allow(clippy::result_large_err)]

mod decls;
mod emit;
mod flow;
pub mod helpers;
mod joints;
mod literal;
mod lower;
pub mod manifest;
mod names;
mod needs;
pub mod options;
pub mod pair;
mod print;
mod ranges;
mod reflect;
mod resources;
pub mod rewrite;
mod stage;
mod tree;
mod types;

use shaderport_diagnostics::Diagnostic;
use shaderport_dxbc::Stage;

pub use manifest::Manifest;
pub use options::Options;

/// A translated stage.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The stage: vertex or pixel.
    pub stage: Stage,
    /// Shader model.
    pub model: (u8, u8),
    /// GLSL ES 3.00.
    pub source: String,
    /// What a host must know.
    pub manifest: Manifest,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The shader is sound but WebGL2 cannot express it, or it is of another kind.
    Refused,
    /// The input is damaged or is no shader.
    Invalid,
}

/// No translation.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// The stage, where it was read.
    pub stage: Option<Stage>,
    /// The shader model, where it was read.
    pub model: Option<(u8, u8)>,
    /// Every finding, in the order of the file; at least one is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// Translates one DXBC container.
///
/// # Errors
/// [`Failure`] with every finding: refused shaders name each thing that WebGL2 lacks.
pub fn translate(bytes: &[u8], options: &Options) -> Result<Translation, Failure> {
    stage::translate(stage::parse(bytes, options)?, options, stage::Pairing::default())
}
