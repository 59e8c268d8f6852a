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

in vec4 vs_C0;
in vec4 vs_D0;
layout(location = 0) out vec4 SV_Target0;

float dx_layer(float z) {
    return z >= 2147483648.0 ? 65535.0 : roundEven(z);
}

void main() {
    vec4 r0;
    vec4 r1;
    r0 = texture(t0, vs_C0.xy);
    r1 = textureLod(t0, vs_C0.xy, vs_C0.z);
    r0 = r0 + r1;
    r1 = texture(t0, vs_C0.xy, cb0.data[4].w);
    r0 = r0 + r1;
    r1 = textureGrad(t0, vs_C0.xy, vs_D0.xy, vs_D0.zw);
    r0 = r0 + r1;
    r1 = textureLod(t1, vec3(vs_C0.xy, dx_layer(vs_C0.z)), 2.0);
    r0 = r0 + r1;
    r1 = texture(t1, vec3(vs_C0.xy, dx_layer(vs_C0.z)), -0.5);
    r0 = r0 + r1;
    r1 = textureGrad(t1, vec3(vs_C0.xy, dx_layer(vs_C0.z)), vs_D0.xy, vs_D0.zw);
    r0 = r0 + r1;
    r1 = textureLod(t2, vs_C0.xyz, vs_C0.w);
    r0 = r0 + r1;
    r1 = texture(t2, vs_C0.xyz, 1.0);
    r0 = r0 + r1;
    r1 = textureGrad(t2, vs_C0.xyz, vs_D0.xyz, vs_D0.yzw);
    SV_Target0 = r0 + r1;
}
