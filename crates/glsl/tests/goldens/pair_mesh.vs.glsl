#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[10]; } cb0; // Frame: wvp [0], world [4], tint [8], time [9].x

layout(location = 0) in vec4 in_POSITION0;
layout(location = 1) in vec3 in_NORMAL0;
layout(location = 2) in vec2 in_TEXCOORD0;
layout(location = 3) in float in_MATERIAL0;
out vec2 vs_TEXCOORD0;
out vec3 vs_NORMAL0;
out vec3 vs_TEXCOORD1;
flat out uint vs_MATERIAL0;
out vec4 vs_COLOR0;

void main() {
    vec4 position;
    position.x = dot(in_POSITION0, cb0.data[0]);
    position.y = dot(in_POSITION0, cb0.data[1]);
    position.z = dot(in_POSITION0, cb0.data[2]);
    position.w = dot(in_POSITION0, cb0.data[3]);
    vs_TEXCOORD0 = in_TEXCOORD0;
    vs_NORMAL0.x = dot(in_NORMAL0, cb0.data[4].xyz);
    vs_NORMAL0.y = dot(in_NORMAL0, cb0.data[5].xyz);
    vs_NORMAL0.z = dot(in_NORMAL0, cb0.data[6].xyz);
    vs_TEXCOORD1.x = dot(in_POSITION0, cb0.data[4]);
    vs_TEXCOORD1.y = dot(in_POSITION0, cb0.data[5]);
    vs_TEXCOORD1.z = dot(in_POSITION0, cb0.data[6]);
    vs_MATERIAL0 = uint(in_MATERIAL0) & 3u;
    vs_COLOR0 = cb0.data[8] * cb0.data[9].x;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
