//! Token streams made by hand. The lines expected are what Microsoft's disassembler (`d3dcompiler_47.dll`)
//! writes for the same words.

use super::*;
use crate::opcode::Stage;
use crate::program::OperandKind::{self, *};

/// Lanes of an operand token.
const MASK: u32 = 2;
const IDENTITY: u32 = 2 | 1 << 2 | 0xe4 << 4;
const NONE: u32 = 0;
const ONE: u32 = 1;

/// A mask of lanes.
const fn mask(lanes: u32) -> u32 {
    MASK | lanes << 4
}

/// One lane of four.
const fn select(lane: u32) -> u32 {
    2 | 2 << 2 | lane << 4
}

/// A register with immediate indices.
fn reg(kind: OperandKind, lanes: u32, indices: &[u32]) -> Vec<u32> {
    let mut words = vec![lanes | (kind as u32) << 12 | (indices.len() as u32) << 20];
    words.extend(indices);
    words
}

/// A temporary that is written, one that is read.
fn dst(n: u32) -> Vec<u32> {
    reg(Temp, mask(15), &[n])
}
fn src(n: u32) -> Vec<u32> {
    reg(Temp, IDENTITY, &[n])
}

/// An operand with an extended token: modifier, precision and the mark for indices that differ.
fn modified(mut operand: Vec<u32>, modifier: u32, precision: u32, non_uniform: u32) -> Vec<u32> {
    operand[0] |= 1 << 31;
    operand.insert(1, 1 | modifier << 6 | precision << 14 | non_uniform << 17);
    operand
}

/// Index `d` of `operand`, which must be its last, has `register` added to it.
fn relative(mut operand: Vec<u32>, d: u32, register: &[u32]) -> Vec<u32> {
    operand[0] |= 3 << (22 + 3 * d);
    operand.extend(register);
    operand
}

/// A literal of one or four words.
fn literal(words: &[u32]) -> Vec<u32> {
    reg_words(Immediate32, words)
}
fn reg_words(kind: OperandKind, words: &[u32]) -> Vec<u32> {
    let lanes = if words.len() == 1 { ONE } else { IDENTITY };
    [&[lanes | (kind as u32) << 12], words].concat()
}
fn floats<const N: usize>(values: [f32; N]) -> Vec<u32> {
    literal(&values.map(f32::to_bits))
}

/// An instruction: control bits in place, extended tokens, operands and words.
fn op_with(opcode: Opcode, controls: u32, extended: &[u32], parts: &[&[u32]]) -> Vec<u32> {
    let length = 1 + extended.len() + parts.iter().map(|p| p.len()).sum::<usize>();
    let more = |yes: bool| (yes as u32) << 31;
    let mut words = vec![opcode as u32 | controls | (length as u32) << 24 | more(!extended.is_empty())];
    words.extend(extended.iter().enumerate().map(|(n, e)| e | more(n + 1 < extended.len())));
    words.extend(parts.concat());
    words
}
fn op(opcode: Opcode, parts: &[&[u32]]) -> Vec<u32> {
    op_with(opcode, 0, &[], parts)
}

fn decode(stage: Stage, minor: u32, instructions: &[Vec<u32>]) -> Program {
    let body = instructions.concat();
    let words = [&[(stage as u32) << 16 | 5 << 4 | minor, body.len() as u32 + 2], &body[..]].concat();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    Program::decode(&bytes, *b"SHEX", 100).unwrap()
}

/// Checks the text of each instruction as shader model 5.`minor`.
#[track_caller]
fn check(minor: u32, cases: &[(Vec<u32>, &str)]) {
    for (words, expected) in cases {
        let program = decode(Stage::Pixel, minor, std::slice::from_ref(words));
        assert_eq!(instruction_text(&program, 0), *expected);
    }
}

/// Checks declarations without operands but with words, or with neither.
#[track_caller]
fn check_words(cases: &[(Opcode, u32, &[u32], &str)]) {
    for (opcode, controls, words, expected) in cases {
        check(0, &[(op_with(*opcode, *controls, &[], &[words]), expected)]);
    }
}

#[test]
fn lanes() {
    let mov = |d: u32, s: u32| op(Opcode::Mov, &[&reg(Temp, d, &[0]), &reg(Temp, s, &[1])]);
    check(
        0,
        &[
            (mov(mask(15), IDENTITY), "mov r0.xyzw, r1.xyzw"),
            (mov(mask(5), 2 | 1 << 2 | 0x1b << 4), "mov r0.xz, r1.wzyx"),
            (mov(mask(0), select(2)), "mov r0., r1.z"),
            (mov(ONE, NONE), "mov r0, r1"),
            (mov(mask(8), mask(6)), "mov r0.w, r1.yz"),
        ],
    );
}

#[test]
fn modifiers_of_operands() {
    let mov = |m, p, u| op(Opcode::Mov, &[&dst(0), &modified(src(1), m, p, u)]);
    let add = |d, s| {
        op(
            Opcode::Add,
            &[&modified(dst(0), 0, d, 0), &modified(src(1), 0, s, 0), &reg(Temp, select(1), &[2])],
        )
    };
    check(
        0,
        &[
            (mov(1, 0, 0), "mov r0.xyzw, -r1.xyzw"),
            (mov(2, 0, 0), "mov r0.xyzw, |r1.xyzw|"),
            (mov(3, 1, 1), "mov r0.xyzw, -|r1.xyzw {min16f as def32} { nonuniform }|"),
            (add(0, 0), "add r0.xyzw, r1.xyzw, r2.y"),
            (add(1, 1), "add r0.xyzw {min16f}, r1.xyzw {min16f}, r2.y {def32 as min16f}"),
            (add(2, 4), "add r0.xyzw {min2_8f}, r1.xyzw {min16i as min2_8f}, r2.y {def32 as min2_8f}"),
            (add(5, 3), "add r0.xyzw {min16u}, r1.xyzw {def32 as min16u}, r2.y {def32 as min16u}"),
            (add(0, 3), "add r0.xyzw, r1.xyzw {def32 as def32}, r2.y"),
            (add(3, 3), "add r0.xyzw {def32}, r1.xyzw {def32}, r2.y {def32 as def32}"),
        ],
    );
}

#[test]
fn conversions_of_precision() {
    let half = |o| modified(o, 0, 1, 0);
    check(
        0,
        &[
            // A comparison takes its operands as they are; a shift its count, a select its condition.
            (
                op(Opcode::Lt, &[&half(dst(0)), &src(1), &half(src(2))]),
                "lt r0.xyzw {min16f}, r1.xyzw, r2.xyzw {min16f}",
            ),
            (
                op(Opcode::Ishl, &[&dst(0), &half(src(1)), &half(src(2))]),
                "ishl r0.xyzw, r1.xyzw {min16f as def32}, r2.xyzw {min16f}",
            ),
            (
                op(Opcode::Movc, &[&half(dst(0)), &src(1), &src(2), &half(src(3))]),
                "movc r0.xyzw {min16f}, r1.xyzw, r2.xyzw {def32 as min16f}, r3.xyzw {min16f}",
            ),
            (
                op(Opcode::Imul, &[&half(dst(0)), &dst(1), &src(2), &src(3)]),
                "imul r0.xyzw {min16f}, r1.xyzw, r2.xyzw {def32 as min16f}, r3.xyzw {def32 as min16f}",
            ),
            (
                op(Opcode::Swapc, &[&half(dst(0)), &dst(1), &src(2), &src(3), &src(4)]),
                "swapc r0.xyzw {min16f}, r1.xyzw {def32 as min16f}, r2.xyzw, r3.xyzw, r4.xyzw",
            ),
            (op(Opcode::Itof, &[&half(dst(0)), &src(1)]), "itof r0.xyzw {min16f}, r1.xyzw"),
        ],
    );
}

#[test]
fn register_files() {
    let mov = |kind, indices: &[u32]| op(Opcode::Mov, &[&dst(0), &reg(kind, IDENTITY, indices)]);
    let named = [
        (Input, "v1", "v[1][2]"),
        (Output, "o1", "o[1][2]"),
        (IndexableTemp, "x1", "x1[2]"),
        (Sampler, "s1", "s1[2]"),
        (Resource, "t1", "t1[2]"),
        (ConstantBuffer, "cb1", "cb1[2]"),
        (ImmediateConstantBuffer, "icb1", "icb12"),
        (Label, "label1", "label12"),
        (InputPrimitiveId, "vPrim1", "vPrim12"),
        (OutputDepth, "oDepth1", "oDepth12"),
        (Null, "null1", "null12"),
        (Rasterizer, "rasterizer1", "rasterizer12"),
        (OutputCoverageMask, "oMask1", "oMask12"),
        (Stream, "m1", "m12"),
        (FunctionBody, "fb1", "fb12"),
        (FunctionTable, "ft1", "ft12"),
        (Interface, "fp1", "fp1[2]"),
        (FunctionInput, "iv1", "iv1[2]"),
        (FunctionOutput, "ov1", "ov1[2]"),
        (OutputControlPointId, "vOutputControlPointID1", "vOutputControlPointID12"),
        (InputForkInstanceId, "vForkInstanceID1", "vForkInstanceID12"),
        (InputJoinInstanceId, "vJoinInstanceID1", "vJoinInstanceID12"),
        (InputControlPoint, "vicp1", "vicp[1][2]"),
        (OutputControlPoint, "vocp1", "vocp[1][2]"),
        (InputPatchConstant, "vpc1", "vpc12"),
        (InputDomainPoint, "vDomain1", "vDomain12"),
        (ThisPointer, "this[1]", "this1[2]"),
        (UnorderedAccessView, "u1", "u1[2]"),
        (ThreadGroupSharedMemory, "g1", "g12"),
        (InputThreadId, "vThreadID1", "vThreadID12"),
        (InputThreadGroupId, "vThreadGroupID1", "vThreadGroupID12"),
        (InputThreadIdInGroup, "vThreadIDInGroup1", "vThreadIDInGroup12"),
        (InputCoverageMask, "vCoverage1", "vCoverage12"),
        (InputThreadIdInGroupFlattened, "vThreadIDInGroupFlattened1", "vThreadIDInGroupFlattened12"),
        (InputGsInstanceId, "vGSInstanceID1", "vGSInstanceID12"),
        (OutputDepthGreaterEqual, "oDepthGE1", "oDepthGE12"),
        (OutputDepthLessEqual, "oDepthLE1", "oDepthLE12"),
        (CycleCounter, "vCycleCounter1", "vCycleCounter12"),
        (OutputStencilRef, "oStencilRef1", "oStencilRef12"),
        (InnerCoverage, "vInnerCoverage1", "vInnerCoverage12"),
    ];
    for (kind, one, two) in named {
        let line = |register: &str| format!("mov r0.xyzw, {register}.xyzw");
        check(0, &[(mov(kind, &[1]), &line(one)), (mov(kind, &[1, 2]), &line(two))]);
    }
    check(
        0,
        &[
            (mov(Temp, &[]), "mov r0.xyzw, r.xyzw"),
            (mov(Input, &[1, 2, 3]), "mov r0.xyzw, v[1][2][3].xyzw"),
            (mov(Temp, &[u32::MAX]), "mov r0.xyzw, r-1.xyzw"),
        ],
    );
    check(
        1,
        &[
            (mov(Resource, &[0, 7]), "mov r0.xyzw, T0[7].xyzw"),
            (mov(Sampler, &[1, 2]), "mov r0.xyzw, S1[2].xyzw"),
            (mov(ConstantBuffer, &[0, 3, 4]), "mov r0.xyzw, CB0[3][4].xyzw"),
            (mov(UnorderedAccessView, &[2, 5]), "mov r0.xyzw, U2[5].xyzw"),
        ],
    );
}

#[test]
fn relative_indices() {
    let mov = |s: Vec<u32>| op(Opcode::Mov, &[&dst(0), &s]);
    let lane = reg(Temp, select(0), &[2]);
    // Index 1 with no constant part.
    let no_constant =
        [reg(ConstantBuffer, IDENTITY | 2 << 20 | 2 << 25, &[]), vec![0], lane.clone()].concat();
    check(
        0,
        &[
            (
                mov(relative(reg(ConstantBuffer, IDENTITY, &[0, 5]), 1, &lane)),
                "mov r0.xyzw, cb0[r2.x + 5].xyzw",
            ),
            (mov(no_constant), "mov r0.xyzw, cb0[r2.x + 0].xyzw"),
            (mov(relative(reg(Input, IDENTITY, &[3]), 0, &lane)), "mov r0.xyzw, v[r2.x + 3].xyzw"),
            (mov(relative(reg(Temp, IDENTITY, &[3]), 0, &lane)), "mov r0.xyzw, r[r2.x + 3].xyzw"),
            (
                mov(relative(
                    reg(IndexableTemp, IDENTITY, &[0, 5]),
                    1,
                    &reg(IndexableTemp, select(1), &[1, 2]),
                )),
                "mov r0.xyzw, x0[x1[2].y + 5].xyzw",
            ),
            (
                mov(relative(reg(IndexableTemp, IDENTITY, &[0, 5]), 1, &reg(Input, select(3), &[1, 2]))),
                "mov r0.xyzw, x0[v_2_1.w + 5].xyzw",
            ),
            (
                mov(relative(
                    reg(ImmediateConstantBuffer, IDENTITY, &[7]),
                    0,
                    &modified(lane.clone(), 1, 4, 0),
                )),
                "mov r0.xyzw, icb[r2.x {min16i} + 7].xyzw",
            ),
        ],
    );
}

#[test]
fn literals() {
    let add = |l: Vec<u32>| op(Opcode::Add, &[&dst(0), &l, &src(1)]);
    let iadd = |l: Vec<u32>| op(Opcode::Iadd, &[&dst(0), &l, &src(1)]);
    let mov = |l: Vec<u32>| op(Opcode::Mov, &[&dst(0), &l]);
    check(
        0,
        &[
            (add(floats([0.1])), "add r0.xyzw, l(0.100000), r1.xyzw"),
            (
                add(floats([1.0, -0.0, 1e10, 0.0000025])),
                "add r0.xyzw, l(1.000000, -0.000000, 10000000000.000000, 0.000002), r1.xyzw",
            ),
            (add(literal(&[123])), "add r0.xyzw, l(0.000000), r1.xyzw"),
            (
                add(literal(&[0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffff_ffff])),
                "add r0.xyzw, l(1.#INF00, -1.#INF00, 1.#QNAN0, -1.#QNAN0), r1.xyzw",
            ),
            (add(literal(&[0xffc0_0000])), "add r0.xyzw, l(-1.#IND00), r1.xyzw"),
            (add(floats([123_456.79])), "add r0.xyzw, l(123456.789062), r1.xyzw"),
            (
                iadd(literal(&[10_000, 10_001, -10_000i32 as u32, -10_001i32 as u32])),
                "iadd r0.xyzw, l(10000, 0x00002711, -10000, 0xffffd8ef), r1.xyzw",
            ),
            (iadd(floats([1.0])), "iadd r0.xyzw, l(0x3f800000), r1.xyzw"),
            (
                mov(literal(&[0, 0x3f80_0000, -1i32 as u32, 10_001])),
                "mov r0.xyzw, l(0,1.000000,-1,0x00002711)",
            ),
            (
                mov(literal(&[0x8000_0000, 0x007f_ffff, 0x7f80_0000, 0x0080_0000])),
                "mov r0.xyzw, l(-0.000000,0x007fffff,0x7f800000,0.000000)",
            ),
            // Opcodes of later models are taken for operations on integers.
            (op(Opcode::Rcp, &[&dst(0), &floats([2.0])]), "rcp r0.xyzw, l(0x40000000)"),
            (
                op(
                    Opcode::StoreRaw,
                    &[&reg(UnorderedAccessView, mask(1), &[0]), &literal(&[4]), &floats([2.0])],
                ),
                "store_raw u0.x, l(4), l(2.000000)",
            ),
            (
                op(
                    Opcode::Dmov,
                    &[&dst(0), &reg_words(Immediate64, &[0x9999_999a, 0x3fb9_9999, 0, 0x4000_0000])],
                ),
                "dmov r0.xyzw, d(0.100000l, 2.000000l)",
            ),
            (
                op(Opcode::Dmov, &[&dst(0), &reg_words(Immediate64, &[0, 0x7ff0_0000, 0, 0xfff8_0000])]),
                "dmov r0.xyzw, d(1.#INF00l, -1.#IND00l)",
            ),
        ],
    );
}

#[test]
fn modifiers_of_instructions() {
    let texture = reg(Resource, IDENTITY, &[0]);
    let sampler = reg(Sampler, NONE, &[0]);
    let sample = |controls, extended: &[u32]| {
        op_with(Opcode::Sample, controls, extended, &[&dst(0), &src(1), &texture, &sampler])
    };
    let offsets = 1 | 1 << 9 | (-2i32 as u32 & 15) << 13 | 7 << 17;
    let dimension = |n: u32, stride: u32| 2 | n << 6 | stride << 11;
    let float = 3 | 0x5555 << 6;
    let operands = "r0.xyzw, r1.xyzw, t0.xyzw, s0";
    for (words, mnemonic) in [
        (sample(0, &[]), "sample"),
        (sample(0, &[offsets]), "sample_aoffimmi(1,-2,7)"),
        (sample(0, &[dimension(3, 0)]), "sample_indexable(texture2d)"),
        (sample(0, &[3 | 0x1234 << 6]), "sample_indexable(uint,sint,snorm,unorm)"),
        (
            sample(0, &[dimension(13, 0), float]),
            "sample_indexable(<unknown dimension>)(float,float,float,float)",
        ),
        (sample(0, &[3 | 0x9876 << 6]), "sample_indexable(mixed,double,<continued>,<unused>)"),
        (
            sample(1 << 13 | 5 << 19, &[offsets, dimension(12, 16), float]),
            "sample_aoffimmi_indexable_sat [precise(xz)](1,-2,7)(structured_buffer, stride=16)(float,float,float,float)",
        ),
        (sample(15 << 19, &[]), "sample [precise]"),
    ] {
        check(0, &[(words, &format!("{mnemonic} {operands}"))]);
    }

    let resinfo =
        |controls| op_with(Opcode::ResInfo, controls, &[dimension(3, 0)], &[&dst(0), &src(1), &texture]);
    let condition = reg(Temp, select(1), &[1]);
    check(
        0,
        &[
            (resinfo(0), "resinfo_indexable(texture2d) r0.xyzw, r1.xyzw, t0.xyzw"),
            (resinfo(1 << 11), "resinfo_indexable(texture2d)_rcpfloat r0.xyzw, r1.xyzw, t0.xyzw"),
            (resinfo(2 << 11), "resinfo_indexable(texture2d)_uint r0.xyzw, r1.xyzw, t0.xyzw"),
            (
                op_with(Opcode::SampleInfo, 1 << 11, &[], &[&dst(0), &texture]),
                "sampleinfo_uint r0.xyzw, t0.xyzw",
            ),
            (op(Opcode::If, &[&condition]), "if_z r1.y"),
            (op_with(Opcode::Discard, 1 << 18, &[], &[&condition]), "discard_nz r1.y"),
            (op(Opcode::Callc, &[&condition, &reg(Label, NONE, &[3])]), "callc_z r1.y, label3"),
            (
                op(Opcode::LdMs, &[&dst(0), &src(1), &texture, &src(2)]),
                "ldms r0.xyzw, r1.xyzw, t0.xyzw, r2.xyzw",
            ),
        ],
    );
    check_words(&[
        (Opcode::Sync, 0, &[], "sync"),
        (Opcode::Sync, 3 << 11, &[], "sync_g_t"),
        (Opcode::Sync, 1 << 14 | 1 << 12, &[], "sync_uglobal_g"),
        // The bit of the group's scope is also that of saturation.
        (Opcode::Sync, 1 << 13, &[], "sync_sat_ugroup"),
        (Opcode::Sync, 15 << 11, &[], "sync_sat_uglobal_g_t"),
        (Opcode::Ret, 0, &[], "ret"),
    ]);
}

#[test]
fn interfaces() {
    check(
        0,
        &[
            (op(Opcode::InterfaceCall, &[&[7], &reg(Interface, NONE, &[1, 2])]), "fcall fp1[2][7]"),
            (op(Opcode::Label, &[&reg(FunctionBody, NONE, &[3])]), "label fb3"),
        ],
    );
    check_words(&[
        (Opcode::DclFunctionBody, 0, &[3], "dcl_function_body fb3"),
        (Opcode::DclFunctionTable, 0, &[2, 3, 0, 1, 2], "dcl_function_table ft2 = {fb0, fb1, fb2}"),
        (Opcode::DclFunctionTable, 0, &[2, 0], "dcl_function_table ft2 = {}"),
        (Opcode::DclInterface, 0, &[0, 1, 2 | 1 << 16, 0, 1], "dcl_interface fp0[1][1] = {ft0, ft1}"),
        (
            Opcode::DclInterface,
            1 << 11,
            &[0, 3, 1 | 5 << 16, 4],
            "dcl_interface_dynamicindexed fp0[5][3] = {ft4}",
        ),
    ]);
}

#[test]
fn declarations_of_registers() {
    let input = |opcode, interpolation: u32, words: &[u32]| {
        op_with(opcode, interpolation << 11, &[], &[&reg(Input, mask(3), &[1]), words])
    };
    check(
        0,
        &[
            (op(Opcode::DclInput, &[&reg(Input, mask(7), &[3, 0])]), "dcl_input v[3][0].xyz"),
            (op(Opcode::DclInput, &[&reg(InputPrimitiveId, NONE, &[])]), "dcl_input vPrim"),
            (
                op(Opcode::DclInput, &[&modified(reg(Input, mask(1), &[0]), 0, 1, 0)]),
                "dcl_input v0.x {min16f}",
            ),
            (input(Opcode::DclInputPs, 0, &[]), "dcl_input_ps undefined v1.xy"),
            (input(Opcode::DclInputPs, 1, &[]), "dcl_input_ps constant v1.xy"),
            (input(Opcode::DclInputPs, 2, &[]), "dcl_input_ps linear v1.xy"),
            (input(Opcode::DclInputPs, 3, &[]), "dcl_input_ps linear centroid v1.xy"),
            (input(Opcode::DclInputPs, 4, &[]), "dcl_input_ps linear noperspective v1.xy"),
            (input(Opcode::DclInputPs, 5, &[]), "dcl_input_ps linear noperspective centroid v1.xy"),
            (input(Opcode::DclInputPs, 6, &[]), "dcl_input_ps linear sample v1.xy"),
            (input(Opcode::DclInputPs, 7, &[]), "dcl_input_ps linear noperspective sample v1.xy"),
            (input(Opcode::DclInputPs, 8, &[]), "dcl_input_ps ??? v1.xy"),
            (input(Opcode::DclInputPsSiv, 4, &[1]), "dcl_input_ps_siv linear noperspective v1.xy, position"),
            (input(Opcode::DclInputPsSgv, 1, &[9]), "dcl_input_ps_sgv constant v1.xy, is_front_face"),
            (input(Opcode::DclInputSgv, 0, &[6]), "dcl_input_sgv v1.xy, vertex_id"),
            (input(Opcode::DclInputSiv, 0, &[99]), "dcl_input_siv v1.xy,"),
            (
                op(Opcode::DclOutputSiv, &[&reg(Output, mask(1), &[0]), &[11]]),
                "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor",
            ),
            (op(Opcode::DclOutput, &[&reg(OutputDepth, ONE, &[])]), "dcl_output oDepth"),
            (op(Opcode::DclIndexRange, &[&reg(Output, mask(1), &[0]), &[4]]), "dcl_indexrange o0.x 4"),
            (op(Opcode::DclStream, &[&reg(Stream, NONE, &[1])]), "dcl_stream m1"),
            (
                op(Opcode::DclTgsmRaw, &[&reg(ThreadGroupSharedMemory, NONE, &[0]), &[64]]),
                "dcl_tgsm_raw g0, 64",
            ),
            (
                op(Opcode::DclTgsmStructured, &[&reg(ThreadGroupSharedMemory, NONE, &[1]), &[16, 64]]),
                "dcl_tgsm_structured g1, 16, 64",
            ),
        ],
    );
}

#[test]
fn declarations_of_resources() {
    let t = |controls, words: &[u32]| {
        op_with(Opcode::DclResource, controls, &[], &[&reg(Resource, NONE, &[2]), words])
    };
    let u = |opcode, controls, words: &[u32]| {
        op_with(opcode, controls, &[], &[&reg(UnorderedAccessView, NONE, &[1]), words])
    };
    let cb = |controls, size| {
        op_with(Opcode::DclConstantBuffer, controls, &[], &[&reg(ConstantBuffer, IDENTITY, &[3, size])])
    };
    let s = |mode: u32| op_with(Opcode::DclSampler, mode << 11, &[], &[&reg(Sampler, NONE, &[0])]);
    check(
        0,
        &[
            (t(3 << 11, &[0x5555]), "dcl_resource_texture2d (float,float,float,float) t2"),
            (t(4 << 11 | 9 << 16, &[0x4444]), "dcl_resource_texture2dms(9) (uint,uint,uint,uint) t2"),
            (t(9 << 11, &[0x5555]), "dcl_resource_texture2dmsarray(0) (float,float,float,float) t2"),
            (t(1 << 11, &[0x1236]), "dcl_resource_buffer (mixed,sint,snorm,unorm) t2"),
            (t(31 << 11, &[0x5555]), "dcl_resource_<unknown dimension> (float,float,float,float) t2"),
            (op(Opcode::DclResourceRaw, &[&reg(Resource, NONE, &[0])]), "dcl_resource_raw t0"),
            (
                op(Opcode::DclResourceStructured, &[&reg(Resource, NONE, &[0]), &[16]]),
                "dcl_resource_structured t0, 16",
            ),
            (
                u(Opcode::DclUavTyped, 3 << 11 | 1 << 16, &[0x4444]),
                "dcl_uav_typed_texture2d_glc (uint,uint,uint,uint) u1",
            ),
            (u(Opcode::DclUavRaw, 1 << 17, &[]), "dcl_uav_raw_rov u1"),
            (u(Opcode::DclUavStructured, 1 << 23 | 3 << 16, &[16]), "dcl_uav_structured_glc_opc_rov u1, 16"),
            (cb(0, 4), "dcl_constantbuffer CB3[4], immediateIndexed"),
            (cb(1 << 11, u32::MAX), "dcl_constantbuffer CB3[-1], dynamicIndexed"),
            (s(0), "dcl_sampler s0, mode_default"),
            (s(1), "dcl_sampler s0, mode_comparison"),
            (s(2), "dcl_sampler s0, mode_mono"),
            (s(3), "dcl_sampler s0"),
        ],
    );
}

#[test]
fn declarations_of_ranges() {
    let range = |kind, last| reg(kind, IDENTITY, &[0, 1, last]);
    check(
        1,
        &[
            (
                op_with(Opcode::DclResource, 3 << 11, &[], &[&range(Resource, 3), &[0x5555, 2]]),
                "dcl_resource_texture2d (float,float,float,float) T0[1:3], space=2",
            ),
            (
                op_with(Opcode::DclResource, 3 << 11, &[], &[&range(Resource, u32::MAX), &[0x5555, 0]]),
                "dcl_resource_texture2d (float,float,float,float) T0[1:*], space=0",
            ),
            (
                op_with(Opcode::DclConstantBuffer, 1 << 11, &[], &[&range(ConstantBuffer, 2), &[7, 9]]),
                "dcl_constantbuffer CB0[1:2][7], dynamicIndexed, space=9",
            ),
            (
                op_with(Opcode::DclSampler, 1 << 11, &[], &[&range(Sampler, 2), &[3]]),
                "dcl_sampler S0[1:2], mode_comparison, space=3",
            ),
            (
                op_with(Opcode::DclUavTyped, 3 << 11, &[], &[&range(UnorderedAccessView, 2), &[0x5555, 4]]),
                "dcl_uav_typed_texture2d (float,float,float,float) U0[1:2], space=4",
            ),
            (op(Opcode::DclUavRaw, &[&range(UnorderedAccessView, 2), &[4]]), "dcl_uav_raw U0[1:2], space=4"),
            (
                op_with(Opcode::DclUavStructured, 1 << 23, &[], &[&range(UnorderedAccessView, 2), &[16, 4]]),
                "dcl_uav_structured_opc U0[1:2], 16, space=4",
            ),
            (op(Opcode::DclResourceRaw, &[&range(Resource, 2), &[4]]), "dcl_resource_raw T0[1:2], space=4"),
            (
                op(Opcode::DclResourceStructured, &[&range(Resource, 2), &[16, 4]]),
                "dcl_resource_structured T0[1:2], 16, space=4",
            ),
        ],
    );
}

#[test]
fn declarations_of_numbers() {
    use Opcode::*;
    check_words(&[
        (DclTemps, 0, &[5], "dcl_temps 5"),
        (DclIndexableTemp, 0, &[1, 8, 4], "dcl_indexableTemp x1[8], 4"),
        (DclGlobalFlags, 1 << 11, &[], "dcl_globalFlags refactoringAllowed"),
        (DclGlobalFlags, 0, &[], "dcl_globalFlagsnone"),
        (
            DclGlobalFlags,
            0x1ff << 11,
            &[],
            "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enableRawAndStructuredBuffers | \
             forceEarlyDepthStencil | skipOptimization | enableMinimumPrecision | enable11_1DoubleExtensions | \
             enable11_1ShaderExtensions | allResourcesBound",
        ),
        (DclGsOutputPrimitiveTopology, 5 << 11, &[], "dcl_outputtopology trianglestrip"),
        (DclGsOutputPrimitiveTopology, 2 << 11, &[], "dcl_outputtopology ???"),
        (DclGsInputPrimitive, 6 << 11, &[], "dcl_inputprimitive lineadj"),
        (DclGsInputPrimitive, 39 << 11, &[], "dcl_inputprimitive patch32"),
        (DclGsInputPrimitive, 40 << 11, &[], "dcl_inputprimitive ???"),
        (DclMaxOutputVertexCount, 0, &[17], "dcl_maxout 17"),
        (DclGsInstanceCount, 0, &[5], "dcl_gsinstances 5"),
        (DclInputControlPointCount, 32 << 11, &[], "dcl_input_control_point_count 32"),
        (DclOutputControlPointCount, 3 << 11, &[], "dcl_output_control_point_count 3"),
        (DclTessDomain, 3 << 11, &[], "dcl_tessellator_domain domain_quad"),
        (DclTessDomain, 0, &[], "dcl_tessellator_domain ???"),
        (DclTessPartitioning, 4 << 11, &[], "dcl_tessellator_partitioning partitioning_fractional_even"),
        (DclTessOutputPrimitive, 4 << 11, &[], "dcl_tessellator_output_primitive output_triangle_ccw"),
        (DclTessOutputPrimitive, 0, &[], "dcl_tessellator_output_primitive"),
        (DclHsMaxTessFactor, 0, &[64f32.to_bits()], "dcl_hs_max_tessfactor l(64.000000)"),
        (DclHsForkPhaseInstanceCount, 0, &[4], "dcl_hs_fork_phase_instance_count 4"),
        (DclHsJoinPhaseInstanceCount, 0, &[2], "dcl_hs_join_phase_instance_count 2"),
        (DclThreadGroup, 0, &[8, 4, 1], "dcl_thread_group 8, 4, 1"),
    ]);
}

/// Custom data of a class.
fn custom(class: u32, words: &[u32]) -> Vec<u32> {
    [&[Opcode::CustomData as u32 | class << 11, words.len() as u32 + 2], words].concat()
}

#[test]
fn custom_data() {
    let printf =
        [&[0x20_0102, 1, 4, 2, 4][..], &src(1), &floats([1.5]), &[0x2520_660a, 0x0000_0064]].concat();
    let errorf = [0x20_0103, 1, 4, 0, 0, 0x706f_7473, 0];
    let damaged = [0x20_0103, 1, 4, 1, 2, 0x706f_7473, 0];
    check(
        0,
        &[
            (
                custom(
                    crate::CUSTOM_DATA_ICB,
                    &[0x3f80_0000, 0, 1, 0x8000_0000, 0x7f80_0000, 20_000, u32::MAX, 9, 7],
                ),
                "dcl_immediateConstantBuffer { { 1.000000, 0, 1, -0.000000},\n                              \
                 { 0x7f800000, 0x00004e20, -1, 9} }",
            ),
            (custom(crate::CUSTOM_DATA_ICB, &[]), "dcl_immediateConstantBuffer {  }"),
            (custom(0, &[0x2069_6948]), "// COMMENT: Hii"),
            (custom(1, &[5]), "undecipherable custom data"),
            (custom(4, &printf), "printf \"\\nf %d\", r1.xyzw, l(1.500000)"),
            (custom(4, &errorf), "errorf \"stop\""),
            (custom(4, &damaged), "undecipherable custom data"),
            (custom(4, &[1, 2]), "undecipherable custom data"),
        ],
    );
}

#[test]
fn whole_listing() {
    let condition = reg(Temp, select(0), &[1]);
    let nothing = |opcode| op(opcode, &[]);
    let program = decode(
        Stage::Hull,
        0,
        &[
            nothing(Opcode::HsDecls),
            op_with(Opcode::DclInputControlPointCount, 3 << 11, &[], &[]),
            custom(crate::CUSTOM_DATA_ICB, &[0x3f80_0000, 0, 1, 20_000]),
            nothing(Opcode::HsForkPhase),
            op(Opcode::Mov, &[&dst(0), &literal(&[5, 0x3f80_0000, 20_000, 0])]),
            op_with(Opcode::If, 1 << 18, &[], &[&condition]),
            nothing(Opcode::Loop),
            nothing(Opcode::Break),
            nothing(Opcode::EndLoop),
            nothing(Opcode::Else),
            op(Opcode::Switch, &[&condition]),
            op(Opcode::Case, &[&literal(&[1])]),
            nothing(Opcode::Default),
            nothing(Opcode::EndSwitch),
            nothing(Opcode::EndIf),
            nothing(Opcode::EndIf),
            nothing(Opcode::Ret),
        ],
    );
    let listing = |options: &Options| {
        let mut out = String::new();
        disassemble_with(&program, options, &mut out);
        out
    };
    let plain = "hs_5_0
hs_decls~
dcl_input_control_point_count 3
dcl_immediateConstantBuffer { { 1.000000, 0, 1, 0x00004e20} }
hs_fork_phase~
mov r0.xyzw, l(5,1.000000,0x00004e20,0)
if_nz r1.x
  loop~
    break~
  endloop~
else~
  switch r1.x
    case l(1)
    default~
  endswitch~
endif~
endif~
ret~
";
    assert_eq!(listing(&Options::default()), plain.replace('~', " "));

    let options = Options { instruction_numbers: true, byte_offsets: true, hex_literals: true };
    let all = listing(&options);
    let mut lines = all.lines();
    for expected in [
        "      0x00000000: hs_5_0",
        "      0x00000008: hs_decls ",
        "      0x0000000C: dcl_input_control_point_count 3",
        "      0x00000010: dcl_immediateConstantBuffer { { 0x3f800000, 0x00000000, 0x00000001, 0x00004e20} }",
        "   0  0x00000028: hs_fork_phase ",
        "   1  0x0000002C: mov r0.xyzw, l(0x00000005,0x3f800000,0x00004e20,0x00000000)",
        "   2  0x0000004C: if_nz r1.x",
        "   3  0x00000058:   loop ",
    ] {
        assert_eq!(lines.next(), Some(expected));
    }
    let numbers = listing(&Options { instruction_numbers: true, ..Options::default() });
    assert!(numbers.starts_with("      hs_5_0\n      hs_decls \n"));
    assert!(numbers.ends_with("\n  13: ret \n"));
    let offsets = listing(&Options { byte_offsets: true, ..Options::default() });
    assert!(offsets.starts_with("0x00000000: hs_5_0\n"));

    assert_eq!(instruction_text(&program, 3), "hs_fork_phase");
    assert_eq!(instruction_text(&program, 99), "");
}

/// A listing grows with the program's length only.
#[test]
fn deep_nesting() {
    let program = decode(Stage::Pixel, 0, &vec![op(Opcode::Loop, &[]); 10_000]);
    let mut out = String::new();
    disassemble(&program, &mut out);
    assert!(out.len() < 10_000 * 2 * (MAX_INDENT + 3));
}

/// Whatever decodes can be listed: random words behind every opcode, and programs whose pools were cut.
#[test]
fn total() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    };
    let mut listed = 0;
    let mut out = String::new();
    for round in 0..400u32 {
        for opcode in Opcode::ALL {
            let mut words = vec![(round % 6) << 16 | 5 << 4 | round & 1, 0];
            if *opcode == Opcode::CustomData {
                words.extend([*opcode as u32 | (random() & 7) << 11, 12]);
                words.extend((0..10).map(|_| random() & random() & random()));
            } else {
                // Operand tokens come out sound more often where few bits are set.
                words.push(*opcode as u32 | random() & 0x80ff_f800 | 24 << 24);
                words.extend((0..23).map(|_| random() & random() & random() & 0x7f1f_ffff));
            }
            words[1] = words.len() as u32;
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            let Ok(mut program) = Program::decode(&bytes, *b"SHEX", 0) else { continue };
            listed += 1;
            out.clear();
            disassemble(&program, &mut out);
            program.relative.clear();
            program.operands.truncate(1);
            program.words.truncate(1);
            disassemble(&program, &mut out);
        }
    }
    assert!(listed > 10_000, "{listed}");
}
