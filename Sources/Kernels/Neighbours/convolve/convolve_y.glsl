// convolve_y: the twin of ConvolveY.
#pragma words CHANNELS WEIGHTS

vec4 convolve_y(vec4 p, uint k) {
    uint channels = constant(CHANNELS), base = constant(WEIGHTS), entry = base + 3u * uint(at.y);
    uint first = table(entry), taps = table(entry + 1u), weights = base + table(entry + 2u);
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < taps; i++)
        sum = sum + table_float(weights + i) * source_pixel(0u, channels, at.x, int(first + i));
    if (channels != 4u) sum.w = 1.0;
    return sum;
}
