//! GLSL ES 3.00 of every helper, as templates (see `expand`).

pub(super) mod float;
pub(super) mod integer;
pub(super) mod texture;
