#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer3 { vec4 data[2]; } cb3; // C0: ka [0], u [1]
layout(std140) uniform ConstantBuffer3_space2 { vec4 data[3]; } cb3_space2; // C1: kb [0]
uniform sampler2D t7_space1_s5_space1; // A, S
uniform sampler2D t7_space1_s0_space4; // A, S2
uniform sampler2D t7_space3; // B, S2

in vec4 vs_C0;
layout(location = 0) out vec4 SV_Target0;

vec4 cb3_space2_at(int i) { return uint(i) < 3u ? cb3_space2.data[i] : vec4(0.0); }

void main() {
    vec4 r0;
    vec4 r1;
    int r1i;
    r0 = texture(t7_space1_s5_space1, vs_C0.xy);
    r1 = texture(t7_space3, vs_C0.zw);
    r1 = r1 * cb3_space2.data[2];
    r0 = r0 * cb3.data[0] + r1;
    r1 = textureLod(t7_space1_s0_space4, vs_C0.yx, 0.0);
    r0 = r0 + r1;
    r1i = floatBitsToInt(cb3.data[1].x);
    SV_Target0 = r0 + cb3_space2_at(r1i);
}
