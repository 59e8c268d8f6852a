#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D t11; // P, S1
uniform sampler2D t12; // Q
uniform uint t12_levels;

in vec4 vs_C0;
layout(location = 0) out vec4 SV_Target0;

int dx_ftoi(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0;
    if (v >= 2147483648.0) return 0x7fffffff;
    return v > -2147483648.0 ? int(v) : int(0x80000000u);
}
ivec4 dx_ftoi(vec4 v) {
    return ivec4(dx_ftoi(v.x), dx_ftoi(v.y), dx_ftoi(v.z), dx_ftoi(v.w));
}
vec4 t11_ld(ivec2 p) {
    return all(lessThan(uvec2(p), uvec2(textureSize(t11, 0)))) ? texelFetch(t11, p, 0) : vec4(0.0);
}
vec4 t12_ld(ivec2 p, int level) {
    if (uint(level) >= t12_levels || any(greaterThanEqual(uvec2(p), uvec2(max(textureSize(t12, 0) >> level, 1))))) return vec4(0.0);
    return texelFetch(t12, p, level);
}

void main() {
    vec4 r0;
    ivec4 r0i;
    vec4 r1;
    ivec4 r1i;
    vec4 r2;
    r0.z = 0.0;
    r0i.w = 0;
    r1i = dx_ftoi(vs_C0.zwxy);
    r0i.xy = r1i.zw;
    r0 = t11_ld(r0i.xy);
    r2 = texture(t11, vs_C0.xy);
    r0 = r0 + r2;
    r1.z = uintBitsToFloat(0x1u);
    r1i.w = 1;
    r1 = t12_ld(r1i.xy, r1i.w);
    SV_Target0 = r0 + r1;
}
