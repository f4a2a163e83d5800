// place_table: the twin of PlaceTable.
#pragma words IS_SUM CHANNELS COLUMNS ROWS NUMBERS WIDTH

float place_table_number(uint k, float neutral) {
    uint column = constant(COLUMNS) + 3u * uint(at.x), row = constant(ROWS) + 3u * uint(at.y);
    if (table(column) == 0xffffffffu || table(row) == 0xffffffffu) return neutral;
    float right = table_float(column + 2u), down = table_float(row + 2u), left = 1.0 - right, up = 1.0 - down;
    uint above = constant(NUMBERS) + table(row) * constant(WIDTH), below = constant(NUMBERS) + table(row + 1u) * constant(WIDTH);
    uint x0 = table(column), x1 = table(column + 1u);
    return (table_float(above + x0) * left + table_float(above + x1) * right) * up
        + (table_float(below + x0) * left + table_float(below + x1) * right) * down;
}

vec4 place_table(vec4 p, uint k) {
    bool is_sum = constant(IS_SUM) != 0u;
    float number = place_table_number(k, is_sum ? 0.0 : 1.0);
    vec4 q = p;
    for (uint c = 0u; c < 3u; c++) {
        if (((constant(CHANNELS) >> c) & 1u) != 0u) q[c] = is_sum ? p[c] + number : p[c] * number;
    }
    return q;
}
