//! New packs that check clean.

use crate::abi::{Abi, Format, print};
use crate::descriptor::Descriptor;
use crate::rules::{is_safe_asset_key, is_stable_id};
use std::collections::HashSet;

/// What a new pack starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Nothing: one preset.
    NoOp,
    /// Directional shadows and a copy of the world.
    Shadows,
    /// The full atmospheric graph.
    Atmospheric,
}

/// A file of a new pack.
#[derive(Clone, Debug)]
pub struct TemplateFile {
    /// Path below the pack's folder.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Name of the generated header, in the folder of sources.
pub const HEADER: &str = "pack_abi.glsl";

macro_rules! shaders {
    ($($name:literal),* $(,)?) => {
        /// Sources and the modules compiled from them, by the name of the source.
        const SHADERS: &[(&str, &str, &[u8])] = &[
            $(($name, include_str!(concat!("template/src/", $name)), include_bytes!(concat!("template/shaders/", $name, ".spv")))),*
        ];
    };
}

shaders![
    "fullscreen.vert",
    "copy.frag",
    "depth.frag",
    "terrain_caster.vert",
    "world_caster.vert",
    "cutout_caster.vert",
    "cutout_caster.frag",
    "terrain_receiver.vert",
    "terrain_receiver.frag",
    "world_receiver.vert",
    "world_receiver.frag",
    "sun_mask.frag",
    "sun_rays.frag",
    "shafts.frag",
    "bloom_down.frag",
    "bloom_blur.frag",
    "filmic.frag",
];

const SHADOW_INCLUDE: &str = include_str!("template/src/shadow.glsl");

/// The files of a new pack. `id` becomes the pack's id, and its display name in words.
pub fn new_pack(profile: Profile, id: &str, abi: &Abi) -> Result<Vec<TemplateFile>, String> {
    if !is_stable_id(id) {
        return Err(format!(
            "`{id}` is no stable id: a lowercase letter, then up to 127 of a-z, 0-9, `.`, `_`, `-`"
        ));
    }
    let json = match profile {
        Profile::NoOp => include_str!("template/no_op.json"),
        Profile::Shadows => include_str!("template/shadows.json"),
        Profile::Atmospheric => include_str!("template/atmospheric.json"),
    };
    // Both values are made of characters that JSON takes as they are.
    let json = json.replace("PACK_ID", id).replace("PACK_NAME", &words(id));
    let (document, _) = crate::descriptor::read(&json);
    let used = document.map(|d| sources(&d.descriptor)).unwrap_or_default();
    let file = |path: String, bytes: &[u8]| TemplateFile { path, bytes: bytes.to_vec() };
    let mut files = vec![file("pack.json".into(), json.as_bytes())];
    for (name, source, module) in SHADERS.iter().filter(|s| used.iter().any(|u| u == s.0)) {
        files.push(file(format!("src/{name}"), source.as_bytes()));
        files.push(file(format!("shaders/{name}.spv"), module));
    }
    if !used.is_empty() {
        files.push(file(format!("src/{HEADER}"), print(abi, Format::Glsl).as_bytes()));
        files.push(file("src/shadow.glsl".into(), SHADOW_INCLUDE.as_bytes()));
    }
    Ok(files)
}

/// Every asset key of a descriptor, once, in the order of first use.
fn asset_keys(descriptor: &Descriptor) -> Vec<&str> {
    let passes = descriptor.passes.iter().flat_map(|p| [&p.vertex_shader_asset, &p.fragment_shader_asset]);
    let variants =
        descriptor.pipeline_variants.iter().flat_map(|v| [&v.vertex_shader_asset, &v.fragment_shader_asset]);
    let mut seen = HashSet::new();
    passes.chain(variants).map(String::as_str).filter(|key| seen.insert(*key)).collect()
}

/// The name of an asset's source. A key that leads out of the pack has none, or whoever builds a pack of somebody else
/// would write outside it.
fn source_of(key: &str) -> Option<&str> {
    let name = key.strip_prefix("shaders/")?.strip_suffix(".spv")?;
    (is_safe_asset_key(key) && is_safe_asset_key(name)).then_some(name)
}

/// The sources behind a descriptor's assets: `shaders/NAME.spv` is compiled from `src/NAME`. In the order of first
/// use; assets of another form, and those that lead out of the pack, have none.
pub fn sources(descriptor: &Descriptor) -> Vec<String> {
    asset_keys(descriptor).into_iter().filter_map(source_of).map(str::to_owned).collect()
}

/// The assets that have no source by their form, in the order of first use.
pub fn without_source(descriptor: &Descriptor) -> Vec<String> {
    asset_keys(descriptor).into_iter().filter(|key| source_of(key).is_none()).map(str::to_owned).collect()
}

/// `my.night-pack` as `My Night Pack`.
fn words(id: &str) -> String {
    let words = id.split(['.', '-', '_']).filter(|w| !w.is_empty());
    let capital = |w: &str| w[..1].to_ascii_uppercase() + &w[1..];
    words.map(capital).collect::<Vec<_>>().join(" ")
}
