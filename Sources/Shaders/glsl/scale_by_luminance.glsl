// scale_by_luminance: see HDRPlan/Stages/ScaleByLuminance.swift.
vec4 scale_by_luminance(vec4 p, uint k) {
    float y = (constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z;
    float f = curve_lookup(constant(k + 3u), floatBitsToUint(y) & 0x7fffffffu, constant(k + 4u), constant(k + 5u), constant(k + 6u));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
