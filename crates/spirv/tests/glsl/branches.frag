#version 460
// Control flow: nested loops, switches that fall through, early ends, and functions with inout parameters.
layout(location = 0) in vec4 a;
layout(location = 1) flat in ivec3 n;
layout(location = 2) centroid in vec2 uv;
layout(location = 3) sample in float s;
layout(location = 0) out vec4 first;
layout(location = 1) out uvec2 second;
layout(std140, set = 1, binding = 2) uniform Weights { vec4 w[8]; mat3x2 m[4]; bool on; } weights;
void twist(inout vec4 v, const int k, out float left) {
    if (k == 0) { left = v.x; return; }
    v = v.yzwx * weights.w[k & 7];
    left = v.w;
}
int steps(int from) {
    int count = 0;
    for (int i = from; i < 10; ++i) {
        if (i == n.y) continue;
        for (int j = i; j > 0; j -= 2) { count += j; if (count > 100) break; }
        if (count > 200) return count;
    }
    do { ++count; } while (count % 7 != 0);
    return count;
}
void main() {
    vec4 v = a;
    float left = 0.0;
    switch (n.x) {
        case -3: v = -v;
        case 0: twist(v, n.z, left); break;
        case 2: { twist(v.wzyx, 1, left); v += left; } break;
        default: if (uv.x < 0.0) discard; v = vec4(steps(n.z));
    }
    vec4 table[4] = vec4[4](v, v * 2.0, vec4(uv, weights.m[n.x & 3][1]), vec4(s));
    first = weights.on ? table[n.y & 3] : mix(table[0], table[1], step(0.5, v));
    second = uvec2(bitfieldExtract(uint(n.x), 3, 5), packHalf2x16(v.xy));
    second.x += uint(floatBitsToInt(left));
}
