// store_planar_ycc: a block of 4 columns and 1 or 2 rows an invocation; the twin of StorePlanarYCC.
// Rows of all planes are multiples of 4 bytes, bands begin at even rows.
#pragma words LARGEST HORIZONTAL_SHIFT VERTICAL_SHIFT HAS_ALPHA

void store_planar_ycc(uvec2 block, uint k) {
    float largest = constant_float(LARGEST);
    uint across = constant(HORIZONTAL_SHIFT), down = constant(VERTICAL_SHIFT);
    uint width = frame(FRAME_WIDTH), height = frame(FRAME_HEIGHT);
    uint first = block.x * 4u, row = block.y << down;
    if (first >= width || row >= frame(FRAME_ROW_COUNT)) return;
    row = row + frame(FRAME_FIRST_ROW);

    // Columns first-1 ... first+3, edges repeated; sums of the rows of the block.
    float cb_sum[2], cr_sum[2];
    uint cb_codes[4], cr_codes[4];
    for (int i = 0; i < 2; i++) {
        cb_sum[i] = 0.0;
        cr_sum[i] = 0.0;
    }
    uint rows = 1u << down;
    for (uint j = 0u; j < rows; j++) {
        uint y = row + j < height ? row + j : height - 1u;
        vec4 p[5];
        for (int i = 0; i < 5; i++) {
            int x = int(first) + i - 1;
            int left = x < 0 ? 0 : x;
            uint at_x = left > int(width) - 1 ? width - 1u : uint(left);
            p[i] = vec4(0.0);
            if (across == 1u || i > 0) p[i] = program(uvec2(at_x, y));
        }
        if (row + j < height) {
            uint byte = output_byte(0u, row + j, first * 2u);
            put(byte, code_of(p[1].x, largest) | code_of(p[2].x, largest) << 16);
            if (first + 2u < width) put(byte + 4u, code_of(p[3].x, largest) | code_of(p[4].x, largest) << 16);
        }
        if (constant(HAS_ALPHA) != 0u && row + j < height) {
            uint byte = output_byte(3u, row + j, first * 2u);
            put(byte, code_of(p[1].w * largest, largest) | code_of(p[2].w * largest, largest) << 16);
            if (first + 2u < width)
                put(byte + 4u, code_of(p[3].w * largest, largest) | code_of(p[4].w * largest, largest) << 16);
        }
        if (across == 1u) {
            float cb0 = (p[0].y + p[2].y) + (p[1].y + p[1].y), cb1 = (p[2].y + p[4].y) + (p[3].y + p[3].y);
            float cr0 = (p[0].z + p[2].z) + (p[1].z + p[1].z), cr1 = (p[2].z + p[4].z) + (p[3].z + p[3].z);
            cb_sum[0] = j == 0u ? cb0 : cb_sum[0] + cb0;
            cb_sum[1] = j == 0u ? cb1 : cb_sum[1] + cb1;
            cr_sum[0] = j == 0u ? cr0 : cr_sum[0] + cr0;
            cr_sum[1] = j == 0u ? cr1 : cr_sum[1] + cr1;
        } else {
            for (int i = 0; i < 4; i++) {
                cb_codes[i] = code_of(p[i + 1].y, largest);
                cr_codes[i] = code_of(p[i + 1].z, largest);
            }
        }
    }
    uint chroma_row = row >> down;
    uint bytes = across == 1u ? first : first * 2u;
    // Chroma planes' rows are addressed by their own numbers: band start and row share the factor.
    uint chroma_words = FRAME_OUTPUT + FRAME_PLANE_WORDS;
    uint base_row = chroma_row - (frame(FRAME_FIRST_ROW) >> down);
    uint cb_byte = frame(chroma_words) + base_row * frame(chroma_words + 1u) + bytes;
    uint cr_byte = frame(chroma_words + 2u) + base_row * frame(chroma_words + 3u) + bytes;
    if (across == 1u) {
        float scale = down == 1u ? 0.125 : 0.25;
        put(cb_byte, code_of(cb_sum[0] * scale, largest) | code_of(cb_sum[1] * scale, largest) << 16);
        put(cr_byte, code_of(cr_sum[0] * scale, largest) | code_of(cr_sum[1] * scale, largest) << 16);
    } else {
        put(cb_byte, cb_codes[0] | cb_codes[1] << 16);
        put(cr_byte, cr_codes[0] | cr_codes[1] << 16);
        if (first + 2u < width) {
            put(cb_byte + 4u, cb_codes[2] | cb_codes[3] << 16);
            put(cr_byte + 4u, cr_codes[2] | cr_codes[3] << 16);
        }
    }
}
