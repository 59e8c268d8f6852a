//! The checksum in a container's header: MD5 with a padding of its own.
//!
//! The digest covers everything from byte 20 on and uses MD5's compression function and initial state
//! (RFC 1321). Only the end differs: the length in bits is the *first* word of the last block, and the last
//! word is twice the length in bytes with the lowest bit set.

/// First byte that the checksum covers.
const COVERED_FROM: usize = 20;
const BLOCK_LEN: usize = 64;

/// The integer part of 2^32 |sin i|, for i from 1.
#[rustfmt::skip]
const CONSTANTS: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

/// The checksum that belongs into bytes 4 to 19 of `container`, which must be the container alone, without
/// input that follows it. Never fails: an input shorter than 20 bytes has the digest of nothing.
pub fn of(container: &[u8]) -> [u8; 16] {
    let covered = container.get(COVERED_FROM..).unwrap_or_default();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    // The compiler must not know the constants: it would add them last, a step on the longest chain of each round,
    // where they can be added while the chain still waits.
    let constants = std::hint::black_box(&CONSTANTS);
    let (blocks, rest) = covered.as_chunks::<BLOCK_LEN>();
    for block in blocks {
        compress(&mut state, block, constants);
    }
    // Sizes in a container are 32 bits wide, and so is the arithmetic on them.
    let bits = (covered.len() as u32).wrapping_mul(8);
    let first = bits.to_le_bytes();
    let last = (bits >> 2 | 1).to_le_bytes();
    let mut block = [0; BLOCK_LEN];
    // The last block holds eight bytes of lengths, so up to 55 bytes of data and the marker fit beside them.
    let data_at = if rest.len() < BLOCK_LEN - 8 { first.len() } else { 0 };
    for (to, from) in block.iter_mut().skip(data_at).zip(rest.iter().chain(&[0x80])) {
        *to = *from;
    }
    if data_at == 0 {
        compress(&mut state, &block, constants);
        block = [0; BLOCK_LEN];
    }
    if let Some(to) = block.first_chunk_mut() {
        *to = first;
    }
    if let Some(to) = block.last_chunk_mut() {
        *to = last;
    }
    compress(&mut state, &block, constants);
    let mut digest = [0; 16];
    for (to, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *to = word.to_le_bytes();
    }
    digest
}

/// MD5's compression function, written out: each round's message word and shift are then known at compile time,
/// which makes it about twice as fast as a loop. `k` is [`CONSTANTS`].
fn compress(state: &mut [u32; 4], block: &[u8; BLOCK_LEN], k: &[u32; 64]) {
    let mut m = [0u32; 16];
    for (to, from) in m.iter_mut().zip(block.as_chunks::<4>().0) {
        *to = u32::from_le_bytes(*from);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    macro_rules! round {
        ($f:expr; $($w:literal $s:literal $k:literal)*) => { $(
            let t = a.wrapping_add(k[$k]).wrapping_add(m[$w]);
            let next = $f(t, b, c, d).rotate_left($s).wrapping_add(b);
            (a, b, c, d) = (d, next, b, c);
        )* };
    }
    // `x & y | !x & z` as a sum: the halves share no bit, and the half without `b`, which comes last, is ready
    // before it.
    round! { |t: u32, b: u32, c, d| t.wrapping_add(d ^ (b & (c ^ d)));
        0 7 0  1 12 1  2 17 2  3 22 3
        4 7 4  5 12 5  6 17 6  7 22 7
        8 7 8  9 12 9  10 17 10  11 22 11
        12 7 12  13 12 13  14 17 14  15 22 15
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(c & !d).wrapping_add(b & d);
        1 5 16  6 9 17  11 14 18  0 20 19
        5 5 20  10 9 21  15 14 22  4 20 23
        9 5 24  14 9 25  3 14 26  8 20 27
        13 5 28  2 9 29  7 14 30  12 20 31
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(b ^ (c ^ d));
        5 4 32  8 11 33  11 16 34  14 23 35
        1 4 36  4 11 37  7 16 38  10 23 39
        13 4 40  0 11 41  3 16 42  6 23 43
        9 4 44  12 11 45  15 16 46  2 23 47
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(c ^ (b | !d));
        0 6 48  7 10 49  14 15 50  5 21 51
        12 6 52  3 10 53  10 15 54  1 21 55
        8 6 56  15 10 57  6 15 58  13 21 59
        4 6 60  11 10 61  2 15 62  9 21 63
    }
    for (to, add) in state.iter_mut().zip([a, b, c, d]) {
        *to = to.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    fn hex(len: usize) -> String {
        let bytes: Vec<u8> = (0..len).map(|i| (i * 7 + i / 256) as u8).collect();
        of(&bytes).iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Values of an independent implementation, on both sides of each change in how the end is padded.
    #[test]
    fn known_digests() {
        assert_eq!(hex(0), "140d60f6b775e2ba4e4abed401b2e9a1");
        assert_eq!(hex(20), "140d60f6b775e2ba4e4abed401b2e9a1");
        assert_eq!(hex(21), "e3b75a5a9567868d82379450bbb2c36e");
        assert_eq!(hex(75), "09001677d247759fd5bcb9f2acb2f302");
        assert_eq!(hex(76), "4bf7978654c407874019ac1be2d70cac");
        assert_eq!(hex(83), "824397feab15302adbc5b5db2ee534ba");
        assert_eq!(hex(84), "a39603f6db8359fcb03769873a11b929");
        assert_eq!(hex(85), "23dd12de6f3768ffbb241c4d95d4b1c3");
        assert_eq!(hex(148), "dbe15f80eb51148fd9b0e77d29880f37");
        assert_eq!(hex(1000), "b4e77972f2177732f69404a789d12b4e");
    }
}
