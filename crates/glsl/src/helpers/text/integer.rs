//! Templates of the integer helpers: GLSL ES 3.00 has none of these as built-ins.

pub(in crate::helpers) const UDIV: &str = "\
$U dx_udiv($U a, $U b) {
    return $u[b@ == 0u ? 0xffffffffu : a@ / b@$];
}
";

pub(in crate::helpers) const UMOD: &str = "\
$U dx_umod($U a, $U b) {
    return $u[b@ == 0u ? 0xffffffffu : a@ % b@$];
}
";

// Schoolbook product of 16-bit halves; no partial sum overflows.
pub(in crate::helpers) const UMUL_HI: &str = "\
$U dx_umul_hi($U a, $U b) {
    $U al = a & 0xffffu;
    $U ah = a >> 16u;
    $U bl = b & 0xffffu;
    $U bh = b >> 16u;
    $U m = ah * bl + ((al * bl) >> 16u);
    $U n = al * bh + (m & 0xffffu);
    return ah * bh + (m >> 16u) + (n >> 16u);
}
";

// A negative factor was read as 2^32 too much: takes the other factor off the high half again.
pub(in crate::helpers) const IMUL_HI: &str = "\
$I dx_imul_hi($I a, $I b) {
    return $I(dx_umul_hi($U(a), $U(b))) - ((a >> 31) & b) - ((b >> 31) & a);
}
";

pub(in crate::helpers) const UADD_CARRY: &str = "\
$U dx_uadd_carry($U a, $U b) {
    $U s = a + b;
    return $u[s@ < a@ ? 1u : 0u$];
}
";

pub(in crate::helpers) const USUB_BORROW: &str = "\
$U dx_usub_borrow($U a, $U b) {
    return $u[a@ < b@ ? 1u : 0u$];
}
";

pub(in crate::helpers) const UBFE: &str = "\
$U dx_ubfe($U width, $U offset, $U v) {
    return (v >> (offset & 31u)) & (($U(1u) << (width & 31u)) - 1u);
}
";

pub(in crate::helpers) const IBFE: &str = "\
$I dx_ibfe($I width, $I offset, $I v) {
    $I n = (32 - width) & 31;
    return (((v >> (offset & 31)) << n) >> n) & -min(width & 31, 1);
}
";

pub(in crate::helpers) const BFI: &str = "\
$U dx_bfi($U width, $U offset, $U insert, $U base) {
    $U n = offset & 31u;
    $U mask = (($U(1u) << (width & 31u)) - 1u) << n;
    return ((insert << n) & mask) | (base & ~mask);
}
";

pub(in crate::helpers) const BFREV: &str = "\
$U dx_bfrev($U v) {
    v = ((v >> 1u) & 0x55555555u) | ((v & 0x55555555u) << 1u);
    v = ((v >> 2u) & 0x33333333u) | ((v & 0x33333333u) << 2u);
    v = ((v >> 4u) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4u);
    v = ((v >> 8u) & 0x00ff00ffu) | ((v & 0x00ff00ffu) << 8u);
    return (v >> 16u) | (v << 16u);
}
";

pub(in crate::helpers) const COUNTBITS: &str = "\
$U dx_countbits($U v) {
    v -= (v >> 1u) & 0x55555555u;
    v = (v & 0x33333333u) + ((v >> 2u) & 0x33333333u);
    v = (v + (v >> 4u)) & 0x0f0f0f0fu;
    return (v * 0x01010101u) >> 24u;
}
";

// 32 counted bits mean that there was none to find; the last step turns them into all ones.
pub(in crate::helpers) const FIRSTBIT_HI: &str = "\
$U dx_firstbit_hi($U v) {
    v |= v >> 1u;
    v |= v >> 2u;
    v |= v >> 4u;
    v |= v >> 8u;
    v |= v >> 16u;
    $U n = dx_countbits(~v);
    return n | -(n >> 5u);
}
";

pub(in crate::helpers) const FIRSTBIT_LO: &str = "\
$U dx_firstbit_lo($U v) {
    $U n = dx_countbits(~v & (v - 1u));
    return n | -(n >> 5u);
}
";

pub(in crate::helpers) const FIRSTBIT_SHI: &str = "\
$U dx_firstbit_shi($I v) {
    return dx_firstbit_hi($U(v ^ (v >> 31)));
}
";

// A reference byte of zero counts nothing, and the sum stops at the largest number.
pub(in crate::helpers) const MSAD: &str = "\
$U dx_msad($U reference, $U v, $U sum) {
    for (uint i = 0u; i < 32u; i += 8u) {
        $U a = (reference >> i) & 255u;
        $U b = (v >> i) & 255u;
        sum += min(min(a, 1u) * (max(a, b) - min(a, b)), ~sum);
    }
    return sum;
}
";
