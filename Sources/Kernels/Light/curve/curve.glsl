// curve: the twin of CurveStage.
#pragma words TABLES_R TABLES_G TABLES_B DOMAIN_MIN_BITS DOMAIN_MAX_BITS DOMAIN_K SLOPE0_R SLOPE0_G SLOPE0_B VALUE0_R
#pragma words VALUE0_G VALUE0_B

float curve_channel(float x, uint k, uint channel) {
    return curve_odd(
        constant(TABLES_R + channel), x, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K),
        constant_float(SLOPE0_R + channel), constant_float(VALUE0_R + channel));
}

vec4 curve(vec4 p, uint k) {
    return vec4(curve_channel(p.x, k, 0u), curve_channel(p.y, k, 1u), curve_channel(p.z, k, 2u), p.w);
}
