#version 300 es
#extension GL_ANGLE_clip_cull_distance : require
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // Planes: plane [0]

layout(location = 0) in vec4 in_POSITION0;
out highp float gl_ClipDistance[4];
out highp float gl_CullDistance[3];

void main() {
    vec3 clipDistance0;
    float clipDistance3;
    vec4 position;
    vec3 cullDistance0;
    clipDistance0.x = dot(in_POSITION0, cb0.data[0]);
    clipDistance0.y = dot(in_POSITION0, cb0.data[1]);
    clipDistance3 = dot(in_POSITION0, cb0.data[2]);
    clipDistance0.z = in_POSITION0.x;
    position = in_POSITION0;
    cullDistance0 = in_POSITION0.yzw;
    gl_ClipDistance[0] = clipDistance0.x;
    gl_ClipDistance[1] = clipDistance0.y;
    gl_ClipDistance[2] = clipDistance0.z;
    gl_ClipDistance[3] = clipDistance3;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
    gl_CullDistance[0] = cullDistance0.x;
    gl_CullDistance[1] = cullDistance0.y;
    gl_CullDistance[2] = cullDistance0.z;
}
