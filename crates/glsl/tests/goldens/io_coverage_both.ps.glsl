#version 300 es
#extension GL_OES_sample_variables : require
precision highp float;
precision highp int;

in vec4 vs_COLOR0;
layout(location = 0) out vec4 SV_Target0;

void main() {
    SV_Target0 = vs_COLOR0;
    gl_SampleMask[0] = int(uint(gl_SampleMaskIn[0]) & 5u);
}
