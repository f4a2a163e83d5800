// scale_by_first: see HDRPlan/Stages/ScaleByFirst.swift.
vec4 scale_by_first(vec4 p, uint k) {
    uint bits = floatBitsToUint(p.x) & 0x7fffffffu;
    float a = curve_lookup(constant(k), bits, constant(k + 2u), constant(k + 3u), constant(k + 4u));
    float b = curve_lookup(constant(k + 1u), bits, constant(k + 2u), constant(k + 3u), constant(k + 4u));
    return vec4(p.x * a, p.y * b, p.z * b, p.w);
}
