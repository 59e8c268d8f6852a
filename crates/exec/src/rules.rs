//! What each opcode computes: one rule each, written from the D3D11.3 functional specification. Comments name its
//! sections.

pub(crate) mod atomic;
pub(crate) mod bit;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod double;
pub(crate) mod float;
pub(crate) mod flow;
pub(crate) mod integer;
pub(crate) mod memory;
pub(crate) mod pixel;
pub(crate) mod texture;

use shaderport_dxbc::Opcode;

/// The rule of an opcode, by the shape of its operands. What is not said otherwise works lane by lane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Float1(fn(f32) -> f32),
    Float2(fn(f32, f32) -> f32),
    /// The result is one of the two. Where that is 0, a denormal operand may be what is returned of it.
    Extreme(fn(f32, f32) -> f32),
    Float3(fn(f32, f32, f32) -> f32),
    /// Two destinations.
    FloatPair(fn(f32) -> (f32, f32)),
    FloatTest(fn(f32, f32) -> bool),
    FloatToBits(fn(f32) -> u32),
    /// Of that many lanes, the sum in every lane.
    Dot(usize),
    Bits1(fn(u32) -> u32),
    Bits2(fn(u32, u32) -> u32),
    Bits3(fn(u32, u32, u32) -> u32),
    Bits4(fn(u32, u32, u32, u32) -> u32),
    /// Two destinations.
    BitsPair(fn(u32, u32) -> (u32, u32)),
    BitsToFloat(fn(u32) -> f32),
    /// To the bits of a float, which are kept as those of a move are.
    Widen(fn(u32) -> u32),
    /// Pairs of lanes are doubles.
    Double1(fn(f64) -> f64),
    Double2(fn(f64, f64) -> f64),
    Double3(fn(f64, f64, f64) -> f64),
    /// Results for the first two lanes of the mask.
    DoubleTest(fn(f64, f64) -> bool),
    DoubleToBits(fn(f64) -> u32),
    /// From the first two lanes.
    BitsToDouble(fn(u32) -> f64),
    DoubleMove,
    DoubleSelect,
    /// 22.9.1
    Move,
    /// 22.9.2
    Select,
    /// 22.9.3
    Swap,
    Nothing,
    Flow(flow::Flow),
    Pixel(pixel::Pixel),
    Texture(texture::Texture),
    Memory(memory::Memory),
    Atomic(atomic::Atomic),
}

/// The rule of an opcode; `None` for one that vertex and pixel shaders do not have.
pub(crate) fn rule(opcode: Opcode) -> Option<Rule> {
    let families = [
        float::rule,
        compare::rule,
        integer::rule,
        bit::rule,
        convert::rule,
        double::rule,
        flow::rule,
        pixel::rule,
        texture::rule,
        memory::rule,
        atomic::rule,
    ];
    let moves = match opcode {
        Opcode::Mov => Some(Rule::Move),
        Opcode::Movc => Some(Rule::Select),
        Opcode::Swapc => Some(Rule::Swap),
        // 22.17.7: every access of a view is seen by all that come after it. No debugger is attached.
        Opcode::Nop | Opcode::Sync | Opcode::DebugBreak => Some(Rule::Nothing),
        _ => None,
    };
    moves.or_else(|| families.into_iter().find_map(|family| family(opcode)))
}
