//! Rules 60 to 64: semantic roles, and which executor a pack asks for.

use super::Check;
use crate::descriptor::{
    Named, Names, PassSemantic, QualitySemantic, ResourceSemantic, SettingKind, SettingSemantic,
    VariantSemantic,
};
use crate::finding::brief;
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;
use std::hash::Hash;

impl Check<'_> {
    pub(super) fn roles(&mut self) {
        let d = self.d;
        let custom = "Custom";
        self.unique::<ResourceSemantic>(
            "resource",
            "resources",
            d.resources.iter().map(|x| &x.semantic),
            custom,
        );
        self.unique::<PassSemantic>(
            "pass",
            "passes",
            d.passes.iter().map(|x| &x.semantic),
            "CustomFullscreen",
        );
        let variants = d.pipeline_variants.iter().map(|x| &x.semantic);
        self.unique::<VariantSemantic>("pipeline-variant", "pipelineVariants", variants, custom);
        let presets = d.quality_presets.iter().map(|x| &x.semantic);
        self.unique::<QualitySemantic>("quality-preset", "qualityPresets", presets, custom);
        self.unique::<SettingSemantic>("setting", "settings", d.settings.iter().map(|x| &x.semantic), custom);
        self.automatic();
        let roles: Vec<_> = d
            .passes
            .iter()
            .filter_map(|p| p.semantic.known)
            .filter(|s| *s != PassSemantic::CustomFullscreen)
            .collect();
        if roles.is_empty() {
            return;
        }
        if roles.iter().all(|s| *s == PassSemantic::DirectionalShadowDepth) {
            self.shadows_only();
        } else {
            self.atmospheric();
        }
    }

    /// Rule 60.
    fn unique<'n, E: Copy + Eq + Hash + Names>(
        &mut self,
        kind: &str,
        key: &str,
        semantics: impl Iterator<Item = &'n Named<E>>,
        custom: &str,
    ) {
        let mut seen = HashSet::new();
        for (i, s) in semantics.enumerate() {
            let path = format!("$.{key}[{i}].semantic");
            match s.known {
                None => {
                    let message =
                        format!("Pack '{}' declares an unknown {kind} semantic.", brief(&self.d.id));
                    self.unknown::<E>(codes::SEMANTIC_UNKNOWN, &path, &s.text, message);
                }
                Some(e) => {
                    if s.text != custom && !seen.insert(e) {
                        let message = format!(
                            "Pack '{}' declares duplicate {kind} semantic '{}'.",
                            brief(&self.d.id),
                            s.text
                        );
                        self.add(codes::SEMANTIC_DUPLICATE, &path, message);
                    }
                }
            }
        }
    }

    /// Rules 61 and 62.
    fn automatic(&mut self) {
        let d = self.d;
        let mut wanted = None;
        for (i, s) in
            d.settings.iter().enumerate().filter(|(_, s)| s.semantic.is(SettingSemantic::AutomaticQuality))
        {
            wanted.get_or_insert(format!("$.settings[{i}].semantic"));
            if s.kind.known.is_some_and(|k| k != SettingKind::Boolean) {
                let message = format!(
                    "Setting '{}' has the AutomaticQuality semantic but is not Boolean.",
                    brief(&s.id)
                );
                self.add(codes::AUTOMATIC_KIND, &format!("$.settings[{i}].kind"), message)
                    .says("Boolean", s.kind.text.clone());
            }
        }
        if let Some(i) = d.quality_presets.iter().position(|p| p.semantic.is(QualitySemantic::Automatic)) {
            wanted.get_or_insert(format!("$.qualityPresets[{i}].semantic"));
        }
        let Some(path) = wanted else { return };
        for level in [QualitySemantic::Low, QualitySemantic::Medium, QualitySemantic::High] {
            if !d.quality_presets.iter().any(|p| p.semantic.is(level) && p.auto_eligible) {
                let message = format!(
                    "Pack '{}' declares Automatic quality but has no AutoEligible '{}' semantic preset.",
                    brief(&d.id),
                    level.name()
                );
                self.add(codes::AUTOMATIC_PRESETS, &path, message);
            }
        }
    }
}
