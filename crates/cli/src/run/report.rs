//! What a run shows: outputs, and on demand each instruction.

use super::scene::{Shader, semantic, slot_text};
use crate::args::Format;
use crate::output::{Fatal, Out, printable};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use shaderport::dxbc::disasm::instruction_text;
use shaderport::dxbc::signature::{ComponentType, NO_REGISTER};
use shaderport::dxbc::{ScalarType, Slot};
use shaderport::exec::{Access, Index, Outputs, Resource, Step, TexelKind, View, ViewAccess, Views};
use shaderport::{Diagnostic, Stage};
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Bytes of a trace that are printed at once.
const CHUNK: usize = 16 << 10;

/// Elements of a view in a row that are shown to people though nothing changed them.
const SAME: usize = 8;

/// A trace is printed while the shader runs, and no more of it kept than a [`CHUNK`]: a run may have millions of steps.
pub(super) struct Report<'a> {
    shader: &'a Shader<'a>,
    format: Format,
    trace: bool,
    out: &'a mut Out,
    failed: Option<Fatal>,
    /// What is not printed yet.
    text: String,
    steps: u64,
    invocations: Vec<Invocation>,
    last: Option<usize>,
}

/// What is printed behind the trace.
#[derive(Serialize, JsonSchema)]
struct Ended<'a> {
    /// The stage: `vertex` or `pixel`.
    stage: &'static str,
    /// Each vertex or pixel that ran to its end.
    invocations: Vec<Invocation>,
    /// What stands in each view after the run; left out where none is bound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    views: Vec<ViewRecord<'a>>,
    /// What is suspicious about the shader, such as a wrong checksum.
    diagnostics: Vec<Diagnostic>,
    /// Why the run did not end by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Diagnostic>,
}

/// All that `run --format json` prints; only its schema is ever made as a whole.
pub(crate) enum RunReport {}

impl JsonSchema for RunReport {
    fn schema_name() -> Cow<'static, str> {
        "RunReport".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let steps = generator.subschema_for::<StepRecord>();
        let mut schema = Ended::json_schema(generator);
        schema.insert("description".into(), "What `run --format json` prints.".into());
        if let Some(members) = schema.get_mut("properties").and_then(|p| p.as_object_mut()) {
            let trace = json_schema!({
                "description": "With `--trace`: each instruction of each vertex or pixel, in the order of the run.",
                "type": "array",
                "items": steps,
            });
            members.insert("trace".into(), trace.into());
        }
        schema
    }
}

/// What a vertex or pixel wrote.
#[derive(Serialize, JsonSchema)]
struct Invocation {
    /// Whether the pixel was discarded; left out where it was not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    discarded: bool,
    /// Its outputs.
    outputs: Vec<Output>,
}

/// An output.
#[derive(Serialize, JsonSchema)]
struct Output {
    /// Semantic with its index, or the system value of an output without a register.
    semantic: String,
    /// The `o` register.
    register: Option<u32>,
    /// Lanes that were written, such as `xyz`.
    lanes: String,
    /// Their values: numbers, or `NaN`, `inf` and `-inf`.
    values: Vec<serde_json::Value>,
    /// Their bits, such as `0x3f800000`.
    bits: Vec<String>,
}

/// A view after the run.
#[derive(Serialize, JsonSchema)]
struct ViewRecord<'a> {
    /// The register, such as `u1` or `u2,space1`.
    register: String,
    /// Its name in HLSL, where reflection has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// What it is: `raw_buffer`, `structured_buffer`, `buffer`, `texture2d` and the like.
    kind: &'static str,
    /// The hidden counter of a structured buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    counter: Option<u32>,
    /// Every word of a raw buffer, structure or texel.
    #[schemars(with = "Vec<Element>")]
    elements: Elements<'a>,
}

/// A view's elements, made when they are printed: a view may have millions.
struct Elements<'a> {
    view: &'a View,
    before: Option<&'a View>,
}

impl Serialize for Elements<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.list())
    }
}

/// An element of a view.
#[derive(Serialize, JsonSchema)]
struct Element {
    /// Byte of a raw buffer, number of a structure, or coordinates of a texel.
    address: Vec<u32>,
    /// Its words, or the lanes that its format has: numbers, or `NaN`, `inf` and `-inf`.
    values: Vec<serde_json::Value>,
    /// Their bits, such as `0x3f800000`.
    bits: Vec<String>,
    /// Whether the run changed it; left out where it did not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    changed: bool,
}

/// An instruction that a vertex or pixel executed.
#[derive(Serialize, JsonSchema)]
struct StepRecord {
    /// Index of the instruction in the program.
    instruction: usize,
    /// The instruction as `disasm` has it.
    text: String,
    /// The vertex or pixel.
    invocation: usize,
    /// Registers that operands are indexed by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    indices: Vec<IndexRecord>,
    /// Operands that were read.
    reads: Vec<Value>,
    /// Operands that were written.
    writes: Vec<Value>,
    /// What was read or written of a view.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<ViewStep>,
}

/// A place of a view that was reached.
#[derive(Serialize, JsonSchema)]
struct ViewStep {
    /// The view, as the instruction's text has it.
    operand: String,
    /// Its register, such as `u1` or `u2,space1`.
    register: String,
    /// Byte of a raw buffer, structure and byte of a structured one, or coordinates of a texel; empty for the hidden
    /// counter.
    address: Vec<u32>,
    /// Words from there on, or lanes of the texel, such as `xyz`.
    lanes: String,
    /// What they held, if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<Held>,
    /// What they hold now, if they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<Held>,
}

/// What words or lanes of a view hold.
#[derive(Serialize, JsonSchema)]
struct Held {
    /// Numbers, or `NaN`, `inf` and `-inf`.
    values: Vec<serde_json::Value>,
    /// Their bits, such as `0x3f800000`.
    bits: Vec<String>,
}

/// A computed index.
#[derive(Serialize, JsonSchema)]
struct IndexRecord {
    /// The operand that has it, as the instruction's text has it.
    operand: String,
    /// The register that is read.
    register: String,
    /// What it held.
    value: u32,
    /// The row, element or register that the operand reached by it.
    reached: u32,
}

/// What an operand held or was given.
#[derive(Serialize, JsonSchema)]
struct Value {
    /// The operand, as the instruction's text has it.
    operand: String,
    /// One value, where all lanes read the same, else those of each lane: numbers, or `NaN`, `inf` and `-inf`.
    values: Vec<serde_json::Value>,
    /// Their bits, such as `0x3f800000`.
    bits: Vec<String>,
}

/// How the bits of a value are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Float,
    Int,
    Uint,
    /// A float, unless the bits look like anything but one.
    Guess,
}

impl Shown {
    fn of(ty: Option<ScalarType>) -> Shown {
        match ty {
            Some(ScalarType::Float) => Shown::Float,
            Some(ScalarType::Int) => Shown::Int,
            Some(ScalarType::Uint | ScalarType::Bits | ScalarType::Mask | ScalarType::Test) => Shown::Uint,
            _ => Shown::Guess,
        }
    }

    fn of_component(ty: ComponentType) -> Shown {
        match ty {
            ComponentType::Float32 | ComponentType::Float16 => Shown::Float,
            ComponentType::Sint32 | ComponentType::Sint16 => Shown::Int,
            ComponentType::Unknown => Shown::Guess,
            _ => Shown::Uint,
        }
    }

    fn is_float(self, bits: u32) -> bool {
        let magnitude = f32::from_bits(bits).abs();
        self == Shown::Float || self == Shown::Guess && (bits == 0 || (1e-6..1e9).contains(&magnitude))
    }

    fn text(self, bits: u32) -> String {
        match self {
            // As JSON has it, but for a fraction of 0.
            _ if self.is_float(bits) => {
                let value = self.json(bits);
                let text = value.as_str().map_or_else(|| value.to_string(), String::from);
                text.strip_suffix(".0").map_or(text.clone(), String::from)
            }
            Shown::Int => (bits as i32).to_string(),
            Shown::Uint if bits < 0x1_0000 => bits.to_string(),
            _ => format!("0x{bits:08x}"),
        }
    }

    fn json(self, bits: u32) -> serde_json::Value {
        match self {
            _ if self.is_float(bits) => {
                let x = f32::from_bits(bits);
                // JSON has no infinities and no NaN.
                if !x.is_finite() {
                    return x.to_string().into();
                }
                // In the fewest digits that tell it from other floats of 32 bits.
                x.to_string().parse::<f64>().unwrap_or_default().into()
            }
            Shown::Int => (bits as i32).into(),
            _ => bits.into(),
        }
    }
}

fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |l| mask >> l & 1 != 0)
}

fn lane_text(mask: u8) -> String {
    lanes(mask).map(|l| ["x", "y", "z", "w"][l]).collect()
}

fn hex(bits: u32) -> String {
    format!("0x{bits:08x}")
}

impl<'a> Report<'a> {
    pub(super) fn new(shader: &'a Shader<'a>, format: Format, trace: bool, out: &'a mut Out) -> Report<'a> {
        let text = if trace && format == Format::Json { "{\n  \"trace\": [" } else { "" };
        Report {
            shader,
            format,
            trace,
            out,
            failed: None,
            text: text.into(),
            steps: 0,
            invocations: Vec::new(),
            last: None,
        }
    }

    /// Whether steps are shown.
    pub(super) fn traces(&self) -> bool {
        self.trace
    }

    /// Whether nothing more can be printed.
    pub(super) fn is_cut(&self) -> bool {
        self.failed.is_some() || self.out.closed()
    }

    /// Prints what has come together.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.failed.is_none() {
            self.failed = self.out.write(printable(&text).as_bytes()).err();
        }
    }

    fn invocation_name(&self, n: usize) -> String {
        let kind = if self.shader.program.stage == Stage::Pixel { "pixel" } else { "vertex" };
        format!("{kind} {n}")
    }

    /// One instruction of one invocation.
    pub(super) fn step(&mut self, invocation: usize, step: &Step<'_>) -> ControlFlow<()> {
        let program = &self.shader.program;
        let text = instruction_text(program, step.instruction);
        let names = operands(&text);
        let slots = program.instructions.get(step.instruction).map_or(&[][..], |i| i.opcode.info().slots);
        let ty = |a: &Access| {
            Shown::of(slots.get(a.operand).and_then(|s| match s {
                Slot::Dest(ty) | Slot::Src(ty) => Some(*ty),
                _ => None,
            }))
        };
        // Of a view, what the instruction returns or else takes last.
        let of_view = slots.iter().find(|s| matches!(s, Slot::Dest(_))).or(slots.last());
        let of_view = Shown::of(of_view.and_then(|s| match s {
            Slot::Dest(ty) | Slot::Src(ty) => Some(*ty),
            _ => None,
        }));
        let name = |operand: usize| names.get(operand).copied().unwrap_or("?");
        let reached = |operand: usize| -> Vec<&Index> {
            step.indices.iter().filter(|i| i.operand == operand).collect()
        };
        match self.format {
            Format::Human => {
                if self.last != Some(step.instruction) {
                    let _ = writeln!(self.text, "{:5}  {text}", step.instruction);
                }
                self.last = Some(step.instruction);
                let show = |a: &Access| {
                    let ty = ty(a);
                    let values: Vec<_> = lanes(a.mask).map(|l| ty.text(a.bits[l])).collect();
                    format!("{} = {}", resolved(name(a.operand), &reached(a.operand)).1, values.join(" "))
                };
                let mut reads = Vec::new();
                for (n, text) in names.iter().enumerate() {
                    let indices = reached(n);
                    let (registers, place) = resolved(text, &indices);
                    let values = registers.iter().zip(&indices);
                    reads.extend(values.map(|(r, i)| format!("{r} = {}", Shown::Int.text(i.value))));
                    let shown = step.reads.iter().chain(step.writes).any(|a| a.operand == n);
                    if !indices.is_empty() && !shown {
                        reads.push(place);
                    }
                }
                reads.extend(step.reads.iter().map(show));
                let mut writes: Vec<_> = step.writes.iter().map(show).collect();
                if let Some(view) = step.view {
                    let show = |bits: [u32; 4]| {
                        let values: Vec<_> = lanes(view.mask).map(|l| of_view.text(bits[l])).collect();
                        format!("{} = {}", place_text(view), values.join(" "))
                    };
                    reads.extend(view.read.map(show));
                    writes.extend(view.written.map(show));
                }
                let head = self.invocation_name(invocation);
                let discarded = if step.discarded { " (discarded)" } else { "" };
                let arrow = if writes.is_empty() { "" } else { "  ->  " };
                let _ = writeln!(
                    self.text,
                    "         {head}{discarded}: {}{arrow}{}",
                    reads.join(", "),
                    writes.join(", ")
                );
            }
            Format::Json => {
                let record = |a: &Access| Value {
                    operand: name(a.operand).into(),
                    values: lanes(a.mask).map(|l| ty(a).json(a.bits[l])).collect(),
                    bits: lanes(a.mask).map(|l| hex(a.bits[l])).collect(),
                };
                let indices = names.iter().enumerate().flat_map(|(n, text)| {
                    let indices = reached(n);
                    let registers = resolved(text, &indices).0;
                    let all = registers.into_iter().zip(indices);
                    all.map(|(register, i)| IndexRecord {
                        operand: (*text).into(),
                        register,
                        value: i.value,
                        reached: i.reached,
                    })
                });
                let held = |view: &ViewAccess, bits: [u32; 4]| Held {
                    values: lanes(view.mask).map(|l| of_view.json(bits[l])).collect(),
                    bits: lanes(view.mask).map(|l| hex(bits[l])).collect(),
                };
                let view = step.view.map(|view| ViewStep {
                    operand: name(view.operand).into(),
                    register: slot_text("u", view.slot),
                    address: view.address.clone(),
                    lanes: lane_text(view.mask),
                    read: view.read.map(|bits| held(view, bits)),
                    written: view.written.map(|bits| held(view, bits)),
                });
                let record = StepRecord {
                    view,
                    indices: indices.collect(),
                    instruction: step.instruction,
                    text: text.clone(),
                    invocation,
                    reads: step.reads.iter().map(record).collect(),
                    writes: step.writes.iter().map(record).collect(),
                };
                self.text.push_str(if self.steps == 0 { "\n    " } else { ",\n    " });
                // Plain data is always written.
                self.text.push_str(&serde_json::to_string(&record).unwrap_or_default());
            }
        }
        self.steps += 1;
        if self.text.len() >= CHUNK {
            self.flush();
        }
        if self.is_cut() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The outputs of the next invocation.
    pub(super) fn outputs(&mut self, outputs: &Outputs) {
        let mut list = Vec::new();
        let mut add = |semantic: String, register, mask: u8, shown: Shown, bits: [u32; 4]| {
            list.push(Output {
                semantic,
                register,
                lanes: lane_text(mask),
                values: lanes(mask).map(|l| shown.json(bits[l])).collect(),
                bits: lanes(mask).map(|l| hex(bits[l])).collect(),
            });
        };
        for e in self.shader.outputs.elements.iter().filter(|e| e.register != NO_REGISTER) {
            let register = e.register as usize;
            let Some(bits) = outputs.registers.get(register) else { continue };
            let written = outputs.written[register] & e.mask;
            let shown = Shown::of_component(e.component_type);
            add(semantic(e), Some(e.register), written, shown, *bits);
        }
        if let Some(depth) = outputs.depth {
            add("SV_Depth".into(), None, 1, Shown::Float, [depth.to_bits(); 4]);
        }
        if let Some(mask) = outputs.coverage {
            add("SV_Coverage".into(), None, 1, Shown::Uint, [mask; 4]);
        }
        if let Some(stencil) = outputs.stencil {
            add("SV_StencilRef".into(), None, 1, Shown::Uint, [stencil; 4]);
        }
        self.invocations.push(Invocation { discarded: outputs.discarded, outputs: list });
    }

    /// Prints the rest, with the views before and after the run; `error` says why it did not end by itself.
    pub(super) fn end(
        mut self,
        before: &Views,
        after: &Views,
        diagnostics: Vec<Diagnostic>,
        error: Option<Diagnostic>,
    ) -> Result<(), Fatal> {
        let views = after.slots.iter().map(|(&slot, view)| ViewRecord {
            register: slot_text("u", slot),
            name: self.shader.name_of(slot, "u").map(String::from),
            kind: view.resource.dimension().name(),
            counter: matches!(view.resource, Resource::Structured { .. }).then_some(view.counter),
            elements: Elements { view, before: before.get(slot) },
        });
        let views: Vec<_> = views.collect();
        match self.format {
            Format::Human => {
                self.write_outputs();
                self.write_views(&views);
            }
            Format::Json => {
                let stage = self.shader.program.stage.name();
                let invocations = std::mem::take(&mut self.invocations);
                let ended = Ended { stage, invocations, views, diagnostics, error };
                if self.trace {
                    self.text.push_str("\n  ],");
                }
                let opened = self.trace;
                // Fails alone where nothing more can be printed.
                let _ = serde_json::to_writer_pretty(Printer { report: &mut self, opened }, &ended);
                self.text.push('\n');
            }
        }
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    /// The views for people.
    fn write_views(&mut self, views: &[ViewRecord<'_>]) {
        for view in views {
            let name = view.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
            let counter = view.counter.map_or(String::new(), |n| format!(", counter {n}"));
            let _ = writeln!(self.text, "{}{name} ({}{counter})", view.register, view.kind);
            // How many were not changed since the last that was, and their lines while these are few.
            let (mut same, mut lines) = (0, String::new());
            for e in view.elements.list() {
                if self.is_cut() {
                    return;
                }
                if e.changed {
                    self.write_same(std::mem::take(&mut same), &mut lines);
                    e.write(&mut self.text);
                } else {
                    same += 1;
                    if same <= SAME {
                        e.write(&mut lines);
                    }
                }
                if self.text.len() >= CHUNK {
                    self.flush();
                }
            }
            self.write_same(same, &mut lines);
        }
    }

    /// Elements that are as before.
    fn write_same(&mut self, count: usize, lines: &mut String) {
        if count <= SAME {
            self.text.push_str(lines);
        } else {
            let _ = writeln!(self.text, "  {count} elements as before");
        }
        lines.clear();
    }

    /// The outputs for people.
    fn write_outputs(&mut self) {
        let width = self.invocations.iter().flat_map(|i| &i.outputs).map(|o| o.semantic.len()).max();
        let width = width.unwrap_or(0);
        for (n, i) in self.invocations.iter().enumerate() {
            let discarded = if i.discarded { " (discarded)" } else { "" };
            let _ = writeln!(self.text, "{}{discarded}", self.invocation_name(n));
            for o in &i.outputs {
                let register = o.register.map_or("  ".to_string(), |r| format!("o{r}"));
                let values: Vec<_> =
                    o.values.iter().map(|v| v.as_str().map_or(v.to_string(), String::from)).collect();
                let bits = o.bits.join(" ");
                let _ = writeln!(
                    self.text,
                    "  {:width$}  {register:3} {:4}  {}   [{bits}]",
                    o.semantic,
                    o.lanes,
                    values.join(" ")
                );
            }
        }
    }
}

impl Elements<'_> {
    /// With those marked that are not as before.
    fn list(&self) -> Box<dyn Iterator<Item = Element> + '_> {
        let shown = |kind| match kind {
            TexelKind::Float => Shown::Float,
            TexelKind::Sint => Shown::Int,
            TexelKind::Uint => Shown::Uint,
        };
        match (&self.view.resource, self.before.map(|b| &b.resource)) {
            (Resource::Raw(words), Some(Resource::Raw(old))) => {
                each(words, old, [1; 2], Shown::Guess, |n| vec![n * 4])
            }
            (Resource::Structured { stride, words }, Some(Resource::Structured { words: old, .. })) => {
                each(words, old, [(*stride as usize / 4).max(1); 2], Shown::Guess, |n| vec![n])
            }
            (Resource::Typed(texels, kind), Some(Resource::Typed(old, _))) => {
                let count = [4, self.view.present.count_ones() as usize];
                each(texels.as_flattened(), old.as_flattened(), count, shown(*kind), |n| vec![n])
            }
            (Resource::Texture(texture), Some(Resource::Texture(old))) => {
                let ([w, h, d], axes) = (texture.level_size(0), texture.axes());
                let address = move |n: u32| {
                    let at = [n % w, n / w % h, n / w / h % d];
                    let layer = texture.is_array().then_some(n / w / h / d);
                    at.into_iter().take(axes).chain(layer).collect()
                };
                let (words, old) = (texture.level(0).as_flattened(), old.level(0).as_flattened());
                each(words, old, [4, texture.present.count_ones() as usize], shown(texture.kind), address)
            }
            // A run does not change what a view is.
            _ => Box::new(std::iter::empty()),
        }
    }
}

/// Elements of so many words, and so many of them shown; the address by the number.
fn each<'v>(
    words: &'v [u32],
    old: &'v [u32],
    [count, lanes]: [usize; 2],
    shown: Shown,
    address: impl Fn(u32) -> Vec<u32> + 'v,
) -> Box<dyn Iterator<Item = Element> + 'v> {
    let old = old.chunks(count).map(Some).chain(std::iter::repeat(None));
    let words = words.chunks(count).zip(old).zip(0..);
    Box::new(words.map(move |((words, old), n)| Element {
        address: address(n),
        values: words.iter().take(lanes).map(|&w| shown.json(w)).collect(),
        bits: words.iter().take(lanes).map(|&w| hex(w)).collect(),
        changed: old != Some(words),
    }))
}

impl Element {
    /// For people.
    fn write(&self, text: &mut String) {
        let address: Vec<_> = self.address.iter().map(u32::to_string).collect();
        let values: Vec<_> =
            self.values.iter().map(|v| v.as_str().map_or(v.to_string(), String::from)).collect();
        let mark = if self.changed { '*' } else { ' ' };
        let (address, values, bits) = (address.join(", "), values.join(" "), self.bits.join(" "));
        let _ = writeln!(text, "{mark} [{address}]  {values}   [{bits}]");
    }
}

/// Takes the JSON at the end as it is made.
struct Printer<'r, 'a> {
    report: &'r mut Report<'a>,
    /// Whether the brace that comes first is there already.
    opened: bool,
}

impl std::io::Write for Printer<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.report.is_cut() {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        let text = std::str::from_utf8(bytes).map_err(std::io::Error::other)?;
        let brace = usize::from(std::mem::take(&mut self.opened));
        self.report.text.push_str(&text[brace..]);
        if self.report.text.len() >= CHUNK {
            self.report.flush();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A place of a view: `u1[8]`, `u2[1, 4]`, or its counter.
fn place_text(view: &ViewAccess) -> String {
    let register = slot_text("u", view.slot);
    if view.address.is_empty() {
        return format!("{register}.counter");
    }
    let address: Vec<_> = view.address.iter().map(u32::to_string).collect();
    let lanes = if view.mask & view.mask.wrapping_add(1) == 0 {
        String::new()
    } else {
        format!(".{}", lane_text(view.mask))
    };
    format!("{register}[{}]{lanes}", address.join(", "))
}

/// The operands of a listing's line: split at commas that are outside of brackets.
fn operands(text: &str) -> Vec<&str> {
    // The mnemonic itself may have a blank in brackets: `(structured_buffer, stride=16)`.
    let mut open = 0i32;
    let end = text.find(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        c == ' ' && open == 0
    });
    let Some(end) = end else { return Vec::new() };
    let rest = &text[end + 1..];
    // What stands before the operands in brackets: `[precise]`.
    let rest = if rest.starts_with('[') { rest.split_once("] ").map_or(rest, |(_, r)| r) } else { rest };
    let (mut depth, mut start, mut list) = (0i32, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                list.push(rest[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    list.push(rest[start..].trim());
    list
}

/// The registers that an operand is indexed by, as it has them, and the operand with the numbers that they reached.
fn resolved(operand: &str, indices: &[&Index]) -> (Vec<String>, String) {
    let (mut registers, mut indices) = (Vec::new(), indices.iter());
    // Where each bracket that is open begins, and the text before it.
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut text = String::new();
    for (at, c) in operand.char_indices() {
        match c {
            '[' => open.push((at + 1, std::mem::take(&mut text))),
            ']' => {
                let Some((start, before)) = open.pop() else { continue };
                let inside = &operand[start..at];
                let number = match inside.rsplit_once(" + ").and_then(|(r, _)| Some((r, indices.next()?))) {
                    None => inside.into(),
                    Some((register, index)) => {
                        registers.push(register.into());
                        Shown::Int.text(index.reached)
                    }
                };
                text = format!("{before}[{number}]");
            }
            c => text.push(c),
        }
    }
    (registers, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_resolved() {
        let index = |value, reached| Index { operand: 1, value, reached };
        let text = "-|cb0[r1.x + 2].xyxx|";
        let found = resolved(text, &[&index(3, 5)]);
        assert_eq!(found, (vec!["r1.x".into()], "-|cb0[5].xyxx|".into()));
        let text = "CB1[r0.x + 6][x0[r1.x + 2].y + 1].xyzw";
        let found = resolved(text, &[&index(2, 8), &index(0, 2), &index(u32::MAX, 0)]);
        assert_eq!(found.0, ["r0.x", "r1.x", "x0[r1.x + 2].y"]);
        assert_eq!(found.1, "CB1[8][0].xyzw");
        assert_eq!(resolved("CB0[3][1].x", &[]), (Vec::new(), "CB0[3][1].x".into()));
    }

    #[test]
    fn a_line_is_split_into_operands() {
        let line = "mad [precise] r0.xy, -|cb0[r1.x + 2].xyxx|, l(1, 2, 3, 4), v0.x";
        assert_eq!(operands(line), ["r0.xy", "-|cb0[r1.x + 2].xyxx|", "l(1, 2, 3, 4)", "v0.x"]);
        let line =
            "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, l(1), t0.x";
        assert_eq!(operands(line), ["r0.x", "l(1)", "t0.x"]);
        assert_eq!(operands("ret"), [""; 0]);
    }

    #[test]
    fn bits_are_shown_as_what_they_are() {
        assert_eq!(Shown::Guess.text(1f32.to_bits()), "1");
        assert_eq!(Shown::Guess.text(u32::MAX), "0xffffffff");
        assert_eq!(Shown::Int.text(u32::MAX), "-1");
        assert_eq!(Shown::Float.json(f32::NAN.to_bits()), "NaN");
        let text = |x: f32| Shown::Float.text(x.to_bits());
        let texts = [f32::from_bits(1), -0.0, 2.5, 1e20, f32::NAN, f32::NEG_INFINITY].map(text);
        assert_eq!(texts, ["1e-45", "-0", "2.5", "1e+20", "NaN", "-inf"]);
    }
}
