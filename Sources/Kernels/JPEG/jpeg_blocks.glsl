// jpeg_blocks: one block of a component an invocation: samples of 8 bits become quantised coefficients and the number of bits
// of their AC codes. The twin of JPEGBlock.
//
// Source 0: the picture's pixels; source 1: the words of JPEGTables. Output: 32 words a block, two coefficients each, in
// zigzag order; then a word a block: bits of its AC codes. Blocks are in the order of the scan.
#pragma values JPEG COLUMNS ROWS REAL_COLUMNS REAL_ROWS WIDTH HEIGHT SAMPLE_ROWS ROW_BYTES
#pragma values JPEG COMPONENT BLOCKS_X BLOCKS_Y SHIFT_X SHIFT_Y FIRST_IN_MCU BLOCKS_OF_MCU MCU_COLUMNS ALL_BLOCKS
#pragma values COMPONENT LUMA CB CR GREY

// Returns the component's value of a pixel, as jccolor.c has it.
int jpeg_pixel(uint x, uint y) {
    uint component = frame(JPEG_COMPONENT);
    uint p = source_word(0u, (y * frame(JPEG_ROW_BYTES) >> 2) + x);
    if (component == COMPONENT_GREY) return int(p & 0xffu);
    int r = int(p & 0xffu), g = int(p >> 8 & 0xffu), b = int(p >> 16 & 0xffu);
    if (component == COMPONENT_LUMA) return (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
    if (component == COMPONENT_CB) return (-11059 * r - 21709 * g + 32768 * b + 8421375) >> 16;
    return (32768 * r - 27439 * g - 5329 * b + 8421375) >> 16;
}

uint jpeg_least(uint a, uint b) { return a < b ? a : b; }

// Returns a sample of the component: the mean of pixels where it is subsampled, with the changing bias of jcsample.c.
int jpeg_sample(uint column, uint row) {
    uint sx = frame(JPEG_SHIFT_X), sy = frame(JPEG_SHIFT_Y);
    uint right = frame(JPEG_WIDTH) - 1u, bottom = frame(JPEG_HEIGHT) - 1u;
    uint y = jpeg_least(row, frame(JPEG_SAMPLE_ROWS) - 1u) << sy, x = column << sx;
    if (sx == 0u) return jpeg_pixel(jpeg_least(x, right), jpeg_least(y, bottom));
    int sum = jpeg_pixel(jpeg_least(x, right), jpeg_least(y, bottom)) + jpeg_pixel(jpeg_least(x + 1u, right), jpeg_least(y, bottom));
    int bias = int(column & 1u);
    if (sy == 0u) return (sum + bias) >> 1;
    uint below = jpeg_least(y + 1u, bottom);
    sum += jpeg_pixel(jpeg_least(x, right), below) + jpeg_pixel(jpeg_least(x + 1u, right), below);
    return (sum + bias + 1) >> 2;
}

void jpeg_blocks(uvec2 block, uint k) {
    if (block.x >= frame(JPEG_COLUMNS) || block.y >= frame(JPEG_ROWS)) return;
    uint bx = frame(JPEG_BLOCKS_X), by = frame(JPEG_BLOCKS_Y);
    uint number = jpeg_block_number(
        block, uvec2(bx, by), frame(JPEG_MCU_COLUMNS), frame(JPEG_FIRST_IN_MCU), frame(JPEG_BLOCKS_OF_MCU));

    // A block outside the picture has the DC of the block before it in the scan, and no AC (jccoefct.c).
    bool is_dummy = false;
    if (block.y >= frame(JPEG_REAL_ROWS)) {
        is_dummy = true;
        block = uvec2(block.x / bx * bx + bx - 1u, frame(JPEG_REAL_ROWS) - 1u);
    }
    if (block.x >= frame(JPEG_REAL_COLUMNS)) {
        is_dummy = true;
        block.x = frame(JPEG_REAL_COLUMNS) - 1u;
    }

    int v[64];
    for (uint row = 0u; row < 8u; row += 1u) {
        for (uint column = 0u; column < 8u; column += 1u) {
            v[row * 8u + column] = jpeg_sample(block.x * 8u + column, block.y * 8u + row) - 128;
        }
    }
    // jfdctint.c, rows and then columns.
    for (uint pass = 0u; pass < 2u; pass += 1u) {
        uint apart = pass == 0u ? 1u : 8u, next = pass == 0u ? 8u : 1u;
        int shift = pass == 0u ? 11 : 15, rounding = 1 << (shift - 1);
        for (uint line = 0u; line < 8u; line += 1u) {
            uint i = line * next;
            int a0 = v[i], a1 = v[i + apart], a2 = v[i + 2u * apart], a3 = v[i + 3u * apart];
            int a4 = v[i + 4u * apart], a5 = v[i + 5u * apart], a6 = v[i + 6u * apart], a7 = v[i + 7u * apart];
            int s0 = a0 + a7, s1 = a1 + a6, s2 = a2 + a5, s3 = a3 + a4;
            int d0 = a0 - a7, d1 = a1 - a6, d2 = a2 - a5, d3 = a3 - a4;
            int e0 = s0 + s3, e3 = s0 - s3, e1 = s1 + s2, e2 = s1 - s2;
            v[i] = pass == 0u ? (e0 + e1) << 2 : (e0 + e1 + 2) >> 2;
            v[i + 4u * apart] = pass == 0u ? (e0 - e1) << 2 : (e0 - e1 + 2) >> 2;
            int z = (e2 + e3) * 4433;
            v[i + 2u * apart] = (z + e3 * 6270 + rounding) >> shift;
            v[i + 6u * apart] = (z - e2 * 15137 + rounding) >> shift;
            int z1 = (d3 + d0) * -7373, z2 = (d2 + d1) * -20995;
            int z5 = (d3 + d1 + d2 + d0) * 9633, z3 = (d3 + d1) * -16069 + z5, z4 = (d2 + d0) * -3196 + z5;
            v[i + 7u * apart] = (d3 * 2446 + z1 + z3 + rounding) >> shift;
            v[i + 5u * apart] = (d2 * 16819 + z2 + z4 + rounding) >> shift;
            v[i + 3u * apart] = (d1 * 25172 + z2 + z3 + rounding) >> shift;
            v[i + apart] = (d0 * 12299 + z1 + z4 + rounding) >> shift;
        }
    }

    bool is_luma = frame(JPEG_COMPONENT) == COMPONENT_LUMA || frame(JPEG_COMPONENT) == COMPONENT_GREY;
    uint quantisers = is_luma ? JPEG_TABLE_LUMA : JPEG_TABLE_CHROMA;
    uint codes = is_luma ? JPEG_TABLE_LUMA_AC : JPEG_TABLE_CHROMA_AC;
    uint bits = 0u, zeros = 0u, low = 0u;
    for (uint index = 0u; index < 64u; index += 1u) {
        int value = v[jpeg_natural(JPEG_TABLE_NATURAL, index)], divisor = int(source_word(1u, quantisers + index)) << 3;
        int magnitude = (jpeg_magnitude(value) + (divisor >> 1)) / divisor;
        int c = value < 0 ? -magnitude : magnitude;
        if (index > 0u) {
            if (is_dummy) c = 0;
            if (c == 0) {
                zeros += 1u;
            } else {
                uint size = bits_of(c);
                bits += (zeros >> 4) * jpeg_code_length(codes + 0xf0u);
                bits += jpeg_code_length(codes + ((zeros & 15u) << 4 | size)) + size;
                zeros = 0u;
            }
        }
        if ((index & 1u) == 0u) {
            low = uint(c) & 0xffffu;
        } else {
            output_words.data[number * 32u + (index >> 1)] = low | uint(c) << 16;
        }
    }
    if (zeros > 0u) bits += jpeg_code_length(codes);
    output_words.data[frame(JPEG_ALL_BLOCKS) * 32u + number] = bits;
}
