#![no_main]
//! Any bytes as a shader of a role that the first byte chooses.

use libfuzzer_sys::fuzz_target;
use shaderport_renderpack::abi::{SEMANTIC_V1, Stage};
use shaderport_renderpack::{Access, Options, Shader, check_pair, check_shader};

fuzz_target!(|input: (u8, &[u8])| {
    let (choice, bytes) = input;
    let options = Options::default();
    let roles = SEMANTIC_V1.roles;
    let role = &roles[usize::from(choice) % roles.len()];
    let access = Access { role, inputs: role.usual.inputs.iter().map(|s| (*s).to_owned()).collect(), reads: true };
    let stage = if choice & 0x80 == 0 { Stage::Vertex } else { Stage::Fragment };
    let shader = Shader::read(bytes, &options);
    check_shader(&shader, "fuzz", stage, &access, &options);
    check_pair(&shader, &shader, "fuzz", &options);
});
