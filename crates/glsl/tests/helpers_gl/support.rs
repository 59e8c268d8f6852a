//! Runs a GLSL expression over a table of operands on each driver.

use shaderport_gl_harness::{Backend, Format, Gl, Job, Output, Target, Texture};
use shaderport_glsl::helpers::{Helper, HelperSet};

/// Both drivers.
pub(crate) fn drivers() -> [(Backend, Gl); 2] {
    [Backend::Angle, Backend::Mesa]
        .map(|backend| (backend, Gl::open(backend).unwrap_or_else(|error| panic!("{error}"))))
}

/// How the bits of an operand or a result are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    F,
    I,
    U,
}

impl Scalar {
    fn type_name(self, width: usize) -> String {
        match (self, width) {
            (Scalar::F, 1) => "float".into(),
            (Scalar::I, 1) => "int".into(),
            (Scalar::U, 1) => "uint".into(),
            (Scalar::F, n) => format!("vec{n}"),
            (Scalar::I, n) => format!("ivec{n}"),
            (Scalar::U, n) => format!("uvec{n}"),
        }
    }
}

/// What counts as the same result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Same {
    /// Equal bits; all NaNs are one.
    Bits,
    /// The same, and a subnormal may have become the zero of its sign.
    Flushed,
    /// The same for NaN, infinities and zeros (of either sign), else within this absolute or relative error.
    Near { absolute: f64, relative: f64 },
}

impl Same {
    pub(crate) fn holds(self, scalar: Scalar, got: u32, want: u32) -> bool {
        if scalar != Scalar::F {
            return got == want;
        }
        let (g, w) = (f32::from_bits(got), f32::from_bits(want));
        if g.is_nan() || w.is_nan() {
            return g.is_nan() && w.is_nan();
        }
        match self {
            Same::Bits => got == want,
            Same::Flushed => flush(g).to_bits() == flush(w).to_bits(),
            Same::Near { absolute, relative } => {
                let (g, w) = (f64::from(flush(g)), f64::from(flush(w)));
                g == w || (w.is_finite() && (g - w).abs() <= absolute.max(relative * w.abs()))
            }
        }
    }
}

fn flush(v: f32) -> f32 {
    shaderport_glsl::helpers::model::flush(v)
}

/// The GLSL of a helper and of all that it calls.
pub(crate) fn text(helper: Helper, width: u8) -> String {
    let mut set = HelperSet::default();
    set.add(helper, width);
    let mut text = String::new();
    set.write(&mut text);
    text
}

/// Precision statements for all that the tests declare.
pub(crate) const HEAD: &str = "#version 300 es
precision highp float;
precision highp int;
";

/// Pixels a row of the operand table and of the target.
const ROW: usize = 256;

/// Runs `call` (GLSL over `a`, `b`, `c`, `d`) once for each row of operands, at one width. Lane `n` of a row reads
/// its operands from the `n`th row after it, so that the lanes differ. Results come lane by lane.
pub(crate) fn run(
    gl: &Gl,
    functions: &str,
    call: &str,
    operands: &[Scalar],
    result: Scalar,
    width: usize,
    rows: &[[u32; 4]],
) -> Vec<Vec<u32>> {
    let mut fragment = format!(
        "{HEAD}uniform highp usampler2D rows;\nlayout(location = 0) out uvec4 color;\n{functions}\
         uvec4 row(int lane) {{\n    int i = (int(gl_FragCoord.y) * {ROW} + int(gl_FragCoord.x) + lane) % {};\n    \
         return texelFetch(rows, ivec2(i % {ROW}, i / {ROW}), 0);\n}}\nvoid main() {{\n",
        rows.len()
    );
    for lane in 0..width {
        fragment.push_str(&format!("    uvec4 r{lane} = row({lane});\n"));
    }
    for (operand, (name, channel)) in operands.iter().zip(["a", "b", "c", "d"].iter().zip("xyzw".chars())) {
        let lanes: Vec<_> = (0..width).map(|lane| format!("r{lane}.{channel}")).collect();
        let bits = format!("{}({})", Scalar::U.type_name(width), lanes.join(", "));
        let (open, close) = match operand {
            Scalar::F => ("uintBitsToFloat(".into(), ")"),
            Scalar::I => (format!("{}(", operand.type_name(width)), ")"),
            Scalar::U => (String::new(), ""),
        };
        fragment.push_str(&format!("    {} {name} = {open}{bits}{close};\n", operand.type_name(width)));
    }
    let bits = match result {
        Scalar::F => format!("floatBitsToUint({call})"),
        Scalar::I => format!("{}({call})", Scalar::U.type_name(width)),
        Scalar::U => call.into(),
    };
    let rest = ["", ", 0u, 0u, 0u", ", 0u, 0u", ", 0u", ""][width];
    fragment.push_str(&format!("    color = uvec4({bits}{rest});\n}}\n"));

    let output = draw(gl, &job(fragment, rows));
    output.pixels[0][..rows.len()].iter().map(|pixel| pixel[..width].to_vec()).collect()
}

/// Runs `body`, which sets `uvec4 color` from `uvec4 r`, once for each row.
pub(crate) fn run_rows(
    gl: &Gl,
    functions: &str,
    body: &str,
    rows: &[[u32; 4]],
    texture: Option<&Texture>,
) -> Vec<[u32; 4]> {
    let fragment = format!(
        "{HEAD}uniform highp usampler2D rows;\nlayout(location = 0) out uvec4 color;\n{functions}\
         void main() {{\n    uvec4 r = texelFetch(rows, ivec2(gl_FragCoord.xy), 0);\n    {body}\n}}\n"
    );
    let mut job = job(fragment, rows);
    if let Some(texture) = texture {
        job = job.texture("t", texture.clone());
    }
    let mut pixels = draw(gl, &job).pixels.swap_remove(0);
    pixels.truncate(rows.len());
    pixels
}

/// A job with a pixel for each row of operands, which the texture `rows` holds.
fn job(fragment: String, rows: &[[u32; 4]]) -> Job {
    let size = [ROW as u32, rows.len().div_ceil(ROW) as u32];
    let mut table = rows.to_vec();
    table.resize((size[0] * size[1]) as usize, [0; 4]);
    let texels = table.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    Job::fullscreen(fragment, Target::Rgba32ui, size)
        .texture("rows", Texture::new_2d(Format::Rgba32Ui, size[0], size[1], texels))
}

pub(crate) fn draw(gl: &Gl, job: &Job) -> Output {
    gl.draw(job).unwrap_or_else(|error| panic!("{error}\n{}", job.fragment))
}
