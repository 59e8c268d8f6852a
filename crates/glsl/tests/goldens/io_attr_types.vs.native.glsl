#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in float in_A0;
layout(location = 1) in vec2 in_B0;
layout(location = 2) in vec3 in_C0;
layout(location = 3) in int in_D0;
layout(location = 4) in ivec2 in_E0;
layout(location = 5) in ivec3 in_F0;
layout(location = 6) in ivec4 in_G0;
layout(location = 7) in uint in_H0;
layout(location = 8) in uvec2 in_I0;
layout(location = 9) in uvec3 in_J0;
layout(location = 10) in uvec4 in_K0;
layout(location = 11) in uint in_L0;

void main() {
    vec4 position;
    vec4 r0;
    ivec4 r0i;
    vec4 r1;
    uvec4 r1u;
    r0i = in_F0.xyzz + in_G0;
    r0i = r0i + in_E0.xyxy;
    r0i = r0i + in_D0;
    r0 = vec4(r0i);
    r1.xyz = in_C0;
    r1.w = in_A0;
    r1 = r1 + in_B0.xyxy;
    r0 = r0 + r1;
    r1u = in_J0.xyzz ^ in_K0;
    r1u = r1u ^ in_I0.xyxy;
    r1u = r1u ^ in_H0;
    r1 = vec4(r1u);
    r0 = r0 + r1;
    position = in_L0 != 0u ? r0 : -r0;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
