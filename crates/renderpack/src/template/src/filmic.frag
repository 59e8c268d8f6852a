#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_PACK_PASS
#include "pack_abi.glsl"
// Everything together, graded. P0 = exposure, saturation, contrast, vignette; P1 = filmic strength, has shafts.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
vec3 filmic(vec3 x) {
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}
void main() {
    vec3 light = packDecodeDisplay(packSample(acdreamPush.textureIndexA, uv).rgb);
    light += packSample(acdreamPush.textureIndexB, uv).rgb;
    light += packDecodeDisplay(packSample(uTextureIndexC, uv).rgb);
    if (uPackParams1.y > 0.5 && uTextureIndexD != PACK_NO_TEXTURE) light += packDecodeDisplay(packSample(uTextureIndexD, uv).rgb);
    light *= uPackParams0.x;
    light = mix(light, filmic(light), uPackParams1.x);
    light = mix(vec3(dot(light, vec3(0.2126, 0.7152, 0.0722))), light, uPackParams0.y);
    light = max((light - 0.18) * uPackParams0.z + 0.18, 0.0);
    vec2 edge = uv * 2.0 - 1.0;
    light *= 1.0 - uPackParams0.w * dot(edge, edge) * 0.5;
    colour = vec4(packEncodeDisplay(light), 1.0);
}
