//! What to draw, as plain data: a [`Job`] crosses process boundaries bit for bit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Numbers for a uniform or an attribute, kept as bits so that NaN payloads and denormals survive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Data {
    /// How the shader reads the bits.
    pub kind: Kind,
    /// One element a component.
    pub bits: Vec<u32>,
}

/// The scalar type of [`Data`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// 32-bit floats.
    Float,
    /// Signed integers; also booleans.
    Int,
    /// Unsigned integers.
    Uint,
}

impl Data {
    /// Floats.
    pub fn floats(values: &[f32]) -> Data {
        Data { kind: Kind::Float, bits: values.iter().map(|v| v.to_bits()).collect() }
    }

    /// Floats given by their bits.
    pub fn float_bits(bits: &[u32]) -> Data {
        Data { kind: Kind::Float, bits: bits.to_vec() }
    }

    /// Signed integers.
    pub fn ints(values: &[i32]) -> Data {
        Data { kind: Kind::Int, bits: values.iter().map(|&v| v as u32).collect() }
    }

    /// Unsigned integers.
    pub fn uints(values: &[u32]) -> Data {
        Data { kind: Kind::Uint, bits: values.to_vec() }
    }
}

/// One vertex attribute, tightly packed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Components a vertex, 1 to 4.
    pub size: u8,
    /// Vertices divided by this share an element; 0 is one element a vertex.
    #[serde(default)]
    pub divisor: u32,
    /// The components, vertex after vertex. Integers go to integer attributes unconverted.
    pub data: Data,
}

impl Attribute {
    /// `size` components a vertex.
    pub fn new(size: u8, data: Data) -> Attribute {
        Attribute { size, divisor: 0, data }
    }
}

/// Which kind of texture, hence which sampler types read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// `sampler2D` and its like.
    D2,
    /// `sampler3D` and its like.
    D3,
    /// `samplerCube` and its like; a level holds the six faces +x -x +y -y +z -z.
    Cube,
    /// `sampler2DArray` and its like.
    D2Array,
}

/// Sized texture formats. The bytes of a level have the layout that WebGL2 uploads without conversion.
#[allow(missing_docs, reason = "the names are those of GL")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    R8,
    R8Snorm,
    R8Ui,
    R8I,
    Rg8,
    Rg8Snorm,
    Rgba8,
    Rgba8Snorm,
    Rgba8Ui,
    Rgba8I,
    Srgb8Alpha8,
    Rgb10A2,
    Rgb10A2Ui,
    R11fG11fB10f,
    Rgb9E5,
    R16f,
    Rg16f,
    Rgba16f,
    R16Ui,
    R16I,
    Rgba16Ui,
    Rgba16I,
    R32f,
    Rg32f,
    Rgb32f,
    Rgba32f,
    R32Ui,
    R32I,
    Rg32Ui,
    Rg32I,
    Rgba32Ui,
    Rgba32I,
    Depth16,
    Depth32f,
}

/// A texture with its sampler.
///
/// A texture that GL calls incomplete reads as (0, 0, 0, 1) without an error: integer formats and unfiltered
/// float formats need [`Filter::Nearest`], as do depth formats without [`Sampler::compare`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texture {
    /// Kind of texture.
    pub dimension: Dimension,
    /// Format of every level.
    pub format: Format,
    /// Width, height and depth or layers of level 0; the last is 1 for 2D and cube textures.
    pub size: [u32; 3],
    /// The texels of each level, row 0 (t = 0) first, without padding.
    #[serde(with = "hex_list")]
    pub levels: Vec<Vec<u8>>,
    /// How it is read.
    pub sampler: Sampler,
}

impl Texture {
    /// A 2D texture of one level, read with the default [`Sampler`].
    pub fn new_2d(format: Format, width: u32, height: u32, texels: Vec<u8>) -> Texture {
        Texture {
            dimension: Dimension::D2,
            format,
            size: [width, height, 1],
            levels: vec![texels],
            sampler: Sampler::default(),
        }
    }

    /// The same texture read with `sampler`.
    pub fn sampled(self, sampler: Sampler) -> Texture {
        Texture { sampler, ..self }
    }
}

/// Sampler state. The default is nearest filtering, clamped, without comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sampler {
    /// Magnification.
    pub mag: Filter,
    /// Minification within a level.
    pub min: Filter,
    /// Between levels; `None` reads level 0 alone.
    pub mip: Option<Filter>,
    /// Along s, t and r.
    pub wrap: [Wrap; 3],
    /// Comparison, for shadow samplers.
    pub compare: Option<Compare>,
    /// Least and greatest level of detail.
    pub lod: [f32; 2],
}

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler {
            mag: Filter::Nearest,
            min: Filter::Nearest,
            mip: None,
            wrap: [Wrap::Clamp; 3],
            compare: None,
            lod: [-1000.0, 1000.0],
        }
    }
}

/// Filtering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// The nearest texel or level.
    Nearest,
    /// Linear between texels or levels.
    Linear,
}

/// Addressing outside of 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrap {
    /// To the edge.
    Clamp,
    /// Repeated.
    Repeat,
    /// Repeated, every other one mirrored.
    Mirror,
}

/// Comparisons of depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Never passes.
    Never,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// Always passes.
    Always,
}

/// Primitive type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Single points.
    Points,
    /// Separate lines.
    Lines,
    /// Separate triangles.
    #[default]
    Triangles,
    /// A strip of triangles.
    TriangleStrip,
}

/// A color attachment, or its absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Four floats.
    Rgba32f,
    /// Four signed integers.
    Rgba32i,
    /// Four unsigned integers.
    Rgba32ui,
    /// Nothing at this location.
    Unused,
}

/// A 32-bit float depth buffer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// Value before the draw.
    pub clear: f32,
    /// Test; what passes is written.
    pub test: Compare,
}

/// One draw, with all that it reads and what it should hand back.
///
/// Whatever the linked program uses must be given here by its GLSL name, else the draw is an error; names that
/// the program does not have, or that its compiler removed, are ignored. An array of samplers takes one entry
/// an element, `name[0]` and so on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Job {
    /// Vertex shader.
    pub vertex: String,
    /// Fragment shader.
    pub fragment: String,
    /// Bytes of the uniform blocks, by block name; at least as many as the block is long.
    #[serde(with = "hex_map")]
    pub blocks: BTreeMap<String, Vec<u8>>,
    /// Textures, by the name of the sampler uniform.
    pub textures: BTreeMap<String, Texture>,
    /// Uniforms outside of blocks. Arrays are given whole, without `[0]`.
    pub uniforms: BTreeMap<String, Data>,
    /// Vertex attributes.
    pub attributes: BTreeMap<String, Attribute>,
    /// Primitive type.
    pub mode: Mode,
    /// Vertices to draw.
    pub vertices: u32,
    /// Instances to draw; 0 counts as 1.
    pub instances: u32,
    /// Width and height of the targets; 0 counts as 1.
    pub size: [u32; 2],
    /// Color attachments, by location.
    pub targets: Vec<Target>,
    /// Bits of each component of each target before the draw.
    pub clear: [u32; 4],
    /// Depth buffer, if there is one.
    pub depth: Option<Depth>,
    /// Clip distances to enable, from the first on.
    pub clip_distances: u32,
    /// Vertex outputs to capture, `gl_Position` among them; not from strips.
    pub capture: Vec<String>,
}

/// A vertex shader without inputs or outputs whose three vertices cover every pixel, for [`Job::fullscreen`].
pub const FULLSCREEN_VERTEX: &str = "#version 300 es
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
";

/// A fragment shader that does nothing, for [`Job::capture`].
pub const EMPTY_FRAGMENT: &str = "#version 300 es
void main() {}
";

impl Job {
    /// Runs `fragment` once for each pixel of one `target`, by way of [`FULLSCREEN_VERTEX`].
    pub fn fullscreen(fragment: impl Into<String>, target: Target, size: [u32; 2]) -> Job {
        Job {
            vertex: FULLSCREEN_VERTEX.into(),
            fragment: fragment.into(),
            vertices: 3,
            size,
            targets: vec![target],
            ..Job::default()
        }
    }

    /// Runs `vertex` on `vertices` points and captures `outputs`, with [`EMPTY_FRAGMENT`] behind.
    pub fn vertex_outputs(vertex: impl Into<String>, vertices: u32, outputs: &[&str]) -> Job {
        Job {
            vertex: vertex.into(),
            fragment: EMPTY_FRAGMENT.into(),
            mode: Mode::Points,
            vertices,
            capture: outputs.iter().map(|&name| name.into()).collect(),
            ..Job::default()
        }
    }

    /// Adds a uniform block.
    pub fn block(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Job {
        self.blocks.insert(name.into(), bytes.into());
        self
    }

    /// Adds a texture.
    pub fn texture(mut self, name: &str, texture: Texture) -> Job {
        self.textures.insert(name.into(), texture);
        self
    }

    /// Adds a uniform.
    pub fn uniform(mut self, name: &str, data: Data) -> Job {
        self.uniforms.insert(name.into(), data);
        self
    }

    /// Adds an attribute of `size` components.
    pub fn attribute(mut self, name: &str, size: u8, data: Data) -> Job {
        self.attributes.insert(name.into(), Attribute::new(size, data));
        self
    }
}

/// What a [`Job`] left behind, as raw bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The pixels of each target, in GL's order: bottom row first. Unused targets have none.
    pub pixels: Vec<Vec<[u32; 4]>>,
    /// The depth buffer in the same order; empty when the job has none.
    pub depth: Vec<u32>,
    /// The captured outputs by name: for each vertex of each whole primitive its components.
    pub captured: BTreeMap<String, Vec<Vec<u32>>>,
}

/// Bytes as text: JSON has no better place for them, and numbers would be three times as long.
mod hex {
    pub(super) fn encode(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        bytes
            .iter()
            .flat_map(|b| [b >> 4, b & 15])
            .map(|digit| char::from(DIGITS[usize::from(digit)]))
            .collect()
    }

    pub(super) fn decode<E: serde::de::Error>(text: &str) -> Result<Vec<u8>, E> {
        let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
        text.as_bytes()
            .chunks(2)
            .map(|pair| match *pair {
                [high, low] => Some(digit(high)? << 4 | digit(low)?),
                _ => None,
            })
            .collect::<Option<_>>()
            .ok_or_else(|| E::custom("not hexadecimal bytes"))
    }
}

mod hex_list {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(list: &[Vec<u8>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(list.iter().map(|bytes| super::hex::encode(bytes)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u8>>, D::Error> {
        Vec::<String>::deserialize(from)?.iter().map(|text| super::hex::decode(text)).collect()
    }
}

mod hex_map {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<String, Vec<u8>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(map.iter().map(|(name, bytes)| (name, super::hex::encode(bytes))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<String, Vec<u8>>, D::Error> {
        BTreeMap::<String, String>::deserialize(from)?
            .into_iter()
            .map(|(name, text)| Ok((name, super::hex::decode(&text)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_survives_json_bit_for_bit() {
        let job = Job::fullscreen("void main() {}", Target::Rgba32ui, [4, 2])
            .block("Block", [0, 1, 0xFE, 0xFF])
            .uniform("u", Data::float_bits(&[0x7FA0_0001, 1]))
            .attribute("a", 2, Data::ints(&[-1, 2]))
            .texture("t", Texture::new_2d(Format::Rgba8, 1, 1, vec![1, 2, 3, 255]));
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
        assert!(serde_json::from_str::<Job>(r#"{"blocks":{"B":"0g"}}"#).is_err());
        assert!(serde_json::from_str::<Job>(r#"{"blocks":{"B":"0"}}"#).is_err());
    }
}
