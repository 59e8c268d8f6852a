//! Bounds-checked reading, and what a read can find wrong.

use crate::model::{Blob, Text};
use shaderport_diagnostics::codes::effect as codes;
use shaderport_diagnostics::{Code, Diagnostic, Place};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;

/// What is wrong, small enough to travel through every field's read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// Byte of the file.
    at: usize,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// A field of this many bytes does not fit.
    Short(usize),
    /// A count above what the engine accepts.
    Above { what: &'static str, count: u32, limit: u32 },
    /// A count that the rest of the input cannot hold.
    Crowded { what: &'static str, count: u32, left: usize },
    /// A name's offset outside the arena.
    NameOutside { offset: u32, arena: usize },
    /// A name without an end.
    NameOpen { offset: u32 },
    /// A blob outside the arena.
    BlobOutside { offset: u32, size: u32, arena: usize },
    /// References that overlap too much.
    Overlap,
    /// A stage type that does not exist.
    StageUnknown(u8),
    /// A stage type met before in the pass.
    StageTwice(&'static str),
    /// Bytes behind the last field.
    Left(usize),
}

impl Fault {
    pub(crate) fn stage_unknown(at: usize, code: u8) -> Fault {
        Fault { at, what: What::StageUnknown(code) }
    }
    pub(crate) fn stage_twice(at: usize, name: &'static str) -> Fault {
        Fault { at, what: What::StageTwice(name) }
    }
    /// As a finding; `inside` says of what, such as `, in row 3`.
    pub(crate) fn finding(self, inside: &str) -> Diagnostic {
        let (code, message): (Code, String) = match self.what {
            What::Short(n) => (codes::TRUNCATED, format!("a field of {n} bytes does not fit")),
            What::Above { what, count, limit } => {
                (codes::COUNT, format!("{count} {what}, more than the {limit} that the engine accepts"))
            }
            What::Crowded { what, count, left } => {
                (codes::COUNT, format!("{count} {what} do not fit into the {left} bytes that are left"))
            }
            What::NameOutside { offset, arena } => (
                codes::REFERENCE,
                format!("a name at offset {offset:#x} of a name area that has {arena:#x} bytes"),
            ),
            What::NameOpen { offset } => {
                (codes::REFERENCE, format!("the name at offset {offset:#x} of the name area does not end"))
            }
            What::BlobOutside { offset, size, arena } => (
                codes::REFERENCE,
                format!("{size} bytes at offset {offset:#x} of a name area that has {arena:#x} bytes"),
            ),
            What::Overlap => (
                codes::REFERENCE,
                "so many references overlap that together they name far more than the file holds".into(),
            ),
            What::StageUnknown(code) => (codes::STAGE, format!("stage type {code} does not exist")),
            What::StageTwice(name) => (codes::STAGE, format!("the pass has a second {name} stage")),
            What::Left(n) => (codes::BODY_LENGTH, format!("{n} bytes are left over at the end of the body")),
        };
        Diagnostic::new(code, message + inside).at(Place::at(self.at))
    }
}

/// The area of names and blobs.
pub(crate) struct Arena<'a> {
    data: &'a [u8],
    budget: RefCell<Budget>,
}

/// What references may still name. Names and blobs may overlap, so that a small file can name much: without a
/// bound, whoever walks the tree would do more work than the file's length allows.
struct Budget {
    /// Bytes of names, every reference counted. Each costs four bytes of the file.
    names: usize,
    /// Bytes of blobs, each range counted once.
    blobs: usize,
    seen: HashSet<(u32, u32)>,
}

/// Bytes of names for each byte of the file: names of a sound file are some tens of bytes long.
const NAMES_PER_BYTE: usize = 64;
/// Bytes of distinct blobs for each byte of the arena: 1 in a sound file, whose entries do not overlap.
const BLOBS_PER_BYTE: usize = 4;

impl<'a> Arena<'a> {
    pub(crate) fn new(data: &'a [u8], file_len: usize) -> Self {
        let budget = Budget {
            names: file_len.saturating_mul(NAMES_PER_BYTE),
            blobs: data.len().saturating_mul(BLOBS_PER_BYTE),
            seen: HashSet::new(),
        };
        Arena { data, budget: RefCell::new(budget) }
    }
}

/// Reads fields one after another from `pos` up to `end`.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    data: &'a [u8],
    pub(crate) pos: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over `data[pos..end]`; positions are those of `data`.
    pub(crate) fn new(data: &'a [u8], pos: usize, end: usize) -> Self {
        let end = end.min(data.len());
        Cursor { data, pos: pos.min(end), end }
    }

    pub(crate) fn left(&self) -> usize {
        self.end - self.pos
    }

    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], Fault> {
        if n > self.left() {
            return Err(Fault { at: self.pos, what: What::Short(n) });
        }
        let from = self.pos;
        self.pos += n;
        Ok(&self.data[from..self.pos])
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Fault> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The body must have been used up.
    pub(crate) fn finish(&self) -> Result<(), Fault> {
        match self.left() {
            0 => Ok(()),
            n => Err(Fault { at: self.pos, what: What::Left(n) }),
        }
    }

    /// Checks a count that was just read from `at` against the engine's limit and against what is left, of which
    /// each entry takes `least` bytes or more.
    pub(crate) fn check_count(
        &self,
        at: usize,
        what: &'static str,
        count: u32,
        limit: u32,
        least: usize,
    ) -> Result<usize, Fault> {
        let left = self.left();
        if count > limit {
            return Err(Fault { at, what: What::Above { what, count, limit } });
        }
        let count_usize = usize::try_from(count).unwrap_or(usize::MAX);
        if count_usize > left / least {
            return Err(Fault { at, what: What::Crowded { what, count, left } });
        }
        Ok(count_usize)
    }

    /// A list behind a count byte.
    pub(crate) fn list<T>(
        &mut self,
        what: &'static str,
        limit: u32,
        least: usize,
        mut entry: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let at = self.pos;
        let count = self.u8()?;
        let count = self.check_count(at, what, count.into(), limit, least)?;
        let mut out = Vec::with_capacity(count);
        for _ in 0..count {
            out.push(entry(self)?);
        }
        Ok(out)
    }

    /// A reference to a name.
    pub(crate) fn text(&mut self, arena: &Arena<'a>) -> Result<Text<'a>, Fault> {
        let at = self.pos;
        let offset = self.u32()?;
        let fault = |what| Err(Fault { at, what });
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(rest) = arena.data.get(start..).filter(|r| !r.is_empty()) else {
            return fault(What::NameOutside { offset, arena: arena.data.len() });
        };
        let budget = &mut arena.budget.borrow_mut().names;
        if *budget == 0 {
            return fault(What::Overlap);
        }
        let len = rest.iter().position(|&b| b == 0);
        *budget = budget.saturating_sub(len.unwrap_or(rest.len()));
        match len {
            Some(len) => Ok(Text(Cow::Borrowed(&rest[..len]))),
            None => fault(What::NameOpen { offset }),
        }
    }

    /// A reference to a blob. Beside size 0 the offset means nothing and is not followed.
    pub(crate) fn blob(&mut self, arena: &Arena<'a>) -> Result<Blob<'a>, Fault> {
        let at = self.pos;
        let (size, offset) = (self.u32()?, self.u32()?);
        if size == 0 {
            return Ok(Blob { data: Cow::Borrowed(&[]), empty_offset: offset });
        }
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
        let Some(data) = arena.data.get(start..end) else {
            return Err(Fault { at, what: What::BlobOutside { offset, size, arena: arena.data.len() } });
        };
        let mut budget = arena.budget.borrow_mut();
        if budget.seen.insert((offset, size)) {
            match budget.blobs.checked_sub(data.len()) {
                Some(rest) => budget.blobs = rest,
                None => return Err(Fault { at, what: What::Overlap }),
            }
        }
        Ok(Blob { data: Cow::Borrowed(data), empty_offset: crate::model::NULL })
    }
}
