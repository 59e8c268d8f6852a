#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[4]; } cb0; // K: idx [0].x, q [0].yz, u [1], s4 [2], k [3]

in vec4 vs_A0;
flat in ivec4 vs_I0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    ivec4 r0i;
    uvec4 r0u;
    vec4 r1;
    ivec4 r1i;
    uvec4 r1u;
    r0i = vs_I0 * floatBitsToInt(cb0.data[2]);
    r1i = r0i >> 3;
    r0i = r0i ^ r1i;
    r0 = vec4(r0i);
    r1 = vs_A0.wzyx * cb0.data[3].wzyx;
    r1 = sin(r1);
    r1 = vs_A0.wzyx * cb0.data[3].wzyx + r1;
    r0 = r0 * r1;
    r0u = floatBitsToUint(r0) & floatBitsToUint(cb0.data[1]);
    r1u = r0u >> 28u;
    r1 = vec4(r1u);
    SV_Target0 = uintBitsToFloat(r0u) + r1;
}
