// jpeg_idct: the samples of one block of a component an invocation. The twin of JPEGBlock.samples: libjpeg-turbo's SIMD for x86
// (jidctint-avx2.asm), which keeps 16 bits of products and of some sums.
//
// Source 0: coefficients, as of jpeg_coefficients. Source 1: the words of JPEGDecoding. Output: bytes, in rows of whole blocks.
#pragma values PLANE COLUMNS ROWS COMPONENT BLOCKS_X BLOCKS_Y FIRST_IN_MCU BLOCKS_OF_MCU MCU_COLUMNS

int jpeg_wrapped(int value) { return value << 16 >> 16; }

int jpeg_limited(int value, int most) { return value > most ? most : value < -most - 1 ? -most - 1 : value; }

void jpeg_idct(uvec2 block, uint k) {
    if (block.x >= frame(PLANE_COLUMNS) || block.y >= frame(PLANE_ROWS)) return;
    uint number = jpeg_block_number(
        block, uvec2(frame(PLANE_BLOCKS_X), frame(PLANE_BLOCKS_Y)), frame(PLANE_MCU_COLUMNS), frame(PLANE_FIRST_IN_MCU), frame(PLANE_BLOCKS_OF_MCU));
    int v[64];
    uint below = 0u;
    for (uint index = 0u; index < 64u; index += 1u) {
        uint c = source_word(0u, number * 32u + (index >> 1)) >> ((index & 1u) << 4) & 0xffffu;
        uint natural = jpeg_natural(192u, index);
        v[natural] = jpeg_wrapped(int(c * source_word(1u, 64u * frame(PLANE_COMPONENT) + index)));
        if (natural >= 8u) below |= c;
    }
    // Columns, then rows; where all rows but the first are zero, columns need no arithmetic, and wrap where they else saturate.
    if (below == 0u) {
        for (uint place = 0u; place < 64u; place += 1u) v[place] = place < 8u ? jpeg_wrapped(v[place] << 2) : v[place & 7u];
    }
    for (uint pass = below == 0u ? 1u : 0u; pass < 2u; pass += 1u) {
        uint apart = pass == 0u ? 8u : 1u, next = pass == 0u ? 1u : 8u;
        int shift = pass == 0u ? 11 : 18, rounding = 1 << (shift - 1), most = pass == 0u ? 32767 : 127;
        for (uint line = 0u; line < 8u; line += 1u) {
            uint i = line * next;
            int r0 = v[i], r1 = v[i + apart], r2 = v[i + 2u * apart], r3 = v[i + 3u * apart];
            int r4 = v[i + 4u * apart], r5 = v[i + 5u * apart], r6 = v[i + 6u * apart], r7 = v[i + 7u * apart];
            int e0 = jpeg_wrapped(r0 + r4) << 13, e1 = jpeg_wrapped(r0 - r4) << 13;
            int e2 = r2 * 4433 + r6 * -10704, e3 = r2 * 10703 + r6 * 4433;
            int s0 = e0 + e3, s3 = e0 - e3, s1 = e1 + e2, s2 = e1 - e2;
            int z3 = jpeg_wrapped(r7 + r3), z4 = jpeg_wrapped(r5 + r1);
            int o3 = z3 * -6436 + z4 * 9633, o4 = z3 * 9633 + z4 * 6437;
            int d0 = r7 * -4927 + r1 * -7373 + o3, d1 = r5 * -4176 + r3 * -20995 + o4;
            int d2 = r5 * -20995 + r3 * 4177 + o3, d3 = r7 * -7373 + r1 * 4926 + o4;
            v[i] = jpeg_limited((s0 + d3 + rounding) >> shift, most);
            v[i + apart] = jpeg_limited((s1 + d2 + rounding) >> shift, most);
            v[i + 2u * apart] = jpeg_limited((s2 + d1 + rounding) >> shift, most);
            v[i + 3u * apart] = jpeg_limited((s3 + d0 + rounding) >> shift, most);
            v[i + 4u * apart] = jpeg_limited((s3 - d0 + rounding) >> shift, most);
            v[i + 5u * apart] = jpeg_limited((s2 - d1 + rounding) >> shift, most);
            v[i + 6u * apart] = jpeg_limited((s1 - d2 + rounding) >> shift, most);
            v[i + 7u * apart] = jpeg_limited((s0 - d3 + rounding) >> shift, most);
        }
    }
    for (uint word = 0u; word < 16u; word += 1u) {
        uint samples = 0u;
        for (uint part = 0u; part < 4u; part += 1u) samples |= uint(v[4u * word + part] + 128) << (8u * part);
        output_words.data[(8u * block.y + (word >> 1)) * 2u * frame(PLANE_COLUMNS) + 2u * block.x + (word & 1u)] = samples;
    }
}
