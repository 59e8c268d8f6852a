//! Keeping a pixel stage within the texture units that there are.
//!
//! While a stage is over its budget, the families of a [`Table`] are merged one after another, in the table's
//! order; if that is not enough, the buffers of local lights are taken out of the texture units. Textures and
//! buffers are found by the names that the container gives them: their registers differ from permutation to
//! permutation. A merge that would change what a shader computes is refused and the next one is tried.

use crate::model::{InputSet, Stage, Texture};
use crate::upload::MAX_TEXELS;
use serde::{Deserialize, Serialize};
use shaderport_diagnostics::Severity;
use shaderport_glsl::options::BufferCapacity;
use shaderport_glsl::rewrite::{
    MergeKind, PROFILE_TEXELS, PackedArea, PackedBuffers, PackedProfiles, PixelResources, Stub, TextureMerge,
};
use shaderport_link::{LinkFailure, LinkOptions, LinkedProgram, link};

/// Texture units of a pixel stage that every WebGL2 implementation has.
pub const GUARANTEED_UNITS: u32 = 16;

/// What can be merged, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Families, in the order in which they are tried.
    pub families: Vec<Family>,
    /// Local lights; none if there is nothing to look for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lights: Option<LightLayout>,
}

/// Textures that may become one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Name of the texture made: letters, digits and single underscores, an upper-case letter first.
    pub name: String,
    /// How they become one.
    pub kind: MergeKind,
    /// Names of the textures. A stage has the family if it has two or more of them, from the first on.
    pub textures: Vec<String>,
    /// Number of the family in a container's WebGL block.
    pub code: u8,
}

/// Where local lights lie, in the shader and in what the host uploads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LightLayout {
    /// Name of the data texture.
    pub texture: String,
    /// Structured buffer of lists of lights.
    pub index: BufferLayout,
    /// Structured buffer of lights.
    pub data: BufferLayout,
    /// Texture array of light profiles.
    pub profiles: Option<ProfileLayout>,
}

/// Light profiles: a texture array 1,024 texels wide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProfileLayout {
    /// Name.
    pub name: String,
    /// First texel of its area of the data texture.
    pub texel: u32,
    /// Layers, of 256 texels each.
    pub layers: u32,
}

/// What samples of light profiles read once the lights are taken out of the units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Profiles {
    /// 1: lights have no profile.
    #[default]
    Neutral,
    /// Their area of the packed data texture; as `Neutral` with other forms of lights.
    Packed,
}

/// A structured buffer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BufferLayout {
    /// Name.
    pub name: String,
    /// Bytes of an element.
    pub stride: u32,
    /// First texel of its area of the data texture.
    pub texel: u32,
    /// Texels of its area.
    pub texels: u32,
    /// Elements of its block, if it becomes one.
    pub block_capacity: u32,
}

impl Default for Table {
    /// The families and the lights of the Carbon engine. Facts name the textures of the detail and PMDG families;
    /// those of the others follow the same pattern.
    fn default() -> Self {
        let numbered = |stem: &str, count: u32| (1..=count).map(|n| format!("{stem}{n}Map")).collect();
        let family = |name: &str, kind, textures, code| Family { name: name.into(), kind, textures, code };
        use MergeKind::{Array, Channels};
        let pmdg = ["GlowMap", "DirtMap", "MaterialMap", "PaintMaskMap"].map(String::from).to_vec();
        Table {
            families: vec![
                family("DetailArrayMap", Array, numbered("Detail", 3), 0),
                family("RoughnessArrayMap", Array, numbered("Roughness", 4), 2),
                family("AtlasArrayMap", Array, numbered("Atlas", 3), 3),
                family("DirtArrayMap", Array, numbered("Dirt", 2), 4),
                family("AmbientOcclusionPackMap", Channels, numbered("AmbientOcclusion", 4), 6),
                family("CurvaturePackMap", Channels, numbered("Curvature", 4), 7),
                family("NoisePackMap", Channels, numbered("Noise", 4), 8),
                family("PmdgPackMap", Channels, pmdg, 5),
            ],
            lights: Some(LightLayout {
                texture: "LocalLights".into(),
                index: BufferLayout {
                    name: "LightIndexBuffer".into(),
                    stride: 4,
                    texel: 0,
                    texels: 131_072,
                    block_capacity: 1024,
                },
                data: BufferLayout {
                    name: "LightBuffer".into(),
                    stride: 48,
                    texel: 131_072,
                    texels: 65_536,
                    block_capacity: 40,
                },
                profiles: Some(ProfileLayout {
                    name: "LightProfileArray".into(),
                    texel: 196_608,
                    layers: 64,
                }),
            }),
        }
    }
}

/// What becomes of local lights in a stage that is over its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Lights {
    /// Both buffers become areas of one data texture.
    #[default]
    PackedTexture,
    /// Both buffers become uniform blocks of fixed capacity.
    ConstantBlock,
    /// Both buffers read 0: there are no local lights. For diagnosis.
    Stub,
    /// They stay as they are.
    Keep,
}

/// The budget of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Texture units of a pixel stage; `None` for no limit, with which nothing is merged.
    pub units: Option<u32>,
    /// What can be merged.
    pub table: Table,
    /// What becomes of local lights.
    pub lights: Lights,
    /// What becomes of their profiles.
    pub profiles: Profiles,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            units: Some(GUARANTEED_UNITS),
            table: Table::default(),
            lights: Lights::default(),
            profiles: Profiles::default(),
        }
    }
}

/// Something that can be done for a stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Merge { family: usize, registers: Vec<u32> },
    Lights { index: u32, data: u32, profiles: Option<u32> },
}

/// A step that was taken, as the package tells the host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transform {
    /// Name of the texture made, or of the family of what was left out.
    pub name: String,
    /// `array`, `channels`, `packed-texture`, `constant-block` or `stub`.
    pub kind: &'static str,
    /// The effect's textures and buffers, in the order of layers, channels or areas.
    pub parts: Vec<TransformPart>,
    /// Number of the family in a container's WebGL block; absent for lights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<u8>,
}

/// A texture or buffer that a step is about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TransformPart {
    /// Its name in the effect.
    pub name: String,
    /// `t` register.
    pub register: u32,
    /// First texel of its area of a data texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_texel: Option<u32>,
    /// Its constant value, if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<f32>,
}

/// A program, and what was done to keep its pixel stage within the budget.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program.
    pub program: LinkedProgram,
    /// Steps taken, in their order.
    pub transforms: Vec<Transform>,
    /// Steps that were refused, and whether the budget is kept: one sentence each.
    pub gaps: Vec<String>,
}

/// A texture as families want it: 2D, one element, no sRGB.
fn is_mergeable(t: &Texture<'_>) -> bool {
    t.ty == 2 && t.count == 1 && t.is_srgb == 0
}

/// Steps that the names of a stage's resources allow, in the table's order.
pub(crate) fn steps(budget: &Budget, stage: &Stage<'_>) -> Vec<Step> {
    if budget.units.is_none() {
        return Vec::new();
    }
    let set = &stage.set;
    let find = |name: &str| set.textures.iter().find(|t| *t.name.0 == *name.as_bytes());
    let mut steps = Vec::new();
    for (n, family) in budget.table.families.iter().enumerate() {
        let found: Vec<&Texture<'_>> = family.textures.iter().map_while(|name| find(name)).collect();
        let ascending = found.windows(2).all(|w| w[0].register < w[1].register);
        let one_space =
            found.windows(2).all(|w| space_of(set, w[0].register) == space_of(set, w[1].register));
        if found.len() >= 2 && ascending && one_space && found.iter().all(|t| is_mergeable(t)) {
            let registers = found.iter().map(|t| t.register.into()).collect();
            steps.push(Step::Merge { family: n, registers });
        }
    }
    if let Some(lights) = &budget.table.lights
        && budget.lights != Lights::Keep
        && let (Some(index), Some(data)) = (find(&lights.index.name), find(&lights.data.name))
    {
        let profiles = lights.profiles.as_ref().and_then(|p| find(&p.name)).map(|t| t.register.into());
        steps.push(Step::Lights { index: index.register.into(), data: data.register.into(), profiles });
    }
    steps
}

/// The space of a texture register, where the container lists it.
fn space_of(set: &InputSet<'_>, register: u8) -> Option<u8> {
    let is = |r: &&crate::model::Register| (32..64).contains(&r.kind) && r.index == u32::from(register);
    set.registers.iter().find(is).map(|r| r.space)
}

/// Texture units of a program's pixel stage.
fn units(program: &LinkedProgram) -> u32 {
    let limits = &program.manifest.pixel.limits;
    limits.iter().find(|l| l.name == "max_texture_image_units").map_or(0, |l| l.used)
}

/// Links a program, and takes as many steps as its pixel stage needs.
pub(crate) fn link_within(
    vertex: &[u8],
    pixel: &[u8],
    steps: &[Step],
    budget: &Budget,
    options: &LinkOptions,
) -> Result<Built, LinkFailure> {
    // What is over a limit at first may be within it in the end.
    let mut trying = options.clone();
    trying.translation.limits = None;
    let mut program = link(vertex, pixel, if steps.is_empty() { options } else { &trying })?;
    let mut built = (Vec::new(), Vec::new());
    let limit = budget.units.unwrap_or(u32::MAX);
    let mut left = steps.iter();
    while units(&program) > limit
        && let Some(step) = left.next()
    {
        let mut next = trying.clone();
        let transform = match take(step, budget, &program, &mut next.translation.pixel_resources) {
            Ok(transform) => transform,
            Err(gap) => {
                built.1.push(gap);
                continue;
            }
        };
        match link(vertex, pixel, &next) {
            Ok(p) if units(&p) < units(&program) => {
                built.0.push(transform);
                (program, trying) = (p, next);
            }
            Ok(_) => {}
            Err(failure) => {
                let why = failure.diagnostics.iter().find(|d| d.severity == Severity::Error);
                let why = why.map_or_else(String::new, |d| format!(": {}", d.message));
                built.1.push(format!("{} is not applied{why}", transform.name));
            }
        }
    }
    if options.translation.limits.is_some() && !steps.is_empty() {
        trying.translation.limits = options.translation.limits;
        program = link(vertex, pixel, &trying)?;
    }
    let used = units(&program);
    if used > limit {
        built.1.push(format!("a pixel stage uses {used} texture units, more than {limit}"));
    }
    Ok(Built { program, transforms: built.0, gaps: built.1 })
}

/// Adds a step to the options.
fn take(
    step: &Step,
    budget: &Budget,
    program: &LinkedProgram,
    resources: &mut PixelResources,
) -> Result<Transform, String> {
    match step {
        Step::Merge { family, registers } => {
            let family = &budget.table.families[*family];
            let merge =
                TextureMerge { name: family.name.clone(), kind: family.kind, registers: registers.clone() };
            resources.merges.push(merge);
            let parts = family.textures.iter().zip(registers).map(|(name, &register)| TransformPart {
                name: name.clone(),
                register,
                first_texel: None,
                constant: None,
            });
            Ok(Transform {
                name: family.name.clone(),
                kind: match family.kind {
                    MergeKind::Array => "array",
                    MergeKind::Channels => "channels",
                },
                parts: parts.collect(),
                family: Some(family.code),
            })
        }
        Step::Lights { index, data, profiles } => {
            let Some(layout) = &budget.table.lights else { return Err("no lights are known".into()) };
            let pairs = [(*index, &layout.index), (*data, &layout.data)];
            for (register, buffer) in pairs {
                let found = program.manifest.pixel.buffers.iter().find(|b| b.register == register);
                if let Some(b) = found.filter(|b| b.kind != "structured" || b.stride != buffer.stride) {
                    return Err(format!(
                        "{} is not applied: {} is a {} buffer of {} bytes an element, not {}",
                        layout.texture, buffer.name, b.kind, b.stride, buffer.stride
                    ));
                }
            }
            let profile_area = layout
                .profiles
                .as_ref()
                .filter(|_| profiles.is_some() && budget.profiles == Profiles::Packed);
            if budget.lights == Lights::PackedTexture
                && let Some(why) = misplaced(layout, profile_area)
            {
                return Err(format!("{} is not applied: {why}", layout.texture));
            }
            let kind = lights(budget.lights, pairs, layout, resources);
            let mut parts: Vec<TransformPart> = pairs
                .iter()
                .map(|(register, buffer)| TransformPart {
                    name: buffer.name.clone(),
                    register: *register,
                    first_texel: (budget.lights == Lights::PackedTexture).then_some(buffer.texel),
                    constant: (budget.lights == Lights::Stub).then_some(0.0),
                })
                .collect();
            if let (&Some(register), Some(profiles)) = (profiles, &layout.profiles) {
                let packed = budget.profiles == Profiles::Packed && budget.lights == Lights::PackedTexture;
                let (texel, layers) = (profiles.texel, profiles.layers);
                match resources.packed.last_mut().filter(|_| packed) {
                    Some(p) => p.profiles = Some(PackedProfiles { register, texel, layers }),
                    None => resources.stubs.push(Stub { register, one: true }),
                }
                parts.push(TransformPart {
                    name: profiles.name.clone(),
                    register,
                    first_texel: packed.then_some(texel),
                    constant: (!packed).then_some(1.0),
                });
            }
            Ok(Transform { name: layout.texture.clone(), kind, parts, family: None })
        }
    }
}

/// Why the areas of a layout cannot lie in one data texture: a shader would read one as another.
fn misplaced(layout: &LightLayout, profiles: Option<&ProfileLayout>) -> Option<String> {
    let of_buffer = |b: &BufferLayout| (b.name.clone(), u64::from(b.texel), u64::from(b.texels));
    let of_profiles = |p: &ProfileLayout| {
        (p.name.clone(), u64::from(p.texel), u64::from(p.layers) * u64::from(PROFILE_TEXELS))
    };
    let mut areas = vec![of_buffer(&layout.index), of_buffer(&layout.data)];
    areas.extend(profiles.map(of_profiles));
    if let Some((name, ..)) = areas.iter().find(|a| a.2 == 0) {
        return Some(format!("the area of {name} has no texels"));
    }
    if let Some((name, ..)) = areas.iter().find(|a| a.1 + a.2 > MAX_TEXELS) {
        return Some(format!("the area of {name} ends past the {MAX_TEXELS} texels of a data texture"));
    }
    areas.sort_by_key(|a| a.1);
    let overlap = areas.windows(2).find(|w| w[0].1 + w[0].2 > w[1].1)?;
    Some(format!("the areas of {} and {} overlap", overlap[0].0, overlap[1].0))
}

fn lights(
    mode: Lights,
    pairs: [(u32, &BufferLayout); 2],
    layout: &LightLayout,
    resources: &mut PixelResources,
) -> &'static str {
    match mode {
        Lights::PackedTexture => {
            let area = |(register, b): (u32, &BufferLayout)| PackedArea {
                register,
                texel: b.texel,
                texels: b.texels,
            };
            let areas = pairs.map(area).to_vec();
            resources.packed.push(PackedBuffers { name: layout.texture.clone(), areas, profiles: None });
            "packed-texture"
        }
        Lights::ConstantBlock => {
            let block =
                |(register, b): (u32, &BufferLayout)| BufferCapacity { register, elements: b.block_capacity };
            resources.blocks.extend(pairs.map(block));
            "constant-block"
        }
        Lights::Stub | Lights::Keep => {
            resources.stubs.extend(pairs.map(|(register, _)| Stub { register, one: false }));
            "stub"
        }
    }
}
