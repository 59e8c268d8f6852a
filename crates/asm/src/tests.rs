//! The disassembler reads what was assembled.

use super::*;
use shaderport_dxbc::{Container, Program, disasm};

fn listing(shader: &Shader) -> String {
    let bytes = shader.build();
    let container = Container::parse(&bytes).unwrap();
    assert!(container.checksum_ok());
    let chunk = container.program_chunk().unwrap();
    let program = Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap();
    (0..program.instructions.len()).map(|i| disasm::instruction_text(&program, i) + "\n").collect()
}

#[test]
fn declarations_and_instructions() {
    let mut shader = Shader::pixel();
    shader
        .global_flags(1)
        .immediate_constants(&[[1, 2, 3, 4]])
        .constant_buffer(0, 4, true)
        .sampler(0, true)
        .texture(0, ResourceDimension::Texture2D, ReturnType::Float)
        .structured(1, 32)
        .raw_buffer(2)
        .input(0, "xy", "TEXCOORD3", Type::Float)
        .system_input(1, "x", SystemValue::IsFrontFace, Type::Uint)
        .target(0, "xyzw", Type::Float)
        .temps(2)
        .indexable_temp(0, 4, 4)
        .push(
            Ins::new(Opcode::Sample, &[r(0, "xyz"), v(0, "xyxx"), t(0, "wzyx"), s(0)])
                .offsets([-1, 7, 0])
                .resource(ResourceDimension::Texture2D, 0, ReturnType::Float),
        )
        .op_sat(Opcode::Add, &[r(0, "xw"), -r(1, "y").abs(), l(1.0)])
        .op(Opcode::Mov, &[x(0, (r(0, "x"), 1), "xyzw"), cb(0, r(1, "y"), "xyzw")])
        .op_nz(Opcode::Discard, &[icb((r(0, "x"), 0), "w")])
        .op(Opcode::Umul, &[r(0, "x"), null(), l4([1, 2, 3, 4]), v(1, "x")])
        .op(Opcode::Call, &[label(0)])
        .op(Opcode::Ret, &[]);
    assert_eq!(
        listing(&shader),
        "dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1, 2, 3, 4} }
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_structured t1, 32
dcl_resource_raw t2
dcl_input_ps linear v0.xy
dcl_input_ps_sgv constant v1.x, is_front_face
dcl_output o0.xyzw
dcl_temps 2
dcl_indexableTemp x0[4], 4
sample_aoffimmi_indexable(-1,7,0)(texture2d)(float,float,float,float) r0.xyz, v0.xyxx, t0.wzyx, s0
add_sat r0.xw, -|r1.y|, l(1.000000)
mov x0[r0.x + 1].xyzw, cb0[r1.y + 0].xyzw
discard_nz icb[r0.x + 0].w
umul r0.x, null, l(1, 2, 3, 4), v1.x
call label0
ret
"
    );
}

#[test]
fn signatures() {
    let mut shader = Shader::vertex();
    shader.system_input(2, "x", SystemValue::VertexId, Type::Uint).position(1).output(
        0,
        "xy",
        "TEXCOORD12",
        Type::Float,
    );
    let bytes = shader.build();
    let container = Container::parse(&bytes).unwrap();
    let input = container.input_signature().unwrap().unwrap().elements[0];
    assert_eq!((input.name, input.system_value, input.register), ("SV_VertexID", SystemValue::VertexId, 2));
    let output = container.output_signature().unwrap().unwrap().elements[1];
    assert_eq!((output.name, output.semantic_index, output.mask), ("TEXCOORD", 12, 3));
}
