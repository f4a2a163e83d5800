// convolve_2d: see Convolve2D in HDRPlan/Filters/Convolution.swift.
int convolve_2d_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

float convolve_2d_channel(uint index, uint k) {
    int side = int(constant(k + 1u)), reach = side >> 1, width = int(constant(k + 3u)), height = int(constant(k + 4u));
    uint weight = constant(k + 2u);
    float sum = 0.0;
    for (int row = 0; row < side; row++) {
        int y = convolve_2d_inside(at.y + row - reach, height);
        for (int i = 0; i < side; i++) {
            int x = convolve_2d_inside(at.x + i - reach, width);
            sum = sum + table_float(weight) * plane_sample(0u, index, x, y);
            weight = weight + 1u;
        }
    }
    return sum;
}

vec4 convolve_2d(vec4 p, uint k) {
    vec4 q;
    q.x = convolve_2d_channel(0u, k);
    q.y = convolve_2d_channel(1u, k);
    q.z = convolve_2d_channel(2u, k);
    q.w = 1.0;
    if (constant(k) == 4u) {
        if (constant(k + 5u) != 0u) q.w = plane_sample(0u, 3u, at.x, at.y);
        else q.w = convolve_2d_channel(3u, k);
    }
    return q;
}
