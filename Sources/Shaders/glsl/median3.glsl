// median3: see Median3 in HDRPlan/Filters/Median.swift.
float median3_least(float a, float b) { return a < b ? a : b; }
float median3_most(float a, float b) { return a > b ? a : b; }
float median3_middle(float a, float b, float c) {
    return median3_most(median3_least(a, b), median3_least(median3_most(a, b), c));
}

// A column of three samples, sorted.
vec3 median3_column(uint index, int x, int above, int here, int below) {
    float first = plane_sample(0u, index, x, above), second = plane_sample(0u, index, x, here),
        third = plane_sample(0u, index, x, below);
    float a = median3_least(first, second), b = median3_most(first, second);
    return vec3(median3_least(a, third), median3_least(b, median3_most(a, third)), median3_most(b, median3_most(a, third)));
}

float median3_channel(uint index, uint k) {
    int right = int(constant(k + 1u)) - 1, bottom = int(constant(k + 2u)) - 1;
    int above = at.y > 0 ? at.y - 1 : 0, below = at.y < bottom ? at.y + 1 : bottom;
    vec3 a = median3_column(index, at.x > 0 ? at.x - 1 : 0, above, at.y, below);
    vec3 b = median3_column(index, at.x, above, at.y, below);
    vec3 c = median3_column(index, at.x < right ? at.x + 1 : right, above, at.y, below);
    return median3_middle(median3_most(median3_most(a.x, b.x), c.x), median3_middle(a.y, b.y, c.y),
                          median3_least(median3_least(a.z, b.z), c.z));
}

vec4 median3(vec4 p, uint k) {
    vec4 q;
    q.x = median3_channel(0u, k);
    q.y = median3_channel(1u, k);
    q.z = median3_channel(2u, k);
    q.w = 1.0;
    if (constant(k) == 4u) q.w = median3_channel(3u, k);
    return q;
}
