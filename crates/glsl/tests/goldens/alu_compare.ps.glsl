#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

in vec4 vs_A0;
in vec4 vs_B0;
flat in ivec4 vs_I0;
flat in uvec4 vs_U0;
layout(location = 0) out vec4 SV_Target0;

vec4 dx_min(vec4 a, vec4 b) {
    uvec4 n = floatBitsToUint(b) & 0x7fffffffu;
    return vec4(a.x < b.x || n.x > 0x7f800000u ? a.x : b.x, a.y < b.y || n.y > 0x7f800000u ? a.y : b.y, a.z < b.z || n.z > 0x7f800000u ? a.z : b.z, a.w < b.w || n.w > 0x7f800000u ? a.w : b.w);
}

void main() {
    vec4 r0;
    bvec4 r0b;
    vec4 r1;
    bvec4 r1b;
    vec4 r2;
    bvec4 r2b;
    r0b = greaterThanEqual(vs_A0, cb0.data[0]);
    r0 = mix(cb0.data[0], vs_B0, r0b);
    r1 = dx_min(vs_A0, vs_B0);
    r0 = r0 + r1;
    r1b = equal(vs_A0, cb0.data[0]);
    r1 = mix(vs_A0, vec4(1.0), r1b);
    r0 = r0 + r1;
    r1b = notEqual(vs_B0, cb0.data[0]);
    r1 = mix(vs_B0, vec4(2.0), r1b);
    r0 = r0 + r1;
    r1b = lessThan(vs_I0, floatBitsToInt(cb0.data[1]));
    r1 = mix(cb0.data[0], vs_A0, r1b);
    r0 = r0 + r1;
    r1b = greaterThanEqual(vs_I0, floatBitsToInt(cb0.data[1].yxwz));
    r1 = mix(vs_A0, vs_B0, r1b);
    r0 = r0 + r1;
    r1b = equal(vs_I0, floatBitsToInt(cb0.data[1]));
    r1 = mix(vs_A0, vs_B0, r1b);
    r0 = r0 + r1;
    r1b = notEqual(vs_I0, ivec4(floatBitsToInt(cb0.data[1].w)));
    r1 = mix(vs_A0, vs_B0, r1b);
    r0 = r0 + r1;
    r1b = lessThan(vs_U0, floatBitsToUint(cb0.data[2]));
    r1 = mix(vs_A0, vs_B0, r1b);
    r0 = r0 + r1;
    r1b = greaterThanEqual(vs_U0, floatBitsToUint(cb0.data[2]));
    r1 = mix(vs_A0, cb0.data[0], r1b);
    r0 = r0 + r1;
    r1b = lessThan(vs_A0, vs_B0);
    r2b = notEqual(vs_I0, floatBitsToInt(cb0.data[1]));
    r1b = bvec4(r1b.x && r2b.x, r1b.y && r2b.y, r1b.z && r2b.z, r1b.w && r2b.w);
    r2b = greaterThanEqual(vs_U0, uvec4(floatBitsToUint(cb0.data[2].x)));
    r1b = bvec4(r1b.x || r2b.x, r1b.y || r2b.y, r1b.z || r2b.z, r1b.w || r2b.w);
    r2 = mix(vec4(0.0), vec4(1.5), r1b);
    r0 = r0 + r2;
    r1b.zw = bvec2(r1b.z && r1b.x, r1b.w && r1b.y);
    r1.x = r1b.y || r1b.x ? 1.0 : 2.0;
    SV_Target0.z = r0.z + r1.x;
    r0.z = float(r1b.w && r1b.z);
    SV_Target0.x = r0.z + r0.x;
    r0.x = dot(vs_A0, vs_A0);
    r0.x = r0.x != 0.0 ? 3.0 : 4.0;
    SV_Target0.y = r0.x + r0.y;
    SV_Target0.w = r0.w;
}
