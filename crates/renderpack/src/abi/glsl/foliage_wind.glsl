// Where the wind carries a vertex of foliage. A mesh and its shadow casters call this with the same arguments, so
// that a leaf's shadow moves with the leaf.
const uint PACK_FOLIAGE_CUTOUT = 0x2u;
const uint PACK_FOLIAGE_TRUNK = 0x4u;

vec3 packFoliageWind(vec3 place, float rootHeight, uint flags) {
    if ((flags & (PACK_FOLIAGE_CUTOUT | PACK_FOLIAGE_TRUNK)) == 0u) return place;
    float seconds = uAtmosphereClockWind.x;
    float mean = uAtmosphereClockWind.y;
    float gust = uAtmosphereClockWind.z;
    vec2 along = vec2(cos(uAtmosphereClockWind.w), sin(uAtmosphereClockWind.w));
    float canopy = max(uAtmosphereWindAmplitude.w, 0.5);
    float h = clamp((place.z - rootHeight) / canopy, 0.0, 1.0);

    // Two slow sines that never line up for long make the gusts.
    float downwind = dot(place.xy, along);
    float envelope = 0.5 + 0.25 * (sin(0.05 * seconds - 0.02 * downwind) + sin(0.13 * seconds - 0.05 * downwind));
    float strength = mean + gust * envelope;

    float lean = uAtmosphereWindAmplitude.x * h * h * strength;
    float phase = 0.35 * (place.x + place.y);
    float branch = uAtmosphereWindAmplitude.y * h * strength * sin(1.1 * seconds + phase);
    vec2 carried = along * (lean + branch);
    if ((flags & PACK_FOLIAGE_CUTOUT) != 0u) {
        float flutter = uAtmosphereWindAmplitude.z * h * strength;
        carried += flutter * vec2(sin(6.0 * seconds + 3.0 * place.x), sin(6.0 * seconds + 3.0 * place.y + 1.7));
    }
    // A stem that leans keeps its length: its top comes down.
    float drop = 0.5 * dot(carried, carried) / max(h * canopy, 0.5);
    return vec3(place.xy + carried, place.z - drop);
}
