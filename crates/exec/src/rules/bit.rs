//! Bitwise instructions: D3D11.3 functional specification, 22.11.

use super::Rule;
use shaderport_dxbc::Opcode;

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        Opcode::And => Rule::Bits2(|a, b| a & b), // 22.11.1
        Opcode::Or => Rule::Bits2(|a, b| a | b),  // 22.11.10
        Opcode::Xor => Rule::Bits2(|a, b| a ^ b), // 22.11.13
        Opcode::Not => Rule::Bits1(|a| !a),       // 22.11.9
        // 22.11.7, 22.11.8, 22.11.12: the low five bits of the count.
        Opcode::Ishl => Rule::Bits2(|a, b| a << (b & 31)),
        Opcode::Ishr => Rule::Bits2(|a, b| ((a as i32) >> (b & 31)) as u32),
        Opcode::Ushr => Rule::Bits2(|a, b| a >> (b & 31)),
        Opcode::Ubfe => Rule::Bits3(ubfe),
        Opcode::Ibfe => Rule::Bits3(ibfe),
        Opcode::Bfi => Rule::Bits4(bfi),
        Opcode::Bfrev => Rule::Bits1(u32::reverse_bits), // 22.11.3
        Opcode::CountBits => Rule::Bits1(u32::count_ones), // 22.11.4
        Opcode::FirstBitHi => Rule::Bits1(first_hi),
        Opcode::FirstBitLo => Rule::Bits1(first_lo),
        Opcode::FirstBitShi => Rule::Bits1(first_shi),
        _ => return None,
    })
}

/// 22.11.11: `width` bits from `offset` on, at the low end.
fn ubfe(width: u32, offset: u32, value: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    if width == 0 {
        0
    } else if width + offset < 32 {
        value << (32 - (width + offset)) >> (32 - width)
    } else {
        value >> offset
    }
}

/// 22.11.6: the same, sign-extended.
fn ibfe(width: u32, offset: u32, value: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    if width == 0 {
        0
    } else if width + offset < 32 {
        (((value << (32 - (width + offset))) as i32) >> (32 - width)) as u32
    } else {
        ((value as i32) >> offset) as u32
    }
}

/// 22.11.2: the low `width` bits of `insert` replace those of `base` from `offset` on.
fn bfi(width: u32, offset: u32, insert: u32, base: u32) -> u32 {
    let (width, offset) = (width & 31, offset & 31);
    let mask = ((1u32 << width) - 1) << offset;
    insert << offset & mask | base & !mask
}

/// 22.11.5: position of the first one, counted from the most significant bit; all ones where there is none.
fn first_hi(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.leading_zeros() }
}

/// 22.11.5: position of the first one, counted from the least significant bit.
fn first_lo(x: u32) -> u32 {
    if x == 0 { u32::MAX } else { x.trailing_zeros() }
}

/// 22.11.5: of a negative number the first zero from the most significant bit, else the first one.
fn first_shi(x: u32) -> u32 {
    first_hi(if (x as i32) < 0 { !x } else { x })
}
