//! How far results may be from Direct3D's: the one table that the tests assert and `docs/fidelity.md` prints.

use crate::{Shake, Tolerance};
use shaderport_dxbc::Opcode;
use shaderport_exec::{CubeLevels, Manner, Noise};
use shaderport_gl_harness::Backend;
use std::fmt::Write;

/// What an error is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The greater of the two values.
    Value,
    /// Nothing: it is absolute.
    Absolute,
    /// The sum of the magnitudes of all terms.
    Terms,
    /// Levels of detail.
    Levels,
}

/// What is computed, or chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inexact {
    /// Results of opcodes.
    Opcodes(&'static [Opcode]),
    /// Denormal results of any other arithmetic.
    Denormals,
    /// Filtered samples, of texels from 0 to 1.
    Samples,
    /// Levels of detail of textures that are no cubes.
    Levels,
    /// Levels of detail of cubes.
    CubeLevels,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// What it is about.
    pub of: Inexact,
    /// The greatest error on SwiftShader.
    pub angle: f32,
    /// The greatest error on llvmpipe.
    pub mesa: f32,
    /// What these are measured against.
    pub measure: Measure,
    /// Why there is an error.
    pub why: &'static str,
}

const POWERS: Inexact = Inexact::Opcodes(&[Opcode::Exp, Opcode::Log, Opcode::Rsq]);
const QUOTIENTS: Inexact = Inexact::Opcodes(&[Opcode::Div, Opcode::Rcp, Opcode::Sqrt, Opcode::Frc]);
const SINES: Inexact = Inexact::Opcodes(&[Opcode::SinCos]);
const SUMS: Inexact = Inexact::Opcodes(&[Opcode::Dp2, Opcode::Dp3, Opcode::Dp4, Opcode::Mad]);

/// The table.
pub const BOUNDS: [Bound; 10] = [
    Bound {
        of: POWERS,
        angle: 1e-4,
        mesa: 1e-5,
        measure: Measure::Value,
        why: "GLSL ES gives each its own precision; SwiftShader uses approximations. Near 1, `log` has a tenth of it absolute",
    },
    Bound {
        of: QUOTIENTS,
        angle: 1e-6,
        mesa: 1e-6,
        measure: Measure::Value,
        why: "quotients and roots may be products with a reciprocal; a fraction of what is next to 0 may be next to 1",
    },
    Bound {
        of: SINES,
        angle: 5e-4,
        mesa: 1e-5,
        measure: Measure::Absolute,
        why: "within ±100; Direct3D itself allows 8e-4 within ±100π",
    },
    Bound {
        of: SUMS,
        angle: 1e-6,
        mesa: 1e-6,
        measure: Measure::Terms,
        why: "order and fusing of the terms are open without `precise`; each may be flushed. Where an order of them overflows, nothing is compared",
    },
    Bound {
        of: Inexact::Opcodes(&[Opcode::Itof, Opcode::Utof]),
        angle: 1.2e-7,
        mesa: 1.2e-7,
        measure: Measure::Value,
        why: "to the nearest is only recommended (22.13.5); SwiftShader is off by one above 2^24",
    },
    Bound {
        of: Inexact::Denormals,
        angle: f32::MIN_POSITIVE,
        mesa: f32::MIN_POSITIVE,
        measure: Measure::Absolute,
        why: "arithmetic may flush them, as Direct3D always does, or not; moves keep them",
    },
    Bound {
        of: Inexact::Samples,
        angle: 1e-6,
        mesa: 1e-6,
        measure: Measure::Absolute,
        why: "weights are floats on both, where Direct3D asks for 8 bits of a fraction (7.18)",
    },
    Bound {
        of: Inexact::Levels,
        angle: 0.05,
        mesa: 0.05,
        measure: Measure::Levels,
        why: "logarithms of the derivatives are approximate",
    },
    Bound {
        of: Inexact::CubeLevels,
        angle: 2.5,
        mesa: 0.05,
        measure: Measure::Levels,
        why: "SwiftShader takes the greatest sum of two axes of the projected directions (see below)",
    },
    Bound {
        of: Inexact::Opcodes(&[Opcode::F32ToF16]),
        angle: 0.0,
        mesa: 0.0,
        measure: Measure::Value,
        why: "exact but for the bits of NaN",
    },
];

impl Bound {
    /// The greatest error on a GL.
    pub fn on(&self, backend: Backend) -> f32 {
        match backend {
            Backend::Angle => self.angle,
            Backend::Mesa => self.mesa,
        }
    }
}

/// The greatest error of `of` on a GL.
///
/// # Panics
/// When the table lacks it.
pub fn error(of: Inexact, backend: Backend) -> f32 {
    BOUNDS.iter().find(|b| b.of == of).expect("the table has it").on(backend)
}

/// The row of an opcode whose results are not exact.
pub fn of_opcode(opcode: Opcode) -> Option<&'static Bound> {
    static TABLE: [Bound; 10] = BOUNDS;
    TABLE.iter().find(|b| matches!(b.of, Inexact::Opcodes(list) if list.contains(&opcode)))
}

/// How close a float result of an opcode must come; `terms` is the sum of the magnitudes of its terms.
pub fn tolerance(opcode: Opcode, backend: Backend, terms: f32) -> Tolerance {
    // What is no smaller than the smallest normal number may be flushed in all of them.
    let flushed = error(Inexact::Denormals, backend);
    let Some(bound) = of_opcode(opcode) else { return Tolerance::floats(0.0, flushed) };
    let error = bound.on(backend);
    match bound.measure {
        Measure::Value => {
            // Near 1, a logarithm is as far off as the argument.
            let absolute = if opcode == Opcode::Log { error / 10.0 } else { 0.0 };
            Tolerance::floats(error, flushed.max(absolute))
        }
        Measure::Absolute | Measure::Levels => Tolerance::floats(0.0, error),
        // Each term and each sum may be flushed.
        Measure::Terms => Tolerance::floats(0.0, 8.0 * flushed + error * terms),
    }
}

/// The table as `docs/fidelity.md` shows it.
pub fn markdown() -> String {
    let mut text = String::from("| what | SwiftShader | llvmpipe | why |\n|---|---|---|---|\n");
    for b in BOUNDS {
        let what = match b.of {
            Inexact::Opcodes(list) => {
                list.iter().map(|o| format!("`{}`", o.name())).collect::<Vec<_>>().join(", ")
            }
            Inexact::Denormals => "denormal results of any arithmetic".into(),
            Inexact::Samples => "filtered samples, of texels from 0 to 1".into(),
            Inexact::Levels => "levels of detail".into(),
            Inexact::CubeLevels => "levels of detail of cubes".into(),
        };
        let bound = |error: f32| match b.measure {
            _ if error == 0.0 => "0".to_string(),
            _ if b.of == Inexact::Denormals => "2^-126".into(),
            Measure::Value => format!("{error:e} relative"),
            Measure::Absolute => format!("{error:e} absolute"),
            Measure::Terms => format!("{error:e} of the sum of the terms' magnitudes"),
            Measure::Levels => format!("{error} levels"),
        };
        let _ = writeln!(text, "| {what} | {} | {} | {} |", bound(b.angle), bound(b.mesa), b.why);
    }
    text
}

/// What a driver cannot do: part of its message, and the reason.
pub const LIMITS: [(&str, &str); 3] = [
    // The executor ended: there is no loop without end.
    ("timeout", "the driver takes too long to compile it"),
    ("MAX_DRAW_BUFFERS", "outside of a browser ANGLE has six draw buffers"),
    ("GL_ANGLE_clip_cull_distance", "Mesa has no clip distances"),
];

/// What a GL does in a way of its own with derivatives, exactly (`tests/drivers.rs` shows it).
pub fn manner(backend: Backend) -> Manner {
    match backend {
        Backend::Angle => Manner { fine: false, cube_levels: CubeLevels::TwoAxes },
        Backend::Mesa => Manner { fine: true, cube_levels: CubeLevels::Projected },
    }
}

/// Values of whole shaders: sines are off by some 5e-4 on SwiftShader.
pub const PLAIN: Tolerance = Tolerance::floats(2e-3, 2e-3);
/// Relative error of what is interpolated, and of all that is bound.
const INPUTS: f32 = 1e-6;
/// What is allowed to an implementation where a value is beyond that: the table's errors, besides those of its manner.
pub fn shake(backend: Backend) -> Shake {
    let noise = Noise {
        seed: 0,
        powers: error(POWERS, backend),
        quotients: error(QUOTIENTS, backend),
        sine: error(SINES, backend),
        sums: error(SUMS, backend),
        sample: error(Inexact::Samples, backend),
        level: error(Inexact::Levels, backend),
    };
    Shake { inputs: INPUTS, noise }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// `UPDATE_DOCS=1` writes the page.
    #[test]
    fn the_page_prints_the_table() {
        const BEGIN: &str =
            "<!-- bounds: `UPDATE_DOCS=1 cargo test -p shaderport-compare` writes this table -->\n";
        const END: &str = "<!-- end of bounds -->\n";
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fidelity.md");
        let text = std::fs::read_to_string(&page).unwrap();
        let (head, rest) = text.split_once(BEGIN).expect("the page has a place for the table");
        let (shown, tail) = rest.split_once(END).expect("the page has a place for the table");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(page, format!("{head}{BEGIN}{}{END}{tail}", markdown())).unwrap();
            return;
        }
        assert_eq!(shown, markdown());
    }
}
