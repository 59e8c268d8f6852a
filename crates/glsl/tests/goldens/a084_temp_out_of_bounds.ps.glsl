#version 300 es
precision highp float;
precision highp int;

in vec4 vs_COLOR0;
flat in int vs_INDEX0;
layout(location = 0) out vec4 SV_Target0;

vec4 x0[2];
vec4 x0_at(int i) { return uint(i) < 2u ? x0[i] : vec4(0.0); }

void main() {
    vec4 r0;
    ivec2 r0i;
    vec4 r1;
    x0[0] = vs_COLOR0;
    x0[1] = -vs_COLOR0;
    r0i.xy = vs_INDEX0 + ivec2(-5, 100);
    if (uint(r0i.x) < 2u) {
        x0[r0i.x] = vec4(8.0);
    }
    r0 = x0_at(r0i.y);
    r1 = x0[0];
    SV_Target0 = r0 + r1;
}
