#version 300 es
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // K: k [0], ki [1], ku [2]

layout(location = 0) in vec4 in_POSITION0;
flat out ivec3 vs_I0;
out float vs_F0;
flat out uvec2 vs_U0;
out vec2 vs_S0;

void main() {
    vec4 position;
    position = in_POSITION0;
    vs_I0.x = gl_InstanceID;
    vs_I0.y = -1;
    vs_I0.z = floatBitsToInt(cb0.data[1].x);
    vs_F0 = in_POSITION0.x;
    vs_U0 = uint(gl_InstanceID) * floatBitsToUint(cb0.data[2].xy);
    vs_S0 = in_POSITION0.zw;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
}
