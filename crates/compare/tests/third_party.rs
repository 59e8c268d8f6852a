//! The executor against another decoder of DXBC (see [`shaderport_compare::third_party`]): every fixture that its
//! tools take, and where it is at hand a sample of the shared corpus. Its tools and lavapipe must be there.
//!
//! `ONLY=name` takes those with that in their name, `CORPUS=n` so many of the corpus.

use shaderport_compare::files::{corpus, fixtures, name};
use shaderport_compare::scene::Scene;
use shaderport_compare::third_party::{compare, module};
use shaderport_compare::{Failed, Subject, Tolerance};
use shaderport_dxbc::program::OperandKind;
use shaderport_dxbc::{Opcode, SystemValue};
use shaderport_vk_harness::Worker;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Why a fixture is left out: part of what vkd3d, `spirv-val` or the harness says of it, what that means, and of how many
/// fixtures. The opcodes and registers are those of vkd3d 1.2. What is said of a module that gives what the executor
/// gives is no reason to leave it out.
const LIMITS: [(&str, &str, usize); 18] = [
    ("Unrecognized opcode", "vkd3d does not know the opcode", 22),
    ("Unhandled register type", "vkd3d does not know the register", 4),
    ("Invalid DXBC checksum", "vkd3d insists on the checksum", 2),
    ("vkd3d_write_mask_component_count", "vkd3d fails on cubes with gradients or offsets", 2),
    ("a range of which several", "vkd3d takes one resource for a whole range", 8),
    ("Relative addressing not implemented", "vkd3d drops indices of inputs and outputs", 4),
    ("Texel offset not supported", "vkd3d drops offsets of comparisons", 2),
    ("Load must appear in a block", "vkd3d does not know interfaces", 2),
    ("operands to have the same dimension", "vkd3d takes vectors from numbers (`firstbit_hi`)", 3),
    ("Vector access is out of bounds", "vkd3d has no place for what cube arrays are compared with", 1),
    ("does not match Pointer", "vkd3d reads clip distances as vectors", 2),
    ("ShaderViewportIndexLayerEXT", "vkd3d does not say that it writes layers", 1),
    ("OpControlBarrier requires", "SPIR-V has barriers in compute shaders alone", 2),
    ("is not bound", "the scene has no multisampled textures", 8),
    ("no value to compare", "nothing is written", 2),
    ("which the harness has not", "views for writing", 8),
    ("did not end within", "a loop that random numbers do not end", 5),
    ("timeout", "Mesa takes too long to compile the module", 1),
];

/// What takes longer to compile than anyone waits, so that no time is lost with it.
const SLOW: &str = "a096_icb_1024.ps.dxbc";

/// What the other side leaves open or does in its own way, so that fixtures differ: their names, and the reason.
const KNOWN: [(&str, &str); 10] = [
    ("a013_bits_alias.ps", "the bits of NaN as half float"),
    ("a020_inf_times_zero.ps", "Mesa makes one power of a product of two"),
    ("a032_conversions.ps", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("a084_temp_out_of_bounds.ps", "vkd3d does not guard arrays"),
    ("a104_target_types.ps", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("fs_font_distance_field_subpixel.ps.01d408e6", "vkd3d does not guard arrays"),
    ("io_coverage_out.ps", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("io_target_partial.ps", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("made_depth_greater.ps", "vkd3d does not say on which side depth is to be"),
    ("made_depth_less.ps", "vkd3d does not say on which side depth is to be"),
];

/// A scene that fits the other side, too.
fn scene(subject: &Subject<'_>) -> Option<Scene> {
    let mut scene = Scene::random(&subject.container, &subject.program, 0)?;
    // It does not guard arrays, and SPIR-V leaves open what large offsets do: indices and offsets stay small.
    let arrays = [OperandKind::IndexableTemp, OperandKind::ImmediateConstantBuffer];
    let indexed = subject.program.instructions.iter().any(|i| {
        let operands = subject.program.operands(i);
        matches!(i.opcode, Opcode::Gather4Po | Opcode::Gather4PoC)
            || operands.iter().any(|o| arrays.contains(&o.kind) && o.index.iter().any(|x| x.is_relative()))
    });
    let elements = scene.elements.clone();
    if indexed && elements.iter().any(|e| e.system == SystemValue::VertexId) {
        scene.inputs.truncate(2);
    }
    for (row, inputs) in scene.inputs.iter_mut().enumerate() {
        for e in &elements {
            for l in (0..4).filter(|l| e.mask >> l & 1 != 0) {
                let bits = &mut inputs.registers[e.register][l];
                // Each point is a primitive.
                if e.system == SystemValue::PrimitiveId {
                    *bits = row as u32;
                } else if indexed && e.kind != shaderport_exec::TexelKind::Float {
                    *bits &= 1;
                }
            }
        }
    }
    if indexed {
        for buffer in scene.bindings.constants.values_mut() {
            let mut rows = buffer.rows().to_vec();
            // Which of them is an index is not to be seen where `mov` copies it first.
            rows.iter_mut().flatten().for_each(|w| *w = w.count_ones() & 1);
            *buffer = shaderport_exec::ConstantBuffer::from_rows(rows).into();
        }
    }
    Some(scene)
}

/// What came of some shaders.
#[derive(Default)]
struct Found {
    same: usize,
    values: usize,
    /// How many are left out, by the reason.
    left_out: BTreeMap<&'static str, usize>,
}

/// Compares; none may differ, or be left out, without a reason.
fn run(files: &[PathBuf]) -> Found {
    let mut workers = [30, 1].map(|seconds| Worker::new(Duration::from_secs(seconds)).unwrap());
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut found, mut bad) = (Found::default(), 0);
    for path in files {
        let name = name(path);
        if !name.contains(&only) {
            continue;
        }
        let bytes = std::fs::read(path).unwrap();
        let subject = Subject::new(&bytes).unwrap();
        let scene = scene(&subject).unwrap_or_else(|| panic!("{name} has no input signature"));
        let mut said = String::new();
        let result = module(path).map_err(Failed::Draw).and_then(|module| {
            said.clone_from(&module.warnings);
            let worker = &mut workers[usize::from(name == SLOW)];
            compare(worker, &module, &subject, &scene, Tolerance::floats(1e-4, 1e-4))
        });
        let known = KNOWN.iter().find(|(known, _)| name == format!("{known}.dxbc")).map(|(_, why)| *why);
        let comparison = match result {
            Ok(c) if c.differences.is_empty() => {
                found.same += 1;
                found.values += c.compared;
                if let Some(why) = known {
                    bad += 1;
                    println!("SAME {name}, although {why}");
                }
                continue;
            }
            Ok(c) => Some(c),
            Err(e) => {
                said += &format!("{e:?}");
                None
            }
        };
        let limit = || LIMITS.iter().find(|(part, ..)| said.contains(part)).map(|(_, why, _)| *why);
        if let Some(why) = known.filter(|_| comparison.is_some()).or_else(limit) {
            *found.left_out.entry(why).or_default() += 1;
            continue;
        }
        bad += 1;
        match comparison {
            Some(c) => assert!(!c.is_same(&name)),
            None => println!("FAIL {name}"),
        }
        println!("    {said}");
    }
    println!("{} shaders, {} values; left out:", found.same, found.values);
    for (why, n) in &found.left_out {
        println!("    {n}: {why}");
    }
    assert_eq!(bad, 0);
    found
}

/// Whether all shaders of a list are taken.
fn all() -> bool {
    std::env::var_os("ONLY").is_none()
}

#[test]
fn fixtures_as_another_decoder_reads_them() {
    let files = fixtures();
    let found = run(&files);
    if all() {
        assert!(found.same >= 305, "only {} shaders", found.same);
        // A reason is no free pass: it holds for as many as it says.
        let mut expected = BTreeMap::<&str, usize>::new();
        let is_fixture = |name: &str| files.iter().any(|p| p.ends_with(format!("{name}.dxbc")));
        let known = KNOWN.iter().filter(|(name, _)| is_fixture(name)).map(|(_, why)| (*why, 1));
        let reasons = LIMITS.iter().map(|&(_, why, n)| (why, n)).chain(known);
        reasons.for_each(|(why, n)| *expected.entry(why).or_default() += n);
        assert_eq!(found.left_out, expected);
    }
}

#[test]
fn corpus_as_another_decoder_reads_it() {
    let count = std::env::var("CORPUS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let files: Vec<_> = corpus().into_iter().take(count).collect();
    let found = run(&files);
    assert!(files.is_empty() || !all() || found.same * 30 >= count * 29, "only {} shaders", found.same);
}
