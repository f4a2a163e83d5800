// jpeg_states, jpeg_state_sums, jpeg_state_bases: where symbols lie in chunks of a stream, in rounds without barriers and atomics, then
// sums of blocks and DC values before each group of chunks. The twin of JPEGScanDecoder.states.
//
// Sources 0 and 1 as of jpeg_symbols.glsl.

// jpeg_states: a chunk an invocation. Source 2: the states of the round before. Output: eight words a chunk (JPEGDecoding.stateWords).
void jpeg_states(uvec2 grid, uint k) {
    uint chunk = grid_number(grid), at = chunk * JPEG_STATE_WORDS;
    if (chunk >= frame(CHUNKS_COUNT)) return;
    jpeg_read_chunk(chunk);
    uint bit = jpeg_chunk_first, place = 0u;
    if (frame(CHUNKS_ROUND) > 0u) {
        bool is_same = true;
        if (!jpeg_starts_interval) {
            bit = source_word(2u, at - 6u);
            place = source_word(2u, at - 5u);
            is_same = source_word(2u, at) == bit && source_word(2u, at + 1u) == place;
        }
        if (is_same) {
            for (uint word = 0u; word < JPEG_STATE_WORDS; word += 1u) output_words.data[at + word] = source_word(2u, at + word);
            return;
        }
    }
    output_words.data[at] = bit;
    output_words.data[at + 1u] = place;
    jpeg_set_sums(0u, 0u, 0u, 0u);
    for (uint step = 0u; step < JPEG_CHUNK_BITS && bit < jpeg_chunk_end; step += 1u) {
        jpeg_read_symbol(bit, place);
        if (jpeg_symbol_bits == 0u) {
            bit += 1u;
        } else {
            bit += jpeg_symbol_bits;
            if ((place & 63u) == 0u) {
                jpeg_next_block += 1u;
                jpeg_add_dc(jpeg_symbol_component, uint(jpeg_symbol_value));
            }
            place = jpeg_advance(place, jpeg_symbol_next);
        }
    }
    output_words.data[at + 2u] = bit;
    output_words.data[at + 3u] = place;
    output_words.data[at + 4u] = jpeg_next_block;
    output_words.data[at + 5u] = jpeg_dc_0;
    output_words.data[at + 6u] = jpeg_dc_1;
    output_words.data[at + 7u] = jpeg_dc_2;
}

// jpeg_state_sums: a group of chunks an invocation. Output: five words a group (JPEGDecoding.groupWords).
void jpeg_state_sums(uvec2 grid, uint k) {
    uint group = grid_number(grid);
    if (group >= frame(CHUNKS_GROUPS)) return;
    uint is_known = 0u;
    jpeg_set_sums(0u, 0u, 0u, 0u);
    for (uint index = 0u; index < JPEG_CHUNK_GROUP; index += 1u) {
        uint chunk = group * JPEG_CHUNK_GROUP + index;
        if (chunk < frame(CHUNKS_COUNT)) {
            jpeg_enter_chunk(chunk);
            if (jpeg_starts_interval) is_known = 1u;
            jpeg_leave_chunk(chunk);
        }
    }
    output_words.data[5u * group] = is_known;
    output_words.data[5u * group + 1u] = jpeg_next_block;
    output_words.data[5u * group + 2u] = jpeg_dc_0;
    output_words.data[5u * group + 3u] = jpeg_dc_1;
    output_words.data[5u * group + 4u] = jpeg_dc_2;
}

// jpeg_state_bases: the sums of all chunks before a group, a group an invocation. Source 3: sums of groups. Output: four words a group.
void jpeg_state_bases(uvec2 grid, uint k) {
    uint group = grid_number(grid);
    if (group >= frame(CHUNKS_GROUPS)) return;
    jpeg_set_sums(0u, 0u, 0u, 0u);
    // The last group whose sums begin at a known block.
    uint first = group;
    while (first > 0u) {
        first -= 1u;
        if (source_word(3u, 5u * first) != 0u) break;
    }
    for (uint before = first; before < group; before += 1u) {
        jpeg_next_block += source_word(3u, 5u * before + 1u);
        jpeg_dc_0 += source_word(3u, 5u * before + 2u);
        jpeg_dc_1 += source_word(3u, 5u * before + 3u);
        jpeg_dc_2 += source_word(3u, 5u * before + 4u);
    }
    output_words.data[4u * group] = jpeg_next_block;
    output_words.data[4u * group + 1u] = jpeg_dc_0;
    output_words.data[4u * group + 2u] = jpeg_dc_1;
    output_words.data[4u * group + 3u] = jpeg_dc_2;
}
