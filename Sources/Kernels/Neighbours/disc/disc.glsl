// disc: the twin of DiscStage.
#pragma words CHANNELS ROWS TABLE REACH WIDTH HEIGHT

// The rows that are read, and whether they are two.
int disc_above, disc_below;
bool disc_is_pair;

vec4 disc_1(int x, uint k) {
    int right = int(constant(WIDTH)) - 1, column = x > 0 ? (x < right ? x : right) : 0;
    vec4 p = source_pixel(0u, constant(CHANNELS), column, disc_above);
    if (disc_is_pair) return p + source_pixel(0u, constant(CHANNELS), column, disc_below);
    return p;
}
// Returns the sum of a block of 1, 2, 4... pixels, each half before both: sums of halves wait for those to their right.
vec4 disc_block(int x, int size, uint k) {
    vec4 v = vec4(0.0), s0 = v, s1 = v, s2 = v, s3 = v, s4 = v;
    for (int i = 0; i < size; i++) {
        v = disc_1(x + i, k);
        if ((i & 1) == 0) { s0 = v; continue; }
        v = s0 + v;
        if ((i & 2) == 0) { s1 = v; continue; }
        v = s1 + v;
        if ((i & 4) == 0) { s2 = v; continue; }
        v = s2 + v;
        if ((i & 8) == 0) { s3 = v; continue; }
        v = s3 + v;
        if ((i & 16) == 0) { s4 = v; continue; }
        v = s4 + v;
    }
    return v;
}

vec4 disc(vec4 p, uint k) {
    uint channels = constant(CHANNELS), rows = constant(ROWS), start = constant(TABLE);
    int bottom = int(constant(HEIGHT)) - 1;
    vec4 total = vec4(0.0);
    for (uint row = 0u; row < rows; row++) {
        uint entry = start + 4u * row, runs = table(entry + 1u), run = start + table(entry + 2u);
        int y = int(table(entry));
        disc_above = at.y - y > 0 ? at.y - y : 0;
        disc_below = at.y + y < bottom ? at.y + y : bottom;
        disc_is_pair = y > 0;
        for (uint i = 0u; i < runs; i++) {
            int x = at.x + int(table(run));
            int left = int(table(run + 1u)), size = 32;
            vec4 sum = vec4(0.0);
            for (bool is_first = true; left > 0; is_first = false) {
                while (left < size) size = size >> 1;
                vec4 block = disc_block(x, size, k);
                sum = is_first ? block : sum + block;
                x = x + size;
                left = left - size;
            }
            total = total + table_float(run + 2u) * sum;
            run = run + 3u;
        }
    }
    if (channels != 4u) total.w = 1.0;
    return total;
}
