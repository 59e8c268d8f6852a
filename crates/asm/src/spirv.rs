/// A SPIR-V module of a version, in words. `fill` writes the instructions by what it is given: opcode and operands,
/// without the count of words. `bound` is the header's.
pub fn spirv_words(version: [u8; 2], bound: u32, fill: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<u32> {
    let version = u32::from(version[0]) << 16 | u32::from(version[1]) << 8;
    let mut words = vec![0x0723_0203, version, 0, bound, 0];
    let mut put = |instruction: &[u32]| {
        words.push(((instruction.len() as u32) << 16) | instruction[0]);
        words.extend(&instruction[1..]);
    };
    fill(&mut put);
    words
}

/// A SPIR-V 1.5 module of logical addressing and GLSL's memory model, in bytes. `fill` writes the instructions behind
/// these, as for [`spirv_words`].
pub fn spirv_module(bound: u32, fill: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<u8> {
    let words = spirv_words([1, 5], bound, |put| {
        put(&[14, 0, 1]);
        fill(put);
    });
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}
