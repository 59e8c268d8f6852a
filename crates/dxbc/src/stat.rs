//! The compiler's statistics (chunk STAT): a fixed row of 32-bit numbers.
//!
//! Their meanings are those of `D3D10_SHADER_DESC` and `D3D11_SHADER_DESC`. Shader model 4 writes 29 numbers
//! (the oldest compilers 28), shader model 5 writes 37.

use crate::Chunk;
use crate::bytes::u32_at;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as codes;

/// Numbers in the shortest layout.
const SHORTEST: usize = 28;
/// Numbers in the layout of shader model 5.
const LONGEST: usize = 37;

macro_rules! statistics {
    ($( $field:ident = $at:literal, $text:literal; )*) => {
        /// The compiler's counts. Numbers that the layout lacks are zero.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Statistics {
            $( #[doc = $text] pub $field: u32, )*
        }

        impl Statistics {
            fn from_words(word: impl Fn(usize) -> u32) -> Self {
                Statistics { $( $field: word($at), )* }
            }

            /// Every number with its name, in the order of the file.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> + use<> {
                [$( (stringify!($field), self.$field), )*].into_iter()
            }
        }
    };
}

statistics! {
    instruction_count = 0, "Instructions, declarations not counted.";
    temp_register_count = 1, "Temporary registers, indexable arrays not counted.";
    def_count = 2, "Constants defined in the program (Direct3D 9).";
    dcl_count = 3, "Declarations of inputs and outputs.";
    float_instruction_count = 4, "Floating-point arithmetic instructions.";
    int_instruction_count = 5, "Signed integer arithmetic instructions.";
    uint_instruction_count = 6, "Unsigned integer arithmetic instructions.";
    static_flow_control_count = 7, "Flow control instructions whose condition is constant for a draw.";
    dynamic_flow_control_count = 8, "Flow control instructions whose condition varies.";
    macro_instruction_count = 9, "Macro instructions (Direct3D 9).";
    temp_array_count = 10, "Indexable arrays of temporaries.";
    array_instruction_count = 11, "Instructions that read or write such an array.";
    cut_instruction_count = 12, "Geometry shader: instructions that end a strip.";
    emit_instruction_count = 13, "Geometry shader: instructions that emit a vertex.";
    texture_normal_instructions = 14, "Sampling instructions without bias, gradients, level or comparison.";
    texture_load_instructions = 15, "Loads of texels and buffer elements.";
    texture_comp_instructions = 16, "Sampling instructions that compare.";
    texture_bias_instructions = 17, "Sampling instructions with a bias.";
    texture_gradient_instructions = 18, "Sampling instructions with gradients.";
    mov_instruction_count = 19, "Moves.";
    movc_instruction_count = 20, "Conditional moves.";
    conversion_instruction_count = 21, "Conversions between number types.";
    bitwise_instruction_count = 22, "Bitwise instructions.";
    input_primitive = 23, "Geometry shader: `D3D_PRIMITIVE` of the input.";
    gs_output_topology = 24, "Geometry shader: `D3D_PRIMITIVE_TOPOLOGY` of the output.";
    gs_max_output_vertex_count = 25, "Geometry shader: most vertices that one invocation emits.";
    unknown_26 = 26, "No published meaning.";
    unknown_27 = 27, "No published meaning.";
    sample_frequency = 28, "Pixel shader: nonzero if it runs once a sample.";
    gs_instance_count = 29, "Geometry shader: number of instances.";
    control_point_count = 30, "Hull and domain shader: control points of the patch.";
    hs_output_primitive = 31, "Hull shader: `D3D_TESSELLATOR_OUTPUT_PRIMITIVE`.";
    hs_partitioning = 32, "Hull shader: `D3D_TESSELLATOR_PARTITIONING`.";
    tessellator_domain = 33, "Hull and domain shader: `D3D_TESSELLATOR_DOMAIN`.";
    barrier_instructions = 34, "Barriers.";
    interlocked_instructions = 35, "Atomic instructions.";
    texture_store_instructions = 36, "Stores to unordered access views.";
}

impl Statistics {
    /// Reads the contents of a STAT chunk. Numbers beyond the known layouts are ignored.
    ///
    /// # Errors
    /// `stat-malformed` if the chunk is shorter than the shortest layout.
    pub fn parse(chunk: &Chunk<'_>) -> Result<Self, Diagnostic> {
        let count = (chunk.data.len() / 4).min(LONGEST);
        if count < SHORTEST {
            return Err(chunk.finding(
                codes::STAT_MALFORMED,
                0,
                format!(
                    "the chunk has {} bytes, fewer than the {} of the shortest layout",
                    chunk.data.len(),
                    SHORTEST * 4
                ),
            ));
        }
        Ok(Statistics::from_words(|i| u32_at(chunk.data, i * 4).unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{chunk, words};

    #[test]
    fn all_layouts() {
        let row: Vec<u32> = (1..=40).collect();
        for (count, sample_frequency, stores) in [(28, 0, 0), (29, 29, 0), (37, 29, 37), (40, 29, 37)] {
            let s = Statistics::parse(&chunk(b"STAT", &words(&row[..count]))).unwrap();
            assert_eq!((s.instruction_count, s.gs_max_output_vertex_count), (1, 26));
            assert_eq!((s.sample_frequency, s.texture_store_instructions), (sample_frequency, stores));
        }
        let e = Statistics::parse(&chunk(b"STAT", &words(&row[..27]))).unwrap_err();
        assert_eq!((e.code, e.place.byte_offset), (codes::STAT_MALFORMED, Some(108)));
    }

    #[test]
    fn names_are_in_the_order_of_the_file() {
        let row: Vec<u32> = (0..37).collect();
        let s = Statistics::parse(&chunk(b"STAT", &words(&row))).unwrap();
        assert!(s.named().map(|(_, n)| n).eq(0..37));
        assert_eq!(s.named().next(), Some(("instruction_count", 0)));
    }
}
