#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // C: idx [0].x, idx2 [0].y

layout(location = 0) in vec4 in_POSITION0;
layout(location = 1) in float in_SEL0;
out vec4 vs_TEXCOORD0;
out vec4 vs_TEXCOORD1;
out vec4 vs_TEXCOORD2;
out vec4 vs_TEXCOORD3;
out vec2 vs_ZED0;
out vec2 vs_ZED1;
out vec2 vs_ZED2;

vec4 outputs0[4];

void main() {
    vec4 position;
    vec4 r0;
    int r0i;
    uint r0u;
    vec4 x0[3];
    outputs0[0] = vec4(0.0);
    outputs0[1] = vec4(0.0);
    outputs0[2] = vec4(0.0);
    outputs0[3] = vec4(0.0);
    outputs0[0] = vec4(0.0);
    outputs0[1] = in_POSITION0;
    r0 = in_POSITION0 + in_POSITION0;
    outputs0[2] = r0;
    r0 = in_POSITION0 * 3.0;
    outputs0[3] = r0;
    x0[2].y = 0.0;
    x0[1].y = 0.0;
    x0[0].y = 0.0;
    r0u = uint(in_SEL0) & 3u;
    outputs0[int(r0u)] = vec4(1.0, 2.0, 3.0, 4.0);
    r0i = floatBitsToInt(cb0.data[0].y);
    if (uint(r0i) < 3u) {
        x0[r0i].y = in_POSITION0.z;
    }
    r0.y = x0[0].y;
    r0.xz = vec2(0.0);
    vs_ZED0 = r0.xy;
    r0.w = x0[1].y;
    r0.y = x0[2].y;
    vs_ZED1 = r0.zw;
    r0.x = 0.0;
    vs_ZED2 = r0.xy;
    position = in_POSITION0;
    vs_TEXCOORD0 = outputs0[0].xyzw;
    vs_TEXCOORD1 = outputs0[1].xyzw;
    vs_TEXCOORD2 = outputs0[2].xyzw;
    vs_TEXCOORD3 = outputs0[3].xyzw;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
