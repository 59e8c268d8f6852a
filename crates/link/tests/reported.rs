//! The rows of the list of reported cases that are about two stages, each a test named by its row.

use shaderport_asm::{Interpolation, Opcode::*, Shader, SystemValue, Type, cb, l, l4, o, r, v};
use shaderport_gl_harness::{Data, Gl, Job, Output, Target};
use shaderport_glsl::options::{IntegerAttributes, Limits};
use shaderport_link::{LinkOptions, LinkedProgram, Profile, link};

/// Three vertices that cover the target.
const COVER: [f32; 12] = [-1.0, -1.0, 0.25, 1.0, 3.0, -1.0, 0.25, 1.0, -1.0, 3.0, 0.25, 1.0];

fn options(profile: &str) -> LinkOptions {
    let mut options = LinkOptions::default();
    Profile::built_in(profile).unwrap_or_default().apply(&mut options, &[]);
    options
}

/// A program under the built-in profile of that name; under the default rules for any other name.
fn program(vertex: &Shader, pixel: &Shader, profile: &str) -> LinkedProgram {
    link(&vertex.build(), &pixel.build(), &options(profile)).unwrap()
}

fn codes(program: &LinkedProgram) -> Vec<&'static str> {
    program.diagnostics.iter().map(|d| d.code.name()).collect()
}

/// Draws 2 by 2 pixels of a program whose vertex stage reads a position and, maybe, one attribute more.
fn draw(program: &LinkedProgram, target: Target, more: impl FnOnce(Job) -> Job) -> Output {
    let job = Job {
        vertex: program.vertex.clone(),
        fragment: program.fragment.clone(),
        vertices: 3,
        size: [2, 2],
        targets: vec![target],
        ..Job::default()
    };
    let job = more(job.attribute("in_POSITION0", 4, Data::floats(&COVER)));
    let gl = Gl::angle().unwrap();
    gl.draw(&job).unwrap_or_else(|e| panic!("{e}\n{}\n{}", program.vertex, program.fragment))
}

/// A vertex shader that passes its position on, and then what `more` adds.
fn vertex(more: impl FnOnce(&mut Shader)) -> Shader {
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION0", Type::Float).position(0).op(Mov, &[o(0, "xyzw"), v(0, "xyzw")]);
    more(&mut s);
    s.op(Ret, &[]);
    s
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

const ALL: [&str; 3] = ["default", "specs", "carbon"];

/// OpenGL takes constant varyings from the last vertex of a primitive, Direct3D from the first: the manifest says so.
#[test]
fn a081_the_manifest_names_the_provoking_vertex() {
    let vs = vertex(|s| {
        s.input(1, "x", "COLOR0", Type::Float).output(1, "x", "COLOR0", Type::Float);
        s.op(Mov, &[o(1, "x"), v(1, "x")]);
    });
    let mut ps = Shader::pixel();
    ps.input_as(1, "x", "COLOR0", Type::Float, Interpolation::Constant).target(0, "xyzw", Type::Float);
    ps.op(Mov, &[o(0, "xyzw"), v(1, "xxxx")]).op(Ret, &[]);
    for profile in ALL {
        let p = program(&vs, &ps, profile);
        assert_eq!(p.manifest.provoking_vertex, "first");
        assert_eq!(p.manifest.varyings[0].interpolation, "flat");
        let output =
            draw(&p, Target::Rgba32f, |job| job.attribute("in_COLOR0", 1, Data::floats(&[1.0, 2.0, 3.0])));
        assert_eq!(f32::from_bits(output.pixels[0][0][0]), 3.0, "what the note is about");
    }
}

/// The pair of A089 and A095: one slot, 4 rows in the vertex and 9 in the pixel stage.
fn one_slot() -> (Shader, Shader) {
    let mut vs = Shader::vertex();
    vs.input(0, "xyzw", "POSITION0", Type::Float).constant_buffer(1, 4, false).position(0);
    vs.op(Mul, &[o(0, "xyzw"), v(0, "xyzw"), cb(1, 3u32, "xxxx")]).op(Ret, &[]);
    let mut ps = Shader::pixel();
    ps.constant_buffer(1, 9, false).target(0, "xyzw", Type::Float);
    ps.op(Mov, &[o(0, "xyzw"), cb(1, 8u32, "xyzw")]).op(Ret, &[]);
    (vs, ps)
}

/// Lines that declare blocks.
fn blocks(text: &str) -> Vec<&str> {
    text.lines().filter(|l| l.contains("uniform ConstantBuffer")).collect()
}

#[test]
fn a087_a089_a_shared_slot_is_one_block_of_the_greater_size() {
    let (vs, ps) = one_slot();
    for profile in ["specs", "carbon"] {
        let p = program(&vs, &ps, profile);
        let [block] = &p.manifest.uniform_blocks[..] else { panic!("{:?}", p.manifest.uniform_blocks) };
        assert_eq!((block.block.as_str(), block.byte_size), ("ConstantBuffer1", 9 * 16));
        assert_eq!(block.slots, ["vertex b1", "pixel b1"]);
        assert_eq!(blocks(&p.vertex), blocks(&p.fragment), "{}\n{}", p.vertex, p.fragment);
        assert!(p.vertex.contains("vec4 data[9]"), "{}", p.vertex);
        // Exactly so many bytes will do.
        let mut rows = [0u32; 36];
        rows[12] = 1f32.to_bits();
        rows[32..].copy_from_slice(&[1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits));
        let output = draw(&p, Target::Rgba32f, |job| job.block("ConstantBuffer1", words(&rows)));
        assert_eq!(output.pixels[0][3].map(f32::from_bits), [1.0, 2.0, 3.0, 4.0]);
    }
}

/// A slot that nobody proves to be the same thing is two blocks, of names and instances of their own.
#[test]
fn a095_instances_of_two_stages_do_not_collide() {
    let (vs, ps) = one_slot();
    let p = program(&vs, &ps, "default");
    let sizes: Vec<_> = p.manifest.uniform_blocks.iter().map(|b| (&*b.block, b.byte_size)).collect();
    assert_eq!(sizes, [("ConstantBuffer1_vs", 64), ("ConstantBuffer1_ps", 144)]);
    let instance = |m: &shaderport_glsl::manifest::Manifest| m.uniform_blocks[0].instance.clone();
    assert_eq!(
        (instance(&p.manifest.vertex), instance(&p.manifest.pixel)),
        ("cb1_vs".into(), "cb1_ps".into())
    );
    let (mut own, mut other) = ([0u32; 16], [0u32; 36]);
    own[12] = 1f32.to_bits();
    other[32] = 5f32.to_bits();
    let output = draw(&p, Target::Rgba32f, |job| {
        job.block("ConstantBuffer1_vs", words(&own)).block("ConstantBuffer1_ps", words(&other))
    });
    assert_eq!(f32::from_bits(output.pixels[0][0][0]), 5.0);
}

/// Size and number of blocks are checked over the program, and the finding names what uses them.
#[test]
fn a086_a090_blocks_are_sized_and_counted() {
    let vs = vertex(|s| {
        for n in 0..3 {
            s.constant_buffer(n, 1025, false);
        }
        s.temps(1).output(1, "xyzw", "COLOR0", Type::Float);
        s.op(Add, &[r(0, "xyzw"), cb(0, 0u32, "xyzw"), cb(1, 1024u32, "xyzw")]);
        s.op(Add, &[o(1, "xyzw"), r(0, "xyzw"), cb(2, 0u32, "xyzw")]);
    });
    let mut ps = Shader::pixel();
    ps.input(1, "xyzw", "COLOR0", Type::Float).constant_buffer(5, 2, false).target(0, "xyzw", Type::Float);
    ps.op(Add, &[o(0, "xyzw"), v(1, "xyzw"), cb(5, 1u32, "xyzw")]).op(Ret, &[]);
    let p = program(&vs, &ps, "default");
    let used = |name: &str| p.manifest.limits.iter().find(|l| l.name == name).unwrap().used;
    assert_eq!(used("max_combined_uniform_blocks"), 4);
    assert!(codes(&p).contains(&"limit-not-guaranteed"), "a block is longer than 16 KB: {:?}", codes(&p));
    let mut strict = options("default");
    strict.translation.limits =
        Some(Limits { max_uniform_block_size: 65536, max_combined_uniform_blocks: 3, ..Limits::GUARANTEED });
    let failure = link(&vs.build(), &ps.build(), &strict).unwrap_err();
    let [d] = &failure.diagnostics[..] else { panic!("{:?}", failure.diagnostics) };
    assert_eq!(d.code.name(), "link-limit-exceeded");
    let notes = d.notes.join(" ");
    for user in ["vertex ConstantBuffer0", "vertex ConstantBuffer2", "pixel ConstantBuffer5"] {
        assert!(notes.contains(user), "{notes}");
    }
}

/// Lengths of arrays are literals in both stages, under each profile.
#[test]
fn a088_array_lengths_are_literals() {
    let (vs, ps) = one_slot();
    let mut array = options("carbon");
    array.translation.abi.constant_form = shaderport_glsl::options::ConstantForm::Array;
    let all = ALL.map(options).into_iter().chain([array]);
    for o in all {
        let p = link(&vs.build(), &ps.build(), &o).unwrap();
        for text in [&p.vertex, &p.fragment] {
            let mut lengths = text
                .lines()
                .filter(|l| l.contains("vec4 data[") || l.contains("uniform vec4 cb"))
                .filter_map(|l| l.split_once('[')?.1.split_once(']'))
                .map(|(length, _)| length)
                .peekable();
            assert!(lengths.peek().is_some(), "{text}");
            assert!(lengths.all(|l| l.bytes().all(|b| b.is_ascii_digit())), "{text}");
        }
    }
}

/// Direct3D links by register: what the pixel stage calls `B` is what the vertex stage writes to that register, and the
/// finding says that they disagree.
#[test]
fn a097_stages_are_linked_by_register_and_not_by_semantic() {
    let vs = vertex(|s| {
        s.output(1, "xyzw", "A0", Type::Float).output(2, "xyzw", "B0", Type::Float);
        s.op(Mov, &[o(1, "xyzw"), l(1.0)]).op(Mov, &[o(2, "xyzw"), l(2.0)]);
    });
    let mut ps = Shader::pixel();
    ps.input(1, "xyzw", "B0", Type::Float).input(2, "xyzw", "A0", Type::Float).target(0, "xyzw", Type::Float);
    ps.op(Mov, &[o(0, "xy"), v(1, "xyzw")]).op(Mov, &[o(0, "zw"), v(2, "xyzw")]).op(Ret, &[]);
    for profile in ALL {
        let p = program(&vs, &ps, profile);
        let output = draw(&p, Target::Rgba32f, |job| job);
        assert_eq!(output.pixels[0][0].map(f32::from_bits), [1.0, 1.0, 2.0, 2.0], "{profile}");
        let found = p.diagnostics.iter().filter(|d| d.code.name() == "link-semantic-mismatch");
        let texts: Vec<String> = found.map(|d| d.message.to_string()).collect();
        assert_eq!(texts.len(), 2, "{profile}: {texts:?}");
        assert!(texts[0].contains("register 1") && texts[0].contains("A0") && texts[0].contains("B0"));
    }
    // The same, where both agree.
    let mut same = Shader::pixel();
    same.input(2, "xyzw", "B0", Type::Float).target(0, "xyzw", Type::Float);
    same.op(Mov, &[o(0, "xyzw"), v(2, "xyzw")]).op(Ret, &[]);
    assert!(codes(&program(&vs, &same, "default")).is_empty());
}

/// Lanes and registers that the vertex stage never writes read 0, with a finding for each; the others arrive.
#[test]
fn a098_inputs_that_nobody_writes_read_zero() {
    let vs = vertex(|s| {
        s.output(1, "xy", "COLOR0", Type::Float).op(Mov, &[o(1, "xy"), l4([3.0, 4.0, 0.0, 0.0])]);
    });
    let mut part = Shader::pixel();
    part.input(1, "xyzw", "COLOR0", Type::Float).target(0, "xyzw", Type::Float);
    part.op(Mov, &[o(0, "xyzw"), v(1, "xyzw")]).op(Ret, &[]);
    let mut none = Shader::pixel();
    none.input(1, "xy", "COLOR0", Type::Float).input(2, "xy", "COLOR1", Type::Float);
    none.target(0, "xyzw", Type::Float);
    none.op(Mov, &[o(0, "xy"), v(1, "xyzw")]).op(Mov, &[o(0, "zw"), v(2, "xxxy")]).op(Ret, &[]);
    for profile in ALL {
        for (pixel, lacking) in [(&part, "v1.zw"), (&none, "v2.xy")] {
            let p = program(&vs, pixel, profile);
            let output = draw(&p, Target::Rgba32f, |job| job);
            assert_eq!(output.pixels[0][0].map(f32::from_bits), [3.0, 4.0, 0.0, 0.0], "{profile} {lacking}");
            let found = p.diagnostics.iter().find(|d| d.code.name() == "link-input-missing").unwrap();
            assert!(found.message.contains(lacking), "{profile}: {}", found.message);
        }
    }
}

/// Integers are flat on both sides and arrive bit for bit, also where the stages disagree on the type.
#[test]
fn a099_both_stages_declare_a_varying_alike() {
    let values = [1u32, 0x7fc0_0001, 0x8000_0000, u32::MAX];
    for (wrote, read) in [(Type::Uint, Type::Uint), (Type::Int, Type::Uint), (Type::Float, Type::Int)] {
        let vs = vertex(|s| {
            s.input(1, "xyzw", "COLOR0", wrote).output(1, "xyzw", "COLOR0", wrote);
            s.op(Mov, &[o(1, "xyzw"), v(1, "xyzw")]);
        });
        let mut ps = Shader::pixel();
        ps.input(1, "xyzw", "COLOR0", read).target(0, "xyzw", Type::Uint);
        ps.op(Mov, &[o(0, "xyzw"), v(1, "xyzw")]).op(Ret, &[]);
        for profile in ALL {
            let mut options = options(profile);
            options.translation.integer_attributes = IntegerAttributes::Native;
            let p = link(&vs.build(), &ps.build(), &options).unwrap();
            let name = &p.manifest.varyings[0].name;
            let declared = |text: &str, way: &str| {
                let line = text.lines().find(|l| l.contains(way) && l.contains(name.as_str())).unwrap();
                line.replace(way, "")
            };
            let line = declared(&p.vertex, " out ");
            assert!(line.starts_with("flat"), "{line}");
            assert_eq!(line, declared(&p.fragment, " in "));
            let output = draw(&p, Target::Rgba32ui, |job| {
                let bits = [values; 3].concat();
                let data = match wrote {
                    Type::Float => Data::float_bits(&bits),
                    Type::Int => Data::ints(&bits.iter().map(|b| *b as i32).collect::<Vec<_>>()),
                    _ => Data::uints(&bits),
                };
                job.attribute("in_COLOR0", 4, data)
            });
            assert_eq!(output.pixels[0][0], values, "{profile}\n{}\n{}", p.vertex, p.fragment);
            assert_eq!(codes(&p).contains(&"link-type-mismatch"), wrote != read, "{:?}", codes(&p));
        }
    }
}

/// The position of a pixel has Direct3D's depth and w under each mapping of depth, and the manifest says which it is.
#[test]
fn a100_a101_positions_follow_one_policy() {
    let mut vs = Shader::vertex();
    vs.input(0, "xyzw", "POSITION0", Type::Float).position(0);
    vs.op(Mul, &[o(0, "xyzw"), v(0, "xyzw"), l(4.0)]).op(Ret, &[]);
    let mut ps = Shader::pixel();
    ps.system_input(0, "xyzw", SystemValue::Position, Type::Float).target(0, "xyzw", Type::Float);
    ps.op(Mov, &[o(0, "xyzw"), v(0, "xyzw")]).op(Ret, &[]);
    for (profile, flip) in [("default", false), ("specs", true), ("carbon", false), ("carbon", true)] {
        let mut options = options(profile);
        options.translation.flip_y = flip;
        let p = link(&vs.build(), &ps.build(), &options).unwrap();
        let output = draw(&p, Target::Rgba32f, |job| job);
        for (n, pixel) in output.pixels[0].iter().enumerate() {
            let expected = [0.5 + (n % 2) as f32, 0.5 + (n / 2) as f32, 0.25, 4.0];
            let found = pixel.map(f32::from_bits);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{profile}: {found:?}");
        }
        let c = p.manifest.vertex.conventions;
        assert_eq!(c.flip_y, flip);
        assert_eq!(
            (c.window_origin, c.front_face),
            if flip { ("upper-left", "CCW") } else { ("lower-left", "CW") }
        );
    }
}
