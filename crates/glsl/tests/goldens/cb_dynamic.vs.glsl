#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer3 { vec4 data[124]; } cb3; // Dyn: arr [0], bones [16], lights [96], pick [115].yz, scal [116]

layout(location = 0) in vec4 in_POSITION0;
layout(location = 1) in float in_INDEX0;
layout(location = 2) in vec2 in_JNDEX0;

vec4 cb3_at(int i) { return uint(i) < 124u ? cb3.data[i] : vec4(0.0); }

void main() {
    vec4 position;
    vec4 r0;
    ivec2 r0i;
    uint r0u;
    vec4 r1;
    int r1i;
    uvec2 r1u;
    vec4 r2;
    r0u = uint(int(in_JNDEX0.y)) << 2u;
    r0i.y = int(uint(in_INDEX0)) << 2;
    r1.x = dot(in_POSITION0, cb3_at(r0i.y + 16));
    r1.y = dot(in_POSITION0, cb3_at(r0i.y + 17));
    r1.z = dot(in_POSITION0, cb3_at(r0i.y + 18));
    r1.w = dot(in_POSITION0, cb3_at(r0i.y + 19));
    r0i.y = r0i.y + int(in_JNDEX0.x);
    r1 = r1 + cb3_at(int(r0u) + 96);
    r0 = r1 + cb3_at(r0i.y + 97);
    r1i = int(in_JNDEX0.x) + 3;
    r1u.y = uint(in_INDEX0);
    r2 = cb3_at(r1i) + cb3_at(int(r1u.y));
    r1i = floatBitsToInt(cb3.data[115].z);
    r2 = r2 + cb3_at(r1i);
    r0 = r0 + r2;
    position = r0 + cb3_at(int(r1u.y) + 116).x;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
