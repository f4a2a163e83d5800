// aces_gamut_compress: the twin of ACESGamutCompress.
#pragma words THRESHOLD_R THRESHOLD_G THRESHOLD_B SCALE_R SCALE_G SCALE_B PER_SCALE_R PER_SCALE_G PER_SCALE_B DIRECTION
#pragma words BEND_TABLE BEND_MIN_BITS BEND_MAX_BITS BEND_K
#pragma values DIRECTION FORWARD INVERSE

float aces_gamut_channel(float v, float most, float size, float per, uint k, uint channel) {
    float threshold = constant_float(THRESHOLD_R + channel);
    float d = (most - v) * per, n = (d - threshold) * constant_float(PER_SCALE_R + channel);
    bool is_inverse = constant(DIRECTION) == DIRECTION_INVERSE;
    float bent = curve_lookup(
        constant(BEND_TABLE), floatBitsToUint(is_inverse ? 1.0 - n : n), constant(BEND_MIN_BITS), constant(BEND_MAX_BITS),
        constant(BEND_K));
    float moved = most - size * (threshold + constant_float(SCALE_R + channel) * bent);
    float end = is_inverse ? 1.0 : uintBitsToFloat(0x67800000u);
    float kept = n < end ? moved : v;
    return n > 0.0 ? kept : v;
}

vec4 aces_gamut_compress(vec4 p, uint k) {
    float rg = p.y > p.x ? p.y : p.x, most = p.z > rg ? p.z : rg;
    float size = most < 0.0 ? -most : most;
    bool is_some = size > uintBitsToFloat(0x21800000u);
    float inverse = e32_reciprocal(is_some ? size : 1.0), per = is_some ? inverse : 0.0;
    return vec4(
        aces_gamut_channel(p.x, most, size, per, k, 0u), aces_gamut_channel(p.y, most, size, per, k, 1u),
        aces_gamut_channel(p.z, most, size, per, k, 2u), p.w);
}
