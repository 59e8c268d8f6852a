//! Containers and signatures.

use crate::Element;
use crate::operand::lane_mask;

/// A container of these chunks, in their order, with a right checksum.
pub(crate) fn container(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    let header = 32 + 4 * chunks.len();
    let total = header + chunks.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    for word in [1, total as u32, chunks.len() as u32] {
        out.extend(word.to_le_bytes());
    }
    let mut offset = header;
    for (_, data) in chunks {
        out.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (tag, data) in chunks {
        out.extend(tag);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(data);
    }
    let digest = shaderport_dxbc::checksum::of(&out);
    out[4..20].copy_from_slice(&digest);
    out
}

/// The contents of an `ISGN` or `OSGN` chunk.
pub(crate) fn signature(elements: &[Element]) -> Vec<u8> {
    const ROW: usize = 24;
    let mut rows: Vec<u32> = vec![elements.len() as u32, 8];
    let mut names = Vec::new();
    for e in elements {
        let masks = u32::from(lane_mask(&e.lanes)) | u32::from(lane_mask(&e.used)) << 8;
        rows.push((8 + elements.len() * ROW + names.len()) as u32);
        rows.extend([e.index, e.system_value.raw(), e.ty as u32, e.register, masks]);
        names.extend(e.name.as_bytes());
        names.push(0);
    }
    names.resize(names.len().next_multiple_of(4), 0xab);
    let mut out: Vec<u8> = rows.iter().flat_map(|w| w.to_le_bytes()).collect();
    out.extend(names);
    out
}
