// lut1d: see HDRPlan/Stages/LUT1DStage.swift.
float lut1d_channel(float x, uint k, uint channel) {
    int size = int(constant(k + 1u));
    float u = x * constant_float(k + 2u + channel) + constant_float(k + 5u + channel);
    float q = lut_inside(u, float(size - 1));
    float cell = lut_cell(q, float(size - 2));
    float f = (constant(k + 8u) == 1u ? u : q) - cell;
    uint e = constant(k) + lut_node(cell) * 3u + channel;
    float a = table_float(e);
    return a + f * (table_float(e + 3u) - a);
}

vec4 lut1d(vec4 p, uint k) {
    return vec4(lut1d_channel(p.x, k, 0u), lut1d_channel(p.y, k, 1u), lut1d_channel(p.z, k, 2u), p.w);
}
