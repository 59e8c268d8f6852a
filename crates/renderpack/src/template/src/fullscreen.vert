#version 460
#extension GL_GOOGLE_include_directive : require
#include "pack_abi.glsl"
// One triangle over the whole target; the host draws three vertices.
layout(location = 0) out vec2 uv;
void main() {
    uv = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
