// How much of the selected light reaches a place, 0 to 1. Include behind pack_abi.glsl.
float packShadow(vec3 world, float eyeDistance) {
    uvec4 tf = directionalShadow.uShadowTextureAndFlags;
    if ((tf.w & 1u) == 0u || tf.x == PACK_NO_TEXTURE) return 1.0;
    uint cascade = 0u;
    while (cascade + 1u < tf.y && eyeDistance > directionalShadow.uShadowSplitFarMeters[cascade]) ++cascade;
    vec4 clip = directionalShadow.uShadowWorldToClip[cascade] * vec4(world, 1.0);
    vec2 uv = vec2(clip.x * 0.5 + 0.5, 0.5 - clip.y * 0.5);
    int radius = int((tf.w >> 8) & 15u);
    float lit = 0.0;
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            vec2 at = uv + vec2(x, y) / float(tf.z);
            float nearest = texture(uTextures[nonuniformEXT(tf.x)], vec3(at, float(cascade))).r;
            lit += clip.z <= nearest ? 1.0 : 0.0;
        }
    }
    float taps = float((2 * radius + 1) * (2 * radius + 1));
    return mix(1.0, lit / taps, directionalShadow.uShadowControl.x);
}
