//! Array layers: rounded to the nearest, ties to even, and clamped; also what no integer holds (22.4.15).

use shaderport_asm::{Shader, Type, l, o, s, t, v};
use shaderport_compare::scene::Scene;
use shaderport_compare::{Subject, Tolerance, compare_scene, draw, execute, translate};
use shaderport_dxbc::Opcode;
use shaderport_dxbc::program::{Interpolation, ResourceDimension, ReturnType};
use shaderport_exec::{Bindings, Inputs, Resource, Texture};
use shaderport_gl_harness::{Backend, Worker};
use std::time::Duration;

const LAYERS: u32 = 3;

/// Layers, and which is meant.
const CASES: [(f32, u32); 16] = [
    (0.0, 0),
    (-0.0, 0),
    (0.5, 0),
    (0.500_01, 1),
    (1.5, 2),
    (2.5, 2),
    (7.0, 2),
    (-0.6, 0),
    (-1e30, 0),
    (f32::NEG_INFINITY, 0),
    (f32::NAN, 0),
    (2_147_483_520.0, 2),
    (2_147_483_648.0, 2),
    (4_294_967_296.0, 2),
    (1e30, 2),
    (f32::INFINITY, 2),
];

fn shader() -> Vec<u8> {
    let mut shader = Shader::pixel();
    // Constant: interpolation makes NaN of infinity.
    shader.input_as(0, "xyzw", "A", Type::Float, Interpolation::Constant);
    for n in 0..3 {
        shader.target(n, "xyzw", Type::Float);
    }
    shader
        .sampler(0, false)
        .texture(0, ResourceDimension::Texture2DArray, ReturnType::Float)
        .texture(1, ResourceDimension::Texture1DArray, ReturnType::Float)
        .op(Opcode::SampleL, &[o(0, "xyzw"), v(0, "xyzw"), t(0, "xyzw"), s(0), l(0f32)])
        .op(Opcode::Gather4, &[o(1, "xyzw"), v(0, "xyzw"), t(0, "xyzw"), s(0)])
        .op(Opcode::SampleL, &[o(2, "xyzw"), v(0, "xzzw"), t(1, "xyzw"), s(0), l(0f32)])
        .op(Opcode::Ret, &[]);
    shader.build()
}

fn texture(dimension: ResourceDimension, size: [u32; 3]) -> Resource {
    let texels =
        (0..LAYERS).flat_map(|layer| vec![[layer as f32; 4].map(f32::to_bits); (size[0] * size[1]) as usize]);
    Resource::Texture(Texture::new(dimension, size, LAYERS, vec![texels.collect()]).unwrap())
}

fn run(backend: Backend) {
    let bytes = shader();
    let subject = Subject::new(&bytes).unwrap();
    let inputs = CASES.map(|(layer, _)| Inputs::default().floats(0, [0.4, 0.6, layer, 0.0]));
    let bindings = Bindings::default()
        .resource(0, texture(ResourceDimension::Texture2DArray, [2, 2, 1]))
        .resource(1, texture(ResourceDimension::Texture1DArray, [2, 1, 1]))
        .sampler(0, shaderport_exec::Sampler::default());
    let scene = Scene::points(inputs.into(), bindings, CASES.len());
    for (outputs, (layer, meant)) in execute(&subject.program, &scene, 100).unwrap().iter().zip(CASES) {
        for target in 0..3 {
            let found = outputs.registers[target].map(f32::from_bits);
            assert_eq!(found, [meant as f32; 4], "the executor's layer of {layer}");
        }
    }
    let translation = translate(&bytes, &draw::options()).unwrap();
    let mut worker = Worker::new(backend, Duration::from_secs(60)).unwrap();
    let comparison = compare_scene(&mut worker, &subject, &translation, &scene, Tolerance::EXACT).unwrap();
    assert_eq!(comparison.compared, 3 * 4 * CASES.len());
    assert!(comparison.differences.is_empty(), "{:#?}\n{}", comparison.differences, translation.source);
}

#[test]
fn angle() {
    run(Backend::Angle);
}

#[test]
fn mesa() {
    run(Backend::Mesa);
}
