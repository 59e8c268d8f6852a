//! A098 to A104: stage inputs and outputs, conventions, names.

use shaderport_asm::{Element, Ins, Interpolation, Opcode::*, Shader, SystemValue, Type, cb, l, l4, o, r, v};
use shaderport_gl_harness::{Data, Job, Target};
use shaderport_glsl::options::*;

use crate::run::{bits, bytes, draw, drivers, glsl, glsl_with, near};
use crate::support::{fixture, fixtures, translate};

/// A vertex shader that passes its attributes on: position, then one varying.
fn passing(ty: Type, lanes: &str) -> Shader {
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION", Type::Float)
        .input(1, lanes, "TEXCOORD0", ty)
        .position(0)
        .output(1, lanes, "TEXCOORD0", ty)
        .op(Mov, &[o(0, "xyzw"), v(0, "xyzw")])
        .op(Mov, &[o(1, lanes), v(1, "xyzw")])
        .op(Ret, &[]);
    s
}

/// Three vertices that cover the target.
const COVER: [f32; 12] = [-1.0, -1.0, 0.25, 1.0, 3.0, -1.0, 0.25, 1.0, -1.0, 3.0, 0.25, 1.0];

#[test]
fn a098_varyings_are_named_by_the_semantic_and_width_of_the_element() {
    let t = translate(&fixture("a098_writes_two.vs").bytes, &Options::default()).unwrap();
    let p = translate(&fixture("a098_reads_four.ps").bytes, &Options::default()).unwrap();
    for (t, word) in [(&t, "out "), (&p, "in ")] {
        for varying in &t.manifest.varyings {
            assert!(t.source.contains(&format!("{word}{} {};", varying.ty, varying.name)), "{}", t.source);
        }
    }
}

#[test]
fn a099_flat_stands_where_it_must_and_nowhere_else() {
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        for line in t.source.lines() {
            if line.starts_with("layout(location") {
                assert!(!line.contains("flat"), "{}: {line}", f.name);
            }
            let io = line.strip_prefix("in ").or(line.strip_prefix("out "));
            if let Some(rest) = io {
                assert!(!rest.starts_with("int") && !rest.starts_with("uint"), "{}: {line}", f.name);
                assert!(!rest.starts_with("ivec") && !rest.starts_with("uvec"), "{}: {line}", f.name);
            }
        }
    }
}

#[test]
fn a099_integer_varyings_arrive_bit_for_bit() {
    let mut p = Shader::pixel();
    p.input(1, "xyzw", "TEXCOORD0", Type::Int).target(0, "xyzw", Type::Int);
    p.op(Mov, &[o(0, "xyzw"), v(1, "xyzw")]).op(Ret, &[]);
    let options = Options { integer_attributes: IntegerAttributes::Native, ..Options::default() };
    let vertex = glsl_with(&passing(Type::Int, "xyzw"), &options).source;
    let values = [-1, i32::MIN, 0x7fc0_0001, 7];
    for (backend, gl) in drivers() {
        let job = Job {
            vertex: vertex.clone(),
            fragment: glsl(&p),
            vertices: 3,
            targets: vec![Target::Rgba32i],
            ..Job::default()
        };
        let job = job.attribute("in_POSITION0", 4, Data::floats(&COVER)).attribute(
            "in_TEXCOORD0",
            4,
            Data::ints(&[values; 3].concat()),
        );
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{vertex}"));
        assert_eq!(output.pixels[0][0], values.map(|v| v as u32), "{backend}");
    }
}

#[test]
fn integer_attributes_are_converted_by_value() {
    let mut s = Shader::vertex();
    s.input(0, "xyz", "BLENDINDICES", Type::Uint)
        .input(1, "xy", "OFFSET", Type::Int)
        .position(0)
        .output(1, "xyz", "TEXCOORD0", Type::Uint)
        .output(2, "xy", "TEXCOORD1", Type::Int)
        .op(Mov, &[o(0, "xyzw"), l4([0.0, 0.0, 0.0, 1.0])])
        .op(Mov, &[o(1, "xyz"), v(0, "xyzx")])
        .op(Mov, &[o(2, "xy"), v(1, "xyxx")])
        .op(Ret, &[]);
    let t = glsl_with(&s, &Options::default());
    assert!(t.manifest.attributes.iter().all(|a| a.value_converted));
    for (backend, gl) in drivers() {
        let job = Job::vertex_outputs(t.source.clone(), 1, &["vs_TEXCOORD0", "vs_TEXCOORD1"])
            .attribute("in_BLENDINDICES0", 3, Data::floats(&[3.0, 255.0, 65536.0]))
            .attribute("in_OFFSET0", 2, Data::floats(&[-5.0, 9.0]));
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{}", t.source));
        assert_eq!(output.captured["vs_TEXCOORD0"][0], [3, 255, 65536], "{backend}");
        assert_eq!(output.captured["vs_TEXCOORD1"][0], [-5i32 as u32, 9], "{backend}");
    }
}

/// Draws with the position's w, and z before the depth range, of the pixel at the lower left.
#[test]
fn a100_the_position_of_a_pixel_has_w_itself() {
    let mut p = Shader::pixel();
    p.system_input(0, "xyzw", SystemValue::Position, Type::Float).target(0, "xyzw", Type::Float);
    p.op(Mov, &[o(0, "xyzw"), v(0, "xyzw")]).op(Ret, &[]);
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION", Type::Float)
        .position(0)
        .op(Mul, &[o(0, "xyzw"), v(0, "xyzw"), l(4.0)])
        .op(Ret, &[]);
    for (backend, gl) in drivers() {
        let job = Job {
            vertex: glsl(&s),
            fragment: glsl(&p),
            vertices: 3,
            size: [2, 2],
            targets: vec![Target::Rgba32f],
            ..Job::default()
        };
        let job = job.attribute("in_POSITION0", 4, Data::floats(&COVER));
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}"));
        near(&backend.to_string(), output.pixels[0][0], [0.5, 0.5, 0.25, 4.0]);
        near(&backend.to_string(), output.pixels[0][3], [1.5, 1.5, 0.25, 4.0]);
    }
}

#[test]
fn a101_clip_space_follows_the_options() {
    let cases = [
        (DepthRange::Gl, false, [0.5, -0.25, -0.5, 1.0], "lower-left", "CW"),
        (DepthRange::Reversed, false, [0.5, -0.25, 0.5, 1.0], "lower-left", "CW"),
        (DepthRange::D3d, false, [0.5, -0.25, 0.25, 1.0], "lower-left", "CW"),
        (DepthRange::Gl, true, [0.5, 0.25, -0.5, 1.0], "", "CCW"),
        (DepthRange::D3d, true, [0.5, 0.25, 0.25, 1.0], "", "CCW"),
    ];
    let gls = drivers();
    for (depth_range, flip_y, want, origin, front) in cases {
        let options = Options { depth_range, flip_y, ..Options::default() };
        let t = glsl_with(&passing(Type::Float, "xy"), &options);
        let conventions = t.manifest.conventions;
        assert_eq!((conventions.depth_range, conventions.flip_y), (depth_range, flip_y));
        assert!(origin.is_empty() || conventions.window_origin == origin, "{conventions:?}");
        assert_eq!(conventions.front_face, front);
        for (backend, gl) in &gls {
            let job = Job::vertex_outputs(t.source.clone(), 1, &["gl_Position"])
                .attribute("in_POSITION0", 4, Data::floats(&[0.5, -0.25, 0.25, 1.0]))
                .attribute("in_TEXCOORD0", 2, Data::floats(&[0.0, 0.0]));
            let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{}", t.source));
            let got: Vec<f32> =
                output.captured["gl_Position"][0].iter().map(|b| f32::from_bits(*b)).collect();
            assert_eq!(got, want, "{backend}, {depth_range:?}, {flip_y}");
        }
    }
}

#[test]
fn a102_the_manifest_says_what_vertex_ids_count() {
    let t = translate(&fixture("a102_vertex_instance_id.vs").bytes, &Options::default()).unwrap();
    for semantic in ["SV_VertexID", "SV_InstanceID"] {
        let value = t.manifest.system_values.iter().find(|s| s.semantic == semantic);
        let value = value.unwrap_or_else(|| panic!("{semantic}: {:?}", t.manifest.system_values));
        assert!(value.note.is_some() || semantic == "SV_InstanceID", "{value:?}");
    }
    let mut s = Shader::vertex();
    s.system_input(0, "x", SystemValue::VertexId, Type::Uint)
        .system_input(1, "x", SystemValue::InstanceId, Type::Uint)
        .position(0)
        .output(1, "xy", "TEXCOORD0", Type::Uint)
        .op(Mov, &[o(0, "xyzw"), l(1.0)])
        .op(Mov, &[o(1, "x"), v(0, "x")])
        .op(Mov, &[o(1, "y"), v(1, "x")])
        .op(Ret, &[]);
    let text = glsl(&s);
    for (backend, gl) in drivers() {
        let output = gl.draw(&Job::vertex_outputs(text.clone(), 3, &["vs_TEXCOORD0"])).unwrap();
        assert_eq!(output.captured["vs_TEXCOORD0"], [[0, 0], [1, 0], [2, 0]], "{backend}");
    }
}

#[test]
fn a103_names_are_legal_and_distinct_whatever_the_semantics() {
    let semantics = [
        "A__B",
        "TEXCOORD_",
        "gl_Thing",
        "webgl_x",
        "_webgl_y",
        "input",
        "float2x",
        "A1",
        "_",
        "é",
        "texCoord",
    ];
    let mut s = Shader::vertex();
    s.position(0).op(Mov, &[o(0, "xyzw"), l(0.0)]);
    for (n, semantic) in (1..).zip(semantics) {
        s.output(n, "xyzw", semantic, Type::Float).op(Mov, &[o(n, "xyzw"), l(1.0)]);
    }
    // `A1` with index 0 and `A` with index 10 come to the same.
    s.output(14, "xyzw", "A10", Type::Float).op(Mov, &[o(14, "xyzw"), l(1.0)]);
    s.output(15, "xy", &"LONG".repeat(300), Type::Float).op(Mov, &[o(15, "xy"), l(1.0)]);
    s.op(Ret, &[]);
    let t = glsl_with(&s, &Options::default());
    let mut names: Vec<&str> = t.manifest.varyings.iter().map(|v| v.name.as_str()).collect();
    let count = names.len();
    assert_eq!(count, semantics.len() + 2);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
    assert!(names.iter().all(|n| n.is_ascii() && n.len() <= 256 && !n.contains("__")), "{names:?}");
    for (backend, gl) in drivers() {
        let compiled = gl.compile(shaderport_gl_harness::Stage::Vertex, &t.source);
        compiled.unwrap_or_else(|e| panic!("{backend}: {e}\n{}", t.source));
    }
}

#[test]
fn a104_every_target_is_written_in_all_lanes_and_in_its_type() {
    let mut p = Shader::pixel();
    p.constant_buffer(0, 1, false)
        .target(0, "x", Type::Float)
        .target(1, "yw", Type::Uint)
        .target(2, "z", Type::Int)
        .op(Mov, &[o(0, "x"), cb(0, 0u32, "x")])
        .op(Mov, &[o(1, "yw"), cb(0, 0u32, "yyyy")])
        .op(Mov, &[o(2, "z"), cb(0, 0u32, "z")])
        .op(Ret, &[]);
    let t = glsl_with(&p, &Options::default());
    let outputs: Vec<_> =
        t.manifest.outputs.iter().map(|o| (o.location.unwrap(), o.ty, o.written_mask)).collect();
    assert_eq!(outputs, [(0, "vec4", "x"), (1, "uvec4", "yw"), (2, "ivec4", "z")]);
    for (backend, gl) in drivers() {
        let mut job = Job::fullscreen(t.source.clone(), Target::Rgba32f, [1, 1]);
        job.targets = vec![Target::Rgba32f, Target::Rgba32ui, Target::Rgba32i];
        job.clear = [9; 4];
        let job = job.block("ConstantBuffer0", bytes(&[[1f32.to_bits(), 7, -3i32 as u32, 0]]));
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{}", t.source));
        assert_eq!(output.pixels[0][0], bits([1.0, 0.0, 0.0, 0.0]), "{backend}");
        assert_eq!(output.pixels[1][0], [0, 7, 0, 7], "{backend}");
        assert_eq!(output.pixels[2][0], [0, 0, -3i32 as u32, 0], "{backend}");
    }
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        assert!(!t.source.contains("gl_PerVertex"), "{}", f.name);
    }
}

// Forms that Microsoft's compiler does not emit.

#[test]
fn outputs_by_a_computed_register() {
    let mut s = Shader::vertex();
    s.constant_buffer(0, 1, false)
        .position(0)
        .output(1, "xyzw", "TEXCOORD0", Type::Float)
        .output(2, "xyzw", "TEXCOORD1", Type::Float)
        .output(3, "xy", "TEXCOORD2", Type::Float)
        .index_range(o(1, "xyzw"), 3)
        .temps(1)
        .op(Mov, &[o(0, "xyzw"), l(1.0)])
        .op(Mov, &[o(1, "xyzw"), l(1.0)])
        .op(Mov, &[o(2, "xyzw"), l(2.0)])
        .op(Mov, &[o(3, "xy"), l(3.0)])
        .op(Mov, &[r(0, "x"), cb(0, 0u32, "x")])
        .op(Mov, &[o((r(0, "x"), 1), "yw"), l(9.0)])
        .op(Ret, &[]);
    let text = glsl(&s);
    let names = ["vs_TEXCOORD0", "vs_TEXCOORD1", "vs_TEXCOORD2"];
    for (backend, gl) in drivers() {
        for index in [0i32, 1, 2, 3, -1] {
            let job = Job::vertex_outputs(text.clone(), 1, &names)
                .block("ConstantBuffer0", bytes(&[[index as u32, 0, 0, 0]]));
            let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{text}"));
            for (n, name) in (0i32..).zip(names) {
                let base = (n + 1) as f32;
                let nine = if n == index { 9.0 } else { base };
                let want = [base, nine, base, nine].map(f32::to_bits);
                let got = &output.captured[name][0];
                assert_eq!(got[..], want[..got.len()], "{backend}, {index}, {name}\n{text}");
            }
        }
    }
}

#[test]
fn inputs_by_a_computed_register() {
    let mut p = Shader::pixel();
    p.constant_buffer(0, 1, false)
        .input_as(1, "xyzw", "TEXCOORD0", Type::Float, Interpolation::Linear)
        .input_as(2, "xyzw", "TEXCOORD1", Type::Float, Interpolation::Linear)
        .index_range(v(1, "xyzw"), 2)
        .target(0, "xyzw", Type::Float)
        .temps(1)
        .op(Mov, &[r(0, "x"), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), v((r(0, "x"), 1), "wzyx")])
        .op(Ret, &[]);
    let vertex = "#version 300 es
        out vec4 vs_TEXCOORD0; out vec4 vs_TEXCOORD1;
        void main() {
            vs_TEXCOORD0 = vec4(1.0, 2.0, 3.0, 4.0); vs_TEXCOORD1 = vec4(5.0, 6.0, 7.0, 8.0);
            gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
        }";
    for (index, want) in [(0, [4.0, 3.0, 2.0, 1.0]), (1, [8.0, 7.0, 6.0, 5.0]), (2, [0.0; 4])] {
        let add = |job: Job| {
            Job { vertex: vertex.into(), ..job }.block("ConstantBuffer0", bytes(&[[index, 0, 0, 0]]))
        };
        draw(&p, [1, 1], add, |what, pixels| near(what, pixels[0], want));
    }
}

#[test]
fn depth_is_written_and_front_faces_are_told() {
    let mut p = Shader::pixel();
    p.system_input(0, "x", SystemValue::IsFrontFace, Type::Uint)
        .target(0, "xyzw", Type::Uint)
        .op(DclOutput, &[shaderport_asm::register(shaderport_asm::OperandKind::OutputDepth, "").one()]);
    let depth = shaderport_asm::register(shaderport_asm::OperandKind::OutputDepth, "").one();
    p.op(Mov, &[o(0, "xyzw"), v(0, "xxxx")])
        .push(Ins::new(Movc, &[depth, v(0, "x"), l(0.25), l(0.75)]))
        .op(Ret, &[]);
    let text = glsl(&p);
    for (backend, gl) in drivers() {
        let mut job = Job::fullscreen(text.clone(), Target::Rgba32ui, [1, 1]);
        job.depth =
            Some(shaderport_gl_harness::Depth { clear: 1.0, test: shaderport_gl_harness::Compare::Less });
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{text}"));
        // The three vertices go counterclockwise, which GL takes for the front unless told otherwise.
        assert_eq!(output.pixels[0][0], [u32::MAX; 4], "{backend}\n{text}");
        assert_eq!(f32::from_bits(output.depth[0]), 0.25, "{backend}");
    }
}

#[test]
fn system_values_by_the_other_declarations() {
    let mut s = Shader::vertex();
    s.input_element(Element::new("SV_VertexID", 0, "x", Type::Uint).system(SystemValue::VertexId))
        .push(Ins::new(DclInputSiv, &[v(0, "x")]).words(&[SystemValue::VertexId.raw()]))
        .output_element(Element::new("SV_Position", 0, "xyzw", Type::Float).system(SystemValue::Position))
        .push(Ins::new(DclOutputSgv, &[o(0, "xyzw")]).words(&[SystemValue::Position.raw()]))
        .op(Utof, &[o(0, "xyzw"), v(0, "xxxx")])
        .op(Ret, &[]);
    let text = glsl(&s);
    for (backend, gl) in drivers() {
        let output = gl.draw(&Job::vertex_outputs(text.clone(), 3, &["gl_Position"]));
        let output = output.unwrap_or_else(|e| panic!("{backend}: {e}\n{text}"));
        assert_eq!(output.captured["gl_Position"][2], [2f32.to_bits(); 4], "{backend}");
    }
}

#[test]
fn extensions_are_named_and_done_without() {
    use Extension::*;
    let without = Options { forbid_extensions: Extension::ALL.to_vec(), ..Options::default() };
    let file = |name: &str| fixture(name).bytes;
    let t = translate(&file("io_interp.ps"), &Options::default()).unwrap();
    assert_eq!(t.manifest.extensions, [NoPerspective, MultisampleInterpolation]);
    for extension in &t.manifest.extensions {
        let line = format!("#extension {} : require\n", extension.glsl_name());
        assert!(t.source.contains(&line), "{}", t.source);
    }
    let t = translate(&file("io_interp.ps"), &without).unwrap();
    assert!(t.manifest.extensions.is_empty() && !t.source.contains("#extension"), "{}", t.source);
    for code in ["no-perspective-dropped", "sample-interpolation-dropped"] {
        assert!(t.diagnostics.iter().any(|d| d.code.name() == code), "{code}: {:?}", t.diagnostics);
    }
    for name in ["io_clip_cull.vs", "io_coverage_in.ps", "io_coverage_out.ps", "io_sample_index.ps"] {
        assert!(translate(&file(name), &Options::default()).is_ok(), "{name}");
        let failure = translate(&file(name), &without).expect_err(name);
        let codes: Vec<&str> = failure.diagnostics.iter().map(|d| d.code.name()).collect();
        assert!(codes.contains(&"refused-extension"), "{name}: {codes:?}");
    }
}

#[test]
fn lines_name_the_instructions_they_stand_for() {
    let options = Options { line_directives: true, line_map: true, ..Options::default() };
    for name in ["flow_nested.ps", "alu_int.ps", "pair_mesh.vs", "flow_call_switch.ps"] {
        let bytes = fixture(name).bytes;
        let t = translate(&bytes, &options).unwrap();
        let container = shaderport_dxbc::Container::parse(&bytes).unwrap();
        let chunk = container.program_chunk().unwrap();
        let count = shaderport_dxbc::Program::decode(chunk.data, chunk.tag, 0).unwrap().instructions.len();
        let file = if name.ends_with(".vs") { 0 } else { 1 };
        let mut last = 0;
        for line in t.source.lines().filter_map(|l| l.trim().strip_prefix("#line ")) {
            let (instruction, source) = line.split_once(' ').unwrap();
            let instruction: usize = instruction.parse().unwrap();
            assert!(instruction < count && instruction >= last, "{name}: {line}");
            assert_eq!(source.parse::<u32>(), Ok(file), "{name}: {line}");
            last = instruction;
        }
        assert!(last > 0, "{name}");
        let map = t.manifest.line_map.unwrap();
        let lines = t.source.lines().count() as u32;
        assert!(!map.is_empty() && map.iter().all(|e| e.line >= 1 && e.line <= lines), "{name}");
        assert!(map.iter().all(|e| (e.instruction as usize) < count), "{name}");
    }
}
