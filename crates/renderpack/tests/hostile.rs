//! Modules and descriptors that ask the checks for the square or the power of their size: each is done in a moment, or the test
//! never ends.

use serde_json::{Value, json};
use shaderport_renderpack::abi::{SEMANTIC_V1, Stage};
use shaderport_renderpack::descriptor::{self, Descriptor};
use shaderport_renderpack::host::budget::Planner;
use shaderport_renderpack::settings::{UserOverride, check_user_overrides, resolve};
use shaderport_renderpack::slots::{fused_inputs, sampled_inputs};
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{
    Access, ById, Compat, Device, Finding, Options, Shader, check_pack, check_pack_text, check_pair,
    check_shader,
};

/// A module of which `fill` writes the instructions behind the memory model.
fn module(fill: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<u8> {
    shaderport_asm::spirv_module(8_000_000, fill)
}

/// All checks, of both sets of rules; the number of findings.
fn check(bytes: &[u8], role: &str) -> usize {
    let mut all = 0;
    for compat in [Compat::Contract, Compat::Upstream] {
        let options = Options { compat, ..Options::default() };
        let shader = Shader::read(bytes, &options);
        let access = Access::parse(&SEMANTIC_V1, role).unwrap();
        for stage in [Stage::Vertex, Stage::Fragment] {
            all += check_shader(&shader, "f", stage, &access, &options).len();
        }
        all += check_pair(&shader, &shader, "f", &options).len();
    }
    all
}

const MAIN: [u32; 2] = [u32::from_le_bytes(*b"main"), 0];
const MANY: u32 = 60_000;

#[test]
fn structures_that_branch() {
    // Forty levels of structures, each with a hundred members of the one before, in a block that packs have.
    let bytes = module(|put| {
        put(&[&[15, 4, 3][..], &MAIN].concat());
        put(&[71, 200, 2]);
        for (kind, value) in [(34, 3), (33, 7)] {
            put(&[71, 300, kind, value]);
        }
        for m in 0..4 {
            put(&[72, 200, m, 35, 20 * m]);
        }
        put(&[22, 100, 32]);
        for level in 0..40 {
            put(&[&[30, 101 + level][..], &[100 + level; 100]].concat());
        }
        put(&[30, 200, 140, 140, 140, 140]);
        put(&[32, 201, 2, 200]);
        put(&[59, 201, 300, 2]);
    });
    assert!(check(&bytes, "SunRays") > 0);
}

#[test]
fn many_varyings_of_many_members() {
    let bytes = module(|put| {
        let listed: Vec<u32> = (0..MANY).map(|i| 1000 + i).collect();
        put(&[&[15, 4, 3][..], &MAIN, &listed].concat());
        (0..MANY).for_each(|i| put(&[71, 1000 + i, 30, i]));
        put(&[22, 4, 32]);
        put(&[&[30, 5][..], &[4; 60_000]].concat());
        put(&[32, 6, 1, 5]);
        put(&[32, 7, 3, 5]);
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, 1 + 2 * (i % 2)]));
    });
    assert!(check(&bytes, "SunRays") > 0);
}

#[test]
fn many_variables_at_one_binding() {
    let bytes = module(|put| {
        put(&[&[15, 0, 3][..], &MAIN].concat());
        for i in 0..MANY {
            put(&[71, 1000 + i, 34, i % 4]);
            put(&[71, 1000 + i, 33, i % 9]);
        }
        (0..MANY).for_each(|m| put(&[72, 5, m, 24]));
        put(&[71, 5, 2]);
        put(&[22, 4, 32]);
        put(&[&[30, 5][..], &[4; 60_000]].concat());
        put(&[32, 6, 12, 5]);
        put(&[32, 7, 2, 5]);
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, if i % 2 == 0 { 12 } else { 2 }]));
    });
    assert!(check(&bytes, "WorldDirectionalShadowReceiver") > 1000);
}

#[test]
fn many_missing_varyings() {
    let vertex = module(|put| {
        let listed: Vec<u32> = (0..MANY).map(|i| 1000 + i).collect();
        put(&[&[15, 4, 3][..], &MAIN, &listed].concat());
        (0..MANY).for_each(|i| put(&[71, 1000 + i, 30, i]));
        put(&[19, 1]);
        put(&[33, 2, 1]);
        put(&[22, 4, 32]);
        put(&[32, 6, 1, 4]);
        put(&[32, 7, 3, 4]);
        // Inputs at even locations, outputs at odd ones; every input is read.
        (0..MANY).for_each(|i| put(&[59, 6 + i % 2, 1000 + i, 1 + 2 * (i % 2)]));
        put(&[54, 1, 3, 0, 2]);
        put(&[248, 8]);
        (0..MANY / 2).for_each(|i| put(&[61, 4, 200_000 + i, 1000 + 2 * i]));
        put(&[253]);
        put(&[56]);
    });
    let options = Options::default();
    let shader = Shader::read(&vertex, &options);
    let found = check_pair(&shader, &shader, "f", &options);
    assert_eq!(found.len(), 4096, "more say nothing new");
    assert!(found.iter().all(|f| f.code.name() == "varying-missing"));
}

/// The descriptor of a new pack that casts shadows, edited.
fn edited(edit: impl Fn(&mut Value)) -> String {
    let files = new_pack(Profile::Shadows, "test.pack", &SEMANTIC_V1).unwrap();
    let mut root: Value = serde_json::from_slice(&files[0].bytes).unwrap();
    edit(&mut root);
    root.to_string()
}

fn resource(id: &str, edge: u32) -> Value {
    json!({
        "id": id, "kind": "Image2D", "format": "HdrColor", "semantic": "Custom", "lifetime": "ActivePack",
        "extent": { "mode": "AbsolutePixels", "width": edge, "height": edge, "layers": 1 },
        "sizeBytes": 0, "usage": ["Sampled", "ColorAttachment"], "estimatedResidentBytes": 0,
    })
}

fn push(list: &mut Value, items: impl IntoIterator<Item = Value>) {
    list.as_array_mut().unwrap().extend(items);
}

/// A device that supports edges of up to 4096 pixels.
fn device() -> Device {
    Device { max_image_edge: 4096, ..Device::conformance() }
}

/// What is found of a descriptor under both sets of rules on a device, the contract's first; and everything that a
/// host makes of it.
fn check_text(text: &str) -> [Vec<Finding>; 2] {
    let (document, _) = descriptor::read(text);
    let d: Descriptor = document.unwrap().descriptor;
    let preset = &d.quality_presets[0];
    assert!(Planner::new(&d).plan(preset, &device()).resident.len() >= 2);
    let user: Vec<_> = d
        .settings
        .iter()
        .map(|s| UserOverride { setting: s.id.to_uppercase(), value: "none".into() })
        .collect();
    assert_eq!(check_user_overrides(&d, &user).len(), d.settings.len());
    assert!(resolve(&d, preset, &user).len() <= 64);
    let resources = ById::new(&d.resources);
    for p in d.passes.iter() {
        assert!(fused_inputs(p, &resources).len() <= sampled_inputs(p, &resources).len().max(1));
    }
    [Compat::Contract, Compat::Upstream].map(|compat| {
        let options = Options { compat, device: Some(device()), ..Options::default() };
        check_pack_text(text, &options).findings
    })
}

fn count(findings: &[Finding], code: &str) -> usize {
    findings.iter().filter(|f| f.code.name() == code).count()
}

const SIZES: [usize; 2] = [20_000, 100_000];

#[test]
fn many_reads_and_writes_in_a_pass() {
    for n in SIZES {
        let text = edited(|root| {
            push(&mut root["resources"], (0..n / 10).map(|i| resource(&format!("r{i}"), 16)));
            let last = format!("R{}", n / 10 - 1);
            root["passes"][1]["resourceReads"] = vec![json!(last); n].into();
            root["passes"][1]["resourceWrites"] = vec![json!("r0"); n].into();
        });
        for found in check_text(&text) {
            assert_eq!(found.len(), 4096);
            assert_eq!(count(&found, "pass-binding-duplicate"), 4096);
            assert_eq!(found[0].path, "$.passes[1].resourceReads[1]");
        }
    }
}

#[test]
fn many_overrides_of_many_declarations() {
    for n in [9_000, 25_000] {
        let text = edited(|root| {
            push(&mut root["resources"], (0..n).map(|i| resource(&format!("r{i}"), 16)));
            let setting = |i| {
                json!({
                    "id": format!("s{i}"), "displayName": "S", "kind": "Integer", "defaultValue": "1",
                    "minimum": null, "maximum": null, "step": null, "choices": [], "semantic": "Custom",
                })
            };
            push(&mut root["settings"], (0..n).map(setting));
            let preset = &mut root["qualityPresets"][0];
            // Half of the overrides make a resource larger than the device's images, in the opposite order.
            let over = |i: usize| {
                let edge = 16 + 5000 * (i % 2);
                let extent = json!({ "mode": "AbsolutePixels", "width": edge, "height": edge, "layers": 1 });
                json!({
                    "resourceId": format!("R{}", n - 1 - i), "extent": extent,
                    "sizeBytes": 0, "estimatedResidentBytes": 0,
                })
            };
            preset["resourceOverrides"] = (0..n).map(over).collect();
            preset["settingOverrides"] =
                (0..n).map(|i| json!({ "settingId": format!("S{}", n - 1 - i), "value": "2" })).collect();
        });
        let [found, upstream] = check_text(&text);
        assert_eq!(found.len(), 4096);
        assert_eq!(count(&found, "device-preset"), count(&upstream, "device-preset"));
        let large: Vec<_> =
            found.iter().filter(|f| f.message.contains("an extent that the device")).collect();
        assert!(large.len() > 4000);
        // In the order of the resources, each at its override.
        assert_eq!(large[0].path, format!("$.qualityPresets[0].resourceOverrides[{}].extent", n - 1));
        assert_eq!(large[1].path, format!("$.qualityPresets[0].resourceOverrides[{}].extent", n - 3));
    }
}

#[test]
fn many_presets_with_many_resources_of_one_id() {
    for n in SIZES.map(|n| n / 5) {
        let text = edited(|root| {
            push(&mut root["resources"], (0..n).map(|_| resource("same", 5000)));
            let mut preset = root["qualityPresets"][0].clone();
            preset["semantic"] = json!("Custom");
            preset["resourceOverrides"] = json!([{
                "resourceId": "same", "sizeBytes": 0, "estimatedResidentBytes": 0,
                "extent": { "mode": "AbsolutePixels", "width": 8, "height": 8, "layers": 1 },
            }]);
            preset["id"] = json!("p");
            push(&mut root["qualityPresets"], vec![preset; n]);
        });
        for found in check_text(&text) {
            assert_eq!(count(&found, "pack-duplicate-id"), 4096);
        }
    }
}

#[test]
fn many_values_of_a_setting_of_many_choices() {
    for n in SIZES {
        let text = edited(|root| {
            let choices: Vec<String> = (0..n).map(|i| format!("{:06}", i + 1)).collect();
            push(
                &mut root["settings"],
                [json!({
                    "id": "s", "displayName": "S", "kind": "Choice", "defaultValue": "000001",
                    "minimum": null, "maximum": null, "step": null, "choices": choices, "semantic": "Custom",
                })],
            );
            let preset = json!({ "settingId": "s", "value": format!("{n:06}") });
            let mut all = vec![preset; n];
            all[0]["value"] = json!("000000");
            root["qualityPresets"][0]["settingOverrides"] = all.into();
        });
        for found in check_text(&text) {
            assert_eq!(count(&found, "preset-setting-value"), 1);
            assert_eq!(count(&found, "preset-setting-duplicate"), 4095);
        }
    }
}

/// A name of megabytes in each of many messages.
#[test]
fn many_messages_with_a_long_name() {
    let name = "n".repeat(4 << 20);
    let text = edited(|root| {
        root["id"] = json!(name);
        root["passes"][1]["id"] = json!(name);
        root["passes"][1]["resourceReads"] = vec![json!("none"); SIZES[1]].into();
        root["qualityPresets"][0]["id"] = json!(name);
        root["qualityPresets"][0]["settingOverrides"] =
            vec![json!({ "settingId": "none", "value": "1" }); SIZES[1] / 4].into();
    });
    for found in check_text(&text) {
        assert_eq!(found.len(), 4096);
        assert!(found.iter().all(|f| f.message.len() < 2010));
        let cut = &found.iter().find(|f| f.code.name() == "pass-binding-duplicate").unwrap().message;
        assert_eq!(*cut, format!("Pass '{}...", "n".repeat(1994)));
    }
}

/// An object of many keys ahead of what is wrong.
#[test]
fn many_unknown_fields_before_findings() {
    let text = edited(|root| root["passes"][1]["resourceReads"] = vec![json!("none"); SIZES[1]].into());
    let junk: String = (0..SIZES[1]).map(|i| format!("\"k{i}\":0,")).collect();
    let text = text.replacen('{', &format!("{{{junk}"), 1);
    for found in check_text(&text) {
        assert_eq!(count(&found, "pack-unknown-field"), 4096);
        assert_eq!(count(&found, "pass-binding-duplicate"), 4096);
    }
}

/// One large shader in many declarations is checked once for each way of using it.
#[test]
fn many_passes_with_one_large_shader() {
    let files = new_pack(Profile::Shadows, "test.pack", &SEMANTIC_V1).unwrap();
    for n in SIZES.map(|n| n / 10) {
        let text = edited(|root| {
            let pass = root["passes"][1].clone();
            push(&mut root["passes"], vec![pass; n]);
        });
        let mut opened = 0;
        let mut assets = |key: &str| {
            opened += 1;
            let file = files.iter().find(|f| f.path == key).unwrap();
            let mut bytes = file.bytes.clone();
            // Words of `OpNop` behind the last function.
            bytes.extend([0, 0, 1, 0].repeat(1 << 20));
            Ok(bytes)
        };
        let report = check_pack(&text, &mut assets, &Options::default());
        assert!(report.shaders.iter().any(|s| s.uses.len() == n + 1), "every use is reported");
        assert_eq!(opened, report.shaders.len());
    }
}
