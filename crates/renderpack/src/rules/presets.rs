//! Rules 49 to 59 and decisions D7 and D8: quality presets.

use super::settings::range_text;
use super::{Check, resources::RESIDENT_CEILING, show};
use crate::descriptor::{
    Capability, ExecutionHint, ExtentMode, FormatClass, MILLISECONDS, PassSemantic, Preset, QualitySemantic,
    SettingKind,
};
use crate::finding::brief;
use crate::settings::{Invalid, encode};
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::{HashMap, HashSet};

/// The passes that the fused hint replaces.
const FUSED: [PassSemantic; 6] = [
    PassSemantic::SunOcclusion,
    PassSemantic::SunRays,
    PassSemantic::BloomDownsample,
    PassSemantic::BloomBlurHorizontal,
    PassSemantic::BloomBlurVertical,
    PassSemantic::FilmicComposite,
];

impl Check<'_> {
    pub(super) fn presets(&mut self) {
        let d = self.d;
        if d.quality_presets.is_empty() && !d.quality_presets.null {
            self.add(
                codes::PRESET_NONE,
                "$.qualityPresets",
                format!("Pack '{}' declares no quality preset.", brief(&d.id)),
            );
        }
        let mut passes: HashMap<PassSemantic, usize> = HashMap::new();
        for semantic in d.passes.iter().filter_map(|p| p.semantic.known) {
            *passes.entry(semantic).or_default() += 1;
        }
        for (i, p) in d.quality_presets.iter().enumerate() {
            let path = format!("$.qualityPresets[{i}]");
            self.preset(p, &path, &passes);
            self.preset_resources(p, &path);
            self.preset_settings(p, &path);
        }
    }

    fn preset(&mut self, p: &Preset, path: &str, passes: &HashMap<PassSemantic, usize>) {
        let id = brief(&p.id);
        if p.display_name.trim().is_empty() {
            self.add(
                codes::PRESET_DISPLAY_NAME,
                &format!("{path}.displayName"),
                format!("Quality preset '{id}' has no display name."),
            );
        }
        let lists = [
            ("requiredCapabilities", p.required_capabilities.null),
            ("resourceOverrides", p.resource_overrides.null),
            ("settingOverrides", p.setting_overrides.null),
        ];
        for (key, _) in lists.iter().filter(|(_, null)| *null) {
            self.add(
                codes::NULL_LIST,
                &format!("{path}.{key}"),
                format!("Quality preset '{id}' has a null {key} list."),
            )
            .helps(format!("write `\"{key}\": []`"));
        }
        for (k, c) in p.required_capabilities.iter().enumerate().filter(|(_, c)| c.known.is_none()) {
            let message = format!("Quality preset '{id}' declares an unknown capability.");
            self.unknown::<Capability>(
                codes::PRESET_CAPABILITY,
                &format!("{path}.requiredCapabilities[{k}]"),
                &c.text,
                message,
            );
        }
        let hints = format!("{path}.executionHints");
        let message = format!("Quality preset '{id}' declares an unknown execution hint.");
        self.flags::<ExecutionHint>(codes::PRESET_HINT, &hints, &p.execution_hints, &message);
        let low = p.semantic.is(QualitySemantic::Low);
        let count = |s| passes.get(&s).copied().unwrap_or(0);
        if p.execution_hints.has(ExecutionHint::MultiviewDirectionalShadowCascades) {
            let requires =
                p.required_capabilities.iter().any(|c| c.is(Capability::MultiviewDirectionalShadowCascades));
            if !low || !requires {
                self.add(
                    codes::PRESET_MULTIVIEW,
                    &hints,
                    format!("Quality preset '{id}' requests multiview directional-shadow cascades outside a Low preset that requires the capability."),
                )
                .says("semantic Low, and MultiviewDirectionalShadowCascades among requiredCapabilities", p.semantic.text.clone());
            } else if count(PassSemantic::DirectionalShadowDepth) != 1 {
                self.add(
                    codes::PRESET_MULTIVIEW,
                    &hints,
                    format!("Quality preset '{id}' requests multiview directional-shadow cascades without the directional-shadow graph."),
                )
                .says("one DirectionalShadowDepth pass", count(PassSemantic::DirectionalShadowDepth).to_string());
            }
        }
        if p.execution_hints.has(ExecutionHint::FusedAtmosphericPostProcess) {
            let lacking: Vec<_> = FUSED.iter().filter(|s| count(**s) != 1).map(|s| s.name()).collect();
            if !low || !lacking.is_empty() {
                let found = if low {
                    format!("not exactly one of {}", lacking.join(", "))
                } else {
                    p.semantic.text.clone()
                };
                self.add(
                    codes::PRESET_FUSED,
                    &hints,
                    format!("Quality preset '{id}' requests the fused atmospheric post process outside a Low preset of the full post-processing graph."),
                )
                .says("semantic Low, and one pass of each post-processing semantic", found);
            }
        }
        let bytes = p.max_resident_gpu_bytes;
        if !(0..=RESIDENT_CEILING).contains(&bytes) {
            self.add(
                codes::PRESET_RESIDENT,
                &format!("{path}.maxResidentGpuBytes"),
                format!("Quality preset '{id}' has an invalid resident budget."),
            )
            .says(format!("0 to {RESIDENT_CEILING}"), bytes.to_string());
        }
        let mut sound = true;
        for (key, v) in MILLISECONDS.into_iter().zip(p.milliseconds) {
            if !(v.is_finite() && v >= 0.0) {
                sound = false;
                self.add(
                    codes::PRESET_BUDGET,
                    &format!("{path}.{key}"),
                    format!("Quality preset '{id}' has an invalid time budget."),
                )
                .says("a finite number, 0 or more", show(v));
            }
        }
        for k in [0, 2] {
            let (p50, p99) = (p.milliseconds[k], p.milliseconds[k + 1]);
            if sound && p50 > p99 {
                self.add(
                    codes::PRESET_BUDGET,
                    &format!("{path}.{}", MILLISECONDS[k]),
                    format!("Quality preset '{id}' has an invalid time budget."),
                )
                .says(format!("at most its P99, {}", show(p99)), show(p50));
            }
        }
    }

    fn preset_resources(&mut self, p: &Preset, path: &str) {
        let id = brief(&p.id);
        let mut seen = HashSet::new();
        for (k, o) in p.resource_overrides.iter().enumerate() {
            let at = format!("{path}.resourceOverrides[{k}]");
            let resource = self.resources.get(&o.resource_id);
            if resource.is_none() {
                self.add(
                    codes::PRESET_RESOURCE_UNKNOWN,
                    &format!("{at}.resourceId"),
                    format!("Quality preset '{id}' overrides unknown resource '{}'.", o.resource_id),
                );
            }
            for (field, bytes) in
                [("sizeBytes", o.size_bytes), ("estimatedResidentBytes", o.estimated_resident_bytes)]
            {
                if bytes < 0 {
                    let message = format!(
                        "Quality preset '{id}' overrides resource '{}' with negative bytes.",
                        o.resource_id
                    );
                    self.add(codes::PRESET_RESOURCE_BYTES, &format!("{at}.{field}"), message)
                        .says("0 or more", bytes.to_string());
                }
            }
            let before = self.findings.len();
            if let Some(e) = &o.extent {
                let subject = format!("esource '{}'", o.resource_id);
                self.extent(e, &format!("{at}.extent"), &subject, Some(codes::PRESET_RESOURCE_EXTENT));
            }
            if !seen.insert(o.resource_id.to_ascii_lowercase())
                && self.options.hardened(codes::PRESET_RESOURCE_DUPLICATE)
            {
                self.add(
                    codes::PRESET_RESOURCE_DUPLICATE,
                    &format!("{at}.resourceId"),
                    format!("Quality preset '{id}' overrides resource '{}' more than once.", o.resource_id),
                );
            }
            let (Some(resource), Some(e)) = (resource, &o.extent) else { continue };
            if self.findings.len() > before || !self.options.hardened(codes::PRESET_RESOURCE_MODE) {
                continue;
            }
            let own = resource.extent.as_ref().and_then(|e| e.mode.known);
            if own.is_some() && e.mode.known != own {
                let message =
                    format!("Quality preset '{id}' changes the extent mode of resource '{}'.", o.resource_id);
                self.add(codes::PRESET_RESOURCE_MODE, &format!("{at}.extent.mode"), message)
                    .says(own.map_or("", ExtentMode::name), e.mode.text.clone());
            } else if resource.format.is(FormatClass::DirectionalDepth)
                && (e.width != e.height || e.layers > 4)
            {
                let message = format!(
                    "Quality preset '{id}' gives the directional depth '{}' an extent that the executor cannot use.",
                    o.resource_id
                );
                self.add(codes::PRESET_RESOURCE_MODE, &format!("{at}.extent"), message).says(
                    "a square of 1 to 4 layers",
                    format!("{} x {} x {}", show(e.width), show(e.height), e.layers),
                );
            }
        }
    }

    fn preset_settings(&mut self, p: &Preset, path: &str) {
        let id = brief(&p.id);
        let mut seen = HashSet::new();
        for (k, o) in p.setting_overrides.iter().enumerate() {
            let at = format!("{path}.settingOverrides[{k}]");
            let Some(setting) = self.settings.get(&o.setting_id) else {
                self.add(
                    codes::PRESET_SETTING_UNKNOWN,
                    &format!("{at}.settingId"),
                    format!("Quality preset '{id}' overrides unknown setting '{}'.", o.setting_id),
                );
                continue;
            };
            if !seen.insert(o.setting_id.to_ascii_lowercase()) {
                self.add(
                    codes::PRESET_SETTING_DUPLICATE,
                    &format!("{at}.settingId"),
                    format!("Quality preset '{id}' overrides setting '{}' more than once.", o.setting_id),
                );
            }
            if setting.kind.known.is_none() {
                continue;
            }
            let value = if setting.kind.is(SettingKind::Choice) {
                let known = self.choices.contains(&(setting.id.as_str(), o.value.as_str()));
                if known { Ok(()) } else { Err(Invalid::Choice) }
            } else {
                encode(setting, &o.value).map(drop)
            };
            if let Err(why) = value {
                let message = format!(
                    "Quality preset '{id}' supplies an invalid value for setting '{}'.",
                    o.setting_id
                );
                self.add(codes::PRESET_SETTING_VALUE, &format!("{at}.value"), message)
                    .says(range_text(setting), o.value.clone())
                    .notes(why.to_string());
            }
        }
    }
}
