#version 460
// Views, clip distances, invariance, and matrices as inputs.
#extension GL_EXT_multiview : require
layout(location = 0) in mat4 instance;
layout(location = 4) in dvec3 place;
layout(location = 6, component = 1) in vec2 pair;
layout(location = 0) out struct Out { vec4 a; mat2 b; int c[2]; } result;
layout(location = 9) invariant out vec3 steady;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; };
layout(std140, set = 3, binding = 6) uniform Views { mat4 clip[2]; uvec4 flags; } views;
layout(constant_id = 7) const float SIZE = 2.0;
void main() {
    precise vec4 p = instance * vec4(vec3(place), 1.0);
    gl_Position = views.clip[gl_ViewIndex] * p;
    gl_PointSize = SIZE;
    for (int i = 0; i < 3; ++i) gl_ClipDistance[i] = p[i] - pair.x;
    result.a = p;
    result.b = mat2(p);
    result.c[1] = int(views.flags.w) + gl_VertexIndex;
    result.c[0] = 0;
    steady = p.xyz;
}
