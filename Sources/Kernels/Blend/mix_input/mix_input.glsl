// mix_input: the twin of MixInput.
#pragma words SOURCE WIDTH HEIGHT MASK MASK_WIDTH MASK_HEIGHT WEIGHT

vec4 mix_input(vec4 p, uint k) {
    int x = int(here.x), y = int(here.y);
    vec4 t = foreground_pixel(constant(SOURCE), x, y, int(constant(WIDTH)), int(constant(HEIGHT)));
    uint mask = constant(MASK);
    float m = constant_float(WEIGHT);
    if (mask != 0u) {
        m = 0.0;
        if (x < int(constant(MASK_WIDTH)) && y < int(constant(MASK_HEIGHT))) m = plane_sample(mask, 0u, x, y);
    }
    vec4 q;
    q.x = p.x * (1.0 - m) + t.x * m;
    q.y = p.y * (1.0 - m) + t.y * m;
    q.z = p.z * (1.0 - m) + t.z * m;
    q.w = limit_alpha(p.w * (1.0 - m) + t.w * m);
    return q;
}
