//! A069 to A080: control flow and the compilers behind browsers.

use shaderport_asm::{Opcode::*, Shader, Type, cb, l, l4, label, o, r, v};
use shaderport_gl_harness::{Data, Job};
use shaderport_glsl::options::Options;

use crate::run::{draw, drivers, expect, glsl, glsl_with, near, pixel};
use crate::support::{fixture, fixtures, translate, variants};

#[test]
fn a069_a_switch_with_one_body_is_no_switch() {
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "x"), l(1)])
        .op(Switch, &[cb(0, 0u32, "x")])
        .op(Default, &[])
        .op(Mov, &[r(0, "x"), l(7)])
        .op_nz(Breakc, &[cb(0, 0u32, "y")])
        .op(Mov, &[r(0, "x"), l(9)])
        .op(Break, &[])
        .op(EndSwitch, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "xxxx")])
        .op(Ret, &[]);
    expect(&s, &[[5, 0, 0, 0]], [9; 4]);
    expect(&s, &[[5, 1, 0, 0]], [7; 4]);
    assert!(!glsl(&s).contains("switch"), "{}", glsl(&s));
    // Cases that share the default's body.
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "x"), l(1)])
        .op(Switch, &[cb(0, 0u32, "x")])
        .op(Case, &[l(3)])
        .op(Case, &[l(4)])
        .op(Default, &[])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(7)])
        .op(Break, &[])
        .op(EndSwitch, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "xxxx")])
        .op(Ret, &[]);
    expect(&s, &[[3, 0, 0, 0]], [8; 4]);
    expect(&s, &[[99, 0, 0, 0]], [8; 4]);
}

/// A stack machine: a program of words in `cb0`, one switch in a loop.
#[test]
fn a070_a_switch_in_a_loop() {
    let mut s = pixel(8, 2);
    s.op(Mov, &[r(0, "xy"), l(0)])
        .op(Loop, &[])
        .op(Uge, &[r(0, "z"), r(0, "x"), l(8)])
        .op_nz(Breakc, &[r(0, "z")])
        .op(Mov, &[r(1, "xy"), cb(0, r(0, "x"), "xyxx")])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
        .op(Switch, &[r(1, "x")])
        .op(Case, &[l(0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "yyyy")])
        .op(Ret, &[])
        .op(Case, &[l(1)])
        .op(Iadd, &[r(0, "y"), r(0, "y"), r(1, "y")])
        .op(Break, &[])
        .op(Case, &[l(2)])
        .op(Imul, &[shaderport_asm::null(), r(0, "y"), r(0, "y"), r(1, "y")])
        .op(Break, &[])
        .op(Default, &[])
        .op(Mov, &[r(0, "y"), l(1000)])
        .op(Break, &[])
        .op(EndSwitch, &[])
        .op(EndLoop, &[])
        .op(Mov, &[o(0, "xyzw"), l(-1)])
        .op(Ret, &[]);
    let mut program = [[1, 3, 0, 0], [2, 5, 0, 0], [1, 1, 0, 0], [0; 4], [0; 4], [0; 4], [0; 4], [0; 4]];
    expect(&s, &program, [16; 4]);
    program[3] = [9, 0, 0, 0];
    expect(&s, &program, [1000; 4]);
    program[3..].fill([1, 1, 0, 0]);
    expect(&s, &program, [u32::MAX; 4]);
}

#[test]
fn a071_a_continue_in_a_switch_in_a_loop() {
    for conditional in [false, true] {
        // Counts in y what is not continued, in z how often the switch is left.
        let mut s = pixel(1, 2);
        s.op(Mov, &[r(0, "xyzw"), l(0)])
            .op(Loop, &[])
            .op(Uge, &[r(1, "x"), r(0, "x"), l(6)])
            .op_nz(Breakc, &[r(1, "x")])
            .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
            .op(And, &[r(1, "y"), r(0, "x"), l(1)])
            .op(Switch, &[r(0, "x")])
            .op(Case, &[l(2)])
            .op(Iadd, &[r(0, "w"), r(0, "w"), l(100)]);
        if conditional {
            s.op_nz(Continuec, &[cb(0, 0u32, "x")]);
        } else {
            s.op_nz(If, &[cb(0, 0u32, "x")]).op(Continue, &[]).op(EndIf, &[]);
        }
        s.op(Case, &[l(3)])
            .op(Iadd, &[r(0, "w"), r(0, "w"), l(1)])
            .op(Break, &[])
            .op(Default, &[])
            .op(Break, &[])
            .op(EndSwitch, &[])
            .op(Iadd, &[r(0, "z"), r(0, "z"), l(1)])
            .op(EndLoop, &[])
            .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
            .op(Ret, &[]);
        expect(&s, &[[1, 0, 0, 0]], [6, 0, 5, 101]);
        expect(&s, &[[0, 0, 0, 0]], [6, 0, 6, 102]);
    }
}

#[test]
fn a071_a_continue_through_two_switches() {
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "xyzw"), l(0)])
        .op(Loop, &[])
        .op(Uge, &[r(0, "y"), r(0, "x"), l(4)])
        .op_nz(Breakc, &[r(0, "y")])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
        .op(Switch, &[r(0, "x")])
        .op(Case, &[l(1)])
        .op(Case, &[l(2)])
        .op(Switch, &[cb(0, 0u32, "x")])
        .op(Case, &[l(5)])
        .op(Continue, &[])
        .op(Default, &[])
        .op(Break, &[])
        .op(EndSwitch, &[])
        .op(Iadd, &[r(0, "z"), r(0, "z"), l(10)])
        .op(Break, &[])
        .op(Default, &[])
        .op(Iadd, &[r(0, "z"), r(0, "z"), l(1)])
        .op(Break, &[])
        .op(EndSwitch, &[])
        .op(Iadd, &[r(0, "w"), r(0, "w"), l(1)])
        .op(EndLoop, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "xxzw")])
        .op(Ret, &[]);
    expect(&s, &[[5, 0, 0, 0]], [4, 4, 2, 2]);
    expect(&s, &[[6, 0, 0, 0]], [4, 4, 22, 4]);
}

#[test]
fn a072_flow_is_not_wrapped_in_made_up_constructs() {
    for name in
        ["flow_loop.ps", "flow_nested.ps", "flow_if.ps", "flow_early_return.ps", "a076_break_forms.ps"]
    {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        assert!(!t.source.contains("do {") && !t.source.contains("switch"), "{name}: {}", t.source);
    }
}

#[test]
fn a073_labels_have_the_selectors_type_and_fall_through() {
    // The selector is a uint; 0 falls into 1 with code; the last label has no statement.
    let mut s = pixel(1, 1);
    s.op(Ushr, &[r(0, "x"), cb(0, 0u32, "x"), l(1)])
        .op(Mov, &[r(0, "y"), l(0)])
        .op(Switch, &[r(0, "x")])
        .op(Case, &[l(0)])
        .op(Iadd, &[r(0, "y"), r(0, "y"), l(1)])
        .op(Case, &[l(1)])
        .op(Iadd, &[r(0, "y"), r(0, "y"), l(10)])
        .op(Break, &[])
        .op(Default, &[])
        .op(Iadd, &[r(0, "y"), r(0, "y"), l(100)])
        .op(Case, &[l(0x7fff_ffff)])
        .op(Iadd, &[r(0, "y"), r(0, "y"), l(1000)])
        .op(Break, &[])
        .op(Case, &[l(3)])
        .op(EndSwitch, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "yyyy")])
        .op(Ret, &[]);
    for (selector, want) in [(0, 11), (2, 10), (4, 1100), (6, 0), (u32::MAX, 1000)] {
        expect(&s, &[[selector, 0, 0, 0]], [want; 4]);
    }
    let text = glsl(&s);
    assert!(text.contains("case 0u:") || text.contains("case 0:"), "{text}");
}

/// Shapes that ANGLE rewrites because a driver gets them wrong.
#[test]
fn a074_shapes_that_drivers_get_wrong_are_not_written() {
    // `v.xy[i]`, a computed lane of some lanes.
    let computed_lane = |line: &str| {
        line.match_indices('[').any(|(at, _)| {
            let lanes =
                line[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
            let is_swizzle =
                lanes.len() <= 4 && !lanes.is_empty() && lanes.chars().all(|c| "xyzw".contains(c));
            is_swizzle && line[..at - lanes.len()].ends_with('.')
        })
    };
    assert!(
        computed_lane("    r0.xy[r1i.x] = 1.0;") && !computed_lane("    r0.x = x0[1].x + data.y * v[2];")
    );
    let mut lines = 0;
    for f in fixtures() {
        for (name, options) in variants() {
            let Ok(t) = translate(&f.bytes, &options) else { continue };
            let mut in_for = false;
            for line in t.source.lines().map(|l| l.split("//").next().unwrap_or("")) {
                let assignments = line.split(';').map(|s| s.matches(" = ").count()).max().unwrap_or(0);
                let sets_array = in_for && line.contains("] = ");
                assert!(!sets_array, "{}, {name}: a loop that sets an array: {line}", f.name);
                in_for = line.contains("for (");
                assert!(!computed_lane(line), "{}, {name}: {line}", f.name);
                assert!(assignments <= 1, "{}, {name}: an assignment within one: {line}", f.name);
                lines += 1;
            }
        }
    }
    assert!(lines > 100_000, "{lines}");
}

#[test]
fn a075_no_guards_are_added_to_loops() {
    let t = translate(&fixture("a075_loop_without_bound.ps").bytes, &Options::default()).unwrap();
    assert!(t.source.contains("while (true) {"), "{}", t.source);
    assert_eq!(t.source.matches("break;").count(), 1, "{}", t.source);
}

#[test]
fn a076_breaks_keep_their_simplest_form() {
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "x"), l(0)])
        .op(Loop, &[])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
        .op(Ieq, &[r(0, "y"), r(0, "x"), cb(0, 0u32, "x")])
        .op_nz(Breakc, &[r(0, "y")])
        .op(EndLoop, &[])
        .op(Loop, &[])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(-1)])
        .op(Breakc, &[r(0, "x")])
        .op(EndLoop, &[])
        .op(Mov, &[o(0, "xyzw"), r(0, "xxxx")])
        .op(Ret, &[]);
    expect(&s, &[[5, 0, 0, 0]], [0; 4]);
    assert_eq!(glsl(&s).matches(") break;").count(), 2, "{}", glsl(&s));
}

#[test]
fn a077_no_loop_runs_only_once() {
    for name in ["a069_switch_shared_body.ps", "flow_switch.ps", "flow_if.ps"] {
        let t = translate(&fixture(name).bytes, &Options::default()).unwrap();
        assert!(!t.source.contains("for (;;)") && !t.source.contains("while (true)"), "{name}");
    }
}

/// Every second pixel is discarded, and its neighbour still takes a derivative through it.
#[test]
fn a078_a_discarded_pixel_lives_on_for_its_neighbours() {
    let mut s = Shader::pixel();
    s.system_input(0, "xy", shaderport_asm::SystemValue::Position, Type::Float)
        .target(0, "xyzw", Type::Float)
        .temps(1)
        .op(Ftou, &[r(0, "x"), v(0, "x")])
        .op(And, &[r(0, "x"), r(0, "x"), l(1)])
        .op_nz(Discard, &[r(0, "x")])
        .op(Mul, &[r(0, "x"), v(0, "x"), l(3.0)])
        .op(DerivRtx, &[r(0, "y"), r(0, "x")])
        .op(Mov, &[o(0, "xyzw"), r(0, "yyyy")])
        .op(Ret, &[]);
    draw(
        &s,
        [2, 2],
        |job| Job { clear: [5f32.to_bits(); 4], ..job },
        |what, pixels| {
            near(what, pixels[0], [3.0; 4]);
            near(what, pixels[1], [5.0; 4]);
            near(what, pixels[2], [3.0; 4]);
        },
    );
    // Without a later derivative it ends at once.
    let mut s = pixel(1, 0);
    s.op_nz(Discard, &[cb(0, 0u32, "x")]).op(Mov, &[o(0, "xyzw"), l(1)]).op(Ret, &[]);
    assert!(!glsl(&s).contains("discarded"), "{}", glsl(&s));
    expect(&s, &[[0; 4]], [1; 4]);
    expect(&s, &[[1; 4]], [0; 4]);
}

#[test]
fn a078_a_discard_holds_when_the_shader_returns_early() {
    let mut s = pixel(2, 1);
    s.op_nz(Discard, &[cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), l(1)])
        .op_nz(Retc, &[cb(0, 0u32, "y")])
        .op(DerivRty, &[r(0, "x"), cb(0, 1u32, "x")])
        .op(Mov, &[o(0, "xyzw"), l(2)])
        .op(Ret, &[]);
    expect(&s, &[[0, 0, 0, 0], [0; 4]], [2; 4]);
    expect(&s, &[[0, 1, 0, 0], [0; 4]], [1; 4]);
    expect(&s, &[[1, 1, 0, 0], [0; 4]], [0; 4]);
    expect(&s, &[[1, 0, 0, 0], [0; 4]], [0; 4]);
}

#[test]
fn a079_the_epilogue_runs_on_every_return() {
    let mut s = Shader::vertex();
    s.input(0, "xyzw", "POSITION", Type::Float)
        .position(0)
        .output(1, "x", "TEXCOORD0", Type::Float)
        .op(Mov, &[o(0, "xyzw"), v(0, "xyzw")])
        .op(Mov, &[o(1, "x"), l(1.0)])
        .op(Lt, &[shaderport_asm::null(), v(0, "x"), l(0.0)])
        .op_nz(Retc, &[v(0, "w")])
        .op(Mov, &[o(1, "x"), l(2.0)])
        .op(Ret, &[]);
    let t = glsl_with(&s, &Options::default());
    for (backend, gl) in drivers() {
        let points = Data::floats(&[0.25, 0.5, 0.75, 1.0, 0.25, 0.5, 0.75, 0.0]);
        let job = Job::vertex_outputs(t.source.clone(), 2, &["gl_Position", "vs_TEXCOORD0"]).attribute(
            "in_POSITION0",
            4,
            points,
        );
        let output = gl.draw(&job).unwrap_or_else(|e| panic!("{backend}: {e}\n{}", t.source));
        let floats = |name: &str, n: usize| {
            output.captured[name][n].iter().map(|b| f32::from_bits(*b)).collect::<Vec<_>>()
        };
        assert_eq!(floats("gl_Position", 0), [0.25, 0.5, 0.5, 1.0], "{backend}: 2z - w");
        assert_eq!(floats("gl_Position", 1), [0.25, 0.5, 1.5, 0.0], "{backend}");
        assert_eq!(
            (floats("vs_TEXCOORD0", 0), floats("vs_TEXCOORD0", 1)),
            (vec![1.0], vec![2.0]),
            "{backend}"
        );
    }
}

#[test]
fn a080_constant_rows_of_immediate_constants_are_literals() {
    let mut s = Shader::pixel();
    s.immediate_constants(&[[1, 0, 0, 0], [0, 1, 0, 0]])
        .target(0, "xyzw", Type::Uint)
        .op(Mov, &[o(0, "xyzw"), shaderport_asm::icb(1u32, "xyzw")])
        .op(Ret, &[]);
    expect(&s, &[], [0, 1, 0, 0]);
    assert!(!glsl(&s).contains("icb"), "{}", glsl(&s));
}

// Forms that Microsoft's compiler does not emit.

#[test]
fn subroutines_are_called_and_return_early() {
    let mut s = pixel(1, 2);
    s.op(Mov, &[r(0, "xyzw"), l4([1, 2, 3, 4])])
        .op(Call, &[label(0)])
        .op_nz(Callc, &[cb(0, 0u32, "x"), label(1)])
        .op(Callc, &[cb(0, 0u32, "y"), label(0)])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op(Ret, &[])
        .op(Label, &[label(0)])
        .op(Iadd, &[r(0, "xy"), r(0, "xyxx"), l(10)])
        .op_nz(Retc, &[cb(0, 0u32, "z")])
        .op(Iadd, &[r(0, "z"), r(0, "z"), l(100)])
        .op(Call, &[label(1)])
        .op(Ret, &[])
        .op(Label, &[label(1)])
        .op_nz(If, &[cb(0, 0u32, "w")])
        .op(Ret, &[])
        .op(EndIf, &[])
        .op(Iadd, &[r(0, "w"), r(0, "w"), l(1000)])
        .op(Ret, &[]);
    expect(&s, &[[0, 1, 1, 0]], [11, 12, 3, 4]);
    expect(&s, &[[1, 1, 0, 0]], [11, 12, 103, 2004]);
    expect(&s, &[[1, 0, 0, 1]], [21, 22, 203, 4]);
}

#[test]
fn subroutines_discard_and_use_arrays() {
    let mut s = Shader::pixel();
    s.constant_buffer(0, 1, false).target(0, "xyzw", Type::Uint).temps(1).indexable_temp(0, 3, 4);
    s.op(Mov, &[r(0, "x"), cb(0, 0u32, "x")])
        .op(Call, &[label(7)])
        .op(Mov, &[o(0, "xyzw"), shaderport_asm::x(0, r(0, "x"), "xyzw")])
        .op(Ret, &[])
        .op(Label, &[label(7)])
        .op_nz(Discard, &[cb(0, 0u32, "y")])
        .op(Mov, &[shaderport_asm::x(0, r(0, "x"), "yz"), l(9)])
        .op(Ret, &[]);
    expect(&s, &[[2, 0, 0, 0]], [0, 9, 9, 0]);
    expect(&s, &[[3, 0, 0, 0]], [0; 4]);
    expect(&s, &[[2, 1, 0, 0]], [0; 4]);
}

#[test]
fn a_temporary_that_is_never_written_reads_zero() {
    let mut s = pixel(1, 2);
    s.op_nz(If, &[cb(0, 0u32, "x")])
        .op(Mov, &[r(0, "xy"), l(3)])
        .op(EndIf, &[])
        .op(Iadd, &[o(0, "xy"), r(0, "xyxx"), l(1)])
        .op(Mov, &[o(0, "zw"), r(1, "xxxy")])
        .op(Ret, &[]);
    expect(&s, &[[0; 4]], [1, 1, 0, 0]);
    expect(&s, &[[1; 4]], [4, 4, 0, 0]);
}

#[test]
fn loops_end_by_return_and_nest() {
    let mut s = pixel(1, 1);
    s.op(Mov, &[r(0, "xyzw"), l(0)])
        .op(Loop, &[])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)])
        .op(Mov, &[r(0, "y"), l(0)])
        .op(Loop, &[])
        .op(Iadd, &[r(0, "y"), r(0, "y"), l(1)])
        .op(Ige, &[r(0, "z"), r(0, "y"), r(0, "x")])
        .op_nz(Breakc, &[r(0, "z")])
        .op(Ieq, &[r(0, "z"), r(0, "y"), l(2)])
        .op_nz(Continuec, &[r(0, "z")])
        .op(Iadd, &[r(0, "w"), r(0, "w"), l(1)])
        .op(EndLoop, &[])
        .op(Uge, &[r(0, "z"), r(0, "w"), cb(0, 0u32, "x")])
        .op(Mov, &[o(0, "xyzw"), r(0, "xyzw")])
        .op_nz(Retc, &[r(0, "z")])
        .op(EndLoop, &[])
        .op(Ret, &[]);
    // Rounds add 0, 1, 1 and 2 to w.
    expect(&s, &[[4, 0, 0, 0]], [4, 4, u32::MAX, 4]);
}

/// SwiftShader looks at every way through branches in a row inside a loop, and ANGLE makes a branch of a select whose
/// sides are more than variables: this would not end.
#[test]
fn selects_in_loops_compile() {
    let mut s = pixel(64, 3);
    s.op(Mov, &[r(0, "xyzw"), l(0)]).op(Loop, &[]);
    s.op(Uge, &[r(0, "w"), r(0, "x"), cb(0, 0u32, "x")])
        .op_nz(Breakc, &[r(0, "w")])
        .op(Iadd, &[r(0, "x"), r(0, "x"), l(1)]);
    for n in 0..32u32 {
        s.op(Ieq, &[r(1, "xyz"), cb(0, n, "xyzw"), r(0, "xxxx")])
            .op(And, &[r(2, "x"), r(1, "x"), cb(0, n + 32, "y")])
            .op(Iadd, &[r(0, "y"), r(0, "y"), r(2, "x")])
            .op(Movc, &[r(2, "yz"), r(1, "yyzz"), cb(0, n + 31, "xyzw"), cb(0, n + 30, "xyzw")])
            .op(Iadd, &[r(0, "z"), r(0, "z"), r(2, "y")])
            .op(Iadd, &[r(0, "z"), r(0, "z"), r(2, "z")]);
    }
    s.op(EndLoop, &[]).op(Mov, &[o(0, "xyzw"), r(0, "xyzw")]).op(Ret, &[]);
    let rows: Vec<[u32; 4]> = (0..64).map(|n| [if n == 0 { 2 } else { n % 3 }, n % 3, n % 2, 5]).collect();
    let (mut y, mut z) = (0u32, 0u32);
    for x in 1..=2 {
        for n in 0..32 {
            if rows[n][0] == x {
                y += rows[n + 32][1];
            }
            // The lanes y and z of the result, by those of the mask.
            for (lane, of) in [(1, 1), (2, 2)] {
                let row = if rows[n][of] == x { n + 31 } else { (n + 30) % 64 };
                z += rows[row][lane];
            }
        }
    }
    expect(&s, &rows, [2, y, z, u32::MAX]);
}
