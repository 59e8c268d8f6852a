#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

flat in ivec4 vs_I0;
flat in uvec4 vs_U0;
layout(location = 0) out ivec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    vec4 r2;
    r0 = uintBitsToFloat(uvec4(vs_I0) * floatBitsToUint(cb0.data[1]) + vs_U0);
    r0 = uintBitsToFloat(floatBitsToUint(r0) - uvec4(vs_I0));
    r1 = uintBitsToFloat(uvec4(vs_I0) | floatBitsToUint(cb0.data[1]));
    r0 = uintBitsToFloat(floatBitsToUint(r0) ^ floatBitsToUint(r1));
    r1 = uintBitsToFloat(uvec4(vs_I0) + 5u);
    r1 = uintBitsToFloat(~floatBitsToUint(r1));
    r0 = uintBitsToFloat(floatBitsToUint(r0) & floatBitsToUint(r1));
    r1 = intBitsToFloat(max(vs_I0, floatBitsToInt(cb0.data[1])));
    r2 = intBitsToFloat(min(vs_I0, ivec4(floatBitsToInt(cb0.data[1].w))));
    r1 = uintBitsToFloat(floatBitsToUint(r1) - floatBitsToUint(r2));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = uintBitsToFloat(max(vs_U0, floatBitsToUint(cb0.data[2])));
    r2 = uintBitsToFloat(min(vs_U0, floatBitsToUint(cb0.data[2].yyzz)));
    r1 = uintBitsToFloat(floatBitsToUint(r1) ^ floatBitsToUint(r2));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1.x = uintBitsToFloat(uint(vs_I0.x) << (floatBitsToUint(cb0.data[1].x) & 31u));
    r1.y = uintBitsToFloat(uint(vs_I0.y) << (floatBitsToUint(cb0.data[1].y) & 31u));
    r1.z = uintBitsToFloat(uint(vs_I0.z) << (floatBitsToUint(cb0.data[1].z) & 31u));
    r1.w = uintBitsToFloat(uint(vs_I0.w) << (floatBitsToUint(cb0.data[1].w) & 31u));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = intBitsToFloat(vs_I0 >> (floatBitsToInt(cb0.data[1].x) & 31));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1.x = uintBitsToFloat(vs_U0.x >> (floatBitsToUint(cb0.data[2].x) & 31u));
    r1.y = uintBitsToFloat(vs_U0.y >> (floatBitsToUint(cb0.data[2].y) & 31u));
    r1.z = uintBitsToFloat(vs_U0.z >> (floatBitsToUint(cb0.data[2].z) & 31u));
    r1.w = uintBitsToFloat(vs_U0.w >> (floatBitsToUint(cb0.data[2].w) & 31u));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = uintBitsToFloat(uvec4(vs_I0) << 3u);
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = uintBitsToFloat(vs_U0 * floatBitsToUint(cb0.data[2]) + vs_U0);
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = uintBitsToFloat(uvec4(vs_I0) - floatBitsToUint(cb0.data[1]));
    r1 = intBitsToFloat(max(-floatBitsToInt(r1), floatBitsToInt(r1)));
    r0 = uintBitsToFloat(floatBitsToUint(r0) + floatBitsToUint(r1));
    r1 = uintBitsToFloat(uvec4(lessThan(ivec4(0), vs_I0)) * 0xffffffffu);
    r2 = uintBitsToFloat(uvec4(lessThan(vs_I0, ivec4(0))) * 0xffffffffu);
    r1 = uintBitsToFloat(floatBitsToUint(r2) - floatBitsToUint(r1));
    SV_Target0 = floatBitsToInt(r0) + floatBitsToInt(r1);
}
