// deflate_tokens: the literals and matches of a segment an invocation, and how often each symbol occurs. The twin of DeflateSegment.
//
// Source 0: the output of deflate_rows. Output: 2048 words a segment, two tokens in a word; then the words of deflate_info.

uint deflate_first_word;

uint deflate_byte(uint at) { return source_word(0u, deflate_first_word + (at >> 2)) >> ((at & 3u) << 3) & 0xffu; }

// Returns four bytes, of which a word more is read.
uint deflate_four(uint at) {
    uint word = deflate_first_word + (at >> 2), shift = (at & 3u) << 3;
    return source_word(0u, word) >> shift | source_word(0u, word + 1u) << 1 << (31u - shift);
}

uint deflate_hash(uint at) { return deflate_four(at) * 0x9e3779b1u >> 24; }

// Returns the number of bytes, at most `most`, that equal those of an earlier place.
uint deflate_length(uint at, uint before, uint most) {
    uint length = 0u;
    for (uint step = 0u; step < 64u && length + 4u <= most; step += 1u) {
        if (deflate_four(at + length) != deflate_four(before + length)) break;
        length += 4u;
    }
    for (uint step = 0u; step < 4u && length < most; step += 1u) {
        if (deflate_byte(at + length) != deflate_byte(before + length)) break;
        length += 1u;
    }
    return length;
}

// The next token's place, in halves of words, and the half of a word that is not written yet.
uint deflate_token, deflate_half;

void deflate_put(uint first, uint token) {
    if ((deflate_token & 1u) == 0u) deflate_half = token;
    else output_words.data[first + (deflate_token >> 1)] = deflate_half | token << 16;
    deflate_token += 1u;
}

void deflate_tokens(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / frame(DEFLATE_SEGMENTS), segment = number % frame(DEFLATE_SEGMENTS);
    if (chunk >= frame(DEFLATE_CHUNKS) || segment >= deflate_segments(chunk)) return;
    uint start = segment * DEFLATE_SEGMENT, count = deflate_least(DEFLATE_SEGMENT, deflate_chunk_bytes(chunk) - start);
    uint first = number * DEFLATE_TOKEN_WORDS;
    deflate_first_word = chunk * frame(DEFLATE_CHUNK_WORDS) + (start >> 2);
    // A place is the number of a byte, plus one.
    uint places[256], counts[DEFLATE_SYMBOLS];
    for (uint hash = 0u; hash < 256u; hash += 1u) places[hash] = 0u;
    for (uint symbol = 0u; symbol < DEFLATE_SYMBOLS; symbol += 1u) counts[symbol] = 0u;
    deflate_token = 0u;
    // The byte at which the next token begins.
    uint next = 0u;
    for (uint at = 0u; at < count; at += 1u) {
        uint place = 0u;
        if (at + 4u <= count) {
            uint hash = deflate_hash(at);
            place = places[hash];
            places[hash] = at + 1u;
        }
        if (at == next) {
            uint length = place == 0u ? 0u : deflate_length(at, place - 1u, deflate_least(count - at, 258u));
            if (length >= 4u) {
                deflate_put(first, length | DEFLATE_MATCH);
                deflate_put(first, at + 1u - place);
                deflate_split_length(length);
                counts[deflate_symbol] += 1u;
                deflate_split_distance(at + 1u - place);
                counts[deflate_symbol] += 1u;
                next += length;
            } else {
                uint literal = deflate_byte(at);
                deflate_put(first, literal);
                counts[literal] += 1u;
                next += 1u;
            }
        }
    }
    if ((deflate_token & 1u) != 0u) output_words.data[first + (deflate_token >> 1)] = deflate_half;
    uint sum = 0u, sums = 0u;
    for (uint index = 0u; index < count; index += 1u) {
        uint value = deflate_byte(index);
        sum += value;
        sums += (count - index) * value;
    }
    uint info = deflate_info(chunk, segment);
    for (uint symbol = 0u; symbol < DEFLATE_SYMBOLS; symbol += 1u) output_words.data[info + symbol] = counts[symbol];
    output_words.data[info + DEFLATE_TOKENS] = deflate_token;
    output_words.data[info + DEFLATE_SUM] = sum;
    output_words.data[info + DEFLATE_SUMS] = sums;
}
