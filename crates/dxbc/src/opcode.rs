//! The one table of opcodes: shader models 4.0 to 5.1.
//!
//! Decoder, disassembler, type facts, refusals and the generated coverage page read it. Numbers and operand
//! lists come from the public tokenized program format of Direct3D 10 and 11; what each opcode computes stands
//! in chapter 22 of the Direct3D 11.3 functional specification.

use std::fmt;

/// What an instruction does with the 32 bits of a lane of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// IEEE single precision.
    Float,
    /// Two's complement.
    Int,
    /// Unsigned.
    Uint,
    /// An integer whose sign does not matter to the low 32 bits of the result.
    Bits,
    /// 0 or all ones (a comparison's result).
    Mask,
    /// Tested for zero as 32 bits.
    Test,
    /// Moved, never interpreted.
    Any,
    /// Half of an IEEE double, in a pair of lanes.
    Double,
}

/// What stands at one place of an instruction's operand list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A register that is written.
    Dest(ScalarType),
    /// A value that is read.
    Src(ScalarType),
    /// A shader resource view (`t#`), or memory that is read (`u#`, `g#`).
    Resource,
    /// A sampler (`s#`).
    Sampler,
    /// An unordered access view or group-shared memory (`u#`, `g#`).
    Uav,
    /// A subroutine label (`l#`).
    Label,
    /// The register that a declaration declares.
    Declared,
}

/// The kind of work an opcode does; one lowering file each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Family {
    Float,
    Integer,
    Bit,
    Compare,
    Convert,
    Move,
    Flow,
    Texture,
    Memory,
    Atomic,
    Derivative,
    Interpolation,
    Double,
    Stream,
    Phase,
    Debug,
    Declaration,
}

/// Why WebGL2 cannot express something. Each has a diagnostic code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// Belongs to a stage that WebGL2 lacks.
    Stage,
    /// Unordered access views: reads, writes, atomics, counters, barriers.
    Uav,
    /// Double-precision arithmetic.
    Double,
    /// Multisampled textures.
    Multisample,
    /// Dynamic linkage by interfaces.
    Interface,
    /// Tiled-resource residency feedback.
    Feedback,
    /// Queries of sample positions or counts.
    SampleQuery,
    /// `abort` with its message.
    Abort,
}

/// How GLSL ES 3.00 says an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Es300 {
    /// In these words.
    Says(&'static str),
    /// Not at all; feedback that goes to `null` is left out (see [`Opcode::without_feedback`]).
    Refused(Refusal),
}

/// A set of shader stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stages(u8);

impl Stages {
    /// Pixel shaders.
    pub const PIXEL: Stages = Stages(1 << Stage::Pixel as u8);
    /// Geometry shaders.
    pub const GEOMETRY: Stages = Stages(1 << Stage::Geometry as u8);
    /// Hull shaders.
    pub const HULL: Stages = Stages(1 << Stage::Hull as u8);
    /// Hull and domain shaders.
    pub const TESSELLATION: Stages = Stages(1 << Stage::Hull as u8 | 1 << Stage::Domain as u8);
    /// Compute shaders.
    pub const COMPUTE: Stages = Stages(1 << Stage::Compute as u8);
    /// Every stage.
    pub const ALL: Stages = Stages(0x3f);

    /// Whether `stage` is in the set.
    pub const fn contains(self, stage: Stage) -> bool {
        self.0 >> stage as u8 & 1 != 0
    }
}

/// The programmable stage a shader belongs to, numbered as in the version token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Stage {
    Pixel = 0,
    Vertex = 1,
    Geometry = 2,
    Hull = 3,
    Domain = 4,
    Compute = 5,
}

impl Stage {
    /// From the version token's program type.
    pub const fn from_number(n: u32) -> Option<Stage> {
        Some(match n {
            0 => Stage::Pixel,
            1 => Stage::Vertex,
            2 => Stage::Geometry,
            3 => Stage::Hull,
            4 => Stage::Domain,
            5 => Stage::Compute,
            _ => return None,
        })
    }
    /// The profile's prefix: `vs`, `ps`, ...
    pub const fn prefix(self) -> &'static str {
        match self {
            Stage::Pixel => "ps",
            Stage::Vertex => "vs",
            Stage::Geometry => "gs",
            Stage::Hull => "hs",
            Stage::Domain => "ds",
            Stage::Compute => "cs",
        }
    }
    /// The stage's English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Pixel => "pixel",
            Stage::Vertex => "vertex",
            Stage::Geometry => "geometry",
            Stage::Hull => "hull",
            Stage::Domain => "domain",
            Stage::Compute => "compute",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// The opcode.
    pub opcode: Opcode,
    /// Base mnemonic, as Microsoft's disassembler writes it (without `_sat`, `_nz`, `_indexable` and the like).
    pub name: &'static str,
    /// The operands in order; destinations first.
    pub slots: &'static [Slot],
    /// How many of them are destinations.
    pub dests: u8,
    /// Kind of work.
    pub family: Family,
    /// First shader model that has it: 40, 41 or 50.
    pub since: u8,
    /// Stages that may use it.
    pub stages: Stages,
    /// How GLSL ES 3.00 says it, or why it cannot.
    pub es300: Es300,
}

const DF: Slot = Slot::Dest(ScalarType::Float);
const DI: Slot = Slot::Dest(ScalarType::Int);
const DU: Slot = Slot::Dest(ScalarType::Uint);
const DN: Slot = Slot::Dest(ScalarType::Bits);
const DM: Slot = Slot::Dest(ScalarType::Mask);
const DX: Slot = Slot::Dest(ScalarType::Any);
const DD: Slot = Slot::Dest(ScalarType::Double);
const SF: Slot = Slot::Src(ScalarType::Float);
const SI: Slot = Slot::Src(ScalarType::Int);
const SU: Slot = Slot::Src(ScalarType::Uint);
const SN: Slot = Slot::Src(ScalarType::Bits);
const ST: Slot = Slot::Src(ScalarType::Test);
const SX: Slot = Slot::Src(ScalarType::Any);
const SD: Slot = Slot::Src(ScalarType::Double);
const RES: Slot = Slot::Resource;
const SMP: Slot = Slot::Sampler;
const UAV: Slot = Slot::Uav;
const LBL: Slot = Slot::Label;
const DCL: Slot = Slot::Declared;

/// Fills the rows of numbers that no opcode has.
const NOP: OpcodeInfo = OpcodeInfo {
    opcode: Opcode::Nop,
    name: "",
    slots: &[],
    dests: 0,
    family: Family::Move,
    since: 0,
    stages: Stages::ALL,
    es300: Es300::Says(""),
};

const fn dests(slots: &[Slot]) -> u8 {
    let mut n = 0;
    while n < slots.len() && matches!(slots[n], Slot::Dest(_)) {
        n += 1;
    }
    n as u8
}

macro_rules! opcodes {
    ($( $number:literal $variant:ident $name:literal [$($slot:expr),*] $family:ident $since:literal $stages:ident ($es:expr); )*) => {
        /// An operation of a shader program, numbered as in the opcode token.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Opcode { $($variant = $number),* }

        impl Opcode {
            /// Every opcode, in the order of their numbers.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$variant),*];

            /// From the low eleven bits of an opcode token.
            pub const fn from_number(n: u32) -> Option<Opcode> {
                match n {
                    $($number => Some(Opcode::$variant),)*
                    _ => None,
                }
            }

            /// The opcode's row.
            #[inline]
            pub const fn info(self) -> &'static OpcodeInfo {
                static ROWS: [OpcodeInfo; 256] = {
                    let mut rows = [NOP; 256];
                    $(rows[$number] = OpcodeInfo {
                        opcode: Opcode::$variant,
                        name: $name,
                        slots: &[$($slot),*],
                        dests: dests(&[$($slot),*]),
                        family: Family::$family,
                        since: $since,
                        stages: Stages::$stages,
                        es300: $es,
                    };)*
                    rows
                };
                &ROWS[self as u8 as usize]
            }
        }
    };
}

opcodes! {
    0 Add "add" [DF, SF, SF] Float 40 ALL (Es300::Says("`a + b`"));
    1 And "and" [DN, SN, SN] Bit 40 ALL (Es300::Says("`a & b`; a mask and a value become a select"));
    2 Break "break" [] Flow 40 ALL (Es300::Says("`break`, or a flag where a switch stands between"));
    3 Breakc "breakc" [ST] Flow 40 ALL (Es300::Says("`if (c) break;`"));
    4 Call "call" [LBL] Flow 40 ALL (Es300::Says("call of a `void` function"));
    5 Callc "callc" [ST, LBL] Flow 40 ALL (Es300::Says("`if (c)` and a call"));
    6 Case "case" [SN] Flow 40 ALL (Es300::Says("`case`"));
    7 Continue "continue" [] Flow 40 ALL (Es300::Says("`continue`"));
    8 Continuec "continuec" [ST] Flow 40 ALL (Es300::Says("`if (c) continue;`"));
    9 Cut "cut" [] Stream 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    10 Default "default" [] Flow 40 ALL (Es300::Says("`default`"));
    11 DerivRtx "deriv_rtx" [DF, SF] Derivative 40 PIXEL (Es300::Says("`dFdx`"));
    12 DerivRty "deriv_rty" [DF, SF] Derivative 40 PIXEL (Es300::Says("`dFdy`"));
    13 Discard "discard" [ST] Flow 40 PIXEL (Es300::Says("`discard` at once, or a flag and `discard` at the end where derivatives follow"));
    14 Div "div" [DF, SF, SF] Float 40 ALL (Es300::Says("`a / b`"));
    15 Dp2 "dp2" [DF, SF, SF] Float 40 ALL (Es300::Says("`dot` of two lanes"));
    16 Dp3 "dp3" [DF, SF, SF] Float 40 ALL (Es300::Says("`dot` of three lanes"));
    17 Dp4 "dp4" [DF, SF, SF] Float 40 ALL (Es300::Says("`dot` of four lanes"));
    18 Else "else" [] Flow 40 ALL (Es300::Says("`else`"));
    19 Emit "emit" [] Stream 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    20 EmitThenCut "emit_then_cut" [] Stream 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    21 EndIf "endif" [] Flow 40 ALL (Es300::Says("`}`"));
    22 EndLoop "endloop" [] Flow 40 ALL (Es300::Says("`}`"));
    23 EndSwitch "endswitch" [] Flow 40 ALL (Es300::Says("`}`"));
    24 Eq "eq" [DM, SF, SF] Compare 40 ALL (Es300::Says("`a == b`"));
    25 Exp "exp" [DF, SF] Float 40 ALL (Es300::Says("`exp2`"));
    26 Frc "frc" [DF, SF] Float 40 ALL (Es300::Says("`fract`"));
    27 Ftoi "ftoi" [DI, SF] Convert 40 ALL (Es300::Says("helper: NaN is 0, out of range saturates"));
    28 Ftou "ftou" [DU, SF] Convert 40 ALL (Es300::Says("helper: NaN is 0, out of range saturates"));
    29 Ge "ge" [DM, SF, SF] Compare 40 ALL (Es300::Says("`a >= b`"));
    30 Iadd "iadd" [DN, SN, SN] Integer 40 ALL (Es300::Says("`a + b`"));
    31 If "if" [ST] Flow 40 ALL (Es300::Says("`if (c) {`"));
    32 Ieq "ieq" [DM, SN, SN] Compare 40 ALL (Es300::Says("`a == b`"));
    33 Ige "ige" [DM, SI, SI] Compare 40 ALL (Es300::Says("`a >= b` of ints"));
    34 Ilt "ilt" [DM, SI, SI] Compare 40 ALL (Es300::Says("`a < b` of ints"));
    35 Imad "imad" [DN, SN, SN, SN] Integer 40 ALL (Es300::Says("`a * b + c`"));
    36 Imax "imax" [DI, SI, SI] Integer 40 ALL (Es300::Says("`max` of ints"));
    37 Imin "imin" [DI, SI, SI] Integer 40 ALL (Es300::Says("`min` of ints"));
    38 Imul "imul" [DI, DN, SI, SI] Integer 40 ALL (Es300::Says("`a * b`; high half by helper"));
    39 Ine "ine" [DM, SN, SN] Compare 40 ALL (Es300::Says("`a != b`"));
    40 Ineg "ineg" [DN, SN] Integer 40 ALL (Es300::Says("`-a`"));
    41 Ishl "ishl" [DN, SN, SU] Bit 40 ALL (Es300::Says("`a << (b & 31u)`"));
    42 Ishr "ishr" [DI, SI, SU] Bit 40 ALL (Es300::Says("`a >> (b & 31u)` of ints"));
    43 Itof "itof" [DF, SI] Convert 40 ALL (Es300::Says("`float(a)`"));
    44 Label "label" [LBL] Flow 40 ALL (Es300::Says("head of a `void` function"));
    45 Ld "ld" [DX, SI, RES] Texture 40 ALL (Es300::Says("`texelFetch`"));
    46 LdMs "ldms" [DX, SI, RES, SI] Texture 40 ALL (Es300::Refused(Refusal::Multisample));
    47 Log "log" [DF, SF] Float 40 ALL (Es300::Says("`log2`"));
    48 Loop "loop" [] Flow 40 ALL (Es300::Says("`while (true) {`"));
    49 Lt "lt" [DM, SF, SF] Compare 40 ALL (Es300::Says("`a < b`"));
    50 Mad "mad" [DF, SF, SF, SF] Float 40 ALL (Es300::Says("`a * b + c`"));
    51 Min "min" [DF, SF, SF] Float 40 ALL (Es300::Says("helper: the operand that is a number wins"));
    52 Max "max" [DF, SF, SF] Float 40 ALL (Es300::Says("helper: the operand that is a number wins"));
    53 CustomData "customdata" [] Declaration 40 ALL (Es300::Says("immediate constants become a constant array; the rest is passed over"));
    54 Mov "mov" [DX, SX] Move 40 ALL (Es300::Says("`a`"));
    55 Movc "movc" [DX, ST, SX, SX] Move 40 ALL (Es300::Says("`c ? a : b`, lane by lane"));
    56 Mul "mul" [DF, SF, SF] Float 40 ALL (Es300::Says("`a * b`"));
    57 Ne "ne" [DM, SF, SF] Compare 40 ALL (Es300::Says("`a != b`"));
    58 Nop "nop" [] Move 40 ALL (Es300::Says("nothing"));
    59 Not "not" [DN, SN] Bit 40 ALL (Es300::Says("`~a`"));
    60 Or "or" [DN, SN, SN] Bit 40 ALL (Es300::Says("`a | b`"));
    61 ResInfo "resinfo" [DX, SI, RES] Texture 40 ALL (Es300::Says("`textureSize`; mip count from a uniform"));
    62 Ret "ret" [] Flow 40 ALL (Es300::Says("`return`, after the stage's epilogue"));
    63 Retc "retc" [ST] Flow 40 ALL (Es300::Says("`if (c) return;`"));
    64 RoundNe "round_ne" [DF, SF] Float 40 ALL (Es300::Says("`roundEven`"));
    65 RoundNi "round_ni" [DF, SF] Float 40 ALL (Es300::Says("`floor`"));
    66 RoundPi "round_pi" [DF, SF] Float 40 ALL (Es300::Says("`ceil`"));
    67 RoundZ "round_z" [DF, SF] Float 40 ALL (Es300::Says("`trunc`"));
    68 Rsq "rsq" [DF, SF] Float 40 ALL (Es300::Says("`inversesqrt`"));
    69 Sample "sample" [DF, SF, RES, SMP] Texture 40 ALL (Es300::Says("`texture`"));
    70 SampleC "sample_c" [DF, SF, RES, SMP, SF] Texture 40 ALL (Es300::Says("`texture` of a shadow sampler"));
    71 SampleCLz "sample_c_lz" [DF, SF, RES, SMP, SF] Texture 40 ALL (Es300::Says("`textureLod` or zero-gradient `textureGrad` of a shadow sampler"));
    72 SampleL "sample_l" [DF, SF, RES, SMP, SF] Texture 40 ALL (Es300::Says("`textureLod`"));
    73 SampleD "sample_d" [DF, SF, RES, SMP, SF, SF] Texture 40 ALL (Es300::Says("`textureGrad`"));
    74 SampleB "sample_b" [DF, SF, RES, SMP, SF] Texture 40 ALL (Es300::Says("`texture` with bias"));
    75 Sqrt "sqrt" [DF, SF] Float 40 ALL (Es300::Says("`sqrt`"));
    76 Switch "switch" [SN] Flow 40 ALL (Es300::Says("`switch`"));
    77 SinCos "sincos" [DF, DF, SF] Float 40 ALL (Es300::Says("`sin` and `cos`"));
    78 Udiv "udiv" [DU, DU, SU, SU] Integer 40 ALL (Es300::Says("helpers: a zero divisor gives all ones"));
    79 Ult "ult" [DM, SU, SU] Compare 40 ALL (Es300::Says("`a < b` of uints"));
    80 Uge "uge" [DM, SU, SU] Compare 40 ALL (Es300::Says("`a >= b` of uints"));
    81 Umul "umul" [DU, DN, SU, SU] Integer 40 ALL (Es300::Says("`a * b`; high half by helper"));
    82 Umad "umad" [DN, SN, SN, SN] Integer 40 ALL (Es300::Says("`a * b + c`"));
    83 Umax "umax" [DU, SU, SU] Integer 40 ALL (Es300::Says("`max` of uints"));
    84 Umin "umin" [DU, SU, SU] Integer 40 ALL (Es300::Says("`min` of uints"));
    85 Ushr "ushr" [DU, SU, SU] Bit 40 ALL (Es300::Says("`a >> (b & 31u)` of uints"));
    86 Utof "utof" [DF, SU] Convert 40 ALL (Es300::Says("`float(a)`"));
    87 Xor "xor" [DN, SN, SN] Bit 40 ALL (Es300::Says("`a ^ b`"));
    88 DclResource "dcl_resource" [DCL] Declaration 40 ALL (Es300::Says("sampler uniform"));
    89 DclConstantBuffer "dcl_constantbuffer" [DCL] Declaration 40 ALL (Es300::Says("std140 block"));
    90 DclSampler "dcl_sampler" [DCL] Declaration 40 ALL (Es300::Says("part of a sampler uniform"));
    91 DclIndexRange "dcl_indexrange" [DCL] Declaration 40 ALL (Es300::Says("local array"));
    92 DclGsOutputPrimitiveTopology "dcl_outputtopology" [] Declaration 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    93 DclGsInputPrimitive "dcl_inputprimitive" [] Declaration 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    94 DclMaxOutputVertexCount "dcl_maxout" [] Declaration 40 GEOMETRY (Es300::Refused(Refusal::Stage));
    95 DclInput "dcl_input" [DCL] Declaration 40 ALL (Es300::Says("attribute or built-in"));
    96 DclInputSgv "dcl_input_sgv" [DCL] Declaration 40 ALL (Es300::Says("built-in"));
    97 DclInputSiv "dcl_input_siv" [DCL] Declaration 40 ALL (Es300::Says("built-in"));
    98 DclInputPs "dcl_input_ps" [DCL] Declaration 40 PIXEL (Es300::Says("varying"));
    99 DclInputPsSgv "dcl_input_ps_sgv" [DCL] Declaration 40 PIXEL (Es300::Says("built-in"));
    100 DclInputPsSiv "dcl_input_ps_siv" [DCL] Declaration 40 PIXEL (Es300::Says("built-in"));
    101 DclOutput "dcl_output" [DCL] Declaration 40 ALL (Es300::Says("varying, fragment output or `gl_FragDepth`"));
    102 DclOutputSgv "dcl_output_sgv" [DCL] Declaration 40 ALL (Es300::Says("built-in"));
    103 DclOutputSiv "dcl_output_siv" [DCL] Declaration 40 ALL (Es300::Says("built-in"));
    104 DclTemps "dcl_temps" [] Declaration 40 ALL (Es300::Says("local variables"));
    105 DclIndexableTemp "dcl_indexableTemp" [] Declaration 40 ALL (Es300::Says("local array"));
    106 DclGlobalFlags "dcl_globalFlags" [] Declaration 40 ALL (Es300::Says("nothing"));
    108 Lod "lod" [DF, SF, RES, SMP] Texture 41 PIXEL (Es300::Says("helper from derivatives and sizes"));
    109 Gather4 "gather4" [DF, SF, RES, SMP] Texture 41 ALL (Es300::Says("helper: four samples at the texel centres"));
    110 SamplePos "samplepos" [DF, RES, SI] Texture 41 PIXEL (Es300::Refused(Refusal::SampleQuery));
    111 SampleInfo "sampleinfo" [DX, RES] Texture 41 PIXEL (Es300::Refused(Refusal::SampleQuery));
    113 HsDecls "hs_decls" [] Phase 50 HULL (Es300::Refused(Refusal::Stage));
    114 HsControlPointPhase "hs_control_point_phase" [] Phase 50 HULL (Es300::Refused(Refusal::Stage));
    115 HsForkPhase "hs_fork_phase" [] Phase 50 HULL (Es300::Refused(Refusal::Stage));
    116 HsJoinPhase "hs_join_phase" [] Phase 50 HULL (Es300::Refused(Refusal::Stage));
    117 EmitStream "emit_stream" [DCL] Stream 50 GEOMETRY (Es300::Refused(Refusal::Stage));
    118 CutStream "cut_stream" [DCL] Stream 50 GEOMETRY (Es300::Refused(Refusal::Stage));
    119 EmitThenCutStream "emit_then_cut_stream" [DCL] Stream 50 GEOMETRY (Es300::Refused(Refusal::Stage));
    120 InterfaceCall "fcall" [SX] Flow 50 ALL (Es300::Refused(Refusal::Interface));
    121 BufInfo "bufinfo" [DU, RES] Memory 50 ALL (Es300::Says("capacity of the buffer, or a uniform"));
    122 DerivRtxCoarse "deriv_rtx_coarse" [DF, SF] Derivative 50 PIXEL (Es300::Says("`dFdx`"));
    123 DerivRtxFine "deriv_rtx_fine" [DF, SF] Derivative 50 PIXEL (Es300::Says("`dFdx`"));
    124 DerivRtyCoarse "deriv_rty_coarse" [DF, SF] Derivative 50 PIXEL (Es300::Says("`dFdy`"));
    125 DerivRtyFine "deriv_rty_fine" [DF, SF] Derivative 50 PIXEL (Es300::Says("`dFdy`"));
    126 Gather4C "gather4_c" [DF, SF, RES, SMP, SF] Texture 50 ALL (Es300::Says("helper: four comparisons at the texel centres"));
    127 Gather4Po "gather4_po" [DF, SF, SI, RES, SMP] Texture 50 ALL (Es300::Says("helper: four samples at the texel centres"));
    128 Gather4PoC "gather4_po_c" [DF, SF, SI, RES, SMP, SF] Texture 50 ALL (Es300::Says("helper: four comparisons at the texel centres"));
    129 Rcp "rcp" [DF, SF] Float 50 ALL (Es300::Says("`1.0 / a`"));
    130 F32ToF16 "f32tof16" [DU, SF] Convert 50 ALL (Es300::Says("helper, rounding as D3D does"));
    131 F16ToF32 "f16tof32" [DF, SU] Convert 50 ALL (Es300::Says("helper, denormals kept"));
    132 Uaddc "uaddc" [DU, DU, SU, SU] Integer 50 ALL (Es300::Says("`a + b` and its carry"));
    133 Usubb "usubb" [DU, DU, SU, SU] Integer 50 ALL (Es300::Says("`a - b` and its borrow"));
    134 CountBits "countbits" [DU, SU] Bit 50 ALL (Es300::Says("helper"));
    135 FirstBitHi "firstbit_hi" [DU, SU] Bit 50 ALL (Es300::Says("helper"));
    136 FirstBitLo "firstbit_lo" [DU, SU] Bit 50 ALL (Es300::Says("helper"));
    137 FirstBitShi "firstbit_shi" [DU, SI] Bit 50 ALL (Es300::Says("helper"));
    138 Ubfe "ubfe" [DU, SU, SU, SU] Bit 50 ALL (Es300::Says("helper"));
    139 Ibfe "ibfe" [DI, SU, SU, SI] Bit 50 ALL (Es300::Says("helper"));
    140 Bfi "bfi" [DU, SU, SU, SU, SU] Bit 50 ALL (Es300::Says("helper"));
    141 Bfrev "bfrev" [DU, SU] Bit 50 ALL (Es300::Says("helper"));
    142 Swapc "swapc" [DX, DX, ST, SX, SX] Move 50 ALL (Es300::Says("two selects, from copies"));
    143 DclStream "dcl_stream" [DCL] Declaration 50 GEOMETRY (Es300::Refused(Refusal::Stage));
    144 DclFunctionBody "dcl_function_body" [] Declaration 50 ALL (Es300::Refused(Refusal::Interface));
    145 DclFunctionTable "dcl_function_table" [] Declaration 50 ALL (Es300::Refused(Refusal::Interface));
    146 DclInterface "dcl_interface" [] Declaration 50 ALL (Es300::Refused(Refusal::Interface));
    147 DclInputControlPointCount "dcl_input_control_point_count" [] Declaration 50 TESSELLATION (Es300::Refused(Refusal::Stage));
    148 DclOutputControlPointCount "dcl_output_control_point_count" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    149 DclTessDomain "dcl_tessellator_domain" [] Declaration 50 TESSELLATION (Es300::Refused(Refusal::Stage));
    150 DclTessPartitioning "dcl_tessellator_partitioning" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    151 DclTessOutputPrimitive "dcl_tessellator_output_primitive" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    152 DclHsMaxTessFactor "dcl_hs_max_tessfactor" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    153 DclHsForkPhaseInstanceCount "dcl_hs_fork_phase_instance_count" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    154 DclHsJoinPhaseInstanceCount "dcl_hs_join_phase_instance_count" [] Declaration 50 HULL (Es300::Refused(Refusal::Stage));
    155 DclThreadGroup "dcl_thread_group" [] Declaration 40 COMPUTE (Es300::Refused(Refusal::Stage));
    156 DclUavTyped "dcl_uav_typed" [DCL] Declaration 50 ALL (Es300::Refused(Refusal::Uav));
    157 DclUavRaw "dcl_uav_raw" [DCL] Declaration 40 ALL (Es300::Refused(Refusal::Uav));
    158 DclUavStructured "dcl_uav_structured" [DCL] Declaration 40 ALL (Es300::Refused(Refusal::Uav));
    159 DclTgsmRaw "dcl_tgsm_raw" [DCL] Declaration 40 COMPUTE (Es300::Refused(Refusal::Stage));
    160 DclTgsmStructured "dcl_tgsm_structured" [DCL] Declaration 40 COMPUTE (Es300::Refused(Refusal::Stage));
    161 DclResourceRaw "dcl_resource_raw" [DCL] Declaration 40 ALL (Es300::Says("std140 block or integer data texture"));
    162 DclResourceStructured "dcl_resource_structured" [DCL] Declaration 40 ALL (Es300::Says("std140 block or integer data texture"));
    163 LdUavTyped "ld_uav_typed" [DX, SI, RES] Memory 50 ALL (Es300::Refused(Refusal::Uav));
    164 StoreUavTyped "store_uav_typed" [UAV, SI, SX] Memory 50 ALL (Es300::Refused(Refusal::Uav));
    165 LdRaw "ld_raw" [DX, SU, RES] Memory 40 ALL (Es300::Says("row of a block or texel of a data texture"));
    166 StoreRaw "store_raw" [UAV, SU, SX] Memory 40 ALL (Es300::Refused(Refusal::Uav));
    167 LdStructured "ld_structured" [DX, SU, SU, RES] Memory 40 ALL (Es300::Says("row of a block or texel of a data texture"));
    168 StoreStructured "store_structured" [UAV, SU, SU, SX] Memory 40 ALL (Es300::Refused(Refusal::Uav));
    169 AtomicAnd "atomic_and" [UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    170 AtomicOr "atomic_or" [UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    171 AtomicXor "atomic_xor" [UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    172 AtomicCmpStore "atomic_cmp_store" [UAV, SU, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    173 AtomicIadd "atomic_iadd" [UAV, SU, SN] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    174 AtomicImax "atomic_imax" [UAV, SU, SI] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    175 AtomicImin "atomic_imin" [UAV, SU, SI] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    176 AtomicUmax "atomic_umax" [UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    177 AtomicUmin "atomic_umin" [UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    178 ImmAtomicAlloc "imm_atomic_alloc" [DU, UAV] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    179 ImmAtomicConsume "imm_atomic_consume" [DU, UAV] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    180 ImmAtomicIadd "imm_atomic_iadd" [DU, UAV, SU, SN] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    181 ImmAtomicAnd "imm_atomic_and" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    182 ImmAtomicOr "imm_atomic_or" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    183 ImmAtomicXor "imm_atomic_xor" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    184 ImmAtomicExch "imm_atomic_exch" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    185 ImmAtomicCmpExch "imm_atomic_cmp_exch" [DU, UAV, SU, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    186 ImmAtomicImax "imm_atomic_imax" [DI, UAV, SU, SI] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    187 ImmAtomicImin "imm_atomic_imin" [DI, UAV, SU, SI] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    188 ImmAtomicUmax "imm_atomic_umax" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    189 ImmAtomicUmin "imm_atomic_umin" [DU, UAV, SU, SU] Atomic 50 ALL (Es300::Refused(Refusal::Uav));
    190 Sync "sync" [] Memory 40 ALL (Es300::Refused(Refusal::Uav));
    191 Dadd "dadd" [DD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    192 Dmax "dmax" [DD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    193 Dmin "dmin" [DD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    194 Dmul "dmul" [DD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    195 Deq "deq" [DM, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    196 Dge "dge" [DM, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    197 Dlt "dlt" [DM, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    198 Dne "dne" [DM, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    199 Dmov "dmov" [DD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    200 Dmovc "dmovc" [DD, ST, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    201 DtoF "dtof" [DF, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    202 FtoD "ftod" [DD, SF] Double 50 ALL (Es300::Refused(Refusal::Double));
    203 EvalSnapped "eval_snapped" [DF, SF, SI] Interpolation 50 PIXEL (Es300::Says("`interpolateAtOffset`"));
    204 EvalSampleIndex "eval_sample_index" [DF, SF, SI] Interpolation 50 PIXEL (Es300::Says("`interpolateAtSample`"));
    205 EvalCentroid "eval_centroid" [DF, SF] Interpolation 50 PIXEL (Es300::Says("`interpolateAtCentroid`"));
    206 DclGsInstanceCount "dcl_gsinstances" [] Declaration 50 GEOMETRY (Es300::Refused(Refusal::Stage));
    207 Abort "abort" [] Debug 50 ALL (Es300::Refused(Refusal::Abort));
    208 DebugBreak "debug_break" [] Debug 50 ALL (Es300::Says("nothing"));
    210 Ddiv "ddiv" [DD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    211 Dfma "dfma" [DD, SD, SD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    212 Drcp "drcp" [DD, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    213 Msad "msad" [DU, SU, SU, SU] Integer 50 ALL (Es300::Says("helper"));
    214 DtoI "dtoi" [DI, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    215 DtoU "dtou" [DU, SD] Double 50 ALL (Es300::Refused(Refusal::Double));
    216 ItoD "itod" [DD, SI] Double 50 ALL (Es300::Refused(Refusal::Double));
    217 UtoD "utod" [DD, SU] Double 50 ALL (Es300::Refused(Refusal::Double));
    219 Gather4Feedback "gather4_s" [DF, DU, SF, RES, SMP] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    220 Gather4CFeedback "gather4_c_s" [DF, DU, SF, RES, SMP, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    221 Gather4PoFeedback "gather4_po_s" [DF, DU, SF, SI, RES, SMP] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    222 Gather4PoCFeedback "gather4_po_c_s" [DF, DU, SF, SI, RES, SMP, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    223 LdFeedback "ld_s" [DX, DU, SI, RES] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    224 LdMsFeedback "ldms_s" [DX, DU, SI, RES, SI] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    225 LdUavTypedFeedback "ld_uav_typed_s" [DX, DU, SI, RES] Memory 50 ALL (Es300::Refused(Refusal::Uav));
    226 LdRawFeedback "ld_raw_s" [DX, DU, SU, RES] Memory 50 ALL (Es300::Refused(Refusal::Feedback));
    227 LdStructuredFeedback "ld_structured_s" [DX, DU, SU, SU, RES] Memory 50 ALL (Es300::Refused(Refusal::Feedback));
    228 SampleLFeedback "sample_l_s" [DF, DU, SF, RES, SMP, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    229 SampleCLzFeedback "sample_c_lz_s" [DF, DU, SF, RES, SMP, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    230 SampleClampFeedback "sample_cl_s" [DF, DU, SF, RES, SMP, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    231 SampleBClampFeedback "sample_b_cl_s" [DF, DU, SF, RES, SMP, SF, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    232 SampleDClampFeedback "sample_d_cl_s" [DF, DU, SF, RES, SMP, SF, SF, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    233 SampleCClampFeedback "sample_c_cl_s" [DF, DU, SF, RES, SMP, SF, SF] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
    234 CheckAccessFullyMapped "check_access_fully_mapped" [DM, SU] Texture 50 ALL (Es300::Refused(Refusal::Feedback));
}

impl Opcode {
    /// Base mnemonic.
    pub const fn name(self) -> &'static str {
        self.info().name
    }
    /// Whether it declares rather than executes.
    pub const fn is_declaration(self) -> bool {
        matches!(self.info().family, Family::Declaration)
    }
    /// What reads the same without saying whether all of it was resident; itself where there is no such opcode.
    #[inline]
    pub const fn without_feedback(self) -> Opcode {
        use Opcode::*;
        // The forms with feedback came last: their numbers are the highest.
        if (self as u32) < Gather4Feedback as u32 {
            return self;
        }
        match self {
            SampleClampFeedback => Sample,
            SampleBClampFeedback => SampleB,
            SampleDClampFeedback => SampleD,
            SampleCClampFeedback => SampleC,
            SampleLFeedback => SampleL,
            SampleCLzFeedback => SampleCLz,
            Gather4Feedback => Gather4,
            Gather4CFeedback => Gather4C,
            Gather4PoFeedback => Gather4Po,
            Gather4PoCFeedback => Gather4PoC,
            LdFeedback => Ld,
            LdRawFeedback => LdRaw,
            LdStructuredFeedback => LdStructured,
            other => other,
        }
    }
    /// Whether ES 3.00 says it: in every form, or where its feedback goes to `null`.
    pub fn is_sayable(self) -> bool {
        matches!(self.info().es300, Es300::Says(_)) || self.without_feedback() != self
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let mut count = 0;
        for n in 0..0x800 {
            if let Some(op) = Opcode::from_number(n) {
                assert_eq!(op as u32, n);
                assert_eq!(op.info().opcode, op);
                count += 1;
            }
        }
        assert_eq!(count, Opcode::ALL.len());
    }

    #[test]
    fn destinations_come_first() {
        for op in Opcode::ALL {
            let slots = op.info().slots;
            let dests = slots.iter().take_while(|s| matches!(s, Slot::Dest(_))).count();
            assert!(!slots[dests..].iter().any(|s| matches!(s, Slot::Dest(_))), "{op:?}");
        }
    }
}
