// multiply_add: the twin of MultiplyAdd.
#pragma words FACTOR TERM CHANNELS SIGN

vec4 multiply_add(vec4 p, uint k) {
    int x = int(here.x), y = int(here.y);
    uint channels = constant(CHANNELS), term = constant(TERM);
    float f = constant_float(SIGN) * plane_sample(constant(FACTOR), 0u, x, y);
    vec4 q = vec4(p.x * f, p.y * f, p.z * f, p.w * f);
    if (term != 0u) q = q + source_pixel(term, channels, x, y);
    if (channels != 4u) q.w = p.w;
    return q;
}
