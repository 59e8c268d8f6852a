#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in vec4 in_POSITION0;
out vec4 vs_TEXCOORD0;
out vec2 vs_TEXCOORD1;

void main() {
    vec4 position;
    vs_TEXCOORD0 = vec4(0.0);
    position = in_POSITION0;
    vs_TEXCOORD1 = in_POSITION0.zw;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
