//! Verbs and their arguments.

use crate::effect::EffectArgs;
use crate::options::{LinkProfileArgs, TranslatorArgs};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use shaderport::diagnostics::codes;
use shaderport::linker::{ConstantBuffers, UnusedOutputs};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Translate compiled Direct3D shaders (DXBC, shader models 4.0 to 5.1) to GLSL ES 3.00 for WebGL2.
#[derive(Debug, Parser)]
#[command(
    name = "shaderport",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Exit status:
  0  all fine
  1  something was refused (sound, but WebGL2 cannot express it) or invalid (damaged, unreadable); the rest was done
  2  wrong usage, or an output that cannot be written

Colours follow NO_COLOR, CLICOLOR and CLICOLOR_FORCE. `shaderport VERB --help` shows examples."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Translate(TranslateArgs),
    Link(LinkArgs),
    Disasm(DisasmArgs),
    Inspect(InspectArgs),
    Extract(ExtractArgs),
    Run(RunArgs),
    Spirv(crate::spirv::SpirvArgs),
    #[command(subcommand)]
    Pack(crate::pack::PackVerb),
    Effect(EffectArgs),
    Explain(ExplainArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
}

/// How a result is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Human,
    /// JSON.
    Json,
}

/// Translate vertex and pixel shaders to GLSL ES 3.00 with a manifest for the host
///
/// Writes STEM.vert.glsl or STEM.frag.glsl and STEM.json (the manifest) for each shader; STEM is the file's name less
/// its last extension. A file that begins with DXBC is one shader. Any other file is searched for containers, which
/// are numbered STEM.0, STEM.1 and so on. Folders are walked in sorted order and their tree is kept below --out-dir;
/// files without a shader are passed over there, and links to folders are not followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport translate lit.vs.dxbc                           GLSL to standard output
  shaderport translate shaders/ --out-dir web/shaders        a whole tree
  shaderport translate shaders/ --check --format json        only report, one JSON object a line
  shaderport translate game.pak --out-dir out                every shader inside an archive
  cat a.cso | shaderport translate - --flip-y > a.glsl       as a filter
  shaderport translate a.cso --out-dir out --buffer-capacity 256 --buffer-capacity t3=16")]
pub(crate) struct TranslateArgs {
    /// DXBC files, files that hold DXBC, folders, or `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Folder that the outputs are written to
    ///
    /// May be left out with a single shader, whose GLSL is then printed, and with --format json, whose objects then
    /// carry text and manifest as `source` and `manifest`.
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Translate and report, but write nothing
    #[arg(long)]
    pub(crate) check: bool,

    /// How to report: findings on standard error, or JSON lines on standard output
    ///
    /// `json` prints one object for each input and a last one with the summary; `shaderport schema translate` describes
    /// them.
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) profile: LinkProfileArgs,

    #[command(flatten)]
    pub(crate) translator: TranslatorArgs,
}

/// Whether stages share the block of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sharing {
    /// Each stage's slot is its own block, but where reflection proves name and layout equal.
    Separate,
    /// One block a slot, of the greater size.
    Shared,
}

impl From<Sharing> for ConstantBuffers {
    fn from(s: Sharing) -> Self {
        match s {
            Sharing::Separate => ConstantBuffers::Separate,
            Sharing::Shared => ConstantBuffers::Shared,
        }
    }
}

/// What becomes of outputs that nobody reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unused {
    /// They stay.
    Keep,
    /// They go.
    Drop,
}

impl From<Unused> for UnusedOutputs {
    fn from(u: Unused) -> Self {
        match u {
            Unused::Keep => UnusedOutputs::Keep,
            Unused::Drop => UnusedOutputs::Drop,
        }
    }
}

/// Make one WebGL2 program of a vertex and a pixel shader
///
/// Writes program.vert.glsl, program.frag.glsl and program.json (the manifest of the program).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport link lit.vs.dxbc lit.ps.dxbc --out-dir web/lit
  shaderport link lit.vs.dxbc lit.ps.dxbc --check --limits guaranteed
  shaderport link lit.vs.dxbc lit.ps.dxbc --out-dir web/lit --profile carbon --rule constant_form=array")]
pub(crate) struct LinkArgs {
    /// The vertex shader: a DXBC file, a file that holds one, or `-` for standard input
    #[arg(value_name = "VERTEX")]
    pub(crate) vertex: PathBuf,

    /// The pixel shader
    #[arg(value_name = "PIXEL")]
    pub(crate) pixel: PathBuf,

    /// Folder that the program is written to
    #[arg(long, value_name = "DIR", required_unless_present = "check")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Link and report, but write nothing
    #[arg(long)]
    pub(crate) check: bool,

    /// How to report: findings on standard error, or a JSON object on standard output
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    /// Whether stages share the block of a constant-buffer slot [default: separate, or what the profile says]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) constant_buffers: Option<Sharing>,

    /// What becomes of vertex outputs that the pixel shader does not read [default: keep, or what the profile says]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) unused_outputs: Option<Unused>,

    #[command(flatten)]
    pub(crate) profile: LinkProfileArgs,

    #[command(flatten)]
    pub(crate) translator: TranslatorArgs,
}

/// Which container of a file a verb is about.
#[derive(Debug, Args)]
pub(crate) struct OneShader {
    /// A DXBC file, a file that holds DXBC, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Which container of a file that holds several, numbered as `extract` does
    #[arg(long, value_name = "N")]
    pub(crate) blob: Option<String>,
}

/// List a shader's instructions, line for line as Microsoft's compiler does
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport disasm lit.ps.dxbc
  shaderport disasm lit.ps.dxbc --offsets --numbers
  shaderport disasm game.pak --blob 12")]
pub(crate) struct DisasmArgs {
    #[command(flatten)]
    pub(crate) shader: OneShader,

    /// Number the executable instructions
    #[arg(long)]
    pub(crate) numbers: bool,

    /// Show each line's byte offset from the start of the program
    #[arg(long)]
    pub(crate) offsets: bool,

    /// Show literals as hexadecimal words
    #[arg(long)]
    pub(crate) hex: bool,
}

/// Show what a container holds: chunks, signatures, reflection, resources, and what it needs of WebGL2
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport inspect lit.ps.dxbc
  shaderport inspect lit.ps.dxbc --format json
  shaderport inspect effect.fxo --blob 0.3

The translator's options decide what the shader needs.")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) shader: OneShader,

    /// How to report; `shaderport schema inspect` describes the JSON
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) translator: TranslatorArgs,
}

/// Find every DXBC container in a file, and write each to a file of its own
///
/// Writes STEM.0.dxbc, STEM.1.dxbc and so on; those inside an effect or a library get a further number, such as
/// STEM.1.0.dxbc. Without --out-dir they are only listed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport extract game.pak
  shaderport extract game.pak --out-dir shaders")]
pub(crate) struct ExtractArgs {
    /// Any file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Folder that the containers are written to
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
}

/// Run a vertex or pixel shader on the CPU, as Direct3D would
///
/// The inputs are a JSON object, all of whose members may be left out:
///
///   inputs        {"TEXCOORD0": [0.5, 0.5], "v1": [1, "0x7fc00000"]}: what every vertex or pixel reads, by semantic or
///                 register; of pixels also coverage, inner_coverage and depth, where the shader has a use for them
///
///   invocations   a list of such objects: one for each vertex, or up to four for the pixels (0,0) (1,0) (0,1) (1,1) of
///                 a quad; pixels that are missing are as the first
///
///   constants     {"Tint": [1, 1, 1, 1], "Lights[1].Range": 5, "cb2": [[1.0, 0, 0, 0]]}: by their names in HLSL, in
///                 memory order with a list for each row of an array or matrix, or as rows of a buffer
///
///   textures      {"Albedo": {"files": ["a.png"], "srgb": true}, "t1": {"size": [2, 2], "levels": [[[1, 0, 0, 1], 0, 0, 0]]}};
///                 also layers, channels and depth_bits; files are sought beside the JSON, one PNG for each level
///
///   samplers      {"s0": {"filter": "linear", "mip": "linear", "address": ["wrap"]}}; also border, comparison, lod_bias,
///                 min_lod and max_lod
///
///   buffers       {"t2": [[1.0, 2.0, 3], 4]}: words of a raw buffer, texels of a typed one; of a structured
///                 one words, or a list for each structure
///
///   views         {"u1": {"elements": [1, 2]}, "Counts": {"count": 4, "counter": 1}, "u3": {"size": [2, 2]}}: what is in
///                 them before (as in buffers, 0 where there are no more); of a buffer how many there are, of a texture
///                 also layers, and of a texture or typed buffer the channels of its format
///
///   interfaces    {"which": "plain", "pair[1]": {"class": "Shiny", "buffer": 1, "row": 2}, "fp0": {"table": 1}}: the class
///                 instance that stands for each, by its name, or by its class or function table and where its constants
///                 are; also texture and sampler, the registers of the first of its own
///
///   samples       of a pixel: 1, 2, 4, 8 or 16
///
/// Names in HLSL come before registers, so a texture that is called t5 is meant by t5. Of shader model 5.1, `t7,space1`
/// is a register of another space than 0, and `Name[1]` an element of an array of textures, samplers, views or constant
/// buffers (`Mats[1].Color`). Nothing may be given twice, under one name or two; only what an invocation says itself comes before
/// `inputs`.
///
/// A number is what its place in the shader says; of an input register that is its signature. In rows, in buffers and
/// where nothing says so, it is a float if it has a point or an exponent, or more than 64 bits. Integers are from
/// -2147483648 to 4294967295, and their bits count. "0x..." gives the bits of any value; "nan", "inf" and "-inf" are
/// floats; true is 1.0, or all bits.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport run lit.vs.dxbc --inputs lit.vs.inputs.json
  shaderport run lit.ps.dxbc --inputs lit.ps.inputs.json --trace
  shaderport run lit.ps.dxbc --inputs lit.ps.inputs.json --format json

The repository's examples hold these files.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) shader: OneShader,

    /// A JSON file, or `-` for standard input; without it everything is 0
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,

    /// Show each instruction with the values that it read and wrote
    #[arg(long)]
    pub(crate) trace: bool,

    /// Instructions after which a program is taken to be endless
    #[arg(long, value_name = "N", default_value_t = shaderport::exec::DEFAULT_LIMIT)]
    pub(crate) limit: u64,

    /// How to report
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: Format,
}

/// Explain a code of a finding
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport explain checksum-mismatch
  shaderport explain --list")]
pub(crate) struct ExplainArgs {
    /// The code, as findings show it in brackets
    #[arg(
        value_name = "CODE",
        required_unless_present = "list",
        conflicts_with = "list",
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(codes::all().map(|c| c.name()))
    )]
    pub(crate) code: Option<String>,

    /// List every code with its title
    #[arg(long)]
    pub(crate) list: bool,
}

/// A format that has a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// The manifest beside a translated shader.
    Manifest,
    /// A line of `translate --format json`.
    Translate,
    /// The output of `inspect --format json`.
    Inspect,
    /// The manifest of a linked program.
    Program,
    /// An ABI profile.
    Profile,
    /// The output of `link --format json`.
    Link,
    /// The output of `run --format json`.
    Run,
    /// The output of `spirv --format json`.
    Spirv,
    /// `pack.json`, a render pack's descriptor.
    Pack,
    /// A device file, as `pack check --device` reads it.
    Device,
    /// The output of `pack check --format json`.
    PackCheck,
    /// The output of `pack check-shader --format json`.
    PackCheckShader,
    /// The output of `pack resolve --format json`.
    PackResolve,
    /// The output of `pack plan --format json`.
    PackPlan,
    /// The shader ABI, as `pack abi --format json` prints it.
    PackAbi,
    /// The output of `effect list --format json`.
    Effect,
    /// The JSON of a package.
    Package,
    /// The output of `effect build --format json`.
    EffectBuild,
    /// The table of texture families, as `effect table` prints it.
    EffectTable,
}

/// Print the JSON Schema of an output
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport schema manifest > manifest.schema.json")]
pub(crate) struct SchemaArgs {
    /// The format
    #[arg(value_enum)]
    pub(crate) name: SchemaName,
}

/// Print a script that completes this command's arguments in a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport completions bash > ~/.local/share/bash-completion/completions/shaderport
  shaderport completions zsh > \"${fpath[1]}/_shaderport\"")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_has_examples() {
        let command = Cli::command();
        let verbs = command.get_subcommands().flat_map(|v| std::iter::once(v).chain(v.get_subcommands()));
        for verb in verbs {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n"), "{}", verb.get_name());
        }
    }
}
