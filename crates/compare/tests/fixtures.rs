//! Every fixture, with random but sensible inputs, on two GL implementations: with the defaults, a float register file,
//! `fast`, and both. Every opcode that is translated must be among them. Odd seeds have filters. `SEEDS=n` tries more of
//! them, `ONLY=name` the fixtures with that in their name.

use shaderport_compare::bounds::{PLAIN, shake};
use shaderport_compare::files::{fixtures, name};
use shaderport_compare::scene::Scene;
use shaderport_compare::{
    Failed, Skipped, Subject, compare_scene, converts_outside, draw, execute, execute_row, is_sensitive,
    loads_nothing, overflows, packs_inexactly, translate,
};
use shaderport_dxbc::{Opcode, Program, Stage};
use shaderport_exec::Executor;
use shaderport_gl_harness::{Backend, Worker};
use shaderport_glsl::options::{Fidelity, Options, Registers};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// What a driver does in its own way with a fixture: part of what is said of it, or nothing where it draws other values,
/// and the reason.
const KNOWN: [(&str, Backend, Option<&str>, &str); 8] = [
    (
        "io_target_eight.ps.dxbc",
        Backend::Angle,
        DRAW_BUFFERS,
        "outside of a browser ANGLE has six draw buffers",
    ),
    (
        "io_target_gap.ps.dxbc",
        Backend::Angle,
        DRAW_BUFFERS,
        "outside of a browser ANGLE has six draw buffers",
    ),
    ("io_eval.ps.dxbc", Backend::Mesa, None, "Mesa's interpolation functions fail on points"),
    ("made_evaluations.ps.dxbc", Backend::Mesa, None, "Mesa's interpolation functions fail on points"),
    ("io_clip.vs.dxbc", Backend::Mesa, CLIP_DISTANCES, "Mesa has no clip distances"),
    ("io_clip_cull.vs.dxbc", Backend::Mesa, CLIP_DISTANCES, "Mesa has no clip distances"),
    ("pair_clip.vs.dxbc", Backend::Mesa, CLIP_DISTANCES, "Mesa has no clip distances"),
    (
        "limit_31_varyings.vs.dxbc",
        Backend::Mesa,
        Some("MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS"),
        "more outputs than can be captured",
    ),
];

const DRAW_BUFFERS: Option<&str> = Some("MAX_DRAW_BUFFERS");
const CLIP_DISTANCES: Option<&str> = Some("GL_ANGLE_clip_cull_distance");

/// Fixtures of which nothing is drawn, by the codes of the refusal, or what the harness cannot feed or read back.
const LEFT_OUT: [(&str, &[&str]); 19] = [
    ("checksum-mismatch refused-abort", &["refused_abort.ps.dxbc"]),
    ("clip distances come from a vertex stage", &["io_clip_read.ps.dxbc", "pair_clip.ps.dxbc"]),
    ("gl_SampleMask[0] cannot be read back", &["io_coverage_both.ps.dxbc", "io_coverage_out.ps.dxbc"]),
    ("more varyings than there are attributes to feed them", &["limit_31_varyings.ps.dxbc"]),
    ("refused-abort", &["refused_made_abort.ps.dxbc"]),
    ("refused-attributes", &["limit_20_attributes.vs.dxbc"]),
    (
        "refused-cube-array",
        &[
            "a040_gather.ps.dxbc",
            "a040_gather.sm41.ps.dxbc",
            "a041_gather_compare.ps.dxbc",
            "a049_cube_array_compare.ps.dxbc",
            "a057_dims_float.ps.dxbc",
            "a061_dimensions.od.ps.dxbc",
            "a061_dimensions.ps.dxbc",
            "tex_cube_kinds.ps.dxbc",
            "tex_dims_float.sm41.ps.dxbc",
        ],
    ),
    (
        "refused-double",
        &[
            "refused_double_moves.ps.dxbc",
            "refused_doubles.ps.dxbc",
            "refused_doubles.vs.dxbc",
            "refused_made_doubles.ps.dxbc",
        ],
    ),
    ("refused-inner-coverage", &["io_inner_coverage.ps.dxbc"]),
    ("refused-inner-coverage refused-stencil-ref", &["refused_made_stencil.ps.dxbc"]),
    (
        "refused-interface",
        &["refused_interface_return.ps.dxbc", "refused_interfaces.ps.dxbc", "refused_interfaces.vs.dxbc"],
    ),
    ("refused-layer-output", &["io_layer.vs.dxbc"]),
    (
        "refused-multisample-texture",
        &[
            "a057_dims_int.ps.dxbc",
            "a057_dims_uint.ps.dxbc",
            "a057_dims_unorm_snorm.ps.dxbc",
            "a063_multisample.ps.dxbc",
            "a063_multisample.sm41.ps.dxbc",
        ],
    ),
    (
        "refused-multisample-texture refused-sample-query",
        &[
            "refused_sample_position.ps.dxbc",
            "refused_sample_position.sm41.ps.dxbc",
            "tex_dimensions_ms.ps.dxbc",
        ],
    ),
    (
        "refused-multisample-texture refused-tiled-feedback refused-uav",
        &["refused_made_feedback.ps.dxbc", "refused_tiled_feedback.ps.dxbc"],
    ),
    ("refused-primitive-id", &["io_prim_id.ps.dxbc", "io_sv_all.ps.dxbc"]),
    ("refused-stencil-ref", &["io_stencil_ref.ps.dxbc"]),
    (
        "refused-uav",
        &[
            "refused_append_consume.ps.dxbc",
            "refused_atomics.ps.dxbc",
            "refused_made_atomics.ps.dxbc",
            "refused_rasterizer_ordered.ps.dxbc",
            "refused_uav.vs.dxbc",
            "refused_uav_arrays.ps.dxbc",
            "refused_uav_raw.ps.dxbc",
            "refused_uav_structured.ps.dxbc",
            "refused_uav_typed.ps.dxbc",
            "sm51_refused_uav.ps.dxbc",
        ],
    ),
    ("refused-unbounded-array", &["sm51_unbounded.ps.dxbc"]),
];

/// Whether a row does what `fast` leaves open.
type Gives = fn(&Program, &Scene, usize) -> bool;

/// What `fast` gives up in a fixture, by `docs/fidelity.md`, where a driver takes it up: loads outside of the texture, or
/// integers of floats that are not in their range. In other rows nothing may differ.
const FAST: [(&str, Backend, Gives); 7] = [
    ("a068_integer_textures.ps.dxbc", Backend::Angle, loads_nothing),
    ("a104_target_types.ps.dxbc", Backend::Mesa, converts_outside),
    ("io_target_partial.ps.dxbc", Backend::Mesa, converts_outside),
    ("tex_1d.ps.dxbc", Backend::Angle, loads_nothing),
    ("tex_load.ps.dxbc", Backend::Angle, loads_nothing),
    ("tex_load.sm40.ps.dxbc", Backend::Angle, loads_nothing),
    ("tex_saturate.ps.dxbc", Backend::Angle, loads_nothing),
];

/// Why nothing was compared, in short.
fn reason(why: &Skipped) -> String {
    match why {
        Skipped::Refused(codes) => {
            let codes: BTreeSet<&str> = codes.split(' ').collect();
            codes.into_iter().collect::<Vec<_>>().join(" ")
        }
        Skipped::Scene(what) => what.clone(),
        Skipped::Executor(error) => {
            let code = error.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
            code.map_or(error.as_str(), |(code, _)| code).into()
        }
    }
}

/// Scenes that are tried for one in which every loop ends, and instructions after which a row is taken for endless.
const ATTEMPTS: u64 = 8;
const ENDLESS: u64 = 4000;

/// A random scene in which every row ends: those that do not get inputs of one that does, and where none does, other
/// constants may help.
fn scene_that_ends(subject: &Subject<'_>, seed: u64) -> Option<Scene> {
    let ends = |scene: &Scene, row| {
        let executor = Executor::new(&subject.program).map(|executor| executor.limit(ENDLESS));
        executor.is_ok_and(|executor| execute_row(&executor, scene, row, &mut |_| {}).is_ok())
    };
    let scene = |seed| Scene::random(&subject.container, &subject.program, seed);
    let tried = (0..ATTEMPTS).filter_map(|n| scene(seed + 2 * n)).find_map(|mut scene| {
        let replaced = scene.replace_endless(ends);
        replaced.then_some(scene)
    });
    tried.or_else(|| scene(seed))
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(20)).unwrap();
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let only = std::env::var("ONLY").unwrap_or_default();
    let shake = shake(backend);
    let (mut bad, mut compared, mut sensitive, mut seen) = (0, 0, 0, BTreeSet::new());
    let (mut left_out, mut own, mut given) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for path in fixtures() {
        let name = name(&path);
        if !name.contains(&only) {
            continue;
        }
        let known = KNOWN.iter().find(|(n, b, ..)| *n == name && *b == backend);
        let gives = FAST.iter().find(|(n, b, _)| *n == name && *b == backend);
        let bytes = std::fs::read(&path).unwrap();
        let subject = Subject::new(&bytes).unwrap();
        let mut scenes = BTreeMap::new();
        // The default options with every seed, the others with the first.
        let ways = (0..seeds).map(|seed| (seed, Fidelity::Strict, Registers::Typed));
        let others = [
            (Fidelity::Strict, Registers::Float),
            (Fidelity::Fast, Registers::Typed),
            (Fidelity::Fast, Registers::Float),
        ];
        for (seed, fidelity, registers) in ways.chain(others.map(|(f, r)| (0, f, r))) {
            let options = Options { fidelity, registers, ..draw::options() };
            let result = translate(&bytes, &options).map_err(Failed::Skipped).and_then(|translation| {
                let scene = scenes
                    .entry(seed)
                    .or_insert_with(|| Some(scene_that_ends(&subject, seed)?.on(backend, &subject.program)));
                let scene = scene.as_ref().ok_or_else(|| Skipped::Scene("no input signature".into()));
                let scene = scene.map_err(Failed::Skipped)?;
                Ok((compare_scene(&mut worker, &subject, &translation, scene, PLAIN)?, scene))
            });
            match result {
                Ok((mut c, scene)) => {
                    let found = c.differences.len();
                    c.differences.retain(|d| !is_sensitive(&subject.program, scene, d, &shake));
                    if let Some((_, _, said, why)) = known {
                        if said.is_none() && !c.differences.is_empty() {
                            own.insert(name.clone());
                        } else {
                            bad += 1;
                            println!(
                                "{name} seed {seed} {fidelity:?} {registers:?} is drawn, although {why}"
                            );
                        }
                        continue;
                    }
                    compared += 1;
                    sensitive += found - c.differences.len();
                    seen.extend(subject.program.instructions.iter().map(|i| i.opcode));
                    if fidelity == Fidelity::Fast {
                        // What it does not promise of any fixture.
                        c.differences.retain(|d| {
                            !packs_inexactly(&subject.program, scene, d.row)
                                && !overflows(&subject.program, scene, d.row, true)
                        });
                        if let Some((name, _, gives)) = gives {
                            let found = c.differences.len();
                            c.differences.retain(|d| !gives(&subject.program, scene, d.row));
                            if c.differences.len() < found {
                                given.insert(*name);
                            }
                        }
                    }
                    bad += u32::from(!c.is_same(&format!("{name} seed {seed} {fidelity:?} {registers:?}")));
                }
                Err(Failed::Skipped(why)) => {
                    left_out.insert(name.clone(), reason(&why));
                    break;
                }
                Err(Failed::Draw(e)) if known.is_some_and(|k| k.2.is_some_and(|said| e.contains(said))) => {
                    own.insert(name.clone());
                    break;
                }
                Err(Failed::Draw(e)) => {
                    bad += 1;
                    println!("FAIL {name} {fidelity:?} {registers:?}: {e}");
                    break;
                }
            }
        }
    }
    println!("{compared} comparisons, {sensitive} values within what small errors make of them");
    assert_eq!(bad, 0);
    if only.is_empty() {
        let named = LEFT_OUT.iter().flat_map(|(reason, names)| names.iter().map(move |n| (*n, *reason)));
        let found = left_out.iter().map(|(name, reason)| (name.as_str(), reason.as_str()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), named.collect(), "fixtures that are not compared");
        let known = KNOWN.iter().filter(|(_, b, ..)| *b == backend).map(|(n, ..)| (*n).to_owned());
        assert_eq!(own, known.collect(), "fixtures that the driver draws in its own way");
        let gives = FAST.iter().filter(|(_, b, _)| *b == backend).map(|(n, ..)| *n);
        assert_eq!(given, gives.collect(), "fixtures of which `fast` gives something up");
        assert!(compared > 1000, "only {compared} comparisons");
        let missing: Vec<_> = executed().filter(|o| !seen.contains(o)).map(|o| o.name()).collect();
        let known: &[&str] = match backend {
            Backend::Angle => &[],
            // They fail on points.
            Backend::Mesa => &["eval_snapped", "eval_sample_index", "eval_centroid"],
        };
        let known: Vec<_> = known.iter().chain(&WITH_STATUS).copied().collect();
        assert_eq!(missing, known, "opcodes that no fixture compares");
    }
}

/// Forms with a status that is `null` whose opcodes without it are in fixtures; `reads.rs` has them.
const WITH_STATUS: [&str; 9] = [
    "gather4_s",
    "gather4_c_s",
    "gather4_po_s",
    "gather4_po_c_s",
    "ld_s",
    "ld_raw_s",
    "ld_structured_s",
    "sample_l_s",
    "sample_c_lz_s",
];

/// Opcodes of vertex and pixel shaders that are translated and do something.
fn executed() -> impl Iterator<Item = Opcode> {
    Opcode::ALL.iter().copied().filter(|o| {
        let info = o.info();
        (info.stages.contains(Stage::Vertex) || info.stages.contains(Stage::Pixel))
            && o.is_sayable()
            && !o.is_declaration()
    })
}

/// The executor alone: every vertex and pixel fixture runs to its end, or to its `abort`.
#[test]
fn executor() {
    let (mut ran, mut endless) = (0, 0);
    for path in fixtures() {
        let name = name(&path);
        let bytes = std::fs::read(&path).unwrap();
        let Ok(subject) = Subject::new(&bytes) else { continue };
        for seed in 0..4 {
            let Some(scene) = Scene::random(&subject.container, &subject.program, seed) else { break };
            match execute(&subject.program, &scene, 1_000_000) {
                Ok(_) => ran += 1,
                // A loop that random numbers do not end.
                Err(Skipped::Executor(e)) if e.contains("exec-step-limit") => endless += 1,
                Err(Skipped::Executor(e)) if e.contains("exec-aborted") => {
                    assert!(name.contains("abort"), "{name}: {e}");
                }
                Err(e) => panic!("{name}: {e:?}"),
            }
        }
    }
    assert!(ran > 1000 && endless < 20, "{ran} runs, {endless} without end");
}

/// The executor alone, on the corpus where there is one.
#[test]
fn executor_on_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut ran = 0;
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(Result::ok).map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let Ok(subject) = Subject::new(&bytes) else { continue };
            if !matches!(subject.program.stage, Stage::Vertex | Stage::Pixel) {
                continue;
            }
            let Some(scene) = Scene::random(&subject.container, &subject.program, 0) else { continue };
            match execute(&subject.program, &scene, 1_000_000) {
                Ok(_) => ran += 1,
                Err(Skipped::Executor(e)) if e.contains("exec-step-limit") || e.contains("exec-aborted") => {}
                Err(e) => panic!("{}: {e:?}", path.display()),
            }
        }
    }
    println!("{ran} ran");
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}
