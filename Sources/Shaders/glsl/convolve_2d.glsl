// convolve_2d: see Convolve2D in HDRPlan/Filters/Convolution.swift.
#pragma words CHANNELS SIDE WEIGHTS WIDTH HEIGHT KEEPS_ALPHA

int convolve_2d_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

vec4 convolve_2d(vec4 p, uint k) {
    uint channels = constant(CHANNELS), weight = constant(WEIGHTS);
    int side = int(constant(SIDE)), reach = side >> 1, width = int(constant(WIDTH)), height = int(constant(HEIGHT));
    vec4 sum = vec4(0.0);
    for (int row = 0; row < side; row++) {
        int y = convolve_2d_inside(at.y + row - reach, height);
        for (int i = 0; i < side; i++) {
            int x = convolve_2d_inside(at.x + i - reach, width);
            sum = sum + table_float(weight) * source_pixel(0u, channels, x, y);
            weight = weight + 1u;
        }
    }
    if (channels != 4u) sum.w = 1.0;
    else if (constant(KEEPS_ALPHA) != 0u) sum.w = plane_sample(0u, 3u, at.x, at.y);
    return sum;
}
