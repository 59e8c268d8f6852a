//! Reflection data (chunk RDEF): constant buffers, their variables and types, and bound resources.
//!
//! The chunk is a set of tables that point at each other and at names by offsets from the start of its contents:
//!
//! | table | bytes a row (model 4 / model 5) | row |
//! |---|---|---|
//! | constant buffers | 24 | name, variable count, variables, size, flags, kind |
//! | bindings | 32 (40 in model 5.1) | name, input type, return type, dimension, samples, bind point, count, flags, (space, id) |
//! | variables | 24 / 40 | name, offset, size, flags, type, default value, (texture start, count, sampler start, count) |
//! | types | 16 / 36 | class, base, rows, columns, elements, member count (16 bits each), members, (subtype, base class, interface count, interfaces, name) |
//! | members | 12 | name, type, offset |
//!
//! Model 5 extends the header by a magic and the row lengths of every table; model 4 has no such extension.
//!
//! Everything is read on demand and borrows its names. Types are shared: many variables may have one type, so
//! they are read into a [`TypeTable`] once each, by their offset.

use crate::Chunk;
use crate::bytes::{index, name_at, numbered, u16_at, u32_at};
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as codes;
use std::collections::HashMap;

numbered! {
    /// What a constant buffer row describes (`D3D_CBUFFER_TYPE`).
    BufferKind: u32 {
        Constant = 0, "cbuffer";
        Texture = 1, "tbuffer";
        InterfacePointers = 2, "interfaces";
        ResourceBindInfo = 3, "resource";
    }
}

numbered! {
    /// Kind of a bound resource (`D3D_SHADER_INPUT_TYPE`).
    InputType: u32 {
        ConstantBuffer = 0, "cbuffer";
        TextureBuffer = 1, "tbuffer";
        Texture = 2, "texture";
        Sampler = 3, "sampler";
        RwTyped = 4, "rw-typed";
        Structured = 5, "structured";
        RwStructured = 6, "rw-structured";
        ByteAddress = 7, "byte-address";
        RwByteAddress = 8, "rw-byte-address";
        AppendStructured = 9, "append-structured";
        ConsumeStructured = 10, "consume-structured";
        RwStructuredWithCounter = 11, "rw-structured-with-counter";
        AccelerationStructure = 12, "acceleration-structure";
        FeedbackTexture = 13, "feedback-texture";
    }
}

numbered! {
    /// What a read of a resource returns (`D3D_RESOURCE_RETURN_TYPE`).
    ReturnType: u32 {
        None = 0, "none";
        Unorm = 1, "unorm";
        Snorm = 2, "snorm";
        Sint = 3, "sint";
        Uint = 4, "uint";
        Float = 5, "float";
        Mixed = 6, "mixed";
        Double = 7, "double";
        Continued = 8, "continued";
    }
}

numbered! {
    /// Shape of a resource (`D3D_SRV_DIMENSION`).
    Dimension: u32 {
        None = 0, "none";
        Buffer = 1, "buffer";
        Texture1d = 2, "texture1d";
        Texture1dArray = 3, "texture1darray";
        Texture2d = 4, "texture2d";
        Texture2dArray = 5, "texture2darray";
        Texture2dMs = 6, "texture2dms";
        Texture2dMsArray = 7, "texture2dmsarray";
        Texture3d = 8, "texture3d";
        TextureCube = 9, "texturecube";
        TextureCubeArray = 10, "texturecubearray";
        RawBuffer = 11, "bufferex";
    }
}

numbered! {
    /// Shape of a variable's type (`D3D_SHADER_VARIABLE_CLASS`).
    Class: u16 {
        Scalar = 0, "scalar";
        Vector = 1, "vector";
        MatrixRows = 2, "matrix(row_major)";
        MatrixColumns = 3, "matrix(column_major)";
        Object = 4, "object";
        Struct = 5, "struct";
        InterfaceClass = 6, "class";
        InterfacePointer = 7, "interface";
    }
}

numbered! {
    /// Base of a variable's type (`D3D_SHADER_VARIABLE_TYPE`), spelled as in HLSL.
    BaseType: u16 {
        Void = 0, "void";
        Bool = 1, "bool";
        Int = 2, "int";
        Float = 3, "float";
        String = 4, "string";
        Texture = 5, "texture";
        Texture1d = 6, "Texture1D";
        Texture2d = 7, "Texture2D";
        Texture3d = 8, "Texture3D";
        TextureCube = 9, "TextureCube";
        Sampler = 10, "SamplerState";
        Sampler1d = 11, "sampler1D";
        Sampler2d = 12, "sampler2D";
        Sampler3d = 13, "sampler3D";
        SamplerCube = 14, "samplerCUBE";
        PixelShader = 15, "PixelShader";
        VertexShader = 16, "VertexShader";
        PixelFragment = 17, "pixelfragment";
        VertexFragment = 18, "vertexfragment";
        Uint = 19, "uint";
        Uint8 = 20, "uint8";
        GeometryShader = 21, "GeometryShader";
        Rasterizer = 22, "RasterizerState";
        DepthStencil = 23, "DepthStencilState";
        Blend = 24, "BlendState";
        Buffer = 25, "Buffer";
        ConstantBuffer = 26, "cbuffer";
        TextureBuffer = 27, "tbuffer";
        Texture1dArray = 28, "Texture1DArray";
        Texture2dArray = 29, "Texture2DArray";
        RenderTargetView = 30, "RenderTargetView";
        DepthStencilView = 31, "DepthStencilView";
        Texture2dMs = 32, "Texture2DMS";
        Texture2dMsArray = 33, "Texture2DMSArray";
        TextureCubeArray = 34, "TextureCubeArray";
        HullShader = 35, "HullShader";
        DomainShader = 36, "DomainShader";
        InterfacePointer = 37, "interface";
        ComputeShader = 38, "ComputeShader";
        Double = 39, "double";
        RwTexture1d = 40, "RWTexture1D";
        RwTexture1dArray = 41, "RWTexture1DArray";
        RwTexture2d = 42, "RWTexture2D";
        RwTexture2dArray = 43, "RWTexture2DArray";
        RwTexture3d = 44, "RWTexture3D";
        RwBuffer = 45, "RWBuffer";
        ByteAddressBuffer = 46, "ByteAddressBuffer";
        RwByteAddressBuffer = 47, "RWByteAddressBuffer";
        StructuredBuffer = 48, "StructuredBuffer";
        RwStructuredBuffer = 49, "RWStructuredBuffer";
        AppendStructuredBuffer = 50, "AppendStructuredBuffer";
        ConsumeStructuredBuffer = 51, "ConsumeStructuredBuffer";
        Min8Float = 52, "min8float";
        Min10Float = 53, "min10float";
        Min16Float = 54, "min16float";
        Min12Int = 55, "min12int";
        Min16Int = 56, "min16int";
        Min16Uint = 57, "min16uint";
        Int16 = 58, "int16_t";
        Uint16 = 59, "uint16_t";
        Float16 = 60, "float16_t";
        Int64 = 61, "int64_t";
        Uint64 = 62, "uint64_t";
    }
}

/// What extends the header of model 5.0, and of model 5.1.
const EXTENSION_MAGICS: [[u8; 4]; 2] = [*b"RD11", [0x13, 0x13, 0x44, 0x25]];

/// Longest chain of types that contain one another. fxc nests as deep as the source does; real sources stay
/// below ten.
pub const MAX_TYPE_DEPTH: usize = 64;

/// The program that the reflection data describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Stage as stored: 0xFFFF pixel, 0xFFFE vertex, else two letters of ASCII (`GS`, `HS`, `DS`, `CS`).
    pub program_type: u16,
    /// Major shader model version.
    pub major: u8,
    /// Minor shader model version.
    pub minor: u8,
}

impl Target {
    /// The stage's prefix in a profile's name, as in `ps_5_0`.
    pub const fn stage(self) -> Option<&'static str> {
        Some(match self.program_type {
            0xffff => "ps",
            0xfffe => "vs",
            0x4753 => "gs",
            0x4853 => "hs",
            0x4453 => "ds",
            0x4353 => "cs",
            _ => return None,
        })
    }
}

/// Row lengths of the tables, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strides {
    buffer: u32,
    binding: u32,
    variable: u32,
    ty: u32,
    member: u32,
}

impl Strides {
    const MODEL_4: Strides = Strides { buffer: 24, binding: 32, variable: 24, ty: 16, member: 12 };
    /// Shortest variable and type rows that have the fields of model 5.
    const MODEL_5_VARIABLE: u32 = 40;
    const MODEL_5_TYPE: u32 = 36;
    /// Shortest binding row with a space and an id.
    const MODEL_5_1_BINDING: u32 = 40;
}

/// A table: rows of `stride` bytes from `start`, inside the chunk.
#[derive(Clone, Copy, Debug)]
struct Table<'a> {
    rows: &'a [u8],
    start: usize,
    stride: usize,
}

impl<'a> Table<'a> {
    /// Every row with its offset in the chunk.
    fn rows(self) -> impl ExactSizeIterator<Item = (usize, &'a [u8])> + use<'a> {
        let Table { rows, start, stride } = self;
        rows.chunks_exact(stride).enumerate().map(move |(i, row)| (start + i * stride, row))
    }
}

/// The reflection data of a shader: its header, checked; the tables are read on demand.
#[derive(Clone, Copy, Debug)]
pub struct Reflection<'a> {
    /// What the data describes.
    pub target: Target,
    /// Compiler flags (`D3DCOMPILE_...`).
    pub flags: u32,
    /// Number of interface slots for dynamic linking; 0 in model 4.
    pub interface_slot_count: u32,
    chunk: Chunk<'a>,
    strides: Strides,
    buffers: Table<'a>,
    bindings: Table<'a>,
}

impl<'a> Reflection<'a> {
    /// Reads the header of an RDEF chunk and checks the extent of the tables it points at.
    ///
    /// # Errors
    /// `reflection-malformed` if the chunk is too short, a table reaches past its end, or the buffers claim
    /// more variables than the chunk has room for.
    pub fn parse(chunk: Chunk<'a>) -> Result<Self, Diagnostic> {
        let data = chunk.data;
        let fail = |at: usize, message: String| Err(chunk.finding(codes::REFLECTION_MALFORMED, at, message));
        let word = |i: usize| u32_at(data, i * 4).unwrap_or(0);
        if data.len() < 28 {
            return fail(0, format!("the chunk has {} bytes, fewer than its header", data.len()));
        }
        let mut strides = Strides::MODEL_4;
        let mut interface_slot_count = 0;
        if EXTENSION_MAGICS.contains(&word(7).to_le_bytes()) {
            if data.len() < 60 {
                return fail(28, format!("the chunk has {} bytes, fewer than its header", data.len()));
            }
            strides = Strides {
                buffer: word(9),
                binding: word(10),
                variable: word(11),
                ty: word(12),
                member: word(13),
            };
            interface_slot_count = word(14);
            let least = Strides::MODEL_4;
            let too_short = strides.buffer < least.buffer
                || strides.binding < least.binding
                || strides.variable < least.variable
                || strides.ty < least.ty
                || strides.member < least.member;
            if too_short {
                return fail(36, "a table's rows are too short for their fields".to_string());
            }
        }
        let buffers = table(&chunk, word(0), word(1), strides.buffer, "constant buffers")?;
        let bindings = table(&chunk, word(2), word(3), strides.binding, "resource bindings")?;
        // Tables of variables may not overlap, so that reading all of them takes time linear in the chunk.
        let claimed: u64 = buffers.rows().map(|(_, row)| u64::from(u32_at(row, 4).unwrap_or(0))).sum();
        if claimed.saturating_mul(u64::from(strides.variable)) > data.len() as u64 {
            return fail(
                0,
                format!("the constant buffers claim {claimed} variables, more than the chunk holds"),
            );
        }
        let [minor, major, kind @ ..] = word(4).to_le_bytes();
        Ok(Reflection {
            target: Target { program_type: u16::from_le_bytes(kind), major, minor },
            flags: word(5),
            interface_slot_count,
            chunk,
            strides,
            buffers,
            bindings,
        })
    }

    /// The name and version of the compiler.
    ///
    /// # Errors
    /// `reflection-malformed` if the name cannot be read.
    pub fn creator(&self) -> Result<&'a str, Diagnostic> {
        self.name(u32_at(self.chunk.data, 24).unwrap_or(0), "creator's name")
    }

    /// Every resource binding, in the order of the file.
    ///
    /// # Errors
    /// `reflection-malformed` for a binding whose name cannot be read.
    pub fn bindings(&self) -> impl ExactSizeIterator<Item = Result<Binding<'a>, Diagnostic>> + use<'a> {
        let this = *self;
        this.bindings.rows().map(move |(_, row)| {
            let word = |i: usize| u32_at(row, i * 4).unwrap_or(0);
            let placed = this.strides.binding >= Strides::MODEL_5_1_BINDING;
            Ok(Binding {
                name: this.name(word(0), "resource's name")?,
                input_type: InputType::from_raw(word(1)),
                return_type: ReturnType::from_raw(word(2)),
                dimension: Dimension::from_raw(word(3)),
                samples_or_stride: word(4),
                bind_point: word(5),
                bind_count: word(6),
                flags: word(7),
                space: placed.then(|| word(8)),
                id: placed.then(|| word(9)),
            })
        })
    }

    /// Every constant buffer, in the order of the file.
    ///
    /// # Errors
    /// `reflection-malformed` for a buffer whose name or variables lie outside the chunk.
    pub fn constant_buffers(
        &self,
    ) -> impl ExactSizeIterator<Item = Result<ConstantBuffer<'a>, Diagnostic>> + use<'a> {
        let this = *self;
        this.buffers.rows().map(move |(_, row)| {
            let word = |i: usize| u32_at(row, i * 4).unwrap_or(0);
            Ok(ConstantBuffer {
                name: this.name(word(0), "constant buffer's name")?,
                size: word(3),
                flags: word(4),
                kind: BufferKind::from_raw(word(5)),
                variables: table(&this.chunk, word(1), word(2), this.strides.variable, "variables")?,
                reflection: this,
            })
        })
    }

    fn name(&self, offset: u32, what: &'static str) -> Result<&'a str, Diagnostic> {
        name_at(&self.chunk, offset, codes::REFLECTION_MALFORMED, what)
    }
}

/// The table of `count` rows at `offset`, if it lies inside the chunk.
fn table<'a>(
    chunk: &Chunk<'a>,
    count: u32,
    offset: u32,
    stride: u32,
    what: &'static str,
) -> Result<Table<'a>, Diagnostic> {
    let start = index(offset);
    let end = u64::from(offset) + u64::from(count) * u64::from(stride);
    // An empty table's offset means nothing.
    let rows = if count == 0 {
        Some(&[][..])
    } else {
        chunk.data.get(start..usize::try_from(end).unwrap_or(usize::MAX))
    };
    match rows {
        Some(rows) => Ok(Table { rows, start, stride: index(stride).max(1) }),
        None => Err(chunk.finding(
            codes::REFLECTION_MALFORMED,
            start,
            format!(
                "{count} {what} from byte {offset} would end at byte {end}, but the chunk has {} bytes",
                chunk.data.len()
            ),
        )),
    }
}

/// A resource that the shader expects to be bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding<'a> {
    /// Name in the source; an element of a texture array has its index in brackets.
    pub name: &'a str,
    /// Kind of resource.
    pub input_type: InputType,
    /// What a read returns; [`ReturnType::None`] for buffers of constants and samplers.
    pub return_type: ReturnType,
    /// Shape; [`Dimension::None`] for buffers of constants and samplers.
    pub dimension: Dimension,
    /// Samples of a multisampled texture (0 or `u32::MAX` if unspecified), or bytes of a structured buffer's
    /// element.
    pub samples_or_stride: u32,
    /// First register.
    pub bind_point: u32,
    /// Number of registers; 0 for an unbounded array (model 5.1).
    pub bind_count: u32,
    /// `D3D_SHADER_INPUT_FLAGS`; see the methods.
    pub flags: u32,
    /// Register space, in model 5.1.
    pub space: Option<u32>,
    /// Range id by which the program's operands name the resource, in model 5.1.
    pub id: Option<u32>,
}

impl Binding<'_> {
    /// Whether the source gave the register.
    pub const fn is_user_packed(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Whether the sampler compares.
    pub const fn is_comparison_sampler(&self) -> bool {
        self.flags & 2 != 0
    }

    /// Number of components that a read of a typed resource returns, 1 to 4. Means nothing for the others.
    pub const fn component_count(&self) -> u32 {
        (self.flags >> 2 & 3) + 1
    }
}

/// A constant buffer, or another group of variables (see [`BufferKind`]).
#[derive(Clone, Copy, Debug)]
pub struct ConstantBuffer<'a> {
    /// Name in the source; `$Globals` and `$Params` for variables outside any buffer. The elements of a
    /// structured buffer are described by a buffer of its name.
    pub name: &'a str,
    /// What it describes.
    pub kind: BufferKind,
    /// Size in bytes, a multiple of 16 for a constant buffer.
    pub size: u32,
    /// `D3D_SHADER_CBUFFER_FLAGS`.
    pub flags: u32,
    variables: Table<'a>,
    reflection: Reflection<'a>,
}

impl<'a> ConstantBuffer<'a> {
    /// Every variable, in the order of the file.
    ///
    /// # Errors
    /// `reflection-malformed` for a variable whose name or default value cannot be read.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Result<Variable<'a>, Diagnostic>> + use<'a> {
        let reflection = self.reflection;
        self.variables.rows().map(move |(at, row)| {
            let word = |i: usize| u32_at(row, i * 4).unwrap_or(0);
            let (size, default_at) = (word(2), word(5));
            let default_value = if default_at == 0 {
                None
            } else {
                let end = index(default_at).saturating_add(index(size));
                match reflection.chunk.data.get(index(default_at)..end) {
                    Some(bytes) => Some(bytes),
                    None => {
                        return Err(reflection.chunk.finding(
                            codes::REFLECTION_MALFORMED,
                            at + 20,
                            "a variable's default value lies outside the chunk",
                        ));
                    }
                }
            };
            let has_objects = reflection.strides.variable >= Strides::MODEL_5_VARIABLE;
            let range = |start: usize| {
                let count = if has_objects { word(start + 1) } else { 0 };
                (count != 0).then(|| SlotRange { start: word(start), count })
            };
            Ok(Variable {
                name: reflection.name(word(0), "variable's name")?,
                offset: word(1),
                size,
                flags: word(3),
                type_offset: word(4),
                default_value,
                textures: range(6),
                samplers: range(8),
            })
        })
    }
}

/// A run of texture or sampler slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotRange {
    /// First slot.
    pub start: u32,
    /// Number of slots, at least one.
    pub count: u32,
}

/// A variable of a constant buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Offset in bytes from the start of the buffer.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// `D3D_SHADER_VARIABLE_FLAGS`; see [`Variable::is_used`].
    pub flags: u32,
    /// Which type it has: for [`TypeTable::resolve`].
    pub type_offset: u32,
    /// Initial value of the source, `size` bytes.
    pub default_value: Option<&'a [u8]>,
    /// Texture slots of the objects inside it.
    pub textures: Option<SlotRange>,
    /// Sampler slots of the objects inside it.
    pub samplers: Option<SlotRange>,
}

impl Variable<'_> {
    /// Whether the program reads the variable.
    pub const fn is_used(&self) -> bool {
        self.flags & 2 != 0
    }
}

/// A type of a [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type<'a> {
    /// Shape.
    pub class: Class,
    /// Base type.
    pub base: BaseType,
    /// Rows of a matrix; 1 for everything else.
    pub rows: u16,
    /// Columns of a matrix, components of a vector, or scalars in a struct.
    pub columns: u16,
    /// Elements of an array; 0 if it is none. Microsoft's listings print an array of one as though it were none.
    pub elements: u16,
    /// Members of a struct, in the order of the file.
    pub members: Vec<Member<'a>>,
    /// Name, in model 5.
    pub name: Option<&'a str>,
    /// The interface that an interface pointer points to, in model 5.
    pub subtype: Option<TypeId>,
    /// The class it derives from, in model 5. Its members are those of the first member, `$super`.
    pub base_class: Option<TypeId>,
    /// The interfaces it implements, in model 5.
    pub interfaces: Vec<TypeId>,
    /// Number of members there are if every struct inside is written out, this type not counted; saturates.
    /// Types are shared, so a small file can describe more than fits into memory: look here before writing out.
    pub expanded_members: u32,
}

/// A member of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Its type.
    pub ty: TypeId,
    /// Offset in bytes from the start of the struct.
    pub offset: u32,
}

/// The types of a shader's variables, each read once and only when it is asked for.
#[derive(Clone, Debug)]
pub struct TypeTable<'a> {
    reflection: Reflection<'a>,
    types: Vec<Type<'a>>,
    /// Offset of a type in the chunk to its place in `types`; `None` while it is being read.
    known: HashMap<u32, Option<TypeId>>,
    /// Members and interfaces that may still be read.
    budget: usize,
}

impl<'a> TypeTable<'a> {
    /// An empty table for the types of `reflection`.
    pub fn new(reflection: &Reflection<'a>) -> Self {
        TypeTable {
            reflection: *reflection,
            types: Vec::new(),
            known: HashMap::new(),
            // The rows of distinct types do not overlap, except that types may share one list of members.
            // A quarter of the length leaves room for each list to be shared three times over.
            budget: reflection.chunk.data.len() / 4,
        }
    }

    /// The type at `offset` (a [`Variable::type_offset`]), with all types that it is made of.
    ///
    /// # Errors
    /// `reflection-malformed` if one of them lies outside the chunk, contains itself, is nested deeper than
    /// [`MAX_TYPE_DEPTH`], has an unreadable name, or if all types together have more members than the chunk
    /// has room for.
    pub fn resolve(&mut self, offset: u32) -> Result<TypeId, Diagnostic> {
        self.resolve_at(offset, 0)
    }

    /// A type of this table. `None` for the id of another table.
    pub fn get(&self, id: TypeId) -> Option<&Type<'a>> {
        self.types.get(index(id.0))
    }

    fn resolve_at(&mut self, offset: u32, depth: usize) -> Result<TypeId, Diagnostic> {
        let chunk = self.reflection.chunk;
        let at = index(offset);
        let fail = |message: String| Err(chunk.finding(codes::REFLECTION_MALFORMED, at, message));
        match self.known.get(&offset) {
            Some(Some(id)) => return Ok(*id),
            Some(None) => return fail("a type contains itself".to_string()),
            None if depth >= MAX_TYPE_DEPTH => {
                return fail(format!("types are nested more than {MAX_TYPE_DEPTH} deep"));
            }
            None => {}
        }
        let stride = index(self.reflection.strides.ty);
        let Some(row) = at.checked_add(stride).and_then(|end| chunk.data.get(at..end)) else {
            return fail("a type lies outside the chunk".to_string());
        };
        self.known.insert(offset, None);
        let found = self.read_type(at, row, depth);
        match &found {
            Ok(id) => self.known.insert(offset, Some(*id)),
            // Asked again, it fails for the same reason.
            Err(_) => self.known.remove(&offset),
        };
        found
    }

    /// Reads the type whose row is `row`, at `at`.
    fn read_type(&mut self, at: usize, row: &'a [u8], depth: usize) -> Result<TypeId, Diagnostic> {
        let chunk = self.reflection.chunk;
        let half = |i: usize| u16_at(row, i * 2).unwrap_or(0);
        let word = |i: usize| u32_at(row, i * 4).unwrap_or(0);
        let member_stride = self.reflection.strides.member;
        let rows = table(&chunk, u32::from(half(5)), word(3), member_stride, "members")?.rows();
        self.spend(rows.len(), at)?;
        let mut members = Vec::with_capacity(rows.len());
        for (_, row) in rows {
            let word = |i: usize| u32_at(row, i * 4).unwrap_or(0);
            let name = self.reflection.name(word(0), "member's name")?;
            members.push(Member { name, ty: self.resolve_at(word(1), depth + 1)?, offset: word(2) });
        }
        let mut name = None;
        let (mut subtype, mut base_class) = (None, None);
        let mut interfaces = Vec::new();
        if self.reflection.strides.ty >= Strides::MODEL_5_TYPE {
            if word(8) != 0 {
                name = Some(self.reflection.name(word(8), "type's name")?);
            }
            if word(4) != 0 {
                subtype = Some(self.resolve_at(word(4), depth + 1)?);
            }
            if word(5) != 0 {
                base_class = Some(self.resolve_at(word(5), depth + 1)?);
            }
            let offsets = table(&chunk, word(6), word(7), 4, "interfaces")?.rows();
            self.spend(offsets.len(), at)?;
            interfaces.reserve_exact(offsets.len());
            for (_, offset) in offsets {
                interfaces.push(self.resolve_at(u32_at(offset, 0).unwrap_or(0), depth + 1)?);
            }
        }
        let expanded = |m: &Member<'_>| self.get(m.ty).map_or(0, |t| t.expanded_members).saturating_add(1);
        let expanded_members = members.iter().map(expanded).fold(0, u32::saturating_add);
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        self.types.push(Type {
            class: Class::from_raw(half(0)),
            base: BaseType::from_raw(half(1)),
            rows: half(2),
            columns: half(3),
            elements: half(4),
            members,
            name,
            subtype,
            base_class,
            interfaces,
            expanded_members,
        });
        Ok(id)
    }

    /// Takes `count` rows off the budget.
    fn spend(&mut self, count: usize, at: usize) -> Result<(), Diagnostic> {
        match self.budget.checked_sub(count) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(self.reflection.chunk.finding(
                codes::REFLECTION_MALFORMED,
                at,
                "types overlap: together they have more members than the chunk has room for",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Blob, chunk, reflection, words};

    #[test]
    fn counts_and_strides_that_overflow_are_refused() {
        let mut data = Blob(words(&[2, 60, 0, 0, 0xffff_0500, 0, 0]));
        // Rows of variables are as long as can be, and each of two buffers claims as many as can be.
        data.words(&[u32::from_le_bytes(*b"RD11"), 60, 24, 32, u32::MAX, 36, 12, 0]);
        for _ in 0..2 {
            data.words(&[0, u32::MAX, 0, 0, 0, 0]);
        }
        assert_eq!(data.0.len(), 60 + 2 * 24);
        let refused = Reflection::parse(chunk(b"RDEF", &data.0)).unwrap_err();
        assert_eq!(refused.code, codes::REFLECTION_MALFORMED);
    }

    #[test]
    fn model_5_in_full() {
        let data = reflection();
        let r = Reflection::parse(chunk(b"RDEF", &data)).unwrap();
        assert_eq!((r.target.stage(), r.target.major, r.target.minor), (Some("ps"), 5, 0));
        assert_eq!((r.flags, r.creator()), (0x100, Ok("a compiler")));
        let bindings: Vec<_> = r.bindings().map(Result::unwrap).collect();
        assert_eq!(bindings.len(), 2);
        let map = bindings[0];
        assert_eq!((map.name, map.input_type, map.bind_point), ("map", InputType::Texture, 3));
        assert_eq!((map.return_type, map.dimension), (ReturnType::Float, Dimension::Texture2d));
        assert_eq!((map.component_count(), map.is_user_packed(), map.space), (4, false, None));
        assert!(bindings[1].is_user_packed());
        let buffer = r.constant_buffers().next().unwrap().unwrap();
        assert_eq!((buffer.name, buffer.kind, buffer.size), ("Params", BufferKind::Constant, 128));
        let variables: Vec<_> = buffer.variables().map(Result::unwrap).collect();
        let mut types = TypeTable::new(&r);
        let matrix = types.resolve(variables[0].type_offset).unwrap();
        let matrix = types.get(matrix).unwrap();
        assert_eq!((matrix.class, matrix.base, matrix.rows), (Class::MatrixColumns, BaseType::Float, 4));
        assert!(variables[0].is_used() && variables[0].default_value.is_none());
        let lights = variables[1];
        assert_eq!((lights.name, lights.offset, lights.is_used()), ("lights", 64, false));
        assert_eq!(lights.default_value.unwrap().len(), 64);
        assert_eq!((lights.textures, lights.samplers), (Some(SlotRange { start: 3, count: 1 }), None));
        let id = types.resolve(lights.type_offset).unwrap();
        assert_eq!(types.resolve(lights.type_offset), Ok(id));
        let ty = types.get(id).unwrap();
        assert_eq!((ty.class, ty.elements, ty.name), (Class::Struct, 4, Some("Light")));
        assert_eq!((ty.expanded_members, ty.interfaces.len()), (2, 1));
        assert_eq!(ty.base_class, Some(ty.interfaces[0]));
        assert_eq!((ty.members[1].name, ty.members[1].offset), ("count", 12));
        assert_eq!(types.get(ty.members[1].ty).unwrap().base, BaseType::Uint);
    }

    /// Model 4 data with one variable of each of the types at the end.
    fn model_4(types: &[u32], type_at: impl Fn(u32) -> u32) -> Vec<u8> {
        let mut out = Blob(words(&[1, 0, 0, 0, 0xfffe_0400, 0, 0]));
        let name = out.name("abc");
        let types = out.words(types);
        let variable = out.words(&[name, 0, 16, 2, type_at(types), 0]);
        let buffer = out.words(&[name, 1, variable, 16, 0, 0]);
        out.set(1, buffer);
        out.0
    }

    fn resolve_first(data: &[u8]) -> Result<(), Diagnostic> {
        let r = Reflection::parse(chunk(b"RDEF", data))?;
        let buffer = r.constant_buffers().next().unwrap()?;
        let variable = buffer.variables().next().unwrap()?;
        let mut types = TypeTable::new(&r);
        let first = types.resolve(variable.type_offset).map(drop);
        assert_eq!(types.resolve(variable.type_offset).map(drop), first);
        first
    }

    #[test]
    fn model_4_has_shorter_rows() {
        assert_eq!(resolve_first(&model_4(&[0x0003_0001, 0x0004_0001, 0, 0], |t| t)), Ok(()));
    }

    /// Where the types of `model_4` begin.
    const TYPES_AT: u32 = 32;

    #[test]
    fn types_that_contain_themselves() {
        let this = [5, 0x0001_0001, 0x0001_0000, TYPES_AT + 16];
        let data = model_4(&[&this[..], &[28, TYPES_AT, 0]].concat(), |t| t);
        let e = resolve_first(&data).unwrap_err();
        assert_eq!((e.code, e.place.byte_offset), (codes::REFLECTION_MALFORMED, Some(108 + TYPES_AT)));
        assert!(e.message.contains("contains itself"));
    }

    #[test]
    fn types_nested_too_deep() {
        // Each type has one member, of the next type.
        let nested = |depth: u32| {
            let mut types = Vec::new();
            for i in 0..depth {
                let at = TYPES_AT + i * 28;
                types.extend([5, 0x0001_0001, 0x0001_0000, at + 16, 28, at + 28, 0]);
            }
            types.extend([0x0003_0001, 0x0004_0001, 0, 0]);
            model_4(&types, |t| t)
        };
        assert_eq!(resolve_first(&nested(MAX_TYPE_DEPTH as u32 - 1)), Ok(()));
        assert!(resolve_first(&nested(MAX_TYPE_DEPTH as u32)).unwrap_err().message.contains("deep"));
    }

    #[test]
    fn shared_types_are_read_once() {
        // Each type has two members of the next type: 2^40 leaves.
        let mut types = Vec::new();
        for i in 0..40 {
            let at = TYPES_AT + i * 40;
            types.extend([5, 0x0001_0001, 0x0002_0000, at + 16, 28, at + 40, 0, 28, at + 40, 16]);
        }
        types.extend([0x0003_0001, 0x0004_0001, 0, 0]);
        let data = model_4(&types, |t| t);
        let r = Reflection::parse(chunk(b"RDEF", &data)).unwrap();
        let mut table = TypeTable::new(&r);
        let id = table.resolve(TYPES_AT).unwrap();
        assert_eq!(table.get(id).unwrap().expanded_members, u32::MAX);
        assert_eq!(table.types.len(), 41);
    }

    #[test]
    fn overlapping_tables_are_refused() {
        // Many types that share one long list of members.
        let mut types = vec![0x0003_0001, 0x0004_0001, 0, 0];
        let list = TYPES_AT + 16 + 100 * 16;
        for _ in 0..100 {
            types.extend([5, 0x0001_0001, 100 << 16, list]);
        }
        types.extend([28, TYPES_AT, 0].repeat(100));
        let data = model_4(&types, |t| t);
        let r = Reflection::parse(chunk(b"RDEF", &data)).unwrap();
        let mut table = TypeTable::new(&r);
        let all: Result<Vec<_>, _> = (0..100).map(|i| table.resolve(TYPES_AT + 16 + i * 16)).collect();
        assert!(all.unwrap_err().message.contains("overlap"));
        // Buffers that share one list of variables.
        let mut data = reflection();
        let buffer = u32_at(&data, 4).unwrap() as usize;
        data[buffer + 4] = 100;
        assert!(Reflection::parse(chunk(b"RDEF", &data)).is_err());
    }

    #[test]
    fn damage_is_a_warning_with_a_place() {
        let good = reflection();
        for len in [0, 27, 59] {
            assert!(Reflection::parse(chunk(b"RDEF", &good[..len])).is_err(), "{len}");
        }
        let e = Reflection::parse(chunk(b"RDEF", &good[..good.len() - 1])).unwrap_err();
        assert_eq!(e.severity, shaderport_diagnostics::Severity::Warning);
        assert_eq!(e.place.chunk, Some(*b"RDEF"));
        for (word, value) in [(0, u32::MAX), (2, u32::MAX), (1, u32::MAX), (9, 0), (12, 8)] {
            let mut blob = Blob(good.clone());
            blob.set(word, value);
            assert!(Reflection::parse(chunk(b"RDEF", &blob.0)).is_err(), "{word}");
        }
    }
}
