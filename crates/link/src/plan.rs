//! Which varyings, blocks and uniforms a program has, before either stage is translated.

use crate::{ConstantBuffers, LinkOptions, UnusedOutputs};
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::link as codes;
use shaderport_glsl::manifest::LaneType;
use shaderport_glsl::options::{TextureNames, VaryingNames};
use shaderport_glsl::pair::{
    BlockPlan, ConstantBufferUse, InterfaceElement, PackedVarying, StageInterface, StagePlan,
};

/// The plans of both stages.
pub(crate) struct Plan {
    pub(crate) vertex: StagePlan,
    pub(crate) pixel: StagePlan,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many variables the varyings that the pixel stage reads would be.
    pub(crate) varyings: Counts,
}

/// How the varyings are held, from the plainest way to the tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As the options say.
    Named,
    /// All of a register in one variable.
    Registers,
    /// Several elements in one variable, of whatever registers.
    Elements,
}

/// Variables that varyings would be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) named: u32,
    pub(crate) registers: u32,
    pub(crate) elements: u32,
}

impl Counts {
    /// The plainest way that keeps the limit, or the tightest that helps.
    pub(crate) fn packing(&self, limit: u32) -> Packing {
        if self.named <= limit {
            return Packing::Named;
        }
        if self.registers <= limit && self.registers < self.named {
            return Packing::Registers;
        }
        match self.elements.min(self.registers) {
            least if least >= self.named => Packing::Named,
            least if least == self.registers => Packing::Registers,
            _ => Packing::Elements,
        }
    }
}

pub(crate) fn make(
    vertex: &StageInterface,
    pixel: &StageInterface,
    options: &LinkOptions,
    packing: Packing,
) -> Plan {
    let mut plan = Plan {
        vertex: StagePlan { suffix: "_vs", ..StagePlan::default() },
        pixel: StagePlan { suffix: "_ps", ..StagePlan::default() },
        diagnostics: Vec::new(),
        varyings: Counts::default(),
    };
    varyings(vertex, pixel, options, &mut plan);
    if packing == Packing::Elements {
        let read = plan.vertex.outputs.iter().flatten().take(plan.varyings.named as usize);
        let packed = pack(&read.collect::<Vec<_>>());
        plan.vertex.packed.clone_from(&packed);
        plan.pixel.packed = packed;
    }
    blocks(vertex, pixel, options, &mut plan);
    resources(vertex, pixel, options, &mut plan);
    plan
}

fn lanes(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, c)| c).collect()
}

fn label(e: &InterfaceElement) -> String {
    format!("{}{}", e.semantic.to_ascii_uppercase(), e.semantic_index)
}

fn is_varying(e: &InterfaceElement) -> bool {
    shaderport_glsl::pair::is_varying(e.system)
}

/// Varyings are what the pixel stage reads, under its names and in its types; the vertex stage's registers are cut
/// to fit. What only the vertex stage has stays, under its own names.
fn varyings(vertex: &StageInterface, pixel: &StageInterface, options: &LinkOptions, plan: &mut Plan) {
    // Elements by register are as wide as any, whatever the signature covers.
    let whole = options.translation.abi.varyings == VaryingNames::Register;
    let mut outputs = Vec::new();
    let lanes_of = |o: &InterfaceElement| if whole { o.used_mask } else { o.mask };
    let mut written: Vec<(u32, u8)> = Vec::new();
    for o in vertex.outputs.iter().filter(|o| is_varying(o)) {
        match written.iter_mut().find(|w| w.0 == o.register) {
            Some(w) => w.1 |= lanes_of(o),
            None => written.push((o.register, lanes_of(o))),
        }
    }
    let mut taken: Vec<(u32, u8)> = Vec::new();
    for i in pixel.inputs.iter().filter(|i| is_varying(i)) {
        let have = written.iter().find(|w| w.0 == i.register).map_or(0, |w| w.1);
        let lacking = i.used_mask & !have;
        if lacking != 0 {
            plan.diagnostics.push(Diagnostic::new(
                codes::INPUT_MISSING,
                format!(
                    "`{}` reads v{}.{}, which the vertex stage never writes",
                    label(i),
                    i.register,
                    lanes(lacking)
                ),
            ));
        }
        if have & i.mask == 0 {
            continue;
        }
        for o in vertex
            .outputs
            .iter()
            .filter(|o| is_varying(o) && o.register == i.register && o.mask & i.mask != 0)
        {
            if !o.semantic.eq_ignore_ascii_case(&i.semantic) || o.semantic_index != i.semantic_index {
                plan.diagnostics.push(Diagnostic::new(
                    codes::SEMANTIC_MISMATCH,
                    format!(
                        "register {} is `{}` to the vertex and `{}` to the pixel stage",
                        i.register,
                        label(o),
                        label(i)
                    ),
                ));
            }
            if o.component_type != i.component_type {
                plan.diagnostics.push(Diagnostic::new(
                    codes::TYPE_MISMATCH,
                    format!(
                        "`{}` is {:?} to the vertex and {:?} to the pixel stage",
                        label(i),
                        o.component_type,
                        i.component_type
                    )
                    .to_lowercase(),
                ));
            }
        }
        match taken.iter_mut().find(|t| t.0 == i.register) {
            Some(t) => t.1 |= i.mask,
            None => taken.push((i.register, i.mask)),
        }
        outputs.push(InterfaceElement { used_mask: i.mask, ..i.clone() });
    }
    let named = outputs.len() as u32;
    let elements = if pixel.evaluates_inputs || whole {
        named
    } else {
        // Elements that share, and those that stay alone.
        let packed = pack(&outputs.iter().collect::<Vec<_>>());
        let vectors = packed.iter().filter(|p| p.first == 0).count();
        named - packed.len() as u32 + vectors as u32
    };
    plan.varyings = Counts { named, registers: taken.len() as u32, elements };
    for o in &vertex.outputs {
        let mut rest = o.clone();
        if is_varying(o) {
            rest.mask &= !taken.iter().find(|t| t.0 == o.register).map_or(0, |t| t.1);
            if rest.mask == 0 || options.unused_outputs == UnusedOutputs::Drop {
                continue;
            }
        }
        outputs.push(rest);
    }
    plan.vertex.outputs = Some(outputs);
    plan.pixel.written = Some(written);
}

/// Puts elements together that are interpolated alike and of one type, the wide ones first. Those that stay alone are
/// not listed.
fn pack(elements: &[&InterfaceElement]) -> Vec<PackedVarying> {
    let width = |e: &InterfaceElement| e.mask.count_ones() as u8;
    let alike = |a: &InterfaceElement, b: &InterfaceElement| {
        // Integers are flat, whatever is declared.
        a.component_type == b.component_type
            && (a.interpolation == b.interpolation || a.component_type != LaneType::Float)
    };
    let mut order: Vec<&InterfaceElement> = elements.to_vec();
    order.sort_by_key(|e| std::cmp::Reverse(width(e)));
    let mut bins: Vec<Vec<&InterfaceElement>> = Vec::new();
    for e in order {
        let room = |b: &Vec<&InterfaceElement>| {
            alike(b[0], e) && b.iter().map(|o| width(o)).sum::<u8>() + width(e) <= 4
        };
        match bins.iter().position(room) {
            Some(n) => bins[n].push(e),
            None => bins.push(vec![e]),
        }
    }
    bins.retain(|b| b.len() > 1);
    let mut packed = Vec::new();
    for (vector, bin) in (0..).zip(bins) {
        let total = bin.iter().map(|e| width(e)).sum();
        let mut first = 0;
        for e in bin {
            packed.push(PackedVarying { register: e.register, mask: e.mask, vector, width: total, first });
            first += width(e);
        }
    }
    packed
}

/// Whether reflection proves that two stages mean one buffer: one name, one layout.
fn is_same_buffer(a: &ConstantBufferUse, b: &ConstantBufferUse) -> bool {
    let layout = |c: &ConstantBufferUse| {
        c.constants
            .iter()
            .map(|k| (k.name.clone(), k.ty.clone(), k.offset, k.size, k.elements))
            .collect::<Vec<_>>()
    };
    a.hlsl_name.is_some() && a.hlsl_name == b.hlsl_name && !a.constants.is_empty() && layout(a) == layout(b)
}

/// Slots of the pixel stage that are moved to where another buffer is.
fn moved_slots(vertex: &StageInterface, pixel: &StageInterface, options: &LinkOptions, plan: &mut Plan) {
    let moves = &options.translation.abi.pixel_slots;
    let target = |slot: u32| moves.iter().find(|m| m.from == slot).map_or(slot, |m| m.to);
    let read: Vec<u32> = pixel.constant_buffers.iter().filter(|b| b.space == 0).map(|b| b.register).collect();
    for (n, &slot) in read.iter().enumerate() {
        let to = target(slot);
        let mut found = |by: String| {
            let text = format!("b{slot} of the pixel stage is bound as b{to}, {by}");
            plan.diagnostics.push(Diagnostic::new(codes::SLOT_TAKEN, text));
        };
        if let Some(m) = moves.iter().find(|m| m.from == slot && m.to != to) {
            found(format!("and as b{} by another rule", m.to));
        }
        if to == slot {
            continue;
        }
        // Two that move to one place are one finding, with the later of them.
        let stays = read.iter().find(|&&o| o == to && target(o) == to);
        let moves_too = read[..n].iter().find(|&&o| o != slot && o != to && target(o) == to);
        // In a block for both stages the vertex stage would read what is another buffer to it.
        let of_vertex = options.constant_buffers == ConstantBuffers::Shared
            && vertex.constant_buffers.iter().any(|v| (v.register, v.space) == (to, 0));
        match (stays, moves_too) {
            (Some(_), _) => found("which it reads too".into()),
            (None, Some(other)) => found(format!("and so is b{other}")),
            (None, None) if of_vertex => found("which the vertex stage reads".into()),
            (None, None) => {}
        }
    }
}

fn blocks(vertex: &StageInterface, pixel: &StageInterface, options: &LinkOptions, plan: &mut Plan) {
    moved_slots(vertex, pixel, options, plan);
    let sharing = options.constant_buffers;
    for v in &vertex.constant_buffers {
        let Some(p) = pixel.constant_buffers.iter().find(|p| p.instance == v.instance) else { continue };
        let shared = sharing == ConstantBuffers::Shared || is_same_buffer(v, p);
        let name = &v.instance;
        let rows = if shared { v.rows.max(p.rows) } else { 0 };
        for (stage, own, suffix) in [(&mut plan.vertex, v, "_vs"), (&mut plan.pixel, p, "_ps")] {
            stage.blocks.push(BlockPlan {
                register: own.register,
                space: own.space,
                instance: if shared { name.clone() } else { format!("{name}{suffix}") },
                rows,
            });
        }
    }
}

/// A `t` slot of both stages is one resource only where reflection names it alike and every uniform of it agrees.
fn resources(vertex: &StageInterface, pixel: &StageInterface, options: &LinkOptions, plan: &mut Plan) {
    let by_stage = options.translation.abi.textures == TextureNames::Stage;
    for v in &vertex.resources {
        let slot = (v.register, v.space);
        if plan.vertex.renamed.contains(&slot)
            || !pixel.resources.iter().any(|p| (p.register, p.space) == slot)
        {
            continue;
        }
        let of = |i: &StageInterface| {
            i.resources.iter().filter(|r| (r.register, r.space) == slot).cloned().collect::<Vec<_>>()
        };
        let (a, b) = (of(vertex), of(pixel));
        if by_stage && a.iter().all(|x| b.iter().all(|y| x.name != y.name)) {
            continue;
        }
        let is_buffer = a.iter().chain(&b).any(|r| !r.kind.contains("sampler"));
        let named = a.iter().chain(&b).all(|r| r.hlsl_name.is_some());
        // Uniforms of one name have to be one thing; buffers take different forms in the two stages.
        let agree = a
            .iter()
            .all(|x| b.iter().all(|y| x.name != y.name || (x.kind == y.kind && x.hlsl_name == y.hlsl_name)))
            && a.iter().all(|x| {
                b.iter().all(|y| x.hlsl_name.as_ref().map(|n| &n.0) == y.hlsl_name.as_ref().map(|n| &n.0))
            });
        if !named || !agree || is_buffer {
            plan.vertex.renamed.push(slot);
            plan.pixel.renamed.push(slot);
        }
    }
}
