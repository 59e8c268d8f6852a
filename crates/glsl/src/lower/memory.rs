//! Structured, raw and typed buffers: rows of a block or texels of a data texture.
//!
//! Either way a load goes through a function of the prelude, which reads 0 outside the buffer: D3D11.3 functional
//! specification, 22.4 (`ld_structured`, `ld_raw`, `ld`).

use super::*;
use crate::decls::BufferKind;
use crate::options::{BufferForm, BufferLength};
use crate::resources::registers;

/// The elements that the options name for a buffer.
pub(crate) fn given_capacity(options: &Options, stage: Stage, register: u32) -> Option<u32> {
    let own = options.pixel_resources.blocks.iter().filter(|_| stage == Stage::Pixel);
    own.chain(&options.buffer_capacities).find(|c| c.register == register).map(|c| c.elements)
}

/// Elements of a buffer as the prelude sees them.
pub(crate) fn capacity(options: &Options, stage: Stage, register: u32) -> u32 {
    given_capacity(options, stage, register).unwrap_or(options.buffer_capacity).clamp(1, 1 << 20)
}

/// Which form a buffer of the stage takes.
pub(crate) fn form(options: &Options, stage: Stage, register: u32) -> BufferForm {
    match stage {
        Stage::Vertex => options.vertex_buffers,
        _ if options.pixel_resources.blocks.iter().any(|b| b.register == register) => BufferForm::Block,
        _ => options.pixel_buffers,
    }
}

/// Whether the element count comes from a uniform.
pub(crate) fn length_from_uniform(options: &Options, stage: Stage, register: u32) -> bool {
    let known = given_capacity(options, stage, register).is_some();
    options.buffer_length == BufferLength::Uniform
        || (form(options, stage, register) == BufferForm::Texture && !known)
}

impl Lower<'_> {
    pub(super) fn memory(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        let slots = i.opcode.info().slots;
        let Some(r) = slots.iter().position(|s| *s == Slot::Resource) else { return Ok(()) };
        let resource = self.operand(i, r)?;
        // Forms with feedback have a destination more.
        let address = slots.iter().take_while(|s| matches!(s, Slot::Dest(_))).count();
        let Some((decl, b)) = self.decls.buffer(resource.register()) else {
            return Err(
                self.malformed(format!("t{} is used but not declared as a buffer", resource.register()))
            );
        };
        let index = *self.p.bound_register(resource);
        let kind = b.kind;
        let (from, to) = registers(self.p, &b.slots, resource);
        let elements: Vec<usize> = (from..=to).filter_map(|r| self.resources.find_buffer(decl, r)).collect();
        let Some(&u) = elements.first() else {
            return Err(self.malformed("a buffer is used beyond its declared range"));
        };
        // An array of buffers that is indexed: the functions take the element first.
        let which = if index.is_relative() { Some(self.index_value(&index)?) } else { None };
        if i.opcode == Opcode::BufInfo || i.opcode == Opcode::ResInfo {
            return self.buffer_length(i, &elements, which, kind);
        }
        let function = |l: &mut Self, rows: bool| match which {
            None if rows => l.row_function(u),
            None => l.load_function(u),
            Some(_) => {
                for &u in &elements {
                    let _ = if rows { l.row_function(u) } else { l.load_function(u) };
                }
                l.buffer_ladder(decl, u, rows)
            }
        };
        // Where a lane of the result lies: the resource's swizzle counts words from the address.
        let mut words = [0u8; 4];
        for (l, w) in words.iter_mut().enumerate() {
            *w = resource.source_lane(l) as u8;
        }
        match kind {
            BufferKind::Typed(returns) => {
                let held = crate::decls::scalar_of_returns(&returns);
                let element = self.read_at(i, address, Lanes::one(0), Scalar::Uint)?;
                let name = function(self, false);
                let row = self.call_load(Ty::new(Scalar::Uint, 4), name, which, &[element]);
                self.by_type(i, 0, |l, _, lanes, s| {
                    let v = l.cast(row, held);
                    let mut from = Lanes::new();
                    for &n in lanes.as_slice() {
                        from.push(words[n as usize]);
                    }
                    let v = l.tree.swizzle(v, from);
                    Ok(l.cast(v, s))
                })
            }
            BufferKind::Raw => {
                let address = self.read_at(i, address, Lanes::one(0), Scalar::Uint)?;
                let two = self.tree.uint(2);
                let first = match self.tree.expr(address) {
                    Expr::Literal(b) => self.tree.uint(b[0] >> 2),
                    _ => self.tree.binary(BinaryOp::Shr, address, two),
                };
                let name = function(self, false);
                self.load_words(i, name, which, None, first, words)
            }
            BufferKind::Structured(stride) => {
                let element = self.read_at(i, address, Lanes::one(0), Scalar::Uint)?;
                let offset = self.read_at(i, address + 1, Lanes::one(0), Scalar::Uint)?;
                let row_aligned = match self.tree.expr(offset) {
                    Expr::Literal(b) if stride % 16 == 0 && b[0] % 16 == 0 => Some(b[0] / 16),
                    _ => None,
                };
                if let Some(row) = row_aligned {
                    let name = function(self, true);
                    let row = self.tree.uint(row);
                    let v = self.call_load(Ty::new(Scalar::Uint, 4), name, which, &[element, row]);
                    return self.by_type(i, 0, |l, _, lanes, s| {
                        let mut from = Lanes::new();
                        for &n in lanes.as_slice() {
                            from.push(words[n as usize]);
                        }
                        let v = l.tree.swizzle(v, from);
                        Ok(l.cast(v, s))
                    });
                }
                let two = self.tree.uint(2);
                let first = match self.tree.expr(offset) {
                    Expr::Literal(b) => self.tree.uint(b[0] >> 2),
                    _ => self.tree.binary(BinaryOp::Shr, offset, two),
                };
                let name = function(self, false);
                self.load_words(i, name, which, Some(element), first, words)
            }
        }
    }

    /// One call for each word: `name(element, word)`, or `name(word)` for raw buffers.
    fn load_words(
        &mut self,
        i: &Instruction,
        name: NameId,
        which: Option<ExprId>,
        element: Option<ExprId>,
        first: ExprId,
        words: [u8; 4],
    ) -> Result<(), Box<Diagnostic>> {
        self.by_type(i, 0, |l, _, lanes, s| {
            let mut parts = [first; 4];
            for (k, &n) in lanes.as_slice().iter().enumerate() {
                let w = u32::from(words[n as usize]);
                let at = match l.tree.expr(first) {
                    Expr::Literal(b) => l.tree.uint(b[0].wrapping_add(w)),
                    _ if w == 0 => first,
                    _ => {
                        let w = l.tree.uint(w);
                        l.tree.binary(BinaryOp::Add, first, w)
                    }
                };
                let uint = Ty::new(Scalar::Uint, 1);
                parts[k] = match element {
                    Some(e) => l.call_load(uint, name, which, &[e, at]),
                    None => l.call_load(uint, name, which, &[at]),
                };
            }
            let v = if lanes.count == 1 {
                parts[0]
            } else {
                l.tree.construct(Ty::new(Scalar::Uint, lanes.count), &parts[..lanes.count as usize])
            };
            Ok(l.cast(v, s))
        })
    }

    /// A call of a load, with the element of an array of buffers in front.
    fn call_load(&mut self, ty: Ty, name: NameId, which: Option<ExprId>, args: &[ExprId]) -> ExprId {
        let all: Vec<ExprId> = which.into_iter().chain(args.iter().copied()).collect();
        self.tree.call(ty, Func::Named(name), &all)
    }

    /// The function that loads from an element of an array of buffers.
    fn buffer_ladder(&mut self, decl: usize, first: usize, rows: bool) -> NameId {
        if let Some(l) = self.buffer_ladders.iter().find(|l| (l.0, l.1) == (decl, rows)) {
            return l.2;
        }
        let base = &self.resources.buffers[first].name;
        let text = if rows { format!("{base}_any_row") } else { format!("{base}_any") };
        let name = self.tree.name(&text);
        self.buffer_ladders.push((decl, rows, name));
        name
    }

    /// The function that loads a word (a typed buffer: a row).
    fn load_function(&mut self, u: usize) -> NameId {
        if let Some(n) = self.buffer_loads[u] {
            return n;
        }
        let text = format!("{}_at", self.resources.buffers[u].name);
        let name = self.tree.name(&text);
        self.buffer_loads[u] = Some(name);
        name
    }

    /// The function that loads 16 bytes of an element.
    fn row_function(&mut self, u: usize) -> NameId {
        if let Some(n) = self.buffer_rows.iter().find(|r| r.0 == u) {
            return n.1;
        }
        let text = format!("{}_row", self.resources.buffers[u].name);
        let name = self.tree.name(&text);
        self.buffer_rows.push((u, name));
        name
    }

    /// Elements of structured and typed buffers, bytes of raw ones.
    fn buffer_length(
        &mut self,
        i: &Instruction,
        elements: &[usize],
        which: Option<ExprId>,
        kind: BufferKind,
    ) -> Result<(), Box<Diagnostic>> {
        let mut value = None;
        for &u in elements.iter().rev() {
            let register = self.resources.buffers[u].register;
            let v = if self.resources.buffers[u].home == Some(crate::rewrite::Home::Nowhere) {
                self.tree.uint(0)
            } else if length_from_uniform(self.options, self.p.stage, register) {
                let text = format!("{}_length", self.resources.buffers[u].name);
                let name = self.tree.name(&text);
                self.tree.named(Ty::new(Scalar::Uint, 1), name)
            } else {
                let n = capacity(self.options, self.p.stage, register);
                self.tree.uint(if kind == BufferKind::Raw { n.saturating_mul(16) } else { n })
            };
            value = Some(match (which, value) {
                (Some(w), other) => {
                    let other = other.unwrap_or_else(|| self.tree.uint(0));
                    let label = self.tree.int(register as i32);
                    let same = self.tree.test(BinaryOp::Eq, w, label);
                    self.tree.select(same, v, other)
                }
                (None, _) => v,
            });
        }
        match value {
            Some(v) => self.write(i, 0, v),
            None => Ok(()),
        }
    }
}
