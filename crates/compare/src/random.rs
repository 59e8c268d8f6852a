//! Random numbers that are the same on every machine.

/// A generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed; every seed gives another sequence.
    pub fn new(seed: u64) -> Random {
        // Seeds that are near each other should not begin alike.
        let mut random = Random((seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1);
        random.bits();
        random
    }

    /// 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// Less than `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(bound)) >> 32) as u32
    }

    /// One of `list`, which is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// An odd multiple of 1/256 from `low` up to `high`. Sums of such numbers are exact, and none of them lies at the
    /// edge of a texel, where implementations may choose either side.
    pub fn dyadic(&mut self, low: f32, high: f32) -> f32 {
        let steps = ((high - low) * 128.0) as u32;
        low + (self.below(steps) as f32 + 0.5) / 128.0
    }
}
