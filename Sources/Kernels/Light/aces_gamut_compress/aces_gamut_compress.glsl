// aces_gamut_compress: the twin of ACESGamutCompress.
#pragma words THRESHOLD_R THRESHOLD_G THRESHOLD_B SCALE_R SCALE_G SCALE_B PER_SCALE_R PER_SCALE_G PER_SCALE_B
#pragma words POWER ROOT DIRECTION
#pragma values DIRECTION FORWARD INVERSE

// Returns the compressed or, as the inverse, the expanded distance from the threshold, in units of the scale.
float aces_gamut_bent(float n, uint k, bool is_inverse) {
    float some = n > uintBitsToFloat(0x2b800000u) ? n : uintBitsToFloat(0x2b800000u);
    float most = is_inverse ? 1.0 : 16777216.0, x = some < most ? some : most;
    float raised = e32_exp2(constant_float(POWER) * e32_log2(x));
    float rest = 1.0 - raised, left = rest > uintBitsToFloat(0x33800000u) ? rest : uintBitsToFloat(0x33800000u);
    float sum = is_inverse ? left : 1.0 + raised;
    return x * e32_exp2(constant_float(ROOT) * e32_log2(sum));
}

float aces_gamut_channel(float v, float most, float size, float per, uint k, uint channel) {
    float threshold = constant_float(THRESHOLD_R + channel);
    float d = (most - v) * per, n = (d - threshold) * constant_float(PER_SCALE_R + channel);
    bool is_inverse = constant(DIRECTION) == DIRECTION_INVERSE;
    float moved = most - size * (threshold + constant_float(SCALE_R + channel) * aces_gamut_bent(n, k, is_inverse));
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
