#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

in vec4 vs_A0;
in vec4 vs_B0;
layout(location = 0) out vec4 SV_Target0;

vec4 dx_min(vec4 a, vec4 b) {
    uvec4 n = floatBitsToUint(b) & 0x7fffffffu;
    return vec4(a.x < b.x || n.x > 0x7f800000u ? a.x : b.x, a.y < b.y || n.y > 0x7f800000u ? a.y : b.y, a.z < b.z || n.z > 0x7f800000u ? a.z : b.z, a.w < b.w || n.w > 0x7f800000u ? a.w : b.w);
}
vec4 dx_max(vec4 a, vec4 b) {
    uvec4 n = floatBitsToUint(b) & 0x7fffffffu;
    return vec4(a.x >= b.x || n.x > 0x7f800000u ? a.x : b.x, a.y >= b.y || n.y > 0x7f800000u ? a.y : b.y, a.z >= b.z || n.z > 0x7f800000u ? a.z : b.z, a.w >= b.w || n.w > 0x7f800000u ? a.w : b.w);
}
vec4 dx_saturate(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 c = min(max(v, 0.0), 1.0);
    return vec4(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y, n.z > 0x7f800000u ? 0.0 : c.z, n.w > 0x7f800000u ? 0.0 : c.w);
}
vec4 dx_frc(vec4 v) {
    vec4 f = v - floor(v);
    return vec4(f.x >= 1.0 ? 0.99999994 : f.x, f.y >= 1.0 ? 0.99999994 : f.y, f.z >= 1.0 ? 0.99999994 : f.z, f.w >= 1.0 ? 0.99999994 : f.w);
}
vec4 dx_exp2(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 e = exp2(v);
    return vec4(n.x > 0x7f800000u ? v.x : e.x, n.y > 0x7f800000u ? v.y : e.y, n.z > 0x7f800000u ? v.z : e.z, n.w > 0x7f800000u ? v.w : e.w);
}
float dx_log2(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    if (n < 0x00800000u) return uintBitsToFloat(0xff800000u);
    return n > 0x7f800000u || v < 0.0 ? uintBitsToFloat(0x7fc00000u) : log2(v);
}
vec4 dx_log2(vec4 v) {
    return vec4(dx_log2(v.x), dx_log2(v.y), dx_log2(v.z), dx_log2(v.w));
}

void main() {
    vec4 r0;
    vec4 r1;
    vec4 r2;
    r0 = vs_A0 * vs_B0 + cb0.data[0];
    r1 = vs_A0 / vs_B0;
    r0 = r0 + r1;
    r1.x = dot(vs_A0.xy, vs_B0.xy);
    r1.y = dot(vs_A0.xyz, vs_B0.xyz);
    r1.z = dot(vs_A0, vs_B0);
    r1.w = vs_A0.x - vs_B0.y;
    r0 = r0 + r1;
    r0 = dx_max(r0, vs_A0);
    r1 = dx_min(vs_B0, cb0.data[0]);
    r0 = r0 + r1;
    r1 = sqrt(abs(vs_A0));
    r2 = inversesqrt(vs_B0);
    r1 = r1 + r2;
    r2 = dx_exp2(vs_A0);
    r1 = r1 + r2;
    r2 = dx_log2(vs_B0);
    r1 = r1 + r2;
    r0 = r0 + r1;
    r1 = dx_frc(vs_A0);
    r2 = roundEven(vs_B0);
    r1 = r1 + r2;
    r2 = floor(vs_A0.wzyx);
    r1 = r1 + r2;
    r2 = ceil(vs_B0.yxwz);
    r1 = r1 + r2;
    r2 = trunc(vs_A0.xxyy);
    r1 = r1 + r2;
    r2 = 1.0 / vs_B0;
    r1 = r1 + r2;
    r0 = r0 + r1;
    r1 = dx_saturate(r0 * cb0.data[0]);
    r0 = dx_saturate(r0);
    r2 = dx_saturate(vs_A0 + vs_B0);
    r1 = r1 + r2;
    SV_Target0 = r0 + r1;
}
