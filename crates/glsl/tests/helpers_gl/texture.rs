//! Helpers of textures: gathers against the texel rules, levels of detail and sizes against their models.

use shaderport_gl_harness::{
    Compare, Dimension, Filter, Format, Gl, Job, Sampler, Stage, Target, Texture, Wrap,
};
use shaderport_glsl::helpers::{GatherDim, GatherKind, Helper, model};

use crate::support::{HEAD, Same, Scalar, draw, drivers, run_rows, text};

const WRAPS: [Wrap; 3] = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];

/// 7.18.9: the address modes.
fn address(texel: i32, size: i32, wrap: Wrap) -> i32 {
    match wrap {
        Wrap::Clamp => texel.clamp(0, size - 1),
        Wrap::Repeat => texel.rem_euclid(size),
        Wrap::Mirror => {
            let texel = texel.rem_euclid(2 * size);
            if texel < size { texel } else { 2 * size - 1 - texel }
        }
    }
}

/// A texel that tells where it is from; `kind` says how its bits are read.
fn texel(kind: GatherKind, channel: usize, x: i32, y: i32, layer: i32) -> u32 {
    let place = channel as i32 * 1000 + layer * 100 + y * 10 + x;
    match kind {
        GatherKind::Float => (place as f32 + 0.25).to_bits(),
        GatherKind::Int => (-1 - place) as u32,
        GatherKind::Uint => place as u32 | 0x8000_0000,
    }
}

fn texture(dimension: Dimension, kind: GatherKind, size: [u32; 3], sampler: Sampler) -> Texture {
    let layers = if dimension == Dimension::Cube { 6 } else { size[2] };
    let mut bytes = Vec::new();
    for layer in 0..layers {
        for y in 0..size[1] {
            for x in 0..size[0] {
                for channel in 0..4 {
                    bytes.extend(texel(kind, channel, x as i32, y as i32, layer as i32).to_le_bytes());
                }
            }
        }
    }
    let format = match kind {
        GatherKind::Float => Format::Rgba32f,
        GatherKind::Int => Format::Rgba32I,
        GatherKind::Uint => Format::Rgba32Ui,
    };
    Texture { dimension, format, size, levels: vec![bytes], sampler }
}

/// A depth of `texel` places in eighths, and the texture of them.
fn depth_of(x: i32, y: i32, layer: i32) -> f32 {
    ((x * 5 + y * 3 + layer * 2) % 8) as f32 / 8.0
}

fn depth_texture(dimension: Dimension, size: [u32; 3], sampler: Sampler) -> Texture {
    let layers = if dimension == Dimension::Cube { 6 } else { size[2] };
    let mut bytes = Vec::new();
    for layer in 0..layers as i32 {
        for y in 0..size[1] as i32 {
            for x in 0..size[0] as i32 {
                bytes.extend(depth_of(x, y, layer).to_le_bytes());
            }
        }
    }
    Texture { dimension, format: Format::Depth32f, size, levels: vec![bytes], sampler }
}

fn sampler(filter: Filter, wrap: Wrap, compare: Option<Compare>) -> Sampler {
    Sampler { mag: filter, min: filter, wrap: [wrap; 3], compare, ..Sampler::default() }
}

/// Coordinates inside, at the edges, on texel centres and borders, and beyond.
fn coordinates() -> Vec<[f32; 2]> {
    let list = [-1.3, -0.5, -0.01, 0.0, 0.07, 0.1, 0.3, 0.4, 0.499, 0.5, 0.77, 0.9, 0.98, 1.0, 1.2, 2.45];
    list.iter().flat_map(|&u| list.iter().map(move |&v| [u, v])).collect()
}

/// The texels of a footprint in the order of `gather4`.
fn footprint(size: [u32; 2], uv: [f32; 2], offset: [i32; 2]) -> [[i32; 2]; 4] {
    let (x0, x1) = model::gather4_texels(size[0], uv[0], offset[0]);
    let (y0, y1) = model::gather4_texels(size[1], uv[1], offset[1]);
    [[x0, y1], [x1, y1], [x1, y0], [x0, y0]]
}

/// `call`, of the kind, as bits.
fn bits(kind: GatherKind, call: &str) -> String {
    match kind {
        GatherKind::Float => format!("color = floatBitsToUint({call});"),
        GatherKind::Int => format!("color = uvec4({call});"),
        GatherKind::Uint => format!("color = {call};"),
    }
}

fn sampler_type(kind: GatherKind, base: &str) -> String {
    match kind {
        GatherKind::Float => base.into(),
        GatherKind::Int => format!("i{base}"),
        GatherKind::Uint => format!("u{base}"),
    }
}

const KINDS: [GatherKind; 3] = [GatherKind::Float, GatherKind::Int, GatherKind::Uint];

#[test]
fn every_text_compiles() {
    for (backend, gl) in drivers() {
        let mut all = String::from(HEAD);
        for &helper in Helper::ALL {
            for width in (1..=4).filter(|&width| !helper.text(width).is_empty()) {
                let source = format!("{HEAD}{}void main() {{}}\n", text(helper, width));
                for stage in [Stage::Vertex, Stage::Fragment] {
                    let derives = helper.name().starts_with("dx_lod");
                    if derives && stage == Stage::Vertex {
                        continue;
                    }
                    if let Err(error) = gl.check_one(stage, &source) {
                        panic!("{backend}: {helper:?} x{width}: {error}\n{source}");
                    }
                }
                all.push_str(helper.text(width));
            }
        }
        all.push_str("void main() {}\n");
        gl.check_one(Stage::Fragment, &all).unwrap_or_else(|error| panic!("{backend}: {error}"));
    }
}

#[test]
fn gather4_2d_and_array() {
    let size = [5, 3, 3];
    let layers = [-0.7f32, 0.0, 0.49, 0.5, 1.0, 1.49, 1.5, 2.5, 7.0];
    for (backend, gl) in drivers() {
        for (dim, base, dimension) in [
            (GatherDim::D2, "sampler2D", Dimension::D2),
            (GatherDim::D2Array, "sampler2DArray", Dimension::D2Array),
        ] {
            for kind in KINDS {
                for channel in 0..4u8 {
                    let wrap = WRAPS[usize::from(channel) % 3];
                    let depth = if dim == GatherDim::D2 { 1 } else { size[2] };
                    let t = texture(
                        dimension,
                        kind,
                        [size[0], size[1], depth],
                        sampler(Filter::Nearest, wrap, None),
                    );
                    let offset = [[0, 0], [1, -2], [-7, 6]][usize::from(channel) % 3];
                    let rows: Vec<_> = coordinates()
                        .iter()
                        .enumerate()
                        .map(|(i, uv)| [uv[0].to_bits(), uv[1].to_bits(), layers[i % 9].to_bits(), 0])
                        .collect();
                    let helper = Helper::gather(dim, kind, channel);
                    let uv = if dim == GatherDim::D2 { "xy" } else { "xyz" };
                    let functions =
                        format!("uniform highp {} t;\n{}", sampler_type(kind, base), text(helper, 1));
                    let call = format!(
                        "{}(t, uintBitsToFloat(r).{uv}, ivec2({}, {}))",
                        helper.name(),
                        offset[0],
                        offset[1]
                    );
                    let got = run_rows(&gl, &functions, &bits(kind, &call), &rows, Some(&t));
                    for (row, got) in rows.iter().zip(got) {
                        let [u, v, z, _] = row.map(f32::from_bits);
                        let layer = if dim == GatherDim::D2 {
                            0
                        } else {
                            (z.round_ties_even() as i32).clamp(0, size[2] as i32 - 1)
                        };
                        let want = footprint([size[0], size[1]], [u, v], offset).map(|[x, y]| {
                            let x = address(x, size[0] as i32, wrap);
                            let y = address(y, size[1] as i32, wrap);
                            texel(kind, usize::from(channel), x, y, layer)
                        });
                        assert_eq!(got, want, "{backend} {helper:?} {wrap:?} at {u} {v} {z} + {offset:?}");
                    }
                }
            }
        }
    }
}

/// A sampler that filters still gives single texels, up to the rounding of the coordinate.
#[test]
fn gather4_through_a_linear_filter() {
    let size = [5, 3, 1];
    for (backend, gl) in drivers() {
        let t = texture(Dimension::D2, GatherKind::Float, size, sampler(Filter::Linear, Wrap::Repeat, None));
        let rows: Vec<_> = coordinates().iter().map(|uv| [uv[0].to_bits(), uv[1].to_bits(), 0, 0]).collect();
        let functions = format!("uniform highp sampler2D t;\n{}", text(Helper::Gather2dX, 1));
        let call = "dx_gather4_x(t, uintBitsToFloat(r).xy, ivec2(0))";
        let got = run_rows(&gl, &functions, &bits(GatherKind::Float, call), &rows, Some(&t));
        for (row, got) in rows.iter().zip(got) {
            let [u, v, ..] = row.map(f32::from_bits);
            let want = footprint([size[0], size[1]], [u, v], [0; 2]).map(|[x, y]| {
                let (x, y) = (address(x, 5, Wrap::Repeat), address(y, 3, Wrap::Repeat));
                f32::from_bits(texel(GatherKind::Float, 0, x, y, 0))
            });
            let near = got.iter().zip(want).all(|(&got, want)| (f32::from_bits(got) - want).abs() < 1e-3);
            assert!(near, "{backend} at {u} {v}: {:?}, not {want:?}", got.map(f32::from_bits));
        }
    }
}

/// Directions all over a cube, dense at its edges and corners.
fn directions() -> Vec<[f32; 3]> {
    let list = [-0.97f32, -0.8, -0.3, 0.02, 0.4, 0.81, 0.96];
    let mut all = Vec::new();
    for face in 0..6 {
        let [u, v, n] = model::cube_axes(face);
        for s in list {
            for t in list {
                let at = |i: usize| 2.5 * (s * u[i] + t * v[i] + n[i]);
                all.push([at(0), at(1), at(2)]);
            }
        }
    }
    all
}

/// The texels of a cube's footprint in the order of `gather4`, as (face, x, y); `None` is the corner that is not.
fn cube_footprint(size: u32, d: [f32; 3]) -> [Option<(u32, i32, i32)>; 4] {
    let face = model::cube_face(d);
    let [u, v, n] = model::cube_local(d, face);
    let uv = [u / n * 0.5 + 0.5, v / n * 0.5 + 0.5];
    let last = size as i32 - 1;
    footprint([size; 2], uv, [0; 2]).map(|[x, y]| {
        let inside = |texel: i32| (0..=last).contains(&texel);
        match (inside(x), inside(y)) {
            (true, true) => Some((face, x, y)),
            (false, false) => None,
            _ => {
                // Beyond an edge: whatever texel that point's direction hits.
                let at = |texel: i32| (texel as f32 + 0.5) / size as f32 * 2.0 - 1.0;
                let axes = model::cube_axes(face);
                let point = [0, 1, 2].map(|i| at(x) * axes[0][i] + at(y) * axes[1][i] + axes[2][i]);
                let face = model::cube_face(point);
                let [u, v, n] = model::cube_local(point, face);
                let hit = |c: f32| (((c / n * 0.5 + 0.5) * size as f32).floor() as i32).clamp(0, last);
                Some((face, hit(u), hit(v)))
            }
        }
    })
}

#[test]
fn gather4_cube() {
    let rows: Vec<_> =
        directions().iter().map(|d| [d[0].to_bits(), d[1].to_bits(), d[2].to_bits(), 0]).collect();
    for (backend, gl) in drivers() {
        for size in [1, 4, 5] {
            for kind in KINDS {
                for channel in 0..4u8 {
                    let t = texture(
                        Dimension::Cube,
                        kind,
                        [size, size, 1],
                        sampler(Filter::Nearest, Wrap::Clamp, None),
                    );
                    let helper = Helper::gather(GatherDim::Cube, kind, channel);
                    let functions = format!(
                        "uniform highp {} t;\n{}",
                        sampler_type(kind, "samplerCube"),
                        text(helper, 1)
                    );
                    let call = format!("{}(t, uintBitsToFloat(r).xyz)", helper.name());
                    let got = run_rows(&gl, &functions, &bits(kind, &call), &rows, Some(&t));
                    for (d, got) in directions().iter().zip(got) {
                        let want = cube_footprint(size, *d).map(|place| {
                            place.map(|(face, x, y)| texel(kind, usize::from(channel), x, y, face as i32))
                        });
                        for (got, want_one) in got.into_iter().zip(want) {
                            match (want_one, kind) {
                                (Some(want), _) => {
                                    assert_eq!(got, want, "{backend} {helper:?} of {size} at {d:?}")
                                }
                                (None, GatherKind::Float) => {
                                    let three = want.iter().flatten().map(|&v| f32::from_bits(v));
                                    let mean = three.sum::<f32>() / 3.0;
                                    let got = f32::from_bits(got);
                                    assert!(
                                        (got - mean).abs() <= mean.abs() * 1e-6,
                                        "{backend} {helper:?} corner at {d:?}: {got}, not {mean}"
                                    );
                                }
                                // An integer corner is one of its neighbours.
                                (None, _) => {}
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn gather4_c() {
    let reference = 0.5f32;
    let passes = |depth: f32| f32::from(u8::from(reference <= depth));
    for (backend, gl) in drivers() {
        for filter in [Filter::Nearest, Filter::Linear] {
            let state = sampler(filter, Wrap::Repeat, Some(Compare::LessEqual));

            let flat: Vec<_> = coordinates()
                .iter()
                .enumerate()
                .map(|(i, uv)| [uv[0].to_bits(), uv[1].to_bits(), (i as f32 * 0.5 - 1.0).to_bits(), 0])
                .collect();
            for (dim, sampler, dimension, uv) in [
                (GatherDim::D2, "sampler2DShadow", Dimension::D2, "xy"),
                (GatherDim::D2Array, "sampler2DArrayShadow", Dimension::D2Array, "xyz"),
            ] {
                let layers = if dim == GatherDim::D2 { 1 } else { 3 };
                let t = depth_texture(dimension, [5, 3, layers], state.clone());
                let helper = Helper::gather_cmp(dim);
                let functions = format!("uniform highp {sampler} t;\n{}", text(helper, 1));
                let call = format!("dx_gather4_c(t, uintBitsToFloat(r).{uv}, ivec2(1, -1), 0.5)");
                let got = run_rows(&gl, &functions, &bits(GatherKind::Float, &call), &flat, Some(&t));
                for (row, got) in flat.iter().zip(got) {
                    let [u, v, z, _] = row.map(f32::from_bits);
                    let layer = (z.round_ties_even() as i32).clamp(0, layers as i32 - 1);
                    let want = footprint([5, 3], [u, v], [1, -1]).map(|[x, y]| {
                        let (x, y) = (address(x, 5, Wrap::Repeat), address(y, 3, Wrap::Repeat));
                        passes(depth_of(x, y, layer))
                    });
                    assert_eq!(got.map(f32::from_bits), want, "{backend} {helper:?} {filter:?} {u} {v} {z}");
                }
            }

            let rows: Vec<_> =
                directions().iter().map(|d| [d[0].to_bits(), d[1].to_bits(), d[2].to_bits(), 0]).collect();
            let t = depth_texture(Dimension::Cube, [4, 4, 1], state);
            let functions = format!("uniform highp samplerCubeShadow t;\n{}", text(Helper::GatherCmpCube, 1));
            let call = "dx_gather4_c(t, uintBitsToFloat(r).xyz, 0.5)";
            let got = run_rows(&gl, &functions, &bits(GatherKind::Float, call), &rows, Some(&t));
            for (d, got) in directions().iter().zip(got) {
                let known = cube_footprint(4, *d)
                    .map(|place| place.map(|(face, x, y)| passes(depth_of(x, y, face as i32))));
                let mean = known.iter().flatten().sum::<f32>() / 3.0;
                let want = known.map(|v| v.unwrap_or(mean));
                let near = got.iter().zip(want).all(|(&got, want)| (f32::from_bits(got) - want).abs() < 1e-6);
                assert!(near, "{backend} {filter:?} {d:?}: {:?}, not {want:?}", got.map(f32::from_bits));
            }
        }
    }
}

#[test]
fn gather4_offsets_have_six_bits() {
    let list = [0i32, 1, 31, 32, 33, 63, 64, -1, -32, -33, i32::MAX, i32::MIN];
    let rows: Vec<_> = list.iter().map(|&v| [v as u32, -v.wrapping_add(3) as u32, 0, 0]).collect();
    for (backend, gl) in drivers() {
        let body = "color = uvec4(dx_gather4_offset(ivec2(r.xy)), 0u, 0u);";
        let got = run_rows(&gl, &text(Helper::Gather4Offset, 1), body, &rows, None);
        for (row, got) in rows.iter().zip(got) {
            let want = [row[0], row[1]].map(|v| model::gather4_offset(v as i32) as u32);
            assert_eq!(got[..2], want, "{backend} {row:?}");
        }
    }
}

/// Runs `body` on a small square of pixels.
fn square(gl: &Gl, functions: &str, body: &str) -> Vec<[u32; 4]> {
    let fragment = format!(
        "{HEAD}layout(location = 0) out vec4 color;\n{functions}void main() {{\n    vec2 p = gl_FragCoord.xy;\n    \
         {body}\n}}\n"
    );
    draw(gl, &Job::fullscreen(fragment, Target::Rgba32f, [8, 8])).pixels.swap_remove(0)
}

fn check_lod(name: &str, got: &[[u32; 4]], want: impl Fn([f32; 2]) -> [f32; 4]) {
    let same = Same::Near { absolute: 2e-3, relative: 1e-3 };
    for (i, got) in got.iter().enumerate() {
        let want = want([(i % 8) as f32 + 0.5, (i / 8) as f32 + 0.5]);
        let near = got.iter().zip(want).all(|(&got, want)| same.holds(Scalar::F, got, want.to_bits()));
        assert!(near, "{name}, pixel {i}: {:?}, not {want:?}", got.map(f32::from_bits));
    }
}

#[test]
fn lod_follows_the_derivatives() {
    for (backend, gl) in drivers() {
        for (step, last) in [(0.25f32, 5.0f32), (1.0, 5.0), (6.5, 5.0), (200.0, 5.0), (0.0, 3.0)] {
            let f = format!("{step:?}");
            let cases: [(u8, String, Vec<f32>, Vec<f32>); 3] = [
                (1, format!("p.x * {f}"), vec![step], vec![0.0]),
                (2, format!("vec2(p.x - p.y, p.y * 0.5) * {f}"), vec![step, 0.0], vec![-step, 0.5 * step]),
                (
                    3,
                    format!("vec3(p.x, p.y, p.x + 3.0 * p.y) * {f}"),
                    vec![step, 0.0, step],
                    vec![0.0, step, 3.0 * step],
                ),
            ];
            for (width, coord, dx, dy) in cases {
                let body = format!("color = dx_lod({coord}, {last:?});");
                let got = square(&gl, &text(Helper::Lod, width), &body);
                check_lod(&format!("{backend} {body}"), &got, |_| model::lod(&dx, &dy, last));
            }
        }
    }
}

#[test]
fn lod_of_a_cube() {
    let size = 64.0f32;
    for (backend, gl) in drivers() {
        for face in 0..6 {
            // A flat grid in front of the face, so that the derivatives of u / n are those of u over n.
            let [u, v, n] = model::cube_axes(face);
            let vec = |a: [f32; 3]| format!("vec3({:?}, {:?}, {:?})", a[0], a[1], a[2]);
            let body = format!(
                "color = dx_lod_cube({} * (p.x * 0.11 - 0.4) + {} * (p.y * 0.04 - 0.2) + {} * 2.0, {size:?}, 6.0);",
                vec(u),
                vec(v),
                vec(n)
            );
            let got = square(&gl, &text(Helper::LodCube, 1), &body);
            let scale = 0.5 * size / 2.0;
            check_lod(&format!("{backend} face {face}"), &got, |_| {
                model::lod(&[0.11 * scale, 0.0], &[0.0, 0.04 * scale], 6.0)
            });
        }
        // Slanted: the axis changes from pixel to pixel too.
        let body = "color = dx_lod_cube(vec3(p.x * 0.01, 0.1, 1.0 + p.x * 0.02), 64.0, 6.0);";
        let got = square(&gl, &text(Helper::LodCube, 1), body);
        check_lod(&format!("{backend} slanted"), &got, |[x, _]| {
            let n = 1.0 + x * 0.02;
            let du = (0.01 * n - x * 0.01 * 0.02) / (n * n) * 32.0;
            let dv = (0.1 * 0.02) / (n * n) * 32.0;
            model::lod(&[du, dv], &[0.0, 0.0], 6.0)
        });
    }
}

#[test]
fn resinfo_of_levels() {
    let shapes = [
        ([64, 0, 0], [true, false, false]),
        ([64, 33, 0], [true, true, false]),
        ([64, 33, 7], [true, true, false]),
        ([64, 33, 9], [true, true, true]),
    ];
    let rows: Vec<_> = [0, 1, 2, 5, 6, 7, 31, 32, 33, 0xffff_ffff].map(|level| [level, 0, 0, 0]).to_vec();
    for (backend, gl) in drivers() {
        for (size, halves) in shapes {
            let mip = halves.map(u32::from);
            let arguments = format!(
                "ivec3({}, {}, {}), ivec3({}, {}, {}), r.x, 7u",
                size[0], size[1], size[2], mip[0], mip[1], mip[2]
            );
            let body = format!("color = dx_resinfo({arguments});");
            let got = run_rows(&gl, &text(Helper::Resinfo, 1), &body, &rows, None);
            for (row, got) in rows.iter().zip(got) {
                assert_eq!(got, model::resinfo(size, halves, row[0], 7), "{backend} {size:?} {row:?}");
            }
            let body = format!("color = floatBitsToUint(dx_resinfo_rcp({arguments}));");
            let got = run_rows(&gl, &text(Helper::ResinfoRcp, 1), &body, &rows, None);
            for (row, got) in rows.iter().zip(got) {
                let want = model::resinfo_rcp(size, halves, row[0], 7);
                let same = Same::Near { absolute: 0.0, relative: 1e-6 };
                let near =
                    got.iter().zip(want).all(|(&got, want)| same.holds(Scalar::F, got, want.to_bits()));
                assert!(near, "{backend} {size:?} {row:?}: {:?}, not {want:?}", got.map(f32::from_bits));
            }
        }
    }
}
