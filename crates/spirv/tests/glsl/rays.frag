#version 460
// A ray through an acceleration structure, and buffers reached by address.
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference2 : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Hits { vec4 colour[]; };
layout(push_constant) uniform Push { Hits hits; vec3 from; float reach; } push;
layout(location = 0) in vec3 way;
layout(location = 0) out vec4 colour;
void main() {
    rayQueryEXT q;
    rayQueryInitializeEXT(q, scene, gl_RayFlagsOpaqueEXT, 0xff, push.from, 0.1, way, push.reach);
    while (rayQueryProceedEXT(q)) rayQueryConfirmIntersectionEXT(q);
    int i = rayQueryGetIntersectionInstanceIdEXT(q, true);
    colour = i < 0 ? vec4(0.0) : push.hits.colour[i];
}
