//! The block behind a pass of a container of GLSL that says how its uniforms are bound (container format,
//! section 13, WebGL 2).
//!
//! The block has no magic and no version: its first byte names the engine, and it must be used up exactly.

use crate::read::cursor::{Cursor, Fault};
use shaderport_diagnostics::codes::effect as codes;
use shaderport_diagnostics::{Diagnostic, Place};

/// The engine whose blocks are read and written.
pub const WEBGL2: u8 = 1;

/// A WebGL 2 block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Stages, by ascending code.
    pub stages: Vec<BlockStage>,
    /// Textures that stand for several of the effect's.
    pub transforms: Vec<Transform>,
}

/// A stage's bindings and inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockStage {
    /// 0 vertex, 1 pixel, 2 compute.
    pub stage: u8,
    /// Uniforms.
    pub bindings: Vec<Binding>,
    /// Vertex attributes, or varyings of a pixel stage.
    pub inputs: Vec<BlockInput>,
    /// What a compute stage that runs as a fragment shader needs.
    pub compute: Option<Compute>,
}

/// A uniform or block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Register, 255 if there is none.
    pub register: u8,
    /// GLSL name.
    pub name: String,
    /// What it is.
    pub kind: BindingKind,
}

/// What a binding is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A constant buffer.
    ConstantBuffer {
        /// Rows of 16 bytes.
        rows: u16,
        /// 0 an array of `vec4`, 1 a std140 block.
        style: u8,
        /// Local lights that it holds.
        lights: Option<Lights>,
    },
    /// A texture.
    Resource {
        /// Dimension code of DXBC: 1 buffer, 2 1D, 3 2D, 5 3D, 6 cube, 8 2D array.
        dimension: u8,
        /// Sampler registers that compare; `None` if it is no comparison texture.
        comparison: Option<Vec<u8>>,
        /// Every sampler register that it is used with.
        paired: Vec<u8>,
    },
    /// A typed buffer in a texture.
    BufferTexture {
        /// 0 RGBA32F, 1 R32F, 2 R32UI.
        format: u8,
        /// Texels in a row.
        width: u16,
        /// Return types of the lanes.
        return_types: Vec<String>,
    },
    /// A structured buffer in an RGBA32UI texture.
    StructuredTexture {
        /// Bytes of an element.
        stride: u32,
        /// Texels in a row.
        width: u16,
        /// Local lights that it holds.
        lights: Option<Lights>,
    },
    /// A structured buffer in a std140 block.
    StructuredBlock {
        /// Bytes of an element.
        stride: u32,
        /// Elements.
        capacity: u16,
    },
    /// An unordered access view written as a render target.
    UavTexture {
        /// Array slice, 255 for none.
        slice: u8,
        /// Draw buffer.
        location: u8,
        /// Return types of the lanes.
        return_types: Vec<String>,
    },
    /// The origin of a dispatch.
    DispatchUniform,
}

/// Local lights inside a texture or a constant buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lights {
    /// 0 packed texture, 1 constant buffer.
    pub role: u8,
    /// Register of the index list.
    pub index_register: u8,
    /// Register of the lights.
    pub data_register: u8,
    /// Register of the profiles, 255 for none.
    pub profile_register: u8,
    /// Texel of the first light (packed texture).
    pub data_texel_base: u32,
    /// Lights that fit (constant buffer).
    pub capacity: u16,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockInput {
    /// Register.
    pub register: u8,
    /// GLSL name.
    pub name: String,
    /// HLSL semantic.
    pub semantic: String,
    /// Its index.
    pub semantic_index: u8,
    /// 0 unknown, 1 uint, 2 int, 3 float.
    pub component_type: u8,
    /// Lanes: x is bit 0.
    pub mask: u8,
}

/// A compute stage's contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compute {
    /// Threads of a group.
    pub thread_group: Option<[u16; 3]>,
    /// Uniform of the dispatch's origin; empty for none.
    pub origin_uniform: String,
    /// Outputs.
    pub outputs: Vec<ComputeOutput>,
}

/// An output of a compute stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputeOutput {
    /// Register of the view.
    pub uav_register: u8,
    /// Array slice, 255 for none.
    pub slice: u8,
    /// Draw buffer.
    pub location: u8,
    /// GLSL name.
    pub name: String,
}

/// A texture that stands for several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    /// Family: 0 detail-map-array, 1 local-light-profile-neutral, 2 roughness-map-array, 3 atlas-map-array,
    /// 4 dirt-map-array, 5 pmdg-channel-pack, 6 ambient-occlusion-channel-pack, 7 curvature-channel-pack,
    /// 8 noise-channel-pack.
    pub family: u8,
    /// Name of the texture made.
    pub id: String,
    /// The textures it is made of: the place is the layer or the channel.
    pub inputs: Vec<TransformInput>,
}

/// A texture that became a layer or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformInput {
    /// Register space.
    pub space: u8,
    /// Register.
    pub register: u8,
    /// Parameter of the effect.
    pub parameter: String,
}

/// What can be wrong with a block, besides its bounds.
enum Wrong {
    Fault(Fault),
    Code(usize, &'static str, u8),
    Text(usize),
}

impl From<Fault> for Wrong {
    fn from(f: Fault) -> Self {
        Wrong::Fault(f)
    }
}

impl Block {
    /// Reads a block. `None` if it is another engine's.
    ///
    /// # Errors
    /// `effect-backend-block`, with a place from the start of the block.
    pub fn read(bytes: &[u8]) -> Result<Option<Block>, Diagnostic> {
        if bytes.first().is_some_and(|&engine| engine != WEBGL2) {
            return Ok(None);
        }
        let mut c = Cursor::new(bytes, 0, bytes.len());
        read(&mut c).map(Some).map_err(|wrong| {
            let (at, message) = match wrong {
                Wrong::Fault(f) => {
                    let d = f.finding(", in the block");
                    return Diagnostic { code: codes::BLOCK, severity: codes::BLOCK.severity(), ..d };
                }
                Wrong::Code(at, what, code) => (at, format!("{what} {code} is not known")),
                Wrong::Text(at) => (at, "a name that is not UTF-8".to_string()),
            };
            Diagnostic::new(codes::BLOCK, message).at(Place::at(at))
        })
    }

    /// The block's bytes.
    ///
    /// # Errors
    /// `effect-unwritable` where a list or a name is longer than its count field.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Diagnostic> {
        let mut w = Writer { out: vec![WEBGL2], too_long: false };
        w.list(&self.stages, |w, s| {
            w.u8(s.stage);
            w.list(&s.bindings, Writer::binding);
            w.list(&s.inputs, |w, i| {
                w.u8(i.register);
                w.text(&i.name);
                w.text(&i.semantic);
                w.out.extend([i.semantic_index, i.component_type, i.mask]);
            });
            w.u8(s.compute.is_some().into());
            if let Some(c) = &s.compute {
                w.u8(c.thread_group.is_some().into());
                c.thread_group.iter().flatten().for_each(|&n| w.u16(n));
                w.text(&c.origin_uniform);
                w.list(&c.outputs, |w, o| {
                    w.out.extend([o.uav_register, o.slice, o.location]);
                    w.text(&o.name);
                });
            }
        });
        w.list(&self.transforms, |w, t| {
            w.u8(t.family);
            w.text(&t.id);
            w.list(&t.inputs, |w, i| {
                w.out.extend([i.space, i.register]);
                w.text(&i.parameter);
            });
        });
        if w.too_long {
            return Err(Diagnostic::new(
                codes::UNWRITABLE,
                "a list or a name of a backend block is too long",
            ));
        }
        Ok(w.out)
    }
}

/// The sampler types that readers know: of textures, and of comparison textures.
const DIMENSIONS: ([u8; 5], [u8; 3]) = ([2, 3, 5, 6, 8], [3, 6, 8]);

/// Whether a texture of this dimension can be said in a block.
pub fn is_known_dimension(dimension: u8, comparison: bool) -> bool {
    if comparison { DIMENSIONS.1.contains(&dimension) } else { DIMENSIONS.0.contains(&dimension) }
}

fn read(c: &mut Cursor<'_>) -> Result<Block, Wrong> {
    c.u8()?;
    // A stage is four bytes or more, a transform four.
    let stages = list(c, "stages", 4, |c| {
        let at = c.pos;
        let stage = c.u8()?;
        if stage > 2 {
            return Err(Wrong::Code(at, "stage", stage));
        }
        let bindings = list(c, "bindings", 4, read_binding)?;
        let inputs = list(c, "inputs", 8, |c| {
            let register = c.u8()?;
            let (name, semantic) = (text(c)?, text(c)?);
            let [semantic_index, component_type, mask] = c.array()?;
            Ok(BlockInput { register, name, semantic, semantic_index, component_type, mask })
        })?;
        let compute = if c.u8()? == 0 { None } else { Some(read_compute(c)?) };
        Ok(BlockStage { stage, bindings, inputs, compute })
    })?;
    let transforms = list(c, "transforms", 4, |c| {
        let at = c.pos;
        let family = c.u8()?;
        if family > 8 {
            return Err(Wrong::Code(at, "merge family", family));
        }
        let id = text(c)?;
        let inputs = list(c, "transform inputs", 4, |c| {
            let [space, register] = c.array()?;
            Ok(TransformInput { space, register, parameter: text(c)? })
        })?;
        Ok(Transform { family, id, inputs })
    })?;
    c.finish()?;
    Ok(Block { stages, transforms })
}

fn read_compute(c: &mut Cursor<'_>) -> Result<Compute, Wrong> {
    let thread_group = match c.u8()? {
        0 => None,
        _ => Some([c.u16()?, c.u16()?, c.u16()?]),
    };
    let origin_uniform = text(c)?;
    let outputs = list(c, "outputs", 5, |c| {
        let [uav_register, slice, location] = c.array()?;
        Ok(ComputeOutput { uav_register, slice, location, name: text(c)? })
    })?;
    Ok(Compute { thread_group, origin_uniform, outputs })
}

fn read_binding(c: &mut Cursor<'_>) -> Result<Binding, Wrong> {
    let at = c.pos;
    let [kind, register] = c.array()?;
    let name = text(c)?;
    let kind = match kind {
        0 => BindingKind::ConstantBuffer { rows: c.u16()?, style: c.u8()?, lights: read_lights(c)? },
        1 => {
            let at = c.pos;
            let dimension = c.u8()?;
            let compared = list(c, "samplers", 1, |c| Ok(c.u8()?))?;
            let comparison = if c.u8()? == 0 { None } else { Some(compared) };
            if !is_known_dimension(dimension, comparison.is_some()) {
                return Err(Wrong::Code(at, "texture dimension", dimension));
            }
            let paired = list(c, "samplers", 1, |c| Ok(c.u8()?))?;
            BindingKind::Resource { dimension, comparison, paired }
        }
        2 => {
            let (format, width) = (c.u8()?, c.u16()?);
            BindingKind::BufferTexture { format, width, return_types: list(c, "types", 2, text)? }
        }
        3 => {
            let (stride, width) = (c.u32()?, c.u16()?);
            BindingKind::StructuredTexture { stride, width, lights: read_lights(c)? }
        }
        4 => BindingKind::StructuredBlock { stride: c.u32()?, capacity: c.u16()? },
        5 => {
            let [slice, location] = c.array()?;
            BindingKind::UavTexture { slice, location, return_types: list(c, "types", 2, text)? }
        }
        6 => BindingKind::DispatchUniform,
        kind => return Err(Wrong::Code(at, "binding kind", kind)),
    };
    Ok(Binding { register, name, kind })
}

fn read_lights(c: &mut Cursor<'_>) -> Result<Option<Lights>, Wrong> {
    if c.u8()? == 0 {
        return Ok(None);
    }
    let at = c.pos;
    let [role, index_register, data_register, profile_register] = c.array()?;
    if role > 1 {
        return Err(Wrong::Code(at, "role of lights", role));
    }
    let (data_texel_base, capacity) = (c.u32()?, c.u16()?);
    Ok(Some(Lights { role, index_register, data_register, profile_register, data_texel_base, capacity }))
}

fn text(c: &mut Cursor<'_>) -> Result<String, Wrong> {
    let at = c.pos;
    let len = c.u16()?;
    let bytes = c.take(len.into())?;
    String::from_utf8(bytes.to_vec()).map_err(|_| Wrong::Text(at))
}

fn list<T>(
    c: &mut Cursor<'_>,
    what: &'static str,
    least: usize,
    mut entry: impl FnMut(&mut Cursor<'_>) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let at = c.pos;
    let count = c.u8()?;
    let count = c.check_count(at, what, count.into(), u8::MAX.into(), least)?;
    (0..count).map(|_| entry(c)).collect()
}

struct Writer {
    out: Vec<u8>,
    too_long: bool,
}

impl Writer {
    fn u8(&mut self, v: u8) {
        self.out.push(v);
    }
    fn u16(&mut self, v: u16) {
        self.out.extend(v.to_le_bytes());
    }
    fn u32(&mut self, v: u32) {
        self.out.extend(v.to_le_bytes());
    }
    fn text(&mut self, t: &str) {
        let len = u16::try_from(t.len()).unwrap_or_else(|_| {
            self.too_long = true;
            0
        });
        self.u16(len);
        self.out.extend(t.as_bytes());
    }
    fn list<T>(&mut self, items: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        let len = u8::try_from(items.len()).unwrap_or_else(|_| {
            self.too_long = true;
            0
        });
        self.u8(len);
        items.iter().for_each(|i| entry(self, i));
    }
    fn bytes(&mut self, items: &[u8]) {
        self.list(items, |w, &b| w.u8(b));
    }
    fn lights(&mut self, lights: Option<&Lights>) {
        self.u8(lights.is_some().into());
        if let Some(l) = lights {
            self.out.extend([l.role, l.index_register, l.data_register, l.profile_register]);
            self.u32(l.data_texel_base);
            self.u16(l.capacity);
        }
    }
    fn binding(&mut self, b: &Binding) {
        let kind = match &b.kind {
            BindingKind::ConstantBuffer { .. } => 0,
            BindingKind::Resource { .. } => 1,
            BindingKind::BufferTexture { .. } => 2,
            BindingKind::StructuredTexture { .. } => 3,
            BindingKind::StructuredBlock { .. } => 4,
            BindingKind::UavTexture { .. } => 5,
            BindingKind::DispatchUniform => 6,
        };
        self.out.extend([kind, b.register]);
        self.text(&b.name);
        match &b.kind {
            BindingKind::ConstantBuffer { rows, style, lights } => {
                self.u16(*rows);
                self.u8(*style);
                self.lights(lights.as_ref());
            }
            BindingKind::Resource { dimension, comparison, paired } => {
                self.u8(*dimension);
                self.bytes(comparison.as_deref().unwrap_or_default());
                self.u8(comparison.is_some().into());
                self.bytes(paired);
            }
            BindingKind::BufferTexture { format, width, return_types } => {
                self.u8(*format);
                self.u16(*width);
                self.list(return_types, |w, t| w.text(t));
            }
            BindingKind::StructuredTexture { stride, width, lights } => {
                self.u32(*stride);
                self.u16(*width);
                self.lights(lights.as_ref());
            }
            BindingKind::StructuredBlock { stride, capacity } => {
                self.u32(*stride);
                self.u16(*capacity);
            }
            BindingKind::UavTexture { slice, location, return_types } => {
                self.out.extend([*slice, *location]);
                self.list(return_types, |w, t| w.text(t));
            }
            BindingKind::DispatchUniform => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_kinds() -> Block {
        let lights = Lights {
            role: 1,
            index_register: 2,
            data_register: 3,
            profile_register: 255,
            data_texel_base: 0,
            capacity: 40,
        };
        let kinds = [
            BindingKind::ConstantBuffer { rows: 46, style: 1, lights: Some(lights) },
            BindingKind::Resource { dimension: 3, comparison: None, paired: vec![1, 3] },
            BindingKind::Resource { dimension: 8, comparison: Some(vec![2]), paired: vec![2] },
            BindingKind::BufferTexture { format: 2, width: 2048, return_types: vec!["uint".into()] },
            BindingKind::StructuredTexture { stride: 48, width: 2048, lights: None },
            BindingKind::StructuredBlock { stride: 48, capacity: 69 },
            BindingKind::UavTexture { slice: 255, location: 1, return_types: vec![] },
            BindingKind::DispatchUniform,
        ];
        let bindings = kinds
            .into_iter()
            .enumerate()
            .map(|(i, kind)| Binding { register: i as u8, name: format!("n{i}"), kind })
            .collect();
        let input = BlockInput {
            register: 1,
            name: "in_POSITION0".into(),
            semantic: "POSITION".into(),
            semantic_index: 0,
            component_type: 3,
            mask: 7,
        };
        let output = ComputeOutput { uav_register: 0, slice: 255, location: 0, name: "o".into() };
        let compute =
            Compute { thread_group: Some([8, 8, 1]), origin_uniform: "origin".into(), outputs: vec![output] };
        let inputs = vec![TransformInput { space: 0, register: 11, parameter: "Detail1Map".into() }];
        Block {
            stages: vec![
                BlockStage { stage: 0, bindings, inputs: vec![input], compute: None },
                BlockStage { stage: 2, compute: Some(compute), ..BlockStage::default() },
            ],
            transforms: vec![Transform { family: 0, id: "DetailArrayMap".into(), inputs }],
        }
    }

    #[test]
    fn blocks_are_read_as_written() {
        let block = all_kinds();
        let bytes = block.to_bytes().unwrap();
        assert_eq!(Block::read(&bytes), Ok(Some(block)));
        assert_eq!(Block::default().to_bytes().unwrap(), [1, 0, 0]);
        for len in 0..bytes.len() {
            assert_eq!(Block::read(&bytes[..len]).unwrap_err().code, codes::BLOCK, "{len}");
        }
        assert_eq!(Block::read(&[2, 9]), Ok(None));
        assert_eq!(Block::read(&[1, 0, 0, 0]).unwrap_err().place, Place::at(3));
    }

    #[test]
    fn damaged_blocks_are_read_or_refused() {
        let bytes = all_kinds().to_bytes().unwrap();
        for at in 0..bytes.len() {
            for value in 0..=255 {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                if let Ok(Some(block)) = Block::read(&damaged) {
                    let again = Block::read(&block.to_bytes().unwrap());
                    assert_eq!(again, Ok(Some(block)));
                }
            }
        }
    }

    #[test]
    fn what_is_too_long_is_not_written() {
        let stage =
            BlockStage { inputs: vec![all_kinds().stages[0].inputs[0].clone(); 256], ..Default::default() };
        let block = Block { stages: vec![stage], transforms: vec![] };
        assert_eq!(block.to_bytes().unwrap_err().code, codes::UNWRITABLE);
    }
}
