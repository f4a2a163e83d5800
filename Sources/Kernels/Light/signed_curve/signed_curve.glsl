// signed_curve: the twin of SignedCurve.
#pragma words TABLE DOMAIN_MIN_BITS DOMAIN_MAX_BITS DOMAIN_K NEGATIVE_PLACE POSITIVE_SLOPE POSITIVE_VALUE NEGATIVE_SLOPE
#pragma words NEGATIVE_VALUE

float signed_curve_channel(float x, uint k) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    bool is_negative = u >= 0xb0800000u;
    uint first = is_negative ? constant(TABLE) + constant(NEGATIVE_PLACE) : constant(TABLE);
    float value = curve_lookup(first, m, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K));
    uint flushed = m < 0x30800000u ? 0u : m;
    uint line_words = is_negative ? NEGATIVE_SLOPE : POSITIVE_SLOPE;
    float line = constant_float(line_words + 1u) + uintBitsToFloat(flushed) * constant_float(line_words);
    return m < constant(DOMAIN_MIN_BITS) ? line : value;
}

vec4 signed_curve(vec4 p, uint k) {
    return vec4(signed_curve_channel(p.x, k), signed_curve_channel(p.y, k), signed_curve_channel(p.z, k), p.w);
}
