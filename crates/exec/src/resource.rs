//! What a program can be bound to: constant buffers, textures, samplers, buffers, and views that it writes.

use shaderport_dxbc::program::ResourceDimension;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A bound register: its number and, in shader model 5.1, its space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Register space; 0 before shader model 5.1.
    pub space: u32,
    /// Register number.
    pub register: u32,
}

impl From<u32> for Slot {
    fn from(register: u32) -> Slot {
        Slot { space: 0, register }
    }
}

/// A constant buffer: rows of four 32-bit words. What is read beyond its end is 0 (7.5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantBuffer {
    pub(crate) rows: Vec<[u32; 4]>,
}

impl ConstantBuffer {
    /// From bytes; a last row that is not whole is filled up with 0.
    pub fn from_bytes(bytes: &[u8]) -> ConstantBuffer {
        let row = |chunk: &[u8]| {
            let mut row = [0; 16];
            row[..chunk.len()].copy_from_slice(chunk);
            let word = |n: usize| u32::from_le_bytes([row[n], row[n + 1], row[n + 2], row[n + 3]]);
            [word(0), word(4), word(8), word(12)]
        };
        ConstantBuffer { rows: bytes.chunks(16).map(row).collect() }
    }

    /// From whole rows.
    pub fn from_rows(rows: Vec<[u32; 4]>) -> ConstantBuffer {
        ConstantBuffer { rows }
    }

    /// The rows.
    pub fn rows(&self) -> &[[u32; 4]] {
        &self.rows
    }
}

/// What the texels of a [`Texture`] or a typed buffer are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TexelKind {
    /// Floats, also those that normalized formats decode to.
    #[default]
    Float,
    /// Signed integers.
    Sint,
    /// Unsigned integers.
    Uint,
}

impl TexelKind {
    /// Lane `w` of a format that lacks it (19.1.3.3).
    pub(crate) fn one(self) -> u32 {
        if self == TexelKind::Float { 1f32.to_bits() } else { 1 }
    }

    /// A texel with the lanes that are not present set to their defaults (19.1.3.3).
    fn with_defaults(self, present: u8, texel: [u32; 4]) -> [u32; 4] {
        let defaults = [0, 0, 0, self.one()];
        std::array::from_fn(|n| if present >> n & 1 != 0 { texel[n] } else { defaults[n] })
    }
}

/// The precision that a reference value is brought to before it is compared with texels (22.4.19).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthFormat {
    /// A float, compared as it is.
    #[default]
    Float,
    /// A normalized integer of so many bits, up to 24.
    Unorm(u8),
}

/// A texture: texels of four 32-bit lanes, decoded from whatever format.
///
/// ```
/// use shaderport_dxbc::program::ResourceDimension;
/// use shaderport_exec::Texture;
///
/// let white = [1f32.to_bits(); 4];
/// let texture = Texture::new(ResourceDimension::Texture2D, [2, 2, 1], 1, vec![vec![white; 4], vec![white]]);
/// assert!(texture.is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    pub(crate) dimension: ResourceDimension,
    pub(crate) size: [u32; 3],
    pub(crate) layers: u32,
    pub(crate) samples: u32,
    pub(crate) levels: Vec<Vec<[u32; 4]>>,
    /// What the texels are.
    pub kind: TexelKind,
    /// The lanes that the format has, bit 0 for x. Reads out of bounds give 0 there and the default elsewhere.
    pub present: u8,
    /// The precision of comparisons.
    pub depth: DepthFormat,
}

impl Texture {
    /// A texture of floats with all four lanes.
    ///
    /// `size` is that of level 0: width, height (1 for 1D) and depth (1 but for 3D). `layers` counts array
    /// elements and cube faces (+x -x +y -y +z -z of each cube). A level lists its texels with x fastest, then
    /// y, z and the layer; each level is half as large as the one before, rounded down, and at least 1.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn new(
        dimension: ResourceDimension,
        size: [u32; 3],
        layers: u32,
        levels: Vec<Vec<[u32; 4]>>,
    ) -> Result<Texture, String> {
        Self::multisampled(dimension, size, layers, 1, levels)
    }

    /// The same with `samples` samples a texel, side by side.
    ///
    /// # Errors
    /// Says what does not fit.
    pub fn multisampled(
        dimension: ResourceDimension,
        size: [u32; 3],
        layers: u32,
        samples: u32,
        levels: Vec<Vec<[u32; 4]>>,
    ) -> Result<Texture, String> {
        use ResourceDimension::*;
        let axes = match dimension {
            Texture1D | Texture1DArray => 1,
            Texture2D | Texture2DArray | Texture2DMs | Texture2DMsArray | TextureCube | TextureCubeArray => 2,
            Texture3D => 3,
            other => return Err(format!("{} is no texture", other.name())),
        };
        let cube = matches!(dimension, TextureCube | TextureCubeArray);
        let array =
            matches!(dimension, Texture1DArray | Texture2DArray | Texture2DMsArray | TextureCubeArray);
        if size[..axes].contains(&0) || size[axes..].iter().any(|&n| n != 1) {
            return Err(format!("a {} cannot be of size {size:?}", dimension.name()));
        }
        if cube && (size[0] != size[1] || layers == 0 || !layers.is_multiple_of(6)) {
            return Err("a cube needs square faces, six for each".into());
        }
        if layers == 0 || !array && layers != if cube { 6 } else { 1 } {
            return Err(format!("a {} cannot have {layers} layers", dimension.name()));
        }
        let multisampled = matches!(dimension, Texture2DMs | Texture2DMsArray);
        if samples == 0 || !multisampled && samples != 1 || multisampled && levels.len() != 1 {
            return Err("only multisampled textures have several samples, and these one level".into());
        }
        let texture = Texture {
            dimension,
            size,
            layers,
            samples,
            levels,
            kind: TexelKind::Float,
            present: 15,
            depth: DepthFormat::Float,
        };
        let most = size.iter().fold(1, |most, n| most.max(32 - n.leading_zeros())) as usize;
        if texture.levels.is_empty() || texture.levels.len() > most {
            return Err(format!("{size:?} has 1 to {most} levels, not {}", texture.levels.len()));
        }
        for (n, level) in texture.levels.iter().enumerate() {
            let size = texture.level_size(n);
            let count =
                size.iter().chain([&layers, &samples]).fold(1u64, |all, &n| all.saturating_mul(n.into()));
            if level.len() as u64 != count {
                return Err(format!("level {n} needs {count} texels, not {}", level.len()));
            }
        }
        Ok(texture)
    }

    /// Width, height and depth of a level.
    pub fn level_size(&self, level: usize) -> [u32; 3] {
        self.size.map(|n| (n >> level.min(31)).max(1))
    }

    /// Number of levels.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Texels of a level, in the order of [`Texture::new`].
    ///
    /// # Panics
    /// If there is no such level.
    pub fn level(&self, level: usize) -> &[[u32; 4]] {
        &self.levels[level]
    }

    /// Array elements and faces.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// Kind of texture.
    pub fn dimension(&self) -> ResourceDimension {
        self.dimension
    }

    pub(crate) fn is_cube(&self) -> bool {
        matches!(self.dimension, ResourceDimension::TextureCube | ResourceDimension::TextureCubeArray)
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        use ResourceDimension::*;
        matches!(self.dimension, Texture1DArray | Texture2DArray | Texture2DMsArray | TextureCubeArray)
    }

    /// Coordinates within a layer (two for a cube's face).
    pub fn axes(&self) -> usize {
        use ResourceDimension::*;
        match self.dimension {
            Texture1D | Texture1DArray => 1,
            Texture3D => 3,
            _ => 2,
        }
    }

    /// One texel, or `None` outside.
    pub(crate) fn texel(&self, level: usize, layer: u32, at: [u32; 3], sample: u32) -> Option<[u32; 4]> {
        self.levels.get(level)?.get(self.index(level, layer, at, sample)?).copied()
    }

    /// Where a texel stands in its level.
    fn index(&self, level: usize, layer: u32, at: [u32; 3], sample: u32) -> Option<usize> {
        let [w, h, d] = self.level_size(level);
        if at[0] >= w || at[1] >= h || at[2] >= d || layer >= self.layers || sample >= self.samples {
            return None;
        }
        let [w, h, d, s] = [w, h, d, self.samples].map(|n| n as usize);
        let [x, y, z] = at.map(|n| n as usize);
        Some((((layer as usize * d + z) * h + y) * w + x) * s + sample as usize)
    }

    /// Layer and place that integers address, as `ld` has them (22.4.6).
    pub(crate) fn place(&self, address: [u32; 4], offset: [i32; 3]) -> (u32, [u32; 3]) {
        let axes = self.axes();
        let at =
            std::array::from_fn(|n| if n < axes { address[n].wrapping_add_signed(offset[n]) } else { 0 });
        let layer = match self.dimension {
            ResourceDimension::Texture1DArray => address[1],
            ResourceDimension::Texture2DArray | ResourceDimension::Texture2DMsArray => address[2],
            _ => 0,
        };
        (layer, at)
    }

    /// `texel` with the lanes that the format lacks set to their defaults (19.1.3.3).
    pub(crate) fn with_defaults(&self, texel: [u32; 4]) -> [u32; 4] {
        self.kind.with_defaults(self.present, texel)
    }
}

/// Filtering within a level or between levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The nearest.
    #[default]
    Point,
    /// Linear.
    Linear,
}

/// What stands outside of a texture (7.18.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Address {
    /// The texture again.
    Wrap,
    /// The texture again, every other time mirrored.
    Mirror,
    /// The texel at the edge.
    #[default]
    Clamp,
    /// The border colour.
    Border,
    /// The texture mirrored once, then the texel at the edge.
    MirrorOnce,
}

/// `reference OP texel` (17.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    #[default]
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Comparison {
    pub(crate) fn passes(self, reference: f32, texel: f32) -> bool {
        match self {
            Comparison::Never => false,
            Comparison::Less => reference < texel,
            Comparison::Equal => reference == texel,
            Comparison::LessEqual => reference <= texel,
            Comparison::Greater => reference > texel,
            Comparison::NotEqual => reference != texel,
            Comparison::GreaterEqual => reference >= texel,
            Comparison::Always => true,
        }
    }
}

/// Sampler state (7.18.3). The default is point filtering, clamped. Anisotropy is not modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Within a level, where the texture is magnified.
    pub mag: Filter,
    /// Within a level, where it is not.
    pub min: Filter,
    /// Between levels.
    pub mip: Filter,
    /// Along u, v and w.
    pub address: [Address; 3],
    /// Colour outside of the texture, as bits of the texture's kind.
    pub border: [u32; 4],
    /// For the comparing instructions.
    pub comparison: Comparison,
    /// Added to every level of detail.
    pub lod_bias: f32,
    /// Least level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
}

impl Default for Sampler {
    fn default() -> Sampler {
        Sampler {
            mag: Filter::Point,
            min: Filter::Point,
            mip: Filter::Point,
            address: [Address::Clamp; 3],
            border: [0; 4],
            comparison: Comparison::Never,
            lod_bias: 0.0,
            min_lod: -f32::MAX,
            max_lod: f32::MAX,
        }
    }
}

/// What stands behind a `t` register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A texture.
    Texture(Texture),
    /// A typed buffer: texels as a format decodes them, and their kind.
    Typed(Vec<[u32; 4]>, TexelKind),
    /// A buffer of 32-bit words that is addressed by bytes.
    Raw(Vec<u32>),
    /// A buffer of structures.
    Structured {
        /// Bytes from one structure to the next, a multiple of 4.
        stride: u32,
        /// The words.
        words: Vec<u32>,
    },
}

impl Resource {
    /// What stands there, as a declaration names it.
    pub fn dimension(&self) -> ResourceDimension {
        match self {
            Resource::Texture(texture) => texture.dimension(),
            Resource::Typed(..) => ResourceDimension::Buffer,
            Resource::Raw(_) => ResourceDimension::RawBuffer,
            Resource::Structured { .. } => ResourceDimension::StructuredBuffer,
        }
    }

    /// All words: of texels, those of their lanes; of a texture, level 0.
    pub(crate) fn words(&self) -> &[u32] {
        match self {
            Resource::Raw(words) | Resource::Structured { words, .. } => words,
            Resource::Typed(texels, _) => texels.as_flattened(),
            Resource::Texture(texture) => texture.levels.first().map_or(&[], |level| level.as_flattened()),
        }
    }

    /// The same, to be written.
    pub(crate) fn words_mut(&mut self) -> &mut [u32] {
        match self {
            Resource::Raw(words) | Resource::Structured { words, .. } => words,
            Resource::Typed(texels, _) => texels.as_flattened_mut(),
            Resource::Texture(texture) => {
                texture.levels.first_mut().map_or(&mut [], |level| level.as_flattened_mut())
            }
        }
    }

    /// Which of [`Resource::words`] an address names: four from there on, or the lanes of a texel. `None` for what lies
    /// outside, beyond a structure, or in no lane of the format. Of bytes the low two bits do not count.
    pub(crate) fn places(&self, address: [u32; 4]) -> [Option<usize>; 4] {
        let lanes = |texel: usize| std::array::from_fn(|n| texel.checked_mul(4)?.checked_add(n));
        let places: [Option<usize>; 4] = match self {
            Resource::Raw(_) => std::array::from_fn(|n| (address[0] as usize >> 2).checked_add(n)),
            Resource::Structured { stride, .. } => std::array::from_fn(|n| {
                let (words, within) = (u64::from(stride >> 2), u64::from(address[1] >> 2) + n as u64);
                let word = u64::from(address[0]) * words + within;
                usize::try_from(word).ok().filter(|_| within < words)
            }),
            Resource::Typed(..) => lanes(address[0] as usize),
            Resource::Texture(texture) => {
                let (layer, at) = texture.place(address, [0; 3]);
                let texel = texture.index(0, layer, at, 0);
                let lanes = texel.map_or([None; 4], lanes);
                std::array::from_fn(|n| lanes[n].filter(|_| texture.present >> n & 1 != 0))
            }
        };
        let count = self.words().len();
        places.map(|place| place.filter(|&place| place < count))
    }

    /// The numbers of an address that count (7.13).
    pub(crate) fn address(&self, [x, y, z, _]: [u32; 4]) -> Vec<u32> {
        match self {
            Resource::Raw(_) => vec![x & !3],
            Resource::Structured { .. } => vec![x, y & !3],
            Resource::Typed(..) => vec![x],
            Resource::Texture(texture) => {
                [x, y, z][..(texture.axes() + usize::from(texture.is_array())).min(3)].to_vec()
            }
        }
    }
}

/// What stands behind a `u` register: memory that shaders write (5.3.9).
///
/// Texels have 32 bits in each lane, which are stored as they come; lanes that the format lacks
/// ([`Texture::present`], [`View::present`]) are not stored, and loaded as 0, 0, 0, 1. What another format would make of them (fewer bits, the clamped fractions of
/// `unorm` and `snorm`) is for whoever binds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The memory. A texture has one level, which is the view's.
    pub resource: Resource,
    /// The hidden counter of a structured buffer (22.17.17).
    pub counter: u32,
    /// The lanes that a typed buffer's format has, bit 0 for x. A texture says so itself.
    pub present: u8,
}

impl View {
    /// [`Resource::places`], less what the format lacks.
    pub(crate) fn places(&self, address: [u32; 4]) -> [Option<usize>; 4] {
        let places = self.resource.places(address);
        match self.resource {
            Resource::Typed(..) => std::array::from_fn(|n| places[n].filter(|_| self.present >> n & 1 != 0)),
            _ => places,
        }
    }

    /// Words with the lanes that the format lacks set to their defaults (19.1.3.3).
    pub(crate) fn with_defaults(&self, words: [u32; 4]) -> [u32; 4] {
        match &self.resource {
            Resource::Texture(texture) => texture.with_defaults(words),
            Resource::Typed(_, kind) => kind.with_defaults(self.present, words),
            _ => words,
        }
    }
}

impl From<Resource> for View {
    /// With a counter of 0, and a format of all four lanes.
    fn from(resource: Resource) -> View {
        View { resource, counter: 0, present: 15 }
    }
}

/// The views that are bound for a draw. Every run goes on with what the runs before it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// By `u` register. Of one that is missing 0 is read, and what is written to it is lost.
    pub slots: BTreeMap<Slot, View>,
}

impl Views {
    /// Binds a view.
    pub fn view(mut self, slot: impl Into<Slot>, view: impl Into<View>) -> Views {
        self.slots.insert(slot.into(), view.into());
        self
    }

    /// What is bound.
    pub fn get(&self, slot: impl Into<Slot>) -> Option<&View> {
        self.slots.get(&slot.into())
    }
}

/// A class instance that is bound to an interface (7.19.6): whose functions are called, and where its members are. All
/// but the table is what the shader reads as `this[]` (22.7.20), whose lanes are here in the order of Microsoft's compiler;
/// the specification's text has the last two the other way round, its example does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// The function table `ft#`; the interface's declaration lists which it takes.
    pub table: u32,
    /// The constant buffer that holds the members.
    pub buffer: u32,
    /// The row where they begin.
    pub offset: u32,
    /// Register of the first texture among the members.
    pub texture: u32,
    /// Register of the first sampler among the members.
    pub sampler: u32,
}

/// Everything that is bound for a draw and only read; all invocations share it.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Constant buffers by `b` register.
    pub constants: BTreeMap<Slot, Arc<ConstantBuffer>>,
    /// Textures and buffers by `t` register.
    pub resources: BTreeMap<Slot, Arc<Resource>>,
    /// Samplers by `s` register; one that is missing is [`Sampler::default`].
    pub samplers: BTreeMap<Slot, Sampler>,
    /// Class instances by the number of their interface: that of `fp#`, and in an array the element added. Where one is
    /// missing, calls are passed over.
    pub interfaces: BTreeMap<u32, Instance>,
    /// Samples a pixel of the render targets, for `sampleinfo rasterizer`; 0 counts as 1.
    pub rasterizer_samples: u32,
}

impl Bindings {
    /// Binds a constant buffer.
    pub fn constants(mut self, slot: impl Into<Slot>, buffer: ConstantBuffer) -> Bindings {
        self.constants.insert(slot.into(), Arc::new(buffer));
        self
    }

    /// Binds a texture or buffer.
    pub fn resource(mut self, slot: impl Into<Slot>, resource: Resource) -> Bindings {
        self.resources.insert(slot.into(), Arc::new(resource));
        self
    }

    /// Binds a class instance to an interface.
    pub fn interface(mut self, number: u32, instance: Instance) -> Bindings {
        self.interfaces.insert(number, instance);
        self
    }

    /// Binds a sampler.
    pub fn sampler(mut self, slot: impl Into<Slot>, sampler: Sampler) -> Bindings {
        self.samplers.insert(slot.into(), sampler);
        self
    }
}
