// canny: the twin of CannyStage.
#pragma words MODE WIDTH HEIGHT HIGH LOW
#pragma values MODE THIN STRENGTHEN

float canny_sample(uint channel, int dx, int dy, uint k) {
    int right = int(constant(WIDTH)) - 1, bottom = int(constant(HEIGHT)) - 1, x = at.x + dx, y = at.y + dy;
    return plane_sample(0u, channel, x > 0 ? (x < right ? x : right) : 0, y > 0 ? (y < bottom ? y : bottom) : 0);
}

// Returns a number that is large enough to be squared.
float canny_seen(float x) { return (x < 0.0 ? -x : x) < uintBitsToFloat(0x2b800000u) ? 0.0 : x; }

float canny_square(int dx, int dy, uint k) {
    float gx = canny_seen(canny_sample(0u, dx, dy, k)), gy = canny_seen(canny_sample(1u, dx, dy, k));
    return gx * gx + gy * gy;
}

vec4 canny(vec4 p, uint k) {
    float edge = 0.0;
    if (constant(MODE) == MODE_THIN) {
        float gx = canny_seen(canny_sample(0u, 0, 0, k)), gy = canny_seen(canny_sample(1u, 0, 0, k));
        float ax = gx < 0.0 ? -gx : gx, ay = gy < 0.0 ? -gy : gy, slope = uintBitsToFloat(0x3ed413cdu);
        ivec2 way = ivec2((gx > 0.0) == (gy > 0.0) ? 1 : -1, 1);
        if (ax < slope * ay) way = ivec2(0, 1);
        if (ay <= slope * ax) way = ivec2(1, 0);
        float m = gx * gx + gy * gy;
        bool is_edge = m > canny_square(-way.x, -way.y, k) && m >= canny_square(way.x, way.y, k);
        float strength = m >= constant_float(HIGH) ? 1.0 : m >= constant_float(LOW) ? 0.5 : 0.0;
        edge = is_edge ? strength : 0.0;
    } else {
        float most = 0.0, own = canny_sample(0u, 0, 0, k);
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                float other = canny_sample(0u, dx, dy, k);
                most = other > most ? other : most;
            }
        }
        edge = own > 0.25 && most > 0.75 ? 1.0 : own;
    }
    return vec4(edge, edge, edge, 1.0);
}
