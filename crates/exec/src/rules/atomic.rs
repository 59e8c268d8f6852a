//! Atomic instructions: D3D11.3 functional specification, 22.17.8 to 22.17.28. Lanes of a quad follow each other in their
//! order. Where nothing is reached (outside, or by discarded and helper pixels) the result is 0.

use super::Rule;
use crate::code::Op;
use crate::machine::Machine;
use crate::resource::Resource;
use shaderport_dxbc::Opcode;

/// An instruction that changes one word of a view, and may return what it held.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Atomic {
    /// What becomes of the word by an operand.
    Update(fn(u32, u32) -> u32),
    /// 22.17.11, 22.17.23: the second operand, where the word equals the first.
    CompareExchange,
    /// 22.17.17: counts up; returns the count before.
    Alloc,
    /// 22.17.18: counts down; returns the count after.
    Consume,
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(Rule::Atomic(match opcode {
        Opcode::AtomicAnd | Opcode::ImmAtomicAnd => Atomic::Update(|old, a| old & a),
        Opcode::AtomicOr | Opcode::ImmAtomicOr => Atomic::Update(|old, a| old | a),
        Opcode::AtomicXor | Opcode::ImmAtomicXor => Atomic::Update(|old, a| old ^ a),
        Opcode::AtomicIadd | Opcode::ImmAtomicIadd => Atomic::Update(u32::wrapping_add),
        Opcode::AtomicImax | Opcode::ImmAtomicImax => {
            Atomic::Update(|old, a| (old as i32).max(a as i32) as u32)
        }
        Opcode::AtomicImin | Opcode::ImmAtomicImin => {
            Atomic::Update(|old, a| (old as i32).min(a as i32) as u32)
        }
        Opcode::AtomicUmax | Opcode::ImmAtomicUmax => Atomic::Update(u32::max),
        Opcode::AtomicUmin | Opcode::ImmAtomicUmin => Atomic::Update(u32::min),
        Opcode::ImmAtomicExch => Atomic::Update(|_, a| a),
        Opcode::AtomicCmpStore | Opcode::ImmAtomicCmpExch => Atomic::CompareExchange,
        Opcode::ImmAtomicAlloc => Atomic::Alloc,
        Opcode::ImmAtomicConsume => Atomic::Consume,
        _ => return None,
    }))
}

impl<const N: usize> Machine<'_, N> {
    pub(crate) fn atomic(&mut self, atomic: Atomic, lane: usize, op: &Op) {
        let access = self.code.accesses.get(op.access as usize).copied().unwrap_or_default();
        let counts = matches!(atomic, Atomic::Alloc | Atomic::Consume);
        // The sources of the counting instructions are none.
        let address = if counts { [0; 4] } else { self.source(lane, op, 0) };
        let operand = |n: usize| if n < op.sources().len() { self.source(lane, op, n)[0] } else { 0 };
        let (a, b) = (operand(1), operand(2));
        let mut result = 0;
        if let Some(view) = self.view_mut(lane, &access) {
            let word = if counts {
                // Structured buffers alone have one.
                matches!(view.resource, Resource::Structured { .. }).then_some(&mut view.counter)
            } else {
                let place = view.places(address)[0];
                place.map(|place| &mut view.resource.words_mut()[place])
            };
            if let Some(word) = word {
                let old = *word;
                *word = match atomic {
                    Atomic::Update(update) => update(old, a),
                    Atomic::CompareExchange => {
                        if old == a {
                            b
                        } else {
                            old
                        }
                    }
                    Atomic::Alloc => old.wrapping_add(1),
                    Atomic::Consume => old.wrapping_sub(1),
                };
                let new = *word;
                result = if matches!(atomic, Atomic::Consume) { new } else { old };
                let held = [Some([old; 4]), Some([new; 4])];
                self.note(lane, &access, (!counts).then_some(address), 1, held);
            }
        }
        if op.dest_count > 0 {
            self.write(lane, op, 0, [result; 4]);
        }
    }
}
