// sobel: the twin of SobelStage.
#pragma words CHANNELS MODE SCALE WIDTH HEIGHT
#pragma values MODE MAGNITUDE GRADIENTS GABOR

// Returns the number furthest from 0.
float sobel_most(vec4 g) {
    float ar = g.x < 0.0 ? -g.x : g.x, ag = g.y < 0.0 ? -g.y : g.y, ab = g.z < 0.0 ? -g.z : g.z;
    float rg = ag > ar ? g.y : g.x, most = ag > ar ? ag : ar;
    return ab > most ? g.z : rg;
}

vec4 sobel_gabor(uint channels, int right, int bottom, float scale) {
    float more = uintBitsToFloat(0x3eb1021cu), less = uintBitsToFloat(0x3d9dfbc7u);
    float middle = uintBitsToFloat(0x3ece2434u), beside = uintBitsToFloat(0x3e7a0febu), end = uintBitsToFloat(0x3d5f2f87u);
    vec4 gx = vec4(0.0), gy = vec4(0.0);
    float alpha = 1.0;
    for (int row = -2; row <= 2; row++) {
        int y = at.y + row;
        y = y > 0 ? (y < bottom ? y : bottom) : 0;
        bool near = row == -1 || row == 1;
        float across = row == 0 ? middle : near ? beside : end, size = row == 0 ? 0.0 : near ? more : less;
        float down = row < 0 ? -size : size;
        vec4 a = vec4(0.0), b = a, c = a, d = a, e = a;
        // One call: drivers copy a function for each.
        for (int column = -2; column <= 2; column++) {
            int x = at.x + column;
            vec4 q = source_pixel(0u, channels, x > 0 ? (x < right ? x : right) : 0, y);
            if (column == -2) a = q;
            if (column == -1) b = q;
            if (column == 0) c = q;
            if (column == 1) d = q;
            if (column == 2) e = q;
        }
        if (row == 0 && channels == 4u) alpha = c.w;
        gx = gx + across * ((less * (e - a) + more * (d - b)) * scale);
        gy = gy + down * (((end * (a + e) + beside * (b + d)) + middle * c) * scale);
    }
    return vec4(sobel_most(gx), sobel_most(gy), 0.0, alpha);
}

vec4 sobel(vec4 p, uint k) {
    uint channels = constant(CHANNELS);
    int right = int(constant(WIDTH)) - 1, bottom = int(constant(HEIGHT)) - 1;
    if (constant(MODE) == MODE_GABOR) return sobel_gabor(channels, right, bottom, constant_float(SCALE));
    int above = at.y > 0 ? at.y - 1 : 0, below = at.y < bottom ? at.y + 1 : bottom;
    int before = at.x > 0 ? at.x - 1 : 0, after = at.x < right ? at.x + 1 : right;
    vec4 a = source_pixel(0u, channels, before, above), b = source_pixel(0u, channels, at.x, above),
        c = source_pixel(0u, channels, after, above);
    vec4 d = source_pixel(0u, channels, before, at.y), e = source_pixel(0u, channels, at.x, at.y),
        f = source_pixel(0u, channels, after, at.y);
    vec4 g = source_pixel(0u, channels, before, below), h = source_pixel(0u, channels, at.x, below),
        i = source_pixel(0u, channels, after, below);
    float scale = constant_float(SCALE);
    vec4 x = (((c - a) + 2.0 * (f - d)) + (i - g)) * scale;
    vec4 y = (((g - a) + 2.0 * (h - b)) + (i - c)) * scale;
    float alpha = channels == 4u ? e.w : 1.0;
    if (constant(MODE) == MODE_GRADIENTS) return vec4(sobel_most(x), sobel_most(y), 0.0, alpha);
    return vec4(planar_length(x.x, y.x), planar_length(x.y, y.y), planar_length(x.z, y.z), alpha);
}
