#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer3 { vec4 data[2]; } cb3; // C0: ka [0], u [1]
layout(std140) uniform sb3_space2_block { uvec4 data[207]; } sb3_space2; // sb
layout(std140) uniform rb4_space2_block { uvec4 data[69]; } rb4_space2; // ba
layout(std140) uniform bt5_space2_block { uvec4 data[69]; } bt5_space2; // bt
layout(std140) uniform bt6_space2_block { uvec4 data[69]; } bt6_space2; // bt

layout(location = 0) in vec4 in_POSITION0;

uint sb3_space2_at(uint e, uint w) { return e < 69u && w < 12u ? sb3_space2.data[e * 3u + (w >> 2u)][w & 3u] : 0u; }
uint rb4_space2_at(uint i) { return i < 276u ? rb4_space2.data[i >> 2u][i & 3u] : 0u; }
uvec4 bt5_space2_at(uint e) { return e < 69u ? bt5_space2.data[e] : uvec4(0u); }
uvec4 bt6_space2_at(uint e) { return e < 69u ? bt6_space2.data[e] : uvec4(0u); }
uvec4 bt5_space2_any(int which, uint e) {
    if (which == 5) return bt5_space2_at(e);
    if (which == 6) return bt6_space2_at(e);
    return uvec4(0u);
}

void main() {
    vec4 position;
    vec4 r0;
    vec4 r1;
    int r1i;
    uvec4 r1u;
    r0 = uintBitsToFloat(uvec4(sb3_space2_at(uint(gl_VertexID), 0u), sb3_space2_at(uint(gl_VertexID), 1u), sb3_space2_at(uint(gl_VertexID), 2u), sb3_space2_at(uint(gl_VertexID), 3u)));
    r0 = r0 + in_POSITION0;
    r1u.x = uint(gl_VertexID) << 4u;
    r1 = uintBitsToFloat(uvec4(rb4_space2_at(r1u.x >> 2u), rb4_space2_at((r1u.x >> 2u) + 1u), rb4_space2_at((r1u.x >> 2u) + 2u), rb4_space2_at((r1u.x >> 2u) + 3u)));
    r0 = r0 + r1;
    r1u = bt6_space2_at(uint(gl_VertexID));
    r1 = vec4(r1u);
    r0 = r0 + r1;
    r1i = floatBitsToInt(cb3.data[1].x);
    r1u = bt5_space2_any(r1i + 5, 3u);
    r1 = vec4(r1u);
    r0 = r0 + r1;
    r1.x = uintBitsToFloat(sb3_space2_at(floatBitsToUint(cb3.data[1].y), 8u));
    position = r0 + r1.x;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
