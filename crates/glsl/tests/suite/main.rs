//! The translator on whole shaders: fixtures, hand-assembled programs, reported cases and damaged files.

mod fixtures;
mod gl;
mod goldens;
mod random;
mod reported;
mod run;
mod support;
