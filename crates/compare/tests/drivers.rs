//! What the two GLs do in their own way, each shown by a small text: what the translator works around, and what the
//! comparisons leave out by name, is here and nowhere else. A driver that mends its fault fails the test of it.
//!
//! Where it comes from:
//! - ANGLE, which folds constants: https://chromium.googlesource.com/angle/angle/+/refs/heads/main/src/compiler/translator/IntermNode.cpp
//! - LLVM, of llvmpipe: llvm-project/llvm/lib/Transforms/InstCombine/InstCombineSelect.cpp
//! - Mesa: https://gitlab.freedesktop.org/mesa/mesa/-/blob/main/src/compiler/nir/nir_opt_algebraic.py
//! - SwiftShader: https://swiftshader.googlesource.com/SwiftShader/+/refs/heads/master/src/Pipeline/SamplerCore.cpp

use shaderport_compare::bounds::{Inexact, error};
use shaderport_compare::random::Random;
use shaderport_gl_harness::{
    Attribute, Backend, Data, Dimension, Filter, Format, Job, Kind, Mode, Sampler, Target, Texture, Worker,
    Wrap,
};
use std::time::Duration;

/// Runs a body for each row of inputs `a`, `b` and `c`, flat `uvec4`s; it writes `o`, a `uvec4`.
fn run(
    backend: Backend,
    declarations: &str,
    body: &str,
    rows: &[[[u32; 4]; 3]],
    textures: &[Texture],
) -> Vec<[u32; 4]> {
    let mut vertex = String::from("#version 300 es\n");
    let mut pass = String::new();
    let mut fragment = String::from("#version 300 es\nprecision highp float;\nprecision highp int;\n");
    let mut job = Job::default();
    for (n, name) in ["a", "b", "c"].iter().enumerate() {
        vertex += &format!("in highp uvec4 in_{name};\nflat out highp uvec4 {name};\n");
        pass += &format!("{name} = in_{name}; ");
        fragment += &format!("flat in highp uvec4 {name};\n");
        let bits = rows.iter().flat_map(|r| r[n]).collect();
        job.attributes.insert(format!("in_{name}"), Attribute::new(4, Data { kind: Kind::Uint, bits }));
    }
    // Each point covers a quad.
    let count = rows.len();
    vertex += &format!(
        "void main() {{ {pass}gl_Position = vec4((float(gl_VertexID) + 0.5) / {count}.0 * 2.0 - 1.0, 0.0, 0.0, \
         1.0); gl_PointSize = 2.0; }}\n"
    );
    fragment += &format!(
        "{declarations}\nlayout(location = 0) out highp uvec4 o;\n\
         void main() {{ vec2 at = mod(floor(gl_FragCoord.xy), 2.0); {body} }}\n"
    );
    for (n, texture) in textures.iter().enumerate() {
        job.textures.insert(format!("t{n}"), texture.clone());
    }
    let job = Job {
        vertex,
        fragment,
        mode: Mode::Points,
        vertices: count as u32,
        size: [2 * count as u32, 2],
        targets: vec![Target::Rgba32ui],
        ..job
    };
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let output = worker.draw(&job).unwrap_or_else(|e| panic!("{e}\n{}", job.fragment));
    output.pixels[0].iter().take(2 * count).step_by(2).copied().collect()
}

fn bits(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

/// LLVM makes `b + (c ? x : -0.0)` of `c ? b + x : b`, and llvmpipe has denormals flushed, of which LLVM does not
/// know: a denormal `b` to which nothing is added becomes 0. Left out of the comparison of random programs.
#[test]
fn llvmpipe_flushes_what_it_does_not_add_to() {
    let body = "uvec4 r = a;
        if (b.x == 0u) {
            if (b.y == 0u) r = floatBitsToUint(vec4(1.5) + uintBitsToFloat(a.wxww));
            if (a.w == 0u) r.xyz = floatBitsToUint(uintBitsToFloat(r.wyz) - uintBitsToFloat(a.xyy));
        }
        o = r;";
    let row = [[0x3f80_0000, 1, 0x8000, 1], [0, 1, 0, 0], [0; 4]];
    assert_eq!(run(Backend::Angle, "", body, &[row], &[])[0], row[0]);
    assert_eq!(run(Backend::Mesa, "", body, &[row], &[])[0], [0x3f80_0000, 0, 0, 1]);
}

/// Mesa compares `b` with 0 for `a + b == a`, which rounding makes true for a large `a`; for `!=`, `<` and `>=` likewise.
/// Left out of the comparison of random programs by its seed: no instruction says it alone.
#[test]
fn mesa_compares_a_sum_with_its_term() {
    let body = "float x = uintBitsToFloat(a.x), s = x + uintBitsToFloat(a.y);
        o = uvec4(s == x, s != x, s < x, s >= x);";
    let row = [bits([1e9, -3.5, 0.0, 0.0]), [0; 4], [0; 4]];
    assert_eq!(run(Backend::Angle, "", body, &[row], &[])[0], [1, 0, 0, 1]);
    assert_eq!(run(Backend::Mesa, "", body, &[row], &[])[0], [0, 1, 1, 0]);
}

/// Mesa takes `a - a` for 0, infinity and NaN too; the translation asks a helper, `dx_add_opposite`. It also takes
/// `a + b - b` for `a`, which no instruction says alone.
#[test]
fn mesa_takes_a_difference_with_itself_for_nothing() {
    let row = [bits([f32::INFINITY, f32::NAN, 1.0, 0.0]), [0; 4], [0; 4]];
    for (sum, mesa) in [("x - x", [false; 2]), ("x + x.yxzw - x.yxzw", [false, true])] {
        let body = format!("vec4 x = uintBitsToFloat(a); o = floatBitsToUint({sum});");
        for (backend, nan) in [(Backend::Angle, [true; 2]), (Backend::Mesa, mesa)] {
            let found = run(backend, "", &body, &[row], &[])[0].map(f32::from_bits);
            assert_eq!([found[0].is_nan(), found[1].is_nan()], nan, "{backend} {sum}");
        }
    }
}

/// Mesa makes `-float(c)` of `c ? -1.0 : 0.0`, also where they are bits, and `float(c)` of `c ? 1.0 : -0.0`, and knows
/// that `c != 0u ? -1.0 : c` is no other: the zero has the wrong sign. The translation takes a product of bits. Where
/// the two sides meet behind a branch, it is left out of the comparison of random programs by its seed.
#[test]
fn mesa_changes_the_sign_of_zero_in_a_select() {
    let row = [[0, 1, 0, 1], [0; 4], [0; 4]];
    let (zero, minus, minus_one) = (0, 0x8000_0000, 0xbf80_0000);
    let selects = "bvec2 c = notEqual(a.xy, uvec2(0u));
        o = uvec4(c.x ? 0xbf800000u : 0u, c.y ? 0xbf800000u : 0u,
            c.x ? 0x3f800000u : 0x80000000u, c.x ? 0u : 0xbf800000u);";
    let products = "uvec2 c = uvec2(notEqual(a.xy, uvec2(0u)));
        o = uvec4(c * 0xbf800000u, c.x * 0xbf800000u ^ 0x80000000u, c.x * 0xbf800000u ^ 0xbf800000u);";
    let right = [zero, minus_one, minus, minus_one];
    for (backend, selected) in [(Backend::Angle, right), (Backend::Mesa, [minus, minus_one, zero, minus_one])]
    {
        assert_eq!(run(backend, "", selects, &[row], &[])[0], selected, "{backend}");
        assert_eq!(run(backend, "", products, &[row], &[])[0], right, "{backend}");
    }
    let branch = "uint r = 0u; if (a.x != 0u) r = 0xbf800000u; o = uvec4(r);";
    for (backend, left) in [(Backend::Angle, zero), (Backend::Mesa, minus)] {
        assert_eq!(run(backend, "", branch, &[row], &[])[0], [left; 4], "{backend}");
    }
    // What was tested is known to be 0 on that side, of vectors in vertex shaders at least.
    let vertex = "#version 300 es
        in highp uvec4 c;
        flat out highp uvec4 o;
        void main() { o = uvec4(c.x != 0u ? 0xbf800000u : c.x, c.y != 0u ? 0xbf800000u : c.y, 0, 0); }";
    let job = Job::vertex_outputs(vertex, 1, &["o"]).attribute("c", 4, Data::uints(&row[0]));
    for (backend, selected) in [(Backend::Angle, zero), (Backend::Mesa, minus)] {
        let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
        let output = worker.draw(&job).unwrap();
        assert_eq!(output.captured["o"].concat(), [selected, minus_one, 0, 0], "{backend}");
    }
}

/// Infinity divided by a literal infinity is 0 on SwiftShader, which multiplies by the reciprocal, and what is divided
/// by a literal 0 is 0 on Mesa. The translation asks a helper, `dx_div_edge`.
#[test]
fn both_fold_quotients_with_edges() {
    let row = [bits([f32::INFINITY; 4]), [0; 4], [0; 4]];
    for (backend, divisor) in [(Backend::Angle, 0x7f80_0000), (Backend::Mesa, 0)] {
        let body = format!("o = floatBitsToUint(uintBitsToFloat(a) / vec4(uintBitsToFloat({divisor}u)));");
        let found = run(backend, "", &body, &[row], &[])[0];
        assert_eq!(found.map(f32::from_bits), [0.0; 4], "{backend}");
    }
}

/// Mesa makes `x != 0` of `0 < |x|`, which is true for NaN; the translation compares with the next number instead.
#[test]
fn mesa_takes_nan_for_more_than_nothing() {
    let row = [[0x7fc0_0000; 4], [0; 4], [0; 4]];
    for (backend, wrong) in [(Backend::Angle, 0), (Backend::Mesa, 1)] {
        let body = "o = uvec4(0.0 < abs(uintBitsToFloat(a.x)));";
        assert_eq!(run(backend, "", body, &[row], &[])[0], [wrong; 4], "{backend}");
        let body = "o = uvec4(abs(uintBitsToFloat(a.x)) >= uintBitsToFloat(0x800000u));";
        assert_eq!(run(backend, "", body, &[row], &[])[0], [0; 4], "{backend}");
    }
}

/// Mesa takes the greater of a magnitude and 0 for the magnitude, NaN too, unless 0 is what is compared first, as in the
/// translation.
#[test]
fn mesa_takes_magnitudes_for_numbers() {
    let row = [[0x7fc0_0000; 4], [0; 4], [0; 4]];
    let greater =
        |greater: &str| format!("float x = abs(uintBitsToFloat(a.x)); o = floatBitsToUint(vec4({greater}));");
    let body = greater("x >= 0.0 ? x : 0.0");
    for (backend, wrong) in [(Backend::Angle, 0), (Backend::Mesa, 0x7fc0_0000)] {
        assert_eq!(run(backend, "", &body, &[row], &[])[0], [wrong; 4], "{backend}");
        let body = greater("0.0 >= x || floatBitsToUint(x) > 0x7f800000u ? 0.0 : x");
        assert_eq!(run(backend, "", &body, &[row], &[])[0], [0; 4], "{backend}");
    }
}

/// Both fold 0 times infinity to 0; the translation asks a helper, `dx_mul_zero`.
#[test]
fn both_fold_products_with_zero() {
    let row = [[0x7f80_0000; 4], [0; 4], [0; 4]];
    for backend in [Backend::Angle, Backend::Mesa] {
        let body = "o = uvec4(floatBitsToUint(1.0 - uintBitsToFloat(a.x) * 0.0));";
        let found = run(backend, "", body, &[row], &[])[0][0];
        assert_eq!(f32::from_bits(found), 1.0, "{backend}");
    }
}

/// A texture of one lane whose levels halve.
fn texture(dimension: Dimension, size: u32, sampler: Sampler, texel: impl Fn(usize, u32) -> f32) -> Texture {
    let last = size.ilog2() as usize;
    let level = |n: usize| {
        let edge = size >> n;
        let count = if dimension == Dimension::Cube { edge * edge * 6 } else { edge };
        (0..count).flat_map(|i| [texel(n, i), 0.0, 0.0, 1.0]).flat_map(f32::to_le_bytes).collect()
    };
    let height = if dimension == Dimension::Cube { size } else { 1 };
    Texture {
        dimension,
        format: Format::Rgba32f,
        size: [size, height, 1],
        levels: (0..=last).map(level).collect(),
        sampler,
    }
}

fn linear(wrap: Wrap) -> Sampler {
    Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: Some(Filter::Linear),
        wrap: [wrap; 3],
        ..Sampler::default()
    }
}

/// Between two levels, SwiftShader adds a texel offset to the coordinate for the first and again, to that sum, for the
/// second. Scenes for it have no filter between levels where a program samples with offsets.
#[test]
fn swiftshader_offsets_the_second_level_twice() {
    const SIZE: u32 = 8;
    const LOD: f64 = 0.3;
    let rows: Vec<_> =
        (0..64).map(|n| [bits([-2.03 + n as f32 * 0.078, 0.0, 0.0, 0.0]), [0; 4], [0; 4]]).collect();
    for (wrap, offset) in [(Wrap::Clamp, -2), (Wrap::Repeat, 4), (Wrap::Mirror, -2), (Wrap::Mirror, 4)] {
        let level = |u: f64, n: u32| {
            let size = i64::from(SIZE >> n);
            let at = |i: i64| {
                let i = match wrap {
                    Wrap::Clamp => i.clamp(0, size - 1),
                    Wrap::Repeat => i.rem_euclid(size),
                    Wrap::Mirror => {
                        let i = i.rem_euclid(2 * size);
                        if i < size { i } else { 2 * size - 1 - i }
                    }
                };
                f64::from(10 * n) + i as f64
            };
            let x = u * size as f64 + f64::from(offset) - 0.5;
            let (first, share) = (x.floor() as i64, x - x.floor());
            at(first) * (1.0 - share) + at(first + 1) * share
        };
        let declarations = "uniform highp sampler2D t0;";
        let body = format!(
            "o = floatBitsToUint(textureLodOffset(t0, vec2(uintBitsToFloat(a.x), 0.5), {LOD}, ivec2({offset}, 0)));"
        );
        let t = texture(Dimension::D2, SIZE, linear(wrap), |n, i| (10 * n) as f32 + i as f32);
        for backend in [Backend::Angle, Backend::Mesa] {
            let found = run(backend, declarations, &body, &rows, std::slice::from_ref(&t));
            let mut differ = 0;
            for (row, found) in rows.iter().zip(found) {
                let u = f64::from(f32::from_bits(row[0][0]));
                let right = level(u, 0) * (1.0 - LOD) + level(u, 1) * LOD;
                let twice =
                    level(u, 0) * (1.0 - LOD) + level(u + f64::from(offset) / f64::from(SIZE), 1) * LOD;
                let want = if backend == Backend::Angle { twice } else { right };
                let found = f64::from(f32::from_bits(found[0]));
                assert!((found - want).abs() < 0.01, "{backend} {wrap:?} {u}: {found}, not {want}");
                differ += u32::from((twice - right).abs() > 0.1);
            }
            assert!(differ > 5, "{wrap:?}: the two rules do not differ");
        }
    }
}

/// Mesa takes the size of the level of one pixel for all of them; the translation halves that of the first level.
#[test]
fn mesa_finds_the_size_of_one_level() {
    let t = texture(Dimension::D2, 8, Sampler::default(), |_, _| 0.0);
    let row = [[1, 0, 0, 0], [0; 4], [0; 4]];
    for (size, mesa) in [("textureSize(t0, int(at.x)).x", 0.0), ("textureSize(t0, 0).x >> int(at.x)", -4.0)] {
        let body = format!("o = floatBitsToUint(vec4(dFdx(float({size}))));");
        for (backend, step) in [(Backend::Angle, -4.0), (Backend::Mesa, mesa)] {
            let declarations = "uniform highp sampler2D t0;";
            let found = run(backend, declarations, &body, &[row], std::slice::from_ref(&t))[0][0];
            assert_eq!(f32::from_bits(found), step, "{backend} {size}");
        }
    }
}

/// Exactly halfway between two levels, a sampler that takes the nearest takes the even one on both, where Direct3D takes
/// the upper one (7.18.10) and OpenGL the lower. No comparison asks for such a level.
#[test]
fn both_take_the_even_level_halfway() {
    let sampler = Sampler { mip: Some(Filter::Nearest), ..Sampler::default() };
    let t = texture(Dimension::D2, 8, sampler, |n, _| n as f32);
    let just = |level: f32| level.to_bits() + 1;
    let levels = [0.5f32, 1.5, 2.5].map(f32::to_bits);
    let rows = [levels, [just(0.5), just(1.5), just(2.5)]].concat();
    let rows: Vec<_> = rows.into_iter().map(|level| [[level; 4], [0; 4], [0; 4]]).collect();
    let body = "o = floatBitsToUint(textureLod(t0, vec2(0.5), uintBitsToFloat(a.x)));";
    for backend in [Backend::Angle, Backend::Mesa] {
        let found = run(backend, "uniform highp sampler2D t0;", body, &rows, std::slice::from_ref(&t));
        let found: Vec<_> = found.iter().map(|o| f32::from_bits(o[0])).collect();
        assert_eq!(found, [0.0, 2.0, 2.0, 1.0, 2.0, 3.0], "{backend}");
    }
}

/// llvmpipe's derivatives are those of each pixel's own row and column, SwiftShader's those of the quad's first.
#[test]
fn llvmpipe_has_derivatives_for_each_pixel() {
    let body = "o = floatBitsToUint(vec4(dFdx(dFdy(at.x * at.y))));";
    for (backend, step) in [(Backend::Angle, 0.0), (Backend::Mesa, 1.0)] {
        let found = run(backend, "", body, &[[[0; 4]; 3]], &[])[0][0];
        assert_eq!(f32::from_bits(found), step, "{backend}");
    }
}

/// llvmpipe takes the level of a cube by each pixel's own derivatives, and that of another texture by those of the
/// quad's first pixel, as the executor and SwiftShader do for both. The last pixel of a quad alone is far off here.
#[test]
fn llvmpipe_has_a_level_of_a_cube_for_each_pixel() {
    let row = [[0; 4]; 3];
    let far = "at.x * at.y * 0.75";
    for (dimension, declarations, place) in [
        (Dimension::Cube, "uniform highp samplerCube t0;", format!("vec3(1.0, 0.1 + {far}, 0.2)")),
        (Dimension::D2, "uniform highp sampler2D t0;", format!("vec2(0.1 + {far}, 0.5)")),
    ] {
        let t = texture(dimension, 64, linear(Wrap::Clamp), |n, _| n as f32);
        let body = format!(
            "float level = texture(t0, {place}).x;
            o = floatBitsToUint(vec4(level, dFdx(level), dFdy(level), 0.0));"
        );
        for backend in [Backend::Angle, Backend::Mesa] {
            let found =
                run(backend, declarations, &body, &[row], std::slice::from_ref(&t))[0].map(f32::from_bits);
            let [here, right, below, _] = found;
            assert_eq!(here, 0.0, "{backend}");
            let own = (backend, dimension) == (Backend::Mesa, Dimension::Cube);
            assert!(if own { right > 4.0 && below > 4.0 } else { right == 0.0 && below == 0.0 }, "{backend}");
        }
    }
}

/// Where Mesa clips an edge, it takes the new vertex's `noperspective` varyings by x/w alone, which says nothing of an
/// edge that is upright on the target.
#[test]
fn mesa_clips_varyings_without_perspective_by_x() {
    let head = "#version 300 es\n#extension GL_NV_shader_noperspective_interpolation : require\n\
                precision highp float;\nprecision highp int;\n";
    for (size, clipped) in [(2.5, false), (6.0, true)] {
        let vertex = format!(
            "{head}noperspective out vec2 p;
            void main() {{
                p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * {size:?} - 1.0;
                gl_Position = vec4(p, 0.0, 1.0) * (float(gl_VertexID) + 1.0);
            }}"
        );
        let fragment = format!(
            "{head}noperspective in vec2 p;\nlayout(location = 0) out highp uvec4 o;
            void main() {{ o = floatBitsToUint(vec4(abs(p - gl_FragCoord.xy / 4.0 + 1.0), 0.0, 0.0)); }}"
        );
        let job = Job {
            vertex,
            fragment,
            mode: Mode::Triangles,
            vertices: 3,
            size: [8, 8],
            targets: vec![Target::Rgba32ui],
            ..Job::default()
        };
        for backend in [Backend::Angle, Backend::Mesa] {
            let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
            let output = worker.draw(&job).unwrap_or_else(|e| panic!("{e}\n{}", job.fragment));
            let off = |lane: usize| output.pixels[0].iter().map(move |p| f32::from_bits(p[lane]));
            let [x, y] = [0, 1].map(|lane| off(lane).fold(0.0, f32::max));
            let wrong = clipped && backend == Backend::Mesa;
            assert!(x < 1e-5 && (y > 0.1) == wrong, "{backend} {size}: {x} {y}");
        }
    }
}

/// ANGLE makes +0 of every lane of a vector, a matrix or an array of literals that are all zeros, of whatever sign, where
/// it is not folded. The translation has vectors from a helper, `dx_zeros`, and needs no such matrices or arrays.
#[test]
fn angle_forgets_the_sign_of_literal_zeros() {
    let declarations = "uint f(float v) { return floatBitsToUint(v); }
        uint f(vec2 v) { return floatBitsToUint(v.x); }
        uint f(mat2 v) { return floatBitsToUint(v[0].x); }
        const float zeros[2] = float[2](uintBitsToFloat(0x80000000u), 0.0);
        vec2 g(uvec2 v) { return uintBitsToFloat(v); }";
    let zero = "uintBitsToFloat(0x80000000u)";
    let row = [[0; 4]; 3];
    for (value, angle) in [
        (format!("vec2({zero}, 0.0)"), 0),
        (format!("mat2({zero}, 0.0, 0.0, 0.0)"), 0),
        ("zeros[a.x]".to_owned(), 0),
        (format!("vec2({zero}, 1.0)"), 0x8000_0000),
        (zero.to_owned(), 0x8000_0000),
        ("g(uvec2(0x80000000u, 0u))".to_owned(), 0x8000_0000),
    ] {
        let body = format!("o = uvec4(f({value}));");
        assert_eq!(run(Backend::Angle, declarations, &body, &[row], &[])[0], [angle; 4], "{value}");
        assert_eq!(run(Backend::Mesa, declarations, &body, &[row], &[])[0], [0x8000_0000; 4], "{value}");
    }
}

/// llvmpipe asks for the size of the first vertex's level for some vertices together; the translation halves that of the
/// first level.
#[test]
fn llvmpipe_has_one_size_for_several_levels() {
    let vertex = "#version 300 es
        uniform highp sampler2D t0;
        in highp int level;
        flat out highp int size;
        void main() { size = textureSize(t0, level).x; }";
    let levels = [0, 1, 0, 1];
    let job = Job::vertex_outputs(vertex, 4, &["size"])
        .attribute("level", 1, Data::ints(&levels))
        .texture("t0", texture(Dimension::D2, 2, linear(Wrap::Clamp), |_, _| 0.0));
    for (backend, sizes) in [(Backend::Angle, [2, 1, 2, 1]), (Backend::Mesa, [2; 4])] {
        let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
        let output = worker.draw(&job).unwrap();
        assert_eq!(output.captured["size"].concat(), sizes, "{backend}");
    }
}

/// ANGLE folds the root of a negative literal, and its reciprocal, to 0. The translation folds them itself.
#[test]
fn angle_folds_roots_of_negative_literals() {
    let row = [bits([-4.0; 4]), [0; 4], [0; 4]];
    for function in ["sqrt", "inversesqrt"] {
        let body = format!(
            "o = floatBitsToUint(vec4({function}(-4.0), {function}(vec2(-4.0, 4.0)), {function}(uintBitsToFloat(a.x))));"
        );
        let root = if function == "sqrt" { 2.0 } else { 0.5 };
        for backend in [Backend::Angle, Backend::Mesa] {
            let [one, lane, other, input] = run(backend, "", &body, &[row], &[])[0].map(f32::from_bits);
            let folded = |value: f32| if backend == Backend::Angle { value == 0.0 } else { value.is_nan() };
            assert!(folded(one) && folded(lane), "{backend} {function}: {one} {lane}");
            assert!((other - root).abs() < 1e-3 && input.is_nan(), "{backend} {function}: {other} {input}");
        }
    }
}

/// SwiftShader lets what is too large for a half float run over into the other one of `packHalf2x16`. The translation
/// takes the lower half alone where it asks the built-in, which is in `fast`.
#[test]
fn swiftshader_packs_beyond_a_half() {
    let row = [bits([65504.0, 1e6, 1e30, f32::INFINITY]), [0; 4], [0; 4]];
    let half = |lane| format!("packHalf2x16(vec2(uintBitsToFloat(a.{lane}), 0.0)) >> 16u");
    let body = format!("o = uvec4({});", ["x", "y", "z", "w"].map(half).join(", "));
    for backend in [Backend::Angle, Backend::Mesa] {
        let found = run(backend, "", &body, &[row], &[])[0];
        let over = if backend == Backend::Angle { [0, 0, 1, 2] } else { [0; 4] };
        assert_eq!(found, over, "{backend}");
    }
}

type Vector = [f64; 3];

fn longest(v: Vector) -> usize {
    (0..3).max_by(|&i, &j| v[i].abs().total_cmp(&v[j].abs())).unwrap_or(0)
}

fn each(a: Vector, b: Vector, f: impl Fn(f64, f64) -> f64) -> Vector {
    std::array::from_fn(|n| f(a[n], b[n]))
}

/// 7.18.11: the derivative `e` of a direction `d`, projected to the face; its length.
fn projected(d: Vector, e: Vector) -> f64 {
    let axis = longest(d);
    let moved = |n: usize| 0.5 * (e[n] * d[axis] - d[n] * e[axis]) / (d[axis] * d[axis]);
    (0..3).filter(|n| *n != axis).map(|n| moved(n).powi(2)).sum::<f64>().sqrt()
}

/// The greatest sum of two of the components' magnitudes, halved.
fn two_axes(e: Vector) -> f64 {
    let [x, y, z] = e.map(f64::abs);
    0.5 * (x + y).max(x + z).max(y + z)
}

/// SwiftShader's levels of cubes: for gradients, the greatest sum of two axes of the gradient over the longest axis of
/// the direction; for implicit levels, of the difference of the directions, each over its own longest axis. Both GLs
/// are within 0.05 of the rule that they follow, as their logarithms are approximate.
#[test]
fn levels_of_cubes() {
    const SIZE: u32 = 64;
    const LAST: f64 = 6.0;
    let mut random = Random::new(7);
    let mut vector = |scale: f32| -> [u32; 4] { bits([(); 4].map(|()| random.dyadic(-1.0, 1.0) * scale)) };
    let rows: Vec<_> = (0..256)
        .map(|n| {
            let scale = 0.5f32.powi(n % 6);
            [vector(1.0), vector(scale), vector(scale)]
        })
        .collect();
    let t = texture(Dimension::Cube, SIZE, linear(Wrap::Clamp), |n, _| n as f32);
    let declarations = "uniform highp samplerCube t0;\n#define F(v) uintBitsToFloat(v.xyz)";
    let clamped = |level: f64| level.clamp(0.0, LAST);
    let greatest = f64::from(error(Inexact::CubeLevels, Backend::Angle));
    for implicit in [false, true] {
        let body = if implicit {
            "o = floatBitsToUint(texture(t0, F(a) + F(b) * at.x + F(c) * at.y));"
        } else {
            "o = floatBitsToUint(textureGrad(t0, F(a), F(b), F(c)));"
        };
        for backend in [Backend::Angle, Backend::Mesa] {
            let found = run(backend, declarations, body, &rows, std::slice::from_ref(&t));
            let mut compared = 0;
            for (row, found) in rows.iter().zip(found) {
                let [d, x, y] = row.map(|v| std::array::from_fn(|n| f64::from(f32::from_bits(v[n]))));
                let axis = longest(d);
                // All pixels of the quad on one face.
                let face = |v: Vector| longest(v) == axis && (v[axis] > 0.0) == (d[axis] > 0.0);
                let corners = [each(d, x, |a, b| a + b), each(d, y, |a, b| a + b)];
                let far = each(corners[0], y, |a, b| a + b);
                if implicit && ![corners[0], corners[1], far].into_iter().all(face) {
                    continue;
                }
                compared += 1;
                let over = |v: Vector| v.map(|n| n / v[longest(v)].abs());
                let exact = (f64::from(SIZE) * projected(d, x).max(projected(d, y))).log2();
                let sums = if implicit {
                    corners.map(|c| two_axes(each(over(c), over(d), |a, b| a - b)))
                } else {
                    [x, y].map(|e| two_axes(e.map(|n| n / d[axis].abs())))
                };
                let own = (f64::from(SIZE) * sums[0].max(sums[1])).log2();
                let want = clamped(if backend == Backend::Angle { own } else { exact });
                let found = f64::from(f32::from_bits(found[0]));
                assert!((found - want).abs() < 0.05, "{backend} {row:x?}: {found}, not {want}");
                let off = (found - clamped(exact)).abs();
                assert!(off <= greatest, "{backend} {row:x?}: off by {off}");
            }
            assert!(compared > 100, "{compared}");
        }
    }
}

/// Mesa's interpolation functions read memory that nobody wrote where a point is drawn, of varyings of any kind. Of
/// triangles they are right (`derivatives.rs`).
#[test]
fn interpolation_functions_of_points() {
    const POINTS: u32 = 16;
    let head = "#version 300 es\n#extension GL_OES_shader_multisample_interpolation : require\n\
        precision highp float;\n";
    let wanted: Vec<_> = (0..POINTS).map(|n| bits([n as f32 + 0.25; 4])).collect();
    for backend in [Backend::Angle, Backend::Mesa] {
        let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
        for how in
            ["interpolateAtCentroid(a)", "interpolateAtSample(a, 0)", "interpolateAtOffset(a, vec2(0.25))"]
        {
            for kind in ["smooth", "flat"] {
                let vertex = format!(
                    "{head}{kind} out vec4 a;\nvoid main() {{ a = vec4(float(gl_VertexID) + 0.25); gl_PointSize = \
                     1.0; gl_Position = vec4((float(gl_VertexID) + 0.5) / {POINTS}.0 * 2.0 - 1.0, 0.0, 0.0, 1.0); }}"
                );
                let job = Job {
                    vertex,
                    fragment: format!("{head}{kind} in vec4 a;\nout vec4 o;\nvoid main() {{ o = {how}; }}"),
                    mode: Mode::Points,
                    vertices: POINTS,
                    size: [POINTS, 1],
                    targets: vec![Target::Rgba32f],
                    ..Job::default()
                };
                let found = worker.draw(&job).unwrap_or_else(|e| panic!("{e}\n{}", job.fragment)).pixels;
                assert_eq!(
                    found[0] == wanted,
                    backend == Backend::Angle,
                    "{backend} {kind} {how}: {found:x?}"
                );
            }
        }
    }
}
