#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in vec4 in_POSITION0;
layout(location = 1) in vec4 in_POSITION_1;
layout(location = 2) in vec4 in_ATTRIBUTE0;
out vec4 vs_A_B0;
out vec4 vs_GL_THING0;
out vec4 vs_TEXCOORD_0;
out vec4 vs_UNDER0;
out vec4 vs_INPUT0;
out vec2 vs_FLOAT2X7;
out vec2 vs_WEBGL_X3;

void main() {
    vec4 position;
    position = in_POSITION0;
    vs_A_B0 = in_POSITION_1;
    vs_GL_THING0 = in_ATTRIBUTE0;
    vs_TEXCOORD_0 = in_POSITION0 + in_POSITION_1;
    vs_UNDER0 = in_POSITION_1 + in_ATTRIBUTE0;
    vs_INPUT0 = in_POSITION0 - in_ATTRIBUTE0;
    vs_FLOAT2X7 = in_POSITION0.xy;
    vs_WEBGL_X3 = in_POSITION_1.zw;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
