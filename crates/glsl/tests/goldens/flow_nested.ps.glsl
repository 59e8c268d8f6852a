#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]
uniform sampler2D t0; // T, S

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    ivec3 r1i;
    vec4 r2;
    vec4 r3;
    r0 = vec4(0.0);
    r1i.x = floatBitsToInt(cb0.data[1].z);
    r1i.y = 0;
    while (true) {
        if (r1i.y >= floatBitsToInt(cb0.data[1].x)) break;
        r1.z = float(r1i.y);
        if (r1.z < vs_A0.x) {
            r2 = r0;
            r1i.z = r1i.y;
            while (true) {
                if (r1i.z >= floatBitsToInt(cb0.data[1].y)) break;
                r1.w = float(r1i.z);
                r3.x = r1.w * vs_A0.y;
                if (cb0.data[0].x < r3.x) {
                    r3.xy = r1.w + r2.xy;
                    r3 = textureLod(t0, r3.xy, 0.0);
                    r2 = r3 + r2;
                } else {
                    if (r1i.x == r1i.z) {
                        break;
                    }
                    r2 = r2 * cb0.data[0];
                }
                r1i.z = r1i.z + 2;
            }
            r0 = r2;
        } else {
            r0 = r0 - vs_A0;
        }
        r1i.y = r1i.y + 1;
    }
    SV_Target0 = r0;
}
