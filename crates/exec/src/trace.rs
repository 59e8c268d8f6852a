//! What an observer is told of each instruction.

use crate::resource::Slot;
use std::ops::ControlFlow;

/// What is called for each instruction that a lane executes; it may end the run.
pub type Observer<'a> = &'a mut dyn FnMut(&Step<'_>) -> ControlFlow<()>;

/// One instruction as one lane executed it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Index in [`Program::instructions`](shaderport_dxbc::Program::instructions).
    pub instruction: usize,
    /// The lane: 0, or 0 to 3 of a quad.
    pub lane: usize,
    /// Subroutines that are entered and not left, after the instruction.
    pub depth: usize,
    /// Registers that its operands are indexed by, in the order of the operands; within one as they are written, and what
    /// stands in the index of an index before it.
    pub indices: &'a [Index],
    /// Values that it read, with swizzle and modifiers applied.
    pub reads: &'a [Access],
    /// Registers that it wrote.
    pub writes: &'a [Access],
    /// What it read or wrote of a view; nothing outside of it, or of a pixel that is discarded or helps.
    pub view: Option<&'a ViewAccess>,
    /// Whether the pixel is discarded, after the instruction.
    pub discarded: bool,
}

/// A value read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Place in the instruction's operands.
    pub operand: usize,
    /// Lanes that count, bit 0 for x: those that are written, or 1 where a read gives the same in every lane.
    pub mask: u8,
    /// The value; of a register that was written, all of it.
    pub bits: [u32; 4],
}

/// A computed index: `register + number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// Place in the instruction's operands.
    pub operand: usize,
    /// What the register held.
    pub value: u32,
    /// The sum: the row, element or register that the operand reached.
    pub reached: u32,
}

/// A place of a view that was read, written, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewAccess {
    /// Place of the view in the instruction's operands.
    pub operand: usize,
    /// The view's register.
    pub slot: Slot,
    /// A byte of a raw buffer, structure and byte of a structured one, coordinates of a texel; empty for the hidden
    /// counter.
    pub address: Vec<u32>,
    /// Words from there on, or lanes of the texel, that were reached: bit 0 for the first.
    pub mask: u8,
    /// What they held, if they were read.
    pub read: Option<[u32; 4]>,
    /// What they hold now, if they were written.
    pub written: Option<[u32; 4]>,
}
