// deflate_segment_bits, deflate_chunk_bits, deflate_codes, deflate_seams: the codes of segments, in dispatches without shared memory,
// barriers and atomics. The twin of DeflateChunkCoder.
//
// Source 0: the output of deflate_tokens. Source 1: that of deflate_trees.

// deflate_segment_bits: a segment an invocation. Output: a word a segment.
void deflate_segment_bits(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_SEGMENTS), segment = number % frame(DEFLATE_SEGMENTS);
    if (chunk >= frame(DEFLATE_CHUNKS) || segment >= deflate_segments(chunk)) return;
    uint bits = 0u, info = deflate_info(chunk, segment), codes = chunk * DEFLATE_SYMBOLS;
    for (uint symbol = 0u; symbol < DEFLATE_SYMBOLS; symbol += 1u) {
        uint extra = 0u;
        if (symbol > 260u && symbol < 285u) extra = symbol - 261u >> 2;
        if (symbol > DEFLATE_LITERALS + 1u) extra = (symbol - DEFLATE_LITERALS >> 1) - 1u;
        bits += source_word(0u, info + symbol) * ((source_word(1u, codes + symbol) >> 16) + extra);
    }
    if (segment + 1u == deflate_segments(chunk)) bits += source_word(1u, codes + DEFLATE_END) >> 16;
    output_words.data[number] = bits;
}

// deflate_chunk_bits: a chunk an invocation. Source 2: the output of deflate_segment_bits. Output, the head of the band: the
// bits of the chunk and both sums of its checksum (AdlerSum).
void deflate_chunk_bits(uvec2 grid, uint k) {
    uint chunk = grid_number(grid);
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint bits = DEFLATE_HEAD_BITS, sum = 0u, sums = 0u, segments = deflate_segments(chunk), bytes = deflate_chunk_bytes(chunk);
    for (uint segment = 0u; segment < segments; segment += 1u) {
        uint info = deflate_info(chunk, segment);
        bits += source_word(2u, chunk * frame(DEFLATE_SEGMENTS) + segment);
        uint count = deflate_least(DEFLATE_SEGMENT, bytes - segment * DEFLATE_SEGMENT);
        sums = (sums + source_word(0u, info + DEFLATE_SUMS) % 65521u + count * sum) % 65521u;
        sum = (sum + source_word(0u, info + DEFLATE_SUM)) % 65521u;
    }
    output_words.data[chunk * DEFLATE_CHUNK_HEAD] = bits;
    output_words.data[chunk * DEFLATE_CHUNK_HEAD + 1u] = sum;
    output_words.data[chunk * DEFLATE_CHUNK_HEAD + 2u] = sums;
}

// Returns the first word of a chunk in the stream.
// - source: that of the band's head.
uint deflate_chunk_start(uint source, uint chunk) {
    uint words = 0u;
    for (uint before = 0u; before < chunk; before += 1u) words += source_word(source, before * DEFLATE_CHUNK_HEAD) + 31u >> 5;
    return words;
}

// Returns the first bit of a segment in its chunk.
uint deflate_segment_start(uint chunk, uint segment) {
    uint bits = DEFLATE_HEAD_BITS;
    for (uint before = 0u; before < segment; before += 1u) bits += source_word(2u, chunk * frame(DEFLATE_SEGMENTS) + before);
    return bits;
}

void deflate_put_symbol(uint codes) {
    uint code = source_word(1u, codes + deflate_symbol);
    uint extra = deflate_extra_bits == 0u ? 0u : bits_reversed(deflate_extra) >> (32u - deflate_extra_bits);
    bits_put((code & 0xffffu) << deflate_extra_bits | extra, (code >> 16) + deflate_extra_bits);
}

// deflate_codes: a segment an invocation. Source 2: the output of deflate_segment_bits; source 3: the head of the band. Output:
// from word SEAMS, two seams a segment; from word STREAM, the chunks but for their heads, each from a word on, its first bit the
// lowest.
void deflate_codes(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_SEGMENTS), segment = number % frame(DEFLATE_SEGMENTS);
    if (chunk >= frame(DEFLATE_CHUNKS) || segment >= deflate_segments(chunk)) return;
    bits_lowest_first = true;
    bits_begin(
        deflate_segment_start(chunk, segment), frame(DEFLATE_STREAM) + deflate_chunk_start(3u, chunk),
        frame(DEFLATE_SEAMS) + 2u * number);
    uint codes = chunk * DEFLATE_SYMBOLS, first = number * DEFLATE_TOKEN_WORDS;
    uint tokens = deflate_least(source_word(0u, deflate_info(chunk, segment) + DEFLATE_TOKENS), DEFLATE_SEGMENT);
    bool is_distance = false;
    for (uint index = 0u; index < tokens; index += 1u) {
        uint token = source_word(0u, first + (index >> 1)) >> ((index & 1u) << 4) & 0xffffu;
        if (is_distance) {
            deflate_split_distance(token);
            is_distance = false;
        } else if ((token & DEFLATE_MATCH) != 0u) {
            deflate_split_length(token & ~DEFLATE_MATCH);
            is_distance = true;
        } else {
            deflate_symbol = token;
            deflate_extra_bits = 0u;
        }
        deflate_put_symbol(codes);
    }
    if (segment + 1u == deflate_segments(chunk)) {
        deflate_symbol = DEFLATE_END;
        deflate_extra_bits = 0u;
        deflate_put_symbol(codes);
    }
    bits_end();
}

// Returns a word of a block's head (DeflateBits.putHead), its first bit the lowest.
uint deflate_head_word(uint chunk, uint index) {
    // Type, numbers and the lengths of 16 codes of lengths are 74 bits; the length of each symbol has 4.
    uint word = index == 0u ? 0x9001f7ecu : index == 1u ? 0x24924924u : index == 2u ? 0x249u : 0u;
    if (index < 2u) return word;
    uint first = index == 2u ? 0u : 8u * index - 19u;
    for (uint symbol = first; symbol < 8u * index - 10u && symbol < DEFLATE_SYMBOLS; symbol += 1u) {
        uint bits = bits_reversed(source_word(1u, chunk * DEFLATE_SYMBOLS + symbol) >> 16) >> 28;
        uint place = 74u + 4u * symbol;
        word |= place < 32u * index ? bits >> (32u * index - place) : bits << (place - 32u * index);
    }
    return word;
}

// deflate_seams: a word of a chunk's head, or the word in which a segment begins, or after the last one the word in which it
// ends. Source 0: the band's output up to the stream. Output: the stream.
void deflate_seams(uvec2 grid, uint k) {
    uint each = DEFLATE_HEAD_WORDS + frame(DEFLATE_SEGMENTS) + 1u;
    uint number = grid_number(grid), chunk = number / each, place = number % each;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    bits_lowest_first = true;
    uint stream = deflate_chunk_start(0u, chunk);
    if (place < DEFLATE_HEAD_WORDS) {
        output_words.data[stream + place] = deflate_head_word(chunk, place);
        return;
    }
    uint segment = place - DEFLATE_HEAD_WORDS, segments = deflate_segments(chunk);
    if (segment > segments) return;
    uint seams = frame(DEFLATE_SEAMS_READ) + 2u * (chunk * frame(DEFLATE_SEGMENTS) + segment);
    // The last word of a head is that in which the first segment begins.
    uint before = segment == 0u ? bits_reversed(deflate_head_word(chunk, DEFLATE_HEAD_WORDS)) : source_word(0u, seams - 1u);
    if (segment == segments) {
        bits_close(
            deflate_segment_start(chunk, segment - 1u), source_word(0u, chunk * DEFLATE_CHUNK_HEAD), stream, before);
    } else {
        bits_join(deflate_segment_start(chunk, segment), stream, before, source_word(0u, seams));
    }
}
