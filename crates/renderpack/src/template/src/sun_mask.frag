#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_ATMOSPHERIC_FRAME
#include "pack_abi.glsl"
// White where the sky is open and the sun gives rays. Slot A is SceneDepth.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 mask;
void main() {
    float sky = smoothstep(0.9975, 0.99995, packSample(acdreamPush.textureIndexA, uv).r);
    mask = vec4(sky * uAtmosphereSunScreen.z * uAtmosphereWeather.w);
}
