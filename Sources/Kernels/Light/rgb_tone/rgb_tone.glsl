// rgb_tone: the twin of RGBToneStage.
#pragma words CURVE_TABLE CURVE_MIN_BITS CURVE_MAX_BITS CURVE_K SLOPE0 VALUE0

float rgb_tone_curve(float x, uint k) {
    return curve_odd(
        constant(CURVE_TABLE), x > 0.0 ? x : 0.0, constant(CURVE_MIN_BITS), constant(CURVE_MAX_BITS), constant(CURVE_K),
        constant_float(SLOPE0), constant_float(VALUE0));
}

// `curved`: the new values of the smallest, the middle and the largest component.
float rgb_tone_channel(float x, float least, float most, vec3 curved) {
    float low = x > least ? curved.y : curved.x;
    return x < most ? low : curved.z;
}

vec4 rgb_tone(vec4 p, uint k) {
    float high = p.y > p.x ? p.y : p.x, low = p.y > p.x ? p.x : p.y;
    float most = p.z > high ? p.z : high, least = p.z < low ? p.z : low;
    float inner = p.z < high ? p.z : high, middle = inner > low ? inner : low;
    float gap = most - least;
    bool is_colour = gap > uintBitsToFloat(0x2b800000u);
    float part = (middle - least) * e32_reciprocal(is_colour ? gap : 1.0), share = is_colour ? part : 1.0;
    float bottom = rgb_tone_curve(least, k), top = rgb_tone_curve(most, k);
    vec3 curved = vec3(bottom, bottom + (top - bottom) * share, top);
    return vec4(rgb_tone_channel(p.x, least, most, curved), rgb_tone_channel(p.y, least, most, curved),
                rgb_tone_channel(p.z, least, most, curved), p.w);
}
