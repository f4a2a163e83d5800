// mix_input: see MixInput in HDRPlan/Filters/MixInput.swift.
vec4 mix_input(vec4 p, uint k) {
    int x = int(here.x), y = int(here.y);
    vec4 t = foreground_pixel(constant(k), x, y, int(constant(k + 1u)), int(constant(k + 2u)));
    uint mask = constant(k + 3u);
    float m = constant_float(k + 6u);
    if (mask != 0u) {
        m = 0.0;
        if (x < int(constant(k + 4u)) && y < int(constant(k + 5u))) m = plane_sample(mask, 0u, x, y);
    }
    vec4 q;
    q.x = p.x * (1.0 - m) + t.x * m;
    q.y = p.y * (1.0 - m) + t.y * m;
    q.z = p.z * (1.0 - m) + t.z * m;
    q.w = limit_alpha(p.w * (1.0 - m) + t.w * m);
    return q;
}
