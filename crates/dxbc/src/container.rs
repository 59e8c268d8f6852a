//! The DXBC container: a header, a table of chunk offsets, and the chunks.
//!
//! All numbers are little-endian:
//!
//! | byte | what |
//! |---|---|
//! | 0 | `DXBC` |
//! | 4 | checksum of everything from byte 20 on, 16 bytes (see [`crate::checksum`]) |
//! | 20 | major and minor format version, 16 bits each: 1.0 |
//! | 24 | size of the container in bytes |
//! | 28 | number of chunks |
//! | 32 | offset of each chunk's header from the start of the container, 32 bits each |
//!
//! A chunk is a four-character tag, the length of its contents in bytes, and the contents. Chunks stand in any
//! order, and neither they nor the container need be a multiple of four bytes long.

use crate::bytes::{array_at, index, u16_at, u32_at};
use crate::{FeatureFlags, Linkage, Reflection, Signature, Statistics, checksum};
use shaderport_diagnostics::codes::dxbc as codes;
use shaderport_diagnostics::{Code, Diagnostic, Place, tag_text};
use std::borrow::Cow;

/// The first four bytes of every container.
pub const MAGIC: [u8; 4] = *b"DXBC";

/// Length in bytes of the header, without the table of chunk offsets.
pub(crate) const HEADER_LEN: usize = 32;
/// Length in bytes of a chunk's tag and size.
pub(crate) const CHUNK_HEADER_LEN: usize = 8;

/// One chunk of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Four-character code.
    pub tag: [u8; 4],
    /// Offset in bytes of the chunk's header (its tag) from the start of the container.
    pub offset: u32,
    /// The contents, without the eight bytes of tag and size.
    pub data: &'a [u8],
}

impl Chunk<'_> {
    /// The place `offset` bytes into the chunk's contents.
    pub fn place(&self, offset: usize) -> Place {
        Place::in_chunk(self.tag, index(self.offset).saturating_add(CHUNK_HEADER_LEN).saturating_add(offset))
    }

    /// A finding `offset` bytes into the chunk's contents.
    pub(crate) fn finding(
        &self,
        code: Code,
        offset: usize,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).at(self.place(offset))
    }
}

/// What a container is for, by the chunks it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind<'a> {
    /// A shader of models 4.0 to 5.1, with its SHEX or SHDR chunk.
    Shader(Chunk<'a>),
    /// A shader of model 6.0 or later, with its DXIL or ILDB chunk.
    Dxil(Chunk<'a>),
    /// A serialized effect of the fx_4 and fx_5 profiles, with its FX10 chunk.
    Effect(Chunk<'a>),
    /// A function library of the lib profiles, with its LIBF or LIBH chunk.
    Library(Chunk<'a>),
    /// A serialized root signature and nothing else, with its RTS0 chunk.
    RootSignature(Chunk<'a>),
    /// None of these: there is no program.
    Unknown,
}

impl ContainerKind<'_> {
    /// Stable lower-case name, for reports.
    pub const fn name(&self) -> &'static str {
        match self {
            ContainerKind::Shader(_) => "shader",
            ContainerKind::Dxil(_) => "dxil",
            ContainerKind::Effect(_) => "effect",
            ContainerKind::Library(_) => "library",
            ContainerKind::RootSignature(_) => "root-signature",
            ContainerKind::Unknown => "unknown",
        }
    }
}

/// A container whose header and chunk table have been checked. It borrows the input and owns nothing.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    /// The container alone, without what follows it in the input.
    data: &'a [u8],
    chunk_count: u32,
    trailing_len: usize,
}

impl<'a> Container<'a> {
    /// Reads the header and checks that every chunk lies inside the container.
    ///
    /// The checksum is not looked at (see [`Container::checksum_ok`]), and neither is what the chunks contain.
    /// Input may follow the container (see [`Container::trailing_len`]).
    ///
    /// # Errors
    /// `container-magic`, `container-truncated`, `container-malformed` or `chunk-out-of-bounds`.
    pub fn parse(input: &'a [u8]) -> Result<Self, Diagnostic> {
        if array_at(input, 0) != Some(MAGIC) {
            return Err(wrong_magic(input));
        }
        let (Some(total), Some(chunk_count)) = (u32_at(input, 24), u32_at(input, 28)) else {
            return Err(Diagnostic::new(
                codes::CONTAINER_TRUNCATED,
                format!("the input has {} bytes, fewer than the 32 of a container header", input.len()),
            ));
        };
        if index(total) < HEADER_LEN {
            return Err(Diagnostic::new(
                codes::CONTAINER_MALFORMED,
                format!("the header says the container has {total} bytes, fewer than the header itself"),
            )
            .at(Place::at(24)));
        }
        let Some((data, trailing)) = input.split_at_checked(index(total)) else {
            return Err(Diagnostic::new(
                codes::CONTAINER_TRUNCATED,
                format!(
                    "the header says the container has {total} bytes, but the input ends after {}",
                    input.len()
                ),
            )
            .at(Place::at(24))
            .help("the file was cut short: fetch or build it again"));
        };
        let table_end = HEADER_LEN as u64 + u64::from(chunk_count) * 4;
        if table_end > data.len() as u64 {
            return Err(Diagnostic::new(
                codes::CONTAINER_MALFORMED,
                format!("a table of {chunk_count} chunks does not fit into a container of {total} bytes"),
            )
            .at(Place::at(28)));
        }
        let container = Container { data, chunk_count, trailing_len: trailing.len() };
        for i in 0..chunk_count {
            container.check_chunk(i, table_end)?;
        }
        Ok(container)
    }

    /// Checks the chunk of table entry `i`.
    fn check_chunk(&self, i: u32, table_end: u64) -> Result<(), Diagnostic> {
        let entry = HEADER_LEN + index(i) * 4;
        let offset = u32_at(self.data, entry).unwrap_or(u32::MAX);
        let fail =
            |place, message: String| Err(Diagnostic::new(codes::CHUNK_OUT_OF_BOUNDS, message).at(place));
        if u64::from(offset) < table_end {
            return fail(
                Place::at(entry),
                format!("chunk {i} begins at byte {offset}, inside the container's header"),
            );
        }
        let start = index(offset);
        let size_at = start.saturating_add(4);
        let (Some(tag), Some(size)) = (array_at(self.data, start), u32_at(self.data, size_at)) else {
            return fail(
                Place::at(entry),
                format!(
                    "chunk {i} begins at byte {offset}, but the container ends after {} bytes",
                    self.data.len()
                ),
            );
        };
        let end = u64::from(offset) + CHUNK_HEADER_LEN as u64 + u64::from(size);
        if end > self.data.len() as u64 {
            return fail(
                Place::in_chunk(tag, size_at),
                format!(
                    "chunk {} has {size} bytes and would end at byte {end}, but the container ends after {}",
                    tag_text(tag),
                    self.data.len()
                ),
            );
        }
        Ok(())
    }

    /// The container's bytes, without what follows it in the input.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Number of bytes that follow the container in the input.
    pub fn trailing_len(&self) -> usize {
        self.trailing_len
    }

    /// Major and minor version of the container format: (1, 0) in every file seen.
    pub fn version(&self) -> (u16, u16) {
        (u16_at(self.data, 20).unwrap_or(0), u16_at(self.data, 22).unwrap_or(0))
    }

    /// The checksum that the header stores.
    pub fn stored_checksum(&self) -> [u8; 16] {
        array_at(self.data, 4).unwrap_or_default()
    }

    /// The checksum that the contents have. Reads the whole container.
    pub fn computed_checksum(&self) -> [u8; 16] {
        checksum::of(self.data)
    }

    /// Whether the stored checksum is that of the contents. Reads the whole container.
    pub fn checksum_ok(&self) -> bool {
        self.stored_checksum() == self.computed_checksum()
    }

    /// The finding `checksum-mismatch` (a warning), unless [`Container::checksum_ok`].
    pub fn check_checksum(&self) -> Option<Diagnostic> {
        let (stored, computed) = (self.stored_checksum(), self.computed_checksum());
        if stored == computed {
            return None;
        }
        let found = Diagnostic::new(
            codes::CHECKSUM_MISMATCH,
            format!("the stored checksum is {}, but the contents have {}", hex(stored), hex(computed)),
        )
        .at(Place::at(4));
        Some(if stored == [0; 16] {
            found.note("an empty checksum marks a shader that was never signed")
        } else {
            found
        })
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> u32 {
        self.chunk_count
    }

    /// Every chunk, in the order of the chunk table.
    ///
    /// Two entries of a hostile table may name one chunk, so work over all chunks' contents is not bounded by
    /// the container's length: look chunks up by their tag where the contents matter.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'a>> + use<'a> {
        let data = self.data;
        (0..index(self.chunk_count)).map(move |i| chunk_at(data, i))
    }

    /// The first chunk of that tag in the chunk table.
    pub fn chunk(&self, tag: [u8; 4]) -> Option<Chunk<'a>> {
        self.chunks().find(|c| c.tag == tag)
    }

    /// The first chunk with the first of these tags that is present.
    fn first_of(&self, tags: &[[u8; 4]]) -> Option<Chunk<'a>> {
        tags.iter().find_map(|&tag| self.chunk(tag))
    }

    /// What the container is for. A token stream decides before anything else that lies beside it.
    pub fn kind(&self) -> ContainerKind<'a> {
        if let Some(c) = self.first_of(&[*b"SHEX", *b"SHDR"]) {
            ContainerKind::Shader(c)
        } else if let Some(c) = self.first_of(&[*b"DXIL", *b"ILDB"]) {
            ContainerKind::Dxil(c)
        } else if let Some(c) = self.chunk(*b"FX10") {
            ContainerKind::Effect(c)
        } else if let Some(c) = self.first_of(&[*b"LIBF", *b"LIBH"]) {
            ContainerKind::Library(c)
        } else if let Some(c) = self.chunk(*b"RTS0") {
            ContainerKind::RootSignature(c)
        } else {
            ContainerKind::Unknown
        }
    }

    /// The chunk that holds the program's tokens: SHEX, else SHDR. Which of the two it is does not follow the
    /// shader model.
    ///
    /// # Errors
    /// One code for each other kind of container: `container-dxil`, `container-effect`, `container-library`,
    /// `container-root-signature` or `container-no-program`.
    pub fn program_chunk(&self) -> Result<Chunk<'a>, Diagnostic> {
        let refuse = |chunk: Chunk<'_>, code, message: &'static str, help: &'static str| {
            Err(Diagnostic::new(code, message).at(Place::in_chunk(chunk.tag, index(chunk.offset))).help(help))
        };
        match self.kind() {
            ContainerKind::Shader(chunk) => Ok(chunk),
            ContainerKind::Dxil(c) => refuse(
                c,
                codes::CONTAINER_DXIL,
                "the shader is DXIL (shader model 6.0 or later)",
                "compile the source with fxc for a profile up to 5.1",
            ),
            ContainerKind::Effect(c) => refuse(
                c,
                codes::CONTAINER_EFFECT,
                "the container is an effect, not a single shader",
                "`shaderport extract` finds the shaders inside it",
            ),
            ContainerKind::Library(c) => refuse(
                c,
                codes::CONTAINER_LIBRARY,
                "the container is a function library, not a shader",
                "compile the shader for a vertex or pixel profile",
            ),
            ContainerKind::RootSignature(c) => refuse(
                c,
                codes::CONTAINER_ROOT_SIGNATURE,
                "the container is a root signature without a program",
                "translate the shaders that are used with it",
            ),
            ContainerKind::Unknown => {
                let found =
                    Diagnostic::new(codes::CONTAINER_NO_PROGRAM, "the container has no SHEX or SHDR chunk");
                // A hostile table may be long; a handful of names says what the file is.
                let tags: Vec<_> = self.chunks().take(16).map(|c| tag_text(c.tag)).collect();
                Err(if tags.is_empty() {
                    found.note("it has no chunks at all")
                } else {
                    found.note(format!("its chunks are {}", tags.join(", ")))
                })
            }
        }
    }

    /// The input signature: of ISGN, else ISG1. `None` if the container has neither.
    ///
    /// # Errors
    /// `signature-malformed`.
    pub fn input_signature(&self) -> Result<Option<Signature<'a>>, Diagnostic> {
        self.signature(&[*b"ISGN", *b"ISG1"])
    }

    /// The output signature: of OSGN, else OSG1, else OSG5. `None` if the container has none of them.
    ///
    /// # Errors
    /// `signature-malformed`.
    pub fn output_signature(&self) -> Result<Option<Signature<'a>>, Diagnostic> {
        self.signature(&[*b"OSGN", *b"OSG1", *b"OSG5"])
    }

    /// The patch constant signature of a hull or domain shader: of PCSG, else PSG1. `None` if the container has
    /// neither.
    ///
    /// # Errors
    /// `signature-malformed`.
    pub fn patch_constant_signature(&self) -> Result<Option<Signature<'a>>, Diagnostic> {
        self.signature(&[*b"PCSG", *b"PSG1"])
    }

    fn signature(&self, tags: &[[u8; 4]]) -> Result<Option<Signature<'a>>, Diagnostic> {
        self.first_of(tags).map(|c| Signature::parse(&c)).transpose()
    }

    /// The reflection data of RDEF. `None` if it was stripped.
    ///
    /// # Errors
    /// `reflection-malformed`, a warning: the program does not depend on it.
    pub fn reflection(&self) -> Result<Option<Reflection<'a>>, Diagnostic> {
        self.chunk(*b"RDEF").map(Reflection::parse).transpose()
    }

    /// Classes and interfaces of IFCE. `None` if there are none.
    ///
    /// # Errors
    /// `linkage-malformed`, a warning: the program does not depend on it.
    pub fn linkage(&self) -> Result<Option<Linkage<'a>>, Diagnostic> {
        self.chunk(*b"IFCE").map(Linkage::parse).transpose()
    }

    /// The compiler's statistics of STAT. `None` if they were stripped.
    ///
    /// # Errors
    /// `stat-malformed`, a warning: nothing else depends on them.
    pub fn statistics(&self) -> Result<Option<Statistics>, Diagnostic> {
        self.chunk(*b"STAT").map(|c| Statistics::parse(&c)).transpose()
    }

    /// The optional features of SFI0. `None` if the container has no such chunk, which then needs none.
    ///
    /// # Errors
    /// `features-malformed`, a warning.
    pub fn feature_flags(&self) -> Result<Option<FeatureFlags>, Diagnostic> {
        self.chunk(*b"SFI0").map(|c| FeatureFlags::parse(&c)).transpose()
    }
}

/// The chunk of table entry `i`, which [`Container::parse`] has checked.
fn chunk_at(data: &[u8], i: usize) -> Chunk<'_> {
    let offset = u32_at(data, HEADER_LEN + i * 4).unwrap_or(u32::MAX);
    let tail = data.get(index(offset)..).unwrap_or_default();
    let size = u32_at(tail, 4).unwrap_or(0);
    let contents = tail.get(CHUNK_HEADER_LEN..).and_then(|t| t.get(..index(size)));
    Chunk { tag: array_at(tail, 0).unwrap_or_default(), offset, data: contents.unwrap_or_default() }
}

/// Says what the input is instead, where its first bytes tell.
fn wrong_magic(input: &[u8]) -> Diagnostic {
    if input.is_empty() {
        return Diagnostic::new(codes::CONTAINER_MAGIC, "the input is empty");
    }
    let found =
        Diagnostic::new(codes::CONTAINER_MAGIC, "the input does not begin with DXBC").at(Place::at(0));
    // Direct3D 9 byte code begins with minor and major version, then 0xFFFE (vertex) or 0xFFFF (pixel).
    match u32_at(input, 0) {
        Some(0x0723_0203) => found.note("it begins like a SPIR-V module"),
        // The effects of fx_5_0 and of fx_2_0 stand alone, those of fx_4_0 in a container.
        Some(0xfeff_2001 | 0xfeff_0901) => {
            found.note("it begins like an effect that stands alone (fx_2_0 or fx_5_0)")
        }
        Some(v) if v >> 17 == 0x7fff && (1..=3).contains(&(v >> 8 & 0xff)) => {
            found.note("it begins like Direct3D 9 byte code (shader model 1 to 3)")
        }
        _ => found.help(
            "compile HLSL source with fxc; pick containers out of a larger file with `shaderport extract`",
        ),
    }
}

fn hex(bytes: [u8; 16]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What is known of a chunk tag: one line, for reports. `None` for a tag without a published meaning.
pub fn describe_chunk(tag: [u8; 4]) -> Option<&'static str> {
    Some(match &tag {
        b"SHDR" => "program tokens, shader model 4",
        b"SHEX" => "program tokens, shader model 5",
        b"ISGN" => "input signature",
        b"ISG1" => "input signature with minimum precisions",
        b"OSGN" => "output signature",
        b"OSG5" => "output signature with streams",
        b"OSG1" => "output signature with streams and minimum precisions",
        b"PCSG" => "patch constant signature",
        b"PSG1" => "patch constant signature with minimum precisions",
        b"RDEF" => "reflection: constant buffers, variables, resource bindings",
        b"STAT" => "compiler statistics",
        b"SFI0" => "optional features that the shader needs",
        b"IFCE" => "interface slots for dynamic linking",
        b"Aon9" => "Direct3D 9 byte code of the level_9 profiles",
        b"XNAS" => "XNA shader byte code",
        b"XNAP" => "XNA shader parameters",
        b"RTS0" => "root signature",
        b"SDBG" => "debug information, old format",
        b"SPDB" => "debug information, program database",
        b"PRIV" => "private data of the application",
        b"DXIL" => "program as DXIL, shader model 6",
        b"ILDB" => "program as DXIL with debug information",
        b"ILDN" => "name of the debug information file",
        b"HASH" => "hash of the program",
        b"PSV0" => "pipeline state validation data, shader model 6",
        b"RDAT" => "run-time data of a library, shader model 6",
        b"VERS" => "compiler version, shader model 6",
        b"SRCI" => "source information, shader model 6",
        b"FX10" => "effect of the fx_4 and fx_5 profiles",
        b"LIBF" => "function of a library",
        b"LIBH" => "header of a library",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::container;

    fn code(input: &[u8]) -> &'static str {
        Container::parse(input).unwrap_err().code.name()
    }

    fn patched(mut bytes: Vec<u8>, word: usize, value: u32) -> Vec<u8> {
        bytes[word * 4..word * 4 + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    }

    #[test]
    fn chunks_of_any_length_in_any_order() {
        let mut bytes = container(&[(*b"SHEX", vec![1, 2, 3]), (*b"RTS0", vec![]), (*b"SHEX", vec![9])]);
        let total = bytes.len();
        bytes.extend([7; 5]);
        let c = Container::parse(&bytes).unwrap();
        assert_eq!((c.data().len(), c.trailing_len(), c.version()), (total, 5, (1, 0)));
        let chunks: Vec<_> = c.chunks().collect();
        assert_eq!(chunks[0], Chunk { tag: *b"SHEX", offset: 44, data: &[1, 2, 3] });
        assert_eq!(chunks[1], Chunk { tag: *b"RTS0", offset: 55, data: &[] });
        assert_eq!(c.chunk(*b"SHEX"), Some(chunks[0]));
        assert_eq!(c.program_chunk(), Ok(chunks[0]));
        assert!(c.checksum_ok() && c.check_checksum().is_none());
    }

    #[test]
    fn wrong_checksums_are_a_warning() {
        let bytes = patched(container(&[(*b"SHEX", vec![0; 8])]), 1, 0);
        let found = Container::parse(&bytes).unwrap().check_checksum().unwrap();
        assert_eq!((found.code, found.place.byte_offset), (codes::CHECKSUM_MISMATCH, Some(4)));
        assert!(found.notes.is_empty());
        let mut unsigned = bytes;
        unsigned[4..20].fill(0);
        assert_eq!(Container::parse(&unsigned).unwrap().check_checksum().unwrap().notes.len(), 1);
    }

    #[test]
    fn damaged_headers() {
        let good = container(&[(*b"SHEX", vec![0; 8])]);
        assert_eq!(code(b""), "container-magic");
        assert_eq!(code(b"DXB"), "container-magic");
        assert_eq!(code(&good[..31]), "container-truncated");
        assert_eq!(code(&good[..good.len() - 1]), "container-truncated");
        assert_eq!(code(&patched(good.clone(), 6, 31)), "container-malformed");
        assert_eq!(code(&patched(good.clone(), 7, u32::MAX)), "container-malformed");
        for offset in [0, 35, good.len() as u32 - 7, u32::MAX] {
            assert_eq!(code(&patched(good.clone(), 8, offset)), "chunk-out-of-bounds", "{offset}");
        }
        for size in [9, u32::MAX] {
            let e = Container::parse(&patched(good.clone(), 10, size)).unwrap_err();
            assert_eq!((e.code.name(), e.place), ("chunk-out-of-bounds", Place::in_chunk(*b"SHEX", 40)));
        }
    }

    #[test]
    fn other_inputs_are_named() {
        let note = |bytes: &[u8]| Container::parse(bytes).unwrap_err().notes.join("");
        assert!(note(&0xffff_0300u32.to_le_bytes()).contains("Direct3D 9"));
        assert!(note(&0xfffe_0200u32.to_le_bytes()).contains("Direct3D 9"));
        assert!(note(&0x0723_0203u32.to_le_bytes()).contains("SPIR-V"));
        assert!(note(&0xfeff_2001u32.to_le_bytes()).contains("effect"));
        assert!(note(b"float4 main()").is_empty());
    }

    #[test]
    fn other_kinds_are_refused_by_name() {
        for (tag, kind, code) in [
            (b"DXIL", "dxil", codes::CONTAINER_DXIL),
            (b"ILDB", "dxil", codes::CONTAINER_DXIL),
            (b"FX10", "effect", codes::CONTAINER_EFFECT),
            (b"LIBF", "library", codes::CONTAINER_LIBRARY),
            (b"RTS0", "root-signature", codes::CONTAINER_ROOT_SIGNATURE),
            (b"SPDB", "unknown", codes::CONTAINER_NO_PROGRAM),
        ] {
            let bytes = container(&[(*b"PRIV", vec![0; 4]), (*tag, vec![0; 4])]);
            let c = Container::parse(&bytes).unwrap();
            assert_eq!((c.kind().name(), c.program_chunk().unwrap_err().code), (kind, code));
            let bytes = container(&[(*tag, vec![]), (*b"SHDR", vec![])]);
            assert_eq!(Container::parse(&bytes).unwrap().kind().name(), "shader");
        }
        let bytes = container(&[]);
        assert_eq!(Container::parse(&bytes).unwrap().kind(), ContainerKind::Unknown);
    }

    #[test]
    fn first_kind_of_signature_wins() {
        let named = |name, stream, row: &[u32]| crate::testing::signature(stream, &[(name, row)]);
        let bytes = container(&[
            (*b"ISG1", named("B", true, &[0; 6])),
            (*b"ISGN", named("A", false, &[0; 5])),
            (*b"OSG5", named("C", true, &[0; 5])),
        ]);
        let c = Container::parse(&bytes).unwrap();
        assert_eq!(c.input_signature().unwrap().unwrap().elements[0].name, "A");
        assert_eq!(c.output_signature().unwrap().unwrap().elements[0].name, "C");
        assert_eq!(c.patch_constant_signature(), Ok(None));
        assert!(c.reflection().unwrap().is_none() && c.statistics().unwrap().is_none());
    }
}
