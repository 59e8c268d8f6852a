//! Operands: registers and immediates with lanes, modifiers and indices.

use shaderport_dxbc::program::OperandKind;

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
    immediate: Vec<u32>,
    /// The extended token without its type: modifier, precision, mark of non-uniform indices.
    extended: u32,
}

impl Operand {
    /// The same with one more index dimension.
    pub fn at(mut self, index: impl Into<Idx>) -> Operand {
        self.indices.push(index.into());
        self
    }
    /// `|a|`
    pub fn abs(mut self) -> Operand {
        self.extended |= 2 << 6;
        self
    }
    /// With a least precision: 1 `min16f`, 2 `min2_8f`, 4 `min16i`, 5 `min16u`.
    pub fn precision(mut self, number: u32) -> Operand {
        self.extended |= number << 14;
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

    pub(crate) fn encode(&self, written: bool, out: &mut Vec<u32>) {
        let lanes = match &self.lanes {
            Lanes::One => 1,
            Lanes::Text(text) | Lanes::Read(text) if text.is_empty() => 0,
            Lanes::Text(text) if written => 2 | lane_mask(text) << 4,
            Lanes::Text(text) | Lanes::Read(text) => swizzle(text),
        };
        let mut token = lanes | (self.kind as u32) << 12 | (self.indices.len() as u32) << 20;
        for (n, index) in self.indices.iter().enumerate() {
            let representation = match (index.immediate, &index.relative) {
                (_, None) => 0,
                (0, Some(_)) => 2,
                (_, Some(_)) => 3,
            };
            token |= representation << (22 + 3 * n);
        }
        if self.extended != 0 {
            out.extend([token | 1 << 31, self.extended | 1]);
        } else {
            out.push(token);
        }
        out.extend(&self.immediate);
        for index in &self.indices {
            if index.relative.is_none() || index.immediate != 0 {
                out.push(index.immediate);
            }
            if let Some(register) = &index.relative {
                register.encode(false, out);
            }
        }
    }
}

/// The negated value.
impl std::ops::Neg for Operand {
    type Output = Operand;

    fn neg(mut self) -> Operand {
        self.extended ^= 1 << 6;
        self
    }
}

/// Mask of lanes named in text, bit 0 for x.
pub(crate) fn lane_mask(text: &str) -> u32 {
    text.chars().map(|c| 1 << lane(c)).fold(0, |mask, bit| mask | bit)
}

fn swizzle(text: &str) -> u32 {
    let lanes: Vec<u32> = text.chars().map(lane).collect();
    match lanes[..] {
        [one] => 2 | 2 << 2 | one << 4,
        _ => {
            let packed = (0..4).map(|n| lanes[n.min(lanes.len() - 1)] << (4 + 2 * n));
            2 | 1 << 2 | packed.fold(0, |sum, bits| sum | bits)
        }
    }
}

fn lane(c: char) -> u32 {
    "xyzw".find(c).unwrap_or_else(|| panic!("`{c}` is no lane")) as u32
}

/// A register of any file, without indices yet.
pub fn register(kind: OperandKind, lanes: &str) -> Operand {
    Operand {
        kind,
        lanes: Lanes::Text(lanes.into()),
        indices: Vec::new(),
        immediate: Vec::new(),
        extended: 0,
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
    Operand { immediate: vec![value.bits()], ..register(OperandKind::Immediate32, "").one() }
}
/// An immediate of four lanes.
pub fn l4<N: Number>(values: [N; 4]) -> Operand {
    let immediate = values.map(N::bits).to_vec();
    Operand { immediate, ..register(OperandKind::Immediate32, "xyzw").read("xyzw") }
}
