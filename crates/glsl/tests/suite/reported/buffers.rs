//! A082 to A096: constant buffers, arrays, structured buffers, limits.

use shaderport_asm::{Opcode::*, Shader, Type, cb, l, l4, o, r, t, x};
use shaderport_gl_harness::{Format, Job, Texture};
use shaderport_glsl::options::*;

use crate::run::{bits, bytes, draw, drivers, expect, glsl, glsl_with, pixel};
use crate::support::{findings, fixture, fixtures, translate};

#[test]
fn a082_a083_rows_past_the_declared_end_read_zero() {
    let mut s = pixel(3, 1);
    s.op(Mov, &[r(0, "x"), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), cb(0, (r(0, "x"), 1), "xyzw")])
        .op(Ret, &[]);
    let rows = |index: i32| [[index as u32, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
    expect(&s, &rows(0), [4, 5, 6, 7]);
    expect(&s, &rows(1), [8, 9, 10, 11]);
    expect(&s, &rows(2), [0; 4]);
    expect(&s, &rows(-1), [u32::MAX, 1, 2, 3]);
    expect(&s, &rows(-2), [0; 4]);
    expect(&s, &rows(i32::MAX), [0; 4]);
    let driver = glsl_with(&s, &Options { cb_oob: CbOutOfBounds::Driver, ..Options::default() });
    assert!(glsl(&s).contains("cb0_at(") && !driver.source.contains("cb0_at("), "{}", driver.source);
    // A constant row past the end.
    let mut s = pixel(1, 0);
    s.op(Mov, &[o(0, "xyzw"), cb(0, 1u32, "xyzw")]).op(Ret, &[]);
    expect(&s, &[[1; 4]], [0; 4]);
    // An index that is proved in range needs no guard.
    let mut s = pixel(4, 1);
    s.op(And, &[r(0, "x"), cb(0, 0u32, "x"), l(3)])
        .op(Mov, &[o(0, "xyzw"), cb(0, r(0, "x"), "xyzw")])
        .op(Ret, &[]);
    assert!(!glsl(&s).contains("cb0_at("), "{}", glsl(&s));
    expect(&s, &[[7, 0, 0, 0], [0; 4], [0; 4], [1, 2, 3, 4]], [1, 2, 3, 4]);
}

#[test]
fn a084_arrays_out_of_bounds_read_zero_and_ignore_writes() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Uint).temps(1).indexable_temp(0, 2, 4);
    s.op(Mov, &[x(0, 0u32, "xyzw"), l4([1, 2, 3, 4])])
        .op(Mov, &[x(0, 1u32, "xyzw"), l4([5, 6, 7, 8])])
        .op(Mov, &[r(0, "xy"), cb(0, 0u32, "xyxx")])
        .op(Mov, &[x(0, (r(0, "x"), 1), "xz"), l(100)])
        .op(Mov, &[r(0, "z"), x(0, r(0, "y"), "x")])
        .op(Mov, &[o(0, "xyzw"), x(0, 1u32, "xyzw")])
        .op(Iadd, &[o(0, "y"), r(0, "z"), l(1)])
        .op(Ret, &[]);
    let run = |write: i32, read: i32, want| expect(&s, &[[write as u32, read as u32, 0, 0]], want);
    run(0, 0, [100, 2, 100, 8]);
    run(1, 1, [5, 6, 7, 8]);
    run(-3, 2, [5, 1, 7, 8]);
    run(i32::MAX, i32::MIN, [5, 1, 7, 8]);
    run(-1, 0, [5, 101, 7, 8]);
}

#[test]
fn arrays_of_constant_buffers_by_computed_and_constant_indices() {
    use shaderport_asm::{Ins, OperandKind::ConstantBuffer, register};
    let mut s = Shader::pixel();
    let range =
        |id: u32, from: u32, to: u32| register(ConstantBuffer, "").at(id).at(from).at(to).read("xyzw");
    s.model(5, 1)
        .push(Ins::new(DclConstantBuffer, &[range(0, 0, 0)]).words(&[1, 0]))
        .push(Ins::new(DclConstantBuffer, &[range(1, 6, 7)]).words(&[2, 0]))
        .target(0, "xyzw", Type::Uint)
        .temps(1)
        .op(Mov, &[r(0, "xy"), register(ConstantBuffer, "xyxx").at(0).at(0).at(0)])
        .op(Mov, &[r(0, "zw"), register(ConstantBuffer, "xxxy").at(1).at((r(0, "x"), 6)).at(r(0, "y"))])
        .op(Mov, &[o(0, "xy"), r(0, "zwzz")])
        .op(Mov, &[o(0, "zw"), register(ConstantBuffer, "xxxy").at(1).at(7).at(1)])
        .op(Ret, &[]);
    for (buffer, row, want) in
        [(0, 0, [1, 2]), (0, 1, [3, 4]), (1, 0, [5, 6]), (1, 1, [7, 8]), (2, 0, [0, 0]), (1, 2, [0, 0])]
    {
        let add = |job: Job| {
            job.block("ConstantBuffer0", bytes(&[[buffer, row, 0, 0]]))
                .block("ConstantBuffer6", bytes(&[[1, 2, 0, 0], [3, 4, 0, 0]]))
                .block("ConstantBuffer7", bytes(&[[5, 6, 0, 0], [7, 8, 0, 0]]))
        };
        draw(&s, [1, 1], add, |what, pixels| assert_eq!(pixels[0], [want[0], want[1], 7, 8], "{what}"));
    }
}

#[test]
fn a085_an_array_of_structures_is_rows() {
    for name in ["a085_struct_array.vs", "a085_struct_array.o3.vs"] {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        assert!(t.source.contains("{ vec4 data["), "{}", t.source);
        assert!(t.manifest.uniform_blocks.iter().all(|b| !b.constants.is_empty()));
    }
}

#[test]
fn a086_buffers_past_the_guaranteed_size() {
    let file = fixture("a086_cb_4096.ps").bytes;
    let t = translate(&file, &Options::default()).unwrap();
    assert!(t.diagnostics.iter().any(|d| d.code.name() == "limit-not-guaranteed"));
    let used = t.manifest.limits.iter().find(|l| l.name == "max_uniform_block_size").unwrap();
    assert_eq!((used.used, used.guaranteed), (65536, 16384));
    let strict = Options { limits: Some(Limits::GUARANTEED), ..Options::default() };
    let text = findings(&translate(&file, &strict).unwrap_err());
    assert!(text.contains("error[limit-exceeded]"), "{text}");
    let limits = Limits { max_uniform_block_size: 65536, ..Limits::GUARANTEED };
    assert!(translate(&file, &Options { limits: Some(limits), ..Options::default() }).is_ok());
}

#[test]
fn a087_blocks_have_exact_byte_sizes() {
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        for block in &t.manifest.uniform_blocks {
            assert_eq!(block.byte_size, block.rows * 16, "{}: {block:?}", f.name);
            let declared = format!("uniform {} {{ vec4 data[{}]; }}", block.block, block.rows);
            assert!(t.source.contains(&declared), "{}: {declared}", f.name);
        }
    }
}

#[test]
fn a088_a092_array_lengths_are_literals_and_blocks_are_not_copied() {
    for f in fixtures() {
        let Ok(t) = translate(&f.bytes, &Options::default()) else { continue };
        for line in t.source.lines().filter(|l| l.contains(" data[") && l.contains("uniform")) {
            let length = line.split_once("data[").unwrap().1.split_once(']').unwrap().0;
            assert!(length.parse::<u32>().is_ok(), "{}: {line}", f.name);
        }
        assert!(!t.source.contains(".data;"), "{}: a block is copied", f.name);
    }
}

#[test]
fn a089_one_text_for_a_block_in_both_stages() {
    for stage in ["vs", "ps"] {
        let t = translate(&fixture(&format!("pair_same_layout.{stage}")).bytes, &Options::default()).unwrap();
        let block = t.manifest.uniform_blocks.first().unwrap();
        let declared = format!(
            "layout(std140) uniform {} {{ vec4 data[{}]; }} {};",
            block.block, block.rows, block.instance
        );
        assert!(t.source.contains(&declared) && t.source.contains("precision highp float;"), "{}", t.source);
    }
}

#[test]
fn a090_blocks_are_counted() {
    let t = translate(&fixture("a090_fourteen_blocks.ps").bytes, &Options::default()).unwrap();
    let used = t.manifest.limits.iter().find(|l| l.name == "max_fragment_uniform_blocks").unwrap();
    assert_eq!((used.used, used.guaranteed), (14, 12));
    assert!(t.diagnostics.iter().any(|d| d.code.name() == "limit-not-guaranteed"));
}

#[test]
fn a091_blocks_are_no_larger_than_declared() {
    let mut s = pixel(5, 0);
    s.op(Mov, &[o(0, "xyzw"), cb(0, 0u32, "xyzw")]).op(Ret, &[]);
    assert!(glsl(&s).contains("data[5];"), "{}", glsl(&s));
}

#[test]
fn a093_computed_rows_are_found_by_their_operands() {
    let dynamic =
        |s: &Shader| glsl_with(s, &Options::default()).manifest.uniform_blocks[0].dynamically_indexed;
    // The declaration's flag says otherwise in both.
    let mut s = pixel(2, 0);
    s.op(Mov, &[o(0, "xyzw"), cb(0, 1u32, "xyzw")]).op(Ret, &[]);
    assert!(!dynamic(&s));
    let mut s = Shader::pixel();
    s.constant_buffer(0, 2, false).target(0, "xyzw", Type::Uint).temps(1);
    s.op(Mov, &[r(0, "x"), cb(0, 0u32, "x")]).op(Mov, &[o(0, "xyzw"), cb(0, r(0, "x"), "xyzw")]).op(Ret, &[]);
    assert!(dynamic(&s));
}

/// Words 0, 1, 2, ... of a buffer, in rows of four.
fn counting(rows: u32) -> Vec<[u32; 4]> {
    (0..rows).map(|n| [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3]).collect()
}

/// A data texture as wide as the option says, whose first texels hold these rows.
fn data_texture(rows: &[[u32; 4]], width: u32) -> Texture {
    let mut texels = rows.to_vec();
    texels.resize(width as usize, [0; 4]);
    Texture::new_2d(Format::Rgba32Ui, width, 1, bytes(&texels))
}

#[test]
fn a094_structured_buffers_in_both_forms() {
    let mut s = pixel(1, 2);
    s.structured(1, 48)
        .op(Mov, &[r(0, "xy"), cb(0, 0u32, "xyxx")])
        .op(LdStructured, &[r(1, "xyzw"), r(0, "x"), l(16), t(1, "xyzw")])
        .op(LdStructured, &[r(0, "zw"), r(0, "x"), r(0, "y"), t(1, "zzwx")])
        .op(Iadd, &[o(0, "xyzw"), r(1, "xyzw"), r(0, "zzzw")])
        .op(Ret, &[]);
    // Element 2 begins at word 24; row 1 of it at word 28; byte 20 is word 29, of which lanes w and x are read.
    let want = |e: u32, y: u32| {
        let (row, at) = (12 * e + 4, 12 * e + y / 4);
        [row + at + 3, row + 1 + at + 3, row + 2 + at + 3, row + 3 + at]
    };
    let texture = data_texture(&counting(9), 2048);
    for (e, y) in [(2, 20), (0, 0), (1, 8)] {
        let add =
            |job: Job| job.block("ConstantBuffer0", bytes(&[[e, y, 0, 0]])).texture("sb1", texture.clone());
        draw(&s, [1, 1], add, |what, pixels| assert_eq!(pixels[0], want(e, y), "{what}"));
    }
    let block = Options {
        pixel_buffers: BufferForm::Block,
        buffer_capacities: vec![BufferCapacity { register: 1, elements: 3 }],
        ..Options::default()
    };
    let translation = glsl_with(&s, &block);
    let buffer = &translation.manifest.buffers[0];
    assert_eq!((buffer.byte_size, buffer.rows_per_element, buffer.capacity), (Some(144), Some(3), Some(3)));
    for (backend, gl) in drivers() {
        for (e, y, want) in [(2, 20, want(2, 20)), (1, 0, want(1, 0)), (3, 0, [0; 4]), (u32::MAX, 4, [0; 4])]
        {
            let job =
                Job::fullscreen(translation.source.clone(), shaderport_gl_harness::Target::Rgba32ui, [1, 1])
                    .block("ConstantBuffer0", bytes(&[[e, y, 0, 0]]))
                    .block("sb1_block", bytes(&counting(9)));
            let output = gl.draw(&job).unwrap_or_else(|error| panic!("{backend}: {error}"));
            assert_eq!(output.pixels[0][0], want, "{backend}, element {e}, byte {y}\n{}", translation.source);
        }
    }
}

#[test]
fn a094_raw_and_typed_buffers_and_their_lengths() {
    use shaderport_asm::{ResourceDimension as D, ReturnType as R};
    let mut s = pixel(1, 2);
    s.raw_buffer(2)
        .texture(3, D::Buffer, R::Float)
        .op(Mov, &[r(0, "xy"), cb(0, 0u32, "xyxx")])
        .op(LdRaw, &[r(1, "xy"), r(0, "x"), t(2, "xyzw")])
        .op(Ld, &[r(1, "zw"), r(0, "yyyy"), t(3, "xyzw")])
        .op(Mov, &[o(0, "xyzw"), r(1, "xyzw")])
        .op(Ret, &[]);
    let texture = data_texture(&counting(6), 2048);
    let floats = data_texture(&[bits([0.0; 4]), bits([1.0, 2.0, 3.0, 4.0])], 2048);
    let add = |address: u32, element: u32| {
        let (texture, floats) = (texture.clone(), floats.clone());
        move |job: Job| {
            let job = job.block("ConstantBuffer0", bytes(&[[address, element, 0, 0]]));
            job.texture("rb2", texture.clone()).texture("bt3", floats.clone())
        }
    };
    let [three, four] = [3f32, 4.0].map(f32::to_bits);
    draw(&s, [1, 1], add(36, 1), |what, pixels| assert_eq!(pixels[0], [9, 10, three, four], "{what}"));
    // Past the end.
    draw(&s, [1, 1], add(2048 * 16, 2048), |what, pixels| assert_eq!(pixels[0], [0; 4], "{what}"));
    draw(&s, [1, 1], add(u32::MAX - 3, u32::MAX), |what, pixels| assert_eq!(pixels[0], [0; 4], "{what}"));

    let mut s = pixel(0, 1);
    s.raw_buffer(2)
        .structured(4, 8)
        .op(BufInfo, &[r(0, "x"), t(2, "xxxx")])
        .op(BufInfo, &[r(0, "y"), t(4, "xxxx")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyxy")])
        .op(Ret, &[]);
    let capacities = [(2, 7), (4, 5)].map(|(register, elements)| BufferCapacity { register, elements });
    let options = Options { buffer_capacities: capacities.to_vec(), ..Options::default() };
    let text = glsl_with(&s, &options).source;
    // Bytes of a raw buffer, elements of a structured one.
    assert!(text.contains("112u") && text.contains("5u"), "{text}");
    let t = glsl_with(&s, &Options { buffer_length: BufferLength::Uniform, ..Options::default() });
    let names: Vec<&str> = t.manifest.uniforms.iter().map(|u| u.name.as_str()).collect();
    assert_eq!(names, ["rb2_length", "sb4_length"]);
}

#[test]
fn a094_writes_are_refused() {
    let t = translate(&fixture("refused_uav_structured.ps").bytes, &Options::default());
    assert!(findings(&t.unwrap_err()).contains("error[refused-uav]"));
}

#[test]
fn a096_constant_arrays_only_where_they_are_indexed() {
    let t = translate(&fixture("a096_icb_1024.ps").bytes, &Options::default()).unwrap();
    assert_eq!(t.source.matches("const vec4 icb[").count() + t.source.matches("const uvec4 icb[").count(), 1);
    let t = translate(&fixture("flow_loop.ps").bytes, &Options::default()).unwrap();
    assert!(!t.source.contains("const "), "{}", t.source);
}
