//! What a host puts into slots and pass blocks, against the contract's tables.

use serde_json::{Value, json};
use shaderport_renderpack::ById;
use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::descriptor::{self, Descriptor, PassSemantic, SemanticInput};
use shaderport_renderpack::host::blocks::IDENTITY;
use shaderport_renderpack::host::celestial::project_sun;
use shaderport_renderpack::host::passes::{PassInputs, numbers};
use shaderport_renderpack::settings::{self, Source, UserOverride};
use shaderport_renderpack::slots::{SampledInput, UNASSIGNED, fused_inputs, sampled_inputs, slot_words};
use shaderport_renderpack::template::{Profile, new_pack};

fn edited(profile: Profile, edit: impl Fn(&mut Value)) -> Descriptor {
    let files = new_pack(profile, "test.pack", &SEMANTIC_V1).unwrap();
    let mut root: Value = serde_json::from_slice(&files[0].bytes).unwrap();
    edit(&mut root);
    let (document, findings) = descriptor::read(&root.to_string());
    assert!(findings.is_empty(), "{findings:?}");
    document.unwrap().descriptor
}

/// Sampled semantics first, then reads, both as declared; directional depth only where no semantic brings it.
#[test]
fn slots_follow_the_declaration() {
    let of = |inputs: Value, reads: Value| {
        let d = edited(Profile::Atmospheric, |root| {
            root["passes"][7]["semanticInputs"] = inputs.clone();
            root["passes"][7]["resourceReads"] = reads.clone();
        });
        sampled_inputs(&d.passes[7], &ById::new(&d.resources))
    };
    let semantic = |s| SampledInput::Semantic(s);
    let read = |id: &str| SampledInput::Resource(id.to_owned());
    use SemanticInput::{SceneDepth, WorldColor};
    assert_eq!(
        of(json!(["FrameTime", "SceneDepth", "Weather", "WorldColor"]), json!(["sun-rays", "bloom-a"])),
        [semantic(SceneDepth), semantic(WorldColor), read("sun-rays"), read("bloom-a")]
    );
    let depth = "shadow-depth";
    assert_eq!(
        of(json!(["WorldColor"]), json!([depth, "SHAFTS"])),
        [semantic(WorldColor), read(depth), read("SHAFTS")]
    );
    assert_eq!(
        of(json!(["DirectionalShadowMaps", "WorldColor"]), json!([depth, "shafts"])),
        [semantic(WorldColor), read("shafts")]
    );
    assert_eq!(of(json!([]), json!([])), []);
    assert_eq!(slot_words(&[7, 0, 9]), Some([7, 0, 9, UNASSIGNED]));
    assert_eq!(slot_words(&[]), Some([UNASSIGNED; 4]));
    assert_eq!(slot_words(&[1, 2, 3, 4]), Some([1, 2, 3, 4]));
    assert_eq!(slot_words(&[0; 5]), None);
}

/// The fused preset's rays read depth, its composite has no bloom, and every other pass is as it is.
#[test]
fn fused_passes_have_slots_of_their_own() {
    let d = edited(Profile::Atmospheric, |_| ());
    let of = |pass: usize| fused_inputs(&d.passes[pass], &ById::new(&d.resources));
    let read = |id: &str| SampledInput::Resource(id.to_owned());
    assert_eq!(of(2), [SampledInput::Semantic(SemanticInput::SceneDepth)]);
    assert_eq!(of(7), [SampledInput::Semantic(SemanticInput::WorldColor), read("sun-rays"), read("shafts")]);
    for pass in [0, 1, 3, 4, 5, 6] {
        assert_eq!(of(pass), sampled_inputs(&d.passes[pass], &ById::new(&d.resources)));
    }
}

/// Texel steps are those of the targets that a preset has on a main world.
#[test]
fn targets_have_the_presets_sizes() {
    let d = edited(Profile::Atmospheric, |root| {
        let extent = json!({ "mode": "RelativeToMainWorld", "width": 0.125, "height": 0.3, "layers": 1 });
        root["qualityPresets"][0]["resourceOverrides"] = json!([{ "resourceId": "BLOOM-A", "extent": extent,
            "sizeBytes": 0, "estimatedResidentBytes": 0 }]);
        root["resources"][3]["extent"] =
            json!({ "mode": "RelativeToMainWorld", "width": 0.25, "height": 0.5, "layers": 1 });
    });
    let of = |preset: usize| {
        let inputs = PassInputs::default().with_targets(&d, &d.quality_presets[preset], [1000, 101]);
        (inputs.mask, inputs.bloom_target)
    };
    assert_eq!(of(0), ([250.0, 51.0], [125.0, 31.0]));
    assert_eq!(of(1), ([250.0, 51.0], [500.0, 51.0]));
    let none = edited(Profile::NoOp, |_| ());
    let inputs = PassInputs::default().with_targets(&none, &none.quality_presets[0], [1000, 101]);
    assert_eq!(inputs, PassInputs::default());
}

/// Every pass of the table, with its own numbers, ordinary and fused.
#[test]
fn passes_have_their_numbers() {
    use PassSemantic as P;
    let inputs = PassInputs {
        bloom: 0.5,
        filmic: 0.75,
        exposure: 1.25,
        saturation: 1.5,
        contrast: 1.75,
        vignette: 0.25,
        shafts: 2.0,
        shaft_steps: 64.0,
        mask: [320.0, 200.0],
        bloom_target: [512.0, 256.0],
        fused: false,
    };
    let fused = PassInputs { fused: true, ..inputs };
    let z = [0.0f32; 4];
    let grade = [1.25, 1.5, 1.75, 0.25];
    let rays = [0.965, 0.24, 0.82, 48.0];
    let bloom = [0.5, 1.0, 0.73, 1.0];
    let shafts = [[0.035 * 2.0, 2.0, 64.0, 1.0], z, z, z];
    let table = [
        (P::CustomFullscreen, [z; 4], [z; 4]),
        (P::DirectionalShadowDepth, [z; 4], [z; 4]),
        (P::SunOcclusion, [z; 4], [z; 4]),
        (P::SunRays, [rays, z, z, z], [rays, [1.0, 320.0, 200.0, 0.0], z, z]),
        (P::VolumetricShafts, shafts, shafts),
        (P::BloomDownsample, [bloom, z, z, z], [bloom, z, z, z]),
        (
            P::BloomBlurHorizontal,
            [[1.0 / 512.0, 0.0, 0.0, 0.0], z, z, z],
            [[1.0 / 512.0, 0.0, 0.0, 0.0], z, z, z],
        ),
        (
            P::BloomBlurVertical,
            [[0.0, 1.0 / 256.0, 0.0, 0.0], z, z, z],
            [[0.0, 1.0 / 256.0, 0.0, 0.0], z, z, z],
        ),
        (
            P::FilmicComposite,
            [grade, [0.75, 1.0, 0.0, 0.0], z, z],
            [grade, [0.75, 1.0, 1.0, 0.0], bloom, [1.0 / 512.0, 1.0 / 256.0, 0.0, 0.0]],
        ),
    ];
    assert_eq!(table.map(|t| t.0).to_vec(), {
        let mut all = P::ALL.to_vec();
        all.sort_by_key(|p| table.iter().position(|t| t.0 == *p));
        all
    });
    for (pass, ordinary, joined) in table {
        assert_eq!(numbers(pass, &inputs).0, ordinary, "{pass:?}");
        assert_eq!(numbers(pass, &fused).0, joined, "{pass:?} fused");
    }
    let none = PassInputs { shafts: 0.0, ..inputs };
    assert_eq!(numbers(P::VolumetricShafts, &none).0[0][3], 0.0);
    assert_eq!(numbers(P::BloomDownsample, &none).0[0][3], 0.0);
    assert_eq!(numbers(P::FilmicComposite, &none).0[1][1], 0.0);
}

/// A user's value goes before the preset's, and that before the default; what is no value is zero.
#[test]
fn settings_are_resolved_in_order() {
    let d = edited(Profile::Atmospheric, |root| {
        root["qualityPresets"][0]["settingOverrides"] = json!([{ "settingId": "Exposure", "value": "1.5" }]);
    });
    let at = d.settings.iter().position(|s| s.id == "exposure").unwrap();
    let user = |v: &str| vec![UserOverride { setting: "EXPOSURE".into(), value: v.into() }];
    let of = |preset: usize, user: &[UserOverride]| {
        let all = settings::resolve(&d, &d.quality_presets[preset], user);
        let bytes = settings::block(&all);
        let word = f32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().unwrap());
        assert_eq!(word, all[at].value);
        assert!(bytes[4 * all.len()..].iter().all(|b| *b == 0), "the rest is zero");
        (all[at].source, word)
    };
    assert_eq!(of(0, &[]), (Source::Preset, 1.5));
    assert_eq!(of(1, &[]), (Source::Default, 1.0));
    assert_eq!(of(0, &user("0.75")), (Source::User, 0.75));
    assert_eq!(of(0, &user("bright")), (Source::User, 0.0));
}

#[test]
fn the_sun_is_projected() {
    // Looking along -z, w is the distance ahead.
    let mut m = IDENTITY;
    m[2] = [0.0, 0.0, -1.0, -1.0];
    m[3] = [0.0; 4];
    let eye = [3.0, 4.0, 0.0];
    let (uv, on) = project_sun(&m, [0.0; 3], [0.0, 0.0, -1.0]);
    assert_eq!((uv, on), ([0.5, 0.5], true));
    let (uv, on) = project_sun(&m, [0.0; 3], [0.5, 0.25, -1.0]);
    assert_eq!((uv, on), ([0.75, 0.375], true), "y points down");
    assert_eq!(project_sun(&m, eye, [0.0, 0.0, 1.0]), ([-1.0; 2], false), "behind");
    assert_eq!(project_sun(&m, eye, [2.0, 0.0, -1.0]), ([-1.0; 2], false), "beside");
}
