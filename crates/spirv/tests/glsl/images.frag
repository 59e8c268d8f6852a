#version 460
// Every shape of sampler, sampled in every way.
layout(set = 0, binding = 0) uniform sampler1DArray lines;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow;
layout(set = 0, binding = 2) uniform sampler3D volume;
layout(set = 0, binding = 3) uniform samplerCubeArray cubes;
layout(set = 0, binding = 4) uniform isampler2DMS samples;
layout(set = 0, binding = 5) uniform samplerCubeShadow far;
layout(set = 0, binding = 6) uniform texture2DArray layers;
layout(set = 0, binding = 7) uniform sampler nearest;
layout(set = 0, binding = 8) uniform samplerShadow compare;
layout(set = 0, binding = 9) uniform textureBuffer texels;
layout(input_attachment_index = 1, set = 0, binding = 10) uniform subpassInput before;
layout(input_attachment_index = 2, set = 0, binding = 11) uniform isubpassInputMS many;
layout(set = 0, binding = 12) uniform sampler2D grid[3][2];
layout(location = 0) in vec4 t;
layout(location = 0) out vec4 colour;
void main() {
    colour = texture(lines, t.xy) + textureProj(volume, t) + textureLod(cubes, t, 2.0);
    colour += vec4(texture(shadow, t.xyz), texture(far, t), textureProj(shadow, t), 0.0);
    colour += texelFetch(samples, ivec2(t.xy), 3) + textureGrad(volume, t.xyz, t.yzx, t.zxy);
    colour += textureGather(sampler2DArray(layers, nearest), t.xyz, 2);
    colour += textureOffset(grid[2][1], t.xy, ivec2(-3, 4)) + texelFetch(texels, int(t.w));
    colour.x += texture(sampler2DArrayShadow(layers, compare), t);
    colour.y += float(textureQueryLevels(cubes) + textureSize(grid[0][0], 1).x);
    colour.zw += textureQueryLod(volume, t.xyz) + interpolateAtOffset(t.xy, vec2(0.25));
    colour += subpassLoad(before) + vec4(subpassLoad(many, 1)) + dFdxFine(t) + fwidthCoarse(t);
}
