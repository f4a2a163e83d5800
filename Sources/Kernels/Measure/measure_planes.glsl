// measure_planes: the largest and the least value of each of one to three planes of binary32, and the number of pixels with one
// at a bound, of one pixel in COLUMNS across and in ROWS down. The twin of Measurement.planes (GPURender).
//
// Values are compared as words in the order of the numbers, zeros of both signs as one. Source 0: the planes. Output: for each
// plane the largest word and the inverse of the least; then the number.
#pragma values MEASURE COLUMNS ROWS WIDTH HEIGHT BOUND ROW_WORDS PLANES PLANE_WORDS

uint measure_order(uint bits) {
    uint word = bits == 0x80000000u ? 0u : bits;
    return word < 0x80000000u ? word | 0x80000000u : ~word;
}

void measure_planes(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    uint planes = frame(MEASURE_PLANES), at_bound = 0u;
    uint largest[3], inverse[3];
    for (uint plane = 0u; plane < 3u; plane += 1u) {
        largest[plane] = 0u;
        inverse[plane] = 0u;
    }
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uint place = y * frame(MEASURE_ROW_WORDS) + x, most = 0u;
            for (uint plane = 0u; plane < planes; plane += 1u) {
                uint word = measure_order(source_word(0u, plane * frame(MEASURE_PLANE_WORDS) + place)), rest = ~word;
                largest[plane] = largest[plane] > word ? largest[plane] : word;
                inverse[plane] = inverse[plane] > rest ? inverse[plane] : rest;
                most = most > word ? most : word;
            }
            at_bound += most >= frame(MEASURE_BOUND) ? 1u : 0u;
        }
    }
    uint first = (2u * planes + 1u) * (grid.y * frame(MEASURE_COLUMNS) + grid.x);
    for (uint plane = 0u; plane < planes; plane += 1u) {
        output_words.data[first + 2u * plane] = largest[plane];
        output_words.data[first + 2u * plane + 1u] = inverse[plane];
    }
    output_words.data[first + 2u * planes] = at_bound;
}
