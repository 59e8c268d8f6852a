//! `shaderport link`.

use crate::Exit;
use crate::args::{Format, LinkArgs};
use crate::inputs::{pick, read_one};
use crate::output::{Fatal, Out, make_folder, print_finding, write_files};
use crate::report::{LinkReport, Status};
use shaderport::diagnostics::codes::cli as codes;
use shaderport::{Diagnostic, link};
use std::path::Path;

pub(crate) fn run(args: &LinkArgs, out: &mut Out) -> Result<Exit, Fatal> {
    if args.vertex == args.pixel && args.vertex.as_os_str() == "-" {
        return Err(Fatal::Usage("standard input can be read only once".to_string()));
    }
    let mut options = args.profile.link_options(&args.translator)?;
    if let Some(sharing) = args.constant_buffers {
        options.constant_buffers = sharing.into();
    }
    if let Some(unused) = args.unused_outputs {
        options.unused_outputs = unused.into();
    }
    let mut report = LinkReport {
        vertex: args.vertex.to_string_lossy().into_owned(),
        pixel: args.pixel.to_string_lossy().into_owned(),
        status: Status::Invalid,
        outputs: Vec::new(),
        diagnostics: Vec::new(),
    };
    let vertex = stage(&args.vertex, &mut report.diagnostics)?;
    let pixel = stage(&args.pixel, &mut report.diagnostics)?;
    if let (Some(vertex), Some(pixel)) = (vertex, pixel) {
        match link(&vertex, &pixel, &options) {
            Ok(program) => {
                report.status = Status::Translated;
                report.diagnostics = program.diagnostics;
                if let Some(folder) = args.out_dir.as_deref().filter(|_| !args.check) {
                    make_folder(folder)?;
                    let files = [
                        ("program.vert.glsl".into(), program.vertex),
                        ("program.frag.glsl".into(), program.fragment),
                        ("program.json".into(), program.manifest.to_json()),
                    ];
                    write_files(folder, files, &mut report.outputs, &mut report.diagnostics);
                }
            }
            Err(failure) => {
                report.status = failure.kind.into();
                report.diagnostics = failure.diagnostics;
            }
        }
    }
    let unwritten = report.diagnostics.iter().any(|d| d.code == codes::OUTPUT_UNWRITABLE);
    match args.format {
        Format::Json => out.json_line(&report)?,
        Format::Human => {
            let name = format!("{} + {}", report.vertex, report.pixel);
            report.diagnostics.iter().for_each(|d| print_finding(&name, d));
        }
    }
    Ok(match report.status {
        _ if unwritten => Exit::Unwritten,
        Status::Translated => Exit::Fine,
        Status::Refused | Status::Invalid => Exit::Findings,
    })
}

/// The bytes of a stage's shader, or the finding that there is none.
fn stage(path: &Path, findings: &mut Vec<Diagnostic>) -> Result<Option<Vec<u8>>, Fatal> {
    let picked = match read_one(path) {
        Ok(bytes) => pick(&bytes, None)?.map(<[u8]>::to_vec),
        Err(finding) => Err(finding),
    };
    Ok(picked.map_err(|finding| findings.push(finding.note(format!("the file is {}", path.display())))).ok())
}
