// morphology: the twin of MorphologyStage.
#pragma words CHANNELS KIND ROWS TABLE WIDTH HEIGHT
#pragma values KIND MINIMUM MAXIMUM GRADIENT

int morphology_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

float morphology_value(int key) { return uintBitsToFloat(uint(order_key(uint(key)))); }

vec4 morphology_extreme(uint k, int flip) {
    uint channels = constant(CHANNELS), rows = constant(ROWS), start = constant(TABLE);
    int width = int(constant(WIDTH)), height = int(constant(HEIGHT));
    int r = -0x7fffffff - 1, g = r, b = r, a = r;
    for (uint row = 0u; row < rows; row++) {
        uint entry = start + 4u * row;
        int y = morphology_inside(at.y + int(table(entry)), height), x = at.x + int(table(entry + 1u));
        int end = x + int(table(entry + 2u));
        for (; x < end; x++) {
            vec4 q = source_pixel(0u, channels, morphology_inside(x, width), y);
            int kr = order_key(floatBitsToUint(q.x)) ^ flip, kg = order_key(floatBitsToUint(q.y)) ^ flip;
            int kb = order_key(floatBitsToUint(q.z)) ^ flip, ka = order_key(floatBitsToUint(q.w)) ^ flip;
            r = kr > r ? kr : r;
            g = kg > g ? kg : g;
            b = kb > b ? kb : b;
            a = ka > a ? ka : a;
        }
    }
    return vec4(morphology_value(r ^ flip), morphology_value(g ^ flip), morphology_value(b ^ flip),
                morphology_value(a ^ flip));
}

vec4 morphology(vec4 p, uint k) {
    uint kind = constant(KIND);
    vec4 q = morphology_extreme(k, kind == KIND_MINIMUM ? -1 : 0);
    if (kind == KIND_GRADIENT) {
        vec4 least = morphology_extreme(k, -1);
        q.x = q.x - least.x;
        q.y = q.y - least.y;
        q.z = q.z - least.z;
    }
    if (constant(CHANNELS) != 4u) q.w = 1.0;
    return q;
}
