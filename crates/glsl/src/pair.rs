//! What the linker needs of a stage: its interface before translation, and a plan of how to translate it.

use crate::decls::{BufferKind, Element};
use crate::emit::sampler_type;
use crate::manifest::{Constant, LaneType};
use crate::options::Joints;
use crate::resources::Resources;
use crate::rewrite::Home;
use crate::stage::{Pairing, Parsed, lane_type, parse, translate};
use crate::tree::Scalar;
use crate::{Failure, Options, Translation};
use shaderport_diagnostics::Diagnostic;
use shaderport_dxbc::program::Interpolation;
use shaderport_dxbc::{Opcode, Stage, SystemValue};

/// One element of a signature, or one that a linker plans.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceElement {
    /// HLSL semantic.
    pub semantic: String,
    /// Its index.
    pub semantic_index: u32,
    /// Register.
    pub register: u32,
    /// Lanes of the register that belong to it; bit 0 is x.
    pub mask: u8,
    /// Lanes that the program declares.
    pub used_mask: u8,
    /// What a lane holds.
    pub component_type: LaneType,
    /// Meaning to the pipeline; [`SystemValue::None`] for a varying.
    pub system: SystemValue,
    /// How the pixel stage wants it interpolated.
    pub interpolation: Interpolation,
}

/// A constant buffer that a stage reads.
#[derive(Clone, Debug)]
pub struct ConstantBufferUse {
    /// `b` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Instance name that it would have alone: stages meet where it is the same.
    pub instance: String,
    /// Rows of 16 bytes that the program declares.
    pub rows: u32,
    /// HLSL name, where reflection is present.
    pub hlsl_name: Option<String>,
    /// Its constants, where reflection is present.
    pub constants: Vec<Constant>,
}

/// A texture or buffer that a stage reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceUse {
    /// `t` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// GLSL name that it would have alone.
    pub name: String,
    /// What has to be equal for two stages to share one uniform: GLSL type, or kind and stride of a buffer.
    pub kind: String,
    /// HLSL names of resource and sampler, where reflection is present.
    pub hlsl_name: Option<(String, Option<String>)>,
}

/// What a stage offers to and wants of the other.
#[derive(Clone, Debug)]
pub struct StageInterface {
    /// Inputs that the program declares.
    pub inputs: Vec<InterfaceElement>,
    /// Outputs of the signature.
    pub outputs: Vec<InterfaceElement>,
    /// Constant buffers that are read.
    pub constant_buffers: Vec<ConstantBufferUse>,
    /// Textures and buffers that are read.
    pub resources: Vec<ResourceUse>,
    /// Whether bones of the stage are rows of a constant buffer.
    pub has_joints: bool,
    /// Whether inputs are evaluated elsewhere in the pixel, which takes whole variables.
    pub evaluates_inputs: bool,
}

/// How a constant buffer is declared in a linked program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPlan {
    /// `b` register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Instance name; the block is `ConstantBuffer` and what follows `cb`.
    pub instance: String,
    /// Rows, if more than the stage declares.
    pub rows: u32,
}

/// A varying that shares a variable with others, because there would be too many variables otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedVarying {
    /// Register.
    pub register: u32,
    /// Lanes of the register that belong to the element.
    pub mask: u8,
    /// The variable is called `vs_p` and this number.
    pub vector: u32,
    /// Lanes of the variable.
    pub width: u8,
    /// The first of them that holds the element.
    pub first: u8,
}

/// How to translate a stage as part of a program.
#[derive(Clone, Debug, Default)]
pub struct StagePlan {
    /// For a vertex stage: its outputs, in place of its signature's. Built-ins stay in the list.
    pub outputs: Option<Vec<InterfaceElement>>,
    /// For a pixel stage: the lanes that the vertex stage writes, by register.
    pub written: Option<Vec<(u32, u8)>>,
    /// Varyings that share variables, the same in both stages.
    pub packed: Vec<PackedVarying>,
    /// Constant buffers that are named or sized differently.
    pub blocks: Vec<BlockPlan>,
    /// `t` slots (register, space) whose uniforms get `suffix`.
    pub renamed: Vec<(u32, u32)>,
    /// The suffix: `_vs` or `_ps`.
    pub suffix: &'static str,
}

/// A stage that is read but not yet translated.
pub struct StageReader<'a> {
    parsed: Parsed<'a>,
    resources: Resources,
}

/// Values that pass from stage to stage, and no built-ins.
pub fn is_varying(system: SystemValue) -> bool {
    !matches!(
        system,
        SystemValue::Position
            | SystemValue::ClipDistance
            | SystemValue::CullDistance
            | SystemValue::IsFrontFace
            | SystemValue::SampleIndex
            | SystemValue::RenderTargetArrayIndex
            | SystemValue::ViewportArrayIndex
            | SystemValue::PrimitiveId
    )
}

fn public(e: &Element<'_>) -> InterfaceElement {
    InterfaceElement {
        semantic: e.semantic.to_owned(),
        semantic_index: e.semantic_index,
        register: e.register,
        mask: e.mask,
        used_mask: e.declared,
        component_type: lane_type(e.scalar),
        system: e.system,
        interpolation: e.interpolation,
    }
}

impl<'a> StageReader<'a> {
    /// Reads a container and refuses what WebGL2 cannot express.
    ///
    /// # Errors
    /// As [`crate::translate`].
    pub fn read(bytes: &'a [u8], options: &Options) -> Result<Self, Failure> {
        let parsed = parse(bytes, options)?;
        let mut resources = Resources::gather(&parsed.program, &parsed.decls, &parsed.flow, options);
        // What stands in the way is reported by the translation.
        crate::rewrite::apply(&mut resources, &parsed.program, &parsed.decls, options);
        Ok(StageReader { parsed, resources })
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        self.parsed.program.stage
    }

    /// Shader model.
    pub fn model(&self) -> (u8, u8) {
        (self.parsed.program.major, self.parsed.program.minor)
    }

    /// Findings of reading.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.parsed.diagnostics
    }

    /// What the stage offers and wants.
    pub fn interface(&mut self) -> StageInterface {
        let Parsed { program, decls, reflected, .. } = &mut self.parsed;
        let evaluates = [Opcode::EvalSnapped, Opcode::EvalSampleIndex, Opcode::EvalCentroid];
        let evaluates_inputs = program.instructions.iter().any(|i| evaluates.contains(&i.opcode));
        let mut constant_buffers = Vec::new();
        for b in &self.resources.blocks {
            let name = reflected.constant_buffer(b.register, b.space);
            constant_buffers.push(ConstantBufferUse {
                register: b.register,
                space: b.space,
                instance: b.name.clone(),
                rows: b.rows,
                hlsl_name: name.map(str::to_owned),
                constants: name.map(|n| reflected.constants(n)).unwrap_or_default(),
            });
        }
        let mut resources = Vec::new();
        for s in self.resources.samplers.iter().filter(|s| s.part.is_none()) {
            let space = decls.textures[s.texture].slots.space;
            let sampler = s.sampler.and_then(|x| reflected.sampler(x.1, decls.samplers[x.0].slots.space));
            resources.push(ResourceUse {
                register: s.register,
                space,
                name: s.name.clone(),
                kind: sampler_type(s).to_owned(),
                hlsl_name: reflected
                    .resource(s.register, space)
                    .map(|n| (n.to_owned(), sampler.map(str::to_owned))),
            });
        }
        for b in self.resources.buffers.iter().filter(|b| b.home != Some(Home::Joints)) {
            let d = &decls.buffers[b.decl];
            resources.push(ResourceUse {
                register: b.register,
                space: d.slots.space,
                name: b.name.clone(),
                kind: match d.kind {
                    BufferKind::Typed(_) => "typed".to_owned(),
                    BufferKind::Raw => "raw".to_owned(),
                    BufferKind::Structured(s) => format!("structured {s}"),
                },
                hlsl_name: reflected.resource(b.register, d.slots.space).map(|n| (n.to_owned(), None)),
            });
        }
        StageInterface {
            inputs: decls.inputs.elements.iter().map(public).collect(),
            outputs: decls.outputs.elements.iter().map(public).collect(),
            constant_buffers,
            resources,
            has_joints: self.resources.buffers.iter().any(|b| b.home == Some(Home::Joints)),
            evaluates_inputs,
        }
    }

    /// Uses of rows where another stage's bones go, in a buffer that both share.
    pub fn uses_of_joints(&self, joints: &Joints) -> Vec<Diagnostic> {
        crate::joints::uses(&self.parsed.program, &self.parsed.decls, joints)
    }

    /// Translates the stage as planned.
    ///
    /// # Errors
    /// As [`crate::translate`].
    pub fn translate(self, options: &Options, plan: &'a StagePlan) -> Result<Translation, Failure> {
        let element = |e: &'a InterfaceElement| Element {
            semantic: &e.semantic,
            semantic_index: e.semantic_index,
            register: e.register,
            mask: e.mask,
            declared: e.used_mask,
            scalar: match e.component_type {
                LaneType::Float => Scalar::Float,
                LaneType::Int => Scalar::Int,
                LaneType::Uint => Scalar::Uint,
            },
            system: e.system,
            interpolation: e.interpolation,
            in_signature: true,
        };
        let pairing = Pairing {
            outputs: plan.outputs.as_ref().map(|o| o.iter().map(element).collect()),
            written: plan.written.as_ref().map(|w| w.iter().copied().collect()),
            packed: &plan.packed,
            blocks: &plan.blocks,
            texture_suffix: plan.renamed.clone(),
            suffix: plan.suffix,
        };
        translate(self.parsed, options, pairing)
    }
}
