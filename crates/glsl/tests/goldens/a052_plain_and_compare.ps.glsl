#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;

uniform sampler2D t0; // T, S
uniform sampler2DShadow t0_cmp; // T, SC

in vec4 vs_C0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec2 r1;
    r0 = texture(t0, vs_C0.xy);
    r1.x = textureLod(t0_cmp, vs_C0.xyz, 0.0);
    r1.y = texture(t0_cmp, vec3(vs_C0.xy, 0.5));
    SV_Target0 = r0 * r1.x + r1.y;
}
