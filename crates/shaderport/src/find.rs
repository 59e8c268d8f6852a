//! The containers inside any file, those inside other containers too.

use shaderport_dxbc::{Container, ContainerKind, scan};

/// How deep containers are looked for inside containers. Effects and libraries hold shaders one level down; the
/// bound keeps the work linear in the input whatever it holds.
pub const MAX_NESTING: usize = 4;

/// A container inside an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// Its number among its neighbours, from 0, after the numbers of the containers that it lies in.
    pub path: Vec<usize>,
    /// Offset in bytes from the start of the input.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// Every DXBC container in `input`, in the order of the input; a container stands before those inside it.
///
/// Containers are found by their header wherever they begin. Inside one, only effects and libraries are
/// searched: the other kinds hold no shader but their own.
pub fn find_containers(input: &[u8]) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    search(input, 0, &[], &mut found);
    found
}

fn search<'a>(input: &'a [u8], base: usize, parents: &[usize], found: &mut Vec<Found<'a>>) {
    for (i, (at, bytes)) in scan::find_all(input).enumerate() {
        let path = [parents, &[i]].concat();
        let offset = base + at;
        let inside = Container::parse(bytes).ok().and_then(|c| match c.kind() {
            ContainerKind::Effect(chunk) | ContainerKind::Library(chunk) => Some(chunk),
            _ => None,
        });
        found.push(Found { path: path.clone(), offset, bytes });
        if let Some(chunk) = inside.filter(|_| path.len() < MAX_NESTING) {
            // The contents stand behind the chunk's tag and length.
            let contents = offset + chunk.offset as usize + 8;
            search(chunk.data, contents, &path, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(tag: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let mut out = b"DXBC".to_vec();
        out.extend([0; 16]);
        for word in [1, 44 + contents.len() as u32, 1, 36] {
            out.extend(u32::to_le_bytes(word));
        }
        out.extend(tag);
        out.extend(u32::to_le_bytes(contents.len() as u32));
        out.extend(contents);
        out
    }

    #[test]
    fn effects_are_searched_and_shaders_are_not() {
        let shader = container(b"SHEX", b"tokens");
        let two = [&b"??"[..], &shader, &shader].concat();
        let effect = container(b"FX10", &two);
        let input = [&b"an archive"[..], &shader, &effect, &container(b"SHDR", &shader)].concat();
        let found = find_containers(&input);
        let paths: Vec<_> = found.iter().map(|f| f.path.clone()).collect();
        assert_eq!(paths, [vec![0], vec![1], vec![1, 0], vec![1, 1], vec![2]]);
        for f in &found {
            assert_eq!(input.get(f.offset..f.offset + f.bytes.len()), Some(f.bytes));
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let input = (0..20).fold(vec![], |inner, _| container(b"FX10", &inner));
        assert_eq!(find_containers(&input).len(), MAX_NESTING);
    }
}
