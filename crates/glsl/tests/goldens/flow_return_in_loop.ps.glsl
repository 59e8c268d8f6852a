#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]
uniform sampler2D t0; // T, S

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec3 r0;
    int r0i;
    vec4 r1;
    SV_Target0 = vec4(0.0);
    r0i = 0;
    while (true) {
        if (r0i >= floatBitsToInt(cb0.data[1].x)) break;
        r1 = vec4(float(r0i));
        r0.yz = r1.w * vs_A0.xy;
        r0.y = textureLod(t0, r0.yz, 0.0).x;
        if (cb0.data[0].x < r0.y) {
            SV_Target0 = r1;
            return;
        }
        r0i = r0i + 1;
    }
    SV_Target0 = vec4(-1.0);
}
