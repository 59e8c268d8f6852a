//! The helper functions against their Rust models.

use super::{each_driver, es_header};
use shaderport_gl_harness::{Backend, Format, Gl, Job, Target, Texture};
use shaderport_renderpack::abi::SEMANTIC_V1;
use shaderport_renderpack::host::blocks::{AtmosphericFrame, Wind};
use shaderport_renderpack::host::wind::{decode_display, encode_display, foliage};

const WIDTH: usize = 64;

/// Four numbers `a`, and `flags`.
type Input = ([f32; 4], u32);

/// What `expression` is for each input.
fn draw(gl: &Gl, expression: &str, inputs: &[Input], frame: &[u8]) -> Vec<[f32; 3]> {
    let fragment = format!(
        "{}
uniform usampler2D uNumbers;
uniform usampler2D uFlags;
layout(location = 0) out vec4 colour;
void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 a = uintBitsToFloat(texelFetch(uNumbers, at, 0));
    uint flags = texelFetch(uFlags, at, 0).x;
    colour = vec4({expression}, 1.0);
}}
",
        es_header(&SEMANTIC_V1, &["ATMOSPHERIC_FRAME"])
    );
    let rows = inputs.len().div_ceil(WIDTH);
    let mut numbers: Vec<u8> =
        inputs.iter().flat_map(|(a, _)| a.iter().flat_map(|v| v.to_bits().to_le_bytes())).collect();
    let mut flags: Vec<u8> = inputs.iter().flat_map(|(_, f)| f.to_le_bytes()).collect();
    numbers.resize(rows * WIDTH * 16, 0);
    flags.resize(rows * WIDTH * 4, 0);
    let size = [WIDTH as u32, rows as u32];
    let texture = |format, texels| Texture::new_2d(format, size[0], size[1], texels);
    let job = Job::fullscreen(fragment, Target::Rgba32f, size)
        .texture("uNumbers", texture(Format::Rgba32Ui, numbers))
        .texture("uFlags", texture(Format::R32Ui, flags))
        .block("AtmosphericFrame", frame)
        .block("AcdreamPushBlock", [0; 96]);
    let output = gl.draw(&job).unwrap_or_else(|e| panic!("{}: {e}", gl.renderer()));
    output.pixels[0][..inputs.len()].iter().map(|p| [p[0], p[1], p[2]].map(f32::from_bits)).collect()
}

struct Rng(u64);

impl Rng {
    /// A number of 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u32 << 24) as f32
    }
    fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }
}

/// Colours: edges, every value of eight bits, and random ones of every size that the curves keep finite.
fn colours() -> Vec<Input> {
    let edges = [
        0.0,
        -0.0,
        -1.0,
        -1.0e30,
        f32::MIN_POSITIVE,
        1.0e-30,
        1.0e-12,
        0.0031308,
        0.04045,
        0.5,
        1.0 - f32::EPSILON,
        1.0,
        1.0 + f32::EPSILON,
        2.0,
        65504.0,
        1.0e12,
        1.0e17,
    ];
    let bytes = (0..=255u8).map(|b| f32::from(b) / 255.0);
    let mut rng = Rng(0x5eed_0101);
    let random = std::iter::repeat_with(move || rng.between(-40.0, 40.0).exp2()).take(30_000);
    let all: Vec<f32> = edges.into_iter().chain(bytes).chain(random).collect();
    all.chunks_exact(3).map(|c| ([c[0], c[1], c[2], 0.0], 0)).collect()
}

/// A curve is right within this part of its value, and within a colour that no screen tells from black: a driver may
/// make 2^(y log2 x) of `pow`, with a finite log2 of 0.
const CURVE: f32 = 8.0e-6;
const BLACK: f32 = 1.0e-17;

#[test]
fn display_curves_are_their_models() {
    let inputs = colours();
    assert!(inputs.len() > 10_000);
    type Model = fn([f32; 3]) -> [f32; 3];
    let curves: [(&str, Model); 2] =
        [("packDecodeDisplay(a.rgb)", decode_display), ("packEncodeDisplay(a.rgb)", encode_display)];
    each_driver(|_, gl| {
        for (expression, model) in curves {
            let mut worst: f32 = 0.0;
            for ((a, _), got) in inputs.iter().zip(draw(gl, expression, &inputs, &[0; 192])) {
                for ((a, want), got) in a.iter().zip(model([a[0], a[1], a[2]])).zip(got) {
                    let off = (got - want).abs();
                    assert!(got >= 0.0 && off <= CURVE * want + BLACK, "{}: {a:e}: {got:e}", gl.renderer());
                    if want > 1.0e-9 {
                        worst = worst.max(off / want);
                    }
                }
            }
            println!("{}: {expression} within {worst:e}", gl.renderer());
        }
    });
}

fn winds() -> Vec<Wind> {
    let usual = [0.25, 0.15, 0.05, 8.0];
    let wind = |seconds: f32, mean, gust, degrees: f32, amplitude| Wind {
        clock: [seconds, mean, gust, degrees.to_radians()],
        amplitude,
    };
    let mut all = vec![
        Wind::default(),
        wind(0.0, 1.0, 0.0, 0.0, usual),
        wind(1.5, 0.0, 1.0, 90.0, usual),
        wind(60.0, 0.5, 0.5, 225.0, usual),
        wind(3600.0, 1.0, 0.75, 359.5, usual),
        // A canopy below the least height, and one of nothing.
        wind(12.0, 1.0, 1.0, 45.0, [0.25, 0.15, 0.05, 0.25]),
        wind(12.0, 1.0, 1.0, -180.0, [1.0, 0.5, 0.25, 0.0]),
        // One motion at a time.
        wind(7.0, 1.0, 0.0, 10.0, [1.0, 0.0, 0.0, 4.0]),
        wind(7.0, 1.0, 0.0, 10.0, [0.0, 1.0, 0.0, 4.0]),
        wind(7.0, 1.0, 0.0, 10.0, [0.0, 0.0, 1.0, 4.0]),
    ];
    let mut rng = Rng(0x5eed_0102);
    all.extend(
        std::iter::repeat_with(|| Wind {
            clock: [rng.between(0.0, 600.0), rng.unit(), rng.unit(), rng.between(-7.0, 7.0)],
            amplitude: [rng.unit(), rng.unit(), rng.unit(), rng.between(0.0, 20.0)],
        })
        .take(14),
    );
    all
}

/// Vertices: at the root, below, above the canopy, at its edges; with every flag and with others.
fn vertices() -> Vec<Input> {
    let mut all = Vec::new();
    for flags in [0, 1, 2, 4, 6, 7, 8, u32::MAX, !6] {
        for height in [-3.0, 0.0, 0.01, 0.5, 4.0, 8.0, 100.0] {
            for root in [0.0, -20.0, 310.0] {
                all.push(([0.0, 0.0, root + height, root], flags));
                all.push(([-96.0, 192.0, root + height, root], flags));
            }
        }
    }
    let mut rng = Rng(0x5eed_0103);
    while all.len() < 4_000 {
        let root = rng.between(-50.0, 400.0);
        let place = [rng.between(-200.0, 200.0), rng.between(-200.0, 200.0)];
        let flags = 1 << (rng.between(0.0, 4.0) as u32);
        all.push(([place[0], place[1], root + rng.between(-1.0, 12.0), root], flags));
    }
    all
}

/// A sine is right within this, and within what rounding makes of its argument. Mesa computes it to the last bits;
/// ANGLE's driver as well as Vulkan asks, which is 2^-11.
fn sine_error(backend: Backend) -> f32 {
    match backend {
        Backend::Mesa => 2.0e-6,
        Backend::Angle => 1.0 / 2048.0,
    }
}
const ROUNDING: f32 = 1.0 / (1 << 22) as f32;

/// How far a displacement may be from its model: that of its sines, and of rounding the place.
fn wind_bound([x, y, z, root]: [f32; 4], wind: &Wind, sine_error: f32) -> f32 {
    let [seconds, mean, gust, _] = wind.clock;
    let [lean, branch, flutter, canopy] = wind.amplitude;
    let sine = |argument: f32| sine_error + ROUNDING * argument;
    let reach = x.abs() + y.abs();
    let strength = mean + gust;
    let slow = gust * 0.25 * (sine(0.05 * seconds + 0.02 * reach) + sine(0.13 * seconds + 0.05 * reach));
    let amplitude = lean + branch + 2.0 * flutter;
    let carried = amplitude * slow
        + strength * branch * sine(1.1 * seconds + 0.35 * reach)
        + 2.0 * strength * flutter * sine(6.0 * seconds + 3.0 * reach + 1.7)
        + strength * amplitude * (sine_error + ROUNDING * (1.0 + (z.abs() + root.abs()) / canopy.max(0.5)));
    let longest = strength * amplitude;
    carried + 2.0 * longest * carried + ROUNDING * (reach + z.abs() + longest)
}

#[test]
fn foliage_wind_is_its_model() {
    let (winds, vertices) = (winds(), vertices());
    let mut moved = 0;
    each_driver(|backend, gl| {
        let (mut worst, mut furthest) = (0.0f32, 0.0f32);
        for wind in &winds {
            let frame = AtmosphericFrame::casters(*wind);
            let got = draw(gl, "packFoliageWind(a.xyz, a.w, flags)", &vertices, &frame);
            for (&(a, flags), got) in vertices.iter().zip(got) {
                let place = [a[0], a[1], a[2]];
                let want = foliage(place, a[3], flags, wind);
                if flags & 6 == 0 || *wind == Wind::default() {
                    assert_eq!(got, place, "{}: {a:?} {flags} {wind:?}", gl.renderer());
                    continue;
                }
                moved += usize::from(want != place);
                let bound = wind_bound(a, wind, sine_error(backend));
                for (got, want) in got.into_iter().zip(want) {
                    let off = (got - want).abs();
                    furthest = furthest.max(off);
                    worst = worst.max(off / bound);
                    assert!(off <= bound, "{}: {off:e} of {bound:e}: {a:?} {flags} {wind:?}", gl.renderer());
                }
            }
        }
        println!("{}: wind within {furthest:e}, {worst} of the bound", gl.renderer());
    });
    assert!(moved > 50_000, "{moved}");
}
