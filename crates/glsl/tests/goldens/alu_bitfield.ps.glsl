#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

flat in ivec4 vs_I0;
flat in uvec4 vs_U0;
layout(location = 0) out uvec4 SV_Target0;

int dx_ibfe(int width, int offset, int v) {
    int n = (32 - width) & 31;
    return (((v >> (offset & 31)) << n) >> n) & -min(width & 31, 1);
}
ivec4 dx_ibfe(ivec4 width, ivec4 offset, ivec4 v) {
    ivec4 n = (32 - width) & 31;
    return (((v >> (offset & 31)) << n) >> n) & -min(width & 31, 1);
}
uvec2 dx_bfi(uvec2 width, uvec2 offset, uvec2 insert, uvec2 base) {
    uvec2 n = offset & 31u;
    uvec2 mask = ((uvec2(1u) << (width & 31u)) - 1u) << n;
    return ((insert << n) & mask) | (base & ~mask);
}
uvec4 dx_bfi(uvec4 width, uvec4 offset, uvec4 insert, uvec4 base) {
    uvec4 n = offset & 31u;
    uvec4 mask = ((uvec4(1u) << (width & 31u)) - 1u) << n;
    return ((insert << n) & mask) | (base & ~mask);
}

void main() {
    ivec4 r0i;
    uvec4 r0u;
    ivec4 r1i;
    uvec4 r1u;
    r0u = vs_U0 >> 5u & 63u;
    r1i = dx_ibfe(ivec4(12), ivec4(8), vs_I0);
    r0u = r0u + uvec4(r1i);
    r1u = dx_bfi(uvec4(8u), uvec4(8u), floatBitsToUint(cb0.data[2]), vs_U0);
    r0u = r0u ^ r1u;
    r1u.x = vs_U0.x >> 16u & 255u;
    uvec4 tmp0 = r0u + r1u.x;
    r0u.x = tmp0.x;
    r0i.yzw = ivec3(tmp0.yzw);
    r1i.x = dx_ibfe(3, 26, vs_I0.y);
    SV_Target0.y = uint(r0i.y) + uint(r1i.x);
    r1u.xy = dx_bfi(uvec2(4u), uvec2(0u), floatBitsToUint(cb0.data[2].xy), vs_U0.zw);
    SV_Target0.zw = uvec2(r0i.zw) ^ r1u.xy;
    SV_Target0.x = r0u.x;
}
