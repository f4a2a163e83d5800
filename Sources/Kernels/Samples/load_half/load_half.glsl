// load_half: the twin of LoadHalf.
#pragma words CHANNELS HAS_ALPHA

float load_half_channel(uint index) {
    return e32_sanitize(e32_float_of_half(sample_bits(0u, channel_words(0u, index), at.x, at.y, 2u)));
}

vec4 load_half(vec4 p, uint k) {
    vec4 q;
    q.x = load_half_channel(0u);
    if (constant(CHANNELS) == 1u) {
        q.y = q.x;
        q.z = q.x;
    } else {
        q.y = load_half_channel(1u);
        q.z = load_half_channel(2u);
    }
    q.w = 1.0;
    if (constant(HAS_ALPHA) != 0u) {
        float a = load_half_channel(3u);
        float low = a > 0.0 ? a : 0.0;
        q.w = low < 1.0 ? low : 1.0;
    }
    return q;
}
