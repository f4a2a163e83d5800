// star_shine: the twin of StarShine.
#pragma words CENTER_X CENTER_Y CENTER_TO_X CENTER_TO_Y SLOPE COSINE SINE ACROSS ALONG STOPS COLOR_R COLOR_G COLOR_B COLOR_A

vec4 star_shine(vec4 p, uint k) {
    float dx = float(int(here.x) - int(constant(CENTER_X))) + constant_float(CENTER_TO_X);
    float dy = float(int(here.y) - int(constant(CENTER_Y))) + constant_float(CENTER_TO_Y);
    float u = 1.0 - planar_length(dx, dy) * constant_float(SLOPE), low = u > 0.0 ? u : 0.0;
    float a = dx * constant_float(COSINE) - dy * constant_float(SINE);
    float b = dx * constant_float(SINE) + dy * constant_float(COSINE);
    float x = a < 0.0 ? -a : a, y = b < 0.0 ? -b : b;
    float across = constant_float(ACROSS), along = constant_float(ALONG), stops = constant_float(STOPS);
    float beams = e32_exp2((stops - y * across) - x * along) + e32_exp2((stops - x * across) - y * along);
    float t = (low * low) * (3.0 - 2.0 * low) + beams;
    t = t < uintBitsToFloat(0x38800000u) ? 0.0 : t;
    return vec4(constant_float(COLOR_R) * t, constant_float(COLOR_G) * t, constant_float(COLOR_B) * t,
                constant_float(COLOR_A) * (t < 1.0 ? t : 1.0));
}
