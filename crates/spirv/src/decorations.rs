//! Decorations of ids and members, with groups expanded.

use crate::module::Module;
use rspirv::spirv;

/// One decoration of one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoration {
    /// The decorated id.
    pub target: u32,
    /// The member, where the target is a structure's member.
    pub member: Option<u32>,
    /// Decoration number.
    pub kind: u32,
    /// Index of the instruction that holds the decoration (for a group's, the one that decorates the group).
    pub inst: u32,
    /// It came through a decoration group.
    pub grouped: bool,
}

/// All decorations, sorted by target, member and kind; equal ones in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decorations {
    list: Vec<Decoration>,
}

impl Decorations {
    pub(crate) fn new(mut list: Vec<Decoration>) -> Self {
        list.sort_by_key(|d| (d.target, d.member, d.kind, d.inst));
        Decorations { list }
    }

    pub(crate) fn all(&self) -> &[Decoration] {
        &self.list
    }

    /// The decorations of one target or member.
    pub(crate) fn of(&self, target: u32, member: Option<u32>) -> &[Decoration] {
        let key = (target, member);
        let start = self.list.partition_point(|d| (d.target, d.member) < key);
        let len = self.list[start..].partition_point(|d| (d.target, d.member) == key);
        &self.list[start..start + len]
    }
}

impl Module {
    /// The same module as seen by a reader that knows no decoration groups.
    #[must_use]
    pub fn without_groups(mut self) -> Self {
        self.decorations.list.retain(|d| !d.grouped);
        self
    }

    /// Every decoration of an id or, with `member`, of one of its members.
    pub fn decorations(&self, target: u32, member: Option<u32>) -> &[Decoration] {
        self.decorations.of(target, member)
    }

    /// The last decoration of that kind.
    pub fn decoration(
        &self,
        target: u32,
        member: Option<u32>,
        kind: spirv::Decoration,
    ) -> Option<Decoration> {
        // Sorted by kind: a hostile module may have as many decorations as it likes on what many queries ask for.
        let all = self.decorations(target, member);
        let end = all.partition_point(|d| d.kind <= kind as u32);
        all[..end].last().filter(|d| d.kind == kind as u32).copied()
    }

    /// Whether the decoration is there.
    pub fn is_decorated(&self, target: u32, member: Option<u32>, kind: spirv::Decoration) -> bool {
        self.decoration(target, member, kind).is_some()
    }

    /// The literal of the last decoration of that kind.
    pub fn decoration_value(&self, target: u32, member: Option<u32>, kind: spirv::Decoration) -> Option<u32> {
        self.value_of(self.decoration(target, member, kind)?)
    }

    /// The first literal of a decoration.
    pub fn value_of(&self, decoration: Decoration) -> Option<u32> {
        let inst = self.instruction(decoration.inst as usize)?;
        let at = if inst.is(spirv::Op::MemberDecorate) || inst.is(spirv::Op::MemberDecorateString) {
            4
        } else {
            3
        };
        inst.operand(at)
    }
}
