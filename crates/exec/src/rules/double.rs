//! Doubles, two in a register: D3D11.3 functional specification, 22.14 to 22.17. No denormal is flushed (3.1.4).

use super::Rule;
use shaderport_dxbc::Opcode;

/// The double in two words, the low one first.
pub(crate) fn join(low: u32, high: u32) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

/// The words of a double, the low one first; every NaN is the same.
pub(crate) fn split(x: f64) -> [u32; 2] {
    let bits = if x.is_nan() { 0x7ff8 << 48 } else { x.to_bits() };
    [bits as u32, (bits >> 32) as u32]
}

pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    Some(match opcode {
        Opcode::Dadd => Rule::Double2(|a, b| a + b), // 22.14.1
        Opcode::Dmul => Rule::Double2(|a, b| a * b), // 22.14.4
        Opcode::Ddiv => Rule::Double2(|a, b| a / b), // 22.14.6
        Opcode::Dmax => Rule::Double2(max),
        Opcode::Dmin => Rule::Double2(min),
        Opcode::Drcp => Rule::Double1(|a| 1.0 / a),     // 22.14.5
        Opcode::Dfma => Rule::Double3(f64::mul_add),    // 22.14.7: one rounding
        Opcode::Deq => Rule::DoubleTest(|a, b| a == b), // 22.15.1
        Opcode::Dge => Rule::DoubleTest(|a, b| a >= b), // 22.15.2
        Opcode::Dlt => Rule::DoubleTest(|a, b| a < b),  // 22.15.3
        Opcode::Dne => Rule::DoubleTest(|a, b| a != b), // 22.15.4
        Opcode::Dmov => Rule::DoubleMove,               // 22.16.1
        Opcode::Dmovc => Rule::DoubleSelect,            // 22.16.2
        Opcode::DtoF => Rule::DoubleToBits(|x| super::float::result(x as f32)), // 22.17.1: to the nearest
        Opcode::DtoI => Rule::DoubleToBits(|x| x as i32 as u32), // 22.17.3: as ftoi
        Opcode::DtoU => Rule::DoubleToBits(|x| x as u32), // 22.17.4: as ftou
        Opcode::FtoD => Rule::BitsToDouble(|x| super::float::operand(x).into()), // 22.17.2
        Opcode::ItoD => Rule::BitsToDouble(|x| (x as i32).into()), // 22.17.5
        Opcode::UtoD => Rule::BitsToDouble(f64::from),  // 22.17.6
        _ => return None,
    })
}

/// 22.14.2
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b > a || a == b && a.is_sign_negative() { b } else { a }
}

/// 22.14.3
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b < a || a == b && a.is_sign_positive() { b } else { a }
}

/// 22.19.1
pub(crate) fn saturate(x: f64) -> f64 {
    min(1.0, max(0.0, x))
}
