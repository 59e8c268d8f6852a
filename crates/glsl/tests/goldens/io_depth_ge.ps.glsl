#version 300 es
#extension GL_OES_shader_multisample_interpolation : require
precision highp float;
precision highp int;

layout(location = 0) out vec4 SV_Target0;

float dx_max_num(float a, float b) {
    return a >= b ? a : b;
}

void main() {
    vec4 fragCoord = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);
    SV_Target0 = fragCoord;
    gl_FragDepth = dx_max_num(fragCoord.z + 0.25, gl_FragCoord.z);
}
