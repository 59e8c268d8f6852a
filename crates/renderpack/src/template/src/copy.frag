#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#include "pack_abi.glsl"
// The world as it is: slot A is WorldColor.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
void main() {
    colour = packSample(acdreamPush.textureIndexA, uv);
}
