//! The WebGL block of a program, made from its manifest.

use super::Made;
use crate::block::{
    self, Binding, BindingKind, Block, BlockInput, BlockStage, Lights, TransformInput, is_known_dimension,
};
use crate::budget::{Transform, TransformPart};
use crate::model::{Blob, InputSet, Stage, StageKind};
use shaderport_glsl::manifest::{Buffer, LaneType, Manifest, Texture};
use shaderport_glsl::options::BufferForm;

/// A plain array of vectors.
const ARRAY: u8 = 0;

/// A uniform block of the layout std140.
const STD140: u8 = 1;

/// The pixel stage that a pass without one gets.
pub(super) fn stage_of_text(text: &str) -> Stage<'_> {
    Stage {
        kind: StageKind::Pixel,
        program: Blob::new(text.as_bytes()),
        thread_group: [0; 3],
        inputs: Vec::new(),
        set: InputSet::default(),
    }
}

/// The block of a program; what it has no words for goes to `gaps`.
pub(super) fn block(made: &Made, gaps: &mut Vec<String>) -> Block {
    let manifest = &made.program.manifest;
    let vertex = BlockStage {
        stage: StageKind::Vertex.code(),
        bindings: bindings(&manifest.vertex, &[], gaps),
        inputs: attributes(&manifest.vertex),
        compute: None,
    };
    let pixel = BlockStage {
        stage: StageKind::Pixel.code(),
        bindings: bindings(&manifest.pixel, &made.transforms, gaps),
        inputs: varyings(&manifest.pixel),
        compute: None,
    };
    Block { stages: vec![vertex, pixel], transforms: made.transforms.iter().flat_map(transforms).collect() }
}

fn attributes(manifest: &Manifest) -> Vec<BlockInput> {
    let input = |a: &shaderport_glsl::manifest::Attribute| BlockInput {
        register: small(a.register),
        name: a.name.clone(),
        semantic: a.semantic.clone(),
        semantic_index: small(a.semantic_index),
        component_type: match a.component_type {
            LaneType::Uint => 1,
            LaneType::Int => 2,
            LaneType::Float => 3,
        },
        mask: mask(a.mask),
    };
    manifest.attributes.iter().map(input).collect()
}

fn varyings(manifest: &Manifest) -> Vec<BlockInput> {
    let input = |v: &shaderport_glsl::manifest::Varying| BlockInput {
        register: small(v.register),
        name: v.name.clone(),
        semantic: v.semantic.clone(),
        semantic_index: small(v.semantic_index),
        component_type: match v.ty.as_bytes().first() {
            Some(b'u') => 1,
            Some(b'i') => 2,
            _ => 3,
        },
        mask: mask(v.mask),
    };
    manifest.varyings.iter().map(input).collect()
}

/// The block's record of a step: merges, and the neutral profiles of lights.
fn transforms(t: &Transform) -> Option<block::Transform> {
    const LIGHT_PROFILE_NEUTRAL: u8 = 1;
    let is_part = |p: &&TransformPart| t.family.is_some() || p.constant == Some(1.0);
    let inputs: Vec<_> = t
        .parts
        .iter()
        .filter(is_part)
        .map(|p| TransformInput { space: 0, register: small(p.register), parameter: p.name.clone() })
        .collect();
    let family = t.family.unwrap_or(LIGHT_PROFILE_NEUTRAL);
    (!inputs.is_empty()).then(|| block::Transform { family, id: t.name.clone(), inputs })
}

/// The lights of a packed data texture.
fn lights_of(name: &str, steps: &[Transform]) -> Option<Lights> {
    let t = steps.iter().find(|t| t.name == name && t.kind == "packed-texture")?;
    let [index, data, rest @ ..] = &t.parts[..] else { return None };
    Some(Lights {
        role: 0,
        index_register: small(index.register),
        data_register: small(data.register),
        profile_register: rest.first().map_or(u8::MAX, |p| small(p.register)),
        data_texel_base: data.first_texel.unwrap_or(0),
        capacity: 0,
    })
}

fn bindings(manifest: &Manifest, steps: &[Transform], gaps: &mut Vec<String>) -> Vec<Binding> {
    let mut list = Vec::new();
    let constants = |register, name: &str, rows: u32, style| Binding {
        register: small(register),
        name: name.to_owned(),
        kind: BindingKind::ConstantBuffer { rows: rows.try_into().unwrap_or(u16::MAX), style, lights: None },
    };
    let arrays = manifest.uniform_arrays.iter();
    list.extend(arrays.map(|a| constants(a.register, &a.name, a.rows, ARRAY)));
    let blocks = manifest.uniform_blocks.iter();
    list.extend(blocks.map(|b| constants(b.register, &b.block, b.rows, STD140)));
    if let Some(j) = &manifest.joints {
        let (slot, first) = (j.slot, j.first_row);
        gap(gaps, format!("the container does not say that bones are rows of b{slot} from {first} on"));
    }
    for t in &manifest.textures {
        match resource(t) {
            Some(kind) => list.push(Binding { register: small(t.register), name: t.name.clone(), kind }),
            None => gap(gaps, format!("the container cannot say that {} is a {}", t.name, t.dimension)),
        }
    }
    for b in &manifest.buffers {
        let lights = lights_of(&b.name, steps);
        // A texture of lights is one binding, that of their list.
        if lights.is_none_or(|l| l.index_register == small(b.register)) {
            list.push(Binding { register: small(b.register), name: b.name.clone(), kind: buffer(b, lights) });
        }
    }
    for u in &manifest.uniforms {
        gap(gaps, format!("the container does not name the uniform {}: {}", u.name, u.meaning));
    }
    list
}

fn gap(gaps: &mut Vec<String>, text: String) {
    if !gaps.contains(&text) {
        gaps.push(text);
    }
}

fn resource(t: &Texture) -> Option<BindingKind> {
    // 1D textures are bound as 2D of height 1.
    let dimension = match t.dimension {
        "texture1d" | "texture2d" => 3,
        "texture3d" => 5,
        "texturecube" => 6,
        "texture1darray" | "texture2darray" => 8,
        _ => 0,
    };
    let paired: Vec<u8> = t.sampler.map(small).into_iter().collect();
    is_known_dimension(dimension, t.comparison).then(|| BindingKind::Resource {
        dimension,
        comparison: t.comparison.then(|| paired.clone()),
        paired,
    })
}

fn buffer(b: &Buffer, lights: Option<Lights>) -> BindingKind {
    match b.form {
        BufferForm::Texture => BindingKind::StructuredTexture {
            stride: b.stride,
            width: b.texture_width.and_then(|w| w.try_into().ok()).unwrap_or(0),
            lights,
        },
        BufferForm::Block => BindingKind::StructuredBlock {
            stride: b.stride,
            capacity: b.capacity.and_then(|c| c.try_into().ok()).unwrap_or(u16::MAX),
        },
    }
}

/// A register as the block stores it: 255 for none, and for what does not fit.
fn small(register: u32) -> u8 {
    u8::try_from(register).unwrap_or(u8::MAX)
}

fn mask(lanes: &str) -> u8 {
    lanes.bytes().filter_map(|l| b"xyzw".iter().position(|&x| x == l)).fold(0, |m, n| m | 1 << n)
}
