//! A decoded shader program: instructions, operands and the words behind them, in flat pools.
//!
//! Sources: the tokenized program format of Direct3D 10 and 11; D3D11.3 functional specification, chapter 22.

use crate::opcode::{Opcode, Stage};

/// A decoded program. Pools are flat: an instruction names a range of each.
#[derive(Clone, Debug)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// Shader model, major part: 4 or 5.
    pub major: u8,
    /// Shader model, minor part.
    pub minor: u8,
    /// Offset in bytes of the program's version token from the start of the container.
    pub offset: u32,
    /// Declarations and instructions in file order.
    pub instructions: Vec<Instruction>,
    /// Operands of all instructions, each instruction's side by side.
    pub operands: Vec<Operand>,
    /// Registers that index others: an [`Index`] names its place here.
    pub relative: Vec<Operand>,
    /// Lanes of immediates: [`Program::immediate`] finds an operand's.
    pub immediates: Vec<[u32; 4]>,
    /// Words of declarations, custom data and stray words behind operands.
    pub words: Vec<u32>,
}

/// One declaration or executable instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// Bits 11 to 23 of the opcode token, in place (for custom data: bits 11 to 31).
    pub controls: u32,
    /// Offset in bytes from the start of the container.
    pub offset: u32,
    /// Length in 32-bit words.
    pub length: u32,
    pub(crate) first_operand: u32,
    pub(crate) operand_count: u8,
    /// Register files that its operands and their indices name: bit n for kind n, and [`KINDS_RELATIVE`].
    pub(crate) kinds: u64,
    /// What the extended opcode tokens say.
    pub extended: Extended,
    pub(crate) first_word: u32,
    pub(crate) word_count: u32,
}

/// Bit of [`Instruction::kinds`]: some index has a register in it.
pub(crate) const KINDS_RELATIVE: u64 = 1 << 63;

/// Facts of extended opcode tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extended {
    /// Immediate texel offsets u, v, w, each -8 to 7, where given.
    pub offsets: Option<[i8; 3]>,
    /// Dimension of the resource that is used, where given (shader model 5).
    pub dimension: Option<ResourceDimension>,
    /// Stride in bytes of a structured resource (0 where not given).
    pub stride: u16,
    /// Return types of the resource's four lanes, where given.
    pub return_types: Option<[ReturnType; 4]>,
}

/// The dimension of a resource, numbered as in its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum ResourceDimension {
    Unknown = 0,
    Buffer = 1,
    Texture1D = 2,
    Texture2D = 3,
    Texture2DMs = 4,
    Texture3D = 5,
    TextureCube = 6,
    Texture1DArray = 7,
    Texture2DArray = 8,
    Texture2DMsArray = 9,
    TextureCubeArray = 10,
    RawBuffer = 11,
    StructuredBuffer = 12,
}

impl ResourceDimension {
    pub(crate) const fn from_number(n: u32) -> Option<Self> {
        use ResourceDimension::*;
        Some(match n {
            0 => Unknown,
            1 => Buffer,
            2 => Texture1D,
            3 => Texture2D,
            4 => Texture2DMs,
            5 => Texture3D,
            6 => TextureCube,
            7 => Texture1DArray,
            8 => Texture2DArray,
            9 => Texture2DMsArray,
            10 => TextureCubeArray,
            11 => RawBuffer,
            12 => StructuredBuffer,
            _ => return None,
        })
    }
    /// Lower-case name as the disassembler writes it: `texture2d`, `buffer`, ...
    pub const fn name(self) -> &'static str {
        use ResourceDimension::*;
        match self {
            Unknown => "<unknown dimension>",
            Buffer => "buffer",
            Texture1D => "texture1d",
            Texture2D => "texture2d",
            Texture2DMs => "texture2dms",
            Texture3D => "texture3d",
            TextureCube => "texturecube",
            Texture1DArray => "texture1darray",
            Texture2DArray => "texture2darray",
            Texture2DMsArray => "texture2dmsarray",
            TextureCubeArray => "texturecubearray",
            RawBuffer => "raw_buffer",
            StructuredBuffer => "structured_buffer",
        }
    }
}

/// What a lane of a typed resource holds, numbered as in its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum ReturnType {
    Unknown = 0,
    Unorm = 1,
    Snorm = 2,
    Sint = 3,
    Uint = 4,
    Float = 5,
    Mixed = 6,
    Double = 7,
    Continued = 8,
    Unused = 9,
}

impl ReturnType {
    /// From a four-bit field; numbers that are not defined are `Unknown`.
    pub const fn from_number(n: u32) -> Self {
        use ReturnType::*;
        match n {
            1 => Unorm,
            2 => Snorm,
            3 => Sint,
            4 => Uint,
            5 => Float,
            6 => Mixed,
            7 => Double,
            8 => Continued,
            9 => Unused,
            _ => Unknown,
        }
    }
    /// The four lanes of a return type token.
    pub const fn unpack(token: u32) -> [Self; 4] {
        [
            Self::from_number(token & 15),
            Self::from_number(token >> 4 & 15),
            Self::from_number(token >> 8 & 15),
            Self::from_number(token >> 12 & 15),
        ]
    }
    /// Lower-case name as the disassembler writes it.
    pub const fn name(self) -> &'static str {
        use ReturnType::*;
        match self {
            Unknown => "<unknown resource return type>",
            Unorm => "unorm",
            Snorm => "snorm",
            Sint => "sint",
            Uint => "uint",
            Float => "float",
            Mixed => "mixed",
            Double => "double",
            Continued => "<continued>",
            Unused => "<unused>",
        }
    }
}

/// The register file or immediate an operand names, numbered as in the operand token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
#[repr(u8)]
pub enum OperandKind {
    Temp = 0,
    Input = 1,
    Output = 2,
    IndexableTemp = 3,
    Immediate32 = 4,
    Immediate64 = 5,
    Sampler = 6,
    Resource = 7,
    ConstantBuffer = 8,
    ImmediateConstantBuffer = 9,
    Label = 10,
    InputPrimitiveId = 11,
    OutputDepth = 12,
    Null = 13,
    Rasterizer = 14,
    OutputCoverageMask = 15,
    Stream = 16,
    FunctionBody = 17,
    FunctionTable = 18,
    Interface = 19,
    FunctionInput = 20,
    FunctionOutput = 21,
    OutputControlPointId = 22,
    InputForkInstanceId = 23,
    InputJoinInstanceId = 24,
    InputControlPoint = 25,
    OutputControlPoint = 26,
    InputPatchConstant = 27,
    InputDomainPoint = 28,
    ThisPointer = 29,
    UnorderedAccessView = 30,
    ThreadGroupSharedMemory = 31,
    InputThreadId = 32,
    InputThreadGroupId = 33,
    InputThreadIdInGroup = 34,
    InputCoverageMask = 35,
    InputThreadIdInGroupFlattened = 36,
    InputGsInstanceId = 37,
    OutputDepthGreaterEqual = 38,
    OutputDepthLessEqual = 39,
    CycleCounter = 40,
    OutputStencilRef = 41,
    InnerCoverage = 42,
}

impl OperandKind {
    pub(crate) const fn from_number(n: u32) -> Option<Self> {
        use OperandKind::*;
        const KINDS: [OperandKind; 43] = [
            Temp,
            Input,
            Output,
            IndexableTemp,
            Immediate32,
            Immediate64,
            Sampler,
            Resource,
            ConstantBuffer,
            ImmediateConstantBuffer,
            Label,
            InputPrimitiveId,
            OutputDepth,
            Null,
            Rasterizer,
            OutputCoverageMask,
            Stream,
            FunctionBody,
            FunctionTable,
            Interface,
            FunctionInput,
            FunctionOutput,
            OutputControlPointId,
            InputForkInstanceId,
            InputJoinInstanceId,
            InputControlPoint,
            OutputControlPoint,
            InputPatchConstant,
            InputDomainPoint,
            ThisPointer,
            UnorderedAccessView,
            ThreadGroupSharedMemory,
            InputThreadId,
            InputThreadGroupId,
            InputThreadIdInGroup,
            InputCoverageMask,
            InputThreadIdInGroupFlattened,
            InputGsInstanceId,
            OutputDepthGreaterEqual,
            OutputDepthLessEqual,
            CycleCounter,
            OutputStencilRef,
            InnerCoverage,
        ];
        if (n as usize) < KINDS.len() { Some(KINDS[n as usize]) } else { None }
    }

    /// What the disassembler writes before a register's number; in shader model 5.1 (`ranges`) the files whose
    /// registers are declared as ranges are in capitals.
    pub const fn prefix(self, ranges: bool) -> &'static str {
        use OperandKind::*;
        match self {
            Temp => "r",
            Input => "v",
            Output => "o",
            IndexableTemp => "x",
            Immediate32 => "l",
            Immediate64 => "d",
            Sampler if ranges => "S",
            Sampler => "s",
            Resource if ranges => "T",
            Resource => "t",
            ConstantBuffer if ranges => "CB",
            ConstantBuffer => "cb",
            ImmediateConstantBuffer => "icb",
            Label => "label",
            InputPrimitiveId => "vPrim",
            OutputDepth => "oDepth",
            Null => "null",
            Rasterizer => "rasterizer",
            OutputCoverageMask => "oMask",
            Stream => "m",
            FunctionBody => "fb",
            FunctionTable => "ft",
            Interface => "fp",
            FunctionInput => "iv",
            FunctionOutput => "ov",
            OutputControlPointId => "vOutputControlPointID",
            InputForkInstanceId => "vForkInstanceID",
            InputJoinInstanceId => "vJoinInstanceID",
            InputControlPoint => "vicp",
            OutputControlPoint => "vocp",
            InputPatchConstant => "vpc",
            InputDomainPoint => "vDomain",
            ThisPointer => "this",
            UnorderedAccessView if ranges => "U",
            UnorderedAccessView => "u",
            ThreadGroupSharedMemory => "g",
            InputThreadId => "vThreadID",
            InputThreadGroupId => "vThreadGroupID",
            InputThreadIdInGroup => "vThreadIDInGroup",
            InputCoverageMask => "vCoverage",
            InputThreadIdInGroupFlattened => "vThreadIDInGroupFlattened",
            InputGsInstanceId => "vGSInstanceID",
            OutputDepthGreaterEqual => "oDepthGE",
            OutputDepthLessEqual => "oDepthLE",
            CycleCounter => "vCycleCounter",
            OutputStencilRef => "oStencilRef",
            InnerCoverage => "vInnerCoverage",
        }
    }
}

/// Which lanes of a register an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// No lanes (samplers, labels, `null`).
    None,
    /// A register of one lane.
    One,
    /// Lanes that are written: bit 0 is x.
    Mask(u8),
    /// For each lane of the result, the lane that is read (0 to 3).
    Swizzle([u8; 4]),
    /// One lane of four, read for every lane of the result.
    Select(u8),
}

/// How a source is changed before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Modifier {
    #[default]
    None,
    Neg,
    Abs,
    AbsNeg,
}

/// The least precision that an operand asks for; Shaderport computes at full precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MinPrecision {
    #[default]
    Full,
    Float16,
    Float10,
    Sint16,
    Uint16,
    /// A number that is not defined.
    Unknown(u8),
}

/// One dimension of a register's index: `immediate + relative`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The constant part.
    pub immediate: u32,
    /// Three bits of representation; above, one more than the place in [`Program::relative`] of the register added,
    /// or 0. (A container's length has 32 bits and such a register takes eight bytes: the place fits.)
    packed: u32,
}

impl Index {
    pub(crate) const fn new(immediate: u32, representation: u32) -> Index {
        Index { immediate, packed: representation & 7 }
    }
    pub(crate) fn set_relative(&mut self, place: usize) {
        self.packed = self.packed & 7 | (place as u32 + 1) << 3;
    }
    /// The index representation as encoded (0 to 4).
    #[inline]
    pub fn representation(&self) -> u32 {
        self.packed & 7
    }
    /// Whether a register is added to the constant part.
    #[inline]
    pub fn is_relative(&self) -> bool {
        self.packed > 7
    }
    /// The place in [`Program::relative`] of the register added.
    #[inline]
    fn relative(&self) -> Option<usize> {
        (self.packed as usize >> 3).checked_sub(1)
    }
}

/// One operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Register file or immediate.
    pub kind: OperandKind,
    /// Bits 0 to 11 of its token: how many lanes, and which. The next two are worked out of them.
    lanes: u16,
    /// For each lane of the result two bits: the lane that is read.
    swizzle: u8,
    /// The lanes written.
    mask: u8,
    /// Sign changes.
    pub modifier: Modifier,
    /// Precision asked for.
    pub min_precision: MinPrecision,
    /// Marked as an index that may differ between neighbouring invocations (shader model 5.1).
    pub non_uniform: bool,
    /// Number of index dimensions: 0 to 3.
    pub dimensions: u8,
    /// The indices, as many as `dimensions`. (Of an immediate, the place of its lanes: see [`Program::immediate`].)
    pub index: [Index; 3],
}

impl Operand {
    /// The null register; where decoding starts from.
    pub(crate) const NULL: Operand = Operand {
        kind: OperandKind::Null,
        lanes: 0,
        swizzle: 0,
        mask: 0,
        modifier: Modifier::None,
        min_precision: MinPrecision::Full,
        non_uniform: false,
        dimensions: 0,
        index: [Index::new(0, 0); 3],
    };

    /// A register of one index, with the lanes that a token names; nothing for selections that are not defined.
    #[inline]
    pub(crate) fn of_register(kind: OperandKind, token: u32, register: u32) -> Option<Operand> {
        let none = Index::new(0, 0);
        let index = [Index::new(register, 0), none, none];
        let mut operand = Operand { kind, dimensions: 1, index, ..Operand::NULL };
        operand.set_lanes(token).then_some(operand)
    }

    /// Whether it names lanes to read: a swizzle or one of four.
    #[inline]
    pub(crate) fn selects_lanes(&self) -> bool {
        self.lanes & 3 == 2 && self.lanes & 0b1100 != 0
    }

    /// Which lanes it names.
    pub fn components(&self) -> Components {
        match (self.lanes & 3, self.lanes >> 2 & 3) {
            (0, _) => Components::None,
            (1, _) => Components::One,
            (_, 0) => Components::Mask(self.mask),
            (_, 1) => Components::Swizzle(self.source_swizzle()),
            _ => Components::Select(self.source_lane(0) as u8),
        }
    }

    /// Takes the lanes that a token names; false for selections that are not defined.
    #[inline]
    pub(crate) fn set_lanes(&mut self, token: u32) -> bool {
        /// What is done with the token's bits 4 to 11, by its bits 0 to 3: which of them tell the swizzle, what they
        /// are multiplied by, what is added; which tell the mask, what is added, what is moved up by bits 4 and 5. A
        /// table, for no predictor foresees which form comes next.
        const FORMS: [[u8; 6]; 16] = {
            const NONE: [u8; 6] = [0; 6];
            const ONE: [u8; 6] = [0, 0, 0, 0, 1, 0];
            let mut forms = [NONE; 16];
            let mut n = 0;
            while n < 16 {
                forms[n] = match (n & 3, n >> 2) {
                    (1, _) => ONE,
                    (2, 0) => [0, 0, 0b11_10_01_00, 15, 0, 0],
                    (2, 1) => [0xff, 1, 0, 0, 15, 0],
                    (2, 2) => [3, 0b01_01_01_01, 0, 0, 0, 1],
                    _ => NONE,
                };
                n += 1;
            }
            forms
        };
        let form = FORMS[token as usize & 15];
        let bits = (token >> 4) as u8;
        self.lanes = (token & 0xfff) as u16;
        self.swizzle = (bits & form[0]).wrapping_mul(form[1]) | form[2];
        self.mask = bits & form[3] | form[4] | form[5] << (bits & 3);
        token & 3 != 3 && token & 15 != 0b1110
    }

    /// The lane of the register that is read for lane `lane` of the result.
    #[inline]
    pub fn source_lane(&self, lane: usize) -> usize {
        (self.swizzle >> (2 * (lane & 3)) & 3) as usize
    }

    /// The same for each lane of the result.
    #[inline]
    pub fn source_swizzle(&self) -> [u8; 4] {
        const SWIZZLES: [[u8; 4]; 256] = {
            let mut all = [[0; 4]; 256];
            let mut n = 0;
            while n < 256 {
                all[n] = [n as u8 & 3, n as u8 >> 2 & 3, n as u8 >> 4 & 3, n as u8 >> 6];
                n += 1;
            }
            all
        };
        SWIZZLES[self.swizzle as usize]
    }

    /// The lanes of the register that are read for those lanes of the result (masks with bit 0 for x).
    #[inline]
    pub fn source_lanes(&self, lanes: u8) -> u8 {
        (0..4).fold(0, |mask, l| mask | (lanes >> l & 1) << self.source_lane(l))
    }

    /// The lanes written, as a mask with bit 0 for x. One-lane registers give 1.
    #[inline]
    pub fn mask(&self) -> u8 {
        self.mask
    }

    /// Whether this is the `null` register.
    pub fn is_null(&self) -> bool {
        self.kind == OperandKind::Null
    }

    /// The constant part of the first index: the register number of most files.
    pub fn register(&self) -> u32 {
        self.index[0].immediate
    }
}

/// Interpolation of a pixel shader input, numbered as in its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Interpolation {
    Undefined,
    Constant,
    Linear,
    LinearCentroid,
    LinearNoPerspective,
    LinearNoPerspectiveCentroid,
    LinearSample,
    LinearNoPerspectiveSample,
}

impl Interpolation {
    /// From the four-bit field of a `dcl_input_ps`.
    pub const fn from_number(n: u32) -> Self {
        use Interpolation::*;
        match n {
            1 => Constant,
            2 => Linear,
            3 => LinearCentroid,
            4 => LinearNoPerspective,
            5 => LinearNoPerspectiveCentroid,
            6 => LinearSample,
            7 => LinearNoPerspectiveSample,
            _ => Undefined,
        }
    }
}

/// Bits of `dcl_globalFlags` in the order of the listing.
const GLOBAL_FLAGS: [(u32, &str); 9] = [
    (11, "refactoringAllowed"),
    (12, "enableDoublePrecisionFloatOps"),
    (14, "enableRawAndStructuredBuffers"),
    (13, "forceEarlyDepthStencil"),
    (15, "skipOptimization"),
    (16, "enableMinimumPrecision"),
    (17, "enable11_1DoubleExtensions"),
    (18, "enable11_1ShaderExtensions"),
    (19, "allResourcesBound"),
];

impl Instruction {
    /// Whether some operand, or a register that indexes one, is of this kind.
    #[inline]
    pub fn names(&self, kind: OperandKind) -> bool {
        self.kinds >> kind as u8 & 1 != 0
    }
    /// Whether some operand is of one of these kinds.
    #[inline]
    pub fn names_any(&self, kinds: &[OperandKind]) -> bool {
        self.kinds & kinds.iter().fold(0, |m, k| m | 1u64 << *k as u8) != 0
    }
    /// Whether some index has a register in it.
    #[inline]
    pub fn has_relative_index(&self) -> bool {
        self.kinds & KINDS_RELATIVE != 0
    }
    /// Whether the result is clamped to 0..1 (bit 13; only arithmetic sets it).
    pub fn saturate(&self) -> bool {
        self.controls >> 13 & 1 != 0
    }
    /// Lanes marked precise (bits 19 to 22).
    pub fn precise(&self) -> u8 {
        (self.controls >> 19 & 15) as u8
    }
    /// Whether a test is for non-zero (bit 18).
    pub fn test_nonzero(&self) -> bool {
        self.controls >> 18 & 1 != 0
    }
    /// Interpolation of a `dcl_input_ps*`.
    pub fn interpolation(&self) -> Interpolation {
        Interpolation::from_number(self.controls >> 11 & 15)
    }
    /// The flags of a `dcl_globalFlags`, as the listing spells them.
    pub fn global_flags(&self) -> impl Iterator<Item = &'static str> + use<> {
        let controls = self.controls;
        GLOBAL_FLAGS.into_iter().filter(move |f| controls >> f.0 & 1 != 0).map(|f| f.1)
    }
    /// Dimension of a `dcl_resource` or `dcl_uav_typed`.
    pub fn resource_dimension(&self) -> Option<ResourceDimension> {
        ResourceDimension::from_number(self.controls >> 11 & 31)
    }
}

/// Slots that one declaration binds: one, but for arrays of shader model 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotRange {
    /// What operands name it by: the range's id in shader model 5.1, else the register.
    pub id: u32,
    /// First register.
    pub lower: u32,
    /// Last register; `u32::MAX` where the array has no end.
    pub upper: u32,
    /// Register space, 0 before shader model 5.1.
    pub space: u32,
}

impl SlotRange {
    /// Whether a register of a space is among them.
    pub fn contains(&self, space: u32, register: u32) -> bool {
        self.space == space && (self.lower..=self.upper).contains(&register)
    }
}

impl Program {
    /// The instruction's operands; of a `printf` or `errorf` in custom data, the values that it prints.
    pub fn operands(&self, i: &Instruction) -> &[Operand] {
        let first = i.first_operand as usize;
        self.operands.get(first..first + i.operand_count as usize).unwrap_or(&[])
    }
    /// Words behind the operands: a declaration's values, custom data without its two header words, or stray words.
    pub fn words(&self, i: &Instruction) -> &[u32] {
        let first = i.first_word as usize;
        self.words.get(first..first + i.word_count as usize).unwrap_or(&[])
    }
    /// The register added to an index, if any.
    #[inline]
    pub fn relative(&self, index: &Index) -> Option<&Operand> {
        self.relative.get(index.relative()?)
    }
    /// The lanes of an immediate (one-lane immediates are repeated); of a 64-bit one, the words in file order. Zeros
    /// of any other operand.
    #[inline]
    pub fn immediate(&self, operand: &Operand) -> [u32; 4] {
        match operand.kind {
            OperandKind::Immediate32 | OperandKind::Immediate64 => {
                self.immediates.get(operand.register() as usize).copied().unwrap_or_default()
            }
            _ => [0; 4],
        }
    }
    /// Where the instruction's operands begin in [`Program::operands`].
    pub fn operand_index(&self, i: &Instruction) -> usize {
        i.first_operand as usize
    }
    /// The register added to an index, with its place in [`Program::relative`].
    pub fn relative_index(&self, index: &Index) -> Option<(usize, &Operand)> {
        let place = index.relative()?;
        Some((place, self.relative.get(place)?))
    }
    /// Makes an instruction with one destination a move of its operand `source` (counted with the destination).
    pub fn turn_into_move(&mut self, instruction: usize, source: usize) {
        let Some(i) = self.instructions.get_mut(instruction) else { return };
        let first = i.first_operand as usize;
        if source == 0 || source >= i.operand_count as usize || first + source >= self.operands.len() {
            return;
        }
        self.operands.swap(first + 1, first + source);
        i.opcode = Opcode::Mov;
        i.operand_count = 2;
    }
    /// Whether the program is of shader model 5.1, whose resources are declared as ranges.
    pub fn is_5_1(&self) -> bool {
        self.major == 5 && self.minor >= 1
    }
    /// The slots that a declaration of a constant buffer, sampler, resource or view is for; `None` of any other instruction.
    pub fn slots(&self, i: &Instruction) -> Option<SlotRange> {
        // Which word behind the operand is the space.
        let space = match i.opcode {
            Opcode::DclSampler | Opcode::DclResourceRaw | Opcode::DclUavRaw => 0,
            Opcode::DclConstantBuffer
            | Opcode::DclResource
            | Opcode::DclResourceStructured
            | Opcode::DclUavTyped
            | Opcode::DclUavStructured => 1,
            _ => return None,
        };
        let [id, lower, upper] = self.operands(i).first()?.index.map(|x| x.immediate);
        Some(if self.is_5_1() {
            SlotRange { id, lower, upper, space: self.words(i).get(space).copied().unwrap_or(0) }
        } else {
            SlotRange { id, lower: id, upper: id, space: 0 }
        })
    }
    /// The index that names the bound register of a resource, sampler, constant buffer or view
    /// (shader model 5.1 puts the range's id before it).
    pub fn bound_register<'a>(&self, operand: &'a Operand) -> &'a Index {
        let last = (operand.dimensions as usize).clamp(1, 3) - 1;
        let place = match operand.kind {
            OperandKind::ConstantBuffer => last.saturating_sub(1),
            _ if self.is_5_1() => last,
            _ => 0,
        };
        &operand.index[place]
    }
}
