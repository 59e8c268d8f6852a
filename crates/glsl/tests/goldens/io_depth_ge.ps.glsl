#version 300 es
#extension GL_OES_shader_multisample_interpolation : require
precision highp float;
precision highp int;

layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 fragCoord = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);
    SV_Target0 = fragCoord;
    gl_FragDepth = fragCoord.z + 0.25;
}
