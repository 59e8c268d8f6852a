//! Conditions: D3D11.3 functional specification, 22.6. True is all ones, false 0.

use super::Rule;
use shaderport_dxbc::Opcode;

/// A condition as the 32 bits of a lane.
pub(crate) fn mask(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        // 22.6.1, 22.6.2, 22.6.7, 22.6.8: denormals are flushed first, +0 equals -0, NaN only satisfies `ne`.
        Opcode::Eq => Rule::FloatTest(|a, b| a == b),
        Opcode::Ge => Rule::FloatTest(|a, b| a >= b),
        Opcode::Lt => Rule::FloatTest(|a, b| a < b),
        Opcode::Ne => Rule::FloatTest(|a, b| a != b),
        // 22.6.3 to 22.6.6: two's complement.
        Opcode::Ige => Rule::Bits2(|a, b| mask(a as i32 >= b as i32)),
        Opcode::Ieq => Rule::Bits2(|a, b| mask(a == b)),
        Opcode::Ilt => Rule::Bits2(|a, b| mask((a as i32) < b as i32)),
        Opcode::Ine => Rule::Bits2(|a, b| mask(a != b)),
        // 22.6.9, 22.6.10: unsigned.
        Opcode::Uge => Rule::Bits2(|a, b| mask(a >= b)),
        Opcode::Ult => Rule::Bits2(|a, b| mask(a < b)),
        _ => return None,
    })
}
