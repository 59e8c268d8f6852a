//! `shaderport inspect`.

use crate::Exit;
use crate::args::{Format, InspectArgs};
use crate::inputs::{pick, read_one};
use crate::output::{Fatal, Out, print_finding, printable};
use shaderport::{
    BufferInfo, ElementInfo, Inspection, MemberInfo, Needs, ProgramInfo, ReflectionInfo, ResourceInfo,
    Severity, inspect,
};
use std::fmt::{Display, Write};

pub(crate) fn run(args: &InspectArgs, out: &mut Out) -> Result<Exit, Fatal> {
    let options = args.translator.options();
    let bytes = read_one(&args.shader.file);
    let inspection = match &bytes {
        Ok(bytes) => pick(bytes, args.shader.blob.as_deref())?.and_then(|b| inspect(b, &options)),
        Err(finding) => Err(finding.clone()),
    };
    let name = args.shader.file.to_string_lossy();
    let inspection = match inspection {
        Ok(inspection) => inspection,
        Err(finding) => {
            print_finding(&name, &finding);
            return Ok(Exit::Findings);
        }
    };
    match args.format {
        Format::Json => out.json_pretty(&inspection)?,
        Format::Human => out.write(printable(&text_of(&inspection)).as_bytes())?,
    }
    let damaged = inspection.diagnostics.iter().any(|d| d.severity == Severity::Error);
    Ok(if damaged { Exit::Findings } else { Exit::Fine })
}

/// Lines of a report. Writing to a string cannot fail.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => { let _ = writeln!($out, $($arg)*); };
}

fn text_of(i: &Inspection<'_>) -> String {
    let mut out = String::new();
    line!(out, "{}, {} bytes, format {}", i.kind, i.size, i.format_version);
    if i.trailing_size > 0 {
        line!(out, "followed by {} bytes that are not part of it", i.trailing_size);
    }
    if i.checksum.ok {
        line!(out, "checksum {} (right)", i.checksum.stored);
    } else {
        line!(out, "checksum {} (wrong: the contents have {})", i.checksum.stored, i.checksum.computed);
    }
    let rows = i.chunks.iter().map(|c| {
        [
            c.tag.clone(),
            c.offset.to_string(),
            c.size.to_string(),
            c.description.unwrap_or("unknown").to_string(),
        ]
    });
    table(&mut out, "Chunks", ["tag", "offset", "size", "what"], rows);
    if let Some(p) = &i.program {
        program(&mut out, p);
    }
    for (title, elements) in [
        ("Inputs", &i.signatures.input),
        ("Outputs", &i.signatures.output),
        ("Patch constants", &i.signatures.patch_constant),
    ] {
        if let Some(elements) = elements.as_deref().filter(|e| !e.is_empty()) {
            signature(&mut out, title, elements);
        }
    }
    if let Some(r) = &i.reflection {
        reflection(&mut out, r);
    }
    if let Some(statistics) = &i.statistics {
        heading(&mut out, "Compiler's statistics");
        for s in statistics {
            line!(out, "  {} {}", s.name, s.value);
        }
    }
    if let Some(f) = i.features.as_ref().filter(|f| !f.names.is_empty() || f.unknown_bits != 0) {
        heading(&mut out, "Optional features");
        for name in &f.names {
            line!(out, "  {name}");
        }
        if f.unknown_bits != 0 {
            line!(out, "  unknown bits {:#x}", f.unknown_bits);
        }
    }
    needs(&mut out, &i.needs);
    if !i.diagnostics.is_empty() {
        heading(&mut out, "Damage");
        for d in &i.diagnostics {
            line!(out, "  {d}");
        }
    }
    out
}

fn heading(out: &mut String, title: &str) {
    line!(out, "\n{title}");
}

/// Columns under a title, each as wide as its widest cell.
fn table<const N: usize>(
    out: &mut String,
    title: &str,
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) {
    let rows: Vec<_> = std::iter::once(head.map(String::from)).chain(rows).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    heading(out, title);
    for row in &rows {
        let mut text = String::new();
        for (width, cell) in widths.iter().zip(row) {
            let _ = write!(text, "  {cell:width$}");
        }
        line!(out, "{}", text.trim_end());
    }
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or("-".to_string(), |v| v.to_string())
}

fn program(out: &mut String, p: &ProgramInfo) {
    heading(out, &format!("Program: {} shader, {}", p.stage, p.profile));
    line!(out, "  {} instructions, {} declarations, {} temporaries", p.instructions, p.declarations, p.temps);
    for x in &p.indexable_temps {
        line!(out, "  x{}[{}] of {} components", x.register, x.elements, x.components);
    }
    if p.immediate_constant_rows > 0 {
        line!(out, "  {} rows of immediate constants", p.immediate_constant_rows);
    }
    if let Some([x, y, z]) = p.thread_group {
        line!(out, "  thread group {x} x {y} x {z}");
    }
    if !p.global_flags.is_empty() {
        line!(out, "  flags: {}", p.global_flags.join(", "));
    }
    let opcodes: Vec<_> = p.opcodes.iter().map(|o| format!("{} {}", o.opcode, o.count)).collect();
    line!(out, "  {}", opcodes.join(", "));
    if p.resources.is_empty() {
        return;
    }
    let rows = p.resources.iter().map(|r| {
        [
            r.register.clone(),
            r.space.to_string(),
            r.count.map_or("unbounded".to_string(), |n| n.to_string()),
            r.kind.to_string(),
            resource_details(r),
        ]
    });
    table(out, "Declared resources", ["register", "space", "count", "kind", ""], rows);
}

fn resource_details(r: &ResourceInfo) -> String {
    let mut parts = Vec::new();
    if let Some(lanes) = r.returns {
        let same = lanes.iter().all(|l| *l == lanes[0]);
        parts.push(if same { lanes[0].to_string() } else { lanes.join(",") });
    }
    parts.extend(r.stride.map(|n| format!("stride {n}")));
    parts.extend(r.rows.map(|n| format!("{n} rows")));
    parts.extend(r.mode.map(String::from));
    if r.writable {
        parts.push("writable".to_string());
    }
    parts.join(", ")
}

fn signature(out: &mut String, title: &str, elements: &[ElementInfo<'_>]) {
    let rows = elements.iter().map(|e| {
        [
            format!("{}{}", e.semantic, e.semantic_index),
            or_dash(e.register),
            e.mask.clone(),
            if e.used_mask.is_empty() { "-".to_string() } else { e.used_mask.clone() },
            e.min_precision.clone().unwrap_or_else(|| e.component_type.clone()),
            e.system_value.clone(),
        ]
    });
    table(out, title, ["semantic", "register", "mask", "used", "type", "system value"], rows);
}

fn reflection(out: &mut String, r: &ReflectionInfo<'_>) {
    heading(out, "Reflection");
    line!(out, "  {}", r.creator);
    if !r.bindings.is_empty() {
        let rows = r.bindings.iter().map(|b| {
            [
                b.name.to_string(),
                b.kind.clone(),
                b.dimension.clone(),
                b.returns.clone(),
                b.register.to_string(),
                b.count.map_or("unbounded".to_string(), |n| n.to_string()),
                or_dash(b.space),
            ]
        });
        let head = ["name", "kind", "dimension", "returns", "register", "count", "space"];
        table(out, "Bindings", head, rows);
    }
    for b in &r.buffers {
        buffer(out, r, b);
    }
}

/// Lines of structures' members that one report shows: types are shared, so that a small file can describe more of
/// them than anyone could read.
const MEMBER_LINES: usize = 1000;

fn buffer(out: &mut String, r: &ReflectionInfo<'_>, b: &BufferInfo<'_>) {
    heading(out, &format!("{} {}, {} bytes", b.kind, b.name, b.size));
    let mut left = MEMBER_LINES;
    for v in &b.variables {
        let unused = if v.used { "" } else { ", not used" };
        let elements = array_text(v.elements);
        line!(out, "  {:5}  {} {}{elements} ({} bytes{unused})", v.offset, v.ty, v.name, v.size);
        if let Some(words) = &v.default {
            let ty = v.ty.trim_start_matches("row_major ");
            let text = |w: &u32| match ty {
                _ if ty.starts_with("float") => f32::from_bits(*w).to_string(),
                _ if ty.starts_with("uint") => w.to_string(),
                _ => (*w as i32).to_string(),
            };
            line!(out, "         = {}", words.iter().map(text).collect::<Vec<_>>().join(", "));
        }
        if let Some(s) = v.structure {
            members(out, r, s, v.offset, 2, &mut left);
        }
    }
}

fn members(
    out: &mut String,
    r: &ReflectionInfo<'_>,
    structure: usize,
    base: u32,
    depth: usize,
    left: &mut usize,
) {
    let all = r.structs.get(structure).map_or(&[][..], |s| &s.members[..]);
    for MemberInfo { name, ty, structure, elements, offset } in all {
        if *left == 0 {
            return;
        }
        *left -= 1;
        if *left == 0 {
            line!(out, "  further members are not shown");
            return;
        }
        let at = base.wrapping_add(*offset);
        line!(out, "  {at:5}  {:indent$}{ty} {name}{}", "", array_text(*elements), indent = depth * 2);
        if let Some(s) = *structure {
            members(out, r, s, at, depth + 1, left);
        }
    }
}

fn array_text(elements: u16) -> String {
    if elements == 0 { String::new() } else { format!("[{elements}]") }
}

fn needs(out: &mut String, n: &Needs) {
    heading(out, &format!("For WebGL2: {}", n.status));
    for e in &n.extensions {
        line!(out, "  extension {}", e.webgl_name());
    }
    for l in &n.limits {
        if l.used > l.guaranteed {
            line!(out, "  {} of {}, more than the guaranteed {}", l.used, l.name, l.guaranteed);
        } else if l.used > 0 {
            line!(out, "  {} of {} (guaranteed: {})", l.used, l.name, l.guaranteed);
        }
    }
    for d in &n.dropped {
        line!(out, "  left out: {d}");
    }
    for d in &n.diagnostics {
        line!(out, "  {d}");
    }
}
