//! Templates of the float helpers: NaN rules, saturation and conversions.

// `a < b` is false when `b` is NaN, and then `a` must win all the same. The test reads bits, because compilers
// may assume that a float is never NaN.
pub(in crate::helpers) const MIN: &str = "\
$F dx_min($F a, $F b) {
    $U n = floatBitsToUint(b) & 0x7fffffffu;
    return $f[a@ < b@ || n@ > 0x7f800000u ? a@ : b@$];
}
";

pub(in crate::helpers) const MAX: &str = "\
$F dx_max($F a, $F b) {
    $U n = floatBitsToUint(b) & 0x7fffffffu;
    return $f[a@ >= b@ || n@ > 0x7f800000u ? a@ : b@$];
}
";

// Without a NaN in `b`, the comparison does it all.
pub(in crate::helpers) const MIN_NUM: &str = "\
$F dx_min_num($F a, $F b) {
    return $f[a@ < b@ ? a@ : b@$];
}
";

pub(in crate::helpers) const MAX_NUM: &str = "\
$F dx_max_num($F a, $F b) {
    return $f[a@ >= b@ ? a@ : b@$];
}
";

// The first comparison is false for NaN.
pub(in crate::helpers) const SATURATE: &str = "\
$F dx_saturate($F v) {
    $U n = floatBitsToUint(v) & 0x7fffffffu;
    $F c = min(max(v, 0.0), 1.0);
    return $f[n@ > 0x7f800000u ? 0.0 : c@$];
}
";

// Compilers fold 0 times anything to 0. Infinity and NaN have all bits of the exponent.
pub(in crate::helpers) const MUL_ZERO: &str = "\
$F dx_mul_zero($F a, $F b) {
    $U n = floatBitsToUint(a) & 0x7fffffffu;
    $F p = a * b;
    return $f[b@ == 0.0 && n@ >= 0x7f800000u ? uintBitsToFloat(0x7fc00000u) : p@$];
}
";

// The same for 0 divided by 0 (subnormals count as 0) or NaN.
pub(in crate::helpers) const DIV_ZERO: &str = "\
$F dx_div_zero($F a, $F b) {
    $U n = floatBitsToUint(b) & 0x7fffffffu;
    $F q = a / b;
    return $f[a@ == 0.0 && (n@ < 0x00800000u || n@ > 0x7f800000u) ? uintBitsToFloat(0x7fc00000u) : q@$];
}
";

// Compilers make products of quotients with literals, which goes wrong for 0 and infinity.
pub(in crate::helpers) const DIV_EDGE: &str = "\
$F dx_div_edge($F a, $F b) {
    $U n = floatBitsToUint(a) & 0x7fffffffu, d = floatBitsToUint(b) & 0x7fffffffu;
    $U i = (floatBitsToUint(a) ^ floatBitsToUint(b)) & 0x80000000u | 0x7f800000u;
    $F q = a / b;
    $F z = $f[n@ < 0x00800000u || n@ > 0x7f800000u ? uintBitsToFloat(0x7fc00000u) : uintBitsToFloat(i@)$];
    $F l = $f[d@ == 0x7f800000u && n@ >= 0x7f800000u ? uintBitsToFloat(0x7fc00000u) : q@$];
    return $f[d@ < 0x00800000u ? z@ : l@$];
}
";

// Mesa makes 0 of a sum of x and -x, infinity and NaN too.
pub(in crate::helpers) const ADD_OPPOSITE: &str = "\
$F dx_add_opposite($F a, $F b) {
    $U n = floatBitsToUint(a) & 0x7fffffffu, m = floatBitsToUint(a) ^ floatBitsToUint(b);
    $F s = a + b;
    return $f[n@ > 0x7f800000u || n@ == 0x7f800000u && m@ == 0x80000000u ? uintBitsToFloat(0x7fc00000u) : s@$];
}
";

// ANGLE makes +0 of every lane of a vector that it knows to be all zeros, but does not look into functions.
pub(in crate::helpers) const ZEROS: &str = "\
$F dx_zeros($U v) {
    return uintBitsToFloat(v);
}
";

// The subtraction rounds to 1 just below a whole number; the result stays under it.
pub(in crate::helpers) const FRC: &str = "\
$F dx_frc($F v) {
    $F f = v - floor(v);
    return $f[f@ >= 1.0 ? 0.99999994 : f@$];
}
";

pub(in crate::helpers) const EXP2: &str = "\
$F dx_exp2($F v) {
    $U n = floatBitsToUint(v) & 0x7fffffffu;
    $F e = exp2(v);
    return $f[n@ > 0x7f800000u ? v@ : e@$];
}
";

// Of zero and the subnormals, which count as zero, and of what is below zero.
pub(in crate::helpers) const LOG2: &str = "\
float dx_log2(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    if (n < 0x00800000u) return uintBitsToFloat(0xff800000u);
    return n > 0x7f800000u || v < 0.0 ? uintBitsToFloat(0x7fc00000u) : log2(v);
}
";

pub(in crate::helpers) const LOG2_LANES: &str = "\
$F dx_log2($F v) {
    return $f[dx_log2(v@)$];
}
";

pub(in crate::helpers) const FTOI: &str = "\
int dx_ftoi(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0;
    if (v >= 2147483648.0) return 0x7fffffff;
    return v > -2147483648.0 ? int(v) : int(0x80000000u);
}
";

pub(in crate::helpers) const FTOI_LANES: &str = "\
$I dx_ftoi($F v) {
    return $i[dx_ftoi(v@)$];
}
";

pub(in crate::helpers) const FTOU: &str = "\
uint dx_ftou(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0u;
    if (v >= 4294967296.0) return 0xffffffffu;
    return v > 0.0 ? uint(v) : 0u;
}
";

pub(in crate::helpers) const FTOU_LANES: &str = "\
$U dx_ftou($F v) {
    return $u[dx_ftou(v@)$];
}
";

// A subnormal half is a whole number of 2^-24; the rest only moves its exponent.
pub(in crate::helpers) const F16_TO_F32: &str = "\
float dx_f16tof32(uint v) {
    uint m = v & 0x7fffu;
    uint f = m < 0x400u
        ? floatBitsToUint(float(m) * 5.9604644775390625e-8)
        : (m << 13u) + (m < 0x7c00u ? 0x38000000u : 0x70000000u);
    return uintBitsToFloat(f | ((v & 0x8000u) << 16u));
}
";

pub(in crate::helpers) const F16_TO_F32_LANES: &str = "\
$F dx_f16tof32($U v) {
    return $f[dx_f16tof32(v@)$];
}
";

pub(in crate::helpers) const F16_TO_F32_FAST: &str = "\
$F dx_f16tof32_fast($U v) {
    return $f[unpackHalf2x16(v@).x$];
}
";

// Rounds toward zero, so that what is too large ends at the largest finite half, and only infinity is infinite.
pub(in crate::helpers) const F32_TO_F16: &str = "\
uint dx_f32tof16(float v) {
    uint b = floatBitsToUint(v);
    uint m = b & 0x7fffffffu;
    uint h = m < 0x38800000u ? uint(uintBitsToFloat(m) * 16777216.0)
        : m < 0x47800000u ? (m - 0x38000000u) >> 13u
        : m < 0x7f800000u ? 0x7bffu
        : m == 0x7f800000u ? 0x7c00u : 0x7e00u;
    return h | ((b >> 16u) & 0x8000u);
}
";

pub(in crate::helpers) const F32_TO_F16_LANES: &str = "\
$U dx_f32tof16($F v) {
    return $u[dx_f32tof16(v@)$];
}
";

// SwiftShader lets the bits of what is too large run over into the other half.
pub(in crate::helpers) const F32_TO_F16_FAST: &str = "\
$U dx_f32tof16_fast($F v) {
    return $u[packHalf2x16(vec2(v@, 0.0))$] & 0xffffu;
}
";
