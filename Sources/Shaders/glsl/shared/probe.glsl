// probe: the start-up self-test; twin of GPURenderer.probe in GPURender/GPURenderer+SelfTest.swift. Four words in, nineteen out.
void probe(uvec2 block, uint k) {
    uint vector = block.y * frame(FRAME_WIDTH) + block.x;
    if (block.x >= frame(FRAME_WIDTH) || vector >= frame(FRAME_HEIGHT)) return;
    uint w = vector * 4u, o = vector * 19u;
    uint bits_a = source_word(0u, w), bits_b = source_word(0u, w + 1u), u = source_word(0u, w + 3u);
    float a = uintBitsToFloat(bits_a), b = uintBitsToFloat(bits_b), c = uintBitsToFloat(source_word(0u, w + 2u));
    float positive = uintBitsToFloat((bits_a & 0x7fffffu) | ((97u + (((u & 0xffu) * 50u) >> 8)) << 23));
    float product = a * b;
    output_words.data[o] = floatBitsToUint(a * b + c);
    output_words.data[o + 1u] = floatBitsToUint((a + 12582912.0) - 12582912.0);
    output_words.data[o + 2u] = floatBitsToUint((a + b) - a);
    output_words.data[o + 3u] = floatBitsToUint(product - b * c);
    output_words.data[o + 4u] = floatBitsToUint(a * (b + c) + b * (a - c));
    output_words.data[o + 5u] = floatBitsToUint(e32_log2(positive));
    output_words.data[o + 6u] = floatBitsToUint(e32_exp2(c));
    output_words.data[o + 7u] = floatBitsToUint(e32_reciprocal(positive));
    output_words.data[o + 8u] = floatBitsToUint(a + b);
    output_words.data[o + 9u] = floatBitsToUint(a - c);
    output_words.data[o + 10u] = floatBitsToUint(product);
    output_words.data[o + 11u] = e32_half(a * 0.00390625);
    output_words.data[o + 12u] = floatBitsToUint(e32_float_of_half(u & 0xffffu));
    output_words.data[o + 13u] = floatBitsToUint(e32_sanitize(uintBitsToFloat(u)));
    output_words.data[o + 14u] = e32_quantize(b, 65535.0);
    output_words.data[o + 15u] = (u >> 7) ^ (u << 9) ^ uint(int(u) >> 5);
    output_words.data[o + 16u] = floatBitsToUint(float(int(u & 0xffffffu) - 0x800000));
    output_words.data[o + 17u] = uint(int(a < 0.0 ? -a : a));
    output_words.data[o + 18u] = u * 0x85ebca77u + (a < b ? bits_a : bits_b);
}

// copy_words: a word an invocation from source 0 to the output, in rows of the frame's width: the speed of the memory.
void copy_words(uvec2 block, uint k) {
    if (block.x >= frame(FRAME_WIDTH) || block.y >= frame(FRAME_ROW_COUNT)) return;
    uint word = block.y * frame(FRAME_WIDTH) + block.x;
    output_words.data[word] = source_word(0u, word);
}
