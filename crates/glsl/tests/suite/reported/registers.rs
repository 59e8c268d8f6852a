//! A001 to A017: registers, integer bits, type confusion.

use shaderport_asm::{Ins, MinPrecision, Opcode::*, Shader, Type, cb, icb, l, l4, null, o, r};
use shaderport_glsl::helpers::{Helper, HelperSet};
use shaderport_glsl::options::Options;

use crate::run::{bits, drivers, expect, glsl, pixel};

#[test]
fn a001_bits_survive_between_integer_and_float_uses() {
    let mut s = pixel(1, 2);
    s.op(And, &[r(0, "x"), cb(0, 0u32, "x"), l(0xffff_ff00u32)])
        .op(Mad, &[r(0, "y"), r(0, "x"), l(2.0), l(1.0)])
        .op(Iadd, &[r(0, "z"), r(0, "x"), l(1)])
        .op(Mov, &[r(1, "xyz"), r(0, "xyzx")])
        .op(Mov, &[o(0, "xyzw"), r(1, "xyzx")])
        .op(Ret, &[]);
    // 1.5 has no low bits.
    expect(&s, &[bits([1.5, 0.0, 0.0, 0.0])], [0x3fc0_0000, 4f32.to_bits(), 0x3fc0_0001, 0x3fc0_0000]);
}

#[test]
fn a002_masks_are_all_ones_and_movc_tests_bits() {
    let mut s = pixel(2, 1);
    s.op(Eq, &[r(0, "xy"), cb(0, 0u32, "xyxx"), cb(0, 1u32, "xyxx")])
        .op(And, &[r(0, "z"), r(0, "y"), r(0, "x")])
        .op(Movc, &[o(0, "xy"), r(0, "zzzz"), l4([7, 8, 0, 0]), l4([9, 10, 0, 0])])
        .op(Mov, &[o(0, "zw"), r(0, "xxyz")])
        .op(Ret, &[]);
    expect(&s, &[bits([1.0, 2.0, 0.0, 0.0]), bits([1.0, 2.0, 0.0, 0.0])], [7, 8, u32::MAX, u32::MAX]);
    expect(&s, &[bits([1.0, 2.0, 0.0, 0.0]), bits([1.0, 3.0, 0.0, 0.0])], [9, 10, 0, 0]);
    // A bit pattern that is a float zero but for its sign is not zero.
    let mut s = pixel(1, 0);
    s.op(Movc, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), l(1), l(2)]).op(Ret, &[]);
    expect(&s, &[[0, 0x8000_0000, 1, 0x7fc0_0000]], [2, 1, 1, 1]);
}

#[test]
fn a003_a_mask_selects_float_data() {
    let mut s = pixel(2, 2);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Lt, &[r(1, "xy"), cb(0, 1u32, "xyxx"), l(1.0)])
        .op(And, &[r(0, "xyzw"), r(1, "xyxy"), r(0, "xyzw")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    let data = [0x3f80_0000, 0x4000_0000, 0x7fc0_0001, 0xbf80_0000];
    expect(&s, &[data, bits([0.5, 1.5, 0.0, 0.0])], [data[0], 0, data[2], 0]);
}

#[test]
fn a004_small_integers_stay_in_integers() {
    let mut s = pixel(4, 3);
    s.op(Mov, &[r(0, "x"), l(0)])
        .op(Mov, &[r(0, "y"), l(1)])
        .op(Mov, &[r(1, "xyzw"), l4([0, 0, 0, 0])])
        .op(Loop, &[])
        .op(Ige, &[r(0, "z"), r(0, "x"), l(4)])
        .op_nz(Breakc, &[r(0, "z")])
        .op(Iadd, &[r(1, "xyzw"), r(1, "xyzw"), cb(0, r(0, "x"), "xyzw")])
        .op(Iadd, &[r(0, "x"), r(0, "x"), r(0, "y")])
        .op(EndLoop, &[])
        .op(Mov, &[o(0, "xyzw"), r(1, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[1, 2, 3, 4]; 4], [4, 8, 12, 16]);
    let text = glsl(&s);
    assert!(!text.contains("intBitsToFloat") && !text.contains("uintBitsToFloat"), "{text}");
}

#[test]
fn a005_a_round_trip_of_bits_keeps_them() {
    let mut s = pixel(1, 2);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Utof, &[r(1, "xyzw"), r(0, "xyzw")])
        .op(Ftou, &[r(1, "xyzw"), r(1, "xyzw")])
        .op(Iadd, &[r(0, "xyzw"), r(0, "xyzw"), r(1, "xyzw")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[50, 1, 0x0080_0000, 0]], [100, 2, 0x0100_0000, 0]);
}

#[test]
fn a006_masks_are_never_floats() {
    let mut s = pixel(2, 2);
    s.op(Ge, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), l(1.0)])
        .op(Mov, &[r(1, "xyzw"), r(0, "wzyx")])
        .op(And, &[r(1, "xyzw"), r(1, "xyzw"), cb(0, 1u32, "xyzw")])
        .op(Or, &[o(0, "xyzw"), r(1, "xyzw"), r(0, "xxxx")])
        .op(Ret, &[]);
    let words = [0x1111, 0x2222, 0x3333, 0xffff_ffff];
    expect(&s, &[bits([0.0, 2.0, 3.0, 4.0]), words], [0x1111, 0x2222, 0x3333, 0]);
    assert!(!glsl(&s).contains("BitsToFloat(-") && !glsl(&s).contains("vec4(floatBits"));
}

#[test]
fn a007_high_bits_of_integers() {
    let mut s = pixel(1, 1);
    s.op(And, &[r(0, "x"), cb(0, 0u32, "x"), l(0x0003_0000u32)])
        .op(Ushr, &[r(0, "y"), cb(0, 0u32, "x"), l(16)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
        .op(Ret, &[]);
    expect(&s, &[[0xabcd_1234, 0, 0, 0]], [0x0001_0000, 0xabcd, 0x0001_0000, 0xabcd]);
    let text = glsl(&s);
    assert!(text.contains("precision highp int;") && text.contains("precision highp float;"), "{text}");
}

#[test]
fn a008_a_logical_shift_of_what_came_from_an_int() {
    let mut s = pixel(1, 1);
    s.op(Imax, &[r(0, "x"), cb(0, 0u32, "x"), l(-100)])
        .op(Ushr, &[o(0, "xyzw"), r(0, "xxxx"), l(28)])
        .op(Ret, &[]);
    expect(&s, &[[-16i32 as u32, 0, 0, 0]], [15; 4]);
}

#[test]
fn a009_shift_counts_are_masked_and_of_the_operands_sign() {
    let mut s = pixel(1, 1);
    s.op(Ishl, &[r(0, "x"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Ishr, &[r(0, "y"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Ushr, &[r(0, "z"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Ishl, &[r(0, "w"), cb(0, 0u32, "x"), l(33)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[0x8000_0003, 33, 0, 0]], [6, 0xc000_0001, 0x4000_0001, 6]);
    let text = glsl(&s);
    // The arithmetic shift is of ints throughout, the others of uints throughout.
    assert!(text.contains("floatBitsToInt(cb0.data[0].x) >> (floatBitsToInt(cb0.data[0].y) & 31)"), "{text}");
    assert!(
        text.contains("floatBitsToUint(cb0.data[0].x) >> (floatBitsToUint(cb0.data[0].y) & 31u)"),
        "{text}"
    );
    assert!(
        text.contains("floatBitsToUint(cb0.data[0].x) << (floatBitsToUint(cb0.data[0].y) & 31u)"),
        "{text}"
    );
}

#[test]
fn a010_literals_have_the_type_of_their_expression() {
    let mut s = pixel(1, 1);
    s.op(Uge, &[r(0, "x"), cb(0, 0u32, "x"), l(2)])
        .op(Ige, &[r(0, "y"), cb(0, 0u32, "x"), l(2)])
        .op(Ge, &[r(0, "z"), cb(0, 0u32, "x"), l(2.0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzx")])
        .op(Ret, &[]);
    expect(&s, &[[0xffff_fffe, 0, 0, 0]], [u32::MAX, 0, 0, u32::MAX]);
    let text = glsl(&s);
    assert!(text.contains(">= 2u") && text.contains(">= 2.0") && text.contains(">= 2 ?"), "{text}");
}

#[test]
fn a011_every_helper_compiles_alone_at_every_width() {
    let gls = drivers();
    let mut compiled = 0;
    for &helper in Helper::ALL {
        for width in (1..=4).filter(|&w| !helper.text(w).is_empty()) {
            let mut set = HelperSet::default();
            set.add(helper, width);
            let mut text = String::from("#version 300 es\nprecision highp float;\nprecision highp int;\n");
            for sampler in ["2D", "3D", "Cube", "2DArray", "2DShadow", "CubeShadow", "2DArrayShadow"] {
                text += &format!("precision highp sampler{sampler};\n");
                if !sampler.ends_with("Shadow") {
                    text +=
                        &format!("precision highp isampler{sampler};\nprecision highp usampler{sampler};\n");
                }
            }
            set.write(&mut text);
            text += "void main() {}\n";
            for (backend, gl) in &gls {
                let compile = gl.compile(shaderport_gl_harness::Stage::Fragment, &text);
                compile.unwrap_or_else(|e| panic!("{backend}, {helper:?} at {width}: {e}\n{text}"));
            }
            compiled += 1;
        }
    }
    assert!(compiled > 100, "{compiled}");
}

#[test]
fn a012_half_floats_lie_in_the_low_16_bits() {
    let mut s = pixel(1, 2);
    s.op(F32ToF16, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(F16ToF32, &[r(1, "xyzw"), r(0, "xyzw")])
        .op(Mov, &[o(0, "xy"), r(0, "xyxx")])
        .op(Mov, &[o(0, "zw"), r(1, "xxzw")])
        .op(Ret, &[]);
    let half = |h: f32| h.to_bits();
    // 1 + 2^-10 - 2^-20 is rounded towards zero.
    expect(
        &s,
        &[bits([1.0, -2.0, 1.0 + 1.0 / 1024.0 - 1.0 / 1_048_576.0, 65504.0])],
        [0x3c00, 0xc000, half(1.0), half(65504.0)],
    );
}

#[test]
fn a013_a_destination_that_is_its_own_source() {
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Ubfe, &[r(0, "xyz"), l4([1, 1, 1, 0]), l4([0, 1, 2, 0]), r(0, "xxxx")])
        .op(Iadd, &[r(0, "xyzw"), r(0, "wxyz"), r(0, "yyyy")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[0b101, 0, 0, 9]], [9, 1, 0, 1]);
}

#[test]
fn a014_two_destinations_that_alias_their_sources() {
    let two = |op, a: [u32; 2], want: [u32; 2]| {
        let mut s = pixel(1, 1);
        s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
            .op(op, &[r(0, "x"), r(0, "y"), r(0, "x"), r(0, "y")])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &[[a[0], a[1], 1, 2]], [want[0], want[1], 1, 2]);
        // The same crosswise, and with one result thrown away.
        let mut s = pixel(1, 1);
        s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
            .op(op, &[r(0, "y"), r(0, "x"), r(0, "x"), r(0, "y")])
            .op(Mov, &[r(0, "zw"), r(0, "xxyx")])
            .op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyxy")])
            .op(op, &[null(), r(0, "y"), r(0, "x"), r(0, "y")])
            .op(op, &[r(0, "z"), null(), r(0, "z"), r(0, "w")])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &[[a[0], a[1], 0, 0]], [a[0], want[1], want[0], a[1]]);
    };
    two(Udiv, [17, 5], [3, 2]);
    two(Imul, [-3i32 as u32, 0x4000_0000], [u32::MAX, 0x4000_0000]);
    two(Umul, [0xffff_ffff, 16], [15, 0xffff_fff0]);
    two(Uaddc, [0xffff_fff0, 0x20], [0x10, 1]);
    two(Usubb, [1, 2], [u32::MAX, 1]);
}

#[test]
fn a014_swapc_and_sincos_that_alias() {
    let mut s = pixel(2, 2);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Mov, &[r(1, "xyzw"), cb(0, 1u32, "xyzw")])
        .op(Swapc, &[r(0, "xy"), r(1, "xy"), r(0, "xyxx"), r(0, "xyxx"), r(1, "xyxx")])
        .op(Mov, &[o(0, "xy"), r(0, "xyxx")])
        .op(Mov, &[o(0, "zw"), r(1, "xxxy")])
        .op(Ret, &[]);
    expect(&s, &[[5, 0, 0, 0], [7, 8, 0, 0]], [7, 0, 5, 8]);

    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Float).temps(1);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(SinCos, &[r(0, "x"), r(0, "y"), r(0, "xxxx")])
        .op(SinCos, &[null(), r(0, "z"), r(0, "zzzz")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    let a = 0.7f32;
    crate::run::expect_near(&s, &[bits([a, 0.0, a, 4.0])], [a.sin(), a.cos(), a.cos(), 4.0]);
}

#[test]
fn a015_a_shift_of_a_float_that_was_moved() {
    let mut s = pixel(1, 2);
    s.op(Add, &[r(0, "x"), cb(0, 0u32, "x"), l(1.0)])
        .op(Mov, &[r(1, "x"), r(0, "x")])
        .op(Ishl, &[r(1, "y"), r(1, "x"), l(1)])
        .op(Utof, &[r(1, "z"), r(1, "x")])
        .op(Mov, &[o(0, "xyzw"), r(1, "xyzx")])
        .op(Ret, &[]);
    let two = 2f32.to_bits();
    expect(&s, &[bits([1.0, 0.0, 0.0, 0.0])], [two, two << 1, (two as f32).to_bits(), two]);
}

#[test]
fn a016_least_precisions_are_only_hints() {
    let mut s = pixel(1, 1);
    s.push(Ins::new(
        Add,
        &[
            r(0, "x").precision(MinPrecision::Float16),
            cb(0, 0u32, "x").precision(MinPrecision::Float16),
            l(1.0),
        ],
    ))
    .op(
        Iadd,
        &[r(0, "y").precision(MinPrecision::Sint16), cb(0, 0u32, "y").precision(MinPrecision::Sint16), l(1)],
    )
    .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
    .op(Ret, &[]);
    let big = 100_000.5f32;
    expect(
        &s,
        &[[big.to_bits(), 0x0001_ffff, 0, 0]],
        [(big + 1.0).to_bits(), 0x0002_0000, (big + 1.0).to_bits(), 0x0002_0000],
    );
    assert!(!glsl(&s).contains("mediump") && !glsl(&s).contains("lowp"));
}

#[test]
fn a017_ordinary_shaders_are_not_drowned_in_bit_casts() {
    use crate::support::{fixture, translate};
    // Registers are reused for floats and ints in these; only constant buffers may need a cast.
    for name in ["flow_loop.ps", "alu_float.ps", "flow_nested.ps", "io_packed.vs", "a001_two_lives.ps"] {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        let body = t.source.split_once("void main() {").unwrap().1;
        for line in body.lines().filter(|l| l.contains("BitsTo")) {
            let needed = line.contains("cb0.data") || name == "a001_two_lives.ps";
            assert!(needed, "{name}: {line}");
        }
    }
}

/// A register that a comparison and a row of the immediate constant buffer reach holds words: the row is no mask.
#[test]
fn rows_of_constants_are_no_masks() {
    let mut s = pixel(1, 1);
    s.immediate_constants(&[[3, 0, 0, 0], [6, 0, 0, 0]])
        .op(Ult, &[r(0, "x"), cb(0, 0u32, "x"), l(5)])
        .op_nz(If, &[cb(0, 0u32, "y")])
        .op(Mov, &[r(0, "x"), icb(cb(0, 0u32, "z"), "x")])
        .op(EndIf, &[])
        .op(And, &[o(0, "xyzw"), r(0, "xxxx"), l(7)])
        .op(Ret, &[]);
    expect(&s, &[[1, 0, 1, 0]], [7; 4]);
    expect(&s, &[[9, 0, 1, 0]], [0; 4]);
    expect(&s, &[[1, 1, 1, 0]], [6; 4]);
    expect(&s, &[[1, 1, 0, 0]], [3; 4]);
}
