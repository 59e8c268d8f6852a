//! Buffers: D3D11.3 functional specification, 22.4.1, 22.4.10 and 22.4.12.

use super::Rule;
use super::texture::FULLY_MAPPED;
use crate::code::Op;
use crate::machine::Machine;
use crate::resource::Resource;
use shaderport_dxbc::Opcode;

/// An instruction that reads a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// 22.4.10
    Raw,
    /// 22.4.12
    Structured,
    /// 22.4.1
    Info,
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(Rule::Memory(match opcode {
        Opcode::LdRaw | Opcode::LdRawFeedback => Memory::Raw,
        Opcode::LdStructured | Opcode::LdStructuredFeedback => Memory::Structured,
        Opcode::BufInfo => Memory::Info,
        _ => return None,
    }))
}

impl<const N: usize> Machine<'_, N> {
    pub(crate) fn memory(&mut self, memory: Memory, lane: usize, op: &Op) {
        let access = self.code.accesses.get(op.access as usize).copied().unwrap_or_default();
        let bound = self.resource(lane, &access);
        let value = match memory {
            Memory::Raw => {
                // Words are aligned.
                let first = self.source(lane, op, 0)[0] >> 2;
                let word = |n: u32| match bound {
                    Some(Resource::Raw(words)) => words.get(first as usize + n as usize).copied(),
                    _ => None,
                };
                access.swizzle.map(|n| word(n.into()).unwrap_or(0))
            }
            Memory::Structured => {
                let (index, offset) = (self.source(lane, op, 0)[0], self.source(lane, op, 1)[0]);
                let word = |n: u32| match bound {
                    // What lies beyond the structure is undefined; here it is 0.
                    Some(Resource::Structured { stride, words })
                        if u64::from(offset >> 2) + u64::from(n) < u64::from(stride >> 2) =>
                    {
                        let first = u64::from(index) * u64::from(stride >> 2) + u64::from(offset >> 2);
                        words.get(usize::try_from(first).ok()?.checked_add(n as usize)?).copied()
                    }
                    _ => None,
                };
                access.swizzle.map(|n| word(n.into()).unwrap_or(0))
            }
            Memory::Info => {
                let count = match bound {
                    Some(Resource::Raw(words)) => words.len() * 4,
                    Some(Resource::Structured { stride, words }) => {
                        words.len() / (*stride as usize / 4).max(1)
                    }
                    Some(Resource::Typed(texels, _)) => texels.len(),
                    _ => 0,
                };
                [count as u32; 4]
            }
        };
        self.write(lane, op, 0, value);
        self.write(lane, op, 1, [FULLY_MAPPED; 4]);
    }
}
