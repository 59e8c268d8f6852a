//! Numbers as GLSL text: short, exact, and never through a locale.

use std::fmt::Write as _;

/// Writes the float with these bits so that every GLSL compiler reads back the same bits.
///
/// Decimal where that is exact everywhere; bits where a compiler may round or flush: NaN, infinities, negative
/// zero, denormals and the ends of the range (some read the decimal form of the greatest float as infinity).
pub(crate) fn write_float(out: &mut String, bits: u32) {
    let v = f32::from_bits(bits);
    let a = v.abs();
    if bits == 0 {
        out.push_str("0.0");
    } else if (1.0..=65535.0).contains(&a) && v.trunc() == v {
        // Most literals, without looking for the fewest digits.
        out.push_str(itoa::Buffer::new().format(v as i32));
        out.push_str(".0");
    } else if (1e-37..=1e38).contains(&a) {
        let mut buffer = ryu::Buffer::new();
        out.push_str(buffer.format_finite(v));
    } else {
        let _ = write!(out, "uintBitsToFloat(0x{bits:x}u)");
    }
}

/// Writes an int.
pub(crate) fn write_int(out: &mut String, bits: u32) {
    let v = bits as i32;
    if v == i32::MIN {
        // The positive literal does not fit an int.
        out.push_str("int(0x80000000u)");
    } else if (-0xffff..=0xffff).contains(&v) {
        let mut buffer = itoa::Buffer::new();
        out.push_str(buffer.format(v));
    } else if v < 0 {
        let _ = write!(out, "int(0x{bits:x}u)");
    } else {
        let _ = write!(out, "0x{bits:x}");
    }
}

/// Writes a uint.
pub(crate) fn write_uint(out: &mut String, bits: u32) {
    if bits <= 0xffff {
        let mut buffer = itoa::Buffer::new();
        out.push_str(buffer.format(bits));
        out.push('u');
    } else {
        let _ = write!(out, "0x{bits:x}u");
    }
}

/// Whether the text of this float starts with a minus sign.
pub(crate) fn float_is_signed_text(bits: u32) -> bool {
    let v = f32::from_bits(bits);
    v < 0.0 && (1e-37..=1e38).contains(&-v)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(v: f32) -> String {
        let mut s = String::new();
        write_float(&mut s, v.to_bits());
        s
    }

    #[test]
    fn floats_are_short_and_exact() {
        assert_eq!(f(0.4), "0.4");
        assert_eq!(f(1.0), "1.0");
        assert_eq!(f(-2.5e-20), "-2.5e-20");
        assert_eq!(f(-0.0), "uintBitsToFloat(0x80000000u)");
        assert_eq!(f(f32::INFINITY), "uintBitsToFloat(0x7f800000u)");
        assert_eq!(f(f32::MAX), "uintBitsToFloat(0x7f7fffffu)");
        assert_eq!(f(1e20), "1e20");
        for bits in (0..u32::MAX).step_by(1_000_003) {
            let text = f(f32::from_bits(bits));
            if let Ok(v) = text.parse::<f32>() {
                assert_eq!(v.to_bits(), bits, "{text}");
                assert!(text.contains(['.', 'e']), "{text} would be an int");
            }
        }
    }

    #[test]
    fn integers_fit_their_type() {
        let mut s = String::new();
        write_int(&mut s, i32::MIN as u32);
        s.push(' ');
        write_int(&mut s, -1i32 as u32);
        s.push(' ');
        write_int(&mut s, 0x7fff_ffff);
        s.push(' ');
        write_uint(&mut s, u32::MAX);
        assert_eq!(s, "int(0x80000000u) -1 0x7fffffff 0xffffffffu");
    }
}
