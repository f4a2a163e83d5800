// jpeg_counts, jpeg_sums: how often each symbol occurs in a band, for Huffman tables of its own, without shared memory,
// barriers and atomics: each invocation counts some blocks, and sums are made of that in two dispatches. The twin of
// JPEGSymbolCounts.
//
// The first MCU of a band is not counted: its DC values depend on the band before.
#pragma values COUNTS COLUMNS BLOCKS BLOCKS_OF_MCU LUMA_OF_MCU PARTS
#pragma values SUMS COLUMNS PARTS GROUPS

// The words of a part: symbols of DC of luma and of chroma, of AC of luma and of chroma.
const uint JPEG_COUNTS = 544u, JPEG_COUNTS_AC = 32u;

// jpeg_counts: the blocks of luma or of chroma of one of PARTS, an invocation each. Source 0: coefficients of jpeg_blocks.
// Output: the words of each part.
void jpeg_counts(uvec2 grid, uint k) {
    uint number = grid_number(grid), part = number >> 1, chroma = number & 1u;
    if (part >= frame(COUNTS_PARTS)) return;
    uint counts[272];
    for (uint symbol = 0u; symbol < 272u; symbol += 1u) counts[symbol] = 0u;
    uint each = (frame(COUNTS_BLOCKS) + frame(COUNTS_PARTS) - 1u) / frame(COUNTS_PARTS);
    uint of_mcu = part * each % frame(COUNTS_BLOCKS_OF_MCU);
    for (uint index = 0u; index < each; index += 1u) {
        uint block = part * each + index, kind = of_mcu < frame(COUNTS_LUMA_OF_MCU) ? 0u : 1u;
        if (block >= frame(COUNTS_BLOCKS_OF_MCU) && block < frame(COUNTS_BLOCKS) && kind == chroma) {
            counts[bits_of(jpeg_dc_difference(block, of_mcu))] += 1u;
            uint zeros = 0u;
            for (uint word = 0u; word < 32u; word += 1u) {
                uint both = source_word(0u, block * 32u + word);
                for (uint half_word = word == 0u ? 1u : 0u; half_word < 2u; half_word += 1u) {
                    int c = half_word == 0u ? int(both << 16) >> 16 : int(both) >> 16;
                    if (c == 0) {
                        zeros += 1u;
                    } else {
                        counts[16u + 0xf0u] += zeros >> 4;
                        counts[16u + ((zeros & 15u) << 4 | bits_of(c))] += 1u;
                        zeros = 0u;
                    }
                }
            }
            if (zeros > 0u) counts[16u] += 1u;
        }
        of_mcu = of_mcu + 1u == frame(COUNTS_BLOCKS_OF_MCU) ? 0u : of_mcu + 1u;
    }
    uint first = part * JPEG_COUNTS;
    for (uint symbol = 0u; symbol < 16u; symbol += 1u) output_words.data[first + chroma * 16u + symbol] = counts[symbol];
    for (uint symbol = 0u; symbol < 256u; symbol += 1u) {
        output_words.data[first + JPEG_COUNTS_AC + chroma * 256u + symbol] = counts[16u + symbol];
    }
}

// jpeg_sums: the sum of one symbol over every GROUPS-th part, an invocation each. Source 0: the words of PARTS. Output:
// those of GROUPS.
void jpeg_sums(uvec2 grid, uint k) {
    uint number = grid_number(grid), group = number / JPEG_COUNTS;
    if (group >= frame(SUMS_GROUPS)) return;
    uint sum = 0u, parts = frame(SUMS_PARTS), groups = frame(SUMS_GROUPS);
    for (uint part = group; part < parts; part += groups) {
        sum += source_word(0u, part * JPEG_COUNTS + number % JPEG_COUNTS);
    }
    output_words.data[number] = sum;
}
