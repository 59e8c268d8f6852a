#version 300 es
#extension GL_ANGLE_clip_cull_distance : require
precision highp float;
precision highp int;

layout(std140) uniform ConstantBuffer0 { vec4 data[3]; } cb0; // Planes: plane [0]

layout(location = 0) in vec4 in_POSITION0;
out highp float gl_ClipDistance[4];
out highp float gl_CullDistance[3];

void main() {
    vec3 clipDistanceSV_CLIPDISTANCE0;
    float clipDistanceSV_CLIPDISTANCE1;
    vec4 position;
    vec3 cullDistanceSV_CULLDISTANCE0;
    clipDistanceSV_CLIPDISTANCE0.x = dot(in_POSITION0, cb0.data[0]);
    clipDistanceSV_CLIPDISTANCE0.y = dot(in_POSITION0, cb0.data[1]);
    clipDistanceSV_CLIPDISTANCE1 = dot(in_POSITION0, cb0.data[2]);
    clipDistanceSV_CLIPDISTANCE0.z = in_POSITION0.x;
    position = in_POSITION0;
    cullDistanceSV_CULLDISTANCE0 = in_POSITION0.yzw;
    gl_ClipDistance[0] = clipDistanceSV_CLIPDISTANCE0.x;
    gl_ClipDistance[1] = clipDistanceSV_CLIPDISTANCE0.y;
    gl_ClipDistance[2] = clipDistanceSV_CLIPDISTANCE0.z;
    gl_ClipDistance[3] = clipDistanceSV_CLIPDISTANCE1;
    gl_Position = vec4(position.xy, 2.0 * position.z - position.w, position.w);
    gl_CullDistance[0] = cullDistanceSV_CULLDISTANCE0.x;
    gl_CullDistance[1] = cullDistanceSV_CULLDISTANCE0.y;
    gl_CullDistance[2] = cullDistanceSV_CULLDISTANCE0.z;
}
