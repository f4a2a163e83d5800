// measure_pq, measure_planar_pq: the largest PQ code of R', G' and B', the number of pixels with one at a bound, and the sum of
// the pixels' light, of one pixel in COLUMNS across and in ROWS down. The twin of Measurement.pq and .planarPQ (GPURender).
//
// Light is taken as linear between nodes at every 16th code, as the CPU's light meter takes it, in 2^-18 cd/m²: a sum of
// integers does not depend on the order of pixels. Source 0: the pixels; source 1: the light of 4097 nodes. Output: four words
// an invocation, the sum's low word before its high one.
#pragma values MEASURE COLUMNS ROWS WIDTH HEIGHT BOUND
#pragma values MEASURE ROW_BYTES CHROMA_ROW_BYTES CB CR SHIFT_X SHIFT_Y
#pragma values MEASURE LUMA_SCALE LUMA_OFFSET CHROMA_OFFSET CR_TO_RED CB_TO_GREEN CR_TO_GREEN CB_TO_BLUE

uint measured_most, measured_at_bound, measured_low, measured_high;

void measure_begin() {
    measured_most = 0u;
    measured_at_bound = 0u;
    measured_low = 0u;
    measured_high = 0u;
}

void measure_pixel(uint r, uint g, uint b) {
    uint code = r > g ? r : g;
    code = code > b ? code : b;
    measured_most = measured_most > code ? measured_most : code;
    measured_at_bound += code >= frame(MEASURE_BOUND) ? 1u : 0u;
    uint node = source_word(1u, code >> 4), next = source_word(1u, (code >> 4) + 1u);
    uint light = node + ((next - node) * (code & 15u) >> 4);
    measured_low += light;
    measured_high += measured_low < light ? 1u : 0u;
}

void measure_end(uvec2 grid) {
    uint place = 4u * (grid.y * frame(MEASURE_COLUMNS) + grid.x);
    output_words.data[place] = measured_most;
    output_words.data[place + 1u] = measured_at_bound;
    output_words.data[place + 2u] = measured_low;
    output_words.data[place + 3u] = measured_high;
}

// measure_pq: R' G' B' A of 16 bits.
void measure_pq(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    measure_begin();
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uint word = 2u * (y * frame(MEASURE_WIDTH) + x), red_green = source_word(0u, word);
            measure_pixel(red_green & 0xffffu, red_green >> 16, source_word(0u, word + 1u) & 0xffffu);
        }
    }
    measure_end(grid);
}

// Returns a sample of 16 bits as a number.
float measure_sample(uint byte) { return float(int(source_word(0u, byte >> 2) >> ((byte & 2u) << 3) & 0xffffu)); }

// Returns the nearest code of a component, clamped: a float of at least 2^23 has no fraction.
uint measure_code(float v) {
    float low = v < 0.0 ? 0.0 : v, inside = low > 65535.0 ? 65535.0 : low;
    return floatBitsToUint(inside + 8388608.0) & 0xffffu;
}

float measure_factor(uint word) { return uintBitsToFloat(frame(word)); }

// measure_planar_pq: planes Y', Cb, Cr of 16-bit words, each chroma sample for all its pixels.
void measure_planar_pq(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    measure_begin();
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        uint chroma = (y >> frame(MEASURE_SHIFT_Y)) * frame(MEASURE_CHROMA_ROW_BYTES);
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uint across = 2u * (x >> frame(MEASURE_SHIFT_X)) + chroma;
            float luma = measure_sample(y * frame(MEASURE_ROW_BYTES) + 2u * x);
            float cb = measure_sample(frame(MEASURE_CB) + across) - measure_factor(MEASURE_CHROMA_OFFSET);
            float cr = measure_sample(frame(MEASURE_CR) + across) - measure_factor(MEASURE_CHROMA_OFFSET);
            float v = (luma - measure_factor(MEASURE_LUMA_OFFSET)) * measure_factor(MEASURE_LUMA_SCALE);
            float green = (v + cb * measure_factor(MEASURE_CB_TO_GREEN)) + cr * measure_factor(MEASURE_CR_TO_GREEN);
            measure_pixel(
                measure_code(v + cr * measure_factor(MEASURE_CR_TO_RED)), measure_code(green),
                measure_code(v + cb * measure_factor(MEASURE_CB_TO_BLUE)));
        }
    }
    measure_end(grid);
}
