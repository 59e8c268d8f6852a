//! What needs the other pixels of the quad, or ends one: D3D11.3 functional specification, 22.5 and 22.4.23 to
//! 22.4.25.

use super::{Rule, float};
use crate::code::Op;
use crate::machine::Machine;
use shaderport_dxbc::Opcode;

/// An instruction of pixel shaders alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pixel {
    /// 22.5.1: marks the pixel and goes on, for its neighbours' sake.
    Discard,
    /// 22.5.2 to 22.5.5
    Derivative { vertical: bool, fine: bool },
    /// 22.4.23 to 22.4.25
    Evaluate(At),
}

/// Where an attribute is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Centroid,
    Sample,
    Snapped,
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    let derivative = |vertical, fine| Pixel::Derivative { vertical, fine };
    Some(Rule::Pixel(match opcode {
        Opcode::Discard => Pixel::Discard,
        // Shader model 4 leaves the choice between coarse and fine open.
        Opcode::DerivRtx | Opcode::DerivRtxCoarse => derivative(false, false),
        Opcode::DerivRty | Opcode::DerivRtyCoarse => derivative(true, false),
        Opcode::DerivRtxFine => derivative(false, true),
        Opcode::DerivRtyFine => derivative(true, true),
        Opcode::EvalCentroid => Pixel::Evaluate(At::Centroid),
        Opcode::EvalSampleIndex => Pixel::Evaluate(At::Sample),
        Opcode::EvalSnapped => Pixel::Evaluate(At::Snapped),
        _ => return None,
    }))
}

/// The two lanes of a quad whose difference is a derivative. Lanes are (0,0), (1,0), (0,1), (1,1); a coarse
/// derivative is the same for all, from the top row or the left column.
pub(crate) fn neighbours(lane: usize, vertical: bool, fine: bool) -> (usize, usize) {
    let step = if vertical { 2 } else { 1 };
    let first = if fine { lane & !step } else { 0 };
    (first, first + step)
}

/// Sixteenths of a pixel from its centre to each sample of the standard patterns (3.4.4 numbers them so).
const PATTERNS: [&[(i8, i8)]; 5] = [
    &[(0, 0)],
    &[(4, 4), (-4, -4)],
    &[(-2, -6), (6, -2), (-6, 2), (2, 6)],
    &[(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)],
    &[
        (1, 1),
        (-1, -3),
        (-3, 2),
        (4, -1),
        (-5, -2),
        (2, 5),
        (5, 3),
        (3, -5),
        (-2, 6),
        (0, -7),
        (-4, -6),
        (-6, 4),
        (-8, 0),
        (7, -4),
        (6, 7),
        (-7, -8),
    ],
];

/// Position of a sample relative to the pixel's centre; none for a number that is out of range (22.4.22).
pub(crate) fn sample_position(samples: u32, index: u32) -> Option<[f32; 2]> {
    let pattern = PATTERNS.iter().find(|p| p.len() == samples as usize)?;
    let &(x, y) = pattern.get(index as usize)?;
    Some([f32::from(x) / 16.0, f32::from(y) / 16.0])
}

impl<const N: usize> Machine<'_, N> {
    pub(crate) fn pixel(&mut self, pixel: Pixel, active: [bool; N], op: &Op) {
        match pixel {
            Pixel::Discard => {
                for lane in (0..N).filter(|&n| active[n]) {
                    if self.condition(lane, op) {
                        self.lanes[lane].discarded = true;
                    }
                }
            }
            Pixel::Derivative { vertical, fine } => {
                let fine = fine || self.code.manner.fine;
                let values: [_; N] = std::array::from_fn(|lane| self.source(lane, op, 0));
                for lane in (0..N).filter(|&n| active[n]) {
                    let derivative = difference(&values, lane, vertical, fine);
                    self.write_floats(lane, op, 0, |n| derivative[n]);
                }
            }
            Pixel::Evaluate(at) => {
                let values: [_; N] = std::array::from_fn(|lane| self.source(lane, op, 0));
                for lane in (0..N).filter(|&n| active[n]) {
                    let [x, y] = match at {
                        // The values given are those at the centre, or wherever the caller took them.
                        At::Centroid => [0.0, 0.0],
                        At::Sample => {
                            let samples = self.bindings.rasterizer_samples.max(1);
                            sample_position(samples, self.source(lane, op, 1)[0]).unwrap_or_default()
                        }
                        // 22.4.25: the low four bits, signed, in sixteenths.
                        At::Snapped => {
                            let [u, v, ..] = self.source(lane, op, 1);
                            [u, v].map(|n| ((n << 28) as i32 >> 28) as f32 / 16.0)
                        }
                    };
                    let dx = difference(&values, lane, false, true);
                    let dy = difference(&values, lane, true, true);
                    let value = values[lane].map(float::operand);
                    self.write_floats(lane, op, 0, |n| value[n] + dx[n] * x + dy[n] * y);
                }
            }
        }
    }
}

/// The derivative of a value that all lanes hold; 0 outside of a quad.
pub(crate) fn difference<const N: usize>(
    values: &[[u32; 4]; N],
    lane: usize,
    vertical: bool,
    fine: bool,
) -> [f32; 4] {
    let (from, to) = neighbours(lane, vertical, fine);
    match (values.get(from), values.get(to)) {
        (Some(from), Some(to)) => {
            std::array::from_fn(|n| float::flush(float::operand(to[n]) - float::operand(from[n])))
        }
        _ => [0.0; 4],
    }
}
