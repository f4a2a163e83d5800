// mixed_gains: the twin of MixedGains.
#pragma words COUNT
#pragma part CURVE IS_EACH RED GREEN BLUE MOST LEAST OWN GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

float mixed_gains_factor(vec4 p, float component, uint k) {
    float rg = p.y > p.x ? p.y : p.x;
    float high = p.z > rg ? p.z : rg;
    float gr = p.y < p.x ? p.y : p.x;
    float low = p.z < gr ? p.z : gr;
    float sum = (constant_float(CURVE_RED(k)) * p.x + constant_float(CURVE_GREEN(k)) * p.y)
        + constant_float(CURVE_BLUE(k)) * p.z;
    float m = ((sum + constant_float(CURVE_MOST(k)) * high) + constant_float(CURVE_LEAST(k)) * low)
        + constant_float(CURVE_OWN(k)) * component;
    float x = m > 0.0 ? m : 0.0;
    return curve_lookup(
        constant(CURVE_GAIN_TABLE(k)), floatBitsToUint(x), constant(CURVE_GAIN_MIN_BITS(k)),
        constant(CURVE_GAIN_MAX_BITS(k)), constant(CURVE_GAIN_K(k)));
}

vec4 mixed_gains(vec4 p, uint k) {
    vec3 f = vec3(1.0);
    uint count = constant(COUNT), at = WORDS_END;
    for (uint curve = 0u; curve < count; ++curve) {
        float first = mixed_gains_factor(p, p.x, at);
        f.x = f.x * first;
        if (constant(CURVE_IS_EACH(at)) != 0u) {
            f.y = f.y * mixed_gains_factor(p, p.y, at);
            f.z = f.z * mixed_gains_factor(p, p.z, at);
        } else {
            f.y = f.y * first;
            f.z = f.z * first;
        }
        at += CURVE_WORDS;
    }
    return vec4(p.x * f.x, p.y * f.y, p.z * f.z, p.w);
}
