// scale_by_max: the twin of ScaleByMax.
#pragma words GAIN_TABLE GAIN_MIN_BITS GAIN_MAX_BITS GAIN_K

vec4 scale_by_max(vec4 p, uint k) {
    float rg = p.y > p.x ? p.y : p.x;
    float m = p.z > rg ? p.z : rg;
    float x = m > 0.0 ? m : 0.0;
    float f = curve_lookup(
        constant(GAIN_TABLE), floatBitsToUint(x), constant(GAIN_MIN_BITS), constant(GAIN_MAX_BITS), constant(GAIN_K));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
