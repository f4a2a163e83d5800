// lut1d: the twin of LUT1DStage.
#pragma words NODES SIZE SCALE_R SCALE_G SCALE_B BIAS_R BIAS_G BIAS_B EXTRAPOLATES

float lut1d_channel(float x, uint k, uint channel) {
    int size = int(constant(SIZE));
    float u = x * constant_float(SCALE_R + channel) + constant_float(BIAS_R + channel);
    float q = lut_inside(u, float(size - 1));
    float cell = lut_cell(q, float(size - 2));
    float f = (constant(EXTRAPOLATES) == 1u ? u : q) - cell;
    uint e = constant(NODES) + lut_node(cell) * 3u + channel;
    float a = table_float(e);
    return a + f * (table_float(e + 3u) - a);
}

vec4 lut1d(vec4 p, uint k) {
    return vec4(lut1d_channel(p.x, k, 0u), lut1d_channel(p.y, k, 1u), lut1d_channel(p.z, k, 2u), p.w);
}
