#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;

uniform usampler2D sb1; // items
uniform usampler2D sb2; // list
uniform usampler2D sb3; // rows

flat in uvec3 vs_I0;
layout(location = 0) out vec4 SV_Target0;

uint sb1_at(uint e, uint w) {
    uint i = e * 21u + w;
    uint r = i >> 2u;
    uvec2 s = uvec2(textureSize(sb1, 0));
    return e < s.x * s.y * 4u / 21u && w < 21u ? texelFetch(sb1, ivec2(r & 2047u, r >> 11u), 0)[i & 3u] : 0u;
}
uint sb2_at(uint e, uint w) {
    uint i = e + w;
    uint r = i >> 2u;
    uvec2 s = uvec2(textureSize(sb2, 0));
    return e < s.x * s.y * 4u && w < 1u ? texelFetch(sb2, ivec2(r & 2047u, r >> 11u), 0)[i & 3u] : 0u;
}
uvec4 sb3_row(uint e, uint r) {
    uint i = e + r;
    uvec2 s = uvec2(textureSize(sb3, 0));
    return e < s.x * s.y && r < 1u ? texelFetch(sb3, ivec2(i & 2047u, i >> 11u), 0) : uvec4(0u);
}

void main() {
    vec4 r0;
    vec4 r1;
    int r1i;
    uvec4 r1u;
    vec4 r2;
    int r2i;
    r0.xy = uintBitsToFloat(uvec2(sb1_at(vs_I0.x, 4u), sb1_at(vs_I0.x, 5u)));
    r1.xyz = uintBitsToFloat(uvec3(sb1_at(vs_I0.x, 0u), sb1_at(vs_I0.x, 1u), sb1_at(vs_I0.x, 2u)));
    r1u.w = sb1_at(vs_I0.x, 3u);
    r1.w = float(r1u.w);
    r0 = r0.xyxy + r1;
    r1i = int(sb1_at(vs_I0.x, 7u));
    r1.x = float(r1i);
    r0 = r0 + r1.x;
    r1 = uintBitsToFloat(uvec4(sb1_at(vs_I0.x, 9u), sb1_at(vs_I0.x, 10u), sb1_at(vs_I0.x, 11u), sb1_at(vs_I0.x, 12u)));
    r1.x = dot(vec4(1.0, 2.0, 3.0, 4.0), r1);
    r2 = uintBitsToFloat(uvec4(sb1_at(vs_I0.x, 13u), sb1_at(vs_I0.x, 14u), sb1_at(vs_I0.x, 15u), sb1_at(vs_I0.x, 16u)));
    r1.y = dot(vec4(1.0, 2.0, 3.0, 4.0), r2);
    r2 = uintBitsToFloat(uvec4(sb1_at(vs_I0.x, 17u), sb1_at(vs_I0.x, 18u), sb1_at(vs_I0.x, 19u), sb1_at(vs_I0.x, 20u)));
    r1.z = dot(vec4(1.0, 2.0, 3.0, 4.0), r2);
    r1.w = 0.0;
    r0 = r0 + r1;
    r1u.x = sb2_at(vs_I0.y, 0u);
    r1 = uintBitsToFloat(sb3_row(r1u.x, 0u));
    r2i = int(sb1_at(vs_I0.z, 8u));
    r2.x = float(r2i);
    r1 = r1 + r2.x;
    r2i = int(sb1_at(3u, 6u));
    r2.x = float(r2i);
    r1 = r1 + r2.x;
    SV_Target0 = r0 + r1;
}
