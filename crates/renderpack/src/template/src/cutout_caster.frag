#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#include "pack_abi.glsl"
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uvec2 slotAndLayer;
void main() {
    if (texture(uTextures[nonuniformEXT(slotAndLayer.x)], vec3(uv, float(slotAndLayer.y))).a < 0.05) discard;
}
