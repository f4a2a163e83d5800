// composite: see Compositing in HDRPlan/Filters/Compositing.swift.
float composite_channel(uint mode, float t, float b, float top_alpha, float alpha) {
    if (mode == 0u) return t + b * (1.0 - top_alpha);
    if (mode == 1u) return t + b;
    if (mode == 2u) return t * b;
    if (mode == 3u) return t < b ? t : b;
    if (mode == 4u) return t > b ? t : b;
    if (mode == 5u) return t * alpha;
    if (mode == 6u) return t * (1.0 - alpha);
    return t * alpha + b * (1.0 - top_alpha);
}

vec4 composite(vec4 p, uint k) {
    uint mode = constant(k);
    vec4 t = foreground_pixel(
        constant(k + 1u), int(here.x) - int(constant(k + 2u)), int(here.y) - int(constant(k + 3u)),
        int(constant(k + 4u)), int(constant(k + 5u)));
    vec4 q;
    q.x = composite_channel(mode, t.x, p.x, t.w, p.w);
    q.y = composite_channel(mode, t.y, p.y, t.w, p.w);
    q.z = composite_channel(mode, t.z, p.z, t.w, p.w);
    q.w = limit_alpha(composite_channel(mode, t.w, p.w, t.w, p.w));
    return q;
}
