//! The host's side: the values that a renderer writes, as pure functions and machines.
//!
//! Numbers are `f32` where a shader sees them.

pub mod activation;
pub mod auto_quality;
pub mod blocks;
pub mod budget;
pub mod celestial;
pub mod passes;
pub mod policy;
pub mod wind;
