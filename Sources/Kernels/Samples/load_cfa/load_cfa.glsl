// load_cfa: the twin of LoadCFA.
#pragma words IS_LINEAR COLUMNS ROWS COLUMN_INVERSE ROW_INVERSE COLUMN_PLACES ROW_PLACES PATTERNS

// Returns the linear value at the entries of both axes' places.
float load_cfa_sample(uint k, uint column, uint row) {
    int x = int(column & 0xffffffu), y = int(row & 0xffffffu);
    if (constant(IS_LINEAR) != 0u) return plane_sample(0u, 0u, x, y);
    uint pattern = constant(PATTERNS) + 4u * ((row >> 24) * constant(COLUMNS) + (column >> 24));
    float code = float(int(sample_bits(0u, channel_words(0u, 0u), x, y, 2u)));
    float value = (code - table_float(pattern)) * table_float(pattern + 1u);
    return value < 1.0 ? value : 1.0;
}

vec4 load_cfa(vec4 p, uint k) {
    uint column = constant(COLUMN_PLACES) + uint(at.x), row = constant(ROW_PLACES) + uint(at.y);
    uint own = (table(row + 2u) >> 24) * constant(COLUMNS) + (table(column + 2u) >> 24);
    uint head = constant(PATTERNS) + 4u * own, tap = constant(PATTERNS) + table(head + 2u), count = table(head + 3u);
    float r = 0.0, g = 0.0, b = 0.0;
    uint i = 0u;
    // A pixel always has its own sample.
    do {
        uint to = table(tap);
        float v = load_cfa_sample(k, table(column + (to & 0xffu)), table(row + (to >> 8)));
        r = r + table_float(tap + 1u) * v;
        g = g + table_float(tap + 2u) * v;
        b = b + table_float(tap + 3u) * v;
        tap = tap + 4u;
        i = i + 1u;
    } while (i < count);
    return vec4(r, g, b, 1.0);
}
