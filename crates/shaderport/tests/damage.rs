//! Whatever the bytes, every job ends with a value or a finding.

use shaderport::{DisasmOptions, Options, disassemble, find_containers, inspect};
use std::path::Path;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc").join(name)).unwrap()
}

/// One of each kind of thing that is read: reflection with structures and defaults, other stages, model 5.1.
const FIXTURES: [&str; 5] = [
    "cb_defaults.ps.dxbc",
    "cb_types.ps.dxbc",
    "stage_quad.hs.dxbc",
    "sm51_buffers.vs.dxbc",
    "level9_1.vs.dxbc",
];

fn every_job(bytes: &[u8]) {
    let found = find_containers(bytes);
    assert!(found.iter().all(|f| bytes.get(f.offset..f.offset + f.bytes.len()) == Some(f.bytes)));
    let inspection = inspect(bytes, &Options::default());
    let listing = disassemble(bytes, &DisasmOptions::default());
    if let Ok(inspection) = inspection {
        assert!(serde_json::to_string(&inspection).is_ok());
        // What can be listed can be described.
        assert_eq!(listing.is_ok(), inspection.program.is_some());
    } else {
        assert!(listing.is_err());
    }
}

#[test]
fn changed_bytes() {
    for name in FIXTURES {
        let good = fixture(name);
        for i in 0..good.len() {
            let mut bytes = good.clone();
            bytes[i] ^= [0xff, 0x01, 0x80][i % 3];
            every_job(&bytes);
        }
    }
}

#[test]
fn changed_words() {
    for name in FIXTURES {
        let good = fixture(name);
        for (i, value) in (0..good.len() / 4).flat_map(|i| [(i, 0), (i, u32::MAX), (i, 0x0001_0000)]) {
            let mut bytes = good.clone();
            bytes[i * 4..i * 4 + 4].copy_from_slice(&value.to_le_bytes());
            every_job(&bytes);
        }
    }
}

#[test]
fn shortened_files() {
    for name in FIXTURES {
        let good = fixture(name);
        for len in (0..good.len()).step_by(3) {
            every_job(&good[..len]);
        }
    }
}
