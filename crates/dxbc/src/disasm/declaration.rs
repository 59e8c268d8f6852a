//! Declarations.

use super::Writer;
use super::operand::Literal;
use crate::opcode::Opcode;
use crate::program::{Instruction, Interpolation, OperandKind, ResourceDimension, ReturnType};
use std::fmt::Write;

/// Names of system values, by their number in a declaration.
const SYSTEM_VALUES: [&str; 23] = [
    "undefined",
    "position",
    "clip_distance",
    "cull_distance",
    "rendertarget_array_index",
    "viewport_array_index",
    "vertex_id",
    "primitive_id",
    "instance_id",
    "is_front_face",
    "sampleIndex",
    "finalQuadUeq0EdgeTessFactor",
    "finalQuadVeq0EdgeTessFactor",
    "finalQuadUeq1EdgeTessFactor",
    "finalQuadVeq1EdgeTessFactor",
    "finalQuadUInsideTessFactor",
    "finalQuadVInsideTessFactor",
    "finalTriUeq0EdgeTessFactor",
    "finalTriVeq0EdgeTessFactor",
    "finalTriWeq0EdgeTessFactor",
    "finalTriInsideTessFactor",
    "finalLineDetailTessFactor",
    "finalLineDensityTessFactor",
];

/// What the listing shows for a number that is not defined.
const UNKNOWN: &str = "???";

/// The columns before the rows of an immediate constant buffer.
const ROW_INDENT: &str = "                              ";

impl Writer<'_> {
    /// A declaration other than custom data.
    pub(super) fn declaration(&mut self, i: &Instruction) {
        use Opcode::*;
        let words = self.program.words(i);
        let word = |n: usize| words.get(n).copied().unwrap_or(0);
        let field = |bits: u32| i.controls >> 11 & ((1 << bits) - 1);
        self.text(i.opcode.name());
        match i.opcode {
            DclResource => {
                self.dimension(field(5));
                let multisampled = matches!(
                    i.resource_dimension(),
                    Some(ResourceDimension::Texture2DMs | ResourceDimension::Texture2DMsArray)
                );
                if multisampled {
                    let _ = write!(self.out, "({})", i.controls >> 16 & 0x7f);
                }
                self.text(" ");
                self.return_types(ReturnType::unpack(word(0)));
                self.declared(i);
                self.space(word(1));
            }
            DclUavTyped => {
                self.dimension(field(5));
                self.view_flags(i);
                self.text(" ");
                self.return_types(ReturnType::unpack(word(0)));
                self.declared(i);
                self.space(word(1));
            }
            DclUavRaw => {
                self.view_flags(i);
                self.declared(i);
                self.space(word(0));
            }
            DclResourceRaw => {
                self.declared(i);
                self.space(word(0));
            }
            DclResourceStructured | DclUavStructured => {
                if i.opcode == DclUavStructured {
                    self.view_flags(i);
                }
                self.declared(i);
                let _ = write!(self.out, ", {}", word(0));
                self.space(word(1));
            }
            DclConstantBuffer => {
                self.constant_buffer(i, word(0));
                self.text(if field(1) != 0 { ", dynamicIndexed" } else { ", immediateIndexed" });
                // Only here does Microsoft's disassembler take the space for a signed number.
                self.space(word(1) as i32);
            }
            DclSampler => {
                self.declared(i);
                self.text(match field(4) {
                    0 => ", mode_default",
                    1 => ", mode_comparison",
                    2 => ", mode_mono",
                    _ => "",
                });
                self.space(word(0));
            }
            DclIndexRange => {
                self.declared(i);
                let _ = write!(self.out, " {}", word(0) as i32);
            }
            DclInput | DclOutput | DclStream => self.declared(i),
            DclInputSgv | DclInputSiv | DclOutputSgv | DclOutputSiv => {
                self.declared(i);
                self.system_value(word(0));
            }
            DclInputPs | DclInputPsSgv | DclInputPsSiv => {
                self.text(match (i.interpolation(), field(4)) {
                    (Interpolation::Undefined, 0) => " undefined",
                    (Interpolation::Undefined, _) => " ???",
                    (Interpolation::Constant, _) => " constant",
                    (Interpolation::Linear, _) => " linear",
                    (Interpolation::LinearCentroid, _) => " linear centroid",
                    (Interpolation::LinearNoPerspective, _) => " linear noperspective",
                    (Interpolation::LinearNoPerspectiveCentroid, _) => " linear noperspective centroid",
                    (Interpolation::LinearSample, _) => " linear sample",
                    (Interpolation::LinearNoPerspectiveSample, _) => " linear noperspective sample",
                });
                self.declared(i);
                if i.opcode != DclInputPs {
                    self.system_value(word(0));
                }
            }
            DclTemps | DclHsForkPhaseInstanceCount | DclHsJoinPhaseInstanceCount => {
                let _ = write!(self.out, " {}", word(0) as i32);
            }
            DclIndexableTemp => {
                let _ = write!(self.out, " x{}[{}], {}", word(0) as i32, word(1) as i32, word(2).clamp(1, 4));
            }
            DclGlobalFlags => {
                let mut separator = " ";
                for name in i.global_flags() {
                    self.text(separator);
                    self.text(name);
                    separator = " | ";
                }
                if separator == " " {
                    // Without a blank, as Microsoft has it.
                    self.text("none");
                }
            }
            // These two end in a blank.
            DclGsOutputPrimitiveTopology => self.text(match field(7) {
                0 => " undefined ",
                1 => " pointlist ",
                3 => " linestrip ",
                5 => " trianglestrip ",
                _ => " ??? ",
            }),
            DclGsInputPrimitive => match field(6) {
                0 => self.text(" undefined "),
                1 => self.text(" point "),
                2 => self.text(" line "),
                3 => self.text(" triangle "),
                6 => self.text(" lineadj "),
                7 => self.text(" triangleadj "),
                n @ 8..=39 => {
                    let _ = write!(self.out, " patch{} ", n - 7);
                }
                _ => self.text(" ??? "),
            },
            DclMaxOutputVertexCount | DclGsInstanceCount => {
                let _ = write!(self.out, " {}", word(0));
            }
            DclInputControlPointCount | DclOutputControlPointCount => {
                let _ = write!(self.out, " {}", field(6));
            }
            DclTessDomain => {
                self.text(" ");
                self.text(["???", "domain_isoline", "domain_tri", "domain_quad"][field(2) as usize]);
            }
            DclTessPartitioning => {
                self.text(" ");
                self.text(match field(3) {
                    1 => "partitioning_integer",
                    2 => "partitioning_pow2",
                    3 => "partitioning_fractional_odd",
                    4 => "partitioning_fractional_even",
                    _ => UNKNOWN,
                });
            }
            DclTessOutputPrimitive => {
                self.text(match field(3) {
                    1 => " output_point",
                    2 => " output_line",
                    3 => " output_triangle_cw",
                    4 => " output_triangle_ccw",
                    _ => "",
                });
            }
            DclHsMaxTessFactor => {
                self.text(" l(");
                self.float(f64::from(f32::from_bits(word(0))));
                self.text(")");
            }
            DclThreadGroup => {
                let _ = write!(self.out, " {}, {}, {}", word(0), word(1), word(2));
            }
            DclTgsmRaw => {
                self.declared(i);
                let _ = write!(self.out, ", {}", word(0));
            }
            DclTgsmStructured => {
                self.declared(i);
                let _ = write!(self.out, ", {}, {}", word(0), word(1));
            }
            DclFunctionBody => {
                let _ = write!(self.out, " fb{}", word(0));
            }
            DclFunctionTable => {
                let _ = write!(self.out, " ft{} = ", word(0));
                self.list("fb", words.get(2..).unwrap_or(&[]));
            }
            DclInterface => {
                if field(1) != 0 {
                    self.text("_dynamicindexed");
                }
                let _ = write!(self.out, " fp{}[{}][{}] = ", word(0), word(2) >> 16, word(1));
                self.list("ft", words.get(3..).unwrap_or(&[]));
            }
            _ => {}
        }
    }

    /// The declared register, after a blank; from shader model 5.1 on, a range of a resource.
    fn declared(&mut self, i: &Instruction) {
        self.text(" ");
        let Some(o) = self.program.operands(i).first() else { return };
        if self.program.is_5_1() && is_range(o.kind) {
            let [id, low, high] = o.index.map(|x| x.immediate);
            let _ = write!(self.out, "{}{id}[{low}:", o.kind.prefix(true));
            match high {
                u32::MAX => self.text("*"),
                n => self.number(n),
            }
            self.text("]");
        } else {
            self.operand(o, Literal::Int, None);
        }
    }

    /// A constant buffer and its size, in rows of four words.
    fn constant_buffer(&mut self, i: &Instruction, size: u32) {
        if self.program.is_5_1() {
            self.declared(i);
            let _ = write!(self.out, "[{}]", size as i32);
        } else if let Some(o) = self.program.operands(i).first() {
            let [slot, size, _] = o.index.map(|x| x.immediate as i32);
            let _ = write!(self.out, " CB{slot}[{size}]");
        }
    }

    fn space(&mut self, space: impl std::fmt::Display) {
        if self.program.is_5_1() {
            let _ = write!(self.out, ", space={space}");
        }
    }

    fn system_value(&mut self, n: u32) {
        self.text(", ");
        self.text(SYSTEM_VALUES.get((n & 0xffff) as usize).unwrap_or(&""));
    }

    fn dimension(&mut self, n: u32) {
        self.text("_");
        self.text(ResourceDimension::from_number(n).unwrap_or(ResourceDimension::Unknown).name());
    }

    fn view_flags(&mut self, i: &Instruction) {
        for (bit, name) in [(16, "_glc"), (23, "_opc"), (17, "_rov")] {
            if i.controls >> bit & 1 != 0 {
                self.text(name);
            }
        }
    }

    /// The types of a resource's four lanes.
    pub(super) fn return_types(&mut self, types: [ReturnType; 4]) {
        let [x, y, z, w] = types.map(ReturnType::name);
        for part in ["(", x, ",", y, ",", z, ",", w, ")"] {
            self.text(part);
        }
    }

    fn list(&mut self, prefix: &str, numbers: &[u32]) {
        self.text("{");
        for (n, number) in numbers.iter().enumerate() {
            let separator = if n > 0 { ", " } else { "" };
            let _ = write!(self.out, "{separator}{prefix}{number}");
        }
        self.text("}");
    }

    /// Rows of four words; words beyond the last whole row are not shown.
    pub(super) fn immediate_constant_buffer(&mut self, words: &[u32]) {
        self.text("dcl_immediateConstantBuffer { ");
        for (n, row) in words.chunks_exact(4).enumerate() {
            if n > 0 {
                self.text(",\n");
                self.text(ROW_INDENT);
            }
            self.text("{ ");
            for (lane, word) in row.iter().enumerate() {
                if lane > 0 {
                    self.text(", ");
                }
                self.word(*word, Literal::Guess);
            }
            self.text("}");
        }
        self.text(" }");
    }
}

/// Whether shader model 5.1 declares registers of this file as ranges.
fn is_range(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::Resource
            | OperandKind::Sampler
            | OperandKind::ConstantBuffer
            | OperandKind::UnorderedAccessView
    )
}
