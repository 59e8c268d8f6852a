#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[4]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

vec4 dx_min(vec4 a, vec4 b) {
    uvec4 n = floatBitsToUint(b) & 0x7fffffffu;
    return vec4(a.x < b.x || n.x > 0x7f800000u ? a.x : b.x, a.y < b.y || n.y > 0x7f800000u ? a.y : b.y, a.z < b.z || n.z > 0x7f800000u ? a.z : b.z, a.w < b.w || n.w > 0x7f800000u ? a.w : b.w);
}
vec4 dx_max(vec4 a, vec4 b) {
    uvec4 n = floatBitsToUint(b) & 0x7fffffffu;
    return vec4(a.x >= b.x || n.x > 0x7f800000u ? a.x : b.x, a.y >= b.y || n.y > 0x7f800000u ? a.y : b.y, a.z >= b.z || n.z > 0x7f800000u ? a.z : b.z, a.w >= b.w || n.w > 0x7f800000u ? a.w : b.w);
}
float dx_min_num(float a, float b) {
    return a < b ? a : b;
}
float dx_max_num(float a, float b) {
    return a >= b ? a : b;
}
vec4 dx_saturate(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 c = min(max(v, 0.0), 1.0);
    return vec4(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y, n.z > 0x7f800000u ? 0.0 : c.z, n.w > 0x7f800000u ? 0.0 : c.w);
}

void main() {
    vec4 r0;
    vec4 r1;
    vec4 r2;
    vec4 r3;
    r0.x = uintBitsToFloat(floatBitsToUint(cb0.data[3].x) | 0x7fc00000u);
    r1 = dx_min(r0.xxxx, vs_A0);
    r2 = dx_max(r0.xxxx, vs_A0);
    r1 = r1 + r2;
    r2 = dx_min(r2, cb0.data[0]);
    r3.xy = vec2(dx_max_num(r0.x, 2.0));
    r3.zw = vec2(dx_min_num(r0.x, 2.0));
    r0 = dx_saturate(r0.x * vs_A0);
    r1 = r1 + r3;
    r0 = r0 + r1;
    SV_Target0 = r2 + r0;
}
