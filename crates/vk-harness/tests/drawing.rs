//! Draws with known results. The modules are made of GLSL by `glslangValidator`.

use shaderport_vk_harness::{
    Attribute, Compare, Data, Depth, Descriptor, Dimension, Filter, Image, Job, Kind, Output, Sampler,
    Target, Worker,
};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_vk-check");

fn worker(seconds: u64) -> Worker {
    Worker::with_program(PROGRAM, Duration::from_secs(seconds)).unwrap_or_else(|e| panic!("{e}"))
}

fn draw(job: &Job) -> Output {
    worker(60).draw(job).unwrap_or_else(|e| panic!("{e}"))
}

/// SPIR-V of a text in GLSL.
fn compile(stage: &str, body: &str) -> Vec<u32> {
    let path = std::env::temp_dir().join(format!("vk-check-{}-{:p}.spv", std::process::id(), body));
    let mut child = Command::new("glslangValidator")
        .args(["--target-env", "vulkan1.3", "--stdin", "-S", stage, "-o"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("glslangValidator, of the package glslang-tools");
    let text = format!("#version 460\n{body}");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    bytes.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect()
}

/// The points of two rows of two pixels, each with a number in `n`.
const POINTS: &str = "
    layout(location = 3) in uvec2 n;
    layout(location = 0) flat out uvec2 number;
    void main() {
        number = n;
        gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 0.5, 0.75, 1.0);
        gl_PointSize = 1.0;
    }";

fn pixels(fragment: &str, targets: &[Target]) -> Job {
    let numbers = Data::uints(&[10, 0x7FA0_0001, 11, 1, 12, 2, 13, 3]);
    Job {
        vertex: compile("vert", POINTS),
        fragment: Some(compile("frag", fragment)),
        attributes: vec![Attribute { location: 3, size: 2, data: numbers }],
        vertices: 4,
        size: [2, 2],
        targets: targets.to_vec(),
        clear: [5, 6, 7, 8],
        ..Job::default()
    }
}

/// A job of a 2 by 2 target whose pixels all run `body`, which sets `color` and has what `declarations` declare.
fn reading(declarations: &str, body: &str, descriptors: Vec<(u32, Descriptor)>) -> [u32; 4] {
    let fragment = format!("{declarations} layout(location = 0) out uvec4 color; void main() {{ {body} }}");
    let output = draw(&Job { descriptors, ..pixels(&fragment, &[Target::Rgba32ui]) });
    assert!(output.pixels[0].iter().all(|p| *p == output.pixels[0][0]), "{:?}", output.pixels);
    output.pixels[0][0]
}

#[test]
fn targets_depth_and_discarded_pixels_are_in_place() {
    let fragment = "
        layout(location = 0) flat in uvec2 number;
        layout(location = 0) out vec4 a;
        layout(location = 2) out ivec4 b;
        layout(location = 3) out uvec4 c;
        void main() {
            if (number.x == 12u) discard;
            a = vec4(uintBitsToFloat(number.y), gl_FragCoord.xy, 0.0);
            b = -ivec4(number, 1, 2);
            c = uvec4(number, 3u, 4u);
            gl_FragDepth = float(number.x) / 16.0;
        }";
    let targets = [Target::Rgba32f, Target::Unused, Target::Rgba32i, Target::Rgba32ui];
    let mut job = pixels(fragment, &targets);
    job.depth = Some(Depth { clear: 0.65, test: Compare::Greater });
    let output = draw(&job);
    // 10 / 16 is not greater than 0.65.
    let kept = [5, 6, 7, 8];
    let [half, more] = [0.5f32, 1.5].map(f32::to_bits);
    assert_eq!(output.pixels[0], [kept, [1, more, half, 0], kept, [3, more, more, 0]]);
    assert!(output.pixels[1].is_empty());
    let negative = |n: u32| n.wrapping_neg();
    assert_eq!(output.pixels[2][1], [11, 1, 1, 2].map(negative));
    assert_eq!(output.pixels[3], [kept, [11, 1, 3, 4], kept, [13, 3, 3, 4]]);
    assert_eq!(output.depth, [0.65, 11.0 / 16.0, 0.65, 13.0 / 16.0].map(f32::to_bits));
}

#[test]
fn bits_of_vertices_are_captured() {
    let vertex = "
        layout(location = 0) in vec3 a;
        layout(location = 1) in int b;
        layout(location = 0, xfb_buffer = 0, xfb_stride = 20, xfb_offset = 0) out vec3 c;
        layout(location = 1, xfb_buffer = 0, xfb_offset = 12) flat out ivec2 d;
        void main() { c = a.zyx; d = ivec2(b, gl_VertexIndex); }";
    let bits = [1, 0x7FA0_0001, 0xFFFF_FFFF, 4, 0x8000_0000, 6];
    let output = draw(&Job {
        vertex: compile("vert", vertex),
        attributes: vec![
            Attribute { location: 0, size: 3, data: Data::float_bits(&bits) },
            Attribute { location: 1, size: 1, data: Data::ints(&[-7, 7]) },
        ],
        vertices: 2,
        captured_words: 5,
        ..Job::default()
    });
    let [a, b, c, d, e, f] = bits;
    assert_eq!(output.captured, [[c, b, a, -7i32 as u32, 0], [f, e, d, 7, 1]]);
}

#[test]
fn buffers_are_read() {
    let declarations = "
        layout(binding = 4) uniform Block { uvec4 rows[2]; };
        layout(binding = 1) uniform isamplerBuffer words;
        layout(binding = 0) uniform usamplerBuffer texels;";
    let body =
        "color = uvec4(rows[1].y, texelFetch(words, 2).x, texelFetch(texels, 1).w, textureSize(texels));";
    let words = Descriptor::Texels { size: 1, data: Data::ints(&[1, 2, -3]) };
    let texels = Descriptor::Texels { size: 4, data: Data::uints(&[1, 2, 3, 4, 5, 6, 7, 8]) };
    let rows = Descriptor::Uniform((0..8).collect());
    let found = reading(declarations, body, vec![(4, rows), (1, words), (0, texels)]);
    assert_eq!(found, [5, -3i32 as u32, 8, 2]);
}

/// An image whose texels hold their place in the list of all, in every lane, from `first` on.
fn counting(dimension: Dimension, size: [u32; 3], layers: u32, levels: u32) -> Image {
    let mut next = 0;
    let level = |n: u32| {
        let texels = size.map(|s| (s >> n).max(1)).iter().product::<u32>() * layers;
        let words = (next..next + texels).flat_map(|n| [n; 4]).collect();
        next += texels;
        words
    };
    let levels = (0..levels).map(level).collect();
    Image { dimension, kind: Kind::Uint, depth: false, size, layers, levels }
}

#[test]
fn images_of_every_dimension_are_read() {
    use Dimension::*;
    // What is read, and where it is in the list of all texels.
    let cases = [
        (D1, [4, 1, 1], 1, 3, "utexture1D", "texelFetch(usampler1D(t, s), 1, 1)", 5),
        (
            D1Array,
            [4, 1, 1],
            3,
            1,
            "utexture1DArray",
            "texelFetch(usampler1DArray(t, s), ivec2(3, 2), 0)",
            11,
        ),
        (D2, [4, 2, 1], 1, 3, "utexture2D", "texelFetch(usampler2D(t, s), ivec2(1, 0), 1)", 9),
        (
            D2Array,
            [4, 2, 1],
            2,
            2,
            "utexture2DArray",
            "texelFetch(usampler2DArray(t, s), ivec3(1, 0, 1), 1)",
            19,
        ),
        (D3, [2, 2, 3], 1, 1, "utexture3D", "texelFetch(usampler3D(t, s), ivec3(1, 0, 2), 0)", 9),
        (Cube, [1, 1, 1], 6, 1, "utextureCube", "texture(usamplerCube(t, s), vec3(0, 0, -1))", 5),
        (
            CubeArray,
            [1, 1, 1],
            12,
            1,
            "utextureCubeArray",
            "texture(usamplerCubeArray(t, s), vec4(0, -1, 0, 1))",
            9,
        ),
    ];
    let mut worker = worker(60);
    for (dimension, size, layers, levels, ty, read, expected) in cases {
        let fragment = format!(
            "layout(binding = 1) uniform {ty} t; layout(binding = 2) uniform sampler s;
            layout(location = 0) out uvec4 color; void main() {{ color = {read}; }}"
        );
        let image = counting(dimension, size, layers, levels);
        let job = Job {
            descriptors: vec![
                (1, Descriptor::Image(image)),
                (2, Descriptor::Sampler(Sampler { mip: Some(Filter::Nearest), ..Sampler::default() })),
            ],
            ..pixels(&fragment, &[Target::Rgba32ui])
        };
        assert_eq!(worker.draw(&job).unwrap().pixels[0], [[expected; 4]; 4], "{dimension:?}");
    }
}

#[test]
fn samplers_filter_and_compare() {
    let declarations = "
        layout(binding = 0) uniform texture2D t;
        layout(binding = 1) uniform sampler linear;
        layout(binding = 2) uniform samplerShadow less;
        layout(binding = 3) uniform texture2D depth;";
    let body = "color = floatBitsToUint(vec4(texture(sampler2D(t, linear), vec2(0.5)).y,
        texture(sampler2DShadow(depth, less), vec3(0.75, 0.5, 0.5)),
        texture(sampler2DShadow(depth, less), vec3(0.25, 0.5, 0.5)), texelFetch(depth, ivec2(1, 0), 0).x));";
    let declarations = format!("#extension GL_EXT_samplerless_texture_functions : require\n{declarations}");
    let image = |depth, texels: &[f32]| {
        let levels = vec![texels.iter().map(|x| x.to_bits()).collect()];
        let (dimension, kind) = (Dimension::D2, Kind::Float);
        Descriptor::Image(Image { dimension, kind, depth, size: [2, 1, 1], layers: 1, levels })
    };
    let linear = Sampler { mag: Filter::Linear, min: Filter::Linear, ..Sampler::default() };
    let less = Sampler { compare: Some(Compare::Less), ..Sampler::default() };
    let found = reading(
        &declarations,
        body,
        vec![
            (0, image(false, &[0.0, 1.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0])),
            (1, Descriptor::Sampler(linear)),
            (2, Descriptor::Sampler(less)),
            (3, image(true, &[0.25, 0.75])),
        ],
    );
    assert_eq!(found.map(f32::from_bits), [2.5, 1.0, 0.0, 0.75]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let fine = pixels("layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }", &[Target::Rgba32f]);
    let mut worker = worker(60);
    let mut refused = |job: Job, what: &str| {
        let e = worker.draw(&job).unwrap_err();
        assert!(e.contains(what), "{e}");
    };
    refused(Job { vertices: 5, ..fine.clone() }, "attribute 3");
    refused(Job { targets: vec![Target::Unused; 100], ..fine.clone() }, "targets");
    refused(Job { captured_words: 10_000, ..fine.clone() }, "to capture");
    let mut image = counting(Dimension::Cube, [2, 2, 1], 6, 2);
    image.levels[1].pop();
    refused(Job { descriptors: vec![(9, Descriptor::Image(image))], ..fine.clone() }, "binding 9");
    let image = counting(Dimension::D2, [2, 1, 1], 1, 3);
    refused(Job { descriptors: vec![(7, Descriptor::Image(image))], ..fine.clone() }, "binding 7");
    assert_eq!(worker.draw(&fine).unwrap().pixels[0], [[1f32.to_bits(); 4]; 4]);
}

#[test]
fn a_draw_without_end_costs_no_more_than_the_limit() {
    // llvmpipe leaves loops after 65,536 rounds, so that it takes many vertices to be long at it.
    let vertex = "
        layout(binding = 0) uniform Step { uint step; };
        layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) out uint c;
        void main() {
            uint n = 0u;
            while (n < 100u) n += step;
            c = n;
        }";
    let job = |step: u32, vertices: u32| Job {
        vertex: compile("vert", vertex),
        descriptors: vec![(0, Descriptor::Uniform(vec![step]))],
        vertices,
        captured_words: 1,
        ..Job::default()
    };
    let mut worker = worker(2);
    assert_eq!(worker.draw(&job(7, 1)).unwrap().captured, [[105]]);
    assert!(worker.draw(&job(0, 1 << 24)).unwrap_err().starts_with("timeout"));
    assert_eq!(worker.draw(&job(30, 1)).unwrap().captured, [[120]]);
}

#[test]
fn workers_find_their_program() {
    Worker::new(Duration::from_secs(20)).unwrap_or_else(|e| panic!("{e}"));
    let absent = Worker::with_program("/nonexistent/vk-check", Duration::from_secs(20));
    assert!(absent.is_err_and(|e| e.contains("/nonexistent/vk-check")));
}
