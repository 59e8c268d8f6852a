//! The writer of version 15.
//!
//! Names and blobs go to one area, sorted and without repeats; equal bodies are stored once, in the order of the
//! first row that has them. A tidy version 15 file that is read and written keeps its bytes (container format,
//! "what a byte-exact writer must keep").

use crate::model::*;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::effect as codes;
use std::borrow::Cow;
use std::collections::HashMap;

/// The version that is written.
pub const VERSION: u32 = 15;

/// Writes a container of version 15, whatever version the effect was read from. Lists are written in the order
/// given.
///
/// # Errors
/// `effect-unwritable` for everything that the format or the engine's limits forbid.
pub fn write(effect: &Effect<'_>) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    check(effect, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let arena = Arena::of(effect);
    let mut out = Writer { out: Vec::new(), arena: &arena };
    out.u32(VERSION);
    out.raw(&effect.provenance.compiler);
    out.raw(&effect.provenance.hash);
    out.u32(arena.bytes.len() as u32);
    out.raw(&arena.bytes);
    out.count(effect.axes.len());
    for axis in &effect.axes {
        out.text(&axis.name);
        out.u8(axis.default_option);
        out.text(&axis.description);
        out.u8(axis.kind);
        out.count(axis.options.len());
        axis.options.iter().for_each(|o| out.text(o));
    }
    out.u32(effect.rows.len() as u32);
    let table = out.out.len();
    let mut bodies = Vec::new();
    // Where each body of the tree lies among the bodies written, and where each text of bytes does.
    let mut placed: Vec<Option<(usize, usize)>> = vec![None; effect.bodies.len()];
    let mut known: HashMap<Vec<u8>, (usize, usize)> = HashMap::new();
    let first = table + effect.rows.len() * 12;
    for row in &effect.rows {
        let body = row.body as usize;
        let (offset, size) = *placed[body].get_or_insert_with(|| {
            let mut one = Writer { out: Vec::new(), arena: &arena };
            one.body(&effect.bodies[body]);
            *known.entry(one.out).or_insert_with_key(|bytes| {
                let place = (first + bodies.len(), bytes.len());
                bodies.extend_from_slice(bytes);
                place
            })
        });
        out.u32(row.index);
        out.u32(offset as u32);
        out.u32(size as u32);
    }
    out.raw(&bodies);
    if u32::try_from(out.out.len()).is_err() {
        return Err(vec![unwritable("the container would be larger than 32-bit offsets reach".into())]);
    }
    Ok(out.out)
}

fn unwritable(message: String) -> Diagnostic {
    Diagnostic::new(codes::UNWRITABLE, message)
}

/// Names and blobs, sorted by their bytes.
struct Arena<'e> {
    bytes: Vec<u8>,
    texts: HashMap<&'e [u8], u32>,
    blobs: HashMap<&'e [u8], u32>,
}

impl<'e> Arena<'e> {
    fn of(effect: &'e Effect<'_>) -> Self {
        let (mut texts, mut blobs) = (HashMap::new(), HashMap::new());
        visit(effect, &mut |entry| match entry {
            Entry::Text(t) => drop(texts.insert(&*t.0, 0)),
            Entry::Blob(b) if b.data.is_empty() => {}
            Entry::Blob(b) => drop(blobs.insert(&*b.data, 0)),
        });
        // A name is an entry with its zero byte, so that it may be one with a blob.
        let terminated = texts.keys().map(|t| Cow::Owned([t, &[0][..]].concat()));
        let mut entries: Vec<Cow<'_, [u8]>> =
            terminated.chain(blobs.keys().map(|&b| Cow::Borrowed(b))).collect();
        entries.sort_unstable();
        entries.dedup();
        let mut bytes = Vec::new();
        for entry in &entries {
            let offset = bytes.len() as u32;
            bytes.extend_from_slice(entry);
            if let Some(at) = blobs.get_mut(&**entry) {
                *at = offset;
            }
            if let Some((0, name)) = entry.split_last()
                && let Some(at) = texts.get_mut(name)
            {
                *at = offset;
            }
        }
        Arena { bytes, texts, blobs }
    }
}

/// Something that refers into the area of names and blobs.
enum Entry<'e, 'a> {
    Text(&'e Text<'a>),
    Blob(&'e Blob<'a>),
}

/// Calls `f` for every reference of the tree.
fn visit<'e, 'a>(effect: &'e Effect<'a>, f: &mut impl FnMut(Entry<'e, 'a>)) {
    for axis in &effect.axes {
        f(Entry::Text(&axis.name));
        f(Entry::Text(&axis.description));
        axis.options.iter().for_each(|o| f(Entry::Text(o)));
    }
    let mut used = vec![false; effect.bodies.len()];
    for row in &effect.rows {
        used[row.body as usize] = true;
    }
    for (body, _) in effect.bodies.iter().zip(used).filter(|(_, used)| *used) {
        for technique in &body.techniques {
            f(Entry::Text(&technique.name));
            for pass in &technique.passes {
                for stage in &pass.stages {
                    f(Entry::Blob(&stage.program));
                    visit_set(&stage.set, f);
                }
                if body.backend_blocks {
                    f(Entry::Blob(&pass.backend_block));
                }
            }
        }
        for library in &body.libraries {
            f(Entry::Blob(&library.program));
            library.exports.iter().for_each(|e| f(Entry::Text(&e.name)));
            f(Entry::Text(&library.hit_group));
            visit_set(&library.global, f);
            visit_set(&library.local, f);
        }
        for parameter in &body.parameters {
            f(Entry::Text(&parameter.name));
            visit_annotations(&parameter.annotations, f);
        }
    }
}

fn visit_set<'e, 'a>(set: &'e InputSet<'a>, f: &mut impl FnMut(Entry<'e, 'a>)) {
    set.constants.iter().for_each(|c| f(Entry::Text(&c.name)));
    f(Entry::Blob(&set.defaults));
    set.textures.iter().for_each(|t| f(Entry::Text(&t.name)));
    set.samplers.iter().for_each(|s| f(Entry::Text(&s.name)));
    set.uavs.iter().for_each(|u| f(Entry::Text(&u.name)));
    visit_annotations(&set.annotations, f);
}

fn visit_annotations<'e, 'a>(annotations: &'e [Annotation<'a>], f: &mut impl FnMut(Entry<'e, 'a>)) {
    for a in annotations {
        f(Entry::Text(&a.name));
        if let Value::Text(t) = &a.value {
            f(Entry::Text(t));
        }
    }
}

/// Finds what cannot be written.
fn check(effect: &Effect<'_>, errors: &mut Vec<Diagnostic>) {
    let mut most = |what: &str, count: usize, limit: u32, within: &str| {
        if count as u64 > u64::from(limit) {
            errors.push(unwritable(format!("{count} {what}, more than {limit}{within}")));
        }
    };
    most("permutation axes", effect.axes.len(), limit::BYTE, "");
    most("rows", effect.rows.len(), u32::MAX / 12, "");
    for axis in &effect.axes {
        most("options", axis.options.len(), limit::BYTE, &format!(", on permutation axis {}", axis.name));
    }
    for (b, body) in effect.bodies.iter().enumerate() {
        let within = format!(", in body {b}");
        most("techniques", body.techniques.len(), limit::BYTE, &within);
        most("libraries", body.libraries.len(), limit::BYTE, &within);
        most("parameters", body.parameters.len(), limit::PARAMETERS, &within);
        for p in &body.parameters {
            most("annotations", p.annotations.len(), limit::BYTE, &within);
        }
        for technique in &body.techniques {
            let within = format!("{within}, technique {}", technique.name);
            most("passes", technique.passes.len(), limit::PASSES, &within);
            for pass in &technique.passes {
                most("stages", pass.stages.len(), limit::STAGES, &within);
                most("render states", pass.render_states.len(), limit::RECORDS, &within);
                for stage in &pass.stages {
                    most("inputs", stage.inputs.len(), limit::RECORDS, &within);
                    check_set(&stage.set, &within, &mut most);
                }
            }
        }
        for library in &body.libraries {
            most("exports", library.exports.len(), u32::MAX, &within);
            check_set(&library.global, &within, &mut most);
            check_set(&library.local, &within, &mut most);
        }
    }
    if effect.rows.is_empty() {
        errors.push(unwritable("the effect has no permutations".into()));
    }
    for (i, row) in effect.rows.iter().enumerate() {
        if row.body as usize >= effect.bodies.len() {
            errors.push(unwritable(format!("row {i} refers to body {}, which is not there", row.body)));
        }
    }
    for axis in &effect.axes {
        if usize::from(axis.default_option) >= axis.options.len() {
            let message = format!("the default of permutation axis {} is not among its options", axis.name);
            errors.push(unwritable(message));
        }
    }
    if !errors.is_empty() {
        return;
    }
    visit(effect, &mut |entry| {
        if let Entry::Text(t) = entry
            && t.0.contains(&0)
        {
            errors.push(unwritable(format!("the name {t:?} holds a zero byte")));
        }
        if let Entry::Blob(b) = entry
            && u32::try_from(b.data.len()).is_err()
        {
            errors.push(unwritable(format!("a blob of {} bytes", b.data.len())));
        }
    });
}

fn check_set(set: &InputSet<'_>, within: &str, most: &mut impl FnMut(&str, usize, u32, &str)) {
    most("registers", set.registers.len(), limit::BYTE, within);
    most("static samplers", set.static_samplers.len(), limit::BYTE, within);
    most("constants", set.constants.len(), u32::MAX, within);
    most("textures", set.textures.len(), limit::RECORDS, within);
    most("samplers", set.samplers.len(), limit::RECORDS, within);
    most("unordered access views", set.uavs.len(), limit::RECORDS, within);
    most("annotations", set.annotations.len(), limit::BYTE, within);
}

/// Appends fields. Counts fit their fields: [`check`] has seen them.
struct Writer<'w> {
    out: Vec<u8>,
    arena: &'w Arena<'w>,
}

impl Writer<'_> {
    fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
    fn u8(&mut self, v: u8) {
        self.out.push(v);
    }
    fn u32(&mut self, v: u32) {
        self.raw(&v.to_le_bytes());
    }
    fn bits(&mut self, v: Bits) {
        self.u32(v.0);
    }
    fn count(&mut self, n: usize) {
        self.u8(n as u8);
    }
    fn text(&mut self, t: &Text<'_>) {
        self.u32(self.arena.texts.get(&*t.0).copied().unwrap_or(NULL));
    }
    fn blob(&mut self, b: &Blob<'_>) {
        self.u32(b.data.len() as u32);
        self.u32(self.arena.blobs.get(&*b.data).copied().unwrap_or(b.empty_offset));
    }

    fn body(&mut self, body: &Body<'_>) {
        self.count(body.techniques.len());
        for technique in &body.techniques {
            self.text(&technique.name);
            self.count(technique.passes.len());
            for pass in &technique.passes {
                self.count(pass.stages.len());
                pass.stages.iter().for_each(|s| self.stage(s));
                self.count(pass.render_states.len());
                for s in &pass.render_states {
                    self.u32(s.state);
                    self.u32(s.value);
                }
                if body.backend_blocks {
                    self.blob(&pass.backend_block);
                }
            }
        }
        self.count(body.libraries.len());
        for library in &body.libraries {
            self.u32(library.payload_size);
            self.blob(&library.program);
            self.u32(library.exports.len() as u32);
            for export in &library.exports {
                self.u8(export.ty);
                self.text(&export.name);
            }
            self.text(&library.hit_group);
            self.set(&library.global);
            self.set(&library.local);
        }
        self.raw(&(body.parameters.len() as u16).to_le_bytes());
        for parameter in &body.parameters {
            self.text(&parameter.name);
            self.annotations(&parameter.annotations);
        }
    }

    fn stage(&mut self, stage: &Stage<'_>) {
        self.u8(stage.kind.code());
        self.blob(&stage.program);
        stage.thread_group.iter().for_each(|&n| self.u32(n));
        self.count(stage.inputs.len());
        for i in &stage.inputs {
            self.raw(&[i.usage, i.register, i.usage_index, i.used_mask, i.ty, i.dimension]);
        }
        self.set(&stage.set);
    }

    fn set(&mut self, set: &InputSet<'_>) {
        self.count(set.registers.len());
        for r in &set.registers {
            self.u8(r.kind);
            self.u32(r.index);
            self.u32(r.count);
            self.u8(r.space);
        }
        self.count(set.static_samplers.len());
        for s in &set.static_samplers {
            self.u32(s.register);
            self.u8(s.space);
            self.filtering(&s.filtering);
            self.u8(s.border_color);
            self.bits(s.filtering.min_lod);
            self.bits(s.filtering.max_lod);
        }
        self.u32(set.constants.len() as u32);
        for c in &set.constants {
            self.text(&c.name);
            self.u32(c.offset);
            self.u32(c.size);
            self.raw(&[c.ty, c.dimension]);
            self.u32(c.elements);
            self.raw(&[c.is_srgb, c.is_autoregister]);
        }
        self.blob(&set.defaults);
        self.count(set.textures.len());
        for t in &set.textures {
            self.u8(t.register);
            self.text(&t.name);
            self.u8(t.ty);
            self.u32(t.count);
            self.raw(&[t.is_srgb, t.is_autoregister]);
        }
        self.count(set.samplers.len());
        for s in &set.samplers {
            self.u8(s.register);
            self.text(&s.name);
            self.filtering(&s.filtering);
            s.border_color.iter().for_each(|&lane| self.bits(lane));
            self.bits(s.filtering.min_lod);
            self.bits(s.filtering.max_lod);
            self.u8(s.is_dynamic);
        }
        self.count(set.uavs.len());
        for u in &set.uavs {
            self.u8(u.register);
            self.text(&u.name);
            self.u8(u.ty);
            self.u32(u.count);
            self.u8(u.is_autoregister);
        }
        self.annotations(&set.annotations);
    }

    fn filtering(&mut self, f: &Filtering) {
        self.u8(f.comparison);
        self.raw(&f.filters);
        self.raw(&f.address);
        self.bits(f.mip_bias);
        self.raw(&[f.max_anisotropy, f.comparison_func]);
    }

    fn annotations(&mut self, annotations: &[Annotation<'_>]) {
        self.count(annotations.len());
        for a in annotations {
            self.text(&a.name);
            match &a.value {
                Value::Bool(word) => {
                    self.u8(0);
                    self.u32(*word);
                }
                Value::Int(i) => {
                    self.u8(1);
                    self.raw(&i.to_le_bytes());
                }
                Value::Float(bits) => {
                    self.u8(2);
                    self.bits(*bits);
                }
                Value::Text(t) => {
                    self.u8(3);
                    self.text(t);
                }
                Value::Other { ty, word } => {
                    self.u8(*ty);
                    self.u32(*word);
                }
            }
        }
    }
}
