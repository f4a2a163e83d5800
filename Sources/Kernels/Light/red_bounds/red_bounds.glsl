// red_bounds: the twin of RedBounds.
#pragma words MODE WIDTH HEIGHT INVERSE_WIDTH INVERSE_HEIGHT
#pragma values MODE PLACES BOX

vec4 red_bounds(vec4 p, uint k) {
    float width = constant_float(WIDTH), height = constant_float(HEIGHT);
    if (constant(MODE) == MODE_PLACES) {
        float x = float(int(here.x)), y = float(int(here.y));
        bool is_red = p.x != 0.0;
        return vec4(is_red ? x : width, is_red ? y : height, is_red ? (width - 1.0) - x : width,
                    is_red ? (height - 1.0) - y : height);
    }
    if (p.x >= width) return vec4(0.0);
    float across = constant_float(INVERSE_WIDTH), down = constant_float(INVERSE_HEIGHT);
    return vec4(p.x * across, p.y * down, ((width - p.x) - p.z) * across, ((height - p.y) - p.w) * down);
}
