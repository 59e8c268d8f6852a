#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_ATMOSPHERIC_FRAME
#define PACK_USES_PACK_PASS
#include "pack_abi.glsl"
// Light smeared away from the sun. P0 = decay, weight, density, samples; slot A is the mask.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 rays;
void main() {
    int samples = int(clamp(uPackParams0.w, 1.0, 64.0));
    vec2 stride = (uv - uAtmosphereSunScreen.xy) * uPackParams0.z / float(samples);
    vec2 at = uv;
    float light = 0.0;
    float weight = uPackParams0.y;
    for (int i = 0; i < samples; ++i) {
        at -= stride;
        light += packSample(acdreamPush.textureIndexA, at).r * weight;
        weight *= uPackParams0.x;
    }
    rays = vec4(uAtmosphereSunColor.rgb * light / float(samples), 1.0);
}
