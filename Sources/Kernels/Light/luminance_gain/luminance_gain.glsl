// luminance_gain: the twin of LuminanceGain.
#pragma words WEIGHTS_R WEIGHTS_G WEIGHTS_B SOURCE GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

vec4 luminance_gain(vec4 p, uint k) {
    uint source = constant(SOURCE);
    float y;
    if (source > 0u) {
        y = e32_exp2(plane_sample(source, 0u, int(here.x), int(here.y)));
    } else {
        float own = (constant_float(WEIGHTS_R) * p.x + constant_float(WEIGHTS_G) * p.y) + constant_float(WEIGHTS_B) * p.z;
        y = own > 0.0 ? own : 0.0;
    }
    float f = curve_lookup(
        constant(GAIN_TABLE), floatBitsToUint(y), constant(GAIN_MIN_BITS), constant(GAIN_MAX_BITS), constant(GAIN_K));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
