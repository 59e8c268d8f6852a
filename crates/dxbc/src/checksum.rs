//! The checksum in a container's header: MD5 with a padding of its own.
//!
//! The digest covers everything from byte 20 on and uses MD5's compression function and initial state
//! (RFC 1321). Only the end differs: the length in bits is the *first* word of the last block, and the last
//! word is twice the length in bytes with the lowest bit set.

/// First byte that the checksum covers.
const COVERED_FROM: usize = 20;
const BLOCK_LEN: usize = 64;

/// The checksum that belongs into bytes 4 to 19 of `container`, which must be the container alone, without
/// input that follows it. Never fails: an input shorter than 20 bytes has the digest of nothing.
pub fn of(container: &[u8]) -> [u8; 16] {
    let covered = container.get(COVERED_FROM..).unwrap_or_default();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, rest) = covered.as_chunks::<BLOCK_LEN>();
    for block in blocks {
        compress(&mut state, block);
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
        compress(&mut state, &block);
        block = [0; BLOCK_LEN];
    }
    if let Some(to) = block.first_chunk_mut() {
        *to = first;
    }
    if let Some(to) = block.last_chunk_mut() {
        *to = last;
    }
    compress(&mut state, &block);
    let mut digest = [0; 16];
    for (to, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *to = word.to_le_bytes();
    }
    digest
}

/// MD5's compression function, written out: each round's message word, shift and constant are then known at
/// compile time, which makes it about twice as fast as a loop.
fn compress(state: &mut [u32; 4], block: &[u8; BLOCK_LEN]) {
    let mut m = [0u32; 16];
    for (to, from) in m.iter_mut().zip(block.as_chunks::<4>().0) {
        *to = u32::from_le_bytes(*from);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    macro_rules! round {
        ($f:expr; $($w:literal $s:literal $k:literal)*) => { $(
            let t = a.wrapping_add(m[$w]).wrapping_add($k);
            let next = $f(t, b, c, d).rotate_left($s).wrapping_add(b);
            (a, b, c, d) = (d, next, b, c);
        )* };
    }
    // `x & y | !x & z` as a sum: the halves share no bit, and the half without `b`, which comes last, is ready
    // before it.
    round! { |t: u32, b: u32, c, d| t.wrapping_add(d ^ (b & (c ^ d)));
        0 7 0xd76a_a478  1 12 0xe8c7_b756  2 17 0x2420_70db  3 22 0xc1bd_ceee
        4 7 0xf57c_0faf  5 12 0x4787_c62a  6 17 0xa830_4613  7 22 0xfd46_9501
        8 7 0x6980_98d8  9 12 0x8b44_f7af  10 17 0xffff_5bb1  11 22 0x895c_d7be
        12 7 0x6b90_1122  13 12 0xfd98_7193  14 17 0xa679_438e  15 22 0x49b4_0821
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(c & !d).wrapping_add(b & d);
        1 5 0xf61e_2562  6 9 0xc040_b340  11 14 0x265e_5a51  0 20 0xe9b6_c7aa
        5 5 0xd62f_105d  10 9 0x0244_1453  15 14 0xd8a1_e681  4 20 0xe7d3_fbc8
        9 5 0x21e1_cde6  14 9 0xc337_07d6  3 14 0xf4d5_0d87  8 20 0x455a_14ed
        13 5 0xa9e3_e905  2 9 0xfcef_a3f8  7 14 0x676f_02d9  12 20 0x8d2a_4c8a
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(b ^ (c ^ d));
        5 4 0xfffa_3942  8 11 0x8771_f681  11 16 0x6d9d_6122  14 23 0xfde5_380c
        1 4 0xa4be_ea44  4 11 0x4bde_cfa9  7 16 0xf6bb_4b60  10 23 0xbebf_bc70
        13 4 0x289b_7ec6  0 11 0xeaa1_27fa  3 16 0xd4ef_3085  6 23 0x0488_1d05
        9 4 0xd9d4_d039  12 11 0xe6db_99e5  15 16 0x1fa2_7cf8  2 23 0xc4ac_5665
    }
    round! { |t: u32, b: u32, c: u32, d: u32| t.wrapping_add(c ^ (b | !d));
        0 6 0xf429_2244  7 10 0x432a_ff97  14 15 0xab94_23a7  5 21 0xfc93_a039
        12 6 0x655b_59c3  3 10 0x8f0c_cc92  10 15 0xffef_f47d  1 21 0x8584_5dd1
        8 6 0x6fa8_7e4f  15 10 0xfe2c_e6e0  6 15 0xa301_4314  13 21 0x4e08_11a1
        4 6 0xf753_7e82  11 10 0xbd3a_f235  2 15 0x2ad7_d2bb  9 21 0xeb86_d391
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

    /// `cargo test --release -p shaderport-dxbc checksum_speed -- --ignored --nocapture`
    #[test]
    #[ignore = "measures, and is meant for release builds"]
    fn checksum_speed() {
        let bytes = vec![0x5a; 64 << 20];
        let start = std::time::Instant::now();
        let mut digest = of(&bytes);
        for _ in 1..4 {
            digest[0] ^= of(&bytes)[1];
        }
        let rate = 4.0 * bytes.len() as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{rate:.0} MB/s ({digest:02x?})");
    }
}
