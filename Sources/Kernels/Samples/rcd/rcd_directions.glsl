// rcd_directions: the twin of RCDDirections.
#pragma words WIDTH HEIGHT GREEN RED_ROW

// Returns the squared high-frequency part of seven samples around a place, one step apart.
float rcd_change(ivec2 size, int x, int y, int dx, int dy) {
    float a = rcd_sample(0u, 0u, size, x - 3 * dx, y - 3 * dy), b = rcd_sample(0u, 0u, size, x - 2 * dx, y - 2 * dy);
    float c = rcd_sample(0u, 0u, size, x - dx, y - dy), own = rcd_sample(0u, 0u, size, x, y);
    float d = rcd_sample(0u, 0u, size, x + dx, y + dy), e = rcd_sample(0u, 0u, size, x + 2 * dx, y + 2 * dy);
    float f = rcd_sample(0u, 0u, size, x + 3 * dx, y + 3 * dy);
    float sum = (((a + f) - (c + d)) - 3.0 * (b + e)) + 6.0 * own;
    return sum * sum;
}

float rcd_changes(ivec2 size, int dx, int dy) {
    return (rcd_change(size, -dx, -dy, dx, dy) + rcd_change(size, 0, 0, dx, dy)) + rcd_change(size, dx, dy, dx, dy);
}

float rcd_share(float a, float b) {
    float some = a > 1e-10 ? a : 1e-10, other = b > 1e-10 ? b : 1e-10;
    return some * e32_reciprocal(some + other);
}

vec4 rcd_directions(vec4 p, uint k) {
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    float down = rcd_changes(size, 0, 1), right = rcd_changes(size, 1, 0);
    float falling = rcd_changes(size, 1, 1), rising = rcd_changes(size, -1, 1);
    return vec4(rcd_share(down, right), rcd_share(falling, rising), rcd_sample(0u, 0u, size, 0, 0), 1.0);
}
