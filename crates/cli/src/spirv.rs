//! `shaderport spirv`.

use crate::Exit;
use crate::args::Format;
use crate::inputs::read_one;
use crate::output::{Fatal, Out, print_finding, printable};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use shaderport::spirv::{Count, MemberInfo, Reflection, Resource, StageVariable, TypeInfo, read, reflect};
use shaderport::{Diagnostic, Severity};
use std::fmt::Write;
use std::path::PathBuf;

/// Show a SPIR-V module's interface: entry points, descriptors with exact layouts, push constants, what is used
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  shaderport spirv bloom.frag.spv
  shaderport spirv bloom.frag.spv --format json")]
pub(crate) struct SpirvArgs {
    /// A SPIR-V module, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to report; `shaderport schema spirv` describes the JSON
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// What `spirv --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SpirvReport {
    /// The file.
    input: String,
    /// `sound`, or `invalid` where there is an error among the findings.
    status: &'static str,
    /// The interface; null where there is no module.
    interface: Option<Reflection>,
    /// Every finding.
    diagnostics: Vec<Diagnostic>,
}

pub(crate) fn run(args: &SpirvArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let input = args.file.to_string_lossy().into_owned();
    let (interface, diagnostics) = match read_one(&args.file) {
        Ok(bytes) => {
            let reading = read(&bytes);
            (reading.module.as_ref().map(reflect), reading.diagnostics)
        }
        Err(finding) => (None, vec![finding]),
    };
    let sound = diagnostics.iter().all(|d| d.severity < Severity::Error);
    let report =
        SpirvReport { input, status: if sound { "sound" } else { "invalid" }, interface, diagnostics };
    match args.format {
        Format::Json => out.json_pretty(&report)?,
        Format::Human => {
            report.diagnostics.iter().for_each(|d| print_finding(&report.input, d));
            if let Some(r) = &report.interface {
                out.write(printable(&human(r)).as_bytes())?;
            }
        }
    }
    Ok(if sound { Exit::Fine } else { Exit::Findings })
}

fn human(r: &Reflection) -> String {
    let mut t = String::new();
    // Writing to a string cannot fail.
    let _ = module(&mut t, r);
    t
}

fn module(t: &mut String, r: &Reflection) -> std::fmt::Result {
    let version = r.version.as_deref().unwrap_or("of no known version");
    writeln!(t, "SPIR-V {version}, {} bytes, {} of them debug information", r.bytes, r.debug_bytes)?;
    if r.debug_bytes * 2 > r.bytes {
        writeln!(t, "most of it is debug information: compile without -g what you ship")?;
    }
    writeln!(t, "capabilities: {}", r.capabilities.join(", "))?;
    if !r.extensions.is_empty() {
        writeln!(t, "extensions: {}", r.extensions.join(", "))?;
    }
    for s in &r.specialization_constants {
        let id = s.spec_id.map_or("no id".into(), |i| format!("id {i}"));
        writeln!(
            t,
            "specialisation constant {} ({id}): {}, words {:?}",
            s.name.as_deref().unwrap_or("?"),
            type_text(r, s.ty),
            s.default_words
        )?;
    }
    for e in &r.entry_points {
        writeln!(
            t,
            "\nentry point {} ({}){}",
            e.name,
            e.stage,
            e.modes.iter().map(|m| format!(", {m}")).collect::<String>()
        )?;
        if e.not_traced {
            writeln!(t, "  not followed: the module has too many entry points")?;
        }
        for (word, list) in [("in", &e.inputs), ("out", &e.outputs)] {
            for v in list {
                stage_variable(t, r, word, v)?;
            }
        }
    }
    for (title, list) in [("push constants", &r.push_constants), ("descriptors", &r.resources)] {
        if !list.is_empty() {
            writeln!(t, "\n{title}")?;
        }
        for x in list {
            resource(t, r, x)?;
        }
    }
    Ok(())
}

fn stage_variable(t: &mut String, r: &Reflection, word: &str, v: &StageVariable) -> std::fmt::Result {
    let place = match (v.location, v.component) {
        (Some(l), Some(c)) => format!("location {l} component {c}"),
        (Some(l), None) => format!("location {l}"),
        (None, _) => v.built_ins.join(", "),
    };
    let interpolation: String = v.interpolation.iter().map(|i| format!(" {}", i.to_lowercase())).collect();
    let unused = if v.used { "" } else { ", not used" };
    let name = v.name.as_deref().unwrap_or("?");
    writeln!(t, "  {word:3} {place}: {} {name}{interpolation}{unused}", type_text(r, v.ty))
}

fn resource(t: &mut String, r: &Reflection, x: &Resource) -> std::fmt::Result {
    let number = |v: Option<u32>| v.map_or("none".to_owned(), |v| v.to_string());
    let count = match x.count {
        Count::One => String::new(),
        Count::Sized(n) => format!("[{n}]"),
        Count::Specialized(id) => format!("[specialisation constant %{id}]"),
        Count::Unbounded => "[]".into(),
        Count::Unknown => "[?]".into(),
    };
    let push = x.set.is_none() && x.binding.is_none() && r.push_constants.iter().any(|p| p.id == x.id);
    let place =
        if push { String::new() } else { format!("set {} binding {}: ", number(x.set), number(x.binding)) };
    let mut facts = vec![
        serde_json::to_value(x.kind)
            .map_or(String::new(), |k| k.as_str().unwrap_or_default().replace('_', " ")),
    ];
    if let Some(b) = x.bytes {
        facts.push(match x.tail_stride {
            Some(s) => format!("{b} bytes and {s} for each element"),
            None => format!("{b} bytes"),
        });
    }
    let e = r.entry_points.iter();
    let any =
        |f: fn(&shaderport::spirv::EntryPointInfo) -> &Vec<u32>| e.clone().any(|e| f(e).contains(&x.id));
    facts.push(if any(|e| &e.used) { "used" } else { "declared only" }.into());
    if any(|e| &e.written) {
        facts.push("written".into());
    } else if x.non_writable {
        facts.push("read-only".into());
    }
    writeln!(t, "  {place}{}{count} ({})", x.name.as_deref().unwrap_or("?"), facts.join(", "))?;
    if let Some(TypeInfo::Struct { members, .. }) = r.types.get(&x.ty) {
        for m in members {
            member(t, r, m)?;
        }
    }
    Ok(())
}

fn member(t: &mut String, r: &Reflection, m: &MemberInfo) -> std::fmt::Result {
    let offset = m.offset.map_or("?".into(), |o| o.to_string());
    let stride = m.matrix_stride.map(|s| format!(", matrix stride {s}")).unwrap_or_default();
    let row = if m.row_major { ", row-major" } else { "" };
    writeln!(t, "    @{offset:5} {} {}{stride}{row}", type_text(r, m.ty), m.name.as_deref().unwrap_or("?"))
}

/// A type in few words. Types of a module can nest deeply; a person needs the first levels.
fn type_text(r: &Reflection, ty: u32) -> String {
    fn text(r: &Reflection, ty: u32, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "...".into() };
        match r.types.get(&ty) {
            Some(TypeInfo::Bool) => "bool".into(),
            Some(TypeInfo::Int { width, signed }) => format!("{}{width}", if *signed { "i" } else { "u" }),
            Some(TypeInfo::Float { width }) => format!("f{width}"),
            Some(TypeInfo::Vector { component, count }) => format!("{}x{count}", text(r, *component, depth)),
            Some(TypeInfo::Matrix { column, columns }) => format!("{}x{columns}", text(r, *column, depth)),
            Some(TypeInfo::Array { element, count, stride }) => {
                let n = match count {
                    Count::Sized(n) => n.to_string(),
                    Count::Specialized(id) => format!("%{id}"),
                    _ => String::new(),
                };
                let stride = stride.map(|s| format!(" (stride {s})")).unwrap_or_default();
                format!("{}[{n}]{stride}", text(r, *element, depth))
            }
            Some(TypeInfo::Struct { name, members, .. }) => {
                name.clone().unwrap_or_else(|| format!("struct of {}", members.len()))
            }
            Some(TypeInfo::SampledImage { image }) => format!("sampled {}", text(r, *image, depth)),
            Some(TypeInfo::Image { dim, arrayed, multisampled, .. }) => format!(
                "image {dim}{}{}",
                if *arrayed { " array" } else { "" },
                if *multisampled { " multisampled" } else { "" }
            ),
            Some(TypeInfo::Sampler) => "sampler".into(),
            Some(TypeInfo::Pointer { pointee, .. }) => format!("pointer to {}", text(r, *pointee, depth)),
            Some(TypeInfo::AccelerationStructure) => "acceleration structure".into(),
            Some(TypeInfo::Other { name }) => name.clone(),
            None => "?".into(),
        }
    }
    text(r, ty, 6)
}
