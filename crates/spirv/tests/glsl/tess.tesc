#version 460
// Patches: arrays of inputs and outputs, patch outputs, barriers.
layout(vertices = 3) out;
layout(location = 0) in vec3 place[];
layout(location = 0) out vec3 control[];
layout(location = 1) patch out vec4 whole;
layout(push_constant) uniform Push { mat4 view; float level; } push;
void main() {
    control[gl_InvocationID] = place[gl_InvocationID];
    gl_out[gl_InvocationID].gl_Position = push.view * gl_in[gl_InvocationID].gl_Position;
    barrier();
    if (gl_InvocationID == 0) {
        whole = vec4(control[1], push.level);
        gl_TessLevelInner[0] = push.level;
        for (int i = 0; i < 3; ++i) gl_TessLevelOuter[i] = push.level * float(i + 1);
    }
}
