//! ANGLE takes and refuses what a browser does.

use shaderport_gl_harness::{Gl, Phase, Stage};

fn angle() -> Gl {
    Gl::angle().unwrap_or_else(|e| panic!("{e}"))
}

/// A fragment shader with `declarations` and the statements `body`; `color` is its output.
fn fragment(declarations: &str, body: &str) -> String {
    format!(
        "#version 300 es\nprecision highp float;\nprecision highp int;\n{declarations}\n\
         layout(location = 0) out vec4 color;\nvoid main() {{ color = vec4(0.0); {body} }}\n"
    )
}

#[test]
fn the_context_is_webgl2_and_no_more() {
    let gl = angle();
    assert!(gl.version().starts_with("OpenGL ES 3.0 (ANGLE"), "{}", gl.version());
    assert!(gl.renderer().contains("SwiftShader"), "{}", gl.renderer());
}

#[test]
fn accepted() {
    let gl = angle();
    for (declarations, body) in [
        ("centroid in vec4 v;", "color = v;"),
        ("flat in int v;", "color = vec4(v);"),
        ("", "color.xy = unpackHalf2x16(packHalf2x16(color.xy));"),
        ("uniform highp sampler2DShadow s;", "color.x = textureLod(s, vec3(0.5), 0.0);"),
        (
            "uniform highp sampler2DArrayShadow s;",
            "color.x = textureGrad(s, vec4(0.5), vec2(0.0), vec2(0.0));",
        ),
        ("uniform int i; layout(std140) uniform B { vec4 a[8]; };", "color = a[i];"),
        ("uniform uint u; uniform int i;", "color.x = float(u << i);"),
        ("", "for (;;) { if (color.x < 1.0) break; }"),
        ("", "color.x = 1.0 / 0.0; color.y = uintBitsToFloat(0x7f800000u);"),
    ] {
        let source = fragment(declarations, body);
        if let Err(e) = gl.check_one(Stage::Fragment, &source) {
            panic!("{e}\n{source}");
        }
    }
}

#[test]
fn refused() {
    let gl = angle();
    for (declarations, body, reason) in [
        ("noperspective in vec4 v;", "color = v;", "noperspective"),
        ("sample in vec4 v;", "color = v;", "sample"),
        ("layout(early_fragment_tests) in;", "", "early_fragment_tests"),
        ("layout(location = 0) in vec4 v;", "color = v;", "location"),
        ("layout(std140, binding = 0) uniform B { vec4 a; };", "color = a;", "binding"),
        ("precise vec4 p;", "", "precise"),
        ("uniform highp sampler2D s;", "color = textureGather(s, vec2(0.5));", "textureGather"),
        ("", "color.x = float(bitCount(3));", "bitCount"),
        ("uniform highp samplerBuffer s;", "", "samplerBuffer"),
        ("uniform highp sampler3D s[2]; uniform int i;", "color = texture(s[i], vec3(0.0));", ""),
        ("uniform sampler3D s;", "color = texture(s, vec3(0.0));", "No precision"),
        ("uniform highp sampler2D s;", "color = textureOffset(s, vec2(0.0), ivec2(9, 0));", ""),
        ("", "float a__b = 1.0;", "__"),
        ("", "uint u = 1u; color.x = float(u + 1);", "wrong operand types"),
        ("in int v;", "color = vec4(v);", "flat"),
        ("layout(location = 1) out vec4 d; out vec4 e;", "", ""),
        ("", "color.x = gl_ClipDistance[0];", "extension is disabled"),
    ] {
        let source = fragment(declarations, body);
        match gl.check_one(Stage::Fragment, &source) {
            Ok(()) => panic!("accepted:\n{source}"),
            Err(e) => {
                assert_eq!(e.phase, Phase::Fragment);
                assert!(e.log.contains(reason), "{e}\n{source}");
            }
        }
    }
}

#[test]
fn versions_other_than_300_are_refused() {
    let gl = angle();
    for version in ["310 es", "320 es", "330 core", "450"] {
        let source = fragment("", "").replace("300 es", version);
        assert!(gl.check_one(Stage::Fragment, &source).is_err(), "{version} accepted");
    }
}

#[test]
fn extensions_work_where_they_are_asked_for() {
    let gl = angle();
    for (stage, extension, rest) in [
        (
            Stage::Fragment,
            "GL_NV_shader_noperspective_interpolation",
            "noperspective in vec4 v; void main() {}",
        ),
        (Stage::Fragment, "GL_OES_shader_multisample_interpolation", "sample in vec4 v; void main() {}"),
        (Stage::Fragment, "GL_OES_sample_variables", "void main() { int i = gl_SampleID; }"),
        (
            Stage::Fragment,
            "GL_EXT_conservative_depth",
            "layout(depth_less) out float gl_FragDepth; void main() {}",
        ),
        (
            Stage::Vertex,
            "GL_ANGLE_clip_cull_distance",
            "out highp float gl_ClipDistance[2]; void main() { gl_ClipDistance[1] = 1.0; }",
        ),
    ] {
        let body = format!("precision highp float;\n{rest}");
        let with = format!("#version 300 es\n#extension {extension} : require\n{body}");
        if let Err(e) = gl.check_one(stage, &with) {
            panic!("{extension}: {e}");
        }
        let without = format!("#version 300 es\n{body}");
        assert!(gl.check_one(stage, &without).is_err(), "{extension} is not needed");
    }
}

#[test]
fn lines_of_errors_follow_line_directives() {
    let source = fragment("#line 7 2\nfoo", "");
    let log = angle().check_one(Stage::Fragment, &source).unwrap_err().log;
    assert!(log.contains("2:7") || log.contains("2:8"), "{log}");
}

#[test]
fn linking_is_checked() {
    let gl = angle();
    let vertex = |output: &str, set: &str| format!("#version 300 es\n{output}\nvoid main() {{ {set} }}\n");
    let reads = fragment("in vec4 v;", "color = v;");

    gl.check_pair(&vertex("out vec4 v;", "v = vec4(1.0);"), &reads).unwrap();
    let missing = gl.check_pair(&vertex("", ""), &reads).unwrap_err();
    assert_eq!(missing.phase, Phase::Link);
    assert!(missing.log.contains('v'), "{missing}");
    let other = gl.check_pair(&vertex("out vec3 v;", "v = vec3(1.0);"), &reads).unwrap_err();
    assert_eq!(other.phase, Phase::Link);
    let broken = gl.check_pair("#version 300 es\nvoid main() { x; }", &reads).unwrap_err();
    assert_eq!(broken.phase, Phase::Vertex);
    let broken = gl.check_pair(&vertex("", ""), "#version 300 es\nvoid main() { x; }").unwrap_err();
    assert_eq!(broken.phase, Phase::Fragment);

    let program = gl.link(
        &gl.compile(Stage::Vertex, &vertex("", "")).unwrap_or_else(|e| panic!("{e}")),
        &gl.compile(Stage::Fragment, &fragment("", "")).unwrap_or_else(|e| panic!("{e}")),
    );
    assert!(program.is_ok());
}

#[test]
fn two_contexts_of_a_thread_do_not_mix() {
    let (first, second) = (angle(), Gl::mesa().unwrap_or_else(|e| panic!("{e}")));
    let third = angle();
    for gl in [&first, &second, &third, &first] {
        gl.check_pair(shaderport_gl_harness::FULLSCREEN_VERTEX, &fragment("", "")).unwrap();
    }
    drop(first);
    third.check_one(Stage::Fragment, &fragment("", "color.x = 1.0;")).unwrap();
}
