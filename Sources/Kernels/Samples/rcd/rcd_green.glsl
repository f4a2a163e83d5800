// rcd_green: the twin of RCDGreen.
#pragma words WIDTH HEIGHT GREEN RED_ROW

// Returns the share further from a half: the pixel's own, or the mean of its diagonal neighbours'.
float rcd_direction(uint channel, ivec2 size) {
    float above = rcd_sample(0u, channel, size, -1, -1) + rcd_sample(0u, channel, size, 1, -1);
    float below = rcd_sample(0u, channel, size, -1, 1) + rcd_sample(0u, channel, size, 1, 1);
    return rcd_clearer(rcd_sample(0u, channel, size, 0, 0), 0.25 * (above + below));
}

// Returns the brightness of a place: a weighted sum of 3x3 samples, at least 0.
float rcd_brightness(ivec2 size, int x, int y) {
    float beside = (rcd_sample(0u, 2u, size, x, y - 1) + rcd_sample(0u, 2u, size, x, y + 1))
        + (rcd_sample(0u, 2u, size, x - 1, y) + rcd_sample(0u, 2u, size, x + 1, y));
    float corners = (rcd_sample(0u, 2u, size, x - 1, y - 1) + rcd_sample(0u, 2u, size, x + 1, y - 1))
        + (rcd_sample(0u, 2u, size, x - 1, y + 1) + rcd_sample(0u, 2u, size, x + 1, y + 1));
    float sum = (rcd_sample(0u, 2u, size, x, y) + 0.5 * beside) + 0.25 * corners;
    return sum > 0.0 ? sum : 0.0;
}

// Returns the gradient in a direction, and green as estimated from there.
vec2 rcd_green_along(ivec2 size, float own, float here_light, int dx, int dy) {
    float a = rcd_sample(0u, 2u, size, dx, dy), b = rcd_sample(0u, 2u, size, 2 * dx, 2 * dy);
    float c = rcd_sample(0u, 2u, size, 3 * dx, 3 * dy), d = rcd_sample(0u, 2u, size, 4 * dx, 4 * dy);
    float back = rcd_sample(0u, 2u, size, -dx, -dy);
    float near = (1e-5 + rcd_size(a - back)) + rcd_size(own - b);
    float gradient = (near + rcd_size(a - c)) + rcd_size(b - d);
    float beyond = rcd_brightness(size, 2 * dx, 2 * dy), sum = (1e-5 + here_light) + beyond;
    return vec2(gradient, a * (1.0 + (here_light - beyond) * e32_reciprocal(sum)));
}

vec4 rcd_green(vec4 p, uint k) {
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    float own = rcd_sample(0u, 2u, size, 0, 0), share = rcd_direction(0u, size);
    if (((uint(at.x) + uint(at.y)) & 1u) == constant(GREEN)) return vec4(own, share, own, 1.0);
    float here_light = rcd_brightness(size, 0, 0);
    vec2 up = rcd_green_along(size, own, here_light, 0, -1), down = rcd_green_along(size, own, here_light, 0, 1);
    vec2 left = rcd_green_along(size, own, here_light, -1, 0), right = rcd_green_along(size, own, here_light, 1, 0);
    float vertical = rcd_weighed(up.y, up.x, down.y, down.x), horizontal = rcd_weighed(left.y, left.x, right.y, right.x);
    return vec4(share * horizontal + (1.0 - share) * vertical, rcd_direction(1u, size), own, 1.0);
}
