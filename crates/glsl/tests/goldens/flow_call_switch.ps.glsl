#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]
uniform sampler2D t0; // T, S

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

vec4 dx_exp2(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 e = exp2(v);
    return vec4(n.x > 0x7f800000u ? v.x : e.x, n.y > 0x7f800000u ? v.y : e.y, n.z > 0x7f800000u ? v.z : e.z, n.w > 0x7f800000u ? v.w : e.w);
}

vec4 r0;
vec4 r1;
int r1i;
vec4 r2;
vec4 r3;
void label0();
void label1();
void label2();
void label3();

void dxbc_main() {
    switch (floatBitsToInt(cb0.data[1].x)) {
    case 0:
        label0();
        break;
    case 1:
        label1();
        break;
    case 5:
        label2();
        break;
    default:
        label3();
        break;
    }
    SV_Target0 = r0 + cb0.data[0];
}

void label0() {
    r1 = sin(vs_A0);
    r2 = cos(vs_A0.wzyx);
    r3 = textureLod(t0, vs_A0.xy, 0.0);
    r0 = r1 * r2 + r3;
}
void label1() {
    r1 = sqrt(abs(vs_A0));
    r0 = 1.0 < r1.x ? cb0.data[0] : r1;
}
void label2() {
    r0 = vs_A0;
    r1i = 0;
    while (true) {
        if (r1i >= floatBitsToInt(cb0.data[1].y)) break;
        r1.y = float(r1i);
        r0 = r0 * cb0.data[0] + r1.y;
        r1i = r1i + 1;
    }
}
void label3() {
    r0 = dx_exp2(vs_A0);
}

void main() {
    SV_Target0 = vec4(0.0);
    dxbc_main();
}
