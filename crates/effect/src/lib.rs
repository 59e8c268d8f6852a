//! Carbon effect containers (`.sm_hi`, `.sm_depth`, `.sm_lo`): compiled effects with all their permutations.
//!
//! [`read()`] takes versions 8 to 15 and is total; [`write()`] makes version 15. The tree between them is
//! [`Effect`]. [`package`] makes WebGL2 programs of all permutations.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each damaged file.
#![allow(clippy::result_large_err)]

pub mod block;
pub mod budget;
pub mod describe;
pub mod model;
pub mod names;
pub mod package;
mod read;
mod select;
pub mod upload;
mod write;

pub use model::Effect;
pub use read::{Read, VERSIONS, read};
pub use select::Selection;
pub use write::{VERSION, write};
