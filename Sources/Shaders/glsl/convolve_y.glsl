// convolve_y: see ConvolveY in HDRPlan/Stages/Convolve.swift.
float convolve_y_channel(uint index, uint first, uint taps, uint weights) {
    float sum = 0.0;
    for (uint i = 0u; i < taps; i++)
        sum = sum + table_float(weights + i) * plane_sample(0u, index, at.x, int(first + i));
    return sum;
}

vec4 convolve_y(vec4 p, uint k) {
    uint base = constant(k + 1u), entry = base + 3u * uint(at.y);
    uint first = table(entry), taps = table(entry + 1u), weights = base + table(entry + 2u);
    vec4 q;
    q.x = convolve_y_channel(0u, first, taps, weights);
    if (constant(k) == 1u) return vec4(q.x, q.x, q.x, 1.0);
    q.y = convolve_y_channel(1u, first, taps, weights);
    q.z = convolve_y_channel(2u, first, taps, weights);
    q.w = 1.0;
    if (constant(k) == 4u) q.w = convolve_y_channel(3u, first, taps, weights);
    return q;
}
