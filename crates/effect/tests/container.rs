//! Reading, writing and upgrading containers.

mod common;

use common::*;
use shaderport_diagnostics::{Severity, codes::effect as codes};
use shaderport_effect::model::*;
use shaderport_effect::{read, write};

/// The worked example of the format's description: no axes, one pass of two programs of four bytes.
fn minimal() -> Effect<'static> {
    let stage = |kind, program: &'static [u8]| Stage {
        kind,
        program: Blob::new(program),
        thread_group: [0; 3],
        inputs: vec![],
        set: InputSet::default(),
    };
    let stages = vec![stage(StageKind::Vertex, b"VS\0\x01"), stage(StageKind::Pixel, b"PS\0\x02")];
    let pass = Pass { stages, ..Pass::default() };
    let body =
        Body { techniques: vec![Technique { name: "Main".into(), passes: vec![pass] }], ..Body::default() };
    Effect {
        version: 15,
        provenance: Provenance { compiler: [1, 2, 6, 0], hash: [b'0'; 32] },
        axes: vec![],
        rows: vec![Row { index: 0, body: 0 }],
        bodies: vec![body],
    }
}

/// The worked example's bytes.
fn minimal_bytes() -> Vec<u8> {
    let hex = "0f000000010206003030303030303030303030303030303030303030303030303030303030303030\
        0d0000004d61696e0050530002565300010001000000000000004a0000005b000000010000000001\
        020004000000090000000000000000000000000000000000000000000000000000ffffffff000000\
        000104000000050000000000000000000000000000000000000000000000000000ffffffff000000\
        0000000000";
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

#[test]
fn the_worked_example() {
    let bytes = minimal_bytes();
    assert_eq!(bytes.len(), 165);
    assert_eq!(write(&minimal()).unwrap(), bytes);
    let found = read(&bytes).unwrap();
    assert_eq!(found.effect, minimal());
    assert!(found.diagnostics.is_empty());
    // The same as version 8.
    let old = OldWriter::write(&minimal(), 8);
    assert_eq!(old.len(), 140);
    assert_eq!(write(&read(&old).unwrap().effect).unwrap(), bytes);
}

#[test]
fn the_worked_example_with_a_backend_block() {
    let mut effect = minimal();
    let body = &mut effect.bodies[0];
    body.backend_blocks = true;
    body.techniques[0].passes[0].backend_block = Blob::new(&[1, 0, 0][..]);
    let bytes = write(&effect).unwrap();
    assert_eq!(bytes.len(), 176);
    assert_eq!(bytes[0x2c..0x2f], [1, 0, 0]);
    assert_eq!(read(&bytes).unwrap().effect, effect);
    // A pass without a block keeps the null reference.
    effect.bodies[0].techniques[0].passes[0].backend_block = Blob::default();
    let bytes = write(&effect).unwrap();
    assert_eq!(bytes.len(), 173);
    assert_eq!(read(&bytes).unwrap().effect, effect);
}

#[test]
fn every_version_reads_and_upgrades() {
    let pairs = pairs();
    for seed in 1..=10 {
        let effect = some_effect(seed * 77, &[2, 3, 1, 2], &pairs[..6]);
        for version in 8..=15 {
            let old = OldWriter::write(&effect, version);
            let found = read(&old).unwrap_or_else(|e| panic!("version {version}: {e:?}"));
            assert_eq!(found.effect, degraded(&effect, version), "version {version}");
            assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
            let new = write(&found.effect).unwrap();
            let mut again = read(&new).unwrap();
            assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics);
            assert_eq!(again.effect.version, 15);
            again.effect.version = version;
            // Bodies that differed only in what the old version does not store have become one.
            for row in 0..effect.rows.len() {
                assert_eq!(body_of(&again.effect, row), body_of(&found.effect, row), "version {version}");
            }
            assert_eq!(again.effect.axes, found.effect.axes);
            assert_eq!(write(&again.effect).unwrap(), new);
        }
    }
}

fn body_of<'e, 'a>(effect: &'e Effect<'a>, row: usize) -> &'e Body<'a> {
    &effect.bodies[effect.rows[row].body as usize]
}

#[test]
fn the_writer_keeps_bytes() {
    let pairs = pairs();
    for seed in 1..=20 {
        let bytes = write(&some_effect(seed, &[2, 2, 3], &pairs[..4])).unwrap();
        assert_eq!(write(&read(&bytes).unwrap().effect).unwrap(), bytes);
    }
}

/// A version 14 file of the one reader that keeps version 13's order of a stage.
#[test]
fn version_14_in_the_other_order() {
    let bytes = OldWriter::write(&minimal(), 14);
    let row = bytes.len() - 91;
    let mut other = bytes.clone();
    // In this order inputs, registers and static samplers come first: three zero bytes.
    for stage in [row + 7, row + 7 + 40] {
        other[stage + 1..stage + 24].rotate_right(3);
    }
    assert_ne!(bytes, other);
    assert_eq!(read(&bytes).unwrap().effect, read(&other).unwrap().effect);
}

fn code_at(bytes: &[u8]) -> (&'static str, Option<u32>) {
    let e = read(bytes).unwrap_err();
    assert!(e.iter().all(|d| d.place.byte_offset.is_some()), "{e:?}");
    let e = e.iter().find(|d| d.severity == Severity::Error).unwrap();
    (e.code.name(), e.place.byte_offset)
}

#[test]
fn faults_have_places() {
    let good = minimal_bytes();
    let set = |at: usize, value: u32| {
        let mut b = good.clone();
        b[at..at + 4].copy_from_slice(&value.to_le_bytes());
        b
    };
    let set1 = |at: usize, value: u8| {
        let mut b = good.clone();
        b[at] = value;
        b
    };
    for (bytes, code, at) in [
        (vec![], "effect-truncated", 0),
        (set(0, 16), "effect-version", 0),
        (set(0, 7), "effect-version", 0),
        (set(0x28, 1000), "effect-count", 0x28),
        (set1(0x39, 200), "effect-count", 0x39),
        (set(0x3a, 0), "effect-rows", 0x3a),
        (set(0x3a, 100), "effect-count", 0x3a),
        (set(0x42, 0x49), "effect-rows", 0x42),
        (set(0x42, 0x4b), "effect-rows", 0x42),
        (set(0x46, 0), "effect-rows", 0x42),
        (set(0x46, 0x5a), "effect-truncated", 0xa3),
        (set(0x4b, 12), "effect-reference", 0x4b),
        (set(0x4b, 13), "effect-reference", 0x4b),
        (set1(0x4f, 65), "effect-count", 0x4f),
        (set1(0x51, 6), "effect-stage", 0x51),
        (set1(0x79, 0), "effect-stage", 0x79),
        (set(0x52, 5), "effect-reference", 0x52),
        (set(0x69, 99), "effect-count", 0x69),
    ] {
        assert_eq!(code_at(&bytes), (code, Some(at)), "{code} at {at:#x}");
    }
    let mut longer = good.clone();
    longer.push(0);
    let found = read(&longer).unwrap();
    assert_eq!(found.diagnostics[0].code, codes::SLACK);
    longer[0x46] += 1;
    assert_eq!(code_at(&longer), ("effect-body-length", Some(165)));
}

#[test]
fn oddities_are_warnings() {
    let mut e = minimal();
    e.rows = vec![Row { index: 5, body: 0 }, Row { index: 1, body: 0 }];
    let pass = &mut e.bodies[0].techniques[0].passes[0];
    pass.render_states = vec![RenderState { state: 7, value: 0 }, RenderState { state: 7, value: 1 }];
    let bytes = write(&e).unwrap();
    let found = read(&bytes).unwrap();
    let names: Vec<_> = found.diagnostics.iter().map(|d| d.code.name()).collect();
    assert_eq!(names, ["effect-row-index", "effect-duplicate", "effect-row-count"]);
    assert_eq!(write(&found.effect).unwrap(), bytes);
    // More combinations than can be counted are more than there are rows.
    for (axes, expected) in [(8, "17878103347812890625"), (9, "2^64 or more")] {
        let mut e = minimal();
        let axis = |n| Axis {
            name: format!("AXIS_{n}").into(),
            default_option: 0,
            description: "".into(),
            kind: 0,
            options: vec!["x".into(); 255],
        };
        e.axes = (0..axes).map(axis).collect();
        let bytes = write(&e).unwrap();
        let [d] = &read(&bytes).unwrap().diagnostics[..] else { panic!() };
        assert_eq!(d.code, codes::ROW_COUNT);
        assert_eq!(d.message, format!("1 rows for {expected} combinations of options"));
    }
}

#[test]
fn what_cannot_be_written_is_named() {
    let mut e = minimal();
    e.bodies[0].techniques[0].name = "a\0b".into();
    assert_eq!(write(&e).unwrap_err()[0].code, codes::UNWRITABLE);
    let mut e = minimal();
    let states = (0..65).map(|state| RenderState { state, value: 0 }).collect();
    e.bodies[0].techniques[0].passes[0].render_states = states;
    e.rows.push(Row { index: 1, body: 9 });
    assert_eq!(write(&e).unwrap_err().len(), 2);
}
