#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_DIRECTIONAL_SHADOW
#include "pack_abi.glsl"
layout(location = 0) in vec3 place;
void main() {
    gl_Position = directionalShadow.uShadowWorldToClip[acdreamPush.renderPass] * vec4(place, 1.0);
}
