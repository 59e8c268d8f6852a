#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2]
layout(std140) uniform ConstantBuffer1 { vec4 data[4]; } cb1; // M: world [0], viewProj [4]

layout(location = 0) in vec4 in_POSITION0;
out vec4 vs_COLOR0;

float dx_min(float a, float b) {
    uint n = floatBitsToUint(b) & 0x7fffffffu;
    return a < b || n > 0x7f800000u ? a : b;
}
float dx_max(float a, float b) {
    uint n = floatBitsToUint(b) & 0x7fffffffu;
    return a >= b || n > 0x7f800000u ? a : b;
}
vec4 dx_saturate(vec4 v) {
    uvec4 n = floatBitsToUint(v) & 0x7fffffffu;
    vec4 c = min(max(v, 0.0), 1.0);
    return vec4(n.x > 0x7f800000u ? 0.0 : c.x, n.y > 0x7f800000u ? 0.0 : c.y, n.z > 0x7f800000u ? 0.0 : c.z, n.w > 0x7f800000u ? 0.0 : c.w);
}

void main() {
    vec4 position;
    vec4 r0;
    vec4 r1;
    r0.x = dot(in_POSITION0, cb1.data[2]);
    r1.w = dot(in_POSITION0, cb1.data[3]);
    r0.x = dx_max(r0.x, -r1.w);
    r1.z = dx_min(r1.w, r0.x);
    r1.x = dot(in_POSITION0, cb1.data[0]);
    r1.y = dot(in_POSITION0, cb1.data[1]);
    r0 = dx_saturate(r1 * cb0.data[0]);
    position.zw = r1.zw;
    position.xy = r0.zw + r1.xy;
    vs_COLOR0 = r0;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
