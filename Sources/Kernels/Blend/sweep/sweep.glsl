// sweep: the twin of SweepStage.
#pragma words RESULT ACROSS_X ACROSS_Y START BAR_X BAR_Y BAR_START LAG COLOR_R COLOR_G COLOR_B AMOUNT
#pragma values RESULT WEIGHT OVER ADDED

vec4 sweep(vec4 p, uint k) {
    float x = float(int(here.x)), y = float(int(here.y));
    float bar = place_floor((constant_float(BAR_X) * x + constant_float(BAR_Y) * y) + constant_float(BAR_START));
    float u = ((constant_float(ACROSS_X) * x + constant_float(ACROSS_Y) * y) + constant_float(START))
        - constant_float(LAG) * bar;
    float t = lut_inside(u, 1.0);
    float w = (t * t) * (3.0 - 2.0 * t);
    uint result = constant(RESULT);
    if (result == RESULT_WEIGHT) return vec4(w, w, w, p.w);
    float light = constant_float(AMOUNT) * (4.0 * (w * (1.0 - w)));
    float r = constant_float(COLOR_R), g = constant_float(COLOR_G), b = constant_float(COLOR_B);
    if (result == RESULT_OVER)
        return vec4(p.x * (1.0 - light) + r * light, p.y * (1.0 - light) + g * light, p.z * (1.0 - light) + b * light,
                    p.w * (1.0 - light) + light);
    light = light * p.w;
    return vec4(p.x + r * light, p.y + g * light, p.z + b * light, p.w);
}
