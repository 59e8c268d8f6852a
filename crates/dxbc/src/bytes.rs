//! Bounds-checked little-endian reads, shared by the chunk readers.

use crate::Chunk;
use shaderport_diagnostics::{Code, Diagnostic};

/// Longest name accepted, in bytes. Names lie anywhere in a chunk and may be shared, so a hostile file could
/// make every entry of a long table point at one huge name; the limit keeps the work linear in the input.
pub(crate) const MAX_NAME_LEN: usize = 4096;

/// The `N` bytes at `offset`.
pub(crate) fn array_at<const N: usize>(data: &[u8], offset: usize) -> Option<[u8; N]> {
    data.get(offset..)?.first_chunk::<N>().copied()
}

/// The 16-bit word at `offset`.
pub(crate) fn u16_at(data: &[u8], offset: usize) -> Option<u16> {
    array_at(data, offset).map(u16::from_le_bytes)
}

/// The 32-bit word at `offset`.
pub(crate) fn u32_at(data: &[u8], offset: usize) -> Option<u32> {
    array_at(data, offset).map(u32::from_le_bytes)
}

/// A 32-bit offset or count as an index. Saturates where `usize` is narrower, so that it fails its bounds check.
pub(crate) fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// The NUL-terminated UTF-8 name `offset` bytes into the chunk's contents; `what` names it in the finding.
pub(crate) fn name_at<'a>(
    chunk: &Chunk<'a>,
    offset: u32,
    code: Code,
    what: &'static str,
) -> Result<&'a str, Diagnostic> {
    let at = index(offset);
    let fail = |problem: &str| Err(chunk.finding(code, at, format!("the {what} {problem}")));
    let Some(tail) = chunk.data.get(at..).filter(|t| !t.is_empty()) else {
        return fail("lies outside the chunk");
    };
    let window = tail.get(..MAX_NAME_LEN + 1).unwrap_or(tail);
    match window.iter().position(|&b| b == 0) {
        Some(end) => match std::str::from_utf8(window.get(..end).unwrap_or_default()) {
            Ok(name) => Ok(name),
            Err(_) => fail("is not UTF-8"),
        },
        None if window.len() > MAX_NAME_LEN => fail("is longer than 4096 bytes"),
        None => fail("has no terminating zero byte"),
    }
}

/// Declares an enumeration stored in files as a number, which keeps numbers it does not know.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident: $raw:ty { $( $variant:ident = $value:literal, $text:literal; )* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $( #[doc = concat!("`", $text, "`, stored as ", stringify!($value), ".")] $variant, )*
            /// A number that has no published meaning.
            Other($raw),
        }

        impl $name {
            /// The value that the stored number stands for.
            pub const fn from_raw(raw: $raw) -> Self {
                match raw {
                    $( $value => $name::$variant, )*
                    _ => $name::Other(raw),
                }
            }

            /// The number as stored in the file.
            pub const fn raw(self) -> $raw {
                match self {
                    $( $name::$variant => $value, )*
                    $name::Other(raw) => raw,
                }
            }

            /// The name, if the number has a published meaning.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $( $name::$variant => Some($text), )*
                    $name::Other(_) => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "unknown({})", self.raw()),
                }
            }
        }
    };
}
pub(crate) use numbered;
