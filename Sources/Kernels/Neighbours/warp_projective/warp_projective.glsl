// warp_projective: the twin of WarpProjective.
#pragma words CHANNELS IS_NEAREST IS_TRANSPARENT IS_PROJECTIVE WIDTH HEIGHT HORIZON MATRIX_M0 MATRIX_M1 MATRIX_M2
#pragma words MATRIX_M3 MATRIX_M4 MATRIX_M5 MATRIX_M6 MATRIX_M7 MATRIX_M8

// Two neighbours along one axis, and their weights.
void warp_neighbours(float place, int size, uint k, out ivec2 pixels, out vec2 weights) {
    bool nearest = constant(IS_NEAREST) != 0u, transparent = constant(IS_TRANSPARENT) != 0u;
    float low = place > -4.0 ? place : -4.0, most = float(size) + 4.0;
    float inside = low < most ? low : most;
    float q = nearest ? inside + 0.5 : inside;
    float below = place_floor(q), rest = nearest ? 0.0 : q - below;
    int i = int(below), j = i + 1, last = size - 1;
    int first = i > 0 ? (i < last ? i : last) : 0, second = j > 0 ? (j < last ? j : last) : 0;
    pixels = ivec2(first, second);
    weights.x = transparent && first != i ? 0.0 : 1.0 - rest;
    weights.y = transparent && second != j ? 0.0 : rest;
}

vec4 warp_projective(vec4 p, uint k) {
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
    ivec2 px, py;
    vec2 wx, wy;
    warp_neighbours(u, int(constant(WIDTH)), k, px, wx);
    warp_neighbours(v, int(constant(HEIGHT)), k, py, wy);
    uint channels = constant(CHANNELS);
    vec4 a = source_pixel(0u, channels, px.x, py.x), b = source_pixel(0u, channels, px.y, py.x);
    vec4 c = source_pixel(0u, channels, px.x, py.y), d = source_pixel(0u, channels, px.y, py.y);
    vec4 upper = (a * wx.x + b * wx.y) * wy.x;
    vec4 q = upper + (c * wx.x + d * wx.y) * wy.y;
    float across = wx.x + wx.y;
    if (channels != 4u) q.w = across * wy.x + across * wy.y;
    return q;
}
