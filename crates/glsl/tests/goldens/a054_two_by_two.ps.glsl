#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D t11_s0; // P, S
uniform sampler2D t11_s1; // P, S1
uniform sampler2D t12_s0; // Q, S
uniform sampler2D t12_s1; // Q, S1

in vec4 vs_C0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    r0 = texture(t11_s0, vs_C0.xy);
    r1 = texture(t11_s1, vs_C0.xy);
    r0 = r0 + r1;
    r1 = texture(t12_s0, vs_C0.zw);
    r0 = r0 + r1;
    r1 = texture(t12_s1, vs_C0.zw);
    SV_Target0 = r0 + r1;
}
