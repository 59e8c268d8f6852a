//! The ABI as text.

use super::Abi;

/// A form of [`print`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A GLSL include.
    Glsl,
}

/// Prints the ABI.
pub fn print(_abi: &Abi, _format: Format) -> String {
    String::new()
}
