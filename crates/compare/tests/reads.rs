//! Every opcode that reads a texture or buffer, without filters, so that every bit must be right: coordinates and texels
//! outside, indices beyond the end, all dimensions, masks, swizzles, offsets, and destinations that are the address.
//!
//! `ROUNDS=n` tries more variants of each, `ONLY=ld` one opcode.

use shaderport_asm::{Ins, Operand, Shader, Type, l, o, r, s, t, v};
use shaderport_compare::random::Random;
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, Tolerance, compare_scene, draw, translate};
use shaderport_dxbc::opcode::Es300;
use shaderport_dxbc::program::{ResourceDimension as D, ReturnType};
use shaderport_dxbc::{Family, Opcode, ScalarType, Slot};
use shaderport_exec::{Address, Bindings, Comparison, Inputs, Resource, Sampler, TexelKind, Texture};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

const ROWS: usize = 256;
const VARIANTS: u32 = 4;
const SIDE: u32 = 4;
const LAYERS: u32 = 3;
const STRIDE: u32 = 20;

/// Numbers of texels, elements and levels.
const INDICES: [u32; 16] =
    [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fff8, u32::MAX, 0x1_0000, 0x4000_0000];
const MASKS: [&str; 8] = ["xyzw", "xyz", "xy", "x", "yw", "zw", "w", "xz"];
const SWIZZLES: [&str; 6] = ["xyzw", "wzyx", "xxxx", "yxwz", "zwxy", "zxyw"];

fn dimensions(opcode: Opcode) -> &'static [D] {
    use Opcode::*;
    match opcode {
        LdRaw => &[D::RawBuffer],
        LdStructured => &[D::StructuredBuffer],
        BufInfo => &[D::RawBuffer, D::StructuredBuffer, D::Buffer],
        Ld => &[D::Buffer, D::Texture1D, D::Texture2D, D::Texture2DArray, D::Texture3D],
        Gather4 | Gather4C | Gather4Po | Gather4PoC => &[D::Texture2D, D::Texture2DArray],
        SampleC | SampleCLz => &[D::Texture2D, D::Texture2DArray],
        _ => &[D::Texture1D, D::Texture2D, D::Texture2DArray, D::Texture3D],
    }
}

fn compares(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, SampleC | SampleCLz | Gather4C | Gather4PoC)
}

fn resource(dimension: D, levels: u32, random: &mut Random) -> Resource {
    let mut words = |n: u32| (0..n).map(|_| random.bits()).collect::<Vec<_>>();
    match dimension {
        D::RawBuffer => return Resource::Raw(words(13)),
        D::StructuredBuffer => {
            return Resource::Structured { stride: STRIDE, words: words(5 * STRIDE / 4) };
        }
        D::Buffer => {
            let texels = words(7).iter().map(|&w| [w, !w, w ^ 1, w >> 3]).collect();
            return Resource::Typed(texels, TexelKind::Uint);
        }
        _ => {}
    }
    let (axes, layers) = match dimension {
        D::Texture1D => (1, 1),
        D::Texture3D => (3, 1),
        D::Texture2DArray => (2, LAYERS),
        _ => (2, 1),
    };
    // Eighths from 0 to 1, which comparisons meet exactly.
    let mut level = |side: u32| {
        let count = side.pow(axes) * layers;
        (0..count).map(|_| [0; 4].map(|_: u32| eighth(random))).collect::<Vec<_>>()
    };
    let levels = (0..levels).map(|n| level(SIDE >> n)).collect();
    let size = [SIDE, if axes > 1 { SIDE } else { 1 }, if axes > 2 { SIDE } else { 1 }];
    Resource::Texture(Texture::new(dimension, size, layers, levels).unwrap())
}

fn eighth(random: &mut Random) -> u32 {
    (random.below(9) as f32 / 8.0).to_bits()
}

fn case(opcode: Opcode, dimension: D, random: &mut Random) -> Vec<u8> {
    let mut shader = Shader::pixel();
    for n in 0..3 {
        shader.input(n, "xyzw", &format!("A{n}"), Type::Uint);
    }
    let slots = opcode.info().slots;
    if slots.contains(&Slot::Sampler) {
        shader.sampler(0, compares(opcode));
    }
    match dimension {
        D::RawBuffer => shader.raw_buffer(0),
        D::StructuredBuffer => shader.structured(0, STRIDE),
        D::Buffer => shader.texture(0, dimension, ReturnType::Uint),
        _ => shader.texture(0, dimension, ReturnType::Float),
    };
    for n in 0..VARIANTS {
        shader.target(n, "xyzw", Type::Uint);
    }
    shader.temps(6);
    for n in 0..VARIANTS {
        for k in 0..3 {
            shader.op(Opcode::Mov, &[r(k, "xyzw"), v(k, "xyzw")]);
        }
        let mask = random.pick(&MASKS);
        let mut operands = Vec::new();
        let (mut dests, mut sources, mut register) = (0, 0, 0);
        for slot in slots {
            let lane = random.pick(&["x", "y", "z", "w"]);
            let operand: Operand = match slot {
                Slot::Dest(_) => {
                    dests += 1;
                    if dests == 1 {
                        register = random.below(4);
                        r(register, mask)
                    } else {
                        r(4, "x")
                    }
                }
                Slot::Resource if compares(opcode) => t(0, "xxxx"),
                Slot::Resource => t(0, random.pick(&SWIZZLES)),
                Slot::Sampler => s(0).read(if compares(opcode) { "x" } else { lane }),
                Slot::Src(ty) => {
                    sources += 1;
                    let float = *ty == ScalarType::Float;
                    match (opcode, sources) {
                        // Bytes beyond the structure are undefined.
                        (Opcode::LdStructured, 2) => l(random.below(2) * 4),
                        (Opcode::SampleL, 2) => l(random.pick(&[-1.0f32, 0.0, 0.25, 0.75, 1.0, 5.0])),
                        (Opcode::SampleD, 2 | 3) => r(2, random.pick(&SWIZZLES)),
                        (Opcode::LdRaw | Opcode::LdStructured | Opcode::ResInfo, _) => r(1, lane),
                        (_, 1) if float => r(0, random.pick(&SWIZZLES)),
                        (_, _) if float => r(2, lane),
                        _ => r(1, random.pick(&SWIZZLES)),
                    }
                }
                _ => continue,
            };
            operands.push(operand);
        }
        let mut ins = Ins::new(opcode, &operands);
        if opcode == Opcode::ResInfo {
            ins = ins.controls(random.below(3) << 11);
        }
        let texels = !matches!(dimension, D::RawBuffer | D::StructuredBuffer | D::Buffer);
        let fixed = !matches!(opcode, Opcode::Gather4Po | Opcode::Gather4PoC | Opcode::ResInfo);
        if texels && fixed && random.once_in(2) {
            ins = ins.offsets([0; 3].map(|_: i8| random.below(16) as i8 - 8));
        }
        shader.push(ins).op(Opcode::Mov, &[o(n, mask), r(register, "xyzw")]);
    }
    shader.op(Opcode::Ret, &[]);
    shader.build()
}

fn opcodes() -> impl Iterator<Item = Opcode> {
    Opcode::ALL.iter().copied().filter(|op| {
        matches!(op.info().family, Family::Texture | Family::Memory)
            && matches!(op.info().es300, Es300::Says(_))
            && op.info().stages.contains(shaderport_dxbc::Stage::Pixel)
            // A logarithm: `crates/glsl/tests/helpers_gl` and the fixtures have it.
            && *op != Opcode::Lod
    })
}

fn run(backend: Backend) {
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let (mut bad, mut compared) = (0, 0);
    for opcode in opcodes().filter(|op| only.is_empty() || op.name() == only) {
        for (round, &dimension) in (0..rounds).flat_map(|n| dimensions(opcode).iter().map(move |d| (n, d))) {
            let mut random = Random::new((opcode as u64 * 100 + dimension as u64) * 1000 + round);
            let address = random.pick(&[Address::Wrap, Address::Clamp, Address::Mirror]);
            let comparison = random.pick(&[Comparison::LessEqual, Comparison::Greater, Comparison::Equal]);
            let bytes = case(opcode, dimension, &mut random);
            let levels = match opcode {
                Opcode::SampleL => 2,
                Opcode::Ld | Opcode::ResInfo => 2,
                // Points have no derivatives.
                _ => 1,
            };
            let resource = resource(dimension, levels, &mut random);
            let raw = opcode == Opcode::LdRaw;
            let inputs = (0..ROWS).map(|_| {
                // A quarter of a texel into each, in the texture and up to two of its sizes around.
                let place = [0; 4].map(|_: u32| (random.below(20) as f32 - 8.0 + 0.25) / SIDE as f32);
                let index = [0; 4].map(|_: u32| {
                    let n = random.pick(&INDICES);
                    // Addresses of bytes that are no multiple of four are undefined.
                    if raw { n.wrapping_mul(4) | n & 0x8000_0000 } else { n }
                });
                let third = [0; 4].map(|_: u32| eighth(&mut random));
                Inputs::default().floats(0, place).register(1, index).register(2, third)
            });
            let scene = Scene {
                inputs: inputs.collect(),
                bindings: Bindings::default()
                    .resource(0, resource)
                    .sampler(0, Sampler { address: [address; 3], comparison, ..Sampler::default() }),
                width: 16,
                position: None,
                elements: Vec::new(),
                corners: None,
            };
            let subject = Subject::new(&bytes).unwrap();
            let translation = translate(&bytes, &draw::options()).unwrap();
            let text = translation.source.clone();
            match compare_scene(&mut worker, &subject, translation, &scene, Tolerance::EXACT) {
                Ok(c) => {
                    compared += c.compared;
                    if !c.differences.is_empty() {
                        bad += 1;
                        println!(
                            "DIFF {opcode:?} {dimension:?} {address:?} round {round}: {}",
                            c.differences.len()
                        );
                        for d in c.differences.iter().take(3) {
                            println!("    {d} of {:08x?}", scene.inputs[d.row].registers[..3].as_flattened());
                        }
                        for i in 0..subject.program.instructions.len() {
                            println!(
                                "      {}",
                                shaderport_dxbc::disasm::instruction_text(&subject.program, i)
                            );
                        }
                        println!("{text}");
                    }
                }
                Err(e) => {
                    bad += 1;
                    println!("FAIL {opcode:?} {dimension:?} round {round}: {e:?}\n{text}");
                }
            }
        }
    }
    println!("{compared} values");
    assert_eq!(bad, 0);
    assert!(compared > 10_000 || !only.is_empty(), "only {compared} values");
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}
