// load_samples: the twin of LoadSamples.
#pragma words CHANNELS BYTES LOW_ZERO_BITS LUMA_OFFSET CHROMA_OFFSET HORIZONTAL_SHIFT VERTICAL_SHIFT
#pragma words IS_HORIZONTALLY_COSITED IS_VERTICALLY_COSITED ALPHA_BYTES ALPHA_SCALE

// Returns the chroma sample at or before x, the weight of the next one, and the total weight.
ivec3 chroma_position(int x, int shift, bool cosited) {
    if (shift == 0) return ivec3(x, 0, 1);
    if (cosited) return ivec3(x >> shift, x & ((1 << shift) - 1), 1 << shift);
    int p = 2 * x + 1 - (1 << shift);
    return ivec3(p >> (shift + 1), p & ((2 << shift) - 1), 2 << shift);
}

int inside(int i, int size) {
    int low = i < 0 ? 0 : i;
    return low > size - 1 ? size - 1 : low;
}

float load_channel(uint index, uint k, int offset, bool subsampled) {
    uint channel = channel_words(0u, index);
    uint bytes = constant(BYTES), low = constant(LOW_ZERO_BITS);
    if (!subsampled) return float(int(sample_bits(0u, channel, at.x, at.y, bytes) >> low) - offset);
    ivec3 h = chroma_position(at.x, int(constant(HORIZONTAL_SHIFT)), constant(IS_HORIZONTALLY_COSITED) != 0u);
    ivec3 v = chroma_position(at.y, int(constant(VERTICAL_SHIFT)), constant(IS_VERTICALLY_COSITED) != 0u);
    int width = frame_int(channel + CHANNEL_WIDTH), height = frame_int(channel + CHANNEL_HEIGHT);
    int x0 = inside(h.x, width), y0 = inside(v.x, height);
    // A neighbour without weight is not read, as it may be missing: a band has only the rows that count.
    int x1 = h.y == 0 ? x0 : inside(h.x + 1, width), y1 = v.y == 0 ? y0 : inside(v.x + 1, height);
    int s00 = int(sample_bits(0u, channel, x0, y0, bytes) >> low), s10 = int(sample_bits(0u, channel, x1, y0, bytes) >> low);
    int s01 = int(sample_bits(0u, channel, x0, y1, bytes) >> low), s11 = int(sample_bits(0u, channel, x1, y1, bytes) >> low);
    int sum = (v.z - v.y) * ((h.z - h.y) * s00 + h.y * s10) + v.y * ((h.z - h.y) * s01 + h.y * s11);
    return float(sum - offset * h.z * v.z);
}

vec4 load_samples(vec4 p, uint k) {
    vec4 q;
    q.x = load_channel(0u, k, int(constant(LUMA_OFFSET)), false);
    if (constant(CHANNELS) == 1u) {
        q.y = q.x;
        q.z = q.x;
    } else {
        bool subsampled = constant(HORIZONTAL_SHIFT) != 0u || constant(VERTICAL_SHIFT) != 0u;
        q.y = load_channel(1u, k, int(constant(CHROMA_OFFSET)), subsampled);
        q.z = load_channel(2u, k, int(constant(CHROMA_OFFSET)), subsampled);
    }
    q.w = 1.0;
    uint alpha_bytes = constant(ALPHA_BYTES);
    if (alpha_bytes != 0u) {
        q.w = float(int(sample_bits(0u, channel_words(0u, 3u), at.x, at.y, alpha_bytes))) * constant_float(ALPHA_SCALE);
    }
    return q;
}
