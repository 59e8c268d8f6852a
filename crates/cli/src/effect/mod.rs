//! `shaderport effect`: Carbon effect containers.

mod build;
mod extract;
mod list;

use crate::Exit;
use crate::args::Format;
use crate::inputs::{read_one, stem_of_one};
use crate::options::{ProfileArgs, TranslatorArgs};
use crate::output::{Fatal, Out, print_finding};
use clap::{Args, Subcommand, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use shaderport::Diagnostic;
use shaderport::effect::budget::Table;
use shaderport::effect::package::Completeness;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Read compiled effects (.sm_hi, .sm_depth, .sm_lo; versions 8 to 15) and make WebGL2 packages of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport effect list quad.sm_hi
  shaderport effect extract quad.sm_hi --out-dir shaders
  shaderport effect build quad.sm_hi --out-dir web/effects")]
pub(crate) struct EffectArgs {
    #[command(subcommand)]
    verb: EffectVerb,
}

#[derive(Debug, Subcommand)]
enum EffectVerb {
    List(ListArgs),
    Extract(ExtractArgs),
    Build(Box<BuildArgs>),
    Table(TableArgs),
}

/// List an effect's permutation axes, bodies, techniques, passes, stages and states
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport effect list quad.sm_hi
  shaderport effect list quad.sm_hi --format json")]
struct ListArgs {
    /// An effect container, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to report; `shaderport schema effect` describes the JSON
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// Write each program of an effect to a file of its own, equal ones once
///
/// Writes STEM.0.vs.dxbc, STEM.1.ps.dxbc and so on, numbered in the order of first use; GLSL of a translated container
/// becomes STEM.0.vert.glsl and STEM.1.frag.glsl. Without --out-dir they are only listed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport effect extract quad.sm_hi
  shaderport effect extract quad.sm_hi --out-dir shaders")]
struct ExtractArgs {
    /// An effect container, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Folder that the programs are written to
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

/// How a package is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// STEM.json, and the programs with their manifests in the folder STEM
    Folder,
    /// STEM.carbonwebgl, a version 15 container with GLSL in its program slots, and STEM.json
    Container,
}

/// Make a WebGL2 package of an effect: every permutation, technique and pass
///
/// STEM.json holds the permutations, passes, render states, sampler states, parameters and annotations, the programs,
/// what was left out and why, and a report of completeness; `shaderport schema package` describes it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport effect build quad.sm_hi --out-dir web/effects
  shaderport effect build quad.sm_hi --out-dir web/effects --form container
  shaderport effect build quad.sm_hi --out-dir web/effects --profile carbon
  shaderport effect build quad.sm_hi --check --format json")]
struct BuildArgs {
    /// An effect container, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Folder that the package is written to
    #[arg(long, value_name = "DIR", required_unless_present = "check")]
    out_dir: Option<PathBuf>,

    /// Build and report, but write nothing
    #[arg(long)]
    check: bool,

    /// How the package is laid out
    #[arg(long, value_enum, default_value = "folder")]
    form: FormArg,

    /// Texture units that a pixel stage may use, or `any`
    ///
    /// While a stage is over them, families of its textures are merged and local lights are taken out of them.
    #[arg(long, value_name = "N|any", value_parser = parse_units, default_value = "16")]
    texture_units: Units,

    /// What becomes of local lights in a stage that is over its texture units
    #[arg(long, value_enum, default_value = "packed-texture")]
    lights: LightsArg,

    /// What samples of light profiles read once the lights are packed
    #[arg(long, value_enum, default_value = "neutral")]
    light_profiles: ProfilesArg,

    /// Families of textures and the layout of lights, in place of those that `effect table` prints
    #[arg(long, value_name = "FILE.json")]
    table: Option<PathBuf>,

    /// How to report; `shaderport schema effect-build` describes the JSON
    #[arg(long, value_enum, default_value = "human")]
    format: Format,

    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    profile: ProfileArgs,

    #[command(flatten)]
    translator: TranslatorArgs,
}

/// Texture units of a pixel stage; `None` for any number.
#[derive(Clone, Copy, Debug)]
struct Units(Option<u32>);

fn parse_units(text: &str) -> Result<Units, String> {
    match text {
        "any" => Ok(Units(None)),
        n => n.parse().map(|n| Units(Some(n))).map_err(|_| format!("`{n}` is neither a number nor `any`")),
    }
}

/// What becomes of local lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LightsArg {
    /// Areas of one RGBA32UI data texture
    PackedTexture,
    /// Uniform blocks of fixed capacity
    ConstantBlock,
    /// Left out: no local lights, for diagnosis
    Stub,
    /// As they are
    Keep,
}

/// What becomes of light profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProfilesArg {
    /// 1: lights have no profile
    Neutral,
    /// An area of the data texture, with --lights packed-texture
    Packed,
}

/// Print the table of texture families and the layout of lights that `effect build` uses
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport effect table > families.json
  shaderport effect build quad.sm_depth --out-dir web --table families.json")]
struct TableArgs {}

/// What `effect build --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct BuildReport {
    /// The file, or `-` for standard input.
    pub(crate) input: String,
    /// How it went: `refused` and `invalid` if a pass was left out, or the container is damaged.
    pub(crate) status: crate::report::Status,
    /// Files written, relative to the output folder.
    pub(crate) outputs: Vec<String>,
    /// What is whole and what is missing; absent where the container cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) completeness: Option<Completeness>,
    /// Every finding about the container and about shaders that were left out.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

pub(crate) fn run(args: &EffectArgs, out: &mut Out) -> Result<Exit, Fatal> {
    match &args.verb {
        EffectVerb::List(a) => list::run(a, out),
        EffectVerb::Extract(a) => extract::run(a, out),
        EffectVerb::Build(a) => build::run(a, out),
        EffectVerb::Table(TableArgs {}) => {
            out.json_pretty(&Table::default())?;
            Ok(Exit::Fine)
        }
    }
}

/// What the file holds, as long as it is whole: findings have been printed otherwise.
fn with_effect<T>(
    path: &Path,
    then: impl FnOnce(&str, &shaderport::effect::Read<'_>) -> Result<T, Fatal>,
) -> Result<Option<T>, Fatal> {
    let name = path.to_string_lossy();
    let print = |d: &Diagnostic| print_finding(&name, d);
    let bytes = match read_one(path) {
        Ok(bytes) => bytes,
        Err(finding) => {
            print(&finding);
            return Ok(None);
        }
    };
    match shaderport::effect::read(&bytes) {
        Ok(read) => {
            read.diagnostics.iter().for_each(print);
            then(&name, &read).map(Some)
        }
        Err(findings) => {
            findings.iter().for_each(print);
            Ok(None)
        }
    }
}

/// The stem of what is made of the file.
fn stem(path: &Path) -> String {
    stem_of_one(path).to_string_lossy().into_owned()
}
