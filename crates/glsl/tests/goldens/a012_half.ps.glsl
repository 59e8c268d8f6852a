#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

in vec4 vs_A0;
flat in uvec4 vs_U0;
layout(location = 0) out vec4 SV_Target0;

float dx_f16tof32(uint v) {
    uint m = v & 0x7fffu;
    uint f = m < 0x400u
        ? floatBitsToUint(float(m) * 5.9604644775390625e-8)
        : (m << 13u) + (m < 0x7c00u ? 0x38000000u : 0x70000000u);
    return uintBitsToFloat(f | ((v & 0x8000u) << 16u));
}
vec4 dx_f16tof32(uvec4 v) {
    return vec4(dx_f16tof32(v.x), dx_f16tof32(v.y), dx_f16tof32(v.z), dx_f16tof32(v.w));
}
uint dx_f32tof16(float v) {
    uint b = floatBitsToUint(v);
    uint m = b & 0x7fffffffu;
    uint h = m < 0x38800000u ? uint(uintBitsToFloat(m) * 16777216.0)
        : m < 0x47800000u ? (m - 0x38000000u) >> 13u
        : m < 0x7f800000u ? 0x7bffu
        : m == 0x7f800000u ? 0x7c00u : 0x7e00u;
    return h | ((b >> 16u) & 0x8000u);
}
uvec4 dx_f32tof16(vec4 v) {
    return uvec4(dx_f32tof16(v.x), dx_f32tof16(v.y), dx_f32tof16(v.z), dx_f32tof16(v.w));
}

void main() {
    vec4 r0;
    uvec4 r0u;
    vec4 r1;
    uvec4 r1u;
    r0u = vs_U0.xyxy >> 16u;
    r0 = dx_f16tof32(r0u);
    r1 = dx_f16tof32(vs_U0);
    r0 = r0 + r1;
    r1u = dx_f32tof16(vs_A0);
    r1 = uintBitsToFloat(r1u.ywyw * 0x10000u + r1u.xzxz);
    r0 = r0 + r1;
    r1u.x = dx_f32tof16(cb0.data[0].x);
    r1.x = dx_f16tof32(r1u.x);
    SV_Target0 = r0 + r1.x;
}
