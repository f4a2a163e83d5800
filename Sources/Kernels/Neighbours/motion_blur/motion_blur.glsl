// motion_blur: the twin of MotionBlurStage.
#pragma words CHANNELS ROWS TABLE WIDTH HEIGHT

int motion_blur_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

vec4 motion_blur(vec4 p, uint k) {
    uint channels = constant(CHANNELS), rows = constant(ROWS), start = constant(TABLE);
    int width = int(constant(WIDTH)), height = int(constant(HEIGHT));
    vec4 sum = vec4(0.0);
    for (uint row = 0u; row < rows; row++) {
        uint entry = start + 4u * row;
        int y = motion_blur_inside(at.y + int(table(entry)), height), x = at.x + int(table(entry + 1u));
        uint count = table(entry + 2u), weight = start + table(entry + 3u);
        for (uint i = 0u; i < count; i++) {
            sum = sum + table_float(weight + i) * source_pixel(0u, channels, motion_blur_inside(x + int(i), width), y);
        }
    }
    if (channels != 4u) sum.w = 1.0;
    return sum;
}
