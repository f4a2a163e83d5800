// deflate_exr_halves: four bytes of the chunks of OpenEXR's ZIP an invocation: the low bytes of a chunk's rows, then the high ones, in
// each row a plane for each channel, the last one first; each byte minus the one before, plus 128. The twin of EXRLine.
//
// Source 0: an image of halves. Output: CHUNK_WORDS words a chunk, the first byte the lowest.

uint deflate_exr_byte(uint chunk, uint samples, uint index) {
    uint item = index < samples ? index : index - samples, width = frame(DEFLATE_WIDTH);
    uint place = item % (frame(DEFLATE_LINE) >> 1), y = chunk * frame(DEFLATE_CHUNK_ROWS) + item / (frame(DEFLATE_LINE) >> 1);
    uint bits = deflate_image_half(place % width, y, frame(DEFLATE_CHANNELS) - 1u - place / width);
    return index < samples ? bits & 0xffu : bits >> 8;
}

void deflate_exr_halves(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_CHUNK_WORDS), first = number % frame(DEFLATE_CHUNK_WORDS) * 4u;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint word = 0u, bytes = deflate_chunk_bytes(chunk), before = 128u;
    if (first > 0u && first < bytes) before = deflate_exr_byte(chunk, bytes >> 1, first - 1u);
    for (uint part = 0u; part < 4u && first + part < bytes; part += 1u) {
        uint value = deflate_exr_byte(chunk, bytes >> 1, first + part);
        word |= (value - before + 128u & 0xffu) << (8u * part);
        before = value;
    }
    output_words.data[number] = word;
}
