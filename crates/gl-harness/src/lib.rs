//! WebGL2 without a browser, for tests: compiles, links and runs GLSL ES 3.00.
//!
//! [`Gl::angle`] is the driver that Chromium ships, in the mode a WebGL2 page gets, so its verdicts on shaders are
//! the browser's. [`Gl::mesa`] runs the same shaders on another compiler: where the two disagree on a bit, the
//! shader leans on something GLSL leaves undefined.
//!
//! A shader that never ends hangs either driver. [`Worker`] keeps the driver in a child process with a time limit;
//! `gl-check`, the program of this crate, does so for lists of files, and asks a real browser in the end.
//!
//! `tools/get-angle.sh` fetches ANGLE; without it the tests that need it fail, and say so.
//!
//! ```no_run
//! use shaderport_gl_harness::{Gl, Job, Target};
//!
//! let gl = Gl::angle()?;
//! let fragment = "#version 300 es
//!     layout(location = 0) out highp uvec4 color;
//!     void main() { color = uvec4(0xFFFFFFFFu, 1u, 2u, 3u); }";
//! let output = gl.draw(&Job::fullscreen(fragment, Target::Rgba32ui, [1, 1]))?;
//! assert_eq!(output.pixels[0], [[0xFFFF_FFFF, 1, 2, 3]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::undocumented_unsafe_blocks)]

pub mod child;
pub mod chromium;
mod draw;
mod egl;
mod gl;
mod job;
pub mod list;
mod worker;

pub use draw::JobError;
pub use gl::{Backend, Gl, GlError, Phase, Program, Rejection, Shader, Stage};
pub use job::{
    Attribute, Compare, Data, Depth, Dimension, EMPTY_FRAGMENT, FULLSCREEN_VERTEX, Filter, Format, Job, Kind,
    Mode, Output, Sampler, Target, Texture, Wrap,
};
pub use worker::{Worker, serve};
