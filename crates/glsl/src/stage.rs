//! One stage from bytes to text and manifest: the order of the passes.

use crate::decls::{BufferKind, Decls, Element, scalar_of_returns};
use crate::emit::{Emit, block_rows, qualifier, sampler_type, write_block_name};
use crate::flow::Flow;
use crate::lower::{
    InputKind, Interface, Lower, OutputKind, capacity, form, given_capacity, length_from_uniform,
};
use crate::manifest::*;
use crate::options::*;
use crate::pair::{BlockPlan, PackedVarying};
use crate::reflect::{Names, Reflected};
use crate::resources::{Resources, SamplerUniform};
use crate::rewrite::{Home, Part};
use crate::tree::{Scalar, Tree};
use crate::types::Types;
use crate::{Failure, FailureKind, Translation, needs};
use shaderport_diagnostics::codes::dxbc as dxbc_codes;
use shaderport_diagnostics::codes::webgl as codes;
use shaderport_diagnostics::{Code, Diagnostic, Severity};
use shaderport_dxbc::program::{Interpolation, OperandKind, ResourceDimension};
use shaderport_dxbc::{CUSTOM_DATA_MESSAGE, Container, Instruction, Opcode, Program, Stage, SystemValue};

/// Render targets of Direct3D 11.
const MAX_TARGETS: u32 = TARGETS.len() as u32;
const TARGETS: [&str; 8] = [
    "SV_Target0",
    "SV_Target1",
    "SV_Target2",
    "SV_Target3",
    "SV_Target4",
    "SV_Target5",
    "SV_Target6",
    "SV_Target7",
];

/// A container, its program and what both declare.
pub(crate) struct Parsed<'a> {
    pub(crate) program: Program,
    pub(crate) decls: Decls<'a>,
    pub(crate) flow: Flow,
    pub(crate) reflected: Reflected<'a>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What the other stage of a program changes in this one.
#[derive(Debug, Default)]
pub(crate) struct Pairing<'a> {
    /// Outputs of a vertex stage in place of its signature's: the next stage's inputs, then what only it writes.
    pub(crate) outputs: Option<Vec<Element<'a>>>,
    /// Lanes that the stage before writes, by register; only read for a pixel stage.
    pub(crate) written: Option<rustc_hash::FxHashMap<u32, u8>>,
    /// Varyings that share variables.
    pub(crate) packed: &'a [PackedVarying],
    /// Constant buffers that are named or sized differently.
    pub(crate) blocks: &'a [BlockPlan],
    /// Added to the names of textures and buffers in these `t` slots (register, space).
    pub(crate) texture_suffix: Vec<(u32, u32)>,
    /// The suffix.
    pub(crate) suffix: &'static str,
}

fn failure(p: Option<&Program>, kind: FailureKind, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure { kind, stage: p.map(|p| p.stage), model: p.map(|p| (p.major, p.minor)), diagnostics }
}

/// Reads a container and refuses what WebGL2 cannot express.
pub(crate) fn parse<'a>(bytes: &'a [u8], options: &Options) -> Result<Parsed<'a>, Failure> {
    let invalid = |d| failure(None, FailureKind::Invalid, vec![d]);
    let container = Container::parse(bytes).map_err(invalid)?;
    let mut diagnostics = Vec::new();
    if let Some(mut d) = container.check_checksum() {
        if options.strict_checksum {
            d.severity = Severity::Error;
            return Err(invalid(d));
        }
        diagnostics.push(d);
    }
    let chunk = container.program_chunk().map_err(|d| {
        let kind = if d.code.name().starts_with("container-")
            && !matches!(
                d.code.name(),
                "container-truncated" | "container-no-program" | "container-malformed"
            ) {
            FailureKind::Refused
        } else {
            FailureKind::Invalid
        };
        let mut all = diagnostics.clone();
        all.push(d);
        failure(None, kind, all)
    })?;
    let mut program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).map_err(invalid)?;
    let bad = |d| failure(Some(&program), FailureKind::Invalid, vec![d]);
    let input = container.input_signature().map_err(bad)?;
    let output = container.output_signature().map_err(bad)?;
    let mut decls = Decls::gather(&program, input.as_ref(), output.as_ref());
    if options.abi.varyings == VaryingNames::Register {
        decls.join_varyings(program.stage == Stage::Pixel);
    }
    if program.stage == Stage::Pixel
        && let Some(e) = decls.outputs.elements.iter().find(|e| e.register >= MAX_TARGETS)
    {
        let text = format!("render target {} is written; there are {MAX_TARGETS}", e.register);
        return Err(bad(Diagnostic::new(dxbc_codes::SIGNATURE_MALFORMED, text)));
    }
    let refused = needs::refusals(&program, &decls, options);
    if !refused.is_empty() {
        diagnostics.extend(refused);
        return Err(failure(Some(&program), FailureKind::Refused, diagnostics));
    }
    let mut flow = Flow::build(&program, &decls).map_err(|d| bad(*d))?;
    if let Some(joints) = options.abi.joints.filter(|_| program.stage == Stage::Vertex) {
        let adds = match crate::joints::check(&program, &decls, &flow, &joints) {
            Ok(adds) => adds,
            Err(refused) => {
                diagnostics.extend(refused);
                return Err(failure(Some(&program), FailureKind::Refused, diagnostics));
            }
        };
        for &(instruction, source) in &adds {
            program.turn_into_move(instruction, source);
        }
        if !adds.is_empty() {
            let bad = |d: Box<Diagnostic>| failure(Some(&program), FailureKind::Invalid, vec![*d]);
            flow = Flow::build(&program, &decls).map_err(bad)?;
        }
    }
    let reflected = Reflected::read(&container);
    Ok(Parsed { program, decls, flow, reflected, diagnostics })
}

/// Translates what [`parse`] has read.
pub(crate) fn translate<'a>(
    mut parsed: Parsed<'a>,
    options: &Options,
    pairing: Pairing<'a>,
) -> Result<Translation, Failure> {
    if let Some(outputs) = pairing.outputs {
        parsed.decls.replace_outputs(outputs);
    }
    let Parsed { program: p, decls, flow, mut reflected, mut diagnostics } = parsed;
    let bad = |d| failure(Some(&p), FailureKind::Invalid, vec![d]);
    let types = match options.registers {
        Registers::Typed => Types::infer(&p, &decls, &flow),
        Registers::Float => Types::float(&flow, &decls),
    };
    let mut resources = Resources::gather(&p, &decls, &flow, options);
    let refused = crate::rewrite::apply(&mut resources, &p, &decls, options);
    if !refused.is_empty() {
        diagnostics.extend(refused);
        return Err(failure(Some(&p), FailureKind::Refused, diagnostics));
    }
    for b in &mut resources.blocks {
        if let Some(plan) = pairing.blocks.iter().find(|x| x.register == b.register && x.space == b.space) {
            b.name.clone_from(&plan.instance);
            b.rows = b.rows.max(plan.rows);
        }
    }
    resources.rename(&decls, &pairing.texture_suffix, pairing.suffix);
    let mut tree = Tree::with_capacity(p.instructions.len());
    let missing: Vec<bool> = decls
        .inputs
        .elements
        .iter()
        .map(|e| pairing.written.as_ref().is_some_and(|w| w.get(&e.register).is_none_or(|m| m & e.mask == 0)))
        .collect();
    let interface = Interface::build(&p, &decls, &flow, options, &mut tree, &missing, pairing.packed);
    let mut lower = Lower::new(&p, &decls, &flow, &types, options, &resources, tree, interface);
    lower.program().map_err(|d| bad(*d))?;
    interface_extensions(&p, &decls, options, &mut lower);

    let mut emit = Emit {
        p: &p,
        decls: &decls,
        flow: &flow,
        resources: &resources,
        options,
        lower,
        names: reflected.names(&decls, &resources),
        out: String::with_capacity(p.instructions.len() * 32 + 2048),
        line_map: Vec::new(),
    };
    emit.write();
    diagnostics.append(&mut emit.lower.diagnostics);
    warnings(&p, &decls, options, &resources, &mut diagnostics);
    let manifest = manifest(&mut emit);
    limits(options, &manifest, &mut diagnostics);
    let Emit { out: source, .. } = emit;
    if diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return Err(failure(Some(&p), FailureKind::Refused, diagnostics));
    }
    Ok(Translation { stage: p.stage, model: (p.major, p.minor), source, manifest, diagnostics })
}

/// Extensions that the interface needs, whatever the instructions do.
fn interface_extensions(p: &Program, decls: &Decls<'_>, options: &Options, lower: &mut Lower<'_>) {
    let mut need = Vec::new();
    for (e, place) in decls.inputs.elements.iter().zip(&lower.interface.inputs) {
        match place.kind {
            InputKind::Varying => need.extend(qualifier(e, options).1),
            InputKind::SampleIndex => need.push(Extension::SampleVariables),
            InputKind::Distance { .. } => need.push(Extension::ClipCullDistance),
            _ => {}
        }
    }
    for (e, place) in decls.outputs.elements.iter().zip(&lower.interface.outputs) {
        match place.kind {
            OutputKind::Varying if p.stage == Stage::Vertex => need.extend(qualifier(e, options).1),
            OutputKind::Distance { .. } => need.push(Extension::ClipCullDistance),
            _ => {}
        }
    }
    if decls.coverage_in || decls.coverage_out {
        need.push(Extension::SampleVariables);
    }
    // Both qualifiers in one: two extensions.
    let both = decls.inputs.elements.iter().chain(&decls.outputs.elements);
    if both.into_iter().any(|e| {
        e.interpolation == Interpolation::LinearNoPerspectiveSample
            && !options.forbid_extensions.contains(&Extension::MultisampleInterpolation)
    }) {
        need.push(Extension::MultisampleInterpolation);
    }
    lower.extensions.extend(need);
    lower.extensions.sort_unstable();
    lower.extensions.dedup();
}

/// Whether a pixel shader does something after which the order of the depth test shows.
fn order_of_tests_shows(p: &Program, decls: &Decls<'_>) -> bool {
    decls.depth.is_some() || decls.coverage_out || p.instructions.iter().any(|i| i.opcode == Opcode::Discard)
}

fn warnings(
    p: &Program,
    decls: &Decls<'_>,
    options: &Options,
    resources: &Resources,
    out: &mut Vec<Diagnostic>,
) {
    let pixel = p.stage == Stage::Pixel;
    if pixel && decls.early_depth_stencil && order_of_tests_shows(p, decls) {
        out.push(Diagnostic::new(
            codes::EARLY_DEPTH_DROPPED,
            "the shader forces early depth and stencil tests, which WebGL2 cannot",
        ));
    }
    let forbidden = |e: Extension| options.forbid_extensions.contains(&e);
    for e in decls.inputs.elements.iter().filter(|_| pixel) {
        use Interpolation::*;
        let name = || format!("{}{}", e.semantic, e.semantic_index);
        if e.scalar == Scalar::Float
            && matches!(
                e.interpolation,
                LinearNoPerspective | LinearNoPerspectiveCentroid | LinearNoPerspectiveSample
            )
            && forbidden(Extension::NoPerspective)
            && e.system == SystemValue::None
        {
            let text = format!("`{}` is interpolated with perspective", name());
            out.push(Diagnostic::new(codes::NO_PERSPECTIVE_DROPPED, text));
        }
        if matches!(e.interpolation, LinearSample | LinearNoPerspectiveSample)
            && forbidden(Extension::MultisampleInterpolation)
            && e.system == SystemValue::None
        {
            let text = format!("`{}` is interpolated once a pixel", name());
            out.push(Diagnostic::new(codes::SAMPLE_INTERPOLATION_DROPPED, text));
        }
        if matches!(e.system, SystemValue::RenderTargetArrayIndex | SystemValue::ViewportArrayIndex) {
            let text = format!("`{}` is always 0 in WebGL2", e.system.name().unwrap_or("layer"));
            out.push(Diagnostic::new(codes::LAYER_INPUT_ZERO, text));
        }
    }
    for e in decls.inputs.elements.iter().chain(&decls.outputs.elements).filter(|e| !e.in_signature) {
        let text = format!("register {} has no signature element", e.register);
        out.push(Diagnostic::new(codes::COMPONENT_TYPE_MISSING, text));
    }
    for b in &resources.buffers {
        let assumed = given_capacity(options, p.stage, b.register).is_none();
        let block = form(options, p.stage, b.register) == BufferForm::Block;
        if b.read && block && assumed && b.home.is_none() {
            let text = format!("t{} is given {} elements", b.register, options.buffer_capacity);
            out.push(
                Diagnostic::new(codes::BUFFER_CAPACITY_ASSUMED, text)
                    .help(format!("--buffer-capacity t{}=N", b.register)),
            );
        }
    }
}

pub(crate) fn lane_type(s: Scalar) -> LaneType {
    match s {
        Scalar::Float => LaneType::Float,
        Scalar::Int => LaneType::Int,
        Scalar::Uint | Scalar::Bool => LaneType::Uint,
    }
}

/// The textures that a merged one is made of.
fn merged(s: &SamplerUniform, resources: &Resources, options: &Options) -> Option<Merged> {
    if !matches!(s.part, Some(Part::Layer(_) | Part::Channel(_))) {
        return None;
    }
    let merge = options.pixel_resources.merges.iter().find(|m| m.registers.contains(&s.register))?;
    let is_read = |r: u32| resources.samplers.iter().any(|o| o.name == s.name && o.register == r);
    let parts = merge.registers.iter().map(|&register| MergedPart { register, read: is_read(register) });
    Some(Merged { kind: merge.kind, parts: parts.collect() })
}

fn manifest(emit: &mut Emit<'_>) -> Manifest {
    let Names { blocks, samplers, buffers: buffer_names } = std::mem::take(&mut emit.names);
    let (p, decls, options, resources) = (emit.p, emit.decls, emit.options, emit.resources);
    let pixel = p.stage == Stage::Pixel;
    let lower = &emit.lower;
    let name = |n| lower.tree.name_text(n).to_owned();
    let (inputs, written) = (decls.inputs.elements.len(), decls.outputs.elements.len());
    let mut attributes = Vec::with_capacity(if pixel { 0 } else { inputs });
    let mut varyings = Vec::with_capacity(if pixel { inputs } else { written });
    let mut system_values = Vec::new();
    for k in decls.inputs.in_register_order() {
        let (e, place) = (&decls.inputs.elements[k], &lower.interface.inputs[k]);
        let system = |semantic, source, note| SystemInput { semantic, source, note };
        match place.kind {
            InputKind::Attribute { location, converted } => attributes.push(Attribute {
                name: name(place.name),
                location,
                ty: place.declared.keyword(),
                component_type: lane_type(e.scalar),
                value_converted: converted,
                semantic: e.semantic.to_owned(),
                semantic_index: e.semantic_index,
                register: e.register,
                mask: mask_text(e.mask),
            }),
            InputKind::Varying => varyings.push(Varying {
                name: name(place.vector.map_or(place.name, |v| v.name)),
                ty: place.vector.map_or(place.declared, |v| v.ty).keyword(),
                lanes: place.vector.map(|v| v.lanes_text()),
                interpolation: qualifier(e, options).0.trim_end(),
                semantic: e.semantic.to_owned(),
                semantic_index: e.semantic_index,
                register: e.register,
                mask: mask_text(e.mask),
                used_mask: mask_text(e.declared),
            }),
            InputKind::Missing => {}
            InputKind::FragCoord => system_values.push(system("SV_Position", "gl_FragCoord", None)),
            InputKind::FrontFace => system_values.push(system("SV_IsFrontFace", "gl_FrontFacing", None)),
            InputKind::VertexId => system_values.push(system(
                "SV_VertexID",
                "gl_VertexID",
                Some("draw with `first` = 0: Direct3D counts from the start of the draw"),
            )),
            InputKind::InstanceId => system_values.push(system("SV_InstanceID", "gl_InstanceID", None)),
            InputKind::SampleIndex => system_values.push(system("SV_SampleIndex", "gl_SampleID", None)),
            InputKind::Zero => system_values.push(system("SV_RenderTargetArrayIndex", "0", Some("always 0"))),
            InputKind::Distance { .. } => {
                system_values.push(system("SV_ClipDistance", "gl_ClipDistance", None));
            }
        }
    }
    if decls.coverage_in {
        system_values.push(SystemInput { semantic: "SV_Coverage", source: "gl_SampleMaskIn", note: None });
    }
    // Depth and coverage come last.
    let mut outputs = Vec::with_capacity(if pixel { written + 2 } else { 0 });
    for k in decls.outputs.in_register_order() {
        let (e, place) = (&decls.outputs.elements[k], &lower.interface.outputs[k]);
        match place.kind {
            OutputKind::Varying => varyings.push(Varying {
                name: name(place.vector.map_or(place.name, |v| v.name)),
                ty: place.vector.map_or(place.declared, |v| v.ty).keyword(),
                lanes: place.vector.map(|v| v.lanes_text()),
                interpolation: qualifier(e, options).0.trim_end(),
                semantic: e.semantic.to_owned(),
                semantic_index: e.semantic_index,
                register: e.register,
                mask: mask_text(e.mask),
                used_mask: mask_text(place.written & e.mask),
            }),
            OutputKind::Target(n) => outputs.push(Output {
                name: name(place.name),
                location: Some(n),
                ty: place.declared.keyword(),
                written_mask: mask_text(place.written),
                semantic: TARGETS[n as usize % TARGETS.len()].to_owned(),
            }),
            _ => {}
        }
    }
    let mut dropped = Vec::new();
    if let Some(kind) = decls.depth {
        let semantic = match kind {
            OperandKind::OutputDepthGreaterEqual => "SV_DepthGreaterEqual",
            OperandKind::OutputDepthLessEqual => "SV_DepthLessEqual",
            _ => "SV_Depth",
        };
        if kind != OperandKind::OutputDepth {
            dropped.push(format!("{semantic}: written as plain depth, without the promise").into());
        }
        outputs.push(Output {
            name: "gl_FragDepth".into(),
            location: None,
            ty: "float",
            written_mask: "x",
            semantic: semantic.into(),
        });
    }
    if decls.coverage_out {
        outputs.push(Output {
            name: "gl_SampleMask[0]".into(),
            location: None,
            ty: "int",
            written_mask: "x",
            semantic: "SV_Coverage".into(),
        });
    }
    if pixel && decls.early_depth_stencil {
        dropped.push("forced early depth and stencil tests".into());
    }
    let message = |i: &Instruction| i.opcode == Opcode::CustomData && i.controls >> 11 == CUSTOM_DATA_MESSAGE;
    if p.instructions.iter().any(message) {
        dropped.push("debug messages".into());
    }
    let mut uniform_blocks = Vec::with_capacity(blocks.len());
    let mut uniform_arrays = Vec::new();
    for (b, (hlsl_name, constants)) in resources.blocks.iter().zip(blocks) {
        let hlsl_name = hlsl_name.map(str::to_owned);
        match options.abi.constant_form {
            ConstantForm::Array => uniform_arrays.push(UniformArray {
                name: b.name.clone(),
                register: b.register,
                space: b.space,
                rows: b.rows,
                dynamically_indexed: b.dynamic,
                hlsl_name,
                constants,
            }),
            ConstantForm::Block => {
                let mut block = String::with_capacity(24);
                write_block_name(&mut block, &b.name);
                uniform_blocks.push(UniformBlock {
                    block,
                    instance: b.name.clone(),
                    register: b.register,
                    space: b.space,
                    rows: b.rows,
                    byte_size: b.rows * 16,
                    dynamically_indexed: b.dynamic,
                    hlsl_name,
                    constants,
                });
            }
        }
    }
    let mut uniforms = Vec::new();
    let mut unit = 0;
    let mut textures = Vec::with_capacity(samplers.len());
    for (s, (hlsl_texture, hlsl_sampler)) in resources.samplers.iter().zip(samplers) {
        if !s.is_declared {
            continue;
        }
        let t = &decls.textures[s.texture];
        textures.push(Texture {
            merged: merged(s, resources, options),
            name: s.name.clone(),
            ty: sampler_type(s),
            unit,
            register: s.register,
            space: t.slots.space,
            sampler: s.sampler.map(|x| x.1),
            sampler_space: s.sampler.map(|x| decls.samplers[x.0].slots.space),
            comparison: s.comparison,
            dimension: match s.part {
                Some(Part::Layer(_)) => ResourceDimension::Texture2DArray.name(),
                _ => t.dimension.name(),
            },
            component_type: lane_type(s.scalar),
            hlsl_name: hlsl_texture.map(str::to_owned),
            hlsl_sampler: hlsl_sampler.map(str::to_owned),
        });
        unit += 1;
        if s.levels {
            uniforms.push(Uniform {
                name: format!("{}_levels", s.name),
                ty: "uint",
                meaning: format!("number of mip levels of {}", s.name).into(),
            });
        }
    }
    let mut buffers: Vec<Buffer> = Vec::new();
    let bones = resources.buffers.iter().find(|b| b.home == Some(Home::Joints));
    let joints = bones.zip(options.abi.joints).map(|(b, j)| JointRows {
        buffer: b.register,
        slot: j.slot,
        first_row: j.first_row,
        joints: j.joints,
    });
    for (b, hlsl_name) in resources.buffers.iter().zip(buffer_names) {
        if matches!(b.home, Some(Home::Nowhere | Home::Joints)) {
            continue;
        }
        let d = &decls.buffers[b.decl];
        let texture = form(options, p.stage, b.register) == BufferForm::Texture;
        let area = match &b.home {
            Some(Home::Area { texture, texel, texels }) => Some((texture, *texel, *texels)),
            _ => None,
        };
        let shared =
            area.and_then(|(name, ..)| buffers.iter().find(|o| o.name == *name)).and_then(|o| o.unit);
        let (rows, each) = block_rows(decls, options, p.stage, b);
        let length = b.length && length_from_uniform(options, p.stage, b.register);
        if length {
            uniforms.push(Uniform {
                name: format!("{}_length", b.name),
                ty: "uint",
                meaning: match d.kind {
                    BufferKind::Raw => format!("bytes in the buffer of {}", b.name).into(),
                    _ => format!("elements in the buffer of {}", b.name).into(),
                },
            });
        }
        buffers.push(Buffer {
            name: match area {
                Some((name, ..)) => name.clone(),
                None if texture => b.name.clone(),
                None => format!("{}_block", b.name),
            },
            form: form(options, p.stage, b.register),
            unit: (texture && b.read).then_some(shared.unwrap_or(unit)),
            first_texel: area.map(|a| a.1),
            texels: area.map(|a| a.2),
            register: b.register,
            space: d.slots.space,
            kind: match d.kind {
                BufferKind::Typed(_) => "typed",
                BufferKind::Raw => "raw",
                BufferKind::Structured(_) => "structured",
            },
            stride: match d.kind {
                BufferKind::Structured(s) => s,
                BufferKind::Raw => 4,
                BufferKind::Typed(_) => 16,
            },
            capacity: (!texture).then(|| capacity(options, p.stage, b.register)),
            byte_size: (!texture).then(|| rows.saturating_mul(16)),
            rows_per_element: (!texture).then_some(each),
            texture_width: texture.then_some(options.data_texture_width.max(1).next_power_of_two()),
            component_type: match d.kind {
                BufferKind::Typed(r) => Some(lane_type(scalar_of_returns(&r))),
                _ => None,
            },
            length_uniform: length.then(|| format!("{}_length", b.name)),
            hlsl_name: hlsl_name.map(str::to_owned),
        });
        unit += u32::from(texture && b.read && shared.is_none());
    }
    let guaranteed = Limits::GUARANTEED;
    let use_of = |name, used, guaranteed| LimitUse { name, used, guaranteed };
    let blocks =
        uniform_blocks.len() as u32 + buffers.iter().filter(|b| b.form == BufferForm::Block).count() as u32;
    let block_size =
        uniform_blocks.iter().map(|b| b.byte_size).chain(buffers.iter().filter_map(|b| b.byte_size)).max();
    let block_size = block_size.unwrap_or(0);
    let vectors = uniform_arrays.iter().map(|a| a.rows).sum();
    let mut limits = if pixel {
        vec![
            use_of("max_texture_image_units", unit, guaranteed.max_texture_image_units),
            use_of("max_fragment_uniform_blocks", blocks, guaranteed.max_fragment_uniform_blocks),
            use_of("max_uniform_block_size", block_size, guaranteed.max_uniform_block_size),
            use_of("max_varying_vectors", varying_vectors(&varyings), guaranteed.max_varying_vectors),
            use_of(
                "max_draw_buffers",
                outputs.iter().filter_map(|o| o.location).max().map_or(0, |n| n + 1),
                guaranteed.max_draw_buffers,
            ),
        ]
    } else {
        vec![
            use_of("max_vertex_attribs", attributes.len() as u32, guaranteed.max_vertex_attribs),
            use_of("max_vertex_texture_image_units", unit, guaranteed.max_vertex_texture_image_units),
            use_of("max_vertex_uniform_blocks", blocks, guaranteed.max_vertex_uniform_blocks),
            use_of("max_uniform_block_size", block_size, guaranteed.max_uniform_block_size),
            use_of("max_varying_vectors", varying_vectors(&varyings), guaranteed.max_varying_vectors),
        ]
    };
    if !uniform_arrays.is_empty() {
        limits.push(if pixel {
            use_of("max_fragment_uniform_vectors", vectors, guaranteed.max_fragment_uniform_vectors)
        } else {
            use_of("max_vertex_uniform_vectors", vectors, guaranteed.max_vertex_uniform_vectors)
        });
    }
    Manifest {
        manifest_version: MANIFEST_VERSION,
        stage: p.stage.name(),
        model: match (p.major, p.minor) {
            (4, 0) => "4.0".into(),
            (4, 1) => "4.1".into(),
            (5, 0) => "5.0".into(),
            _ => "5.1".into(),
        },
        attributes,
        varyings,
        outputs,
        system_values,
        clip_distances: if pixel { 0 } else { lower.interface.distances[0] },
        uniform_blocks,
        uniform_arrays,
        joints,
        textures,
        buffers,
        uniforms,
        extensions: lower.extensions.clone(),
        limits,
        conventions: Conventions {
            depth_range: options.depth_range,
            flip_y: options.flip_y,
            window_origin: if options.flip_y { "upper-left" } else { "lower-left" },
            front_face: if options.flip_y { "CCW" } else { "CW" },
            provoking_vertex: "first",
        },
        dropped,
        helpers: lower.helpers.names().collect(),
        options: OptionsRecord {
            fidelity: options.fidelity,
            registers: options.registers,
            cb_oob: options.cb_oob,
            integer_attributes: options.integer_attributes,
            vertex_buffers: options.vertex_buffers,
            pixel_buffers: options.pixel_buffers,
            buffer_capacity: options.buffer_capacity,
            buffer_length: options.buffer_length,
            forbid_extensions: options.forbid_extensions.clone(),
        },
        line_map: options.line_map.then(|| std::mem::take(&mut emit.line_map)),
    }
}

/// Compares what is used with the limits: an excess over given limits is an error, over the guaranteed a warning.
fn limits(options: &Options, m: &Manifest, out: &mut Vec<Diagnostic>) {
    let given = options.limits.unwrap_or(Limits::GUARANTEED);
    for u in &m.limits {
        let limit = given.get(u.name);
        if u.used <= limit {
            continue;
        }
        let (code, help): (Code, &'static str) = match (u.name, options.limits) {
            ("max_vertex_attribs", _) => {
                (codes::TOO_MANY_ATTRIBUTES, "pack the inputs, or raise the limit by option")
            }
            (_, Some(_)) => {
                (codes::LIMIT_EXCEEDED, "raise the limit by option where the implementation has more")
            }
            (_, None) => (codes::LIMIT_UNGUARANTEED, "test the limit on the device before using the program"),
        };
        let text = format!("{} of {} are used, {} is the limit", u.used, u.name, limit);
        out.push(Diagnostic::new(code, text).help(help).note(used_by(&m.users(u.name))));
    }
}
