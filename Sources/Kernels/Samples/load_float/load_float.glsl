// load_float: the twin of LoadFloat.
#pragma words CHANNELS HAS_ALPHA

float load_float_channel(uint index) {
    uint address = sample_address(channel_words(0u, index), at.x, at.y);
    return e32_sanitize(uintBitsToFloat(source_word(0u, address >> 2)));
}

vec4 load_float(vec4 p, uint k) {
    vec4 q;
    q.x = load_float_channel(0u);
    if (constant(CHANNELS) == 1u) {
        q.y = q.x;
        q.z = q.x;
    } else {
        q.y = load_float_channel(1u);
        q.z = load_float_channel(2u);
    }
    q.w = 1.0;
    if (constant(HAS_ALPHA) != 0u) {
        float a = load_float_channel(3u);
        float low = a > 0.0 ? a : 0.0;
        q.w = low < 1.0 ? low : 1.0;
    }
    return q;
}
