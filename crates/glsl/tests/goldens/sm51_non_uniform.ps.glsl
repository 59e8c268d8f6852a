#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer3 { vec4 data[2]; } cb3; // C0: ka [0], u [1]
uniform sampler2D t10_space5_s5_space1; // arr, S
uniform sampler2D t10_space5_s8_space5; // arr, ss
uniform sampler2D t10_space5_s9_space5; // arr, ss
uniform sampler2D t10_space5_s10_space5; // arr, ss
uniform sampler2D t11_space5_s5_space1; // arr, S
uniform sampler2D t11_space5_s8_space5; // arr, ss
uniform sampler2D t11_space5_s9_space5; // arr, ss
uniform sampler2D t11_space5_s10_space5; // arr, ss
uniform sampler2D t12_space5_s5_space1; // arr, S
uniform sampler2D t12_space5_s8_space5; // arr, ss
uniform sampler2D t12_space5_s9_space5; // arr, ss
uniform sampler2D t12_space5_s10_space5; // arr, ss
uniform sampler2D t13_space5_s5_space1; // arr, S
uniform sampler2D t13_space5_s8_space5; // arr, ss
uniform sampler2D t13_space5_s9_space5; // arr, ss
uniform sampler2D t13_space5_s10_space5; // arr, ss
uniform sampler2D t14_space5_s5_space1; // arr, S
uniform sampler2D t14_space5_s8_space5; // arr, ss
uniform sampler2D t14_space5_s9_space5; // arr, ss
uniform sampler2D t14_space5_s10_space5; // arr, ss
uniform sampler2D t15_space5_s5_space1; // arr, S
uniform sampler2D t15_space5_s8_space5; // arr, ss
uniform sampler2D t15_space5_s9_space5; // arr, ss
uniform sampler2D t15_space5_s10_space5; // arr, ss

in vec4 vs_C0;
flat in uint vs_I0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    uvec2 r0u;
    vec4 r1;
    int r1i;
    r0u.x = vs_I0 & 1u;
    r0u.y = vs_I0;
    vec4 tmp0 = vec4(0.0);
    int tmp1 = int(r0u.y) + 10;
    int tmp2 = int(r0u.x) + 8;
    vec2 tmp3 = dFdx(vs_C0.xy);
    vec2 tmp4 = dFdy(vs_C0.xy);
    if (tmp1 == 10 && tmp2 == 8) {
        tmp0 = textureGrad(t10_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 10 && tmp2 == 9) {
        tmp0 = textureGrad(t10_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 10 && tmp2 == 10) {
        tmp0 = textureGrad(t10_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 11 && tmp2 == 8) {
        tmp0 = textureGrad(t11_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 11 && tmp2 == 9) {
        tmp0 = textureGrad(t11_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 11 && tmp2 == 10) {
        tmp0 = textureGrad(t11_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 12 && tmp2 == 8) {
        tmp0 = textureGrad(t12_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 12 && tmp2 == 9) {
        tmp0 = textureGrad(t12_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 12 && tmp2 == 10) {
        tmp0 = textureGrad(t12_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 13 && tmp2 == 8) {
        tmp0 = textureGrad(t13_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 13 && tmp2 == 9) {
        tmp0 = textureGrad(t13_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 13 && tmp2 == 10) {
        tmp0 = textureGrad(t13_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 14 && tmp2 == 8) {
        tmp0 = textureGrad(t14_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 14 && tmp2 == 9) {
        tmp0 = textureGrad(t14_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 14 && tmp2 == 10) {
        tmp0 = textureGrad(t14_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 15 && tmp2 == 8) {
        tmp0 = textureGrad(t15_space5_s8_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 15 && tmp2 == 9) {
        tmp0 = textureGrad(t15_space5_s9_space5, vs_C0.xy, tmp3, tmp4);
    }
    if (tmp1 == 15 && tmp2 == 10) {
        tmp0 = textureGrad(t15_space5_s10_space5, vs_C0.xy, tmp3, tmp4);
    }
    r0 = tmp0;
    r1i = int(vs_I0) + floatBitsToInt(cb3.data[1].x);
    vec4 tmp5 = vec4(0.0);
    int tmp6 = r1i + 10;
    vec2 tmp7 = dFdx(vs_C0.xy);
    vec2 tmp8 = dFdy(vs_C0.xy);
    if (tmp6 == 10) {
        tmp5 = textureGradOffset(t10_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    if (tmp6 == 11) {
        tmp5 = textureGradOffset(t11_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    if (tmp6 == 12) {
        tmp5 = textureGradOffset(t12_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    if (tmp6 == 13) {
        tmp5 = textureGradOffset(t13_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    if (tmp6 == 14) {
        tmp5 = textureGradOffset(t14_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    if (tmp6 == 15) {
        tmp5 = textureGradOffset(t15_space5_s5_space1, vs_C0.xy, tmp7 * exp2(1.0), tmp8 * exp2(1.0), ivec2(1, 2));
    }
    r1 = tmp5;
    SV_Target0 = r0 + r1;
}
