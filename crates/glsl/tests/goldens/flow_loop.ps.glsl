#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    int r1i;
    int r2i;
    r0 = vs_A0;
    r1i = 0;
    while (true) {
        if (r1i >= floatBitsToInt(cb0.data[1].x)) break;
        r1.y = float(r1i);
        r0 = r0 * cb0.data[0] + r1.y;
        r1i = r1i + 1;
    }
    r1 = r0;
    r2i = 5;
    while (true) {
        if (r1.x >= cb0.data[0].y) break;
        r1 = r1 + vs_A0;
        r2i = r2i - 1;
    }
    r0.x = float(r2i);
    SV_Target0 = r0.x + r1;
}
