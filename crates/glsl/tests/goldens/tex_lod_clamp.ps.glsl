#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;

layout(std140) uniform ConstantBuffer0 { vec4 data[5]; } cb0; // K: off [0].xy, off4 [1], mip [4].z, bias [4].w
uniform sampler2D t0; // T, S
uniform sampler2DShadow t0_cmp; // T, SC

in vec4 vs_C0;
in vec4 vs_D0;
layout(location = 0) out vec4 SV_Target0;

float dx_log2(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    if (n < 0x00800000u) return uintBitsToFloat(0xff800000u);
    return n > 0x7f800000u || v < 0.0 ? uintBitsToFloat(0x7fc00000u) : log2(v);
}
vec4 dx_lod(vec2 coord, float last) {
    vec2 dx = dFdx(coord);
    vec2 dy = dFdy(coord);
    float level = 0.5 * dx_log2(max(dot(dx, dx), dot(dy, dy)));
    return vec4(clamp(level, 0.0, last), level, 0.0, 0.0);
}

void main() {
    vec4 r0;
    vec4 r1;
    r0 = textureLod(t0, vs_C0.xy, max(dx_lod(vs_C0.xy * vec2(textureSize(t0, 0)), 0.0).y, 2.0));
    r1 = textureLodOffset(t0, vs_C0.xy, max(dx_lod(vs_C0.xy * vec2(textureSize(t0, 0)), 0.0).y + cb0.data[4].w, vs_C0.z), ivec2(1));
    r0 = r0 + r1;
    r1 = textureLod(t0, vs_C0.xy, max(0.5 * log2(max(dot(vs_D0.xy * vec2(textureSize(t0, 0)), vs_D0.xy * vec2(textureSize(t0, 0))), dot(vs_D0.zw * vec2(textureSize(t0, 0)), vs_D0.zw * vec2(textureSize(t0, 0))))), vs_C0.w));
    r0 = r0 + r1;
    r1.x = textureLod(t0_cmp, vs_C0.xyz, max(dx_lod(vs_C0.xy * vec2(textureSize(t0_cmp, 0)), 0.0).y, 1.5));
    SV_Target0 = r0 + r1.x;
}
