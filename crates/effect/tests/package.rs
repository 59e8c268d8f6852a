//! Packages of generated containers: whole, linked and accepted by ANGLE. The time they took is printed.

mod common;

use common::*;
use shaderport_effect::block::{Binding, BindingKind, Block};
use shaderport_effect::model::*;
use shaderport_effect::package::{BuildOptions, Form, Package, Plan, Reason, build};
use shaderport_effect::{read, write};
use shaderport_gl_harness::Gl;
use std::collections::HashSet;
use std::time::Instant;

fn options(form: Form) -> BuildOptions {
    BuildOptions { form, ..BuildOptions::default() }
}

/// Builds with two threads, as the command does on two cores.
fn build_on_two(plan: &Plan<'_, '_>) -> Package {
    let (first, second) = (0..plan.len() / 2, plan.len() / 2..plan.len());
    let results = std::thread::scope(|s| {
        let second = s.spawn(|| second.map(|job| plan.run(job)).collect::<Vec<_>>());
        let mut results: Vec<_> = first.map(|job| plan.run(job)).collect();
        results.extend(second.join().unwrap());
        results
    });
    plan.finish(results)
}

/// Pairs of the list that WebGL2 can express.
fn good_pairs() -> Vec<(Vec<u8>, Vec<u8>)> {
    let link = shaderport_link::LinkOptions::default();
    pairs().into_iter().filter(|(v, p)| shaderport_link::link(v, p, &link).is_ok()).collect()
}

#[test]
fn ten_effects_of_500_permutations() {
    let pairs = good_pairs();
    assert!(pairs.len() > 25);
    let gl = Gl::angle().unwrap();
    let mut seen = HashSet::new();
    let (mut spent, mut slowest) = (0.0f64, 0.0f64);
    for seed in 0..10 {
        let effect = some_effect(seed * 991 + 5, &[5, 5, 4, 5], &pairs);
        assert_eq!(effect.rows.len(), 500);
        for version in [8, 15] {
            let bytes =
                if version == 15 { write(&effect).unwrap() } else { OldWriter::write(&effect, version) };
            let options = options(if seed % 2 == 0 { Form::Folder } else { Form::Container });
            let start = Instant::now();
            let source = read(&bytes).unwrap();
            let package = build_on_two(&Plan::new(&source, &options));
            let time = start.elapsed().as_secs_f64();
            spent += time;
            slowest = slowest.max(time);
            if version == 15 {
                assert_eq!(write(&source.effect).unwrap(), bytes);
            }
            let index = &package.index;
            assert_eq!(index.excluded.len(), 0);
            assert!(index.completeness.package_valid && index.completeness.sources_complete);
            assert_eq!(index.permutations.len(), 500);
            assert!(
                index
                    .bodies
                    .iter()
                    .flat_map(|b| &b.techniques)
                    .flat_map(|t| &t.passes)
                    .all(|p| p.program.is_some())
            );
            for (vertex, fragment) in texts(&package) {
                if seen.insert((vertex.clone(), fragment.clone())) {
                    gl.check_pair(&vertex, &fragment)
                        .unwrap_or_else(|e| panic!("{e:?}\n{vertex}\n{fragment}"));
                }
            }
        }
    }
    println!("20 packages in {spent:.2} s, the slowest {slowest:.2} s; {} programs accepted", seen.len());
}

/// The programs' texts, from the folder or from the container.
fn texts(package: &Package) -> Vec<(String, String)> {
    let file = |path: &str| {
        let file = package.files.iter().find(|f| f.path == path).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    };
    if let Some(container) = package.files.iter().find(|f| f.path.ends_with(".carbonwebgl")) {
        let effect = read(&container.bytes).unwrap().effect;
        let passes = effect.bodies.iter().flat_map(|b| &b.techniques).flat_map(|t| &t.passes);
        let text = |pass: &Pass<'_>, kind| {
            let stage = pass.stages.iter().find(|s| s.kind == kind).unwrap();
            String::from_utf8(stage.program.data.to_vec()).unwrap()
        };
        return passes.map(|p| (text(p, StageKind::Vertex), text(p, StageKind::Pixel))).collect();
    }
    let programs = package.index.programs.iter().map(|p| p.files.as_ref().unwrap());
    programs.map(|f| (file(&f.vertex), file(&f.fragment))).collect()
}

fn one_pass(stages: Vec<Stage<'static>>) -> Effect<'static> {
    let pass = Pass { stages, ..Pass::default() };
    let technique = Technique { name: "Main".into(), passes: vec![pass] };
    Effect {
        version: 15,
        provenance: Provenance::default(),
        axes: vec![],
        rows: vec![Row { index: 0, body: 0 }],
        bodies: vec![Body { techniques: vec![technique], ..Body::default() }],
    }
}

fn stage(kind: StageKind, program: Vec<u8>) -> Stage<'static> {
    Stage {
        kind,
        program: Blob::new(program),
        thread_group: [0; 3],
        inputs: vec![],
        set: InputSet::default(),
    }
}

fn package_of(effect: &Effect<'_>, form: Form) -> Package {
    package_with(effect, &options(form))
}

fn package_with(effect: &Effect<'_>, options: &BuildOptions) -> Package {
    let bytes = write(effect).unwrap();
    build(&read(&bytes).unwrap(), options)
}

#[test]
fn what_is_left_out_is_named() {
    let vertex = || stage(StageKind::Vertex, file("fixtures/dxbc/pair_mesh.vs.dxbc"));
    let pixel = |path: &str| stage(StageKind::Pixel, file(path));
    let refused = "fixtures/dxbc/refused_double_moves.ps.dxbc";
    for (stages, reason) in [
        (vec![vertex(), pixel(refused)], Reason::Refused),
        (vec![vertex(), stage(StageKind::Pixel, b"nonsense".to_vec())], Reason::Invalid),
        (vec![vertex(), stage(StageKind::Pixel, vec![])], Reason::EmptyProgram),
        (vec![pixel("fixtures/dxbc/pair_mesh.ps.dxbc")], Reason::NoVertexStage),
        (vec![], Reason::NoVertexStage),
        (vec![stage(StageKind::Compute, vec![1])], Reason::Stage),
    ] {
        for form in [Form::Folder, Form::Container] {
            let package = package_of(&one_pass(stages.clone()), form);
            let index = package.index;
            let [excluded] = &index.excluded[..] else { panic!("{reason:?}") };
            assert_eq!((excluded.reason, excluded.permutations), (reason, 1));
            assert_eq!(excluded.technique, "Main");
            if let Some(failure) = excluded.failure {
                assert!(!index.failures[failure as usize].diagnostics.is_empty());
            }
            assert_eq!(index.completeness.gaps.len(), 1, "{:?}", index.completeness.gaps);
            assert!(index.completeness.package_valid);
            assert_eq!(index.completeness.passes_translated, 0);
            // What WebGL2 lacks is no fault of the sources.
            let whole = !matches!(reason, Reason::Invalid | Reason::EmptyProgram);
            assert_eq!(index.completeness.sources_complete, whole, "{reason:?}");
        }
    }
}

/// A pass that writes depth only gets a fragment shader that writes nothing.
#[test]
fn depth_only_passes_are_programs() {
    let effect = one_pass(vec![stage(StageKind::Vertex, file("fixtures/dxbc/pair_mesh.vs.dxbc"))]);
    let gl = Gl::angle().unwrap();
    for form in [Form::Folder, Form::Container] {
        let package = package_of(&effect, form);
        assert_eq!(package.index.excluded.len(), 0);
        assert_eq!(package.index.programs[0].pixel_shader, None);
        let [(vertex, fragment)] = &texts(&package)[..] else { panic!() };
        gl.check_pair(vertex, fragment).unwrap();
    }
}

#[test]
fn blocks_name_the_programs_uniforms() {
    let names = ["fixtures/dxbc/pair_mesh.vs.dxbc", "fixtures/dxbc/pair_mesh.ps.dxbc"];
    let stages = vec![stage(StageKind::Vertex, file(names[0])), stage(StageKind::Pixel, file(names[1]))];
    let package = package_of(&one_pass(stages), Form::Container);
    let container = package.files.iter().find(|f| f.path == "effect.carbonwebgl").unwrap();
    let effect = read(&container.bytes).unwrap().effect;
    let pass = &effect.bodies[0].techniques[0].passes[0];
    let block = Block::read(&pass.backend_block.data).unwrap().unwrap();
    let manifest = package.index.programs[0].manifest.as_ref().unwrap();
    for (stage, m) in block.stages.iter().zip([&manifest.vertex, &manifest.pixel]) {
        let blocks = stage.bindings.iter().filter(|b| matches!(b.kind, BindingKind::ConstantBuffer { .. }));
        let blocks: Vec<_> = blocks.map(|b| (&*b.name, u32::from(b.register))).collect();
        let expected: Vec<_> = m.uniform_blocks.iter().map(|b| (&*b.block, b.register)).collect();
        assert_eq!(blocks, expected);
        let textures = stage.bindings.iter().filter(|b| matches!(b.kind, BindingKind::Resource { .. }));
        assert_eq!(textures.count(), m.textures.len());
    }
    assert_eq!(block.stages[0].inputs.len(), manifest.vertex.attributes.len());
    assert!(block.stages[0].inputs.iter().any(|i| i.semantic == "POSITION" && i.mask != 0));
}

/// Two passes with the same shaders, whose pipeline inputs say that `in_BINORMAL0` is a bitangent and that it is not:
/// under a profile that names bitangents they are two programs, otherwise one.
#[test]
fn bitangents_follow_the_pipeline_inputs() {
    let vertex = file("fixtures/dxbc/pair_skinned.vs.dxbc");
    let signature = shaderport_dxbc::Container::parse(&vertex).unwrap().input_signature().unwrap().unwrap();
    let element = signature.elements.iter().find(|e| e.name == "BINORMAL").unwrap();
    let register = element.register as u8;
    let stage = |kind, program, inputs| Stage {
        kind,
        program: Blob::new(program),
        thread_group: [0; 3],
        inputs,
        set: InputSet::default(),
    };
    let pass = |usage| {
        let pixel = file("fixtures/dxbc/pair_skinned.ps.dxbc");
        let stages = vec![
            stage(StageKind::Vertex, vertex.clone(), vec![input(usage, register)]),
            stage(StageKind::Pixel, pixel, vec![]),
        ];
        Pass { stages, ..Pass::default() }
    };
    const TANGENT: u8 = 3;
    const BITANGENT: u8 = 4;
    let mut effect = one_pass(vec![]);
    effect.bodies[0].techniques[0].passes = [BITANGENT, TANGENT, BITANGENT].map(pass).to_vec();
    for name in ["specs", "carbon"] {
        for form in [Form::Folder, Form::Container] {
            let mut options = options(form);
            let profile = shaderport_link::Profile::built_in(name).unwrap();
            profile.apply(&mut options.link, &[]);
            let names = |package: &Package| -> Vec<String> {
                let passes = &package.index.bodies[0].techniques[0].passes;
                let programs = passes.iter().map(|p| p.program.unwrap() as usize);
                match form {
                    Form::Container => {
                        // The texts and the block behind each pass.
                        let container =
                            package.files.iter().find(|f| f.path.ends_with(".carbonwebgl")).unwrap();
                        let effect = read(&container.bytes).unwrap().effect;
                        let passes = &effect.bodies[0].techniques[0].passes;
                        for (pass, program) in passes.iter().zip(programs) {
                            let block = Block::read(&pass.backend_block.data).unwrap().unwrap();
                            let manifest = package.index.programs[program].manifest.as_ref().unwrap();
                            let attributes = &manifest.vertex.attributes;
                            assert!(
                                block.stages[0]
                                    .inputs
                                    .iter()
                                    .map(|i| &i.name)
                                    .eq(attributes.iter().map(|a| &a.name))
                            );
                        }
                        let text =
                            |p: &Pass<'_>| String::from_utf8(p.stages[0].program.data.to_vec()).unwrap();
                        passes.iter().map(text).collect()
                    }
                    Form::Folder => {
                        let all = texts(package);
                        programs.map(|n| all[n].0.clone()).collect()
                    }
                }
            };
            options.bitangents = profile.bitangents;
            let package = package_with(&effect, &options);
            assert_eq!(package.index.programs.len(), 2);
            let is_bitangent = |t: &String| (t.contains("in_BITANGENT0"), t.contains("in_BINORMAL0"));
            let found: Vec<_> = names(&package).iter().map(is_bitangent).collect();
            assert_eq!(found, [(true, false), (false, true), (true, false)], "{name}");
            options.bitangents = false;
            let package = package_with(&effect, &options);
            assert_eq!(package.index.programs.len(), 1);
            assert_eq!(names(&package).iter().map(is_bitangent).collect::<Vec<_>>(), [(false, true); 3]);
        }
    }
}

/// Arrays of constants are in the container's block under their names, with the style of arrays.
#[test]
fn arrays_of_constants_are_in_the_block() {
    let mut options = options(Form::Container);
    let profile =
        shaderport_link::Profile::from_json(r#"{"extends":"carbon","constant_form":"array"}"#).unwrap();
    profile.apply(&mut options.link, &[]);
    let names = ["fixtures/dxbc/pair_same_layout.vs.dxbc", "fixtures/dxbc/pair_other_layout.ps.dxbc"];
    let effect = one_pass(vec![
        some_stage(&mut Random(3), StageKind::Vertex, file(names[0])),
        some_stage(&mut Random(4), StageKind::Pixel, file(names[1])),
    ]);
    let package = package_with(&effect, &options);
    let container = package.files.iter().find(|f| f.path.ends_with(".carbonwebgl")).unwrap();
    let effect = read(&container.bytes).unwrap().effect;
    let block = Block::read(&effect.bodies[0].techniques[0].passes[0].backend_block.data).unwrap().unwrap();
    let constants = |stage: usize| {
        let bindings = block.stages[stage].bindings.iter();
        let of = |b: &Binding| match b.kind {
            BindingKind::ConstantBuffer { rows, style, .. } => Some((b.name.clone(), rows, style)),
            _ => None,
        };
        bindings.filter_map(of).collect::<Vec<_>>()
    };
    // One array of both stages, of the greater size.
    assert_eq!(constants(0), [("cb1".to_owned(), 32, 0)]);
    assert_eq!(constants(1), [("cb1".to_owned(), 32, 0)]);
}

/// The JSON holds what a host needs beside the programs.
#[test]
fn states_and_parameters_are_in_the_json() {
    let pairs = good_pairs();
    let effect = some_effect(17, &[2, 3], &pairs[..3]);
    let package = package_of(&effect, Form::Folder);
    let file = package.files.iter().find(|f| f.path == "effect.json").unwrap();
    let json: serde_json::Value = serde_json::from_slice(&file.bytes).unwrap();
    for key in ["axes", "permutations", "bodies", "stages", "programs", "excluded", "completeness"] {
        assert!(json.get(key).is_some(), "{key}");
    }
    let paths: HashSet<&str> = package.files.iter().map(|f| &*f.path).collect();
    assert_eq!(paths.len(), package.files.len());
    for p in json["programs"].as_array().unwrap() {
        for key in ["vertex", "fragment", "manifest"] {
            assert!(paths.contains(p["files"][key].as_str().unwrap()));
        }
    }
    let all = json.to_string();
    for text in ["\"ZENABLE\"", "\"border_color\"", "\"min_filter\":\"linear\"", "nnotation", "\"AXIS_0\""] {
        assert!(all.contains(text), "{text}");
    }
}

/// WebGL2 lacks Direct3D's border and mirror-once address modes: each sampler that has one is named with it, in the
/// gaps and where the stage lists the sampler. Those that WebGL2 has, and stages that no program is made of, are not.
#[test]
fn a067_border_and_mirror_once_are_named() {
    const WRAP: u8 = 1;
    const MIRROR: u8 = 2;
    const CLAMP: u8 = 3;
    const BORDER: u8 = 4;
    const MIRROR_ONCE: u8 = 5;
    let sampler = |register: u8, name: &'static str, address| Sampler {
        register,
        name: name.into(),
        filtering: Filtering { address, ..some_filtering(&mut Random(1)) },
        border_color: [Bits(0); 4],
        is_dynamic: 1,
    };
    let of_register = |register, space, address| StaticSampler {
        register,
        space,
        filtering: Filtering { address, ..some_filtering(&mut Random(1)) },
        border_color: 1,
    };
    let with = |kind, path: &str, samplers, static_samplers| Stage {
        set: InputSet { samplers, static_samplers, ..InputSet::default() },
        ..stage(kind, file(path))
    };
    let pixel = with(
        StageKind::Pixel,
        "fixtures/dxbc/pair_mesh.ps.dxbc",
        vec![
            sampler(0, "AllSampler", [WRAP, MIRROR, CLAMP]),
            sampler(1, "ShadowSampler", [BORDER; 3]),
            sampler(2, "MixedSampler", [MIRROR_ONCE, CLAMP, BORDER]),
            sampler(3, "OddSampler", [CLAMP, 9, CLAMP]),
        ],
        vec![of_register(4, 0, [CLAMP; 3]), of_register(5, 2, [WRAP, MIRROR_ONCE, WRAP])],
    );
    let vertex = with(
        StageKind::Vertex,
        "fixtures/dxbc/pair_mesh.vs.dxbc",
        vec![sampler(0, "HeightSampler", [CLAMP, BORDER, CLAMP])],
        vec![],
    );
    let compute = Stage {
        set: InputSet { samplers: vec![sampler(0, "ComputeSampler", [BORDER; 3])], ..InputSet::default() },
        ..stage(StageKind::Compute, vec![1])
    };
    let mut effect = one_pass(vec![]);
    // The second pass has an equal pixel stage, whose samplers are named once.
    effect.bodies[0].techniques[0].passes =
        [vec![vertex.clone(), pixel.clone()], vec![vertex, pixel], vec![compute]]
            .map(|stages| Pass { stages, ..Pass::default() })
            .to_vec();
    for form in [Form::Folder, Form::Container] {
        let package = package_of(&effect, form);
        let gaps = &package.index.completeness.gaps;
        let found: Vec<_> = gaps.iter().filter(|g| g.contains("address mode")).map(String::as_str).collect();
        assert_eq!(
            found,
            [
                "the vertex stage's sampler `HeightSampler` (s0) has address mode border for v, which WebGL2 lacks",
                "the pixel stage's sampler `ShadowSampler` (s1) has address mode border for u, v, w, which WebGL2 lacks",
                "the pixel stage's sampler `MixedSampler` (s2) has address mode mirror-once for u, which WebGL2 lacks",
                "the pixel stage's sampler `MixedSampler` (s2) has address mode border for w, which WebGL2 lacks",
                "the pixel stage's sampler `OddSampler` (s3) has address mode code-9 for v, which WebGL2 lacks",
                "the pixel stage's static sampler s5 space2 has address mode mirror-once for v, which WebGL2 lacks",
            ]
        );
        // The package can be used; what a host must do is said.
        assert!(package.index.completeness.package_valid && package.index.completeness.sources_complete);
        let file = package.files.iter().find(|f| f.path == "effect.json").unwrap();
        let json: serde_json::Value = serde_json::from_slice(&file.bytes).unwrap();
        let pixel = json["stages"].as_array().unwrap().iter().find(|s| s["stage"] == "pixel").unwrap();
        let flags = |list: &str| -> Vec<serde_json::Value> {
            pixel[list].as_array().unwrap().iter().map(|s| s["unsupported_addresses"].clone()).collect()
        };
        let none = serde_json::Value::Null;
        let lanes = |text: &[&str]| serde_json::json!(text);
        let samplers = [none.clone(), lanes(&["u", "v", "w"]), lanes(&["u", "w"]), lanes(&["v"])];
        assert_eq!(flags("samplers"), samplers);
        assert_eq!(flags("static_samplers"), [none, lanes(&["v"])]);
    }
}

/// Hardly two passes alike: every program is another pair of all our shaders.
#[test]
fn programs_that_differ() {
    let shaders = |ending: &str| -> Vec<Vec<u8>> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.retain(|p| p.to_str().is_some_and(|p| p.ends_with(ending)));
        paths.sort();
        paths.iter().map(|p| std::fs::read(p).unwrap()).collect()
    };
    let (vertex, pixel) = (shaders(".vs.dxbc"), shaders(".ps.dxbc"));
    let mut r = Random(99);
    let any = |r: &mut Random, list: &[Vec<u8>]| list[r.below(list.len())].clone();
    let pairs: Vec<_> = (0..5000).map(|_| (any(&mut r, &vertex), any(&mut r, &pixel))).collect();
    let bytes = write(&some_effect(4, &[5, 5, 4, 5], &pairs)).unwrap();
    let options = options(Form::Folder);
    let start = Instant::now();
    let source = read(&bytes).unwrap();
    let package = build_on_two(&Plan::new(&source, &options));
    let c = &package.index.completeness;
    println!("{} bytes, {} passes, {} programs in {:?}", bytes.len(), c.passes, c.programs, start.elapsed());
    assert!(c.programs > 250 && c.package_valid);
    assert!(package.index.excluded.iter().all(|e| e.reason == Reason::Refused));
}
