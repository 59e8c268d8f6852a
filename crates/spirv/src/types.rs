//! Types, and the sizes that decorations give them.

use crate::module::{Instruction, Module};
use rspirv::spirv::{Decoration as D, Op};

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`, which has no size in memory.
    Bool,
    /// An integer.
    Int {
        /// Bits.
        width: u32,
        /// Two's complement.
        signed: bool,
    },
    /// A floating-point number.
    Float {
        /// Bits.
        width: u32,
    },
}

impl Scalar {
    /// Size in bytes, for those that have one.
    pub fn bytes(self) -> Option<u64> {
        match self {
            Scalar::Bool => None,
            Scalar::Int { width, .. } | Scalar::Float { width } => {
                (width != 0 && width % 8 == 0).then_some(u64::from(width / 8))
            }
        }
    }
}

/// A type, one level deep: other types are named by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'m> {
    /// `void`.
    Void,
    /// A scalar.
    Scalar(Scalar),
    /// A vector.
    Vector {
        /// Component type.
        component: u32,
        /// Number of components.
        count: u32,
    },
    /// A matrix.
    Matrix {
        /// Column type, a vector.
        column: u32,
        /// Number of columns.
        columns: u32,
    },
    /// An image.
    Image {
        /// Type of a texel's components.
        sampled_type: u32,
        /// Dimensionality number.
        dim: u32,
        /// 0 no, 1 yes, 2 unknown.
        depth: u32,
        /// 1 for arrayed images.
        arrayed: u32,
        /// 1 for multisampled images.
        multisampled: u32,
        /// 1 for sampling, 2 for load and store.
        sampled: u32,
        /// Image format number.
        format: u32,
    },
    /// A sampler.
    Sampler,
    /// An image joined with a sampler.
    SampledImage {
        /// The image type.
        image: u32,
    },
    /// An array.
    Array {
        /// Element type.
        element: u32,
        /// Id of the length, a constant or specialisation constant.
        length: u32,
    },
    /// An array whose length is known when it runs.
    RuntimeArray {
        /// Element type.
        element: u32,
    },
    /// A structure.
    Struct {
        /// Types of the members.
        members: &'m [u32],
    },
    /// A pointer.
    Pointer {
        /// Storage class number.
        class: u32,
        /// What it points to.
        pointee: u32,
    },
    /// A function type.
    Function,
    /// An acceleration structure.
    AccelerationStructure,
    /// Any other type.
    Other {
        /// Opcode of the declaration.
        opcode: u16,
    },
}

/// The size of a structure as decorations give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes from the start to the end of the farthest member, without trailing padding.
    pub bytes: u64,
    /// The stride of a runtime array at the end.
    pub tail_stride: Option<u32>,
}

/// A member of a structure with what its decorations say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Index of the member.
    pub index: u32,
    /// Its type.
    pub ty: u32,
    /// `Offset`.
    pub offset: Option<u32>,
    /// `MatrixStride`.
    pub matrix_stride: Option<u32>,
    /// `RowMajor`.
    pub row_major: bool,
    /// `ColMajor`.
    pub column_major: bool,
    /// `NonWritable`.
    pub non_writable: bool,
}

impl Module {
    /// The type with that id, or `None` where the id is no type.
    pub fn ty(&self, id: u32) -> Option<Type<'_>> {
        let inst = self.definition(id)?;
        type_of(inst)
    }

    /// The scalar type with that id.
    pub fn scalar(&self, id: u32) -> Option<Scalar> {
        match self.ty(id)? {
            Type::Scalar(s) => Some(s),
            _ => None,
        }
    }

    /// The storage class and pointee of a variable's type.
    pub fn pointee(&self, variable: &Instruction<'_>) -> Option<(u32, u32)> {
        match self.ty(variable.result_type()?)? {
            Type::Pointer { class, pointee } => Some((class, pointee)),
            _ => None,
        }
    }

    /// A structure's members, in the order of declaration.
    pub fn members(&self, structure: u32) -> Option<Vec<Member>> {
        let Type::Struct { members } = self.ty(structure)? else { return None };
        Some(
            members
                .iter()
                .enumerate()
                .map(|(index, &ty)| {
                    let index = index as u32;
                    let value = |d| self.decoration_value(structure, Some(index), d);
                    let flag = |d| self.is_decorated(structure, Some(index), d);
                    Member {
                        index,
                        ty,
                        offset: value(D::Offset),
                        matrix_stride: value(D::MatrixStride),
                        row_major: flag(D::RowMajor),
                        column_major: flag(D::ColMajor),
                        non_writable: flag(D::NonWritable),
                    }
                })
                .collect(),
        )
    }

    /// The array stride of an array type.
    pub fn array_stride(&self, array: u32) -> Option<u32> {
        self.decoration_value(array, None, D::ArrayStride)
    }

    /// The extent of a structure whose members all have offsets and sizes.
    pub fn extent(&self, structure: u32) -> Option<Extent> {
        self.extents.get(&structure).copied()
    }

    /// Bytes that a type takes inside a block; `member` supplies matrix strides. `None` where a decoration that it
    /// needs is missing or the type has no size: never a guess.
    pub fn size_in_block(&self, ty: u32, member: &Member) -> Option<Extent> {
        let fixed = |bytes| Some(Extent { bytes, tail_stride: None });
        match self.ty(ty)? {
            Type::Scalar(s) => fixed(s.bytes()?),
            Type::Vector { component, count } => {
                fixed(self.scalar(component)?.bytes()?.checked_mul(u64::from(count))?)
            }
            Type::Matrix { column, columns } => {
                let Type::Vector { count: rows, .. } = self.ty(column)? else { return None };
                let vectors = if member.row_major { rows } else { columns };
                fixed(u64::from(member.matrix_stride?).checked_mul(u64::from(vectors))?)
            }
            Type::Array { length, .. } => {
                let stride = u64::from(self.array_stride(ty)?);
                fixed(stride.checked_mul(u64::from(self.constant(length)?))?)
            }
            Type::RuntimeArray { .. } => Some(Extent { bytes: 0, tail_stride: Some(self.array_stride(ty)?) }),
            Type::Struct { .. } => self.extent(ty),
            Type::Pointer { .. } => fixed(8),
            _ => None,
        }
    }

    /// Works out the extents of all structures, in the order of definition: members come before what they are in.
    pub(crate) fn compute_extents(&mut self) {
        for index in 0..self.insts.len() {
            let Some(inst) = self.instruction(index) else { continue };
            if !inst.is(Op::TypeStruct) {
                continue;
            }
            let Some(id) = inst.result() else { continue };
            if let Some(extent) = self.struct_extent(id) {
                self.extents.insert(id, extent);
            }
            let members = self.instruction(index).map_or(0, |i| i.words.len().saturating_sub(2)) as u32;
            if members > 0 && (0..members).all(|m| self.is_decorated(id, Some(m), D::NonWritable)) {
                self.locked.insert(id);
            }
        }
    }

    fn struct_extent(&self, id: u32) -> Option<Extent> {
        let mut total = Extent { bytes: 0, tail_stride: None };
        for member in self.members(id)? {
            let size = self.size_in_block(member.ty, &member)?;
            total.bytes = total.bytes.max(u64::from(member.offset?).checked_add(size.bytes)?);
            total.tail_stride = size.tail_stride.or(total.tail_stride);
        }
        Some(total)
    }
}

/// Decodes a type declaration.
pub(crate) fn type_of(inst: Instruction<'_>) -> Option<Type<'_>> {
    let op = Op::from_u32(u32::from(inst.opcode))?;
    let at = |i| inst.operand(i);
    Some(match op {
        Op::TypeVoid => Type::Void,
        Op::TypeBool => Type::Scalar(Scalar::Bool),
        Op::TypeInt => Type::Scalar(Scalar::Int { width: at(2)?, signed: at(3)? != 0 }),
        Op::TypeFloat => Type::Scalar(Scalar::Float { width: at(2)? }),
        Op::TypeVector => Type::Vector { component: at(2)?, count: at(3)? },
        Op::TypeMatrix => Type::Matrix { column: at(2)?, columns: at(3)? },
        Op::TypeImage => Type::Image {
            sampled_type: at(2)?,
            dim: at(3)?,
            depth: at(4)?,
            arrayed: at(5)?,
            multisampled: at(6)?,
            sampled: at(7)?,
            format: at(8)?,
        },
        Op::TypeSampler => Type::Sampler,
        Op::TypeSampledImage => Type::SampledImage { image: at(2)? },
        Op::TypeArray => Type::Array { element: at(2)?, length: at(3)? },
        Op::TypeRuntimeArray => Type::RuntimeArray { element: at(2)? },
        Op::TypeStruct => Type::Struct { members: inst.words.get(2..)? },
        Op::TypePointer => Type::Pointer { class: at(2)?, pointee: at(3)? },
        Op::TypeFunction => Type::Function,
        Op::TypeAccelerationStructureKHR => Type::AccelerationStructure,
        _ if crate::grammar::op_name(inst.opcode)?.starts_with("Type") && op != Op::TypeForwardPointer => {
            Type::Other { opcode: inst.opcode }
        }
        _ => return None,
    })
}
