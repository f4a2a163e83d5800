// gain_table_map: the twin of GainTableMapStage.
#pragma words COLUMNS ROWS GAINS IS_TURNED WEIGHTS_R WEIGHTS_G WEIGHTS_B LEAST MOST GAMMA DEPTH

// Interpolates between two neighbours of a point's table.
float gain_table_at(uint from, float share) {
    float low = table_float(from);
    return low + (table_float(from + 1u) - low) * share;
}

vec4 gain_table_map(vec4 p, uint k) {
    float rg = p.y > p.x ? p.y : p.x, most = p.z > rg ? p.z : rg;
    float lesser = p.y < p.x ? p.y : p.x, least = p.z < lesser ? p.z : lesser;
    float sum = (constant_float(WEIGHTS_R) * p.x + constant_float(WEIGHTS_G) * p.y) + constant_float(WEIGHTS_B) * p.z;
    float all = (sum + constant_float(LEAST) * least) + constant_float(MOST) * most;
    float low = all > uintBitsToFloat(0x2b800000u) ? all : 0.0;
    float weight = low < 1.0 ? low : 1.0, gamma = constant_float(GAMMA);
    if (gamma != 1.0) {
        float power = e32_exp2(gamma * e32_log2(weight > 0.0 ? weight : 1.0));
        weight = weight > 0.0 ? power : 0.0;
    }
    float depth = constant_float(DEPTH), last = depth - 1.0;
    float place = weight * depth, inside_table = place < last ? place : last, cell = lut_cell(inside_table, last);
    float share = inside_table - cell;
    uint from = constant(GAINS) + lut_node(cell);
    uint column = constant(COLUMNS) + 3u * here.x, row = constant(ROWS) + 3u * here.y;
    uint x0 = table(column), x1 = table(column + 1u), y0 = table(row), y1 = table(row + 1u);
    bool is_turned = constant(IS_TURNED) != 0u;
    // Always across the map first, so that turning the picture changes no bit.
    float across = table_float((is_turned ? row : column) + 2u), down = table_float((is_turned ? column : row) + 2u);
    float right = gain_table_at(from + (is_turned ? x0 + y1 : x1 + y0), share);
    float below = gain_table_at(from + (is_turned ? x1 + y0 : x0 + y1), share);
    float top = gain_table_at(from + x0 + y0, share) * (1.0 - across) + right * across;
    float bottom = below * (1.0 - across) + gain_table_at(from + x1 + y1, share) * across;
    float gain = top * (1.0 - down) + bottom * down;
    return vec4(p.x * gain, p.y * gain, p.z * gain, p.w);
}
