//! Seeded damage: no panic, no hang, findings bounded.

use crate::{read, reflect};

/// A small generator, so that a failure is found again by its number.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        let words = bytes.len() / 4;
        let word = rng.below(words) * 4;
        match rng.below(8) {
            0 => {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
            1 => bytes.truncate(rng.below(bytes.len()).max(1)),
            2 => bytes.truncate(word.max(4)),
            3 if words > 0 => bytes[word..word + 4].copy_from_slice(&(rng.next() as u32).to_le_bytes()),
            4 if words > 0 => bytes[word..word + 4].copy_from_slice(&(rng.below(200) as u32).to_le_bytes()),
            5 if words > 0 => bytes[word..word + 4].copy_from_slice(&u32::MAX.to_le_bytes()),
            6 if words > 1 => {
                let from = rng.below(words - 1) * 4;
                let copy: [u8; 4] = [bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]];
                bytes[word..word + 4].copy_from_slice(&copy);
            }
            _ if words > 1 => {
                bytes.drain(word..word + 4);
            }
            _ => {}
        }
        if bytes.is_empty() {
            return;
        }
    }
}

/// Rounds; `SPIRV_MUTATIONS` asks for more (the figure is 200,000).
fn rounds() -> usize {
    std::env::var("SPIRV_MUTATIONS").ok().and_then(|v| v.parse().ok()).unwrap_or(6_000)
}

#[test]
fn damaged_modules_are_read_to_the_end() {
    let seeds = crate::tests::fixtures();
    assert!(!seeds.is_empty());
    let mut rng = Rng(0x5eed_0001);
    for round in 0..rounds() {
        let mut bytes = seeds[round % seeds.len()].1.clone();
        mutate(&mut bytes, &mut rng);
        let reading = read(&bytes);
        assert!(reading.diagnostics.len() <= 257, "round {round}");
        if let Some(module) = &reading.module {
            let r = reflect(module);
            assert!(r.types.len() <= bytes.len());
        }
    }
}
