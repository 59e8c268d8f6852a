//! `shaderport effect list`.

use super::{ListArgs, with_effect};
use crate::Exit;
use crate::args::Format;
use crate::output::{Fatal, Out, printable};
use shaderport::effect::Effect;
use shaderport::effect::describe::{Index, StageInfo};
use std::fmt::Write;

pub(super) fn run(args: &ListArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let done = with_effect(&args.file, |_, read| {
        let index = Index::of(&read.effect);
        match args.format {
            Format::Json => out.json_pretty(&index),
            Format::Human => out.write(printable(&text(&read.effect, &index)).as_bytes()),
        }
    })?;
    Ok(if done.is_some() { Exit::Fine } else { Exit::Findings })
}

/// Most permutations that are named one by one.
const SHOWN: usize = 12;

fn text(effect: &Effect<'_>, index: &Index) -> String {
    let mut t = String::new();
    // Writing to a string cannot fail.
    let _ = listing(effect, index, &mut t);
    t
}

fn listing(effect: &Effect<'_>, index: &Index, t: &mut String) -> std::fmt::Result {
    let s = &index.source;
    write!(t, "version {}", s.version)?;
    if let (Some(compiler), Some(hash)) = (&s.compiler, &s.hash) {
        write!(t, ", compiler {compiler}, sources {hash}")?;
    }
    writeln!(t, "\n{} permutations, {} different", index.permutations.len(), index.bodies.len())?;
    for a in &index.axes {
        let options = a
            .options
            .iter()
            .enumerate()
            .map(|(i, o)| if i == usize::from(a.default) { format!("[{o}]") } else { o.clone() });
        writeln!(t, "axis {} ({}): {}", a.name, a.kind, options.collect::<Vec<_>>().join(", "))?;
        if !a.description.is_empty() {
            writeln!(t, "  {}", a.description)?;
        }
    }
    let mut rows = vec![Vec::new(); index.bodies.len()];
    for (row, &body) in index.permutations.iter().enumerate() {
        rows[body as usize].push(row);
    }
    for ((b, body), rows) in index.bodies.iter().enumerate().zip(rows) {
        let shown: Vec<_> = rows.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = if rows.len() > SHOWN { ", ..." } else { "" };
        writeln!(t, "\nbody {b}: {} permutations ({}{more})", rows.len(), shown.join(", "))?;
        if let Some(&first) = rows.first() {
            let options = effect.options_of(first as u64);
            let pick = |(a, &o): (&shaderport::effect::model::Axis<'_>, &u8)| {
                a.options.get(usize::from(o)).map_or_else(String::new, |o| format!(" {}={o}", a.name))
            };
            let options: String = effect.axes.iter().zip(&options).map(pick).collect();
            if !options.is_empty() {
                writeln!(t, "  first:{options}")?;
            }
        }
        for technique in &body.techniques {
            writeln!(t, "  technique {}", technique.name)?;
            for (p, pass) in technique.passes.iter().enumerate() {
                writeln!(t, "    pass {p}")?;
                for &s in &pass.stages {
                    stage(&index.stages[s as usize], t)?;
                }
                for s in &pass.render_states {
                    let name = s.name.map_or_else(|| s.state.to_string(), str::to_owned);
                    match s.meaning {
                        Some(m) => writeln!(t, "      {name} {m}")?,
                        None => writeln!(t, "      {name} {}", s.value)?,
                    }
                }
            }
        }
        for l in &body.libraries {
            writeln!(t, "  library of {} bytes: {}", l.program_size, l.exports.join(", "))?;
        }
        for p in &body.parameters {
            writeln!(t, "  parameter {} ({} annotations)", p.name, p.annotations.len())?;
        }
    }
    Ok(())
}

fn stage(s: &StageInfo, t: &mut String) -> std::fmt::Result {
    write!(t, "      {} stage, {} bytes", s.stage, s.program_size)?;
    let mut lists = vec![
        s.inputs.iter().map(|i| format!("v{} {}{}", i.register, i.usage, i.usage_index)).collect::<Vec<_>>(),
        s.set.textures.iter().map(|r| format!("t{} {} ({})", r.register, r.name, r.ty)).collect(),
        s.set.samplers.iter().map(|r| format!("s{} {}", r.register, r.name)).collect(),
        s.set.uavs.iter().map(|r| format!("u{} {} ({})", r.register, r.name, r.ty)).collect(),
    ];
    lists.retain(|l| !l.is_empty());
    for list in lists {
        write!(t, "\n        {}", list.join(", "))?;
    }
    if !s.set.constants.is_empty() {
        let names: Vec<_> = s.set.constants.iter().map(|c| format!("{}:{}", c.offset, c.name)).collect();
        write!(t, "\n        constants {}", names.join(", "))?;
    }
    writeln!(t)
}
