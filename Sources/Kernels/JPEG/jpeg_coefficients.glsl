// jpeg_coefficients, jpeg_flags: the coefficients of blocks, and what is odd in the stream. A chunk writes the blocks that begin in it,
// the last one to its end in another chunk, so no word has two writers. The twin of JPEGScanDecoder.coefficients.
//
// Sources 0, 1 and 2 as of jpeg_symbols.glsl. Source 3: the words of jpeg_state_bases.

// JPEGDecodeFlags
const uint JPEG_UNSETTLED = 1u, JPEG_UNKNOWN_CODE = 2u, JPEG_BEYOND_BLOCK = 4u, JPEG_LARGE_DC = 8u, JPEG_SHORT = 16u, JPEG_BYTES_LEFT = 32u;

// The word of a block that is not written yet, and its place.
uint jpeg_open_word, jpeg_open_place;

// Writes words of a block up to a place.
void jpeg_close_words(uint block, uint end) {
    for (uint word = jpeg_open_place; word < end; word += 1u) {
        output_words.data[32u * block + word] = jpeg_open_word;
        jpeg_open_word = 0u;
    }
    jpeg_open_place = end;
}

// Returns the flags of a chunk whose blocks are written; the sums are those before it.
uint jpeg_write_blocks(uint chunk) {
    uint bit = source_word(2u, chunk * JPEG_STATE_WORDS), place = source_word(2u, chunk * JPEG_STATE_WORDS + 1u);
    if (!jpeg_starts_interval) {
        uint end = chunk * JPEG_STATE_WORDS - 6u;
        if (source_word(2u, end) != bit || source_word(2u, end + 1u) != place) return JPEG_UNSETTLED;
    }
    uint last = (jpeg_interval + 1u) * frame(CHUNKS_BLOCKS_OF_INTERVAL);
    if (last > frame(CHUNKS_ALL_BLOCKS)) last = frame(CHUNKS_ALL_BLOCKS);
    bool is_own = false;
    // At most a symbol a bit, and those of a block that ends behind the chunk.
    for (uint step = 0u; step < JPEG_CHUNK_BITS + 64u; step += 1u) {
        uint index = place & 63u;
        if (bit >= jpeg_chunk_end && (index == 0u || !is_own) || index == 0u && jpeg_next_block >= last) break;
        jpeg_read_symbol(bit, place);
        if (jpeg_symbol_bits == 0u) return JPEG_UNKNOWN_CODE;
        bit += jpeg_symbol_bits;
        if (bit > jpeg_interval_end) return JPEG_SHORT;
        if (index == 0u) {
            is_own = true;
            jpeg_add_dc(jpeg_symbol_component, uint(jpeg_symbol_value));
            uint dc = jpeg_symbol_component == 0u ? jpeg_dc_0 : jpeg_symbol_component == 1u ? jpeg_dc_1 : jpeg_dc_2;
            if (int(dc << 16) >> 16 != int(dc)) return JPEG_LARGE_DC;
            jpeg_open_place = 0u;
            jpeg_open_word = dc & 0xffffu;
        } else {
            if (jpeg_symbol_next > 64u) return JPEG_BEYOND_BLOCK;
            if (is_own && jpeg_symbol_value != 0) {
                uint at = jpeg_symbol_next - 1u;
                jpeg_close_words(jpeg_next_block, at >> 1);
                jpeg_open_word |= (uint(jpeg_symbol_value) & 0xffffu) << ((at & 1u) << 4);
            }
        }
        place = jpeg_advance(place, jpeg_symbol_next);
        if (is_own && (place & 63u) == 0u) {
            jpeg_close_words(jpeg_next_block, 32u);
            jpeg_next_block += 1u;
            if (jpeg_next_block == last && jpeg_interval_end - bit >= 8u) return JPEG_BYTES_LEFT;
        }
    }
    return jpeg_chunk_end == jpeg_interval_end && jpeg_next_block < last ? JPEG_SHORT : 0u;
}

// jpeg_coefficients: a chunk an invocation. Output: 32 words a block, two coefficients each, in zigzag order, in the order of the scan; then the
// flags of chunks.
void jpeg_coefficients(uvec2 grid, uint k) {
    uint chunk = grid_number(grid), group = chunk / JPEG_CHUNK_GROUP;
    if (chunk >= frame(CHUNKS_COUNT)) return;
    jpeg_set_sums(
        source_word(3u, 4u * group), source_word(3u, 4u * group + 1u), source_word(3u, 4u * group + 2u), source_word(3u, 4u * group + 3u));
    for (uint before = group * JPEG_CHUNK_GROUP; before < chunk; before += 1u) {
        jpeg_enter_chunk(before);
        jpeg_leave_chunk(before);
    }
    jpeg_enter_chunk(chunk);
    output_words.data[32u * frame(CHUNKS_ALL_BLOCKS) + chunk] = jpeg_write_blocks(chunk);
}

// jpeg_flags: the flags of a group of chunks an invocation. Source 0: the output of jpeg_coefficients. Output: a word a group.
void jpeg_flags(uvec2 grid, uint k) {
    uint group = grid_number(grid), flags = 0u;
    if (group >= frame(CHUNKS_GROUPS)) return;
    for (uint index = 0u; index < JPEG_CHUNK_GROUP; index += 1u) {
        uint chunk = group * JPEG_CHUNK_GROUP + index;
        if (chunk < frame(CHUNKS_COUNT)) flags |= source_word(0u, 32u * frame(CHUNKS_ALL_BLOCKS) + chunk);
    }
    output_words.data[group] = flags;
}
