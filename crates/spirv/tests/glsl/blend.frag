#version 460
// Two sources of one attachment, depth by hand, early tests, and coverage.
layout(early_fragment_tests) in;
layout(location = 0, index = 0) out vec4 colour;
layout(location = 0, index = 1) out vec4 factor;
layout(depth_less) out float gl_FragDepth;
layout(location = 0) noperspective in vec4 a;
layout(std430, set = 0, binding = 0) buffer Lists { uint head; uvec4 nodes[]; } lists;
void main() {
    uint at = atomicExchange(lists.head, uint(gl_PrimitiveID));
    lists.nodes[at] = uvec4(gl_FragCoord.xy, gl_SampleMaskIn[0], gl_FrontFacing ? 1u : 0u);
    gl_FragDepth = gl_FragCoord.z * 0.5;
    gl_SampleMask[0] = gl_SampleMaskIn[0] & 5;
    colour = a;
    factor = a.aaaa;
}
