//! `shaderport pack new`.

use crate::Exit;
use crate::output::{Fatal, Out, make_folder, write_whole};
use clap::{Args, ValueEnum};
use shaderport::renderpack::abi::SEMANTIC_V1;
use shaderport::renderpack::template::{Profile, new_pack};
use std::path::PathBuf;

/// Make a new pack that checks clean, with sources in src/ and compiled shaders in shaders/
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack new my-pack
  shaderport pack new my-pack --profile atmospheric --id studio.dusk")]
pub(crate) struct NewArgs {
    /// The pack's folder; it must not exist, or be empty
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// What the pack starts with
    #[arg(long, value_enum, default_value = "no-op")]
    profile: ProfileName,

    /// The pack's id [default: the folder's name]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProfileName {
    /// A descriptor with one preset.
    NoOp,
    /// Directional shadows, and the world copied as it is.
    Shadows,
    /// Sun rays, light in the air, bloom, grading and shadows.
    Atmospheric,
}

pub(crate) fn run(args: &NewArgs, out: &mut Out) -> Result<Exit, Fatal> {
    if args.dir.exists() && std::fs::read_dir(&args.dir).map_or(true, |mut d| d.next().is_some()) {
        return Err(Fatal::Usage(format!("{} exists and is not an empty folder", args.dir.display())));
    }
    let name = || {
        args.dir.file_name().map(|n| n.to_string_lossy().to_lowercase().replace(' ', "-")).unwrap_or_default()
    };
    let id = args.id.clone().unwrap_or_else(name);
    let profile = match args.profile {
        ProfileName::NoOp => Profile::NoOp,
        ProfileName::Shadows => Profile::Shadows,
        ProfileName::Atmospheric => Profile::Atmospheric,
    };
    let files =
        new_pack(profile, &id, &SEMANTIC_V1).map_err(|e| Fatal::Usage(format!("{e}; give one with --id")))?;
    make_folder(&args.dir)?;
    let n = files.len();
    for f in files {
        let path = args.dir.join(&f.path);
        write_whole(&path, &f.bytes).map_err(|d| Fatal::finding(path.to_string_lossy(), d))?;
    }
    out.write(format!("{n} files in {}\n", args.dir.display()).as_bytes())?;
    Ok(Exit::Fine)
}
