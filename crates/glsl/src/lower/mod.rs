//! From instructions to the tree: one file per family. This one holds what they share: reading an operand in a
//! wanted type, writing a value under a mask.

mod arith;
mod flow;
mod interface;
mod memory;
mod moves;
mod texture;

use crate::decls::Decls;
use crate::flow::{Flow, NO_WEB, Web, place};
use crate::helpers::{Helper, HelperSet};
use crate::options::{CbOutOfBounds, Extension, Fidelity, Options};
use crate::ranges::Ranges;
use crate::resources::Resources;
use crate::tree::*;
use crate::types::Types;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as dxbc_codes;
use shaderport_dxbc::program::{Modifier, OperandKind};
use shaderport_dxbc::{Family, Instruction, Opcode, Operand, Program, Slot, Stage};

pub(crate) use interface::{InputKind, Interface, OutputKind};
pub(crate) use memory::{capacity, form, given_capacity, length_from_uniform};

/// A comparison whose only use is still to come: written where it is used, or before something it reads changes.
struct Pending {
    web: Web,
    target: ExprId,
    value: ExprId,
    /// The run of [`Lower::pending_reads`] that says what it reads.
    reads: (usize, usize),
    /// Whether the instruction at hand is its use, which may read it for several lanes.
    taken: bool,
}

const ARRAYS: u32 = u32::MAX;

/// Lanes of a temporary as one word; there are no more than 4,096 of these.
fn lanes_of(register: u32, mask: u8) -> u32 {
    register << 4 | u32::from(mask)
}

/// Where a lane of an operand comes from.
#[derive(Clone, Copy, PartialEq)]
struct LaneRef {
    base: ExprId,
    lane: u8,
    ty: Ty,
    /// Converted by value to this type once its lanes are chosen.
    converted: Option<Scalar>,
}

/// The state of lowering one program.
pub(crate) struct Lower<'a> {
    pub(crate) p: &'a Program,
    pub(crate) decls: &'a Decls<'a>,
    pub(crate) flow: &'a Flow,
    pub(crate) types: &'a Types,
    pub(crate) ranges: Ranges<'a>,
    pub(crate) options: &'a Options,
    pub(crate) resources: &'a Resources,
    pub(crate) tree: Tree,
    pub(crate) helpers: HelperSet,
    pub(crate) interface: Interface,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// For each register and type: the lanes in use, and bit 4 where they must start as 0.
    pub(crate) temps: Vec<[u8; 4]>,
    /// The expressions that name them, made once.
    temp_exprs: Vec<[ExprId; 4]>,
    /// Extensions in use.
    pub(crate) extensions: Vec<Extension>,
    /// Guarded reads in use: of constant buffers, the immediate constant buffer, arrays, buffers.
    pub(crate) guarded_cb: Vec<Option<NameId>>,
    /// Arrays of constant buffers that are indexed: declaration and function.
    pub(crate) cb_ladders: Vec<(usize, NameId)>,
    /// Arrays of buffers that are indexed: declaration, whether rows are loaded, and function.
    pub(crate) buffer_ladders: Vec<(usize, bool, NameId)>,
    pub(crate) guarded_icb: Option<NameId>,
    pub(crate) guarded_array: Vec<Option<NameId>>,
    pub(crate) array_names: Vec<NameId>,
    pub(crate) cb_names: Vec<NameId>,
    pub(crate) icb_name: Option<NameId>,
    pub(crate) icb_scalar: Scalar,
    pub(crate) sampler_names: Vec<NameId>,
    /// Functions that load from buffers, where used.
    pub(crate) buffer_loads: Vec<Option<NameId>>,
    pub(crate) buffer_rows: Vec<(usize, NameId)>,
    /// Flags declared at the head of the function: for demoted invocations and forwarded continues.
    pub(crate) flags: Vec<NameId>,
    pub(crate) demoted: Option<NameId>,
    /// Subroutine names by label.
    pub(crate) subroutines: Vec<(u32, NameId)>,
    /// Guarded loads of textures in use: sampler uniform, whether of any level, and function.
    pub(crate) fetches: Vec<(usize, bool, NameId)>,
    pub(crate) flow_state: flow::State,
    /// Derivatives of the coordinate that the elements of a texture array share.
    ladder_gradients: Option<(ExprId, ExprId)>,
    pending: Vec<Pending>,
    /// The temporaries that delayed comparisons read (see [`lanes_of`]), and `ARRAYS` for indexable ones.
    pending_reads: Vec<u32>,
    /// The same of the instruction at hand.
    reads: Vec<u32>,
    /// Whether what the instruction reads matters: it may make a delayed comparison.
    track_reads: bool,
    /// Whether the instruction computes with floats rather than moving bits.
    arithmetic: bool,
    compares: bool,
    index: usize,
}

/// Type of the immediate constant buffer: float only where every float reads back from its decimal text.
fn icb_scalar(p: &Program, decls: &Decls<'_>, types: &Types) -> Scalar {
    if types.icb != Scalar::Float {
        return types.icb;
    }
    let words = decls.icb.map_or(&[][..], |at| p.words(&p.instructions[at as usize]));
    let plain = |b: &u32| *b == 0 || (1e-37..=1e38).contains(&f32::from_bits(*b).abs());
    if words.iter().all(plain) { Scalar::Float } else { Scalar::Uint }
}

impl<'a> Lower<'a> {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        p: &'a Program,
        decls: &'a Decls<'a>,
        flow: &'a Flow,
        types: &'a Types,
        options: &'a Options,
        resources: &'a Resources,
        mut tree: Tree,
        interface: Interface,
    ) -> Self {
        let named = |t: &mut Tree, prefix: &str, r: u32| {
            let mut text = String::with_capacity(8);
            text.push_str(prefix);
            text.push_str(itoa::Buffer::new().format(r));
            t.name(&text)
        };
        let array_names = decls.arrays.iter().map(|a| named(&mut tree, "x", a.register)).collect();
        let cb_names = resources.blocks.iter().map(|b| tree.name(&b.name)).collect();
        let sampler_names = resources.samplers.iter().map(|s| tree.name(&s.name)).collect();
        let icb_name = resources.icb_used.then(|| tree.name("icb"));
        Lower {
            p,
            decls,
            flow,
            types,
            ranges: Ranges::new(p, flow),
            options,
            resources,
            tree,
            helpers: HelperSet::default(),
            interface,
            diagnostics: Vec::new(),
            temps: vec![[0; 4]; decls.temps.min(4096) as usize],
            temp_exprs: vec![[ExprId(u32::MAX); 4]; decls.temps.min(4096) as usize],
            extensions: Vec::new(),
            guarded_cb: vec![None; resources.blocks.len()],
            cb_ladders: Vec::new(),
            buffer_ladders: Vec::new(),
            guarded_icb: None,
            guarded_array: vec![None; decls.arrays.len()],
            array_names,
            cb_names,
            icb_name,
            icb_scalar: icb_scalar(p, decls, types),
            sampler_names,
            buffer_loads: vec![None; resources.buffers.len()],
            buffer_rows: Vec::new(),
            flags: Vec::new(),
            demoted: None,
            subroutines: Vec::new(),
            fetches: Vec::new(),
            flow_state: flow::State::default(),
            ladder_gradients: None,
            pending: Vec::new(),
            pending_reads: Vec::new(),
            reads: Vec::new(),
            track_reads: false,
            arithmetic: false,
            compares: false,
            index: 0,
        }
    }

    fn strict(&self) -> bool {
        self.options.fidelity == Fidelity::Strict
    }

    /// A finding at the current instruction.
    #[cold]
    fn malformed(&self, message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(dxbc_codes::OPERAND_MALFORMED, message).at(place(self.p, self.index)))
    }

    /// Lowers every instruction.
    ///
    /// # Errors
    /// `operand-malformed`, for what the decoder lets through and no valid program holds.
    pub(crate) fn program(&mut self) -> Result<(), Box<Diagnostic>> {
        self.mark_undefined();
        self.prepare_flow();
        let p = self.p;
        for (n, i) in p.instructions.iter().enumerate() {
            if i.opcode.is_declaration() {
                continue;
            }
            self.index = n;
            self.tree.instruction = n as u32;
            self.reads.clear();
            self.pending.retain(|p| !p.taken);
            let family = i.opcode.info().family;
            self.track_reads = matches!(family, Family::Compare | Family::Bit | Family::Move);
            self.compares = family == Family::Compare;
            self.arithmetic = !matches!(family, Family::Bit | Family::Move | Family::Memory);
            self.instruction(i)?;
        }
        self.flush();
        self.keep_signs();
        Ok(())
    }

    /// ANGLE forgets the signs of a vector of zeros that it can fold: a helper says those that are not all positive.
    fn keep_signs(&mut self) {
        if !self.tree.signed_zeros || !self.strict() {
            return;
        }
        for n in 0..self.tree.nodes.len() {
            let Node { ty, expr: Expr::Literal(bits) } = self.tree.nodes[n] else { continue };
            if is_signed_zeros(ty, &bits) {
                let bits = self.tree.literal(Scalar::Uint, ty.width, bits);
                let call = self.help(Helper::Zeros, Scalar::Float, &mut [bits]);
                self.tree.nodes[n].expr = self.tree.expr(call);
            }
        }
    }

    fn instruction(&mut self, i: &Instruction) -> Result<(), Box<Diagnostic>> {
        match i.opcode.info().family {
            Family::Float | Family::Integer | Family::Bit | Family::Compare | Family::Convert => {
                self.arith(i)
            }
            Family::Derivative | Family::Interpolation => self.arith(i),
            Family::Move => self.moves(i),
            Family::Flow => self.control(i),
            Family::Texture => self.texture(i),
            Family::Memory => self.memory(i),
            // A breakpoint does nothing where no debugger is; everything else was refused before.
            _ => Ok(()),
        }
    }

    /// Marks which variables must start as 0 because they may be read first.
    fn mark_undefined(&mut self) {
        let flow = self.flow;
        for (w, info) in flow.webs.iter().enumerate() {
            if info.undefined && info.uses() > 0 {
                let s = self.types.of(w as Web);
                if let Some(t) = self.temps.get_mut(info.register() as usize) {
                    t[s as usize] |= 16;
                }
            }
        }
    }

    pub(crate) fn temp(&mut self, register: u32, scalar: Scalar) -> ExprId {
        let new = ExprId(u32::MAX);
        let known = self.temp_exprs.get(register as usize).map_or(new, |t| t[scalar as usize]);
        if known != new {
            return known;
        }
        let e = self.tree.var(Ty::new(scalar, 4), Var::Temp { register, scalar });
        if let Some(t) = self.temp_exprs.get_mut(register as usize) {
            t[scalar as usize] = e;
        }
        e
    }

    /// Notes that lanes of a temporary are in use.
    fn touch(&mut self, register: u32, scalar: Scalar, mask: u8) {
        if let Some(t) = self.temps.get_mut(register as usize) {
            t[scalar as usize] |= mask;
        }
    }

    // ---- reading -------------------------------------------------------------------------------------------

    fn operand(&self, i: &Instruction, k: usize) -> Result<&'a Operand, Box<Diagnostic>> {
        self.p.operands(i).get(k).ok_or_else(|| self.malformed("an operand is missing"))
    }

    /// Whether two operands name one register, by the same indices.
    fn same_register(&self, a: &Operand, b: &Operand) -> bool {
        let index = |n: usize| {
            let (x, y) = (&a.index[n], &b.index[n]);
            x.immediate == y.immediate && self.p.relative(x) == self.p.relative(y)
        };
        a.kind == b.kind
            && a.kind != OperandKind::Immediate32
            && a.dimensions == b.dimensions
            && (0..a.dimensions as usize).all(index)
    }

    /// Source `k` for the lanes of the result in `positions`, as `want`. Where all lanes are one, the value has
    /// one lane.
    fn read_at(
        &mut self,
        i: &Instruction,
        k: usize,
        positions: Lanes,
        want: Scalar,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let o = self.operand(i, k)?;
        let place = self.p.operand_index(i) + k;
        self.read_operand(o, Some(place), positions, want)
    }

    /// Lanes of the result for which source `k` is read.
    fn positions(&self, i: &Instruction, k: usize) -> Lanes {
        Lanes::of_mask(self.flow.positions.get(self.p.operand_index(i) + k).copied().unwrap_or(0))
    }

    /// Source `k` for the lanes that the instruction works on.
    fn read(&mut self, i: &Instruction, k: usize, want: Scalar) -> Result<ExprId, Box<Diagnostic>> {
        let positions = self.positions(i, k);
        self.read_at(i, k, positions, want)
    }

    /// Source `k` in full width.
    fn read_wide(&mut self, i: &Instruction, k: usize, want: Scalar) -> Result<ExprId, Box<Diagnostic>> {
        let positions = self.positions(i, k);
        let e = self.read_at(i, k, positions, want)?;
        Ok(self.tree.widen(e, positions.count))
    }

    fn read_operand(
        &mut self,
        o: &'a Operand,
        place: Option<usize>,
        positions: Lanes,
        want: Scalar,
    ) -> Result<ExprId, Box<Diagnostic>> {
        if o.kind == OperandKind::Immediate32 {
            let literal = self.p.immediate(o);
            let mut bits = positions.lane.map(|l| literal[l as usize & 3]);
            let width = if bits == [bits[0]; 4] { 1 } else { positions.count };
            if want == Scalar::Bool {
                bits = bits.map(|b| u32::from(b != 0));
            } else if want == Scalar::Float && self.arithmetic {
                // Arithmetic takes a denormal as 0; a compiler that folds constants may not.
                // A comparison does not tell the zeros apart.
                let sign = if self.compares { 0 } else { 0x8000_0000 };
                bits = bits.map(|b| if b & 0x7f80_0000 == 0 { b & sign } else { b });
            }
            let e = self.tree.literal(want, width, bits);
            return Ok(self.modified(o.modifier, e));
        }
        // The lanes of the register.
        let swizzle = o.source_swizzle();
        let mut lanes =
            Lanes { lane: positions.lane.map(|l| swizzle[l as usize & 3]), count: positions.count };
        let uniform = lanes.is_uniform();
        if uniform {
            lanes.count = 1;
        }
        let e = match o.kind {
            OperandKind::Temp => match self.whole_temp(o, place, lanes) {
                Some(e) => self.cast(e, want),
                None => self.parts(o, place, lanes, want)?,
            },
            OperandKind::Input => match self.whole_input(o, lanes) {
                Some(e) => self.cast(e, want),
                None => self.parts(o, place, lanes, want)?,
            },
            // Other files have one variable for all lanes of a register.
            _ => {
                let base = self.base(o)?;
                let last = self.tree.ty(base).width - 1;
                lanes.lane = lanes.lane.map(|l| l.min(last));
                let e = self.tree.swizzle(base, lanes);
                self.cast(e, want)
            }
        };
        Ok(self.modified(o.modifier, e))
    }

    /// Lanes of a temporary or an input that lie in several variables.
    fn parts(
        &mut self,
        o: &'a Operand,
        place: Option<usize>,
        lanes: Lanes,
        want: Scalar,
    ) -> Result<ExprId, Box<Diagnostic>> {
        let mut refs: [Option<LaneRef>; 4] = [None; 4];
        let mut shared: Option<LaneRef> = None;
        for (slot, &lane) in refs.iter_mut().zip(lanes.as_slice()) {
            let r = match (o.kind, shared) {
                (OperandKind::Temp, _) => self.temp_lane(o, place, lane)?,
                (_, Some(s)) => LaneRef { lane: lane.min(s.ty.width - 1), ..s },
                (_, None) => {
                    let r = self.input_lane(o, lane)?;
                    if o.index[0].is_relative() {
                        shared = Some(r);
                    }
                    r
                }
            };
            *slot = Some(r);
        }
        self.assemble(&refs[..lanes.count as usize], want)
    }

    /// Joins lanes: a swizzle where they share a base, else a constructor of runs.
    fn assemble(&mut self, refs: &[Option<LaneRef>], want: Scalar) -> Result<ExprId, Box<Diagnostic>> {
        let same = |t: &Tree, a: &LaneRef, b: &LaneRef| a.ty == b.ty && t.is_same(a.base, b.base);
        let mut parts = [ExprId(0); 4];
        let mut count = 0;
        let mut n = 0;
        while n < refs.len() {
            let Some(first) = refs[n] else { break };
            let mut lanes = Lanes::one(first.lane);
            n += 1;
            while n < refs.len()
                && let Some(r) = refs[n]
                && same(&self.tree, &first, &r)
            {
                lanes.push(r.lane);
                n += 1;
            }
            let mut e = self.tree.swizzle(first.base, lanes);
            if let Some(s) = first.converted {
                e = self.tree.construct(Ty::new(s, lanes.count), &[e]);
            }
            parts[count] = self.cast(e, want);
            count += 1;
        }
        if count == 1 {
            return Ok(parts[0]);
        }
        Ok(self.tree.construct(Ty::new(want, refs.len() as u8), &parts[..count]))
    }

    /// Lanes of a temporary that are all held in one type: the common case, without taking them apart.
    fn whole_temp(&mut self, o: &Operand, place: Option<usize>, lanes: Lanes) -> Option<ExprId> {
        let webs = self.flow.operand_webs.get(place?)?;
        if !self.pending.is_empty() {
            return None;
        }
        let read = lanes.lane.map(|l| webs[l as usize & 3]);
        let types = read.map(|web| self.types.of(web));
        let scalar = types[0];
        if types != [scalar; 4] || read.contains(&NO_WEB) {
            return None;
        }
        let mask = lanes.mask();
        let register = o.register();
        self.touch(register, scalar, mask);
        if self.track_reads {
            self.reads.push(lanes_of(register, mask));
        }
        let base = self.temp(register, scalar);
        Some(self.tree.swizzle(base, lanes))
    }

    fn temp_lane(&mut self, o: &Operand, place: Option<usize>, lane: u8) -> Result<LaneRef, Box<Diagnostic>> {
        let web = place.map_or(NO_WEB, |k| self.flow.operand_webs[k][lane as usize & 3]);
        self.web_lane(web, o.register(), lane)
    }

    fn web_lane(&mut self, web: Web, register: u32, lane: u8) -> Result<LaneRef, Box<Diagnostic>> {
        if web == NO_WEB {
            return Err(self.malformed("a lane is read that the instruction does not use"));
        }
        if let Some(used) = self.pending.iter_mut().find(|p| p.web == web) {
            used.taken = true;
            self.reads.extend_from_slice(&self.pending_reads[used.reads.0..used.reads.1]);
            let ty = self.tree.ty(used.value);
            return Ok(LaneRef { base: used.value, lane: 0, ty, converted: None });
        }
        let scalar = self.types.of(web);
        if self.track_reads {
            self.reads.push(lanes_of(register, 1 << lane));
        }
        self.touch(register, scalar, 1 << lane);
        let base = self.temp(register, scalar);
        Ok(LaneRef { base, lane, ty: Ty::new(scalar, 4), converted: None })
    }

    /// Lanes of an input that all belong to one element.
    fn whole_input(&mut self, o: &Operand, lanes: Lanes) -> Option<ExprId> {
        if o.index[0].is_relative() {
            return None;
        }
        let e = self.decls.inputs.at_all(o.register(), lanes)?;
        let element = &self.decls.inputs.elements[e];
        let base = self.interface.input(&mut self.tree, e);
        let last = self.tree.ty(base).width - 1;
        let of_element = Lanes { lane: lanes.lane.map(|l| element.lane(l).min(last)), ..lanes };
        let value = self.tree.swizzle(base, of_element);
        match self.converted(e) {
            Some(s) => Some(self.tree.construct(Ty::new(s, lanes.count), &[value])),
            None => Some(value),
        }
    }

    /// The register lane's own value of `v#`.
    fn input_lane(&mut self, o: &'a Operand, lane: u8) -> Result<LaneRef, Box<Diagnostic>> {
        if let Some(range) = self.input_range(o) {
            let base = self.ranged_input(o, range)?;
            let ty = self.tree.ty(base);
            return Ok(LaneRef { base, lane, ty, converted: None });
        }
        let Some(e) = self.decls.inputs.at(o.register(), lane) else {
            return Err(self.malformed(format!("v{} is read but not declared", o.register())));
        };
        let at = self.decls.inputs.elements[e].lane(lane);
        let base = self.interface.input(&mut self.tree, e);
        let ty = self.tree.ty(base);
        Ok(LaneRef { base, lane: at.min(ty.width - 1), ty, converted: self.converted(e) })
    }

    /// The register file's entry that `o` names, all lanes.
    fn base(&mut self, o: &'a Operand) -> Result<ExprId, Box<Diagnostic>> {
        match o.kind {
            OperandKind::ConstantBuffer => self.constant_row(o),
            OperandKind::ImmediateConstantBuffer => self.icb_row(o),
            OperandKind::IndexableTemp => self.array_element(o),
            OperandKind::InputCoverageMask => {
                let name = self.tree.name("gl_SampleMaskIn[0]");
                let mask = self.tree.named(Ty::new(Scalar::Int, 1), name);
                Ok(self.cast(mask, Scalar::Uint))
            }
            _ => Err(self.malformed(format!("a {:?} register cannot be read here", o.kind))),
        }
    }

    /// The value of an index: constant part and register.
    fn index_value(&mut self, index: &shaderport_dxbc::program::Index) -> Result<ExprId, Box<Diagnostic>> {
        let p = self.p;
        let Some((place, o)) = p.relative_index(index) else {
            return Ok(self.tree.int(index.immediate as i32));
        };
        let lane = o.source_lane(0) as u8;
        let e = match o.kind {
            OperandKind::Temp => {
                let web = self.flow.relative_webs[place];
                let r = self.web_lane(web, o.register(), lane)?;
                let e = self.tree.swizzle(r.base, Lanes::one(r.lane));
                self.cast(e, Scalar::Int)
            }
            _ => self.read_operand(o, None, Lanes::one(0), Scalar::Int)?,
        };
        if index.immediate == 0 {
            return Ok(e);
        }
        let offset = index.immediate as i32;
        if offset < 0 && offset != i32::MIN {
            let n = self.tree.int(-offset);
            return Ok(self.tree.binary(BinaryOp::Sub, e, n));
        }
        let n = self.tree.int(offset);
        Ok(self.tree.binary(BinaryOp::Add, e, n))
    }

    /// `name(i)`, a function that reads 0 outside the array; made known for the prelude.
    fn guard(&mut self, known: Option<NameId>, base: NameId) -> NameId {
        known.unwrap_or_else(|| {
            let text = format!("{}_at", self.tree.name_text(base));
            self.tree.name(&text)
        })
    }

    fn constant_row(&mut self, o: &'a Operand) -> Result<ExprId, Box<Diagnostic>> {
        let Some((n, cb)) = self.decls.cb(o.register()) else {
            return Err(self.malformed(format!("cb{} is read but not declared", o.register())));
        };
        let dims = (o.dimensions as usize).clamp(1, 3);
        let row = &o.index[dims - 1];
        let vec4 = Ty::new(Scalar::Float, 4);
        let which = self.p.bound_register(o);
        if self.p.is_5_1() && dims == 3 && which.is_relative() {
            let (which, i) = (self.index_value(which)?, self.index_value(row)?);
            let name = self.cb_ladder(n, cb.slots.lower);
            return Ok(self.tree.call(vec4, Func::Named(name), &[which, i]));
        }
        let register = crate::resources::block_registers(self.p, &cb.slots, o).0;
        let Some(n) = self.resources.find_block(n, register) else {
            // A buffer without rows holds nothing.
            return Ok(self.tree.zero(vec4));
        };
        let rows = self.resources.blocks[n].rows;
        if !row.is_relative() && row.immediate >= rows {
            // Past the end: D3D reads 0, and GLSL refuses the index.
            return Ok(self.tree.zero(vec4));
        }
        if !row.is_relative() {
            return Ok(self.tree.push(vec4, Expr::Row(self.cb_names[n], row.immediate)));
        }
        let i = self.index_value(row)?;
        let safe = self.options.cb_oob == CbOutOfBounds::Driver || self.ranges.below(row, rows, self.index);
        if safe {
            return Ok(self.cb_data(n, i));
        }
        let name = self.guard(self.guarded_cb[n], self.cb_names[n]);
        self.guarded_cb[n] = Some(name);
        Ok(self.tree.call(vec4, Func::Named(name), &[i]))
    }

    fn cb_ladder(&mut self, decl: usize, lower: u32) -> NameId {
        if let Some(l) = self.cb_ladders.iter().find(|l| l.0 == decl) {
            return l.1;
        }
        let space = self.decls.cbs[decl].slots.space;
        let text = format!("{}_any", crate::resources::slot_name("cb", lower, space));
        let name = self.tree.name(&text);
        self.cb_ladders.push((decl, name));
        name
    }

    fn cb_data(&mut self, n: usize, index: ExprId) -> ExprId {
        let vec4 = Ty::new(Scalar::Float, 4);
        let base = self.tree.named(vec4, self.cb_names[n]);
        let data = self.tree.push(vec4, Expr::Data(base));
        self.tree.index(vec4, data, index)
    }

    fn icb_row(&mut self, o: &'a Operand) -> Result<ExprId, Box<Diagnostic>> {
        let (Some(name), Some(at)) = (self.icb_name, self.decls.icb) else {
            return Err(self.malformed("icb is read but not declared"));
        };
        let words = self.p.words(&self.p.instructions[at as usize]);
        let row = &o.index[0];
        let ty = Ty::new(self.icb_scalar, 4);
        let rows = words.len() as u32 / 4;
        if !row.is_relative() {
            // A constant by a constant index is a literal.
            let mut bits = [0; 4];
            for (l, b) in bits.iter_mut().enumerate() {
                *b = words.get(row.immediate as usize * 4 + l).copied().unwrap_or(0);
            }
            return Ok(self.tree.literal(ty.scalar, 4, bits));
        }
        let i = self.index_value(row)?;
        if self.ranges.below(row, rows, self.index) {
            let base = self.tree.named(ty, name);
            return Ok(self.tree.index(ty, base, i));
        }
        let guard = self.guard(self.guarded_icb, name);
        self.guarded_icb = Some(guard);
        Ok(self.tree.call(ty, Func::Named(guard), &[i]))
    }

    fn array_element(&mut self, o: &'a Operand) -> Result<ExprId, Box<Diagnostic>> {
        let Some((n, a)) = self.decls.array(o.register()) else {
            return Err(self.malformed(format!("x{} is read but not declared", o.register())));
        };
        let ty = Ty::new(self.types.of_array(n), a.width);
        let row = &o.index[1];
        self.reads.push(ARRAYS);
        if !row.is_relative() && row.immediate >= a.count {
            return Ok(self.tree.zero(ty));
        }
        let i = self.index_value(row)?;
        if !row.is_relative() || self.ranges.below(row, a.count, self.index) {
            let base = self.tree.named(ty, self.array_names[n]);
            return Ok(self.tree.index(ty, base, i));
        }
        let name = self.guard(self.guarded_array[n], self.array_names[n]);
        self.guarded_array[n] = Some(name);
        Ok(self.tree.call(ty, Func::Named(name), &[i]))
    }

    #[inline]
    fn modified(&mut self, m: Modifier, e: ExprId) -> ExprId {
        if m == Modifier::None { e } else { self.sign_changed(m, e) }
    }

    fn sign_changed(&mut self, m: Modifier, e: ExprId) -> ExprId {
        let ty = self.tree.ty(e);
        if ty.scalar == Scalar::Bool {
            return e;
        }
        let mut e = e;
        if matches!(m, Modifier::Abs | Modifier::AbsNeg) {
            if let Expr::Literal(bits) = self.tree.expr(e) {
                e = self.tree.literal(ty.scalar, ty.width, bits.map(|b| b & 0x7fff_ffff));
            } else if ty.scalar == Scalar::Float {
                e = self.tree.builtin(ty, "abs", &[e]);
            } else {
                // A magnitude only exists for floats: the sign bit goes.
                let mask = self.tree.literal(ty.scalar, 1, [0x7fff_ffff; 4]);
                e = self.tree.binary(BinaryOp::BitAnd, e, mask);
            }
        }
        if matches!(m, Modifier::Neg | Modifier::AbsNeg) {
            e = self.tree.unary(UnaryOp::Neg, e);
        }
        e
    }

    /// The same bits as another type; a mask becomes all ones or 0.
    #[inline]
    pub(crate) fn cast(&mut self, e: ExprId, to: Scalar) -> ExprId {
        if self.tree.ty(e).scalar == to { e } else { self.cast_to(e, to) }
    }

    fn cast_to(&mut self, e: ExprId, to: Scalar) -> ExprId {
        let Node { ty, expr } = self.tree.nodes[e.0 as usize];
        let out = Ty::new(to, ty.width);
        if let Expr::Literal(bits) = expr {
            let bits = match (ty.scalar, to) {
                (Scalar::Bool, _) => bits.map(|b| if b != 0 { u32::MAX } else { 0 }),
                (_, Scalar::Bool) => bits.map(|b| u32::from(b != 0)),
                _ => bits,
            };
            return self.tree.literal(to, ty.width, bits);
        }
        use Scalar::*;
        match (ty.scalar, to) {
            (Float, Int) => self.recast(e, out, "floatBitsToInt", "intBitsToFloat"),
            (Float, Uint) => self.recast(e, out, "floatBitsToUint", "uintBitsToFloat"),
            (Int, Float) => self.recast(e, out, "intBitsToFloat", "floatBitsToInt"),
            (Uint, Float) => self.recast(e, out, "uintBitsToFloat", "floatBitsToUint"),
            (Int, Uint) | (Uint, Int) => {
                if let Expr::Construct(a) = expr
                    && let [inner] = *self.tree.args(a)
                    && self.tree.ty(inner) == out
                {
                    return inner;
                }
                self.tree.construct(out, &[e])
            }
            (Bool, Int) => {
                let ones = self.tree.construct(out, &[e]);
                self.tree.unary(UnaryOp::Neg, ones)
            }
            (Bool, Uint) => {
                if ty.width == 1 {
                    let (a, b) = (self.tree.uint(u32::MAX), self.tree.uint(0));
                    return self.tree.select(e, a, b);
                }
                let ones = self.tree.construct(out, &[e]);
                let all = self.tree.uint(u32::MAX);
                self.tree.binary(BinaryOp::Mul, ones, all)
            }
            (Bool, Float) => {
                let u = self.cast(e, Uint);
                self.cast(u, Float)
            }
            (_, Bool) => {
                let e = if ty.scalar == Float { self.cast(e, Uint) } else { e };
                let zero = self.tree.zero(self.tree.ty(e));
                self.compare(BinaryOp::Ne, e, zero)
            }
            (Float, Float) | (Int, Int) | (Uint, Uint) => e,
        }
    }

    /// A bit cast, unless it undoes one.
    fn recast(&mut self, e: ExprId, out: Ty, name: &'static str, inverse: &'static str) -> ExprId {
        if let Expr::Call(f, a) = self.tree.expr(e)
            && self.tree.func(f) == Func::Builtin(inverse)
            && let [inner] = *self.tree.args(a)
        {
            return inner;
        }
        self.tree.builtin(out, name, &[e])
    }

    /// A comparison: an operator for scalars, a function for vectors.
    fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let width = self.tree.ty(a).width.max(self.tree.ty(b).width);
        if width == 1 {
            return self.tree.test(op, a, b);
        }
        let (a, b) = (self.tree.widen(a, width), self.tree.widen(b, width));
        let name = match op {
            BinaryOp::Eq => "equal",
            BinaryOp::Ne => "notEqual",
            BinaryOp::Lt => "lessThan",
            _ => "greaterThanEqual",
        };
        self.tree.builtin(Ty::new(Scalar::Bool, width), name, &[a, b])
    }

    /// The condition of a flow instruction: source `k` tested as the opcode says.
    fn condition(&mut self, i: &Instruction, k: usize) -> Result<ExprId, Box<Diagnostic>> {
        let e = self.read_at(i, k, Lanes::one(0), Scalar::Bool)?;
        if i.test_nonzero() {
            return Ok(e);
        }
        // `x != 0u` turned round reads better than a `!` before it.
        if let Expr::Binary(BinaryOp::Ne, a, b) = self.tree.expr(e)
            && self.tree.ty(a).scalar != Scalar::Float
        {
            return Ok(self.tree.test(BinaryOp::Eq, a, b));
        }
        Ok(self.tree.unary(UnaryOp::Not, e))
    }

    // ---- calling -------------------------------------------------------------------------------------------

    /// Calls a helper (strict) or what stands in for it (fast). Arguments are made equally wide.
    fn help(&mut self, h: Helper, out: Scalar, args: &mut [ExprId]) -> ExprId {
        let width = args.iter().map(|a| self.tree.ty(*a).width).max().unwrap_or(1);
        for a in args.iter_mut() {
            *a = self.tree.widen(*a, width);
        }
        let ty = Ty::new(out, width);
        if !self.strict() {
            match h.fast() {
                Some("clamp") => {
                    let (zero, one) = (self.tree.float(0.0), self.tree.float(1.0));
                    return self.tree.builtin(ty, "clamp", &[args[0], zero, one]);
                }
                Some("int" | "uint") => return self.tree.construct(ty, args),
                Some(name) => return self.tree.builtin(ty, name, args),
                None => {
                    if let Some(f) = h.fast_helper() {
                        self.helpers.add(f, width);
                        return self.tree.call(ty, Func::Helper(f), args);
                    }
                }
            }
        }
        self.helpers.add(h, width);
        self.tree.call(ty, Func::Helper(h), args)
    }

    fn saturated(&mut self, e: ExprId) -> ExprId {
        self.help(Helper::Saturate, Scalar::Float, &mut [e])
    }

    // ---- writing -------------------------------------------------------------------------------------------

    /// Lanes that destination `k` writes.
    fn dest_lanes(&self, i: &Instruction, k: usize) -> Result<Lanes, Box<Diagnostic>> {
        Ok(Lanes::of_mask(self.operand(i, k)?.mask()))
    }

    /// The type in which a lane of a destination is held.
    fn dest_scalar(&self, i: &Instruction, k: usize, lane: u8) -> Scalar {
        let Some(o) = self.p.operands(i).get(k) else { return Scalar::Float };
        match o.kind {
            OperandKind::Temp => {
                let w = self.flow.operand_webs[self.p.operand_index(i) + k][lane as usize & 3];
                self.types.of(w)
            }
            OperandKind::IndexableTemp => {
                self.decls.array(o.register()).map_or(Scalar::Uint, |(n, _)| self.types.of_array(n))
            }
            OperandKind::Output => match self.decls.outputs.at(o.register(), lane) {
                Some(e) => self.decls.outputs.elements[e].scalar,
                None => Scalar::Float,
            },
            OperandKind::OutputCoverageMask => Scalar::Uint,
            _ => Scalar::Float,
        }
    }

    /// The destination's lanes, in groups of one type; empty groups at the end.
    fn dest_groups(&self, i: &Instruction, k: usize) -> Result<[(Scalar, Lanes); 4], Box<Diagnostic>> {
        let mut groups = [(Scalar::Float, Lanes::new()); 4];
        for &l in self.dest_lanes(i, k)?.as_slice() {
            let s = self.dest_scalar(i, k, l);
            for g in &mut groups {
                if g.1.count == 0 || g.0 == s {
                    g.0 = s;
                    g.1.push(l);
                    break;
                }
            }
        }
        Ok(groups)
    }

    /// Whether the instruction reads what its destinations write.
    fn aliases(&self, i: &Instruction) -> bool {
        // A delayed comparison among its sources may read what it writes.
        if self.pending.iter().any(|p| p.taken) {
            return true;
        }
        let operands = self.p.operands(i);
        let slots = i.opcode.info().slots;
        let hits = |o: &Operand, d: &Operand| {
            o.kind == d.kind && (o.kind == OperandKind::IndexableTemp || o.register() == d.register())
        };
        let dests = operands.iter().zip(slots).filter(|(o, s)| matches!(s, Slot::Dest(_)) && !o.is_null());
        dests.into_iter().any(|(d, _)| {
            operands.iter().zip(slots).any(|(o, s)| {
                let read = !matches!(s, Slot::Dest(_)) && hits(o, d);
                let index = (0..o.dimensions as usize)
                    .any(|n| self.p.relative(&o.index[n.min(2)]).is_some_and(|r| hits(r, d)));
                read || index
            })
        })
    }

    /// Writes `value` (one lane, or one for each lane of the mask) to destination `k`, saturated if asked for.
    fn write(&mut self, i: &Instruction, k: usize, value: ExprId) -> Result<(), Box<Diagnostic>> {
        let lanes = self.dest_lanes(i, k)?;
        if self.operand(i, k)?.is_null() || lanes.count == 0 {
            return Ok(());
        }
        let mut value = value;
        if i.saturate() && self.tree.ty(value).scalar == Scalar::Float {
            value = self.saturated(value);
        }
        self.write_lanes(i, k, lanes, value)
    }

    /// Writes `value` to some lanes of destination `k`.
    fn write_lanes(
        &mut self,
        i: &Instruction,
        k: usize,
        lanes: Lanes,
        value: ExprId,
    ) -> Result<(), Box<Diagnostic>> {
        let o = self.operand(i, k)?;
        match o.kind {
            OperandKind::Null => Ok(()),
            OperandKind::Temp => self.write_temp(i, k, o, lanes, value),
            OperandKind::IndexableTemp => self.write_array(o, lanes, value),
            OperandKind::Output
            | OperandKind::OutputDepth
            | OperandKind::OutputDepthGreaterEqual
            | OperandKind::OutputDepthLessEqual
            | OperandKind::OutputCoverageMask => self.write_output(o, lanes, value),
            _ => Err(self.malformed(format!("a {:?} register cannot be written", o.kind))),
        }
    }

    fn write_temp(
        &mut self,
        i: &Instruction,
        k: usize,
        o: &Operand,
        lanes: Lanes,
        value: ExprId,
    ) -> Result<(), Box<Diagnostic>> {
        let webs = self.flow.operand_webs[self.p.operand_index(i) + k];
        let register = o.register();
        let mask = lanes.mask();
        if !self.pending.is_empty() {
            self.flush_readers(lanes_of(register, mask));
        }
        let types = lanes.lane.map(|l| self.types.of(webs[l as usize & 3]));
        let first = types[0];
        if types == [first; 4] {
            let base = self.temp(register, first);
            let target = self.tree.swizzle(base, lanes);
            let value = self.cast(value, first);
            let value = self.tree.widen(value, lanes.count);
            if first == Scalar::Bool && lanes.count == 1 {
                let web = webs[lanes.lane[0] as usize];
                let info = &self.flow.webs[web as usize];
                if info.defs == 1 && info.uses() == 1 && !info.undefined {
                    if self.pending.is_empty() {
                        self.pending_reads.clear();
                    }
                    let from = self.pending_reads.len();
                    self.pending_reads.append(&mut self.reads);
                    let reads = (from, self.pending_reads.len());
                    self.pending.push(Pending { web, target, value, reads, taken: false });
                    return Ok(());
                }
            }
            self.touch(register, first, mask);
            self.tree.stmt(StmtKind::Assign(target, value));
            return Ok(());
        }
        // Lanes of several types: the value once, then each type's share.
        let value = self.tree.widen(value, lanes.count);
        let value = self.tree.local(value);
        let mut groups: Vec<(Scalar, Lanes, Lanes)> = Vec::with_capacity(2);
        for (n, &l) in lanes.as_slice().iter().enumerate() {
            let s = self.types.of(webs[l as usize]);
            match groups.iter_mut().find(|g| g.0 == s) {
                Some(g) => {
                    g.1.push(l);
                    g.2.push(n as u8);
                }
                None => groups.push((s, Lanes::one(l), Lanes::one(n as u8))),
            }
        }
        for (s, to, from) in groups {
            self.touch(register, s, to.mask());
            let base = self.temp(register, s);
            let target = self.tree.swizzle(base, to);
            let part = self.tree.swizzle(value, from);
            let part = self.cast(part, s);
            self.tree.stmt(StmtKind::Assign(target, part));
        }
        Ok(())
    }

    fn write_array(&mut self, o: &'a Operand, lanes: Lanes, value: ExprId) -> Result<(), Box<Diagnostic>> {
        self.flush_readers(ARRAYS);
        let Some((n, a)) = self.decls.array(o.register()) else {
            return Err(self.malformed(format!("x{} is written but not declared", o.register())));
        };
        let ty = Ty::new(self.types.of_array(n), a.width);
        let mut kept = Lanes::new();
        let mut from = Lanes::new();
        for (at, &l) in lanes.as_slice().iter().enumerate() {
            if l < a.width {
                kept.push(l);
                from.push(at as u8);
            }
        }
        let row = &o.index[1];
        if kept.count == 0 || (!row.is_relative() && row.immediate >= a.count) {
            return Ok(());
        }
        let value = self.cast(value, ty.scalar);
        let value = self.tree.widen(value, lanes.count);
        let value = self.tree.swizzle(value, from);
        let index = self.index_value(row)?;
        let base = self.tree.named(ty, self.array_names[n]);
        let element = self.tree.index(ty, base, index);
        let target = self.tree.swizzle(element, kept);
        if row.is_relative() && !self.ranges.below(row, a.count, self.index) {
            // D3D ignores a write outside the array.
            let u = self.cast(index, Scalar::Uint);
            let count = self.tree.uint(a.count);
            let inside = self.tree.test(BinaryOp::Lt, u, count);
            self.tree.stmt(StmtKind::If(inside));
            self.tree.stmt(StmtKind::Assign(target, value));
            self.tree.stmt(StmtKind::EndIf);
        } else {
            self.tree.stmt(StmtKind::Assign(target, value));
        }
        Ok(())
    }

    /// Two results at once: the second must not see what the first has written.
    fn write_two(&mut self, i: &Instruction, first: ExprId, second: ExprId) -> Result<(), Box<Diagnostic>> {
        let both = !self.operand(i, 0)?.is_null() && !self.operand(i, 1)?.is_null();
        if both && self.aliases(i) {
            let second = self.tree.local(second);
            self.write(i, 0, first)?;
            return self.write(i, 1, second);
        }
        self.write(i, 0, first)?;
        self.write(i, 1, second)
    }

    // ---- delayed comparisons -------------------------------------------------------------------------------

    fn settle(&mut self, p: Pending) {
        if p.taken {
            return;
        }
        if let Expr::Swizzle(base, lanes) = self.tree.expr(p.target)
            && let Expr::Var(Var::Temp { register, scalar }) = self.tree.expr(base)
        {
            self.touch(register, scalar, 1 << lanes.lane[0]);
        }
        self.tree.stmt(StmtKind::Assign(p.target, p.value));
    }

    /// Writes the delayed comparisons that read what is about to change: lanes of a temporary, or `ARRAYS`.
    fn flush_readers(&mut self, changed: u32) {
        let hits = |read: &u32| read >> 4 == changed >> 4 && read & changed & 15 != 0;
        let reads = |l: &Self, p: &Pending| l.pending_reads[p.reads.0..p.reads.1].iter().any(hits);
        while let Some(at) = self.pending.iter().position(|p| reads(self, p)) {
            let p = self.pending.remove(at);
            self.settle(p);
        }
    }

    /// Writes all delayed comparisons.
    fn flush(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        for p in pending.drain(..) {
            self.settle(p);
        }
        self.pending = pending;
    }

    fn use_extension(&mut self, e: Extension) {
        if !self.extensions.contains(&e) {
            self.extensions.push(e);
        }
    }

    fn is_pixel(&self) -> bool {
        self.p.stage == Stage::Pixel
    }

    fn opcode_of(&self, i: &Instruction) -> Opcode {
        i.opcode
    }
}
