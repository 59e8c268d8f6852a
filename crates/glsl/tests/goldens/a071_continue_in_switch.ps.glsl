#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[2]; } cb0; // K: k [0], n [1], u [2]

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 r0;
    vec2 r1;
    ivec2 r1i;
    bvec3 r1b;
    vec4 r2;
    r0 = vs_A0;
    r1i.x = 0;
    while (true) {
        if (r1i.x >= floatBitsToInt(cb0.data[1].y)) break;
        r1i.y = r1i.x + floatBitsToInt(cb0.data[1].x);
        switch (r1i.y) {
        case 0:
            r2 = r0.yzwx + 1.0;
            r1b.y = false;
            break;
        case 4:
            r1b.z = 3.0 < r0.x;
            if (r1b.z) {
                r2 = r0.yzwx;
                r1b.y = true;
                break;
            }
            r2 = r0.yzwx - cb0.data[0].yzwx;
            r1b.y = r1b.z;
            break;
        case 5:
            r2 = r0.yzwx;
            r1b.y = true;
            break;
        default:
            r2 = r0.yzwx + r0.yzwx;
            r1b.y = false;
            break;
        }
        if (r1b.y) {
            r1i.y = r1i.x + 1;
            r0 = r2.wxyz;
            r1i.x = r1i.y;
            continue;
        }
        r1.y = float(r1i.x);
        r0.x = r1.y + r2.w;
        r1i.x = r1i.x + 1;
        r0.yzw = r2.xyz;
    }
    SV_Target0 = r0;
}
