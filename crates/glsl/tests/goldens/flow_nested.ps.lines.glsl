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
#line 7 1
    r0 = vec4(0.0);
#line 8 1
    r1i.x = floatBitsToInt(cb0.data[1].z);
#line 9 1
    r1i.y = 0;
#line 10 1
    while (true) {
#line 12 1
        if (r1i.y >= floatBitsToInt(cb0.data[1].x)) break;
#line 13 1
        r1.z = float(r1i.y);
#line 15 1
        if (r1.z < vs_A0.x) {
#line 16 1
            r2 = r0;
#line 17 1
            r1i.z = r1i.y;
#line 18 1
            while (true) {
#line 20 1
                if (r1i.z >= floatBitsToInt(cb0.data[1].y)) break;
#line 21 1
                r1.w = float(r1i.z);
#line 22 1
                r3.x = r1.w * vs_A0.y;
#line 24 1
                if (cb0.data[0].x < r3.x) {
#line 25 1
                    r3.xy = r1.w + r2.xy;
#line 26 1
                    r3 = textureLod(t0, r3.xy, 0.0);
#line 27 1
                    r2 = r3 + r2;
#line 28 1
                } else {
#line 30 1
                    if (r1i.x == r1i.z) {
#line 31 1
                        break;
#line 32 1
                    }
#line 33 1
                    r2 = r2 * cb0.data[0];
#line 34 1
                }
#line 35 1
                r1i.z = r1i.z + 2;
#line 36 1
            }
#line 37 1
            r0 = r2;
#line 38 1
        } else {
#line 39 1
            r0 = r0 - vs_A0;
#line 40 1
        }
#line 41 1
        r1i.y = r1i.y + 1;
#line 42 1
    }
#line 43 1
    SV_Target0 = r0;
}
