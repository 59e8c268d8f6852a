//! The rows A001 to A104 of the list of reported cases that bear on translation, each a test named by its row.
//! What values should be is worked out by hand from the Direct3D 11.3 functional specification.

mod buffers;
mod flow;
mod numbers;
mod operations;
mod registers;
mod stages;
mod textures;
