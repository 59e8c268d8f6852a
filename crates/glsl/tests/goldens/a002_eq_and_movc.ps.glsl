#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    bvec2 r0b;
    r0b.xy = equal(vs_A0.xy, cb0.data[0].xy);
    SV_Target0 = r0b.y && r0b.x ? vs_A0 : cb0.data[0];
}
