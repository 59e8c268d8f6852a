//! Type conversions: D3D11.3 functional specification, 22.13 and 3.2.2.

use super::Rule;
use shaderport_dxbc::Opcode;

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        // 22.13.3, 22.13.4: towards zero, clamped to the range, NaN gives 0; just what `as` does.
        Opcode::Ftoi => Rule::FloatToBits(|x| x as i32 as u32),
        Opcode::Ftou => Rule::FloatToBits(|x| x as u32),
        // 22.13.5, 22.13.6: to the nearest, ties to even.
        Opcode::Itof => Rule::BitsToFloat(|x| x as i32 as f32),
        Opcode::Utof => Rule::BitsToFloat(|x| x as f32),
        Opcode::F16ToF32 => Rule::Widen(f16_to_f32),
        Opcode::F32ToF16 => Rule::Bits1(f32_to_f16),
        _ => return None,
    })
}

/// 22.13.1: the low 16 bits; every half has an exact normal float, and NaN keeps its sign and payload (3.2.2).
fn f16_to_f32(half: u32) -> u32 {
    let (sign, exponent, fraction) = ((half & 0x8000) << 16, half >> 10 & 31, half & 0x3ff);
    sign | match exponent {
        31 => 0x7f80_0000 | fraction << 13,
        0 => (fraction as f32 * (-24f32).exp2()).to_bits(),
        e => (e + 112) << 23 | fraction << 13,
    }
}

/// 22.13.2 sends to 3.2.2, which says: always towards zero, never to the nearest, so that what is too large becomes
/// 65504; NaN and INF stay what they are; a denormal half where there is one for the value; every zero keeps its sign.
/// The upper 16 bits are 0.
fn f32_to_f16(bits: u32) -> u32 {
    let sign = bits >> 16 & 0x8000;
    let exponent = (bits >> 23 & 0xff) as i32 - 112;
    let fraction = bits & 0x7f_ffff;
    sign | match exponent {
        143 if fraction != 0 => 0x7e00,
        143 => 0x7c00,
        31.. => 0x7bff,
        1.. => (exponent as u32) << 10 | fraction >> 13,
        -10..=0 => (fraction | 0x80_0000) >> (14 - exponent),
        _ => 0,
    }
}
