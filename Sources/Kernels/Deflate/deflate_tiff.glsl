// deflate_tiff_words, deflate_tiff_halves, deflate_tiff_floats: four bytes of the rows of strips an invocation, as TIFF's predictors
// make them. The twin of TIFFLine.
//
// Output: CHUNK_WORDS words a strip, the first byte the lowest.

// Returns a sample of R G B A of 16 bits.
uint deflate_tiff_sample(uint x, uint channel) {
    uint address = deflate_y * frame(DEFLATE_ROW_BYTES) + 8u * x + 2u * channel;
    return source_word(0u, address >> 2) >> ((address & 2u) << 3) & 0xffffu;
}

// deflate_tiff_words: each sample minus the one to its left, modulo 2^16. Source 0: R G B A of 16 bits.
void deflate_tiff_words(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_CHUNK_WORDS), first = number % frame(DEFLATE_CHUNK_WORDS) * 4u;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint word = 0u;
    for (uint part = 0u; part < 4u; part += 1u) {
        if (!deflate_find(chunk, first + part)) break;
        uint item = deflate_place >> 1, x = item / frame(DEFLATE_CHANNELS), channel = item % frame(DEFLATE_CHANNELS);
        uint change = deflate_tiff_sample(x, channel) - (x > 0u ? deflate_tiff_sample(x - 1u, channel) : 0u);
        word |= (change >> ((deflate_place & 1u) << 3) & 0xffu) << (8u * part);
    }
    output_words.data[number] = word;
}

// Returns a byte of a row of halves: the high bytes of all samples, then the low ones.
uint deflate_tiff_half(uint place) {
    uint samples = frame(DEFLATE_LINE) >> 1, item = place < samples ? place : place - samples;
    uint bits = deflate_image_half(item / frame(DEFLATE_CHANNELS), deflate_y, item % frame(DEFLATE_CHANNELS));
    return place < samples ? bits >> 8 : bits & 0xffu;
}

// deflate_tiff_halves: each byte minus the one a pixel before. Source 0: an image of halves.
void deflate_tiff_halves(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_CHUNK_WORDS), first = number % frame(DEFLATE_CHUNK_WORDS) * 4u;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint word = 0u, step = frame(DEFLATE_CHANNELS);
    for (uint part = 0u; part < 4u; part += 1u) {
        if (!deflate_find(chunk, first + part)) break;
        uint before = deflate_place < step ? 0u : deflate_tiff_half(deflate_place - step);
        word |= (deflate_tiff_half(deflate_place) - before & 0xffu) << (8u * part);
    }
    output_words.data[number] = word;
}

// Returns a byte of a row of binary32: the highest bytes of all samples first, the lowest last. Zeros have no sign.
uint deflate_tiff_float(uint place) {
    uint samples = frame(DEFLATE_LINE) >> 2, item = place % samples;
    uint x = item / frame(DEFLATE_CHANNELS), plane = item % frame(DEFLATE_CHANNELS);
    uint bits = source_word(0u, plane * frame(DEFLATE_PLANE_WORDS) + deflate_y * (frame(DEFLATE_ROW_BYTES) >> 2) + x);
    return bits == 0x80000000u ? 0u : bits >> (24u - 8u * (place / samples)) & 0xffu;
}

// deflate_tiff_floats: each byte minus the one a pixel before. Source 0: planes of binary32.
void deflate_tiff_floats(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_CHUNK_WORDS), first = number % frame(DEFLATE_CHUNK_WORDS) * 4u;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint word = 0u, step = frame(DEFLATE_CHANNELS);
    for (uint part = 0u; part < 4u; part += 1u) {
        if (!deflate_find(chunk, first + part)) break;
        uint before = deflate_place < step ? 0u : deflate_tiff_float(deflate_place - step);
        word |= (deflate_tiff_float(deflate_place) - before & 0xffu) << (8u * part);
    }
    output_words.data[number] = word;
}
