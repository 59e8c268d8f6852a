//! Builds small containers for tests.

use crate::{Chunk, checksum};

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
    let digest = checksum::of(&out);
    out[4..20].copy_from_slice(&digest);
    out
}

/// A chunk of its own, as though its header stood at byte 100.
pub(crate) fn chunk<'a>(tag: &[u8; 4], data: &'a [u8]) -> Chunk<'a> {
    Chunk { tag: *tag, offset: 100, data }
}

/// Little-endian bytes of these words.
pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Bytes that grow at the end, with places that are filled in later.
pub(crate) struct Blob(pub(crate) Vec<u8>);

impl Blob {
    /// Appends words and returns where they begin.
    pub(crate) fn words(&mut self, values: &[u32]) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend(words(values));
        at
    }

    /// Appends a terminated name and returns where it begins.
    pub(crate) fn name(&mut self, name: &str) -> u32 {
        let at = self.0.len() as u32;
        self.0.extend(name.as_bytes());
        self.0.push(0);
        at
    }

    /// Writes a word over the one with this index.
    pub(crate) fn set(&mut self, word: usize, value: u32) {
        self.0[word * 4..word * 4 + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// A signature chunk's contents: elements of name, semantic index and the words behind them.
pub(crate) fn signature(stream: bool, elements: &[(&str, &[u32])]) -> Vec<u8> {
    let row = elements.first().map_or(0, |e| e.1.len() + 1 + usize::from(stream));
    let mut out = Blob(words(&[elements.len() as u32, 8]));
    out.0.resize(8 + elements.len() * row * 4, 0);
    for (i, (name, rest)) in elements.iter().enumerate() {
        let at = out.name(name);
        let first = 2 + i * row + usize::from(stream);
        out.set(first, at);
        for (j, &word) in rest.iter().enumerate() {
            out.set(first + 1 + j, word);
        }
    }
    out.0
}

/// Reflection data of model 5: buffer `Params` with `float4x4 matrix` and `struct Light lights[4]`, the latter
/// with a default value, and bindings of the buffer and of a texture.
pub(crate) fn reflection() -> Vec<u8> {
    let mut out = Blob(words(&[1, 0, 2, 0, 0xffff_0500, 0x100, 0]));
    out.words(&[u32::from_le_bytes(*b"RD11"), 60, 24, 32, 40, 36, 12, 0]);
    let creator = out.name("a compiler");
    let names = ["Params", "matrix", "lights", "Light", "colour", "count", "map"].map(|n| out.name(n));
    let [params, matrix, lights, light, colour, count, map] = names;
    let float4x4 = out.words(&[0x0003_0003, 0x0004_0004, 0, 0, 0, 0, 0, 0, 0]);
    let float3 = out.words(&[0x0003_0001, 0x0003_0001, 0, 0, 0, 0, 0, 0, 0]);
    let uint = out.words(&[0x0013_0000, 0x0001_0001, 0, 0, 0, 0, 0, 0, 0]);
    let members = out.words(&[colour, float3, 0, count, uint, 12]);
    let base = out.words(&[0x0000_0005, 0x0001_0001, 0, 0, 0, 0, 0, 0, light]);
    let list = out.words(&[base]);
    let lights_type = out.words(&[0x0000_0005, 0x0004_0001, 0x0002_0004, members, 0, base, 1, list, light]);
    let default = out.words(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    let variables = out.words(&[matrix, 0, 64, 2, float4x4, 0, 0, 0, 0, 0]);
    out.words(&[lights, 64, 64, 0, lights_type, default, 3, 1, 2, 0]);
    let buffers = out.words(&[params, 2, variables, 128, 0, 0]);
    let bindings = out.words(&[map, 2, 5, 4, u32::MAX, 3, 1, 0xc]);
    out.words(&[params, 0, 0, 0, 0, 1, 1, 1]);
    for (word, value) in [(1, buffers), (3, bindings), (6, creator)] {
        out.set(word, value);
    }
    out.0
}
