// deflate_rows: four bytes of the lines of chunks an invocation: filter Sub in the first line of a chunk, else Up, most significant
// byte of a sample first. The twin of PNGLine.
//
// Source 0: R G B A of 8 or 16 bits. Output: CHUNK_WORDS words a chunk, the first byte the lowest.

uint deflate_sample(uint x, uint y, uint part) {
    uint bytes = frame(DEFLATE_SAMPLE_BYTES);
    uint address = y * frame(DEFLATE_ROW_BYTES) + x * 4u * bytes + (part ^ (bytes - 1u));
    return source_word(0u, address >> 2) >> ((address & 3u) << 3) & 0xffu;
}

uint deflate_line_byte(uint chunk, uint index) {
    if (!deflate_find(chunk, index)) return 0u;
    if (deflate_place == 0u) return deflate_line == 0u ? 1u : 2u;
    uint pixel = frame(DEFLATE_CHANNELS) * frame(DEFLATE_SAMPLE_BYTES);
    uint x = (deflate_place - 1u) / pixel, part = (deflate_place - 1u) % pixel, y = deflate_y, before = 0u;
    if (deflate_line > 0u) before = deflate_sample(x, y - 1u, part);
    else if (x > 0u) before = deflate_sample(x - 1u, y, part);
    return deflate_sample(x, y, part) - before & 0xffu;
}

void deflate_rows(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_CHUNK_WORDS), first = number % frame(DEFLATE_CHUNK_WORDS) * 4u;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint word = 0u;
    for (uint part = 0u; part < 4u; part += 1u) word |= deflate_line_byte(chunk, first + part) << (8u * part);
    output_words.data[number] = word;
}
