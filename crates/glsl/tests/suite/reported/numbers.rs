//! A018 to A036: floats.

use shaderport_asm::{Opcode::*, Shader, Type, cb, l, l4, null, o, r};
use shaderport_glsl::options::*;

use crate::run::{bits, expect, expect_near, glsl, glsl_with, pixel};
use crate::support::{fixture, fixtures, translate};

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;

#[test]
fn a018_the_operand_that_is_a_number_wins() {
    let two = 2f32.to_bits();
    for op in [Min, Max] {
        let mut s = pixel(1, 1);
        s.op(op, &[r(0, "x"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
            .op(op, &[r(0, "y"), cb(0, 0u32, "y"), cb(0, 0u32, "x")])
            .op(op, &[r(0, "z"), l(2.0), cb(0, 0u32, "x")])
            .op(op, &[r(0, "w"), cb(0, 0u32, "x"), l(2.0)])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &[[NAN, two, 0, 0]], [two; 4]);
        expect(&s, &[[0xffff_ffff, two, 0, 0]], [two; 4]);
    }
    let mut s = pixel(1, 1);
    s.op(Max, &[r(0, "x"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Min, &[r(0, "y"), cb(0, 0u32, "y"), cb(0, 0u32, "x")])
        .op(Max, &[r(0, "z"), l(-3.0), cb(0, 0u32, "x")])
        .op(Min, &[r(0, "w"), l(-3.0), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[bits([-5.0, 1.0, 0.0, 0.0])], bits([1.0, -5.0, -3.0, -5.0]));
}

#[test]
fn a018_saturation_of_nan_is_zero() {
    let mut s = pixel(1, 1);
    s.op_sat(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op_sat(Mul, &[r(0, "w"), cb(0, 0u32, "w"), l(0.0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[NAN, 0xff80_0000, 0x3f00_0000, INF]], [0, 0, 0x3f00_0000, 0]);
}

#[test]
fn a019_fidelity_is_a_named_option() {
    let mut s = pixel(1, 0);
    s.op(Min, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 0u32, "wzyx")]).op(Ret, &[]);
    let strict = glsl_with(&s, &Options::default());
    let fast = glsl_with(&s, &Options { fidelity: Fidelity::Fast, ..Options::default() });
    assert!(strict.source.contains("dx_min(") && !fast.source.contains("dx_min("));
    assert!(strict.manifest.to_json().contains("\"fidelity\": \"strict\""));
    assert!(fast.manifest.to_json().contains("\"fidelity\": \"fast\""));
}

#[test]
fn a020_infinity_times_zero_reaches_the_target_as_nan() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Float);
    s.op(Mul, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 0u32, "yxzw")]).op(Ret, &[]);
    expect_near(&s, &[[INF, 0, 0x4000_0000, INF]], [f32::NAN, f32::NAN, 4.0, f32::INFINITY]);
}

#[test]
fn a021_a_select_cannot_be_poisoned() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 2, false).target(0, "xyzw", Type::Float).temps(2);
    s.op(Rsq, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Movc, &[r(1, "xyzw"), cb(0, 1u32, "xyzw"), r(0, "xyzw"), l(3.0)])
        .op(Movc, &[o(0, "xyzw"), cb(0, 1u32, "xxxx"), r(0, "xyzw"), r(1, "xyzw")])
        .op(Ret, &[]);
    expect_near(&s, &[[0, NAN, 0x4080_0000, INF], [0, 0, 1, 0]], [3.0, 3.0, 0.5, 3.0]);
}

#[test]
fn a022_a_pass_before_the_main_pass_computes_the_same_position() {
    // The lines that lead to gl_Position have the same form in both shaders.
    let [a, b] = ["a022_prepass.vs", "a022_main.vs"].map(|n| {
        let t = translate(&fixture(n).bytes, &Options::default()).unwrap();
        let lines: Vec<String> = t.source.lines().map(str::trim).map(String::from).collect();
        lines
            .into_iter()
            .filter(|l| l.starts_with("position") || l.starts_with("gl_Position"))
            .collect::<Vec<_>>()
    });
    assert!(!a.is_empty());
    assert_eq!(a, b);
    // `mad` is one expression, and is not taken apart.
    let mut s = pixel(1, 0);
    s.op(Mad, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 0u32, "yyyy"), cb(0, 0u32, "zzzz")]).op(Ret, &[]);
    assert!(glsl(&s).contains("cb0.data[0] * cb0.data[0].y + cb0.data[0].z"), "{}", glsl(&s));
}

#[test]
fn a023_nothing_is_invariant_in_a_pixel_shader() {
    for f in fixtures().iter().filter(|f| f.name.ends_with(".ps")) {
        if let Ok(t) = translate(&f.bytes, &Options::default()) {
            assert!(!t.source.contains("invariant"), "{}", f.name);
        }
    }
}

#[test]
fn a024_nothing_is_associated_anew() {
    let mut s = pixel(1, 1);
    s.op(Mad, &[r(0, "x"), -cb(0, 0u32, "x"), cb(0, 0u32, "x"), l(1.0)])
        .op(Sqrt, &[r(0, "x"), r(0, "x")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xxxx")])
        .op(Ret, &[]);
    expect(&s, &[bits([1.0, 0.0, 0.0, 0.0])], [0; 4]);
    expect(&s, &[bits([0.6, 0.0, 0.0, 0.0])], [(1.0f32 - 0.6 * 0.6).sqrt().to_bits(); 4]);
}

#[test]
fn a025_nan_is_told_from_numbers() {
    let mut s = pixel(1, 2);
    s.op(Ne, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Eq, &[r(1, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Mov, &[o(0, "xy"), r(0, "xyxx")])
        .op(Mov, &[o(0, "zw"), r(1, "xxxy")])
        .op(Ret, &[]);
    expect(&s, &[[NAN, INF, 0, 0]], [u32::MAX, 0, 0, u32::MAX]);
    assert!(!glsl(&s).contains("isnan"));
}

#[test]
fn a026_literals_that_are_no_numbers_keep_their_bits() {
    for row in [[INF, NAN, 0x8000_0000, 1], [0xff80_0000, 0xffc1_2345, 0x807f_ffff, 0x0080_0000]] {
        let mut s = pixel(0, 1);
        s.op(Mov, &[r(0, "xyzw"), l4(row)]).op(Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Ret, &[]);
        expect(&s, &[], row);
        let text = glsl(&s);
        assert!(!text.to_lowercase().contains("inf") && !text.to_lowercase().contains("nan"), "{text}");
    }
    // As floats, in a target of floats.
    let mut s = Shader::pixel();
    s.target(0, "xyzw", Type::Float);
    s.op(Mov, &[o(0, "xyzw"), l4([INF, NAN, 0x8000_0000, 0xff80_0000])]).op(Ret, &[]);
    expect_near(&s, &[], [f32::INFINITY, f32::NAN, 0.0, f32::NEG_INFINITY]);
}

#[test]
fn a027_the_greatest_float_is_not_infinite() {
    let mut s = Shader::pixel();
    s.target(0, "xyzw", Type::Float).constant_buffer(0, 1, false);
    s.op(Max, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), l4([f32::MAX, f32::MIN, 1e38, -1e38])]).op(Ret, &[]);
    let least = [f32::NEG_INFINITY.to_bits(); 4];
    expect(&s, &[least], [f32::MAX, f32::MIN, 1e38, -1e38].map(f32::to_bits));
}

#[test]
fn a028_decimals_are_the_shortest_that_come_back() {
    let values = [0.4f32, 16_777_216.0, 1e-7, 2.718_281_7, 1.0 / 3.0, 1e20, 123_456.79, 0.000_123];
    for pair in values.chunks(4) {
        let four = [pair[0], pair[1], pair[2], pair[3]];
        let mut s = Shader::pixel();
        s.target(0, "xyzw", Type::Float).op(Mov, &[o(0, "xyzw"), l4(four)]).op(Ret, &[]);
        expect(&s, &[], four.map(f32::to_bits));
        let text = glsl(&s);
        let literals = text.split_once("SV_Target0 = vec4(").unwrap().1.split_once(")").unwrap().0;
        assert!(literals.split(", ").all(|n| n.len() <= 12), "{literals}");
    }
}

#[test]
fn a029_decimals_have_a_point() {
    let mut s = pixel(0, 0);
    s.op(Mov, &[o(0, "xyzw"), l(1.5)]).op(Ret, &[]);
    let mut s2 = Shader::pixel();
    s2.target(0, "xyzw", Type::Float).op(Mov, &[o(0, "xyzw"), l(1.5)]).op(Ret, &[]);
    assert!(glsl(&s2).contains("vec4(1.5)"), "{}", glsl(&s2));
}

#[test]
fn a030_remainders_of_negative_numbers() {
    // a % b as fxc compiles it: magnitudes, udiv, and the dividend's sign.
    let mut s = pixel(1, 2);
    s.op(Imax, &[r(0, "xy"), cb(0, 0u32, "xyxx"), -cb(0, 0u32, "xyxx")])
        .op(Udiv, &[null(), r(0, "x"), r(0, "x"), r(0, "y")])
        .op(Ineg, &[r(0, "y"), r(0, "x")])
        .op(And, &[r(0, "z"), cb(0, 0u32, "x"), l(0x8000_0000u32)])
        .op(Movc, &[o(0, "xyzw"), r(0, "zzzz"), r(0, "yyyy"), r(0, "xxxx")])
        .op(Ret, &[]);
    expect(&s, &[[-1i32 as u32, 768, 0, 0]], [-1i32 as u32; 4]);
    expect(&s, &[[-769i32 as u32, 768, 0, 0]], [-1i32 as u32; 4]);
    expect(&s, &[[770, -768i32 as u32, 0, 0]], [2; 4]);
    for f in fixtures() {
        // `%` is undefined for negative ints: only uints are divided.
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        for line in t.source.lines().filter(|l| l.contains(" % ")) {
            assert!(
                !line.contains("i.") || line.contains("uint(") || line.contains("uvec"),
                "{}: {line}",
                f.name
            );
        }
    }
}

#[test]
fn a031_division_by_zero_is_all_ones() {
    let mut s = pixel(1, 1);
    s.op(Udiv, &[r(0, "x"), r(0, "y"), cb(0, 0u32, "x"), l(0)])
        .op(Udiv, &[r(0, "z"), r(0, "w"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[77, 0, 0, 0]], [u32::MAX; 4]);
    expect(&s, &[[77, 10, 0, 0]], [u32::MAX, u32::MAX, 7, 7]);
    // A divisor that is known not to be zero needs no guard.
    let mut s = pixel(1, 0);
    s.op(Udiv, &[o(0, "xyzw"), null(), cb(0, 0u32, "xyzw"), l(10)]).op(Ret, &[]);
    assert!(!glsl(&s).contains("dx_udiv"), "{}", glsl(&s));
}

#[test]
fn a032_conversions_saturate_and_nan_is_zero() {
    let rows = [
        (
            [4_294_967_296.0f32.to_bits(), NAN, INF, (-1f32).to_bits()],
            [u32::MAX, 0, u32::MAX, 0],
            [i32::MAX, 0, i32::MAX, -1],
        ),
        (
            [0xff80_0000, 0xffff_ffff, (-2.9f32).to_bits(), 3.99f32.to_bits()],
            [0, 0, 0, 3],
            [i32::MIN, 0, -2, 3],
        ),
        (
            bits([2_147_483_648.0, -2_147_483_648.0, 4_294_967_040.0, 0.5]),
            [0x8000_0000, 0, 0xffff_ff00, 0],
            [i32::MAX, i32::MIN, i32::MAX, 0],
        ),
    ];
    for (op, ints) in [(Ftou, false), (Ftoi, true)] {
        for (row, unsigned, signed) in rows {
            let mut s = pixel(1, 1);
            s.op(op, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
                .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
                .op(Ret, &[]);
            expect(&s, &[row], if ints { signed.map(|v| v as u32) } else { unsigned });
        }
        // The same of literals, which a compiler may fold otherwise.
        let mut s = pixel(0, 1);
        s.op(op, &[r(0, "xyzw"), l4([NAN, INF, 0xff80_0000, 0x4f80_0000])])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        let (least, most) = if ints { (i32::MIN as u32, i32::MAX as u32) } else { (0, u32::MAX) };
        expect(&s, &[], [0, most, least, most]);
    }
}

#[test]
fn a033_a_fraction_is_less_than_one() {
    let mut s = pixel(1, 1);
    s.op(Frc, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Lt, &[r(0, "xy"), r(0, "xyxx"), l(1.0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(
        &s,
        &[bits([-1e-8, -1e-20, 1.75, -0.25])],
        [u32::MAX, u32::MAX, 0.75f32.to_bits(), 0.75f32.to_bits()],
    );
    assert!(!glsl(&s).contains("mod("));
}

#[test]
fn a034_position_is_written_once_at_the_end() {
    for name in ["a034_position_reread.vs", "a079_early_return.vs", "io_loop_output.vs"] {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        assert_eq!(t.source.matches("gl_Position").count(), 1, "{}", t.source);
        let last = t.source.trim_end().trim_end_matches('}').trim_end().lines().last().unwrap();
        assert!(last.trim().starts_with("gl_Position ="), "{last}");
    }
}

#[test]
fn a035_saturation_goes_through_one_helper() {
    let mut s = pixel(1, 1);
    s.op_sat(Add, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), l(0.5)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[bits([-1.0, 0.25, 0.5, 9.0])], bits([0.0, 0.75, 1.0, 1.0]));
    let text = glsl(&s);
    assert!(text.contains("dx_saturate(") && !text.contains("clamp("), "{text}");
}

#[test]
fn a036_float_arithmetic_on_infinities_and_zeros() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Float).temps(1);
    s.op(Div, &[r(0, "x"), l(1.0), cb(0, 0u32, "x")])
        .op(Rcp, &[r(0, "y"), cb(0, 0u32, "y")])
        .op(Log, &[r(0, "z"), cb(0, 0u32, "x")])
        .op(Exp, &[r(0, "w"), cb(0, 0u32, "z")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    let inf = f32::INFINITY;
    expect_near(&s, &[bits([0.0, -0.0, -inf, 0.0])], [inf, -inf, -inf, 0.0]);
    // round_ne rounds halves to even, round_z towards zero.
    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Float);
    s.op(RoundNe, &[o(0, "xy"), cb(0, 0u32, "xyxx")])
        .op(RoundZ, &[o(0, "z"), cb(0, 0u32, "z")])
        .op(RoundPi, &[o(0, "w"), cb(0, 0u32, "w")])
        .op(Ret, &[]);
    expect(&s, &[bits([2.5, 3.5, -1.7, 1.2])], bits([2.0, 4.0, -1.0, 2.0]));
}
