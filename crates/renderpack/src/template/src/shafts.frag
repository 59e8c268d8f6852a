#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_ATMOSPHERIC_FRAME
#define PACK_USES_DIRECTIONAL_SHADOW
#define PACK_USES_PACK_PASS
#include "pack_abi.glsl"
#include "shadow.glsl"
// Sunlight in the air between eye and surface. P0 = density, strength, steps, enabled; slot A is SceneDepth.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 shafts;
vec3 reconstruct(float depth) {
    vec4 world = uAtmosphereInverseViewProjection * vec4(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, depth, 1.0);
    return world.xyz / world.w;
}
void main() {
    shafts = vec4(0.0);
    if (uPackParams0.w < 0.5) return;
    vec3 eye = reconstruct(0.0);
    vec3 far = reconstruct(packSample(acdreamPush.textureIndexA, uv).r);
    int steps = int(clamp(uPackParams0.z, 1.0, 64.0));
    // A moon's shadow map says nothing about the sun's light.
    bool sun = uint(round(directionalShadow.uShadowLightDirectionAndSource.w)) == 1u;
    float light = 0.0;
    for (int i = 0; i < steps; ++i) {
        vec3 at = mix(eye, far, (float(i) + 0.5) / float(steps));
        light += sun ? packShadow(at, distance(eye, at)) : 1.0;
    }
    float reach = 1.0 - exp(-uPackParams0.x * distance(eye, far));
    shafts = vec4(uAtmosphereSunColor.rgb * light / float(steps) * reach * uPackParams0.y, 1.0);
}
