#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D t0; // T, S

in vec2 vs_TEXCOORD0;
in vec3 vs_NORMAL0;
in vec3 vs_TEXCOORD1;
flat in uint vs_MATERIAL0;
in vec4 vs_COLOR0;
layout(location = 0) out vec4 SV_Target0;

float dx_saturate(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    float c = min(max(v, 0.0), 1.0);
    return n > 0x7f800000u ? 0.0 : c;
}

void main() {
    vec4 r0;
    vec4 r1;
    r0.x = dot(vs_NORMAL0, vs_NORMAL0);
    r0.x = inversesqrt(r0.x);
    r0.xyz = r0.x * vs_NORMAL0;
    r0.w = dot(vs_TEXCOORD1, vs_TEXCOORD1);
    r0.w = inversesqrt(r0.w);
    r1.xyz = r0.w * vs_TEXCOORD1;
    r0.x = dx_saturate(dot(r0.xyz, r1.xyz));
    r1 = texture(t0, vs_TEXCOORD0);
    r1 = r1.wxyz * vs_COLOR0.wxyz;
    r1.yzw = r0.x * r1.wzy;
    SV_Target0 = vs_MATERIAL0 == 2u ? r1 : r1.wzyx;
}
