#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_DIRECTIONAL_SHADOW
#define PACK_USES_SCENE_LIGHTING
#include "pack_abi.glsl"
#include "shadow.glsl"
layout(location = 0) in vec4 worldAndDistance;
layout(location = 1) in vec2 uv;
layout(location = 2) flat in uvec2 slotAndLayer;
layout(location = 0) out vec4 colour;
void main() {
    vec4 surface = texture(uTextures[nonuniformEXT(slotAndLayer.x)], vec3(uv, float(slotAndLayer.y)));
    float lit = packShadow(worldAndDistance.xyz, worldAndDistance.w);
    colour = vec4(surface.rgb * (cellAmbient.rgb + lit), surface.a);
}
