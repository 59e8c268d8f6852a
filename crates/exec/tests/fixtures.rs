//! Compiled shaders that the translator refuses, on values worked out of their HLSL (`fixtures/hlsl`, which each test
//! quotes).

use shaderport_dxbc::program::ResourceDimension;
use shaderport_dxbc::{Container, Program};
use shaderport_exec::{
    Bindings, ConstantBuffer, ErrorKind, Executor, Inputs, Instance, Resource, Slot, TexelKind, Texture,
    View, Views,
};
use std::path::Path;

fn load(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc").join(name);
    let bytes = std::fs::read(path).unwrap();
    let chunk = Container::parse(&bytes).unwrap().program_chunk().unwrap();
    Program::decode(chunk.data, chunk.tag, chunk.offset + 8).unwrap()
}

/// `u` of `cbuffer K : register(b0) { float4 k; uint4 u; }`.
fn with_u(u: [u32; 4]) -> Bindings {
    Bindings::default().constants(0, ConstantBuffer::from_rows(vec![[0; 4], u]))
}

fn bits(x: [f32; 4]) -> [u32; 4] {
    x.map(f32::to_bits)
}

/// Runs a quad; the first output of each pixel.
fn quad(name: &str, bindings: &Bindings, views: &mut Views, inputs: &[Inputs; 4]) -> [[f32; 4]; 4] {
    let program = load(name);
    let outputs = Executor::new(&program).unwrap().run_quad(bindings, views, inputs).unwrap();
    outputs.map(|o| o.registers[0].map(f32::from_bits))
}

/// Runs one pixel, whose neighbours help it.
fn pixel(name: &str, bindings: &Bindings, views: &mut Views, a: [f32; 4]) -> [f32; 4] {
    let inputs = std::array::from_fn(|n| Inputs { helper: n != 0, ..Inputs::default().floats(0, a) });
    quad(name, bindings, views, &inputs)[0]
}

/// What four pixels read: their centres, and two numbers of their own.
const CENTRES: [[f32; 4]; 4] =
    [[0.5, 0.5, -1.5, 10.0], [1.5, 0.5, -2.5, 20.0], [0.5, 1.5, -3.5, 30.0], [1.5, 1.5, -4.5, 40.0]];

fn centres() -> [Inputs; 4] {
    CENTRES.map(|a| Inputs::default().floats(0, a))
}

fn texture(
    dimension: ResourceDimension,
    size: [u32; 3],
    layers: u32,
    kind: TexelKind,
    lanes: u8,
) -> Resource {
    let count = size.iter().product::<u32>() * layers;
    let level = vec![[0; 4]; count as usize];
    let mut texture = Texture::new(dimension, size, layers, vec![level]).unwrap();
    (texture.kind, texture.present) = (kind, (1 << lanes) - 1);
    Resource::Texture(texture)
}

fn texels(views: &Views, register: u32) -> Vec<[u32; 4]> {
    match &views.get(register).unwrap().resource {
        Resource::Texture(texture) => texture.level(0).to_vec(),
        Resource::Typed(texels, _) => texels.clone(),
        other => panic!("{other:?}"),
    }
}

fn words(views: &Views, register: u32) -> Vec<u32> {
    match &views.get(register).unwrap().resource {
        Resource::Raw(words) | Resource::Structured { words, .. } => words.clone(),
        other => panic!("{other:?}"),
    }
}

fn structured(stride: u32, words: Vec<u32>, counter: u32) -> View {
    View { counter, ..Resource::Structured { stride, words }.into() }
}

/// `U2[(uint2) a.xy] = a; UB[u.x] = u.y; U1[u.z] = (int2) a.zw; U3[u.xyz] = a.x; return UB[3] + w + h;`, `w` and `h` of
/// `U2`
#[test]
fn typed_views() {
    use ResourceDimension::*;
    let mut views = Views::default()
        .view(1, texture(Texture2D, [2, 3, 1], 1, TexelKind::Float, 4))
        .view(2, Resource::Typed(vec![[0; 4]; 5], TexelKind::Uint))
        .view(3, texture(Texture1D, [4, 1, 1], 1, TexelKind::Sint, 2))
        .view(4, texture(Texture3D, [4, 8, 2], 1, TexelKind::Float, 1));
    let found = quad("refused_uav_typed.ps.dxbc", &with_u([3, 7, 1, 0]), &mut views, &centres());
    assert_eq!(found, [[7.0 + 2.0 + 3.0; 4]; 4]);
    let expected = [CENTRES.map(bits).to_vec(), vec![[0; 4]; 2]].concat();
    assert_eq!(texels(&views, 1), expected);
    assert_eq!(texels(&views, 2)[2..], [[0; 4], [7; 4], [0; 4]]);
    // All store to the same texel: the last stays. Lanes that the format lacks do not matter.
    assert_eq!(texels(&views, 3)[1][..2], [-4i32 as u32, 40]);
    let place = 3 + 4 * (7 + 8);
    assert_eq!(texels(&views, 4)[place], [1.5f32.to_bits(), 0, 0, 0]);
    assert_eq!(texels(&views, 4).iter().filter(|t| **t != [0; 4]).count(), 1);
}

/// `R.Store(u.x, 1); R.Store2(8, u.xy); R.Store3(16, u.xyz); R.Store4(32, asuint(a)); return asfloat(R.Load4(u.y)) + n;`,
/// `n` its bytes
#[test]
fn raw_views() {
    let mut views = Views::default().view(1, Resource::Raw(vec![0; 13]));
    let a = [1.0, 2.0, 3.0, 4.0];
    let found = pixel("refused_uav_raw.ps.dxbc", &with_u([4, 32, 5, 0]), &mut views, a);
    assert_eq!(found, a.map(|x| x + 52.0));
    let [x, y, z, w] = bits(a);
    assert_eq!(words(&views, 1), [0, 1, 4, 32, 4, 32, 5, 0, x, y, z, w, 0]);
}

/// `SB[u.x] = { a, u.xy }; SG[u.y] = a.xy; c = SB.IncrementCounter() + SD.DecrementCounter(); return SB[u.z].a +
/// SG[1].xyxy + c;`
#[test]
fn structured_views() {
    let one = bits([1.0, 2.0, 3.0, 4.0]);
    let mut views = Views::default()
        .view(1, structured(24, [&one[..], &[0; 14]].concat(), 5))
        .view(2, structured(8, vec![0; 4], 0))
        .view(3, structured(24, vec![0; 6], 9));
    let a = [10.0, 20.0, 30.0, 40.0];
    let found = pixel("refused_uav_structured.ps.dxbc", &with_u([2, 1, 0, 0]), &mut views, a);
    assert_eq!(found, [1.0 + 10.0 + 13.0, 2.0 + 20.0 + 13.0, 3.0 + 10.0 + 13.0, 4.0 + 20.0 + 13.0]);
    let a = bits(a);
    assert_eq!(words(&views, 1), [&one[..], &[0; 8], &a, &[2, 1]].concat());
    assert_eq!(words(&views, 2), [0, 0, a[0], a[1]]);
    assert_eq!([1, 2, 3].map(|n| views.get(n).unwrap().counter), [6, 0, 8]);
}

/// `A1[u.xy] = a; A2[u.xyz] = u.w; return A2[uint3(1, 2, 3)];`
#[test]
fn arrays() {
    use ResourceDimension::*;
    let mut views = Views::default()
        .view(1, texture(Texture1DArray, [2, 1, 1], 3, TexelKind::Float, 4))
        .view(2, texture(Texture2DArray, [2, 3, 1], 4, TexelKind::Uint, 1));
    let a = [1.0, -2.0, 3.0, 4.0];
    let found = pixel("refused_uav_arrays.ps.dxbc", &with_u([1, 2, 3, 9]), &mut views, a);
    assert_eq!(found, [9.0; 4]);
    assert_eq!(texels(&views, 1)[1 + 2 * 2], bits(a));
    assert_eq!(texels(&views, 2)[1 + 2 * (2 + 3 * 3)], [9, 0, 0, 0]);
}

/// `AP.Append(a); return CO.Consume();`
#[test]
fn append_and_consume() {
    let stock = (0..6).map(|n| bits([n as f32; 4]));
    let mut views = Views::default()
        .view(1, structured(16, vec![0; 20], 1))
        .view(2, structured(16, stock.flatten().collect(), 5));
    let found = quad("refused_append_consume.ps.dxbc", &Bindings::default(), &mut views, &centres());
    assert_eq!(found, [4.0, 3.0, 2.0, 1.0].map(|n| [n; 4]));
    assert_eq!(words(&views, 1), [&[0; 4][..], CENTRES.map(bits).as_flattened()].concat());
    assert_eq!([1, 2].map(|n| views.get(n).unwrap().counter), [5, 1]);
}

/// Each atomic function once with what it returns, which are summed, and once without.
#[test]
fn atomics() {
    let mut views = Views::default()
        .view(1, Resource::Raw(vec![0, 10, 12, 0]))
        .view(5, structured(4, vec![-5i32 as u32, -10i32 as u32], 0))
        .view(6, texture(ResourceDimension::Texture2D, [2, 2, 1], 1, TexelKind::Uint, 1));
    let found = pixel("refused_atomics.ps.dxbc", &with_u([0, 1, 0, 0]), &mut views, [-2.5, -9.0, 0.0, 0.0]);
    // R: 4 holds 10; 8 holds 12, then max 3: 12, min 3: 3, and 3: 3, or 3: 3, xor 3: 0, exchanged: 3, compared: 4.
    // SI[0] holds -5, then max -2: -2, then min -9.
    assert_eq!(found, [(10 + 12 + 12 + 3 + 3 + 3 + 3 - 5 - 2) as f32; 4]);
    // 10 + 3 + 1; 4 max 3, min 3, and 3, or 3, xor 3: 0, which does not equal 3.
    assert_eq!(words(&views, 1), [0, 14, 0, 0]);
    // -10 max -3, min -4.
    assert_eq!(words(&views, 5), [-9i32 as u32, -4i32 as u32]);
    assert_eq!(texels(&views, 6), [[0; 4], [0; 4], [1, 0, 0, 0], [0; 4]]);
}

/// All atomic instructions on one word by the same operands, first those without a result.
#[test]
fn atomics_in_a_row() {
    let mut views = Views::default().view(1, Resource::Raw(vec![0, 5]));
    let inputs = std::array::from_fn(|n| {
        let inputs = Inputs::default().register(0, [4, 0, 0, 0]).register(1, [6, 9, 0, 0]);
        Inputs { helper: n != 0, ..inputs }
    });
    let program = load("refused_made_atomics.ps.dxbc");
    let outputs =
        Executor::new(&program).unwrap().run_quad(&Bindings::default(), &mut views, &inputs).unwrap();
    // 5 and 6: 4, or: 6, xor: 0, add: 6, which the four extremes leave; it equals 6, so 9. Then add: 15, and: 6, or: 6,
    // xor: 0, exchanged: 6, which the extremes return and leave; it equals 6, so 9.
    assert_eq!(outputs[0].registers[0], [6, 6, 0, 0]);
    assert_eq!(words(&views, 1), [0, 9]);
}

/// `RO[(uint2) a.xy] = a.z; RB.Store(4, 3); RS[1] = a.xy; return 0;`, rasterizer ordered
#[test]
fn rasterizer_ordered_views() {
    let mut views = Views::default()
        .view(3, texture(ResourceDimension::Texture2D, [2, 2, 1], 1, TexelKind::Float, 1))
        .view(4, Resource::Raw(vec![0; 3]))
        .view(5, structured(8, vec![0; 4], 0));
    let found = quad("refused_rasterizer_ordered.ps.dxbc", &Bindings::default(), &mut views, &centres());
    assert_eq!(found, [[0.0; 4]; 4]);
    assert_eq!(texels(&views, 3), CENTRES.map(|a| [a[2].to_bits(), 0, 0, 0]));
    assert_eq!(words(&views, 4), [0, 3, 0]);
    assert_eq!(words(&views, 5), [0, 0, 1.5f32.to_bits(), 1.5f32.to_bits()]);
}

/// `UB[i] = i * 2; return p;`, `i` the vertex
#[test]
fn vertices_write() {
    let program = load("refused_uav.vs.dxbc");
    let executor = Executor::new(&program).unwrap();
    let mut views = Views::default().view(2, Resource::Typed(vec![[9; 4]; 3], TexelKind::Uint));
    let p = [1.0, 2.0, 3.0, 4.0];
    for i in 0..4 {
        let inputs = Inputs::default().floats(0, p).register(1, [i; 4]);
        let outputs = executor.run_vertex(&Bindings::default(), &mut views, &inputs).unwrap();
        assert_eq!(outputs.registers[0], bits(p));
    }
    assert_eq!(texels(&views, 2), [[0; 4], [2; 4], [4; 4]]);
}

/// `ua[i][(uint2) c.xy] = c; return ua[1][uint2(1, 1)];`, `ua[3]` from `u2` of space 1 on
#[test]
fn arrays_of_views() {
    let slot = |register| Slot { space: 1, register };
    let c = [1.25, 1.5, 7.0, 8.0];
    for i in 0..3 {
        let bound = || texture(ResourceDimension::Texture2D, [2, 2, 1], 1, TexelKind::Float, 4);
        let mut views = (2..5).fold(Views::default(), |views, n| views.view(slot(n), bound()));
        let before = views.clone();
        let inputs = std::array::from_fn(|n| {
            let inputs = Inputs::default().floats(0, c).register(1, [i; 4]);
            Inputs { helper: n != 0, ..inputs }
        });
        let found = quad("sm51_refused_uav.ps.dxbc", &Bindings::default(), &mut views, &inputs);
        assert_eq!(found[0], if i == 1 { c } else { [0.0; 4] });
        let Resource::Texture(texture) = &views.get(slot(2 + i)).unwrap().resource else { panic!() };
        assert_eq!(texture.level(0), [[0; 4], [0; 4], [0; 4], bits(c)]);
        assert_eq!(views.slots.iter().filter(|(s, v)| before.slots[s] != **v).count(), 1);
    }
}

/// Sums every kind of read; the sum counts where all say that every tile was there. Nothing but the view is bound.
#[test]
fn reads_with_a_status() {
    let mut level = vec![[0; 4]; 4];
    level[3] = bits([1.0, 2.0, 3.0, 4.0]);
    let texture = Texture::new(ResourceDimension::Texture2D, [2, 2, 1], 1, vec![level]).unwrap();
    let mut views = Views::default().view(1, Resource::Texture(texture));
    let found = pixel("refused_tiled_feedback.ps.dxbc", &with_u([1, 1, 0, 0]), &mut views, [0.5; 4]);
    assert_eq!(found, [1.0, 2.0, 3.0, 4.0]);
}

fn constants(buffer: u32, rows: &[[f32; 4]]) -> Bindings {
    Bindings::default().constants(buffer, ConstantBuffer::from_rows(rows.iter().map(|r| bits(*r)).collect()))
}

/// `cbuffer Classes : register(b1) { Plain plain; Shiny shiny; }`: `Plain { float4 c; }` has `lit(v)` v * c and `gloss()`
/// c.w, `Shiny { float4 c; float p; }` has pow(v, p) + c and p * 2.
const PLAIN: [f32; 4] = [2.0, 3.0, 4.0, 5.0];
const SHINY: [f32; 4] = [0.5, 0.25, 0.125, 1.0];
const POWER: f32 = 2.0;

fn classes() -> Bindings {
    constants(1, &[PLAIN, SHINY, [POWER, 0.0, 0.0, 0.0]])
}

fn lit(shiny: bool, v: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|n| if shiny { v[n] * v[n] + SHINY[n] } else { v[n] * PLAIN[n] })
}

/// The instance `plain` or `shiny` for an interface that takes two tables.
fn instance(shiny: bool, tables: [u32; 2]) -> Instance {
    // Available class types: Shiny is the first, Plain the second.
    let [table, offset] = if shiny { [tables[0], 1] } else { [tables[1], 0] };
    Instance { table, buffer: 1, offset, ..Instance::default() }
}

/// `Shade which; return which.lit(p);`
#[test]
fn interfaces_of_vertices() {
    let program = load("refused_interfaces.vs.dxbc");
    let executor = Executor::new(&program).unwrap();
    let p = [1.0, 2.0, 0.5, 4.0];
    let inputs = Inputs::default().floats(0, p);
    for shiny in [false, true] {
        let bindings = classes().interface(0, instance(shiny, [0, 1]));
        let outputs = executor.run_vertex(&bindings, &mut Views::default(), &inputs).unwrap();
        assert_eq!(outputs.registers[0].map(f32::from_bits), lit(shiny, p));
    }
    // Nothing bound: what is called is undefined, so nothing is.
    let outputs = executor.run_vertex(&classes(), &mut Views::default(), &inputs).unwrap();
    assert_eq!(outputs.registers[0], [0; 4]);
    // A table of another interface.
    let wrong = classes().interface(0, Instance { table: 2, ..Instance::default() });
    let error = executor.run_vertex(&wrong, &mut Views::default(), &inputs).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Mismatch("fp0 takes ft0, ft1 and is bound to ft2".into()));
}

/// `Shade which; Shade pair[2]; return which.lit(a) + pair[u.x].gloss() + pair[1].lit(a.wzyx);`
#[test]
fn interfaces_of_pixels() {
    let a = [1.0, 2.0, 0.5, 4.0];
    let gloss = |shiny: bool| if shiny { POWER * 2.0 } else { PLAIN[3] };
    for choice in 0..16 {
        let [which, first, second, x] = [0, 1, 2, 3].map(|n| choice >> n & 1 != 0);
        let rows = vec![[0; 4], [x.into(), 0, 0, 0]];
        let bindings = classes()
            .constants(0, ConstantBuffer::from_rows(rows))
            .interface(0, instance(which, [0, 1]))
            .interface(1, instance(first, [2, 3]))
            .interface(2, instance(second, [2, 3]));
        let found = pixel("refused_interfaces.ps.dxbc", &bindings, &mut Views::default(), a);
        let [b, c] = [lit(which, a), lit(second, [a[3], a[2], a[1], a[0]])];
        let chosen = gloss(if x { second } else { first });
        assert_eq!(found, std::array::from_fn(|n| b[n] + chosen + c[n]), "{choice}");
    }
}

/// `Op op; return op.run(a);`: `Early` returns from a branch and from a loop, `Late` gives v - c.
#[test]
fn functions_return_early() {
    let (early, late) = ([1.5, 2.0, 3.0, 4.0], [0.25; 4]);
    let bindings = |table, offset| {
        let instance = Instance { table, buffer: 2, offset, ..Instance::default() };
        constants(2, &[early, late]).interface(0, instance)
    };
    let run = |bindings: &Bindings, a| {
        pixel("refused_interface_return.ps.dxbc", bindings, &mut Views::default(), a)
    };
    assert_eq!(run(&bindings(0, 1), [1.0, 2.0, 3.0, 4.0]), [0.75, 1.75, 2.75, 3.75]);
    // if (v.x > c.x) return v;
    assert_eq!(run(&bindings(1, 0), [2.0, 5.0, 6.0, 7.0]), [2.0, 5.0, 6.0, 7.0]);
    // Four times: v = v * c; if (v.y > 3) return c;
    assert_eq!(run(&bindings(1, 0), [1.0, 2.0, 3.0, 4.0]), early);
    // Then v + c.
    let fourth = |x: f32, c: f32| x * c * c * c * c + c;
    let a = [1.0, 0.125, 0.5, 0.25];
    let expected: [f32; 4] = std::array::from_fn(|n| fourth(a[n], early[n]));
    assert_eq!(run(&bindings(1, 0), a), expected);
}
