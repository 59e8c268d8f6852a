//! Every helper on real drivers: its GLSL against its Rust model, bit for bit, at each width.

#[path = "helpers_gl/arithmetic.rs"]
mod arithmetic;
#[path = "helpers_gl/support.rs"]
mod support;
#[path = "helpers_gl/texture.rs"]
mod texture;
