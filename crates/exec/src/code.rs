//! The compact form that the executor runs: registers resolved to places, blocks to targets.

use crate::error::{Error, ErrorKind};
use crate::invocation::REGISTERS;
use crate::manner::Manner;
use crate::noise::Noise;
use crate::resource::Slot;
use crate::rules::flow::Flow;
use crate::rules::pixel::Pixel;
use crate::rules::{Rule, rule};
use shaderport_dxbc::program::{
    Components, Index, Instruction, Interpolation, Modifier as SourceModifier, OperandKind,
    ResourceDimension, SlotRange,
};
use shaderport_dxbc::{CUSTOM_DATA_ICB, Opcode, Operand, Program, ScalarType, Slot as OperandSlot, Stage};
use std::collections::BTreeMap;

/// Registers and array elements that a program may declare in all; Direct3D allows 4,096.
const MOST_REGISTERS: usize = 16384;

/// Special outputs, numbered from behind the `o` registers.
pub(crate) const DEPTH: usize = REGISTERS;
pub(crate) const DEPTH_GREATER: usize = REGISTERS + 1;
pub(crate) const DEPTH_LESS: usize = REGISTERS + 2;
pub(crate) const COVERAGE: usize = REGISTERS + 3;
pub(crate) const STENCIL: usize = REGISTERS + 4;
/// Outputs and special outputs.
pub(crate) const OUTPUTS: usize = REGISTERS + 5;

/// Special inputs, numbered from behind the `v` registers.
pub(crate) const COVERAGE_IN: usize = REGISTERS;
pub(crate) const INNER_COVERAGE: usize = REGISTERS + 1;
pub(crate) const PRIMITIVE_ID: usize = REGISTERS + 2;
/// Inputs and special inputs.
pub(crate) const INPUTS: usize = REGISTERS + 3;

/// How a source's bits are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modifier {
    None,
    /// Sign bits are cleared, then flipped.
    Float {
        absolute: bool,
        negate: bool,
    },
    /// The same for pairs of lanes.
    Double {
        absolute: bool,
        negate: bool,
    },
    /// Two's complement.
    IntegerNegate,
}

/// A value that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) place: SourcePlace,
    pub(crate) swizzle: [u8; 4],
    pub(crate) modifier: Modifier,
    /// Place in the instruction's operands.
    pub(crate) operand: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum SourcePlace {
    /// In the lane's registers.
    Register(u32),
    /// In [`Code::literals`].
    Literal(u32),
    /// A row of a buffer of [`Code::constants`].
    Constant { buffer: u32, row: u32 },
    /// In [`Code::computed`].
    Computed(u32),
}

/// A register that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dest {
    pub(crate) place: DestPlace,
    pub(crate) mask: u8,
    /// Place in the instruction's operands.
    pub(crate) operand: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum DestPlace {
    /// The null register.
    None,
    Register(u32),
    /// In [`Code::computed`].
    Computed(u32),
}

/// `immediate + relative`, wrapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegisterIndex {
    pub(crate) immediate: u32,
    /// In [`Code::relative`]; its first lane counts.
    pub(crate) relative: Option<u32>,
}

/// A register whose number is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computed {
    pub(crate) file: File,
    pub(crate) index: RegisterIndex,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum File {
    /// Part of the lane's registers.
    Registers { first: u32, count: u32 },
    /// A constant buffer.
    Constants { space: u32, buffer: RegisterIndex },
    /// The immediate constant buffer.
    Immediate,
    /// Where the members of what is bound to interfaces are.
    This,
}

/// A function that is called by an interface: `fp#[index][site]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterfaceCall {
    /// The sum of both indices is the interface's number (22.7.19).
    pub(crate) pointer: u32,
    pub(crate) index: RegisterIndex,
    /// Place in the function table.
    pub(crate) site: u32,
}

/// Interfaces that one instruction declares.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Function tables that it takes.
    pub(crate) tables: Vec<u32>,
}

/// A texture, buffer, view or sampler register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    /// Whether it is a `u` register.
    pub(crate) view: bool,
    pub(crate) space: u32,
    pub(crate) register: RegisterIndex,
    /// Place in the instruction's operands.
    pub(crate) operand: u8,
}

/// What a resource instruction says beside its values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    /// `None` for the rasterizer.
    pub(crate) resource: Option<Binding>,
    /// Of the values that come back.
    pub(crate) swizzle: [u8; 4],
    /// Lanes of the view that a store writes.
    pub(crate) mask: u8,
    pub(crate) declared: Option<ResourceDimension>,
    pub(crate) sampler: Option<Binding>,
    /// The lane that a gather reads.
    pub(crate) sampler_lane: u8,
    pub(crate) offset: [i32; 3],
    /// Bits 11 and 12 of the opcode token: the form of `resinfo` and `sampleinfo`.
    pub(crate) form: u8,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    /// Index in [`Program::instructions`].
    pub(crate) instruction: u32,
    pub(crate) rule: Rule,
    pub(crate) saturate: bool,
    pub(crate) test_nonzero: bool,
    pub(crate) dests: [Dest; 2],
    pub(crate) dest_count: u8,
    pub(crate) sources: [Source; 5],
    pub(crate) source_count: u8,
    /// In [`Code::accesses`].
    pub(crate) access: u32,
    /// Where flow goes; of a `switch`, its table; of a call by an interface, its place in [`Code::calls`].
    pub(crate) target: u32,
}

impl Op {
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources[..self.source_count as usize]
    }
    pub(crate) fn dests(&self) -> &[Dest] {
        &self.dests[..self.dest_count as usize]
    }
}

/// The cases of a `switch`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SwitchTable {
    pub(crate) cases: Vec<(u32, u32)>,
    /// The default's place, else that of the `endswitch`.
    pub(crate) otherwise: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) literals: Vec<[u32; 4]>,
    pub(crate) computed: Vec<Computed>,
    pub(crate) relative: Vec<Source>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) calls: Vec<InterfaceCall>,
    pub(crate) interfaces: Vec<Interface>,
    /// Where the functions of each function table begin.
    pub(crate) tables: BTreeMap<u32, Vec<u32>>,
    /// Constant buffers that are read by number.
    pub(crate) constants: Vec<Slot>,
    pub(crate) immediate: Vec<[u32; 4]>,
    /// Where the `v` registers begin among a lane's registers.
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// Registers of a lane.
    pub(crate) registers: usize,
    /// Whether arithmetic leaves denormals as they are.
    pub(crate) keep_denormals: bool,
    /// Seed of the choices between denormals and zeros, and between zeros, if these are free.
    pub(crate) free: Option<u64>,
    pub(crate) noise: Option<Noise>,
    pub(crate) manner: Manner,
    pub(crate) declared: Vec<Declared>,
}

/// Resources or views that one instruction declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    pub(crate) kind: OperandKind,
    /// What must stand there.
    pub(crate) dimension: ResourceDimension,
    pub(crate) slots: SlotRange,
}

struct Builder<'a> {
    program: &'a Program,
    code: Code,
    /// `x` arrays: where each begins, and its length.
    arrays: BTreeMap<u32, (u32, u32)>,
    /// By register, or by range in shader model 5.1.
    declared: BTreeMap<(OperandKind, u32), Declared>,
    /// Register space of constant buffers and samplers by range.
    spaces: BTreeMap<(OperandKind, u32), u32>,
    /// Function bodies of each function table, and the instruction that declares it.
    tables: BTreeMap<u32, (usize, &'a [u32])>,
    flat_inputs: u32,
    instruction: usize,
}

impl Code {
    pub(crate) fn build(program: &Program) -> Result<Code, Error> {
        if !matches!(program.stage, Stage::Vertex | Stage::Pixel) {
            return Err(Error::new(ErrorKind::Stage));
        }
        let mut builder = Builder {
            program,
            code: Code {
                ops: Vec::with_capacity(program.instructions.len()),
                literals: Vec::new(),
                computed: Vec::new(),
                relative: Vec::new(),
                accesses: Vec::new(),
                switches: Vec::new(),
                calls: Vec::new(),
                interfaces: Vec::new(),
                tables: BTreeMap::new(),
                constants: Vec::new(),
                immediate: Vec::new(),
                inputs: 0,
                outputs: 0,
                registers: 0,
                keep_denormals: false,
                free: None,
                noise: None,
                manner: Manner::default(),
                declared: Vec::new(),
            },
            arrays: BTreeMap::new(),
            declared: BTreeMap::new(),
            spaces: BTreeMap::new(),
            tables: BTreeMap::new(),
            flat_inputs: 0,
            instruction: 0,
        };
        builder.declarations()?;
        for (n, i) in program.instructions.iter().enumerate() {
            builder.instruction = n;
            if !i.opcode.is_declaration() {
                builder.op(i)?;
            }
        }
        builder.flow()?;
        Ok(builder.code)
    }
}

impl Builder<'_> {
    fn error(&self, kind: ErrorKind) -> Error {
        Error::at(kind, self.program, self.instruction)
    }

    fn register_error(&self, what: impl Into<String>) -> Error {
        self.error(ErrorKind::Register(what.into()))
    }

    fn declarations(&mut self) -> Result<(), Error> {
        let program = self.program;
        let mut temps = 0;
        let mut arrays = Vec::new();
        let temp_operands = program.operands.iter().chain(&program.relative);
        for o in temp_operands.filter(|o| o.kind == OperandKind::Temp) {
            temps = temps.max(o.register() as usize + 1);
        }
        for (n, i) in program.instructions.iter().enumerate() {
            self.instruction = n;
            let words = program.words(i);
            let word = |n: usize| words.get(n).copied().unwrap_or(0);
            let operand = program.operands(i).first();
            let slots = program.slots(i).zip(operand);
            let mut resource = |dimension| {
                let Some((slots, o)) = slots else { return };
                let declared = Declared { kind: o.kind, dimension, slots };
                self.declared.insert((o.kind, slots.id), declared);
                self.code.declared.push(declared);
            };
            match i.opcode {
                Opcode::DclTemps => temps = temps.max(word(0) as usize),
                Opcode::DclIndexableTemp => arrays.push((word(0), word(1))),
                Opcode::DclResource | Opcode::DclUavTyped => {
                    let dimension = i.resource_dimension().unwrap_or(ResourceDimension::Unknown);
                    resource(dimension);
                }
                Opcode::DclResourceRaw | Opcode::DclUavRaw => {
                    resource(ResourceDimension::RawBuffer);
                }
                Opcode::DclResourceStructured | Opcode::DclUavStructured => {
                    resource(ResourceDimension::StructuredBuffer);
                }
                Opcode::DclConstantBuffer | Opcode::DclSampler => {
                    if let Some((slots, o)) = slots {
                        self.spaces.insert((o.kind, slots.id), slots.space);
                    }
                }
                Opcode::DclInputPs if i.interpolation() == Interpolation::Constant => {
                    if let Some(o) = operand {
                        self.flat_inputs |= 1u32.checked_shl(o.register()).unwrap_or(0);
                    }
                }
                Opcode::DclFunctionTable => {
                    let bodies = words.get(2..).unwrap_or_default();
                    self.tables.insert(word(0), (n, &bodies[..bodies.len().min(word(1) as usize)]));
                }
                Opcode::DclInterface => {
                    let tables = words.iter().skip(3).take(word(2) as usize & 0xffff).copied().collect();
                    self.code.interfaces.push(Interface { first: word(0), count: word(2) >> 16, tables });
                }
                Opcode::CustomData if i.controls >> 11 == CUSTOM_DATA_ICB => {
                    let rows = words.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]]);
                    self.code.immediate.extend(rows);
                }
                _ => {}
            }
        }
        let mut count = temps;
        for (id, length) in arrays {
            self.arrays.insert(id, (count as u32, length));
            count = count.saturating_add(length as usize);
            if count > MOST_REGISTERS {
                break;
            }
        }
        if count > MOST_REGISTERS {
            return Err(self.register_error(format!("more than {MOST_REGISTERS} temporary registers")));
        }
        self.code.inputs = count;
        self.code.outputs = count + INPUTS;
        self.code.registers = self.code.outputs + OUTPUTS;
        Ok(())
    }

    fn op(&mut self, i: &Instruction) -> Result<(), Error> {
        let Some(rule) = rule(i.opcode) else { return Err(self.error(ErrorKind::Unsupported)) };
        let none = Dest { place: DestPlace::None, mask: 0, operand: 0 };
        let zero =
            Source { place: SourcePlace::Literal(0), swizzle: [0; 4], modifier: Modifier::None, operand: 0 };
        let mut op = Op {
            instruction: self.instruction as u32,
            rule,
            saturate: i.saturate() && saturates(rule),
            test_nonzero: i.test_nonzero(),
            dests: [none; 2],
            dest_count: 0,
            sources: [zero; 5],
            source_count: 0,
            access: 0,
            target: 0,
        };
        let mut access = None;
        let operands = self.program.operands(i);
        for (n, (operand, slot)) in operands.iter().zip(i.opcode.info().slots).enumerate() {
            match slot {
                OperandSlot::Dest(_) => {
                    let place = self.dest_place(operand)?;
                    op.dests[op.dest_count as usize] = Dest { place, mask: operand.mask(), operand: n as u8 };
                    op.dest_count += 1;
                }
                OperandSlot::Src(_) if i.opcode == Opcode::InterfaceCall => {
                    if operand.kind != OperandKind::Interface {
                        return Err(self.register_error("what is called is no interface"));
                    }
                    op.target = self.code.calls.len() as u32;
                    let index = self.register_index(&operand.index[1])?;
                    let site = self.program.words(i).first().copied().unwrap_or(0);
                    self.code.calls.push(InterfaceCall { pointer: operand.register(), index, site });
                }
                OperandSlot::Src(ty) => {
                    let source = self.source(operand, *ty, n as u8)?;
                    op.sources[op.source_count as usize] = source;
                    op.source_count += 1;
                }
                OperandSlot::Resource | OperandSlot::Uav => {
                    let access = access.get_or_insert(Access::default());
                    access.swizzle = std::array::from_fn(|lane| operand.source_lane(lane) as u8);
                    access.mask = operand.mask();
                    access.form = (i.controls >> 11 & 3) as u8;
                    match (operand.kind, slot) {
                        (OperandKind::Resource, OperandSlot::Resource)
                        | (OperandKind::UnorderedAccessView, _) => {
                            let declared = self.declared.get(&(operand.kind, operand.register())).copied();
                            access.declared = declared.map(|d| d.dimension);
                            let space = declared.map_or(0, |d| d.slots.space);
                            access.resource = Some(self.binding(operand, space, n as u8)?);
                        }
                        (OperandKind::Rasterizer, OperandSlot::Resource) => {}
                        _ => return Err(self.error(ErrorKind::Unsupported)),
                    }
                }
                OperandSlot::Sampler => {
                    let space = self.spaces.get(&(operand.kind, operand.register())).copied();
                    let binding = self.binding(operand, space.unwrap_or(0), n as u8)?;
                    let access = access.get_or_insert(Access::default());
                    access.sampler = Some(binding);
                    access.sampler_lane = match operand.components() {
                        Components::Select(lane) => lane,
                        Components::Swizzle(s) => s[0],
                        _ => 0,
                    };
                }
                OperandSlot::Label => op.target = operand.register(),
                OperandSlot::Declared => return Err(self.error(ErrorKind::Unsupported)),
            }
        }
        if let Some(mut access) = access {
            access.offset = i.extended.offsets.unwrap_or_default().map(i32::from);
            op.access = self.code.accesses.len() as u32;
            self.code.accesses.push(access);
        }
        if let Rule::Pixel(Pixel::Evaluate(_)) = rule
            && let Some(o) = operands.get(1)
            && o.kind == OperandKind::Input
            && self.flat_inputs.checked_shr(o.register()).unwrap_or(0) & 1 != 0
        {
            // Constant interpolation: there is nothing to evaluate (22.4.23).
            op.rule = Rule::Move;
        }
        self.code.ops.push(op);
        Ok(())
    }

    fn binding(&mut self, operand: &Operand, space: u32, number: u8) -> Result<Binding, Error> {
        let register = self.register_index(self.program.bound_register(operand))?;
        let view = operand.kind == OperandKind::UnorderedAccessView;
        Ok(Binding { view, space, register, operand: number })
    }

    fn register_index(&mut self, index: &Index) -> Result<RegisterIndex, Error> {
        let relative = match self.program.relative(index) {
            None => None,
            Some(operand) => {
                let source = self.source(operand, ScalarType::Uint, u8::MAX)?;
                self.code.relative.push(source);
                Some(self.code.relative.len() as u32 - 1)
            }
        };
        Ok(RegisterIndex { immediate: index.immediate, relative })
    }

    /// The part of a lane's registers that an operand indexes, and by which of its indices; `None` for a file
    /// that is elsewhere.
    fn file(&self, operand: &Operand) -> Result<Option<(u32, u32, usize)>, Error> {
        let (inputs, outputs) = (self.code.inputs as u32, self.code.outputs as u32);
        let one = |first: u32, n: usize| Ok(Some((first + n as u32, 1, usize::MAX)));
        match operand.kind {
            OperandKind::Temp => Ok(Some((0, inputs, 0))),
            OperandKind::Input if operand.dimensions == 1 => Ok(Some((inputs, REGISTERS as u32, 0))),
            OperandKind::Output if operand.dimensions == 1 => Ok(Some((outputs, REGISTERS as u32, 0))),
            OperandKind::IndexableTemp => match self.arrays.get(&operand.register()) {
                Some(&(first, length)) => Ok(Some((first, length, 1))),
                None => Err(self.register_error(format!("x{} is not declared", operand.register()))),
            },
            OperandKind::InputCoverageMask => one(inputs, COVERAGE_IN),
            OperandKind::InnerCoverage => one(inputs, INNER_COVERAGE),
            OperandKind::InputPrimitiveId => one(inputs, PRIMITIVE_ID),
            OperandKind::OutputDepth => one(outputs, DEPTH),
            OperandKind::OutputDepthGreaterEqual => one(outputs, DEPTH_GREATER),
            OperandKind::OutputDepthLessEqual => one(outputs, DEPTH_LESS),
            OperandKind::OutputCoverageMask => one(outputs, COVERAGE),
            OperandKind::OutputStencilRef => one(outputs, STENCIL),
            _ => Ok(None),
        }
    }

    /// A place among the lane's registers: a number, or something computed.
    fn register_place(&mut self, operand: &Operand) -> Result<Option<Result<u32, u32>>, Error> {
        let Some((first, count, which)) = self.file(operand)? else { return Ok(None) };
        let Some(index) = operand.index.get(which) else { return Ok(Some(Ok(first))) };
        if !index.is_relative() {
            if index.immediate >= count {
                return Err(self.register_error(format!(
                    "{}{} lies outside of its registers",
                    operand.kind.prefix(false),
                    index.immediate
                )));
            }
            return Ok(Some(Ok(first + index.immediate)));
        }
        let index = self.register_index(index)?;
        self.code.computed.push(Computed { file: File::Registers { first, count }, index });
        Ok(Some(Err(self.code.computed.len() as u32 - 1)))
    }

    fn dest_place(&mut self, operand: &Operand) -> Result<DestPlace, Error> {
        if operand.is_null() {
            return Ok(DestPlace::None);
        }
        match self.register_place(operand)? {
            Some(Ok(register)) => Ok(DestPlace::Register(register)),
            Some(Err(computed)) => Ok(DestPlace::Computed(computed)),
            None => Err(self.error(ErrorKind::Unsupported)),
        }
    }

    fn source(&mut self, operand: &Operand, ty: ScalarType, number: u8) -> Result<Source, Error> {
        let place = match operand.kind {
            OperandKind::Immediate32 | OperandKind::Immediate64 => {
                self.code.literals.push(self.program.immediate(operand));
                SourcePlace::Literal(self.code.literals.len() as u32 - 1)
            }
            OperandKind::ConstantBuffer => self.constant(operand)?,
            OperandKind::ImmediateConstantBuffer => {
                let index = self.register_index(&operand.index[0])?;
                self.computed(File::Immediate, index)
            }
            OperandKind::ThisPointer => {
                let index = self.register_index(&operand.index[0])?;
                self.computed(File::This, index)
            }
            // The shader's clock; every time is the same.
            OperandKind::CycleCounter => {
                self.code.literals.push([0; 4]);
                SourcePlace::Literal(self.code.literals.len() as u32 - 1)
            }
            _ => match self.register_place(operand)? {
                Some(Ok(register)) => SourcePlace::Register(register),
                Some(Err(computed)) => SourcePlace::Computed(computed),
                None => return Err(self.error(ErrorKind::Unsupported)),
            },
        };
        let swizzle = match operand.kind {
            // A double of one lane is repeated.
            OperandKind::Immediate64 if operand.components() == Components::One => [0, 1, 0, 1],
            OperandKind::Immediate64 => [0, 1, 2, 3],
            _ => std::array::from_fn(|lane| operand.source_lane(lane) as u8),
        };
        let negate = matches!(operand.modifier, SourceModifier::Neg | SourceModifier::AbsNeg);
        let absolute = matches!(operand.modifier, SourceModifier::Abs | SourceModifier::AbsNeg);
        // 22.18: by the type of the instruction, not of the data.
        let modifier = match ty {
            _ if !negate && !absolute => Modifier::None,
            ScalarType::Float | ScalarType::Any => Modifier::Float { absolute, negate },
            ScalarType::Double => Modifier::Double { absolute, negate },
            _ if negate => Modifier::IntegerNegate,
            _ => Modifier::None,
        };
        Ok(Source { place, swizzle, modifier, operand: number })
    }

    fn computed(&mut self, file: File, index: RegisterIndex) -> SourcePlace {
        self.code.computed.push(Computed { file, index });
        SourcePlace::Computed(self.code.computed.len() as u32 - 1)
    }

    /// 7.5: `cb#[index]`.
    fn constant(&mut self, operand: &Operand) -> Result<SourcePlace, Error> {
        let space = self.spaces.get(&(operand.kind, operand.register())).copied().unwrap_or(0);
        let buffer = self.register_index(self.program.bound_register(operand))?;
        let last = (operand.dimensions as usize).clamp(1, 3) - 1;
        let row = self.register_index(&operand.index[last])?;
        if buffer.relative.is_some() || row.relative.is_some() {
            return Ok(self.computed(File::Constants { space, buffer }, row));
        }
        let slot = Slot { space, register: buffer.immediate };
        let known = self.code.constants.iter().position(|&s| s == slot);
        let buffer = known.unwrap_or(self.code.constants.len());
        if known.is_none() {
            self.code.constants.push(slot);
        }
        Ok(SourcePlace::Constant { buffer: buffer as u32, row: row.immediate })
    }

    /// Finds where each flow instruction goes (22.7).
    fn flow(&mut self) -> Result<(), Error> {
        enum Block {
            If { at: usize, has_else: bool },
            Loop { at: usize, leaves: Vec<usize>, again: Vec<usize> },
            Switch { at: usize, leaves: Vec<usize>, table: SwitchTable, default: Option<u32> },
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut labels = BTreeMap::new();
        let code = &mut self.code;
        for at in 0..code.ops.len() {
            let n = code.ops[at].instruction as usize;
            let wrong = || Error::at(ErrorKind::Flow, self.program, n);
            let opcode = self.program.instructions[n].opcode;
            match opcode {
                Opcode::If => blocks.push(Block::If { at, has_else: false }),
                Opcode::Loop => blocks.push(Block::Loop { at, leaves: Vec::new(), again: Vec::new() }),
                Opcode::Switch => blocks.push(Block::Switch {
                    at,
                    leaves: Vec::new(),
                    table: SwitchTable::default(),
                    default: None,
                }),
                Opcode::Else => match blocks.last_mut() {
                    Some(Block::If { at: opener, has_else: has_else @ false }) => {
                        code.ops[*opener].target = at as u32 + 1;
                        (*opener, *has_else) = (at, true);
                    }
                    _ => return Err(wrong()),
                },
                Opcode::EndIf => match blocks.pop() {
                    Some(Block::If { at: opener, .. }) => code.ops[opener].target = at as u32,
                    _ => return Err(wrong()),
                },
                Opcode::EndLoop => match blocks.pop() {
                    Some(Block::Loop { at: opener, leaves, again }) => {
                        code.ops[at].target = opener as u32 + 1;
                        leaves.into_iter().for_each(|l| code.ops[l].target = at as u32 + 1);
                        // By way of the `endloop`, so that a quad's other lanes catch up there.
                        again.into_iter().for_each(|l| code.ops[l].target = at as u32);
                    }
                    _ => return Err(wrong()),
                },
                Opcode::EndSwitch => match blocks.pop() {
                    Some(Block::Switch { at: opener, leaves, mut table, default }) => {
                        table.otherwise = default.unwrap_or(at as u32);
                        code.ops[opener].target = code.switches.len() as u32;
                        code.switches.push(table);
                        leaves.into_iter().for_each(|l| code.ops[l].target = at as u32);
                    }
                    _ => return Err(wrong()),
                },
                Opcode::Case | Opcode::Default => {
                    let operands = self.program.operands(&self.program.instructions[n]);
                    match (blocks.last_mut(), operands.first()) {
                        (Some(Block::Switch { table, .. }), Some(o)) => {
                            table.cases.push((self.program.immediate(o)[0], at as u32));
                        }
                        (Some(Block::Switch { default: default @ None, .. }), None) => {
                            *default = Some(at as u32);
                        }
                        _ => return Err(wrong()),
                    }
                }
                Opcode::Break | Opcode::Breakc => {
                    let around = blocks.iter_mut().rev().find_map(|b| match b {
                        Block::Loop { leaves, .. } | Block::Switch { leaves, .. } => Some(leaves),
                        Block::If { .. } => None,
                    });
                    around.ok_or_else(wrong)?.push(at);
                }
                Opcode::Continue | Opcode::Continuec => {
                    let around = blocks.iter_mut().rev().find_map(|b| match b {
                        Block::Loop { again, .. } => Some(again),
                        _ => None,
                    });
                    around.ok_or_else(wrong)?.push(at);
                }
                Opcode::Label => {
                    if !blocks.is_empty() {
                        return Err(wrong());
                    }
                    let operands = self.program.operands(&self.program.instructions[n]);
                    let kind = operands.first().map(|o| o.kind);
                    labels.insert((kind, code.ops[at].target), at as u32);
                }
                _ => {}
            }
        }
        if let Some(Block::If { at, .. } | Block::Loop { at, .. } | Block::Switch { at, .. }) = blocks.last()
        {
            return Err(Error::at(ErrorKind::Flow, self.program, code.ops[*at].instruction as usize));
        }
        // Behind the label itself, which counts as a `ret` for what falls into it.
        let behind = |kind, label: u32, instruction| match labels.get(&(Some(kind), label)) {
            Some(&label) => Ok(label + 1),
            None => Err(Error::at(ErrorKind::Flow, self.program, instruction)),
        };
        for op in &mut code.ops {
            if let Rule::Flow(Flow::Call | Flow::CallIf) = op.rule {
                op.target = behind(OperandKind::Label, op.target, op.instruction as usize)?;
            }
        }
        for (&table, &(instruction, bodies)) in &self.tables {
            let places = bodies.iter().map(|&body| behind(OperandKind::FunctionBody, body, instruction));
            code.tables.insert(table, places.collect::<Result<_, _>>()?);
        }
        Ok(())
    }
}

/// Whether bit 13 of the opcode token means saturation (22.19.1).
fn saturates(rule: Rule) -> bool {
    !matches!(rule, Rule::Flow(_) | Rule::Texture(_) | Rule::Memory(_) | Rule::Atomic(_) | Rule::Nothing)
        && !matches!(rule, Rule::Pixel(Pixel::Discard))
}
