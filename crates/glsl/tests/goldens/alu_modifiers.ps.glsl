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
vec2 dx_saturate(vec2 v) {
    uvec2 n = floatBitsToUint(v) & 0x7fffffffu;
    vec2 c = min(max(v, 0.0), 1.0);
    return vec2(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y);
}
vec4 dx_saturate(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 c = min(max(v, 0.0), 1.0);
    return vec4(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y, n.z > 0x7f800000u ? 0.0 : c.z, n.w > 0x7f800000u ? 0.0 : c.w);
}

void main() {
    vec4 r0;
    r0 = -(vs_A0 * abs(vs_B0)) - abs(cb0.data[0]);
    r0 = dx_max(-r0.wxyz, abs(vs_A0.wxyz));
    r0.yw = dx_saturate(vs_B0.wy - r0.yw);
    r0 = dx_min(r0, -vs_B0.zzww);
    SV_Target0 = dx_saturate(r0 * -abs(cb0.data[0].y));
}
