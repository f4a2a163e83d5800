// mesh: the twin of MeshStage.
#pragma words BLOCKS LINES BLOCK_BITS LIMIT COLOR_R COLOR_G COLOR_B COLOR_A

vec4 mesh(vec4 p, uint k) {
    uint block = constant(BLOCKS) + 2u * (here.y >> constant(BLOCK_BITS)), count = table(block + 1u);
    float least = uintBitsToFloat(0x67800000u);
    for (uint i = 0u; i < count; i++) {
        uint line = constant(LINES) + 7u * (table(block) + i);
        float ex = float(int(here.x) - int(table(line))) + table_float(line + 2u);
        float ey = float(int(here.y) - int(table(line + 1u))) + table_float(line + 3u);
        float wx = table_float(line + 4u), wy = table_float(line + 5u);
        float t = lut_inside((ex * wx + ey * wy) * table_float(line + 6u), 1.0);
        float x = ex - t * wx, y = ey - t * wy;
        float square = x * x + y * y;
        least = square < least ? square : least;
    }
    float cover = lut_inside(constant_float(LIMIT) - length_of_square(least), 1.0);
    return vec4(constant_float(COLOR_R) * cover, constant_float(COLOR_G) * cover, constant_float(COLOR_B) * cover,
                constant_float(COLOR_A) * cover);
}
