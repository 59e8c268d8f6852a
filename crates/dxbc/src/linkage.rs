//! Dynamic linkage (chunk IFCE): classes, their instances, and which function table an interface takes for a class.
//!
//! | part | bytes | contents |
//! |---|---|---|
//! | header | 36 | how many instances, classes, interfaces and interface slots there are; where the first three begin; two words without meaning |
//! | interface | 16 | slots, classes, where the 16-bit numbers of its classes and the 32-bit numbers of their tables are |
//! | class | 12 | name, 16 bits of zero, then of 16 bits: rows of constants, textures, samplers |
//! | instance | 16 | name, then of 16 bits: class, 1, constant buffer, row, texture, sampler (`0xffff` for none) |

use crate::Chunk;
use crate::bytes::{index, name_at, u16_at, u32_at};
use shaderport_diagnostics::Diagnostic;
use shaderport_diagnostics::codes::dxbc as codes;

/// What the chunk says: its tables, checked to lie in it.
#[derive(Clone, Copy, Debug)]
pub struct Linkage<'a> {
    chunk: Chunk<'a>,
    instances: &'a [u8],
    classes: &'a [u8],
    interfaces: &'a [u8],
}

/// A class that implements an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Rows of a constant buffer that its members take.
    pub rows: u16,
    /// Textures among its members.
    pub textures: u16,
    /// Samplers among its members.
    pub samplers: u16,
}

/// A variable that is of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassInstance<'a> {
    /// Name in the source.
    pub name: &'a str,
    /// Number of its class.
    pub class: u16,
    /// The constant buffer of its members.
    pub buffer: Option<u16>,
    /// The row of the buffer where they begin.
    pub row: Option<u16>,
    /// Its first texture.
    pub texture: Option<u16>,
    /// Its first sampler.
    pub sampler: Option<u16>,
}

impl<'a> Linkage<'a> {
    /// Reads the header and checks where the tables lie.
    ///
    /// # Errors
    /// `linkage-malformed`
    pub fn parse(chunk: Chunk<'a>) -> Result<Self, Diagnostic> {
        let word = |n: usize| u32_at(chunk.data, n * 4).unwrap_or(0);
        let table = |count: usize, offset: usize, stride: usize| {
            rows(&chunk, word(count), word(offset), stride).ok_or_else(|| {
                let text = format!(
                    "{} rows of {stride} bytes from byte {} on do not lie in the chunk of {} bytes",
                    word(count),
                    word(offset),
                    chunk.data.len()
                );
                chunk.finding(codes::LINKAGE_MALFORMED, offset * 4, text)
            })
        };
        let (instances, classes, interfaces) = (table(0, 4, 16)?, table(1, 5, 12)?, table(2, 6, 16)?);
        Ok(Linkage { chunk, instances, classes, interfaces })
    }

    fn name(&self, row: &[u8], what: &'static str) -> Result<&'a str, Diagnostic> {
        name_at(&self.chunk, u32_at(row, 0).unwrap_or(0), codes::LINKAGE_MALFORMED, what)
    }

    /// The classes, in the order of their numbers.
    pub fn classes(&self) -> impl Iterator<Item = Result<Class<'a>, Diagnostic>> + use<'a> {
        let linkage = *self;
        self.classes.as_chunks::<12>().0.iter().map(move |row| {
            let number = |n: usize| u16_at(row, n).unwrap_or(0);
            let name = linkage.name(row, "name of a class")?;
            Ok(Class { name, rows: number(6), textures: number(8), samplers: number(10) })
        })
    }

    /// The variables that are of a class.
    pub fn instances(&self) -> impl Iterator<Item = Result<ClassInstance<'a>, Diagnostic>> + use<'a> {
        let linkage = *self;
        self.instances.as_chunks::<16>().0.iter().map(move |row| {
            let number = |n: usize| u16_at(row, n).filter(|n| *n != u16::MAX);
            Ok(ClassInstance {
                name: linkage.name(row, "name of a class instance")?,
                class: u16_at(row, 4).unwrap_or(0),
                buffer: number(8),
                row: number(10),
                texture: number(12),
                sampler: number(14),
            })
        })
    }

    /// The function table that stands for a class in an interface slot (`fp#`, and in an array the element added).
    pub fn table(&self, slot: u32, class: u16) -> Option<u32> {
        let mut first = 0u32;
        for row in self.interfaces.as_chunks::<16>().0 {
            let word = |n: usize| u32_at(row, n * 4).unwrap_or(0);
            let next = first.saturating_add(word(0));
            if (first..next).contains(&slot) {
                let classes = rows(&self.chunk, word(1), word(2), 2)?;
                let tables = rows(&self.chunk, word(1), word(3), 4)?;
                let place = (0..classes.len() / 2).find(|n| u16_at(classes, n * 2) == Some(class))?;
                return u32_at(tables, place * 4);
            }
            first = next;
        }
        None
    }
}

/// So many rows; `None` if they do not lie in the chunk. Where there are none, where they begin means nothing.
fn rows<'a>(chunk: &Chunk<'a>, count: u32, offset: u32, stride: usize) -> Option<&'a [u8]> {
    if count == 0 {
        return Some(&[]);
    }
    chunk.data.get(index(offset)..)?.get(..index(count).checked_mul(stride)?)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::{Blob, chunk};

    /// Two interfaces, of which the second is an array of two; two classes, and an instance of each.
    pub(crate) fn linkage() -> Vec<u8> {
        let mut blob = Blob(Vec::new());
        blob.words(&[2, 2, 2, 3, 0, 0, 0, 0, 0]);
        let lists = [(blob.words(&[1 << 16]), blob.words(&[7, 8])), (blob.words(&[1]), blob.words(&[5, 6]))];
        let (square, round) = (blob.name("Square"), blob.name("Round"));
        let (a, b) = (blob.name("a"), blob.name("b"));
        let [(first, first_tables), (second, second_tables)] = lists;
        let interfaces = blob.words(&[1, 2, first, first_tables, 2, 2, second, second_tables]);
        let classes = blob.words(&[square, 3 << 16, 1, round, 0, 2 | 4 << 16]);
        let instances = blob.words(&[a, 1 | 1 << 16, 9 | 2 << 16, u32::MAX]);
        blob.words(&[b, 1 << 16, u32::MAX, 6 | 7 << 16]);
        blob.set(4, instances);
        blob.set(5, classes);
        blob.set(6, interfaces);
        blob.0
    }

    #[test]
    fn tables_are_read() {
        let data = linkage();
        let linkage = Linkage::parse(chunk(b"IFCE", &data)).unwrap();
        let classes: Vec<_> = linkage.classes().map(Result::unwrap).collect();
        let class = |name, rows, textures, samplers| Class { name, rows, textures, samplers };
        assert_eq!(classes, [class("Square", 3, 1, 0), class("Round", 0, 2, 4)]);
        let instances: Vec<_> = linkage.instances().map(Result::unwrap).collect();
        let a = ClassInstance {
            name: "a",
            class: 1,
            buffer: Some(9),
            row: Some(2),
            texture: None,
            sampler: None,
        };
        let b = ClassInstance {
            name: "b",
            class: 0,
            buffer: None,
            row: None,
            texture: Some(6),
            sampler: Some(7),
        };
        assert_eq!(instances, [a, b]);
        assert_eq!([0, 1].map(|class| linkage.table(0, class)), [Some(7), Some(8)]);
        for slot in [1, 2] {
            // Its classes are in another order.
            assert_eq!([0, 1].map(|class| linkage.table(slot, class)), [Some(6), Some(5)]);
        }
        assert_eq!((linkage.table(3, 0), linkage.table(0, 2)), (None, None));
    }

    #[test]
    fn tables_outside_are_refused() {
        for (word, value) in [(0, 3), (1, 99), (2, u32::MAX), (4, u32::MAX), (5, 9999), (6, 1 << 31)] {
            let mut data = linkage();
            data[word * 4..word * 4 + 4].copy_from_slice(&u32::to_le_bytes(value));
            let finding = Linkage::parse(chunk(b"IFCE", &data)).unwrap_err();
            assert_eq!(finding.code, codes::LINKAGE_MALFORMED, "{word}");
        }
        // Lists of an interface that lie outside have no table.
        let mut data = linkage();
        let at = u32_at(&data, 24).unwrap() as usize;
        data[at + 8..at + 12].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(Linkage::parse(chunk(b"IFCE", &data)).unwrap().table(0, 0), None);
    }
}
