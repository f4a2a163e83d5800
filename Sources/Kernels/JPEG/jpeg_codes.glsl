// jpeg_head, jpeg_run_bits, jpeg_group_bits, jpeg_codes, jpeg_seams: Huffman codes of quantised blocks, in dispatches
// without shared memory, barriers and atomics. Each invocation writes the codes of a run of blocks; where two runs share a word, both leave
// their parts and the last dispatch joins them. The twin of JPEGScanCoder.
//
// Source 0: coefficients and AC bits of jpeg_blocks. Source 1: the words of JPEGTables. Source 2: bits of runs. Source 3: bits
// of groups of runs. The first MCU of a band has no codes here: its DC values depend on the band before.
#pragma values CODES COLUMNS BLOCKS BLOCKS_OF_MCU LUMA_OF_MCU RUNS GROUPS STREAM SEAMS

const uint JPEG_RUN = 32u, JPEG_GROUP = 64u;
// Words of the head.
const uint JPEG_HEAD_DC = 1u, JPEG_HEAD_FIRST = 4u;

// jpeg_head: what the host needs to put bands together, a word an invocation: the blocks of the first MCU, and the last DC
// value of each component. Output: the head.
void jpeg_head(uvec2 grid, uint k) {
    uint number = grid_number(grid), of_mcu = frame(CODES_BLOCKS_OF_MCU), luma = frame(CODES_LUMA_OF_MCU);
    if (number < of_mcu * 32u) {
        output_words.data[JPEG_HEAD_FIRST + number] = source_word(0u, number);
        return;
    }
    // Of luma the last block counts; chroma has one in an MCU.
    uint component = number - of_mcu * 32u;
    if (component > of_mcu - luma) return;
    output_words.data[JPEG_HEAD_DC + component] = uint(jpeg_dc(frame(CODES_BLOCKS) - of_mcu + luma - 1u + component));
}

// jpeg_run_bits: one run of blocks an invocation. Output: a word a run.
void jpeg_run_bits(uvec2 grid, uint k) {
    uint run = grid_number(grid), all = frame(CODES_BLOCKS);
    if (run >= frame(CODES_RUNS)) return;
    uint bits = 0u, of_mcu = run * JPEG_RUN % frame(CODES_BLOCKS_OF_MCU);
    for (uint index = 0u; index < JPEG_RUN; index += 1u) {
        uint block = run * JPEG_RUN + index;
        if (block >= frame(CODES_BLOCKS_OF_MCU) && block < all) {
            uint codes = of_mcu < frame(CODES_LUMA_OF_MCU) ? JPEG_TABLE_LUMA_DC : JPEG_TABLE_CHROMA_DC;
            uint size = bits_of(jpeg_dc_difference(block, of_mcu));
            bits += jpeg_code_length(codes + size) + size + source_word(0u, all * 32u + block);
        }
        of_mcu = of_mcu + 1u == frame(CODES_BLOCKS_OF_MCU) ? 0u : of_mcu + 1u;
    }
    output_words.data[run] = bits;
}

// jpeg_group_bits: the sum of a group of runs an invocation. Output: a word a group.
void jpeg_group_bits(uvec2 grid, uint k) {
    uint group = grid_number(grid);
    if (group >= frame(CODES_GROUPS)) return;
    uint bits = 0u;
    for (uint index = 0u; index < JPEG_GROUP; index += 1u) {
        uint run = group * JPEG_GROUP + index;
        if (run < frame(CODES_RUNS)) bits += source_word(2u, run);
    }
    output_words.data[group] = bits;
}

// Returns the first bit of a run.
uint jpeg_run_start(uint run) {
    uint bits = 0u, group = run / JPEG_GROUP;
    for (uint index = 0u; index < group; index += 1u) bits += source_word(3u, index);
    for (uint index = group * JPEG_GROUP; index < run; index += 1u) bits += source_word(2u, index);
    return bits;
}

// Appends the code at a place of the tables and the bits that tell the value from others of its size.
void jpeg_put_value(uint place, int value, uint size) {
    uint code = source_word(1u, place);
    uint extra = uint(value < 0 ? value - 1 : value) & ((1u << size) - 1u);
    bits_put((code & 0xffffu) << size | extra, (code >> 16) + size);
}

// jpeg_codes: the codes of one run of blocks an invocation. Output: the number of all bits; from word SEAMS, two seams a
// run; from word STREAM, the stream, its first bit the highest of a word.
void jpeg_codes(uvec2 grid, uint k) {
    uint run = grid_number(grid), all = frame(CODES_BLOCKS);
    if (run >= frame(CODES_RUNS)) return;
    bits_lowest_first = false;
    bits_begin(jpeg_run_start(run), frame(CODES_STREAM), frame(CODES_SEAMS) + 2u * run);
    uint of_mcu = run * JPEG_RUN % frame(CODES_BLOCKS_OF_MCU);
    for (uint index = 0u; index < JPEG_RUN; index += 1u) {
        uint block = run * JPEG_RUN + index;
        if (block >= frame(CODES_BLOCKS_OF_MCU) && block < all) {
            bool is_luma = of_mcu < frame(CODES_LUMA_OF_MCU);
            int difference = jpeg_dc_difference(block, of_mcu);
            uint size = bits_of(difference);
            jpeg_put_value((is_luma ? JPEG_TABLE_LUMA_DC : JPEG_TABLE_CHROMA_DC) + size, difference, size);
            uint codes = is_luma ? JPEG_TABLE_LUMA_AC : JPEG_TABLE_CHROMA_AC, zeros = 0u;
            for (uint word = 0u; word < 32u; word += 1u) {
                uint both = source_word(0u, block * 32u + word);
                for (uint part = word == 0u ? 1u : 0u; part < 2u; part += 1u) {
                    int c = part == 0u ? int(both << 16) >> 16 : int(both) >> 16;
                    if (c == 0) {
                        zeros += 1u;
                    } else {
                        for (uint long_run = zeros >> 4; long_run > 0u; long_run -= 1u) jpeg_put_value(codes + 0xf0u, 0, 0u);
                        uint c_size = bits_of(c);
                        jpeg_put_value(codes + ((zeros & 15u) << 4 | c_size), c, c_size);
                        zeros = 0u;
                    }
                }
            }
            if (zeros > 0u) jpeg_put_value(codes, 0, 0u);
        }
        of_mcu = of_mcu + 1u == frame(CODES_BLOCKS_OF_MCU) ? 0u : of_mcu + 1u;
    }
    bits_end();
    if (run + 1u == frame(CODES_RUNS)) output_words.data[0u] = (bits_word << 5) + bits_held_count;
}

// jpeg_seams: the word in which a run begins, one an invocation, and after the last run the word in which it ends. Source 0: the
// output of jpeg_codes up to the stream. Output: the stream.
void jpeg_seams(uvec2 grid, uint k) {
    uint run = grid_number(grid);
    if (run > frame(CODES_RUNS) || run == 0u) return;
    bits_lowest_first = false;
    uint before = source_word(0u, frame(CODES_SEAMS) + 2u * run - 1u);
    if (run == frame(CODES_RUNS)) {
        bits_close(jpeg_run_start(run - 1u), source_word(0u, 0u), 0u, before);
    } else {
        bits_join(jpeg_run_start(run), 0u, before, source_word(0u, frame(CODES_SEAMS) + 2u * run));
    }
}
