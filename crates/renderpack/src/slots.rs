//! Texture slots A to D.
//!
//! Contract: "Logical semantic table", the paragraphs behind it, and "Shared push constants".

use crate::descriptor::{FormatClass, Pass, PassSemantic, Resource, ResourceSemantic, SemanticInput};
use crate::ids::ById;

/// The slot number of an input that the host does not supply.
pub const UNASSIGNED: u32 = u32::MAX;

/// What a texture slot holds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SampledInput {
    /// A sampled semantic.
    Semantic(SemanticInput),
    /// A resource that the pass reads, by the id as the pass writes it.
    Resource(String),
}

/// What a pass samples, in the order of slots: sampled semantics as declared, then reads as declared. Directional
/// depth takes no slot where `DirectionalShadowMaps` brings its own.
pub fn sampled_inputs(pass: &Pass, resources: &ById<'_, Resource>) -> Vec<SampledInput> {
    use SemanticInput as S;
    let inputs = || pass.semantic_inputs.iter().filter_map(|n| n.known);
    let maps = inputs().any(|i| i == S::DirectionalShadowMaps);
    let semantics = inputs()
        .filter(|i| matches!(i, S::WorldColor | S::SceneDepth | S::SceneNormals))
        .map(SampledInput::Semantic);
    let reads = pass.resource_reads.iter().filter(|id| {
        let depth = || resources.get(id).is_some_and(|r| r.format.is(FormatClass::DirectionalDepth));
        !(maps && depth())
    });
    semantics.chain(reads.map(|id| SampledInput::Resource(id.clone()))).collect()
}

/// What a pass samples in a preset with the `FusedAtmosphericPostProcess` hint, where two passes do the work of those
/// before them: the rays read scene depth in place of the mask, and the composite no bloom.
///
/// Contract: "PackPass - set 3, binding 7, 64 bytes", the table of the fused preset.
pub fn fused_inputs(pass: &Pass, resources: &ById<'_, Resource>) -> Vec<SampledInput> {
    if pass.semantic.is(PassSemantic::SunRays) {
        return vec![SampledInput::Semantic(SemanticInput::SceneDepth)];
    }
    let mut inputs = sampled_inputs(pass, resources);
    if pass.semantic.is(PassSemantic::FilmicComposite) {
        let bloom = |id: &str| resources.get(id).is_some_and(|r| r.semantic.is(ResourceSemantic::BloomPing));
        inputs.retain(|i| !matches!(i, SampledInput::Resource(id) if bloom(id)));
    }
    inputs
}

/// The four words of the push block that name textures: A, B, and the bits of C and D. Missing slots are
/// [`UNASSIGNED`].
pub fn slot_words(slots: &[u32]) -> Option<[u32; 4]> {
    if slots.len() > 4 {
        return None;
    }
    let mut words = [UNASSIGNED; 4];
    words[..slots.len()].copy_from_slice(slots);
    Some(words)
}
