//! Bones of a skinned mesh as rows of a constant buffer: the specification `memory-structured`, section B.
//!
//! What the host's runtime keeps in these rows is known, so every load and every other use of them is checked
//! before anything is changed: a load that does not fit is refused, never left as it was.

use crate::decls::{BufferKind, Decls};
use crate::flow::{Flow, NO_WEB, Web, place};
use crate::options::Joints;
use crate::resources::block_registers;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::link as codes;
use shaderport_dxbc::program::{Modifier, OperandKind};
use shaderport_dxbc::{Instruction, Opcode, Operand, Program, Slot};

/// Rows of a constant buffer in Direct3D.
const MAX_ROWS: u32 = 4096;

/// Three rows of four floats: a bone.
pub(crate) const BONES: BufferKind = BufferKind::Structured(48);

/// Finds the additions of the bone offset, which must go: instruction, and the operand that stays.
///
/// # Errors
/// Each load and each use of a row that does not fit.
pub(crate) fn check(
    p: &Program,
    decls: &Decls<'_>,
    flow: &Flow,
    joints: &Joints,
) -> Result<Vec<(usize, usize)>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut loads = Vec::new();
    let mut buffer = None;
    for (n, i) in executable(p).filter(|(_, i)| i.names(OperandKind::Resource)) {
        let slot = i.opcode.info().slots.iter().position(|s| *s == Slot::Resource);
        let Some(o) = slot.and_then(|s| p.operands(i).get(s)) else { continue };
        let Some((decl, b)) = decls.buffer(o.register()) else { continue };
        if !matches!(b.kind, BufferKind::Structured(_)) {
            continue;
        }
        let index = p.bound_register(o);
        let reason = if b.kind != BONES || b.slots.space != 0 {
            Some("its elements are no bones of 48 bytes in space 0".to_owned())
        } else if index.is_relative() || buffer.is_some_and(|x| x != (decl, index.immediate)) {
            Some("bones come from one buffer".to_owned())
        } else {
            no_bone_load(p, i)
        };
        buffer = buffer.or(Some((decl, index.immediate)));
        match reason {
            Some(reason) => {
                let text = format!("`{}` of t{} is no bone load", i.opcode.name(), o.register());
                found.push(Diagnostic::new(codes::SKINNING_LOAD, text).note(reason).at(place(p, n)));
            }
            None => loads.push(n),
        }
    }
    let mut adds = Vec::new();
    if !loads.is_empty() {
        let end = u64::from(joints.first_row) + u64::from(joints.joints) * 3;
        if end > u64::from(MAX_ROWS) {
            let text = format!("cb{} would have {end} rows, more than {MAX_ROWS}", joints.slot);
            found.push(Diagnostic::new(codes::SKINNING_ROWS, text));
        }
        for (n, i) in executable(p).filter(|(_, i)| i.names(OperandKind::ConstantBuffer)) {
            for (k, o) in p.operands(i).iter().enumerate() {
                for row in rows_used(p, decls, o, joints) {
                    let last = joints.first_row.saturating_add(joints.joints.saturating_mul(3));
                    let text = match row {
                        Some(r) if r < joints.first_row || r >= last => continue,
                        Some(r) if r == joints.first_row && is_offset_add(p, flow, (n, k), &loads) => {
                            adds.push((n, 3 - k));
                            continue;
                        }
                        Some(r) => format!("cb{}[{r}] is used by the shader itself", joints.slot),
                        None => format!("cb{} is read by a computed index", joints.slot),
                    };
                    found.push(Diagnostic::new(codes::SKINNING_ROWS, text).at(place(p, n)));
                }
            }
        }
    }
    if found.is_empty() { Ok(adds) } else { Err(found) }
}

/// Uses of the joints' rows in a stage that has no bones but shares the buffer with one that has.
pub(crate) fn uses(p: &Program, decls: &Decls<'_>, joints: &Joints) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let last = joints.first_row.saturating_add(joints.joints.saturating_mul(3));
    for (n, i) in executable(p).filter(|(_, i)| i.names(OperandKind::ConstantBuffer)) {
        for row in p.operands(i).iter().flat_map(|o| rows_used(p, decls, o, joints)) {
            let text = match row {
                Some(r) if r < joints.first_row || r >= last => continue,
                Some(r) => format!("cb{}[{r}] is where the vertex stage has bones", joints.slot),
                None => format!("cb{} is read by a computed index", joints.slot),
            };
            found.push(Diagnostic::new(codes::SKINNING_ROWS, text).at(place(p, n)));
        }
    }
    found
}

fn executable(p: &Program) -> impl Iterator<Item = (usize, &Instruction)> {
    p.instructions.iter().enumerate().filter(|(_, i)| !i.opcode.is_declaration())
}

/// Why an instruction is not a load of words of one bone, at an offset that it names.
fn no_bone_load(p: &Program, i: &Instruction) -> Option<String> {
    let [dest, _, offset, resource] = p.operands(i) else {
        return Some("it is no `ld_structured`".to_owned());
    };
    if i.opcode != Opcode::LdStructured {
        return Some("it is no `ld_structured`".to_owned());
    }
    if offset.kind != OperandKind::Immediate32 {
        return Some("the offset within the bone is computed".to_owned());
    }
    let bytes = p.immediate(offset)[0];
    let lanes = (0..4).filter(|l| dest.mask() >> l & 1 != 0);
    let last = lanes.map(|l| resource.source_lane(l) as u32).max().unwrap_or(0);
    let inside = bytes.is_multiple_of(4) && bytes < 48 && bytes / 4 + last < 12;
    (!inside).then(|| format!("it reads at offset {bytes}, beyond rows 0 to 2 of the bone"))
}

/// The rows of the joints' buffer that an operand reads, in its own indices too; `None` for a computed one.
fn rows_used(p: &Program, decls: &Decls<'_>, o: &Operand, joints: &Joints) -> Vec<Option<u32>> {
    let mut rows = Vec::new();
    for index in &o.index[..usize::from(o.dimensions.min(3))] {
        if let Some(inner) = p.relative(index) {
            // A row in an index is never the offset's addition.
            rows.extend(rows_used(p, decls, inner, joints));
        }
    }
    if o.kind == OperandKind::ConstantBuffer
        && let Some((_, cb)) = decls.cb(o.register())
        && cb.slots.space == 0
    {
        let (from, to) = block_registers(p, &cb.slots, o);
        if (from..=to).contains(&joints.slot) {
            let row = &o.index[usize::from(o.dimensions.clamp(1, 3)) - 1];
            rows.push((!row.is_relative()).then_some(row.immediate));
        }
    }
    rows
}

/// Whether operand `k` of an instruction is the bone offset, added to what only indexes bone loads.
fn is_offset_add(p: &Program, flow: &Flow, (n, k): (usize, usize), loads: &[usize]) -> bool {
    let i = &p.instructions[n];
    let [dest, a, b] = p.operands(i) else { return false };
    let plain = i.opcode == Opcode::Iadd
        && dest.kind == OperandKind::Temp
        && [a, b].iter().all(|o| o.modifier == Modifier::None)
        && p.operands(i).get(k).is_some_and(|o| o.kind == OperandKind::ConstantBuffer);
    if !plain {
        return false;
    }
    let first = p.operand_index(i);
    let sums: Vec<Web> = flow.operand_webs[first].iter().copied().filter(|w| *w != NO_WEB).collect();
    let is_sum = |w: &Web| *w != NO_WEB && sums.contains(w);
    if flow.relative_webs.iter().any(is_sum) {
        return false;
    }
    executable(p).all(|(m, i)| {
        let first = p.operand_index(i);
        p.operands(i).iter().enumerate().all(|(k, o)| {
            let is_index = loads.contains(&m) && k == 1;
            let is_dest = matches!(i.opcode.info().slots.get(k), Some(Slot::Dest(_)));
            o.kind != OperandKind::Temp
                || is_index
                || (is_dest && m == n)
                || !flow.operand_webs[first + k].iter().any(is_sum)
        })
    })
}
