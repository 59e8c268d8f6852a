#version 460
// Points become quads, with a layer for each invocation.
layout(points, invocations = 2) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in Vertex { vec4 colour; float size; } vertex[];
layout(location = 0) out vec4 colour;
layout(location = 1) flat out ivec2 cell;
void main() {
    for (int i = 0; i < 4; ++i) {
        vec2 corner = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        gl_Position = gl_in[0].gl_Position + vec4(corner * vertex[0].size, 0.0, 0.0);
        gl_Layer = gl_InvocationID;
        colour = vertex[0].colour;
        cell = ivec2(i, gl_InvocationID);
        EmitVertex();
    }
    EndPrimitive();
}
