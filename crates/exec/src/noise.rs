//! Small errors in inexact results.

use shaderport_dxbc::{Family, Opcode};

/// How wrong inexact results are made, at the most; see [`Executor::noise`](crate::Executor::noise).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Another seed makes other errors.
    pub seed: u64,
    /// Relative error of powers, logarithms and reciprocals of roots; of logarithms also a tenth of it absolute.
    pub powers: f32,
    /// Relative error of quotients, reciprocals and roots.
    pub quotients: f32,
    /// Absolute error of sines.
    pub sine: f32,
    /// Error of sums of products, relative to the sum of the magnitudes of their terms: their order and fusing may be
    /// another.
    pub sums: f32,
    /// Absolute error of samples.
    pub sample: f32,
    /// Absolute error of levels of detail that derivatives give.
    pub level: f32,
}

/// The error of one instruction.
#[derive(Clone, Copy)]
pub(crate) struct Error {
    seed: u64,
    relative: f32,
    absolute: f32,
}

impl Noise {
    /// The error of an opcode's results; `None` for an exact one.
    pub(crate) fn of(&self, opcode: Opcode) -> Option<Error> {
        let (relative, absolute) = match opcode {
            Opcode::Div | Opcode::Rcp | Opcode::Sqrt => (self.quotients, 0.0),
            Opcode::Rsq | Opcode::Exp => (self.powers, 0.0),
            // Near 1, it is as far off as the argument.
            Opcode::Log => (self.powers, self.powers / 10.0),
            Opcode::SinCos => (0.0, self.sine),
            Opcode::Ld | Opcode::LdMs => return None,
            _ if opcode.info().family == Family::Texture => (0.0, self.sample),
            _ => return None,
        };
        (relative > 0.0 || absolute > 0.0).then_some(Error { seed: self.seed, relative, absolute })
    }
}

/// What a sum adds up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Terms {
    /// The product of two operands and a third.
    Fused,
    /// Products of so many lanes.
    Dot(usize),
}

impl Terms {
    /// Those of an opcode whose order is open.
    pub(crate) fn of(opcode: Opcode) -> Option<Terms> {
        Some(match opcode {
            Opcode::Mad => Terms::Fused,
            Opcode::Dp2 => Terms::Dot(2),
            Opcode::Dp3 => Terms::Dot(3),
            Opcode::Dp4 => Terms::Dot(4),
            _ => return None,
        })
    }

    /// The sums of their magnitudes, for each lane of the result.
    pub(crate) fn magnitudes(self, source: impl Fn(usize) -> [f32; 4]) -> [f32; 4] {
        let (a, b) = (source(0), source(1));
        match self {
            Terms::Fused => {
                let c = source(2);
                std::array::from_fn(|n| (a[n] * b[n]).abs() + c[n].abs())
            }
            Terms::Dot(lanes) => [(0..lanes).map(|n| (a[n] * b[n]).abs()).sum(); 4],
        }
    }
}

impl Noise {
    /// The error of a sum whose terms have this sum of magnitudes.
    pub(crate) fn of_sum(&self, terms: f32) -> Error {
        Error { seed: self.seed, relative: 0.0, absolute: self.sums * terms }
    }

    /// A level of detail at `place` with its error.
    pub(crate) fn level(&self, level: f32, place: u64) -> f32 {
        Error { seed: self.seed, relative: 0.0, absolute: self.level }.add(level, place)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_added_by_magnitude() {
        let sources = [[1.0, -2.0, 3.0, -4.0], [-1.0, 0.5, 2.0, 1.0], [10.0; 4]];
        let of = |opcode| Terms::of(opcode).map(|t| t.magnitudes(|n| sources[n]));
        assert_eq!(of(Opcode::Mad), Some([11.0, 11.0, 16.0, 14.0]));
        assert_eq!(of(Opcode::Dp3), Some([8.0; 4]));
        assert_eq!(of(Opcode::Dp4), Some([12.0; 4]));
        assert_eq!([Opcode::Mul, Opcode::Add].map(of), [None; 2]);
    }
}
