#version 300 es
precision highp float;
precision highp int;

layout(location = 0) out vec4 SV_Target0;

void main() {
    vec4 fragCoord = vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w);
    SV_Target0.w = 1.0 / fragCoord.w;
    SV_Target0.xyz = fragCoord.www;
}
