// measure_codes: the largest code of R, G and B, and the number of pixels with the code 255, of one pixel in COLUMNS across and
// in ROWS down. The twin of Measurement.codes (GPURender).
//
// Source 0: R G B x of 8 bits. Output: two words an invocation.
#pragma values MEASURE COLUMNS ROWS WIDTH HEIGHT

void measure_codes(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    uint columns = frame(MEASURE_COLUMNS), rows = frame(MEASURE_ROWS), width = frame(MEASURE_WIDTH), height = frame(MEASURE_HEIGHT);
    uint part = grid.y * columns + grid.x, largest = 0u, full = 0u;
    for (uint y = grid.y; y < height; y += rows) {
        for (uint x = grid.x; x < width; x += columns) {
            uint p = source_word(0u, y * width + x), r = p & 0xffu, g = p >> 8 & 0xffu, b = p >> 16 & 0xffu;
            uint most = r > g ? r : g;
            most = most > b ? most : b;
            largest = largest > most ? largest : most;
            full += most == 255u ? 1u : 0u;
        }
    }
    output_words.data[2u * part] = largest;
    output_words.data[2u * part + 1u] = full;
}
