// log_luminance: see LogLuminance in HDRPlan/Filters/HighlightShadow.swift.
vec4 log_luminance(vec4 p, uint k) {
    float y = (constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z;
    float least = constant_float(k + 3u);
    float l = e32_log2(y > least ? y : least);
    return vec4(l, l, l, p.w);
}
