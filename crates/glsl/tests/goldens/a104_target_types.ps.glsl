#version 300 es
precision highp float;
precision highp int;

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;
layout(location = 1) out uvec4 SV_Target1;
layout(location = 2) out ivec4 SV_Target2;
layout(location = 3) out vec4 SV_Target3;

int dx_ftoi(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0;
    if (v >= 2147483648.0) return 0x7fffffff;
    return v > -2147483648.0 ? int(v) : int(0x80000000u);
}
ivec2 dx_ftoi(vec2 v) {
    return ivec2(dx_ftoi(v.x), dx_ftoi(v.y));
}
uint dx_ftou(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0u;
    if (v >= 4294967296.0) return 0xffffffffu;
    return v > 0.0 ? uint(v) : 0u;
}

void main() {
    SV_Target0 = vec4(0.0);
    SV_Target1 = uvec4(0u);
    SV_Target2 = ivec4(0);
    SV_Target3 = vec4(0.0);
    SV_Target0.x = vs_A0.x;
    SV_Target1.x = dx_ftou(vs_A0.y);
    SV_Target2.xy = dx_ftoi(vs_A0.zw);
    SV_Target3.xyz = vs_A0.xyz;
}
