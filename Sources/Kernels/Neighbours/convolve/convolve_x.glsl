// convolve_x: the twin of ConvolveX.
#pragma words CHANNELS WEIGHTS

vec4 convolve_x(vec4 p, uint k) {
    uint channels = constant(CHANNELS), base = constant(WEIGHTS), entry = base + 3u * uint(at.x);
    uint first = table(entry), taps = table(entry + 1u), weights = base + table(entry + 2u);
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < taps; i++)
        sum = sum + table_float(weights + i) * source_pixel(0u, channels, int(first + i), at.y);
    if (channels != 4u) sum.w = 1.0;
    return sum;
}
