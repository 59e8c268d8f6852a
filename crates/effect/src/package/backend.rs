//! The WebGL block of a program, made from its manifest.

use crate::block::{Binding, BindingKind, Block, BlockInput, BlockStage, is_known_dimension};
use crate::model::{Blob, InputSet, Stage, StageKind};
use shaderport_glsl::manifest::{Buffer, LaneType, Manifest, Texture};
use shaderport_glsl::options::BufferForm;
use shaderport_link::ProgramManifest;

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
pub(super) fn block(manifest: &ProgramManifest, gaps: &mut Vec<String>) -> Block {
    let vertex = BlockStage {
        stage: StageKind::Vertex.code(),
        bindings: bindings(&manifest.vertex, gaps),
        inputs: attributes(&manifest.vertex),
        compute: None,
    };
    let pixel = BlockStage {
        stage: StageKind::Pixel.code(),
        bindings: bindings(&manifest.pixel, gaps),
        inputs: varyings(&manifest.pixel),
        compute: None,
    };
    Block { stages: vec![vertex, pixel], transforms: Vec::new() }
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

fn bindings(manifest: &Manifest, gaps: &mut Vec<String>) -> Vec<Binding> {
    let mut list = Vec::new();
    for b in &manifest.uniform_blocks {
        let kind = BindingKind::ConstantBuffer {
            rows: b.rows.try_into().unwrap_or(u16::MAX),
            style: STD140,
            lights: None,
        };
        list.push(Binding { register: small(b.register), name: b.block.clone(), kind });
    }
    for t in &manifest.textures {
        match resource(t) {
            Some(kind) => list.push(Binding { register: small(t.register), name: t.name.clone(), kind }),
            None => gap(gaps, format!("the container cannot say that {} is a {}", t.name, t.dimension)),
        }
    }
    for b in &manifest.buffers {
        list.push(Binding { register: small(b.register), name: b.name.clone(), kind: buffer(b) });
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

fn buffer(b: &Buffer) -> BindingKind {
    match b.form {
        BufferForm::Texture => BindingKind::StructuredTexture {
            stride: b.stride,
            width: b.texture_width.and_then(|w| w.try_into().ok()).unwrap_or(0),
            lights: None,
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
