/// A SPIR-V 1.5 module of logical addressing and GLSL's memory model, in bytes. `fill` writes the instructions behind
/// these by what it is given: opcode and operands, without the count of words. `bound` is the header's.
pub fn spirv_module(bound: u32, fill: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0500, 0, bound, 0];
    let mut put = |instruction: &[u32]| {
        words.push(((instruction.len() as u32) << 16) | instruction[0]);
        words.extend(&instruction[1..]);
    };
    put(&[14, 0, 1]);
    fill(&mut put);
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}
