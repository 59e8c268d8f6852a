//! `shaderport extract`.

use crate::Exit;
use crate::args::ExtractArgs;
use crate::inputs::{read_one, shown_number, stem_of_one, with_suffix};
use crate::output::{Fatal, Out, make_folder, print_finding, printable, write_whole};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::{Container, Diagnostic, Found, Program, find_containers};
use std::path::PathBuf;

pub(crate) fn run(args: &ExtractArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let name = args.file.to_string_lossy();
    let bytes = match read_one(&args.file) {
        Ok(bytes) => bytes,
        Err(finding) => {
            print_finding(&name, &finding);
            return Ok(Exit::Findings);
        }
    };
    let all = find_containers(&bytes);
    if all.is_empty() {
        print_finding(&name, &Diagnostic::new(codes::NO_SHADER_FOUND, "the input holds no DXBC container"));
        return Ok(Exit::Findings);
    }
    if let Some(folder) = &args.out_dir {
        make_folder(folder)?;
    }
    let stem = PathBuf::from(stem_of_one(&args.file));
    let mut exit = Exit::Fine;
    for found in &all {
        let file = with_suffix(&stem, &format!(".{}.dxbc", shown_number(found)));
        if let Some(folder) = &args.out_dir
            && let Err(finding) = write_whole(&folder.join(&file), found.bytes)
        {
            print_finding(&name, &finding);
            exit = Exit::Unwritten;
            continue;
        }
        let line = format!(
            "{}\tbyte {}\t{} bytes\t{}\n",
            file.to_string_lossy(),
            found.offset,
            found.bytes.len(),
            describe(found)
        );
        out.write(printable(&line).as_bytes())?;
    }
    Ok(exit)
}

/// The profile of a shader, the kind of anything else.
fn describe(found: &Found<'_>) -> String {
    let container = match Container::parse(found.bytes) {
        Ok(container) => container,
        Err(finding) => return finding.code.to_string(),
    };
    let program = container.program_chunk().and_then(|c| Program::decode(c.data, c.tag, c.offset + 8));
    match program {
        Ok(p) => format!("{}_{}_{}", p.stage.prefix(), p.major, p.minor),
        Err(_) => container.kind().name().to_string(),
    }
}
