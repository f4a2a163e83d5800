// convolve_2d: the twin of Convolve2D.
#pragma words CHANNELS COLUMNS ROWS WEIGHTS WIDTH HEIGHT KEEPS_ALPHA

int convolve_2d_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

vec4 convolve_2d(vec4 p, uint k) {
    uint channels = constant(CHANNELS), weight = constant(WEIGHTS);
    int columns = int(constant(COLUMNS)), rows = int(constant(ROWS));
    int width = int(constant(WIDTH)), height = int(constant(HEIGHT));
    vec4 sum = vec4(0.0);
    for (int row = 0; row < rows; row++) {
        int y = convolve_2d_inside(at.y + row - (rows >> 1), height);
        for (int i = 0; i < columns; i++) {
            int x = convolve_2d_inside(at.x + i - (columns >> 1), width);
            sum = sum + table_float(weight) * source_pixel(0u, channels, x, y);
            weight = weight + 1u;
        }
    }
    if (channels != 4u) sum.w = 1.0;
    else if (constant(KEEPS_ALPHA) != 0u) sum.w = plane_sample(0u, 3u, at.x, at.y);
    return sum;
}
