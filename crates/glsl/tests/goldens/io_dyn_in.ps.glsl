#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // C: idx [0].x, idx2 [0].y

in vec4 vs_TEXCOORD0;
in vec4 vs_TEXCOORD1;
in vec4 vs_TEXCOORD2;
in vec4 vs_TEXCOORD3;
in vec2 vs_ZED0;
in vec2 vs_ZED1;
in vec2 vs_ZED2;
layout(location = 0) out vec4 SV_Target0;

vec4 inputs0[4];
vec4 inputs0_at(int i) { return uint(i) < 4u ? inputs0[i] : vec4(0.0); }
vec4 inputs1[3];
vec4 inputs1_at(int i) { return uint(i) < 3u ? inputs1[i] : vec4(0.0); }

void main() {
    ivec2 r0i;
    inputs0[0].x = vs_TEXCOORD0.x;
    inputs0[0].y = vs_TEXCOORD0.y;
    inputs0[0].z = vs_TEXCOORD0.z;
    inputs0[0].w = vs_TEXCOORD0.w;
    inputs0[1].x = vs_TEXCOORD1.x;
    inputs0[1].y = vs_TEXCOORD1.y;
    inputs0[1].z = vs_TEXCOORD1.z;
    inputs0[1].w = vs_TEXCOORD1.w;
    inputs0[2].x = vs_TEXCOORD2.x;
    inputs0[2].y = vs_TEXCOORD2.y;
    inputs0[2].z = vs_TEXCOORD2.z;
    inputs0[2].w = vs_TEXCOORD2.w;
    inputs0[3].x = vs_TEXCOORD3.x;
    inputs0[3].y = vs_TEXCOORD3.y;
    inputs0[3].z = vs_TEXCOORD3.z;
    inputs0[3].w = vs_TEXCOORD3.w;
    inputs1[0].x = vs_ZED0.x;
    inputs1[0].y = vs_ZED0.y;
    inputs1[1].x = vs_ZED1.x;
    inputs1[1].y = vs_ZED1.y;
    inputs1[2].x = vs_ZED2.x;
    inputs1[2].y = vs_ZED2.y;
    r0i.xy = floatBitsToInt(cb0.data[0].xy);
    SV_Target0 = inputs0_at(r0i.x) + inputs1_at(r0i.y).xyxy;
}
