#version 460
// from 1.3
// Subgroups, shared memory, images that are loaded, stored and counted in.
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba16f) uniform readonly image2D source;
layout(set = 0, binding = 1, r32ui) uniform coherent uimage2DArray counters;
layout(set = 0, binding = 2, r32f) uniform writeonly imageBuffer sums;
layout(std430, set = 0, binding = 3) restrict buffer Result { uint count; float sums[]; } result[2];
shared float partial[64];
void main() {
    uint i = gl_LocalInvocationIndex;
    vec4 texel = imageLoad(source, ivec2(gl_GlobalInvocationID.xy));
    float sum = subgroupAdd(dot(texel, vec4(0.25)));
    uvec4 vote = subgroupBallot(texel.x > 0.5);
    partial[i] = subgroupShuffleXor(sum, 1u);
    memoryBarrierShared();
    barrier();
    if (subgroupElect()) {
        imageAtomicAdd(counters, ivec3(0, 0, int(i)), subgroupBallotBitCount(vote));
        imageStore(sums, int(i), vec4(partial[i ^ 1u]));
        uint at = atomicAdd(result[1].count, 1u);
        atomicMax(result[0].count, at);
        result[1].sums[at] = sum;
    }
}
