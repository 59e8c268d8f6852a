#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]

layout(location = 0) in vec4 in_POSITION0;
out vec4 vs_COLOR0;

vec4 position = vec4(0.0);
void dxbc_main() {
    vec4 r0;
    vec3 r1;
    ivec4 r1i;
    float r2;
    if (floatBitsToUint(cb0.data[1].x) == 0u) {
        position = in_POSITION0;
        vs_COLOR0 = cb0.data[0];
        return;
    }
    r0 = cb0.data[0];
    r1.z = in_POSITION0.z;
    r1i.w = 0;
    while (true) {
        if (r1i.w >= floatBitsToInt(cb0.data[1].y)) break;
        r2 = float(r1i.w);
        r0 = in_POSITION0 * r2 + r0;
        if (4.0 < r0.x) {
            position.xyw = in_POSITION0.xyw;
            position.z = 0.5;
            vs_COLOR0 = r0;
            return;
        }
        r1i.w = r1i.w + 1;
    }
    vs_COLOR0 = r0;
    r1.xy = in_POSITION0.xy * cb0.data[0].xy;
    if (floatBitsToUint(cb0.data[1].z) != 0u) {
        position.w = in_POSITION0.w;
        position.xyz = r1.xyz;
        vs_COLOR0 = in_POSITION0;
        return;
    }
    position.xyz = r1.xyz;
    position.w = in_POSITION0.w + 1.0;
}

void main() {
    vs_COLOR0 = vec4(0.0);
    dxbc_main();
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
