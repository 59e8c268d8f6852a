//! Integer arithmetic: D3D11.3 functional specification, 22.12.

use super::Rule;
use shaderport_dxbc::Opcode;

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        Opcode::Iadd => Rule::Bits2(u32::wrapping_add), // 22.12.1
        Opcode::Imad | Opcode::Umad => Rule::Bits3(mad),
        Opcode::Imax => Rule::Bits2(|a, b| (a as i32).max(b as i32) as u32), // 22.12.4
        Opcode::Imin => Rule::Bits2(|a, b| (a as i32).min(b as i32) as u32), // 22.12.5
        Opcode::Umax => Rule::Bits2(u32::max),                               // 22.12.11
        Opcode::Umin => Rule::Bits2(u32::min),                               // 22.12.12
        Opcode::Ineg => Rule::Bits1(u32::wrapping_neg),                      // 22.12.7
        Opcode::Imul => Rule::BitsPair(imul),
        Opcode::Umul => Rule::BitsPair(umul),
        Opcode::Udiv => Rule::BitsPair(udiv),
        Opcode::Uaddc => Rule::BitsPair(uaddc),
        Opcode::Usubb => Rule::BitsPair(usubb),
        Opcode::Msad => Rule::Bits3(msad),
        _ => return None,
    })
}

/// 22.12.3, 22.12.10: the low 32 bits of the product, plus `src2`.
fn mad(a: u32, b: u32, c: u32) -> u32 {
    a.wrapping_mul(b).wrapping_add(c)
}

/// 22.12.6: high and low half of the signed product.
fn imul(a: u32, b: u32) -> (u32, u32) {
    let p = i64::from(a as i32) * i64::from(b as i32);
    ((p >> 32) as u32, p as u32)
}

/// 22.12.13: high and low half of the unsigned product.
fn umul(a: u32, b: u32) -> (u32, u32) {
    let p = u64::from(a) * u64::from(b);
    ((p >> 32) as u32, p as u32)
}

/// 22.12.9: quotient and remainder; a zero divisor gives all ones for both.
fn udiv(a: u32, b: u32) -> (u32, u32) {
    (a.checked_div(b).unwrap_or(u32::MAX), a.checked_rem(b).unwrap_or(u32::MAX))
}

/// 22.12.8: sum and carry.
fn uaddc(a: u32, b: u32) -> (u32, u32) {
    let (sum, carry) = a.overflowing_add(b);
    (sum, carry.into())
}

/// 22.12.14: difference and borrow.
fn usubb(a: u32, b: u32) -> (u32, u32) {
    let (difference, borrow) = a.overflowing_sub(b);
    (difference, borrow.into())
}

/// 22.12.15: absolute differences of the bytes whose reference is not 0, added up with saturation.
fn msad(reference: u32, source: u32, accumulator: u32) -> u32 {
    let pairs = reference.to_le_bytes().into_iter().zip(source.to_le_bytes());
    pairs.filter(|(r, _)| *r != 0).fold(accumulator, |sum, (r, s)| sum.saturating_add(r.abs_diff(s).into()))
}
