#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

flat in ivec4 vs_I0;
flat in uvec4 vs_U0;
layout(location = 0) out ivec4 SV_Target0;

void main() {
    ivec4 r0i;
    uvec4 r0u;
    ivec4 r1i;
    uvec4 r1u;
    ivec4 r2i;
    uvec4 r2u;
    r0i = vs_I0 * floatBitsToInt(cb0.data[1]) + ivec4(vs_U0);
    r0u = uvec4(r0i) - uvec4(vs_I0);
    r1u = uvec4(vs_I0) | floatBitsToUint(cb0.data[1]);
    r0u = r0u ^ r1u;
    r1u = uvec4(vs_I0) + 5u;
    r1u = ~r1u;
    r0u = r0u & r1u;
    r1i = max(vs_I0, floatBitsToInt(cb0.data[1]));
    r2i = min(vs_I0, ivec4(floatBitsToInt(cb0.data[1].w)));
    r1i = r1i - r2i;
    r0i = ivec4(r0u) + r1i;
    r1u = max(vs_U0, floatBitsToUint(cb0.data[2]));
    r2u = min(vs_U0, floatBitsToUint(cb0.data[2].yyzz));
    r1u = r1u ^ r2u;
    r0i = r0i + ivec4(r1u);
    r1u.x = uint(vs_I0.x) << (floatBitsToUint(cb0.data[1].x) & 31u);
    r1u.y = uint(vs_I0.y) << (floatBitsToUint(cb0.data[1].y) & 31u);
    r1u.z = uint(vs_I0.z) << (floatBitsToUint(cb0.data[1].z) & 31u);
    r1u.w = uint(vs_I0.w) << (floatBitsToUint(cb0.data[1].w) & 31u);
    r0i = r0i + ivec4(r1u);
    r1i = vs_I0 >> (floatBitsToInt(cb0.data[1].x) & 31);
    r0i = r0i + r1i;
    r1u.x = vs_U0.x >> (floatBitsToUint(cb0.data[2].x) & 31u);
    r1u.y = vs_U0.y >> (floatBitsToUint(cb0.data[2].y) & 31u);
    r1u.z = vs_U0.z >> (floatBitsToUint(cb0.data[2].z) & 31u);
    r1u.w = vs_U0.w >> (floatBitsToUint(cb0.data[2].w) & 31u);
    r0i = r0i + ivec4(r1u);
    r1u = uvec4(vs_I0) << 3u;
    r0i = r0i + ivec4(r1u);
    r1i = ivec4(vs_U0) * floatBitsToInt(cb0.data[2]) + ivec4(vs_U0);
    r0i = r0i + r1i;
    r1i = vs_I0 - floatBitsToInt(cb0.data[1]);
    r1i = max(-r1i, r1i);
    r0i = r0i + r1i;
    r1u = uvec4(lessThan(ivec4(0), vs_I0)) * 0xffffffffu;
    r2u = uvec4(lessThan(vs_I0, ivec4(0))) * 0xffffffffu;
    r1i = ivec4(r2u) - ivec4(r1u);
    SV_Target0 = r0i + r1i;
}
