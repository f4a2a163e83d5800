// extreme: the twin of Extreme.
#pragma words CHANNELS KIND COLUMNS ROWS
#pragma values KIND MINIMUM MAXIMUM MAXIMUM_ALPHA MINIMUM_ALPHA

float extreme_channel(uint channel, int flip, ivec2 first, ivec2 end) {
    int best = -0x7fffffff - 1;
    for (int y = first.y; y < end.y; y++) {
        for (int x = first.x; x < end.x; x++) {
            int key = order_key(floatBitsToUint(plane_sample(0u, channel, x, y))) ^ flip;
            best = key > best ? key : best;
        }
    }
    return uintBitsToFloat(uint(order_key(uint(best ^ flip))));
}

vec4 extreme(vec4 p, uint k) {
    uint channels = constant(CHANNELS), kind = constant(KIND);
    uint columns = constant(COLUMNS) + 2u * here.x, rows = constant(ROWS) + 2u * here.y;
    ivec2 first = ivec2(int(table(columns)), int(table(rows)));
    ivec2 end = ivec2(int(table(columns + 1u)), int(table(rows + 1u)));
    vec4 q;
    q.w = 1.0;
    if (kind == KIND_MAXIMUM_ALPHA || kind == KIND_MINIMUM_ALPHA) {
        ivec2 best = first;
        if (channels == 4u) {
            float turn = kind == KIND_MINIMUM_ALPHA ? -1.0 : 1.0, most = -2.0;
            for (int y = first.y; y < end.y; y++) {
                for (int x = first.x; x < end.x; x++) {
                    float a = turn * plane_sample(0u, 3u, x, y);
                    if (a > most) {
                        most = a;
                        best = ivec2(x, y);
                    }
                }
            }
            q.w = plane_sample(0u, 3u, best.x, best.y);
        }
        q.x = plane_sample(0u, 0u, best.x, best.y);
        q.y = plane_sample(0u, 1u, best.x, best.y);
        q.z = plane_sample(0u, 2u, best.x, best.y);
        return q;
    }
    int flip = kind == KIND_MINIMUM ? -1 : 0;
    q.x = extreme_channel(0u, flip, first, end);
    q.y = extreme_channel(1u, flip, first, end);
    q.z = extreme_channel(2u, flip, first, end);
    if (channels == 4u) q.w = extreme_channel(3u, flip, first, end);
    return q;
}
