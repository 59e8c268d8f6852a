//! Rules 24 to 33: passes.

use super::Check;
use crate::descriptor::{FormatClass, Hook, Pass, SemanticInput, Usage};
use crate::finding::brief;
use crate::slots;
use shaderport_diagnostics::codes::renderpack as codes;
use std::collections::HashSet;

impl Check<'_> {
    pub(super) fn passes(&mut self) {
        let d = self.d;
        let mut written: HashSet<String> = HashSet::new();
        let mut latest: Option<Hook> = None;
        for (i, p) in d.passes.iter().enumerate() {
            let path = format!("$.passes[{i}]");
            let id = brief(&p.id);
            match p.hook.known {
                None => {
                    let message = format!("Pass '{id}' declares an unknown hook.");
                    self.unknown::<Hook>(
                        codes::PASS_HOOK_UNKNOWN,
                        &format!("{path}.hook"),
                        &p.hook.text,
                        message,
                    );
                }
                Some(hook) => {
                    if let Some(before) = latest.filter(|b| hook < *b) {
                        self.add(
                            codes::PASS_HOOK_ORDER,
                            &format!("{path}.hook"),
                            format!("Pass '{id}' moves backward in renderer hook order."),
                        )
                        .says(format!("{} or later", before.name()), hook.name());
                    }
                    latest = latest.max(Some(hook));
                }
            }
            self.assets(&path, &format!("Pass '{id}'"), [&p.vertex_shader_asset, &p.fragment_shader_asset]);
            let lists = [
                ("semanticInputs", p.semantic_inputs.null),
                ("resourceReads", p.resource_reads.null),
                ("resourceWrites", p.resource_writes.null),
            ];
            for (key, _) in lists.iter().filter(|(_, null)| *null) {
                self.add(
                    codes::NULL_LIST,
                    &format!("{path}.{key}"),
                    format!("Pass '{id}' has a null {key} list."),
                )
                .helps(format!("write `\"{key}\": []`"));
            }
            self.pass_inputs(p, &path);
            self.pass_duplicates(p, &path);
            self.pass_edges(p, &path, &written);
            written.extend(p.resource_writes.iter().map(|w| w.to_ascii_lowercase()));
        }
    }

    /// Rules 25 and 38.
    pub(super) fn assets(&mut self, path: &str, subject: &str, keys: [&String; 2]) {
        for (field, key) in ["vertexShaderAsset", "fragmentShaderAsset"].into_iter().zip(keys) {
            if !super::is_safe_asset_key(key) {
                self.add(
                    codes::ASSET_KEY,
                    &format!("{path}.{field}"),
                    format!("{subject} declares an unsafe shader asset key."),
                )
                .says("a relative path with forward slashes, inside the pack", key.clone());
            }
        }
    }

    fn pass_inputs(&mut self, p: &Pass, path: &str) {
        let mut seen = HashSet::new();
        for (k, n) in p.semantic_inputs.iter().enumerate() {
            let at = format!("{path}.semanticInputs[{k}]");
            if n.known.is_none() {
                let message = format!("Pass '{}' declares an unknown semantic input.", brief(&p.id));
                self.unknown::<SemanticInput>(codes::PASS_INPUT_UNKNOWN, &at, &n.text, message);
            } else if !seen.insert(&n.text) {
                self.add(
                    codes::PASS_INPUT_DUPLICATE,
                    &at,
                    format!("Pass '{}' declares a duplicate semantic input.", brief(&p.id)),
                )
                .says("each input once", n.text.clone());
            }
        }
    }

    fn pass_duplicates(&mut self, p: &Pass, path: &str) {
        for (key, list) in [("resourceReads", &p.resource_reads), ("resourceWrites", &p.resource_writes)] {
            let mut seen = HashSet::new();
            for (k, r) in list.iter().enumerate() {
                if !seen.insert(r.to_ascii_lowercase()) {
                    let message = format!("Pass '{}' declares a duplicate resource binding.", brief(&p.id));
                    self.add(codes::PASS_BINDING_DUPLICATE, &format!("{path}.{key}[{k}]"), message)
                        .says("each resource once", r.clone());
                }
            }
        }
        let mut distinct: Vec<String> = p.resource_writes.iter().map(|w| w.to_ascii_lowercase()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() > 1 {
            let n = p.resource_writes.len();
            let message = format!(
                "Pass '{}' writes {n} resources; render-pack API v1 supports one attachment per declared pass.",
                brief(&p.id)
            );
            self.add(codes::PASS_WRITES, &format!("{path}.resourceWrites"), message)
                .says("at most one", n.to_string());
        }
    }

    fn pass_edges(&mut self, p: &Pass, path: &str, written: &HashSet<String>) {
        let id = brief(&p.id);
        if let Some(hook) = p.hook.known.filter(|h| *h < Hook::ToneMap)
            && p.resource_writes.is_empty()
            && !p.resource_writes.null
        {
            self.add(
                codes::PASS_NO_OUTPUT,
                &format!("{path}.resourceWrites"),
                format!("Pass '{id}' has no declared output at hook '{}'.", hook.name()),
            )
            .says("one resource", "none");
        }
        for (k, read) in p.resource_reads.iter().enumerate() {
            let at = format!("{path}.resourceReads[{k}]");
            let key = read.to_ascii_lowercase();
            let Some(resource) = self.resources.get(read) else {
                self.add(
                    codes::PASS_READ_UNKNOWN,
                    &at,
                    format!("Pass '{id}' reads unknown resource '{read}'."),
                )
                .says("the id of a declared resource", read.clone());
                continue;
            };
            if !written.contains(&key) {
                self.add(
                    codes::PASS_READ_EARLY,
                    &at,
                    format!("Pass '{id}' reads resource '{read}' before it is written."),
                )
                .says("a resource that an earlier pass writes", read.clone());
            }
            if !resource.usage.has(Usage::Sampled) {
                self.add(
                    codes::PASS_READ_USAGE,
                    &at,
                    format!("Pass '{id}' samples non-sampled resource '{read}'."),
                )
                .helps(format!("add \"Sampled\" to the usage of '{}'", brief(&resource.id)));
            }
        }
        let reads: HashSet<String> = p.resource_reads.iter().map(|r| r.to_ascii_lowercase()).collect();
        for (k, write) in p.resource_writes.iter().enumerate() {
            let at = format!("{path}.resourceWrites[{k}]");
            let Some(resource) = self.resources.get(write) else {
                self.add(
                    codes::PASS_WRITE_UNKNOWN,
                    &at,
                    format!("Pass '{id}' writes unknown resource '{write}'."),
                )
                .says("the id of a declared resource", write.clone());
                continue;
            };
            if reads.contains(&write.to_ascii_lowercase()) {
                self.add(
                    codes::PASS_READ_WRITE,
                    &at,
                    format!("Pass '{id}' reads and writes resource '{write}'."),
                );
            }
            let usage = if resource.format.is(FormatClass::DirectionalDepth) {
                Usage::DepthAttachment
            } else {
                Usage::ColorAttachment
            };
            if !resource.usage.has(usage) {
                self.add(
                    codes::PASS_WRITE_USAGE,
                    &at,
                    format!("Pass '{id}' writes non-attachment resource '{write}'."),
                )
                .helps(format!(
                    "add \"{}\" to the usage of '{}'",
                    usage.name(),
                    brief(&resource.id)
                ));
            }
        }
        let sampled = slots::sampled_inputs(p, &self.resources).len();
        let most = self.options.abi.table.slots as usize;
        if sampled > most {
            let message = format!(
                "Pass '{id}' requires {sampled} sampled inputs; render-pack API v1 exposes at most four (TextureIndexA-D). DirectionalShadowMaps uses binding 6 and does not count."
            );
            self.add(codes::PASS_SLOTS, path, message).says(format!("at most {most}"), sampled.to_string());
        }
    }
}
