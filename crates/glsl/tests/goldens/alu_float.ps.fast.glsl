#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[1]; } cb0; // K: k [0], ki [1], ku [2], kn [3].x

in vec4 vs_A0;
in vec4 vs_B0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec4 r1;
    vec4 r2;
    r0 = vs_A0 * vs_B0 + cb0.data[0];
    r1 = vs_A0 / vs_B0;
    r0 = r0 + r1;
    r1.x = dot(vs_A0.xy, vs_B0.xy);
    r1.y = dot(vs_A0.xyz, vs_B0.xyz);
    r1.z = dot(vs_A0, vs_B0);
    r1.w = vs_A0.x - vs_B0.y;
    r0 = r0 + r1;
    r0 = max(r0, vs_A0);
    r1 = min(vs_B0, cb0.data[0]);
    r0 = r0 + r1;
    r1 = sqrt(abs(vs_A0));
    r2 = inversesqrt(vs_B0);
    r1 = r1 + r2;
    r2 = exp2(vs_A0);
    r1 = r1 + r2;
    r2 = log2(vs_B0);
    r1 = r1 + r2;
    r0 = r0 + r1;
    r1 = fract(vs_A0);
    r2 = roundEven(vs_B0);
    r1 = r1 + r2;
    r2 = floor(vs_A0.wzyx);
    r1 = r1 + r2;
    r2 = ceil(vs_B0.yxwz);
    r1 = r1 + r2;
    r2 = trunc(vs_A0.xxyy);
    r1 = r1 + r2;
    r2 = 1.0 / vs_B0;
    r1 = r1 + r2;
    r0 = r0 + r1;
    r1 = clamp(r0 * cb0.data[0], 0.0, 1.0);
    r0 = clamp(r0, 0.0, 1.0);
    r2 = clamp(vs_A0 + vs_B0, 0.0, 1.0);
    r1 = r1 + r2;
    SV_Target0 = r0 + r1;
}
