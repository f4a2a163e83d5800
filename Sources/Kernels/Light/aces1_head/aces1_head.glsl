// aces1_head: the twin of ACES1HeadStage.
#pragma words REDS_TABLE REDS_MIN_BITS REDS_MAX_BITS REDS_K GLOW MIDDLE FULL_END END REDNESS KEEPS_HUE LEAST DIRECTION
#pragma values DIRECTION FORWARD INVERSE

float aces1_saturation(vec3 v) {
    float rg = v.y > v.x ? v.y : v.x, most = v.z > rg ? v.z : rg;
    float low = v.y < v.x ? v.y : v.x, least = v.z < low ? v.z : low;
    float faint = uintBitsToFloat(0x2edbe6ffu), dark = uintBitsToFloat(0x3c23d70au);
    float top = most > faint ? most : faint, bottom = least > faint ? least : faint;
    return (top - bottom) * e32_reciprocal(most > dark ? most : dark);
}

float aces1_light(vec3 v) {
    float rg = v.x - v.y, gb = v.y - v.z, br = v.z - v.x;
    float chroma = aces_root(0.5 * ((gb * gb + rg * rg) + br * br));
    return (((v.x + v.y) + v.z) + 1.75 * chroma) * uintBitsToFloat(0x3eaaaaabu);
}

// Returns the glow of a dark colour.
float aces1_amount(vec3 v, uint k) {
    float u = 5.0 * aces1_saturation(v) - 2.0, size = u < 0.0 ? -u : u;
    float near = 1.0 - 0.5 * size, t = near > 0.0 ? near : 0.0, rise = 1.0 - t * t;
    return constant_float(GLOW) * (u < 0.0 ? 1.0 - rise : 1.0 + rise);
}

// Returns MIDDLE over the light of a colour.
float aces1_fading(float light, uint k) {
    float divisor = light > uintBitsToFloat(0x3c23d70au) ? light : uintBitsToFloat(0x3c23d70au);
    return constant_float(MIDDLE) * e32_reciprocal(divisor);
}

// Returns the factor of dark saturated colours.
float aces1_glow(vec3 v, uint k) {
    float light = aces1_light(v), amount = aces1_amount(v, k);
    float fading = amount * (aces1_fading(light, k) - 0.5);
    float dim = light > constant_float(FULL_END) ? fading : amount;
    return 1.0 + (light < constant_float(END) ? dim : 0.0);
}

float aces1_unglow(vec3 v, uint k) {
    float light = aces1_light(v), amount = aces1_amount(v, k), whole = 1.0 + amount;
    float fading = (amount * (0.5 - aces1_fading(light, k))) * e32_reciprocal(1.0 - 0.5 * amount);
    float full = -(amount * e32_reciprocal(whole));
    float dim = light > whole * constant_float(FULL_END) ? fading : full;
    return 1.0 + (light < constant_float(END) ? dim : 0.0);
}

// Returns the share by which a colour is changed, of its hue's components; 0 if it is not near red.
float aces1_red_share(float x, float y, uint k) {
    float across = y < 0.0 ? -y : y, ahead = x > 0.0 ? x : 0.0;
    float place = across * e32_reciprocal(aces_divisor(ahead + across));
    // 0 has no sign.
    uint bits = floatBitsToUint(place) & 0x7fffffffu;
    float share = curve_lookup(
        constant(REDS_TABLE), bits, constant(REDS_MIN_BITS), constant(REDS_MAX_BITS), constant(REDS_K));
    return ahead > 0.0 ? share : 0.0;
}

// Returns the largest of green and blue where it keeps its share of the distance from the least to red.
float aces1_between(float low, float high, float red, float other) {
    float distance = red - low, faint = uintBitsToFloat(0x2edbe6ffu);
    return ((high - low) * e32_reciprocal(distance > faint ? distance : faint)) * (other - low) + low;
}

// Returns the colour with another red; green or blue follows where `turned` is above 0.
vec3 aces1_turned(vec3 v, float red, float turned) {
    float low = v.z < v.y ? v.z : v.y, high = v.z < v.y ? v.y : v.z;
    float moved = aces1_between(low, high, v.x, red), inner = turned > 0.0 ? moved : high;
    return vec3(red, v.y < v.z ? v.y : inner, v.y < v.z ? inner : v.z);
}

float aces1_long_root(float x) {
    float y = x > uintBitsToFloat(0x21800000u) ? x : uintBitsToFloat(0x21800000u);
    float r = aces_inverse_root(y), root = y * r;
    return root + (0.5 * r) * (y - root * root);
}

// Returns the red that the change of reds makes `v.x` of.
float aces1_unreddened(vec3 v, float part) {
    float low = v.z < v.y ? v.z : v.y, rest = 1.0 - part, faint = uintBitsToFloat(0x3cf5c28fu);
    float halved = v.x - part * (faint + low);
    float square = halved * halved + 4.0 * (rest * (part * (faint * low)));
    float root = (halved + aces1_long_root(square)) * (0.5 * e32_reciprocal(rest));
    return part > 0.0 ? root : v.x;
}

vec4 aces1_head(vec4 p, uint k) {
    float redness = constant_float(REDNESS), least = constant_float(LEAST);
    bool keeps_hue = constant(KEEPS_HUE) == 1u;
    vec3 v;
    if (constant(DIRECTION) == DIRECTION_INVERSE) {
        float share = aces1_red_share(
            (p.x - p.y) - (p.z - p.x), uintBitsToFloat(0x3fddb3d7u) * (p.y - p.z), k);
        float part = share * redness;
        vec3 turned = aces1_turned(p.xyz, aces1_unreddened(p.xyz, part), keeps_hue ? part : 0.0);
        float glow = aces1_unglow(turned, k);
        v = vec3(turned.x * glow, turned.y * glow, turned.z * glow);
    } else {
        float rg = p.x - p.y, gb = p.y - p.z, br = p.z - p.x, glow = aces1_glow(p.xyz, k);
        float share = aces1_red_share((rg - br) * glow, (uintBitsToFloat(0x3fddb3d7u) * gb) * glow, k);
        vec3 lit = vec3(p.x * glow, p.y * glow, p.z * glow);
        float red = lit.x + ((share * aces1_saturation(lit)) * (uintBitsToFloat(0x3cf5c28fu) - lit.x)) * redness;
        v = aces1_turned(lit, red, keeps_hue ? share : 0.0);
    }
    return vec4(v.x > least ? v.x : least, v.y > least ? v.y : least, v.z > least ? v.z : least, p.w);
}
