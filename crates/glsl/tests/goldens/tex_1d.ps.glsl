#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;

uniform sampler2D t0; // f1, S
uniform sampler2DArray t1; // f1a, S
uniform uint t1_levels;

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
float dx_layer(float z) {
    return z >= 2147483648.0 ? 65535.0 : roundEven(z);
}
vec4 t1_ld(ivec3 p, int level) {
    if (uint(level) >= t1_levels || any(greaterThanEqual(uvec3(p), uvec3(max(textureSize(t1, 0) >> ivec3(level, level, 0), 1))))) return vec4(0.0);
    return texelFetch(t1, p, level);
}

void main() {
    vec4 r0;
    vec4 r1;
    ivec4 r1i;
    r0 = textureLod(t0, vec2(vs_C0.x, 0.5), vs_C0.y);
    r1 = textureGrad(t1, vec3(vs_C0.x, 0.5, dx_layer(vs_C0.y)), vec2(vs_C0.z, 0.0), vec2(vs_C0.w, 0.0));
    r0 = r0 + r1;
    r1 = texture(t0, vec2(vs_C0.y, 0.5), -1.0);
    r0 = r0 + r1;
    r1i = dx_ftoi(vs_C0.xyzz);
    r1 = t1_ld(ivec3(r1i.x, 0, r1i.y), r1i.w);
    SV_Target0 = r0 + r1;
}
