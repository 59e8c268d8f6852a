//! `shaderport effect extract`.

use super::{ExtractArgs, stem, with_effect};
use crate::Exit;
use crate::output::{Fatal, Out, make_folder, print_finding, printable, write_whole};
use shaderport::effect::model::{Blob, Effect, StageKind};
use std::collections::HashMap;

pub(super) fn run(args: &ExtractArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let stem = stem(&args.file);
    let exit = with_effect(&args.file, |name, read| {
        if let Some(folder) = &args.out_dir {
            make_folder(folder)?;
        }
        let mut exit = Exit::Fine;
        for (n, (program, kind, uses)) in programs(&read.effect).into_iter().enumerate() {
            let file = format!("{stem}.{n}.{}", extension(program, kind));
            if let Some(folder) = &args.out_dir
                && let Err(finding) = write_whole(&folder.join(&file), &program.data)
            {
                print_finding(name, &finding);
                exit = Exit::Unwritten;
                continue;
            }
            let stage = kind.map_or("library", StageKind::name);
            let line = format!("{file}\t{stage}\t{} bytes\t{uses} uses\n", program.data.len());
            out.write(printable(&line).as_bytes())?;
        }
        Ok(exit)
    })?;
    Ok(exit.unwrap_or(Exit::Findings))
}

/// A program, its stage (`None` for a library) and how often it is used.
type Found<'e, 'a> = (&'e Blob<'a>, Option<StageKind>, usize);

/// The programs in the order of first use.
fn programs<'e, 'a>(effect: &'e Effect<'a>) -> Vec<Found<'e, 'a>> {
    let mut list: Vec<Found<'e, 'a>> = Vec::new();
    let mut known = HashMap::new();
    let mut add = |program: &'e Blob<'a>, kind| {
        if !program.data.is_empty() {
            let n = *known.entry((program, kind)).or_insert_with(|| {
                list.push((program, kind, 0));
                list.len() - 1
            });
            list[n].2 += 1;
        }
    };
    for body in &effect.bodies {
        let stages = body.techniques.iter().flat_map(|t| &t.passes).flat_map(|p| &p.stages);
        stages.for_each(|s| add(&s.program, Some(s.kind)));
        body.libraries.iter().for_each(|l| add(&l.program, None));
    }
    list
}

fn extension(program: &Blob<'_>, kind: Option<StageKind>) -> String {
    if program.data.starts_with(b"#version") {
        return match kind {
            Some(StageKind::Vertex) => "vert.glsl".into(),
            Some(StageKind::Pixel) => "frag.glsl".into(),
            _ => "glsl".into(),
        };
    }
    let ending = if program.data.starts_with(b"DXBC") { "dxbc" } else { "bin" };
    match kind {
        Some(kind) => format!("{}.{ending}", kind.prefix()),
        None => format!("lib.{ending}"),
    }
}
