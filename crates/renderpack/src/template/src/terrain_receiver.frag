#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_DIRECTIONAL_SHADOW
#define PACK_USES_SCENE_LIGHTING
#define PACK_USES_TERRAIN_TILING
#include "pack_abi.glsl"
#include "shadow.glsl"
layout(location = 0) in vec4 worldAndDistance;
layout(location = 0) out vec4 colour;
void main() {
    vec4 ground = packSample(acdreamPush.textureIndexA, worldAndDistance.xy * tiling[0]);
    float lit = packShadow(worldAndDistance.xyz, worldAndDistance.w);
    colour = vec4(ground.rgb * (cellAmbient.rgb + lit), ground.a);
}
