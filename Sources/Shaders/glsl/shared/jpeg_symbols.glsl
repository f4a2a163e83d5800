// Symbols of a JPEG stream and chunks of its bits, which jpeg_states and jpeg_coefficients read: the twin of SymbolReader in
// Kernels/JPEG/JPEGScanDecoder.swift.
//
// Source 0: the stream, its first bit the highest of a word. Source 1: the words of JPEGDecoding, tables and chunks. Source 2: states of
// chunks. The stream is untrusted: whatever it says, a symbol takes 1 to 31 bits, and each place in a table lies in that table.

// Words of the frame: the grid, the chunks, the components' blocks, intervals, groups of chunks, and the round.
const uint CHUNKS_COUNT = 1u, CHUNKS_BLOCKS_OF_MCU = 2u, CHUNKS_LUMA_OF_MCU = 3u, CHUNKS_BLOCKS_OF_INTERVAL = 4u;
const uint CHUNKS_ALL_BLOCKS = 5u, CHUNKS_GROUPS = 6u, CHUNKS_ROUND = 7u;

// Places of source 1; of a code table, behind lengths and values of codes of 9 bits: what is needed for longer ones, and all values.
const uint JPEG_CODES = 208u, JPEG_CODES_WORDS = 336u, JPEG_CHUNKS = 2224u;
const uint JPEG_CODES_LIMITS = 256u, JPEG_CODES_OFFSETS = 264u, JPEG_CODES_VALUES = 272u;
const uint JPEG_CHUNK_BITS = 1024u, JPEG_CHUNK_GROUP = 64u, JPEG_STATE_WORDS = 8u;

// A chunk: its first bit, its end, its interval and where that ends.
uint jpeg_chunk_first, jpeg_chunk_end, jpeg_interval, jpeg_interval_end;
bool jpeg_starts_interval;

void jpeg_read_chunk(uint chunk) {
    jpeg_chunk_first = source_word(1u, JPEG_CHUNKS + 2u * chunk);
    jpeg_interval = source_word(1u, JPEG_CHUNKS + 2u * chunk + 1u);
    uint ends = JPEG_CHUNKS + 2u * frame(CHUNKS_COUNT) + jpeg_interval;
    jpeg_starts_interval = source_word(1u, ends) == jpeg_chunk_first;
    jpeg_interval_end = source_word(1u, ends + 1u);
    jpeg_chunk_end = jpeg_chunk_first + JPEG_CHUNK_BITS;
    if (jpeg_chunk_end > jpeg_interval_end) jpeg_chunk_end = jpeg_interval_end;
}

// A symbol: its code and the bits behind it, 0 for a code that the table does not have; its component and value; the coefficient
// that comes next, more than 63 if it is the next block's first.
uint jpeg_symbol_bits, jpeg_symbol_component, jpeg_symbol_next;
int jpeg_symbol_value;

// Reads the symbol at a bit. A place is a block of the MCU, times 64, plus a coefficient.
void jpeg_read_symbol(uint bit, uint place) {
    uint shift = bit & 31u;
    uint window = source_word(0u, bit >> 5) << shift | (source_word(0u, (bit >> 5) + 1u) >> 1) >> (31u - shift);
    uint block = place >> 6, index = place & 63u, luma = frame(CHUNKS_LUMA_OF_MCU);
    jpeg_symbol_component = block < luma ? 0u : block == luma ? 1u : 2u;
    jpeg_symbol_bits = 0u;
    jpeg_symbol_value = 0;
    uint codes = JPEG_CODES + (2u * jpeg_symbol_component + (index == 0u ? 0u : 1u)) * JPEG_CODES_WORDS;
    uint entry = source_word(1u, codes + (window >> 24)) >> ((window >> 23 & 1u) << 4);
    uint length = entry >> 8 & 0xffu, value = entry & 0xffu;
    if (length == 0u) {
        for (uint more = 0u; more < 7u && length == 0u; more += 1u) {
            if (window >> 16 < source_word(1u, codes + JPEG_CODES_LIMITS + more)) {
                length = more + 10u;
                uint number = (window >> (22u - more)) + source_word(1u, codes + JPEG_CODES_OFFSETS + more) & 0xffu;
                value = source_word(1u, codes + JPEG_CODES_VALUES + (number >> 2)) >> ((number & 3u) << 3) & 0xffu;
            }
        }
        if (length == 0u) return;
    }
    uint size = value & 15u, run = value >> 4;
    jpeg_symbol_bits = length + size;
    if (size > 0u) {
        int extra = int((window << length) >> (32u - size)), least = 1 << (size - 1u);
        jpeg_symbol_value = extra < least ? extra - 2 * least + 1 : extra;
    }
    jpeg_symbol_next = index == 0u ? 1u : size == 0u && run != 15u ? 64u : index + run + 1u;
}

// Returns the place of a coefficient of the same block, or from 64 on of the next block's first.
uint jpeg_advance(uint place, uint next) {
    if (next < 64u) return place & ~63u | next;
    uint block = (place >> 6) + 1u;
    return block == frame(CHUNKS_BLOCKS_OF_MCU) ? 0u : block << 6;
}

// The number of the next block that begins, and the DC values so far.
uint jpeg_next_block, jpeg_dc_0, jpeg_dc_1, jpeg_dc_2;

void jpeg_add_dc(uint component, uint difference) {
    if (component == 0u) jpeg_dc_0 += difference;
    else if (component == 1u) jpeg_dc_1 += difference;
    else jpeg_dc_2 += difference;
}

void jpeg_set_sums(uint block, uint dc_0, uint dc_1, uint dc_2) {
    jpeg_next_block = block;
    jpeg_dc_0 = dc_0;
    jpeg_dc_1 = dc_1;
    jpeg_dc_2 = dc_2;
}

// Reads a chunk that comes next: at the start of an interval the sums are known.
void jpeg_enter_chunk(uint chunk) {
    jpeg_read_chunk(chunk);
    if (jpeg_starts_interval) jpeg_set_sums(jpeg_interval * frame(CHUNKS_BLOCKS_OF_INTERVAL), 0u, 0u, 0u);
}

// Adds what a chunk's state says of its blocks.
void jpeg_leave_chunk(uint chunk) {
    uint at = chunk * JPEG_STATE_WORDS;
    jpeg_next_block += source_word(2u, at + 4u);
    jpeg_dc_0 += source_word(2u, at + 5u);
    jpeg_dc_1 += source_word(2u, at + 6u);
    jpeg_dc_2 += source_word(2u, at + 7u);
}
