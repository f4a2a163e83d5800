// scale_by_luminance: see HDRPlan/Stages/ScaleByLuminance.swift.
#pragma words WEIGHTS_R WEIGHTS_G WEIGHTS_B GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

vec4 scale_by_luminance(vec4 p, uint k) {
    float y = (constant_float(WEIGHTS_R) * p.x + constant_float(WEIGHTS_G) * p.y) + constant_float(WEIGHTS_B) * p.z;
    float f = curve_lookup(
        constant(GAIN_TABLE), floatBitsToUint(y) & 0x7fffffffu, constant(GAIN_MIN_BITS), constant(GAIN_MAX_BITS),
        constant(GAIN_K));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
