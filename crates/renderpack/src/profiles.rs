//! The graphs that the fixed executors run, as data.
//!
//! Contract: "Semantic execution and stable identity", "Multiview directional-shadow cascades".

use crate::descriptor::{
    BaseSemantic, Capability, ExtentMode, Flag, FormatClass, Hook, MaterialClass, PassSemantic, ResourceKind,
    ResourceSemantic, SemanticInput, SettingSemantic, Usage, VariantSemantic,
};

/// What a variant of a role declares.
#[derive(Debug)]
pub struct VariantShape {
    /// Role.
    pub semantic: VariantSemantic,
    /// Base pipeline.
    pub base: BaseSemantic,
    /// Materials, as flags.
    pub materials: u32,
    /// Semantic inputs, in order.
    pub inputs: &'static [SemanticInput],
    /// Wanted only with the multiview hint.
    pub multiview: bool,
}

const OPAQUE: u32 = 1 << MaterialClass::Opaque as u32;
const CUTOUT: u32 = 1 << MaterialClass::AlphaCutout as u32;
const ANIMATED_OPAQUE: u32 = 1 << MaterialClass::AnimatedOpaque as u32;
const ANIMATED_CUTOUT: u32 = 1 << MaterialClass::AnimatedAlphaCutout as u32;
const TERRAIN_CASTER: &[SemanticInput] = &[SemanticInput::CameraMatrices];
const WORLD_CASTER: &[SemanticInput] =
    &[SemanticInput::CameraMatrices, SemanticInput::ShadowCasterTransforms];
const RECEIVER: &[SemanticInput] =
    &[SemanticInput::DirectionalShadowMaps, SemanticInput::SelectedCelestialDirectionalLight];

const fn variant(
    semantic: VariantSemantic,
    base: BaseSemantic,
    materials: u32,
    inputs: &'static [SemanticInput],
    multiview: bool,
) -> VariantShape {
    VariantShape { semantic, base, materials, inputs, multiview }
}

/// The variants of the shadow graph.
pub const VARIANTS: &[VariantShape] = {
    use BaseSemantic::{Terrain, WorldMesh};
    use VariantSemantic as V;
    &[
        variant(V::TerrainDirectionalShadowCaster, Terrain, OPAQUE, TERRAIN_CASTER, false),
        variant(
            V::WorldOpaqueDirectionalShadowCaster,
            WorldMesh,
            OPAQUE | ANIMATED_OPAQUE,
            WORLD_CASTER,
            false,
        ),
        variant(
            V::WorldAlphaCutoutDirectionalShadowCaster,
            WorldMesh,
            CUTOUT | ANIMATED_CUTOUT,
            WORLD_CASTER,
            false,
        ),
        variant(V::TerrainDirectionalShadowReceiver, Terrain, OPAQUE, RECEIVER, false),
        variant(
            V::WorldDirectionalShadowReceiver,
            WorldMesh,
            OPAQUE | CUTOUT | ANIMATED_OPAQUE | ANIMATED_CUTOUT,
            RECEIVER,
            false,
        ),
        variant(V::TerrainMultiviewDirectionalShadowCaster, Terrain, OPAQUE, TERRAIN_CASTER, true),
        variant(
            V::WorldOpaqueMultiviewDirectionalShadowCaster,
            WorldMesh,
            OPAQUE | ANIMATED_OPAQUE,
            WORLD_CASTER,
            true,
        ),
        variant(
            V::WorldAlphaCutoutMultiviewDirectionalShadowCaster,
            WorldMesh,
            CUTOUT | ANIMATED_CUTOUT,
            WORLD_CASTER,
            true,
        ),
    ]
};

/// What a resource of a role is.
#[derive(Debug)]
pub struct ResourceShape {
    /// Role.
    pub semantic: ResourceSemantic,
    /// Kind.
    pub kind: ResourceKind,
    /// Format.
    pub format: FormatClass,
    /// Extent mode.
    pub mode: ExtentMode,
    /// Usage, as flags, exactly.
    pub usage: u32,
}

const COLOUR: u32 = 1 << Usage::Sampled as u32 | 1 << Usage::ColorAttachment as u32;
const DEPTH: u32 = 1 << Usage::Sampled as u32 | 1 << Usage::DepthAttachment as u32;

const fn hdr(semantic: ResourceSemantic) -> ResourceShape {
    ResourceShape {
        semantic,
        kind: ResourceKind::Image2D,
        format: FormatClass::HdrColor,
        mode: ExtentMode::RelativeToMainWorld,
        usage: COLOUR,
    }
}

/// The resources of the full graph. All live as long as the pack is active.
pub const RESOURCES: &[ResourceShape] = &[
    hdr(ResourceSemantic::MainWorldHdr),
    hdr(ResourceSemantic::BloomPing),
    hdr(ResourceSemantic::BloomPong),
    ResourceShape { format: FormatClass::SingleChannel, ..hdr(ResourceSemantic::SunOcclusionMask) },
    hdr(ResourceSemantic::SunRays),
    ResourceShape {
        semantic: ResourceSemantic::DirectionalShadowDepth,
        kind: ResourceKind::Image2DArray,
        format: FormatClass::DirectionalDepth,
        mode: ExtentMode::AbsolutePixels,
        usage: DEPTH,
    },
    hdr(ResourceSemantic::VolumetricShafts),
];

/// A pass of the full graph.
#[derive(Debug)]
pub struct PassShape {
    /// Role.
    pub semantic: PassSemantic,
    /// Hook.
    pub hook: Hook,
    /// Reads, in order.
    pub reads: &'static [ResourceSemantic],
    /// The write; `None` for the host's target.
    pub write: Option<ResourceSemantic>,
}

/// The passes of the full graph, in order.
pub const PASSES: &[PassShape] = {
    use Hook::AtmosphereBeforeToneMap as A;
    use PassSemantic as P;
    use ResourceSemantic as R;
    const fn p(
        semantic: PassSemantic,
        hook: Hook,
        reads: &'static [ResourceSemantic],
        write: Option<ResourceSemantic>,
    ) -> PassShape {
        PassShape { semantic, hook, reads, write }
    }
    &[
        p(P::DirectionalShadowDepth, Hook::ShadowDepthBeforeWorld, &[], Some(R::DirectionalShadowDepth)),
        p(P::SunOcclusion, A, &[], Some(R::SunOcclusionMask)),
        p(P::SunRays, A, &[R::SunOcclusionMask], Some(R::SunRays)),
        p(P::VolumetricShafts, A, &[R::DirectionalShadowDepth], Some(R::VolumetricShafts)),
        p(P::BloomDownsample, A, &[R::SunRays, R::VolumetricShafts], Some(R::BloomPing)),
        p(P::BloomBlurHorizontal, A, &[R::BloomPing], Some(R::BloomPong)),
        p(P::BloomBlurVertical, A, &[R::BloomPong], Some(R::BloomPing)),
        p(P::FilmicComposite, Hook::ToneMap, &[R::BloomPing, R::SunRays, R::VolumetricShafts], None),
    ]
};

/// Capabilities that the shadows-only profile requires.
pub const SHADOW_CAPABILITIES: [Capability; 8] = [
    Capability::MainWorldColorIntermediate,
    Capability::FullscreenPasses,
    Capability::AuthoredCelestialDirectionalLight,
    Capability::AuthoredWeather,
    Capability::DirectionalShadowMaps,
    Capability::OutdoorDirectionalShadowCasterReplay,
    Capability::AnimatedCasterTransforms,
    Capability::AlphaCutoutShadowCasters,
];

/// Settings that the shadows-only profile requires.
pub const SHADOW_SETTINGS: [SettingSemantic; 3] = [
    SettingSemantic::DirectionalShadowStrength,
    SettingSemantic::DirectionalShadowReachMetres,
    SettingSemantic::DirectionalShadowPcfTaps,
];

/// Settings that the full profile requires.
pub const ATMOSPHERIC_SETTINGS: [SettingSemantic; 12] = [
    SettingSemantic::BloomStrength,
    SettingSemantic::FilmicStrength,
    SettingSemantic::Exposure,
    SettingSemantic::GradeSaturation,
    SettingSemantic::GradeContrast,
    SettingSemantic::VignetteStrength,
    SettingSemantic::SunRayStrength,
    SettingSemantic::DirectionalShadowStrength,
    SettingSemantic::DirectionalShadowReachMetres,
    SettingSemantic::DirectionalShadowPcfTaps,
    SettingSemantic::VolumetricStrength,
    SettingSemantic::VolumetricRayMarchSteps,
];

/// All five caster classes.
pub const ALL_CASTERS: u32 = 0b1_1111;

/// The names of flags, for messages.
pub(crate) fn flag_names<E: Flag>(all: &[E], name: impl Fn(E) -> &'static str, bits: u32) -> String {
    let names: Vec<_> = all.iter().filter(|f| bits & f.bit() != 0).map(|f| name(*f)).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
