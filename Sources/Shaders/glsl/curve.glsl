// curve: see HDRPlan/Stages/CurveStage.swift.
#pragma words TABLES_R TABLES_G TABLES_B DOMAIN_MIN_BITS DOMAIN_MAX_BITS DOMAIN_K SLOPE0_R SLOPE0_G SLOPE0_B VALUE0_R
#pragma words VALUE0_G VALUE0_B

float curve_channel(float x, uint k, uint channel) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    float value = curve_lookup(
        constant(TABLES_R + channel), m, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K));
    uint flushed = m < 0x30800000u ? 0u : m;
    float line = constant_float(VALUE0_R + channel) + uintBitsToFloat(flushed) * constant_float(SLOPE0_R + channel);
    float y = m < constant(DOMAIN_MIN_BITS) ? line : value;
    return uintBitsToFloat(floatBitsToUint(y) ^ (u & 0x80000000u));
}

vec4 curve(vec4 p, uint k) {
    return vec4(curve_channel(p.x, k, 0u), curve_channel(p.y, k, 1u), curve_channel(p.z, k, 2u), p.w);
}
