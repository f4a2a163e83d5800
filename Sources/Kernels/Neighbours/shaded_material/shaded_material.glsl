// shaded_material: the twin of ShadedMaterialStage.
#pragma words HEIGHTS SHADE WIDTH HEIGHT SHADE_WIDTH SHADE_HEIGHT SCALE ACROSS_X ACROSS_Y MIDDLE_X MIDDLE_Y

vec4 shaded_material(vec4 p, uint k) {
    uint heights = constant(HEIGHTS);
    int x = int(here.x), y = int(here.y), right = int(constant(WIDTH)) - 1, bottom = int(constant(HEIGHT)) - 1;
    float after = plane_sample(heights, 0u, x < right ? x + 1 : right, y);
    float below = plane_sample(heights, 0u, x, y < bottom ? y + 1 : bottom);
    float dx = (after - plane_sample(heights, 0u, x > 0 ? x - 1 : 0, y)) * constant_float(SCALE);
    float dy = (below - plane_sample(heights, 0u, x, y > 0 ? y - 1 : 0)) * constant_float(SCALE);
    float inverse = e32_exp2(-0.5 * e32_log2(1.0 + (dx * dx + dy * dy)));
    ivec2 size = ivec2(int(constant(SHADE_WIDTH)), int(constant(SHADE_HEIGHT)));
    vec4 r = bilinear_at((dx * inverse) * constant_float(ACROSS_X) + constant_float(MIDDLE_X),
                         (dy * inverse) * constant_float(ACROSS_Y) + constant_float(MIDDLE_Y), size);
    return bilinear_value(constant(SHADE), 4u, r, size) * p.w;
}
