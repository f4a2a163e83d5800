// What the kernels of JPEG share: places in source 1, the words of JPEGTables; DC values of blocks.
const uint JPEG_TABLE_LUMA = 0u, JPEG_TABLE_CHROMA = 64u, JPEG_TABLE_NATURAL = 128u;
const uint JPEG_TABLE_LUMA_DC = 144u, JPEG_TABLE_CHROMA_DC = 160u, JPEG_TABLE_LUMA_AC = 176u, JPEG_TABLE_CHROMA_AC = 432u;

int jpeg_magnitude(int value) { return value < 0 ? -value : value; }

// Returns the length of the code at a place: the word's upper half.
uint jpeg_code_length(uint place) { return source_word(1u, place) >> 16; }

// Returns the place of a component's block in the scan.
// - of_mcu: the component's blocks in an MCU, across and down.
// - first, all: the place of its first block among those of an MCU, and the number of these.
uint jpeg_block_number(uvec2 block, uvec2 of_mcu, uint mcu_columns, uint first, uint all) {
    uint mcu = block.y / of_mcu.y * mcu_columns + block.x / of_mcu.x;
    return mcu * all + first + block.y % of_mcu.y * of_mcu.x + block.x % of_mcu.x;
}

// Returns the place in natural order of a coefficient in zigzag order (ITU-T T.81, figure A.6), from four in a word of source 1.
uint jpeg_natural(uint first_word, uint index) {
    return source_word(1u, first_word + (index >> 2)) >> ((index & 3u) << 3) & 0x3fu;
}

// The first frame words of the kernels that follow jpeg_blocks; its output is their source 0.
#pragma values SCAN COLUMNS BLOCKS BLOCKS_OF_MCU LUMA_OF_MCU

int jpeg_dc(uint block) { return int(source_word(0u, block * 32u) << 16) >> 16; }

// Returns the difference of a block's DC value from that of the block before it in its component; not for the first MCU.
int jpeg_dc_difference(uint block, uint of_mcu) {
    uint luma = frame(SCAN_LUMA_OF_MCU), all = frame(SCAN_BLOCKS_OF_MCU);
    uint back = of_mcu >= luma ? all : of_mcu > 0u ? 1u : all - luma + 1u;
    return jpeg_dc(block) - jpeg_dc(block - back);
}
