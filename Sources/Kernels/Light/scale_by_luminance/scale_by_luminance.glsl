// scale_by_luminance: the twin of ScaleByLuminance.
#pragma words WEIGHTS_R WEIGHTS_G WEIGHTS_B BITS GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

vec4 scale_by_luminance(vec4 p, uint k) {
    uint bits = constant(BITS);
    float r = uintBitsToFloat(floatBitsToUint(p.x) & bits), g = uintBitsToFloat(floatBitsToUint(p.y) & bits);
    float b = uintBitsToFloat(floatBitsToUint(p.z) & bits);
    float y = (constant_float(WEIGHTS_R) * r + constant_float(WEIGHTS_G) * g) + constant_float(WEIGHTS_B) * b;
    float f = curve_lookup(
        constant(GAIN_TABLE), floatBitsToUint(y) & 0x7fffffffu, constant(GAIN_MIN_BITS), constant(GAIN_MAX_BITS),
        constant(GAIN_K));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
