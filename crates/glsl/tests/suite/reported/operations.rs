//! A037 to A046: operations that ES 3.00 lacks.

use shaderport_asm::{Opcode::*, cb, icb, l, l4, null, o, r};
use shaderport_glsl::options::Options;

use crate::run::{bits, expect, glsl, pixel};
use crate::support::{fixtures, translate, variants};

#[test]
fn a037_bit_fields_at_their_edges() {
    // Width and offset are taken modulo 32; width 0 gives 0 (bfi: the base).
    let field = |op, args: [[u32; 4]; 3], want: [u32; 4]| {
        let mut s = pixel(3, 1);
        s.op(op, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 1u32, "xyzw"), cb(0, 2u32, "xyzw")])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &args, want);
        // The same with fields that are known.
        let mut s = pixel(3, 1);
        s.op(op, &[r(0, "xyzw"), l4(args[0]), l4(args[1]), cb(0, 2u32, "xyzw")])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &args, want);
    };
    let v = 0xf0e1_d2c3;
    field(Ubfe, [[0, 32, 33, 8], [0, 0, 33, 28], [v; 4]], [0, 0, 1, 0xf]);
    field(Ubfe, [[31, 31, 4, 16], [0, 1, 31, 16], [v; 4]], [0x70e1_d2c3, 0x7870_e961, 1, 0xf0e1]);
    field(Ibfe, [[0, 32, 33, 8], [0, 0, 33, 28], [v; 4]], [0, 0, u32::MAX, u32::MAX]);
    field(Ibfe, [[31, 4, 4, 16], [0, 0, 4, 16], [v; 4]], [0xf0e1_d2c3, 3, 0xffff_fffc, 0xffff_f0e1]);

    let mut s = pixel(4, 1);
    let rows = [0u32, 1, 2, 3].map(|n| cb(0, n, "xyzw"));
    s.op(Bfi, &[r(0, "xyzw"), rows[0].clone(), rows[1].clone(), rows[2].clone(), rows[3].clone()])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(
        &s,
        &[[0, 8, 40, 31], [0, 4, 36, 0], [u32::MAX, 0xab, 0xab, 0x8000_0000], [7, 0, u32::MAX, 1 << 31]],
        [7, 0xab0, 0xffff_fabf, 1 << 31],
    );
}

#[test]
fn a037_bit_counts_and_searches() {
    let one = |op, v: [u32; 4], want: [u32; 4]| {
        let mut s = pixel(1, 1);
        s.op(op, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")]).op(Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Ret, &[]);
        expect(&s, &[v], want);
    };
    one(CountBits, [0, u32::MAX, 0x8000_0001, 0x0ff0_0000], [0, 32, 2, 8]);
    // firstbit_hi counts from the top; all ones where there is none.
    one(FirstBitHi, [0, 1, 0x8000_0000, 0x0001_0000], [u32::MAX, 31, 0, 15]);
    one(FirstBitLo, [0, 1, 0x8000_0000, 0x0001_0000], [u32::MAX, 0, 31, 16]);
    // firstbit_shi looks for a zero in negative numbers.
    one(FirstBitShi, [0, u32::MAX, 0xfffe_0000, 0x0001_0000], [u32::MAX, u32::MAX, 15, 15]);
    one(Bfrev, [1, 0x8000_0000, 0x0000_ff00, 0x1234_5678], [0x8000_0000, 1, 0x00ff_0000, 0x1e6a_2c48]);
}

#[test]
fn a038_no_text_uses_what_es_300_lacks() {
    const MISSING: &[&str] = &[
        "bitfieldExtract",
        "bitfieldInsert",
        "bitfieldReverse",
        "bitCount",
        "findMSB",
        "findLSB",
        "uaddCarry",
        "usubBorrow",
        "umulExtended",
        "imulExtended",
        "ldexp",
        "frexp",
        "fma",
        "textureGather",
        "textureGatherOffset",
        "dFdxFine",
        "dFdxCoarse",
        "packUnorm4x8",
        "textureQueryLevels",
        "textureQueryLod",
        "imageLoad",
    ];
    for f in fixtures() {
        for (variant, options) in variants() {
            let Ok(t) = translate(&f.bytes, &options) else { continue };
            for word in MISSING {
                assert!(!t.source.contains(&format!("{word}(")), "{} ({variant}): {word}", f.name);
            }
        }
    }
}

#[test]
fn a039_a_select_of_integers() {
    let mut s = pixel(3, 1);
    s.op(Iadd, &[r(0, "xyzw"), cb(0, 1u32, "xyzw"), l(0)])
        .op(Movc, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), r(0, "xyzw"), cb(0, 2u32, "xyzw")])
        .op(Iadd, &[o(0, "xyzw"), r(0, "xyzw"), l(1)])
        .op(Ret, &[]);
    expect(&s, &[[1, 0, 0x8000_0000, 0], [10, 20, 30, 40], [50, 60, 70, u32::MAX]], [11, 61, 31, 0]);
    assert!(!glsl(&s).contains("mix("), "{}", glsl(&s));
}

#[test]
fn a042_halves_are_packed_without_pack_functions() {
    let mut s = pixel(1, 2);
    s.op(F32ToF16, &[r(0, "xy"), cb(0, 0u32, "xyxx")])
        .op(Imad, &[r(0, "x"), r(0, "y"), l(0x10000), r(0, "x")])
        .op(Ushr, &[r(1, "y"), r(0, "x"), l(16)])
        .op(And, &[r(1, "x"), r(0, "x"), l(0xffff)])
        .op(F16ToF32, &[r(1, "xy"), r(1, "xyxx")])
        .op(Mov, &[o(0, "x"), r(0, "x")])
        .op(Mov, &[o(0, "yzw"), r(1, "xxyx")])
        .op(Ret, &[]);
    let (one, minus) = (1f32.to_bits(), (-0.5f32).to_bits());
    expect(&s, &[[one, minus, 0, 0]], [0xb800_3c00, one, minus, one]);
}

#[test]
fn a043_a_signed_field_that_reaches_the_top() {
    let mut s = pixel(1, 1);
    s.op(Ibfe, &[r(0, "x"), l(3), l(29), cb(0, 0u32, "x")])
        .op(Ibfe, &[r(0, "y"), l(4), l(29), cb(0, 0u32, "x")])
        .op(Ibfe, &[r(0, "z"), cb(0, 0u32, "y"), cb(0, 0u32, "z"), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzx")])
        .op(Ret, &[]);
    // What reaches past bit 31 is an arithmetic shift.
    expect(&s, &[[0xa000_0000, 8, 28, 0]], [-3i32 as u32, -3i32 as u32, -6i32 as u32, -3i32 as u32]);
}

#[test]
fn a044_countbits_of_a_temporary_that_the_loop_reuses() {
    let mut s = pixel(2, 1);
    s.op(Mov, &[r(0, "xy"), l(0)])
        .op(Loop, &[])
        .op(Uge, &[r(0, "z"), r(0, "x"), l(2)])
        .op_nz(Breakc, &[r(0, "z")])
        .op(Mov, &[r(0, "z"), cb(0, r(0, "x"), "x")])
        .op(CountBits, &[r(0, "z"), r(0, "z")])
        .op(Iadd, &[r(0, "y"), r(0, "y"), r(0, "z")])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
        .op(EndLoop, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "yyyy")])
        .op(Ret, &[]);
    expect(&s, &[[0xff, 0, 0, 0], [0x8001, 0, 0, 0]], [10; 4]);
}

#[test]
fn a045_every_opcode_says_how_or_why_not() {
    use shaderport_dxbc::opcode::Es300;
    for op in shaderport_dxbc::Opcode::ALL {
        if let Es300::Says(text) = op.info().es300 {
            assert!(!text.is_empty(), "{op:?}");
        }
    }
}

// Opcodes that Microsoft's compiler does not emit.

#[test]
fn products_of_64_bits() {
    let mut s = pixel(1, 2);
    s.op(Umul, &[r(0, "x"), r(0, "y"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Imul, &[r(0, "z"), r(0, "w"), cb(0, 0u32, "x"), cb(0, 0u32, "y")])
        .op(Umad, &[r(1, "x"), cb(0, 0u32, "x"), cb(0, 0u32, "y"), l(5)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Iadd, &[o(0, "y"), r(0, "y"), r(1, "x")])
        .op(Ret, &[]);
    let (a, b) = (0xffff_fffdu32, 0x8000_0001u32);
    let wide = u64::from(a) * u64::from(b);
    let signed = i64::from(a as i32) * i64::from(b as i32);
    let low = wide as u32;
    expect(
        &s,
        &[[a, b, 0, 0]],
        [(wide >> 32) as u32, low.wrapping_mul(2).wrapping_add(5), (signed >> 32) as u32, signed as u32],
    );
}

#[test]
fn carries_and_borrows() {
    let mut s = pixel(1, 1);
    s.op(Uaddc, &[r(0, "xz"), r(0, "yw"), cb(0, 0u32, "xxzz"), cb(0, 0u32, "yyww")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[u32::MAX, 2, 3, 4]], [1, 1, 7, 0]);
    let mut s = pixel(1, 1);
    s.op(Usubb, &[r(0, "xz"), r(0, "yw"), cb(0, 0u32, "xxzz"), cb(0, 0u32, "yyww")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[1, 2, 4, 3]], [u32::MAX, 1, 1, 0]);
}

#[test]
fn sums_of_absolute_differences() {
    let mut s = pixel(3, 1);
    s.op(Msad, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(0, 1u32, "xyzw"), cb(0, 2u32, "xyzw")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    // Bytes that are 0 in the reference do not count.
    let reference = [0x0102_0304, 0x0002_0304, 0xffff_ffff, 0];
    let source = [0x0000_0000, 0xff00_0000, 0, 0xffff_ffff];
    expect(&s, &[reference, source, [100, 0, 1, 5]], [110, 9, 1021, 5]);
}

#[test]
fn nothing_and_null_are_nothing() {
    let mut s = pixel(1, 1);
    s.op(Nop, &[])
        .op(DebugBreak, &[])
        .op(Mov, &[null(), cb(0, 0u32, "xyzw")])
        .op(Udiv, &[null(), null(), l(1), l(0)])
        .op(Imul, &[null(), null(), l(1), l(2)])
        .op(SinCos, &[null(), null(), l(1.0)])
        .op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Not, &[r(0, "xy"), r(0, "xyxx")])
        .op(Ineg, &[r(0, "z"), r(0, "z")])
        .op(Xor, &[r(0, "w"), r(0, "w"), l(0xff)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[0, u32::MAX, 5, 0xf0]], [u32::MAX, 0, -5i32 as u32, 0x0f]);
}

#[test]
fn signs_of_moved_values_are_floats() {
    let mut s = pixel(1, 2);
    s.op(Mov, &[r(0, "xyzw"), cb(0, 0u32, "xyzw")])
        .op(Mov, &[r(1, "x"), -r(0, "x")])
        .op(Mov, &[r(1, "y"), r(0, "y").abs()])
        .op(Mov, &[r(1, "z"), -r(0, "z").abs()])
        .op(Movc, &[r(1, "w"), l(1), -r(0, "w"), l(0)])
        .op(Mov, &[o(0, "xyzw"), r(1, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[bits([1.0, -2.0, 3.0, 4.0])], bits([-1.0, 2.0, -3.0, -4.0]));
    // Of integers, in two's complement.
    let mut s = pixel(1, 1);
    s.op(Iadd, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), -cb(0, 0u32, "wzyx")])
        .op(Imax, &[o(0, "xyzw"), r(0, "xyzw"), -r(0, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[1, 5, 9, 4]], [3, 4, 4, 3]);
}

#[test]
fn immediate_constants_by_a_computed_row() {
    let mut s = shaderport_asm::Shader::pixel();
    s.immediate_constants(&[[1, 2, 3, 4], [0x7f80_0001, 6, 7, 8], bits([1.0, 2.0, 3.0, 4.0])])
        .constant_buffer(0, 1, false)
        .target(0, "xyzw", shaderport_asm::Type::Uint)
        .temps(1)
        .op(Mov, &[r(0, "x"), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), icb((r(0, "x"), 1), "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[[0; 4]], [0x7f80_0001, 6, 7, 8]);
    expect(&s, &[[1, 0, 0, 0]], bits([1.0, 2.0, 3.0, 4.0]));
    expect(&s, &[[2, 0, 0, 0]], [0; 4]);
    expect(&s, &[[-2i32 as u32, 0, 0, 0]], [0; 4]);
    assert!(translate(&s.build(), &Options::default()).is_ok());
}
