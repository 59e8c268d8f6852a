//! Reference executor for Direct3D vertex and pixel programs of shader models 4.0 to 5.1.
//!
//! It computes what the Direct3D 11.3 functional specification says, one rule for each opcode, and shares nothing
//! with the translator but decoder and opcode table: whoever translates DXBC can compare with it. Where the
//! specification leaves a choice, the choice is deterministic and documented at the rule; where it leaves a
//! result undefined, the result is 0.
//!
//! ```
//! use shaderport_dxbc::Program;
//! use shaderport_exec::{Bindings, Executor, Inputs, Views};
//!
//! // vs_4_0: add o0.xyzw, v0.xyzw, v1.xyzw; ret
//! let words = [
//!     0x0001_0040u32, 10, 0x0700_0000, 0x0010_20f2, 0, 0x0010_1e46, 0, 0x0010_1e46, 1, 0x0100_003e,
//! ];
//! let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
//! let program = Program::decode(&bytes, *b"SHDR", 0).unwrap();
//!
//! let executor = Executor::new(&program)?;
//! let inputs = Inputs::default().floats(0, [1.0, 2.0, 3.0, 4.0]).floats(1, [0.5; 4]);
//! let outputs = executor.run_vertex(&Bindings::default(), &mut Views::default(), &inputs)?;
//! assert_eq!(outputs.registers[0].map(f32::from_bits), [1.5, 2.5, 3.5, 4.5]);
//! # Ok::<(), shaderport_exec::Error>(())
//! ```
//!
//! # What it does
//! - Every opcode of vertex and pixel programs. Doubles, tiled-resource feedback, multisampled loads, unordered access
//!   views ([`Views`]) and interfaces of dynamic linkage ([`Instance`]) are among them.
//! - Float arithmetic flushes denormals of operands and results to zero of the same sign; moves and integer
//!   instructions keep every bit. Every NaN that arithmetic makes is `0x7fc00000`.
//! - Values of minimum precision are computed at full precision.
//! - Transcendental functions are rounded from double precision.
//! - Four pixels of a quad run in step where their paths meet ([`Executor::run_quad`]); a discarded pixel goes
//!   on as a helper.
//! - Textures of every dimension, with point and linear filters, levels, all address modes, comparison and
//!   gathering. Filter weights are not rounded to fixed point; anisotropy is not modelled.
#![forbid(unsafe_code)]
// An error is as large as the text it may hold; it is made once a run.
#![allow(clippy::result_large_err)]

mod code;
mod error;
mod invocation;
mod machine;
mod manner;
mod noise;
mod resource;
mod rules;
mod sample;
mod trace;

pub use error::{Error, ErrorKind};
pub use invocation::{Inputs, Outputs, REGISTERS};
pub use manner::{CubeLevels, Manner};
pub use noise::Noise;
pub use resource::{
    Address, Bindings, Comparison, ConstantBuffer, DepthFormat, Filter, Instance, Resource, Sampler, Slot,
    TexelKind, Texture, View, Views,
};
pub use trace::{Access, Index, Observer, Step, ViewAccess};

use code::{Code, Declared};
use machine::Machine;
use shaderport_dxbc::program::{OperandKind, ResourceDimension, SlotRange};
use shaderport_dxbc::{Opcode, Program, Stage};
use std::collections::BTreeMap;

/// Instructions that a run may take, unless [`Executor::limit`] says otherwise.
pub const DEFAULT_LIMIT: u64 = 10_000_000;

/// A program that is ready to run, any number of times.
#[derive(Clone, Debug)]
pub struct Executor<'a> {
    program: &'a Program,
    code: Code,
    limit: u64,
}

/// Whether the executor has a rule for an executable opcode.
pub fn is_supported(opcode: Opcode) -> bool {
    rules::rule(opcode).is_some()
}

impl<'a> Executor<'a> {
    /// Prepares a program.
    ///
    /// # Errors
    /// [`ErrorKind::Stage`], [`ErrorKind::Unsupported`], [`ErrorKind::Flow`] or [`ErrorKind::Register`].
    pub fn new(program: &'a Program) -> Result<Executor<'a>, Error> {
        Ok(Executor { program, code: Code::build(program)?, limit: DEFAULT_LIMIT })
    }

    /// Sets how many instructions a run may take.
    #[must_use]
    pub fn limit(mut self, instructions: u64) -> Self {
        self.limit = instructions;
        self
    }

    /// Sets whether float arithmetic leaves denormals as they are, which Direct3D forbids but optimizers of other
    /// languages do. What two runs do not agree on depends on it.
    #[must_use]
    pub fn keep_denormals(mut self, keep: bool) -> Self {
        self.code.keep_denormals = keep;
        self
    }

    /// Chooses at random, anew for each value, what optimizers of other languages do in their own way: whether float
    /// arithmetic flushes a denormal (also where it only compares them, for `min` and `max`), and which sign a zero has.
    /// What runs with several seeds do not agree on depends on it.
    #[must_use]
    pub fn free(mut self, seed: u64) -> Self {
        self.code.free = Some(seed);
        self
    }

    /// Makes inexact results a little wrong, as other implementations may; runs with several seeds show what comes
    /// of it.
    #[must_use]
    pub fn noise(mut self, noise: Noise) -> Self {
        self.code.noise = Some(noise);
        self
    }

    /// Takes derivatives as an implementation does in its own way.
    #[must_use]
    pub fn manner(mut self, manner: Manner) -> Self {
        self.code.manner = manner;
        self
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Runs a vertex program for one vertex. What it writes of `views` stays there, also where it does not end.
    ///
    /// # Errors
    /// [`ErrorKind::Stage`], [`ErrorKind::Mismatch`], [`ErrorKind::StepLimit`] or [`ErrorKind::Aborted`].
    pub fn run_vertex(
        &self,
        bindings: &Bindings,
        views: &mut Views,
        inputs: &Inputs,
    ) -> Result<Outputs, Error> {
        let [outputs] = self.run(Stage::Vertex, bindings, views, [inputs], None)?.0;
        Ok(outputs)
    }

    /// Runs a pixel program for a quad: the pixels (0,0), (1,0), (0,1) and (1,1). Where they are at the same
    /// instruction, each is done with it before the next begins with it; otherwise those go on that are furthest behind.
    /// What they write of `views` stays there, also where they do not end. Where a program declares views, the run ends
    /// with the last pixel that is neither discarded nor a helper.
    ///
    /// # Errors
    /// As [`Executor::run_vertex`].
    pub fn run_quad(
        &self,
        bindings: &Bindings,
        views: &mut Views,
        inputs: &[Inputs; 4],
    ) -> Result<[Outputs; 4], Error> {
        Ok(self.run(Stage::Pixel, bindings, views, inputs.each_ref(), None)?.0)
    }

    /// [`Executor::run_vertex`], showing each instruction to `observer`; also returns how many were executed. Where the
    /// observer breaks off, the run ends and the outputs are those until then.
    ///
    /// # Errors
    /// As [`Executor::run_vertex`].
    pub fn trace_vertex(
        &self,
        bindings: &Bindings,
        views: &mut Views,
        inputs: &Inputs,
        observer: Observer<'_>,
    ) -> Result<(Outputs, u64), Error> {
        let ([outputs], steps) = self.run(Stage::Vertex, bindings, views, [inputs], Some(observer))?;
        Ok((outputs, steps))
    }

    /// [`Executor::run_quad`], showing each instruction of each pixel to `observer`; also returns how many were
    /// executed, those of several pixels together counted once. Where the observer breaks off, the run ends and the
    /// outputs are those until then.
    ///
    /// # Errors
    /// As [`Executor::run_vertex`].
    pub fn trace_quad(
        &self,
        bindings: &Bindings,
        views: &mut Views,
        inputs: &[Inputs; 4],
        observer: Observer<'_>,
    ) -> Result<([Outputs; 4], u64), Error> {
        self.run(Stage::Pixel, bindings, views, inputs.each_ref(), Some(observer))
    }

    fn run<const N: usize>(
        &self,
        stage: Stage,
        bindings: &Bindings,
        views: &mut Views,
        inputs: [&Inputs; N],
        observer: Option<Observer<'_>>,
    ) -> Result<([Outputs; N], u64), Error> {
        if self.program.stage != stage {
            return Err(Error::new(ErrorKind::Stage));
        }
        self.check(bindings, views)?;
        let mut machine = Machine::new(&self.code, bindings, views, inputs);
        let steps = machine.run(self.program, self.limit, observer)?;
        Ok((machine.outputs(inputs), steps))
    }

    /// Whether what is bound is what the program declares.
    fn check(&self, bindings: &Bindings, views: &Views) -> Result<(), Error> {
        for declared in &self.code.declared {
            if declared.kind == OperandKind::UnorderedAccessView {
                check_declared(declared, &views.slots, |view| &view.resource)?;
            } else {
                check_declared(declared, &bindings.resources, |resource| resource)?;
            }
        }
        for i in &self.code.interfaces {
            let numbers = i.first..i.first.saturating_add(i.count);
            let mut bound = bindings.interfaces.range(numbers);
            if let Some((number, instance)) = bound.find(|(_, instance)| !i.tables.contains(&instance.table))
            {
                let tables: Vec<_> = i.tables.iter().map(|table| format!("ft{table}")).collect();
                return Err(Error::new(ErrorKind::Mismatch(format!(
                    "fp{number} takes {} and is bound to ft{}",
                    tables.join(", "),
                    instance.table
                ))));
            }
        }
        Ok(())
    }
}

/// Whether what is bound to declared registers is what the declaration says.
fn check_declared<T>(
    declared: &Declared,
    bound: &BTreeMap<Slot, T>,
    resource: impl Fn(&T) -> &Resource,
) -> Result<(), Error> {
    let Declared { kind, dimension, slots: SlotRange { space, lower, upper, .. } } = *declared;
    let check = |slot: &Slot, bound: &T| {
        let bound = resource(bound);
        let mismatch = |what: String| {
            let space = if slot.space == 0 { String::new() } else { format!(",space{}", slot.space) };
            let name = format!("{}{}{space}", kind.prefix(false), slot.register);
            Err(Error::new(ErrorKind::Mismatch(format!("{name} is {what}"))))
        };
        let found = bound.dimension();
        if found != dimension && dimension != ResourceDimension::Unknown {
            return mismatch(format!("declared as {} and bound to a {}", dimension.name(), found.name()));
        }
        match bound {
            Resource::Texture(t) if kind == OperandKind::UnorderedAccessView && t.level_count() != 1 => {
                mismatch(format!("a view that is written, and bound to {} levels", t.level_count()))
            }
            _ => Ok(()),
        }
    };
    if lower >= upper {
        let slot = Slot { space, register: lower };
        return bound.get(&slot).map_or(Ok(()), |bound| check(&slot, bound));
    }
    let registers = Slot { space, register: lower }..=Slot { space, register: upper };
    bound.range(registers).try_for_each(|(slot, bound)| check(slot, bound))
}
