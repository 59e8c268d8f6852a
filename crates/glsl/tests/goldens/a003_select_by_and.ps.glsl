#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2]
uniform sampler2D t0; // T, S

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    r0 = texture(t0, vs_A0.xy);
    SV_Target0 = vs_A0.z < cb0.data[0].x ? r0 : vec4(0.0);
}
