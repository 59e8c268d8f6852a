#version 300 es
#extension GL_NV_shader_noperspective_interpolation : require
#extension GL_OES_shader_multisample_interpolation : require
precision highp float;
precision highp int;

in vec4 vs_A0;
noperspective in vec4 vs_B0;
centroid in vec4 vs_C0;
noperspective centroid in vec2 vs_D0;
sample in vec2 vs_E0;
noperspective sample in vec3 vs_F0;
flat in vec4 vs_G0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    r0 = vs_A0 + vs_B0;
    r0 = r0 + vs_C0;
    r0 = r0 + vs_D0.xyxy;
    r0 = r0 + vs_E0.xyxy;
    r0 = r0 + vs_F0.xyzz;
    SV_Target0 = r0 + vs_G0;
}
