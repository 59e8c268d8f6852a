//! Helpers of floats, integers and conversions, and the built-ins that need none.

use shaderport_glsl::helpers::{Helper, model};

use crate::support::Same::{Bits, Flushed, Near};
use crate::support::Scalar::{self, F, I, U};
use crate::support::{Same, drivers, run, text};

/// 2^-21: what `exp`, `log`, `rcp` and `rsq` may be off by.
const ERROR: f64 = 1.0 / 2_097_152.0;

/// The model of a helper, over the bits of its operands.
type Model = fn([u32; 4]) -> u32;

struct Case {
    helper: Helper,
    operands: &'static [Scalar],
    result: Scalar,
    same: Same,
    rows: Vec<[u32; 4]>,
    model: Model,
}

fn f(v: u32) -> f32 {
    f32::from_bits(v)
}

/// Floats where the rules turn.
fn floats() -> Vec<u32> {
    let positive = [
        0,
        1,
        0x7f_ffff,
        0x80_0000,
        0x3300_0000,
        0x387f_ffff,
        0x3880_0000,
        0x3eff_ffff,
        0x3f7f_ffff,
        1.0f32.to_bits(),
        0x3f80_0001,
        1.5f32.to_bits(),
        2.5f32.to_bits(),
        3.0f32.to_bits(),
        126.0f32.to_bits(),
        127.5f32.to_bits(),
        1e-8f32.to_bits(),
        1e-20f32.to_bits(),
        65503.0f32.to_bits(),
        65504.0f32.to_bits(),
        65520.0f32.to_bits(),
        65536.0f32.to_bits(),
        8_388_607.5f32.to_bits(),
        16_777_215.0f32.to_bits(),
        0x4eff_ffff,
        0x4f00_0000,
        0x4f00_0001,
        0x4f7f_ffff,
        0x4f80_0000,
        1e20f32.to_bits(),
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fa1_2345,
        0x7fc0_0000,
        0x7fff_ffff,
    ];
    positive.into_iter().flat_map(|v| [v, v | 0x8000_0000]).collect()
}

/// Integers where the rules turn.
fn integers() -> Vec<u32> {
    let mut list = vec![
        0,
        1,
        2,
        3,
        7,
        31,
        32,
        33,
        0xff,
        0x100,
        0x1234_5678,
        0x1000_0000,
        0x5555_5555,
        0xaaaa_aaaa,
        0x00ff_00ff,
        0xffff,
        0x1_0000,
        0x1_0001,
        0x7fff_fffe,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0xdead_beef,
        0xffff_0000,
        0xffff_fffe,
        0xffff_ffff,
    ];
    list.extend((0..32).map(|bit| 1 << bit));
    list
}

fn singles(list: &[u32]) -> Vec<[u32; 4]> {
    list.iter().map(|&a| [a, 0, 0, 0]).collect()
}

fn pairs(list: &[u32]) -> Vec<[u32; 4]> {
    list.iter().flat_map(|&a| list.iter().map(move |&b| [a, b, 0, 0])).collect()
}

/// Widths and offsets in and out of range, with values that show where each bit went.
fn fields() -> Vec<[u32; 4]> {
    let values = [0, 1, 0x8000_0000, 0xffff_ffff, 0x1234_5678, 0xdead_beef, 0x5555_5555, 0x7fff_ffff];
    let counts = [0, 1, 2, 7, 8, 15, 16, 17, 30, 31, 32, 33, 63, 64, 0xffff_ffff, 0x8000_0001];
    let mut rows = Vec::new();
    for width in counts {
        for offset in counts {
            for (i, value) in values.into_iter().enumerate() {
                rows.push([width, offset, value, values[(i + 3) % values.len()]]);
            }
        }
    }
    rows
}

/// Every half, plain and with rubbish in the high bits.
fn halves() -> Vec<[u32; 4]> {
    (0..0x1_0000).map(|v| [if v % 3 == 0 { v | 0xabcd_0000 } else { v }, 0, 0, 0]).collect()
}

/// Floats at, just below and halfway above every eleventh half, and the special ones.
fn near_halves() -> Vec<[u32; 4]> {
    let mut list = floats();
    for half in (0..0x7c00).step_by(11) {
        let (here, next) = (model::f16tof32(half), model::f16tof32(half + 1));
        let middle = if next.is_finite() { (here + next) / 2.0 } else { 65520.0 };
        for v in [here.to_bits(), here.to_bits().wrapping_sub(1) & 0x7fff_ffff, middle.to_bits()] {
            list.push(v);
            list.push(v | 0x8000_0000);
        }
    }
    singles(&list)
}

fn cases() -> Vec<Case> {
    let row =
        |helper, operands, result, same, rows, model| Case { helper, operands, result, same, rows, model };
    let one_float = || singles(&floats());
    let two_floats = || pairs(&floats());
    let numbers = || two_floats().into_iter().filter(|r| !f(r[1]).is_nan()).collect::<Vec<_>>();
    let numbers_first = || two_floats().into_iter().filter(|r| !f(r[0]).is_nan()).collect::<Vec<_>>();
    // Whether a product that rounds up to the smallest normal number is flushed, is free.
    let product = Near { absolute: f32::MIN_POSITIVE.into(), relative: 0.0 };
    let zeros = || singles(&[0, 0x8000_0000]);
    let one_int = || singles(&integers());
    let two_ints = || pairs(&integers());
    // The order of the two zeros is free (3.1.3.2), and Mesa turns the comparison into its own `min`.
    let either_zero = Near { absolute: 0.0, relative: 0.0 };
    let exp = Near { absolute: 0.0, relative: ERROR };
    let log = Near { absolute: ERROR, relative: ERROR };
    let sums = || {
        let values = integers();
        let count = values.len();
        let at = move |i: usize| values[i % count];
        (0..count * count).map(|i| [at(i), at(i / count), at(i * 7 + 3), 0]).collect::<Vec<_>>()
    };
    vec![
        row(Helper::Min, &[F, F], F, either_zero, two_floats(), |r| model::min(f(r[0]), f(r[1])).to_bits()),
        row(Helper::Max, &[F, F], F, either_zero, two_floats(), |r| model::max(f(r[0]), f(r[1])).to_bits()),
        row(Helper::MinNum, &[F, F], F, either_zero, numbers(), |r| model::min(f(r[0]), f(r[1])).to_bits()),
        row(Helper::MaxNum, &[F, F], F, either_zero, numbers(), |r| model::max(f(r[0]), f(r[1])).to_bits()),
        row(Helper::Saturate, &[F], F, Flushed, one_float(), |r| model::saturate(f(r[0])).to_bits()),
        row(Helper::MulZero, &[F, F], F, product, numbers(), |r| model::mul(f(r[0]), f(r[1])).to_bits()),
        row(Helper::DivZero, &[F, F], F, exp, numbers_first(), |r| model::div(f(r[0]), f(r[1])).to_bits()),
        row(Helper::DivEdge, &[F, F], F, exp, numbers(), |r| model::div(f(r[0]), f(r[1])).to_bits()),
        row(Helper::AddOpposite, &[F, F], F, Flushed, two_floats(), |r| {
            model::add(f(r[0]), f(r[1])).to_bits()
        }),
        row(Helper::Zeros, &[U], F, Bits, zeros(), |r| r[0]),
        row(Helper::Frc, &[F], F, Flushed, one_float(), |r| model::frc(f(r[0])).to_bits()),
        row(Helper::Exp2, &[F], F, exp, one_float(), |r| model::exp2(f(r[0])).to_bits()),
        row(Helper::Log2, &[F], F, log, one_float(), |r| model::log2(f(r[0])).to_bits()),
        row(Helper::Ftoi, &[F], I, Bits, one_float(), |r| model::ftoi(f(r[0])) as u32),
        row(Helper::Ftou, &[F], U, Bits, one_float(), |r| model::ftou(f(r[0]))),
        row(Helper::F16tof32, &[U], F, Bits, halves(), |r| model::f16tof32(r[0]).to_bits()),
        row(Helper::F32tof16, &[F], U, Bits, near_halves(), |r| model::f32tof16(f(r[0]))),
        row(Helper::Udiv, &[U, U], U, Bits, two_ints(), |r| model::udiv(r[0], r[1])),
        row(Helper::Umod, &[U, U], U, Bits, two_ints(), |r| model::umod(r[0], r[1])),
        row(Helper::UmulHi, &[U, U], U, Bits, two_ints(), |r| model::umul_hi(r[0], r[1])),
        row(Helper::ImulHi, &[I, I], I, Bits, two_ints(), |r| {
            model::imul_hi(r[0] as i32, r[1] as i32) as u32
        }),
        row(Helper::UaddCarry, &[U, U], U, Bits, two_ints(), |r| model::uadd_carry(r[0], r[1])),
        row(Helper::UsubBorrow, &[U, U], U, Bits, two_ints(), |r| model::usub_borrow(r[0], r[1])),
        row(Helper::Ubfe, &[U, U, U], U, Bits, fields(), |r| model::ubfe(r[0], r[1], r[2])),
        row(Helper::Ibfe, &[I, I, I], I, Bits, fields(), |r| {
            model::ibfe(r[0] as i32, r[1] as i32, r[2] as i32) as u32
        }),
        row(Helper::Bfi, &[U, U, U, U], U, Bits, fields(), |r| model::bfi(r[0], r[1], r[2], r[3])),
        row(Helper::Bfrev, &[U], U, Bits, one_int(), |r| model::bfrev(r[0])),
        row(Helper::Countbits, &[U], U, Bits, one_int(), |r| model::countbits(r[0])),
        row(Helper::FirstbitHi, &[U], U, Bits, one_int(), |r| model::firstbit_hi(r[0])),
        row(Helper::FirstbitLo, &[U], U, Bits, one_int(), |r| model::firstbit_lo(r[0])),
        row(Helper::FirstbitShi, &[I], U, Bits, one_int(), |r| model::firstbit_shi(r[0] as i32)),
        row(Helper::Msad, &[U, U, U], U, Bits, sums(), |r| model::msad(r[0], r[1], r[2])),
    ]
}

#[test]
fn helpers_follow_their_models() {
    let mut wrong = Vec::new();
    for (backend, gl) in drivers() {
        for case in cases() {
            let names = &["a", "b", "c", "d"][..case.operands.len()];
            let call = format!("{}({})", case.helper.name(), names.join(", "));
            for width in 1..=4 {
                let functions = text(case.helper, width as u8);
                let got = run(&gl, &functions, &call, case.operands, case.result, width, &case.rows);
                let misses = got.iter().enumerate().flat_map(|(i, lanes)| {
                    let rows = &case.rows;
                    lanes.iter().enumerate().map(move |(lane, &bits)| (rows[(i + lane) % rows.len()], bits))
                });
                let misses: Vec<_> = misses
                    .filter(|&(row, bits)| !case.same.holds(case.result, bits, (case.model)(row)))
                    .take(4)
                    .collect();
                for (row, bits) in misses {
                    wrong.push(format!(
                        "{backend} {:?} x{width} of {row:08x?}: {bits:08x}, not {:08x}",
                        case.helper,
                        (case.model)(row)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The built-ins and operators that a translation calls bare, because drivers agree with Direct3D on them.
#[test]
fn built_ins_that_need_no_helper() {
    let exact = Flushed;
    let near = Near { absolute: 0.0, relative: ERROR };
    // One unit in the last place.
    let root = Near { absolute: 0.0, relative: f32::EPSILON.into() };
    // Whether a product that rounds up to the smallest normal number is flushed, is free.
    let product = Near { absolute: f32::MIN_POSITIVE.into(), relative: 0.0 };
    let cases: [(&str, &[Scalar], Scalar, Same, Model); 19] = [
        ("1.0 / a", &[F], F, near, |r| (1.0 / model::flush(f(r[0]))).to_bits()),
        ("a / b", &[F, F], F, near, |r| (model::flush(f(r[0])) / model::flush(f(r[1]))).to_bits()),
        ("sqrt(a)", &[F], F, root, |r| model::flush(f(r[0])).sqrt().to_bits()),
        ("inversesqrt(a)", &[F], F, near, |r| (1.0 / model::flush(f(r[0])).sqrt()).to_bits()),
        ("floor(a)", &[F], F, exact, |r| model::flush(f(r[0])).floor().to_bits()),
        ("ceil(a)", &[F], F, exact, |r| model::flush(f(r[0])).ceil().to_bits()),
        ("trunc(a)", &[F], F, exact, |r| model::flush(f(r[0])).trunc().to_bits()),
        ("roundEven(a)", &[F], F, exact, |r| model::flush(f(r[0])).round_ties_even().to_bits()),
        ("a + b", &[F, F], F, exact, |r| model::add(f(r[0]), f(r[1])).to_bits()),
        ("a * b", &[F, F], F, product, |r| (model::flush(f(r[0])) * model::flush(f(r[1]))).to_bits()),
        ("uint(a < b)", &[F, F], U, Bits, |r| u32::from(model::flush(f(r[0])) < model::flush(f(r[1])))),
        ("uint(a >= b)", &[F, F], U, Bits, |r| u32::from(model::flush(f(r[0])) >= model::flush(f(r[1])))),
        ("uint(a == b)", &[F, F], U, Bits, |r| u32::from(model::flush(f(r[0])) == model::flush(f(r[1])))),
        ("uint(a != b)", &[F, F], U, Bits, |r| u32::from(model::flush(f(r[0])) != model::flush(f(r[1])))),
        ("a << (b & 31u)", &[U, U], U, Bits, |r| r[0] << (r[1] & 31)),
        ("a >> (b & 31u)", &[U, U], U, Bits, |r| r[0] >> (r[1] & 31)),
        ("a >> (b & 31)", &[I, I], I, Bits, |r| (r[0] as i32 >> (r[1] & 31)) as u32),
        ("float(a)", &[I], F, Bits, |r| (r[0] as i32 as f32).to_bits()),
        ("float(a)", &[U], F, Bits, |r| (r[0] as f32).to_bits()),
    ];
    let mut wrong = Vec::new();
    for (backend, gl) in drivers() {
        for (call, operands, result, same, model) in &cases {
            let list = if operands[0] == F { floats() } else { integers() };
            let rows = if operands.len() == 1 { singles(&list) } else { pairs(&list) };
            let got = run(&gl, "", call, operands, *result, 1, &rows);
            let misses =
                rows.iter().zip(&got).filter(|(row, got)| !same.holds(*result, got[0], model(**row)));
            for (row, got) in misses.take(6) {
                wrong.push(format!(
                    "{backend} {call} of {:08x?}: {:08x}, not {:08x}",
                    &row[..operands.len()],
                    got[0],
                    model(*row)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `sin` and `cos`: 0.0008 in -100 pi to 100 pi, and NaN of what is not finite (22.10.20).
#[test]
fn sine_and_cosine() {
    let mut list: Vec<u32> =
        floats().into_iter().filter(|&v| !(314.0..f32::INFINITY).contains(&f(v).abs())).collect();
    list.extend((0..4096).map(|i| (i as f32 * 0.153_4 - 314.1).to_bits()));
    let rows = singles(&list);
    let same = Near { absolute: 0.0008, relative: 0.0 };
    for (backend, gl) in drivers() {
        for (call, model) in [("sin(a)", f64::sin as fn(f64) -> f64), ("cos(a)", f64::cos)] {
            for (row, got) in rows.iter().zip(run(&gl, "", call, &[F], F, 1, &rows)) {
                let want = model(f(row[0]).into()) as f32;
                assert!(
                    same.holds(F, got[0], want.to_bits()),
                    "{backend} {call} of {}: {}",
                    f(row[0]),
                    f(got[0])
                );
            }
        }
    }
}

/// The looser conversions agree where no rounding is needed, and keep to 16 bits.
#[test]
fn fast_conversions() {
    let halves = halves();
    let exact: Vec<_> = halves.iter().filter(|r| r[0] >> 10 & 31 != 31).copied().collect();
    let floats: Vec<_> = exact.iter().map(|r| [model::f16tof32(r[0]).to_bits(), 0, 0, 0]).collect();
    for (backend, gl) in drivers() {
        for width in 1..=4 {
            let unpack = text(Helper::F16tof32Fast, width as u8);
            let got = run(&gl, &unpack, "dx_f16tof32_fast(a)", &[U], F, width, &halves);
            for (row, got) in halves.iter().zip(got) {
                let want = model::f16tof32(row[0]).to_bits();
                assert!(Bits.holds(F, got[0], want), "{backend} x{width} {row:08x?}: {:08x}", got[0]);
            }
            let pack = text(Helper::F32tof16Fast, width as u8);
            let got = run(&gl, &pack, "dx_f32tof16_fast(a)", &[F], U, width, &floats);
            for (row, got) in exact.iter().zip(got) {
                assert_eq!(got[0], row[0] & 0xffff, "{backend} x{width}");
            }
            let large = run(&gl, &pack, "dx_f32tof16_fast(a)", &[F], U, width, &singles(&self::floats()));
            assert!(large.iter().flatten().all(|&half| half < 0x1_0000), "{backend} x{width}");
        }
    }
}
