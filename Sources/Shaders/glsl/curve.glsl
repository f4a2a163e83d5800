// curve: see HDRPlan/Stages/CurveStage.swift.
float curve_channel(float x, uint k, uint channel) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    float value = curve_lookup(constant(k + channel), m, constant(k + 3u), constant(k + 4u), constant(k + 5u));
    uint flushed = m < 0x30800000u ? 0u : m;
    float line = constant_float(k + 9u + channel) + uintBitsToFloat(flushed) * constant_float(k + 6u + channel);
    float y = m < constant(k + 3u) ? line : value;
    return uintBitsToFloat(floatBitsToUint(y) ^ (u & 0x80000000u));
}

vec4 curve(vec4 p, uint k) {
    return vec4(curve_channel(p.x, k, 0u), curve_channel(p.y, k, 1u), curve_channel(p.z, k, 2u), p.w);
}
