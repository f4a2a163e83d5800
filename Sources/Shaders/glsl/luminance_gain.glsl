// luminance_gain: see LuminanceGain in HDRPlan/Filters/HighlightShadow.swift.
vec4 luminance_gain(vec4 p, uint k) {
    uint source = constant(k + 3u);
    float y;
    if (source > 0u) {
        y = e32_exp2(plane_sample(source, 0u, int(here.x), int(here.y)));
    } else {
        float own = (constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z;
        y = own > 0.0 ? own : 0.0;
    }
    float f = curve_lookup(constant(k + 4u), floatBitsToUint(y), constant(k + 5u), constant(k + 6u), constant(k + 7u));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
