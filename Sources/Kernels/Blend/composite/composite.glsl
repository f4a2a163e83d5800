// composite: the twin of Compositing.
#pragma words MODE SOURCE X Y WIDTH HEIGHT
#pragma values MODE SOURCE_OVER ADDITION MULTIPLY MINIMUM MAXIMUM SOURCE_IN SOURCE_OUT SOURCE_ATOP
#pragma values MODE ABSOLUTE_DIFFERENCE

float composite_channel(uint mode, float t, float b, float top_alpha, float alpha) {
    if (mode == MODE_SOURCE_OVER) return t + b * (1.0 - top_alpha);
    if (mode == MODE_ADDITION) return t + b;
    if (mode == MODE_MULTIPLY) return t * b;
    if (mode == MODE_MINIMUM) return t < b ? t : b;
    if (mode == MODE_MAXIMUM) return t > b ? t : b;
    if (mode == MODE_SOURCE_IN) return t * alpha;
    if (mode == MODE_SOURCE_OUT) return t * (1.0 - alpha);
    if (mode == MODE_SOURCE_ATOP) return t * alpha + b * (1.0 - top_alpha);
    float d = t * alpha - b * top_alpha;
    return d < 0.0 ? -d : d;
}

vec4 composite(vec4 p, uint k) {
    uint mode = constant(MODE);
    vec4 t = foreground_pixel(
        constant(SOURCE), int(here.x) - int(constant(X)), int(here.y) - int(constant(Y)),
        int(constant(WIDTH)), int(constant(HEIGHT)));
    vec4 q;
    q.x = composite_channel(mode, t.x, p.x, t.w, p.w);
    q.y = composite_channel(mode, t.y, p.y, t.w, p.w);
    q.z = composite_channel(mode, t.z, p.z, t.w, p.w);
    q.w = limit_alpha(mode == MODE_ABSOLUTE_DIFFERENCE ? t.w * p.w : composite_channel(mode, t.w, p.w, t.w, p.w));
    return q;
}
