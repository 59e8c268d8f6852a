//! Finding containers inside arbitrary bytes: archives, executables, effect files.

use crate::bytes::{array_at, index, u32_at};
use crate::container::{CHUNK_HEADER_LEN, HEADER_LEN, MAGIC};

/// Chunk table entries looked at for each candidate. A fixed number keeps the search linear in the input even
/// if every byte belongs to many false headers.
const ENTRIES_CHECKED: usize = 32;

/// Every container in `input`, as its offset in bytes and its bytes, in the order of the input.
///
/// A container is accepted if its header is plausible: magic, format version 1.0, a size that the rest of the
/// input holds, at least one chunk, and chunk headers inside it. Containers do not overlap: one inside another
/// (in a library or an effect) is not reported apart, and neither is one that the input cuts short. Takes time
/// linear in the input and allocates nothing.
pub fn find_all(input: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = next_magic(input, from)?;
            if let Some(found) = plausible(input.get(start..)?) {
                from = start + found.len();
                return Some((start, found));
            }
            from = start + MAGIC.len();
        }
    })
}

/// Offset of the next magic at or after `from`.
fn next_magic(input: &[u8], from: usize) -> Option<usize> {
    // The four letters differ, so one look at every fourth byte tells where a magic around it must begin.
    let mut probe = from.checked_add(MAGIC.len() - 1)?;
    loop {
        let byte = *input.get(probe)?;
        if let Some(i) = MAGIC.iter().position(|&m| m == byte) {
            let start = probe - i;
            if start >= from && array_at(input, start) == Some(MAGIC) {
                return Some(start);
            }
        }
        probe = probe.checked_add(MAGIC.len())?;
    }
}

/// The container at the start of `tail`, if its header is plausible.
fn plausible(tail: &[u8]) -> Option<&[u8]> {
    let (version, total, chunks) = (u32_at(tail, 20)?, u32_at(tail, 24)?, u32_at(tail, 28)?);
    let data = tail.get(..index(total))?;
    let smallest = HEADER_LEN as u64 + u64::from(chunks) * (4 + CHUNK_HEADER_LEN as u64);
    if version != 1 || chunks == 0 || smallest > u64::from(total) {
        return None;
    }
    for i in 0..index(chunks).min(ENTRIES_CHECKED) {
        let chunk = data.get(index(u32_at(data, HEADER_LEN + i * 4)?)..)?;
        if index(u32_at(chunk, 4)?) > chunk.len().saturating_sub(CHUNK_HEADER_LEN) {
            return None;
        }
    }
    Some(data)
}
