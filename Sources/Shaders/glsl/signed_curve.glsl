// signed_curve: see SignedCurve in HDRPlan/Filters/ToneCurveFilter.swift.
float signed_curve_channel(float x, uint k) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    bool is_negative = u >= 0x80000000u;
    uint first = is_negative ? constant(k) + constant(k + 4u) : constant(k);
    float value = curve_lookup(first, m, constant(k + 1u), constant(k + 2u), constant(k + 3u));
    uint flushed = m < 0x30800000u ? 0u : m;
    uint line_words = is_negative ? k + 7u : k + 5u;
    float line = constant_float(line_words + 1u) + uintBitsToFloat(flushed) * constant_float(line_words);
    return m < constant(k + 1u) ? line : value;
}

vec4 signed_curve(vec4 p, uint k) {
    return vec4(signed_curve_channel(p.x, k), signed_curve_channel(p.y, k), signed_curve_channel(p.z, k), p.w);
}
