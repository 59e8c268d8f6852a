//! Operands: registers and immediates with lanes, modifiers and indices.

use shaderport_dxbc::Program;
use shaderport_dxbc::program::{Components, Index, MinPrecision, Modifier, OperandKind};

/// Lanes as text: `xyz`. What is written gets a mask; what is read gets a swizzle whose last lane is repeated, or
/// one lane of four where only one is named. Empty text names no lanes.
#[derive(Clone, Debug)]
enum Lanes {
    Text(String),
    /// Always a swizzle, also in a declaration.
    Read(String),
    /// The register has one lane.
    One,
}

/// One dimension of an index.
#[derive(Clone, Debug)]
pub struct Idx {
    immediate: u32,
    relative: Option<Box<Operand>>,
}

impl From<u32> for Idx {
    fn from(immediate: u32) -> Idx {
        Idx { immediate, relative: None }
    }
}

/// The register's lane alone is the index.
impl From<Operand> for Idx {
    fn from(register: Operand) -> Idx {
        Idx { immediate: 0, relative: Some(Box::new(register)) }
    }
}

/// The register's lane is added to a constant.
impl From<(Operand, u32)> for Idx {
    fn from((register, immediate): (Operand, u32)) -> Idx {
        Idx { immediate, relative: Some(Box::new(register)) }
    }
}

/// A number of 32 bits.
pub trait Number: Copy {
    /// Its bits.
    fn bits(self) -> u32;
}
impl Number for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}
impl Number for u32 {
    fn bits(self) -> u32 {
        self
    }
}
impl Number for i32 {
    fn bits(self) -> u32 {
        self as u32
    }
}

/// A register or an immediate.
#[derive(Clone, Debug)]
pub struct Operand {
    kind: OperandKind,
    lanes: Lanes,
    indices: Vec<Idx>,
    immediate: Option<[u32; 4]>,
    negated: bool,
    magnitude: bool,
    min_precision: MinPrecision,
}

impl Operand {
    /// The same with one more index dimension.
    pub fn at(mut self, index: impl Into<Idx>) -> Operand {
        self.indices.push(index.into());
        self
    }
    /// `|a|`
    pub fn abs(mut self) -> Operand {
        self.magnitude = true;
        self
    }
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind == OperandKind::Null
    }
    /// With a least precision.
    pub fn precision(mut self, min_precision: MinPrecision) -> Operand {
        self.min_precision = min_precision;
        self
    }
    /// With these lanes read, also in a declaration.
    pub fn read(mut self, lanes: &str) -> Operand {
        self.lanes = Lanes::Read(lanes.into());
        self
    }
    /// As a register that has one lane.
    pub fn one(mut self) -> Operand {
        self.lanes = Lanes::One;
        self
    }

    pub(crate) fn build(&self, written: bool, program: &mut Program) -> shaderport_dxbc::Operand {
        let components = match &self.lanes {
            Lanes::One => Components::One,
            Lanes::Text(text) | Lanes::Read(text) if text.is_empty() => Components::None,
            Lanes::Text(text) if written => Components::Mask(lane_mask(text)),
            Lanes::Text(text) | Lanes::Read(text) => swizzle(text),
        };
        let mut operand = match self.immediate {
            Some(lanes) => program.literal(self.kind, components, lanes),
            None => shaderport_dxbc::Operand::new(self.kind, components),
        };
        operand.min_precision = self.min_precision;
        operand.modifier = match (self.negated, self.magnitude) {
            (false, false) => Modifier::None,
            (true, false) => Modifier::Neg,
            (false, true) => Modifier::Abs,
            (true, true) => Modifier::AbsNeg,
        };
        for index in &self.indices {
            operand = operand.at(match &index.relative {
                None => Index::constant(index.immediate),
                Some(register) => {
                    let register = register.build(false, program);
                    program.indexed_by(index.immediate, register)
                }
            });
        }
        operand
    }
}

/// The negated value.
impl std::ops::Neg for Operand {
    type Output = Operand;

    fn neg(mut self) -> Operand {
        self.negated = !self.negated;
        self
    }
}

/// Mask of lanes named in text, bit 0 for x.
pub(crate) fn lane_mask(text: &str) -> u8 {
    text.chars().map(|c| 1 << lane(c)).fold(0, |mask, bit| mask | bit)
}

fn swizzle(text: &str) -> Components {
    let lanes: Vec<u8> = text.chars().map(lane).collect();
    match lanes[..] {
        [one] => Components::Select(one),
        _ => Components::Swizzle(std::array::from_fn(|n| lanes[n.min(lanes.len() - 1)])),
    }
}

fn lane(c: char) -> u8 {
    "xyzw".find(c).unwrap_or_else(|| panic!("`{c}` is no lane")) as u8
}

/// A register of any file, without indices yet.
pub fn register(kind: OperandKind, lanes: &str) -> Operand {
    Operand {
        kind,
        lanes: Lanes::Text(lanes.into()),
        indices: Vec::new(),
        immediate: None,
        negated: false,
        magnitude: false,
        min_precision: MinPrecision::Full,
    }
}

/// Temporary `r#`.
pub fn r(n: u32, lanes: &str) -> Operand {
    register(OperandKind::Temp, lanes).at(n)
}
/// Input `v#`; the index may be relative.
pub fn v(n: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::Input, lanes).at(n)
}
/// Output `o#`; the index may be relative.
pub fn o(n: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::Output, lanes).at(n)
}
/// Element of indexable temporary `x#`.
pub fn x(n: u32, element: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::IndexableTemp, lanes).at(n).at(element)
}
/// Row of constant buffer `cb#`, before model 5.1.
pub fn cb(n: u32, row: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::ConstantBuffer, lanes).at(n).at(row)
}
/// Row of the immediate constant buffer.
pub fn icb(row: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::ImmediateConstantBuffer, lanes).at(row)
}
/// Resource `t#`, before model 5.1.
pub fn t(n: u32, lanes: &str) -> Operand {
    register(OperandKind::Resource, lanes).at(n)
}
/// View `u#`, before model 5.1.
pub fn u(n: u32, lanes: &str) -> Operand {
    register(OperandKind::UnorderedAccessView, lanes).at(n)
}
/// Sampler `s#`, before model 5.1.
pub fn s(n: u32) -> Operand {
    register(OperandKind::Sampler, "").at(n)
}
/// Label `label#`.
pub fn label(n: u32) -> Operand {
    register(OperandKind::Label, "").at(n)
}
/// `null`
pub fn null() -> Operand {
    register(OperandKind::Null, "")
}
/// An immediate of one lane, the same for each lane of the result.
pub fn l(value: impl Number) -> Operand {
    Operand { immediate: Some([value.bits(); 4]), ..register(OperandKind::Immediate32, "").one() }
}
/// An immediate of four lanes.
pub fn l4<N: Number>(values: [N; 4]) -> Operand {
    Operand {
        immediate: Some(values.map(N::bits)),
        ..register(OperandKind::Immediate32, "xyzw").read("xyzw")
    }
}
