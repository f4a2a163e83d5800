// Pictures of earlier passes: halves in images, or binary32 planes in buffers. An image's first row is the one that the
// frame names as its channels' first row.

// Bit s is set if source s of the pass is a half-float picture. The kernel composer replaces the body, so that each
// kernel keeps one of the two paths.
uint half_sources() { return 0u; }

bool is_half(uint source) { return ((half_sources() >> source) & 1u) != 0u; }

// Returns a half-float pixel; kernels without such a source have no body of it.
vec4 half_pixel(uint source, int x, int y) {
    uint before = half_sources() & ((1u << source) - 1u);
    uint number = (before & 1u) + ((before >> 1) & 1u) + ((before >> 2) & 1u);
    ivec2 place = ivec2(x, y - frame_int(channel_words(source, 0u) + CHANNEL_FIRST_ROW));
    uvec4 h;
    if (number == 0u) h = imageLoad(source_image_0, place);
    else if (number == 1u) h = imageLoad(source_image_1, place);
    else h = imageLoad(source_image_2, place);
    return vec4(e32_float_of_half(h.x), e32_float_of_half(h.y), e32_float_of_half(h.z), e32_float_of_half(h.w));
}

// Returns a sample of one channel.
float plane_sample(uint source, uint index, int x, int y) {
    if (is_half(source)) return half_pixel(source, x, y)[index];
    return uintBitsToFloat(source_word(source, sample_address(channel_words(source, index), x, y) >> 2));
}

// Returns a pixel of a picture of 1, 3 or 4 channels: one channel is used three times; without a fourth A = 1.
vec4 source_pixel(uint source, uint channels, int x, int y) {
    vec4 q;
    if (is_half(source)) {
        q = half_pixel(source, x, y);
    } else {
        q.x = plane_sample(source, 0u, x, y);
        q.y = channels == 1u ? q.x : plane_sample(source, 1u, x, y);
        q.z = channels == 1u ? q.x : plane_sample(source, 2u, x, y);
        q.w = channels == 4u ? plane_sample(source, 3u, x, y) : 1.0;
    }
    if (channels != 4u) q.w = 1.0;
    return q;
}
