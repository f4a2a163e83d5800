// bin_index: the twin of BinIndex.
#pragma words IS_LOG LOW SCALE COUNT LAST EDGES ALPHA_EDGES

float bin_index_channel(float v, float guess, float last, uint edges) {
    float low = guess > 0.0 ? guess : 0.0;
    float q = lut_cell(low < last ? low : last, last);
    uint bin = lut_node(q);
    float up = v >= table_float(edges + bin + 1u) ? 1.0 : 0.0;
    float down = v < table_float(edges + bin) ? 1.0 : 0.0;
    return (q + up) - down;
}

float bin_index_guess(float x, uint k) {
    if (constant(IS_LOG) == 0u) return x * constant_float(COUNT);
    float least = uintBitsToFloat(0x33800000u);
    float v = x > least ? x : least;
    return (e32_log2(v) - constant_float(LOW)) * constant_float(SCALE);
}

vec4 bin_index(vec4 p, uint k) {
    float last = constant_float(LAST);
    vec4 q;
    q.x = bin_index_channel(p.x, bin_index_guess(p.x, k), last, constant(EDGES));
    q.y = bin_index_channel(p.y, bin_index_guess(p.y, k), last, constant(EDGES));
    q.z = bin_index_channel(p.z, bin_index_guess(p.z, k), last, constant(EDGES));
    q.w = bin_index_channel(p.w, p.w * constant_float(COUNT), last, constant(ALPHA_EDGES));
    return q;
}
