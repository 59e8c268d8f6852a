//! Templates of the texture helpers: gathers, levels of detail and sizes.

// Drivers convert to an int before they clamp, which makes a negative number of what is too large. NaN is layer 0.
pub(in crate::helpers) const LAYER: &str = "\
float dx_layer(float z) {
    return z >= 2147483648.0 ? 65535.0 : roundEven(z);
}
";

// The lower left (xy) and upper right (zw) texel centres of the bilinear footprint, normalised. Texel space is
// fixed point with 8 bits of fraction in Direct3D, rounded to nearest: hence the 1/512 before the floor, without
// which a coordinate right on a texel centre falls to either side.
pub(in crate::helpers) const GATHER4_AT: &str = "\
vec4 dx_gather4_at(vec2 size, vec2 uv, ivec2 offset) {
    vec2 p = floor(uv * size - 0.498046875) + vec2(offset);
    return vec4(p + 0.5, p + 1.5) / size.xyxy;
}
";

pub(in crate::helpers) const GATHER4_OFFSET: &str = "\
ivec2 dx_gather4_offset(ivec2 offset) {
    return (offset << 26) >> 26;
}
";

// Faces in the order of the API: +X, -X, +Y, -Y, +Z, -Z. Ties go to Z, then Y.
pub(in crate::helpers) const CUBE_FACE: &str = "\
int dx_cube_face(vec3 d) {
    vec3 a = abs(d);
    if (a.z >= a.x && a.z >= a.y) return d.z < 0.0 ? 5 : 4;
    if (a.y >= a.x) return d.y < 0.0 ? 3 : 2;
    return d.x < 0.0 ? 1 : 0;
}
";

// xy: along the face's u and v; z: along its axis.
pub(in crate::helpers) const CUBE_LOCAL: &str = "\
vec3 dx_cube_local(vec3 d, int face) {
    if (face > 3) return face == 4 ? vec3(d.x, -d.y, d.z) : vec3(-d.x, -d.y, -d.z);
    if (face > 1) return face == 2 ? d.xzy : vec3(d.x, -d.z, -d.y);
    return face == 0 ? vec3(-d.z, -d.y, d.x) : vec3(d.z, -d.y, -d.x);
}
";

// The direction of a point of a face. A point beyond an edge is folded onto the next face, so that a texel centre
// stays a texel centre.
pub(in crate::helpers) const CUBE_DIRECTION: &str = "\
vec3 dx_cube_direction(vec2 p, int face) {
    vec2 q = clamp(p, -1.0, 1.0);
    vec2 over = abs(p - q);
    float m = 1.0 - over.x - over.y;
    if (face > 3) return face == 4 ? vec3(q.x, -q.y, m) : vec3(-q.x, -q.y, -m);
    if (face > 1) return face == 2 ? vec3(q.x, m, q.y) : vec3(q.x, -m, -q.y);
    return face == 0 ? vec3(m, -q.y, -q.x) : vec3(-m, -q.y, q.x);
}
";

// Three faces meet at a corner: the fourth texel is the mean of the three that exist.
pub(in crate::helpers) const GATHER4_CORNER: &str = "\
vec4 dx_gather4_corner(vec4 g, vec4 p) {
    bvec4 b = greaterThan(abs(p), vec4(1.0));
    bvec4 c = bvec4(b.x && b.w, b.z && b.w, b.z && b.y, b.x && b.y);
    vec4 h = mix(g, vec4(0.0), c);
    return mix(g, vec4((h.x + h.y + h.z + h.w) / 3.0), c);
}
";

/// `dx_gather4_<channel>` of a 2D sampler.
macro_rules! gather4_2d {
    ($vec:literal, $sampler:literal, $channel:literal) => {
        concat!(
            $vec,
            " dx_gather4_",
            $channel,
            "(highp ",
            $sampler,
            " t, vec2 uv, ivec2 offset) {\n",
            "    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), uv, offset);\n",
            "    return ",
            $vec,
            "(textureLod(t, p.xw, 0.0).",
            $channel,
            ", textureLod(t, p.zw, 0.0).",
            $channel,
            ", textureLod(t, p.zy, 0.0).",
            $channel,
            ", textureLod(t, p.xy, 0.0).",
            $channel,
            ");\n}\n",
        )
    };
}
pub(in crate::helpers) use gather4_2d;

/// `dx_gather4_<channel>` of a 2D array sampler.
macro_rules! gather4_array {
    ($vec:literal, $sampler:literal, $channel:literal) => {
        concat!(
            $vec,
            " dx_gather4_",
            $channel,
            "(highp ",
            $sampler,
            " t, vec3 uv, ivec2 offset) {\n",
            "    vec4 p = dx_gather4_at(vec2(textureSize(t, 0).xy), uv.xy, offset);\n",
            "    float i = dx_layer(uv.z);\n",
            "    return ",
            $vec,
            "(textureLod(t, vec3(p.xw, i), 0.0).",
            $channel,
            ", textureLod(t, vec3(p.zw, i), 0.0).",
            $channel,
            ", textureLod(t, vec3(p.zy, i), 0.0).",
            $channel,
            ", textureLod(t, vec3(p.xy, i), 0.0).",
            $channel,
            ");\n}\n",
        )
    };
}
pub(in crate::helpers) use gather4_array;

/// `dx_gather4_<channel>` of a cube sampler; `$open` and `$close` go round the four texels.
macro_rules! gather4_cube {
    ($vec:literal, $sampler:literal, $channel:literal, $open:literal, $close:literal) => {
        concat!(
            $vec, " dx_gather4_", $channel, "(highp ", $sampler, " t, vec3 d) {\n",
            "    int f = dx_cube_face(d);\n",
            "    vec3 l = dx_cube_local(d, f);\n",
            "    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), l.xy / l.z * 0.5 + 0.5, ivec2(0)) * 2.0 - 1.0;\n",
            "    return ", $open, $vec,
            "(textureLod(t, dx_cube_direction(p.xw, f), 0.0).", $channel,
            ", textureLod(t, dx_cube_direction(p.zw, f), 0.0).", $channel,
            ", textureLod(t, dx_cube_direction(p.zy, f), 0.0).", $channel,
            ", textureLod(t, dx_cube_direction(p.xy, f), 0.0).", $channel, ")", $close, ";\n}\n",
        )
    };
}
pub(in crate::helpers) use gather4_cube;

// A sampler that filters gives a weighted mean even at a texel centre, up to the rounding of the coordinate; one
// comparison is 0 or 1. Zero gradients stand for level 0 where GLSL ES 3.00 has no `textureLod`.
pub(in crate::helpers) const GATHER4_C_2D: &str = "\
vec4 dx_gather4_c(highp sampler2DShadow t, vec2 uv, ivec2 offset, float ref) {
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), uv, offset);
    return step(0.5, vec4(textureLod(t, vec3(p.xw, ref), 0.0), textureLod(t, vec3(p.zw, ref), 0.0),
        textureLod(t, vec3(p.zy, ref), 0.0), textureLod(t, vec3(p.xy, ref), 0.0)));
}
";

pub(in crate::helpers) const GATHER4_C_2D_ARRAY: &str = "\
vec4 dx_gather4_c(highp sampler2DArrayShadow t, vec3 uv, ivec2 offset, float ref) {
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0).xy), uv.xy, offset);
    vec2 i = vec2(dx_layer(uv.z), ref);
    vec2 z = vec2(0.0);
    return step(0.5, vec4(textureGrad(t, vec4(p.xw, i), z, z), textureGrad(t, vec4(p.zw, i), z, z),
        textureGrad(t, vec4(p.zy, i), z, z), textureGrad(t, vec4(p.xy, i), z, z)));
}
";

pub(in crate::helpers) const GATHER4_C_CUBE: &str = "\
vec4 dx_gather4_c(highp samplerCubeShadow t, vec3 d, float ref) {
    int f = dx_cube_face(d);
    vec3 l = dx_cube_local(d, f);
    vec4 p = dx_gather4_at(vec2(textureSize(t, 0)), l.xy / l.z * 0.5 + 0.5, ivec2(0)) * 2.0 - 1.0;
    vec3 z = vec3(0.0);
    return dx_gather4_corner(step(0.5, vec4(textureGrad(t, vec4(dx_cube_direction(p.xw, f), ref), z, z),
        textureGrad(t, vec4(dx_cube_direction(p.zw, f), ref), z, z),
        textureGrad(t, vec4(dx_cube_direction(p.zy, f), ref), z, z),
        textureGrad(t, vec4(dx_cube_direction(p.xy, f), ref), z, z))), p);
}
";

// The isotropic rule. `coord` is in texels of level 0.
pub(in crate::helpers) const LOD: &str = "\
vec4 dx_lod($F coord, float last) {
    $F dx = dFdx(coord);
    $F dy = dFdy(coord);
    float level = 0.5 * dx_log2(max(dot(dx, dx), dot(dy, dy)));
    return vec4(clamp(level, 0.0, last), level, 0.0, 0.0);
}
";

// The derivative of the face coordinate xy / z, by the quotient rule.
pub(in crate::helpers) const LOD_CUBE: &str = "\
vec4 dx_lod_cube(vec3 d, float size, float last) {
    int f = dx_cube_face(d);
    vec3 l = dx_cube_local(d, f);
    vec3 lx = dx_cube_local(dFdx(d), f);
    vec3 ly = dx_cube_local(dFdy(d), f);
    float scale = 0.5 * size / (l.z * l.z);
    vec2 dx = (lx.xy * l.z - l.xy * lx.z) * scale;
    vec2 dy = (ly.xy * l.z - l.xy * ly.z) * scale;
    float level = 0.5 * dx_log2(max(dot(dx, dx), dot(dy, dy)));
    return vec4(clamp(level, 0.0, last), level, 0.0, 0.0);
}
";

// An axis that the resource has not has size 0 and keeps it; one that levels do not halve has `mip` 0.
pub(in crate::helpers) const RESINFO: &str = "\
uvec4 dx_resinfo(ivec3 size, ivec3 mip, uint level, uint levels) {
    ivec3 s = level < levels ? max(size >> (mip * int(level)), min(size, 1)) : ivec3(0);
    return uvec4(s, levels);
}
";

pub(in crate::helpers) const RESINFO_RCP: &str = "\
vec4 dx_resinfo_rcp(ivec3 size, ivec3 mip, uint level, uint levels) {
    uvec4 s = dx_resinfo(size, mip, level, levels);
    float inf = uintBitsToFloat(0x7f800000u);
    vec3 r = mix(1.0 / vec3(s.xyz), vec3(inf), equal(s.xyz, uvec3(0u)));
    return vec4(mix(vec3(s.xyz), r, equal(mip, ivec3(1))), float(s.w));
}
";
