//! The rows of the reported cases that are about what a checker says, named by their rows.

use shaderport_renderpack::abi::{Format, SEMANTIC_V1, Stage, print};
use shaderport_renderpack::{Access, Finding, Options, Shader, check_shader};
use std::path::Path;
use std::process::Command;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/spirv/spv").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn check(bytes: &[u8], role: &str) -> Vec<Finding> {
    let options = Options::default();
    let access = Access::parse(&SEMANTIC_V1, role).unwrap();
    check_shader(&Shader::read(bytes, &options), "own.frag.spv", Stage::Fragment, &access, &options)
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|f| f.code.name()).collect()
}

/// Compiles a fragment shader; `name` is this test's own.
fn compile(name: &str, text: &str) -> Vec<u8> {
    let dir = std::env::temp_dir().join(format!("shaderport-reported-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, module) = (dir.join("own.frag"), dir.join("own.spv"));
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new("glslangValidator");
    command.args(["-V", "-g", "--target-env", "vulkan1.3", "-o"]).arg(&module).arg(&source);
    let output = command.output().unwrap_or_else(|e| panic!("glslangValidator: {e}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&module).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    bytes
}

#[test]
fn b04_a_sized_table_is_explained() {
    for name in ["table_unused.frag.v16.spv", "table_constant.frag.v16.spv"] {
        let found = check(&fixture(name), "custom:WorldColor");
        assert_eq!(codes(&found), ["shader-table-shape"], "{name}");
        let f = &found[0];
        assert_eq!(f.expected.as_deref(), Some("sampler2DArray[]"));
        assert!(f.found.as_ref().unwrap().starts_with("sampler2DArray["), "{:?}", f.found);
        assert!(f.notes[0].contains("gives an unsized array a size"), "{:?}", f.notes);
        assert!(f.help.as_ref().unwrap().contains("nonuniformEXT"), "{:?}", f.help);
    }
    assert_eq!(codes(&check(&fixture("table_varying.frag.v16.spv"), "custom:WorldColor")), [""; 0]);
}

#[test]
fn b10_the_rule_of_strides_is_explained() {
    let text = "#version 460
layout(std140, set = 3, binding = 8) uniform PackSettings { float uPackSettings[64]; };
layout(location = 0) out vec4 colour;
void main() { colour = vec4(uPackSettings[1]); }";
    let found = check(&compile("b10", text), "custom:WorldColor");
    assert_eq!(codes(&found), ["shader-block-layout"]);
    let f = &found[0];
    assert_eq!(f.expected.as_deref(), Some("vec4[16] (stride 16) at offset 0"));
    assert_eq!(f.found.as_deref(), Some("float[64] (stride 16) at offset 0"));
    let rule = "std140 rounds the stride of an array up to 16: 64 elements of 4 bytes take 64 x 16 = 1024 bytes, not 256";
    assert!(f.notes.iter().any(|n| n == rule), "{:?}", f.notes);
    // With more members than there are, each is listed with its place and bytes.
    let text = text.replace("float uPackSettings[64];", "vec4 uPackSettings[16]; uint more[16];");
    let found = check(&compile("b10b", &text), "custom:WorldColor");
    assert_eq!(codes(&found), ["shader-block-layout"]);
    for line in [
        "member 0 `uPackSettings`: vec4[16] (stride 16) at offset 0, 256 bytes",
        "member 1 `more`: uint[16] (stride 16) at offset 256, 256 bytes",
    ] {
        assert!(found[0].notes.iter().any(|n| n == line), "{line}: {:?}", found[0].notes);
    }
}

#[test]
fn b11_the_rule_of_a_layout_is_named() {
    let check_with = |name: &str, block: &str| {
        let text = format!(
            "#version 460
#extension GL_EXT_scalar_block_layout : require
layout({block};
layout(location = 0) out vec4 colour;
void main() {{ colour = last; }}"
        );
        let found = check(&compile(name, &text), "custom:WorldColor");
        assert!(codes(&found).iter().all(|c| *c == "shader-block-layout") && !found.is_empty(), "{found:?}");
        found.into_iter().flat_map(|f| f.notes).collect::<Vec<_>>().join("\n")
    };
    let pass = "set = 3, binding = 7) uniform PackPass { ";
    let tight =
        check_with("b11a", &format!("std430, {pass}ivec2 pairs[64]; float after; vec4 b; vec4 last; }}"));
    assert!(tight.contains("multiple of 16 bytes apart; 8 is what std430 and scalar layout have"), "{tight}");
    let packed = check_with("b11b", &format!("scalar, {pass}vec3 a; vec4 b; vec4 c; vec4 last; }}"));
    assert!(packed.contains("std140 starts a vec4 at a multiple of 16, which 12 is not"), "{packed}");
    // A float behind a vec3 shares its sixteen bytes in std140, too: nothing is said of it.
    let shared = check_with("b11c", &format!("std140, {pass}vec3 a; float b; vec4 c; vec4 last; }}"));
    assert!(!shared.contains("std140"), "{shared}");
}

#[test]
fn b13_a_block_that_is_not_declared_is_not_missed() {
    // The role has more blocks than the shader; and what is declared alone is checked like what is used.
    let text = |used: &str| {
        format!(
            "#version 460
#define PACK_USES_PACK_SETTINGS
{}
layout(location = 0) out vec4 colour;
void main() {{ colour = {used}; }}",
            print(&SEMANTIC_V1, Format::Glsl)
        )
    };
    for (name, used) in [("b13a", "vec4(1.0)"), ("b13b", "uPackSettings[0]")] {
        assert_eq!(codes(&check(&compile(name, &text(used)), "custom:FrameTime,WorldColor")), [""; 0]);
    }
}

#[test]
fn b16_a_wrong_type_is_no_missing_binding() {
    let text = "#version 460
layout(set = 2, binding = 0) uniform sampler2D picture;
layout(std140, set = 3, binding = 4) uniform PackSettings { vec4 uPackSettings[16]; };
layout(set = 4, binding = 1) uniform sampler2DArray other[2];
layout(location = 0) out vec4 colour;
void main() { colour = texture(picture, vec2(0)) + uPackSettings[0] + texture(other[1], vec3(0)); }";
    let found = check(&compile("b16", text), "custom:WorldColor");
    let of = |code: &str| found.iter().find(|f| f.code.name() == code).unwrap_or_else(|| panic!("{found:?}"));
    let f = of("shader-table-shape");
    assert!(f.message.starts_with("set 2 binding 0 must be"), "{}", f.message);
    assert_eq!((f.expected.as_deref(), f.found.as_deref()), (Some("sampler2DArray[]"), Some("sampler2D")));
    // What was meant is told by its name, or by what it is.
    let f = of("shader-block-undeclared");
    assert!(f.notes.contains(&"`PackSettings` is at set 3, binding 8".to_owned()), "{:?}", f.notes);
    let f = of("shader-no-binding");
    assert!(f.found.as_ref().unwrap().contains("at set 4, binding 1"), "{:?}", f.found);
    assert!(
        f.notes.contains(&"textures are in the table `uTextures` at set 2, binding 0".to_owned()),
        "{:?}",
        f.notes
    );
    assert_eq!(found.len(), 3);
}

#[test]
fn b17_findings_name_the_line_of_the_source() {
    let text = "#version 460
layout(std140, set = 3, binding = 5) uniform AtmosphericFrame {
    vec4 a; vec4 b; vec4 c; vec4 d; vec4 e; vec4 f; mat4 g;
} frame;
layout(location = 0) out vec4 colour;
void main() {
    colour = vec4(1.0);
    colour += frame.e;
}";
    let found = check(&compile("b17", text), "custom:Weather");
    assert_eq!(codes(&found), ["shader-semantic"]);
    let source = found[0].shader.as_ref().unwrap().source.as_deref().unwrap();
    assert!(source.ends_with("own.frag:8"), "{source}");
}
