#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[5]; } cb0; // Frame: worldViewProj [0], tint [4]

layout(location = 0) in vec3 in_POSITION0;
layout(location = 1) in vec3 in_NORMAL0;
layout(location = 2) in vec2 in_TEXCOORD0;
layout(location = 3) in vec2 in_TEXCOORD1;
layout(location = 4) in vec4 in_COLOR0;
out vec2 vs_TEXCOORD0;
out vec2 vs_TEXCOORD1;
out vec3 vs_NORMAL0;
out float vs_FOG0;
out vec4 vs_COLOR0;

float dx_saturate(float v) {
    uint n = floatBitsToUint(v) & 0x7fffffffu;
    float c = min(max(v, 0.0), 1.0);
    return n > 0x7f800000u ? 0.0 : c;
}

void main() {
    vec4 position;
    vec4 r0;
    float r1;
    r0.xyz = in_POSITION0;
    r0.w = 1.0;
    r1 = dot(r0, cb0.data[3]);
    position.w = r1;
    vs_FOG0 = dx_saturate(r1 * cb0.data[4].w);
    position.x = dot(r0, cb0.data[0]);
    position.y = dot(r0, cb0.data[1]);
    position.z = dot(r0, cb0.data[2]);
    vs_TEXCOORD0 = in_TEXCOORD0 + in_TEXCOORD0;
    vs_TEXCOORD1 = in_TEXCOORD0 + in_TEXCOORD1.yx;
    vs_NORMAL0 = in_NORMAL0;
    vs_COLOR0 = in_COLOR0 * cb0.data[4];
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
