// histogram: the twin of Histogram.
#pragma words CHANNELS TILES

float histogram_channel(uint channel, uint bin, ivec2 first, ivec2 end) {
    int count = 0;
    for (int y = first.y; y < end.y; y++) {
        for (int x = first.x; x < end.x; x++) count += lut_node(plane_sample(0u, channel, x, y)) == bin ? 1 : 0;
    }
    return float(count);
}

vec4 histogram(vec4 p, uint k) {
    uint tile = constant(TILES) + 4u * here.y;
    ivec2 first = ivec2(int(table(tile)), int(table(tile + 1u)));
    ivec2 end = ivec2(int(table(tile + 2u)), int(table(tile + 3u)));
    vec4 q;
    q.x = histogram_channel(0u, here.x, first, end);
    q.y = histogram_channel(1u, here.x, first, end);
    q.z = histogram_channel(2u, here.x, first, end);
    q.w = 1.0;
    if (constant(CHANNELS) == 4u) q.w = histogram_channel(3u, here.x, first, end);
    return q;
}
