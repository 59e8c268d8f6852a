//! What to draw, as plain data: a [`Job`] crosses process boundaries bit for bit.

use serde::{Deserialize, Serialize};
pub use shaderport_gl_harness::{Compare, Data, Depth, Filter, Kind, Sampler, Target, Wrap};

/// One draw of points, with all that it reads and what it should hand back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The vertex shader: a module with the entry point `main`.
    pub vertex: Vec<u32>,
    /// The fragment shader. Without one nothing is drawn, so that only the capture comes back.
    pub fragment: Option<Vec<u32>>,
    /// What the modules read, by its binding in set 0.
    pub descriptors: Vec<(u32, Descriptor)>,
    /// Vertex inputs.
    pub attributes: Vec<Attribute>,
    /// Points to draw.
    pub vertices: u32,
    /// Width and height of the targets.
    pub size: [u32; 2],
    /// Color attachments, by location.
    pub targets: Vec<Target>,
    /// Bits of each component of each target before the draw.
    pub clear: [u32; 4],
    /// Depth buffer, if there is one.
    pub depth: Option<Depth>,
    /// Words that the vertex shader captures of each vertex in buffer 0 of transform feedback.
    pub captured_words: u32,
}

/// One vertex input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// Location.
    pub location: u32,
    /// Components a vertex, 1 to 4.
    pub size: u8,
    /// The components, vertex after vertex.
    pub data: Data,
}

/// Something bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Descriptor {
    /// A uniform buffer of these words.
    Uniform(Vec<u32>),
    /// A uniform texel buffer of one or four words a texel.
    Texels {
        /// Words a texel, 1 or 4.
        size: u8,
        /// The texels.
        data: Data,
    },
    /// An image to sample.
    Image(Image),
    /// A sampler. Without [`Sampler::mip`] it reads level 0 alone.
    Sampler(Sampler),
}

/// The kind of an image, hence which types of SPIR-V read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dimension {
    /// One axis.
    D1,
    /// Layers of one axis.
    D1Array,
    /// Two axes.
    D2,
    /// Layers of two axes.
    D2Array,
    /// Three axes.
    D3,
    /// Six layers, +x -x +y -y +z -z.
    Cube,
    /// Layers of six faces each.
    CubeArray,
}

/// A sampled image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Kind of image.
    pub dimension: Dimension,
    /// What a texel's words are; there are four.
    pub kind: Kind,
    /// Instead, each texel is one float in a depth format.
    pub depth: bool,
    /// Width, height and depth of level 0.
    pub size: [u32; 3],
    /// Layers, each face of a cube counted.
    pub layers: u32,
    /// The words of each level: x fastest, then y, z and the layer.
    pub levels: Vec<Vec<u32>>,
}

/// What a [`Job`] left behind, as raw bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The pixels of each target, top row first. Unused targets have none.
    pub pixels: Vec<Vec<[u32; 4]>>,
    /// The depth buffer in the same order; empty when the job has none.
    pub depth: Vec<u32>,
    /// For each vertex the words that were captured.
    pub captured: Vec<Vec<u32>>,
}
