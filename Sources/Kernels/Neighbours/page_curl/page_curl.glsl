// page_curl: the twin of PageCurlStage.
#pragma words SHEET SHADE SIDE WIDTH HEIGHT ALONG_X ALONG_Y START RADIUS INVERSE SHADOW SLOPE
#pragma words ACROSS_X MIDDLE_X ACROSS_Y MIDDLE_Y TURN_TABLE TURN_MIN_BITS TURN_MAX_BITS TURN_K
#pragma values SIDE FRONT BACK

vec4 page_curl(vec4 p, uint k) {
    float x = float(int(here.x)), y = float(int(here.y)), radius = constant_float(RADIUS);
    float e = (constant_float(ALONG_X) * x + constant_float(ALONG_Y) * y) + constant_float(START);
    float w = 1.0 - lut_inside(e * constant_float(INVERSE), 1.0);
    float top = curve_lookup(
        constant(TURN_TABLE), floatBitsToUint(w), constant(TURN_MIN_BITS), constant(TURN_MAX_BITS), constant(TURN_K));
    float to_top = w > 0.0 ? top : 0.0, quarter = uintBitsToFloat(0x3fc90fdbu);
    bool is_back = constant(SIDE) == SIDE_BACK;
    float turned = is_back ? quarter + to_top : quarter - to_top;
    float flat_part = is_back ? radius * uintBitsToFloat(0x40490fdbu) - e : e;
    float shift = (e > 0.0 ? radius * turned : flat_part) - e;
    float mx = x + constant_float(ALONG_X) * shift, my = y + constant_float(ALONG_Y) * shift;
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    bool is_inside = mx >= -0.5 && mx < float(size.x) - 0.5 && my >= -0.5 && my < float(size.y) - 0.5;
    if (e <= radius && is_inside) {
        vec4 q = bilinear_value(constant(SHEET), 4u, bilinear_at(mx, my, size), size);
        if (e > 0.0) {
            float sine = 1.0 - w, alpha = q.w;
            if (constant(SHADE) == 0u) {
                q = q * (1.0 - uintBitsToFloat(0x3ecccccdu) * sine);
            } else {
                ivec2 shade = ivec2(
                    int(2.0 * constant_float(MIDDLE_X)) + 1, int(2.0 * constant_float(MIDDLE_Y)) + 1);
                vec4 at_shade = bilinear_at(
                    sine * constant_float(ACROSS_X) + constant_float(MIDDLE_X),
                    sine * constant_float(ACROSS_Y) + constant_float(MIDDLE_Y), shade);
                vec4 light = bilinear_value(constant(SHADE), 4u, at_shade, shade);
                q = q + (2.0 * light - vec4(light.w)) * alpha;
            }
            q.w = alpha;
        }
        return q;
    }
    float t = lut_inside((e - radius) * constant_float(SLOPE), 1.0);
    float light = e > 0.0 ? 1.0 - constant_float(SHADOW) * (1.0 - (t * t) * (3.0 - 2.0 * t)) : 1.0;
    return vec4(p.x * light, p.y * light, p.z * light, p.w);
}
