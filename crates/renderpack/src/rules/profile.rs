//! The fixed executors' profiles: shadows only, and the full atmosphere.

use super::Check;
use super::header::names;
use super::resources::MOST_LAYERS;
use crate::descriptor::{
    CasterClass, ExecutionHint, ExtentMode, Hook, Lifetime, MaterialClass, Pass, PassSemantic, Policy,
    Resource, ResourceSemantic, SemanticInput, SettingSemantic, Tier, Usage,
};
use crate::finding::brief;
use crate::profiles::{
    ALL_CASTERS, ATMOSPHERIC_SETTINGS, PASSES, RESOURCES, ResourceShape, SHADOW_CAPABILITIES,
    SHADOW_SETTINGS, VARIANTS, flag_names,
};
use shaderport_diagnostics::codes::renderpack as codes;

/// Which executor a message speaks of.
#[derive(Clone, Copy)]
struct Executor(&'static str);

const SHADOWS: Executor = Executor("directional-shadow");
const ATMOSPHERE: Executor = Executor("atmospheric");

impl Check<'_> {
    pub(super) fn shadows_only(&mut self) {
        let d = self.d;
        let id = brief(&d.id);
        if d.highest_tier.known.is_some_and(|t| t < Tier::Tier2) {
            self.add(
                codes::PROFILE_TIER,
                "$.highestTier",
                format!("Pack '{id}' declares directional shadows below Tier2."),
            )
            .says("Tier2 or Tier2Plus", d.highest_tier.text.clone());
        }
        for c in SHADOW_CAPABILITIES {
            // Those that a semantic asks for were reported with the semantic.
            let by_semantic = d
                .passes
                .iter()
                .flat_map(|p| p.semantic_inputs.iter())
                .chain(d.pipeline_variants.iter().flat_map(|v| v.semantic_inputs.iter()))
                .filter_map(|n| self.options.abi.input(&n.text))
                .any(|i| i.capability == Some(c.name()));
            if !by_semantic && !d.required_capabilities.iter().any(|n| n.is(c)) {
                let message = format!(
                    "Pack '{id}' requests the directional-shadow executor but does not require capability '{}'.",
                    c.name()
                );
                self.add(codes::PROFILE_CAPABILITY, "$.requiredCapabilities", message)
                    .helps(format!("add \"{}\"", c.name()));
            }
        }
        let is_depth = |r: &&ResourceShape| r.semantic == ResourceSemantic::DirectionalShadowDepth;
        let depth = || RESOURCES.iter().filter(is_depth);
        self.graph_resources(SHADOWS, depth());
        self.surplus_resources(SHADOWS, depth());
        self.graph_replay(SHADOWS);
        self.graph_variants(SHADOWS);
        self.surplus_variants(SHADOWS);
        self.variant_shapes(SHADOWS);
        self.graph_settings(SHADOWS, &SHADOW_SETTINGS);
        let policy = d.atmosphere_policy.clone().unwrap_or_default();
        self.graph_curves(SHADOWS, &policy, false);
        let shadow_passes =
            d.passes.iter().enumerate().filter(|(_, p)| p.semantic.is(PassSemantic::DirectionalShadowDepth));
        for (i, p) in shadow_passes {
            self.pass_hook(i, p);
            self.pass_roles(SHADOWS, i, p);
        }
        self.resource_shapes(SHADOWS, depth());
        self.replay_shape(SHADOWS, true);
        self.custom_passes();
    }

    pub(super) fn atmospheric(&mut self) {
        let d = self.d;
        for shape in PASSES {
            if !d.passes.iter().any(|p| p.semantic.is(shape.semantic)) {
                self.lacks(ATMOSPHERE, "pass", "$.passes", shape.semantic.name());
            }
        }
        self.graph_resources(ATMOSPHERE, RESOURCES.iter());
        self.graph_replay(ATMOSPHERE);
        self.graph_variants(ATMOSPHERE);
        self.graph_settings(ATMOSPHERE, &ATMOSPHERIC_SETTINGS);
        match &d.atmosphere_policy {
            None => {
                let message = format!(
                    "Pack '{}' requests the atmospheric executor but declares no atmosphere policy.",
                    brief(&d.id)
                );
                self.add(codes::PROFILE_MISSING, "$.atmospherePolicy", message);
            }
            Some(policy) => self.graph_curves(ATMOSPHERE, policy, true),
        }
        // Shapes, then edges, then what there is too much of.
        self.resource_shapes(ATMOSPHERE, RESOURCES.iter());
        self.variant_shapes(ATMOSPHERE);
        self.replay_shape(ATMOSPHERE, false);
        for (i, p) in d.passes.iter().enumerate() {
            self.pass_hook(i, p);
        }
        self.pass_order();
        for (i, p) in d.passes.iter().enumerate() {
            self.pass_roles(ATMOSPHERE, i, p);
        }
        for (i, p) in
            d.passes.iter().enumerate().filter(|(_, p)| p.semantic.is(PassSemantic::CustomFullscreen))
        {
            let message = format!(
                "Pack '{}' adds custom pass '{}' to the fixed atmospheric graph.",
                brief(&d.id),
                brief(&p.id)
            );
            self.add(codes::PROFILE_COUNT, &format!("$.passes[{i}]"), message)
                .says("the eight passes of the graph", p.id.clone());
        }
        self.surplus_resources(ATMOSPHERE, RESOURCES.iter());
        self.surplus_variants(ATMOSPHERE);
    }

    fn lacks(&mut self, e: Executor, kind: &str, path: &str, semantic: &str) {
        let message = format!(
            "Pack '{}' requests the {} executor but does not declare required {kind} semantic '{semantic}'.",
            brief(&self.d.id),
            e.0
        );
        self.add(codes::PROFILE_MISSING, path, message);
    }

    fn graph_resources(&mut self, e: Executor, shapes: impl Iterator<Item = &'static ResourceShape>) {
        for shape in shapes {
            if !self.d.resources.iter().any(|r| r.semantic.is(shape.semantic)) {
                self.lacks(e, "resource", "$.resources", shape.semantic.name());
            }
        }
    }

    fn resource_shapes(&mut self, e: Executor, shapes: impl Iterator<Item = &'static ResourceShape>) {
        let d = self.d;
        for shape in shapes {
            if let Some(i) = d.resources.iter().position(|r| r.semantic.is(shape.semantic)) {
                self.graph_resource(e, i, &d.resources[i], shape);
                if shape.semantic == ResourceSemantic::DirectionalShadowDepth {
                    self.shadow_extent(i, &d.resources[i]);
                }
            }
        }
    }

    /// The declared extent of shadow maps, under the rule that presets' own extents have (decision D8): a host builds
    /// square maps of one to four cascades, and fails at any others.
    fn shadow_extent(&mut self, i: usize, r: &Resource) {
        let Some(e) = r.extent.as_ref().filter(|e| e.mode.is(ExtentMode::AbsolutePixels)) else { return };
        // What is no extent at all was reported as such.
        let sound = e.width > 0.0 && e.height > 0.0 && (1..=MOST_LAYERS).contains(&e.layers);
        if !sound || !self.options.hardened(codes::PRESET_RESOURCE_MODE) {
            return;
        }
        if e.width != e.height || e.layers > 4 {
            let message = format!(
                "Resource '{}' must be square with 1 to 4 layers to hold directional shadows.",
                brief(&r.id)
            );
            self.add(codes::PRESET_RESOURCE_MODE, &format!("$.resources[{i}].extent"), message)
                .says("a square of 1 to 4 layers", format!("{} x {} x {}", e.width, e.height, e.layers));
        }
    }

    fn surplus_resources(&mut self, e: Executor, shapes: impl Iterator<Item = &'static ResourceShape>) {
        let d = self.d;
        let wanted: Vec<_> = shapes.map(|s| s.semantic).collect();
        for (i, r) in d.resources.iter().enumerate() {
            let extra = match r.semantic.known {
                // The shadows-only profile has resources of its own passes beside the depth.
                Some(ResourceSemantic::Custom) => e.0 == ATMOSPHERE.0,
                Some(s) => !wanted.contains(&s),
                None => false,
            };
            if extra {
                let message =
                    format!("Resource '{}' does not belong to the fixed {} graph.", brief(&r.id), e.0);
                self.add(codes::PROFILE_COUNT, &format!("$.resources[{i}].semantic"), message);
            }
        }
    }

    fn graph_resource(&mut self, e: Executor, i: usize, r: &Resource, shape: &ResourceShape) {
        let mode = r.extent.as_ref().and_then(|e| e.mode.known);
        let known = r.kind.known.is_some()
            && r.format.known.is_some()
            && r.lifetime.known.is_some()
            && mode.is_some();
        let fits = [
            ("kind", r.kind.is(shape.kind)),
            ("format", r.format.is(shape.format)),
            ("extent.mode", mode == Some(shape.mode)),
            ("usage", r.usage.is_exactly(shape.usage)),
            ("lifetime", r.lifetime.is(Lifetime::ActivePack)),
        ];
        let Some((field, _)) =
            fits.iter().find(|(_, fits)| !fits).filter(|_| known && r.usage.unknown.is_empty())
        else {
            return;
        };
        // Reserved kinds and missing usages were reported for what they are.
        if r.usage.has(Usage::Storage) || r.usage.bits == 0 {
            return;
        }
        let message = format!(
            "Resource semantic '{}' does not match the fixed {} executor's kind, format, extent, usage, and lifetime contract.",
            shape.semantic.name(),
            e.0
        );
        let usage = |bits| flag_names(Usage::ALL, Usage::name, bits);
        let expected = format!(
            "{}, {}, {}, {}, ActivePack",
            shape.kind.name(),
            shape.format.name(),
            shape.mode.name(),
            usage(shape.usage)
        );
        let found = format!(
            "{}, {}, {}, {}, {}",
            r.kind.text,
            r.format.text,
            r.extent.as_ref().map_or("no extent", |e| &e.mode.text),
            usage(r.usage.bits),
            r.lifetime.text
        );
        self.add(codes::PROFILE_RESOURCE, &format!("$.resources[{i}].{field}"), message)
            .says(expected, found);
    }

    fn graph_replay(&mut self, e: Executor) {
        let d = self.d;
        if d.scene_replays.len() != 1 {
            let n = d.scene_replays.len();
            let message = format!(
                "Pack '{}' requests the {} executor but does not declare exactly one outdoor caster replay.",
                brief(&d.id),
                e.0
            );
            self.add(codes::PROFILE_COUNT, "$.sceneReplays", message).says("one", n.to_string());
        }
    }

    fn replay_shape(&mut self, e: Executor, four_views: bool) {
        let d = self.d;
        for (i, r) in d.scene_replays.iter().enumerate() {
            let path = format!("$.sceneReplays[{i}]");
            let message = format!(
                "Scene replay '{}' does not match the headline-caster contract of the {} executor.",
                brief(&r.id),
                e.0
            );
            let bits = r.caster_classes.bits;
            if bits != ALL_CASTERS && bits != 0 && r.caster_classes.unknown.is_empty() {
                let show = |b| flag_names(CasterClass::ALL, CasterClass::name, b);
                self.add(codes::PROFILE_REPLAY, &format!("{path}.casterClasses"), message.clone())
                    .says(show(ALL_CASTERS), show(bits));
            }
            if four_views && r.view_count != 4 && (1..=4).contains(&r.view_count) {
                self.add(codes::PROFILE_REPLAY, &format!("{path}.viewCount"), message)
                    .says("4", r.view_count.to_string());
            }
        }
    }

    /// Whether a preset asks for all cascades in one pass, which takes variants of its own.
    fn multiview(&self) -> bool {
        let hint = ExecutionHint::MultiviewDirectionalShadowCascades;
        self.d.quality_presets.iter().any(|p| p.execution_hints.has(hint))
    }

    fn graph_variants(&mut self, e: Executor) {
        let multiview = self.multiview();
        for shape in VARIANTS.iter().filter(|v| !v.multiview || multiview) {
            if !self.d.pipeline_variants.iter().any(|v| v.semantic.is(shape.semantic)) {
                self.lacks(e, "pipeline-variant", "$.pipelineVariants", shape.semantic.name());
            }
        }
    }

    fn variant_shapes(&mut self, e: Executor) {
        let d = self.d;
        let multiview = self.multiview();
        for shape in VARIANTS.iter().filter(|v| !v.multiview || multiview) {
            let Some(i) = d.pipeline_variants.iter().position(|v| v.semantic.is(shape.semantic)) else {
                continue;
            };
            let v = &d.pipeline_variants[i];
            let unknown = v.base_semantic.known.is_none()
                || !v.compatible_materials.unknown.is_empty()
                || v.compatible_materials.bits == 0
                || v.semantic_inputs.null
                || v.semantic_inputs.iter().any(|n| n.known.is_none());
            let inputs = v.semantic_inputs.iter().map(|n| n.known).eq(shape.inputs.iter().map(|s| Some(*s)));
            let fits = [
                ("baseSemantic", v.base_semantic.is(shape.base)),
                ("compatibleMaterials", v.compatible_materials.is_exactly(shape.materials)),
                ("semanticInputs", inputs),
            ];
            let Some((field, _)) = fits.iter().find(|(_, f)| !f).filter(|_| !unknown) else { continue };
            let message = format!(
                "Pipeline variant semantic '{}' does not match the fixed {} executor's base, material, and input contract.",
                shape.semantic.name(),
                e.0
            );
            let materials = |bits| flag_names(MaterialClass::ALL, MaterialClass::name, bits);
            let wanted: Vec<_> = shape.inputs.iter().map(|s| s.name()).collect();
            self.add(codes::PROFILE_VARIANT, &format!("$.pipelineVariants[{i}].{field}"), message).says(
                format!("{}; {}; {}", shape.base.name(), materials(shape.materials), wanted.join(", ")),
                format!(
                    "{}; {}; {}",
                    v.base_semantic.text,
                    materials(v.compatible_materials.bits),
                    names(&v.semantic_inputs)
                ),
            );
        }
    }

    fn surplus_variants(&mut self, e: Executor) {
        let d = self.d;
        let multiview = self.multiview();
        for (i, v) in d.pipeline_variants.iter().enumerate() {
            let Some(semantic) = v.semantic.known else { continue };
            let shape = VARIANTS.iter().find(|s| s.semantic == semantic);
            if shape.is_none_or(|s| s.multiview && !multiview) {
                let message = format!(
                    "Pipeline variant '{}' does not belong to the fixed {} graph.",
                    brief(&v.id),
                    e.0
                );
                let f = self.add(codes::PROFILE_COUNT, &format!("$.pipelineVariants[{i}].semantic"), message);
                if shape.is_some() {
                    f.notes("multiview casters belong to it only with the MultiviewDirectionalShadowCascades hint of a Low preset");
                }
            }
        }
    }

    fn graph_settings(&mut self, e: Executor, wanted: &[SettingSemantic]) {
        for s in wanted {
            if !self.d.settings.iter().any(|x| x.semantic.is(*s)) {
                self.lacks(e, "setting", "$.settings", s.name());
            }
        }
    }

    fn graph_curves(&mut self, e: Executor, policy: &Policy, shafts: bool) {
        let mut curves = vec![(
            "directional-shadow light-elevation",
            "directionalShadowLightElevationResponse",
            policy.directional_shadow_light_elevation_response.len(),
        )];
        if shafts {
            curves.push((
                "volumetric-shaft sun-elevation",
                "volumetricShaftSunElevationResponse",
                policy.volumetric_shaft_sun_elevation_response.len(),
            ));
        }
        for (name, key, n) in curves {
            if n < 2 {
                let message = format!(
                    "Pack '{}' requests the {} executor but its {name} response curve has fewer than two points.",
                    brief(&self.d.id),
                    e.0
                );
                self.add(codes::PROFILE_CURVE, &format!("$.atmospherePolicy.{key}"), message)
                    .says("two points or more", n.to_string());
            }
        }
    }

    /// The hook of one pass of the graph.
    fn pass_hook(&mut self, i: usize, p: &Pass) {
        let Some(shape) = PASSES.iter().find(|s| p.semantic.is(s.semantic)) else { return };
        let path = format!("$.passes[{i}]");
        let name = shape.semantic.name();
        if let Some(hook) = p.hook.known.filter(|h| *h != shape.hook) {
            let message = format!(
                "Pass semantic '{name}' must run at hook '{}', not '{}'.",
                shape.hook.name(),
                hook.name()
            );
            self.add(codes::PROFILE_HOOK, &format!("{path}.hook"), message)
                .says(shape.hook.name(), hook.name());
        }
    }

    /// The edges of one pass of the graph.
    fn pass_roles(&mut self, e: Executor, i: usize, p: &Pass) {
        let Some(shape) = PASSES.iter().find(|s| p.semantic.is(s.semantic)) else { return };
        let path = format!("$.passes[{i}]");
        let name = shape.semantic.name();
        let role = |id: &String| self.resources.get(id).and_then(|r| r.semantic.known);
        // Unknown resources were reported for what they are.
        let known = p.resource_reads.iter().chain(p.resource_writes.iter()).all(|id| role(id).is_some());
        let reads: Vec<_> = p.resource_reads.iter().filter_map(role).collect();
        let writes: Vec<_> = p.resource_writes.iter().filter_map(role).collect();
        let show = |list: &[ResourceSemantic]| {
            if list.is_empty() {
                "none".to_owned()
            } else {
                list.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ")
            }
        };
        if known && reads != shape.reads {
            let message = format!(
                "Pass semantic '{name}' declares resource reads that do not match its renderer-owned execution edges."
            );
            self.add(codes::PROFILE_EDGES, &format!("{path}.resourceReads"), message)
                .says(show(shape.reads), show(&reads));
        }
        let wanted: Vec<_> = shape.write.into_iter().collect();
        if known && writes != wanted && writes.len() <= 1 {
            let message = format!(
                "Pass semantic '{name}' declares resource writes that do not match its renderer-owned execution edges."
            );
            let f = self
                .add(codes::PROFILE_EDGES, &format!("{path}.resourceWrites"), message)
                .says(show(&wanted), show(&writes));
            f.notes(format!("the {} executor records into the resource of that role", e.0));
        }
    }

    fn pass_order(&mut self) {
        let place = |s: PassSemantic| PASSES.iter().position(|p| p.semantic == s);
        let order: Vec<_> = self
            .d
            .passes
            .iter()
            .enumerate()
            .filter_map(|(i, p)| Some((i, place(p.semantic.known?)?)))
            .collect();
        // A repeated role was reported as such, and one at another hook too.
        let at_hook = self
            .d
            .passes
            .iter()
            .all(|p| PASSES.iter().all(|s| !p.semantic.is(s.semantic) || p.hook.is(s.hook)));
        if let Some(pair) = order.windows(2).find(|w| w[0].1 > w[1].1).filter(|_| at_hook) {
            let message = format!(
                "Pack '{}' atmospheric pass order does not match the renderer-owned semantic execution order.",
                brief(&self.d.id)
            );
            let wanted: Vec<_> = PASSES.iter().map(|p| p.semantic.name()).collect();
            let found: Vec<_> = self.d.passes.iter().map(|p| p.semantic.text.as_str()).collect();
            self.add(codes::PROFILE_ORDER, &format!("$.passes[{}]", pair[1].0), message)
                .says(wanted.join(", "), found.join(", "));
        }
    }

    /// The custom passes of the shadows-only profile.
    fn custom_passes(&mut self) {
        let d = self.d;
        let target: Vec<_> = d
            .passes
            .iter()
            .filter(|p| {
                p.hook.is(Hook::ToneMap)
                    && p.resource_writes.is_empty()
                    && p.semantic.is(PassSemantic::CustomFullscreen)
            })
            .collect();
        let copies =
            target.len() == 1 && target[0].semantic_inputs.iter().any(|n| n.is(SemanticInput::WorldColor));
        if !copies {
            let message = format!(
                "Pack '{}' directional-shadow graph must declare exactly one custom WorldColor tone-map pass without resource writes.",
                brief(&d.id)
            );
            self.add(codes::PROFILE_CUSTOM, "$.passes", message).says(
                "one CustomFullscreen pass at ToneMap with WorldColor and no writes",
                match target.as_slice() {
                    [one] => format!("the pass '{}' with {}", one.id, names(&one.semantic_inputs)),
                    more => format!("{} passes at ToneMap without writes", more.len()),
                },
            );
        }
        for (i, p) in d.passes.iter().enumerate() {
            let unsupported = matches!(
                p.hook.known,
                Some(Hook::ShadowDepthBeforeWorld | Hook::AfterToneMapBeforePrivateViewports)
            );
            if p.semantic.is(PassSemantic::CustomFullscreen) && unsupported {
                let message = format!(
                    "Pack '{}' uses an unsupported custom pass hook in its directional-shadow graph.",
                    brief(&d.id)
                );
                self.add(codes::PROFILE_CUSTOM, &format!("$.passes[{i}].hook"), message)
                    .says("AtmosphereBeforeToneMap or ToneMap", p.hook.text.clone());
            }
        }
    }
}
