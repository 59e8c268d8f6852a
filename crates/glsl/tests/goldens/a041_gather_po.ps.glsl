#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;

layout(std140) uniform ConstantBuffer0 { vec4 data[5]; } cb0; // K: off [0].xy, off4 [1], mip [4].z, bias [4].w
uniform sampler2D t0; // T, S
uniform sampler2DArray t1; // TA, S

in vec4 vs_C0;
layout(location = 0) out vec4 SV_Target0;

float dx_layer(float z) {
    return z >= 2147483648.0 ? 65535.0 : roundEven(z);
}
vec4 dx_gather4_at(vec2 size, vec2 uv, ivec2 offset) {
    vec2 p = floor(uv * size - 0.498046875) + vec2(offset);
    return vec4(p + 0.5, p + 1.5) / size.xyxy;
}
ivec2 dx_gather4_offset(ivec2 offset) {
    return (offset << 26) >> 26;
}
vec4 dx_gather4_x(highp sampler2D t, vec2 uv, ivec2 offset) {
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), uv, offset);
    return vec4(textureLod(t, p.xw, 0.0).x, textureLod(t, p.zw, 0.0).x, textureLod(t, p.zy, 0.0).x, textureLod(t, p.xy, 0.0).x);
}
vec4 dx_gather4_z(highp sampler2D t, vec2 uv, ivec2 offset) {
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), uv, offset);
    return vec4(textureLod(t, p.xw, 0.0).z, textureLod(t, p.zw, 0.0).z, textureLod(t, p.zy, 0.0).z, textureLod(t, p.xy, 0.0).z);
}
vec4 dx_gather4_y(highp sampler2DArray t, vec3 uv, ivec2 offset) {
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0).xy), uv.xy, offset);
    float i = dx_layer(uv.z);
    return vec4(textureLod(t, vec3(p.xw, i), 0.0).y, textureLod(t, vec3(p.zw, i), 0.0).y, textureLod(t, vec3(p.zy, i), 0.0).y, textureLod(t, vec3(p.xy, i), 0.0).y);
}

void main() {
    vec4 r0;
    ivec2 r0i;
    vec4 r1;
    ivec3 r1i;
    r0i.xy = floatBitsToInt(cb0.data[0].yx) << 1;
    r0 = dx_gather4_z(t0, vs_C0.xy, dx_gather4_offset(r0i.xy));
    r1 = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(floatBitsToInt(cb0.data[0].xy)));
    r0 = r0 + r1;
    r1.x = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(floatBitsToInt(cb0.data[1].xy))).x;
    r1.y = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(floatBitsToInt(cb0.data[2].xy))).y;
    r1.z = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(floatBitsToInt(cb0.data[3].xy))).z;
    r1.w = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(floatBitsToInt(cb0.data[4].xy))).w;
    r0 = r0 + r1;
    r1i.xyz = floatBitsToInt(cb0.data[0].xyx) + 1;
    r1 = dx_gather4_y(t1, vs_C0.xyz, dx_gather4_offset(r1i.xy));
    r0 = r0 + r1;
    r1 = dx_gather4_x(t0, vs_C0.xy, dx_gather4_offset(ivec2(20, -30)));
    SV_Target0 = r0 + r1;
}
