//! A040, A041 and A047 to A068: textures and samplers.

use shaderport_asm::{
    Ins, Opcode::*, ResourceDimension as D, ReturnType as R, Shader, Type, cb, l, l4, o, r, s, t, v,
};
use shaderport_gl_harness::{Compare, Data, Dimension, Filter, Format, Job, Sampler, Texture, Wrap};
use shaderport_glsl::options::Options;

use crate::run::{bits, bytes, draw, glsl, glsl_with, near};
use crate::support::{findings, fixture, fixtures, translate};

/// A pixel shader with float target, `cb0[rows]`, texture t0 and sampler s0.
fn textured(dimension: D, comparison: bool) -> Shader {
    let mut shader = Shader::pixel();
    shader
        .constant_buffer(0, 2, false)
        .sampler(0, comparison)
        .texture(0, dimension, R::Float)
        .target(0, "xyzw", Type::Float)
        .temps(2);
    shader
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// A 4 x 4 texture of one channel: texel (x, y) is 10 y + x.
fn grid() -> Texture {
    let texels: Vec<f32> = (0..16).map(|n| (n / 4 * 10 + n % 4) as f32).collect();
    Texture::new_2d(Format::R32f, 4, 4, floats(&texels))
}

fn check(shader: &Shader, cb0: &[[u32; 4]], name: &str, texture: &Texture, want: [f32; 4]) {
    let mut rows = cb0.to_vec();
    rows.resize(2, [0; 4]);
    let levels = Data::uints(&[texture.levels.len() as u32]);
    let add = |job: Job| {
        let job = job.block("ConstantBuffer0", bytes(&rows)).texture(name, texture.clone());
        job.uniform(&format!("{name}_levels"), levels.clone())
    };
    draw(shader, [1, 1], add, |what, pixels| near(what, pixels[0], want));
}

#[test]
fn a040_a_gather_is_four_texels_in_direct3ds_order() {
    let mut shader = textured(D::Texture2D, false);
    shader.op(Gather4, &[o(0, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xyzw"), s_x()]).op(Ret, &[]);
    // At (0.5, 0.5) the four are x 1, 2 and y 1, 2: (-,+) (+,+) (+,-) (-,-).
    check(&shader, &[bits([0.5, 0.5, 0.0, 0.0])], "t0", &grid(), [21.0, 22.0, 12.0, 11.0]);
    // Beyond the edge the address mode decides.
    check(&shader, &[bits([0.0, 0.0, 0.0, 0.0])], "t0", &grid(), [0.0, 0.0, 0.0, 0.0]);
    let wrapped = grid().sampled(Sampler { wrap: [Wrap::Repeat; 3], ..Sampler::default() });
    check(&shader, &[bits([0.0, 0.0, 0.0, 0.0])], "t0", &wrapped, [3.0, 0.0, 30.0, 33.0]);
}

/// Sampler s0 that names channel x.
fn s_x() -> shaderport_asm::Operand {
    s(0).read("x")
}

#[test]
fn a041_gathers_with_offsets_and_comparison() {
    let mut shader = textured(D::Texture2D, false);
    shader
        .push(
            Ins::new(Gather4, &[r(0, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xyzw"), s_x()]).offsets([1, -1, 0]),
        )
        .op(Gather4Po, &[r(1, "xyzw"), cb(0, 0u32, "xyxx"), cb(0, 1u32, "xyxx"), t(0, "xyzw"), s_x()])
        .op(Mov, &[o(0, "xy"), r(0, "xyxx")])
        .op(Mov, &[o(0, "zw"), r(1, "xxzw")])
        .op(Ret, &[]);
    // Offsets of gather4_po are six bits wide: 63 is -1.
    let rows = [bits([0.5, 0.5, 0.0, 0.0]), [63, 1, 0, 0]];
    check(&shader, &rows, "t0", &grid(), [12.0, 13.0, 21.0, 20.0]);

    let mut shader = textured(D::Texture2D, true);
    shader
        .op(Gather4C, &[o(0, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xyzw"), s_x(), cb(0, 0u32, "z")])
        .op(Ret, &[]);
    let depths: Vec<f32> = (0..16).map(|n| n as f32 / 16.0).collect();
    let depth = Texture::new_2d(Format::Depth32f, 4, 4, floats(&depths));
    let depth = depth.sampled(Sampler { compare: Some(Compare::Less), ..Sampler::default() });
    // Texels 9, 10, 6 and 5 of 16: 0.4 is less than the first two only.
    check(&shader, &[bits([0.5, 0.5, 0.4, 0.0])], "t0", &depth, [1.0, 1.0, 0.0, 0.0]);
}

/// Two layers, or six faces, of one depth each.
fn depth_layers(dimension: Dimension, values: &[f32]) -> Texture {
    let depth = if dimension == Dimension::D2Array { values.len() as u32 } else { 1 };
    Texture {
        dimension,
        format: Format::Depth32f,
        size: [1, 1, depth],
        levels: vec![floats(values)],
        sampler: Sampler { compare: Some(Compare::LessEqual), ..Sampler::default() },
    }
}

#[test]
fn a047_comparison_of_an_array_at_the_first_level() {
    let mut shader = textured(D::Texture2DArray, true);
    shader
        .op(SampleCLz, &[r(0, "x"), cb(0, 0u32, "xyzx"), t(0, "xxxx"), s(0), l(0.5)])
        .op(SampleCLz, &[r(0, "y"), cb(0, 0u32, "xyww"), t(0, "xxxx"), s(0), l(0.5)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
        .op(Ret, &[]);
    let array = depth_layers(Dimension::D2Array, &[0.25, 0.75]);
    check(&shader, &[bits([0.5, 0.5, 0.0, 1.0])], "t0", &array, [0.0, 1.0, 0.0, 1.0]);
    // 0.5 rounds to the even layer 0, 1.4 to 1.
    check(&shader, &[bits([0.5, 0.5, 1.4, 0.5])], "t0", &array, [1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a048_comparison_of_a_cube_at_the_first_level() {
    let mut shader = textured(D::TextureCube, true);
    shader
        .op(SampleCLz, &[r(0, "x"), cb(0, 0u32, "xyzx"), t(0, "xxxx"), s(0), l(0.5)])
        .op(SampleCLz, &[r(0, "y"), -cb(0, 0u32, "xyzx"), t(0, "xxxx"), s(0), l(0.5)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
        .op(Ret, &[]);
    let cube = depth_layers(Dimension::Cube, &[0.25, 0.75, 0.0, 0.0, 1.0, 0.0]);
    check(&shader, &[bits([1.0, 0.0, 0.0, 0.0])], "t0", &cube, [0.0, 1.0, 0.0, 1.0]);
    check(&shader, &[bits([0.0, 0.0, 1.0, 0.0])], "t0", &cube, [1.0, 0.0, 1.0, 0.0]);
}

fn refusal(name: &str) -> String {
    findings(&translate(&fixture(name).bytes, &Options::default()).expect_err(name))
}

#[test]
fn a049_arrays_of_cubes_are_refused_by_name() {
    let text = refusal("a049_cube_array_compare.ps");
    assert!(text.contains("error[refused-cube-array]") && text.contains("instruction"), "{text}");
}

#[test]
fn a050_only_overloads_that_are_missing_are_avoided() {
    let mut shader = textured(D::Texture2D, true);
    shader
        .op(SampleCLz, &[o(0, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xxxx"), s(0), cb(0, 0u32, "z")])
        .op(Ret, &[]);
    let text = glsl(&shader);
    assert!(text.contains("textureLod(t0, ") && !text.contains("textureGrad"), "{text}");
}

#[test]
fn a051_a052_plain_and_comparing_uses_are_two_uniforms() {
    let t = translate(&fixture("a052_plain_and_compare.ps").bytes, &Options::default()).unwrap();
    let [plain, compare] = &t.manifest.textures[..] else { panic!("{:?}", t.manifest.textures) };
    assert_eq!((plain.register, plain.comparison, plain.ty, plain.unit), (0, false, "sampler2D", 0));
    assert_eq!(
        (compare.register, compare.comparison, compare.ty, compare.unit),
        (0, true, "sampler2DShadow", 1)
    );
    assert_ne!(plain.name, compare.name);
    for texture in [plain, compare] {
        assert!(t.source.contains(&format!("uniform {} {};", texture.ty, texture.name)), "{}", t.source);
    }
}

#[test]
fn a053_a054_names_tell_the_pairs_apart() {
    for name in ["a053_names.ps", "a054_two_by_two.ps", "sm51_spaces.ps", "sm51_compare.ps"] {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        let mut names: Vec<&str> = t.manifest.textures.iter().map(|t| t.name.as_str()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{name}: {names:?}");
        let units: Vec<u32> = t.manifest.textures.iter().map(|t| t.unit).collect();
        assert_eq!(units, (0..count as u32).collect::<Vec<_>>(), "{name}");
        assert!(t.manifest.textures.iter().all(|t| t.sampler.is_some()), "{name}");
    }
}

#[test]
fn a055_loads_and_queries_take_a_uniform_that_is_there() {
    let t = translate(&fixture("a055_load_and_sample.ps").bytes, &Options::default()).unwrap();
    assert_eq!(t.manifest.textures.len(), 2, "{:?}", t.manifest.textures);
    let t = translate(&fixture("a055_size_only.ps").bytes, &Options::default()).unwrap();
    assert!(t.manifest.textures.iter().all(|t| t.sampler.is_none()), "{:?}", t.manifest.textures);
}

#[test]
fn a056_samplers_are_indexed_by_constants_only() {
    let t = translate(&fixture("sm51_texture_array.strip.ps").bytes, &Options::default());
    let texts = fixtures().into_iter().filter_map(|f| translate(&f.bytes, &Options::default()).ok());
    for t in texts.chain(t) {
        for line in t.source.lines().filter(|l| l.starts_with("uniform ") && l.contains("sampler")) {
            assert!(!line.split("//").next().unwrap().contains('['), "{line}");
        }
    }
}

/// A texture of an array by a computed index: one case for each, derivatives before them.
#[test]
fn a056_a_computed_texture_index_is_a_ladder() {
    use shaderport_asm::{OperandKind, register};
    let mut shader = Shader::pixel();
    let range = |kind, id: u32, from: u32, to: u32| register(kind, "").at(id).at(from).at(to);
    shader
        .model(5, 1)
        .push(
            Ins::new(DclConstantBuffer, &[range(OperandKind::ConstantBuffer, 0, 0, 0).read("xyzw")])
                .words(&[1, 0]),
        )
        .push(Ins::new(DclSampler, &[range(OperandKind::Sampler, 0, 0, 0)]).words(&[0]))
        .push(
            Ins::new(DclResource, &[range(OperandKind::Resource, 0, 2, 4)])
                .controls((D::Texture2D as u32) << 11)
                .words(&[0x5555, 0]),
        )
        .target(0, "xyzw", Type::Float)
        .temps(1)
        .op(Mov, &[r(0, "x"), register(OperandKind::ConstantBuffer, "x").at(0).at(0).at(0)])
        .op(
            Sample,
            &[
                o(0, "xyzw"),
                l4([0.5, 0.5, 0.0, 0.0]),
                register(OperandKind::Resource, "xyzw").at(0).at((r(0, "x"), 2)),
                register(OperandKind::Sampler, "").at(0).at(0),
            ],
        )
        .op(Ret, &[]);
    for (index, want) in [(0u32, 2.0f32), (1, 3.0), (2, 4.0)] {
        let add = |job: Job| {
            let job = job.block("ConstantBuffer0", bytes(&[[index, 0, 0, 0]]));
            (2..5).fold(job, |job, n| {
                job.texture(&format!("t{n}"), Texture::new_2d(Format::R32f, 1, 1, floats(&[n as f32])))
            })
        };
        draw(&shader, [2, 2], add, |what, pixels| near(what, pixels[0], [want, 0.0, 0.0, 1.0]));
    }
}

/// A texture and a sampler, both by a computed index: one case for each pair.
#[test]
fn a056_a_computed_sampler_index_is_a_ladder_of_pairs() {
    use shaderport_asm::{OperandKind, register};
    let mut shader = Shader::pixel();
    let range = |kind, from: u32, to: u32| register(kind, "").at(0).at(from).at(to);
    let cb0 = |row: u32, lanes: &str| register(OperandKind::ConstantBuffer, lanes).at(0).at(0).at(row);
    shader
        .model(5, 1)
        .push(
            Ins::new(DclConstantBuffer, &[range(OperandKind::ConstantBuffer, 0, 0).read("xyzw")])
                .words(&[2, 0]),
        )
        .push(Ins::new(DclSampler, &[range(OperandKind::Sampler, 1, 2)]).words(&[0]))
        .push(
            Ins::new(DclResource, &[range(OperandKind::Resource, 2, 3)])
                .controls((D::Texture2D as u32) << 11)
                .words(&[0x5555, 0]),
        )
        .target(0, "xyzw", Type::Float)
        .temps(1)
        .op(Mov, &[r(0, "xy"), cb0(0, "xyxx")])
        .op(
            SampleL,
            &[
                o(0, "xyzw"),
                cb0(1, "xyxx"),
                register(OperandKind::Resource, "xyzw").at(0).at((r(0, "x"), 2)),
                register(OperandKind::Sampler, "").at(0).at((r(0, "y"), 1)),
                l(0.0),
            ],
        )
        .op(Ret, &[]);
    // Sampler 1 clamps, sampler 2 repeats: at s = 1.25 they read texel 1 and texel 0.
    for (texture, sampler) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let add = |job: Job| {
            let rows = [[texture, sampler, 0, 0], bits([1.25, 0.5, 0.0, 0.0])];
            let mut job = job.block("ConstantBuffer0", bytes(&rows));
            for t in [2, 3] {
                for (s, wrap) in [(1, Wrap::Clamp), (2, Wrap::Repeat)] {
                    let base = (t * 10) as f32;
                    let two = Texture::new_2d(Format::R32f, 2, 1, floats(&[base, base + 1.0]));
                    let two = two.sampled(Sampler { wrap: [wrap; 3], ..Sampler::default() });
                    job = job.texture(&format!("t{t}_s{s}"), two);
                }
            }
            job
        };
        let want = ((2 + texture) * 10 + 1 - sampler) as f32;
        draw(&shader, [2, 2], add, |what, pixels| near(what, pixels[0], [want, 0.0, 0.0, 1.0]));
    }
}

#[test]
fn a057_every_sampler_type_has_a_precision() {
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        for texture in &t.manifest.textures {
            let statement = format!("precision highp {};", texture.ty);
            assert!(t.source.contains(&statement), "{}: {statement}", f.name);
        }
    }
}

#[test]
fn a058_offsets_are_literals_and_array_comparisons_take_gradients() {
    let t = translate(&fixture("a058_offset_extremes.ps").bytes, &Options::default()).unwrap();
    assert!(t.source.contains("-8") && t.source.contains("7"), "{}", t.source);
    let mut shader = textured(D::Texture2DArray, true);
    shader
        .push(
            Ins::new(SampleC, &[o(0, "xyzw"), cb(0, 0u32, "xyzx"), t_all(), s(0), l(0.5)]).offsets([1, 0, 0]),
        )
        .op(Ret, &[]);
    assert!(glsl(&shader).contains("textureGradOffset("), "{}", glsl(&shader));
    // The offset counts texels.
    let mut shader = textured(D::Texture2D, false);
    shader
        .push(
            Ins::new(SampleL, &[o(0, "xyzw"), cb(0, 0u32, "xyxx"), t_all(), s(0), l(0.0)])
                .offsets([2, -1, 0]),
        )
        .op(Ret, &[]);
    check(&shader, &[bits([0.125, 0.625, 0.0, 0.0])], "t0", &grid(), [12.0, 0.0, 0.0, 1.0]);
}

fn t_all() -> shaderport_asm::Operand {
    t(0, "xyzw")
}

#[test]
fn a059_the_offset_of_a_load_is_added_before_the_bounds_are_checked() {
    let mut shader = textured(D::Texture2D, false);
    shader.push(Ins::new(Ld, &[o(0, "xyzw"), cb(0, 0u32, "xyzw"), t_all()]).offsets([1, 1, 0])).op(Ret, &[]);
    let at = |x: i32, y: i32, level: u32| [[x as u32, y as u32, 0, level]];
    check(&shader, &at(-1, -1, 0), "t0", &grid(), [0.0, 0.0, 0.0, 1.0]);
    check(&shader, &at(1, 2, 0), "t0", &grid(), [32.0, 0.0, 0.0, 1.0]);
    // Outside, and of a level that is not there: 0 in all lanes.
    check(&shader, &at(3, 0, 0), "t0", &grid(), [0.0; 4]);
    check(&shader, &at(0, -3, 0), "t0", &grid(), [0.0; 4]);
    check(&shader, &at(0, 0, 7), "t0", &grid(), [0.0; 4]);
}

#[test]
fn a061_sizes_in_three_forms() {
    // Bits 11 and 12: 0 float, 1 reciprocal, 2 uint.
    let sizes = |form: u32, level: u32| {
        let mut shader = textured(D::Texture2DArray, false);
        shader
            .push(Ins::new(ResInfo, &[r(0, "xyzw"), cb(0, 0u32, "x"), t_all()]).controls(form << 11))
            .op(if form == 2 { Utof } else { Mov }, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        let add = move |job: Job| {
            let texture = Texture {
                dimension: Dimension::D2Array,
                format: Format::R32f,
                size: [8, 4, 3],
                levels: vec![vec![0; 8 * 4 * 3 * 4], vec![0; 4 * 2 * 3 * 4]],
                sampler: Sampler::default(),
            };
            let job = job.block("ConstantBuffer0", bytes(&[[level, 0, 0, 0], [0; 4]]));
            job.texture("t0", texture).uniform("t0_levels", Data::uints(&[2]))
        };
        (shader, add)
    };
    for (form, level, want) in [
        (0, 0, [8.0, 4.0, 3.0, 2.0]),
        (2, 1, [4.0, 2.0, 3.0, 2.0]),
        // The reciprocal is of widths, not of layers or of the mip count.
        (1, 0, [0.125, 0.25, 3.0, 2.0]),
        // A level that is not there: 0, and still the mip count.
        (2, 2, [0.0, 0.0, 0.0, 2.0]),
        (0, 9, [0.0, 0.0, 0.0, 2.0]),
    ] {
        let (shader, add) = sizes(form, level);
        draw(&shader, [1, 1], add, |what, pixels| near(what, pixels[0], want));
    }
    let (shader, _) = sizes(0, 0);
    let manifest = glsl_with(&shader, &Options::default()).manifest;
    assert_eq!(manifest.uniforms[0].name, "t0_levels");
}

#[test]
fn a062_extended_tokens_of_the_resource_are_read() {
    let mut shader = textured(D::Texture2D, false);
    let sample = Ins::new(SampleL, &[o(0, "xyzw"), cb(0, 0u32, "xyxx"), t_all(), s(0), l(0.0)]);
    shader.push(sample.offsets([1, 0, 0]).resource(D::Texture2D, 0, R::Float)).op(Ret, &[]);
    check(&shader, &[bits([0.125, 0.125, 0.0, 0.0])], "t0", &grid(), [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a063_multisampled_textures_are_refused_by_name() {
    for name in ["a063_multisample.ps", "a063_multisample.sm41.ps"] {
        let text = refusal(name);
        assert!(text.contains("error[refused-multisample-texture]"), "{text}");
    }
}

#[test]
fn a064_gradients_of_cubes_are_given_as_they_are() {
    let t = translate(&fixture("a064_cube_grad.ps").bytes, &Options::default()).unwrap();
    assert!(t.source.contains("textureGrad("), "{}", t.source);
}

#[test]
fn a065_a_sample_stays_in_its_branch() {
    let t = translate(&fixture("a065_sample_in_branch.ps").bytes, &Options::default()).unwrap();
    let before = t.source.split_once("if (").unwrap().0;
    let main = before.split_once("void main() {").map_or(before, |m| m.1);
    let inside = t.source.split_once("if (").unwrap().1;
    assert!(!main.contains("texture(") && inside.contains("texture"), "{}", t.source);
}

#[test]
fn a066_comparing_samplers_have_shadow_types() {
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        assert!(!t.source.contains("ShadowShadow"), "{}", f.name);
        for texture in &t.manifest.textures {
            assert_eq!(texture.comparison, texture.ty.ends_with("Shadow"), "{}: {texture:?}", f.name);
        }
    }
}

#[test]
fn a068_integer_textures_by_their_return_types() {
    let source = translate(&fixture("a068_integer_textures.ps").bytes, &Options::default()).unwrap().source;
    assert!(source.contains("isampler") && source.contains("usampler"), "{source}");
    let mut shader = Shader::pixel();
    shader
        .push(Ins::new(DclResource, &[t_none()]).controls((D::Texture2D as u32) << 11).words(&[0x4443]))
        .target(0, "xyzw", Type::Uint)
        .op(Ld, &[o(0, "xyzw"), l4([0, 0, 0, 0]), t_all()])
        .op(Ret, &[]);
    let failure = translate(&shader.build(), &Options::default()).unwrap_err();
    assert_eq!(failure.diagnostics[0].code.name(), "refused-mixed-return-types");
    // Bits come through unchanged.
    let mut shader = Shader::pixel();
    shader
        .texture(0, D::Texture2D, R::Uint)
        .target(0, "xyzw", Type::Uint)
        .op(Ld, &[o(0, "xyzw"), l4([1, 0, 0, 0]), t(0, "wzyx")])
        .op(Ret, &[]);
    let texel = [1u32, 0x7fc0_0001, 0x8000_0000, u32::MAX];
    let texels: Vec<u8> = [[0; 4], texel].as_flattened().iter().flat_map(|w| w.to_le_bytes()).collect();
    let texture = Texture::new_2d(Format::Rgba32Ui, 2, 1, texels);
    draw(
        &shader,
        [1, 1],
        |job| job.texture("t0", texture.clone()),
        |what, pixels| assert_eq!(pixels[0], [texel[3], texel[2], texel[1], texel[0]], "{what}"),
    );
}

fn t_none() -> shaderport_asm::Operand {
    t(0, "")
}

#[test]
fn samples_by_level_bias_and_gradient() {
    let mips = Texture {
        levels: vec![floats(&[1.0; 16]), floats(&[2.0; 4]), floats(&[3.0])],
        sampler: Sampler { mip: Some(Filter::Nearest), ..Sampler::default() },
        ..grid()
    };
    let mut shader = textured(D::Texture2D, false);
    let place = || cb(0, 0u32, "xyxx");
    shader
        .system_input(0, "xy", shaderport_asm::SystemValue::Position, Type::Float)
        .op(SampleL, &[r(0, "x"), place(), t_all(), s(0), l(1.0)])
        .op(SampleD, &[r(0, "y"), place(), t(0, "xxxx"), s(0), cb(0, 1u32, "xyxx"), cb(0, 1u32, "zwzz")])
        .op(Mul, &[r(1, "xy"), v(0, "xyxx"), l(0.25)])
        .op(SampleB, &[r(0, "z"), r(1, "xyxx"), t(0, "xxxx"), s(0), l(2.0)])
        .op(Sample, &[r(0, "w"), r(1, "xyxx"), t(0, "xxxx"), s(0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[]);
    // Half the texture a pixel is two texels: level 1. One texel a pixel: level 0, with bias 2.
    let rows = bytes(&[bits([0.5; 4]), bits([0.5, 0.0, 0.0, 0.5])]);
    let add = |job: Job| job.block("ConstantBuffer0", rows.clone()).texture("t0", mips.clone());
    draw(&shader, [2, 2], add, |what, pixels| near(what, pixels[0], [2.0, 2.0, 3.0, 1.0]));
}

#[test]
fn levels_of_detail() {
    // One texel a pixel across 4 pixels, twice that in v1.
    let mut shader = textured(D::Texture2D, false);
    shader
        .system_input(0, "xy", shaderport_asm::SystemValue::Position, Type::Float)
        .op(Mul, &[r(0, "xy"), v(0, "xyxx"), l(0.5)])
        .op(Lod, &[o(0, "xyzw"), r(0, "xyxx"), t_all(), s(0)])
        .op(Ret, &[]);
    let mips = Texture { levels: vec![floats(&[1.0; 16]), floats(&[2.0; 4]), floats(&[3.0])], ..grid() };
    let add = |job: Job| {
        let job = job.block("ConstantBuffer0", bytes(&[[0; 4]; 2]));
        job.texture("t0", mips.clone()).uniform("t0_levels", Data::uints(&[3]))
    };
    // Half the texture a pixel, two texels: level 1, clamped and unclamped.
    draw(&shader, [2, 2], add, |what, pixels| near(what, pixels[0], [1.0, 1.0, 0.0, 0.0]));
}

#[test]
fn one_dimensional_textures_are_two_dimensional() {
    let mut shader = textured(D::Texture1D, false);
    shader
        .op(SampleL, &[r(0, "x"), cb(0, 0u32, "x"), t_all(), s(0), l(0.0)])
        .op(Mov, &[r(1, "xyzw"), l4([2, 0, 0, 0])])
        .op(Ld, &[r(0, "y"), r(1, "xyzw"), t(0, "xxxx")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
        .op(Ret, &[]);
    let texture = Texture::new_2d(Format::R32f, 4, 1, floats(&[1.0, 2.0, 3.0, 4.0]));
    check(&shader, &[bits([0.9, 0.0, 0.0, 0.0])], "t0", &texture, [4.0, 3.0, 4.0, 3.0]);
}

#[test]
fn loads_and_sizes_of_a_texture_with_two_samplers() {
    // The sampler with the higher number comes first: a load takes the uniform of the other.
    let mut shader = textured(D::Texture2D, false);
    shader
        .sampler(1, false)
        .op(SampleL, &[r(0, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xyzw"), s(1), l(0f32)])
        .op(SampleL, &[r(1, "xyzw"), cb(0, 0u32, "xyxx"), t(0, "xyzw"), s(0), l(0f32)])
        .op(Mov, &[o(0, "x"), r(0, "xxxx")])
        .op(Mov, &[o(0, "y"), r(1, "xxxx")])
        .op(Ld, &[r(0, "xyzw"), cb(0, 1u32, "xyzw"), t(0, "xyzw")])
        .op(ResInfo, &[r(1, "xyzw"), cb(0, 1u32, "wwww"), t(0, "xyzw")])
        .op(Mov, &[o(0, "z"), r(0, "xxxx")])
        .op(Mov, &[o(0, "w"), r(1, "wwww")])
        .op(Ret, &[]);
    let rows = [bits([0.6, 0.6, 0.0, 0.0]), [1, 2, 0, 0]];
    let add = |job: Job| {
        let job = job.block("ConstantBuffer0", bytes(&rows)).texture("t0_s0", grid());
        job.texture("t0_s1", grid()).uniform("t0_s0_levels", Data::uints(&[1]))
    };
    draw(&shader, [1, 1], add, |what, pixels| near(what, pixels[0], [22.0, 22.0, 21.0, 1.0]));
}
