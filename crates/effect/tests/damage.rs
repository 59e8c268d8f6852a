//! Damages sound containers in many seeded ways: whatever the bytes, the reader returns, with a place for what is
//! wrong. `DAMAGED_CONTAINERS` sets how many.

mod common;

use common::*;
use shaderport_diagnostics::Severity;
use shaderport_effect::describe::Index;
use shaderport_effect::package::{BuildOptions, Plan};
use shaderport_effect::{read, write};

fn damage(sound: &[u8], r: &mut Random) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for _ in 0..=r.below(4) {
        let at = r.below(bytes.len());
        match r.below(8) {
            0 | 1 => bytes[at] ^= 1 << r.below(8),
            2 | 3 => bytes[at] = r.byte(),
            4 | 5 => {
                let values = [0, 1, 0x7fff_ffff, u32::MAX, bytes.len() as u32, r.below(5000) as u32];
                let value = values[r.below(values.len())].to_le_bytes();
                for (to, from) in bytes.iter_mut().skip(at).zip(value) {
                    *to = from;
                }
            }
            6 => {
                let from = r.below(bytes.len());
                let len = r.below(64).min(bytes.len() - at.max(from));
                bytes.copy_within(from..from + len, at);
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

#[test]
fn damaged_containers_are_read_or_refused() {
    let rounds = std::env::var("DAMAGED_CONTAINERS").ok().and_then(|n| n.parse().ok()).unwrap_or(8_000);
    // Short programs, so that damage meets structure.
    let pairs = [(b"VS\0\x01".to_vec(), b"PS\0\x02".to_vec()), (vec![1], b"Main\0".to_vec())];
    let sound: Vec<Vec<u8>> = (8..=15)
        .flat_map(|version| {
            let mut effect = some_effect(u64::from(version), &[2, 3], &pairs);
            let plain = OldWriter::write(&effect, version);
            effect.bodies.iter_mut().for_each(|b| b.backend_blocks = true);
            let blocks = if version == 15 { write(&effect).unwrap() } else { plain.clone() };
            [plain, blocks]
        })
        .collect();
    let mut r = Random(0x5eed);
    let options = BuildOptions::default();
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..rounds {
        let bytes = damage(&sound[round % sound.len()], &mut r);
        match read(&bytes) {
            Ok(found) => {
                accepted += 1;
                // What can be read can be written, and reads as the same.
                if round % 7 == 0 {
                    let index = Index::of(&found.effect);
                    assert_eq!(index.permutations.len(), found.effect.rows.len());
                    Plan::new(&found, &options);
                    let again = write(&found.effect).unwrap();
                    let again = read(&again).unwrap().effect;
                    assert_eq!(again.rows.len(), found.effect.rows.len());
                }
            }
            Err(e) => {
                refused += 1;
                assert!(e.iter().any(|d| d.severity == Severity::Error));
                assert!(e.iter().all(|d| d.place.byte_offset.is_some()), "{e:?}");
            }
        }
    }
    println!("{rounds} damaged containers: {refused} refused, {accepted} read");
    assert!(refused > rounds / 4 && accepted > rounds / 20, "{refused} refused, {accepted} read");
}

#[test]
fn every_truncation_is_refused() {
    let effect = some_effect(3, &[2], &[(vec![1, 2], vec![3])]);
    for version in 8..=15 {
        let sound = OldWriter::write(&effect, version);
        for len in 0..sound.len() {
            assert!(read(&sound[..len]).is_err(), "version {version}, {len} bytes");
        }
    }
}

/// References that overlap so that a small file names far more than it holds; the test runner ends what hangs.
#[test]
fn overlapping_references_are_bounded() {
    let len = 200_000u32;
    let mut bytes = 8u32.to_le_bytes().to_vec();
    bytes.extend(len.to_le_bytes());
    bytes.extend(vec![b'x'; len as usize - 1]);
    bytes.push(0);
    bytes.push(0);
    let rows = 20_000u32;
    bytes.extend(rows.to_le_bytes());
    let first = bytes.len() as u32 + rows * 12;
    // A technique with a long name and no passes, and no parameters.
    for row in 0..rows {
        for v in [row, first + row * 8, 8] {
            bytes.extend(v.to_le_bytes());
        }
    }
    for row in 0..rows {
        bytes.push(1);
        bytes.extend((row % 1000).to_le_bytes());
        bytes.extend([0, 0, 0]);
    }
    let e = read(&bytes).unwrap_err();
    assert!(e.last().unwrap().message.contains("overlap"));
}
