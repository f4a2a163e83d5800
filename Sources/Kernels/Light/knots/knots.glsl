// knots: the twin of KnotsStage.
#pragma words TABLES_R TABLES_G TABLES_B COUNTS_R COUNTS_G COUNTS_B TURNS LOW_R LOW_G LOW_B HIGH_R HIGH_G HIGH_B

float knots_channel(float v, uint k, uint channel) {
    uint first = constant(TABLES_R + channel), count = constant(COUNTS_R + channel), turns = constant(TURNS);
    float low = constant_float(LOW_R + channel), high = constant_float(HIGH_R + channel);
    float above = v > low ? v : low;
    float x = above < high ? above : high;
    uint piece = 0u;
    for (uint turn = turns; turn > 0u; --turn) {
        uint next = piece + (1u << (turn - 1u));
        uint candidate = next < count ? next : piece;
        piece = table_float(first + candidate) < x ? candidate : piece;
    }
    float away = x - table_float(first + piece);
    float d = away < 9.313225746154785e-10 ? 0.0 : away;
    uint n = first + count + 4u * piece;
    return table_float(n)
        + d * (table_float(n + 1u) + d * (table_float(n + 2u) + d * table_float(n + 3u)));
}

vec4 knots(vec4 p, uint k) {
    return vec4(knots_channel(p.x, k, 0u), knots_channel(p.y, k, 1u), knots_channel(p.z, k, 2u), p.w);
}
