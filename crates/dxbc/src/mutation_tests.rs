//! Damages a sound container in many seeded ways and reads all of it: whatever the bytes, the readers return.

use crate::linkage::tests::linkage;
use crate::reflection::TypeTable;
use crate::testing::{container, reflection, signature, words};
use crate::{Container, scan};

/// xorshift64*, enough to spread damage.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

fn sound() -> Vec<u8> {
    let row = [0, 1, 3, 0, 0x0f0f];
    let long_row = [0, 1, 3, 0, 0x0f0f, 1];
    container(&[
        (*b"RDEF", reflection()),
        (*b"ISGN", signature(false, &[("POSITION", &row), ("TEXCOORD", &row)])),
        (*b"OSG5", signature(true, &[("SV_Position", &row)])),
        (*b"PSG1", signature(true, &[("SV_TessFactor", &long_row)])),
        (*b"SHEX", words(&[0x0000_0050, 3, 0x0100_003e])),
        (*b"IFCE", linkage()),
        (*b"SFI0", vec![0; 8]),
        (*b"STAT", vec![0; 37 * 4]),
    ])
}

/// Reads everything there is and counts what could be read.
fn read_all(input: &[u8]) -> usize {
    let mut read = scan::find_all(input).count();
    let Ok(c) = Container::parse(input) else { return read };
    read += c.chunks().map(|c| c.data.len()).max().unwrap_or(0);
    read += usize::from(c.check_checksum().is_some());
    read += usize::from(c.program_chunk().is_ok());
    for signature in [c.input_signature(), c.output_signature(), c.patch_constant_signature()] {
        read += signature.ok().flatten().map_or(0, |s| s.elements.len());
    }
    read += usize::from(c.statistics().is_ok()) + usize::from(c.feature_flags().is_ok());
    if let Ok(Some(l)) = c.linkage() {
        read += l.classes().flatten().count() + l.instances().flatten().count();
        read += (0..4).flat_map(|slot| (0..3).filter_map(move |class| l.table(slot, class))).count();
    }
    let Ok(Some(r)) = c.reflection() else { return read };
    read += usize::from(r.creator().is_ok()) + r.bindings().flatten().count();
    let mut types = TypeTable::new(&r);
    for variable in r.constant_buffers().flatten().flat_map(|b| b.variables()).flatten() {
        read += usize::from(types.resolve(variable.type_offset).is_ok());
    }
    read
}

#[test]
fn damaged_containers_are_read_or_refused() {
    let sound = sound();
    let all = read_all(&sound);
    assert!(Container::parse(&sound).unwrap().reflection().unwrap().is_some());
    let mut random = Random(0x5eed);
    for round in 0..30_000 {
        let mut bytes = sound.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.below(256) as u8,
                2 => {
                    let values = [0, 1, 0x7fff_ffff, u32::MAX, bytes.len() as u32, random.below(2000) as u32];
                    let value = values[random.below(values.len())].to_le_bytes();
                    for (to, from) in bytes.iter_mut().skip(at & !3).zip(value) {
                        *to = from;
                    }
                }
                _ if round % 8 == 0 => bytes.truncate(at.max(1)),
                _ => {
                    let from = random.below(bytes.len());
                    let len = random.below(64).min(bytes.len() - at.max(from));
                    bytes.copy_within(from..from + len, at);
                }
            }
        }
        // Nothing is read that is not there, whatever the counts say.
        assert!(read_all(&bytes) <= all + bytes.len());
    }
}

#[test]
fn every_truncation_is_read_or_refused() {
    let sound = sound();
    for len in 0..sound.len() {
        assert!(Container::parse(&sound[..len]).is_err());
        // The same with a size that agrees.
        let mut bytes = sound[..len].to_vec();
        if let Some(size) = bytes.get_mut(24..28) {
            size.copy_from_slice(&(len as u32).to_le_bytes());
        }
        read_all(&bytes);
    }
}
