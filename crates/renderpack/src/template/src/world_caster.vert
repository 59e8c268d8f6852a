#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_ARB_shader_draw_parameters : require
#define PACK_USES_ATMOSPHERIC_FRAME
#define PACK_USES_DIRECTIONAL_SHADOW
#define PACK_USES_INSTANCES
#define PACK_USES_BATCHES
#include "pack_abi.glsl"
layout(location = 0) in vec3 place;
void main() {
    uint flags = packBatches[acdreamPush.drawIdOffset + gl_DrawIDARB].flags;
    mat4 instance = packInstances[gl_InstanceIndex];
    vec3 world = packFoliageWind((instance * vec4(place, 1.0)).xyz, instance[3].z, flags);
    gl_Position = directionalShadow.uShadowWorldToClip[acdreamPush.renderPass] * vec4(world, 1.0);
}
