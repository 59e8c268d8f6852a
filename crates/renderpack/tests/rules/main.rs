//! Each rule by a violation that is found alone, with its path; many faults at once; damaged descriptors.

mod shaders;
#[path = "../common/words.rs"]
mod words;

use serde_json::{Value, json};
use shaderport_diagnostics::codes::renderpack as table;
use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{
    AssetError, Compat, Device, DirAssets, Finding, HARDENING, LARGEST_ASSET, Options, PackReport,
    check_pack, check_pack_text,
};
use std::collections::{BTreeSet, HashMap};
use std::fs;

fn files(profile: Profile) -> HashMap<String, Vec<u8>> {
    new_pack(profile, "test.pack", &SEMANTIC_V1).unwrap().into_iter().map(|f| (f.path, f.bytes)).collect()
}

/// Every finding says what was expected and what was found, has a note, and suggests something.
fn is_whole(f: &Finding) {
    let said = [&f.expected, &f.found, &f.help].map(|s| s.as_ref().is_some_and(|s| !s.is_empty()));
    assert!(said == [true; 3] && f.notes.iter().any(|n| !n.is_empty()), "{f}");
}

fn descriptor(profile: Profile) -> Value {
    serde_json::from_slice(&files(profile)["pack.json"]).unwrap()
}

/// What was found, each finding with all that a finding must say.
fn codes(report: &PackReport) -> Vec<(&'static str, String)> {
    report.findings.iter().for_each(is_whole);
    report.findings.iter().map(|f| (f.code.name(), f.path.clone())).collect()
}

#[test]
fn templates_check_clean() {
    for profile in [Profile::NoOp, Profile::Shadows, Profile::Atmospheric] {
        let files = files(profile);
        let text = String::from_utf8(files["pack.json"].clone()).unwrap();
        for compat in [Compat::Contract, Compat::Upstream] {
            let mut assets =
                |key: &str| files.get(key).cloned().ok_or(AssetError::Missing("no such file".into()));
            let options = Options { compat, device: Some(Device::conformance()), ..Options::default() };
            let report = check_pack(&text, &mut assets, &options);
            let all: Vec<_> = report.findings.iter().map(ToString::to_string).collect();
            assert!(all.is_empty(), "{profile:?} {}", all.join("\n"));
        }
    }
}

/// A violation: code, path, profile, and where to put what; a removed value is given as the text `(remove)`.
type Case = (&'static str, &'static str, Profile, Vec<(&'static str, Value)>);

fn cases() -> Vec<Case> {
    use Profile::{Atmospheric as A, NoOp as N, Shadows as S};
    let extent =
        |mode: &str, w: f64, h: f64, l: i64| json!({ "mode": mode, "width": w, "height": h, "layers": l });
    let setting = |kind: &str, default: &str| {
        json!({ "id": "extra", "displayName": "Extra", "kind": kind, "defaultValue": default, "minimum": null,
                "maximum": null, "step": null, "choices": [], "semantic": "Custom" })
    };
    let with = |mut v: Value, key: &str, x: Value| {
        v[key] = x;
        v
    };
    let resource = |edit: &[(&str, Value)]| {
        let mut v = json!({ "id": "extra", "kind": "Image2D", "format": "HdrColor", "extent": extent("RelativeToMainWorld", 0.5, 0.5, 1),
            "sizeBytes": 0, "usage": ["Sampled", "ColorAttachment"], "lifetime": "ActivePack", "estimatedResidentBytes": 0,
            "semantic": "Custom" });
        for (k, x) in edit {
            v[*k] = x.clone();
        }
        v
    };
    let many = |n: usize| {
        Value::Array((0..n).map(|i| with(setting("Boolean", "true"), "id", json!(format!("s{i}")))).collect())
    };
    // Paths into the descriptor are JSON pointers.
    let one = |k: &'static str, v: Value| vec![(k, v)];
    let r0 = "/resources/1";
    let res = |edit: &[(&str, Value)]| one(r0, resource(edit));
    let pass = |id: &str, hook: &str, reads: Value| {
        json!({ "id": id, "hook": hook, "vertexShaderAsset": "a", "fragmentShaderAsset": "b", "semanticInputs": [],
            "resourceReads": reads, "resourceWrites": [], "semantic": "CustomFullscreen" })
    };
    let atmospheric = descriptor(A);
    let overrides = &atmospheric["qualityPresets"][0]["resourceOverrides"];
    vec![
        (
            "pass-hook-order",
            "$.passes[1].hook",
            N,
            one(
                "/passes",
                json!([
                    pass("late", "AfterToneMapBeforePrivateViewports", json!([])),
                    pass("early", "ToneMap", json!([])),
                ]),
            ),
        ),
        (
            "pass-read-early",
            "$.passes[0].resourceReads[0]",
            N,
            vec![
                ("/resources", json!([resource(&[])])),
                ("/passes", json!([pass("early", "ToneMap", json!(["extra"]))])),
            ],
        ),
        (
            "preset-resource-duplicate",
            "$.qualityPresets[0].resourceOverrides[1].resourceId",
            A,
            one("/qualityPresets/0/resourceOverrides", json!([overrides[0], overrides[0]])),
        ),
        (
            "profile-order",
            "$.passes[3]",
            A,
            vec![
                ("/passes/2", atmospheric["passes"][3].clone()),
                ("/passes/3", atmospheric["passes"][2].clone()),
            ],
        ),
        ("pack-id", "$.id", N, one("/id", json!("Not Stable"))),
        ("pack-display-name", "$.displayName", N, one("/displayName", json!("  "))),
        ("pack-summary", "$.featureSummary", N, one("/featureSummary", json!(""))),
        ("pack-version", "$.packVersion", N, one("/packVersion", json!("1"))),
        ("pack-api", "$.packApiVersion", N, one("/packApiVersion", json!(2))),
        ("pack-tier", "$.highestTier", N, one("/highestTier", json!("Tier9"))),
        ("pack-null-list", "$.settings", N, one("/settings", Value::Null)),
        ("pack-null-list", "$.resources", N, one("/resources", json!("(remove)"))),
        (
            "pack-capability-unknown",
            "$.optionalCapabilities[0]",
            N,
            one("/optionalCapabilities", json!(["Flying"])),
        ),
        (
            "pack-shadow-light",
            "$.passes[0].semanticInputs",
            S,
            one("/passes/0/semanticInputs", json!(["CameraMatrices"])),
        ),
        (
            "pack-semantic-capability",
            "$.passes[1].semanticInputs[1]",
            S,
            one("/passes/1/semanticInputs", json!(["WorldColor", "SceneDepth"])),
        ),
        ("pack-item-id", "$.passes[1].id", S, one("/passes/1/id", json!("Copy"))),
        ("pack-duplicate-id", "$.passes[1].id", S, one("/passes/1/id", json!("record-shadows"))),
        ("pack-unknown-field", "$.passes[1].Hook", S, one("/passes/1/Hook", json!("ToneMap"))),
        ("pack-wrong-type", "$.packApiVersion", N, one("/packApiVersion", json!("1"))),
        ("pack-missing-field", "$.passes[1].id", S, one("/passes/1/id", json!("(remove)"))),
        ("resource-unknown-name", "$.resources[1].lifetime", S, res(&[("lifetime", json!("Forever"))])),
        ("resource-reserved", "$.resources[1].kind", S, res(&[("kind", json!("Buffer"))])),
        ("resource-reserved", "$.resources[1].format", S, res(&[("format", json!("StructuredData"))])),
        ("resource-reserved", "$.resources[1].usage", S, res(&[("usage", json!(["Storage"]))])),
        ("resource-colour-array", "$.resources[1].format", S, res(&[("kind", json!("Image2DArray"))])),
        ("resource-bytes", "$.resources[1].sizeBytes", S, res(&[("sizeBytes", json!(-1))])),
        ("resource-usage", "$.resources[1].usage", S, res(&[("usage", json!([]))])),
        ("resource-no-extent", "$.resources[1].extent", S, res(&[("extent", Value::Null)])),
        (
            "resource-extent",
            "$.resources[1].extent.layers",
            S,
            res(&[("extent", extent("RelativeToMainWorld", 0.5, 0.5, 257))]),
        ),
        (
            "resource-extent",
            "$.resources[1].extent.width",
            S,
            res(&[("extent", extent("RelativeToOutput", 0.0, 0.5, 1))]),
        ),
        (
            "resource-absolute-extent",
            "$.resources[1].extent.height",
            S,
            res(&[("extent", extent("AbsolutePixels", 4.0, 2.5, 1))]),
        ),
        (
            "resource-relative-extent",
            "$.resources[1].extent.width",
            S,
            res(&[("extent", extent("RelativeToMainWorld", 1.5, 1.0, 1))]),
        ),
        ("resource-total", "$.resources", S, res(&[("estimatedResidentBytes", json!(256 << 20))])),
        ("resource-total", "$.resources", S, res(&[("estimatedResidentBytes", json!(i64::MAX))])),
        ("pass-hook-unknown", "$.passes[1].hook", A, one("/passes/1/hook", json!("Whenever"))),
        (
            "pack-asset-key",
            "$.passes[1].vertexShaderAsset",
            S,
            one("/passes/1/vertexShaderAsset", json!("a/../b.spv")),
        ),
        (
            "pass-input-unknown",
            "$.passes[1].semanticInputs[1]",
            S,
            one("/passes/1/semanticInputs", json!(["WorldColor", "Moon"])),
        ),
        (
            "pass-input-duplicate",
            "$.passes[1].semanticInputs[1]",
            S,
            one("/passes/1/semanticInputs", json!(["WorldColor", "WorldColor"])),
        ),
        (
            "pass-binding-duplicate",
            "$.passes[1].resourceReads[1]",
            S,
            one("/passes/1/resourceReads", json!(["shadow-depth", "SHADOW-DEPTH"])),
        ),
        (
            "pass-read-unknown",
            "$.passes[1].resourceReads[0]",
            S,
            one("/passes/1/resourceReads", json!(["nothing"])),
        ),
        ("setting-count", "$.settings", N, one("/settings", many(65))),
        ("setting-kind", "$.settings[3].kind", S, one("/settings/3", setting("Colour", "1"))),
        (
            "setting-display-name",
            "$.settings[3].displayName",
            S,
            one("/settings/3", with(setting("Boolean", "true"), "displayName", json!(""))),
        ),
        (
            "pack-null-list",
            "$.settings[3].choices",
            S,
            one("/settings/3", with(setting("Boolean", "true"), "choices", Value::Null)),
        ),
        (
            "setting-bounds",
            "$.settings[3].step",
            S,
            one("/settings/3", with(setting("Float", "1"), "step", json!(0))),
        ),
        (
            "setting-range",
            "$.settings[3].minimum",
            S,
            one("/settings/3", with(with(setting("Float", "1"), "minimum", json!(2)), "maximum", json!(1))),
        ),
        ("setting-choices", "$.settings[3].choices", S, one("/settings/3", setting("Choice", "a"))),
        (
            "setting-choices",
            "$.settings[3].defaultValue",
            S,
            one("/settings/3", with(setting("Choice", "a"), "choices", json!(["A"]))),
        ),
        (
            "setting-choice-duplicate",
            "$.settings[3].choices[1]",
            S,
            one("/settings/3", with(setting("Choice", "a"), "choices", json!(["a", "a"]))),
        ),
        ("setting-default", "$.settings[3].defaultValue", S, one("/settings/3", setting("Boolean", "1"))),
        (
            "setting-default",
            "$.settings[3].defaultValue",
            S,
            one("/settings/3", setting("Integer", "16777217")),
        ),
        ("setting-default", "$.settings[3].defaultValue", S, one("/settings/3", setting("Float", "1,5"))),
        (
            "setting-pcf",
            "$.settings[2].choices[1]",
            S,
            vec![("/settings/2/choices", json!(["1", "4"])), ("/settings/2/defaultValue", json!("1"))],
        ),
        ("preset-none", "$.qualityPresets", N, one("/qualityPresets", json!([]))),
        (
            "preset-display-name",
            "$.qualityPresets[0].displayName",
            N,
            one("/qualityPresets/0/displayName", json!("")),
        ),
        (
            "preset-capability-unknown",
            "$.qualityPresets[0].requiredCapabilities[0]",
            N,
            one("/qualityPresets/0/requiredCapabilities", json!(["Flying"])),
        ),
        (
            "preset-hint",
            "$.qualityPresets[0].executionHints[0]",
            N,
            one("/qualityPresets/0/executionHints", json!(["Fast"])),
        ),
        (
            "preset-multiview",
            "$.qualityPresets[0].executionHints",
            N,
            one("/qualityPresets/0/executionHints", json!(["MultiviewDirectionalShadowCascades"])),
        ),
        (
            "preset-fused",
            "$.qualityPresets[0].executionHints",
            N,
            one("/qualityPresets/0/executionHints", json!(["FusedAtmosphericPostProcess"])),
        ),
        (
            "preset-resident",
            "$.qualityPresets[0].maxResidentGpuBytes",
            N,
            one("/qualityPresets/0/maxResidentGpuBytes", json!(-1)),
        ),
        (
            "preset-budget",
            "$.qualityPresets[0].maxIncrementalGpuMillisecondsP50",
            N,
            one("/qualityPresets/0/maxIncrementalGpuMillisecondsP50", json!(9)),
        ),
        (
            "preset-resource-unknown",
            "$.qualityPresets[0].resourceOverrides[0].resourceId",
            A,
            one("/qualityPresets/0/resourceOverrides/0/resourceId", json!("nothing")),
        ),
        (
            "preset-resource-bytes",
            "$.qualityPresets[0].resourceOverrides[0].sizeBytes",
            A,
            one("/qualityPresets/0/resourceOverrides/0/sizeBytes", json!(-1)),
        ),
        (
            "preset-resource-extent",
            "$.qualityPresets[0].resourceOverrides[0].extent.width",
            A,
            one("/qualityPresets/0/resourceOverrides/0/extent/width", json!(0.5)),
        ),
        (
            "preset-resource-mode",
            "$.qualityPresets[0].resourceOverrides[0].extent",
            A,
            one("/qualityPresets/0/resourceOverrides/0/extent/width", json!(512)),
        ),
        (
            "preset-resource-mode",
            "$.qualityPresets[0].resourceOverrides[0].extent.mode",
            A,
            one("/qualityPresets/0/resourceOverrides/0/extent", extent("RelativeToOutput", 1.0, 1.0, 2)),
        ),
        ("preset-resource-mode", "$.resources[0].extent", S, one("/resources/0/extent/width", json!(512))),
        ("preset-resource-mode", "$.resources[0].extent", S, one("/resources/0/extent/layers", json!(5))),
        (
            "preset-setting-unknown",
            "$.qualityPresets[0].settingOverrides[0].settingId",
            A,
            one("/qualityPresets/0/settingOverrides/0/settingId", json!("nothing")),
        ),
        (
            "preset-setting-duplicate",
            "$.qualityPresets[0].settingOverrides[3].settingId",
            A,
            one("/qualityPresets/0/settingOverrides/3", json!({ "settingId": "SHAFTS", "value": "0" })),
        ),
        (
            "preset-setting-value",
            "$.qualityPresets[0].settingOverrides[0].value",
            A,
            one("/qualityPresets/0/settingOverrides/0/value", json!("2")),
        ),
        (
            "semantic-unknown",
            "$.settings[13].semantic",
            A,
            vec![("/settings/13", setting("Boolean", "true")), ("/settings/13/semantic", json!("Nothing"))],
        ),
        (
            "semantic-duplicate",
            "$.settings[3].semantic",
            S,
            one("/settings/3", with(setting("Float", "1"), "semantic", json!("DirectionalShadowStrength"))),
        ),
        (
            "automatic-kind",
            "$.settings[12].kind",
            A,
            one(
                "/settings/12",
                with(
                    with(setting("Integer", "0"), "semantic", json!("AutomaticQuality")),
                    "id",
                    json!("automatic"),
                ),
            ),
        )
            .with_edit("/qualityPresets/3/settingOverrides", json!([])),
        (
            "automatic-presets",
            "$.settings[12].semantic",
            A,
            one("/qualityPresets/0/autoEligible", json!(false)),
        ),
        ("profile-tier", "$.highestTier", S, one("/highestTier", json!("Tier1"))),
        (
            "profile-capability",
            "$.requiredCapabilities",
            S,
            one("/requiredCapabilities/1", json!("GpuTimestampQueries")),
        ),
        ("profile-count", "$.sceneReplays", S, one("/sceneReplays", json!([]))),
        (
            "profile-replay",
            "$.sceneReplays[0].casterClasses",
            S,
            one("/sceneReplays/0/casterClasses", json!(["Terrain"])),
        ),
        ("profile-replay", "$.sceneReplays[0].viewCount", S, one("/sceneReplays/0/viewCount", json!(2))),
        ("replay-views", "$.sceneReplays[0].viewCount", S, one("/sceneReplays/0/viewCount", json!(5))),
        (
            "replay-casters",
            "$.sceneReplays[0].casterClasses",
            S,
            one("/sceneReplays/0/casterClasses", json!([])),
        ),
        (
            "replay-unknown-name",
            "$.sceneReplays[0].semantic",
            S,
            one("/sceneReplays/0/semantic", json!("Indoor")),
        ),
        (
            "variant-unknown-name",
            "$.pipelineVariants[0].baseSemantic",
            S,
            one("/pipelineVariants/0/baseSemantic", json!("Sky")),
        ),
        (
            "variant-materials",
            "$.pipelineVariants[0].compatibleMaterials",
            S,
            one("/pipelineVariants/0/compatibleMaterials", json!([])),
        ),
        (
            "variant-input-unknown",
            "$.pipelineVariants[0].semanticInputs[0]",
            S,
            one("/pipelineVariants/0/semanticInputs", json!(["Camera"])),
        ),
        (
            "profile-variant",
            "$.pipelineVariants[0].baseSemantic",
            S,
            one("/pipelineVariants/0/baseSemantic", json!("WorldMesh")),
        ),
        ("profile-missing", "$.pipelineVariants", S, one("/pipelineVariants/0", json!("(remove)"))),
        ("profile-missing", "$.settings", S, one("/settings/0/semantic", json!("Custom"))),
        ("profile-missing", "$.passes", A, one("/passes/7/semantic", json!("CustomFullscreen")))
            .and("profile-count", "$.passes[7]"),
        (
            "profile-resource",
            "$.resources[0].lifetime",
            S,
            one("/resources/0/lifetime", json!("FrameFlight")),
        ),
        (
            "profile-curve",
            "$.atmospherePolicy.directionalShadowLightElevationResponse",
            S,
            one("/atmospherePolicy/directionalShadowLightElevationResponse", json!([])),
        ),
        (
            "profile-hook",
            "$.passes[7].hook",
            A,
            one("/passes/7/hook", json!("AfterToneMapBeforePrivateViewports")),
        ),
        (
            "profile-edges",
            "$.passes[7].resourceReads",
            A,
            one("/passes/7/resourceReads", json!(["sun-rays", "bloom-a", "shafts"])),
        ),
        (
            "profile-edges",
            "$.passes[5].resourceWrites",
            A,
            one("/passes/5/resourceWrites", json!(["shafts"])),
        )
            .and("pass-read-early", "$.passes[6].resourceReads[0]"),
        ("profile-custom", "$.passes", S, one("/passes/1/semanticInputs", json!([]))),
        (
            "pass-slots",
            "$.passes[7]",
            A,
            one("/passes/7/semanticInputs", json!(["WorldColor", "FrameTime", "SceneDepth"])),
        ),
        ("pass-no-output", "$.passes[1].resourceWrites", A, one("/passes/1/resourceWrites", json!([])))
            .and("pass-read-early", "$.passes[2].resourceReads[0]")
            .and("profile-edges", "$.passes[1].resourceWrites"),
        (
            "pass-writes",
            "$.passes[1].resourceWrites",
            A,
            one("/passes/1/resourceWrites", json!(["sun-mask", "world-hdr"])),
        ),
        (
            "pass-write-unknown",
            "$.passes[1].resourceWrites[0]",
            A,
            one("/passes/1/resourceWrites", json!(["nothing"])),
        )
            .and("pass-read-early", "$.passes[2].resourceReads[0]"),
        (
            "pass-read-usage",
            "$.passes[2].resourceReads[0]",
            A,
            one("/resources/3/usage", json!(["ColorAttachment"])),
        )
            .and("profile-resource", "$.resources[3].usage"),
        (
            "pass-write-usage",
            "$.passes[1].resourceWrites[0]",
            A,
            one("/resources/3/usage", json!(["Sampled"])),
        )
            .and("profile-resource", "$.resources[3].usage"),
        (
            "pass-read-write",
            "$.passes[2].resourceWrites[0]",
            A,
            one("/passes/2/resourceWrites", json!(["sun-mask"])),
        )
            .and("pass-read-early", "$.passes[4].resourceReads[0]")
            .and("pass-read-early", "$.passes[7].resourceReads[1]")
            .and("profile-edges", "$.passes[2].resourceWrites"),
        (
            "policy-curve",
            "$.atmospherePolicy.sunElevationResponse[1].elevationDegrees",
            S,
            one("/atmospherePolicy/sunElevationResponse/1/elevationDegrees", json!(-90)),
        ),
        (
            "policy-curve",
            "$.atmospherePolicy.directionalShadowLightElevationResponse[3].multiplier",
            S,
            one("/atmospherePolicy/directionalShadowLightElevationResponse/3/multiplier", json!(1.5)),
        ),
        (
            "policy-horizon",
            "$.atmospherePolicy.directionalShadowLightElevationResponse[0].multiplier",
            S,
            one("/atmospherePolicy/directionalShadowLightElevationResponse/0/multiplier", json!(0.5)),
        ),
        // At the horizon, and the first point above it where there is none at it.
        (
            "policy-horizon",
            "$.atmospherePolicy.directionalShadowLightElevationResponse[1].multiplier",
            S,
            one(
                "/atmospherePolicy/directionalShadowLightElevationResponse",
                json!([{ "elevationDegrees": -5, "multiplier": 0 }, { "elevationDegrees": 0, "multiplier": 0.1 },
                    { "elevationDegrees": 20, "multiplier": 1 }]),
            ),
        ),
        (
            "policy-horizon",
            "$.atmospherePolicy.directionalShadowLightElevationResponse[1].multiplier",
            S,
            one(
                "/atmospherePolicy/directionalShadowLightElevationResponse",
                json!([{ "elevationDegrees": -5, "multiplier": 0 }, { "elevationDegrees": 5, "multiplier": 0.1 },
                    { "elevationDegrees": 20, "multiplier": 1 }]),
            ),
        ),
        (
            "policy-curve",
            "$.atmospherePolicy.volumetricShaftSunElevationResponse[0].elevationDegrees",
            A,
            one("/atmospherePolicy/volumetricShaftSunElevationResponse/0/elevationDegrees", json!(-90.5)),
        ),
        (
            "semantic-duplicate",
            "$.resources[1].semantic",
            S,
            one("/resources/1", resource(&[("semantic", json!("DirectionalShadowDepth"))])),
        ),
        (
            "policy-day-group",
            "$.atmospherePolicy.activeDayGroupMultipliers[1].activeDayGroup",
            S,
            one(
                "/atmospherePolicy/activeDayGroupMultipliers/1",
                json!({ "activeDayGroup": 0, "multiplier": 1 }),
            ),
        ),
        (
            "pack-wrong-type",
            "$.atmospherePolicy.activeDayGroupMultipliers[0].activeDayGroup",
            S,
            one("/atmospherePolicy/activeDayGroupMultipliers/0/activeDayGroup", json!(1i64 << 31)),
        ),
        (
            "policy-wind",
            "$.atmospherePolicy.foliageWindByWeather[0].weatherKind",
            A,
            one("/atmospherePolicy/foliageWindByWeather/0/weatherKind", json!("clear")),
        ),
        (
            "policy-wind",
            "$.atmospherePolicy.foliageWindByWeather[1].weatherKind",
            A,
            one("/atmospherePolicy/foliageWindByWeather/1/weatherKind", json!("Clear")),
        ),
        (
            "pack-null-list",
            "$.atmospherePolicy.sunElevationResponse",
            S,
            one("/atmospherePolicy/sunElevationResponse", Value::Null),
        ),
    ]
}

/// Small changes to a case of the table.
trait Adjust {
    fn and(self, code: &'static str, path: &'static str) -> Self;
    fn with_edit(self, pointer: &'static str, value: Value) -> Self;
}

impl Adjust for Case {
    /// A further finding that cannot but follow.
    fn and(mut self, code: &'static str, path: &'static str) -> Self {
        self.3.push((code, json!({ "follows": path })));
        self
    }
    fn with_edit(mut self, pointer: &'static str, value: Value) -> Self {
        self.3.push((pointer, value));
        self
    }
}

fn edit(root: &mut Value, pointer: &str, value: &Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = root.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
    let remove = *value == json!("(remove)");
    match parent {
        Value::Object(map) if remove => drop(map.remove(key)),
        Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
        Value::Array(items) => {
            let i: usize = key.parse().unwrap();
            if remove {
                items.remove(i);
            } else if i == items.len() {
                items.push(value.clone());
            } else {
                items[i] = value.clone();
            }
        }
        _ => panic!("{pointer}"),
    }
}

/// Every code of the crate has a violation here, and so has every rule that can be turned off.
#[test]
fn each_code_has_a_violation() {
    let mut seen = descriptor_violations();
    seen.extend(text_violations());
    seen.extend(device_violations());
    seen.extend(asset_violations());
    seen.extend(shaders::check());
    // No folder without a descriptor comes to this crate: the command's tests have it.
    seen.insert(table::PACK_MISSING.name());
    let all = table::ALL.iter().chain(HARDENING).map(|c| c.name());
    let lacking: BTreeSet<_> = all.filter(|c| !seen.contains(c)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

/// Texts that are no descriptor.
fn text_violations() -> BTreeSet<&'static str> {
    let whole = descriptor(Profile::NoOp).to_string();
    let twice = whole.replacen('{', "{\"settings\": [],", 1);
    let cases =
        [("pack-json", whole.replacen('{', "{,", 1), "$"), ("pack-duplicate-key", twice, "$.settings")];
    for (code, text, path) in &cases {
        let report = check_pack_text(text, &Options::default());
        assert_eq!(codes(&report), [(*code, (*path).to_owned())]);
    }
    cases.iter().map(|c| c.0).collect()
}

fn device_violations() -> BTreeSet<&'static str> {
    let mut root = descriptor(Profile::NoOp);
    let less = |c: &str| Device::read(&json!({ "capabilities": [c] }).to_string()).unwrap();
    let check = |root: &Value, device: Device| {
        codes(&check_pack_text(&root.to_string(), &Options { device: Some(device), ..Options::default() }))
    };
    root["requiredCapabilities"] = json!(["FullscreenPasses", "GpuTimestampQueries"]);
    let path = "$.requiredCapabilities[1]".to_owned();
    assert_eq!(check(&root, less("FullscreenPasses")), [("device-capability", path)]);
    root["requiredCapabilities"] = json!([]);
    let preset = "$.qualityPresets[0]";
    root["qualityPresets"][0]["requiredCapabilities"] = json!(["FullscreenPasses", "GpuTimestampQueries"]);
    let path = format!("{preset}.requiredCapabilities[1]");
    assert_eq!(check(&root, less("FullscreenPasses")), [("device-preset", path)]);
    root["qualityPresets"][0]["requiredCapabilities"] = json!([]);
    root["qualityPresets"][0]["maxResidentGpuBytes"] = json!(1 << 20);
    let path = format!("{preset}.maxResidentGpuBytes");
    assert_eq!(check(&root, Device::conformance().with_video_memory(1 << 20)), [("device-preset", path)]);
    root["qualityPresets"][0]["semantic"] = json!("Automatic");
    for (k, level) in ["Low", "Medium", "High"].into_iter().enumerate() {
        let mut p = root["qualityPresets"][0].clone();
        p["semantic"] = json!(level);
        p["id"] = json!(format!("p{k}"));
        root["qualityPresets"].as_array_mut().unwrap().push(p);
    }
    let path = format!("{preset}.semantic");
    assert_eq!(check(&root, less("FullscreenPasses")), [("device-preset", path)]);
    // Images above what the device has, by the declaration and by an override.
    let mut root = descriptor(Profile::Shadows);
    let device = Device { max_image_edge: 1024, ..Device::conformance() };
    let found = check(&root, device.clone());
    assert_eq!(found, [("device-preset", "$.resources[0].extent".to_owned())]);
    root["qualityPresets"][0]["resourceOverrides"] = json!([{ "resourceId": "shadow-depth", "sizeBytes": 0,
        "estimatedResidentBytes": 0, "extent": { "mode": "AbsolutePixels", "width": 1024, "height": 1024, "layers": 2 } }]);
    assert_eq!(check(&root, device), []);
    let device = Device { max_image_layers: 1, ..Device::conformance() };
    let path = format!("{preset}.resourceOverrides[0].extent");
    assert_eq!(check(&root, device), [("device-preset", path)]);

    for (text, path) in [
        ("{,", "$"),
        ("{ \"samples\": 0 }", "$.samples"),
        ("{ \"maxImageEdge\": 2000000 }", "$.maxImageEdge"),
        ("{ \"videoMemoryBytes\": -80 }", "$.videoMemoryBytes"),
        ("{ \"residentBytes\": -1 }", "$.residentBytes"),
        ("{ \"transientBytes\": -1 }", "$.transientBytes"),
    ] {
        let findings = Device::read(text).unwrap_err();
        let found: Vec<_> = findings.iter().map(|f| (f.code.name(), f.path.as_str())).collect();
        assert_eq!(found, [("device-file", path)]);
    }
    ["device-capability", "device-preset", "device-file"].into()
}

/// Assets that cannot be had, each in a folder on the disk.
fn asset_violations() -> BTreeSet<&'static str> {
    let base = std::env::temp_dir().join(format!("shaderport-assets-{}", std::process::id()));
    let dir = base.join("pack");
    for (path, bytes) in files(Profile::Shadows) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let text = fs::read_to_string(dir.join("pack.json")).unwrap();
    let check = || codes(&check_pack(&text, &mut DirAssets::new(&dir), &Options::default()));
    assert_eq!(check(), []);
    let copy = dir.join("shaders/copy.frag.spv");
    let module = fs::read(&copy).unwrap();
    let mut seen = BTreeSet::new();
    let mut expect = |code: &'static str| {
        assert_eq!(check(), [(code, "$.passes[1].fragmentShaderAsset".to_owned())]);
        seen.insert(code);
    };
    fs::remove_file(&copy).unwrap();
    expect("asset-missing");
    fs::create_dir(&copy).unwrap();
    expect("asset-missing");
    fs::remove_dir(&copy).unwrap();
    for bytes in [&b""[..], b"abc", b"abcd", &module[1..], &module[..module.len() - 1]] {
        fs::write(&copy, bytes).unwrap();
        expect("asset-not-spirv");
    }
    // At the ceiling it is read; it ends in what is no instruction.
    let mut large = module.clone();
    large.resize(LARGEST_ASSET as usize, 0);
    fs::write(&copy, &large).unwrap();
    expect("shader-malformed");
    large.extend([0; 4]);
    fs::write(&copy, &large).unwrap();
    expect("asset-size");
    fs::remove_file(&copy).unwrap();
    #[cfg(unix)]
    {
        let link = |to: &std::path::Path| {
            let _ = fs::remove_file(&copy);
            std::os::unix::fs::symlink(to, &copy).unwrap();
        };
        fs::write(base.join("copy.frag.spv"), &module).unwrap();
        link(&base.join("copy.frag.spv"));
        expect("asset-outside");
        // One that stays inside is refused as well.
        fs::write(dir.join("copy.spv"), &module).unwrap();
        link(&dir.join("copy.spv"));
        expect("asset-outside");
    }
    #[cfg(not(unix))]
    {
        let all = files(Profile::Shadows);
        let mut assets = |key: &str| match key {
            "shaders/copy.frag.spv" => Err(AssetError::Outside),
            _ => Ok(all[key].clone()),
        };
        let found = codes(&check_pack(&text, &mut assets, &Options::default()));
        assert_eq!(found, [("asset-outside", "$.passes[1].fragmentShaderAsset".to_owned())]);
        seen.insert("asset-outside");
    }
    fs::remove_dir_all(&base).unwrap();
    seen
}

fn descriptor_violations() -> BTreeSet<&'static str> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (code, path, profile, edits) in cases() {
        let mut root = descriptor(profile);
        let mut expected = vec![(code, path.to_owned())];
        for (pointer, value) in &edits {
            match value.get("follows") {
                Some(path) => expected.push((pointer, path.as_str().unwrap().to_owned())),
                None => edit(&mut root, pointer, value),
            }
        }
        let mut found =
            codes(&check_pack_text(&serde_json::to_string_pretty(&root).unwrap(), &Options::default()));
        seen.insert(code);
        found.sort();
        expected.sort();
        if found != expected {
            wrong.push(format!("{code} at {path}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

#[test]
fn twenty_faults_are_twenty_findings() {
    let mut root = descriptor(Profile::Shadows);
    for (pointer, value) in [
        ("/displayName", json!("")),
        ("/featureSummary", json!("")),
        ("/packVersion", json!("one")),
        ("/packApiVersion", json!(3)),
        ("/optionalCapabilities/0", json!("Flying")),
        ("/passes/1/id", json!("Copy")),
        ("/passes/1/vertexShaderAsset", json!("/etc/passwd")),
        ("/passes/1/fragmentShaderAsset", json!("a\\b")),
        ("/resources/0/sizeBytes", json!(-5)),
        ("/resources/0/estimatedResidentBytes", json!(-5)),
        ("/settings/0/displayName", json!(" ")),
        ("/settings/1/defaultValue", json!("1000")),
        ("/settings/2/displayName", json!("")),
        ("/qualityPresets/0/displayName", json!("")),
        ("/qualityPresets/0/maxResidentGpuBytes", json!(-1)),
        ("/qualityPresets/0/maxIncrementalCpuMillisecondsP50", json!(7)),
        ("/sceneReplays/0/id", json!("0")),
        ("/pipelineVariants/0/id", json!("")),
        ("/atmospherePolicy/sunElevationResponse/0/multiplier", json!(-1)),
        ("/surplus", json!(1)),
    ] {
        edit(&mut root, pointer, &value);
    }
    let report = check_pack_text(&root.to_string(), &Options::default());
    assert_eq!(report.findings.len(), 20, "{:?}", codes(&report));
    // The form first, which upstream does not have; then in the order of upstream's rules.
    let order: Vec<_> = codes(&report).into_iter().map(|c| c.0).collect();
    assert_eq!(
        order,
        [
            "pack-unknown-field",
            "pack-display-name",
            "pack-summary",
            "pack-version",
            "pack-api",
            "pack-capability-unknown",
            "pack-item-id",
            "pack-item-id",
            "pack-item-id",
            "resource-bytes",
            "resource-bytes",
            "pack-asset-key",
            "pack-asset-key",
            "setting-display-name",
            "setting-default",
            "setting-display-name",
            "preset-display-name",
            "preset-resident",
            "preset-budget",
            "policy-curve",
        ]
    );
    // A device's lack comes where upstream asks for it: behind the header, ahead of the ids.
    let options = Options {
        device: Some(Device { capabilities: vec![], ..Device::conformance() }),
        ..Options::default()
    };
    let report = check_pack_text(&root.to_string(), &options);
    let at = |code: &str| report.findings.iter().position(|f| f.code.name() == code).unwrap();
    assert!(at("pack-capability-unknown") < at("device-capability"));
    assert!(at("device-capability") < at("pack-item-id"));
}

/// Faults in pairs, each in the order in which upstream's rules come to them: what there is too little of, then shapes,
/// then edges, then what there is too much of.
#[test]
fn faults_come_in_the_order_of_the_rules() {
    use Profile::{Atmospheric as A, Shadows as S};
    let lifetime = ("/resources/0/lifetime", json!("FrameFlight"));
    let views = ("/sceneReplays/0/viewCount", json!(2));
    let no_curve = ("/atmospherePolicy/directionalShadowLightElevationResponse", json!([]));
    let no_setting = ("/settings/0/semantic", json!("Custom"));
    let no_variant = ("/pipelineVariants/0", json!("(remove)"));
    let base = ("/pipelineVariants/1/baseSemantic", json!("Terrain"));
    let reads = ("/passes/7/resourceReads", json!(["sun-rays", "bloom-a", "shafts"]));
    let custom = descriptor(S)["passes"][1].clone();
    let atmospheric = descriptor(A);
    let swapped =
        [("/passes/2", atmospheric["passes"][3].clone()), ("/passes/3", atmospheric["passes"][2].clone())];
    let horizon = ("/atmospherePolicy/directionalShadowLightElevationResponse/0/multiplier", json!(0.5));
    let shafts = ("/atmospherePolicy/volumetricShaftSunElevationResponse/0/elevationDegrees", json!(-90.5));
    let cases = [
        (S, vec![lifetime.clone(), no_setting.clone()], vec!["profile-missing", "profile-resource"]),
        (S, vec![views.clone(), no_curve.clone()], vec!["profile-curve", "profile-replay"]),
        (S, vec![views, lifetime.clone()], vec!["profile-resource", "profile-replay"]),
        (A, vec![lifetime.clone(), no_variant.clone()], vec!["profile-missing", "profile-resource"]),
        (A, vec![base.clone(), no_curve], vec!["profile-curve", "profile-variant"]),
        (A, vec![base.clone(), lifetime], vec!["profile-resource", "profile-variant"]),
        (A, vec![reads.clone(), base], vec!["profile-variant", "profile-edges"]),
        (A, swapped.into_iter().chain([reads.clone()]).collect(), vec!["profile-order", "profile-edges"]),
        (A, vec![("/passes/8", custom), reads], vec!["profile-edges", "profile-count"]),
        (A, vec![horizon, shafts], vec!["policy-curve", "policy-horizon"]),
        // Nothing wrote what the pass reads; that it writes it, too, comes behind.
        (
            Profile::NoOp,
            vec![
                (
                    "/resources",
                    json!([{ "id": "own", "kind": "Image2D", "format": "HdrColor",
                    "extent": { "mode": "RelativeToMainWorld", "width": 1, "height": 1, "layers": 1 }, "sizeBytes": 0,
                    "usage": ["Sampled", "ColorAttachment"], "lifetime": "ActivePack", "estimatedResidentBytes": 0,
                    "semantic": "Custom" }]),
                ),
                (
                    "/passes",
                    json!([{ "id": "loop", "hook": "ToneMap", "vertexShaderAsset": "a", "fragmentShaderAsset": "b",
                    "semanticInputs": [], "resourceReads": ["own"], "resourceWrites": ["own"], "semantic": "CustomFullscreen" }]),
                ),
            ],
            vec!["pass-read-early", "pass-read-write"],
        ),
    ];
    for (profile, edits, expected) in cases {
        let mut root = descriptor(profile);
        edits.iter().for_each(|(pointer, value)| edit(&mut root, pointer, value));
        for compat in [Compat::Contract, Compat::Upstream] {
            let report = check_pack_text(&root.to_string(), &Options { compat, ..Options::default() });
            let found: Vec<_> = codes(&report).into_iter().map(|c| c.0).collect();
            assert_eq!(found, expected, "{edits:?}");
        }
    }
}

/// A value of a wrong type hides what rules say of it, and nothing of its neighbours whose paths begin alike.
#[test]
fn broken_values_hide_no_others() {
    let mut root = descriptor(Profile::NoOp);
    let setting = |i: usize| {
        json!({ "id": format!("s{i}"), "displayName": "S", "kind": "Boolean", "defaultValue": "true", "minimum": null,
            "maximum": null, "step": null, "choices": [], "semantic": "Custom" })
    };
    root["settings"] = Value::Array((0..11).map(setting).collect());
    root["settings"][1] = json!(7);
    root["settings"][10]["displayName"] = json!("");
    root["pipelineVariants"] = json!([{ "id": "v", "baseSemantic": "EnvCell", "vertexShaderAsset": "a", "fragmentShaderAsset": "b",
        "compatibleMaterials": ["Opaque"], "semanticInputs": ["Nothing"], "semantic": 7 }]);
    let mut found = codes(&check_pack_text(&root.to_string(), &Options::default()));
    found.sort();
    let expected = [
        ("pack-wrong-type", "$.pipelineVariants[0].semantic"),
        ("pack-wrong-type", "$.settings[1]"),
        ("setting-display-name", "$.settings[10].displayName"),
        ("variant-input-unknown", "$.pipelineVariants[0].semanticInputs[0]"),
    ];
    assert_eq!(found, expected.map(|(code, path)| (code, path.to_owned())));
}

/// Columns count characters in a line of any length, and such a line is read in a moment, or the test never ends.
#[test]
fn columns_of_a_long_line() {
    for letters in [0, 1, 340, 341, 342, 1023, 1024, 1025, 5000] {
        let text = format!("\n{{\"id\":\"{}\",\"Id\":1}}", "\u{20ac}".repeat(letters));
        let report = check_pack_text(&text, &Options::default());
        let f = report.findings.iter().find(|f| f.path == "$.Id").unwrap();
        assert_eq!(f.position.map(|p| (p.line, p.column as usize)), Some((2, letters + 10)));
    }
    let text = format!("{{\"foliageExclusions\":[{}0]}}", "0,".repeat(1 << 20));
    assert!(!check_pack_text(&text, &Options::default()).accepted());
}

/// Memory of no bytes is not memory without bound.
#[test]
fn no_video_memory_is_none() {
    let device = |text: &str| Device::read(text).unwrap();
    assert_eq!(device("{ \"videoMemoryBytes\": 0 }").resident_bytes, 0);
    assert_eq!(device("{ \"videoMemoryBytes\": 80 }").transient_bytes, 10);
    assert_eq!(device("{}"), Device::conformance());
}

/// More findings than are kept are not passed over in silence.
#[test]
fn a_cut_list_says_so() {
    let mut root = descriptor(Profile::NoOp);
    let setting = json!({ "id": "0", "displayName": "S", "kind": "Boolean", "defaultValue": "true", "minimum": null,
        "maximum": null, "step": null, "choices": [], "semantic": "Custom" });
    let last_note = |n: usize, root: &mut Value| {
        root["settings"] = Value::Array(vec![setting.clone(); n]);
        let report = check_pack_text(&root.to_string(), &Options::default());
        report.findings.last().unwrap().notes.join("\n")
    };
    // An id that is none and, from the second on, stands twice; and that there are too many.
    assert!(!last_note(2048, &mut root).contains("are kept"));
    assert!(last_note(2049, &mut root).contains("only the first 4096 findings are kept"));
}

/// What stands at the edge of a rule is accepted.
#[test]
fn edges_are_inside() {
    let setting = |i: usize| {
        json!({ "id": format!("s{i}"), "displayName": "S", "kind": "Boolean", "defaultValue": " TRUE ", "minimum": null,
                "maximum": null, "step": null, "choices": [], "semantic": "Custom" })
    };
    let mut root = descriptor(Profile::NoOp);
    root["settings"] = Value::Array((0..64).map(setting).collect());
    root["id"] = json!(format!("a{}", "z".repeat(127)));
    root["qualityPresets"][0]["maxResidentGpuBytes"] = json!(256 << 20);
    let winds = ["Clear", "Overcast", "Rain", "Snow", "Storm"]
        .map(|k| json!({ "weatherKind": k, "mean": 0, "gust": 3 }));
    root["atmospherePolicy"] = json!({ "sunElevationResponse": [{ "elevationDegrees": -90, "multiplier": 7 },
            { "elevationDegrees": 90, "multiplier": 0 }], "activeDayGroupMultipliers": [],
        "foliageWindByWeather": Vec::from(winds) });
    assert_eq!(codes(&check_pack_text(&root.to_string(), &Options::default())), []);
    root["id"] = json!(format!("a{}", "z".repeat(128)));
    root["settings"].as_array_mut().unwrap().push(setting(64));
    let found = codes(&check_pack_text(&root.to_string(), &Options::default()));
    assert_eq!(found, [("pack-id", "$.id".to_owned()), ("setting-count", "$.settings".to_owned())]);
}

#[test]
fn places_are_lines_and_columns() {
    let text = "{\n  \"id\": \"a\",\n  \"id\": \"b\",\n  \"Id\": 1\n}";
    let report = check_pack_text(text, &Options::default());
    let at = |code: &str| {
        report.findings.iter().find(|f| f.code.name() == code).unwrap().position.map(|p| (p.line, p.column))
    };
    assert_eq!(at("pack-duplicate-key"), Some((3, 3)));
    assert_eq!(at("pack-unknown-field"), Some((4, 3)));
    let report = check_pack_text("{\n  \"id\": ,\n}", &Options::default());
    assert_eq!(report.findings[0].position.map(|p| p.line), Some(2));
    for text in ["", "[]", "{", "nul", "{\"a\":1}x", &"[".repeat(100_000)] {
        let report = check_pack_text(text, &Options::default());
        assert!(!report.accepted(), "{text:.20}");
    }
}

#[test]
fn upstream_asks_for_fullscreen_passes() {
    // The contract asks for no capability with FrameTime; upstream does.
    let mut root = descriptor(Profile::NoOp);
    root["pipelineVariants"] = json!([{ "id": "v", "baseSemantic": "EnvCell", "vertexShaderAsset": "a", "fragmentShaderAsset": "b",
        "compatibleMaterials": ["Opaque"], "semanticInputs": ["FrameTime"], "semantic": "Custom" }]);
    let check =
        |compat| codes(&check_pack_text(&root.to_string(), &Options { compat, ..Options::default() }));
    assert_eq!(check(Compat::Contract), []);
    assert_eq!(
        check(Compat::Upstream),
        [("pack-semantic-capability", "$.pipelineVariants[0].semanticInputs[0]".to_owned())]
    );
}

#[test]
fn devices_are_taken_into_account() {
    let device = Device::read(r#"{ "capabilities": ["FullscreenPasses"], "maxImageEdge": 1024 }"#).unwrap();
    let text = descriptor(Profile::Shadows).to_string();
    let report = check_pack_text(&text, &Options { device: Some(device), ..Options::default() });
    let names: Vec<_> = report.findings.iter().map(|f| f.code.name()).collect();
    assert_eq!(names.iter().filter(|n| **n == "device-capability").count(), 7);
    assert_eq!(names.iter().filter(|n| **n == "device-preset").count(), 1);
    assert!(Device::read(r#"{ "capabilites": [] }"#).is_err());
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Rounds; `PACK_MUTATIONS` asks for more (the issue's figure is 100,000).
#[test]
fn damaged_descriptors_are_checked_to_the_end() {
    let rounds = std::env::var("PACK_MUTATIONS").ok().and_then(|v| v.parse().ok()).unwrap_or(1_500);
    let seeds: Vec<Vec<u8>> =
        [Profile::NoOp, Profile::Shadows, Profile::Atmospheric].map(|p| files(p)["pack.json"].clone()).into();
    let words: [&[u8]; 9] =
        [b"null", b"[]", b"{}", b"-1", b"1e999", b"\"\"", b"true", b"9223372036854775808", b"\"Custom\""];
    let mut rng = Rng(0x5eed_0002);
    for round in 0..rounds {
        let mut text = seeds[round % seeds.len()].clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len());
            match rng.below(5) {
                0 => text[at] = rng.below(128) as u8,
                1 => text.truncate(at.max(1)),
                2 => {
                    // A whole value becomes another.
                    let colons: Vec<usize> =
                        text.iter().enumerate().filter(|(_, b)| **b == b':').map(|(i, _)| i).collect();
                    let Some(&colon) = colons.get(rng.below(colons.len())) else { continue };
                    let end = text[colon..]
                        .iter()
                        .position(|b| matches!(b, b',' | b'\n'))
                        .map_or(text.len(), |e| colon + e);
                    let word = words[rng.below(words.len())];
                    text.splice(colon + 1..end, word.iter().copied());
                }
                3 => {
                    let to = (at + rng.below(200)).min(text.len());
                    let piece = text[at..to].to_vec();
                    text.splice(at..at, piece);
                }
                _ => {
                    let to = (at + rng.below(40)).min(text.len());
                    text.drain(at..to);
                }
            }
            if text.is_empty() {
                text.push(b'{');
            }
        }
        let text = String::from_utf8_lossy(&text);
        let report =
            check_pack_text(&text, &Options { device: Some(Device::conformance()), ..Options::default() });
        assert!(report.findings.len() <= 8192, "round {round}");
    }
}
