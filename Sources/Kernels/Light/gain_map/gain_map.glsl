// gain_map: the twin of GainMapStage.
#pragma words WEIGHT CHANNELS BASE_OFFSET_R BASE_OFFSET_G BASE_OFFSET_B ALTERNATE_OFFSET_R ALTERNATE_OFFSET_G
#pragma words ALTERNATE_OFFSET_B COLUMNS ROWS IS_SAME_SIZE STRETCH

float gain_log2(uint channel, uint columns, uint rows) {
    uint e = columns + 3u * uint(at.x), r = rows + 3u * uint(at.y);
    int x0 = int(table(e)), x1 = int(table(e + 1u)), y0 = int(table(r)), y1 = int(table(r + 1u));
    float u = table_float(e + 2u), t = table_float(r + 2u);
    float a0 = plane_sample(1u, channel, x0, y0), a1 = plane_sample(1u, channel, x0, y1);
    float b0 = plane_sample(1u, channel, x1, y0), b1 = plane_sample(1u, channel, x1, y1);
    float left = a0 + t * (a1 - a0), right = b0 + t * (b1 - b0);
    return left + u * (right - left);
}

float gain_applied(float base, float factor, float base_offset, float alternate_offset) {
    float v = (base + base_offset) * factor - alternate_offset;
    float low = v > -1048576.0 ? v : -1048576.0;
    return low < 1048576.0 ? low : 1048576.0;
}

vec4 gain_map(vec4 p, uint k) {
    float weight = constant_float(WEIGHT);
    uint columns = constant(COLUMNS), rows = constant(ROWS);
    float fr = e32_exp2(weight * gain_log2(0u, columns, rows));
    float fg = fr, fb = fr;
    if (constant(CHANNELS) == 3u) {
        fg = e32_exp2(weight * gain_log2(1u, columns, rows));
        fb = e32_exp2(weight * gain_log2(2u, columns, rows));
    }
    return vec4(gain_applied(p.x, fr, constant_float(BASE_OFFSET_R), constant_float(ALTERNATE_OFFSET_R)),
                gain_applied(p.y, fg, constant_float(BASE_OFFSET_G), constant_float(ALTERNATE_OFFSET_G)),
                gain_applied(p.z, fb, constant_float(BASE_OFFSET_B), constant_float(ALTERNATE_OFFSET_B)), p.w);
}
