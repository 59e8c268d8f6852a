#version 460
#extension GL_GOOGLE_include_directive : require
#include "pack_abi.glsl"
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 worldAndDistance;
void main() {
    gl_Position = acdreamPush.viewProjection * vec4(place, 1.0);
    worldAndDistance = vec4(place, gl_Position.w);
}
