//! Assembles DXBC shaders of models 4.0 to 5.1 instruction by instruction, for tests: opcodes and forms that Microsoft's
//! compiler does not emit. [`shaderport_dxbc::Program::encode`] writes the tokens. Of SPIR-V, [`spirv_module`] puts words
//! together.
//!
//! ```
//! use shaderport_asm::{Opcode, Shader, Type, l4, o, r, v};
//!
//! let mut shader = Shader::pixel();
//! shader.input(0, "xy", "TEXCOORD0", Type::Float).target(0, "xyzw", Type::Float).temps(1);
//! shader.op(Opcode::Mul, &[r(0, "xy"), -v(0, "xyxx"), l4([2.0, 3.0, 0.0, 0.0])]);
//! shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyyy")]).op(Opcode::Ret, &[]);
//! let container: Vec<u8> = shader.build();
//! # assert!(shaderport_dxbc::Container::parse(&container).is_ok());
//! ```
#![forbid(unsafe_code)]

mod container;
mod operand;
mod spirv;

pub use operand::{Idx, Number, Operand, cb, icb, l, l4, label, null, o, r, register, s, t, u, v, x};
pub use shaderport_dxbc::Opcode;
pub use shaderport_dxbc::program::{Interpolation, MinPrecision, OperandKind, ResourceDimension, ReturnType};
pub use shaderport_dxbc::signature::SystemValue;
pub use spirv::{spirv_module, spirv_words};

use shaderport_dxbc::program::Extended;
use shaderport_dxbc::{Program, Slot, Stage};

/// What the components of a signature element hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Type {
    Uint = 1,
    Int = 2,
    Float = 3,
}

/// One row of a signature.
#[derive(Clone, Debug)]
pub struct Element {
    /// Semantic name, without its index.
    pub name: String,
    /// Semantic index.
    pub index: u32,
    /// Meaning for the pipeline.
    pub system_value: SystemValue,
    /// Type of each component.
    pub ty: Type,
    /// Register; `u32::MAX` for none.
    pub register: u32,
    /// Components, such as `xyz`.
    pub lanes: String,
    /// Components that are read (of inputs) or never written (of outputs).
    pub used: String,
}

impl Element {
    /// An element of this semantic, its index at the end (`TEXCOORD3`), whose components are all used.
    pub fn new(semantic: &str, register: u32, lanes: &str, ty: Type) -> Element {
        let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
        Element {
            name: name.into(),
            index: semantic[name.len()..].parse().unwrap_or(0),
            system_value: SystemValue::None,
            ty,
            register,
            lanes: lanes.into(),
            used: lanes.into(),
        }
    }

    /// The same with a meaning for the pipeline.
    pub fn system(self, system_value: SystemValue) -> Element {
        Element { system_value, ..self }
    }
}

/// One instruction with what its opcode token and extended tokens say.
#[derive(Clone, Debug)]
pub struct Ins {
    opcode: Opcode,
    controls: u32,
    extended: Extended,
    operands: Vec<Operand>,
    words: Vec<u32>,
}

impl Ins {
    /// An instruction with these operands.
    pub fn new(opcode: Opcode, operands: &[Operand]) -> Ins {
        let extended = Extended::default();
        Ins { opcode, controls: 0, extended, operands: operands.to_vec(), words: Vec::new() }
    }
    /// Clamped to 0..1.
    pub fn sat(self) -> Ins {
        self.controls(1 << 13)
    }
    /// Tests for non-zero (without it: for zero).
    pub fn nz(self) -> Ins {
        self.controls(1 << 18)
    }
    /// Sets bits of the opcode token, in place.
    pub fn controls(mut self, bits: u32) -> Ins {
        self.controls |= bits;
        self
    }
    /// Immediate texel offsets, -8 to 7.
    pub fn offsets(mut self, offsets: [i8; 3]) -> Ins {
        self.extended.offsets = Some(offsets);
        self
    }
    /// Dimension of the resource, its stride, and the return type of its four lanes, as model 5 says them.
    pub fn resource(mut self, dimension: ResourceDimension, stride: u32, lanes: ReturnType) -> Ins {
        self.extended.dimension = Some(dimension);
        self.extended.stride = stride as u16;
        self.extended.return_types = Some([lanes; 4]);
        self
    }
    /// Words behind the operands.
    pub fn words(mut self, words: &[u32]) -> Ins {
        self.words.extend(words);
        self
    }

    fn add_to(&self, program: &mut Program) {
        let slots = self.opcode.info().slots;
        let operands = self.operands.iter().enumerate().map(|(n, operand)| {
            let written = matches!(slots.get(n), Some(Slot::Dest(_) | Slot::Uav | Slot::Declared));
            operand.build(written, program)
        });
        let operands: Vec<_> = operands.collect();
        program.push(self.opcode, self.controls, self.extended, &operands, &self.words);
    }
}

/// A shader in the making. Its methods append in the order of their calls.
#[derive(Clone, Debug)]
pub struct Shader {
    inputs: Vec<Element>,
    outputs: Vec<Element>,
    program: Program,
}

impl Shader {
    /// A shader of model 5.0 without signatures and instructions.
    pub fn new(stage: Stage) -> Shader {
        Shader { inputs: Vec::new(), outputs: Vec::new(), program: Program::new(stage, 5, 0) }
    }
    /// A pixel shader of model 5.0.
    pub fn pixel() -> Shader {
        Shader::new(Stage::Pixel)
    }
    /// A vertex shader of model 5.0.
    pub fn vertex() -> Shader {
        Shader::new(Stage::Vertex)
    }
    /// Sets the shader model.
    pub fn model(&mut self, major: u8, minor: u8) -> &mut Shader {
        (self.program.major, self.program.minor) = (major, minor);
        self
    }

    /// Appends an instruction.
    pub fn push(&mut self, instruction: Ins) -> &mut Shader {
        instruction.add_to(&mut self.program);
        self
    }
    /// Appends an instruction that needs no more than operands.
    pub fn op(&mut self, opcode: Opcode, operands: &[Operand]) -> &mut Shader {
        self.push(Ins::new(opcode, operands))
    }
    /// Appends an instruction that tests for non-zero: `if_nz`, `breakc_nz`, `discard_nz`, ...
    pub fn op_nz(&mut self, opcode: Opcode, operands: &[Operand]) -> &mut Shader {
        self.push(Ins::new(opcode, operands).nz())
    }
    /// Appends an instruction whose result is clamped to 0..1.
    pub fn op_sat(&mut self, opcode: Opcode, operands: &[Operand]) -> &mut Shader {
        self.push(Ins::new(opcode, operands).sat())
    }

    /// Adds a row to the input signature, without a declaration.
    pub fn input_element(&mut self, element: Element) -> &mut Shader {
        self.inputs.push(element);
        self
    }
    /// Adds a row to the output signature, without a declaration.
    pub fn output_element(&mut self, element: Element) -> &mut Shader {
        self.outputs.push(element);
        self
    }
    /// Declares an input of this semantic; in pixel shaders it is linear, or constant for integers.
    pub fn input(&mut self, register: u32, lanes: &str, semantic: &str, ty: Type) -> &mut Shader {
        let how = if ty == Type::Float { Interpolation::Linear } else { Interpolation::Constant };
        self.input_as(register, lanes, semantic, ty, how)
    }
    /// Declares an input of this semantic and interpolation.
    pub fn input_as(
        &mut self,
        register: u32,
        lanes: &str,
        semantic: &str,
        ty: Type,
        how: Interpolation,
    ) -> &mut Shader {
        self.input_element(Element::new(semantic, register, lanes, ty));
        let declared = [v(register, lanes)];
        match self.program.stage {
            Stage::Pixel => self.push(Ins::new(Opcode::DclInputPs, &declared).controls((how as u32) << 11)),
            _ => self.op(Opcode::DclInput, &declared),
        }
    }
    /// Declares an input with a system value: position of a pixel shader by `dcl_input_ps_siv`, the others by
    /// `dcl_input_sgv` and `dcl_input_ps_sgv`.
    pub fn system_input(&mut self, register: u32, lanes: &str, value: SystemValue, ty: Type) -> &mut Shader {
        let semantic = value.name().unwrap_or("SV_Unknown");
        self.input_element(Element::new(semantic, register, lanes, ty).system(value));
        let (opcode, how) = match (self.program.stage, value) {
            (Stage::Pixel, SystemValue::Position) => {
                (Opcode::DclInputPsSiv, Interpolation::LinearNoPerspective)
            }
            (Stage::Pixel, _) => (Opcode::DclInputPsSgv, Interpolation::Constant),
            _ => (Opcode::DclInputSgv, Interpolation::Undefined),
        };
        let declared = Ins::new(opcode, &[v(register, lanes)]).controls((how as u32) << 11);
        self.push(declared.words(&[value.raw()]))
    }
    /// Declares an output of this semantic.
    pub fn output(&mut self, register: u32, lanes: &str, semantic: &str, ty: Type) -> &mut Shader {
        let unwritten = Element { used: String::new(), ..Element::new(semantic, register, lanes, ty) };
        self.output_element(unwritten).op(Opcode::DclOutput, &[o(register, lanes)])
    }
    /// Declares render target `n`, whose signature has all four components.
    pub fn target(&mut self, n: u32, lanes: &str, ty: Type) -> &mut Shader {
        let unwritten = "xyzw".chars().filter(|&c| !lanes.contains(c)).collect();
        let element = Element { used: unwritten, ..Element::new(&format!("SV_Target{n}"), n, "xyzw", ty) };
        self.output_element(element).op(Opcode::DclOutput, &[o(n, lanes)])
    }
    /// Declares the position that a vertex shader writes.
    pub fn position(&mut self, register: u32) -> &mut Shader {
        let element = Element::new("SV_Position", register, "xyzw", Type::Float);
        let element = Element { used: String::new(), ..element.system(SystemValue::Position) };
        let declared = Ins::new(Opcode::DclOutputSiv, &[o(register, "xyzw")]);
        self.output_element(element).push(declared.words(&[SystemValue::Position.raw()]))
    }

    /// `dcl_temps`
    pub fn temps(&mut self, count: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclTemps, &[]).words(&[count]))
    }
    /// `dcl_indexableTemp x#[count], lanes`
    pub fn indexable_temp(&mut self, register: u32, count: u32, lanes: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclIndexableTemp, &[]).words(&[register, count, lanes]))
    }
    /// `dcl_constantbuffer` of models before 5.1.
    pub fn constant_buffer(&mut self, register: u32, rows: u32, dynamic: bool) -> &mut Shader {
        let declared = register_of(OperandKind::ConstantBuffer, &[register, rows]).read("xyzw");
        self.push(Ins::new(Opcode::DclConstantBuffer, &[declared]).controls((dynamic as u32) << 11))
    }
    /// `dcl_resource` of models before 5.1, with one return type in all lanes.
    pub fn texture(&mut self, register: u32, dimension: ResourceDimension, lanes: ReturnType) -> &mut Shader {
        let declared = Ins::new(Opcode::DclResource, &[t(register, "")]).controls((dimension as u32) << 11);
        self.push(declared.words(&[0x1111 * lanes as u32]))
    }
    /// `dcl_resource_structured` of models before 5.1.
    pub fn structured(&mut self, register: u32, stride: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclResourceStructured, &[t(register, "")]).words(&[stride]))
    }
    /// `dcl_resource_raw` of models before 5.1.
    pub fn raw_buffer(&mut self, register: u32) -> &mut Shader {
        self.op(Opcode::DclResourceRaw, &[t(register, "")])
    }
    /// `dcl_uav_typed` of models before 5.1, with one return type in all lanes.
    pub fn typed_view(
        &mut self,
        register: u32,
        dimension: ResourceDimension,
        lanes: ReturnType,
    ) -> &mut Shader {
        let declared = Ins::new(Opcode::DclUavTyped, &[u(register, "")]).controls((dimension as u32) << 11);
        self.push(declared.words(&[0x1111 * lanes as u32]))
    }
    /// `dcl_uav_structured` of models before 5.1.
    pub fn structured_view(&mut self, register: u32, stride: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclUavStructured, &[u(register, "")]).words(&[stride]))
    }
    /// `dcl_uav_raw` of models before 5.1.
    pub fn raw_view(&mut self, register: u32) -> &mut Shader {
        self.op(Opcode::DclUavRaw, &[u(register, "")])
    }
    /// `dcl_sampler` of models before 5.1.
    pub fn sampler(&mut self, register: u32, comparison: bool) -> &mut Shader {
        self.push(Ins::new(Opcode::DclSampler, &[s(register)]).controls((comparison as u32) << 11))
    }
    /// `dcl_indexrange` of so many registers.
    pub fn index_range(&mut self, first: Operand, count: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclIndexRange, &[first]).words(&[count]))
    }
    /// `dcl_globalFlags` with these bits, counted from bit 0.
    pub fn global_flags(&mut self, flags: u32) -> &mut Shader {
        self.push(Ins::new(Opcode::DclGlobalFlags, &[]).controls(flags << 11))
    }
    /// `dcl_immediateConstantBuffer`
    pub fn immediate_constants(&mut self, rows: &[[u32; 4]]) -> &mut Shader {
        let data = Ins::new(Opcode::CustomData, &[]).controls(shaderport_dxbc::CUSTOM_DATA_ICB << 11);
        self.push(data.words(rows.as_flattened()))
    }

    /// The contents of the program chunk.
    pub fn program(&self) -> Vec<u8> {
        self.program.encode()
    }

    /// The container: `ISGN`, `OSGN` and `SHEX`, with a right checksum.
    pub fn build(&self) -> Vec<u8> {
        let tag = if self.program.major == 4 { *b"SHDR" } else { *b"SHEX" };
        container::container(&[
            (*b"ISGN", container::signature(&self.inputs)),
            (*b"OSGN", container::signature(&self.outputs)),
            (tag, self.program()),
        ])
    }
}

fn register_of(kind: OperandKind, indices: &[u32]) -> Operand {
    indices.iter().fold(register(kind, ""), |operand, &n| operand.at(n))
}

#[cfg(test)]
mod tests;
