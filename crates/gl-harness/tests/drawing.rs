//! Values go in and come out bit for bit, on both drivers.

use shaderport_gl_harness::{
    Backend, Compare, Data, Depth, Dimension, Filter, Format, Gl, Job, JobError, Mode, Output, Sampler,
    Target, Texture,
};

/// Runs `job` on both drivers, which must agree.
fn draw(job: &Job) -> Output {
    let [angle, mesa] = [Backend::Angle, Backend::Mesa].map(|backend| {
        let gl = Gl::open(backend).unwrap_or_else(|e| panic!("{e}"));
        gl.draw(job).unwrap_or_else(|e| panic!("{backend}: {e}"))
    });
    assert_eq!(angle, mesa, "ANGLE and Mesa differ");
    angle
}

fn error(job: &Job) -> String {
    match Gl::angle().unwrap_or_else(|e| panic!("{e}")).draw(job) {
        Err(JobError::Invalid(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// One pixel of uints: the value of `expression` under `declarations`.
fn uints(declarations: &str, expression: &str) -> Job {
    let source = format!(
        "#version 300 es\nprecision highp float;\nprecision highp int;\n{declarations}\n\
         layout(location = 0) out uvec4 color;\nvoid main() {{ color = {expression}; }}\n"
    );
    Job::fullscreen(source, Target::Rgba32ui, [1, 1])
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

const AWKWARD: [u32; 4] = [0x7FA0_0001, 0x0000_0001, 0xFFFF_FFFF, 0x8000_0000];

#[test]
fn pixels_are_in_place() {
    let fragment = "#version 300 es
        layout(location = 0) out highp uvec4 color;
        void main() { color = uvec4(uvec2(gl_FragCoord.xy), 0xFFFFFFFFu, 7u); }";
    let output = draw(&Job::fullscreen(fragment, Target::Rgba32ui, [3, 2]));
    let expected: Vec<_> = (0..2).flat_map(|y| (0..3).map(move |x| [x, y, 0xFFFF_FFFF, 7])).collect();
    assert_eq!(output.pixels, [expected]);
}

#[test]
fn blocks_keep_every_bit() {
    let job = uints("layout(std140) uniform B { vec4 f; uvec4 u; };", "floatBitsToUint(f) ^ u")
        .block("B", bytes(&[&AWKWARD[..], &[0, 0, 0, 1]].concat()));
    assert_eq!(draw(&job).pixels[0], [[AWKWARD[0], AWKWARD[1], AWKWARD[2], AWKWARD[3] ^ 1]]);
}

#[test]
fn several_blocks_and_uniforms() {
    let job = uints(
        "layout(std140) uniform A { uvec4 a; }; layout(std140) uniform B { uvec4 b; };
         uniform uint u[2]; uniform ivec2 i; uniform mat2 m; uniform bool t;",
        "a + b * 10u + uvec4(u[0], u[1], uint(i.y), t ? uint(m[1][0]) : 0u)",
    )
    .block("A", bytes(&[1, 2, 3, 4]))
    .block("B", bytes(&[1, 1, 1, 1]))
    .uniform("u", Data::uints(&[100, 200]))
    .uniform("i", Data::ints(&[0, 300]))
    .uniform("m", Data::floats(&[0.0, 0.0, 400.0, 0.0]))
    .uniform("t", Data::ints(&[1]));
    assert_eq!(draw(&job).pixels[0], [[111, 212, 313, 414]]);
}

#[test]
fn float_targets_keep_every_bit() {
    let fragment = "#version 300 es
        precision highp float;
        uniform vec4 f;
        layout(location = 0) out vec4 color;
        void main() { color = f; }";
    let bits = [1.5_f32.to_bits(), (-0.0_f32).to_bits(), f32::INFINITY.to_bits(), 0x3F80_0001];
    let job = Job::fullscreen(fragment, Target::Rgba32f, [1, 1]).uniform("f", Data::float_bits(&bits));
    assert_eq!(draw(&job).pixels[0], [bits]);
}

#[test]
fn several_targets_of_several_types() {
    let fragment = "#version 300 es
        precision highp float;
        precision highp int;
        layout(location = 0) out uvec4 a;
        layout(location = 1) out ivec4 b;
        layout(location = 3) out vec4 c;
        void main() { a = uvec4(0xDEADBEEFu); b = ivec4(-2); c = vec4(0.25); }";
    let mut job = Job::fullscreen(fragment, Target::Rgba32ui, [1, 1]);
    job.targets = vec![Target::Rgba32ui, Target::Rgba32i, Target::Unused, Target::Rgba32f];
    let output = draw(&job);
    assert_eq!(output.pixels[0], [[0xDEAD_BEEF; 4]]);
    assert_eq!(output.pixels[1], [[0xFFFF_FFFE; 4]]);
    assert!(output.pixels[2].is_empty());
    assert_eq!(output.pixels[3], [[0.25_f32.to_bits(); 4]]);
}

#[test]
fn discarded_pixels_keep_the_clear_value() {
    let fragment = "#version 300 es
        layout(location = 0) out highp uvec4 color;
        void main() { if (gl_FragCoord.x < 1.0) discard; color = uvec4(1u); }";
    let mut job = Job::fullscreen(fragment, Target::Rgba32ui, [2, 1]);
    job.clear = [9, 8, 7, 6];
    assert_eq!(draw(&job).pixels[0], [[9, 8, 7, 6], [1; 4]]);
}

#[test]
fn attributes_are_captured() {
    let vertex = "#version 300 es
        in vec4 f; in ivec2 i; in uint u;
        out vec4 o_f; flat out ivec2 o_i; flat out uint o_u; out float pad;
        void main() {
            gl_Position = vec4(float(gl_VertexID), 0.0, 0.5, 1.0);
            o_f = f; o_i = i; o_u = u; pad = 1.0;
        }";
    let job = Job::vertex_outputs(vertex, 2, &["o_i", "gl_Position", "o_f", "o_u"])
        .attribute("f", 4, Data::floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -0.0]))
        .attribute("i", 2, Data::ints(&[-1, 2, i32::MIN, 4]))
        .attribute("u", 1, Data::uints(&[0xFFFF_FFFF, 5]));
    let output = draw(&job);
    let floats = |v: [f32; 4]| v.map(f32::to_bits).to_vec();
    assert!(output.pixels.is_empty());
    assert_eq!(output.captured["o_f"], [floats([1.0, 2.0, 3.0, 4.0]), floats([5.0, 6.0, 7.0, -0.0])]);
    assert_eq!(output.captured["o_i"], [[0xFFFF_FFFF, 2], [0x8000_0000, 4]]);
    assert_eq!(output.captured["o_u"], [[0xFFFF_FFFF], [5]]);
    assert_eq!(output.captured["gl_Position"], [floats([0.0, 0.0, 0.5, 1.0]), floats([1.0, 0.0, 0.5, 1.0])]);
}

#[test]
fn instances_are_captured() {
    let vertex = "#version 300 es
        in uint per_instance;
        flat out uvec2 id;
        void main() { id = uvec2(gl_VertexID, per_instance); gl_Position = vec4(0.0); }";
    let mut job =
        Job::vertex_outputs(vertex, 5, &["id"]).attribute("per_instance", 1, Data::uints(&[10, 20]));
    job.mode = Mode::Triangles;
    job.instances = 2;
    job.attributes.get_mut("per_instance").unwrap().divisor = 1;
    assert_eq!(draw(&job).captured["id"], [[0, 10], [1, 10], [2, 10], [0, 20], [1, 20], [2, 20]]);
    job.mode = Mode::TriangleStrip;
    assert!(error(&job).contains("strips"));
}

#[test]
fn textures_of_every_dimension() {
    for (dimension, sampler, coordinate, size, faces) in [
        (Dimension::D2, "usampler2D", "vec2(0.75)", [2, 2, 1], 1),
        (Dimension::D3, "usampler3D", "vec3(0.75)", [2, 2, 2], 1),
        (Dimension::D2Array, "usampler2DArray", "vec3(0.75, 0.75, 2.0)", [2, 2, 3], 1),
        (Dimension::Cube, "usamplerCube", "vec3(0.5, -0.5, -1.0)", [2, 2, 1], 6),
    ] {
        let texels: u32 = size.iter().product::<u32>() * faces;
        // Each texel says where it is.
        let words: Vec<u32> = (0..texels).flat_map(|n| [n, 0xFFFF_FFFF, 0x7FA0_0001, n + 1]).collect();
        let job = uints(&format!("uniform highp {sampler} s;"), &format!("texture(s, {coordinate})"))
            .texture(
                "s",
                Texture {
                    dimension,
                    format: Format::Rgba32Ui,
                    size,
                    levels: vec![bytes(&words)],
                    sampler: Sampler::default(),
                },
            );
        let last = texels - 1;
        let expected = if dimension == Dimension::Cube { last - 1 } else { last };
        let pixel = draw(&job).pixels[0][0];
        assert_eq!(pixel[1..3], [0xFFFF_FFFF, 0x7FA0_0001], "{dimension:?}");
        if dimension == Dimension::Cube {
            assert!(pixel[0] >= 20, "not the face -z: texel {}", pixel[0]);
        } else {
            assert_eq!(pixel[0], expected, "{dimension:?}");
        }
    }
}

#[test]
fn levels_filters_and_arrays_of_samplers() {
    let mips = Texture {
        dimension: Dimension::D2,
        format: Format::R32f,
        size: [2, 1, 1],
        levels: vec![bytes(&[1.0_f32.to_bits(), 3.0_f32.to_bits()]), bytes(&[10.0_f32.to_bits()])],
        sampler: Sampler { mip: Some(Filter::Nearest), ..Sampler::default() },
    };
    let linear = mips.clone().sampled(Sampler {
        mag: Filter::Linear,
        min: Filter::Linear,
        mip: Some(Filter::Nearest),
        ..Sampler::default()
    });
    let job = uints(
        "uniform highp sampler2D s[2];",
        "uvec4(textureLod(s[0], vec2(0.9), 0.0).x, textureLod(s[0], vec2(0.9), 1.0).x,
               textureLod(s[1], vec2(0.5), 0.0).x, 0.0)",
    )
    .texture("s[0]", mips)
    .texture("s[1]", linear);
    assert_eq!(draw(&job).pixels[0], [[3, 10, 2, 0]]);
}

#[test]
fn shadow_samplers_compare() {
    let texture = Texture::new_2d(Format::Depth32f, 1, 1, bytes(&[0.5_f32.to_bits()]));
    let less = Sampler { compare: Some(Compare::Less), ..Sampler::default() };
    let job = uints(
        "uniform highp sampler2DShadow s; uniform highp sampler2D plain;",
        "uvec4(texture(s, vec3(0.5, 0.5, 0.4)), texture(s, vec3(0.5, 0.5, 0.6)),
               texture(plain, vec2(0.5)).x * 100.0, 0.0)",
    )
    .texture("s", texture.clone().sampled(less))
    .texture("plain", texture);
    assert_eq!(draw(&job).pixels[0], [[1, 0, 50, 0]]);
}

#[test]
fn depth_is_tested_and_read_back() {
    let fragment = "#version 300 es
        layout(location = 0) out highp uvec4 color;
        void main() { color = uvec4(1u); gl_FragDepth = gl_FragCoord.x < 1.0 ? 0.25 : 0.75; }";
    let mut job = Job::fullscreen(fragment, Target::Rgba32ui, [2, 1]);
    job.depth = Some(Depth { clear: 0.5, test: Compare::Less });
    let output = draw(&job);
    assert_eq!(output.pixels[0], [[1; 4], [0; 4]]);
    assert_eq!(output.depth, [0.25_f32, 0.5].map(f32::to_bits));
}

#[test]
fn one_context_runs_many_jobs() {
    let gl = Gl::angle().unwrap_or_else(|e| panic!("{e}"));
    let job = |value| uints("uniform uint u;", "uvec4(u)").uniform("u", Data::uints(&[value]));
    assert!(gl.draw(&Job { uniforms: Default::default(), ..job(0) }).is_err());
    for value in 0..20 {
        assert_eq!(gl.draw(&job(value)).unwrap().pixels[0], [[value; 4]]);
    }
}

#[test]
fn what_the_program_uses_must_be_given() {
    let block = "layout(std140) uniform Block { uvec4 a; };";
    assert!(error(&uints(block, "a")).contains("`Block` (16 bytes)"));
    assert!(error(&uints(block, "a").block("Block", [0; 12])).contains("12 bytes of 16"));
    assert!(error(&uints("uniform uvec4 u;", "u")).contains("`u`"));
    let wrong = uints("uniform uvec4 u;", "u").uniform("u", Data::floats(&[0.0; 4]));
    assert!(error(&wrong).contains("`u`"));
    assert!(error(&uints("uniform highp usampler2D s;", "texture(s, vec2(0.0))")).contains("sampler `s`"));
    let short = uints("uniform highp usampler2D s;", "texture(s, vec2(0.0))")
        .texture("s", Texture::new_2d(Format::Rgba32Ui, 1, 1, vec![0; 15]));
    assert!(error(&short).contains("15 bytes, not 16"));
    let vertex = "#version 300 es\nin vec4 p;\nvoid main() { gl_Position = p; }";
    let points = Job::vertex_outputs(vertex, 2, &["gl_Position"]);
    assert!(error(&points).contains("attribute `p`"));
    assert!(error(&points.attribute("p", 4, Data::floats(&[0.0; 7]))).contains("attribute `p`"));
    let mut mismatch = uints("", "uvec4(0u)");
    mismatch.targets = vec![Target::Rgba32f];
    assert!(error(&mismatch).contains("INVALID_OPERATION"));
}

#[test]
fn refused_shaders_are_told_apart() {
    let gl = Gl::angle().unwrap_or_else(|e| panic!("{e}"));
    let job = Job::fullscreen("#version 300 es\nvoid main() { x; }", Target::Rgba32ui, [1, 1]);
    assert!(matches!(gl.draw(&job), Err(JobError::Rejected(_))));
    let job = Job::vertex_outputs("#version 300 es\nvoid main() {}", 1, &["absent"]);
    assert!(matches!(gl.draw(&job), Err(JobError::Rejected(_))));
}
