#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;
precision highp sampler3D;

layout(std140) uniform ConstantBuffer0 { vec4 data[5]; } cb0; // K: off [0].xy, off4 [1], mip [4].z, bias [4].w
uniform sampler2D t0; // T, S
uniform sampler2DArray t1; // TA, S
uniform sampler3D t2; // T3, S
uniform sampler2D t5; // T1, S
uniform sampler2DArray t6; // T1A, S

in vec4 vs_C0;
in vec4 vs_D0;
layout(location = 0) out vec4 SV_Target0;

float dx_layer(float z) {
    return z >= 2147483648.0 ? 65535.0 : roundEven(z);
}

void main() {
    vec4 r0;
    vec4 r1;
    r0 = textureOffset(t0, vs_C0.xy, ivec2(1, -1));
    r1 = textureLodOffset(t0, vs_C0.xy, vs_C0.z, ivec2(-8, 7));
    r0 = r0 + r1;
    r1 = textureOffset(t0, vs_C0.xy, ivec2(0, 3), cb0.data[4].w);
    r0 = r0 + r1;
    r1 = textureGradOffset(t0, vs_C0.xy, vs_D0.xy, vs_D0.zw, ivec2(2));
    r0 = r0 + r1;
    r1 = textureOffset(t1, vec3(vs_C0.xy, dx_layer(vs_C0.z)), ivec2(-3, 4));
    r0 = r0 + r1;
    r1 = textureOffset(t2, vs_C0.xyz, ivec3(1, 2, -3));
    r0 = r0 + r1;
    r1 = textureOffset(t5, vec2(vs_C0.x, 0.5), ivec2(5, 0));
    r0 = r0 + r1;
    r1 = textureLodOffset(t6, vec3(vs_C0.x, 0.5, dx_layer(vs_C0.y)), 0.0, ivec2(-6, 0));
    SV_Target0 = r0 + r1;
}
