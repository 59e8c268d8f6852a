#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_PACK_PASS
#include "pack_abi.glsl"
// What is brighter than the threshold. P0 = strength, threshold, knee, has shafts; A world, B rays, C shafts.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 bright;
void main() {
    vec3 light = packDecodeDisplay(packSample(acdreamPush.textureIndexA, uv).rgb);
    light += packDecodeDisplay(packSample(acdreamPush.textureIndexB, uv).rgb);
    if (uPackParams0.w > 0.5 && uTextureIndexC != PACK_NO_TEXTURE) {
        light += packDecodeDisplay(packSample(uTextureIndexC, uv).rgb);
    }
    float luma = dot(light, vec3(0.2126, 0.7152, 0.0722));
    float knee = max(uPackParams0.z, 1e-4);
    bright = vec4(light * smoothstep(uPackParams0.y - knee, uPackParams0.y + knee, luma), 1.0);
}
