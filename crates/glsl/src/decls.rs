//! What a program declares, joined with its signatures: registers, resources, inputs and outputs.

use crate::tree::{Lanes, Scalar};
use rustc_hash::FxHashMap;
use shaderport_dxbc::program::{Interpolation, OperandKind, ResourceDimension, ReturnType, SlotRange};
use shaderport_dxbc::signature::ComponentType;
use shaderport_dxbc::{CUSTOM_DATA_ICB, Instruction, Opcode, Program, Signature, Stage, SystemValue};

/// `x#`: an array of temporaries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayDecl {
    pub(crate) register: u32,
    pub(crate) count: u32,
    pub(crate) width: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CbDecl {
    pub(crate) slots: SlotRange,
    /// Rows of 16 bytes; 0 where the declaration does not say.
    pub(crate) rows: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureDecl {
    pub(crate) slots: SlotRange,
    pub(crate) dimension: ResourceDimension,
    pub(crate) returns: [ReturnType; 4],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SamplerDecl {
    pub(crate) slots: SlotRange,
}

/// How a buffer is addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BufferKind {
    Typed([ReturnType; 4]),
    Raw,
    /// Bytes of an element.
    Structured(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BufferDecl {
    pub(crate) slots: SlotRange,
    pub(crate) kind: BufferKind,
}

/// One signature element that the program declares, or (vertex outputs) the whole signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) semantic: &'a str,
    pub(crate) semantic_index: u32,
    pub(crate) register: u32,
    /// Lanes of the register that belong to it.
    pub(crate) mask: u8,
    /// Lanes that the program declares.
    pub(crate) declared: u8,
    pub(crate) scalar: Scalar,
    pub(crate) system: SystemValue,
    pub(crate) interpolation: Interpolation,
    /// Whether the element was in the signature.
    pub(crate) in_signature: bool,
}

impl Element<'_> {
    pub(crate) fn width(&self) -> u8 {
        self.mask.count_ones() as u8
    }
    /// The element's lane for a lane of the register.
    pub(crate) fn lane(&self, register_lane: u8) -> u8 {
        (self.mask & ((1 << register_lane) - 1)).count_ones() as u8
    }
}

/// Values by number, which is a register's or a range's: nearly always small.
#[derive(Debug)]
struct Numbered<T> {
    low: Vec<Option<T>>,
    high: FxHashMap<u32, T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { low: Vec::new(), high: FxHashMap::default() }
    }
}

impl<T: Copy> Numbered<T> {
    /// Numbers from here on are looked up by hash.
    const HIGH: u32 = 128;

    #[inline]
    fn get(&self, n: u32) -> Option<T> {
        match self.low.get(n as usize) {
            Some(v) => *v,
            None if n < Self::HIGH => None,
            None => self.high.get(&n).copied(),
        }
    }

    /// The value of `n`, which is `new` unless it has one.
    fn get_or_insert(&mut self, n: u32, new: T) -> &mut T {
        if n >= Self::HIGH {
            return self.high.entry(n).or_insert(new);
        }
        let n = n as usize;
        if self.low.len() <= n {
            self.low.reserve(16);
            self.low.resize(n + 1, None);
        }
        self.low[n].get_or_insert(new)
    }
}

/// Elements of one side, and which holds a lane of a register.
#[derive(Debug, Default)]
pub(crate) struct Side<'a> {
    pub(crate) elements: Vec<Element<'a>>,
    lanes: Numbered<[u16; 4]>,
    order: Vec<u16>,
}

const NO_ELEMENT: u16 = u16::MAX;

impl<'a> Side<'a> {
    pub(crate) fn at(&self, register: u32, lane: u8) -> Option<usize> {
        let e = self.lanes.get(register)?[lane as usize & 3];
        (e != NO_ELEMENT).then_some(e as usize)
    }

    /// The element that holds all of these lanes of a register.
    pub(crate) fn at_all(&self, register: u32, lanes: Lanes) -> Option<usize> {
        let row = self.lanes.get(register)?;
        let each = lanes.lane.map(|l| row[l as usize & 3]);
        (each[0] != NO_ELEMENT && each == [each[0]; 4]).then_some(each[0] as usize)
    }

    pub(crate) fn push(&mut self, e: Element<'a>) {
        let n = self.elements.len().min(NO_ELEMENT as usize - 1) as u16;
        let slot = self.lanes.get_or_insert(e.register, [NO_ELEMENT; 4]);
        for &l in Lanes::of_mask(e.mask).as_slice() {
            if slot[l as usize] == NO_ELEMENT {
                slot[l as usize] = n;
            }
        }
        if (n as usize) == self.elements.len() {
            self.elements.push(e);
        }
    }

    /// Elements in the order of their registers, then lanes.
    pub(crate) fn in_register_order(&self) -> impl Iterator<Item = usize> + use<'_, 'a> {
        self.order.iter().map(|&i| i as usize)
    }

    fn sort(&mut self) {
        self.order = (0..self.elements.len() as u16).collect();
        let key = |i: &u16| {
            let e = &self.elements[*i as usize];
            (e.register, e.mask.trailing_zeros())
        };
        self.order.sort_by_key(key);
    }
}

/// A run of input or output registers that is indexed by computed values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexRange {
    pub(crate) output: bool,
    pub(crate) register: u32,
    pub(crate) count: u32,
}

/// Everything declared.
#[derive(Debug, Default)]
pub(crate) struct Decls<'a> {
    pub(crate) temps: u32,
    pub(crate) arrays: Vec<ArrayDecl>,
    pub(crate) cbs: Vec<CbDecl>,
    pub(crate) textures: Vec<TextureDecl>,
    pub(crate) samplers: Vec<SamplerDecl>,
    pub(crate) buffers: Vec<BufferDecl>,
    pub(crate) inputs: Side<'a>,
    pub(crate) outputs: Side<'a>,
    pub(crate) ranges: Vec<IndexRange>,
    /// Which of the special outputs are declared.
    pub(crate) depth: Option<OperandKind>,
    pub(crate) coverage_out: bool,
    pub(crate) coverage_in: bool,
    /// The instruction that holds the immediate constant buffer.
    pub(crate) icb: Option<u32>,
    pub(crate) early_depth_stencil: bool,
    array_ids: Numbered<u32>,
    cb_ids: Numbered<u32>,
    texture_ids: Numbered<u32>,
    sampler_ids: Numbered<u32>,
    buffer_ids: Numbered<u32>,
}

/// Bit of the global flags: depth and stencil tests before the shader.
const FORCE_EARLY_DEPTH_STENCIL: u32 = 1 << 13;

pub(crate) fn scalar_of(t: ComponentType) -> Scalar {
    match t {
        ComponentType::Uint32 | ComponentType::Uint16 => Scalar::Uint,
        ComponentType::Sint32 | ComponentType::Sint16 => Scalar::Int,
        _ => Scalar::Float,
    }
}

/// Scalar type of what a typed resource returns, from its first lane that says.
pub(crate) fn scalar_of_returns(r: &[ReturnType; 4]) -> Scalar {
    for t in r {
        match t {
            ReturnType::Sint => return Scalar::Int,
            ReturnType::Uint => return Scalar::Uint,
            ReturnType::Unorm | ReturnType::Snorm | ReturnType::Float | ReturnType::Mixed => {
                return Scalar::Float;
            }
            _ => {}
        }
    }
    Scalar::Float
}

macro_rules! lookup {
    ($name:ident, $ids:ident, $list:ident, $ty:ty) => {
        pub(crate) fn $name(&self, id: u32) -> Option<(usize, &$ty)> {
            let i = self.$ids.get(id)? as usize;
            Some((i, &self.$list[i]))
        }
    };
}

impl<'a> Decls<'a> {
    lookup!(array, array_ids, arrays, ArrayDecl);
    lookup!(cb, cb_ids, cbs, CbDecl);
    lookup!(texture, texture_ids, textures, TextureDecl);
    lookup!(sampler, sampler_ids, samplers, SamplerDecl);
    lookup!(buffer, buffer_ids, buffers, BufferDecl);

    /// The index range that holds a register.
    pub(crate) fn range(&self, output: bool, register: u32) -> Option<usize> {
        self.ranges
            .iter()
            .position(|r| r.output == output && register >= r.register && register - r.register < r.count)
    }

    pub(crate) fn gather(
        p: &Program,
        input: Option<&Signature<'a>>,
        output: Option<&Signature<'a>>,
    ) -> Decls<'a> {
        let mut d = Decls::default();
        let pixel = p.stage == Stage::Pixel;
        d.inputs.elements.reserve(input.map_or(0, |s| s.elements.len()));
        d.outputs.elements.reserve(output.map_or(0, |s| s.elements.len()));
        // Vertex outputs and render targets come from the signature, written or not.
        for e in output.iter().flat_map(|s| &s.elements) {
            let system = e.resolved_system_value();
            if e.register == u32::MAX || e.mask & 15 == 0 || e.stream != 0 {
                continue;
            }
            d.outputs.push(Element {
                semantic: e.name,
                semantic_index: e.semantic_index,
                register: e.register,
                mask: e.mask & 15,
                declared: 0,
                scalar: scalar_of(e.component_type),
                system,
                interpolation: Interpolation::Undefined,
                in_signature: true,
            });
        }
        for (n, i) in p.instructions.iter().enumerate() {
            if !i.opcode.is_declaration() {
                continue;
            }
            d.declaration(p, n as u32, i, input, pixel);
        }
        d.inputs.sort();
        d.outputs.sort();
        d
    }

    /// Makes one element of four lanes of the varyings of each register. Lanes of different types keep their bits.
    pub(crate) fn join_varyings(&mut self, pixel: bool) {
        let side = if pixel { &mut self.inputs } else { &mut self.outputs };
        let old = std::mem::take(side);
        let mut joined: Vec<Element<'a>> = Vec::new();
        for k in old.in_register_order() {
            let e = old.elements[k];
            if !crate::pair::is_varying(e.system) {
                side.push(e);
                continue;
            }
            let lanes = if pixel { e.declared } else { e.mask };
            match joined.iter_mut().find(|j| j.register == e.register) {
                Some(j) => {
                    j.declared |= lanes;
                    if j.scalar != e.scalar {
                        j.scalar = Scalar::Uint;
                    }
                }
                None => joined.push(Element { mask: 15, declared: lanes, system: SystemValue::None, ..e }),
            }
        }
        joined.into_iter().for_each(|e| side.push(e));
        side.sort();
    }

    /// Other elements for the outputs: a linked program's varyings.
    pub(crate) fn replace_outputs(&mut self, elements: Vec<Element<'a>>) {
        self.outputs = Side::default();
        for e in elements {
            self.outputs.push(e);
        }
        self.outputs.sort();
    }

    /// A constant buffer, sampler or resource.
    fn bound(&mut self, p: &Program, i: &Instruction, slots: SlotRange) {
        let word = p.words(i).first().copied().unwrap_or(0);
        match i.opcode {
            Opcode::DclConstantBuffer => {
                let before = p.operands(i).first().map_or(0, |o| o.index[1].immediate);
                let rows = if p.is_5_1() { word } else { before };
                self.cb_ids.get_or_insert(slots.id, self.cbs.len() as u32);
                self.cbs.push(CbDecl { slots, rows: rows.min(4096) });
            }
            Opcode::DclSampler => {
                self.sampler_ids.get_or_insert(slots.id, self.samplers.len() as u32);
                self.samplers.push(SamplerDecl { slots });
            }
            Opcode::DclResource => {
                let dimension = i.resource_dimension().unwrap_or(ResourceDimension::Unknown);
                let returns = ReturnType::unpack(word);
                if dimension == ResourceDimension::Buffer {
                    self.push_buffer(BufferDecl { slots, kind: BufferKind::Typed(returns) });
                } else {
                    self.texture_ids.get_or_insert(slots.id, self.textures.len() as u32);
                    self.textures.push(TextureDecl { slots, dimension, returns });
                }
            }
            Opcode::DclResourceRaw => self.push_buffer(BufferDecl { slots, kind: BufferKind::Raw }),
            Opcode::DclResourceStructured => {
                self.push_buffer(BufferDecl { slots, kind: BufferKind::Structured(word) });
            }
            // Views for writing are refused.
            _ => {}
        }
    }

    fn declaration(
        &mut self,
        p: &Program,
        n: u32,
        i: &Instruction,
        input: Option<&Signature<'a>>,
        pixel: bool,
    ) {
        let words = p.words(i);
        let word = |k: usize| words.get(k).copied().unwrap_or(0);
        let Some(o) = p.operands(i).first() else {
            match i.opcode {
                Opcode::DclTemps => self.temps = self.temps.max(word(0)),
                Opcode::DclIndexableTemp => {
                    let a = ArrayDecl { register: word(0), count: word(1), width: word(2).clamp(1, 4) as u8 };
                    self.array_ids.get_or_insert(a.register, self.arrays.len() as u32);
                    self.arrays.push(a);
                }
                Opcode::DclGlobalFlags => {
                    self.early_depth_stencil |= i.controls & FORCE_EARLY_DEPTH_STENCIL != 0;
                }
                Opcode::CustomData if i.controls >> 11 == CUSTOM_DATA_ICB => {
                    self.icb.get_or_insert(n);
                }
                _ => {}
            }
            return;
        };
        if let Some(slots) = p.slots(i) {
            self.bound(p, i, slots);
            return;
        }
        match i.opcode {
            Opcode::DclIndexRange => {
                // Geometry and tessellation inputs have a vertex dimension in front; only the last one is a run.
                let last = (o.dimensions.max(1) - 1) as usize;
                let r = IndexRange {
                    output: o.kind == OperandKind::Output,
                    register: o.index[last.min(2)].immediate,
                    count: word(0).min(64),
                };
                if matches!(o.kind, OperandKind::Input | OperandKind::Output) && self.ranges.len() < 64 {
                    self.ranges.push(r);
                }
            }
            Opcode::DclInput
            | Opcode::DclInputSgv
            | Opcode::DclInputSiv
            | Opcode::DclInputPs
            | Opcode::DclInputPsSgv
            | Opcode::DclInputPsSiv => match o.kind {
                OperandKind::Input => self.input(o, i, word(0), input, pixel),
                OperandKind::InputCoverageMask => self.coverage_in = true,
                _ => {}
            },
            Opcode::DclOutput | Opcode::DclOutputSgv | Opcode::DclOutputSiv => match o.kind {
                OperandKind::Output => self.output(o, i, word(0)),
                OperandKind::OutputDepth
                | OperandKind::OutputDepthGreaterEqual
                | OperandKind::OutputDepthLessEqual => self.depth = Some(o.kind),
                OperandKind::OutputCoverageMask => self.coverage_out = true,
                _ => {}
            },
            _ => {}
        }
    }

    fn push_buffer(&mut self, b: BufferDecl) {
        self.buffer_ids.get_or_insert(b.slots.id, self.buffers.len() as u32);
        self.buffers.push(b);
    }

    fn input(
        &mut self,
        o: &shaderport_dxbc::Operand,
        i: &Instruction,
        name: u32,
        signature: Option<&Signature<'a>>,
        pixel: bool,
    ) {
        let register = o.index[(o.dimensions.max(1) - 1) as usize & 3].immediate;
        let with_name = matches!(
            i.opcode,
            Opcode::DclInputSgv | Opcode::DclInputSiv | Opcode::DclInputPsSgv | Opcode::DclInputPsSiv
        );
        let declared_system = if with_name { SystemValue::from_raw(name) } else { SystemValue::None };
        let interpolation = match i.opcode {
            Opcode::DclInputPs | Opcode::DclInputPsSiv => i.interpolation(),
            _ if pixel => Interpolation::Constant,
            _ => Interpolation::Undefined,
        };
        let mask = o.mask() & 15;
        let mut covered = 0u8;
        for e in signature.iter().flat_map(|s| &s.elements) {
            if e.register != register || e.mask & mask == 0 {
                continue;
            }
            covered |= e.mask;
            let lane = (e.mask & 15).trailing_zeros() as u8;
            if let Some(k) = self.inputs.at(register, lane) {
                self.inputs.elements[k].declared |= mask & e.mask;
                continue;
            }
            let system = if with_name { declared_system } else { SystemValue::None };
            let scalar = match system {
                SystemValue::IsFrontFace => Scalar::Bool,
                SystemValue::VertexId | SystemValue::InstanceId | SystemValue::SampleIndex => Scalar::Int,
                _ => scalar_of(e.component_type),
            };
            self.inputs.push(Element {
                semantic: e.name,
                semantic_index: e.semantic_index,
                register,
                mask: e.mask & 15,
                declared: mask & e.mask,
                scalar,
                system,
                interpolation,
                in_signature: true,
            });
        }
        let rest = mask & !covered;
        if rest != 0 && self.inputs.at(register, rest.trailing_zeros() as u8).is_none() {
            self.inputs.push(Element {
                semantic: "REGISTER",
                semantic_index: register,
                register,
                mask: rest,
                declared: rest,
                scalar: Scalar::Float,
                system: declared_system,
                interpolation,
                in_signature: false,
            });
        }
    }

    fn output(&mut self, o: &shaderport_dxbc::Operand, i: &Instruction, name: u32) {
        let register = o.index[(o.dimensions.max(1) - 1) as usize & 3].immediate;
        let mask = o.mask() & 15;
        let system = match i.opcode {
            Opcode::DclOutput => SystemValue::None,
            _ => SystemValue::from_raw(name),
        };
        let mut covered = 0;
        for e in self.outputs.elements.iter_mut().filter(|e| e.register == register && e.mask & mask != 0) {
            e.declared |= mask & e.mask;
            covered |= e.mask;
            if system != SystemValue::None {
                e.system = system;
            }
        }
        let rest = mask & !covered;
        if rest != 0 {
            self.outputs.push(Element {
                semantic: "REGISTER",
                semantic_index: register,
                register,
                mask: rest,
                declared: rest,
                scalar: Scalar::Float,
                system,
                interpolation: Interpolation::Undefined,
                in_signature: false,
            });
        }
    }
}

/// Lanes of a coordinate for sampling a dimension, array layer included.
pub(crate) const fn coordinate_lanes(d: ResourceDimension) -> u8 {
    use ResourceDimension::*;
    match d {
        Texture1D | Buffer | RawBuffer | StructuredBuffer | Unknown => 1,
        Texture2D | Texture1DArray | Texture2DMs => 2,
        Texture3D | TextureCube | Texture2DArray | Texture2DMsArray => 3,
        TextureCubeArray => 4,
    }
}

/// Lanes of a gradient or offset for a dimension, array layer excluded.
pub(crate) const fn gradient_lanes(d: ResourceDimension) -> u8 {
    use ResourceDimension::*;
    match d {
        Texture2D | Texture2DArray | Texture2DMs | Texture2DMsArray => 2,
        Texture3D | TextureCube | TextureCubeArray => 3,
        _ => 1,
    }
}
