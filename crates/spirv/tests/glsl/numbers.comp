#version 460
// Numbers of every width, in blocks and in registers.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
struct Mixed { float16_t half_; int8_t small; uint16_t words[3]; f16vec4 v; double wide; dmat3 turn; };
layout(std430, set = 0, binding = 0) buffer Data { Mixed mixed[]; } data;
layout(std430, set = 0, binding = 1) readonly buffer Longs { int64_t a; u64vec2 b; i8vec4 c[5]; } longs;
layout(constant_id = 0) const uint N = 3;
layout(constant_id = 1) const double D = 1.5;
const uint TWICE = 2u * N;
void main() {
    uint i = gl_GlobalInvocationID.x % TWICE;
    Mixed m = data.mixed[i];
    m.v = f16vec4(m.half_) * float16_t(2.0hf) + f16vec4(longs.c[1]);
    m.wide = dot(m.turn * dvec3(D), dvec3(m.wide)) + double(longs.a);
    m.words[i % 3u] = uint16_t(longs.b.y >> 3);
    m.small = int8_t(findMSB(int(m.small)));
    data.mixed[i] = m;
}
