// measure_halves: the largest of the halves R, G and B, at least 0, and the number of pixels with one at a bound, of one pixel in
// COLUMNS across and in ROWS down. The twin of Measurement.halves (GPURender).
//
// Halves are compared as words, which are in the order of the numbers from 0 on; words above infinity are negative or no numbers.
// Source 0: an image of halves. Output: two words an invocation.
#pragma values MEASURE COLUMNS ROWS WIDTH HEIGHT BOUND

uint measure_half(uint word) { return word > 0x7c00u ? 0u : word; }

void measure_halves(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    uint largest = 0u, at_bound = 0u;
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uvec4 p = imageLoad(source_image_0, ivec2(int(x), int(y)));
            uint r = measure_half(p.x), g = measure_half(p.y), b = measure_half(p.z);
            uint most = r > g ? r : g;
            most = most > b ? most : b;
            largest = largest > most ? largest : most;
            at_bound += most >= frame(MEASURE_BOUND) ? 1u : 0u;
        }
    }
    uint place = 2u * (grid.y * frame(MEASURE_COLUMNS) + grid.x);
    output_words.data[place] = largest;
    output_words.data[place + 1u] = at_bound;
}
