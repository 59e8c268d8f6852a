#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], ki [1], ku [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

float dx_max(float a, float b) {
    uint n = floatBitsToUint(b) & 0x7fffffffu;
    return a >= b || n > 0x7f800000u ? a : b;
}
float dx_saturate(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    float c = min(max(v, 0.0), 1.0);
    return n > 0x7f800000u ? 0.0 : c;
}
vec2 dx_saturate(vec2 v) {
    uvec2 n = floatBitsToUint(v) & 0x7fffffffu;
    vec2 c = min(max(v, 0.0), 1.0);
    return vec2(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y);
}

void main() {
    vec2 r0;
    r0.x = float(floatBitsToInt(cb0.data[1].x));
    r0.x = dx_saturate(r0.x);
    r0.y = dx_saturate(dx_max(vs_A0.x, cb0.data[0].y));
    r0.x = r0.x + r0.y;
    r0.y = dx_saturate(0.0 < vs_A0.y ? vs_A0.z : cb0.data[0].z);
    r0.x = r0.y + r0.x;
    r0.y = dx_saturate(vs_A0.w + cb0.data[0].w);
    SV_Target0.w = r0.x * r0.y;
    SV_Target0.xy = dx_saturate(vs_A0.zw * cb0.data[0].xy);
    SV_Target0.z = dx_saturate(dot(vs_A0, cb0.data[0]));
}
