#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], n [1], u [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    switch (floatBitsToInt(cb0.data[2].y)) {
    case 0:
    case 1:
    case 5:
        r1 = sin(vs_A0);
        r0 = r1 * cb0.data[0];
        break;
    case -1:
        r0.x = 1.0;
        r0.yzw = vs_A0.yzw;
        break;
    default:
        r0 = cos(vs_A0);
        break;
    }
    SV_Target0 = r0;
}
