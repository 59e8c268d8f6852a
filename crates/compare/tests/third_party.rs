//! The executor against another decoder of DXBC (see [`shaderport_compare::third_party`]): every fixture that its
//! tools take, and where it is at hand a sample of the shared corpus. Both tools must be there.
//!
//! `ONLY=name` takes those with that in their name and shows their text, `CORPUS=n` so many of the corpus.

use shaderport_compare::scene::Scene;
use shaderport_compare::third_party::{LIMITS, compare, text};
use shaderport_compare::{Failed, Subject, Tolerance};
use shaderport_dxbc::SystemValue;
use shaderport_dxbc::program::OperandKind;
use shaderport_gl_harness::{Backend, Worker};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the other side leaves open or does in its own way: part of the name, and the reason.
const KNOWN: [(&str, &str); 9] = [
    ("a013_bits_alias", "the bits of NaN as half float"),
    ("a020_inf_times_zero", "Mesa makes one power of a product of two"),
    ("a032_conversions", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("a084_temp_out_of_bounds", "vkd3d does not guard arrays"),
    ("a104_target_types", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("io_target_partial", "SPIR-V leaves open what negative floats are as unsigned integers"),
    ("made_depth_", "GL leaves open what becomes of depth on the wrong side"),
    ("arr_icb_mixed", "integers become decimal denormals on the way, which Mesa flushes"),
    ("arr_icb_uint", "integers become decimal denormals on the way, which Mesa flushes"),
];

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    let mut list: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    list.retain(|p| {
        let name = p.file_name().unwrap().to_string_lossy();
        name.ends_with(".vs.dxbc") || name.ends_with(".ps.dxbc")
    });
    list.sort();
    list
}

/// Vertex and pixel shaders of the shared corpus, by their hashes; none where there is no corpus.
fn corpus(count: usize) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(index) = std::fs::read_to_string(corpus.join("INDEX.tsv")) else { return Vec::new() };
    let rows = index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut rows: Vec<_> = rows.filter(|f| matches!(f[3], "vs" | "ps")).collect();
    rows.sort_by_key(|f| f[1]);
    rows.iter().take(count).map(|f| corpus.join(f[0])).collect()
}

/// A scene that fits the other side, too.
fn scene(subject: &Subject<'_>) -> Option<Scene> {
    let mut scene = Scene::random(&subject.container, &subject.program, 0)?;
    // It does not guard arrays: indices stay in range.
    let arrays = [OperandKind::IndexableTemp, OperandKind::ImmediateConstantBuffer];
    let indexed = subject.program.instructions.iter().any(|i| {
        let operands = subject.program.operands(i);
        operands.iter().any(|o| arrays.contains(&o.kind) && o.index.iter().any(|x| x.is_relative()))
    });
    let elements = scene.elements.clone();
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

/// Compares, and gives how many shaders there were.
fn run(files: &[PathBuf]) -> usize {
    let mut worker = Worker::new(Backend::Mesa, Duration::from_secs(30)).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let (mut bad, mut shaders, mut values) = (0, 0, 0);
    let mut left_out = BTreeMap::<&str, usize>::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        if let Some((_, why)) = KNOWN.iter().find(|(known, _)| name.starts_with(known)) {
            *left_out.entry(why).or_default() += 1;
            continue;
        }
        let bytes = std::fs::read(path).unwrap();
        let subject = Subject::new(&bytes).unwrap();
        let Some(scene) = scene(&subject) else {
            *left_out.entry("no input signature").or_default() += 1;
            continue;
        };
        let text = text(path);
        if let (false, Ok(text)) = (only.is_empty(), &text) {
            println!("{}", text.glsl);
        }
        let result = text
            .map_err(Failed::Draw)
            .and_then(|text| compare(&mut worker, &text, &subject, &scene, Tolerance::floats(1e-4, 1e-4)));
        match result {
            Ok(c) => {
                shaders += 1;
                values += c.compared;
                bad += u32::from(!c.is_same(&name));
            }
            Err(e) => {
                let message = format!("{e:?}");
                match LIMITS.iter().find(|(part, _)| message.contains(part)) {
                    Some((_, why)) => *left_out.entry(why).or_default() += 1,
                    None => {
                        bad += 1;
                        println!("FAIL {name}: {message}");
                    }
                }
            }
        }
    }
    println!("{shaders} shaders, {values} values; left out:");
    for (why, n) in &left_out {
        println!("    {n}: {why}");
    }
    assert_eq!(bad, 0);
    shaders
}

/// A quarter of the fixtures.
#[test]
fn some_fixtures_as_another_decoder_reads_them() {
    let some: Vec<_> = fixtures().into_iter().step_by(4).collect();
    let shaders = run(&some);
    assert!(std::env::var_os("ONLY").is_some() || shaders >= 50, "only {shaders} shaders");
}

#[test]
#[ignore = "takes half a minute: for `./test`"]
fn fixtures_as_another_decoder_reads_them() {
    let shaders = run(&fixtures());
    assert!(std::env::var_os("ONLY").is_some() || shaders >= 200, "only {shaders} shaders");
}

#[test]
fn corpus_as_another_decoder_reads_it() {
    let count = std::env::var("CORPUS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let files = corpus(count);
    let shaders = run(&files);
    assert!(files.is_empty() || std::env::var_os("ONLY").is_some() || shaders * 2 > count, "only {shaders}");
}
