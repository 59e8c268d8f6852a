//! The table of `semantic-bindings-v1` (shader ABI version 2).

use super::*;

const F: Field = Field { name: "", ty: Ty::Vec4, offset: 0, doc: "", reason: "", opened_by: &[] };

const fn field(name: &'static str, ty: Ty, offset: u32, doc: &'static str) -> Field {
    Field { name, ty, offset, doc, ..F }
}

const ATMOSPHERIC_FRAME: &[Field] = &[
    Field {
        opened_by: &["SunScreenPosition", "SunDirection"],
        reason: FRAME_V1,
        ..field("uAtmosphereSunScreen", Ty::Vec4, 0, "sun uv.xy, resolved ray strength, elevation in degrees")
    },
    Field {
        opened_by: &["SunScreenPosition", "SunDirection", "ActiveDayGroup", "Weather"],
        reason: FRAME_V1,
        ..field(
            "uAtmosphereSunColor",
            Ty::Vec4,
            16,
            "authored display-space rgb, combined ray-policy multiplier",
        )
    },
    Field {
        reason: FRAME_V1,
        ..field("uAtmosphereViewport", Ty::Vec4, 32, "width, height, 1/width, 1/height")
    },
    Field {
        opened_by: &["Weather", "FrameTime"],
        reason: FRAME_V1,
        ..field("uAtmosphereWeather", Ty::Vec4, 48, "weather kind, intensity, delta seconds, outdoor 0 or 1")
    },
    Field {
        opened_by: &["SunDirection"],
        reason: FRAME_V1,
        ..field("uAtmosphereSunDirection", Ty::Vec4, 64, "surface to sun xyz, authored brightness")
    },
    Field {
        opened_by: &["ActiveDayGroup"],
        reason: FRAME_V1,
        ..field("uAtmospherePolicy", Ty::Vec4, 80, "day group, group factor, shadow factor, shaft factor")
    },
    Field {
        opened_by: &["CameraMatrices", "SceneDepth"],
        reason: "AtmosphericFrame inverse-view-projection layout does not match ABI v1",
        ..field("uAtmosphereInverseViewProjection", Ty::Mat4, 96, "from clip space to the main world")
    },
    Field {
        reason: "AtmosphericFrame clock/wind member does not match ABI v2",
        ..field(
            "uAtmosphereClockWind",
            Ty::Vec4,
            160,
            "elapsed seconds, wind mean, wind gust, wind direction in radians",
        )
    },
    Field {
        reason: "AtmosphericFrame wind-amplitude member does not match ABI v2",
        ..field(
            "uAtmosphereWindAmplitude",
            Ty::Vec4,
            176,
            "lean, branch and flutter amplitudes and canopy height in metres",
        )
    },
];
const FRAME_V1: &str = "AtmosphericFrame member types/offsets do not match ABI v1";

const DIRECTIONAL_SHADOW: &[Field] = &[
    Field {
        reason: SHADOW_MATRICES,
        ..field(
            "uShadowWorldToClip",
            Ty::Array { of: &Ty::Mat4, len: 4, stride: 64 },
            0,
            "world to shadow clip space, one for each cascade",
        )
    },
    Field {
        reason: SHADOW_VECTORS,
        ..field("uShadowSplitFarMeters", Ty::Vec4, 256, "far distance of each cascade in metres from the eye")
    },
    Field {
        reason: SHADOW_VECTORS,
        ..field("uShadowControl", Ty::Vec4, 272, "strength, softness, reach in metres, blend width in metres")
    },
    Field {
        reason: SHADOW_VECTORS,
        ..field(
            "uShadowBiasMeters",
            Ty::Vec4,
            288,
            "constant bias, slope bias, normal offset, caster padding, in metres",
        )
    },
    Field {
        reason: "DirectionalShadow flags member does not match ABI v1",
        ..field(
            "uShadowTextureAndFlags",
            Ty::UVec4,
            304,
            "texture slot, cascades, resolution, flags (bit 0 enabled, bits 8 to 11 filter radius)",
        )
    },
    Field {
        reason: "DirectionalShadow selected-light direction/source member does not match the 336-byte ABI v1 layout",
        ..field(
            "uShadowLightDirectionAndSource",
            Ty::Vec4,
            320,
            "surface to light xyz, source kind (0 none, 1 sun, 2 dominant moon, 3 secondary moon)",
        )
    },
];
const SHADOW_MATRICES: &str = "DirectionalShadow matrix array does not match the 336-byte ABI v1 layout";
const SHADOW_VECTORS: &str = "DirectionalShadow vector members do not match the 336-byte ABI v1 layout";

const PACK_PASS: &[Field] = &[
    field("uPackParams0", Ty::Vec4, 0, "first four numbers of the pass"),
    field("uPackParams1", Ty::Vec4, 16, "second four"),
    field("uPackParams2", Ty::Vec4, 32, "third four"),
    field("uPackParams3", Ty::Vec4, 48, "last four"),
];

const PACK_SETTINGS: &[Field] = &[field(
    "uPackSettings",
    Ty::Array { of: &Ty::Vec4, len: 16, stride: 16 },
    0,
    "setting i, in the order of declaration, is uPackSettings[i / 4][i % 4]",
)];

const PUSH: &[Field] = &[
    field("viewProjection", Ty::Mat4, 0, "main-world view-projection"),
    field("drawIdOffset", Ty::I32, 64, "added to the draw index"),
    field("lightingMode", Ty::I32, 68, "the base pipeline's mode"),
    field("renderPass", Ty::I32, 72, "the cascade, while casters are drawn"),
    field("lightDebug", Ty::I32, 76, "the base pipeline's debug view"),
    field("textureIndexA", Ty::U32, 80, "texture slot A"),
    field("textureIndexB", Ty::U32, 84, "texture slot B"),
    field("paramA", Ty::F32, 88, "for passes the bits of texture slot C"),
    field("paramB", Ty::F32, 92, "for passes the bits of texture slot D"),
];

const LIGHT: Ty = Ty::Struct {
    name: "Light",
    bytes: 64,
    fields: &[
        field("a", Ty::Vec4, 0, ""),
        field("b", Ty::Vec4, 16, ""),
        field("c", Ty::Vec4, 32, ""),
        field("d", Ty::Vec4, 48, ""),
    ],
};

const B: Block = Block {
    name: "",
    instance: None,
    slot: Slot::Push,
    doc: "",
    section: "",
    fields: &[],
    layout: Layout::Opaque,
    count_reason: "",
    offset_reason: "",
    type_reason: "",
};

const fn storage(
    binding: u32,
    name: &'static str,
    stride: u32,
    fields: &'static [Field],
    doc: &'static str,
) -> Block {
    let slot = Slot::Binding { set: 0, binding };
    Block { name, slot, doc, fields, layout: Layout::Elements { stride }, ..B }
}

const fn one(ty: Ty) -> Field {
    field("value", ty, 0, "")
}

const fn v(number: u32, members: usize, bytes: u32) -> Version {
    Version { number, members, bytes }
}

const BLOCKS: &[Block] = &[
    Block {
        name: "AcdreamPushBlock",
        instance: Some("acdreamPush"),
        slot: Slot::Push,
        doc: "shared push constants, the same for every pipeline",
        section: "Shared push constants",
        fields: PUSH,
        layout: Layout::Versions(&[v(1, 9, 96)]),
        count_reason: "the push-constant block must match the exact 96-byte retail layout",
        offset_reason: "the push-constant member offsets do not match the exact 96-byte retail layout",
        type_reason: "the push-constant member types do not match the exact 96-byte retail layout",
    },
    Block {
        name: "AtmosphericFrame",
        slot: Slot::Binding { set: 3, binding: 5 },
        doc: "camera reconstruction, authored sun, day and weather, and facts of the frame",
        section: "AtmosphericFrame - set 3, binding 5, 192 bytes",
        fields: ATMOSPHERIC_FRAME,
        layout: Layout::Versions(&[v(1, 7, 160), v(2, 9, 192)]),
        count_reason: "AtmosphericFrame must match ABI v1 (seven members, 160 bytes) or ABI v2 (nine members, 192 bytes)",
        ..B
    },
    Block {
        name: "DirectionalShadow",
        instance: Some("directionalShadow"),
        slot: Slot::Binding { set: 3, binding: 6 },
        doc: "cascade matrices, splits, shadow policy and the selected celestial light",
        section: "DirectionalShadow - set 3, binding 6, 336 bytes",
        fields: DIRECTIONAL_SHADOW,
        layout: Layout::Versions(&[v(1, 6, 336)]),
        count_reason: SHADOW_MATRICES,
        ..B
    },
    Block {
        name: "PackPass",
        slot: Slot::Binding { set: 3, binding: 7 },
        doc: "sixteen numbers whose meaning the semantic pass defines",
        section: "PackPass - set 3, binding 7, 64 bytes",
        fields: PACK_PASS,
        layout: Layout::Versions(&[v(1, 4, 64)]),
        count_reason: "PackPass must contain 4 vec4 members",
        offset_reason: "PackPass member types/offsets do not match ABI v1",
        type_reason: "PackPass member types/offsets do not match ABI v1",
        ..B
    },
    Block {
        name: "PackSettings",
        slot: Slot::Binding { set: 3, binding: 8 },
        doc: "the pack's settings, one number each, in the order of declaration",
        section: "PackSettings (set 3, binding 8, 256 bytes)",
        fields: PACK_SETTINGS,
        layout: Layout::Versions(&[v(1, 1, 256)]),
        count_reason: SETTINGS,
        offset_reason: SETTINGS,
        type_reason: SETTINGS,
        ..B
    },
    storage(0, "Instances", 64, &[one(Ty::Mat4)], "transforms of instances"),
    storage(
        1,
        "Batches",
        16,
        &[
            field("textureIndex", Ty::U32, 0, "slot of the texture"),
            field("surfaceOpacity", Ty::Any32, 4, "opacity; padding for casters"),
            field("textureLayer", Ty::U32, 8, "layer of the texture"),
            field("flags", Ty::U32, 12, "bit 0 detail, 0x2 cutout foliage, 0x4 trunk"),
        ],
        "what each draw uses",
    ),
    storage(2, "ClipRegions", 144, &[], "clip regions"),
    storage(3, "ClipSlots", 4, &[one(Ty::U32)], "the clip region of each instance"),
    storage(4, "GlobalLights", 64, &[one(LIGHT)], "lights of the world"),
    storage(5, "InstanceLightSets", 4, &[one(Ty::I32)], "lights of each instance, -1 for none"),
    storage(6, "InstanceIndoor", 4, &[one(Ty::U32)], "whether each instance is indoors"),
    storage(7, "InstanceAlpha", 4, &[one(Ty::F32)], "opacity of each instance"),
    storage(8, "SelectionLighting", 8, &[one(Ty::Vec2)], "highlight of each instance"),
    storage(9, "DetailCategory", 4, &[one(Ty::U32)], "detail texture of each instance"),
    Block {
        name: "SceneLighting",
        slot: Slot::Binding { set: 1, binding: 1 },
        doc: "lights, ambient and fog",
        fields: &[
            field("lights", Ty::Array { of: &LIGHT, len: 8, stride: 64 }, 0, "lights"),
            field("cellAmbient", Ty::Vec4, 512, "ambient light"),
            field("fogParams", Ty::Vec4, 528, "fog distances"),
            field("fogColor", Ty::Vec4, 544, "fog colour"),
            field("cameraAndTime", Ty::Vec4, 560, "camera and time"),
        ],
        layout: Layout::Versions(&[v(1, 5, 576)]),
        ..B
    },
    Block {
        name: "TerrainClip",
        slot: Slot::Binding { set: 1, binding: 2 },
        doc: "clipping of terrain",
        ..B
    },
    Block {
        name: "TerrainTiling",
        slot: Slot::Binding { set: 1, binding: 3 },
        doc: "tiling of terrain textures",
        fields: &[field("tiling", Ty::Array { of: &Ty::F32, len: 36, stride: 16 }, 0, "tiling factors")],
        layout: Layout::Versions(&[v(1, 1, 576)]),
        ..B
    },
    Block { name: "SkyParams", slot: Slot::Binding { set: 1, binding: 4 }, doc: "sky; no role sees it", ..B },
];
const SETTINGS: &str = "PackSettings must be one std140 vec4[16] block occupying 256 bytes";

const I: Input = Input {
    name: "",
    capability: None,
    upstream_capability: None,
    opens_table: false,
    takes_slot: false,
    opens: &[],
    upstream_opens: &[],
    doc: "",
};

const fn sampled(name: &'static str, capability: &'static str, doc: &'static str) -> Input {
    Input { name, capability: Some(capability), opens_table: true, takes_slot: true, doc, ..I }
}

const fn facts(
    name: &'static str,
    capability: &'static str,
    bindings: &'static [u32],
    doc: &'static str,
) -> Input {
    Input { name, capability: Some(capability), opens: bindings, upstream_opens: bindings, doc, ..I }
}

const INPUTS: &[Input] = &[
    sampled("WorldColor", "MainWorldColorIntermediate", "sampled main-world colour"),
    // The contract's table gives SceneDepth binding 5 as well, for the matrix that reconstructs positions.
    Input {
        opens: &[5],
        ..sampled(
            "SceneDepth",
            "SceneDepthSampling",
            "sampled main-world depth, and the matrix that reconstructs positions from it",
        )
    },
    sampled("SceneNormals", "SceneNormalSampling", "sampled main-world normals"),
    facts("SunDirection", "AuthoredSunDirection", &[5], "direction from a surface to the authored sun"),
    facts("SunScreenPosition", "AuthoredSunScreenPosition", &[5], "the sun projected into the main viewport"),
    facts("ActiveDayGroup", "AuthoredWeather", &[5], "day group and the descriptor's multipliers"),
    facts("Weather", "AuthoredWeather", &[5], "kind of weather, intensity, outdoors"),
    Input {
        name: "CameraMatrices",
        upstream_capability: Some("FullscreenPasses"),
        opens: &[5],
        upstream_opens: &[5],
        doc: "view-projection and its inverse, or the cascades of the hook",
        ..I
    },
    facts(
        "ShadowCasterTransforms",
        "AnimatedCasterTransforms",
        &[],
        "the base pipeline's transforms of casters",
    ),
    Input {
        opens_table: true,
        ..facts(
            "DirectionalShadowMaps",
            "DirectionalShadowMaps",
            &[6],
            "shadow-map slot, cascades, splits and state",
        )
    },
    Input {
        name: "FrameTime",
        upstream_capability: Some("FullscreenPasses"),
        opens: &[5],
        upstream_opens: &[5],
        doc: "seconds since the frame before",
        ..I
    },
    facts(
        "SelectedCelestialDirectionalLight",
        "AuthoredCelestialDirectionalLight",
        &[6],
        "direction and kind of the light that casts this frame's shadows",
    ),
];

const R: Role = Role {
    name: "",
    kind: RoleKind::Pass,
    by_inputs: true,
    table: false,
    blocks: &[7, 8],
    storage: &[],
    storage_in_vertex_only: false,
    uniforms: &[],
    multiview: false,
    colour_outputs: 1,
    usual: Usual { inputs: &[], reads: false },
};

const fn pass(name: &'static str, inputs: &'static [&'static str], reads: bool) -> Role {
    Role { name, usual: Usual { inputs, reads }, ..R }
}

const CASTER: Role = Role {
    kind: RoleKind::Variant,
    by_inputs: false,
    blocks: &[6],
    storage_in_vertex_only: true,
    colour_outputs: 0,
    ..R
};
const OPAQUE_CASTER: Role = Role { blocks: &[5, 6], storage: &[0, 1], ..CASTER };
const CUTOUT_CASTER: Role = Role { table: true, ..OPAQUE_CASTER };

const ROLES: &[Role] = &[
    pass("CustomFullscreen", &[], false),
    Role {
        blocks: &[5, 6],
        storage: &[0, 1],
        storage_in_vertex_only: true,
        colour_outputs: 0,
        ..pass(
            "DirectionalShadowDepth",
            &[
                "CameraMatrices",
                "SelectedCelestialDirectionalLight",
                "ShadowCasterTransforms",
                "ActiveDayGroup",
                "Weather",
            ],
            false,
        )
    },
    pass("SunOcclusion", &["SceneDepth", "SunScreenPosition", "ActiveDayGroup", "Weather"], false),
    pass("SunRays", &["SunScreenPosition", "FrameTime"], true),
    pass(
        "VolumetricShafts",
        &[
            "SceneDepth",
            "CameraMatrices",
            "SunDirection",
            "DirectionalShadowMaps",
            "ActiveDayGroup",
            "Weather",
        ],
        true,
    ),
    pass("BloomDownsample", &["WorldColor"], true),
    pass("BloomBlurHorizontal", &["FrameTime"], true),
    pass("BloomBlurVertical", &["FrameTime"], true),
    pass("FilmicComposite", &["WorldColor", "FrameTime"], true),
    Role { name: "Custom", kind: RoleKind::Variant, blocks: &[8], ..R },
    Role { name: "TerrainDirectionalShadowCaster", ..CASTER },
    Role { name: "WorldOpaqueDirectionalShadowCaster", ..OPAQUE_CASTER },
    Role { name: "WorldAlphaCutoutDirectionalShadowCaster", ..CUTOUT_CASTER },
    Role {
        name: "TerrainDirectionalShadowReceiver",
        kind: RoleKind::Variant,
        by_inputs: false,
        table: true,
        blocks: &[6, 8],
        uniforms: &[1, 2, 3],
        ..R
    },
    Role {
        name: "WorldDirectionalShadowReceiver",
        kind: RoleKind::Variant,
        by_inputs: false,
        table: true,
        blocks: &[5, 6, 8],
        storage: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        uniforms: &[1],
        ..R
    },
    Role { name: "TerrainMultiviewDirectionalShadowCaster", multiview: true, ..CASTER },
    Role { name: "WorldOpaqueMultiviewDirectionalShadowCaster", multiview: true, ..OPAQUE_CASTER },
    Role { name: "WorldAlphaCutoutMultiviewDirectionalShadowCaster", multiview: true, ..CUTOUT_CASTER },
];

const fn allow(capability: Capability) -> AllowedCapability {
    AllowedCapability { capability, stage: None, multiview_only: false }
}

/// The table of `semantic-bindings-v1`.
pub static SEMANTIC_V1: Abi = Abi {
    name: "semantic-bindings-v1",
    label: "render-pack API v1",
    shader_label: "render-pack shader ABI v1",
    version: 2,
    entry_point: "main",
    blocks: BLOCKS,
    sets: &[
        Set { set: 0, kind: SetKind::RendererStorage },
        Set { set: 1, kind: SetKind::RendererUniforms },
        Set { set: 3, kind: SetKind::Blocks },
    ],
    table: Table { set: 2, binding: 0, name: "uTextures", slots: 4 },
    inputs: INPUTS,
    roles: ROLES,
    capabilities: &[
        allow(Capability::Matrix),
        allow(Capability::Shader),
        allow(Capability::ShaderNonUniform),
        allow(Capability::RuntimeDescriptorArray),
        allow(Capability::SampledImageArrayDynamicIndexing),
        allow(Capability::SampledImageArrayNonUniformIndexing),
        allow(Capability::ImageQuery),
        allow(Capability::DerivativeControl),
        AllowedCapability { stage: Some(Stage::Vertex), ..allow(Capability::DrawParameters) },
        AllowedCapability { stage: Some(Stage::Vertex), ..allow(Capability::ClipDistance) },
        AllowedCapability { multiview_only: true, ..allow(Capability::MultiView) },
    ],
    glsl_helpers: &[
        Helper {
            file: "pack_textures.glsl",
            needs: Some("AcdreamPushBlock"),
            text: include_str!("glsl/pack_textures.glsl"),
        },
        Helper { file: "pack_display.glsl", needs: None, text: include_str!("glsl/pack_display.glsl") },
        Helper {
            file: "foliage_wind.glsl",
            needs: Some("AtmosphericFrame"),
            text: include_str!("glsl/foliage_wind.glsl"),
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The table agrees with itself: members follow each other, versions end where a member ends.
    #[test]
    fn the_table_is_sound() {
        for b in BLOCKS {
            for pair in b.fields.windows(2) {
                assert!(pair[0].offset + pair[0].ty.bytes() <= pair[1].offset, "{} {}", b.name, pair[1].name);
            }
            match b.layout {
                Layout::Versions(versions) => {
                    for v in versions {
                        let last = &b.fields[v.members - 1];
                        assert_eq!(last.offset + last.ty.bytes(), v.bytes, "{} v{}", b.name, v.number);
                    }
                    assert_eq!(versions.last().map(|v| v.members), Some(b.fields.len()), "{}", b.name);
                }
                Layout::Elements { stride } => {
                    assert!(b.fields.iter().all(|f| f.offset + f.ty.bytes() <= stride), "{}", b.name);
                }
                Layout::Opaque => assert!(b.fields.is_empty()),
            }
        }
        for i in INPUTS {
            let capability =
                |c: Option<&str>| c.is_none_or(|c| c.parse::<crate::descriptor::Capability>().is_ok());
            assert!(capability(i.capability) && capability(i.upstream_capability), "{}", i.name);
            assert!(i.name.parse::<crate::descriptor::SemanticInput>().is_ok(), "{}", i.name);
        }
        for f in ATMOSPHERIC_FRAME {
            assert!(f.opened_by.iter().all(|n| SEMANTIC_V1.input(n).is_some()), "{}", f.name);
        }
    }
}
