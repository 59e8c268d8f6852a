#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D t0; // T

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

int dx_ftoi(float v) {
    if ((floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u) return 0;
    if (v >= 2147483648.0) return 0x7fffffff;
    return v > -2147483648.0 ? int(v) : int(0x80000000u);
}
ivec2 dx_ftoi(vec2 v) {
    return ivec2(dx_ftoi(v.x), dx_ftoi(v.y));
}
vec4 t0_ld(ivec2 p) {
    return all(lessThan(uvec2(p), uvec2(textureSize(t0, 0)))) ? texelFetch(t0, p, 0) : vec4(0.0);
}

void main() {
    vec4 r0;
    ivec4 r0i;
    vec4 r1;
    vec4 fragCoord = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);
    r0i.xy = dx_ftoi(fragCoord.xy);
    r0.z = 0.0;
    r0i.w = 0;
    r0 = t0_ld(r0i.xy);
    r1.y = dFdy(vs_A0.x);
    r1.z = dFdy(fragCoord.y);
    r1.w = float(gl_FrontFacing);
    r1.x = fragCoord.y;
    SV_Target0 = r0 + r1;
}
