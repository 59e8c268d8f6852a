#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2]

flat in uvec4 vs_U0;
layout(location = 0) out uvec4 SV_Target0;

uint dx_udiv(uint a, uint b) {
    return b == 0u ? 0xffffffffu : a / b;
}
uint dx_umod(uint a, uint b) {
    return b == 0u ? 0xffffffffu : a % b;
}

void main() {
    uvec2 r0u;
    uvec2 r1u;
    uint r2u;
    r0u.x = vs_U0.x + floatBitsToUint(cb0.data[2].x);
    r0u.y = vs_U0.y | 1u;
    r1u.xy = r0u.xy;
    while (true) {
        if (r1u.y == 0u) break;
        uint tmp0 = dx_umod(r1u.x, r1u.y);
        r1u.x = dx_udiv(r1u.x, r1u.y);
        r2u = tmp0;
        r1u.y = r2u;
    }
    SV_Target0.xy = r1u.xy;
    r0u.x = dx_udiv(vs_U0.z, floatBitsToUint(cb0.data[2].z));
    SV_Target0.z = dx_umod(vs_U0.z, r0u.x);
    SV_Target0.w = dx_umod(vs_U0.w, floatBitsToUint(cb0.data[2].w));
}
