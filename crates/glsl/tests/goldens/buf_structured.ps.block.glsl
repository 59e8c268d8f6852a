#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform sb1_block { uvec4 data[414]; } sb1; // items
layout(std140) uniform sb2_block { uvec4 data[69]; } sb2; // list
layout(std140) uniform sb3_block { uvec4 data[69]; } sb3; // rows

flat in uvec3 vs_I0;
layout(location = 0) out vec4 SV_Target0;

uint sb1_at(uint e, uint w) { return e < 69u && w < 24u ? sb1.data[e * 6u + (w >> 2u)][w & 3u] : 0u; }
uint sb2_at(uint e, uint w) { return e < 69u && w < 4u ? sb2.data[e + (w >> 2u)][w & 3u] : 0u; }
uvec4 sb3_row(uint e, uint r) { return e < 69u && r < 1u ? sb3.data[e + r] : uvec4(0u); }

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
