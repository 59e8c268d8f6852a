//! Modules patched word by word.
// Each test program uses a part of this.
#![allow(dead_code)]

use shaderport_spirv::spirv::Op;

/// Words of a module, to be patched.
#[derive(Clone)]
pub(crate) struct Words(pub(crate) Vec<u32>);

impl Words {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Words(bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect())
    }
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
    /// The first instruction for which `is` holds, as the range of its words.
    pub(crate) fn find(&self, op: Op, is: impl Fn(&[u32]) -> bool) -> std::ops::Range<usize> {
        let mut at = 5;
        while at < self.0.len() {
            let n = (self.0[at] >> 16) as usize;
            if self.0[at] & 0xffff == op as u32 && is(&self.0[at..at + n]) {
                return at..at + n;
            }
            at += n;
        }
        panic!("no {op:?}")
    }
    /// Puts an instruction before the one that begins at a word.
    pub(crate) fn insert(&mut self, at: usize, op: Op, operands: &[u32]) {
        let first = ((operands.len() as u32 + 1) << 16) | op as u32;
        self.0.splice(at..at, std::iter::once(first).chain(operands.iter().copied()));
    }

    /// A number that no id has yet.
    pub(crate) fn new_id(&mut self) -> u32 {
        self.0[3] += 1;
        self.0[3] - 1
    }
    /// The variable at a set and binding.
    pub(crate) fn bound_to(&self, set: u32, binding: u32) -> u32 {
        let decorated = |id: u32, kind: u32, value: u32| {
            self.all(Op::Decorate).any(|d| self.0[d.start + 1..d.end] == [id, kind, value])
        };
        let is = |id: &u32| decorated(*id, 34, set) && decorated(*id, 33, binding);
        self.all(Op::Variable)
            .map(|v| self.0[v.start + 2])
            .find(is)
            .unwrap_or_else(|| panic!("set {set} binding {binding}"))
    }
    /// Every instruction of an opcode.
    pub(crate) fn all(&self, op: Op) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut at = 5;
        std::iter::from_fn(move || {
            let n = (*self.0.get(at)? >> 16) as usize;
            at += n;
            Some(at - n..at)
        })
        .filter(move |i| self.0[i.start] & 0xffff == op as u32)
    }
    /// The structure that a module-scope variable points to.
    pub(crate) fn structure(&self, variable: u32) -> u32 {
        let v = self.find(Op::Variable, |v| v[2] == variable);
        let pointer = self.0[v.start + 1];
        let p = self.find(Op::TypePointer, |t| t[1] == pointer);
        self.0[p.start + 3]
    }
}
