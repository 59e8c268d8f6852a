#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], ki [1], ku [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    bvec4 r0b;
    vec4 r1;
    bvec4 r2b;
    int r3i;
    bvec3 r3b;
    vec4 r4;
    r0b = greaterThanEqual(vs_A0, cb0.data[0]);
    r1 = vs_A0;
    r2b = r0b;
    r3i = 0;
    while (true) {
        if (r3i >= floatBitsToInt(cb0.data[1].x)) break;
        r4 = r1 + cb0.data[0];
        r1 = r2b.x ? r4 : r1;
        r3i = r3i + 1;
        r3b.yz = r2b.zw;
        r2b.w = r2b.x;
        r2b.x = r2b.y;
        r2b.yz = r3b.yz;
    }
    SV_Target0 = mix(vec4(1.0), r1, r2b);
}
