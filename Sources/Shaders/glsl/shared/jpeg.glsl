// What the kernels of JPEG share: places in source 1, the words of JPEGTables, and sizes of values.
const uint JPEG_TABLE_LUMA = 0u, JPEG_TABLE_CHROMA = 64u, JPEG_TABLE_NATURAL = 128u;
const uint JPEG_TABLE_LUMA_DC = 144u, JPEG_TABLE_CHROMA_DC = 160u, JPEG_TABLE_LUMA_AC = 176u, JPEG_TABLE_CHROMA_AC = 432u;

int jpeg_magnitude(int value) { return value < 0 ? -value : value; }

// Returns the number of bits of a value's magnitude, at most 24: the size category of ITU-T T.81, F.1.2.1.
uint jpeg_size(int value) {
    uint bits = floatBitsToUint(float(jpeg_magnitude(value)));
    return bits == 0u ? 0u : (bits >> 23) - 126u;
}

// Returns the length of the code at a place: the word's upper half.
uint jpeg_code_length(uint place) { return source_word(1u, place) >> 16; }
