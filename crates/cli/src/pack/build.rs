//! `shaderport pack build`.

use super::check::read_text;
use crate::Exit;
use crate::output::{Fatal, Out, print_error_line, write_whole};
use clap::Args;
use shaderport::renderpack::abi::{Format, SEMANTIC_V1, print};
use shaderport::renderpack::descriptor;
use shaderport::renderpack::template::{HEADER, sources, without_source};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compile a pack's sources with glslangValidator or glslc
///
/// Each asset `shaders/NAME.spv` of pack.json is compiled from `src/NAME`, and `src/pack_abi.glsl` is written anew
/// before that. Assets of another form are left as they are, and named.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport pack build my-pack
  shaderport pack build my-pack --compiler /opt/bin/glslc")]
pub(crate) struct BuildArgs {
    /// The pack's folder, which holds pack.json
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// The compiler [default: glslangValidator, else glslc]
    #[arg(long, value_name = "PROGRAM")]
    compiler: Option<PathBuf>,

    /// Keep debug information
    #[arg(short = 'g', long)]
    debug: bool,
}

pub(crate) fn run(args: &BuildArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let text = read_text(&args.dir.join("pack.json"))?;
    let (Some(document), _) = descriptor::read(&text) else {
        return Err(Fatal::Usage("pack.json cannot be read; `shaderport pack check` says why".into()));
    };
    let names = sources(&document.descriptor);
    let src = args.dir.join("src");
    let missing: Vec<_> = names.iter().filter(|n| !src.join(n).is_file()).cloned().collect();
    if !missing.is_empty() {
        return Err(Fatal::Usage(format!("src/ lacks {}", missing.join(", "))));
    }
    let others = without_source(&document.descriptor);
    for key in &others {
        print_error_line(&format!("not compiled, since only shaders/NAME.spv has a source: {key}"));
    }
    if names.is_empty() && others.is_empty() {
        out.write(b"the pack has no shaders\n")?;
    }
    if names.is_empty() {
        return Ok(Exit::Fine);
    }
    let compiler = args.compiler.clone().or_else(installed);
    let Some(compiler) = compiler else {
        return Err(Fatal::Usage(
            "neither glslangValidator nor glslc is installed; name one with --compiler".into(),
        ));
    };
    let root = args.dir.canonicalize().map_err(|e| Fatal::Usage(format!("{}: {e}", args.dir.display())))?;
    let write = |path: &Path, bytes: &[u8]| {
        if !lies_within(path, &root) {
            return Err(Fatal::Usage(format!("{} lies outside the pack, by a link", path.display())));
        }
        write_whole(path, bytes).map_err(|d| Fatal::finding(path.to_string_lossy(), d))
    };
    write(&src.join(HEADER), print(&SEMANTIC_V1, Format::Glsl).as_bytes())?;
    let mut failed = 0;
    for name in &names {
        // Compiled beside the result, so that a failure leaves what was there.
        let folder = tempfile::tempdir().map_err(|e| Fatal::Usage(format!("no temporary folder: {e}")))?;
        let made = folder.path().join("module.spv");
        let result = command(&compiler, &src, &src.join(name), &made, args.debug).output();
        let output = result.map_err(|e| Fatal::Usage(format!("{}: {e}", compiler.display())))?;
        if output.status.success() && made.is_file() {
            let bytes = std::fs::read(&made).map_err(|e| Fatal::Usage(format!("{}: {e}", made.display())))?;
            write(&args.dir.join(format!("shaders/{name}.spv")), &bytes)?;
            out.write(format!("shaders/{name}.spv ({} bytes)\n", bytes.len()).as_bytes())?;
        } else {
            failed += 1;
            print_error_line(&format!("src/{name} does not compile:"));
            print_error_line(String::from_utf8_lossy(&output.stdout).trim_end());
            print_error_line(String::from_utf8_lossy(&output.stderr).trim_end());
        }
    }
    Ok(if failed == 0 { Exit::Fine } else { Exit::Findings })
}

/// Whether the folder that a file is written to, or will be made in, is in that folder, links followed.
fn lies_within(path: &Path, root: &Path) -> bool {
    let folder = path.ancestors().skip(1).find_map(|a| a.canonicalize().ok());
    folder.is_some_and(|f| f.starts_with(root))
}

/// The first compiler that can be started.
fn installed() -> Option<PathBuf> {
    let starts = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["glslangValidator", "glslc"].iter().find(|n| starts(n)).map(PathBuf::from)
}

fn command(compiler: &Path, include: &Path, source: &Path, output: &Path, debug: bool) -> Command {
    let mut c = Command::new(compiler);
    if compiler.file_stem().is_some_and(|s| s.to_string_lossy().starts_with("glslc")) {
        c.arg("--target-env=vulkan1.3").arg("-I").arg(include);
    } else {
        let mut folder = std::ffi::OsString::from("-I");
        folder.push(include);
        c.args(["-V", "--target-env", "vulkan1.3"]).arg(folder);
    }
    if debug {
        c.arg("-g");
    }
    c.arg("-o").arg(output).arg(source);
    c
}
