// aces1_head: the twin of ACES1HeadStage.
#pragma words REDS_TABLE REDS_MIN_BITS REDS_MAX_BITS REDS_K

float aces1_saturation(vec3 v) {
    float rg = v.y > v.x ? v.y : v.x, most = v.z > rg ? v.z : rg;
    float low = v.y < v.x ? v.y : v.x, least = v.z < low ? v.z : low;
    float faint = uintBitsToFloat(0x2edbe6ffu), dark = uintBitsToFloat(0x3c23d70au);
    float top = most > faint ? most : faint, bottom = least > faint ? least : faint;
    return (top - bottom) * e32_reciprocal(most > dark ? most : dark);
}

// Returns the factor of dark saturated colours.
float aces1_glow(vec3 v, float rg, float gb, float br) {
    float chroma = aces_root(0.5 * ((gb * gb + rg * rg) + br * br));
    float light = (((v.x + v.y) + v.z) + 1.75 * chroma) * uintBitsToFloat(0x3eaaaaabu);
    float u = 5.0 * aces1_saturation(v) - 2.0, size = u < 0.0 ? -u : u;
    float near = 1.0 - 0.5 * size, t = near > 0.0 ? near : 0.0, rise = 1.0 - t * t;
    float amount = uintBitsToFloat(0x3ccccccdu) * (u < 0.0 ? 1.0 - rise : 1.0 + rise);
    float divisor = light > uintBitsToFloat(0x3c23d70au) ? light : uintBitsToFloat(0x3c23d70au);
    float fading = amount * (uintBitsToFloat(0x3da3d70au) * e32_reciprocal(divisor) - 0.5);
    float dim = light > uintBitsToFloat(0x3d5a740eu) ? fading : amount;
    return 1.0 + (light < uintBitsToFloat(0x3e23d70au) ? dim : 0.0);
}

vec4 aces1_head(vec4 p, uint k) {
    float rg = p.x - p.y, gb = p.y - p.z, br = p.z - p.x;
    float glow = aces1_glow(p.xyz, rg, gb, br);
    float x = (rg - br) * glow, y = (uintBitsToFloat(0x3fddb3d7u) * gb) * glow, across = y < 0.0 ? -y : y;
    float ahead = x > 0.0 ? x : 0.0;
    float place = across * e32_reciprocal(aces_divisor(ahead + across));
    float share = curve_lookup(
        constant(REDS_TABLE), floatBitsToUint(place), constant(REDS_MIN_BITS), constant(REDS_MAX_BITS), constant(REDS_K));
    vec3 v = vec3(p.x * glow, p.y * glow, p.z * glow);
    float weight = ahead > 0.0 ? share : 0.0;
    float red = v.x + ((weight * aces1_saturation(v)) * (uintBitsToFloat(0x3cf5c28fu) - v.x)) * uintBitsToFloat(0x3e3851ecu);
    return vec4(red > 0.0 ? red : 0.0, v.y > 0.0 ? v.y : 0.0, v.z > 0.0 ? v.z : 0.0, p.w);
}
