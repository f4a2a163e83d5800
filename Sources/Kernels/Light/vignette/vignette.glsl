// vignette: the twin of VignetteGain.
#pragma words TO_X TO_Y SCALE GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

vec4 vignette(vec4 p, uint k) {
    float scale = constant_float(SCALE);
    float dx = (float(int(here.x)) + constant_float(TO_X)) * scale;
    float dy = (float(int(here.y)) + constant_float(TO_Y)) * scale;
    float squared = dx * dx + dy * dy;
    float f = curve_lookup(
        constant(GAIN_TABLE), floatBitsToUint(squared), constant(GAIN_MIN_BITS), constant(GAIN_MAX_BITS), constant(GAIN_K));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
