//! Direct3D vertex and pixel programs to GLSL ES 3.00.

#![forbid(unsafe_code)]

pub mod helpers;
