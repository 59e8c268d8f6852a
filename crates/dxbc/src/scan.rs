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
/// (in a library or an effect) is not reported apart, and neither is one that the input cuts short. To find those
/// inside, search the contents of the chunk that [`crate::Container::kind`] names. Takes time linear in the input
/// and allocates nothing.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::container;

    #[test]
    fn containers_at_any_alignment() {
        let one = container(&[(*b"SHEX", vec![1; 5])]);
        let two = container(&[(*b"LIBF", one.clone()), (*b"LIBH", vec![])]);
        for gap in 0..9 {
            let mut all = vec![b'D'; gap];
            all.extend(&one);
            all.extend(b"DXBDXBC".iter().cycle().take(gap));
            let second = all.len();
            all.extend(&two);
            all.extend(b"DXBC");
            let found: Vec<_> = find_all(&all).collect();
            assert_eq!(found, [(gap, &one[..]), (second, &two[..])]);
        }
    }

    #[test]
    fn implausible_headers_are_passed_over() {
        let good = container(&[(*b"SHEX", vec![1; 5])]);
        let count = |bytes: &[u8]| find_all(bytes).count();
        assert_eq!((count(b""), count(b"DXBC"), count(&good), count(&good[..good.len() - 1])), (0, 0, 1, 0));
        for (at, value) in [(20, 2), (27, 1), (28, 0), (28, 9), (31, 1), (35, 1), (43, 1)] {
            let mut bytes = good.clone();
            bytes[at] = value;
            assert_eq!(count(&bytes), 0, "{at}");
            bytes.extend(&good);
            assert_eq!(count(&bytes), 1, "{at}");
        }
    }

    /// Every 32 bytes a header that claims a long table: looking at all of each would take hours.
    #[test]
    fn hostile_headers_take_linear_time() {
        let len = 4 << 20;
        let mut bytes = Vec::with_capacity(len);
        while bytes.len() < len {
            let total = (len - bytes.len()) as u32;
            bytes.extend(MAGIC);
            bytes.extend([0; 16]);
            for word in [1, total, total / 16] {
                bytes.extend(u32::to_le_bytes(word));
            }
        }
        assert!(find_all(&bytes).count() <= 1);
    }
}
