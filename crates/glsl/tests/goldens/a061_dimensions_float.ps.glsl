#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;
precision highp sampler3D;

layout(std140) uniform ConstantBuffer0 { vec4 data[5]; } cb0; // K: off [0].xy, off4 [1], mip [4].z, bias [4].w
uniform sampler2D t0; // T
uniform sampler2DArray t1; // TA
uniform sampler3D t2; // T3
uniform uint t0_levels;
uniform uint t1_levels;
uniform uint t2_levels;

layout(location = 0) out vec4 SV_Target0;

uvec4 dx_resinfo(ivec3 size, ivec3 mip, uint level, uint levels) {
    ivec3 s = level < levels ? max(size >> (mip * int(level)), min(size, 1)) : ivec3(0);
    return uvec4(s, levels);
}

void main() {
    vec4 r0;
    vec4 r1;
    vec4 r2;
    r0 = vec4(dx_resinfo(textureSize(t2, 0), ivec3(1), 0u, t2_levels));
    r1.w = 0.0;
    r2 = vec4(dx_resinfo(ivec3(textureSize(t0, 0), 0), ivec3(1, 1, 0), floatBitsToUint(cb0.data[4].z), t0_levels));
    r1.xy = 1.0 / r2.xy;
    r1.z = r2.w;
    r0 = r0 + r1;
    r1 = vec4(dx_resinfo(textureSize(t1, 0), ivec3(1, 1, 0), 1u, t1_levels));
    r1.x = 1.0 / r1.x;
    SV_Target0 = r0 + r1;
}
