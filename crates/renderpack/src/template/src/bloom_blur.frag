#version 460
#extension GL_GOOGLE_include_directive : require
#define PACK_USES_TEXTURES
#define PACK_USES_PACK_PASS
#include "pack_abi.glsl"
// Half of a separable blur; P0.xy is one texel along its axis.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 blurred;
void main() {
    vec2 near = uPackParams0.xy * 1.384615;
    vec2 far = uPackParams0.xy * 3.230769;
    uint slot = acdreamPush.textureIndexA;
    blurred = packSample(slot, uv) * 0.227027;
    blurred += (packSample(slot, uv + near) + packSample(slot, uv - near)) * 0.316216;
    blurred += (packSample(slot, uv + far) + packSample(slot, uv - far)) * 0.070270;
}
