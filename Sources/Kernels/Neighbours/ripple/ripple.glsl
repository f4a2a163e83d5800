// ripple: the twin of Ripple.
#pragma words CHANNELS TARGET SHADE WIDTH HEIGHT SHADE_WIDTH SHADE_HEIGHT CENTER_X CENTER_Y TO_X TO_Y SLOPE OFFSET SCALE
#pragma words GLINT_SCALE_X GLINT_OFFSET_X GLINT_SCALE_Y GLINT_OFFSET_Y INVERSE WAVE TURN INVERSE_DOMAIN_MIN_BITS
#pragma words INVERSE_DOMAIN_MAX_BITS INVERSE_DOMAIN_K WAVE_DOMAIN_MIN_BITS WAVE_DOMAIN_MAX_BITS WAVE_DOMAIN_K

vec4 ripple(vec4 p, uint k) {
    bool has_alpha = constant(CHANNELS) == 4u;
    uint target = constant(TARGET), shade = constant(SHADE);
    int x = int(here.x), y = int(here.y);
    float dx = float(x - int(constant(CENTER_X))) + constant_float(TO_X);
    float dy = float(y - int(constant(CENTER_Y))) + constant_float(TO_Y);
    float d = dx * dx + dy * dy;
    float inverse = curve_lookup(
        constant(INVERSE), floatBitsToUint(d), constant(INVERSE_DOMAIN_MIN_BITS), constant(INVERSE_DOMAIN_MAX_BITS),
        constant(INVERSE_DOMAIN_K));
    float u = (d * inverse) * constant_float(SLOPE) + constant_float(OFFSET);
    vec4 q;
    q.w = 1.0;
    if (u <= 0.0 || u >= 1.0) {
        if (u <= 0.0) q = source_pixel(target, constant(CHANNELS), x, y);
        else q = source_pixel(0u, constant(CHANNELS), x, y);
        return q;
    }
    uint bits = floatBitsToUint(1.0 + u);
    float wave = curve_lookup(
        constant(WAVE), bits, constant(WAVE_DOMAIN_MIN_BITS), constant(WAVE_DOMAIN_MAX_BITS), constant(WAVE_DOMAIN_K));
    float turn = curve_lookup(
        constant(TURN), bits, constant(WAVE_DOMAIN_MIN_BITS), constant(WAVE_DOMAIN_MAX_BITS), constant(WAVE_DOMAIN_K));
    float nx = dx * inverse, ny = dy * inverse;
    float shift = wave * constant_float(SCALE);
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    ivec2 shade_size = ivec2(int(constant(SHADE_WIDTH)), int(constant(SHADE_HEIGHT)));
    vec4 r = bilinear_at(float(x) + nx * shift, float(y) + ny * shift, size);
    vec4 glint = bilinear_at(
        (nx * turn) * constant_float(GLINT_SCALE_X) + constant_float(GLINT_OFFSET_X),
        (ny * turn) * constant_float(GLINT_SCALE_Y) + constant_float(GLINT_OFFSET_Y), shade_size);
    float own = (u * u) * (3.0 - 2.0 * u);
    vec4 base = bilinear_value(target, constant(CHANNELS), r, size) * (1.0 - own)
        + bilinear_value(0u, constant(CHANNELS), r, size) * own;
    vec4 light = bilinear_value(shade, 4u, glint, shade_size);
    if (has_alpha) q.w = base.w;
    q.x = base.x + (2.0 * light.x - light.w) * q.w;
    q.y = base.y + (2.0 * light.y - light.w) * q.w;
    q.z = base.z + (2.0 * light.z - light.w) * q.w;
    return q;
}
