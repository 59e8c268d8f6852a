//! Push constants and descriptors: upstream's checks 5 and the block layouts.

use super::Checker;
use crate::abi::{Block, Field, Layout, SetKind, Slot};
use crate::finding::{Finding, bounded};
use crate::role::Access;
use crate::shape::{field_fits, fits, member_text, std140_notes, ty_text, type_text};
use shaderport_diagnostics::codes::renderpack as codes;
use shaderport_diagnostics::{Code, Place};
use shaderport_spirv::spirv::{Decoration as D, Dim, Op, StorageClass as C};
use shaderport_spirv::{Instruction, Member, Module, Type};
use std::collections::BTreeMap;

impl Checker<'_> {
    /// Every module-scope variable, in the order of the file, used or not.
    pub(super) fn variables(&mut self) {
        let Some(module) = self.module else { return };
        let mut pushes = 0;
        let mut bound: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for v in module.variables() {
            let Some(id) = v.result() else { continue };
            match v.operand(3).and_then(C::from_u32) {
                Some(C::PushConstant) => {
                    pushes += 1;
                    if pushes > 1 {
                        self.add_variable(
                            codes::SHADER_PUSH_DUPLICATE,
                            &v,
                            "the module declares more than one push-constant block",
                        );
                    } else {
                        self.push(module, &v);
                    }
                }
                Some(class @ (C::UniformConstant | C::Uniform | C::StorageBuffer)) => {
                    let value = |d| module.decoration_value(id, None, d);
                    let (Some(set), Some(binding)) = (value(D::DescriptorSet), value(D::Binding)) else {
                        let lacks: Vec<_> = [D::DescriptorSet, D::Binding]
                            .into_iter()
                            .filter(|d| value(*d).is_none())
                            .map(|d| format!("{d:?}"))
                            .collect();
                        let name = module.name(id).map(|n| bounded(format!("the variable is `{n}`")));
                        self.add_variable(
                            codes::SHADER_UNBOUND,
                            &v,
                            format!("descriptor %{id} does not declare both set and binding"),
                        )
                        .says(
                            "a DescriptorSet and a Binding decoration",
                            format!("no {}", lacks.join(" and no ")),
                        )
                        .notes
                        .extend(name);
                        continue;
                    };
                    if let Some(first) = bound.insert((set, binding), id) {
                        self.add_variable(
                            codes::SHADER_ALIASED,
                            &v,
                            format!("descriptor set {set} binding {binding} is declared more than once"),
                        )
                        .notes(format!("the variables are %{first} and %{id}"));
                        continue;
                    }
                    self.descriptor(module, &v, class, set, binding);
                }
                _ => {}
            }
        }
    }

    fn push(&mut self, module: &Module, v: &Instruction<'_>) {
        let Some(block) = self.abi.block(Slot::Push) else {
            self.add_variable(codes::SHADER_PUSH_LAYOUT, v, "the ABI has no push-constant block");
            return;
        };
        let ty = module.pointee(v).map_or(0, |(_, ty)| ty);
        let members = module.members(ty).filter(|_| module.is_decorated(ty, None, D::Block));
        let Some(members) = members.filter(|m| m.len() == block.fields.len()) else {
            let found = type_text(module, ty, None, 3);
            self.add_variable(codes::SHADER_PUSH_LAYOUT, v, block.count_reason)
                .says(
                    format!(
                        "a Block of {} members in {} bytes",
                        block.fields.len(),
                        block.bytes().unwrap_or(0)
                    ),
                    found,
                )
                .helps("include the generated header: `shaderport pack abi --format glsl`");
            return;
        };
        for (m, f) in members.iter().zip(block.fields).filter(|(m, f)| m.offset != Some(f.offset)) {
            self.member(codes::SHADER_PUSH_LAYOUT, v, block.offset_reason, m, f);
        }
        for (m, f) in members.iter().zip(block.fields).filter(|(m, f)| !fits(module, m.ty, m, &f.ty, false)) {
            self.member(codes::SHADER_PUSH_LAYOUT, v, block.type_reason, m, f);
        }
    }

    fn member(
        &mut self,
        code: Code,
        v: &Instruction<'_>,
        reason: &str,
        m: &Member,
        f: &Field,
    ) -> &mut Finding {
        let found = self.module.map(|module| member_text(module, m)).unwrap_or_default();
        let rules = self.module.map(|module| std140_notes(module, m)).unwrap_or_default();
        let finding = self.add_variable(code, v, reason);
        finding.notes(format!("member {} is `{}`: {}", m.index, f.name, f.doc)).notes.extend(rules);
        finding
            .says(format!("{} at offset {}", ty_text(&f.ty), f.offset), found)
            .helps("include the generated header: `shaderport pack abi --format glsl`")
    }

    fn descriptor(&mut self, module: &Module, v: &Instruction<'_>, class: C, set: u32, binding: u32) {
        let table = &self.abi.table;
        if (set, binding) == (table.set, table.binding) {
            self.table(module, v);
            return;
        }
        match (self.abi.set_kind(set), class) {
            (Some(SetKind::Blocks), _) => self.pack_block(module, v, class, set, binding),
            (Some(SetKind::RendererStorage), C::StorageBuffer) => self.storage(module, v, set, binding),
            (Some(SetKind::RendererUniforms), C::Uniform) => self.renderer_block(module, v, set, binding),
            _ => {
                let found =
                    module.pointee(v).map(|(_, ty)| type_text(module, ty, None, 3)).unwrap_or_default();
                let old =
                    module.pointee(v).is_some_and(|(_, ty)| module.is_decorated(ty, None, D::BufferBlock));
                let what = self.contract_text();
                let place = self.place_of(module, v);
                let f = self.add_variable(
                    codes::SHADER_NO_BINDING,
                    v,
                    format!("descriptor set {set} binding {binding} has no {} binding", self.abi.label),
                );
                f.says(what, format!("{found} at set {set}, binding {binding}"));
                if let Some(place) = place {
                    f.notes(place);
                }
                if old {
                    f.helps("compile for Vulkan 1.1 or later (SPIR-V 1.3): older targets write storage buffers as BufferBlock");
                }
            }
        }
    }

    /// Where the table has what a variable seems to be meant for: a block of its name, or the textures.
    fn place_of(&self, module: &Module, v: &Instruction<'_>) -> Option<String> {
        let pointee = pointee_of(module, v);
        let name = module.name(pointee);
        let block = self.abi.blocks.iter().find(|b| Some(b.name) == name.as_deref());
        if let Some(Slot::Binding { set, binding }) = block.map(|b| b.slot) {
            return Some(format!("`{}` is at set {set}, binding {binding}", name.unwrap_or_default()));
        }
        let element = match module.ty(pointee) {
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => element,
            _ => pointee,
        };
        let sampled =
            matches!(module.ty(element), Some(Type::SampledImage { .. } | Type::Image { sampled: 1, .. }));
        let t = &self.abi.table;
        sampled.then(|| {
            format!("textures are in the table `{}` at set {}, binding {}", t.name, t.set, t.binding)
        })
    }

    /// What the role may declare, for messages.
    fn contract_text(&self) -> String {
        let abi = self.abi;
        let mut parts = Vec::new();
        if self.access.table(abi) {
            parts.push(format!("set {} binding {}", abi.table.set, abi.table.binding));
        }
        for b in abi.blocks {
            let Slot::Binding { set, binding } = b.slot else { continue };
            let allowed = match abi.set_kind(set) {
                Some(SetKind::Blocks) => self.access.block(abi, binding, self.options.compat),
                Some(SetKind::RendererStorage) => self.access.role.storage.contains(&binding),
                Some(SetKind::RendererUniforms) => self.access.role.uniforms.contains(&binding),
                None => false,
            };
            if allowed {
                parts.push(format!("set {set} binding {binding} ({})", b.name));
            }
        }
        if parts.is_empty() { "no descriptor".into() } else { parts.join(", ") }
    }

    fn table(&mut self, module: &Module, v: &Instruction<'_>) {
        let t = &self.abi.table;
        let (set, binding) = (t.set, t.binding);
        if !self.access.table(self.abi) {
            let inputs: Vec<_> = self.abi.inputs.iter().filter(|i| i.opens_table).map(|i| i.name).collect();
            self.add_variable(
                codes::SHADER_TABLE_UNDECLARED,
                v,
                format!("set {set} binding {binding} is sampled without a declared semantic/resource input"),
            )
            .helps(format!("declare a resource read or one of {}", inputs.join(", ")));
            return;
        }
        let pointee = module.pointee(v).map(|(_, ty)| ty);
        let image = pointee.and_then(|ty| match module.ty(ty)? {
            Type::RuntimeArray { element } => match module.ty(element)? {
                Type::SampledImage { image } => module.ty(image),
                _ => None,
            },
            _ => None,
        });
        let fits = matches!(image, Some(Type::Image { dim, arrayed: 1, sampled: 1, .. }) if dim == Dim::Dim2D as u32);
        if !fits {
            let sized = pointee.is_some_and(|ty| matches!(module.ty(ty), Some(Type::Array { .. })));
            let found = pointee.map(|ty| type_text(module, ty, None, 4)).unwrap_or_default();
            let f = self.add_variable(
                codes::SHADER_TABLE_SHAPE,
                v,
                format!(
                    "set {set} binding {binding} must be one runtime array of combined 2-D-array samplers"
                ),
            );
            f.says("sampler2DArray[]", found);
            if sized {
                f.notes("a compiler gives an unsized array a size when it is indexed by constants alone, or not at all")
                    .helps(format!("write `{}[]`, and index it with `nonuniformEXT` of a slot number", t.name));
            }
        }
    }

    fn pack_block(&mut self, module: &Module, v: &Instruction<'_>, class: C, set: u32, binding: u32) {
        if class != C::Uniform {
            self.add_variable(
                codes::SHADER_BLOCK_CLASS,
                v,
                format!("set {set} binding {binding} must be a uniform buffer"),
            )
            .says("a uniform block", format!("storage class {class:?}"));
            return;
        }
        if !self.access.block(self.abi, binding, self.options.compat) {
            let openers = Access::openers(self.abi, binding);
            let what = self.contract_text();
            let block = self.abi.block(Slot::Binding { set, binding });
            let place = self.place_of(module, v).filter(|_| block.is_none());
            let f = self.add_variable(
                codes::SHADER_BLOCK_UNDECLARED,
                v,
                format!("set {set} binding {binding} is not declared for this shader role"),
            );
            f.says(what, block.map_or("a reserved binding".into(), |b| b.name.to_owned()));
            if let Some(place) = place {
                f.notes(place);
            }
            if self.access.role.by_inputs && !openers.is_empty() {
                self.help_last(format!("declare one of {} in semanticInputs", openers.join(", ")));
            }
            return;
        }
        let pointee = module.pointee(v).map_or(0, |(_, ty)| ty);
        let members = module.members(pointee).filter(|_| module.is_decorated(pointee, None, D::Block));
        let Some(members) = members else {
            let found = type_text(module, pointee, None, 3);
            self.add_variable(
                codes::SHADER_BLOCK_STRUCT,
                v,
                format!("set {set} binding {binding} must point to one std140 Block struct"),
            )
            .says("one structure with the Block decoration", found);
            return;
        };
        if let Some(block) = self.abi.block(Slot::Binding { set, binding }) {
            self.block_layout(module, v, block, &members);
        }
    }

    fn help_last(&mut self, help: String) {
        // The finding was just added.
        self.findings.last_mut().map(|f| f.helps(help));
    }

    fn block_layout(
        &mut self,
        module: &Module,
        v: &Instruction<'_>,
        block: &'static Block,
        members: &[Member],
    ) {
        let Layout::Versions(versions) = block.layout else { return };
        if !versions.iter().any(|x| x.members == members.len()) {
            let expected: Vec<_> =
                versions.iter().map(|x| format!("{} members in {} bytes", x.members, x.bytes)).collect();
            let different = members.iter().zip(block.fields).find(|(m, f)| !field_fits(module, m, f, false));
            let note = different.map(|(m, f)| {
                let (want, found) = (ty_text(&f.ty), member_text(module, m));
                format!("the first member that differs is {} (`{}`): {want} at offset {} is expected, {found} is there", m.index, f.name, f.offset)
            });
            let f = self.add_variable(codes::SHADER_BLOCK_LAYOUT, v, block.count_reason);
            f.says(expected.join(", or "), format!("{} members", members.len()))
                .helps("include the generated header: `shaderport pack abi --format glsl`")
                .notes
                .extend(note);
            // What is there, with what it takes: the first few members tell what went wrong.
            let table = members.iter().take(16).map(|m| {
                let bytes = module.size_in_block(m.ty, m).map_or("?".into(), |e| e.bytes.to_string());
                let name = module.member_name(pointee_of(module, v), m.index).unwrap_or_default();
                format!("member {} `{name}`: {}, {bytes} bytes", m.index, member_text(module, m))
            });
            f.notes.extend(table);
            f.notes.extend(members.iter().flat_map(|m| std140_notes(module, m)).take(4));
            return;
        }
        for (m, f) in members.iter().zip(block.fields).filter(|(m, f)| !field_fits(module, m, f, false)) {
            let own = if m.offset == Some(f.offset) { block.type_reason } else { block.offset_reason };
            let reason = if f.reason.is_empty() { own } else { f.reason };
            self.member(codes::SHADER_BLOCK_LAYOUT, v, reason, m, f);
        }
    }

    fn storage(&mut self, module: &Module, v: &Instruction<'_>, set: u32, binding: u32) {
        if !self.access.role.storage.contains(&binding) {
            let what = self.contract_text();
            self.add_variable(
                codes::SHADER_STORAGE_UNDECLARED,
                v,
                format!("set {set} binding {binding} storage access is not allowed for this shader role"),
            )
            .says(what, format!("set {set} binding {binding}"));
            return;
        }
        let (id, pointee) = (v.result().unwrap_or(0), module.pointee(v).map_or(0, |(_, ty)| ty));
        let members = module.members(pointee);
        let locked = module.is_decorated(id, None, D::NonWritable)
            || members.as_ref().is_some_and(|m| !m.is_empty() && m.iter().all(|m| m.non_writable));
        if !locked {
            self.add_variable(
                codes::SHADER_STORAGE_WRITABLE,
                v,
                format!("set {set} binding {binding} is writable; render-pack storage writes are forbidden"),
            )
            .says("NonWritable on the variable or on every member", "neither")
            .helps("declare the buffer `readonly`");
            return;
        }
        if members.is_none() || !module.is_decorated(pointee, None, D::Block) {
            let found = type_text(module, pointee, None, 3);
            self.add_variable(
                codes::SHADER_STORAGE_STRUCT,
                v,
                format!("set {set} binding {binding} must be one storage-buffer descriptor"),
            )
            .says("one structure with the Block decoration", found);
        }
    }

    fn renderer_block(&mut self, module: &Module, v: &Instruction<'_>, set: u32, binding: u32) {
        if !self.access.role.uniforms.contains(&binding) {
            let what = self.contract_text();
            self.add_variable(
                codes::SHADER_RENDERER_BLOCK,
                v,
                format!(
                    "set {set} binding {binding} aliases renderer state not allowed for this shader role"
                ),
            )
            .says(what, format!("set {set} binding {binding}"));
            return;
        }
        let pointee = module.pointee(v).map_or(0, |(_, ty)| ty);
        if module.members(pointee).is_none() || !module.is_decorated(pointee, None, D::Block) {
            let found = type_text(module, pointee, None, 3);
            self.add_variable(
                codes::SHADER_RENDERER_STRUCT,
                v,
                format!("set {set} binding {binding} must be one uniform-buffer descriptor"),
            )
            .says("one structure with the Block decoration", found);
        }
    }
}

impl Checker<'_> {
    /// The place of an instruction with its source line, for hardening rules.
    pub(super) fn harden_at(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
    ) -> Option<&mut Finding> {
        if !self.options.hardened(code) {
            return None;
        }
        let mut site = self.site(place);
        let line = self.module.zip(place.instruction).and_then(|(m, i)| {
            let inst = m.instruction(i as usize)?;
            // What stands at module scope has lines of its own.
            let variable = inst.result().filter(|_| inst.is(Op::Variable));
            variable.and_then(|id| m.variable_line(id)).or_else(|| m.source_line(i as usize))
        });
        site.source = line.map(|l| bounded(format!("{}:{}", l.file, l.line)));
        let f = self.hardening.add(code, "$", message);
        f.shader = Some(site);
        Some(f)
    }
}

/// What a variable points to.
fn pointee_of(module: &Module, v: &Instruction<'_>) -> u32 {
    module.pointee(v).map_or(0, |(_, ty)| ty)
}
