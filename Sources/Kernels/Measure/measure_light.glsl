// measure_light, measure_digits: of the largest of each pixel's halves R, G and B, of one pixel in COLUMNS across and in ROWS
// down, what LightStatistics (HDRPlan) says of it. The twin of Measurement.light and .digits (GPURender).
//
// Halves are compared as words, which are in the order of the numbers from 0 on; words above infinity are negative and count as
// 0. The sink that made them makes neither infinities nor NaN. Source 0: an image of halves.
#pragma values MEASURE COLUMNS ROWS WIDTH HEIGHT
#pragma values MEASURE SHIFT PREFIX

uint measure_positive(uint word) { return word > 0x7c00u ? 0u : word; }

// Returns the word of the largest component.
uint measure_largest(uvec4 p) {
    uint r = measure_positive(p.x), g = measure_positive(p.y), b = measure_positive(p.z);
    uint most = r > g ? r : g;
    return most > b ? most : b;
}

// True for halves below -1/64.
bool measure_outside(uint word) { return word > 0xa400u; }

// measure_light: the largest word, the number of pixels with a component below -1/64, and the sum of the light in 2^-24,
// its low word before its high one.
void measure_light(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    uint largest = 0u, outside = 0u, low = 0u, high = 0u;
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uvec4 p = imageLoad(source_image_0, ivec2(int(x), int(y)));
            uint word = measure_largest(p), exponent = word >> 10, fraction = word & 0x3ffu;
            largest = largest > word ? largest : word;
            outside += measure_outside(p.x) || measure_outside(p.y) || measure_outside(p.z) ? 1u : 0u;
            // Eleven bits, moved by 0 to 29 places.
            uint digits = exponent == 0u ? fraction : fraction | 0x400u;
            uint places = exponent == 0u ? 0u : exponent - 1u & 31u;
            uint light = digits << places;
            low += light;
            high += low < light ? 1u : 0u;
            high += places == 0u ? 0u : digits >> (32u - places & 31u);
        }
    }
    uint place = 4u * (grid.y * frame(MEASURE_COLUMNS) + grid.x);
    output_words.data[place] = largest;
    output_words.data[place + 1u] = outside;
    output_words.data[place + 2u] = low;
    output_words.data[place + 3u] = high;
}

// measure_digits: for each of 32 digits the number of pixels whose largest word has it at SHIFT, behind the digits PREFIX.
void measure_digits(uvec2 grid, uint k) {
    if (grid.x >= frame(MEASURE_COLUMNS) || grid.y >= frame(MEASURE_ROWS)) return;
    uint counts[32];
    for (uint digit = 0u; digit < 32u; digit += 1u) counts[digit] = 0u;
    for (uint y = grid.y; y < frame(MEASURE_HEIGHT); y += frame(MEASURE_ROWS)) {
        for (uint x = grid.x; x < frame(MEASURE_WIDTH); x += frame(MEASURE_COLUMNS)) {
            uint word = measure_largest(imageLoad(source_image_0, ivec2(int(x), int(y)))) >> frame(MEASURE_SHIFT);
            if (word >> 5 == frame(MEASURE_PREFIX)) counts[word & 31u] += 1u;
        }
    }
    uint place = 32u * (grid.y * frame(MEASURE_COLUMNS) + grid.x);
    for (uint digit = 0u; digit < 32u; digit += 1u) output_words.data[place + digit] = counts[digit];
}
