//! Programs under each profile: accepted by ANGLE (`shaderport-compare` compares what they draw); skinning in every
//! form gives the same vertices; what does not fit is refused by name.

use shaderport_asm::{
    Opcode, Operand, ResourceDimension as D, ReturnType as R, Shader, Type, cb, l, o, r, s as sampler, t, v,
};
use shaderport_diagnostics::Severity;
use shaderport_gl_harness::{Data, Format, Gl, Job, Mode, Texture};
use shaderport_glsl::FailureKind;
use shaderport_glsl::options::{ConstantForm, Joints, Limits};
use shaderport_glsl::rewrite::{MergeKind, TextureMerge};
use shaderport_link::{ConstantBuffers, LinkOptions, LinkedProgram, Profile, Skinning, UnusedOutputs, link};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn options(profile: &Profile) -> LinkOptions {
    let mut options = LinkOptions::default();
    profile.apply(&mut options, &[]);
    options
}

/// The built-in profiles, and each rule of theirs that changes the text, in its other form.
fn profiles() -> Vec<Profile> {
    let built_in = |name: &str| Profile::built_in(name).unwrap();
    let rule = |base: &str, text: &str| {
        let rules: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
        Profile { name: format!("{base} {text}"), ..built_in(base).with_rules(rules).unwrap() }
    };
    vec![
        Profile::default(),
        built_in("specs"),
        built_in("carbon"),
        rule("carbon", r#"{"constant_form":"array"}"#),
        rule("carbon", r#"{"skinning":{"form":"rows"},"unused_outputs":"drop"}"#),
        rule("specs", r#"{"unused_outputs":"drop"}"#),
        rule("specs", r#"{"varyings":"register"}"#),
        rule("specs", r#"{"textures":"stage","skinning":{"form":"texture"}}"#),
    ]
}

/// What came of linking pairs, by profile and outcome.
#[derive(Default)]
struct Outcomes {
    /// Programs that ANGLE accepts.
    accepted: usize,
    /// Pairs that are refused, by the profile and the codes of all errors.
    refused: BTreeMap<(String, String), usize>,
    /// Programs that ANGLE rejects and of which a finding says that a limit is exceeded, by the limits.
    beyond: BTreeMap<(String, String), usize>,
    /// The other programs that ANGLE rejects.
    rejected: Vec<String>,
}

/// Links each pair under each profile, and asks ANGLE.
fn outcomes(pairs: &[(PathBuf, PathBuf)]) -> Outcomes {
    let gl = Gl::angle().unwrap();
    let mut all = Outcomes::default();
    for profile in profiles() {
        let options = options(&profile);
        for (vertex, pixel) in pairs {
            let (v, p) = (std::fs::read(vertex).unwrap(), std::fs::read(pixel).unwrap());
            let at = format!("{} + {} under {}", vertex.display(), pixel.display(), profile.name);
            match link(&v, &p, &options) {
                Ok(program) => {
                    let Err(rejection) = gl.check_pair(&program.vertex, &program.fragment) else {
                        all.accepted += 1;
                        continue;
                    };
                    let beyond = program
                        .diagnostics
                        .iter()
                        .filter(|d| d.code.name().ends_with("limit-not-guaranteed"))
                        .map(|d| {
                            d.message.split(" of ").nth(1).unwrap_or("").split(' ').next().unwrap_or("")
                        });
                    let beyond: Vec<_> = beyond.collect();
                    if beyond.is_empty() {
                        all.rejected
                            .push(format!("{at}: {rejection:?}\n{}\n{}", program.vertex, program.fragment));
                    } else {
                        let why = format!("{}: {}", beyond.join(" "), rejection.log.trim());
                        *all.beyond.entry((profile.name.clone(), why)).or_default() += 1;
                    }
                }
                Err(failure) => {
                    if failure.kind != FailureKind::Refused {
                        all.rejected.push(format!("{at}: {:?}", failure.diagnostics));
                    }
                    let errors = failure.diagnostics.iter().filter(|d| d.severity == Severity::Error);
                    let mut codes: Vec<_> = errors.map(|d| d.code.name()).collect();
                    codes.sort_unstable();
                    codes.dedup();
                    if std::env::var_os("SHOW_REFUSED").is_some() {
                        eprintln!("{at}: {:?}", failure.diagnostics);
                    }
                    *all.refused.entry((profile.name.clone(), codes.join(" "))).or_default() += 1;
                }
            }
        }
    }
    all
}

fn list(at: &Path, base: &Path) -> Vec<(PathBuf, PathBuf)> {
    let text = std::fs::read_to_string(at).unwrap();
    text.lines()
        .filter(|l| !l.starts_with('#') && !l.starts_with("vertex\t"))
        .filter_map(|l| l.split_once('\t'))
        .map(|(v, rest)| (base.join(v), base.join(rest.split('\t').next().unwrap())))
        .collect()
}

#[test]
fn fixture_pairs_are_accepted_under_each_profile() {
    let pairs = list(&root().join("fixtures/PAIRS.tsv"), &root());
    let all = outcomes(&pairs);
    assert!(all.rejected.is_empty(), "{}", all.rejected.join("\n"));
    assert_eq!(all.accepted, pairs.len() * profiles().len(), "{:?} {:?}", all.refused, all.beyond);
}

/// One pair in 40 of the shared corpus, where it lies beside the workspace; `CORPUS_STEP=1` takes all.
#[test]
fn corpus_pairs_are_accepted_under_each_profile() {
    let folder = root().join("../shared/corpus");
    let Ok(at) = folder.join("PAIRS.tsv").canonicalize() else { return };
    let step = std::env::var("CORPUS_STEP").map_or(40, |n| n.parse().unwrap());
    let pairs: Vec<_> = list(&at, &folder).into_iter().step_by(step).collect();
    let all = outcomes(&pairs);
    eprintln!("{} programs of {} pairs accepted", all.accepted, pairs.len());
    for (what, counts) in [("refused", &all.refused), ("beyond ANGLE's limits", &all.beyond)] {
        counts.iter().for_each(|((profile, codes), n)| eprintln!("{n:5} {what} under {profile}: {codes}"));
    }
    let other: usize = all.refused.values().chain(all.beyond.values()).sum();
    assert!(all.rejected.is_empty(), "{}", all.rejected.join("\n"));
    assert_eq!(all.accepted + other, pairs.len() * profiles().len());
    assert!(all.accepted > other);
}

/// Weighted by nothing: positions and normals that show every way to read a bone.
fn skinned(more: impl FnOnce(&mut Shader)) -> Vec<u8> {
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION0", Type::Float).input(1, "xyzw", "BLENDINDICES0", Type::Uint);
    s.constant_buffer(3, 40, true).structured(0, 48).structured(1, 32);
    s.position(0).output(1, "xyzw", "NORMAL0", Type::Float).temps(6);
    s.op(Opcode::Iadd, &[r(0, "xyzw"), v(1, "xyzw"), cb(3, 26, "xxxx")]);
    let mut load = |to: Operand, bone: &str, offset: u32, from: &str| {
        s.op(Opcode::LdStructured, &[to, r(0, bone), l(offset), t(0, from)]);
    };
    load(r(1, "xyzw"), "x", 0, "xyzw");
    load(r(2, "xyz"), "x", 16, "zyxx");
    load(r(2, "w"), "y", 32, "xyzw");
    // One word at an offset within a row, and words on both sides of a row's end.
    load(r(3, "x"), "z", 36, "xxxx");
    load(r(3, "yz"), "w", 12, "xxyx");
    s.op(Opcode::Dp4, &[o(0, "x"), v(0, "xyzw"), r(1, "xyzw")]);
    s.op(Opcode::Dp4, &[o(0, "y"), v(0, "xyzw"), r(2, "xyzw")]);
    s.op(Opcode::Mov, &[o(0, "zw"), r(3, "xxxy")]);
    s.op(Opcode::Mul, &[o(1, "xyzw"), r(3, "xyzx"), cb(3, 2, "xyzw")]);
    more(&mut s);
    s.op(Opcode::Ret, &[]);
    s.build()
}

fn white() -> Vec<u8> {
    let mut s = Shader::pixel();
    s.input(1, "xyzw", "NORMAL0", Type::Float).target(0, "xyzw", Type::Float);
    s.op(Opcode::Mov, &[o(0, "xyzw"), v(1, "xyzw")]).op(Opcode::Ret, &[]);
    s.build()
}

fn rows() -> Profile {
    Profile { skinning: Skinning::Rows(Joints::default()), ..Profile::default() }
}

const OFFSET: usize = 5;
const BONES: usize = 58;

fn bone_word(bone: usize, word: usize) -> f32 {
    (bone * 12 + word) as f32 * 0.25 - 7.0
}

fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The captured outputs of a skinned program, with what each form has the host bind.
fn skin(
    gl: &Gl,
    program: &LinkedProgram,
    skinning: Skinning,
    form: ConstantForm,
) -> BTreeMap<String, Vec<Vec<u32>>> {
    let bones = (0..BONES).flat_map(|b| (0..12).map(move |w| bone_word(b, w).to_bits()));
    let mut constants = vec![0u32; 200 * 4];
    for (n, w) in constants[8..12].iter_mut().enumerate() {
        *w = (n as f32 + 0.5).to_bits();
    }
    // The ring buffer of bones that Direct3D reads begins elsewhere.
    let ring: Vec<u32> = std::iter::repeat_n(0, OFFSET * 12).chain(bones.clone()).collect();
    constants[26 * 4] = OFFSET as u32;
    let normal = program.manifest.varyings[0].name.clone();
    let mut job = Job::vertex_outputs(program.vertex.clone(), 4, &["gl_Position", &normal]);
    job.mode = Mode::Points;
    match skinning {
        Skinning::Block { bones } => {
            let mut block = ring;
            block.resize(bones as usize * 12, 0);
            job = job.block("sb0_block", bytes(block));
        }
        Skinning::Texture => {
            let mut texels = ring;
            texels.resize(2048 * 4, 0);
            job = job.texture("sb0", Texture::new_2d(Format::Rgba32Ui, 2048, 1, bytes(texels)));
        }
        Skinning::Rows(j) => {
            let first = j.first_row as usize * 4;
            constants.splice(first..first + BONES * 12, bones);
        }
    }
    job = match form {
        ConstantForm::Block => job.block("ConstantBuffer3", bytes(constants)),
        ConstantForm::Array => {
            let rows = program.manifest.uniform_arrays[0].rows as usize;
            constants.truncate(rows * 4);
            job.uniform("cb3", Data::float_bits(&constants))
        }
    };
    let positions: Vec<f32> = (0..16).map(|n| n as f32 * 0.5 - 2.0).collect();
    job = job.attribute("in_POSITION0", 4, Data::floats(&positions));
    let indices = [0.0, 1.0, 2.0, 3.0, 57.0, 56.0, 0.0, 1.0, 7.0, 7.0, 8.0, 9.0, 40.0, 30.0, 20.0, 10.0];
    job = job.attribute("in_BLENDINDICES0", 4, Data::floats(&indices));
    let captured = gl.draw(&job).unwrap_or_else(|e| panic!("{e:?}\n{}", program.vertex)).captured;
    captured
        .into_iter()
        .map(|(name, v)| (if name == normal { "normal".to_owned() } else { name }, v))
        .collect()
}

#[test]
fn skinning_gives_the_same_vertices_in_every_form() {
    let gl = Gl::angle().unwrap();
    let (vertex, pixel) = (skinned(|_| {}), white());
    let forms = [Skinning::Block { bones: 69 }, Skinning::Texture, Skinning::Rows(Joints::default())];
    let mut all = Vec::new();
    for skinning in forms {
        for form in [ConstantForm::Block, ConstantForm::Array] {
            let profile = Profile { skinning, constant_form: form, ..Profile::default() };
            let program = link(&vertex, &pixel, &options(&profile)).unwrap();
            gl.check_pair(&program.vertex, &program.fragment).unwrap();
            all.push(skin(&gl, &program, skinning, form));
        }
    }
    // The first lane of the position, computed here.
    let x: f32 = (0..4).map(|w| (w as f32 * 0.5 - 2.0) * bone_word(0, w)).sum();
    assert_eq!(f32::from_bits(all[0]["gl_Position"][0][0]), x);
    assert!(all.iter().all(|c| *c == all[0]), "{all:?}");
}

#[test]
fn joints_are_in_the_manifest_and_the_offset_is_gone() {
    let program = link(&skinned(|_| {}), &white(), &options(&rows())).unwrap();
    let joints = program.manifest.vertex.joints.unwrap();
    assert_eq!((joints.buffer, joints.slot, joints.first_row, joints.joints), (0, 3, 26, 58));
    assert!(program.manifest.vertex.buffers.is_empty());
    assert_eq!(program.manifest.uniform_blocks[0].byte_size, 200 * 16);
    assert!(!program.vertex.contains("cb3.data[26]"), "{}", program.vertex);
}

/// A shader, what is changed in it, and the finding.
#[test]
fn what_is_no_bone_load_is_refused_by_name() {
    fn load(s: &mut Shader, offset: Operand, buffer: u32) {
        s.op(Opcode::LdStructured, &[r(4, "x"), r(0, "x"), offset, t(buffer, "xxxx")]);
    }
    type Change = fn(&mut Shader);
    let cases: [(&str, Change, &str); 8] = [
        ("computed offset", |s| load(s, v(1, "y"), 0), "link-skinning-load"),
        ("past the bone", |s| load(s, l(48u32), 0), "link-skinning-load"),
        ("not a word", |s| load(s, l(2u32), 0), "link-skinning-load"),
        ("another buffer", |s| load(s, l(0u32), 1), "link-skinning-load"),
        ("own row", |s| _ = s.op(Opcode::Mov, &[r(4, "x"), cb(3, 30, "xxxx")]), "link-skinning-rows"),
        ("offset moved", |s| _ = s.op(Opcode::Mov, &[r(4, "x"), cb(3, 26, "xxxx")]), "link-skinning-rows"),
        ("sum kept", |s| _ = s.op(Opcode::Utof, &[o(1, "x"), r(0, "xxxx")]), "link-skinning-rows"),
        ("any row", |s| _ = s.op(Opcode::Mov, &[r(4, "x"), cb(3, r(0, "x"), "xxxx")]), "link-skinning-rows"),
    ];
    for (name, change, code) in cases {
        let vertex = skinned(change);
        let failure = link(&vertex, &white(), &options(&rows())).expect_err(name);
        assert_eq!(failure.kind, FailureKind::Refused, "{name}");
        assert!(
            failure.diagnostics.iter().any(|d| d.code.name() == code),
            "{name}: {:?}",
            failure.diagnostics
        );
        // The other forms take it.
        assert!(link(&vertex, &white(), &LinkOptions::default()).is_ok(), "{name}");
    }
}

/// A constant buffer has 4,096 rows: joints beyond have no place, whatever the numbers.
#[test]
fn joints_past_the_end_of_a_buffer_are_refused() {
    let with = |first_row: u32, joints: u32| {
        let joints = Joints { first_row, joints, ..Joints::default() };
        let profile = Profile { skinning: Skinning::Rows(joints), ..Profile::default() };
        // The offset into the ring of bones is in the first row.
        link(&skinned(|_| {}), &white(), &options(&profile))
    };
    assert!(with(26, 1356).is_ok());
    for (first_row, joints, last) in [(26, 1357, "4097"), (26, 2000, "6026"), (26, u32::MAX, "12884901911")] {
        let failure = with(first_row, joints).unwrap_err();
        let found = failure.diagnostics.iter().find(|d| d.code.name() == "link-skinning-rows").unwrap();
        assert!(found.message.contains(&format!("{last} rows")), "{}", found.message);
    }
    for (first_row, joints) in [(4096, 1), (u32::MAX, 58), (u32::MAX, u32::MAX)] {
        assert!(with(first_row, joints).is_err());
    }
}

/// A pixel stage that shares the buffer may read what is before the bones, but not their rows.
#[test]
fn bones_are_no_constants_of_the_pixel_stage() {
    let pixel = |rows: &[u32], computed: bool| {
        let mut s = Shader::pixel();
        s.input(1, "xyzw", "NORMAL0", Type::Float).constant_buffer(3, 40, computed);
        s.target(0, "xyzw", Type::Float).temps(2);
        s.op(Opcode::Ftou, &[r(1, "x"), v(1, "xyzw")]).op(Opcode::Mov, &[r(0, "xyzw"), v(1, "xyzw")]);
        for &row in rows {
            s.op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), cb(3, row, "xyzw")]);
        }
        if computed {
            s.op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), cb(3, r(1, "x"), "xyzw")]);
        }
        s.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Opcode::Ret, &[]);
        s.build()
    };
    let shared = Profile { constant_buffers: ConstantBuffers::Shared, ..rows() };
    for (rows_read, computed, expected) in [
        (&[0, 25][..], false, None),
        (&[25, 26], false, Some("cb3[26] is where the vertex stage has bones")),
        (&[30], false, Some("cb3[30] is where")),
        (&[], true, Some("computed index")),
    ] {
        let pixel = pixel(rows_read, computed);
        let result = link(&skinned(|_| {}), &pixel, &options(&shared));
        match (result, expected) {
            (Ok(_), None) => {}
            (Err(f), Some(text)) => {
                let [d] = &f.diagnostics[..] else { panic!("{:?}", f.diagnostics) };
                assert_eq!(d.code.name(), "link-skinning-rows");
                assert!(d.message.contains(text), "{}", d.message);
            }
            (result, _) => panic!("{rows_read:?}: {:?}", result.map(|p| p.manifest.uniform_blocks)),
        }
        // Each stage's own block, and vertices without bones, are no trouble.
        assert!(link(&skinned(|_| {}), &pixel, &options(&rows())).is_ok());
        let mut plain = Shader::vertex();
        plain.input(0, "xyzw", "POSITION0", Type::Float).constant_buffer(3, 40, false);
        plain.position(0).output(1, "xyzw", "NORMAL0", Type::Float);
        plain.op(Opcode::Mov, &[o(0, "xyzw"), v(0, "xyzw")]);
        plain.op(Opcode::Mov, &[o(1, "xyzw"), cb(3, 2, "xyzw")]).op(Opcode::Ret, &[]);
        assert!(link(&plain.build(), &pixel, &options(&shared)).is_ok());
    }
}

#[test]
fn a_slot_is_not_moved_onto_another() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 2, false).constant_buffer(7, 2, false).target(0, "xyzw", Type::Float);
    s.op(Opcode::Add, &[o(0, "xyzw"), cb(0, 1, "xyzw"), cb(7, 0, "xyzw")]).op(Opcode::Ret, &[]);
    let carbon = options(&Profile::built_in("carbon").unwrap());
    let failure = link(&skinned(|_| {}), &s.build(), &carbon).unwrap_err();
    assert_eq!(failure.diagnostics[0].code.name(), "link-slot-taken");
    assert!(failure.diagnostics[0].message.contains("which it reads too"));
}

/// Rules for slots that contradict each other: two slots to one place, one slot to two, and one that is said to stay.
#[test]
fn slots_are_not_moved_onto_each_other() {
    let mut s = Shader::pixel();
    s.constant_buffer(4, 2, false).constant_buffer(6, 2, false).target(0, "xyzw", Type::Float);
    s.op(Opcode::Add, &[o(0, "xyzw"), cb(4, 1, "xyzw"), cb(6, 0, "xyzw")]).op(Opcode::Ret, &[]);
    let pixel = s.build();
    let gl = Gl::angle().unwrap();
    for form in ["block", "array"] {
        let with = |slots: &str| {
            let profile = format!(r#"{{"constant_form":"{form}","pixel_slots":{slots}}}"#);
            link(&skinned(|_| {}), &pixel, &options(&Profile::from_json(&profile).unwrap()))
        };
        for (slots, text) in [
            (
                r#"[{"from":4,"to":7},{"from":6,"to":7}]"#,
                "b6 of the pixel stage is bound as b7, and so is b4",
            ),
            (
                r#"[{"from":4,"to":7},{"from":4,"to":8}]"#,
                "b4 of the pixel stage is bound as b7, and as b8 by",
            ),
            (r#"[{"from":4,"to":6}]"#, "b4 of the pixel stage is bound as b6, which it reads too"),
            (
                r#"[{"from":6,"to":6},{"from":4,"to":6}]"#,
                "b4 of the pixel stage is bound as b6, which it reads",
            ),
            (
                r#"[{"from":4,"to":6},{"from":6,"to":6}]"#,
                "b4 of the pixel stage is bound as b6, which it reads",
            ),
        ] {
            let failure = with(slots).expect_err(slots);
            let [d] = &failure.diagnostics[..] else { panic!("{slots}: {:?}", failure.diagnostics) };
            assert_eq!(d.code.name(), "link-slot-taken");
            assert!(d.message.starts_with(text), "{slots}: {}", d.message);
        }
        // Places that change hands, a slot that nobody reads and a rule that is said twice are no trouble.
        for slots in [
            r#"[{"from":4,"to":6},{"from":6,"to":4}]"#,
            r#"[{"from":4,"to":6},{"from":6,"to":9}]"#,
            r#"[{"from":4,"to":7},{"from":5,"to":7}]"#,
            r#"[{"from":4,"to":7},{"from":4,"to":7}]"#,
        ] {
            let program = with(slots).unwrap_or_else(|e| panic!("{slots}: {:?}", e.diagnostics));
            gl.check_pair(&program.vertex, &program.fragment).unwrap();
        }
    }
}

/// One block for a slot of both stages would give the vertex stage the buffer that the pixel stage knows as b0.
#[test]
fn a_slot_is_not_moved_onto_one_of_the_vertex_stage() {
    let mut vs = Shader::vertex();
    vs.input(0, "xyzw", "POSITION0", Type::Float).constant_buffer(7, 2, false).position(0);
    vs.op(Opcode::Mul, &[o(0, "xyzw"), v(0, "xyzw"), cb(7, 1, "xyzw")]).op(Opcode::Ret, &[]);
    let mut ps = Shader::pixel();
    ps.constant_buffer(0, 2, false).target(0, "xyzw", Type::Float);
    ps.op(Opcode::Mov, &[o(0, "xyzw"), cb(0, 1, "xyzw")]).op(Opcode::Ret, &[]);
    let (vs, ps) = (vs.build(), ps.build());
    let carbon = Profile::built_in("carbon").unwrap();
    let failure = link(&vs, &ps, &options(&carbon)).unwrap_err();
    let [d] = &failure.diagnostics[..] else { panic!("{:?}", failure.diagnostics) };
    assert_eq!(d.code.name(), "link-slot-taken");
    assert!(d.message.contains("bound as b7, which the vertex stage reads"), "{}", d.message);
    // Blocks of their own are no trouble.
    let apart = Profile { constant_buffers: ConstantBuffers::Separate, ..carbon };
    let program = link(&vs, &ps, &options(&apart)).unwrap();
    let names: Vec<_> = program.manifest.uniform_blocks.iter().map(|b| &*b.block).collect();
    assert_eq!(names, ["ConstantBuffer7_vs", "ConstantBuffer7_ps"]);
}

/// Two of two lanes in each of `registers`.
fn halves(registers: u32) -> (Vec<u8>, Vec<u8>) {
    let (mut v, mut p) = (Shader::vertex(), Shader::pixel());
    v.input(0, "xyzw", "POSITION0", Type::Float);
    p.target(0, "xyzw", Type::Float).temps(1);
    for k in 0..registers {
        for (n, lanes) in ["xy", "zw"].into_iter().enumerate() {
            let semantic = format!("TEXCOORD{}", k * 2 + n as u32);
            v.output(k, lanes, &semantic, Type::Float);
            p.input(k, lanes, &semantic, Type::Float);
        }
    }
    v.position(registers);
    p.op(Opcode::Mov, &[r(0, "xyzw"), l(0.0f32)]);
    for k in 0..registers {
        v.op(Opcode::Mul, &[o(k, "xy"), shaderport_asm::v(0, "xyzw"), l(k as f32)]);
        v.op(Opcode::Mov, &[o(k, "zw"), shaderport_asm::v(0, "xyzw")]);
        p.op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), shaderport_asm::v(k, "xyzw")]);
    }
    v.op(Opcode::Mov, &[o(registers, "xyzw"), shaderport_asm::v(0, "xyzw")]).op(Opcode::Ret, &[]);
    p.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Opcode::Ret, &[]);
    (v.build(), p.build())
}

#[test]
fn varyings_are_packed_where_that_helps() {
    let gl = Gl::angle().unwrap();
    let link_halves = |n| {
        let (v, p) = halves(n);
        link(&v, &p, &LinkOptions::default()).unwrap()
    };
    let has = |p: &LinkedProgram, code: &str| p.diagnostics.iter().any(|d| d.code.name() == code);
    let few = link_halves(7);
    assert_eq!((few.manifest.varyings.len(), has(&few, "link-varyings-packed")), (14, false));
    let many = link_halves(12);
    assert_eq!((many.manifest.varyings.len(), has(&many, "link-varyings-packed")), (12, true));
    assert!(!has(&many, "link-limit-not-guaranteed"));
    gl.check_pair(&many.vertex, &many.fragment).unwrap();
    let too_many = link_halves(20);
    assert!(has(&too_many, "link-varyings-packed") && has(&too_many, "link-limit-not-guaranteed"));
}

#[test]
fn unread_outputs_are_kept_or_dropped() {
    let (vertex, _) = halves(3);
    let (_, pixel) = halves(1);
    let mut options = LinkOptions::default();
    let varyings = |o: &LinkOptions| link(&vertex, &pixel, o).unwrap().manifest.vertex.varyings.len();
    assert_eq!(varyings(&options), 6);
    options.unused_outputs = UnusedOutputs::Drop;
    assert_eq!(varyings(&options), 2);
}

#[test]
fn an_excess_names_what_uses_it() {
    let mut options = LinkOptions::default();
    let limits = Limits { max_combined_uniform_blocks: 0, max_varying_vectors: 0, ..Limits::GUARANTEED };
    options.translation.limits = Some(limits);
    let failure = link(&skinned(|_| {}), &white(), &options).unwrap_err();
    let text: String = failure.diagnostics.iter().map(|d| format!("{d}\n")).collect();
    assert!(text.contains("vs_NORMAL0"), "{text}");
    options.translation.limits = Some(Limits { max_varying_vectors: 15, ..limits });
    let failure = link(&skinned(|_| {}), &white(), &options).unwrap_err();
    let notes = format!("{:?}", failure.diagnostics);
    assert!(notes.contains("vertex ConstantBuffer3") && notes.contains("vertex sb0_block"), "{notes}");
}

#[test]
fn bitangents_are_named_where_the_pipeline_says_so() {
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION0", Type::Float).input(1, "xyzw", "BINORMAL0", Type::Float);
    s.position(0).output(1, "xyzw", "NORMAL0", Type::Float);
    s.op(Opcode::Mov, &[o(0, "xyzw"), v(0, "xyzw")]).op(Opcode::Mov, &[o(1, "xyzw"), v(1, "xyzw")]);
    let vertex = s.op(Opcode::Ret, &[]).build();
    let name = |bitangents, inputs: &[u32]| {
        let mut options = LinkOptions::default();
        Profile { bitangents, ..Profile::default() }.apply(&mut options, inputs);
        link(&vertex, &white(), &options).unwrap().manifest.vertex.attributes[1].name.clone()
    };
    assert_eq!(name(true, &[1]), "in_BITANGENT0");
    assert_eq!(name(true, &[0]), "in_BINORMAL0");
    assert_eq!(name(false, &[1]), "in_BINORMAL0");
}

/// A pixel shader that samples t1 and uses t0 in some way.
fn two_maps(dimension: D, returns: R, compares: bool, use_first: &[Operand], opcode: Opcode) -> Vec<u8> {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 2, false).sampler(0, compares).sampler(1, false).texture(0, dimension, returns);
    s.texture(1, D::Texture2D, R::Float).target(0, "xyzw", Type::Float).temps(2);
    let coordinates = cb(0, 0u32, "xyzw");
    s.op(opcode, &[&[r(0, "xyzw"), coordinates.clone()], use_first].concat());
    s.op(Opcode::Sample, &[r(1, "x"), coordinates, t(1, "xxxx"), sampler(1)]);
    s.op(Opcode::Add, &[o(0, "xyzw"), r(0, "xyzw"), r(1, "xxxx")]).op(Opcode::Ret, &[]).build()
}

/// Each use of a merged texture that would give another result is refused by name; the others are taken.
#[test]
fn uses_that_a_merge_would_change_are_refused() {
    use MergeKind::{Array, Channels};
    let gl = Gl::angle().unwrap();
    let (one, all, s0) = (t(0, "xxxx"), t(0, "xyzw"), sampler(0));
    let reference = l(0.5f32);
    type Case<'a> = (Opcode, bool, &'a [Operand], &'a [MergeKind]);
    let cases: [Case<'_>; 12] = [
        (Opcode::Sample, false, &[one.clone(), s0.clone()], &[Array, Channels]),
        (Opcode::Sample, false, &[all.clone(), s0.clone()], &[Array]),
        (Opcode::SampleL, false, &[one.clone(), s0.clone(), l(1.0f32)], &[Array, Channels]),
        (Opcode::SampleB, false, &[t(0, "yyyy"), s0.clone(), l(1.0f32)], &[Array]),
        (Opcode::Gather4, false, &[all.clone(), sampler(0).read("x")], &[Array]),
        (Opcode::SampleC, true, &[one.clone(), s0.clone(), reference.clone()], &[]),
        (Opcode::SampleCLz, true, &[one.clone(), s0.clone(), reference.clone()], &[]),
        (Opcode::Gather4C, true, &[all.clone(), sampler(0).read("x"), reference], &[]),
        (Opcode::Lod, false, &[all.clone(), s0.clone()], &[]),
        (Opcode::Ld, false, std::slice::from_ref(&one), &[]),
        (Opcode::Ld, false, std::slice::from_ref(&all), &[]),
        (Opcode::ResInfo, false, std::slice::from_ref(&all), &[]),
    ];
    let merged = |pixel: &[u8], kind| {
        let mut options = LinkOptions::default();
        let merge = TextureMerge { name: "Merged".into(), kind, registers: vec![0, 1] };
        options.translation.pixel_resources.merges.push(merge);
        link(&skinned(|_| {}), pixel, &options)
    };
    for (opcode, compares, operands, taken) in cases {
        let pixel = two_maps(D::Texture2D, R::Float, compares, operands, opcode);
        let plain = link(&skinned(|_| {}), &pixel, &LinkOptions::default());
        assert!(plain.is_ok(), "{opcode:?}: {:?}", plain.err());
        for kind in [Array, Channels] {
            match merged(&pixel, kind) {
                Ok(p) => {
                    assert!(taken.contains(&kind), "{opcode:?} as {kind:?}\n{}", p.fragment);
                    gl.check_pair(&p.vertex, &p.fragment).unwrap();
                }
                Err(failure) => {
                    assert!(!taken.contains(&kind), "{opcode:?} as {kind:?}: {:?}", failure.diagnostics);
                    let [d] = &failure.diagnostics[..] else { panic!("{:?}", failure.diagnostics) };
                    assert_eq!(d.code.name(), "refused-merge");
                    assert!(d.message.contains(opcode.name()) && d.place.instruction.is_some(), "{d}");
                }
            }
        }
    }
    // Only 2D textures of floats have layers and channels to become.
    let shapes = [D::TextureCube, D::Texture2DArray, D::Texture3D, D::Texture1D].map(|d| (d, R::Float));
    for (dimension, returns) in shapes.into_iter().chain([(D::Texture2D, R::Uint)]) {
        let load = returns == R::Uint;
        let (opcode, operands) = if load {
            (Opcode::Ld, vec![one.clone()])
        } else {
            (Opcode::SampleL, vec![one.clone(), s0.clone(), l(0.0f32)])
        };
        let pixel = two_maps(dimension, returns, false, &operands, opcode);
        assert!(link(&skinned(|_| {}), &pixel, &LinkOptions::default()).is_ok(), "{dimension:?}");
        for kind in [Array, Channels] {
            let failure = merged(&pixel, kind).unwrap_err();
            let is =
                |d: &shaderport_diagnostics::Diagnostic| d.message.starts_with("t0 cannot become part of");
            assert!(failure.diagnostics.iter().any(is), "{dimension:?}: {:?}", failure.diagnostics);
        }
    }
}
