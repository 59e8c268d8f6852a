//! The optional features that a shader needs (chunk SFI0): one 64-bit set.
//!
//! The bits are those of `D3D_SHADER_REQUIRES_...` in the reflection interface, except that bit 1, which is early
//! depth and stencil tests there, stands for compute shaders of model 4 here.

use crate::Chunk;
use crate::bytes::array_at;
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as codes;

/// A set of optional features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FeatureFlags(pub u64);

macro_rules! features {
    ($( $name:ident = $bit:literal, $key:literal, $text:literal; )*) => {
        impl FeatureFlags {
            $( #[doc = $text] pub const $name: FeatureFlags = FeatureFlags(1 << $bit); )*
        }

        /// Each bit's number, stable name and description.
        const FEATURES: &[(u32, &str, &str)] = &[$( ($bit, $key, $text) ),*];
    };
}

features! {
    DOUBLES = 0, "doubles", "Double-precision arithmetic.";
    COMPUTE_4X = 1, "compute-4x", "Raw and structured buffers in shader model 4 (compute shaders 4.x).";
    UAVS_AT_EVERY_STAGE = 2, "uavs-at-every-stage", "Unordered access views outside pixel and compute shaders.";
    UAVS_64 = 3, "64-uavs", "More than eight unordered access views.";
    MINIMUM_PRECISION = 4, "minimum-precision", "Values of less than 32 bits.";
    DOUBLES_11_1 = 5, "doubles-11.1", "Double-precision division, reciprocal, fused multiply-add and conversions.";
    EXTENSIONS_11_1 = 6, "extensions-11.1", "Masked sum of absolute differences (shader extensions of Direct3D 11.1).";
    LEVEL_9_COMPARISON = 7, "level-9-comparison", "Comparison sampling on feature level 9 hardware.";
    TILED_RESOURCES = 8, "tiled-resources", "Feedback and level clamps of tiled resources.";
    STENCIL_REF = 9, "stencil-ref", "A pixel shader that writes the stencil reference.";
    INNER_COVERAGE = 10, "inner-coverage", "A pixel shader that reads inner coverage.";
    TYPED_UAV_LOADS = 11, "typed-uav-loads", "Loads from unordered access views of formats other than R32.";
    RASTERIZER_ORDERED = 12, "rasterizer-ordered-views", "Rasterizer-ordered views.";
    LAYER_FROM_ANY_STAGE = 13, "layer-from-any-stage", "Viewport or layer index written by a vertex or domain shader.";
}

impl FeatureFlags {
    /// Reads the contents of an SFI0 chunk. Bytes after the first eight are ignored.
    ///
    /// # Errors
    /// `features-malformed` if the chunk is shorter than eight bytes.
    pub fn parse(chunk: &Chunk<'_>) -> Result<Self, Diagnostic> {
        match array_at(chunk.data, 0) {
            Some(bytes) => Ok(FeatureFlags(u64::from_le_bytes(bytes))),
            None => Err(chunk.finding(
                codes::FEATURES_MALFORMED,
                0,
                format!("the chunk has {} bytes, fewer than 8", chunk.data.len()),
            )),
        }
    }

    /// Whether every feature of `other` is in this set.
    pub const fn contains(self, other: FeatureFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Stable name and description of each feature of the set, in the order of the bits.
    pub fn named(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        FEATURES.iter().filter(move |f| self.0 >> f.0 & 1 != 0).map(|f| (f.1, f.2))
    }

    /// The bits that have no name here.
    pub fn unknown(self) -> u64 {
        FEATURES.iter().fold(self.0, |rest, f| rest & !(1 << f.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chunk;

    #[test]
    fn bits_have_names() {
        let flags = FeatureFlags::parse(&chunk(b"SFI0", &[0x11, 0x20, 0, 0, 0, 0, 0, 0x80])).unwrap();
        assert!(flags.contains(FeatureFlags::DOUBLES) && !flags.contains(FeatureFlags::UAVS_64));
        let names: Vec<_> = flags.named().map(|n| n.0).collect();
        assert_eq!(names, ["doubles", "minimum-precision", "layer-from-any-stage"]);
        assert_eq!(flags.unknown(), 1 << 63);
        assert_eq!(
            FeatureFlags::parse(&chunk(b"SFI0", &[0; 7])).unwrap_err().code,
            codes::FEATURES_MALFORMED
        );
    }
}
