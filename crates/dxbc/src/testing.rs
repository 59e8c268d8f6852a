//! Builds small containers for tests.

use crate::checksum;

/// A container of these chunks, in their order, with a right checksum.
pub(crate) fn container(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    out.extend(1u32.to_le_bytes());
    let body: usize = chunks.iter().map(|(_, data)| 8 + data.len()).sum();
    let mut offset = 32 + 4 * chunks.len();
    out.extend(((offset + body) as u32).to_le_bytes());
    out.extend((chunks.len() as u32).to_le_bytes());
    for (_, data) in chunks {
        out.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (tag, data) in chunks {
        out.extend(tag);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(data);
    }
    sign(&mut out);
    out
}

/// Writes the right checksum into a container.
pub(crate) fn sign(container: &mut [u8]) {
    let digest = checksum::of(container);
    container[4..20].copy_from_slice(&digest);
}

/// Little-endian bytes of these words.
pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}
