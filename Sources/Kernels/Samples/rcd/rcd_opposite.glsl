// rcd_opposite: the twin of RCDOpposite.
#pragma words WIDTH HEIGHT GREEN RED_ROW

// Returns the gradient along a diagonal, and the colour minus green there.
vec2 rcd_opposite_along(ivec2 size, float own, int dx, int dy) {
    float a = rcd_sample(0u, 2u, size, dx, dy), c = rcd_sample(0u, 2u, size, 3 * dx, 3 * dy);
    float back = rcd_sample(0u, 2u, size, -dx, -dy), beyond = rcd_sample(0u, 0u, size, 2 * dx, 2 * dy);
    return vec2(rcd_gradient(a, c, back, own, beyond), a - rcd_sample(0u, 0u, size, dx, dy));
}

vec4 rcd_opposite(vec4 p, uint k) {
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    float own = rcd_sample(0u, 0u, size, 0, 0), share = rcd_sample(0u, 1u, size, 0, 0);
    vec2 a = rcd_opposite_along(size, own, -1, -1), b = rcd_opposite_along(size, own, 1, 1);
    vec2 d = rcd_opposite_along(size, own, 1, -1), e = rcd_opposite_along(size, own, -1, 1);
    float falling = rcd_weighed(a.y, a.x, b.y, b.x), rising = rcd_weighed(d.y, d.x, e.y, e.x);
    float found = (own + (1.0 - share) * falling) + share * rising;
    return vec4(found, found, found, 1.0);
}
