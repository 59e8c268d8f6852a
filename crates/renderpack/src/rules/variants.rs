//! Rules 34 to 40: scene replays and pipeline variants.

use super::Check;
use crate::descriptor::{BaseSemantic, CasterClass, MaterialClass, ReplaySemantic, SemanticInput};
use crate::finding::brief;
use shaderport_diagnostics::codes::renderpack as codes;

impl Check<'_> {
    pub(super) fn replays(&mut self) {
        for (i, r) in self.d.scene_replays.iter().enumerate() {
            let path = format!("$.sceneReplays[{i}]");
            let id = brief(&r.id);
            if r.semantic.known.is_none() {
                let message = format!("Scene replay '{id}' declares an unknown semantic.");
                self.unknown::<ReplaySemantic>(
                    codes::REPLAY_NAME,
                    &format!("{path}.semantic"),
                    &r.semantic.text,
                    message,
                );
            }
            let message = format!("Scene replay '{id}' declares an unknown caster class.");
            self.flags::<CasterClass>(
                codes::REPLAY_NAME,
                &format!("{path}.casterClasses"),
                &r.caster_classes,
                &message,
            );
            if !(1..=4).contains(&r.view_count) {
                self.add(
                    codes::REPLAY_VIEWS,
                    &format!("{path}.viewCount"),
                    format!("Scene replay '{id}' must request 1..4 views."),
                )
                .says("1 to 4", r.view_count.to_string());
            }
            if r.caster_classes.bits == 0 && r.caster_classes.unknown.is_empty() {
                self.add(
                    codes::REPLAY_CASTERS,
                    &format!("{path}.casterClasses"),
                    format!("Scene replay '{id}' declares no caster classes."),
                );
            }
        }
    }

    pub(super) fn variants(&mut self) {
        for (i, v) in self.d.pipeline_variants.iter().enumerate() {
            let path = format!("$.pipelineVariants[{i}]");
            let id = brief(&v.id);
            if v.base_semantic.known.is_none() {
                let message = format!("Pipeline variant '{id}' declares an unknown base semantic.");
                self.unknown::<BaseSemantic>(
                    codes::VARIANT_NAME,
                    &format!("{path}.baseSemantic"),
                    &v.base_semantic.text,
                    message,
                );
            }
            let message = format!("Pipeline variant '{id}' declares an unknown material class.");
            let materials = format!("{path}.compatibleMaterials");
            self.flags::<MaterialClass>(codes::VARIANT_NAME, &materials, &v.compatible_materials, &message);
            self.assets(
                &path,
                &format!("Pipeline variant '{id}'"),
                [&v.vertex_shader_asset, &v.fragment_shader_asset],
            );
            if v.compatible_materials.bits == 0 && v.compatible_materials.unknown.is_empty() {
                self.add(
                    codes::VARIANT_MATERIALS,
                    &materials,
                    format!("Pipeline variant '{id}' declares no compatible materials."),
                );
            }
            let inputs = format!("{path}.semanticInputs");
            if v.semantic_inputs.null {
                self.add(
                    codes::NULL_LIST,
                    &inputs,
                    format!("Pipeline variant '{id}' has a null semanticInputs list."),
                )
                .helps("write `\"semanticInputs\": []`");
            }
            for (k, n) in v.semantic_inputs.iter().enumerate().filter(|(_, n)| n.known.is_none()) {
                let message = format!("Pipeline variant '{id}' declares an unknown semantic input.");
                self.unknown::<SemanticInput>(
                    codes::VARIANT_INPUT_UNKNOWN,
                    &format!("{inputs}[{k}]"),
                    &n.text,
                    message,
                );
            }
        }
    }
}
