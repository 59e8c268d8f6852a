//! Floating point arithmetic: D3D11.3 functional specification, 22.10. The rules get operands without denormals,
//! and their results are flushed and NaNs made one by the caller (3.1.3.2).

use super::Rule;
use shaderport_dxbc::Opcode;

/// Denormals become zero of the same sign (3.1.3.2).
pub(crate) fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0f32.copysign(x) } else { x }
}

/// The bits of a result: flushed, and every NaN the same.
pub(crate) fn result(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { flush(x).to_bits() }
}

/// An operand without denormals.
pub(crate) fn operand(bits: u32) -> f32 {
    flush(f32::from_bits(bits))
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        Opcode::Add => Rule::Float2(add),
        Opcode::Mul => Rule::Float2(mul),
        Opcode::Div => Rule::Float2(div),
        Opcode::Min => Rule::Extreme(min),
        Opcode::Max => Rule::Extreme(max),
        Opcode::Mad => Rule::Float3(mad),
        Opcode::Exp => Rule::Float1(exp),
        Opcode::Log => Rule::Float1(log),
        Opcode::Sqrt => Rule::Float1(sqrt),
        Opcode::Rsq => Rule::Float1(rsq),
        Opcode::Rcp => Rule::Float1(rcp),
        Opcode::Frc => Rule::Float1(frc),
        Opcode::RoundNe => Rule::Float1(round_ne),
        Opcode::RoundNi => Rule::Float1(round_ni),
        Opcode::RoundPi => Rule::Float1(round_pi),
        Opcode::RoundZ => Rule::Float1(round_z),
        Opcode::Dp2 => Rule::Dot(2),
        Opcode::Dp3 => Rule::Dot(3),
        Opcode::Dp4 => Rule::Dot(4),
        Opcode::SinCos => Rule::FloatPair(sincos),
        _ => return None,
    })
}

/// 22.10.1: `src0 + src1`, correctly rounded (3.1.3.1).
fn add(a: f32, b: f32) -> f32 {
    a + b
}

/// 22.10.12: `src0 * src1`, correctly rounded.
fn mul(a: f32, b: f32) -> f32 {
    a * b
}

/// 22.10.2: `src0 / src1`; the direct one of the two permitted forms.
fn div(a: f32, b: f32) -> f32 {
    a / b
}

/// 22.10.9: `src0 * src1 + src2`, as its serial expansion (3.1.3.2, fused operations).
fn mad(a: f32, b: f32, c: f32) -> f32 {
    flush(a * b) + c
}

/// 22.10.3 to 22.10.5: products summed from the first lane on.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let products = a.iter().zip(b).map(|(a, b)| flush(a * b));
    products.reduce(|sum, p| flush(sum + p)).unwrap_or(0.0)
}

/// 22.10.11: the smaller; a number wins over NaN; -0 is smaller than +0 (recommended in 3.1.3.2).
pub(crate) fn min(a: f32, b: f32) -> f32 {
    let first = b.is_nan() || a < b || a == b && a.is_sign_negative();
    if first && !a.is_nan() { a } else { b }
}

/// 22.10.10: the greater; a number wins over NaN; +0 is greater than -0 (recommended in 3.1.3.2).
pub(crate) fn max(a: f32, b: f32) -> f32 {
    let first = b.is_nan() || a > b || a == b && a.is_sign_positive();
    if first && !a.is_nan() { a } else { b }
}

/// 22.19.1: `min(1, max(0, x))`, so NaN becomes 0.
pub(crate) fn saturate(x: f32) -> f32 {
    min(1.0, max(0.0, x))
}

/// 22.10.6: 2 to the power of `src0`.
fn exp(x: f32) -> f32 {
    f64::from(x).exp2() as f32
}

/// 22.10.8: log base 2; of ±0 -INF, of less NaN.
fn log(x: f32) -> f32 {
    // Rust leaves log2(-0) to the platform.
    if x == 0.0 { f32::NEG_INFINITY } else { f64::from(x).log2() as f32 }
}

/// 22.10.21: square root; of -0 -0, of less NaN.
fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

/// 22.10.19: `1 / sqrt(src0)`; of -0 -INF.
fn rsq(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// 22.10.18: `1 / src0`.
fn rcp(x: f32) -> f32 {
    1.0 / x
}

/// 22.10.7: `src0 - round_ni(src0)`.
fn frc(x: f32) -> f32 {
    x - x.floor()
}

/// 22.10.14: to the nearest integral value, ties to even; what becomes 0 keeps its sign, and so do denormals.
fn round_ne(x: f32) -> f32 {
    x.round_ties_even()
}

/// 22.10.15: towards -INF.
fn round_ni(x: f32) -> f32 {
    x.floor()
}

/// 22.10.16: towards +INF.
fn round_pi(x: f32) -> f32 {
    x.ceil()
}

/// 22.10.17: towards zero.
fn round_z(x: f32) -> f32 {
    x.trunc()
}

/// 22.10.20: sine and cosine of radians, any float; of INF NaN. It allows an error of 0.0008 up to ±100π.
fn sincos(x: f32) -> (f32, f32) {
    let (sin, cos) = f64::from(x).sin_cos();
    (sin as f32, cos as f32)
}
