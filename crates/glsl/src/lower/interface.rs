//! Inputs and outputs of the stage: what each signature element is called and where its lanes are read and written.

use super::*;
use crate::decls::{Element, IndexRange};
use crate::helpers::Helper;
use crate::names::Namer;
use crate::options::{DepthRange, IntegerAttributes, VaryingNames};
use crate::pair::PackedVarying;
use shaderport_dxbc::SystemValue;

/// How an input element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputKind {
    /// `layout(location) in`; `converted`: an integer held as a float of its value.
    Attribute {
        location: u32,
        converted: bool,
    },
    Varying,
    /// Nothing writes it: zero.
    Missing,
    FragCoord,
    FrontFace,
    VertexId,
    InstanceId,
    SampleIndex,
    /// Layer and viewport index are always 0 in WebGL2.
    Zero,
    /// Lanes of `gl_ClipDistance` (or `gl_CullDistance`) from this one on.
    Distance {
        first: u32,
        cull: bool,
    },
}

/// A variable that several varyings share, and the lanes of one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector {
    pub(crate) name: NameId,
    pub(crate) ty: Ty,
    pub(crate) lanes: Lanes,
    /// Whether this is the first varying of it.
    pub(crate) leads: bool,
}

impl Vector {
    pub(crate) fn lanes_text(&self) -> &'static str {
        crate::manifest::mask_text(self.lanes.mask())
    }

    /// What `packed` makes of an element, with the text that stands for it.
    fn of(packed: &[PackedVarying], e: &Element<'_>, tree: &mut Tree) -> Option<(Vector, NameId)> {
        let p = packed.iter().find(|p| p.register == e.register && p.mask == e.mask)?;
        let text = format!("vs_p{}", p.vector);
        let lanes = Lanes::of_mask(((1 << e.width()) - 1) << p.first);
        let (name, ty) = (tree.name(&text), Ty::new(e.scalar, p.width));
        let vector = Vector { name, ty, lanes, leads: p.first == 0 };
        let part = tree.name(&format!("{text}.{}", vector.lanes_text()));
        Some((vector, part))
    }

    fn expr(&self, tree: &mut Tree) -> ExprId {
        let whole = tree.named(self.ty, self.name);
        tree.swizzle(whole, self.lanes)
    }
}

/// An input element in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputPlace {
    pub(crate) kind: InputKind,
    pub(crate) name: NameId,
    /// Type of the variable.
    pub(crate) declared: Ty,
    /// The variable that it shares.
    pub(crate) vector: Option<Vector>,
}

/// How an output element is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputKind {
    Varying,
    /// The local that becomes `gl_Position`.
    Position,
    /// A render target.
    Target(u32),
    /// A local whose lanes become `gl_ClipDistance[first..]`.
    Distance {
        first: u32,
        cull: bool,
    },
}

/// An output element in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputPlace {
    pub(crate) kind: OutputKind,
    pub(crate) name: NameId,
    pub(crate) declared: Ty,
    /// Lanes of the register that some instruction writes.
    pub(crate) written: u8,
    /// Whether it must start as 0.
    pub(crate) zeroed: bool,
    /// The variable that it shares.
    pub(crate) vector: Option<Vector>,
}

/// A run of registers that is indexed, held in an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangePlace {
    pub(crate) name: NameId,
    pub(crate) scalar: Scalar,
    pub(crate) range: IndexRange,
    pub(crate) guard: Option<NameId>,
}

/// Inputs and outputs of one stage.
#[derive(Debug, Default)]
pub(crate) struct Interface {
    pub(crate) inputs: Vec<InputPlace>,
    pub(crate) outputs: Vec<OutputPlace>,
    pub(crate) ranges: Vec<RangePlace>,
    /// Lanes of `SV_Depth` and coverage: written on every path?
    pub(crate) depth_zeroed: bool,
    pub(crate) coverage_zeroed: bool,
    /// `gl_ClipDistance` and `gl_CullDistance` lanes.
    pub(crate) distances: [u32; 2],
}

/// The local for distances from `first` on.
fn distance_name(first: u32, cull: bool) -> String {
    format!("{}Distance{first}", if cull { "cull" } else { "clip" })
}

/// Which lanes of each output element are written, and which on every path to every return.
fn written(p: &Program, decls: &Decls<'_>, flow: &Flow) -> (Vec<(u8, u8)>, [u8; 2]) {
    let mut lanes = vec![(0u8, 0u8); decls.outputs.elements.len()];
    let mut special = [0u8; 2];
    let mut straight = !flow.has_calls;
    for (n, i) in p.instructions.iter().enumerate() {
        if i.opcode.is_declaration() {
            continue;
        }
        straight &= !matches!(i.opcode, Opcode::Ret | Opcode::Retc);
        let outputs = [
            OperandKind::Output,
            OperandKind::OutputDepth,
            OperandKind::OutputDepthGreaterEqual,
            OperandKind::OutputDepthLessEqual,
            OperandKind::OutputCoverageMask,
        ];
        if !i.names_any(&outputs) {
            continue;
        }
        let always = straight && flow.depth[n] == 0 && n < flow.main_end;
        for (o, s) in p.operands(i).iter().zip(i.opcode.info().slots) {
            if !matches!(s, Slot::Dest(_)) {
                continue;
            }
            match o.kind {
                OperandKind::Output => {
                    let relative = o.index[0].is_relative();
                    let last = match (relative, decls.range(true, o.register())) {
                        (true, Some(r)) => decls.ranges[r].register + decls.ranges[r].count - 1,
                        _ => o.register(),
                    };
                    for register in o.register()..=last {
                        for &l in Lanes::of_mask(o.mask()).as_slice() {
                            if let Some(e) = decls.outputs.at(register, l) {
                                lanes[e].0 |= 1 << l;
                                if always && !relative {
                                    lanes[e].1 |= 1 << l;
                                }
                            }
                        }
                    }
                }
                OperandKind::OutputDepth
                | OperandKind::OutputDepthGreaterEqual
                | OperandKind::OutputDepthLessEqual => special[0] |= u8::from(always),
                OperandKind::OutputCoverageMask => special[1] |= u8::from(always),
                _ => {}
            }
        }
    }
    (lanes, special)
}

impl Interface {
    /// `missing`: for each input element, whether no stage before writes it.
    pub(crate) fn build(
        p: &Program,
        decls: &Decls<'_>,
        flow: &Flow,
        options: &Options,
        tree: &mut Tree,
        missing: &[bool],
        packed: &[PackedVarying],
    ) -> Interface {
        let mut s = Interface::default();
        let pixel = p.stage == Stage::Pixel;
        s.name_inputs(decls, options, tree, missing, pixel);
        s.name_outputs(p, decls, flow, options, tree, pixel);
        s.pack(decls, tree, pixel, packed);
        for (n, r) in decls.ranges.iter().enumerate() {
            let (side, word) = if r.output { (&decls.outputs, "outputs") } else { (&decls.inputs, "inputs") };
            let float = side.elements.iter().all(|e| {
                e.register < r.register || e.register - r.register >= r.count || e.scalar == Scalar::Float
            });
            let text = format!("{word}{n}");
            s.ranges.push(RangePlace {
                name: tree.name(&text),
                scalar: if float { Scalar::Float } else { Scalar::Uint },
                range: *r,
                guard: None,
            });
        }
        s
    }

    /// Gives varyings their lanes of shared variables.
    fn pack(&mut self, decls: &Decls<'_>, tree: &mut Tree, pixel: bool, packed: &[PackedVarying]) {
        if pixel {
            for (place, e) in self.inputs.iter_mut().zip(&decls.inputs.elements) {
                if place.kind == InputKind::Varying
                    && let Some((vector, part)) = Vector::of(packed, e, tree)
                {
                    (place.vector, place.name) = (Some(vector), part);
                }
            }
            return;
        }
        for (place, e) in self.outputs.iter_mut().zip(&decls.outputs.elements) {
            if place.kind == OutputKind::Varying
                && let Some((vector, part)) = Vector::of(packed, e, tree)
            {
                (place.vector, place.name) = (Some(vector), part);
            }
        }
    }

    fn name_inputs(
        &mut self,
        decls: &Decls<'_>,
        options: &Options,
        tree: &mut Tree,
        missing: &[bool],
        pixel: bool,
    ) {
        let mut namer = Namer::default();
        let mut text = String::with_capacity(32);
        let elements = &decls.inputs.elements;
        self.inputs = vec![
            InputPlace {
                kind: InputKind::Varying,
                name: NameId(0),
                declared: Ty::new(Scalar::Float, 4),
                vector: None,
            };
            elements.len()
        ];
        let mut location = 0;
        let mut distances = [0u32; 2];
        for e in decls.inputs.in_register_order() {
            let el = &elements[e];
            let kind = match el.system {
                SystemValue::Position if pixel => InputKind::FragCoord,
                SystemValue::IsFrontFace => InputKind::FrontFace,
                SystemValue::VertexId => InputKind::VertexId,
                SystemValue::InstanceId if !pixel => InputKind::InstanceId,
                SystemValue::SampleIndex => InputKind::SampleIndex,
                SystemValue::RenderTargetArrayIndex | SystemValue::ViewportArrayIndex => InputKind::Zero,
                SystemValue::ClipDistance | SystemValue::CullDistance if pixel => {
                    let cull = el.system == SystemValue::CullDistance;
                    let first = distances[usize::from(cull)];
                    distances[usize::from(cull)] += u32::from(el.width());
                    InputKind::Distance { first, cull }
                }
                _ if pixel && missing.get(e).copied().unwrap_or(false) => InputKind::Missing,
                _ if pixel => InputKind::Varying,
                _ => {
                    let converted =
                        el.scalar != Scalar::Float && options.integer_attributes == IntegerAttributes::Float;
                    location += 1;
                    InputKind::Attribute { location: location - 1, converted }
                }
            };
            text.clear();
            let numbered = match kind {
                InputKind::Distance { first, cull } => Some(distance_name(first, cull)),
                _ => None,
            };
            let (prefix, fixed) = match kind {
                InputKind::FragCoord => ("", "fragCoord"),
                InputKind::FrontFace => ("", "gl_FrontFacing"),
                InputKind::VertexId => ("", "gl_VertexID"),
                InputKind::InstanceId => ("", "gl_InstanceID"),
                InputKind::SampleIndex => ("", "gl_SampleID"),
                InputKind::Distance { .. } => ("", numbered.as_deref().unwrap_or("")),
                InputKind::Attribute { .. } => ("in_", ""),
                _ => ("vs_", ""),
            };
            if matches!(kind, InputKind::Varying | InputKind::Missing)
                && options.abi.varyings == VaryingNames::Register
            {
                text.push_str(&format!("vs_r{}", el.register));
            } else if fixed.is_empty() {
                let is_bitangent = matches!(kind, InputKind::Attribute { .. })
                    && el.semantic.eq_ignore_ascii_case("BINORMAL")
                    && options.abi.bitangent_inputs.contains(&el.register);
                let semantic = if is_bitangent { "BITANGENT" } else { el.semantic };
                namer.element(&mut text, prefix, &Element { semantic, ..*el });
            } else {
                text.push_str(fixed);
            }
            let width = el.width();
            let declared = match kind {
                InputKind::FragCoord => Ty::new(Scalar::Float, 4),
                InputKind::FrontFace => Ty::new(Scalar::Bool, 1),
                InputKind::VertexId | InputKind::InstanceId | InputKind::SampleIndex => {
                    Ty::new(Scalar::Int, 1)
                }
                InputKind::Zero => Ty::new(Scalar::Uint, 1),
                InputKind::Distance { .. } => Ty::new(Scalar::Float, width),
                InputKind::Attribute { converted: true, .. } => Ty::new(Scalar::Float, width),
                _ => Ty::new(el.scalar, width),
            };
            self.inputs[e] = InputPlace { kind, name: tree.name(&text), declared, vector: None };
        }
        if pixel {
            self.distances = distances;
        }
    }

    fn name_outputs(
        &mut self,
        p: &Program,
        decls: &Decls<'_>,
        flow: &Flow,
        options: &Options,
        tree: &mut Tree,
        pixel: bool,
    ) {
        let (lanes, special) = written(p, decls, flow);
        self.depth_zeroed = special[0] == 0;
        self.coverage_zeroed = special[1] == 0;
        let mut namer = Namer::default();
        let mut text = String::with_capacity(32);
        let elements = &decls.outputs.elements;
        let float4 = Ty::new(Scalar::Float, 4);
        self.outputs = vec![
            OutputPlace {
                kind: OutputKind::Varying,
                name: NameId(0),
                declared: float4,
                written: 0,
                zeroed: false,
                vector: None,
            };
            elements.len()
        ];
        let mut distances = [0u32; 2];
        for e in decls.outputs.in_register_order() {
            let el = &elements[e];
            let kind = if pixel {
                OutputKind::Target(el.register)
            } else {
                match el.system {
                    SystemValue::Position => OutputKind::Position,
                    SystemValue::ClipDistance | SystemValue::CullDistance => {
                        let cull = el.system == SystemValue::CullDistance;
                        let first = distances[usize::from(cull)];
                        distances[usize::from(cull)] += u32::from(el.width());
                        OutputKind::Distance { first, cull }
                    }
                    _ => OutputKind::Varying,
                }
            };
            text.clear();
            let declared = match kind {
                OutputKind::Target(n) => {
                    text.push_str("SV_Target");
                    text.push_str(itoa::Buffer::new().format(n));
                    Ty::new(el.scalar, 4)
                }
                OutputKind::Position => {
                    text.push_str("position");
                    float4
                }
                OutputKind::Distance { first, cull } => {
                    text.push_str(&distance_name(first, cull));
                    Ty::new(Scalar::Float, el.width())
                }
                _ => {
                    match options.abi.varyings {
                        VaryingNames::Semantic => namer.element(&mut text, "vs_", el),
                        VaryingNames::Register => text.push_str(&format!("vs_r{}", el.register)),
                    }
                    Ty::new(el.scalar, el.width())
                }
            };
            let full =
                if matches!(kind, OutputKind::Target(_) | OutputKind::Position) { 15 } else { el.mask };
            self.outputs[e] = OutputPlace {
                kind,
                name: tree.name(&text),
                declared,
                written: lanes[e].0,
                zeroed: lanes[e].1 & full != full,
                vector: None,
            };
        }
        if !pixel {
            self.distances = distances;
        }
    }

    /// The value of input element `e`, all lanes.
    pub(super) fn input(&self, tree: &mut Tree, e: usize) -> ExprId {
        let place = self.inputs[e];
        match (place.kind, place.vector) {
            (InputKind::Zero, _) => tree.uint(0),
            (_, Some(vector)) => vector.expr(tree),
            _ => tree.named(place.declared, place.name),
        }
    }

    /// Whether input element `e` is a bool in the text.
    pub(super) fn is_bool(&self, e: usize) -> bool {
        self.inputs.get(e).is_some_and(|p| p.declared.scalar == Scalar::Bool)
    }
}

impl<'a> Lower<'a> {
    /// The type that an attribute's lanes are converted to: it may hold integers' values as floats.
    pub(super) fn converted(&self, e: usize) -> Option<Scalar> {
        match self.interface.inputs[e].kind {
            InputKind::Attribute { converted: true, .. } => Some(self.decls.inputs.elements[e].scalar),
            _ => None,
        }
    }

    pub(super) fn input_range(&self, o: &Operand) -> Option<usize> {
        if !o.index[0].is_relative() {
            return None;
        }
        self.decls.range(false, o.register()).or_else(|| self.decls.ranges.iter().position(|r| !r.output))
    }

    /// An entry of an indexed run of inputs.
    pub(super) fn ranged_input(&mut self, o: &'a Operand, range: usize) -> Result<ExprId, Box<Diagnostic>> {
        let place = self.interface.ranges[range];
        let ty = Ty::new(place.scalar, 4);
        let i = self.index_in_range(o, &place)?;
        let mut index = o.index[0];
        index.immediate = index.immediate.wrapping_sub(place.range.register);
        if self.ranges.below(&index, place.range.count, self.index) {
            let base = self.tree.named(ty, place.name);
            return Ok(self.tree.index(ty, base, i));
        }
        let name = self.guard(place.guard, place.name);
        self.interface.ranges[range].guard = Some(name);
        Ok(self.tree.call(ty, Func::Named(name), &[i]))
    }

    /// The index counted from the first register of the run.
    fn index_in_range(&mut self, o: &'a Operand, place: &RangePlace) -> Result<ExprId, Box<Diagnostic>> {
        let mut index = o.index[0];
        index.immediate = index.immediate.wrapping_sub(place.range.register);
        self.index_value(&index)
    }

    pub(super) fn write_output(
        &mut self,
        o: &'a Operand,
        lanes: Lanes,
        value: ExprId,
    ) -> Result<(), Box<Diagnostic>> {
        let float = Ty::new(Scalar::Float, 1);
        match o.kind {
            OperandKind::OutputCoverageMask => {
                let name = self.tree.name("gl_SampleMask[0]");
                let target = self.tree.named(Ty::new(Scalar::Int, 1), name);
                let value = self.cast(value, Scalar::Int);
                let value = self.tree.swizzle(value, Lanes::one(0));
                self.tree.stmt(StmtKind::Assign(target, value));
                return Ok(());
            }
            OperandKind::Output => {}
            _ => {
                let name = self.tree.name("gl_FragDepth");
                let target = self.tree.named(float, name);
                let value = self.cast(value, Scalar::Float);
                let mut value = self.tree.swizzle(value, Lanes::one(0));
                if self.options.depth_range == DepthRange::Reversed {
                    let one = self.tree.float(1.0);
                    value = self.tree.binary(BinaryOp::Sub, one, value);
                }
                // Conservative depth stays on its side of the rasterizer's, as Direct3D clamps it.
                let reversed = self.options.depth_range == DepthRange::Reversed;
                let bound = match (o.kind, reversed) {
                    (OperandKind::OutputDepthLessEqual, false)
                    | (OperandKind::OutputDepthGreaterEqual, true) => Some(Helper::MinNum),
                    (OperandKind::OutputDepthLessEqual | OperandKind::OutputDepthGreaterEqual, _) => {
                        Some(Helper::MaxNum)
                    }
                    _ => None,
                };
                if let Some(helper) = bound {
                    let name = self.tree.name("gl_FragCoord.z");
                    let rasterized = self.tree.named(float, name);
                    value = self.help(helper, Scalar::Float, &mut [value, rasterized]);
                }
                self.tree.stmt(StmtKind::Assign(target, value));
                return Ok(());
            }
        }
        let value = self.tree.widen(value, lanes.count);
        if let Some(range) = self.decls.range(true, o.register()) {
            return self.write_ranged(o, range, lanes, value);
        }
        // A register may hold several elements.
        let mut parts: Vec<(usize, Lanes, Lanes)> = Vec::with_capacity(1);
        for (n, &l) in lanes.as_slice().iter().enumerate() {
            let Some(e) = self.decls.outputs.at(o.register(), l) else {
                // A lane that no element names leads nowhere.
                continue;
            };
            let place = self.interface.outputs[e];
            let whole = matches!(place.kind, OutputKind::Target(_) | OutputKind::Position);
            let to = if whole { l } else { self.decls.outputs.elements[e].lane(l) };
            match parts.iter_mut().find(|p| p.0 == e) {
                Some(p) => {
                    p.1.push(to);
                    p.2.push(n as u8);
                }
                None => parts.push((e, Lanes::one(to), Lanes::one(n as u8))),
            }
        }
        let value = if parts.len() > 1 { self.tree.local(value) } else { value };
        for (e, to, from) in parts {
            let place = self.interface.outputs[e];
            let base = match place.vector {
                Some(vector) => vector.expr(&mut self.tree),
                None => self.tree.named(place.declared, place.name),
            };
            let target = self.tree.swizzle(base, to);
            let part = self.tree.swizzle(value, from);
            let part = self.cast(part, place.declared.scalar);
            self.tree.stmt(StmtKind::Assign(target, part));
        }
        Ok(())
    }

    fn write_ranged(
        &mut self,
        o: &'a Operand,
        range: usize,
        lanes: Lanes,
        value: ExprId,
    ) -> Result<(), Box<Diagnostic>> {
        let place = self.interface.ranges[range];
        let ty = Ty::new(place.scalar, 4);
        let value = self.cast(value, place.scalar);
        let i = self.index_in_range(o, &place)?;
        let base = self.tree.named(ty, place.name);
        let element = self.tree.index(ty, base, i);
        let target = self.tree.swizzle(element, lanes);
        let mut index = o.index[0];
        index.immediate = index.immediate.wrapping_sub(place.range.register);
        if !self.ranges.below(&index, place.range.count, self.index) {
            let u = self.cast(i, Scalar::Uint);
            let count = self.tree.uint(place.range.count);
            let inside = self.tree.test(BinaryOp::Lt, u, count);
            self.tree.stmt(StmtKind::If(inside));
            self.tree.stmt(StmtKind::Assign(target, value));
            self.tree.stmt(StmtKind::EndIf);
        } else {
            self.tree.stmt(StmtKind::Assign(target, value));
        }
        Ok(())
    }
}
