#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // C: n [0].x, sel [1]

in vec4 vs_COLOR0;
flat in uint vs_INDEX0;
layout(location = 0) out vec4 SV_Target0;

const vec4 icb[4] = vec4[4](
    vec4(1.0, 0.0, 0.0, 0.0),
    vec4(0.0, 1.0, 0.0, 0.0),
    vec4(0.0, 0.0, 1.0, 0.0),
    vec4(0.0, 0.0, 0.0, 1.0)
);
vec4 icb_at(int i) { return uint(i) < 4u ? icb[i] : vec4(0.0); }

void main() {
    int r0i;
    uint r0u;
    r0u = vs_INDEX0;
    SV_Target0.x = dot(vs_COLOR0, icb_at(int(r0u)));
    r0i = floatBitsToInt(cb0.data[0].x);
    SV_Target0.y = dot(vs_COLOR0, icb_at(r0i));
    r0i = floatBitsToInt(cb0.data[1].x);
    SV_Target0.w = dot(icb_at(r0i).wzyx, vs_COLOR0);
    SV_Target0.z = 0.0;
}
