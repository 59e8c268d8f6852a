//! GLSL ES 3.00 functions for what Direct3D computes and GLSL does not say, or says otherwise.
//!
//! Each [`Helper`] is one function, overloaded by vector width. A translated shader gets only those that it uses:
//! collect them in a [`HelperSet`] and write it before the first function. Every helper of pure arithmetic has a
//! Rust twin in [`model`], and the test `helpers_gl` runs both on real drivers.
//!
//! The texts rely on `precision highp float` and `precision highp int`; their sampler parameters name their own
//! precision and take samplers of any.
//!
//! # What needs no helper
//!
//! The same test holds ANGLE on SwiftShader and Mesa to Direct3D's rules for `+`, `*`, `/`, `1.0 / x`, `sqrt`,
//! `inversesqrt`, `floor`, `ceil`, `trunc`, `roundEven`, `sin`, `cos`, comparisons and `float(int)`, with zeros,
//! infinities and NaN. A shift is `a << (b & 31u)`, likewise `>>`, on a signed left operand for `ishr`. An array
//! layer is [`Helper::Layer`], which GLSL clamps. `gather4_po` is `dx_gather4_*` with the offset through
//! [`Helper::Gather4Offset`].

mod expand;
pub mod model;
mod text;

use expand::expand;
use text::{float, integer, texture};

/// How the widths of a helper come about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The same code at each width.
    Wide,
    /// The wider overloads call the scalar one for each lane.
    Lanes,
    /// The width is that of a coordinate; what it calls is scalar.
    Axes,
    /// There is only one overload, kept at width 1.
    Single,
}

/// Texts of the four widths and how they relate.
struct Texts(Shape, [&'static str; 4]);

macro_rules! wide {
    ($template:expr) => {
        Texts(
            Shape::Wide,
            [expand!($template, 1), expand!($template, 2), expand!($template, 3), expand!($template, 4)],
        )
    };
}

macro_rules! lanes {
    ($scalar:expr, $vector:expr) => {
        Texts(Shape::Lanes, [$scalar, expand!($vector, 2), expand!($vector, 3), expand!($vector, 4)])
    };
}

macro_rules! single {
    ($text:expr) => {
        Texts(Shape::Single, [$text, "", "", ""])
    };
}

/// A coordinate has at most three axes.
macro_rules! axes {
    ($template:expr) => {
        Texts(Shape::Axes, [expand!($template, 1), expand!($template, 2), expand!($template, 3), ""])
    };
}

macro_rules! table {
    ($( $(#[$doc:meta])* $variant:ident $name:literal [$($dep:ident)*] $fast:expr, $texts:expr; )*) => {
        /// A function in GLSL ES 3.00. `F`, `I`, `U` in a signature stand for the float, int and uint vector of
        /// the chosen width.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Helper {
            $( $(#[$doc])* $variant, )*
        }

        impl Helper {
            /// Every helper, each after those that it calls.
            pub const ALL: &'static [Helper] = &[$(Helper::$variant),*];
        }

        static ROWS: &[Row] = &[$(
            Row { name: $name, deps: &[$(Helper::$dep),*], fast: $fast, texts: $texts },
        )*];
    };
}

struct Row {
    name: &'static str,
    deps: &'static [Helper],
    fast: Option<&'static str>,
    texts: Texts,
}

/// The four channels of one kind of gather.
macro_rules! gather {
    ($macro:ident, $($arg:literal),+; $channel:literal $(, $around:literal)*) => {
        single!(texture::$macro!($($arg,)+ $channel $(, $around)*))
    };
}

table! {
    /// `F dx_min(F a, F b)`: the operand that is a number wins.
    Min "dx_min" [] Some("min"), wide!(float::MIN);
    /// `F dx_max(F a, F b)`: the operand that is a number wins.
    Max "dx_max" [] Some("max"), wide!(float::MAX);
    /// `F dx_min_num(F a, F b)`: [`Min`](Self::Min) for a `b` that is never NaN.
    MinNum "dx_min_num" [] Some("min"), wide!(float::MIN_NUM);
    /// `F dx_max_num(F a, F b)`: [`Max`](Self::Max) for a `b` that is never NaN.
    MaxNum "dx_max_num" [] Some("max"), wide!(float::MAX_NUM);
    /// `F dx_saturate(F v)`: clamped to 0..1, NaN to 0.
    Saturate "dx_saturate" [] Some("clamp"), wide!(float::SATURATE);
    /// `F dx_mul_zero(F a, F b)`: a product with a `b` that is no NaN and in part 0.
    MulZero "dx_mul_zero" [] None, wide!(float::MUL_ZERO);
    /// `F dx_div_zero(F a, F b)`: a quotient with an `a` that is no NaN and in part 0.
    DivZero "dx_div_zero" [] None, wide!(float::DIV_ZERO);
    /// `F dx_div_edge(F a, F b)`: a quotient with a `b` that is no NaN and in part 0 or infinite.
    DivEdge "dx_div_edge" [] None, wide!(float::DIV_EDGE);
    /// `F dx_add_opposite(F a, F b)`: a sum of terms that are, in part, each other's opposites.
    AddOpposite "dx_add_opposite" [] None, wide!(float::ADD_OPPOSITE);
    /// `F dx_zeros(U v)`: zeros with the signs that the bits have.
    Zeros "dx_zeros" [] None, wide!(float::ZEROS);
    /// `F dx_frc(F v)`: the fraction, always below 1.
    Frc "dx_frc" [] Some("fract"), wide!(float::FRC);
    /// `F dx_exp2(F v)`: NaN stays NaN.
    Exp2 "dx_exp2" [] Some("exp2"), wide!(float::EXP2);
    /// `F dx_log2(F v)`: of zero -infinity, of what is below zero NaN.
    Log2 "dx_log2" [] Some("log2"), lanes!(float::LOG2, float::LOG2_LANES);
    /// `I dx_ftoi(F v)`: toward zero, clamped, NaN to 0.
    Ftoi "dx_ftoi" [] Some("int"), lanes!(float::FTOI, float::FTOI_LANES);
    /// `U dx_ftou(F v)`: toward zero, clamped, NaN to 0.
    Ftou "dx_ftou" [] Some("uint"), lanes!(float::FTOU, float::FTOU_LANES);
    /// `F dx_f16tof32(U v)`: the half in the low 16 bits, subnormals and all.
    F16tof32 "dx_f16tof32" [] None, lanes!(float::F16_TO_F32, float::F16_TO_F32_LANES);
    /// `F dx_f16tof32_fast(U v)`: by the built-in, which may flush subnormal halves.
    F16tof32Fast "dx_f16tof32_fast" [] None, wide!(float::F16_TO_F32_FAST);
    /// `U dx_f32tof16(F v)`: rounded toward zero; the high 16 bits are 0.
    F32tof16 "dx_f32tof16" [] None, lanes!(float::F32_TO_F16, float::F32_TO_F16_LANES);
    /// `U dx_f32tof16_fast(F v)`: by the built-in, rounded as the driver likes.
    F32tof16Fast "dx_f32tof16_fast" [] None, wide!(float::F32_TO_F16_FAST);

    /// `U dx_udiv(U a, U b)`: all ones when `b` is 0.
    Udiv "dx_udiv" [] None, wide!(integer::UDIV);
    /// `U dx_umod(U a, U b)`: all ones when `b` is 0.
    Umod "dx_umod" [] None, wide!(integer::UMOD);
    /// `U dx_umul_hi(U a, U b)`: the high half of the product.
    UmulHi "dx_umul_hi" [] None, wide!(integer::UMUL_HI);
    /// `I dx_imul_hi(I a, I b)`: the high half of the product.
    ImulHi "dx_imul_hi" [UmulHi] None, wide!(integer::IMUL_HI);
    /// `U dx_uadd_carry(U a, U b)`: 1 where `a + b` wraps.
    UaddCarry "dx_uadd_carry" [] None, wide!(integer::UADD_CARRY);
    /// `U dx_usub_borrow(U a, U b)`: 1 where `a - b` wraps.
    UsubBorrow "dx_usub_borrow" [] None, wide!(integer::USUB_BORROW);
    /// `U dx_ubfe(U width, U offset, U v)`.
    Ubfe "dx_ubfe" [] None, wide!(integer::UBFE);
    /// `I dx_ibfe(I width, I offset, I v)`.
    Ibfe "dx_ibfe" [] None, wide!(integer::IBFE);
    /// `U dx_bfi(U width, U offset, U insert, U base)`.
    Bfi "dx_bfi" [] None, wide!(integer::BFI);
    /// `U dx_bfrev(U v)`: the bits in reverse.
    Bfrev "dx_bfrev" [] None, wide!(integer::BFREV);
    /// `U dx_countbits(U v)`: how many bits are set.
    Countbits "dx_countbits" [] None, wide!(integer::COUNTBITS);
    /// `U dx_firstbit_hi(U v)`: the first set bit, counted from the top; all ones without one.
    FirstbitHi "dx_firstbit_hi" [Countbits] None, wide!(integer::FIRSTBIT_HI);
    /// `U dx_firstbit_lo(U v)`: the first set bit, counted from the bottom; all ones without one.
    FirstbitLo "dx_firstbit_lo" [Countbits] None, wide!(integer::FIRSTBIT_LO);
    /// `U dx_firstbit_shi(I v)`: the first bit that differs from the sign, counted from the top.
    FirstbitShi "dx_firstbit_shi" [FirstbitHi] None, wide!(integer::FIRSTBIT_SHI);
    /// `U dx_msad(U reference, U v, U sum)`: masked sum of absolute differences of bytes.
    Msad "dx_msad" [] None, wide!(integer::MSAD);

    /// `float dx_layer(float z)`: an array layer: to the nearest, ties to even; what no integer holds is the last.
    Layer "dx_layer" [] None, single!(texture::LAYER);
    /// `vec4 dx_gather4_at(vec2 size, vec2 uv, ivec2 offset)`: the footprint of a gather.
    Gather4At "dx_gather4_at" [] None, single!(texture::GATHER4_AT);
    /// `ivec2 dx_gather4_offset(ivec2 offset)`: the 6 signed bits that `gather4_po` honours.
    Gather4Offset "dx_gather4_offset" [] None, single!(texture::GATHER4_OFFSET);
    /// `int dx_cube_face(vec3 d)`: the face of a direction, 0 to 5.
    CubeFace "dx_cube_face" [] None, single!(texture::CUBE_FACE);
    /// `vec3 dx_cube_local(vec3 d, int face)`: a vector along a face's u, v and axis.
    CubeLocal "dx_cube_local" [] None, single!(texture::CUBE_LOCAL);
    /// `vec3 dx_cube_direction(vec2 p, int face)`: the direction of a point of a face.
    CubeDirection "dx_cube_direction" [] None, single!(texture::CUBE_DIRECTION);
    /// `vec4 dx_gather4_corner(vec4 g, vec4 p)`: fills the texel that a cube's corner lacks.
    Gather4Corner "dx_gather4_corner" [] None, single!(texture::GATHER4_CORNER);

    /// `vec4 dx_gather4_x(sampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dX "dx_gather4_x" [Gather4At] None, gather!(gather4_2d, "vec4", "sampler2D"; "x");
    /// `vec4 dx_gather4_y(sampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dY "dx_gather4_y" [Gather4At] None, gather!(gather4_2d, "vec4", "sampler2D"; "y");
    /// `vec4 dx_gather4_z(sampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dZ "dx_gather4_z" [Gather4At] None, gather!(gather4_2d, "vec4", "sampler2D"; "z");
    /// `vec4 dx_gather4_w(sampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dW "dx_gather4_w" [Gather4At] None, gather!(gather4_2d, "vec4", "sampler2D"; "w");
    /// `ivec4 dx_gather4_x(isampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dIX "dx_gather4_x" [Gather4At] None, gather!(gather4_2d, "ivec4", "isampler2D"; "x");
    /// `ivec4 dx_gather4_y(isampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dIY "dx_gather4_y" [Gather4At] None, gather!(gather4_2d, "ivec4", "isampler2D"; "y");
    /// `ivec4 dx_gather4_z(isampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dIZ "dx_gather4_z" [Gather4At] None, gather!(gather4_2d, "ivec4", "isampler2D"; "z");
    /// `ivec4 dx_gather4_w(isampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dIW "dx_gather4_w" [Gather4At] None, gather!(gather4_2d, "ivec4", "isampler2D"; "w");
    /// `uvec4 dx_gather4_x(usampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dUX "dx_gather4_x" [Gather4At] None, gather!(gather4_2d, "uvec4", "usampler2D"; "x");
    /// `uvec4 dx_gather4_y(usampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dUY "dx_gather4_y" [Gather4At] None, gather!(gather4_2d, "uvec4", "usampler2D"; "y");
    /// `uvec4 dx_gather4_z(usampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dUZ "dx_gather4_z" [Gather4At] None, gather!(gather4_2d, "uvec4", "usampler2D"; "z");
    /// `uvec4 dx_gather4_w(usampler2D t, vec2 uv, ivec2 offset)`.
    Gather2dUW "dx_gather4_w" [Gather4At] None, gather!(gather4_2d, "uvec4", "usampler2D"; "w");

    /// `vec4 dx_gather4_x(sampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayX "dx_gather4_x" [Gather4At Layer] None, gather!(gather4_array, "vec4", "sampler2DArray"; "x");
    /// `vec4 dx_gather4_y(sampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayY "dx_gather4_y" [Gather4At Layer] None, gather!(gather4_array, "vec4", "sampler2DArray"; "y");
    /// `vec4 dx_gather4_z(sampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayZ "dx_gather4_z" [Gather4At Layer] None, gather!(gather4_array, "vec4", "sampler2DArray"; "z");
    /// `vec4 dx_gather4_w(sampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayW "dx_gather4_w" [Gather4At Layer] None, gather!(gather4_array, "vec4", "sampler2DArray"; "w");
    /// `ivec4 dx_gather4_x(isampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayIX "dx_gather4_x" [Gather4At Layer] None, gather!(gather4_array, "ivec4", "isampler2DArray"; "x");
    /// `ivec4 dx_gather4_y(isampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayIY "dx_gather4_y" [Gather4At Layer] None, gather!(gather4_array, "ivec4", "isampler2DArray"; "y");
    /// `ivec4 dx_gather4_z(isampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayIZ "dx_gather4_z" [Gather4At Layer] None, gather!(gather4_array, "ivec4", "isampler2DArray"; "z");
    /// `ivec4 dx_gather4_w(isampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayIW "dx_gather4_w" [Gather4At Layer] None, gather!(gather4_array, "ivec4", "isampler2DArray"; "w");
    /// `uvec4 dx_gather4_x(usampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayUX "dx_gather4_x" [Gather4At Layer] None, gather!(gather4_array, "uvec4", "usampler2DArray"; "x");
    /// `uvec4 dx_gather4_y(usampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayUY "dx_gather4_y" [Gather4At Layer] None, gather!(gather4_array, "uvec4", "usampler2DArray"; "y");
    /// `uvec4 dx_gather4_z(usampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayUZ "dx_gather4_z" [Gather4At Layer] None, gather!(gather4_array, "uvec4", "usampler2DArray"; "z");
    /// `uvec4 dx_gather4_w(usampler2DArray t, vec3 uv, ivec2 offset)`.
    GatherArrayUW "dx_gather4_w" [Gather4At Layer] None, gather!(gather4_array, "uvec4", "usampler2DArray"; "w");

    /// `vec4 dx_gather4_x(samplerCube t, vec3 d)`.
    GatherCubeX "dx_gather4_x" [Gather4At CubeFace CubeLocal CubeDirection Gather4Corner] None,
        gather!(gather4_cube, "vec4", "samplerCube"; "x", "dx_gather4_corner(", ", p)");
    /// `vec4 dx_gather4_y(samplerCube t, vec3 d)`.
    GatherCubeY "dx_gather4_y" [Gather4At CubeFace CubeLocal CubeDirection Gather4Corner] None,
        gather!(gather4_cube, "vec4", "samplerCube"; "y", "dx_gather4_corner(", ", p)");
    /// `vec4 dx_gather4_z(samplerCube t, vec3 d)`.
    GatherCubeZ "dx_gather4_z" [Gather4At CubeFace CubeLocal CubeDirection Gather4Corner] None,
        gather!(gather4_cube, "vec4", "samplerCube"; "z", "dx_gather4_corner(", ", p)");
    /// `vec4 dx_gather4_w(samplerCube t, vec3 d)`.
    GatherCubeW "dx_gather4_w" [Gather4At CubeFace CubeLocal CubeDirection Gather4Corner] None,
        gather!(gather4_cube, "vec4", "samplerCube"; "w", "dx_gather4_corner(", ", p)");
    /// `ivec4 dx_gather4_x(isamplerCube t, vec3 d)`.
    GatherCubeIX "dx_gather4_x" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "ivec4", "isamplerCube"; "x", "", "");
    /// `ivec4 dx_gather4_y(isamplerCube t, vec3 d)`.
    GatherCubeIY "dx_gather4_y" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "ivec4", "isamplerCube"; "y", "", "");
    /// `ivec4 dx_gather4_z(isamplerCube t, vec3 d)`.
    GatherCubeIZ "dx_gather4_z" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "ivec4", "isamplerCube"; "z", "", "");
    /// `ivec4 dx_gather4_w(isamplerCube t, vec3 d)`.
    GatherCubeIW "dx_gather4_w" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "ivec4", "isamplerCube"; "w", "", "");
    /// `uvec4 dx_gather4_x(usamplerCube t, vec3 d)`.
    GatherCubeUX "dx_gather4_x" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "uvec4", "usamplerCube"; "x", "", "");
    /// `uvec4 dx_gather4_y(usamplerCube t, vec3 d)`.
    GatherCubeUY "dx_gather4_y" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "uvec4", "usamplerCube"; "y", "", "");
    /// `uvec4 dx_gather4_z(usamplerCube t, vec3 d)`.
    GatherCubeUZ "dx_gather4_z" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "uvec4", "usamplerCube"; "z", "", "");
    /// `uvec4 dx_gather4_w(usamplerCube t, vec3 d)`.
    GatherCubeUW "dx_gather4_w" [Gather4At CubeFace CubeLocal CubeDirection] None,
        gather!(gather4_cube, "uvec4", "usamplerCube"; "w", "", "");

    /// `vec4 dx_gather4_c(sampler2DShadow t, vec2 uv, ivec2 offset, float ref)`.
    GatherCmp2d "dx_gather4_c" [Gather4At] None, single!(texture::GATHER4_C_2D);
    /// `vec4 dx_gather4_c(sampler2DArrayShadow t, vec3 uv, ivec2 offset, float ref)`.
    GatherCmpArray "dx_gather4_c" [Gather4At Layer] None, single!(texture::GATHER4_C_2D_ARRAY);
    /// `vec4 dx_gather4_c(samplerCubeShadow t, vec3 d, float ref)`.
    GatherCmpCube "dx_gather4_c" [Gather4At CubeFace CubeLocal CubeDirection Gather4Corner] None,
        single!(texture::GATHER4_C_CUBE);

    /// `vec4 dx_lod(F coord, float last)`: the `lod` opcode; `coord` in texels of level 0, 1 to 3 axes, `last` the
    /// last level. Pixel shaders only.
    Lod "dx_lod" [Log2] None, axes!(texture::LOD);
    /// `vec4 dx_lod_cube(vec3 d, float size, float last)`: the same for a cube of `size` texels an edge.
    LodCube "dx_lod_cube" [Log2 CubeFace CubeLocal] None, single!(texture::LOD_CUBE);
    /// `uvec4 dx_resinfo(ivec3 size, ivec3 mip, uint level, uint levels)`: `size` at level 0 (0 for an axis that the
    /// resource has not), `mip` 1 for the axes that levels halve and 0 for the others, `levels` how many there are.
    Resinfo "dx_resinfo" [] None, single!(texture::RESINFO);
    /// `vec4 dx_resinfo_rcp(ivec3 size, ivec3 mip, uint level, uint levels)`: `resinfo_rcpFloat`.
    ResinfoRcp "dx_resinfo_rcp" [Resinfo] None, single!(texture::RESINFO_RCP);
}

/// What a gather reads from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GatherDim {
    /// A 2D texture.
    D2,
    /// An array of 2D textures.
    D2Array,
    /// A cube.
    Cube,
}

/// What a texture holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GatherKind {
    /// Floats.
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
}

impl Helper {
    /// The gather of a channel (0 to 3) of a texture.
    pub fn gather(dim: GatherDim, kind: GatherKind, channel: u8) -> Helper {
        debug_assert!(channel < 4);
        let group = dim as usize * 3 + kind as usize;
        Helper::ALL[Helper::Gather2dX as usize + group * 4 + usize::from(channel & 3)]
    }

    /// The comparing gather of a depth texture.
    pub fn gather_cmp(dim: GatherDim) -> Helper {
        match dim {
            GatherDim::D2 => Helper::GatherCmp2d,
            GatherDim::D2Array => Helper::GatherCmpArray,
            GatherDim::Cube => Helper::GatherCmpCube,
        }
    }

    /// Its name in GLSL; overloads share it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The other helpers that it calls.
    pub fn deps(self) -> &'static [Helper] {
        self.row().deps
    }

    /// Its text for `width` lanes (1 to 4), ending in a line break. Empty for a width that it has not.
    pub fn text(self, width: u8) -> &'static str {
        self.row().texts.1[usize::from(width - 1)]
    }

    /// The built-in that does nearly the same, for those who prefer speed. `clamp` wants `0.0, 1.0` after the
    /// operand; a conversion is named for one lane (`int` is `ivec3` for three). `None` when there is none.
    pub fn fast(self) -> Option<&'static str> {
        self.row().fast
    }

    /// The looser helper that stands in for it where [`fast`](Self::fast) has no built-in of the same form.
    pub fn fast_helper(self) -> Option<Helper> {
        match self {
            Helper::F16tof32 => Some(Helper::F16tof32Fast),
            Helper::F32tof16 => Some(Helper::F32tof16Fast),
            _ => None,
        }
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// Which helpers a shader uses, at which widths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelperSet {
    /// One word of helpers for each width.
    widths: [u128; 4],
}

const _: () = assert!(Helper::ALL.len() <= 128, "a set holds one bit for each helper");

impl HelperSet {
    /// Adds the overload of `helper` for `width` lanes (1 to 4).
    pub fn add(&mut self, helper: Helper, width: u8) {
        debug_assert!(!helper.text(width).is_empty(), "{helper:?} has no overload of width {width}");
        self.widths[usize::from(width - 1)] |= 1 << helper as u8;
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.widths == [0; 4]
    }

    /// Adds all that its helpers call.
    pub fn close(&mut self) {
        // Callees stand before their callers, so one walk backwards meets each after all who call it.
        let mut below = u128::MAX;
        while let Some(at) = (self.used() & below).checked_ilog2() {
            below = (1 << at) - 1;
            let row = Helper::ALL[at as usize].row();
            for width in (1..=4).rev() {
                if !self.has(Helper::ALL[at as usize], width) {
                    continue;
                }
                if row.texts.0 == Shape::Lanes {
                    self.add(Helper::ALL[at as usize], 1);
                }
                for &dep in row.deps {
                    let wide = row.texts.0 == Shape::Wide && dep.row().texts.0 != Shape::Single;
                    self.add(dep, if wide { width } else { 1 });
                }
            }
        }
    }

    /// Writes the functions and all that they call, callees first.
    pub fn write(&self, out: &mut String) {
        let mut closed = self.clone();
        closed.close();
        for helper in closed.iter() {
            for width in 1..=4 {
                if closed.has(helper, width) {
                    out.push_str(helper.text(width));
                }
            }
        }
    }

    /// The names that [`write`](Self::write) defines, each once.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let mut closed = self.clone();
        closed.close();
        let mut names: Vec<&'static str> = Vec::new();
        for helper in closed.iter() {
            if !names.contains(&helper.name()) {
                names.push(helper.name());
            }
        }
        names.into_iter()
    }

    /// Helpers that are in it at some width.
    fn used(&self) -> u128 {
        self.widths.iter().fold(0, |all, word| all | word)
    }

    /// Its helpers in the order of the table.
    fn iter(&self) -> impl Iterator<Item = Helper> + use<> {
        let mut left = self.used();
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let at = left.trailing_zeros();
                left &= left - 1;
                Helper::ALL[at as usize]
            })
        })
    }

    fn has(&self, helper: Helper, width: u8) -> bool {
        self.widths[usize::from(width - 1)] >> helper as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(list: &[(Helper, u8)]) -> String {
        let mut set = HelperSet::default();
        list.iter().for_each(|&(helper, width)| set.add(helper, width));
        let mut text = String::new();
        set.write(&mut text);
        text
    }

    #[test]
    fn callees_come_first() {
        for &helper in Helper::ALL {
            assert!(helper.deps().iter().all(|&dep| dep < helper), "{helper:?}");
        }
    }

    /// Each text calls exactly the helpers that it names as such.
    #[test]
    fn deps_are_what_the_texts_call() {
        for &helper in Helper::ALL {
            let all: String = (1..=4).map(|width| helper.text(width)).collect();
            for &other in Helper::ALL.iter().filter(|other| other.name() != helper.name()) {
                let called = all.contains(&format!("{}(", other.name()));
                assert_eq!(called, helper.deps().contains(&other), "{helper:?} and {other:?}");
            }
        }
    }

    #[test]
    fn texts_are_well_formed() {
        for &helper in Helper::ALL {
            assert!(helper.name().starts_with("dx_"));
            assert!(!helper.text(1).is_empty(), "{helper:?}");
            for text in (1..=4).map(|width| helper.text(width)).filter(|text| !text.is_empty()) {
                assert!(text.ends_with("}\n") && text.contains(&format!(" {}(", helper.name())), "{text}");
                assert!(!text.contains("__") && !text.contains(['$', '@']), "{text}");
            }
        }
    }

    #[test]
    fn templates_widen() {
        assert_eq!(
            Helper::Udiv.text(2),
            "uvec2 dx_udiv(uvec2 a, uvec2 b) {\n    return uvec2(b.x == 0u ? 0xffffffffu : a.x / b.x, \
             b.y == 0u ? 0xffffffffu : a.y / b.y);\n}\n"
        );
        assert_eq!(
            Helper::Udiv.text(1),
            "uint dx_udiv(uint a, uint b) {\n    return b == 0u ? 0xffffffffu : a / b;\n}\n"
        );
    }

    #[test]
    fn a_set_writes_what_its_helpers_call() {
        assert_eq!(written(&[]), "");
        let expected: String = [Helper::Countbits, Helper::FirstbitHi, Helper::FirstbitShi]
            .map(|helper| helper.text(3))
            .concat();
        assert_eq!(written(&[(Helper::FirstbitShi, 3)]), expected);
        let ftoi = [Helper::Ftoi.text(1), Helper::Ftoi.text(4)].concat();
        assert_eq!(written(&[(Helper::Ftoi, 4)]), ftoi);
        assert_eq!(written(&[(Helper::Lod, 3)]), [Helper::Log2.text(1), Helper::Lod.text(3)].concat());
        assert_eq!(written(&[(Helper::Ftoi, 4), (Helper::Ftoi, 1), (Helper::Ftoi, 4)]), ftoi);
    }

    #[test]
    fn a_set_names_each_function_once() {
        let mut set = HelperSet::default();
        assert!(set.is_empty());
        set.add(Helper::Gather2dX, 1);
        set.add(Helper::GatherArrayUX, 1);
        assert!(!set.is_empty());
        assert_eq!(set.names().collect::<Vec<_>>(), ["dx_layer", "dx_gather4_at", "dx_gather4_x"]);
    }

    #[test]
    fn gathers_are_found_by_what_they_read() {
        assert_eq!(Helper::gather(GatherDim::D2, GatherKind::Float, 0), Helper::Gather2dX);
        assert_eq!(Helper::gather(GatherDim::D2Array, GatherKind::Int, 3), Helper::GatherArrayIW);
        assert_eq!(Helper::gather(GatherDim::Cube, GatherKind::Uint, 2), Helper::GatherCubeUZ);
        assert_eq!(Helper::gather_cmp(GatherDim::Cube), Helper::GatherCmpCube);
    }
}
