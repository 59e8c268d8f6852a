#version 310 es
// Medium precision, dual-source outputs left out, blocks with instances in arrays.
precision mediump float;
layout(location = 0) in vec2 uv;
layout(location = 1) in highp vec3 far;
layout(location = 0) out vec4 colour;
layout(std140, set = 0, binding = 0) uniform Tint { lowp vec4 tint; highp mat3 turn; } tints[3];
layout(set = 0, binding = 1) uniform lowp sampler2D picture;
void main() {
    mediump vec4 c = texture(picture, uv) * tints[1].tint;
    colour = c + vec4(tints[2].turn * far, 1.0);
}
