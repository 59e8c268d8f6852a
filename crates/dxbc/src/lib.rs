//! Reader for DXBC containers and shader model 4.0 to 5.1 programs.
//!
//! [`Container::parse`] checks the container; its methods read each chunk on demand and borrow from the input.
//! Every reader is total: whatever the bytes, it returns a value or a finding, in time and memory linear in the
//! length of the input.
#![forbid(unsafe_code)]
// A finding is 128 bytes, the lint's limit; it is made once for each damaged file.
#![allow(clippy::result_large_err)]

mod bytes;
pub mod checksum;
pub mod container;
pub mod features;
#[cfg(test)]
mod mutation_tests;
pub mod reflection;
pub mod scan;
pub mod signature;
pub mod stat;
#[cfg(test)]
mod testing;

pub use container::{Chunk, Container, ContainerKind};
pub use features::FeatureFlags;
pub use reflection::Reflection;
pub use signature::{Signature, SignatureElement, SystemValue};
pub use stat::Statistics;
