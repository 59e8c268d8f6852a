//! Rules 1 to 13: header, capabilities of semantics, ids.

use super::{Check, is_stable_id};
use crate::descriptor::{Capability, Named, PassSemantic, SemanticInput, Tier};
use crate::finding::{brief, joined};
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;

/// API versions that the checker knows.
pub(crate) const API: std::ops::RangeInclusive<i64> = 1..=1;

impl Check<'_> {
    pub(super) fn header(&mut self) {
        let d = self.d;
        let id = brief(&d.id);
        if !is_stable_id(id) {
            self.add(codes::PACK_ID, "$.id", "The pack id must be a stable lowercase logical id.")
                .says("a lowercase letter, then up to 127 of a-z, 0-9, `.`, `_`, `-`", id);
        }
        if d.display_name.trim().is_empty() {
            self.add(codes::PACK_DISPLAY_NAME, "$.displayName", format!("Pack '{id}' has no display name."));
        }
        if d.feature_summary.trim().is_empty() {
            self.add(codes::PACK_SUMMARY, "$.featureSummary", format!("Pack '{id}' has no feature summary."));
        }
        if !is_version(&d.pack_version) {
            self.add(codes::PACK_VERSION, "$.packVersion", format!("Pack '{id}' has no version."))
                .says("two to four whole numbers with dots between them", d.pack_version.clone());
        }
        if !API.contains(&d.pack_api_version) {
            let (a, b, n) = (API.start(), API.end(), d.pack_api_version);
            self.add(
                codes::PACK_API,
                "$.packApiVersion",
                format!("Pack '{id}' requires render-pack API {n}; this SDK supports {a}..{b}."),
            )
            .says(format!("{a} to {b}"), n.to_string());
        }
        if d.highest_tier.known.is_none() {
            let text = d.highest_tier.text.clone();
            self.unknown::<Tier>(
                codes::PACK_TIER,
                "$.highestTier",
                &text,
                format!("Pack '{id}' declares an unknown tier."),
            );
        }
        let lists = [
            ("required-capability", "requiredCapabilities", d.required_capabilities.null),
            ("optional-capability", "optionalCapabilities", d.optional_capabilities.null),
            ("resource", "resources", d.resources.null),
            ("pass", "passes", d.passes.null),
            ("scene-replay", "sceneReplays", d.scene_replays.null),
            ("pipeline-variant", "pipelineVariants", d.pipeline_variants.null),
            ("quality-preset", "qualityPresets", d.quality_presets.null),
            ("setting", "settings", d.settings.null),
        ];
        for (kind, key, null) in lists {
            if null {
                self.add(
                    codes::NULL_LIST,
                    &format!("$.{key}"),
                    format!("Pack '{id}' has a null {kind} declaration list."),
                )
                .helps(format!("write `\"{key}\": []`"));
            }
        }
        for (key, list) in [
            ("requiredCapabilities", &d.required_capabilities),
            ("optionalCapabilities", &d.optional_capabilities),
        ] {
            for (i, c) in list.iter().enumerate().filter(|(_, c)| c.known.is_none()) {
                let message = format!("Pack '{id}' declares an unknown capability.");
                self.unknown::<Capability>(
                    codes::CAPABILITY_UNKNOWN,
                    &format!("$.{key}[{i}]"),
                    &c.text,
                    message,
                );
            }
        }
    }

    /// Rules 10 and 11.
    pub(super) fn semantic_capabilities(&mut self) {
        let d = self.d;
        for (i, p) in d.passes.iter().enumerate() {
            if !p.semantic.is(PassSemantic::DirectionalShadowDepth) {
                continue;
            }
            let has = |s| p.semantic_inputs.iter().any(|n| n.is(s));
            if !has(SemanticInput::SelectedCelestialDirectionalLight) || has(SemanticInput::SunDirection) {
                let message = format!(
                    "Directional-shadow pass '{}' must declare 'SelectedCelestialDirectionalLight' and must not alias the sun-specific atmospheric direction.",
                    brief(&p.id)
                );
                let found = names(&p.semantic_inputs);
                self.add(codes::SHADOW_LIGHT, &format!("$.passes[{i}].semanticInputs"), message)
                    .says("SelectedCelestialDirectionalLight, and no SunDirection", found);
            }
        }
        let passes = d.passes.iter().enumerate().map(|(i, p)| (format!("$.passes[{i}]"), &p.semantic_inputs));
        let variants = d
            .pipeline_variants
            .iter()
            .enumerate()
            .map(|(i, v)| (format!("$.pipelineVariants[{i}]"), &v.semantic_inputs));
        let mut seen = HashSet::new();
        for (path, inputs) in passes.chain(variants) {
            for (k, named) in inputs.iter().enumerate() {
                let Some(input) = named.known.filter(|i| seen.insert(*i)) else { continue };
                let Some(row) = self.options.abi.input(input.name()) else { continue };
                let upstream = row.upstream_capability.filter(|_| self.upstream());
                let Some(capability) = row.capability.or(upstream) else { continue };
                if d.required_capabilities.iter().any(|c| c.text == capability) {
                    continue;
                }
                let message = format!(
                    "Pack '{}' declares semantic '{}' but does not require capability '{capability}'.",
                    brief(&d.id),
                    input.name()
                );
                self.add(codes::SEMANTIC_CAPABILITY, &format!("{path}.semanticInputs[{k}]"), message)
                    .says(format!("{capability} among requiredCapabilities"), names(&d.required_capabilities))
                    .helps(format!("add \"{capability}\" to requiredCapabilities"));
            }
        }
    }

    /// Rules 12 and 13.
    pub(super) fn ids(&mut self) {
        let d = self.d;
        let kinds: [(&str, &str, Vec<&str>); 6] = [
            ("resource", "resources", d.resources.iter().map(|x| x.id.as_str()).collect()),
            ("pass", "passes", d.passes.iter().map(|x| x.id.as_str()).collect()),
            ("scene-replay", "sceneReplays", d.scene_replays.iter().map(|x| x.id.as_str()).collect()),
            (
                "pipeline-variant",
                "pipelineVariants",
                d.pipeline_variants.iter().map(|x| x.id.as_str()).collect(),
            ),
            ("quality-preset", "qualityPresets", d.quality_presets.iter().map(|x| x.id.as_str()).collect()),
            ("setting", "settings", d.settings.iter().map(|x| x.id.as_str()).collect()),
        ];
        for (kind, key, ids) in kinds {
            let mut seen = HashSet::new();
            for (i, item) in ids.into_iter().enumerate() {
                let path = format!("$.{key}[{i}].id");
                if !is_stable_id(item) {
                    self.add(
                        codes::ITEM_ID,
                        &path,
                        format!("Pack '{}' has an invalid {kind} id.", brief(&d.id)),
                    )
                    .says("a lowercase letter, then up to 127 of a-z, 0-9, `.`, `_`, `-`", item);
                }
                if !seen.insert(item.to_ascii_lowercase()) {
                    self.add(
                        codes::ITEM_DUPLICATE,
                        &path,
                        format!("Pack '{}' declares duplicate {kind} id '{item}'.", brief(&d.id)),
                    );
                }
            }
        }
    }
}

/// Names in a row, for messages.
pub(super) fn names<E>(list: &[Named<E>]) -> String {
    if list.is_empty() {
        return "none".into();
    }
    joined(list.iter().map(|n| n.text.as_str()))
}

/// Two to four whole numbers of 31 bits.
fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let number =
        |p: &&str| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()) && p.parse::<i32>().is_ok();
    (2..=4).contains(&parts.len()) && parts.iter().all(number)
}
