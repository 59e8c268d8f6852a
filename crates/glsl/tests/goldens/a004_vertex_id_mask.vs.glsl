#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[4]; } cb0; // K: idx [0].x, q [0].yz, u [1], s4 [2], k [3]

out vec2 vs_TEXCOORD0;

void main() {
    vec4 position;
    vec2 r0;
    uvec3 r0u;
    r0u.x = uint(uint(gl_VertexID)) >> 2u;
    r0.x = float(r0u.x);
    position.z = r0.x * cb0.data[3].x;
    r0u.x = uint(uint(gl_VertexID)) >> 1u;
    r0u.x = r0u.x & 1u;
    r0u.z = uint(gl_VertexID) & 1u;
    r0.xy = vec2(r0u.xz);
    position.xy = r0.xy * 2.0 - 1.0;
    vs_TEXCOORD0 = r0.xy;
    position.w = 1.0;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
