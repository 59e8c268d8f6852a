//! Which sampler uniforms, blocks and data textures a program needs.
//!
//! GLSL joins a texture and its sampler; Direct3D pairs them at each instruction. Every pair in use gets a uniform
//! of its own, and a comparing use another: a shadow sampler only compares.

use crate::decls::{BufferKind, CbDecl, Decls, scalar_of_returns};
use crate::flow::Flow;
use crate::options::{CbOutOfBounds, Fidelity, Options, TextureNames};
use crate::ranges::Ranges;
use crate::rewrite::{Home, Part};
use crate::tree::Scalar;
use rustc_hash::FxHashMap;
use shaderport_dxbc::program::{OperandKind, ResourceDimension, SlotRange};
use shaderport_dxbc::{Instruction, Opcode, Operand, Program, Slot, Stage};

/// A sampler uniform.
#[derive(Clone, Debug)]
pub(crate) struct SamplerUniform {
    /// Index of the texture's declaration.
    pub(crate) texture: usize,
    /// Bound `t` register.
    pub(crate) register: u32,
    /// Declaration and bound register of the sampler; `None` where it is only loaded or queried.
    pub(crate) sampler: Option<(usize, u32)>,
    pub(crate) comparison: bool,
    pub(crate) scalar: Scalar,
    pub(crate) dimension: ResourceDimension,
    /// Whether the mip count is read.
    pub(crate) levels: bool,
    pub(crate) name: String,
    /// What it is of a merged texture.
    pub(crate) part: Option<Part>,
    /// Whether the text declares it: another part may have, or it is not there.
    pub(crate) is_declared: bool,
}

/// A buffer in use.
#[derive(Clone, Debug)]
pub(crate) struct BufferUse {
    pub(crate) decl: usize,
    /// Bound `t` register.
    pub(crate) register: u32,
    pub(crate) length: bool,
    pub(crate) read: bool,
    pub(crate) name: String,
    /// Where it is, if not by itself.
    pub(crate) home: Option<Home>,
}

/// A constant buffer in use: a slot, or one of an array of slots.
#[derive(Clone, Debug)]
pub(crate) struct BlockUse {
    pub(crate) decl: usize,
    /// Bound `b` register.
    pub(crate) register: u32,
    pub(crate) space: u32,
    pub(crate) rows: u32,
    /// Rows are read by computed indices.
    pub(crate) dynamic: bool,
    /// Instance name.
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    texture: usize,
    register: u32,
    sampler: Option<(usize, u32)>,
    comparison: bool,
}

/// All of a program's resources.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) samplers: Vec<SamplerUniform>,
    pub(crate) buffers: Vec<BufferUse>,
    keys: FxHashMap<Key, usize>,
    buffer_keys: FxHashMap<(usize, u32), usize>,
    pub(crate) blocks: Vec<BlockUse>,
    block_keys: FxHashMap<(usize, u32), usize>,
    pub(crate) icb_used: bool,
    pub(crate) icb_dynamic: bool,
}

/// Most elements of an array of resources that is indexed by a computed value: one branch each.
pub(crate) const MAX_LADDER: u32 = 64;

/// The bound registers that an operand may name: one, or its whole range where the index is computed.
pub(crate) fn registers(p: &Program, slots: &SlotRange, o: &Operand) -> (u32, u32) {
    let index = p.bound_register(o);
    if index.is_relative() {
        (slots.lower, slots.upper.min(slots.lower.saturating_add(MAX_LADDER - 1)))
    } else {
        (index.immediate, index.immediate)
    }
}

/// The pairs of bound registers that a texture and a sampler operand may name. Where both have one computed index
/// (the same register and no other), element goes with element.
pub(crate) fn register_pairs(
    p: &Program,
    (texture, t): (&SlotRange, &Operand),
    (sampler, s): (&SlotRange, &Operand),
) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (from, to) = registers(p, texture, t);
    let (sfrom, sto) = registers(p, sampler, s);
    let offset = same_index(p, t, s);
    (from..=to).flat_map(move |r| {
        let (from, to) = match offset.map(|o| u32::try_from(i64::from(r) + o)) {
            Some(Ok(x)) => (x.max(sfrom), x.min(sto)),
            Some(Err(_)) => (1, 0),
            None => (sfrom, sto),
        };
        (from..=to).map(move |x| (r, x))
    })
}

/// How far the sampler's register lies from the texture's, where one computed value indexes both.
pub(crate) fn same_index(p: &Program, t: &Operand, s: &Operand) -> Option<i64> {
    let (ti, si) = (p.bound_register(t), p.bound_register(s));
    let (a, b) = (p.relative(ti)?, p.relative(si)?);
    (a == b && a.kind == OperandKind::Temp && a.dimensions == 1)
        .then(|| i64::from(si.immediate as i32) - i64::from(ti.immediate as i32))
}

/// Whether an opcode compares.
fn is_comparison(op: Opcode) -> bool {
    matches!(op, Opcode::SampleC | Opcode::SampleCLz | Opcode::Gather4C | Opcode::Gather4PoC)
}

impl Resources {
    pub(crate) fn gather(p: &Program, decls: &Decls<'_>, flow: &Flow, options: &Options) -> Resources {
        let mut r = Resources::default();
        let grow = options.cb_oob == CbOutOfBounds::Driver;
        let ranges = Ranges::new(p, flow);
        let mut plain: Vec<(usize, u32, Opcode, bool)> = Vec::new();
        for i in &p.instructions {
            if i.opcode.is_declaration() {
                continue;
            }
            let operands = p.operands(i);
            if i.names_any(&[OperandKind::ConstantBuffer, OperandKind::ImmediateConstantBuffer]) {
                for o in operands {
                    r.constants(p, decls, i, o, grow);
                }
            }
            if !i.names(OperandKind::Resource) {
                continue;
            }
            let slots = i.opcode.info().slots;
            let Some(t) = slots.iter().position(|s| *s == Slot::Resource) else { continue };
            let Some(t) = operands.get(t) else { continue };
            if let Some((n, b)) = decls.buffer(t.register()) {
                let (from, to) = registers(p, &b.slots, t);
                for register in from..=to {
                    let k = r.buffer(n, register);
                    r.buffers[k].length |= i.opcode == Opcode::BufInfo;
                    r.buffers[k].read |= i.opcode != Opcode::BufInfo;
                }
                continue;
            }
            let Some((n, texture)) = decls.texture(t.register()) else { continue };
            let sampler = slots.iter().position(|s| *s == Slot::Sampler).and_then(|s| operands.get(s));
            if let Some(o) = sampler {
                let Some((sn, sd)) = decls.sampler(o.register()) else { continue };
                for (register, sr) in register_pairs(p, (&texture.slots, t), (&sd.slots, o)) {
                    let compares = is_comparison(i.opcode.without_feedback());
                    let k = r.sampler(decls, n, register, Some((sn, sr)), compares);
                    r.samplers[k].levels |= i.opcode == Opcode::Lod;
                }
                continue;
            }
            let levels = match i.opcode.without_feedback() {
                Opcode::ResInfo => needs_levels(p, &ranges, i),
                // A computed level is guarded by the number of levels.
                _ => options.fidelity == Fidelity::Strict && !level_is_first(&ranges, i),
            };
            let (from, to) = registers(p, &texture.slots, t);
            for register in from..=to {
                plain.push((n, register, i.opcode, levels));
            }
        }
        // Loads and queries take a uniform that is there; a load cannot take a shadow sampler.
        for &(n, register, op, _) in &plain {
            if r.find_plain(n, register, op).is_none() {
                r.sampler(decls, n, register, None, false);
            }
        }
        r.joints(p, decls, options);
        r.sort(decls);
        // Only their final order tells which one that is.
        for (n, register, op, levels) in plain {
            if let Some(k) = r.find_plain(n, register, op) {
                r.samplers[k].levels |= levels;
            }
        }
        r.name_samplers(p, decls, options);
        if p.stage == Stage::Pixel {
            for b in r.blocks.iter_mut().filter(|b| b.space == 0) {
                if let Some(m) = options.abi.pixel_slots.iter().find(|m| m.from == b.register) {
                    b.name = slot_name("cb", m.to, 0);
                }
            }
        }
        r
    }

    /// Units and blocks follow registers, not the order of use: a small change of a shader leaves them where they are.
    fn sort(&mut self, decls: &Decls<'_>) {
        self.samplers.sort_by_key(|s| {
            let sampler = s.sampler.map(|x| (decls.samplers[x.0].slots.space, x.1));
            (decls.textures[s.texture].slots.space, s.register, s.comparison, sampler)
        });
        self.buffers.sort_by_key(|b| (decls.buffers[b.decl].slots.space, b.register));
        self.blocks.sort_by_key(|b| (b.space, b.register));
        let key = |s: &SamplerUniform| Key {
            texture: s.texture,
            register: s.register,
            sampler: s.sampler,
            comparison: s.comparison,
        };
        self.keys = self.samplers.iter().enumerate().map(|(n, s)| (key(s), n)).collect();
        self.buffer_keys = self.buffers.iter().enumerate().map(|(n, b)| ((b.decl, b.register), n)).collect();
        self.block_keys = self.blocks.iter().enumerate().map(|(n, b)| ((b.decl, b.register), n)).collect();
    }

    /// `grow`: rows past the declared end are the bound buffer's.
    fn constants(&mut self, p: &Program, decls: &Decls<'_>, i: &Instruction, o: &Operand, grow: bool) {
        if i.has_relative_index() {
            for index in o.index.iter().take(o.dimensions as usize) {
                if let Some((_, inner)) = p.relative_index(index) {
                    self.constants(p, decls, i, inner, grow);
                }
            }
        }
        match o.kind {
            OperandKind::ConstantBuffer => {
                if let Some((n, cb)) = decls.cb(o.register())
                    && cb.rows > 0
                {
                    let row = (o.dimensions as usize).clamp(1, 3) - 1;
                    let (from, to) = block_registers(p, &cb.slots, o);
                    for register in from..=to {
                        let k = self.block(n, register, cb);
                        let b = &mut self.blocks[k];
                        b.dynamic |= o.index[row].is_relative();
                        if grow && !o.index[row].is_relative() {
                            b.rows = b.rows.max(o.index[row].immediate.saturating_add(1).min(4096));
                        }
                    }
                }
            }
            OperandKind::ImmediateConstantBuffer => {
                self.icb_used = true;
                self.icb_dynamic |= o.index[0].is_relative();
            }
            _ => {}
        }
    }

    fn block(&mut self, decl: usize, register: u32, cb: &CbDecl) -> usize {
        if let Some(&k) = self.block_keys.get(&(decl, register)) {
            return k;
        }
        let space = cb.slots.space;
        let name = slot_name("cb", register, space);
        self.blocks.push(BlockUse { decl, register, space, rows: cb.rows, dynamic: false, name });
        self.block_keys.insert((decl, register), self.blocks.len() - 1);
        self.blocks.len() - 1
    }

    pub(crate) fn find_block(&self, decl: usize, register: u32) -> Option<usize> {
        self.block_keys.get(&(decl, register)).copied()
    }

    fn sampler(
        &mut self,
        decls: &Decls<'_>,
        texture: usize,
        register: u32,
        sampler: Option<(usize, u32)>,
        comparison: bool,
    ) -> usize {
        let key = Key { texture, register, sampler, comparison };
        if let Some(&k) = self.keys.get(&key) {
            return k;
        }
        let t = &decls.textures[texture];
        self.samplers.push(SamplerUniform {
            texture,
            register,
            sampler,
            comparison,
            scalar: scalar_of_returns(&t.returns),
            dimension: t.dimension,
            levels: false,
            name: String::new(),
            part: None,
            is_declared: true,
        });
        self.keys.insert(key, self.samplers.len() - 1);
        self.samplers.len() - 1
    }

    fn buffer(&mut self, decl: usize, register: u32) -> usize {
        if let Some(&k) = self.buffer_keys.get(&(decl, register)) {
            return k;
        }
        self.buffers.push(BufferUse {
            decl,
            register,
            length: false,
            read: false,
            name: String::new(),
            home: None,
        });
        self.buffer_keys.insert((decl, register), self.buffers.len() - 1);
        self.buffers.len() - 1
    }

    /// The uniform for a sampling instruction.
    pub(crate) fn find_sampler(
        &self,
        texture: usize,
        register: u32,
        sampler: (usize, u32),
        op: Opcode,
    ) -> Option<usize> {
        self.keys
            .get(&Key { texture, register, sampler: Some(sampler), comparison: is_comparison(op) })
            .copied()
    }

    /// The uniform for a load or a query.
    pub(crate) fn find_plain(&self, texture: usize, register: u32, op: Opcode) -> Option<usize> {
        self.samplers.iter().position(|s| {
            s.texture == texture && s.register == register && (!s.comparison || op == Opcode::ResInfo)
        })
    }

    pub(crate) fn find_buffer(&self, decl: usize, register: u32) -> Option<usize> {
        self.buffer_keys.get(&(decl, register)).copied()
    }

    /// Bones that become rows of a constant buffer, which the shader may not declare or not as long.
    fn joints(&mut self, p: &Program, decls: &Decls<'_>, options: &Options) {
        let Some(j) = options.abi.joints.filter(|_| p.stage == Stage::Vertex) else { return };
        let is_bones = |b: &&mut BufferUse| decls.buffers[b.decl].kind == crate::joints::BONES;
        let Some(bones) = self.buffers.iter_mut().find(is_bones) else { return };
        bones.home = Some(Home::Joints);
        let at = self.blocks.iter().position(|b| (b.register, b.space) == (j.slot, 0)).unwrap_or_else(|| {
            let decl = decls.cbs.iter().position(|c| (c.slots.lower, c.slots.space) == (j.slot, 0));
            self.blocks.push(BlockUse {
                decl: decl.unwrap_or(usize::MAX),
                register: j.slot,
                space: 0,
                rows: 0,
                dynamic: true,
                name: slot_name("cb", j.slot, 0),
            });
            self.blocks.len() - 1
        });
        let least = j.least_rows.max(j.first_row.saturating_add(j.joints.saturating_mul(3))).min(4096);
        let b = &mut self.blocks[at];
        b.rows = b.rows.max(least);
        b.dynamic = true;
    }

    /// Adds `suffix` to the names of what lies in those `t` slots (register, space).
    pub(crate) fn rename(&mut self, decls: &Decls<'_>, slots: &[(u32, u32)], suffix: &str) {
        if slots.is_empty() {
            return;
        }
        for s in &mut self.samplers {
            if s.part.is_none() && slots.contains(&(s.register, decls.textures[s.texture].slots.space)) {
                s.name.push_str(suffix);
            }
        }
        for b in &mut self.buffers {
            if slots.contains(&(b.register, decls.buffers[b.decl].slots.space)) {
                b.name.push_str(suffix);
            }
        }
    }

    /// Names are a function of registers and of which pairs are in use.
    fn name_samplers(&mut self, p: &Program, decls: &Decls<'_>, options: &Options) {
        let prefix = match (options.abi.textures, p.stage) {
            (TextureNames::Register, _) => "t",
            (TextureNames::Stage, Stage::Vertex) => "vs",
            (TextureNames::Stage, _) => "s",
        };
        for k in 0..self.samplers.len() {
            let s = &self.samplers[k];
            let slots = &decls.textures[s.texture].slots;
            let same = |o: &&SamplerUniform| {
                o.register == s.register && decls.textures[o.texture].slots.space == slots.space
            };
            let plain = self.samplers.iter().filter(same).filter(|o| !o.comparison).count();
            let comparing = self.samplers.iter().filter(same).filter(|o| o.comparison).count();
            let mut name = slot_name(prefix, s.register, slots.space);
            let many = if s.comparison { comparing > 1 } else { plain > 1 };
            if many && let Some((sd, sr)) = s.sampler {
                name.push('_');
                name.push_str(&slot_name("s", sr, decls.samplers[sd].slots.space));
            }
            if s.comparison && plain > 0 {
                name.push_str("_cmp");
            }
            self.samplers[k].name = name;
        }
        for k in 0..self.buffers.len() {
            let b = &self.buffers[k];
            let d = &decls.buffers[b.decl];
            let prefix = match d.kind {
                BufferKind::Typed(_) => "bt",
                BufferKind::Raw => "rb",
                BufferKind::Structured(_) => "sb",
            };
            self.buffers[k].name = slot_name(prefix, b.register, d.slots.space);
        }
    }
}

/// The bound registers that a constant-buffer operand may name.
pub(crate) fn block_registers(p: &Program, slots: &SlotRange, o: &Operand) -> (u32, u32) {
    if !p.is_5_1() || o.dimensions < 3 {
        return (slots.lower, slots.lower);
    }
    registers(p, slots, o)
}

/// Whether a `resinfo` needs the number of mips: it is returned, or the level is not known to be the first.
pub(crate) fn needs_levels(p: &Program, ranges: &Ranges<'_>, i: &Instruction) -> bool {
    let operands = p.operands(i);
    let (Some(dest), Some(resource)) = (operands.first(), operands.get(2)) else { return false };
    let count_read = (0..4).any(|l| dest.mask() >> l & 1 != 0 && resource.source_lane(l) == 3);
    count_read || !ranges.is_zero(i, 1, 0)
}

/// Whether a load is known to be of the first level.
pub(crate) fn level_is_first(ranges: &Ranges<'_>, i: &Instruction) -> bool {
    let address = i.opcode.info().slots.iter().take_while(|s| matches!(s, Slot::Dest(_))).count();
    ranges.is_zero(i, address, 3)
}

/// `t3`, or `t3_space1` outside the first space.
pub(crate) fn slot_name(prefix: &str, register: u32, space: u32) -> String {
    let mut name = String::with_capacity(16);
    name.push_str(prefix);
    name.push_str(itoa::Buffer::new().format(register));
    if space != 0 {
        name.push_str("_space");
        name.push_str(itoa::Buffer::new().format(space));
    }
    name
}
