#version 460
// Evaluation: the patch's values by barycentric coordinates.
layout(triangles, fractional_odd_spacing, ccw) in;
layout(location = 0) in vec3 control[];
layout(location = 1) patch in vec4 whole;
layout(location = 0) out vec3 normal;
layout(set = 0, binding = 0) uniform sampler2D heights;
void main() {
    vec3 p = gl_TessCoord.x * control[0] + gl_TessCoord.y * control[1] + gl_TessCoord.z * control[2];
    p.z += textureLod(heights, p.xy, whole.w).x;
    normal = normalize(cross(control[1] - control[0], control[2] - control[0]));
    gl_Position = vec4(p, 1.0);
}
