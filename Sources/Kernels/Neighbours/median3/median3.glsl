// median3: the twin of Median3.
#pragma words CHANNELS WIDTH HEIGHT

float median3_least(float a, float b) { return a < b ? a : b; }
float median3_most(float a, float b) { return a > b ? a : b; }
float median3_middle(float a, float b, float c) {
    return median3_most(median3_least(a, b), median3_least(median3_most(a, b), c));
}

// Sorts a column of three samples.
vec3 median3_column(float first, float second, float third) {
    float a = median3_least(first, second), b = median3_most(first, second);
    return vec3(median3_least(a, third), median3_least(b, median3_most(a, third)), median3_most(b, median3_most(a, third)));
}

float median3_of(vec3 a, vec3 b, vec3 c) {
    return median3_middle(median3_most(median3_most(a.x, b.x), c.x), median3_middle(a.y, b.y, c.y),
                          median3_least(median3_least(a.z, b.z), c.z));
}

vec4 median3(vec4 p, uint k) {
    uint channels = constant(CHANNELS);
    int right = int(constant(WIDTH)) - 1, bottom = int(constant(HEIGHT)) - 1;
    int above = at.y > 0 ? at.y - 1 : 0, below = at.y < bottom ? at.y + 1 : bottom;
    int before = at.x > 0 ? at.x - 1 : 0, after = at.x < right ? at.x + 1 : right;
    vec4 a = source_pixel(0u, channels, before, above), b = source_pixel(0u, channels, before, at.y),
        c = source_pixel(0u, channels, before, below);
    vec4 d = source_pixel(0u, channels, at.x, above), e = source_pixel(0u, channels, at.x, at.y),
        f = source_pixel(0u, channels, at.x, below);
    vec4 g = source_pixel(0u, channels, after, above), h = source_pixel(0u, channels, after, at.y),
        i = source_pixel(0u, channels, after, below);
    vec4 q;
    q.x = median3_of(median3_column(a.x, b.x, c.x), median3_column(d.x, e.x, f.x), median3_column(g.x, h.x, i.x));
    q.y = median3_of(median3_column(a.y, b.y, c.y), median3_column(d.y, e.y, f.y), median3_column(g.y, h.y, i.y));
    q.z = median3_of(median3_column(a.z, b.z, c.z), median3_column(d.z, e.z, f.z), median3_column(g.z, h.z, i.z));
    q.w = 1.0;
    if (channels == 4u)
        q.w = median3_of(median3_column(a.w, b.w, c.w), median3_column(d.w, e.w, f.w), median3_column(g.w, h.w, i.w));
    return q;
}
