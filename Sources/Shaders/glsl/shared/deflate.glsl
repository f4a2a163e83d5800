// What the kernels that deflate share: the frame, chunks and segments of DeflateLayout, symbols of RFC 1951.
//
// A chunk is some rows of a band, a segment 4096 of its bytes. All kernels have the same frame: the grid, the rows of the band,
// bytes of a line, chunks, their rows and words, segments of a chunk, places in the output, and the layout of pixels: bytes of a
// row, words of a plane, the width, channels of a line, bytes of a sample.

// Words of the frame.
const uint DEFLATE_ROWS = 1u, DEFLATE_LINE = 2u, DEFLATE_CHUNKS = 3u, DEFLATE_CHUNK_ROWS = 4u, DEFLATE_CHUNK_WORDS = 5u;
const uint DEFLATE_SEGMENTS = 6u, DEFLATE_STREAM = 7u, DEFLATE_SEAMS = 8u, DEFLATE_SEAMS_READ = 9u;
const uint DEFLATE_ROW_BYTES = 10u, DEFLATE_PLANE_WORDS = 11u, DEFLATE_WIDTH = 12u, DEFLATE_CHANNELS = 13u;
const uint DEFLATE_SAMPLE_BYTES = 14u;

const uint DEFLATE_SEGMENT = 4096u, DEFLATE_TOKEN_WORDS = 2048u;
// Symbols of literals and lengths, and of all; the symbol that ends a block.
const uint DEFLATE_LITERALS = 286u, DEFLATE_SYMBOLS = 310u, DEFLATE_END = 256u;
// The words of a segment behind all tokens: how often each symbol occurs, the number of tokens, sums for the checksum.
const uint DEFLATE_INFO_WORDS = 313u, DEFLATE_TOKENS = 310u, DEFLATE_SUM = 311u, DEFLATE_SUMS = 312u;
// The bits of a block's head (DeflateCodes.headBits), whole words of it, and words of a chunk in the head of a band.
const uint DEFLATE_HEAD_BITS = 1314u, DEFLATE_HEAD_WORDS = 41u, DEFLATE_CHUNK_HEAD = 3u;
// What tells a length from a literal.
const uint DEFLATE_MATCH = 0x8000u;

uint deflate_least(uint a, uint b) { return a < b ? a : b; }

// Returns the bytes of a chunk: the last one of a band may have fewer rows.
uint deflate_chunk_bytes(uint chunk) {
    uint first = chunk * frame(DEFLATE_CHUNK_ROWS);
    return deflate_least(frame(DEFLATE_CHUNK_ROWS), frame(DEFLATE_ROWS) - first) * frame(DEFLATE_LINE);
}

// The row of a chunk's byte, that row in the band, and the byte's place in it.
uint deflate_line, deflate_y, deflate_place;

// Finds a byte of a chunk; false for bytes behind the last.
bool deflate_find(uint chunk, uint index) {
    deflate_line = index / frame(DEFLATE_LINE);
    deflate_place = index % frame(DEFLATE_LINE);
    deflate_y = chunk * frame(DEFLATE_CHUNK_ROWS) + deflate_line;
    return deflate_line < frame(DEFLATE_CHUNK_ROWS) && deflate_y < frame(DEFLATE_ROWS);
}

// Returns a half of the image that the last pass has made.
uint deflate_image_half(uint x, uint y, uint channel) { return imageLoad(source_image_0, ivec2(int(x), int(y)))[channel]; }

uint deflate_segments(uint chunk) { return (deflate_chunk_bytes(chunk) + DEFLATE_SEGMENT - 1u) / DEFLATE_SEGMENT; }

// Returns the first word of what is known of a segment; tokens of all segments are before.
uint deflate_info(uint chunk, uint segment) {
    uint all = frame(DEFLATE_CHUNKS) * frame(DEFLATE_SEGMENTS);
    return all * DEFLATE_TOKEN_WORDS + (chunk * frame(DEFLATE_SEGMENTS) + segment) * DEFLATE_INFO_WORDS;
}

// The symbol of a length or distance, and the bits that tell it from others with that symbol.
uint deflate_symbol, deflate_extra, deflate_extra_bits;

// Takes a number apart, which keeps its highest bit and `kept` bits below it.
void deflate_split(uint number, uint kept) {
    uint size = bits_of(int(number));
    deflate_extra_bits = size <= kept + 1u ? 0u : size - 1u - kept;
    deflate_symbol = (deflate_extra_bits << kept) + (number >> deflate_extra_bits);
    deflate_extra = number & ((1u << deflate_extra_bits) - 1u);
}

void deflate_split_length(uint length) {
    if (length == 258u) {
        deflate_symbol = 285u;
        deflate_extra = 0u;
        deflate_extra_bits = 0u;
    } else {
        deflate_split(length - 3u, 2u);
        deflate_symbol += 257u;
    }
}

void deflate_split_distance(uint distance) {
    deflate_split(distance - 1u, 1u);
    deflate_symbol += DEFLATE_LITERALS;
}
