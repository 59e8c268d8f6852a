#version 300 es
precision highp float;
precision highp int;

in vec4 vs_A0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    bvec4 r0b;
    vec4 r1;
    r0b = lessThan(vec4(0.0, 1.0, 2.0, 3.0), vs_A0);
    r1 = r0b.x ? vec4(uintBitsToFloat(0x7fc00000u), uintBitsToFloat(0x7f800000u), uintBitsToFloat(0xff800000u), 0.0) : vec4(0.0, 0.0, uintBitsToFloat(0x7f7fffffu), uintBitsToFloat(0x800000u));
    r1 = r0b.y ? vec4(uintBitsToFloat(0x7f800001u), uintBitsToFloat(0xffffffffu), uintBitsToFloat(0xffc12345u), uintBitsToFloat(0xff7fffffu)) : r1;
    r1 = r0b.z ? vec4(0.4, 0.1, 16777216.0, 1e-7) : r1;
    SV_Target0 = r0b.w ? vec4(3.1415927, 1e20, uintBitsToFloat(0x80000000u), 123456.79) : r1;
}
