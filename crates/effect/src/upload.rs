//! Bytes that a host uploads for textures that stand for several resources, and for buffers in blocks.
//!
//! ```
//! use shaderport_effect::upload::{channels, data_texture};
//!
//! // Two lists of one light each behind their heads, and one light of 48 bytes.
//! let index: Vec<u8> = [2u32, 4, 0, 0, 0, 0].iter().flat_map(|w| w.to_le_bytes()).collect();
//! let light = [0u8; 48];
//! let texture = data_texture(2048, &[(0, &index), (131_072, &light)]).unwrap();
//! assert_eq!((texture.width, texture.height), (2048, 65));
//! // texImage2D(TEXTURE_2D, 0, RGBA32UI, 2048, 65, 0, RGBA_INTEGER, UNSIGNED_INT, bytes), filter NEAREST
//!
//! // Two maps of two texels each become red and green.
//! assert_eq!(channels(&[&[1, 2], &[3, 4]]).unwrap(), [1, 3, 0, 255, 2, 4, 0, 255]);
//! ```

/// A data texture of the format RGBA32UI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataTexture {
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four little-endian 32-bit words a texel, row after row.
    pub bytes: Vec<u8>,
}

/// Bytes of a texel.
const TEXEL: usize = 16;

/// Texels that a data texture may have.
pub(crate) const MAX_TEXELS: u64 = 1 << 28;

/// A data texture with the bytes of each buffer from its first texel on (the manifest's `first_texel`), and 0
/// elsewhere. It is as tall as what it holds: what lies below reads 0.
///
/// `None` if two buffers overlap, or the texture would have more than 2^28 texels.
pub fn data_texture(width: u32, buffers: &[(u32, &[u8])]) -> Option<DataTexture> {
    let width = width.max(1);
    let mut order: Vec<(usize, &[u8])> =
        buffers.iter().filter(|b| !b.1.is_empty()).map(|b| (b.0 as usize * TEXEL, b.1)).collect();
    order.sort_by_key(|b| b.0);
    let mut end = 0;
    for (start, bytes) in &order {
        if *start < end {
            return None;
        }
        end = start + bytes.len();
    }
    let height = end.div_ceil(width as usize * TEXEL).max(1);
    let len =
        height.checked_mul(width as usize * TEXEL).filter(|&n| n as u64 / TEXEL as u64 <= MAX_TEXELS)?;
    let mut bytes = vec![0; len];
    for (start, part) in order {
        bytes[start..start + part.len()].copy_from_slice(part);
    }
    Some(DataTexture { width, height: height as u32, bytes })
}

/// RGBA8 texels of up to four images of one 8-bit channel. Channels without an image are those of an opaque black
/// texture.
///
/// `None` if the images differ in size or there are more than four. Each mip is made by a call of its own.
pub fn channels(images: &[&[u8]]) -> Option<Vec<u8>> {
    let len = images.first()?.len();
    if images.len() > 4 || images.iter().any(|i| i.len() != len) {
        return None;
    }
    let channel = |texel: usize, c: usize| match images.get(c) {
        Some(image) => image[texel],
        None => {
            if c == 3 {
                255
            } else {
                0
            }
        }
    };
    Some((0..len).flat_map(|texel| [0, 1, 2, 3].map(|c| channel(texel, c))).collect())
}

/// The bytes of one layer of light profiles in a data texture: the half floats of eleven mips, 1,024 to 1 of them.
/// Layer n begins 256 n texels behind the profiles' first texel.
///
/// `None` if the mips have other lengths.
pub fn profile(mips: &[&[u16]]) -> Option<Vec<u8>> {
    let right = mips.len() == 11 && mips.iter().enumerate().all(|(n, m)| m.len() == 1024 >> n);
    let halves = mips.iter().flat_map(|m| m.iter()).chain([&0]);
    right.then(|| halves.flat_map(|h| h.to_le_bytes()).collect())
}

/// The layers of an array texture, one after another as `texSubImage3D` takes them.
///
/// `None` if the images differ in size. Each mip is made by a call of its own.
pub fn layers(images: &[&[u8]]) -> Option<Vec<u8>> {
    let len = images.first()?.len();
    images.iter().all(|i| i.len() == len).then(|| images.concat())
}

/// The bytes of a structured buffer as a uniform block: `stride`, `rows_per_element` and `byte_size` are those of the
/// manifest. Elements that are not given are 0.
///
/// `None` if there are more elements than the block has room for, an element longer than its rows, or half an element.
pub fn block(elements: &[u8], stride: u32, rows_per_element: u32, byte_size: u32) -> Option<Vec<u8>> {
    let (stride, each) = (stride as usize, (rows_per_element as usize).checked_mul(TEXEL)?);
    if stride == 0 || stride > each || !elements.len().is_multiple_of(stride) {
        return None;
    }
    let mut bytes = Vec::new();
    for element in elements.chunks(stride) {
        bytes.extend(element);
        bytes.resize(bytes.len() + each - stride, 0);
    }
    let fits = bytes.len() <= byte_size as usize;
    bytes.resize(byte_size as usize, 0);
    fits.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(data_texture(4, &[(0, &[1; 17]), (1, &[2; 16])]), None);
        assert_eq!(data_texture(4, &[(u32::MAX, &[1])]), None);
        let t = data_texture(4, &[(5, &[7; 3]), (0, &[1; 17])]).unwrap();
        assert_eq!((t.height, t.bytes.len(), t.bytes[16], t.bytes[80], t.bytes[83]), (2, 128, 1, 7, 0));
        assert_eq!(channels(&[&[1], &[2, 3]]), None);
        assert_eq!(channels(&[&[1u8][..]; 5]), None);
        assert_eq!(layers(&[&[1, 2], &[3, 4]]).unwrap(), [1, 2, 3, 4]);
        assert_eq!(layers(&[&[1, 2], &[3]]), None);
        let padded = block(&[1, 2, 3, 4, 5, 6, 7, 8], 4, 1, 48).unwrap();
        assert_eq!(
            (padded.len(), &padded[..5], &padded[16..21]),
            (48, &[1, 2, 3, 4, 0][..], &[5, 6, 7, 8, 0][..])
        );
        for (bytes, stride, rows, size) in [(8, 4, 1, 16), (6, 4, 1, 48), (20, 20, 1, 48), (4, 0, 1, 48)] {
            assert_eq!(block(&[1; 20][..bytes], stride, rows, size), None);
        }
    }
}
