//! Each opcode on operands for which the specification states the result. Lines name its sections.

use shaderport_asm::{Ins, Operand, Shader, Type, l, l4, null, o, r, v};
use shaderport_dxbc::{Container, Opcode, Program};
use shaderport_exec::{Bindings, Executor, Inputs, Outputs, Views};

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG_INF: u32 = 0xff80_0000;
const NEG_ZERO: u32 = 0x8000_0000;
const DENORMAL: u32 = 0x0000_0001;
const NEG_DENORMAL: u32 = 0x807f_ffff;
const ALL: u32 = u32::MAX;

fn program(shader: &Shader) -> Program {
    let bytes = shader.build();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap()
}

fn vertex(shader: &Shader, inputs: &Inputs) -> Outputs {
    Executor::new(&program(shader))
        .unwrap()
        .run_vertex(&Bindings::default(), &mut Views::default(), inputs)
        .unwrap()
}

/// The results of an instruction whose sources are the first inputs, one per destination.
fn run(ins: impl Fn(&[Operand]) -> Ins, sources: &[[u32; 4]], dests: usize) -> Vec<[u32; 4]> {
    let mut shader = Shader::vertex();
    for n in 0..sources.len() as u32 {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    let targets = (0..dests as u32).map(|n| r(n, "xyzw"));
    let values = (0..sources.len() as u32).map(|n| v(n, "xyzw"));
    shader.temps(2).push(ins(&targets.chain(values).collect::<Vec<_>>()));
    for n in 0..dests as u32 {
        shader.op(Opcode::Mov, &[o(n, "xyzw"), r(n, "xyzw")]);
    }
    let inputs = sources.iter().enumerate().fold(Inputs::default(), |i, (n, s)| i.register(n, *s));
    let outputs = vertex(shader.op(Opcode::Ret, &[]), &inputs);
    outputs.registers[..dests].to_vec()
}

#[track_caller]
fn check(opcode: Opcode, sources: &[[u32; 4]], expected: &[[u32; 4]]) {
    let found = run(|operands| Ins::new(opcode, operands), sources, expected.len());
    assert_eq!(found, expected, "{opcode:?}: found {found:08x?}");
}

#[track_caller]
fn check_floats(opcode: Opcode, sources: &[[f32; 4]], expected: [f32; 4]) {
    let sources: Vec<_> = sources.iter().map(|s| s.map(f32::to_bits)).collect();
    check(opcode, &sources, &[expected.map(f32::to_bits)]);
}

const fn f(x: f32) -> u32 {
    x.to_bits()
}

#[test]
fn sums_and_products() {
    // 22.10.1: -0 + -0 is -0, -denorm + +0 is +0; INF - INF is NaN.
    check(
        Opcode::Add,
        &[[NEG_ZERO, NEG_DENORMAL, INF, f(1.0)], [NEG_ZERO, 0, NEG_INF, f(2.0)]],
        &[[NEG_ZERO, 0, NAN, f(3.0)]],
    );
    // 22.10.12: -1 * denorm is -0; INF * denorm is NaN.
    check(
        Opcode::Mul,
        &[[f(-1.0), INF, NAN, f(3.0)], [DENORMAL, DENORMAL, 0, f(-2.0)]],
        &[[NEG_ZERO, NAN, NAN, f(-6.0)]],
    );
    // A result that is denormal is flushed (3.1.3.2).
    check(Opcode::Mul, &[[0x0080_0000; 4], [f(0.5); 4]], &[[0; 4]]);
    check_floats(Opcode::Mad, &[[2.0; 4], [3.0; 4], [1.0, -6.0, 0.5, 0.0]], [7.0, 0.0, 6.5, 6.0]);
    // 22.10.2: 0/0 and INF/INF are NaN; F/denorm is INF; -0/F keeps its sign.
    check(
        Opcode::Div,
        &[[0, INF, f(-1.0), NEG_ZERO], [NEG_ZERO, INF, DENORMAL, f(2.0)]],
        &[[NAN, NAN, NEG_INF, NEG_ZERO]],
    );
    let (a, b) = ([1.0, 2.0, 3.0, 4.0], [10.0, 100.0, 1000.0, 10000.0]);
    check_floats(Opcode::Dp2, &[a, b], [210.0; 4]);
    check_floats(Opcode::Dp3, &[a, b], [3210.0; 4]);
    check_floats(Opcode::Dp4, &[a, b], [43210.0; 4]);
}

#[test]
fn functions() {
    // 22.10.6: exp of -INF is 0, of denormals 1.
    check(Opcode::Exp, &[[NEG_INF, DENORMAL, INF, f(3.0)]], &[[0, f(1.0), INF, f(8.0)]]);
    // 22.10.8: log of ±0 and denormals is -INF, of less NaN.
    check(Opcode::Log, &[[NEG_ZERO, NEG_DENORMAL, f(-1.0), f(8.0)]], &[[NEG_INF, NEG_INF, NAN, f(3.0)]]);
    // 22.10.21, 22.10.19, 22.10.18
    check(Opcode::Sqrt, &[[NEG_ZERO, f(-1.0), INF, f(9.0)]], &[[NEG_ZERO, NAN, INF, f(3.0)]]);
    check(Opcode::Rsq, &[[NEG_DENORMAL, f(-1.0), INF, f(4.0)]], &[[NEG_INF, NAN, 0, f(0.5)]]);
    check(Opcode::Rcp, &[[NEG_DENORMAL, NEG_INF, NAN, f(4.0)]], &[[NEG_INF, NEG_ZERO, NAN, f(0.25)]]);
    // 22.10.7
    check(Opcode::Frc, &[[INF, NEG_DENORMAL, f(-1.25), f(2.5)]], &[[NAN, 0, f(0.75), f(0.5)]]);
    // 22.10.20: sin keeps the sign of 0, cos of denormals is 1.
    check(
        Opcode::SinCos,
        &[[NEG_ZERO, NEG_DENORMAL, INF, 0]],
        &[[NEG_ZERO, NEG_ZERO, NAN, 0], [f(1.0), f(1.0), NAN, f(1.0)]],
    );
}

#[test]
fn rounding() {
    let x = [2.5, -2.5, -0.5, 1.7];
    check_floats(Opcode::RoundNe, &[x], [2.0, -2.0, -0.0, 2.0]);
    check_floats(Opcode::RoundNi, &[x], [2.0, -3.0, -1.0, 1.0]);
    check_floats(Opcode::RoundPi, &[x], [3.0, -2.0, -0.0, 2.0]);
    check_floats(Opcode::RoundZ, &[x], [2.0, -2.0, -0.0, 1.0]);
    for opcode in [Opcode::RoundNe, Opcode::RoundNi, Opcode::RoundPi, Opcode::RoundZ] {
        check(opcode, &[[NEG_DENORMAL, DENORMAL, NEG_INF, NAN]], &[[NEG_ZERO, 0, NEG_INF, NAN]]);
    }
}

#[test]
fn least_and_greatest() {
    // 22.10.10, 22.10.11: a number wins over NaN; -0 is less than +0 (3.1.3.2).
    check(
        Opcode::Min,
        &[[NAN, f(2.0), NEG_ZERO, 0], [f(1.0), NAN, 0, NEG_ZERO]],
        &[[f(1.0), f(2.0), NEG_ZERO, NEG_ZERO]],
    );
    check(
        Opcode::Max,
        &[[NAN, NAN, NEG_ZERO, NEG_INF], [f(1.0), NAN, 0, f(-9.0)]],
        &[[f(1.0), NAN, 0, f(-9.0)]],
    );
    // 22.19.1: sat(NaN) is 0.
    let sat = run(|o| Ins::new(Opcode::Mov, o).sat(), &[[NAN, f(-1.0), f(0.5), INF]], 1);
    assert_eq!(sat, [[0, 0, f(0.5), f(1.0)]]);
}

#[test]
fn conditions() {
    // 22.6: denormals are flushed, +0 equals -0, NaN only satisfies ne.
    let (a, b) = ([DENORMAL, NAN, f(1.0), NEG_ZERO], [NEG_DENORMAL, NAN, f(2.0), 0]);
    check(Opcode::Eq, &[a, b], &[[ALL, 0, 0, ALL]]);
    check(Opcode::Ne, &[a, b], &[[0, ALL, ALL, 0]]);
    check(Opcode::Lt, &[a, b], &[[0, 0, ALL, 0]]);
    check(Opcode::Ge, &[a, b], &[[ALL, 0, 0, ALL]]);
    let (a, b) = ([ALL, 0, 0x8000_0000, 5], [1, 0, 0x7fff_ffff, 4]);
    check(Opcode::Ilt, &[a, b], &[[ALL, 0, ALL, 0]]);
    check(Opcode::Ige, &[a, b], &[[0, ALL, 0, ALL]]);
    check(Opcode::Ieq, &[a, b], &[[0, ALL, 0, 0]]);
    check(Opcode::Ine, &[a, b], &[[ALL, 0, ALL, ALL]]);
    check(Opcode::Ult, &[a, b], &[[0, 0, 0, 0]]);
    check(Opcode::Uge, &[a, b], &[[ALL; 4]]);
}

#[test]
fn bits() {
    let (a, b) = ([0xff00_ff00, 1, 0x8000_0000, 0x8000_0000], [0x0ff0_0ff0, 33, 31, 32]);
    check(Opcode::And, &[a, b], &[[0x0f00_0f00, 1, 0, 0]]);
    check(Opcode::Or, &[a, b], &[[0xfff0_fff0, 33, 0x8000_001f, 0x8000_0020]]);
    check(Opcode::Xor, &[a, b], &[[0xf0f0_f0f0, 32, 0x8000_001f, 0x8000_0020]]);
    check(Opcode::Not, &[a], &[[0x00ff_00ff, !1, 0x7fff_ffff, 0x7fff_ffff]]);
    // 22.11.7, 22.11.8, 22.11.12: only the low five bits of the count.
    check(Opcode::Ishl, &[a, b], &[[0xff00_ff00 << 16, 2, 0, 0x8000_0000]]);
    check(Opcode::Ishr, &[a, b], &[[0xffff_ff00, 0, ALL, 0x8000_0000]]);
    check(Opcode::Ushr, &[a, b], &[[0xff00, 0, 1, 0x8000_0000]]);
    // 22.11.11, 22.11.6: width 0 gives 0; beyond the top it is a shift.
    let (width, offset) = ([0, 4, 31, 36], [3, 8, 8, 28]);
    let value = [ALL, 0x1234_5f78, 0x8000_0000, 0xf000_0001];
    check(Opcode::Ubfe, &[width, offset, value], &[[0, 15, 0x0080_0000, 15]]);
    check(Opcode::Ibfe, &[width, offset, value], &[[0, ALL, 0xff80_0000, ALL]]);
    // 22.11.2
    let base = [0x1111_1111; 4];
    check(
        Opcode::Bfi,
        &[width, offset, [ALL; 4], base],
        &[[0x1111_1111, 0x1111_1f11, 0xffff_ff11, 0xf111_1111]],
    );
    check(Opcode::Bfrev, &[[0x1234_5678, 1, 0, ALL]], &[[0x1e6a_2c48, 0x8000_0000, 0, ALL]]);
    check(Opcode::CountBits, &[[0, ALL, 0x8000_0001, 7]], &[[0, 32, 2, 3]]);
    // 22.11.5: from the most significant bit; all ones where there is none.
    check(Opcode::FirstBitHi, &[[0x1000_0000, 0, 1, ALL]], &[[3, ALL, 31, 0]]);
    check(Opcode::FirstBitLo, &[[0x1000_0000, 0, 1, ALL]], &[[28, ALL, 0, 0]]);
    check(Opcode::FirstBitShi, &[[0x1000_0000, 0, 0xf000_0000, ALL]], &[[3, ALL, 4, ALL]]);
}

#[test]
fn integers() {
    let (a, b) = ([ALL, 0x8000_0000, 7, 0x0001_0000], [2, 0x8000_0000, 0, 0x0001_0000]);
    check(Opcode::Iadd, &[a, b], &[[1, 0, 7, 0x0002_0000]]);
    check(Opcode::Ineg, &[a], &[[1, 0x8000_0000, ALL - 6, 0xffff_0000]]);
    check(Opcode::Imad, &[a, b, [5; 4]], &[[3, 5, 5, 5]]);
    check(Opcode::Umad, &[a, b, [5; 4]], &[[3, 5, 5, 5]]);
    check(Opcode::Imax, &[a, b], &[[2, 0x8000_0000, 7, 0x0001_0000]]);
    check(Opcode::Imin, &[a, b], &[[ALL, 0x8000_0000, 0, 0x0001_0000]]);
    check(Opcode::Umax, &[a, b], &[[ALL, 0x8000_0000, 7, 0x0001_0000]]);
    check(Opcode::Umin, &[a, b], &[[2, 0x8000_0000, 0, 0x0001_0000]]);
    check(Opcode::Imul, &[a, b], &[[ALL, 0x4000_0000, 0, 1], [ALL - 1, 0, 0, 0]]);
    check(Opcode::Umul, &[a, b], &[[1, 0x4000_0000, 0, 1], [ALL - 1, 0, 0, 0]]);
    // 22.12.9: a zero divisor gives all ones for both.
    check(Opcode::Udiv, &[a, b], &[[0x7fff_ffff, 1, ALL, 1], [1, 0, ALL, 0]]);
    check(Opcode::Uaddc, &[a, b], &[[1, 0, 7, 0x0002_0000], [1, 1, 0, 0]]);
    check(Opcode::Usubb, &[b, a], &[[3, 0, ALL - 6, 0], [1, 0, 1, 0]]);
    // 22.12.15: bytes whose reference is 0 do not count; the sum saturates.
    let (reference, source) = ([0x0001_ff10, 0, 0x0101_0101, 9], [0xff03_0020, ALL, 0x0202_0202, 0]);
    check(Opcode::Msad, &[reference, source, [1, 2, ALL - 1, 0]], &[[1 + 2 + 255 + 16, 2, ALL, 9]]);
}

#[test]
fn conversions() {
    // 22.13.3, 22.13.4: towards zero, clamped, NaN is 0.
    check(Opcode::Ftoi, &[[NAN, f(-1.9), f(3e9), NEG_INF]], &[[0, ALL, 0x7fff_ffff, 0x8000_0000]]);
    check(Opcode::Ftou, &[[NAN, f(-1.9), f(3e9), INF]], &[[0, 0, 3_000_000_000, ALL]]);
    check(
        Opcode::Itof,
        &[[ALL, 0x8000_0000, 16_777_217, 0]],
        &[[f(-1.0), f(-2_147_483_648.0), f(16_777_216.0), 0]],
    );
    check(Opcode::Utof, &[[ALL, 3, 16_777_219, 0]], &[[f(4_294_967_296.0), f(3.0), f(16_777_220.0), 0]]);
    // 22.13.1, 22.13.2 and 3.2.2: denormal halves are numbers; what is too large becomes 65504; towards zero.
    check(
        Opcode::F16ToF32,
        &[[0x0001, 0xfc00, 0x3c00, 0xabcd_8000]],
        &[[0x3380_0000, NEG_INF, f(1.0), NEG_ZERO]],
    );
    check(Opcode::F32ToF16, &[[f(1e9), INF, f(-1.9999), 0x3380_0000]], &[[0x7bff, 0x7c00, 0xbfff, 1]]);
    check(Opcode::F32ToF16, &[[NAN, DENORMAL, NEG_DENORMAL, f(65519.0)]], &[[0x7e00, 0, 0x8000, 0x7bff]]);
    // The greatest and the least denormal half, and what is just below it; never away from zero.
    let below = 0x3380_0000 - 1;
    check(
        Opcode::F32ToF16,
        &[[0x3880_0000 - 1, below, below | 1 << 31, f(-1e9)]],
        &[[0x3ff, 0, 0x8000, 0xfbff]],
    );
    // 22.19.1: as of every float, although the specification does not list it here.
    let sat = run(|o| Ins::new(Opcode::F16ToF32, o).sat(), &[[0x4000, 0xbc00, 0x7e00, 1]], 1);
    assert_eq!(sat, [[f(1.0), 0, 0, 0x3380_0000]]);
}

#[test]
fn moves_keep_every_bit() {
    let odd = [DENORMAL, 0x7f80_0001, 0xffff_ffff, NEG_ZERO];
    check(Opcode::Mov, &[odd], &[odd]);
    // 22.9.2: any bit counts, so -0 is true.
    check(Opcode::Movc, &[[NEG_ZERO, 0, 1, 0], odd, [5; 4]], &[[DENORMAL, 5, ALL, 5]]);
    check(
        Opcode::Swapc,
        &[[1, 0, 1, 0], odd, [5; 4]],
        &[[5, 0x7f80_0001, 5, NEG_ZERO], [DENORMAL, 5, ALL, 5]],
    );
}

#[test]
fn modifiers_follow_the_instruction() {
    // 22.18: sign bits for floats, two's complement for integers.
    let negated = |opcode: Opcode, a: u32| {
        let ins = |o: &[Operand]| Ins::new(opcode, &[o[0].clone(), -o[1].clone(), l(0u32)]);
        run(ins, &[[a; 4]], 1)[0][0]
    };
    assert_eq!(negated(Opcode::Add, f(1.0)), f(-1.0));
    assert_eq!(negated(Opcode::Iadd, 1), ALL);
    let ins = |o: &[Operand]| Ins::new(Opcode::Mov, &[o[0].clone(), -o[1].clone().abs()]);
    assert_eq!(run(ins, &[[f(1.0), DENORMAL, f(-2.0), INF]], 1), [[f(-1.0), 0x8000_0001, f(-2.0), NEG_INF]]);
}

#[test]
fn masks_swizzles_and_null() {
    let mut shader = Shader::vertex();
    shader.input(0, "xyzw", "A", Type::Uint).temps(1);
    shader.op(Opcode::Mov, &[r(0, "xyzw"), l4([1u32, 2, 3, 4])]);
    // The sources are read before a destination that is one of them is written.
    shader.op(Opcode::Mov, &[r(0, "yz"), r(0, "wzyx")]);
    shader.op(Opcode::Udiv, &[null(), r(0, "x"), v(0, "x"), l(7u32)]);
    shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Opcode::Ret, &[]);
    let outputs = vertex(&shader, &Inputs::default().register(0, [23, 0, 0, 0]));
    assert_eq!(outputs.registers[0], [2, 3, 2, 4]);
    assert_eq!((outputs.written[0], outputs.written[1]), (15, 0));
}

#[test]
fn doubles() {
    let words = |x: f64| [x.to_bits() as u32, (x.to_bits() >> 32) as u32];
    let two = |a: f64, b: f64| {
        let ([a, b], [c, d]) = (words(a), words(b));
        [a, b, c, d]
    };
    let tiny = f64::from_bits(1);
    let (a, b) = (two(1.5, tiny), two(2.0, 0.0));
    check(Opcode::Dadd, &[a, b], &[two(3.5, tiny)]); // 3.1.4: denormals stay
    check(Opcode::Dmul, &[a, b], &[two(3.0, 0.0)]);
    check(Opcode::Ddiv, &[b, a], &[two(2.0 / 1.5, 0.0)]);
    check(Opcode::Drcp, &[b], &[two(0.5, f64::INFINITY)]);
    check(Opcode::Dfma, &[a, b, two(1.0, 1.0)], &[two(4.0, 1.0)]);
    check(Opcode::Dmax, &[two(f64::NAN, 1.0), b], &[two(2.0, 1.0)]);
    check(Opcode::Dmin, &[two(f64::NAN, 1.0), b], &[two(2.0, 0.0)]);
    check(Opcode::Dmov, &[a], &[a]);
    check(Opcode::Dmovc, &[[0, 1, 0, 0], a, b], &[two(2.0, tiny)]);
    // 22.15: results go to the first two lanes of the mask.
    let compare = |opcode| {
        run(|o: &[Operand]| Ins::new(opcode, &[r(0, "yw"), o[1].clone(), o[2].clone()]), &[a, b], 1)[0]
    };
    assert_eq!(compare(Opcode::Dlt), [0, ALL, 0, 0]);
    assert_eq!(compare(Opcode::Dge), [0, 0, 0, ALL]);
    assert_eq!(compare(Opcode::Deq), [0; 4]);
    assert_eq!(compare(Opcode::Dne), [0, ALL, 0, ALL]);
    let convert = |opcode, x| run(|o: &[Operand]| Ins::new(opcode, &[r(0, "xy"), o[1].clone()]), &[x], 1)[0];
    assert_eq!(convert(Opcode::DtoF, two(0.1, 1e300))[..2], [f(0.1), INF]);
    assert_eq!(convert(Opcode::DtoI, two(-1.9, 1e300))[..2], [ALL, 0x7fff_ffff]);
    assert_eq!(convert(Opcode::DtoU, two(-1.9, 1e300))[..2], [0, ALL]);
    check(Opcode::FtoD, &[[f(0.5), f(-2.0), 9, 9]], &[two(0.5, -2.0)]);
    check(Opcode::ItoD, &[[ALL, 7, 9, 9]], &[two(-1.0, 7.0)]);
    check(Opcode::UtoD, &[[ALL, 7, 9, 9]], &[two(4_294_967_295.0, 7.0)]);
}
