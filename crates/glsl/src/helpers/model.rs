//! What each helper computes, in Rust: the rules of the Direct3D 11.3 functional specification, whose sections the
//! functions cite. They follow its words and not the GLSL, so that each checks the other.
//!
//! Floats that are subnormal count as zero of their sign wherever a rule computes with them (3.1.3.2).

/// The quiet NaN that stands for any.
const NAN: f32 = f32::NAN;

/// The largest float below 1.
const BELOW_ONE: f32 = f32::from_bits(0x3f7f_ffff);

/// A subnormal becomes the zero of its sign (3.1.3.2).
pub fn flush(v: f32) -> f32 {
    if v.is_subnormal() { 0.0f32.copysign(v) } else { v }
}

/// 22.10.11 `min`: `a < b ? a : b`, where an operand that is NaN loses.
pub fn min(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        b
    } else if b.is_nan() || flush(a) < flush(b) {
        a
    } else {
        b
    }
}

/// 22.10.10 `max`: `a >= b ? a : b`, where an operand that is NaN loses.
pub fn max(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        b
    } else if b.is_nan() || flush(a) >= flush(b) {
        a
    } else {
        b
    }
}

/// 22.19.1 `_sat`: `min(1, max(0, v))`, so that NaN gives 0.
pub fn saturate(v: f32) -> f32 {
    min(1.0, max(0.0, v))
}

/// 22.10.1 `add`: infinities of both signs make NaN.
pub fn add(a: f32, b: f32) -> f32 {
    flush(flush(a) + flush(b))
}

/// 22.10.12 `mul`: 0 times infinity is NaN.
pub fn mul(a: f32, b: f32) -> f32 {
    flush(flush(a) * flush(b))
}

/// 22.10.2 `div`: 0 over 0 is NaN.
pub fn div(a: f32, b: f32) -> f32 {
    flush(flush(a) / flush(b))
}

/// 22.10.7 `frc`: `v - round_ni(v)`, in `[+0, 1)`.
pub fn frc(v: f32) -> f32 {
    let v = flush(v);
    let f = v - v.floor();
    if f >= 1.0 { BELOW_ONE } else { f }
}

/// 22.10.6 `exp`, base 2.
pub fn exp2(v: f32) -> f32 {
    if v.is_nan() { NAN } else { flush(f64::from(flush(v)).exp2() as f32) }
}

/// 22.10.8 `log`, base 2.
pub fn log2(v: f32) -> f32 {
    let v = flush(v);
    if v == 0.0 {
        f32::NEG_INFINITY
    } else if v > 0.0 {
        f64::from(v).log2() as f32
    } else {
        NAN
    }
}

/// 22.13.3 `ftoi`: clamped, then toward zero; NaN gives 0.
pub fn ftoi(v: f32) -> i32 {
    // Rust's cast is defined just so.
    v as i32
}

/// 22.13.4 `ftou`: clamped, then toward zero; NaN gives 0.
pub fn ftou(v: f32) -> u32 {
    v as u32
}

/// 22.13.1 `f16tof32`: 3.2.2 with the low 16 bits as a half, whose subnormals count (3.1.5).
pub fn f16tof32(v: u32) -> f32 {
    let fraction = (v & 0x3ff) as f32;
    let size = match v >> 10 & 0x1f {
        0x1f if fraction != 0.0 => NAN,
        0x1f => f32::INFINITY,
        0 => fraction * 2.0f32.powi(-24),
        exponent => (1.0 + fraction / 1024.0) * 2.0f32.powi(exponent as i32 - 15),
    };
    if v & 0x8000 == 0 { size } else { -size }
}

/// 22.13.2 `f32tof16`: 3.2.2, toward zero, so that only infinity becomes infinity.
pub fn f32tof16(v: f32) -> u32 {
    let sign = v.to_bits() >> 16 & 0x8000;
    let size = f64::from(flush(v).abs());
    let half = if size.is_nan() {
        0x7e00
    } else if size.is_infinite() {
        0x7c00
    } else if size >= 65504.0 {
        0x7bff
    } else {
        // Below the normal halves the step no longer shrinks with the exponent.
        let exponent = (size.log2().floor() as i32).max(-14);
        let steps = (size * 2.0f64.powi(10 - exponent)) as u32;
        // The hidden bit of a normal half carries into the exponent.
        ((exponent + 14) as u32 * 0x400) + steps
    };
    sign | half
}

/// 22.12.9 `udiv`, the quotient.
pub fn udiv(a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or(u32::MAX)
}

/// 22.12.9 `udiv`, the remainder.
pub fn umod(a: u32, b: u32) -> u32 {
    a.checked_rem(b).unwrap_or(u32::MAX)
}

/// 22.12.13 `umul`, the high half.
pub fn umul_hi(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// 22.12.6 `imul`, the high half.
pub fn imul_hi(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> 32) as i32
}

/// 22.12.8 `uaddc`, the carry.
pub fn uadd_carry(a: u32, b: u32) -> u32 {
    u32::from(a.checked_add(b).is_none())
}

/// 22.12.14 `usubb`, the borrow.
pub fn usub_borrow(a: u32, b: u32) -> u32 {
    u32::from(a.checked_sub(b).is_none())
}

/// 22.11.11 `ubfe`.
pub fn ubfe(width: u32, offset: u32, v: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    if width == 0 {
        0
    } else if width + offset < 32 {
        v << (32 - (width + offset)) >> (32 - width)
    } else {
        v >> offset
    }
}

/// 22.11.6 `ibfe`.
pub fn ibfe(width: i32, offset: i32, v: i32) -> i32 {
    let (width, offset) = (width & 31, offset & 31);
    if width == 0 {
        0
    } else if width + offset < 32 {
        v << (32 - (width + offset)) >> (32 - width)
    } else {
        v >> offset
    }
}

/// 22.11.2 `bfi`.
pub fn bfi(width: u32, offset: u32, insert: u32, base: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    let mask = ((1 << width) - 1) << offset;
    insert << offset & mask | base & !mask
}

/// 22.11.3 `bfrev`.
pub fn bfrev(v: u32) -> u32 {
    v.reverse_bits()
}

/// 22.11.4 `countbits`.
pub fn countbits(v: u32) -> u32 {
    v.count_ones()
}

/// 22.11.5 `firstbit_hi`.
pub fn firstbit_hi(v: u32) -> u32 {
    if v == 0 { u32::MAX } else { v.leading_zeros() }
}

/// 22.11.5 `firstbit_lo`.
pub fn firstbit_lo(v: u32) -> u32 {
    if v == 0 { u32::MAX } else { v.trailing_zeros() }
}

/// 22.11.5 `firstbit_shi`.
pub fn firstbit_shi(v: i32) -> u32 {
    firstbit_hi(if v < 0 { !v } else { v } as u32)
}

/// 22.12.15 `msad`, with the overflow that it recommends.
pub fn msad(reference: u32, v: u32, sum: u32) -> u32 {
    reference
        .to_le_bytes()
        .into_iter()
        .zip(v.to_le_bytes())
        .fold(sum, |sum, (a, b)| if a == 0 { sum } else { sum.saturating_add(u32::from(a.abs_diff(b))) })
}

/// 7.18.8: the lower and upper texel that linear sampling takes along one axis, before the address mode.
pub fn gather4_texels(size: u32, coord: f32, offset: i32) -> (i32, i32) {
    // 16.8 fixed point.
    let fixed = (f64::from(coord) * f64::from(size) - 0.5) * 256.0;
    let lower = ((fixed + 0.5).floor() / 256.0).floor() as i32 + offset;
    (lower, lower + 1)
}

/// 22.4.4 `gather4_po`: of an offset's bits, the low 6 count, with sign.
pub fn gather4_offset(offset: i32) -> i32 {
    match offset & 0x3f {
        low @ 0..=31 => low,
        low => low - 64,
    }
}

/// 7.18.7: the face of a direction: +X, -X, +Y, -Y, +Z, -Z; equal axes go to Z, then Y.
pub fn cube_face(d: [f32; 3]) -> u32 {
    let size = d.map(f32::abs);
    let axis = if size[2] >= size[0] && size[2] >= size[1] {
        2
    } else if size[1] >= size[0] {
        1
    } else {
        0
    };
    2 * axis + u32::from(d[axis as usize] < 0.0)
}

/// 5.3.8: the axes of a face's u, v and outward direction.
pub fn cube_axes(face: u32) -> [[f32; 3]; 3] {
    match face {
        0 => [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]],
        1 => [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [-1.0, 0.0, 0.0]],
        2 => [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        3 => [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
        4 => [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
        _ => [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
    }
}

/// 7.18.11: the components of a vector along a face's u, v and axis.
pub fn cube_local(d: [f32; 3], face: u32) -> [f32; 3] {
    cube_axes(face).map(|axis| axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2])
}

/// 22.5.6 `lod`: (clamped, unclamped, 0, 0) by the isotropic rule of 7.18.11, from the derivatives of a coordinate
/// in texels.
pub fn lod(dx: &[f32], dy: &[f32], last: f32) -> [f32; 4] {
    let length = |d: &[f32]| d.iter().map(|v| v * v).sum::<f32>().sqrt();
    let level = log2(max(length(dx), length(dy)));
    [max(0.0, min(last, level)), level, 0.0, 0.0]
}

/// 22.4.14 `resinfo_uint`: `size` at level 0 (0 for an axis that the resource has not), `halves` for the axes that
/// levels halve.
pub fn resinfo(size: [u32; 3], halves: [bool; 3], level: u32, levels: u32) -> [u32; 4] {
    let axis = |i: usize| match (size[i], halves[i]) {
        _ if level >= levels => 0,
        (0, _) => 0,
        (size, true) => (size >> level).max(1),
        (size, false) => size,
    };
    [axis(0), axis(1), axis(2), levels]
}

/// 22.4.14 `resinfo_rcpFloat`: reciprocals of what levels halve; of 0, infinity.
pub fn resinfo_rcp(size: [u32; 3], halves: [bool; 3], level: u32, levels: u32) -> [f32; 4] {
    let [x, y, z, levels] = resinfo(size, halves, level, levels).map(|v| v as f32);
    let axis = |v: f32, halves: bool| if halves { 1.0 / v } else { v };
    [axis(x, halves[0]), axis(y, halves[1]), axis(z, halves[2]), levels]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_specification() {
        assert_eq!(bfrev(0x1234_5678), 0x1e6a_2c48);
        assert_eq!(firstbit_lo(1), 0);
        assert_eq!(firstbit_hi(0x1000_0000), 3);
        assert_eq!([firstbit_hi(0), firstbit_lo(0), firstbit_shi(0), firstbit_shi(-1)], [u32::MAX; 4]);
        assert_eq!([udiv(7, 0), umod(7, 0)], [u32::MAX; 2]);
        assert_eq!(saturate(f32::NAN).to_bits(), 0);
        assert_eq!((min(f32::NAN, 1.0), min(1.0, f32::NAN)), (1.0, 1.0));
        assert_eq!((max(f32::NAN, -1.0), max(-1.0, f32::NAN)), (-1.0, -1.0));
        assert_eq!((ftoi(f32::NAN), ftoi(1e20), ftoi(-1e20), ftoi(-1.9)), (0, i32::MAX, i32::MIN, -1));
        assert_eq!((ftou(-1.0), ftou(1e20), ftou(f32::NAN)), (0, u32::MAX, 0));
        assert_eq!(frc(-1e-8), BELOW_ONE);
    }

    #[test]
    fn halves_round_toward_zero() {
        for half in 0..0x7c00 {
            let value = f16tof32(half);
            assert_eq!(f32tof16(value), half);
            assert_eq!(f32tof16(-value), half | 0x8000);
            let next = f16tof32(half + 1);
            let below = if next.is_finite() { f32::from_bits(next.to_bits() - 1) } else { f32::MAX };
            assert_eq!(f32tof16(below), half);
        }
        assert_eq!(f32tof16(f32::INFINITY), 0x7c00);
        assert!(f16tof32(f32tof16(f32::NAN)).is_nan());
    }
}
