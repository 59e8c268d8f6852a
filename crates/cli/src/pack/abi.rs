//! `shaderport pack abi`.

use crate::Exit;
use crate::output::{Fatal, Out};
use clap::{Args, ValueEnum};
use shaderport::renderpack::abi::{Format, SEMANTIC_V1, print};

/// Print the shader ABI: a GLSL include, structures for a host, JSON, or tables
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack abi --format glsl > src/pack_abi.glsl
  shaderport pack abi --format rust > src/pack_abi.rs")]
pub(crate) struct AbiArgs {
    /// The form
    #[arg(long, value_enum, default_value = "glsl")]
    format: FormatName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatName {
    /// An include for shaders.
    Glsl,
    /// Everything, for tools.
    Json,
    /// Structures with asserted offsets.
    Rust,
    /// Structures with explicit offsets.
    Csharp,
    /// C11 structures with asserted offsets.
    C,
    /// Tables for people.
    Markdown,
}

pub(crate) fn run(args: &AbiArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let format = match args.format {
        FormatName::Glsl => Format::Glsl,
        FormatName::Json => Format::Json,
        FormatName::Rust => Format::Rust,
        FormatName::Csharp => Format::CSharp,
        FormatName::C => Format::C,
        FormatName::Markdown => Format::Markdown,
    };
    out.write(print(&SEMANTIC_V1, format).as_bytes())?;
    Ok(Exit::Fine)
}
