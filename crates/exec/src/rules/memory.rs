//! Buffers and views: D3D11.3 functional specification, 22.4.1 and 22.4.8 to 22.4.13. Discarded and helper pixels read 0
//! of views and write nothing (16.13).

use super::Rule;
use super::texture::FULLY_MAPPED;
use crate::code::{Access, Op};
use crate::machine::Machine;
use crate::resource::Resource;
use shaderport_dxbc::Opcode;

/// An instruction that reads or writes a buffer or view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// 22.4.8, 22.4.10, 22.4.12
    Load(Kind),
    /// 22.4.9, 22.4.11, 22.4.13
    Store(Kind),
    /// 22.4.1
    Info,
}

/// What is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Typed,
    Raw,
    Structured,
}

impl Kind {
    fn is_of(self, resource: &Resource) -> bool {
        self == match resource {
            Resource::Texture(_) | Resource::Typed(..) => Kind::Typed,
            Resource::Raw(_) => Kind::Raw,
            Resource::Structured { .. } => Kind::Structured,
        }
    }
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(Rule::Memory(match opcode {
        Opcode::LdUavTyped | Opcode::LdUavTypedFeedback => Memory::Load(Kind::Typed),
        Opcode::LdRaw | Opcode::LdRawFeedback => Memory::Load(Kind::Raw),
        Opcode::LdStructured | Opcode::LdStructuredFeedback => Memory::Load(Kind::Structured),
        Opcode::StoreUavTyped => Memory::Store(Kind::Typed),
        Opcode::StoreRaw => Memory::Store(Kind::Raw),
        Opcode::StoreStructured => Memory::Store(Kind::Structured),
        Opcode::BufInfo => Memory::Info,
        _ => return None,
    }))
}

impl<const N: usize> Machine<'_, N> {
    pub(crate) fn memory(&mut self, memory: Memory, lane: usize, op: &Op) {
        let access = self.code.accesses.get(op.access as usize).copied().unwrap_or_default();
        let value = match memory {
            Memory::Load(kind) => self.load(kind, lane, op, &access),
            Memory::Store(kind) => return self.store(kind, lane, op, &access),
            Memory::Info => {
                let count = match self.resource(lane, &access) {
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

    /// The address that the first sources give, and the source behind it.
    fn address(&self, kind: Kind, lane: usize, op: &Op) -> ([u32; 4], usize) {
        let address = self.source(lane, op, 0);
        match kind {
            Kind::Structured => ([address[0], self.source(lane, op, 1)[0], 0, 0], 2),
            _ => (address, 1),
        }
    }

    fn load(&mut self, kind: Kind, lane: usize, op: &Op, access: &Access) -> [u32; 4] {
        let (address, _) = self.address(kind, lane, op);
        let held = |bound: &Resource, places: [Option<usize>; 4]| {
            let words = bound.words();
            places.map(|place| place.map_or(0, |place| words[place]))
        };
        if !access.resource.is_some_and(|b| b.view) {
            let bound = self.resource(lane, access).filter(|r| kind.is_of(r));
            let value = bound.map_or([0; 4], |bound| held(bound, bound.places(address)));
            return access.swizzle.map(|n| value[n as usize & 3]);
        }
        let view = self.view(lane, access).filter(|view| self.acts(lane) && kind.is_of(&view.resource));
        let Some(view) = view else { return [0; 4] };
        let places = view.places(address);
        let held = held(&view.resource, places);
        let value = view.with_defaults(held);
        if self.traces {
            let wanted = (0..4).filter(|n| op.dests[0].mask >> n & 1 != 0).map(|n| access.swizzle[n] & 3);
            let mask = wanted.filter(|&n| places[n as usize].is_some()).fold(0, |mask, n| mask | 1 << n);
            self.note(lane, access, Some(address), mask, [Some(held), None]);
        }
        access.swizzle.map(|n| value[n as usize & 3])
    }

    fn store(&mut self, kind: Kind, lane: usize, op: &Op, access: &Access) {
        let (address, next) = self.address(kind, lane, op);
        let value = self.source(lane, op, next);
        let Some(view) = self.view_mut(lane, access).filter(|v| kind.is_of(&v.resource)) else { return };
        let places = view.places(address);
        let words = view.resource.words_mut();
        let mut mask = 0;
        for n in (0..4).filter(|n| access.mask >> n & 1 != 0) {
            if let Some(place) = places[n] {
                words[place] = value[n];
                mask |= 1 << n;
            }
        }
        self.note(lane, access, Some(address), mask, [None, Some(value)]);
    }
}
