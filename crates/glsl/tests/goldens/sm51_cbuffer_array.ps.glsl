#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer3 { vec4 data[2]; } cb3; // C0: ka [0], u [1]
layout(std140) uniform ConstantBuffer6_space2 { vec4 data[4]; } cb6_space2; // mats: mats [0]
layout(std140) uniform ConstantBuffer7_space2 { vec4 data[4]; } cb7_space2; // mats: mats [0]
layout(std140) uniform ConstantBuffer8_space2 { vec4 data[4]; } cb8_space2; // mats: mats [0]
layout(std140) uniform ConstantBuffer9_space2 { vec4 data[4]; } cb9_space2; // mats: mats [0]
layout(std140) uniform ConstantBuffer10_space2 { vec4 data[4]; } cb10_space2; // mats: mats [0]
layout(std140) uniform ConstantBuffer1_space6 { vec4 data[1]; } cb1_space6; // one: one [0]

flat in uint vs_I0;
layout(location = 0) out vec4 SV_Target0;

vec4 cb6_space2_any(int which, int i) {
    if (which == 6 && uint(i) < 4u) return cb6_space2.data[i];
    if (which == 7 && uint(i) < 4u) return cb7_space2.data[i];
    if (which == 8 && uint(i) < 4u) return cb8_space2.data[i];
    if (which == 9 && uint(i) < 4u) return cb9_space2.data[i];
    if (which == 10 && uint(i) < 4u) return cb10_space2.data[i];
    return vec4(0.0);
}

void main() {
    vec4 r0;
    uint r0u;
    int r1i;
    uvec2 r1u;
    r0u = vs_I0;
    r0 = cb6_space2_any(int(r0u) + 6, 0) * cb8_space2.data[1].x + cb1_space6.data[0];
    r1i = floatBitsToInt(cb3.data[1].x);
    r0 = r0 + cb6_space2_any(r1i + 6, 3).xyzx;
    r1i = int(vs_I0) + 1;
    r1u.y = floatBitsToUint(cb3.data[1].y) & 1u;
    SV_Target0 = r0 + cb6_space2_any(r1i + 6, int(r1u.y) + 2).x;
}
