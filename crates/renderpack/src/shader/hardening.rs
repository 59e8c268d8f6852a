//! What the contract forbids and upstream does not look at.

use super::{Checker, HARDENING, Shader};
use crate::abi::{Block, Layout, SetKind, Slot, Stage};
use crate::shape::{field_fits, fits, member_text, ty_text, type_text};
use shaderport_diagnostics::codes::{renderpack as codes, spirv as spirv_codes};
use shaderport_spirv::spirv::{
    AddressingModel, BuiltIn, Decoration as D, ExecutionMode, MemoryModel, Op, StorageClass as C,
};
use shaderport_spirv::{Instruction, Member, Module, Scalar, Type, capability_name};
use std::collections::HashSet;

impl Checker<'_> {
    pub(super) fn harden(&mut self, shader: &Shader) {
        let Some(module) = self.module else { return };
        self.reader_findings(shader);
        self.models(module);
        self.capabilities(module);
        self.instructions(module);
        self.table_samplers(module);
        self.renderer_layouts(module);
        self.writes(module);
        self.stage_interface(module);
        self.semantics(module);
    }

    /// Errors of the reader that upstream does not look for.
    fn reader_findings(&mut self, shader: &Shader) {
        for d in &shader.diagnostics {
            let code =
                if d.code == spirv_codes::DUPLICATE_DECORATION { codes::SHADER_DECORATION } else { d.code };
            if HARDENING.contains(&code)
                && let Some(f) = self.harden_at(code, d.place, d.message.to_string())
            {
                // The reader only warns of duplicate decorations, which a checked layout must not have.
                if code == d.code {
                    f.severity = d.severity;
                }
            }
        }
    }

    fn models(&mut self, module: &Module) {
        let wanted = (AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32);
        let Some(found) = module.memory_model.filter(|m| *m != wanted) else { return };
        let place =
            module.instructions().find(|i| i.is(Op::MemoryModel)).map(|i| i.place()).unwrap_or_default();
        let name = |(a, m): (u32, u32)| {
            let a = AddressingModel::from_u32(a).map_or(a.to_string(), |x| format!("{x:?}"));
            let m = MemoryModel::from_u32(m).map_or(m.to_string(), |x| format!("{x:?}"));
            format!("{a} {m}")
        };
        if let Some(f) = self.harden_at(
            codes::SHADER_MEMORY_MODEL,
            place,
            "the module does not use logical addressing and the GLSL450 memory model",
        ) {
            f.says(name(wanted), name(found));
        }
    }

    fn capabilities(&mut self, module: &Module) {
        for inst in module.instructions().filter(|i| i.is(Op::Capability)) {
            let Some(number) = inst.operand(1) else { continue };
            let row = self.abi.capabilities.iter().find(|c| c.capability as u32 == number);
            let allowed = row.is_some_and(|c| {
                c.stage.is_none_or(|s| s == self.stage) && (!c.multiview_only || self.access.role.multiview)
            });
            if !allowed {
                let names: Vec<_> =
                    self.abi.capabilities.iter().map(|c| capability_name(c.capability as u32)).collect();
                let name = capability_name(number);
                let known = row.is_some();
                let message = format!("the capability {name} is not available to this shader role");
                if let Some(f) = self.harden_at(codes::SHADER_CAPABILITY, inst.place(), message) {
                    f.says(format!("only {}", names.join(", ")), name);
                    if known {
                        f.notes("the capability is available to other stages or roles");
                    }
                }
            }
        }
    }

    fn instructions(&mut self, module: &Module) {
        let mut seen = Vec::new();
        for inst in module.instructions() {
            let op = Op::from_u32(u32::from(inst.opcode));
            let name = shaderport_spirv::op_name(inst.opcode).unwrap_or_default();
            let forbidden = name.starts_with("Atomic")
                || name.starts_with("CooperativeMatrix")
                || name.starts_with("RayQuery")
                || matches!(
                    op,
                    Some(Op::ImageTexelPointer | Op::ConvertUToPtr | Op::ConvertPtrToU | Op::PtrAccessChain)
                );
            if forbidden && !seen.contains(&inst.opcode) {
                seen.push(inst.opcode);
                self.harden_at(
                    codes::SHADER_FORBIDDEN_OP,
                    inst.place(),
                    format!("the instruction Op{name} is not available to packs"),
                );
            }
            if matches!(op, Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse)) {
                let name = inst
                    .result()
                    .and_then(|id| module.name(id))
                    .map(|n| format!(" `{n}`"))
                    .unwrap_or_default();
                self.harden_at(
                    codes::SHADER_SPEC_CONSTANT,
                    inst.place(),
                    format!("the specialisation constant{name} always has its default value"),
                );
            }
        }
    }

    fn table_samplers(&mut self, module: &Module) {
        let table = &self.abi.table;
        for v in module.variables().filter(|v| binding_of(module, v) == Some((table.set, table.binding))) {
            let image = module.pointee(&v).and_then(|(_, ty)| match module.ty(ty)? {
                Type::RuntimeArray { element } => match module.ty(element)? {
                    Type::SampledImage { image } => module.ty(image),
                    _ => None,
                },
                _ => None,
            });
            let Some(Type::Image { sampled_type, depth, multisampled, .. }) = image else { continue };
            let found = module.pointee(&v).map(|(_, ty)| type_text(module, ty, None, 4)).unwrap_or_default();
            let place = v.place();
            let what = format!("set {} binding {}", table.set, table.binding);
            let rules = [
                (
                    codes::SHADER_SAMPLED_TYPE,
                    module.scalar(sampled_type) != Some(Scalar::Float { width: 32 }),
                    "must sample 32-bit floats",
                ),
                (codes::SHADER_SAMPLED_DEPTH, depth == 1, "must not compare depth"),
                (codes::SHADER_SAMPLED_MULTISAMPLED, multisampled != 0, "must not be multisampled"),
            ];
            for (code, broken, message) in rules {
                if broken && let Some(f) = self.harden_at(code, place, format!("{what} {message}")) {
                    f.says("sampler2DArray[]", found.clone());
                }
            }
        }
    }

    /// Layouts of the renderer's own blocks, where the table knows them, and stages without a use for them.
    fn renderer_layouts(&mut self, module: &Module) {
        let mut seen = HashSet::new();
        for v in module.variables() {
            let Some((set, binding)) = binding_of(module, &v) else { continue };
            // A second variable of a binding is refused for being one.
            if !seen.insert((set, binding)) {
                continue;
            }
            let class = v.operand(3).and_then(C::from_u32);
            let role = self.access.role;
            let granted = match self.abi.set_kind(set) {
                Some(SetKind::RendererStorage) => {
                    role.storage.contains(&binding) && class == Some(C::StorageBuffer)
                }
                Some(SetKind::RendererUniforms) => {
                    role.uniforms.contains(&binding) && class == Some(C::Uniform)
                }
                _ => false,
            };
            let Some(block) = self.abi.block(Slot::Binding { set, binding }).filter(|_| granted) else {
                continue;
            };
            let storage = self.abi.set_kind(set) == Some(SetKind::RendererStorage);
            if storage && role.storage_in_vertex_only && self.stage != Stage::Vertex {
                let message = format!(
                    "set {set} binding {binding} has no use in the fragment stage of this shader role"
                );
                self.harden_at(codes::SHADER_STAGE_STORAGE, v.place(), message);
            }
            let Some(members) = module.pointee(&v).and_then(|(_, ty)| module.members(ty)) else { continue };
            if let Some((expected, found)) = departure(module, block, &members) {
                let message = format!(
                    "set {set} binding {binding} does not have the layout of the renderer's {}",
                    block.name
                );
                if let Some(f) = self.harden_at(codes::SHADER_PRIVATE_LAYOUT, v.place(), message) {
                    f.says(expected, found)
                        .helps("include the generated header: `shaderport pack abi --format glsl`");
                }
            }
        }
    }

    fn writes(&mut self, module: &Module) {
        for v in module.variables() {
            let Some(id) = v.result() else { continue };
            let class = v.operand(3).and_then(C::from_u32);
            let guarded =
                matches!(class, Some(C::StorageBuffer | C::Uniform | C::PushConstant | C::UniformConstant));
            let Some(&at) = self.uses.written.get(&id).filter(|_| guarded) else { continue };
            let place = module.instruction(at).map(|i| i.place()).unwrap_or_default();
            let name = module.name(id).or_else(|| module.pointee(&v).and_then(|(_, ty)| module.name(ty)));
            let name = name.map_or_else(|| format!("%{id}"), |n| format!("`{n}`"));
            self.harden_at(codes::SHADER_STORE, place, format!("the buffer {name} is written"));
        }
        for &at in &self.uses.untraced {
            let place = module.instruction(at).map(|i| i.place()).unwrap_or_default();
            self.harden_at(
                codes::SHADER_STORE_UNTRACED,
                place,
                "a write goes through a pointer that comes from no variable",
            );
        }
    }

    fn stage_interface(&mut self, module: &Module) {
        let Some(entry) = module.entry_points.first() else { return };
        for id in module.unlisted(entry, self.uses) {
            let Some(v) = module.definition(id) else { continue };
            self.harden_at(
                codes::SHADER_UNLISTED,
                v.place(),
                format!("the entry point does not list the variable %{id} that it uses"),
            );
        }
        let listed: HashSet<u32> = entry.interface.iter().copied().collect();
        for v in module.variables() {
            let Some(id) = v.result() else { continue };
            let class = v.operand(3).and_then(C::from_u32);
            let built_in = module.decoration_value(id, None, D::BuiltIn).and_then(BuiltIn::from_u32);
            if built_in == Some(BuiltIn::ViewIndex) && !self.access.role.multiview {
                self.harden_at(
                    codes::SHADER_VIEW_INDEX,
                    v.place(),
                    "gl_ViewIndex is available to multiview casters alone",
                );
            }
            if self.stage != Stage::Fragment || class != Some(C::Output) || !listed.contains(&id) {
                continue;
            }
            let exports = matches!(
                built_in,
                Some(BuiltIn::FragDepth | BuiltIn::FragStencilRefEXT | BuiltIn::SampleMask)
            );
            if exports {
                let message = format!(
                    "the fragment shader writes {}",
                    built_in.map(|b| format!("{b:?}")).unwrap_or_default()
                );
                self.harden_at(codes::SHADER_DEPTH_EXPORT, v.place(), message);
            } else if let Some(location) = module.decoration_value(id, None, D::Location) {
                let locations = match module.pointee(&v).map(|(_, ty)| module.count(ty)) {
                    Some(shaderport_spirv::Count::Sized(n)) => n,
                    _ => 1,
                };
                let last = location.saturating_add(locations.saturating_sub(1));
                let attachments = self.access.role.colour_outputs;
                let second = module.decoration_value(id, None, D::Index).is_some_and(|i| i != 0);
                if last >= attachments || second {
                    let message =
                        format!("the output at location {last} has no attachment in this shader role");
                    if let Some(f) = self.harden_at(codes::SHADER_OUTPUTS, v.place(), message) {
                        f.says(
                            format!("{attachments} colour outputs"),
                            format!("an output at location {last}"),
                        );
                    }
                }
            }
        }
        let replaces = [ExecutionMode::DepthReplacing as u32, ExecutionMode::StencilRefReplacingEXT as u32];
        let writes_depth = module
            .variables()
            .filter_map(|v| module.decoration_value(v.result()?, None, D::BuiltIn))
            .any(|b| b == BuiltIn::FragDepth as u32 || b == BuiltIn::FragStencilRefEXT as u32);
        if !writes_depth && module.execution_modes.iter().any(|m| replaces.contains(&m.mode)) {
            let place = module
                .instructions()
                .find(|i| i.is(Op::ExecutionMode))
                .map(|i| i.place())
                .unwrap_or_default();
            self.harden_at(
                codes::SHADER_DEPTH_EXPORT,
                place,
                "the fragment shader replaces depth or stencil",
            );
        }
    }

    /// Members that are read without any semantic that fills them.
    fn semantics(&mut self, module: &Module) {
        for v in module.variables() {
            let Some((set, binding)) = binding_of(module, &v) else { continue };
            let Some(block) = self.abi.block(Slot::Binding { set, binding }) else { continue };
            let by_input = self.access.by_input(self.abi, binding, self.options.compat);
            if self.abi.set_kind(set) != Some(SetKind::Blocks)
                || !by_input
                || self.access.role.blocks.contains(&binding)
            {
                continue;
            }
            let Some(used) = v.result().and_then(|id| self.uses.members.get(&id)) else { continue };
            for (k, field) in block.fields.iter().enumerate() {
                let at = used.members.get(&(k as u32)).copied().or(used.whole);
                let declared = field.opened_by.iter().any(|s| self.access.inputs.iter().any(|i| i == s));
                let Some(at) = at.filter(|_| !field.opened_by.is_empty() && !declared) else { continue };
                let place = module.instruction(at).map(|i| i.place()).unwrap_or_default();
                let message = format!("`{}` is read, but no declared semantic brings it", field.name);
                let inputs = self.access.inputs.join(", ");
                if let Some(f) = self.harden_at(codes::SHADER_SEMANTIC, place, message) {
                    f.says(format!("one of {} in semanticInputs", field.opened_by.join(", ")), inputs)
                        .notes(format!("{} holds {}", field.name, field.doc));
                }
            }
        }
    }
}

fn binding_of(module: &Module, v: &Instruction<'_>) -> Option<(u32, u32)> {
    let id = v.result()?;
    Some((
        module.decoration_value(id, None, D::DescriptorSet)?,
        module.decoration_value(id, None, D::Binding)?,
    ))
}

/// How a renderer's block departs from the table: what is expected and what is there.
fn departure(module: &Module, block: &Block, members: &[Member]) -> Option<(String, String)> {
    match block.layout {
        Layout::Opaque => None,
        Layout::Versions(_) => {
            if members.len() != block.fields.len() {
                return Some((
                    format!("{} members in {} bytes", block.fields.len(), block.bytes()?),
                    format!("{} members", members.len()),
                ));
            }
            let (m, f) = members.iter().zip(block.fields).find(|(m, f)| !field_fits(module, m, f, true))?;
            Some((format!("{} at offset {}", ty_text(&f.ty), f.offset), member_text(module, m)))
        }
        Layout::Elements { stride } => {
            let expected = match block.fields {
                [] => format!("a runtime array of stride {stride}"),
                [f] => format!("{}[] (stride {stride})", ty_text(&f.ty)),
                fields => format!("a runtime array of {} members in {stride} bytes", fields.len()),
            };
            let [m] = members else { return Some((expected, format!("{} members", members.len()))) };
            let Some(Type::RuntimeArray { element }) = module.ty(m.ty) else {
                return Some((expected, member_text(module, m)));
            };
            let element_fits = match block.fields {
                [] => true,
                [f] => fits(module, element, m, &f.ty, true),
                fields => module.members(element).is_some_and(|e| {
                    e.len() == fields.len()
                        && e.iter().zip(fields).all(|(m, f)| field_fits(module, m, f, true))
                }),
            };
            let sound = m.offset == Some(0) && module.array_stride(m.ty) == Some(stride) && element_fits;
            (!sound).then(|| (expected, member_text(module, m)))
        }
    }
}
