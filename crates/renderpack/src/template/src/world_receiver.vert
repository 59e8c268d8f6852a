#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_ARB_shader_draw_parameters : require
#define PACK_USES_ATMOSPHERIC_FRAME
#define PACK_USES_INSTANCES
#define PACK_USES_BATCHES
#include "pack_abi.glsl"
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 texel;
layout(location = 0) out vec4 worldAndDistance;
layout(location = 1) out vec2 uv;
layout(location = 2) flat out uvec2 slotAndLayer;
void main() {
    BatchesElement batch = packBatches[acdreamPush.drawIdOffset + gl_DrawIDARB];
    mat4 instance = packInstances[gl_InstanceIndex];
    vec3 world = packFoliageWind((instance * vec4(place, 1.0)).xyz, instance[3].z, batch.flags);
    gl_Position = acdreamPush.viewProjection * vec4(world, 1.0);
    worldAndDistance = vec4(world, gl_Position.w);
    uv = texel;
    slotAndLayer = uvec2(batch.textureIndex, batch.textureLayer);
}
