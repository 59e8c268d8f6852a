//! The reader of versions 8 to 15.

mod body;
pub(crate) mod cursor;

use crate::model::*;
use body::{BodyReader, Layout, Path};
use cursor::{Arena, Cursor, Fault};
use shaderport_diagnostics::codes::effect as codes;
use shaderport_diagnostics::{Diagnostic, Place};
use std::collections::{HashMap, HashSet};

/// Versions that are read.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 8..=15;

/// A container that was read.
#[derive(Clone, Debug)]
pub struct Read<'a> {
    /// What it holds.
    pub effect: Effect<'a>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Length of a row of the permutation table.
const ROW_LEN: usize = 12;

/// Reads a container. Whatever the bytes, it returns, in memory proportional to their number and in time that
/// is, too, but for the sorting of the rows.
///
/// # Errors
/// Every finding: the first fault of the header, or the first fault of each damaged row and body.
pub fn read(bytes: &[u8]) -> Result<Read<'_>, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let header = Header::read(bytes, &mut diagnostics)?;
    let rows = read_rows(bytes, &header, &mut diagnostics)?;
    let mut errors = Vec::new();
    let mut bodies = Vec::with_capacity(rows.bodies.len());
    for body in &rows.bodies {
        match read_body(bytes, &header, body, &mut diagnostics) {
            Ok(b) => bodies.push(b),
            Err(e) => errors.push(e),
        }
    }
    if !errors.is_empty() {
        diagnostics.extend(errors);
        return Err(diagnostics);
    }
    let Header { version, provenance, axes, .. } = header;
    let effect = Effect { version, provenance, axes, rows: rows.rows, bodies };
    let expected = effect.permutations();
    if expected != Some(effect.rows.len() as u64) {
        let expected = expected.map_or_else(|| "2^64 or more".to_owned(), |n| n.to_string());
        let message = format!("{} rows for {expected} combinations of options", effect.rows.len());
        diagnostics.push(Diagnostic::new(codes::ROW_COUNT, message).at(Place::at(rows.count_at)));
    }
    Ok(Read { effect, diagnostics })
}

/// Everything before the row table.
struct Header<'a> {
    version: u32,
    provenance: Provenance,
    arena: Arena<'a>,
    axes: Vec<Axis<'a>>,
    cursor: Cursor<'a>,
}

impl<'a> Header<'a> {
    fn read(bytes: &'a [u8], diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Vec<Diagnostic>> {
        let mut c = Cursor::new(bytes, 0, bytes.len());
        let fault = |e: Fault| vec![e.finding(", in the header")];
        let version = c.u32().map_err(fault)?;
        if !VERSIONS.contains(&version) {
            let found = Diagnostic::new(codes::VERSION, format!("the version is {version}, not 8 to 15"));
            return Err(vec![found.at(Place::at(0))]);
        }
        let mut provenance = Provenance::default();
        if version >= 15 {
            provenance = Provenance { compiler: c.array().map_err(fault)?, hash: c.array().map_err(fault)? };
        }
        let at = c.pos;
        let size = c.u32().map_err(fault)?;
        let size = c.check_count(at, "bytes of names and programs", size, u32::MAX, 1).map_err(fault)?;
        let arena = Arena::new(c.take(size).map_err(fault)?, bytes.len());
        let (at, count) = (c.pos, c.u8().map_err(fault)?);
        let count = c.check_count(at, "permutation axes", count.into(), limit::BYTE, 11).map_err(fault)?;
        let mut axes = Vec::with_capacity(count);
        for i in 0..count {
            let at = c.pos;
            let axis = read_axis(&mut c, &arena)
                .map_err(|e| vec![e.finding(&format!(", in permutation axis {i}"))])?;
            if usize::from(axis.default_option) >= axis.options.len() {
                let (default, options) = (axis.default_option, axis.options.len());
                let message = match options {
                    0 => format!("permutation axis {} has no options", axis.name),
                    _ => format!(
                        "permutation axis {} has {options} options and option {default} as its default",
                        axis.name
                    ),
                };
                return Err(vec![Diagnostic::new(codes::AXIS, message).at(Place::at(at))]);
            }
            axes.push(axis);
        }
        let mut names = HashSet::new();
        for (i, axis) in axes.iter().enumerate() {
            if !names.insert(&axis.name) {
                let message = format!("permutation axis {i} has the name {} of another axis", axis.name);
                diagnostics.push(Diagnostic::new(codes::DUPLICATE, message).at(Place::at(at)));
            }
        }
        Ok(Header { version, provenance, arena, axes, cursor: c })
    }
}

fn read_axis<'a>(c: &mut Cursor<'a>, arena: &Arena<'a>) -> Result<Axis<'a>, Fault> {
    let (name, default_option, description) = (c.text(arena)?, c.u8()?, c.text(arena)?);
    let kind = c.u8()?;
    let options = c.list("options", limit::BYTE, 4, |c| c.text(arena))?;
    Ok(Axis { name, default_option, description, kind, options })
}

/// Where a body lies.
struct Span {
    /// The first row that has it.
    row: usize,
    start: usize,
    end: usize,
}

struct Rows {
    rows: Vec<Row>,
    bodies: Vec<Span>,
    count_at: usize,
}

/// Reads the row table and checks that bodies are in the file and are either one or apart.
fn read_rows(
    bytes: &[u8],
    header: &Header<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Rows, Vec<Diagnostic>> {
    let mut c = header.cursor.clone();
    let count_at = c.pos;
    let fault = |e: Fault| vec![e.finding(", in the permutation table")];
    let count = c.u32().map_err(fault)?;
    let count = c.check_count(count_at, "rows", count, u32::MAX, ROW_LEN).map_err(fault)?;
    if count == 0 {
        let found = Diagnostic::new(codes::ROWS, "the container has no compiled effects");
        return Err(vec![found.at(Place::at(count_at))]);
    }
    let table_end = c.pos + count * ROW_LEN;
    let mut errors = Vec::new();
    let (mut rows, mut bodies) = (Vec::with_capacity(count), Vec::new());
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    let mut strays = 0;
    for row in 0..count {
        let at = c.pos;
        let (index, offset, size) =
            (c.u32().map_err(fault)?, c.u32().map_err(fault)?, c.u32().map_err(fault)?);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        let wrong = match () {
            () if size == 0 => Some("is empty"),
            () if start < table_end => Some("begins inside the header"),
            () if end > bytes.len() => Some("reaches past the end of the file"),
            () => None,
        };
        if let Some(wrong) = wrong {
            let message = format!("the body of row {row} ({size} bytes at {offset:#x}) {wrong}");
            errors.push(Diagnostic::new(codes::ROWS, message).at(Place::at(at + 4)));
            continue;
        }
        if index as usize != row {
            strays += 1;
            if strays == 1 {
                let message = format!("row {row} stores index {index}");
                diagnostics.push(Diagnostic::new(codes::ROW_INDEX, message).at(Place::at(at)));
            }
        }
        let body = *known.entry((offset, size)).or_insert_with(|| {
            bodies.push(Span { row, start, end });
            (bodies.len() - 1) as u32
        });
        rows.push(Row { index, body });
    }
    let mut order: Vec<&Span> = bodies.iter().collect();
    order.sort_by_key(|s| (s.start, s.end));
    for pair in order.windows(2) {
        if pair[1].start < pair[0].end {
            let message = format!(
                "the bodies of rows {} and {} overlap from byte {:#x} on",
                pair[0].row, pair[1].row, pair[1].start
            );
            errors.push(Diagnostic::new(codes::ROWS, message).at(Place::at(pair[1].start)));
        }
    }
    if !errors.is_empty() {
        diagnostics.extend(errors);
        return Err(std::mem::take(diagnostics));
    }
    let mut used = table_end;
    for (start, end) in order.iter().map(|s| (s.start, s.end)).chain([(bytes.len(), bytes.len())]) {
        if start > used {
            let message = format!("no row refers to the {} bytes from {used:#x} on", start - used);
            diagnostics.push(Diagnostic::new(codes::SLACK, message).at(Place::at(used)));
        }
        used = end;
    }
    Ok(Rows { rows, bodies, count_at })
}

/// Reads a body in the first layout that uses it up exactly.
fn read_body<'a>(
    bytes: &'a [u8],
    header: &Header<'a>,
    span: &Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Body<'a>, Diagnostic> {
    let mut first = None;
    for layout in Layout::candidates(header.version) {
        let mut reader = BodyReader {
            cursor: Cursor::new(bytes, span.start, span.end),
            arena: &header.arena,
            layout,
            path: Path::default(),
        };
        match reader.read() {
            Ok(body) => {
                find_duplicates(&body, span, diagnostics);
                return Ok(body);
            }
            Err(e) => {
                let path = reader.path;
                first.get_or_insert_with(|| e.finding(&format!(", in row {}{path}", span.row)));
            }
        }
    }
    Err(first.unwrap_or_else(|| Diagnostic::new(codes::VERSION, "no layout is known for this version")))
}

/// Warns of entries of one list that the engine would overwrite.
fn find_duplicates(body: &Body<'_>, span: &Span, diagnostics: &mut Vec<Diagnostic>) {
    let mut warn = |path: Path, what: String| {
        let message = format!("{what} occurs twice, in row {}{path}", span.row);
        diagnostics.push(Diagnostic::new(codes::DUPLICATE, message).at(Place::at(span.start)));
    };
    for (t, technique) in body.techniques.iter().enumerate() {
        for (p, pass) in technique.passes.iter().enumerate() {
            let mut path = Path { technique: Some(t), pass: Some(p), ..Path::default() };
            for state in repeated(pass.render_states.iter().map(|s| s.state)) {
                warn(path, format!("render state {state}"));
            }
            for stage in &pass.stages {
                path.stage = Some(stage.kind);
                for (prefix, registers) in [
                    ("t", repeated(stage.set.textures.iter().map(|r| r.register))),
                    ("s", repeated(stage.set.samplers.iter().map(|r| r.register))),
                    ("u", repeated(stage.set.uavs.iter().map(|r| r.register))),
                ] {
                    for r in registers {
                        warn(path, format!("register {prefix}{r}"));
                    }
                }
                for name in repeated(stage.set.annotations.iter().map(|a| &a.name)) {
                    warn(path, format!("annotation {name}"));
                }
            }
        }
    }
    for name in repeated(body.parameters.iter().map(|p| &p.name)) {
        warn(Path::default(), format!("parameter {name}"));
    }
}

/// The values that occur more than once, in the order of their second occurrence.
fn repeated<T: std::hash::Hash + Eq + Clone>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    values.filter(|v| !seen.insert(v.clone())).collect()
}
