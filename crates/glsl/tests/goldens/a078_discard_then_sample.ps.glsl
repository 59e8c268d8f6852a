#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], n [1], u [2]
uniform sampler2D t0; // T, S

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    bool discarded = false;
    vec4 r0;
    float r1;
    vec4 r2;
    if (vs_A0.w < cb0.data[0].w) {
        discarded = true;
    }
    r0 = texture(t0, vs_A0.xy);
    r1 = r0.w - 0.5;
    if (r1 < 0.0) {
        discarded = true;
    }
    r1 = dFdx(vs_A0.z);
    r2 = texture(t0, r0.xy);
    SV_Target0 = r0 * r1 + r2;
    if (discarded) discard;
}
