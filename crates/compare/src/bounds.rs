//! What is allowed to implementations that run shaders of real projects; `docs/fidelity.md` says where it comes from.

use crate::{Shake, Tolerance};
use shaderport_exec::Noise;

/// What a driver cannot do: part of its message, and the reason.
pub const LIMITS: [(&str, &str); 3] = [
    // The executor ended: there is no loop without end.
    ("timeout", "the driver takes too long to compile it"),
    ("MAX_DRAW_BUFFERS", "outside of a browser ANGLE has six draw buffers"),
    ("GL_ANGLE_clip_cull_distance", "Mesa has no clip distances"),
];

/// Values of no filter: sines are off by some 5e-4 on SwiftShader.
pub const PLAIN: Tolerance = Tolerance::floats(2e-3, 2e-3);
/// Filters and levels of detail are of fixed point in hardware.
pub const FILTERED: Tolerance = Tolerance { relative: 0.1, absolute: 0.1, integer: 0.02 };
/// What is allowed to an implementation where a value is beyond that: the bounds of `docs/fidelity.md`.
pub const SHAKE: Shake = Shake {
    inputs: 1e-4,
    noise: Noise { seed: 0, relative: 1e-4, sine: 5e-4, sample: 0.0, level: 0.0, cube_level: 0.0 },
};
/// The same of filters and levels of detail.
pub const FILTERED_SHAKE: Shake =
    Shake { inputs: 1e-3, noise: Noise { sample: 0.02, level: 0.15, cube_level: 1.2, ..SHAKE.noise } };
