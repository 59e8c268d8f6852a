//! The fixtures `made_*` and `refused_made_*`: opcodes that Microsoft's compiler emits rarely or never, so that each
//! stands in two fixtures (`everything_stands_in_two_fixtures` asks for that). `UPDATE_FIXTURES=1` writes them.

use shaderport_asm::{
    Element, Ins, Opcode, OperandKind, ResourceDimension, ReturnType, Shader, SystemValue, Type, cb, l, l4,
    label, null, o, r, register, t, v,
};
use std::path::Path;

/// A shader with two inputs of a type and an output of it: `o1` of a vertex shader, which has a position too.
fn frame(pixel: bool, ty: Type) -> Shader {
    let mut shader = if pixel { Shader::pixel() } else { Shader::vertex() };
    shader.global_flags(1);
    for n in 0..2 {
        shader.input(n, "xyzw", &format!("A{n}"), ty);
    }
    if pixel {
        shader.target(0, "xyzw", ty);
    } else {
        shader.position(0).output(1, "xyzw", "RESULT", ty);
    }
    shader.temps(4);
    shader
}

/// Writes `r0`, and zero for a position.
fn end(mut shader: Shader, pixel: bool) -> Vec<u8> {
    if !pixel {
        shader.op(Opcode::Mov, &[o(0, "xyzw"), l(0u32)]);
    }
    let out = o(if pixel { 0 } else { 1 }, "xyzw");
    shader.op(Opcode::Mov, &[out, r(0, "xyzw")]).op(Opcode::Ret, &[]);
    shader.build()
}

/// Conditional calls, jumps and returns, in a loop of four rounds.
fn flow(pixel: bool) -> Vec<u8> {
    let mut shader = frame(pixel, Type::Uint);
    shader
        .op(Opcode::Nop, &[])
        .op(Opcode::Mov, &[r(0, "xyzw"), v(0, "xyzw")])
        .op(Opcode::Mov, &[r(1, "x"), l(0u32)])
        .op(Opcode::Loop, &[])
        .op(Opcode::Uge, &[r(1, "y"), r(1, "x"), l(4u32)])
        .op_nz(Opcode::Breakc, &[r(1, "y")])
        .op(Opcode::Iadd, &[r(1, "x"), r(1, "x"), l(1u32)])
        .op(Opcode::And, &[r(1, "z"), r(1, "x"), v(1, "x")])
        .op_nz(Opcode::Continuec, &[r(1, "z")])
        .op(Opcode::Iadd, &[r(0, "x"), r(0, "x"), l(7u32)])
        .op(Opcode::And, &[r(1, "z"), r(1, "x"), v(1, "y")])
        .op(Opcode::Callc, &[r(1, "z"), label(0)])
        .op(Opcode::EndLoop, &[]);
    if !pixel {
        shader.op(Opcode::Mov, &[o(0, "xyzw"), l(0u32)]);
    }
    let out = o(if pixel { 0 } else { 1 }, "xyzw");
    shader
        .op(Opcode::Mov, &[out.clone(), r(0, "xyzw")])
        .op_nz(Opcode::Retc, &[v(1, "z")])
        .op(Opcode::Not, &[out, r(0, "wzyx")])
        .op(Opcode::Ret, &[])
        .op(Opcode::Label, &[label(0)])
        .op(Opcode::Iadd, &[r(0, "yz"), r(0, "yyzz"), v(1, "wwww")])
        .op(Opcode::Retc, &[v(1, "w")])
        .op(Opcode::Xor, &[r(0, "w"), r(0, "w"), r(0, "x")])
        .op(Opcode::Ret, &[]);
    shader.build()
}

/// Products with both halves, sums with a carry, and the sum of absolute differences.
fn integers(pixel: bool) -> Vec<u8> {
    let mut shader = frame(pixel, Type::Uint);
    shader
        .op(Opcode::Umul, &[r(0, "xyzw"), r(1, "xyzw"), v(0, "xyzw"), v(1, "wzyx")])
        .op(Opcode::Umul, &[null(), r(2, "xy"), v(0, "zwzw"), l(0x0001_0003u32)])
        .op(Opcode::Umad, &[r(0, "xy"), r(0, "xyxy"), r(1, "xyxy"), r(2, "xyxy")])
        .op(Opcode::Uaddc, &[r(1, "xyzw"), r(2, "xyzw"), r(1, "xyzw"), v(0, "wzyx")])
        .op(Opcode::Iadd, &[r(0, "xyzw"), r(0, "xyzw"), r(2, "xyzw")])
        .op(Opcode::Usubb, &[r(1, "xz"), r(2, "xz"), r(1, "xxzz"), v(1, "xxzz")])
        .op(Opcode::Iadd, &[r(0, "xz"), r(0, "xxzz"), r(2, "xxzz")])
        .op(Opcode::Msad, &[r(0, "yw"), v(0, "xyzw"), v(1, "xyzw"), r(1, "xyzw")]);
    end(shader, pixel)
}

/// Gathers with computed offsets, and derivatives.
fn gathers() -> Vec<u8> {
    let mut shader = frame(true, Type::Float);
    let one = register(OperandKind::Sampler, "x");
    shader
        .constant_buffer(0, 1, false)
        .sampler(0, false)
        .sampler(1, true)
        .texture(0, ResourceDimension::Texture2D, ReturnType::Float)
        .texture(1, ResourceDimension::Texture2D, ReturnType::Float)
        .op(Opcode::Mov, &[r(1, "xy"), cb(0, 0u32, "xyxy")])
        .op(
            Opcode::Gather4Po,
            &[r(0, "xyzw"), v(0, "xyxx"), r(1, "xyxx"), t(0, "xyzw"), one.clone().at(0u32)],
        )
        .op(
            Opcode::Gather4PoC,
            &[r(2, "xyzw"), v(0, "zwzz"), r(1, "yxyy"), t(1, "xyzw"), one.at(1u32), v(1, "x")],
        )
        .op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), r(2, "xyzw")])
        .op(Opcode::DerivRty, &[r(2, "xy"), v(1, "xyxx")])
        .op(Opcode::DerivRtxFine, &[r(2, "zw"), v(1, "xyxy")])
        .op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), r(2, "xyzw")]);
    end(shader, true)
}

/// Interpolation where the program asks for it.
fn evaluations() -> Vec<u8> {
    let mut shader = frame(true, Type::Float);
    shader
        .op(Opcode::EvalSnapped, &[r(0, "xyzw"), v(0, "xyzw"), l(4u32)])
        .op(Opcode::EvalSampleIndex, &[r(1, "xyzw"), v(1, "xyzw"), l(0u32)])
        .op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), r(1, "xyzw")])
        .op(Opcode::EvalCentroid, &[r(1, "xyzw"), v(0, "wzyx")])
        .op(Opcode::Add, &[r(0, "xyzw"), r(0, "xyzw"), r(1, "xyzw")]);
    end(shader, true)
}

/// Masks of comparisons that one instruction reads for several lanes, and whose sources it overwrites.
fn masks() -> Vec<u8> {
    let mut shader = frame(true, Type::Float);
    shader
        .op(Opcode::Mov, &[r(1, "y"), v(1, "x")])
        .op(Opcode::Ge, &[r(1, "x"), v(0, "x"), v(0, "y")])
        .op(Opcode::And, &[r(0, "xyz"), r(1, "xyxx"), l4([1f32, 2.0, 2.0, 0.0])])
        .op(Opcode::Mov, &[r(3, "x"), v(0, "z")])
        .op(Opcode::Lt, &[r(1, "z"), r(3, "x"), v(0, "w")])
        .op(Opcode::Movc, &[r(3, "xy"), r(1, "zzzz"), v(1, "yzyy"), v(1, "zyzz")])
        .op(Opcode::Add, &[r(0, "x"), r(0, "x"), r(3, "x")])
        .op(Opcode::Ushr, &[r(3, "y"), r(3, "y"), l(20u32)])
        .op(Opcode::Utof, &[r(0, "w"), r(3, "y")]);
    end(shader, true)
}

/// `debug_break`, which does nothing here.
fn debug_break(pixel: bool) -> Vec<u8> {
    let mut shader = frame(pixel, Type::Float);
    shader.op(Opcode::Add, &[r(0, "xyzw"), v(0, "xyzw"), v(1, "xyzw")]).op(Opcode::DebugBreak, &[]);
    end(shader, pixel)
}

/// Doubles, two in a register.
fn doubles() -> Vec<u8> {
    let mut shader = frame(true, Type::Uint);
    let d = |opcode, operands: &[shaderport_asm::Operand]| Ins::new(opcode, operands);
    for ins in [
        d(Opcode::Dmov, &[r(0, "xyzw"), v(0, "xyzw")]),
        d(Opcode::Dmax, &[r(1, "xyzw"), r(0, "xyzw"), v(1, "xyzw")]),
        d(Opcode::Dmin, &[r(2, "xyzw"), r(0, "xyzw"), v(1, "xyzw")]),
        d(Opcode::Ddiv, &[r(1, "xyzw"), r(1, "xyzw"), r(2, "xyzw")]),
        d(Opcode::Dfma, &[r(1, "xyzw"), r(1, "xyzw"), r(0, "xyzw"), r(2, "xyzw")]),
        d(Opcode::Drcp, &[r(2, "xyzw"), r(1, "xyzw")]),
        d(Opcode::Deq, &[r(3, "xy"), r(1, "xyzw"), r(2, "xyzw")]),
        d(Opcode::Dge, &[r(3, "zw"), r(1, "xyzw"), r(2, "xyzw")]),
        d(Opcode::DtoF, &[r(0, "xy"), r(1, "xyzw")]),
        d(Opcode::DtoI, &[r(0, "zw"), r(2, "xyzw")]),
        d(Opcode::Xor, &[r(0, "xyzw"), r(0, "xyzw"), r(3, "xyzw")]),
        d(Opcode::ItoD, &[r(1, "xyzw"), v(0, "xyxy")]),
        d(Opcode::UtoD, &[r(2, "xyzw"), v(1, "xyxy")]),
        d(Opcode::DtoU, &[r(3, "xy"), r(1, "xyzw")]),
        d(Opcode::Iadd, &[r(0, "xy"), r(0, "xyxy"), r(3, "xyxy")]),
    ] {
        shader.push(ins);
    }
    end(shader, true)
}

/// Atomics on a raw buffer, with and without the old value.
fn atomics() -> Vec<u8> {
    let mut shader = frame(true, Type::Uint);
    let buffer = || register(OperandKind::UnorderedAccessView, "").at(1u32);
    shader.op(Opcode::DclUavRaw, &[buffer()]);
    use Opcode::*;
    for opcode in [AtomicAnd, AtomicOr, AtomicXor, AtomicIadd, AtomicImax, AtomicImin, AtomicUmax, AtomicUmin]
    {
        shader.op(opcode, &[buffer(), v(0, "x"), v(1, "x")]);
    }
    shader.op(AtomicCmpStore, &[buffer(), v(0, "x"), v(1, "x"), v(1, "y")]);
    // 1 is the barrier of views over all.
    shader.push(Ins::new(Sync, &[]).controls(1 << 14));
    for opcode in [
        ImmAtomicIadd,
        ImmAtomicAnd,
        ImmAtomicOr,
        ImmAtomicXor,
        ImmAtomicExch,
        ImmAtomicImax,
        ImmAtomicImin,
        ImmAtomicUmax,
        ImmAtomicUmin,
    ] {
        shader.op(opcode, &[r(0, "x"), buffer(), v(0, "x"), v(1, "x")]);
    }
    shader.op(ImmAtomicCmpExch, &[r(0, "y"), buffer(), v(0, "x"), v(1, "x"), v(1, "y")]);
    shader.op(Mov, &[r(0, "zw"), l(0u32)]);
    end(shader, true)
}

/// Loads, samples and gathers that tell whether all texels were there.
fn feedback() -> Vec<u8> {
    use Opcode::*;
    let mut shader = frame(true, Type::Float);
    let (plain, comparing) =
        (|| register(OperandKind::Sampler, "").at(0u32), || register(OperandKind::Sampler, "").at(1u32));
    let one = |n: u32| register(OperandKind::Sampler, "x").at(n);
    let texture = || t(0, "xyzw");
    let view = register(OperandKind::UnorderedAccessView, "").at(1u32);
    shader
        .sampler(0, false)
        .sampler(1, true)
        .texture(0, ResourceDimension::Texture2D, ReturnType::Float)
        .texture(1, ResourceDimension::Texture2DMs, ReturnType::Float)
        .raw_buffer(2)
        .structured(3, 16);
    let typed = Ins::new(DclUavTyped, &[view]).controls((ResourceDimension::Texture2D as u32) << 11);
    shader.push(typed.words(&[0x5555])).op(Ftoi, &[r(2, "xyzw"), v(0, "xyzw")]);
    let to = || [r(0, "xyzw"), r(1, "x")];
    let view = || register(OperandKind::UnorderedAccessView, "xyzw").at(1u32);
    for (opcode, sources) in [
        (Gather4Feedback, vec![v(0, "xyxx"), texture(), one(0)]),
        (Gather4CFeedback, vec![v(0, "xyxx"), texture(), one(1), v(1, "x")]),
        (Gather4PoFeedback, vec![v(0, "xyxx"), r(2, "xyxx"), texture(), one(0)]),
        (Gather4PoCFeedback, vec![v(0, "xyxx"), r(2, "xyxx"), texture(), one(1), v(1, "x")]),
        (LdFeedback, vec![r(2, "xyzw"), texture()]),
        (LdMsFeedback, vec![r(2, "xyzw"), t(1, "xyzw"), l(0u32)]),
        (LdUavTypedFeedback, vec![r(2, "xyyy"), view()]),
        (LdRawFeedback, vec![r(2, "x"), t(2, "xyzw")]),
        (LdStructuredFeedback, vec![r(2, "x"), l(0u32), t(3, "xyzw")]),
        (SampleLFeedback, vec![v(0, "xyxx"), texture(), plain(), l(0f32)]),
        (SampleCLzFeedback, vec![v(0, "xyxx"), t(0, "xxxx"), comparing(), v(1, "x")]),
    ] {
        shader.op(opcode, &[&to()[..], &sources].concat());
    }
    shader.op(CheckAccessFullyMapped, &[r(1, "y"), r(1, "x")]);
    shader.op(And, &[r(0, "x"), r(0, "x"), r(1, "y")]);
    end(shader, true)
}

/// Depth that stays on one side of the rasterizer's.
fn depth(greater: bool) -> Vec<u8> {
    let mut shader = frame(true, Type::Float);
    let (kind, value) = if greater {
        (OperandKind::OutputDepthGreaterEqual, SystemValue::DepthGreaterEqual)
    } else {
        (OperandKind::OutputDepthLessEqual, SystemValue::DepthLessEqual)
    };
    let name = if greater { "SV_DepthGreaterEqual" } else { "SV_DepthLessEqual" };
    let out = register(kind, "").one();
    shader
        .output_element(Element::new(name, u32::MAX, "x", Type::Float).system(value))
        .op(Opcode::DclOutput, std::slice::from_ref(&out))
        .op(Opcode::Mov, &[out, v(0, "x")])
        .op(Opcode::Mov, &[r(0, "xyzw"), v(1, "xyzw")]);
    end(shader, true)
}

/// What is covered for sure goes to the stencil buffer.
fn stencil() -> Vec<u8> {
    let mut shader = frame(true, Type::Uint);
    let (covered, out) =
        (register(OperandKind::InnerCoverage, "").one(), register(OperandKind::OutputStencilRef, "").one());
    let element = Element::new("SV_StencilRef", u32::MAX, "x", Type::Uint).system(SystemValue::StencilRef);
    shader
        .output_element(element)
        .op(Opcode::DclInput, std::slice::from_ref(&covered))
        .op(Opcode::DclOutput, std::slice::from_ref(&out))
        .op(Opcode::And, &[r(0, "x"), covered, v(0, "x")])
        .op(Opcode::Mov, &[r(0, "yzw"), v(1, "xyzw")])
        .op(Opcode::Mov, &[out, r(0, "x")]);
    end(shader, true)
}

/// `abort` where a discard would stand.
fn abort() -> Vec<u8> {
    let mut shader = frame(true, Type::Float);
    shader
        .op(Opcode::Lt, &[r(1, "x"), v(0, "x"), l(0f32)])
        .op_nz(Opcode::If, &[r(1, "x")])
        .op(Opcode::Abort, &[])
        .op(Opcode::EndIf, &[])
        .op(Opcode::Mov, &[r(0, "xyzw"), v(1, "xyzw")]);
    end(shader, true)
}

#[test]
fn made_fixtures_are_what_is_made_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dxbc");
    for (name, bytes) in [
        ("made_flow.ps", flow(true)),
        ("made_flow.vs", flow(false)),
        ("made_integers.ps", integers(true)),
        ("made_integers.vs", integers(false)),
        ("made_gathers.ps", gathers()),
        ("made_masks.ps", masks()),
        ("made_evaluations.ps", evaluations()),
        ("made_debug_break.ps", debug_break(true)),
        ("made_debug_break.vs", debug_break(false)),
        ("refused_made_doubles.ps", doubles()),
        ("refused_made_atomics.ps", atomics()),
        ("refused_made_abort.ps", abort()),
        ("refused_made_feedback.ps", feedback()),
        ("refused_made_stencil.ps", stencil()),
        ("made_depth_greater.ps", depth(true)),
        ("made_depth_less.ps", depth(false)),
    ] {
        let path = folder.join(format!("{name}.dxbc"));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}");
    }
}
