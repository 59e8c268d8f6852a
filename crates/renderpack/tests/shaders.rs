//! Shaders against roles: another ABI, pairs, damage, and the printed headers.

#[path = "common/words.rs"]
mod words;

use shaderport_renderpack::abi::{
    Abi, AllowedCapability, Block, Field, Format, Layout, Role, RoleKind, SEMANTIC_V1, Set, SetKind, Slot,
    Stage, Table, Ty, Usual, Version, print,
};
use shaderport_renderpack::template::{Profile, new_pack};
use shaderport_renderpack::{Access, Compat, Options, Shader, check_pair, check_shader};
use shaderport_spirv::spirv::{Capability, Op};
use std::collections::HashMap;
use std::process::Command;
use words::Words;

fn templates() -> HashMap<String, Vec<u8>> {
    let both = [Profile::Shadows, Profile::Atmospheric];
    let files = both.into_iter().flat_map(|p| new_pack(p, "test.pack", &SEMANTIC_V1).unwrap());
    files
        .filter_map(|f| Some((f.path.strip_prefix("shaders/")?.strip_suffix(".spv")?.to_owned(), f.bytes)))
        .collect()
}

fn codes(bytes: &[u8], stage: Stage, role: &str, options: &Options) -> Vec<&'static str> {
    let access = Access::parse(options.abi, role).unwrap();
    let shader = Shader::read(bytes, options);
    check_shader(&shader, "file", stage, &access, options).iter().map(|f| f.code.name()).collect()
}

#[test]
fn shaders_of_other_roles_are_refused() {
    let t = templates();
    let all = |name: &str, stage, role: &str| codes(&t[name], stage, role, &Options::default());
    assert_eq!(all("world_receiver.frag", Stage::Fragment, "TerrainDirectionalShadowReceiver"), [""; 0]);
    assert!(
        all("terrain_receiver.frag", Stage::Fragment, "WorldDirectionalShadowReceiver")
            .contains(&"shader-renderer-block")
    );
    assert!(
        all("world_caster.vert", Stage::Vertex, "TerrainDirectionalShadowCaster")
            .contains(&"shader-storage-undeclared")
    );
    assert!(all("shafts.frag", Stage::Fragment, "custom:SceneDepth").contains(&"shader-block-undeclared"));
    assert_eq!(
        all("sun_mask.frag", Stage::Fragment, "custom:SceneDepth"),
        ["shader-semantic", "shader-semantic"]
    );
    assert_eq!(all("copy.frag", Stage::Fragment, "custom:FrameTime"), ["shader-table-undeclared"]);
    assert_eq!(all("copy.frag", Stage::Fragment, "custom:FrameTime+reads"), [""; 0]);
    assert_eq!(all("copy.frag", Stage::Vertex, "custom:WorldColor")[0], "shader-entry");
    assert!(
        Access::parse(&SEMANTIC_V1, "custom:Moon").is_err()
            && Access::parse(&SEMANTIC_V1, "Nothing").is_err()
    );
}

#[test]
fn pairs_must_match() {
    let t = templates();
    let options = Options::default();
    let pair = |v: &[u8], f: &[u8]| {
        let (v, f) = (Shader::read(v, &options), Shader::read(f, &options));
        check_pair(&v, &f, "f", &options).iter().map(|x| x.code.name()).collect::<Vec<_>>()
    };
    assert_eq!(pair(&t["cutout_caster.vert"], &t["cutout_caster.frag"]), [""; 0]);
    assert_eq!(
        pair(&t["world_caster.vert"], &t["cutout_caster.frag"]),
        ["varying-missing", "varying-missing"]
    );
    assert_eq!(pair(&t["terrain_receiver.vert"], &t["copy.frag"]), [""; 0], "a wider output will do");
    assert_eq!(pair(&t["fullscreen.vert"], &t["terrain_receiver.frag"]), ["varying-type"]);
    let mut w = Words::of(&t["cutout_caster.frag"]);
    let flat = w.find(Op::Decorate, |d| d[2] == 14);
    w.0.drain(flat);
    assert_eq!(pair(&t["cutout_caster.vert"], &w.bytes()), ["varying-flat"]);
}

const CAMERA: &[Field] = &[
    Field { name: "uScale", ty: Ty::Vec4, offset: 0, doc: "scale", reason: "", opened_by: &[] },
    Field { name: "uPlace", ty: Ty::Vec4, offset: 16, doc: "place", reason: "", opened_by: &[] },
    Field { name: "uTurn", ty: Ty::Vec4, offset: 32, doc: "turn", reason: "", opened_by: &[] },
    Field { name: "uRest", ty: Ty::Vec4, offset: 48, doc: "rest", reason: "", opened_by: &[] },
];

const ROLE: Role = Role {
    name: "Overlay",
    kind: RoleKind::Pass,
    by_inputs: false,
    table: true,
    blocks: &[7],
    storage: &[],
    storage_in_vertex_only: false,
    uniforms: &[],
    multiview: false,
    colour_outputs: 2,
    usual: Usual { inputs: &[], reads: false },
};

/// Another renderer's ABI: one block, one role, no push constants.
static SAMPLE: Abi = Abi {
    name: "sample",
    label: "the sample ABI",
    shader_label: "the sample shaders",
    version: 7,
    entry_point: "main",
    blocks: &[Block {
        name: "Camera",
        instance: None,
        slot: Slot::Binding { set: 3, binding: 7 },
        doc: "a camera",
        section: "Camera",
        fields: CAMERA,
        layout: Layout::Versions(&[Version { number: 1, members: 4, bytes: 64 }]),
        count_reason: "Camera has four members",
        offset_reason: "a member of Camera is misplaced",
        type_reason: "a member of Camera has another type",
    }],
    sets: &[Set { set: 3, kind: SetKind::Blocks }],
    table: Table { set: 2, binding: 0, name: "textures", slots: 2 },
    inputs: &[],
    roles: &[ROLE],
    capabilities: &[
        AllowedCapability { capability: Capability::Shader, stage: None, multiview_only: false },
        AllowedCapability {
            capability: Capability::RuntimeDescriptorArray,
            stage: None,
            multiview_only: false,
        },
        AllowedCapability { capability: Capability::ShaderNonUniform, stage: None, multiview_only: false },
        AllowedCapability {
            capability: Capability::SampledImageArrayNonUniformIndexing,
            stage: None,
            multiview_only: false,
        },
    ],
    glsl_helpers: &[],
};

/// Nothing of the first ABI is wired into the checker or the printers.
#[test]
fn another_abi_is_another_table() {
    let t = templates();
    let options = Options { abi: &SAMPLE, ..Options::default() };
    // It has PackPass's place under another name, and no push block.
    assert_eq!(codes(&t["bloom_blur.frag"], Stage::Fragment, "Overlay", &options), ["shader-push-layout"]);
    let findings = codes(&t["filmic.frag"], Stage::Fragment, "Overlay", &options);
    assert_eq!(findings, ["shader-push-layout"]);
    let mut w = Words::of(&t["bloom_blur.frag"]);
    let offset = w.find(Op::MemberDecorate, |d| d[3] == 35 && d[4] == 48).start;
    w.0[offset + 4] = 52;
    let access = Access::parse(&SAMPLE, "Overlay").unwrap();
    let found = check_shader(&Shader::read(&w.bytes(), &options), "f", Stage::Fragment, &access, &options);
    assert!(found.iter().any(|f| f.message == "a member of Camera is misplaced"), "{found:?}");
    assert_eq!(
        found[0].reason("p", &SAMPLE),
        "Pack 'p' asset 'f' fails the sample shaders: a member of Camera is misplaced."
    );
    assert!(Access::parse(&SAMPLE, "SunRays").is_err());
    for format in [Format::Glsl, Format::Json, Format::Rust, Format::CSharp, Format::C, Format::Markdown] {
        let text = print(&SAMPLE, format);
        assert!(
            text.contains("Camera") && !text.contains("Atmospheric") && !text.contains("acdream"),
            "{format:?}"
        );
    }
}

#[test]
fn printed_headers_compile() {
    let dir = std::env::temp_dir().join(format!("shaderport-abi-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let run = |program: &str, args: &[&str], file: &str, text: String| {
        let path = dir.join(file);
        std::fs::write(&path, text).unwrap();
        let out = Command::new(program).args(args).arg(&path).current_dir(&dir).output();
        let out = out.unwrap_or_else(|e| panic!("{program}: {e}"));
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{program}: {text}");
    };
    for abi in [&SEMANTIC_V1, &SAMPLE] {
        run(
            "cc",
            &["-std=c11", "-Wall", "-Werror", "-fsyntax-only"],
            "abi.c",
            print(abi, Format::C).replace("#pragma once", ""),
        );
        run(
            "rustc",
            &["--edition=2021", "--crate-type=lib", "--emit=metadata"],
            "abi.rs",
            print(abi, Format::Rust),
        );
    }
    // Everything at once: each block of the header, read back by the checker's own table.
    let header = print(&SEMANTIC_V1, Format::Glsl);
    let uses: String =
        header.lines().filter_map(|l| l.strip_prefix("//   ")).map(|m| format!("#define {m}\n")).collect();
    let source = format!(
        "#version 460\n{uses}{header}\nlayout(location = 0) out vec4 o;\nvoid main() {{ o = packSample(uTextureIndexC, vec2(0)) + vec4(packDecodeDisplay(packFoliageWind(uPackParams0.xyz, 0.0, 2u)), acdreamPush.paramA) * uPackSettings[0] + directionalShadow.uShadowControl; }}"
    );
    run("glslangValidator", &["-V", "--target-env", "vulkan1.3", "-o", "all.spv"], "all.frag", source);
    let bytes = std::fs::read(dir.join("all.spv")).unwrap();

    let reading = shaderport_spirv::read(&bytes);
    let r = shaderport_spirv::reflect(&reading.module.unwrap());
    for b in SEMANTIC_V1.blocks {
        let Slot::Binding { set, binding } = b.slot else { continue };
        let found = r.resources.iter().find(|x| (x.set, x.binding) == (Some(set), Some(binding)));
        match b.layout {
            Layout::Versions(_) => {
                assert_eq!(found.unwrap().bytes, b.bytes().map(u64::from), "{}", b.name)
            }
            Layout::Elements { stride } => {
                assert_eq!(found.unwrap().tail_stride, Some(stride), "{}", b.name)
            }
            Layout::Opaque => assert!(found.is_none()),
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// The committed header users get is the printer's; the modules were compiled against it.
#[test]
fn templates_state_the_whole_layout() {
    for (name, bytes) in templates() {
        let reading = shaderport_spirv::read(&bytes);
        assert!(reading.diagnostics.is_empty(), "{name}: {:?}", reading.diagnostics);
    }
}

#[test]
fn damaged_shaders_are_checked_to_the_end() {
    let rounds = std::env::var("SPIRV_MUTATIONS").ok().and_then(|v| v.parse().ok()).unwrap_or(3_000);
    let mut seeds: Vec<_> = templates().into_iter().collect();
    seeds.sort();
    let mut state = 0x5eed_0003u64;
    let mut next = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    let roles =
        ["custom:WorldColor", "WorldDirectionalShadowReceiver", "DirectionalShadowDepth", "VolumetricShafts"];
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].1.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len() / 4) * 4;
            let word = match next(4) {
                0 => u32::MAX,
                1 => next(100) as u32,
                _ => u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) ^ (1 << next(32)),
            };
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        for compat in [Compat::Contract, Compat::Upstream] {
            let options = Options { compat, ..Options::default() };
            let shader = Shader::read(&bytes, &options);
            let access = Access::parse(&SEMANTIC_V1, roles[next(roles.len())]).unwrap();
            let stage = if next(2) == 0 { Stage::Vertex } else { Stage::Fragment };
            check_shader(&shader, "f", stage, &access, &options);
            check_pair(&shader, &shader, "f", &options);
        }
    }
}

/// The documentation ends with what the table prints.
#[test]
fn the_documentation_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/render-packs.md");
    let page = std::fs::read_to_string(path).unwrap();
    assert!(
        page.ends_with(&print(&SEMANTIC_V1, Format::Markdown)),
        "print it again with the example print_abi"
    );
}

/// Compiles a shader that has one block of that text; `name` is the caller's own.
fn with_block(name: &str, stage: &str, block: &str) -> Vec<u8> {
    let dir = std::env::temp_dir().join(format!("shaderport-block-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, module) = (dir.join(format!("own.{stage}")), dir.join("own.spv"));
    std::fs::write(&source, format!("#version 460\n{block}\nvoid main() {{}}\n")).unwrap();
    let mut command = Command::new("glslangValidator");
    command.args(["-V", "--target-env", "vulkan1.3", "-o"]).arg(&module).arg(&source);
    let output = command.output().unwrap_or_else(|e| panic!("glslangValidator: {e}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let bytes = std::fs::read(&module).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    bytes
}

/// The first reason under both sets of rules, which must be the same.
fn first_reason(bytes: &[u8], stage: Stage, role: &str) -> Option<String> {
    let [contract, upstream] = [Compat::Contract, Compat::Upstream].map(|compat| {
        let options = Options { compat, ..Options::default() };
        let access = Access::parse(&SEMANTIC_V1, role).unwrap();
        let found = check_shader(&Shader::read(bytes, &options), "f", stage, &access, &options);
        found.first().map(|f| f.message.clone())
    });
    assert_eq!(contract, upstream);
    contract
}

/// Both versions of the frame and none between or beyond; blocks with members too few.
#[test]
fn versions_of_blocks() {
    let both =
        "AtmosphericFrame must match ABI v1 (seven members, 160 bytes) or ABI v2 (nine members, 192 bytes)";
    let head = "vec4 a; vec4 b; vec4 c; vec4 d; vec4 e; vec4 f;";
    for (n, more, reason) in [
        (6, "", Some(both)),
        (7, "mat4 g;", None),
        (8, "mat4 g; vec4 h;", Some(both)),
        (9, "mat4 g; vec4 h; vec4 i;", None),
        (10, "mat4 g; vec4 h; vec4 i; vec4 j;", Some(both)),
    ] {
        let block =
            format!("layout(std140, set = 3, binding = 5) uniform AtmosphericFrame {{ {head} {more} }};");
        let found = first_reason(
            &with_block(&format!("frame{n}"), "frag", &block),
            Stage::Fragment,
            "custom:Weather",
        );
        assert_eq!(found.as_deref(), reason, "{n} members");
    }
    let shadow = "mat4 m[4]; vec4 a; vec4 b; vec4 c;";
    for (name, more, sound) in [
        ("shadow5", "uvec4 d;", false),
        ("shadow6", "uvec4 d; vec4 e;", true),
        ("shadow6i", "ivec4 d; vec4 e;", false),
        ("shadow6o", "uvec4 d; layout(offset = 336) vec4 e;", false),
    ] {
        let block =
            format!("layout(std140, set = 3, binding = 6) uniform DirectionalShadow {{ {shadow} {more} }};");
        let found =
            first_reason(&with_block(name, "vert", &block), Stage::Vertex, "TerrainDirectionalShadowCaster");
        assert_eq!(found.is_none(), sound, "{name}: {found:?}");
        assert!(found.is_none_or(|f| f.starts_with("DirectionalShadow ") && f.contains("ABI v1")), "{name}");
    }
    for (name, block, sound) in [
        ("pass4", "binding = 7) uniform PackPass { vec4 a; vec4 b; vec4 c; vec4 d; };", true),
        ("pass5", "binding = 7) uniform PackPass { vec4 a; vec4 b; vec4 c; vec4 d; vec4 e; };", false),
        ("settings16", "binding = 8) uniform PackSettings { vec4 s[16]; };", true),
        ("settings64", "binding = 8) uniform PackSettings { float s[64]; };", false),
        ("settings2", "binding = 8) uniform PackSettings { vec4 s[16]; vec4 t; };", false),
    ] {
        let block = format!("layout(std140, set = 3, {block}");
        let found = first_reason(&with_block(name, "frag", &block), Stage::Fragment, "custom:Weather");
        assert_eq!(found.is_none(), sound, "{name}: {found:?}");
    }
}

/// Which of the renderer's buffers a role reads, by a buffer at each binding.
#[test]
fn roles_grant_bindings_one_by_one() {
    for binding in 0..=10 {
        let block =
            format!("layout(std430, set = 0, binding = {binding}) readonly buffer Own {{ uvec4 x[]; }};");
        let bytes = with_block(&format!("storage{binding}"), "vert", &block);
        for (role, granted) in [
            ("WorldDirectionalShadowReceiver", binding <= 9),
            ("WorldOpaqueDirectionalShadowCaster", binding <= 1),
            ("WorldAlphaCutoutMultiviewDirectionalShadowCaster", binding <= 1),
            ("DirectionalShadowDepth", binding <= 1),
            ("TerrainDirectionalShadowReceiver", false),
            ("SunRays", false),
        ] {
            let found = first_reason_upstream(&bytes, role);
            let reason =
                format!("set 0 binding {binding} storage access is not allowed for this shader role");
            assert_eq!(found, (!granted).then_some(reason), "{role}");
        }
    }
}

/// The first reason under upstream's rules, which leave the renderer's layouts alone.
fn first_reason_upstream(bytes: &[u8], role: &str) -> Option<String> {
    let options = Options { compat: Compat::Upstream, ..Options::default() };
    let access = Access::parse(&SEMANTIC_V1, role).unwrap();
    let found = check_shader(&Shader::read(bytes, &options), "f", Stage::Vertex, &access, &options);
    found.first().map(|f| f.message.clone())
}
