// World colour, sun colour and what rays and shafts write are display-space. Decode before linear arithmetic and
// encode what goes to the screen. The curve is a plain power of 2.2, not that of sRGB.
vec3 packDecodeDisplay(vec3 colour) {
    return pow(max(colour, vec3(0.0)), vec3(2.2));
}

vec3 packEncodeDisplay(vec3 colour) {
    return pow(max(colour, vec3(0.0)), vec3(1.0 / 2.2));
}
