//! Small errors in inexact results.

use shaderport_dxbc::{Family, Opcode};

/// How wrong inexact results are made, at the most; see [`Executor::noise`](crate::Executor::noise).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Another seed makes other errors.
    pub seed: u64,
    /// Relative error of quotients, roots, powers and logarithms, and a tenth of it absolute.
    pub relative: f32,
    /// Absolute error of sines.
    pub sine: f32,
    /// Absolute error of samples.
    pub sample: f32,
    /// Absolute error of levels of detail that derivatives give.
    pub level: f32,
    /// The same for cubes, whose derivatives implementations project each in its own way.
    pub cube_level: f32,
    /// Coarse derivatives, and those that levels of cubes come of, are of each pixel's own row and column, where Direct3D
    /// has one pair for the quad (22.5.2).
    pub fine: bool,
}

/// The error of one instruction.
pub(crate) struct Error {
    seed: u64,
    relative: f32,
    absolute: f32,
}

impl Noise {
    /// The error of an opcode's results; `None` for an exact one.
    pub(crate) fn of(&self, opcode: Opcode) -> Option<Error> {
        let (relative, absolute) = match opcode {
            Opcode::Div | Opcode::Rcp | Opcode::Sqrt | Opcode::Rsq | Opcode::Exp | Opcode::Log => {
                (self.relative, self.relative / 10.0)
            }
            Opcode::SinCos => (0.0, self.sine),
            Opcode::Ld | Opcode::LdMs => return None,
            _ if opcode.info().family == Family::Texture => (0.0, self.sample),
            _ => return None,
        };
        (relative > 0.0 || absolute > 0.0).then_some(Error { seed: self.seed, relative, absolute })
    }
}

impl Noise {
    /// A level of detail at `place` with its error.
    pub(crate) fn level(&self, level: f32, cube: bool, place: u64) -> f32 {
        let absolute = if cube { self.cube_level } else { self.level };
        Error { seed: self.seed, relative: 0.0, absolute }.add(level, place)
    }
}

impl Error {
    /// Adds the error of a place. What is no float but bits of an integer most often stays: a denormal or NaN.
    pub(crate) fn add(&self, x: f32, place: u64) -> f32 {
        if !x.is_normal() {
            return x;
        }
        let mut hash = (self.seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(1);
        for _ in 0..2 {
            hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        }
        let share = (hash >> 40) as f32 / (1 << 23) as f32 - 1.0;
        x + share * (self.relative * x.abs() + self.absolute)
    }
}
