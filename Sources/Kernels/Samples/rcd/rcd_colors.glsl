// rcd_colors: the twin of RCDColors.
#pragma words WIDTH HEIGHT GREEN RED_ROW

// Returns a colour's value: the sample, or the value that rcd_opposite found.
float rcd_value(ivec2 size, bool is_found, int x, int y) {
    if (is_found) return rcd_sample(1u, 0u, size, x, y);
    return rcd_sample(0u, 2u, size, x, y);
}

// Returns the colour's gradient in a direction, and the colour minus green there.
vec2 rcd_color_along(ivec2 size, bool is_found, float own, int dx, int dy) {
    float a = rcd_value(size, is_found, dx, dy), c = rcd_value(size, is_found, 3 * dx, 3 * dy);
    float back = rcd_value(size, is_found, -dx, -dy), beyond = rcd_sample(0u, 0u, size, 2 * dx, 2 * dy);
    return vec2(rcd_gradient(a, c, back, own, beyond), a - rcd_sample(0u, 0u, size, dx, dy));
}

// Returns a colour at a green pixel: `is_beside` if the colour is sampled in the same row.
float rcd_color(ivec2 size, bool is_beside, float own) {
    float share = rcd_sample(0u, 1u, size, 0, 0);
    vec2 up = rcd_color_along(size, is_beside, own, 0, -1), down = rcd_color_along(size, is_beside, own, 0, 1);
    vec2 left = rcd_color_along(size, !is_beside, own, -1, 0), right = rcd_color_along(size, !is_beside, own, 1, 0);
    float vertical = rcd_weighed(up.y, up.x, down.y, down.x), horizontal = rcd_weighed(left.y, left.x, right.y, right.x);
    return (own + (1.0 - share) * vertical) + share * horizontal;
}

vec4 rcd_colors(vec4 p, uint k) {
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    float own = rcd_sample(0u, 0u, size, 0, 0), beside, above;
    if (((uint(at.x) + uint(at.y)) & 1u) == constant(GREEN)) {
        beside = rcd_color(size, true, own);
        above = rcd_color(size, false, own);
    } else {
        beside = rcd_value(size, false, 0, 0);
        above = rcd_value(size, true, 0, 0);
    }
    bool has_red = (uint(at.y) & 1u) == constant(RED_ROW);
    return vec4(has_red ? beside : above, own, has_red ? above : beside, 1.0);
}
