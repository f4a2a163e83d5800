// load_area: the twin of LoadArea.
#pragma words CHANNELS COLUMNS COLUMN_TAPS ROWS ROW_TAPS

float load_area_channel(uint index, uint k) {
    uint x = constant(COLUMNS) + uint(at.x) * (constant(COLUMN_TAPS) + 2u);
    uint y = constant(ROWS) + uint(at.y) * (constant(ROW_TAPS) + 2u);
    float sum = 0.0;
    for (uint j = 0u; j < table(y + 1u); j++) {
        float line = 0.0;
        for (uint i = 0u; i < table(x + 1u); i++) {
            line = line + table_float(x + 2u + i) * plane_sample(0u, index, int(table(x) + i), int(table(y) + j));
        }
        sum = sum + table_float(y + 2u + j) * line;
    }
    return sum;
}

vec4 load_area(vec4 p, uint k) {
    float r = load_area_channel(0u, k);
    if (constant(CHANNELS) == 1u) return vec4(r, r, r, 1.0);
    return vec4(r, load_area_channel(1u, k), load_area_channel(2u, k), 1.0);
}
