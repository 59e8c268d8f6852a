//! Signatures: a stage's inputs, outputs and patch constants.
//!
//! A signature chunk is a count, the offset of the elements, and the elements: fixed rows, whose names lie
//! behind them in the chunk. All offsets count from the start of the chunk's contents.
//!
//! | chunk | bytes a row | in front | at the end |
//! |---|---|---|---|
//! | ISGN, OSGN, PCSG | 24 | | |
//! | OSG5 | 28 | stream | |
//! | ISG1, OSG1, PSG1 | 32 | stream | minimum precision |

use crate::Chunk;
use crate::bytes::{index, name_at, numbered, u32_at};
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as codes;

numbered! {
    /// The meaning that the pipeline gives an element (`D3D_NAME`).
    SystemValue: u32 {
        None = 0, "none";
        Position = 1, "SV_Position";
        ClipDistance = 2, "SV_ClipDistance";
        CullDistance = 3, "SV_CullDistance";
        RenderTargetArrayIndex = 4, "SV_RenderTargetArrayIndex";
        ViewportArrayIndex = 5, "SV_ViewportArrayIndex";
        VertexId = 6, "SV_VertexID";
        PrimitiveId = 7, "SV_PrimitiveID";
        InstanceId = 8, "SV_InstanceID";
        IsFrontFace = 9, "SV_IsFrontFace";
        SampleIndex = 10, "SV_SampleIndex";
        QuadEdgeTessFactor = 11, "SV_TessFactor(quad)";
        QuadInsideTessFactor = 12, "SV_InsideTessFactor(quad)";
        TriEdgeTessFactor = 13, "SV_TessFactor(tri)";
        TriInsideTessFactor = 14, "SV_InsideTessFactor(tri)";
        LineDetailTessFactor = 15, "SV_TessFactor(line detail)";
        LineDensityTessFactor = 16, "SV_TessFactor(line density)";
        Barycentrics = 23, "SV_Barycentrics";
        ShadingRate = 24, "SV_ShadingRate";
        CullPrimitive = 25, "SV_CullPrimitive";
        Target = 64, "SV_Target";
        Depth = 65, "SV_Depth";
        Coverage = 66, "SV_Coverage";
        DepthGreaterEqual = 67, "SV_DepthGreaterEqual";
        DepthLessEqual = 68, "SV_DepthLessEqual";
        StencilRef = 69, "SV_StencilRef";
        InnerCoverage = 70, "SV_InnerCoverage";
    }
}

numbered! {
    /// How an element's components are stored in its register (`D3D_REGISTER_COMPONENT_TYPE`).
    ComponentType: u32 {
        Unknown = 0, "unknown";
        Uint32 = 1, "uint";
        Sint32 = 2, "int";
        Float32 = 3, "float";
        Uint16 = 4, "uint16";
        Sint16 = 5, "int16";
        Float16 = 6, "float16";
        Uint64 = 7, "uint64";
        Sint64 = 8, "int64";
        Float64 = 9, "double";
    }
}

numbered! {
    /// The least precision that an element needs (`D3D_MIN_PRECISION`).
    MinPrecision: u32 {
        Default = 0, "default";
        Float16 = 1, "min16float";
        Float2_8 = 2, "min2_8float";
        Sint16 = 4, "min16int";
        Uint16 = 5, "min16uint";
        Any16 = 0xf0, "min16any";
        Any10 = 0xf1, "min10any";
    }
}

/// The register number of elements without a register in the signature: depth, coverage, stencil reference.
pub const NO_REGISTER: u32 = u32::MAX;

/// One input or output: a register, or part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureElement<'a> {
    /// Semantic name without its index. Two names are the same if they differ only in ASCII case.
    pub name: &'a str,
    /// Semantic index.
    pub semantic_index: u32,
    /// System value as stored. The compiler leaves pixel shader outputs unmarked: see
    /// [`SignatureElement::resolved_system_value`].
    pub system_value: SystemValue,
    /// Type of every component.
    pub component_type: ComponentType,
    /// Register number, or [`NO_REGISTER`].
    pub register: u32,
    /// Components of the register that the element occupies; x is bit 0.
    pub mask: u8,
    /// For an input, the components that the program reads; for an output, those that it never writes.
    pub read_write_mask: u8,
    /// Geometry shader output stream; 0 elsewhere.
    pub stream: u32,
    /// Minimum precision; [`MinPrecision::Default`] in the chunks that do not store it.
    pub min_precision: MinPrecision,
}

impl SignatureElement<'_> {
    /// Whether the semantic is `name` (without index), as Direct3D compares: ASCII case is ignored.
    pub fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The system value, taken from the semantic's name where the file leaves it unmarked, as the compiler
    /// does for what a pixel shader outputs.
    pub fn resolved_system_value(&self) -> SystemValue {
        const UNMARKED: [SystemValue; 7] = [
            SystemValue::Target,
            SystemValue::Depth,
            SystemValue::Coverage,
            SystemValue::DepthGreaterEqual,
            SystemValue::DepthLessEqual,
            SystemValue::StencilRef,
            SystemValue::InnerCoverage,
        ];
        if self.system_value != SystemValue::None {
            return self.system_value;
        }
        let named = |v: &SystemValue| v.name().is_some_and(|n| self.has_name(n));
        UNMARKED.into_iter().find(named).unwrap_or(SystemValue::None)
    }
}

/// The elements of one signature chunk, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// Tag of the chunk.
    pub tag: [u8; 4],
    /// The elements.
    pub elements: Vec<SignatureElement<'a>>,
}

impl<'a> Signature<'a> {
    /// Reads a signature chunk; its tag decides the layout. A table offset of 0 stands for 8.
    ///
    /// # Errors
    /// `signature-malformed` if the table or a name lies outside the chunk, or a name is not terminated, not
    /// UTF-8 or longer than 4,096 bytes.
    pub fn parse(chunk: &Chunk<'a>) -> Result<Self, Diagnostic> {
        let fail = |at, message: String| Err(chunk.finding(codes::SIGNATURE_MALFORMED, at, message));
        let (row_len, has_stream, has_precision) = match &chunk.tag {
            b"ISG1" | b"OSG1" | b"PSG1" => (32, true, true),
            b"OSG5" => (28, true, false),
            _ => (24, false, false),
        };
        let (Some(count), Some(offset)) = (u32_at(chunk.data, 0), u32_at(chunk.data, 4)) else {
            return fail(
                0,
                format!("the chunk has {} bytes, too few for a count and an offset", chunk.data.len()),
            );
        };
        let offset = if offset == 0 { 8 } else { offset };
        let end = u64::from(offset) + u64::from(count) * row_len as u64;
        let rows = chunk.data.get(index(offset)..usize::try_from(end).unwrap_or(usize::MAX));
        let Some(rows) = rows else {
            return fail(
                0,
                format!(
                    "{count} elements from byte {offset} would end at byte {end}, but the chunk has {} bytes",
                    chunk.data.len()
                ),
            );
        };
        let mut elements = Vec::with_capacity(rows.len() / row_len);
        for row in rows.chunks_exact(row_len) {
            let core = if has_stream { row.get(4..).unwrap_or_default() } else { row };
            // Every read lies inside the row, whose length is checked.
            let word = |i: usize| u32_at(core, i * 4).unwrap_or(0);
            let [mask, read_write_mask, ..] = word(5).to_le_bytes();
            elements.push(SignatureElement {
                name: name_at(chunk, word(0), codes::SIGNATURE_MALFORMED, "semantic name")?,
                semantic_index: word(1),
                system_value: SystemValue::from_raw(word(2)),
                component_type: ComponentType::from_raw(word(3)),
                register: word(4),
                mask,
                read_write_mask,
                stream: if has_stream { u32_at(row, 0).unwrap_or(0) } else { 0 },
                min_precision: MinPrecision::from_raw(if has_precision { word(6) } else { 0 }),
            });
        }
        Ok(Signature { tag: chunk.tag, elements })
    }

    /// The first element with that semantic (ASCII case ignored) and index.
    pub fn find(&self, name: &str, semantic_index: u32) -> Option<&SignatureElement<'a>> {
        self.elements.iter().find(|e| e.semantic_index == semantic_index && e.has_name(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{chunk, signature, words};

    #[test]
    fn the_three_layouts() {
        let core = [1, 1, 3, 2, 0x0000_030f];
        let with_precision = [1, 1, 3, 2, 0x0000_030f, 4];
        for (tag, stream, row, precision) in [
            (b"ISGN", false, &core[..], MinPrecision::Default),
            (b"PCSG", false, &core[..], MinPrecision::Default),
            (b"OSG5", true, &core[..], MinPrecision::Default),
            (b"OSG1", true, &with_precision[..], MinPrecision::Sint16),
        ] {
            let mut data = signature(stream, &[("POSITION", row), ("B", row)]);
            if stream {
                data[8] = 3;
            }
            let s = Signature::parse(&chunk(tag, &data)).unwrap();
            assert_eq!(s.elements.len(), 2);
            assert_eq!(s.find("b", 1), s.elements.get(1));
            assert_eq!(
                s.elements[0],
                SignatureElement {
                    name: "POSITION",
                    semantic_index: 1,
                    system_value: SystemValue::Position,
                    component_type: ComponentType::Float32,
                    register: 2,
                    mask: 0xf,
                    read_write_mask: 3,
                    stream: if stream { 3 } else { 0 },
                    min_precision: precision,
                }
            );
        }
    }

    #[test]
    fn pixel_outputs_are_named_by_their_semantic() {
        let value = |name, raw| {
            let data = signature(false, &[(name, &[0, raw, 3, 0, 1])]);
            let s = Signature::parse(&chunk(b"OSGN", &data)).unwrap();
            s.elements[0].resolved_system_value()
        };
        assert_eq!(value("sv_target", 0), SystemValue::Target);
        assert_eq!(value("SV_DEPTHLessEqual", 0), SystemValue::DepthLessEqual);
        assert_eq!(value("COLOR", 0), SystemValue::None);
        assert_eq!(value("none", 0), SystemValue::None);
        assert_eq!(value("SV_Target", 77), SystemValue::Other(77));
        assert_eq!(SystemValue::from_raw(77).to_string(), "unknown(77)");
    }

    #[test]
    fn an_empty_table_may_lie_at_the_end() {
        assert!(Signature::parse(&chunk(b"ISGN", &words(&[0, 8]))).unwrap().elements.is_empty());
        assert!(Signature::parse(&chunk(b"ISGN", &words(&[0, 0]))).unwrap().elements.is_empty());
    }

    #[test]
    fn damage_has_a_place() {
        let good = signature(false, &[("POSITION", &[0, 0, 3, 0, 15])]);
        let fails = |data: &[u8], offset| {
            let e = Signature::parse(&chunk(b"ISGN", data)).unwrap_err();
            assert_eq!((e.code, e.place), (codes::SIGNATURE_MALFORMED, Place::in_chunk(*b"ISGN", offset)));
            e.message.to_string()
        };
        use shaderport_diagnostics::Place;
        fails(&good[..7], 108);
        fails(&good[..20], 108);
        assert!(fails(&good[..good.len() - 1], 140).contains("terminating"));
        let mut bad = good.clone();
        bad[0] = 0xff;
        fails(&bad, 108);
        bad = good.clone();
        bad[33] = 0xff;
        assert!(fails(&bad, 140).contains("UTF-8"));
        bad = good.clone();
        bad[8] = good.len() as u8;
        assert!(fails(&bad, 108 + good.len()).contains("outside"));
        bad = good;
        bad.splice(32..33, [b'A'; 5000]);
        assert!(fails(&bad, 140).contains("longer"));
    }
}
