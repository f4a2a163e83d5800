// composite: see Compositing in HDRCore/Filters/Compositing.swift.
float composite_channel(uint mode, float t, float b, float alpha) {
    if (mode == 0u) return t + b * (1.0 - alpha);
    if (mode == 1u) return t + b;
    if (mode == 2u) return t * b;
    if (mode == 3u) return t < b ? t : b;
    return t > b ? t : b;
}

vec4 composite(vec4 p, uint k) {
    uint mode = constant(k), source = constant(k + 1u);
    int x = int(here.x) - int(constant(k + 2u)), y = int(here.y) - int(constant(k + 3u));
    vec4 t = vec4(0.0);
    if (x >= 0 && y >= 0 && x < int(constant(k + 4u)) && y < int(constant(k + 5u))) {
        t.x = plane_sample(source, 0u, x, y);
        t.y = plane_sample(source, 1u, x, y);
        t.z = plane_sample(source, 2u, x, y);
        t.w = plane_sample(source, 3u, x, y);
    }
    vec4 q;
    q.x = composite_channel(mode, t.x, p.x, t.w);
    q.y = composite_channel(mode, t.y, p.y, t.w);
    q.z = composite_channel(mode, t.z, p.z, t.w);
    float a = composite_channel(mode, t.w, p.w, t.w);
    float low = a > 0.0 ? a : 0.0;
    q.w = low < 1.0 ? low : 1.0;
    return q;
}
