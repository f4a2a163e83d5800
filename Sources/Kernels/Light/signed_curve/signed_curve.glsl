// signed_curve: the twin of SignedCurve.
#pragma words TABLES_R TABLES_G TABLES_B DOMAIN_MIN_BITS DOMAIN_MAX_BITS DOMAIN_K NEGATIVE_PLACE POSITIVE_SLOPE_R
#pragma words POSITIVE_SLOPE_G POSITIVE_SLOPE_B POSITIVE_VALUE_R POSITIVE_VALUE_G POSITIVE_VALUE_B NEGATIVE_SLOPE_R
#pragma words NEGATIVE_SLOPE_G NEGATIVE_SLOPE_B NEGATIVE_VALUE_R NEGATIVE_VALUE_G NEGATIVE_VALUE_B

float signed_curve_channel(float x, uint k, uint channel) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    bool is_negative = u >= 0xb0800000u;
    uint pair = constant(TABLES_R + channel);
    uint first = is_negative ? pair + constant(NEGATIVE_PLACE) : pair;
    float value = curve_lookup(first, m, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K));
    uint flushed = m < 0x30800000u ? 0u : m;
    float slope = constant_float((is_negative ? NEGATIVE_SLOPE_R : POSITIVE_SLOPE_R) + channel);
    float zero = constant_float((is_negative ? NEGATIVE_VALUE_R : POSITIVE_VALUE_R) + channel);
    float line = zero + uintBitsToFloat(flushed) * slope;
    return m < constant(DOMAIN_MIN_BITS) ? line : value;
}

vec4 signed_curve(vec4 p, uint k) {
    return vec4(
        signed_curve_channel(p.x, k, 0u), signed_curve_channel(p.y, k, 1u), signed_curve_channel(p.z, k, 2u), p.w);
}
