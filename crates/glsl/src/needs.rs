//! What WebGL2 cannot express, found before anything is lowered, all of it, in the order of the program.

use crate::decls::{BufferKind, Decls};
use crate::flow::place;
use crate::options::{Extension, Options};
use crate::resources::MAX_LADDER;
use shaderport_diagnostics::codes::webgl as codes;
use shaderport_diagnostics::{Code, Diagnostic};
use shaderport_dxbc::opcode::Es300;
use shaderport_dxbc::program::{OperandKind, ResourceDimension, ReturnType, SlotRange};
use shaderport_dxbc::{Family, Instruction, Opcode, Program, Refusal, Slot, Stage, SystemValue};

fn code_of(r: Refusal) -> Code {
    match r {
        Refusal::Stage => codes::STAGE,
        Refusal::Uav => codes::UAV,
        Refusal::Double => codes::DOUBLE,
        Refusal::Multisample => codes::MULTISAMPLE,
        Refusal::Interface => codes::INTERFACE,
        Refusal::Feedback => codes::FEEDBACK,
        Refusal::SampleQuery => codes::SAMPLE_QUERY,
        Refusal::Abort => codes::ABORT,
    }
}

/// The opcode without feedback, where the status is thrown away: then only the clamp of the level is left.
pub(crate) fn without_feedback(p: &Program, i: &Instruction) -> bool {
    let is_feedback = i.opcode.without_feedback() != i.opcode;
    is_feedback && p.operands(i).get(1).is_some_and(|o| o.is_null())
}

/// Every refusal of `p`.
pub(crate) fn refusals(p: &Program, decls: &Decls<'_>, options: &Options) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !matches!(p.stage, Stage::Vertex | Stage::Pixel) {
        let d = Diagnostic::new(codes::STAGE, format!("WebGL2 has no {} shaders", p.stage.name()));
        found.push(
            d.help("only vertex and pixel shaders are translated; `disasm` and `inspect` read every stage"),
        );
        return found;
    }
    let forbidden = |e: Extension| options.forbid_extensions.contains(&e);
    for (n, i) in p.instructions.iter().enumerate().filter(|(_, i)| may_be_refused(i)) {
        let mut refuse = |code: Code, message: String| {
            found.push(Diagnostic::new(code, message).at(place(p, n)));
        };
        let name = i.opcode.name();
        if let Es300::Refused(r) = i.opcode.info().es300
            && !(r == Refusal::Feedback && without_feedback(p, i))
        {
            refuse(code_of(r), refusal_text(r, name));
            continue;
        }
        let operands = p.operands(i);
        if i.opcode.is_declaration() {
            declaration(p, i, options, &mut refuse);
            if let Some(o) = operands.first() {
                match o.kind {
                    OperandKind::InputPrimitiveId => {
                        refuse(codes::PRIMITIVE_ID, "`SV_PrimitiveID` is read".into());
                    }
                    OperandKind::OutputStencilRef => {
                        refuse(codes::STENCIL_REF, "a stencil reference is written".into());
                    }
                    OperandKind::InnerCoverage => {
                        refuse(codes::INNER_COVERAGE, "inner coverage is read".into())
                    }
                    OperandKind::CycleCounter => {
                        refuse(codes::CYCLE_COUNTER, "the cycle counter is read".into());
                    }
                    OperandKind::InputCoverageMask | OperandKind::OutputCoverageMask
                        if forbidden(Extension::SampleVariables) =>
                    {
                        refuse(
                            codes::EXTENSION_FORBIDDEN,
                            needs(Extension::SampleVariables, "a coverage mask"),
                        );
                    }
                    _ => {}
                }
            }
            continue;
        }
        if matches!(i.opcode, Opcode::EvalCentroid | Opcode::EvalSampleIndex | Opcode::EvalSnapped) {
            if forbidden(Extension::MultisampleInterpolation) {
                refuse(codes::EXTENSION_FORBIDDEN, needs(Extension::MultisampleInterpolation, name));
            }
            let written = operands.first().map_or(15, |o| o.mask());
            let varying = operands.get(1).is_some_and(|o| {
                let is_varying = |lane: usize| {
                    decls.inputs.at(o.register(), o.source_lane(lane) as u8).is_some_and(|e| {
                        let e = &decls.inputs.elements[e];
                        e.system == SystemValue::None && e.scalar == crate::tree::Scalar::Float
                    })
                };
                o.kind == OperandKind::Input
                    && !o.index[0].is_relative()
                    && o.modifier == shaderport_dxbc::program::Modifier::None
                    && (0..4).filter(|lane| written >> lane & 1 != 0).all(is_varying)
            });
            if !varying {
                refuse(codes::EVALUATE, format!("`{name}` of something that is no interpolated varying"));
            }
        }
        if without_feedback(p, i) {
            level_clamp(p, decls, i, &mut refuse);
        }
        for (o, slot) in operands.iter().zip(i.opcode.info().slots) {
            operand(p, decls, o, slot, &mut refuse);
        }
    }
    found
}

/// Whether to look closer: most instructions are arithmetic between registers.
fn may_be_refused(i: &Instruction) -> bool {
    use OperandKind::*;
    const KINDS: [OperandKind; 6] =
        [UnorderedAccessView, ThreadGroupSharedMemory, Resource, Sampler, CycleCounter, InputPrimitiveId];
    let info = i.opcode.info();
    matches!(info.family, Family::Declaration | Family::Interpolation)
        || matches!(info.es300, Es300::Refused(_))
        || i.names_any(&KINDS)
        || (i.has_relative_index() && i.names(ConstantBuffer))
}

fn refusal_text(r: Refusal, name: &str) -> String {
    match r {
        Refusal::Uav => format!("`{name}` needs an unordered access view"),
        Refusal::Double => format!("`{name}` computes in double precision"),
        Refusal::Multisample => format!("`{name}` reads a multisampled texture"),
        Refusal::Interface => format!("`{name}` needs dynamic linkage"),
        Refusal::Feedback => format!("`{name}` returns residency feedback"),
        Refusal::SampleQuery => format!("`{name}` asks for sample positions or counts"),
        Refusal::Abort => format!("`{name}` needs a debug runtime"),
        Refusal::Stage => format!("`{name}` belongs to a stage that WebGL2 lacks"),
    }
}

fn needs(e: Extension, what: &str) -> String {
    format!("`{what}` needs {}, which the options forbid", e.webgl_name())
}

fn declaration(p: &Program, i: &Instruction, options: &Options, refuse: &mut impl FnMut(Code, String)) {
    let word = p.words(i).first().copied().unwrap_or(0);
    match i.opcode {
        Opcode::DclResource => {
            let dimension = i.resource_dimension().unwrap_or(ResourceDimension::Unknown);
            match dimension {
                ResourceDimension::Texture2DMs | ResourceDimension::Texture2DMsArray => {
                    refuse(codes::MULTISAMPLE, format!("a {} is declared", dimension.name()));
                }
                ResourceDimension::TextureCubeArray => {
                    refuse(codes::CUBE_ARRAY, "an array of cube textures is declared".into());
                }
                _ => {}
            }
            let kind = |r: &ReturnType| match r {
                ReturnType::Sint => Some(1),
                ReturnType::Uint => Some(2),
                ReturnType::Float | ReturnType::Unorm | ReturnType::Snorm => Some(0),
                _ => None,
            };
            let kinds: Vec<u8> = ReturnType::unpack(word).iter().filter_map(kind).collect();
            if kinds.windows(2).any(|w| w[0] != w[1]) && dimension != ResourceDimension::Buffer {
                refuse(
                    codes::MIXED_RETURN_TYPES,
                    "the lanes of a texture are declared of different types".into(),
                );
            }
        }
        Opcode::DclInputSgv
        | Opcode::DclInputSiv
        | Opcode::DclInputPsSgv
        | Opcode::DclInputPsSiv
        | Opcode::DclOutputSgv
        | Opcode::DclOutputSiv => {
            let forbidden = |e: Extension| options.forbid_extensions.contains(&e);
            let output = matches!(i.opcode, Opcode::DclOutputSgv | Opcode::DclOutputSiv);
            match SystemValue::from_raw(word & 0xffff) {
                SystemValue::PrimitiveId => refuse(codes::PRIMITIVE_ID, "`SV_PrimitiveID` is used".into()),
                SystemValue::RenderTargetArrayIndex if output => {
                    refuse(codes::LAYER_OUTPUT, "the vertex shader chooses a layer".into());
                }
                SystemValue::ViewportArrayIndex if output => {
                    refuse(codes::LAYER_OUTPUT, "the vertex shader chooses a viewport".into());
                }
                v @ (SystemValue::ClipDistance | SystemValue::CullDistance)
                    if forbidden(Extension::ClipCullDistance) =>
                {
                    let name = v.name().unwrap_or("");
                    refuse(codes::EXTENSION_FORBIDDEN, needs(Extension::ClipCullDistance, name));
                }
                SystemValue::SampleIndex if forbidden(Extension::SampleVariables) => {
                    refuse(codes::EXTENSION_FORBIDDEN, needs(Extension::SampleVariables, "SV_SampleIndex"));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// A sample with a level clamp needs a function that takes a level.
fn level_clamp(p: &Program, decls: &Decls<'_>, i: &Instruction, refuse: &mut impl FnMut(Code, String)) {
    let slots = i.opcode.info().slots;
    let resource = slots.iter().position(|s| *s == Slot::Resource).and_then(|k| p.operands(i).get(k));
    let Some((_, t)) = resource.and_then(|o| decls.texture(o.register())) else { return };
    use ResourceDimension as D;
    let sayable = match i.opcode {
        Opcode::SampleCClampFeedback => matches!(t.dimension, D::Texture2D | D::Texture1D),
        Opcode::SampleDClampFeedback => t.dimension != D::TextureCube,
        _ => true,
    };
    if !sayable {
        refuse(
            codes::LEVEL_CLAMP,
            format!("`{}` of a {} has no form that takes a level", i.opcode.name(), t.dimension.name()),
        );
    }
}

/// Whether an array of slots is small enough for one branch an element.
fn is_ladder(s: &SlotRange) -> bool {
    s.upper >= s.lower && s.upper - s.lower < MAX_LADDER
}

fn operand(
    p: &Program,
    decls: &Decls<'_>,
    o: &shaderport_dxbc::Operand,
    slot: &Slot,
    refuse: &mut impl FnMut(Code, String),
) {
    match (o.kind, slot) {
        (OperandKind::UnorderedAccessView | OperandKind::ThreadGroupSharedMemory, _) => {
            refuse(codes::UAV, "an unordered access view is read or written".into());
        }
        (OperandKind::Resource, Slot::Resource) if p.bound_register(o).is_relative() => {
            let slots = decls
                .texture(o.register())
                .map(|t| t.1.slots)
                .or(decls.buffer(o.register()).map(|b| b.1.slots));
            if slots.is_some_and(|s| !is_ladder(&s)) {
                refuse(
                    codes::UNBOUNDED_ARRAY,
                    "an array of resources without a small bound is indexed".into(),
                );
            }
        }
        (OperandKind::Resource, Slot::Resource) => {
            let declared = decls.buffer(o.register()).map(|b| b.1.kind);
            if let Some(BufferKind::Structured(stride)) = declared
                && stride % 4 != 0
            {
                refuse(codes::BUFFER_STRIDE, format!("a stride of {stride} bytes is no multiple of four"));
            }
        }
        (OperandKind::Sampler, Slot::Sampler)
            if p.bound_register(o).is_relative()
                && decls.sampler(o.register()).is_some_and(|s| !is_ladder(&s.1.slots)) =>
        {
            refuse(codes::UNBOUNDED_ARRAY, "an array of samplers without a small bound is indexed".into());
        }
        (OperandKind::ConstantBuffer, _)
            if o.dimensions == 3
                && p.bound_register(o).is_relative()
                && decls.cb(o.register()).is_some_and(|c| !is_ladder(&c.1.slots)) =>
        {
            refuse(
                codes::UNBOUNDED_ARRAY,
                "an array of constant buffers without a small bound is indexed".into(),
            );
        }
        _ => {}
    }
    for d in 0..(o.dimensions as usize).min(3) {
        if let Some(r) = p.relative(&o.index[d]) {
            operand(p, decls, r, &Slot::Src(shaderport_dxbc::ScalarType::Int), refuse);
        }
    }
}
