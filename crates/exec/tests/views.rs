//! Unordered access views: each opcode, what lies outside, the order of a quad's pixels, and who may not write. Lines name
//! the sections that say so.

use shaderport_asm::{
    Idx, Ins, Opcode, Operand, OperandKind, ResourceDimension, ReturnType, Shader, Type, l, l4, null, o, r,
    register, u, v,
};
use shaderport_dxbc::{Container, Program, Stage};
use shaderport_exec::{
    Bindings, ErrorKind, Executor, Inputs, Resource, Slot, TexelKind, Texture, View, ViewAccess, Views,
    is_supported,
};
use std::ops::ControlFlow;

const ALL: u32 = u32::MAX;

fn program(shader: &Shader) -> Program {
    let bytes = shader.build();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap()
}

/// A vertex shader with two inputs and four outputs.
fn start() -> Shader {
    let mut shader = Shader::vertex();
    shader.input(0, "xyzw", "A", Type::Uint).input(1, "xyzw", "B", Type::Uint).temps(4);
    shader
}

/// The first two outputs.
fn vertex(shader: &Shader, views: &mut Views, inputs: [[u32; 4]; 2]) -> [[u32; 4]; 2] {
    let inputs = Inputs::default().register(0, inputs[0]).register(1, inputs[1]);
    let program = program(shader);
    let outputs = Executor::new(&program).unwrap().run_vertex(&Bindings::default(), views, &inputs).unwrap();
    [outputs.registers[0], outputs.registers[1]]
}

fn raw(words: &[u32]) -> Views {
    Views::default().view(1, Resource::Raw(words.to_vec()))
}

fn words(views: &Views) -> Vec<u32> {
    match &views.get(1).unwrap().resource {
        Resource::Raw(words) | Resource::Structured { words, .. } => words.clone(),
        Resource::Typed(texels, _) => texels.concat(),
        Resource::Texture(texture) => texture.level(0).concat(),
    }
}

#[test]
fn every_opcode_has_a_rule() {
    let mut missing: Vec<_> = Opcode::ALL.iter().copied().filter(|o| !is_supported(*o)).collect();
    missing.retain(|o| {
        let stages = o.info().stages;
        let ours = stages.contains(Stage::Vertex) || stages.contains(Stage::Pixel);
        ours && !o.is_declaration()
    });
    assert_eq!(missing, []);
}

#[test]
fn raw_views() {
    // 22.4.11: words without gaps from a byte on, the mask says how many; what is outside is dropped word by word.
    let store = |mask: &str, at: u32| {
        let mut shader = start();
        shader.raw_view(1).op(Opcode::StoreRaw, &[u(1, mask), v(0, "y"), v(1, "wzyx")]);
        let mut views = raw(&[90, 91, 92, 93, 94]);
        vertex(shader.op(Opcode::Ret, &[]), &mut views, [[0, at, 0, 0], [4, 3, 2, 1]]);
        words(&views)
    };
    assert_eq!(store("x", 4), [90, 1, 92, 93, 94]);
    assert_eq!(store("xy", 0), [1, 2, 92, 93, 94]);
    assert_eq!(store("xyz", 8), [90, 91, 1, 2, 3]);
    assert_eq!(store("xyzw", 4), [90, 1, 2, 3, 4]);
    assert_eq!(store("xyzw", 12), [90, 91, 92, 1, 2]);
    assert_eq!(store("xyzw", 20), [90, 91, 92, 93, 94]);
    assert_eq!(store("xyzw", ALL), [90, 91, 92, 93, 94]);
    // 7.13 leaves it undefined: the low two bits do not count.
    assert_eq!(store("x", 7), [90, 1, 92, 93, 94]);
    // 22.4.10
    let mut shader = start();
    shader
        .raw_view(1)
        .op(Opcode::LdRaw, &[o(0, "xyzw"), v(0, "x"), u(1, "wxyz")])
        .op(Opcode::LdRaw, &[o(1, "yw"), v(0, "x"), u(1, "xyzw")])
        .op(Opcode::Ret, &[]);
    let load = |at: u32| vertex(&shader, &mut raw(&[90, 91, 92, 93, 94]), [[at, 0, 0, 0], [0; 4]]);
    assert_eq!(load(4), [[94, 91, 92, 93], [0, 92, 0, 94]]);
    assert_eq!(load(14), [[0, 93, 94, 0], [0, 94, 0, 0]]);
    assert_eq!(load(20), [[0; 4]; 2]);
    assert_eq!(load(ALL - 3), [[0; 4]; 2]);
}

#[test]
fn structured_views() {
    let views = || {
        let words = (10..18).collect();
        Views::default().view(1, Resource::Structured { stride: 12, words })
    };
    // 22.4.13
    let store = |mask: &str, index: u32, offset: u32| {
        let mut shader = start();
        shader.structured_view(1, 12);
        shader.op(Opcode::StoreStructured, &[u(1, mask), v(0, "x"), v(0, "y"), v(1, "xyzw")]);
        let mut views = views();
        vertex(shader.op(Opcode::Ret, &[]), &mut views, [[index, offset, 0, 0], [1, 2, 3, 4]]);
        words(&views)
    };
    let before: Vec<u32> = (10..18).collect();
    assert_eq!(store("xyz", 0, 0), [1, 2, 3, 13, 14, 15, 16, 17]);
    assert_eq!(store("x", 1, 4), [10, 11, 12, 13, 1, 15, 16, 17]);
    // Beyond the structure, which leaves the view undefined: nothing is written there.
    assert_eq!(store("xyzw", 0, 8), [10, 11, 1, 13, 14, 15, 16, 17]);
    assert_eq!(store("x", 0, 12), before);
    // Not a whole structure, but words that are there.
    assert_eq!(store("xyz", 2, 0), [10, 11, 12, 13, 14, 15, 1, 2]);
    assert_eq!(store("xyz", 3, 0), before);
    assert_eq!(store("x", ALL, 0), before);
    assert_eq!(store("x", 0, ALL), before);
    assert_eq!(store("x", 0, 6), [10, 1, 12, 13, 14, 15, 16, 17]);
    // 22.4.12
    let mut shader = start();
    shader
        .structured_view(1, 12)
        .op(Opcode::LdStructured, &[o(0, "xyzw"), v(0, "x"), v(0, "y"), u(1, "yxzw")])
        .op(Opcode::Ret, &[]);
    let load = |index, offset| vertex(&shader, &mut views(), [[index, offset, 0, 0], [0; 4]])[0];
    assert_eq!(load(1, 0), [14, 13, 15, 0]);
    assert_eq!(load(1, 4), [15, 14, 0, 0]);
    assert_eq!(load(2, 0), [17, 16, 0, 0]);
    assert_eq!([load(3, 0), load(0, 12), load(ALL, ALL)], [[0; 4]; 3]);
}

fn texture(dimension: ResourceDimension, size: [u32; 3], layers: u32, kind: TexelKind) -> Texture {
    let count = size.into_iter().product::<u32>() * layers;
    let texels = (0..count).map(|n| [100 + n, 200 + n, 300 + n, 400 + n]).collect();
    let mut texture = Texture::new(dimension, size, layers, vec![texels]).unwrap();
    texture.kind = kind;
    texture
}

/// Every dimension: a texel in it and its number, and addresses outside.
#[test]
fn typed_views() {
    use ResourceDimension::*;
    let typed = |count: u32| {
        let texels = (0..count).map(|n| [100 + n, 200 + n, 300 + n, 400 + n]).collect();
        Resource::Typed(texels, TexelKind::Uint)
    };
    let of = |dimension, size, layers| Resource::Texture(texture(dimension, size, layers, TexelKind::Uint));
    type Case = (ResourceDimension, Resource, [u32; 4], usize, Vec<[u32; 4]>);
    let cases: [Case; 6] = [
        (Buffer, typed(5), [3, 9, 9, 9], 3, vec![[5, 0, 0, 0], [ALL, 0, 0, 0]]),
        (Texture1D, of(Texture1D, [5, 1, 1], 1), [4, 9, 9, 9], 4, vec![[5, 0, 0, 0], [ALL, 0, 0, 0]]),
        (
            Texture1DArray,
            of(Texture1DArray, [3, 1, 1], 2),
            [1, 1, 9, 9],
            4,
            vec![[3, 0, 0, 0], [0, 2, 0, 0], [0, ALL, 0, 0]],
        ),
        (
            Texture2D,
            of(Texture2D, [3, 2, 1], 1),
            [2, 1, 9, 9],
            5,
            vec![[3, 0, 0, 0], [0, 2, 0, 0], [ALL, ALL, 0, 0]],
        ),
        (
            Texture2DArray,
            of(Texture2DArray, [3, 2, 1], 2),
            [1, 1, 1, 9],
            10,
            vec![[3, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]],
        ),
        (
            Texture3D,
            of(Texture3D, [2, 2, 3], 1),
            [1, 0, 2, 9],
            9,
            vec![[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0]],
        ),
    ];
    for (dimension, resource, inside, number, outside) in cases {
        let mut shader = start();
        shader
            .typed_view(1, dimension, ReturnType::Uint)
            .op(Opcode::LdUavTyped, &[o(0, "xyzw"), v(0, "xyzw"), u(1, "wxyz")])
            .op(Opcode::StoreUavTyped, &[u(1, "xyzw"), v(0, "xyzw"), v(1, "yyzw")])
            .op(Opcode::LdUavTyped, &[o(1, "yz"), v(0, "xyzw"), u(1, "xyzw")])
            .op(Opcode::Ret, &[]);
        let before = words(&Views::default().view(1, resource.clone()));
        let mut views = Views::default().view(1, resource.clone());
        let found = vertex(&shader, &mut views, [inside, [1, 2, 3, 4]]);
        let n = number as u32;
        assert_eq!(found, [[400 + n, 100 + n, 200 + n, 300 + n], [0, 2, 3, 0]], "{dimension:?}");
        let mut expected = before.clone();
        expected[number * 4..][..4].copy_from_slice(&[2, 2, 3, 4]);
        assert_eq!(words(&views), expected, "{dimension:?}");
        for address in outside {
            let mut views = Views::default().view(1, resource.clone());
            assert_eq!(vertex(&shader, &mut views, [address, [1, 2, 3, 4]]), [[0; 4]; 2], "{dimension:?}");
            assert_eq!(words(&views), before, "{dimension:?}");
        }
    }
}

/// Texels keep their bits; lanes that the format lacks are not stored, and are read as 0, 0, 0 and 1 (19.1.3.3).
#[test]
fn texels_keep_their_bits() {
    let odd = [0x7f80_0001, 1, 0x8000_0000, ALL];
    for (kind, declared, one) in [
        (TexelKind::Float, ReturnType::Float, 1f32.to_bits()),
        (TexelKind::Float, ReturnType::Unorm, 1f32.to_bits()),
        (TexelKind::Sint, ReturnType::Sint, 1),
        (TexelKind::Uint, ReturnType::Uint, 1),
    ] {
        let mut shader = start();
        shader
            .typed_view(1, ResourceDimension::Texture2D, declared)
            .op(Opcode::StoreUavTyped, &[u(1, "xyzw"), v(0, "xyzw"), v(1, "xyzw")])
            .op(Opcode::LdUavTyped, &[o(0, "xyzw"), v(0, "xyzw"), u(1, "xyzw")])
            .op(Opcode::LdUavTyped, &[o(1, "xyzw"), l4([0u32, 7, 0, 0]), u(1, "xyzw")])
            .op(Opcode::Ret, &[]);
        let mut whole = Views::default()
            .view(1, Resource::Texture(texture(ResourceDimension::Texture2D, [1, 1, 1], 1, kind)));
        assert_eq!(vertex(&shader, &mut whole, [[0; 4], odd]), [odd, [0; 4]]);
        assert_eq!(words(&whole), odd);
        let mut texture = texture(ResourceDimension::Texture2D, [1, 1, 1], 1, kind);
        texture.present = 3;
        let mut two = Views::default().view(1, Resource::Texture(texture));
        let found = vertex(&shader, &mut two, [[0; 4], odd]);
        assert_eq!(found, [[odd[0], odd[1], 0, one], [0, 0, 0, one]]);
        assert_eq!(words(&two), [odd[0], odd[1], 300, 400]);
    }
}

/// What an atomic instruction makes of a word by its operands.
type Update = (Opcode, Opcode, [u32; 2], u32, u32);

/// 22.17.8 to 22.17.28, with a result and without: what was there, and what is there then.
const UPDATES: [Update; 13] = {
    use Opcode::*;
    [
        (AtomicAnd, ImmAtomicAnd, [0xff0f, 0], 0x1234, 0x1204),
        (AtomicOr, ImmAtomicOr, [0xff0f, 0], 0x1234, 0xff3f),
        (AtomicXor, ImmAtomicXor, [0xff0f, 0], 0x1234, 0xed3b),
        (AtomicIadd, ImmAtomicIadd, [2, 0], ALL, 1),
        (AtomicImax, ImmAtomicImax, [5, 0], ALL, 5),
        (AtomicImax, ImmAtomicImax, [0x8000_0000, 0], ALL, ALL),
        (AtomicImin, ImmAtomicImin, [5, 0], ALL, ALL),
        (AtomicImin, ImmAtomicImin, [0x8000_0000, 0], 7, 0x8000_0000),
        (AtomicUmax, ImmAtomicUmax, [ALL, 0], 5, ALL),
        (AtomicUmin, ImmAtomicUmin, [5, 0], ALL, 5),
        (AtomicUmin, ImmAtomicUmin, [ALL, 0], 5, 5),
        (AtomicCmpStore, ImmAtomicCmpExch, [7, 9], 7, 9),
        (AtomicCmpStore, ImmAtomicCmpExch, [8, 9], 7, 7),
    ]
};

/// Each on every kind of view, without and with its result.
#[test]
fn atomics() {
    use ResourceDimension::*;
    let sources = |opcode: Opcode| {
        let compares = matches!(opcode, Opcode::AtomicCmpStore | Opcode::ImmAtomicCmpExch);
        [v(1, "x"), v(1, "y")].into_iter().take(1 + usize::from(compares)).collect::<Vec<_>>()
    };
    // The view with all words `old`, the address of one of them, which it is, and an address outside.
    let kinds = |old: u32| -> [(Resource, [u32; 2], usize, [u32; 2]); 4] {
        let filled = |mut t: Texture| {
            t = Texture::new(
                t.dimension(),
                t.level_size(0),
                t.layers(),
                vec![vec![[old; 4]; t.level(0).len()]],
            )
            .unwrap();
            t.kind = TexelKind::Sint;
            t
        };
        [
            (Resource::Raw(vec![old; 4]), [8, 99], 2, [16, 0]),
            (Resource::Structured { stride: 8, words: vec![old; 8] }, [1, 4], 3, [1, 8]),
            (Resource::Typed(vec![[old; 4]; 3], TexelKind::Sint), [2, 99], 8, [3, 0]),
            (
                Resource::Texture(filled(texture(Texture2D, [2, 2, 1], 1, TexelKind::Sint))),
                [1, 1],
                12,
                [0, 2],
            ),
        ]
    };
    let run = |opcode: Opcode, returns: bool, resource: &Resource, address: [u32; 2], operands: [u32; 2]| {
        let mut shader = start();
        match resource {
            Resource::Raw(_) => shader.raw_view(1),
            Resource::Structured { stride, .. } => shader.structured_view(1, *stride),
            other => shader.typed_view(1, other.dimension(), ReturnType::Sint),
        };
        let mut list: Vec<Operand> = if returns { vec![r(0, "y")] } else { vec![] };
        list.extend([u(1, ""), v(0, "xyxx")]);
        list.extend(sources(opcode));
        shader.op(Opcode::Mov, &[r(0, "xyzw"), l(77u32)]).op(opcode, &list);
        shader.op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Opcode::Ret, &[]);
        let mut views = Views::default().view(1, resource.clone());
        let [a, b] = address;
        let [x, y] = operands;
        let found = vertex(&shader, &mut views, [[a, b, 0, 0], [x, y, 0, 0]]);
        (found[0], words(&views))
    };
    let mut seen = std::collections::BTreeSet::new();
    let updates = UPDATES.into_iter().flat_map(|(plain, immediate, operands, old, new)| {
        [(plain, false, operands, old, new), (immediate, true, operands, old, new)]
    });
    let exchange = (Opcode::ImmAtomicExch, true, [9, 0], 7, 9);
    for (opcode, returns, operands, old, new) in updates.chain([exchange]) {
        seen.insert(opcode);
        for (resource, inside, place, outside) in kinds(old) {
            let before = words(&Views::default().view(1, resource.clone()));
            let (result, after) = run(opcode, returns, &resource, inside, operands);
            let mut expected = before.clone();
            expected[place] = new;
            let returned = if returns { old } else { 77 };
            assert_eq!(
                (result, after),
                ([77, returned, 77, 77], expected),
                "{opcode:?} of {:?}",
                resource.dimension()
            );
            // Outside nothing is changed; what is returned is undefined.
            let (result, after) = run(opcode, returns, &resource, outside, operands);
            let returned = if returns { 0 } else { 77 };
            assert_eq!((result, after), ([77, returned, 77, 77], before), "{opcode:?}");
        }
    }
    let atomic = Opcode::ALL.iter().filter(|o| o.info().family == shaderport_dxbc::Family::Atomic);
    let counters = [Opcode::ImmAtomicAlloc, Opcode::ImmAtomicConsume];
    assert_eq!(atomic.filter(|o| !seen.contains(o) && !counters.contains(o)).count(), 0);
}

#[test]
fn hidden_counters() {
    let mut shader = start();
    shader
        .structured_view(1, 4)
        .structured_view(2, 4)
        .op(Opcode::ImmAtomicAlloc, &[o(0, "x"), u(1, "")])
        .op(Opcode::ImmAtomicAlloc, &[o(0, "y"), u(1, "")])
        .op(Opcode::ImmAtomicConsume, &[o(0, "z"), u(2, "")])
        .op(Opcode::ImmAtomicConsume, &[o(0, "w"), u(2, "")])
        .op(Opcode::Ret, &[]);
    let run = |up: u32, down: u32| {
        let view = |counter| View { counter, ..Resource::Structured { stride: 4, words: vec![] }.into() };
        let mut views = Views::default().view(1, view(up)).view(2, view(down));
        let found = vertex(&shader, &mut views, [[0; 4]; 2])[0];
        (found, views.get(1).unwrap().counter, views.get(2).unwrap().counter)
    };
    // 22.17.17: the count before; 22.17.18: the count after.
    assert_eq!(run(5, 5), ([5, 6, 4, 3], 7, 3));
    // No count is clamped.
    assert_eq!(run(ALL, 1), ([ALL, 0, 0, ALL], 1, ALL));
    // Nothing bound.
    assert_eq!(vertex(&shader, &mut Views::default(), [[0; 4]; 2])[0], [0; 4]);
    // Other views have none.
    let mut shader = start();
    shader.raw_view(1).op(Opcode::ImmAtomicAlloc, &[o(0, "x"), u(1, "")]).op(Opcode::Ret, &[]);
    let mut views = Views::default().view(1, View { counter: 5, ..Resource::Raw(vec![3]).into() });
    assert_eq!(vertex(&shader, &mut views, [[0; 4]; 2])[0], [0; 4]);
    assert_eq!(views.get(1).unwrap().counter, 5);
}

#[test]
fn sizes() {
    use ResourceDimension::*;
    let structured = Resource::Structured { stride: 8, words: vec![0; 7] };
    for (resource, count) in [
        (Resource::Raw(vec![0; 5]), 20),
        (structured, 3),
        (Resource::Typed(vec![[0; 4]; 6], TexelKind::Float), 6),
    ] {
        let mut shader = start();
        match &resource {
            Resource::Raw(_) => shader.raw_view(1),
            Resource::Structured { stride, .. } => shader.structured_view(1, *stride),
            _ => shader.typed_view(1, Buffer, ReturnType::Float),
        };
        shader.op(Opcode::BufInfo, &[o(0, "xz"), u(1, "xyzw")]).op(Opcode::Ret, &[]);
        let mut views = Views::default().view(1, resource);
        assert_eq!(vertex(&shader, &mut views, [[0; 4]; 2])[0], [count, 0, count, 0]);
        assert_eq!(vertex(&shader, &mut Views::default(), [[0; 4]; 2])[0], [0; 4]);
    }
    // 22.4.14: a view has one level.
    let f = |x: f32| x.to_bits();
    for (form, expected, none) in [
        (0, [f(4.0), f(2.0), f(3.0), f(1.0)], [0, 0, 0, f(1.0)]),
        (1, [f(0.25), f(0.5), f(3.0), f(1.0)], [f(f32::INFINITY), f(f32::INFINITY), 0, f(1.0)]),
        (2, [4, 2, 3, 1], [0, 0, 0, 1]),
    ] {
        let mut shader = start();
        shader
            .typed_view(1, Texture2DArray, ReturnType::Float)
            .push(Ins::new(Opcode::ResInfo, &[o(0, "xyzw"), v(0, "x"), u(1, "xyzw")]).controls(form << 11))
            .op(Opcode::Ret, &[]);
        let bound = Resource::Texture(texture(Texture2DArray, [4, 2, 1], 3, TexelKind::Float));
        let mut views = Views::default().view(1, bound);
        assert_eq!(vertex(&shader, &mut views, [[0; 4]; 2])[0], expected);
        assert_eq!(vertex(&shader, &mut views, [[1; 4], [0; 4]])[0], none);
        let unbound = vertex(&shader, &mut Views::default(), [[0; 4]; 2])[0];
        assert_eq!(unbound, [none[0], none[1], none[2], 0]);
    }
}

/// Lanes that a typed buffer's format lacks are not stored, and load as 0, 0, 0, 1 (19.1.3.3).
#[test]
fn typed_buffers_of_fewer_lanes() {
    let one = |kind| if kind == TexelKind::Float { 1f32.to_bits() } else { 1 };
    let kinds = [
        (ReturnType::Uint, TexelKind::Uint),
        (ReturnType::Sint, TexelKind::Sint),
        (ReturnType::Float, TexelKind::Float),
    ];
    for (returns, kind) in kinds {
        for present in [1u8, 3, 7, 15] {
            let mut shader = start();
            shader
                .typed_view(1, ResourceDimension::Buffer, returns)
                .op(Opcode::StoreUavTyped, &[u(1, "xyzw"), v(0, "xxxx"), v(1, "xyzw")])
                .op(Opcode::LdUavTyped, &[o(0, "xyzw"), v(0, "xxxx"), u(1, "xyzw")])
                .op(Opcode::LdUavTyped, &[o(1, "xyzw"), v(0, "yyyy"), u(1, "xyzw")])
                .op(Opcode::Ret, &[]);
            let view = View { present, ..Resource::Typed(vec![[9; 4]; 2], kind).into() };
            let mut views = Views::default().view(1, view);
            let found = vertex(&shader, &mut views, [[1, 2, 0, 0], [5, 6, 7, 8]]);
            let lanes = |of: [u32; 4], other: [u32; 4]| -> [u32; 4] {
                std::array::from_fn(|n| if present >> n & 1 != 0 { of[n] } else { other[n] })
            };
            let defaults = [0, 0, 0, one(kind)];
            // Outside there is 0 in the lanes that are there.
            assert_eq!(found, [lanes([5, 6, 7, 8], defaults), lanes([0; 4], defaults)], "{kind:?} {present}");
            assert_eq!(words(&views), [[9; 4], lanes([5, 6, 7, 8], [9; 4])].concat());
        }
    }
}

/// All tiles are there (5.9.4.5), whether the status goes to a register or to none.
#[test]
fn loads_with_a_status() {
    let mut shader = start();
    shader
        .typed_view(0, ResourceDimension::Texture2D, ReturnType::Uint)
        .raw_view(1)
        .structured_view(2, 4)
        .op(Opcode::LdUavTypedFeedback, &[r(0, "x"), r(1, "x"), v(0, "xyzw"), u(0, "yyyy")])
        .op(Opcode::LdRawFeedback, &[r(0, "y"), r(1, "y"), v(0, "x"), u(1, "xxxx")])
        .op(Opcode::LdStructuredFeedback, &[r(0, "z"), r(1, "z"), v(0, "x"), l(0u32), u(2, "xxxx")])
        .op(Opcode::LdUavTypedFeedback, &[r(0, "w"), null(), v(0, "xyzw"), u(0, "zzzz")])
        .op(Opcode::Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Opcode::Mov, &[o(1, "xyzw"), r(1, "xyzw")])
        .op(Opcode::Ret, &[]);
    let mut views = Views::default()
        .view(0, Resource::Texture(texture(ResourceDimension::Texture2D, [2, 2, 1], 1, TexelKind::Uint)))
        .view(1, Resource::Raw(vec![7]))
        .view(2, Resource::Structured { stride: 4, words: vec![8] });
    let found = vertex(&shader, &mut views, [[0; 4]; 2]);
    assert_eq!(found, [[200, 7, 8, 300], [ALL, ALL, ALL, 0]]);
}

fn pixel() -> Shader {
    let mut shader = Shader::pixel();
    shader.input(0, "xyzw", "A", Type::Uint).target(0, "xyzw", Type::Uint).temps(2);
    shader
}

fn quad(shader: &Shader, views: &mut Views, inputs: &[Inputs; 4]) -> [[u32; 4]; 4] {
    let program = program(shader);
    let outputs = Executor::new(&program).unwrap().run_quad(&Bindings::default(), views, inputs).unwrap();
    outputs.map(|o| o.registers[0])
}

fn pixels(x: [u32; 4]) -> [Inputs; 4] {
    x.map(|x| Inputs::default().register(0, [x; 4]))
}

/// At each instruction one pixel after the other; pixels whose paths part are on their own until they meet again.
#[test]
fn pixels_follow_each_other() {
    let add = |to: Operand, n: u32| Ins::new(Opcode::ImmAtomicIadd, &[to, u(1, ""), l(0u32), l(n)]);
    let mut shader = pixel();
    shader.raw_view(1).push(add(o(0, "x"), 1)).push(add(o(0, "y"), 10)).op(Opcode::Ret, &[]);
    let mut views = raw(&[0]);
    let found = quad(&shader, &mut views, &pixels([0; 4]));
    assert_eq!(found.map(|o| [o[0], o[1]]), [[0, 4], [1, 14], [2, 24], [3, 34]]);
    assert_eq!(words(&views), [44]);
    // The first half goes through both instructions before the other begins.
    let mut shader = pixel();
    shader.raw_view(1).op_nz(Opcode::If, &[v(0, "x")]);
    shader.push(add(o(0, "x"), 1)).push(add(o(0, "y"), 10)).op(Opcode::Else, &[]);
    shader.push(add(o(0, "x"), 100)).op(Opcode::EndIf, &[]).op(Opcode::Ret, &[]);
    let found = quad(&shader, &mut raw(&[0]), &pixels([0, 1, 0, 1]));
    assert_eq!(found.map(|o| [o[0], o[1]]), [[22, 0], [0, 2], [122, 0], [1, 12]]);
}

/// 16.13: what a pixel does before it is discarded counts, what it does afterwards does not, and what helpers do never.
#[test]
fn discarded_pixels_and_helpers_write_nothing() {
    let mut shader = pixel();
    shader.raw_view(1).structured_view(2, 4).typed_view(3, ResourceDimension::Buffer, ReturnType::Uint);
    shader
        .op(Opcode::StoreRaw, &[u(1, "x"), v(0, "y"), l(1u32)])
        .op_nz(Opcode::Discard, &[v(0, "x")])
        .op(Opcode::ImmAtomicIadd, &[o(0, "x"), u(1, ""), v(0, "y"), l(10u32)])
        .op(Opcode::AtomicOr, &[u(1, ""), v(0, "y"), l(32u32)])
        .op(Opcode::ImmAtomicAlloc, &[o(0, "y"), u(2, "")])
        .op(Opcode::StoreStructured, &[u(2, "x"), l(0u32), l(0u32), l(7u32)])
        .op(Opcode::StoreUavTyped, &[u(3, "xyzw"), v(0, "zzzz"), l(9u32)])
        .op(Opcode::LdRaw, &[o(0, "z"), v(0, "y"), u(1, "xxxx")])
        .op(Opcode::LdUavTyped, &[o(0, "w"), v(0, "zzzz"), u(3, "xyzw")])
        .op(Opcode::Ret, &[]);
    let inputs = |discard: [u32; 4], helper: [bool; 4]| -> [Inputs; 4] {
        std::array::from_fn(|n| Inputs {
            helper: helper[n],
            ..Inputs::default().register(0, [discard[n], 4 * n as u32, n as u32, 0])
        })
    };
    let run = |inputs: &[Inputs; 4]| {
        let mut views = raw(&[0; 4])
            .view(2, View { counter: 3, ..Resource::Structured { stride: 4, words: vec![0] }.into() })
            .view(3, Resource::Typed(vec![[0; 4]; 4], TexelKind::Uint));
        let found = quad(&shader, &mut views, inputs);
        let Resource::Typed(texels, _) = &views.get(3).unwrap().resource else { panic!() };
        let stored = texels.iter().map(|t| t[0]).collect::<Vec<_>>();
        (found, words(&views), stored, views.get(2).unwrap().counter)
    };
    let (found, raw, stored, counter) = run(&inputs([0, 1, 0, 0], [false, false, true, false]));
    assert_eq!(found, [[1, 3, 43, 9], [0; 4], [0; 4], [1, 4, 43, 9]]);
    assert_eq!((raw, stored, counter), (vec![43, 1, 0, 43], vec![9, 0, 0, 9], 5));
    let (found, raw, stored, counter) = run(&inputs([0; 4], [true; 4]));
    assert_eq!((found, raw, stored, counter), ([[0; 4]; 4], vec![0; 4], vec![0; 4], 3));
}

/// Pixels that read 0 of views for ever end with those that act, also where these wait for them behind a loop; a
/// program without views is run to its end by all.
#[test]
fn helpers_do_not_hold_pixels() {
    // Until the sum is three, which it never is for those that do not act.
    let wait = |shader: &mut Shader| {
        shader
            .op(Opcode::Loop, &[])
            .op(Opcode::ImmAtomicIadd, &[r(0, "x"), u(1, ""), l(0u32), l(1u32)])
            .op(Opcode::Uge, &[r(0, "y"), r(0, "x"), l(3u32)])
            .op_nz(Opcode::Breakc, &[r(0, "y")])
            .op(Opcode::EndLoop, &[]);
    };
    let inputs = |discard: [u32; 4], helper: [bool; 4]| -> [Inputs; 4] {
        std::array::from_fn(|n| Inputs {
            helper: helper[n],
            ..Inputs::default().register(0, [discard[n], 7, 8, 9])
        })
    };
    let mut meets = pixel();
    meets.raw_view(1).op_nz(Opcode::Discard, &[v(0, "x")]);
    wait(&mut meets);
    meets
        .op(Opcode::Mov, &[o(0, "xy"), r(0, "xxxx")])
        .op(Opcode::StoreRaw, &[u(1, "x"), l(4u32), v(0, "y")])
        .op(Opcode::Ret, &[]);
    let mut returns = pixel();
    returns.raw_view(1).op_nz(Opcode::Discard, &[v(0, "x")]);
    returns
        .op(Opcode::Loop, &[])
        .op(Opcode::ImmAtomicIadd, &[r(0, "x"), u(1, ""), l(0u32), l(1u32)])
        .op(Opcode::Mov, &[o(0, "xy"), r(0, "xxxx")])
        .op(Opcode::StoreRaw, &[u(1, "x"), l(4u32), v(0, "y")])
        .op(Opcode::Uge, &[r(0, "y"), r(0, "x"), l(3u32)])
        .op_nz(Opcode::Retc, &[r(0, "y")])
        .op(Opcode::EndLoop, &[])
        .op(Opcode::Ret, &[]);
    for shader in [&meets, &returns] {
        for (discard, helper) in [([0; 4], [false, true, true, true]), ([0, 1, 1, 1], [false; 4])] {
            let mut views = raw(&[0; 2]);
            let found = quad(shader, &mut views, &inputs(discard, helper));
            assert_eq!((found[0][0], words(&views)), (3, vec![4, 7]), "{discard:?}");
        }
        // None acts: nothing is left to do.
        let mut views = raw(&[0; 2]);
        quad(shader, &mut views, &inputs([0; 4], [true; 4]));
        quad(shader, &mut views, &inputs([1; 4], [false; 4]));
        assert_eq!(words(&views), [0; 2]);
    }
    // Helpers that only take long are waited for, with what the pixel takes in between.
    let mut long = pixel();
    long.raw_view(1)
        .op(Opcode::Mov, &[r(0, "x"), v(0, "x")])
        .op(Opcode::Loop, &[])
        .op(Opcode::Ieq, &[r(0, "w"), r(0, "x"), l(0u32)])
        .op_nz(Opcode::Breakc, &[r(0, "w")])
        .op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(u32::MAX)])
        .op(Opcode::Iadd, &[r(0, "y"), r(0, "y"), l(1u32)])
        .op(Opcode::EndLoop, &[])
        .op(Opcode::Utof, &[r(0, "z"), r(0, "y")])
        .op(Opcode::DerivRtx, &[o(0, "x"), r(0, "z")])
        .op(Opcode::Ret, &[]);
    let found = quad(&long, &mut raw(&[0]), &inputs([0, 5000, 0, 0], [false, true, true, true]));
    assert_eq!(found[0][0], 5000f32.to_bits());
    // Without views, what does not end is said to.
    let mut endless = pixel();
    endless.op(Opcode::Loop, &[]).op_nz(Opcode::Breakc, &[v(0, "x")]).op(Opcode::EndLoop, &[]);
    endless.op(Opcode::Ret, &[]);
    let program = program(&endless);
    let executor = Executor::new(&program).unwrap().limit(500_000);
    let ran = executor.run_quad(
        &Bindings::default(),
        &mut Views::default(),
        &inputs([1, 0, 0, 0], [false, true, true, true]),
    );
    assert_eq!(ran.unwrap_err().kind, ErrorKind::StepLimit(500_000));
}

/// Shader model 5.1: a range of registers in a space, indexed by a computed value.
#[test]
fn arrays_of_views() {
    let view = |id: u32, lanes: &str| register(OperandKind::UnorderedAccessView, lanes).at(id);
    let mut shader = start();
    shader.model(5, 1);
    let ranges = view(0, "").at(2u32).at(4u32);
    shader.push(Ins::new(Opcode::DclUavRaw, &[ranges]).words(&[7]));
    let indexed = || view(0, "x").at(Idx::from((r(0, "x"), 2)));
    shader
        .op(Opcode::Mov, &[r(0, "x"), v(0, "x")])
        .op(Opcode::StoreRaw, &[indexed(), l(0u32), v(1, "x")])
        .op(Opcode::LdRaw, &[o(0, "x"), l(0u32), view(0, "xxxx").at(3u32)])
        .op(Opcode::Ret, &[]);
    let slot = |space, register| Slot { space, register };
    let one = || Resource::Raw(vec![0]);
    let bound =
        || (0..6).fold(Views::default(), |all, n| all.view(slot(7, n), one()).view(slot(0, n), one()));
    for n in 0..3 {
        let mut views = bound();
        let found = vertex(&shader, &mut views, [[n; 4], [5; 4]]);
        assert_eq!(found[0][0], if n == 1 { 5 } else { 0 });
        assert_eq!(views, bound().view(slot(7, 2 + n), Resource::Raw(vec![5])));
    }
    // What is bound to any register of the range is looked at.
    let mut wrong = bound().view(slot(7, 4), Resource::Structured { stride: 4, words: vec![] });
    let program = program(&shader);
    let run = |views: &mut Views| {
        Executor::new(&program).unwrap().run_vertex(&Bindings::default(), views, &Inputs::default())
    };
    let error = run(&mut wrong).unwrap_err();
    let text = "u4,space7 is declared as raw_buffer and bound to a structured_buffer";
    assert_eq!(error.kind, ErrorKind::Mismatch(text.into()));
    let mut outside = bound().view(slot(7, 5), Resource::Structured { stride: 4, words: vec![] });
    assert!(run(&mut outside).is_ok());
}

#[test]
fn views_have_one_level() {
    use ResourceDimension::Texture2D;
    let mut shader = start();
    shader.typed_view(1, Texture2D, ReturnType::Float).op(Opcode::Ret, &[]);
    let two = Texture::new(Texture2D, [2, 1, 1], 1, vec![vec![[0; 4]; 2], vec![[0; 4]]]).unwrap();
    let mut views = Views::default().view(1, Resource::Texture(two));
    let program = program(&shader);
    let ran =
        Executor::new(&program).unwrap().run_vertex(&Bindings::default(), &mut views, &Inputs::default());
    assert!(matches!(ran.unwrap_err().kind, ErrorKind::Mismatch(text) if text.contains("2 levels")));
}

#[test]
fn every_flag_is_read() {
    // Globally coherent, rasterizer ordered, with a counter that keeps its order: 22.3.42 to 22.3.44.
    for opcode in [Opcode::DclUavTyped, Opcode::DclUavRaw, Opcode::DclUavStructured] {
        for flags in [1 << 16, 1 << 17, 1 << 23, 1 << 16 | 1 << 17 | 1 << 23] {
            let mut shader = start();
            let dimension = if opcode == Opcode::DclUavTyped { 1 << 11 } else { 0 };
            let declared = Ins::new(opcode, &[u(1, "")]).controls(flags | dimension);
            shader.push(declared.words(&[0x4444][..usize::from(opcode != Opcode::DclUavRaw)]));
            shader.op(Opcode::BufInfo, &[o(0, "x"), u(1, "xyzw")]).op(Opcode::Ret, &[]);
            let resource = match opcode {
                Opcode::DclUavTyped => Resource::Typed(vec![[0; 4]; 3], TexelKind::Uint),
                Opcode::DclUavRaw => Resource::Raw(vec![0]),
                _ => Resource::Structured { stride: 4, words: vec![0; 2] },
            };
            let count = [3, 4, 2][(opcode as usize) - (Opcode::DclUavTyped as usize)];
            let mut views = Views::default().view(1, resource);
            assert_eq!(vertex(&shader, &mut views, [[0; 4]; 2])[0][0], count, "{opcode:?} {flags:x}");
        }
    }
}

/// Each run goes on where the one before it ended, and what is written stays where a run does not end.
#[test]
fn what_is_written_stays() {
    let mut shader = start();
    shader
        .raw_view(1)
        .op(Opcode::Loop, &[])
        .op(Opcode::AtomicIadd, &[u(1, ""), l(0u32), l(1u32)])
        .op_nz(Opcode::Breakc, &[v(0, "x")])
        .op(Opcode::EndLoop, &[])
        .op(Opcode::Ret, &[]);
    let mut views = raw(&[0]);
    for n in 1..4 {
        vertex(&shader, &mut views, [[1; 4], [0; 4]]);
        assert_eq!(words(&views), [n]);
    }
    let program = program(&shader);
    let executor = Executor::new(&program).unwrap().limit(31);
    let error = executor.run_vertex(&Bindings::default(), &mut views, &Inputs::default()).unwrap_err();
    assert_eq!((error.kind, words(&views)), (ErrorKind::StepLimit(31), vec![13]));
}

#[test]
fn accesses_are_shown() {
    let mut shader = start();
    shader
        .raw_view(1)
        .structured_view(2, 8)
        .typed_view(3, ResourceDimension::Texture2D, ReturnType::Uint)
        .op(Opcode::StoreRaw, &[u(1, "xyz"), l(6u32), l4([1u32, 2, 3, 4])])
        .op(Opcode::LdRaw, &[r(0, "xy"), l(0u32), u(1, "yyyy")])
        .op(Opcode::ImmAtomicUmax, &[r(0, "x"), u(2, ""), l4([0u32, 4, 0, 0]), l(9u32)])
        .op(Opcode::ImmAtomicConsume, &[r(0, "x"), u(2, "")])
        .op(Opcode::StoreUavTyped, &[u(3, "xyzw"), l4([1u32, 1, 5, 5]), l(3u32)])
        .op(Opcode::LdUavTyped, &[r(0, "x"), l4([2u32, 0, 0, 0]), u(3, "xyzw")])
        .op(Opcode::Ret, &[]);
    let mut views = raw(&[90, 91, 92])
        .view(2, Resource::Structured { stride: 8, words: vec![5; 4] })
        .view(3, Resource::Texture(texture(ResourceDimension::Texture2D, [2, 2, 1], 1, TexelKind::Uint)));
    let program = program(&shader);
    let mut seen = Vec::new();
    let executor = Executor::new(&program).unwrap();
    executor
        .trace_vertex(&Bindings::default(), &mut views, &Inputs::default(), &mut |step| {
            seen.extend(step.view.cloned());
            ControlFlow::Continue(())
        })
        .unwrap();
    let access = |operand, register: u32, address: &[u32], mask, read, written| ViewAccess {
        operand,
        slot: register.into(),
        address: address.to_vec(),
        mask,
        read,
        written,
    };
    let expected = [
        access(0, 1, &[4], 3, None, Some([1, 2, 3, 4])),
        access(2, 1, &[0], 2, Some([90, 1, 2, 0]), None),
        access(1, 2, &[0, 4], 1, Some([5; 4]), Some([9; 4])),
        access(1, 2, &[], 1, Some([0; 4]), Some([ALL; 4])),
        access(0, 3, &[1, 1], 15, None, Some([3; 4])),
    ];
    assert_eq!(seen, expected);
}
