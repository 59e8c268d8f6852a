//! New packs that check clean.

use crate::abi::{Abi, Format, print};
use crate::descriptor::Descriptor;
use crate::rules::is_stable_id;

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

/// The sources behind a descriptor's assets: `shaders/NAME.spv` is compiled from `src/NAME`. In the order of first
/// use; assets of another form have none.
pub fn sources(descriptor: &Descriptor) -> Vec<String> {
    let passes = descriptor.passes.iter().flat_map(|p| [&p.vertex_shader_asset, &p.fragment_shader_asset]);
    let variants =
        descriptor.pipeline_variants.iter().flat_map(|v| [&v.vertex_shader_asset, &v.fragment_shader_asset]);
    let mut out: Vec<String> = Vec::new();
    for key in passes.chain(variants) {
        let name = key.strip_prefix("shaders/").and_then(|k| k.strip_suffix(".spv"));
        if let Some(name) = name.filter(|n| !out.iter().any(|o| o == n)) {
            out.push(name.to_owned());
        }
    }
    out
}

/// `my.night-pack` as `My Night Pack`.
fn words(id: &str) -> String {
    let words = id.split(['.', '-', '_']).filter(|w| !w.is_empty());
    let capital = |w: &str| w[..1].to_ascii_uppercase() + &w[1..];
    words.map(capital).collect::<Vec<_>>().join(" ")
}
