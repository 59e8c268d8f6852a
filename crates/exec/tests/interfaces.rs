//! Interfaces of dynamic linkage: calls by them, and what `this[]` holds (22.3.49 to 22.3.51, 22.7.19, 22.7.20).

use shaderport_asm::{
    Idx, Ins, Opcode, Operand, OperandKind, ResourceDimension, ReturnType, Shader, Type, l, l4, o, r,
    register, v,
};
use shaderport_dxbc::{Container, Program};
use shaderport_exec::{
    Address, Bindings, ErrorKind, Executor, Inputs, Instance, Resource, Sampler, TexelKind, Texture, Views,
};
use std::ops::ControlFlow;

fn program(shader: &Shader) -> Program {
    let bytes = shader.build();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap()
}

fn run(shader: &Shader, bindings: &Bindings, input: [u32; 4]) -> [u32; 4] {
    let inputs = Inputs::default().register(0, input);
    let program = program(shader);
    let executor = Executor::new(&program).unwrap();
    executor.run_vertex(bindings, &mut Views::default(), &inputs).unwrap().registers[0]
}

fn body(n: u32) -> Operand {
    register(OperandKind::FunctionBody, "").at(n)
}

fn this(index: impl Into<Idx>, lanes: &str) -> Operand {
    register(OperandKind::ThisPointer, lanes).at(index)
}

fn call(pointer: u32, index: impl Into<Idx>, site: u32) -> Ins {
    let operand = register(OperandKind::Interface, "").at(pointer).at(index);
    Ins::new(Opcode::InterfaceCall, &[operand]).words(&[site])
}

fn table(shader: &mut Shader, number: u32, bodies: &[u32]) {
    let words = [&[number, bodies.len() as u32], bodies].concat();
    shader.push(Ins::new(Opcode::DclFunctionTable, &[]).words(&words));
}

fn interface(shader: &mut Shader, first: u32, count: u32, sites: u32, tables: &[u32]) {
    let words = [&[first, sites, tables.len() as u32 | count << 16], tables].concat();
    shader.push(Ins::new(Opcode::DclInterface, &[]).controls(1 << 11).words(&words));
}

/// Function bodies that each do `iadd r0.x, r0.x, 10^n`, behind the `ret` of the main program.
fn add_bodies(shader: &mut Shader, count: u32) {
    for n in 0..count {
        shader.op(Opcode::Label, &[body(n)]);
        shader.op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(10u32.pow(n))]).op(Opcode::Ret, &[]);
    }
}

/// Two interfaces from `fp0` on and three from `fp2` on; tables of two functions each, which share one.
fn start() -> Shader {
    let mut shader = Shader::vertex();
    shader.input(0, "xyzw", "A", Type::Uint).temps(2);
    (0..5).for_each(|n| {
        shader.push(Ins::new(Opcode::DclFunctionBody, &[]).words(&[n]));
    });
    table(&mut shader, 0, &[0, 1]);
    table(&mut shader, 1, &[2, 1]);
    table(&mut shader, 2, &[3, 4]);
    interface(&mut shader, 0, 2, 2, &[0, 1]);
    interface(&mut shader, 2, 3, 2, &[1, 2]);
    shader.op(Opcode::Mov, &[r(0, "x"), l(0u32)]);
    shader
}

fn end(shader: &mut Shader) {
    shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xxxx")]).op(Opcode::Ret, &[]);
    add_bodies(shader, 5);
}

fn bound(tables: &[u32]) -> Bindings {
    (0..).zip(tables).fold(Bindings::default(), |all, (n, &table)| {
        all.interface(n, Instance { table, ..Instance::default() })
    })
}

#[test]
fn tables_and_call_sites() {
    let mut shader = start();
    shader.push(call(0, 0u32, 0)).push(call(2, 0u32, 1));
    end(&mut shader);
    assert_eq!(run(&shader, &bound(&[0, 0, 1]), [0; 4])[0], 1 + 10);
    assert_eq!(run(&shader, &bound(&[1, 0, 2]), [0; 4])[0], 100 + 10000);
    // Nothing bound to one, and no such call site: undefined, so nothing is called.
    assert_eq!(run(&shader, &bound(&[0]), [0; 4])[0], 1);
    let mut shader = start();
    shader.push(call(0, 0u32, 2));
    end(&mut shader);
    assert_eq!(run(&shader, &bound(&[0]), [0; 4])[0], 0);
}

/// The number of the interface and the index are added, so `fp0[3]` is `fp2[1]`; what is computed is added too.
#[test]
fn interfaces_are_numbered_through() {
    for (pointer, immediate) in [(0, 3), (2, 1), (3, 0)] {
        let mut shader = start();
        shader.push(call(pointer, immediate, 0));
        end(&mut shader);
        assert_eq!(run(&shader, &bound(&[0, 0, 1, 2, 1]), [0; 4])[0], 1000);
    }
    let mut shader = start();
    shader.op(Opcode::Mov, &[r(1, "y"), v(0, "z")]).push(call(2, Idx::from((r(1, "y"), 1)), 0));
    end(&mut shader);
    let at = |z: u32| run(&shader, &bound(&[0, 0, 1, 2, 1]), [0, 0, z, 0])[0];
    assert_eq!([at(0), at(1), at(2), at(u32::MAX), at(u32::MAX - 1)], [1000, 100, 0, 100, 1]);
    let program = program(&shader);
    let mut seen = Vec::new();
    let inputs = Inputs::default().register(0, [0, 0, 1, 0]);
    let executor = Executor::new(&program).unwrap();
    executor
        .trace_vertex(&bound(&[0; 2]), &mut Views::default(), &inputs, &mut |step| {
            seen.extend(step.indices.iter().map(|i| (i.operand, i.value, i.reached)));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen, [(0, 1, 2)]);
}

/// Function bodies and labels are numbered apart.
#[test]
fn bodies_are_no_labels() {
    let mut shader = start();
    let label = || register(OperandKind::Label, "").at(0u32);
    shader.op(Opcode::Call, &[label()]).push(call(0, 0u32, 0));
    end(&mut shader);
    shader.op(Opcode::Label, &[label()]);
    shader.op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(7u32)]).op(Opcode::Ret, &[]);
    assert_eq!(run(&shader, &bound(&[0]), [0; 4])[0], 8);
}

/// 7.12: with 32 calls that are not returned from, another is passed over.
#[test]
fn calls_nest_so_deep() {
    let mut shader = Shader::vertex();
    shader.input(0, "xyzw", "A", Type::Uint).temps(1);
    table(&mut shader, 0, &[0]);
    interface(&mut shader, 0, 1, 1, &[0]);
    shader.op(Opcode::Mov, &[r(0, "x"), l(0u32)]).push(call(0, 0u32, 0));
    shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xxxx")]).op(Opcode::Ret, &[]);
    shader.op(Opcode::Label, &[body(0)]).op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(1u32)]);
    shader.push(call(0, 0u32, 0)).op(Opcode::Ret, &[]);
    assert_eq!(run(&shader, &bound(&[0]), [0; 4])[0], 32);
}

#[test]
fn this_says_where_members_are() {
    let mut shader = start();
    shader.op(Opcode::Mov, &[o(0, "xyzw"), this(Idx::from((v(0, "x"), 1)), "xyzw")]).op(Opcode::Ret, &[]);
    add_bodies(&mut shader, 5);
    let instance = Instance { table: 1, buffer: 3, offset: 7, texture: 5, sampler: 2 };
    let bindings = Bindings::default().interface(2, instance);
    assert_eq!(run(&shader, &bindings, [1; 4]), [3, 7, 5, 2]);
    // Outside of the interfaces, and where nothing is bound, it is undefined.
    assert_eq!([run(&shader, &bindings, [0; 4]), run(&shader, &bindings, [ALL; 4])], [[0; 4]; 2]);
}

const ALL: u32 = u32::MAX;

/// Textures and samplers among the members of a class, by computed registers.
#[test]
fn textures_of_classes() {
    use ResourceDimension::Texture1D;
    let mut shader = start();
    shader.op(Opcode::Mov, &[r(1, "xy"), this(0u32, "zwzw")]);
    let texture = register(OperandKind::Resource, "xyzw").at(Idx::from((r(1, "x"), 1)));
    let sampler = register(OperandKind::Sampler, "").at(Idx::from((r(1, "y"), 0)));
    shader
        .push(Ins::new(Opcode::SampleL, &[o(0, "xyzw"), l4([2f32; 4]), texture, sampler, l(0f32)]).resource(
            Texture1D,
            0,
            ReturnType::Float,
        ))
        .op(Opcode::Ret, &[]);
    add_bodies(&mut shader, 5);
    let of = |x: u32| {
        let mut texture = Texture::new(Texture1D, [1, 1, 1], 1, vec![vec![[x; 4]]]).unwrap();
        texture.kind = TexelKind::Uint;
        Resource::Texture(texture)
    };
    let border = Sampler { address: [Address::Border; 3], border: [9; 4], ..Sampler::default() };
    let bound = |texture, sampler| {
        let instance = Instance { texture, sampler, ..Instance::default() };
        let textures = Bindings::default().resource(3, of(30)).resource(4, of(40));
        textures.sampler(6, border).interface(0, instance)
    };
    assert_eq!(run(&shader, &bound(2, 0), [0; 4]), [30; 4]);
    assert_eq!(run(&shader, &bound(3, 0), [0; 4]), [40; 4]);
    assert_eq!(run(&shader, &bound(3, 6), [0; 4]), [9; 4]);
}

/// Pixels whose interfaces differ go into different functions and meet behind the call.
#[test]
fn pixels_part_in_calls() {
    let mut shader = Shader::pixel();
    shader.input(0, "xyzw", "A", Type::Uint).target(0, "xyzw", Type::Uint).temps(2);
    table(&mut shader, 0, &[0]);
    table(&mut shader, 1, &[1]);
    interface(&mut shader, 0, 2, 1, &[0, 1]);
    shader.op(Opcode::Mov, &[r(0, "x"), l(0u32)]).push(call(0, Idx::from((v(0, "x"), 0)), 0));
    shader.op(Opcode::Utof, &[r(1, "x"), r(0, "x")]);
    shader.op(Opcode::DerivRtxFine, &[o(0, "x"), r(1, "x")]).op(Opcode::Ret, &[]);
    add_bodies(&mut shader, 2);
    let inputs = [0, 1, 1, 0].map(|x| Inputs::default().register(0, [x; 4]));
    let program = program(&shader);
    let executor = Executor::new(&program).unwrap();
    let outputs = executor.run_quad(&bound(&[0, 1]), &mut Views::default(), &inputs).unwrap();
    assert_eq!(outputs.map(|o| f32::from_bits(o.registers[0][0])), [9.0, 9.0, -9.0, -9.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let kind = |shader: &Shader, bindings: &Bindings| {
        let program = program(shader);
        let executor = Executor::new(&program);
        let ran = executor.and_then(|e| e.run_vertex(bindings, &mut Views::default(), &Inputs::default()));
        ran.unwrap_err().kind
    };
    let mut shader = start();
    end(&mut shader);
    let text = "fp4 takes ft1, ft2 and is bound to ft0";
    assert_eq!(kind(&shader, &bound(&[0, 1, 1, 2, 0])), ErrorKind::Mismatch(text.into()));
    // A table with a function that is not there.
    let mut shader = start();
    table(&mut shader, 3, &[9]);
    end(&mut shader);
    assert_eq!(kind(&shader, &Bindings::default()), ErrorKind::Flow);
    let mut shader = start();
    shader.push(Ins::new(Opcode::InterfaceCall, &[l(0u32)]).words(&[0]));
    end(&mut shader);
    assert!(matches!(kind(&shader, &Bindings::default()), ErrorKind::Register(_)));
}
