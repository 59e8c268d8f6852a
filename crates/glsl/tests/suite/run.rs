//! Draws hand-assembled shaders on two drivers and reads the bits back.

use shaderport_asm::{Shader, Type};
use shaderport_gl_harness::{Backend, Gl, Job, Target};
use shaderport_glsl::Translation;
use shaderport_glsl::options::*;

use crate::support::{findings, translate};

/// A pixel shader with four uint lanes in `o0`, the rows of `cb0` and `temps` temporaries.
pub(crate) fn pixel(rows: u32, temps: u32) -> Shader {
    let mut s = Shader::pixel();
    if rows > 0 {
        s.constant_buffer(0, rows, true);
    }
    s.target(0, "xyzw", Type::Uint);
    if temps > 0 {
        s.temps(temps);
    }
    s
}

/// The translation with these options; findings fail the test.
pub(crate) fn glsl_with(shader: &Shader, options: &Options) -> Translation {
    translate(&shader.build(), options).unwrap_or_else(|f| panic!("{}", findings(&f)))
}

/// The text with default options.
pub(crate) fn glsl(shader: &Shader) -> String {
    glsl_with(shader, &Options::default()).source
}

/// Strict arithmetic, with typed registers and with float registers.
fn strict() -> [(&'static str, Options); 2] {
    [
        ("typed registers", Options::default()),
        ("float registers", Options { registers: Registers::Float, ..Options::default() }),
    ]
}

/// Both drivers; without one the test fails and says what to install.
pub(crate) fn drivers() -> [(Backend, Gl); 2] {
    [Backend::Angle, Backend::Mesa]
        .map(|b| (b, Gl::open(b).unwrap_or_else(|e| panic!("{e} (tools/get-angle.sh, or Mesa's libegl)"))))
}

/// Little-endian bytes of rows.
pub(crate) fn bytes(rows: &[[u32; 4]]) -> Vec<u8> {
    rows.as_flattened().iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Bits of floats.
pub(crate) fn bits(row: [f32; 4]) -> [u32; 4] {
    row.map(f32::to_bits)
}

/// Draws the shader over `size` pixels, with each form of registers on each driver; `add` completes the job.
/// Hands every picture to `check`.
pub(crate) fn draw(
    shader: &Shader,
    size: [u32; 2],
    add: impl Fn(Job) -> Job,
    check: impl Fn(&str, &[[u32; 4]]),
) {
    let gls = drivers();
    for (form, options) in strict() {
        let source = glsl_with(shader, &options).source;
        let target = if source.contains("out uvec4 SV_Target0") {
            Target::Rgba32ui
        } else if source.contains("out ivec4 SV_Target0") {
            Target::Rgba32i
        } else {
            Target::Rgba32f
        };
        for (backend, gl) in &gls {
            let job = add(Job::fullscreen(source.clone(), target, size));
            let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}, {form}: {e}\n{source}"));
            check(&format!("{backend}, {form}\n{source}"), &output.pixels[0]);
        }
    }
}

/// Draws one pixel with `cb0`, and expects these bits.
pub(crate) fn expect(shader: &Shader, cb0: &[[u32; 4]], want: [u32; 4]) {
    let add = |job: Job| if cb0.is_empty() { job } else { job.block("ConstantBuffer0", bytes(cb0)) };
    draw(shader, [1, 1], add, |what, pixels| {
        assert_eq!(pixels[0].map(Hex), want.map(Hex), "{what}");
    });
}

/// Draws one pixel with `cb0`, and expects these floats, to a part in 10,000; NaN only for NaN.
pub(crate) fn expect_near(shader: &Shader, cb0: &[[u32; 4]], want: [f32; 4]) {
    let add = |job: Job| if cb0.is_empty() { job } else { job.block("ConstantBuffer0", bytes(cb0)) };
    draw(shader, [1, 1], add, |what, pixels| near(what, pixels[0], want));
}

/// Compares bits of floats with what they should be near.
pub(crate) fn near(what: &str, got: [u32; 4], want: [f32; 4]) {
    let got = got.map(f32::from_bits);
    let same = |(g, w): (&f32, &f32)| {
        g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= 1e-4 * w.abs().max(1e-3)
    };
    assert!(got.iter().zip(&want).all(same), "{got:?} is not near {want:?}: {what}");
}

/// Prints in hexadecimal.
#[derive(PartialEq)]
struct Hex(u32);

impl std::fmt::Debug for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "0x{:08x}", self.0)
    }
}
