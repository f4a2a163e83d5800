// warp_bicubic: the twin of WarpBicubic.
#pragma words CHANNELS IS_NEAREST IS_TRANSPARENT IS_PROJECTIVE WIDTH HEIGHT HORIZON MATRIX_M0 MATRIX_M1 MATRIX_M2
#pragma words MATRIX_M3 MATRIX_M4 MATRIX_M5 MATRIX_M6 MATRIX_M7 MATRIX_M8

int bicubic_inside(int i, int size) { return i > 0 ? (i < size - 1 ? i : size - 1) : 0; }

// The first of four pixels along one axis, and their weights.
vec4 bicubic_axis(float place, int size, bool transparent, out int first) {
    float low = place > -4.0 ? place : -4.0, most = float(size) + 4.0;
    float q = low < most ? low : most;
    float nearest = (q + 12582912.0) - 12582912.0;
    float below = nearest > q ? nearest - 1.0 : nearest;
    int at = int(below);
    float t = q - below, t2 = t * t, t3 = t2 * t;
    first = at - 1;
    vec4 w;
    w.x = transparent && bicubic_inside(at - 1, size) != at - 1 ? 0.0 : (t2 - 0.5 * t3) - 0.5 * t;
    w.y = transparent && bicubic_inside(at, size) != at ? 0.0 : (1.5 * t3 - 2.5 * t2) + 1.0;
    w.z = transparent && bicubic_inside(at + 1, size) != at + 1 ? 0.0 : (2.0 * t2 - 1.5 * t3) + 0.5 * t;
    w.w = transparent && bicubic_inside(at + 2, size) != at + 2 ? 0.0 : 0.5 * t3 - 0.5 * t2;
    return w;
}

vec4 bicubic_sample(uint channels, int x, int y, ivec2 size) {
    return source_pixel(0u, channels, bicubic_inside(x, size.x), bicubic_inside(y, size.y));
}

vec4 bicubic_line(uint channels, ivec2 at0, ivec2 size, vec4 w) {
    vec4 left = bicubic_sample(channels, at0.x, at0.y, size) * w.x
        + bicubic_sample(channels, at0.x + 1, at0.y, size) * w.y;
    vec4 three = left + bicubic_sample(channels, at0.x + 2, at0.y, size) * w.z;
    return three + bicubic_sample(channels, at0.x + 3, at0.y, size) * w.w;
}

vec4 warp_bicubic(vec4 p, uint k) {
    float x = float(int(here.x)), y = float(int(here.y));
    float u = (constant_float(MATRIX_M0) * x + constant_float(MATRIX_M1) * y) + constant_float(MATRIX_M2);
    float v = (constant_float(MATRIX_M3) * x + constant_float(MATRIX_M4) * y) + constant_float(MATRIX_M5);
    if (constant(IS_PROJECTIVE) != 0u) {
        float w = (constant_float(MATRIX_M6) * x + constant_float(MATRIX_M7) * y) + constant_float(MATRIX_M8);
        bool before = w > constant_float(HORIZON);
        float inverse = e32_reciprocal(before ? w : 1.0);
        u = before ? u * inverse : -4.0;
        v = before ? v * inverse : -4.0;
    }
    bool transparent = constant(IS_TRANSPARENT) != 0u;
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    int column, row;
    vec4 wx = bicubic_axis(u, size.x, transparent, column), wy = bicubic_axis(v, size.y, transparent, row);
    ivec2 first = ivec2(column, row);
    uint channels = constant(CHANNELS);
    vec4 top = bicubic_line(channels, first, size, wx) * wy.x;
    vec4 upper = top + bicubic_line(channels, ivec2(first.x, first.y + 1), size, wx) * wy.y;
    vec4 three = upper + bicubic_line(channels, ivec2(first.x, first.y + 2), size, wx) * wy.z;
    vec4 q = three + bicubic_line(channels, ivec2(first.x, first.y + 3), size, wx) * wy.w;
    float across = ((wx.x + wx.y) + wx.z) + wx.w, a = q.w;
    if (channels != 4u) a = ((across * wy.x + across * wy.y) + across * wy.z) + across * wy.w;
    float positive = a > 0.0 ? a : 0.0;
    q.w = positive < 1.0 ? positive : 1.0;
    return q;
}
