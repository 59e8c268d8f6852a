//! What the sixteen numbers of `PackPass` are in each semantic pass.
//!
//! Contract: "PackPass - set 3, binding 7, 64 bytes".

use super::blocks::PackPass;
use super::budget::{extent_in, pixels};
use crate::descriptor::{Descriptor, PassSemantic, Preset, ResourceSemantic};

/// Values of settings and targets that passes need.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PassInputs {
    /// Bloom strength.
    pub bloom: f32,
    /// Strength of the filmic curve.
    pub filmic: f32,
    /// Exposure.
    pub exposure: f32,
    /// Saturation.
    pub saturation: f32,
    /// Contrast.
    pub contrast: f32,
    /// Vignette.
    pub vignette: f32,
    /// Strength of shafts; zero for none.
    pub shafts: f32,
    /// Steps of shafts.
    pub shaft_steps: f32,
    /// Width and height of the sun's mask.
    pub mask: [f32; 2],
    /// Width and height of a bloom target.
    pub bloom_target: [f32; 2],
    /// Fused execution.
    pub fused: bool,
}

impl Default for PassInputs {
    /// What a host takes where a pack has no such setting.
    fn default() -> Self {
        PassInputs {
            bloom: 0.65,
            filmic: 1.0,
            exposure: 1.0,
            saturation: 1.0,
            contrast: 1.0,
            vignette: 0.245,
            shafts: 0.35,
            shaft_steps: 40.0,
            mask: [1.0; 2],
            bloom_target: [1.0; 2],
            fused: false,
        }
    }
}

impl PassInputs {
    /// Takes the sizes of targets from a preset, on a main world of that width and height. A target that the pack does
    /// not have keeps the size that is there.
    pub fn with_targets(mut self, descriptor: &Descriptor, preset: &Preset, main_world: [i64; 2]) -> Self {
        let size = |role| {
            let resource = descriptor.resources.iter().find(|r| r.semantic.is(role))?;
            let [w, h, _] = pixels(extent_in(resource, preset)?, main_world);
            Some([w as f32, h as f32])
        };
        self.mask = size(ResourceSemantic::SunOcclusionMask).unwrap_or(self.mask);
        self.bloom_target = size(ResourceSemantic::BloomPing).unwrap_or(self.bloom_target);
        self
    }
}

/// Bloom's threshold and knee.
const THRESHOLD: f32 = 1.0;
const KNEE: f32 = 0.73;

/// The numbers of one pass; unused ones are zero.
pub fn numbers(pass: PassSemantic, i: &PassInputs) -> PackPass {
    let has_shafts = f32::from(u8::from(i.shafts > 0.0));
    let z = [0.0; 4];
    let [w, h] = i.bloom_target;
    PackPass(match pass {
        PassSemantic::SunRays if i.fused => {
            [[0.965, 0.24, 0.82, 48.0], [1.0, i.mask[0], i.mask[1], 0.0], z, z]
        }
        PassSemantic::SunRays => [[0.965, 0.24, 0.82, 48.0], z, z, z],
        PassSemantic::VolumetricShafts => [[0.035 * i.shafts, i.shafts, i.shaft_steps, has_shafts], z, z, z],
        PassSemantic::BloomDownsample => [[i.bloom, THRESHOLD, KNEE, has_shafts], z, z, z],
        PassSemantic::BloomBlurHorizontal => [[1.0 / w, 0.0, 0.0, 0.0], z, z, z],
        PassSemantic::BloomBlurVertical => [[0.0, 1.0 / h, 0.0, 0.0], z, z, z],
        PassSemantic::FilmicComposite => {
            let graded = [i.exposure, i.saturation, i.contrast, i.vignette];
            if i.fused {
                let bloom = [i.bloom, THRESHOLD, KNEE, has_shafts];
                [graded, [i.filmic, has_shafts, 1.0, 0.0], bloom, [1.0 / w, 1.0 / h, 0.0, 0.0]]
            } else {
                [graded, [i.filmic, has_shafts, 0.0, 0.0], z, z]
            }
        }
        PassSemantic::CustomFullscreen
        | PassSemantic::DirectionalShadowDepth
        | PassSemantic::SunOcclusion => [z; 4],
    })
}
