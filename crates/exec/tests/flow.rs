//! Blocks, subroutines, indexing, quads, limits.

use shaderport_asm::{
    Idx, Ins, Opcode, OperandKind, ResourceDimension, ReturnType, Shader, SystemValue, Type, cb, icb, l, l4,
    label, o, r, register, s, t, v, x,
};
use shaderport_dxbc::{Container, Program};
use shaderport_exec::{
    Bindings, ConstantBuffer, ErrorKind, Executor, Filter, Inputs, Outputs, Resource, Sampler, TexelKind,
    Texture, Views,
};
use std::ops::ControlFlow;

fn program(shader: &Shader) -> Program {
    let bytes = shader.build();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap()
}

fn vertex(shader: &Shader, bindings: &Bindings, input: [u32; 4]) -> [u32; 4] {
    let inputs = Inputs::default().register(0, input);
    Executor::new(&program(shader))
        .unwrap()
        .run_vertex(bindings, &mut Views::default(), &inputs)
        .unwrap()
        .registers[0]
}

fn quad(shader: &Shader, bindings: &Bindings, inputs: [[u32; 4]; 4]) -> [Outputs; 4] {
    let inputs = inputs.map(|i| Inputs::default().register(0, i));
    Executor::new(&program(shader)).unwrap().run_quad(bindings, &mut Views::default(), &inputs).unwrap()
}

fn start() -> Shader {
    let mut shader = Shader::vertex();
    shader.input(0, "xyzw", "A", Type::Uint).temps(4);
    shader
}

#[test]
fn switch_is_that_of_c() {
    let mut shader = start();
    shader.op(Opcode::Mov, &[r(0, "x"), l(0u32)]).op(Opcode::Switch, &[v(0, "x")]);
    let mark = |shader: &mut Shader, bit: u32| {
        shader.op(Opcode::Or, &[r(0, "x"), r(0, "x"), l(bit)]);
    };
    shader.op(Opcode::Case, &[l(1u32)]);
    mark(&mut shader, 1);
    shader.op(Opcode::Default, &[]); // reached from above as well
    mark(&mut shader, 2);
    shader.op(Opcode::Break, &[]).op(Opcode::Case, &[l(2u32)]).op(Opcode::Case, &[l(u32::MAX)]);
    mark(&mut shader, 4);
    shader.op_nz(Opcode::Breakc, &[v(0, "y")]);
    mark(&mut shader, 8);
    shader.op(Opcode::EndSwitch, &[]);
    mark(&mut shader, 16);
    shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xxxx")]).op(Opcode::Ret, &[]);
    let at = |x, y| vertex(&shader, &Bindings::default(), [x, y, 0, 0])[0];
    assert_eq!([at(1, 0), at(9, 0), at(2, 0), at(2, 1), at(u32::MAX, 0)], [19, 18, 28, 20, 28]);
}

#[test]
fn loops_break_and_continue() {
    // The sum of the odd numbers up to v0.x.
    let mut shader = start();
    shader
        .op(Opcode::Mov, &[r(0, "xy"), l(0u32)])
        .op(Opcode::Loop, &[])
        .op(Opcode::Uge, &[r(0, "z"), r(0, "x"), v(0, "x")])
        .op_nz(Opcode::Breakc, &[r(0, "z")])
        .op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(1u32)])
        .op(Opcode::And, &[r(0, "z"), r(0, "x"), l(1u32)])
        .op(Opcode::Continuec, &[r(0, "z")])
        .op(Opcode::Iadd, &[r(0, "y"), r(0, "y"), r(0, "x")])
        .op(Opcode::EndLoop, &[])
        .op(Opcode::Mov, &[o(0, "xyzw"), r(0, "yyyy")])
        .op(Opcode::Ret, &[]);
    assert_eq!(vertex(&shader, &Bindings::default(), [7, 0, 0, 0])[0], 1 + 3 + 5 + 7);
}

#[test]
fn subroutines_return_to_their_call() {
    let mut shader = start();
    shader
        .op(Opcode::Mov, &[r(0, "x"), v(0, "x")])
        .op(Opcode::Call, &[label(5)])
        .op_nz(Opcode::Callc, &[v(0, "y"), label(5)])
        .op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xxxx")])
        .op(Opcode::Ret, &[])
        .op(Opcode::Label, &[label(5)])
        .op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(10u32)])
        .op_nz(Opcode::Retc, &[v(0, "z")])
        .op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(100u32)])
        .op(Opcode::Ret, &[]);
    let at = |input| vertex(&shader, &Bindings::default(), input)[0];
    assert_eq!([at([1, 0, 0, 0]), at([1, 1, 0, 0]), at([1, 1, 1, 0])], [111, 221, 21]);
}

#[test]
fn indices_out_of_bounds_read_zero() {
    let mut shader = start();
    shader
        .constant_buffer(0, 2, true)
        .immediate_constants(&[[1, 2, 3, 4], [5, 6, 7, 8]])
        .indexable_temp(0, 2, 4)
        .op(Opcode::Mov, &[r(0, "x"), v(0, "x")])
        .op(Opcode::Mov, &[x(0, 1u32, "xyzw"), l(9u32)])
        .op(Opcode::Mov, &[x(0, Idx::from((r(0, "x"), 5)), "xyzw"), l(3u32)])
        .op(Opcode::Mov, &[o(0, "x"), cb(0, Idx::from((r(0, "x"), 1)), "y")])
        .op(Opcode::Mov, &[o(0, "y"), icb(Idx::from(r(0, "x")), "x")])
        .op(Opcode::Mov, &[o(0, "z"), x(0, Idx::from(r(0, "x")), "x")])
        .op(Opcode::Mov, &[o(0, "w"), cb(0, 1u32, "w")])
        .op(Opcode::Ret, &[]);
    // 7.5: the bound buffer's size counts, and what is not bound reads as 0.
    let bindings =
        Bindings::default().constants(0, ConstantBuffer::from_rows(vec![[10, 11, 12, 13], [20, 21, 22, 23]]));
    let at = |bindings: &Bindings, i: u32| vertex(&shader, bindings, [i, 0, 0, 0]);
    assert_eq!(at(&bindings, 0), [21, 1, 0, 23]);
    assert_eq!(at(&bindings, 1), [0, 5, 9, 23]);
    assert_eq!(at(&bindings, u32::MAX), [11, 0, 0, 23]);
    assert_eq!(at(&Bindings::default(), 0), [0, 1, 0, 0]);
}

#[test]
fn endless_loops_end() {
    let mut shader = start();
    shader.op(Opcode::Loop, &[]).op(Opcode::Nop, &[]).op(Opcode::EndLoop, &[]).op(Opcode::Ret, &[]);
    let program = program(&shader);
    let executor = Executor::new(&program).unwrap().limit(1000);
    let error =
        executor.run_vertex(&Bindings::default(), &mut Views::default(), &Inputs::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::StepLimit(1000));
    assert!(error.to_string().starts_with("error[exec-step-limit]"), "{error}");
}

#[test]
fn blocks_that_do_not_nest_are_refused() {
    for opcodes in
        [&[Opcode::EndIf][..], &[Opcode::Loop], &[Opcode::Break], &[Opcode::Loop, Opcode::EndSwitch]]
    {
        let mut shader = start();
        opcodes.iter().for_each(|op| {
            shader.op(*op, &[]);
        });
        assert_eq!(Executor::new(&program(&shader)).unwrap_err().kind, ErrorKind::Flow, "{opcodes:?}");
    }
}

fn pixel() -> Shader {
    let mut shader = Shader::pixel();
    shader.input(0, "xyzw", "A", Type::Float).target(0, "xyzw", Type::Float).temps(2);
    shader
}

fn floats(x: [f32; 4]) -> [u32; 4] {
    x.map(f32::to_bits)
}

#[test]
fn derivatives_see_the_whole_quad() {
    let mut shader = pixel();
    shader
        .op(Opcode::DerivRtxCoarse, &[o(0, "x"), v(0, "x")])
        .op(Opcode::DerivRtyCoarse, &[o(0, "y"), v(0, "x")])
        .op(Opcode::DerivRtxFine, &[o(0, "z"), v(0, "x")])
        .op(Opcode::DerivRtyFine, &[o(0, "w"), v(0, "x")])
        .op(Opcode::Ret, &[]);
    let inputs = [1.0, 3.0, 10.0, 20.0].map(|n| floats([n, 0.0, 0.0, 0.0]));
    let outputs = quad(&shader, &Bindings::default(), inputs);
    let found = outputs.map(|o| o.registers[0].map(f32::from_bits));
    assert_eq!(found[0], [2.0, 9.0, 2.0, 9.0]);
    assert_eq!(found[1], [2.0, 9.0, 2.0, 17.0]);
    assert_eq!(found[2], [2.0, 9.0, 10.0, 9.0]);
    assert_eq!(found[3], [2.0, 9.0, 10.0, 17.0]);
}

#[test]
fn lanes_that_part_meet_again() {
    // Each lane loops as often as its input says; behind the loop a derivative needs all of them.
    let mut shader = pixel();
    shader
        .op(Opcode::Ftou, &[r(0, "x"), v(0, "x")])
        .op(Opcode::Mov, &[r(0, "y"), l(0u32)])
        .op(Opcode::Loop, &[])
        .op(Opcode::Uge, &[r(0, "z"), r(0, "y"), r(0, "x")])
        .op_nz(Opcode::Breakc, &[r(0, "z")])
        .op(Opcode::Iadd, &[r(0, "y"), r(0, "y"), l(1u32)])
        .op(Opcode::And, &[r(0, "z"), r(0, "y"), l(1u32)])
        .op_nz(Opcode::Continuec, &[r(0, "z")])
        .op(Opcode::Iadd, &[r(0, "y"), r(0, "y"), l(0u32)])
        .op(Opcode::EndLoop, &[])
        .op(Opcode::Utof, &[r(0, "y"), r(0, "y")])
        .op(Opcode::DerivRtxFine, &[o(0, "xyzw"), r(0, "y")])
        .op(Opcode::Ret, &[]);
    let inputs = [2.0, 7.0, 0.0, 5.0].map(|n| floats([n, 0.0, 0.0, 0.0]));
    let found = quad(&shader, &Bindings::default(), inputs).map(|o| f32::from_bits(o.registers[0][0]));
    assert_eq!(found, [5.0, 5.0, 5.0, 5.0]);
}

#[test]
fn discarded_pixels_go_on_as_helpers() {
    let mut shader = pixel();
    shader
        .op_nz(Opcode::Discard, &[v(0, "y")])
        .op(Opcode::DerivRtxFine, &[o(0, "xyzw"), v(0, "x")])
        .op(Opcode::Ret, &[]);
    let outputs = quad(
        &shader,
        &Bindings::default(),
        [[1.0, 0.0], [4.0, 1.0], [0.0, 0.0], [0.0, 0.0]].map(|[a, b]| floats([a, b, 0.0, 0.0])),
    );
    assert_eq!(outputs.each_ref().map(|o| o.discarded), [false, true, false, false]);
    assert_eq!(f32::from_bits(outputs[0].registers[0][0]), 3.0);
}

#[test]
fn depth_and_coverage() {
    let mut shader = pixel();
    shader
        .op(Opcode::Mov, &[register(OperandKind::OutputDepthGreaterEqual, "").one(), v(0, "x")])
        .op(Opcode::Mov, &[register(OperandKind::OutputCoverageMask, "").one(), l(3u32)])
        .op(Opcode::Ret, &[]);
    let inputs: [Inputs; 4] = std::array::from_fn(|n| Inputs {
        depth: 0.25,
        ..Inputs::default().floats(0, [n as f32 * 0.2, 0.0, 0.0, 0.0])
    });
    let program = program(&shader);
    let outputs = Executor::new(&program)
        .unwrap()
        .run_quad(&Bindings::default(), &mut Views::default(), &inputs)
        .unwrap();
    // 16.9.3.1: not less than the rasterizer's.
    assert_eq!(outputs.each_ref().map(|o| o.depth), [0.25, 0.25, 0.4, 0.6].map(Some));
    assert_eq!(outputs[0].coverage, Some(3));
}

fn texture(dimension: ResourceDimension, size: [u32; 3], layers: u32) -> Texture {
    let most = size.iter().fold(1, |most, n| most.max(32 - n.leading_zeros()));
    let levels = (0..most).map(|level| {
        let texels = size.map(|n| (n >> level).max(1)).into_iter().product::<u32>() * layers;
        (0..texels).map(|n| floats([(level * 100 + n) as f32, 0.0, 0.5, 1.0])).collect()
    });
    Texture::new(dimension, size, layers, levels.collect()).unwrap()
}

#[test]
fn textures_are_loaded_by_integers() {
    let mut shader = Shader::vertex();
    shader
        .input(0, "xyzw", "A", Type::Uint)
        .texture(0, ResourceDimension::Texture2DArray, ReturnType::Float)
        .temps(1)
        .push(Ins::new(Opcode::Ld, &[r(0, "xyzw"), v(0, "xyzw"), t(0, "xyzw")]).offsets([1, 0, 0]).resource(
            ResourceDimension::Texture2DArray,
            0,
            ReturnType::Float,
        ))
        .op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Opcode::Ret, &[]);
    let mut texture = texture(ResourceDimension::Texture2DArray, [4, 4, 1], 2);
    texture.present = 3;
    let bindings = Bindings::default().resource(0, Resource::Texture(texture));
    let at = |a| vertex(&shader, &bindings, a).map(f32::from_bits);
    assert_eq!(at([1, 2, 1, 0]), [16.0 + 10.0, 0.0, 0.0, 1.0]);
    assert_eq!(at([0, 1, 1, 1]), [100.0 + 4.0 + 3.0, 0.0, 0.0, 1.0]);
    // Outside in any axis, layer or level: 0, and the defaults of lanes that the format lacks (22.4.6).
    for outside in [[3, 0, 0, 0], [0, 4, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [u32::MAX - 1, 0, 0, 0]] {
        assert_eq!(at(outside), [0.0, 0.0, 0.0, 1.0], "{outside:?}");
    }
    assert_eq!(vertex(&shader, &Bindings::default(), [0; 4]), [0; 4]);
}

#[test]
fn implicit_levels_come_from_the_quad() {
    let mut shader = pixel();
    shader
        .texture(0, ResourceDimension::Texture2D, ReturnType::Float)
        .sampler(0, false)
        .op(Opcode::Sample, &[o(0, "x"), v(0, "xyxx"), t(0, "xyzw"), s(0)])
        .op(Opcode::Lod, &[o(0, "yz"), v(0, "xyxx"), t(0, "xxyw"), s(0)])
        .op(Opcode::Ret, &[]);
    let bindings = Bindings::default()
        .resource(0, Resource::Texture(texture(ResourceDimension::Texture2D, [8, 8, 1], 1)))
        .sampler(0, Sampler { mip: Filter::Linear, ..Sampler::default() });
    // Two texels to the right a pixel: level 1.
    let inputs = [[0.1, 0.1], [0.35, 0.1], [0.1, 0.1], [0.35, 0.1]].map(|[u, v]| floats([u, v, 0.0, 0.0]));
    let outputs = quad(&shader, &bindings, inputs);
    assert_eq!(f32::from_bits(outputs[0].registers[0][0]), 100.0);
    assert_eq!(f32::from_bits(outputs[1].registers[0][0]), 101.0);
    assert_eq!(
        outputs[0].registers[0][1..3].iter().map(|x| f32::from_bits(*x)).collect::<Vec<_>>(),
        [1.0, 1.0]
    );
}

#[test]
fn sizes_are_told_in_three_forms() {
    for (form, expected) in [(0, [8f32.to_bits(), 4f32.to_bits(), 0, 4f32.to_bits()]), (2, [8, 4, 0, 4])] {
        let mut shader = Shader::vertex();
        shader
            .input(0, "xyzw", "A", Type::Uint)
            .texture(0, ResourceDimension::Texture2D, ReturnType::Float)
            .push(Ins::new(Opcode::ResInfo, &[o(0, "xyzw"), v(0, "x"), t(0, "xyzw")]).controls(form << 11))
            .op(Opcode::Ret, &[]);
        let texture = texture(ResourceDimension::Texture2D, [8, 4, 1], 1);
        let bindings = Bindings::default().resource(0, Resource::Texture(texture));
        assert_eq!(vertex(&shader, &bindings, [0; 4]), expected);
        // A level that is not there: no size, but the number of levels (22.4.14).
        assert_eq!(vertex(&shader, &bindings, [9; 4]), [0, 0, 0, expected[3]]);
    }
}

#[test]
fn buffers() {
    let mut shader = start();
    shader
        .structured(0, 8)
        .raw_buffer(1)
        .texture(2, ResourceDimension::Buffer, ReturnType::Uint)
        .op(Opcode::LdStructured, &[r(0, "xy"), v(0, "x"), v(0, "y"), t(0, "xyxx")])
        .op(Opcode::Mov, &[o(0, "xy"), r(0, "xyxx")])
        .op(Opcode::LdRaw, &[o(0, "z"), v(0, "z"), t(1, "yyyy")])
        .op(Opcode::Ld, &[o(0, "w"), v(0, "xxxx"), t(2, "xxxx")])
        .op(Opcode::Ret, &[]);
    let bindings = Bindings::default()
        .resource(0, Resource::Structured { stride: 8, words: vec![1, 2, 3, 4] })
        .resource(1, Resource::Raw(vec![10, 20, 30]))
        .resource(2, Resource::Typed(vec![[7; 4], [8; 4]], TexelKind::Uint));
    let at = |input| vertex(&shader, &bindings, input);
    assert_eq!(at([1, 0, 4, 0]), [3, 4, 30, 8]);
    assert_eq!(at([2, 0, 8, 0]), [0; 4]);
    assert_eq!(at([0, 4, 0, 0]), [2, 0, 20, 7]);
    let wrong = Bindings::default().resource(0, Resource::Raw(vec![]));
    let program = program(&shader);
    let error = Executor::new(&program)
        .unwrap()
        .run_vertex(&wrong, &mut Views::default(), &Inputs::default())
        .unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Mismatch(_)), "{error}");
}

#[test]
fn system_values_are_registers() {
    let mut shader = Shader::vertex();
    shader
        .system_input(0, "x", SystemValue::VertexId, Type::Uint)
        .op(Opcode::Iadd, &[o(0, "xyzw"), v(0, "x"), l4([0u32, 1, 2, 3])])
        .op(Opcode::Ret, &[]);
    assert_eq!(vertex(&shader, &Bindings::default(), [40, 0, 0, 0]), [40, 41, 42, 43]);
}

#[test]
fn steps_are_shown() {
    let mut shader = start();
    shader.op(Opcode::Iadd, &[r(0, "y"), v(0, "x"), l(2u32)]).op(Opcode::Ret, &[]);
    let program = program(&shader);
    let executor = Executor::new(&program).unwrap();
    let mut seen = Vec::new();
    let inputs = Inputs::default().register(0, [40, 0, 0, 0]);
    let (_, steps) = executor
        .trace_vertex(&Bindings::default(), &mut Views::default(), &inputs, &mut |step| {
            let bits = |list: &[shaderport_exec::Access]| {
                list.iter().map(|a| (a.operand, a.mask, a.bits)).collect::<Vec<_>>()
            };
            seen.push((step.instruction, bits(step.reads), bits(step.writes)));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(steps, 2);
    let add = program.instructions.iter().position(|i| i.opcode == Opcode::Iadd).unwrap();
    assert_eq!(seen[0], (add, vec![(1, 1, [40; 4]), (2, 1, [2; 4])], vec![(0, 2, [0, 42, 0, 0])]));
}

/// Those of destinations, of sources, and what stands in an index itself.
#[test]
fn indices_are_shown() {
    let mut shader = start();
    shader.indexable_temp(0, 8, 4).constant_buffer(0, 8, true);
    let inner = x(0, Idx::from((v(0, "x"), 1)), "x");
    shader
        .op(Opcode::Mov, &[x(0, Idx::from((v(0, "x"), 1)), "xyzw"), v(0, "y")])
        .op(Opcode::Mov, &[o(0, "xyzw"), cb(0, Idx::from((inner, 4)), "xyzw")])
        .op(Opcode::Ret, &[]);
    let program = program(&shader);
    let mut seen = Vec::new();
    let inputs = Inputs::default().register(0, [2, u32::MAX, 0, 0]);
    let ran = Executor::new(&program).unwrap().trace_vertex(
        &Bindings::default(),
        &mut Views::default(),
        &inputs,
        &mut |step| {
            seen.extend(step.indices.iter().map(|i| (i.operand, i.value, i.reached)));
            ControlFlow::Continue(())
        },
    );
    ran.unwrap();
    assert_eq!(seen, [(0, 2, 3), (1, 2, 3), (1, u32::MAX, 3)]);
}

#[test]
fn an_observer_ends_the_run() {
    let mut shader = start();
    shader.op(Opcode::Loop, &[]).op(Opcode::EndLoop, &[]).op(Opcode::Ret, &[]);
    let program = program(&shader);
    let executor = Executor::new(&program).unwrap();
    let mut left = 5;
    let ran =
        executor.trace_vertex(&Bindings::default(), &mut Views::default(), &Inputs::default(), &mut |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    assert_eq!(ran.unwrap().1, 5);
}
