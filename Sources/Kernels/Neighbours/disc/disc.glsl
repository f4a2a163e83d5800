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
vec4 disc_2(int x, uint k) { return disc_1(x, k) + disc_1(x + 1, k); }
vec4 disc_4(int x, uint k) { return disc_2(x, k) + disc_2(x + 2, k); }
vec4 disc_8(int x, uint k) { return disc_4(x, k) + disc_4(x + 4, k); }
vec4 disc_16(int x, uint k) { return disc_8(x, k) + disc_8(x + 8, k); }
vec4 disc_32(int x, uint k) { return disc_16(x, k) + disc_16(x + 16, k); }

vec4 disc_block(int x, uint size, uint k) {
    vec4 sum;
    if (size == 32u) sum = disc_32(x, k);
    else if (size == 16u) sum = disc_16(x, k);
    else if (size == 8u) sum = disc_8(x, k);
    else if (size == 4u) sum = disc_4(x, k);
    else if (size == 2u) sum = disc_2(x, k);
    else sum = disc_1(x, k);
    return sum;
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
            uint left = table(run + 1u), size = 32u;
            while (left < size) size = size >> 1;
            vec4 sum = disc_block(x, size, k);
            x = x + int(size);
            left = left - size;
            while (left > 0u) {
                while (left < size) size = size >> 1;
                sum = sum + disc_block(x, size, k);
                x = x + int(size);
                left = left - size;
            }
            total = total + table_float(run + 2u) * sum;
            run = run + 3u;
        }
    }
    if (channels != 4u) total.w = 1.0;
    return total;
}
