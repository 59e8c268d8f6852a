#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in float in_A0;
layout(location = 1) in vec2 in_B0;
layout(location = 2) in vec3 in_C0;
layout(location = 3) in float in_D0;
layout(location = 4) in vec2 in_E0;
layout(location = 5) in vec3 in_F0;
layout(location = 6) in vec4 in_G0;
layout(location = 7) in float in_H0;
layout(location = 8) in vec2 in_I0;
layout(location = 9) in vec3 in_J0;
layout(location = 10) in vec4 in_K0;
layout(location = 11) in float in_L0;

void main() {
    vec4 position;
    vec4 r0;
    ivec4 r0i;
    vec4 r1;
    uvec4 r1u;
    r0i = ivec4(in_F0.xyzz) + ivec4(in_G0);
    r0i = r0i + ivec4(in_E0.xyxy);
    r0i = r0i + int(in_D0);
    r0 = vec4(r0i);
    r1.xyz = in_C0;
    r1.w = in_A0;
    r1 = r1 + in_B0.xyxy;
    r0 = r0 + r1;
    r1u = uvec4(in_J0.xyzz) ^ uvec4(in_K0);
    r1u = r1u ^ uvec4(in_I0.xyxy);
    r1u = r1u ^ uint(in_H0);
    r1 = vec4(r1u);
    r0 = r0 + r1;
    position = uint(in_L0) != 0u ? r0 : -r0;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
