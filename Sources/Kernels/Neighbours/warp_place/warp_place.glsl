// warp_place: the twin of WarpPlace.
#pragma words CHANNELS WIDTH HEIGHT SHAPE SAMPLING IS_TRANSPARENT WRAPS_COLUMNS WRAPS_ROWS COUNT STEP CENTER_X CENTER_Y
#pragma words TO_X TO_Y NUMBERS_A NUMBERS_B NUMBERS_C NUMBERS_D NUMBERS_E NUMBERS_F NUMBERS_G NUMBERS_H NUMBERS_I
#pragma words NUMBERS_J NUMBERS_K OTHER_WIDTH OTHER_HEIGHT BIAS_X BIAS_Y
#pragma values SHAPE BUMP LINE PINCH HOLE SPLASH TORUS LOZENGE TWIRL VORTEX TUNNEL WRAP SPIRAL MIRRORS PARALLELOGRAM
#pragma values SHAPE REFLECTED TRANSLATED GLIDE QUARTERS EIGHTHS TRIANGLE THIRDS TWELFTHS SIXTHS DIMMED CELLS PLANE
#pragma values SHAPE SIGNALS HEIGHTS
#pragma values SAMPLING NEAREST BILINEAR BICUBIC

// A sample: its place in pixel numbers, and the vector from the centre to it.
struct Sample { vec2 at; vec2 d; };
// The numbers of a formula.
struct Numbers { float a, b, c, d, e, f, g, h, i, j, k; };

// The remainder of a whole number that is not below 0.
uint place_modulo(int i, uint n) { return uint(i) % n; }

// Shapes by the distance from a centre, a line or a segment.

float place_lens(float q, float index) {
    float square = q * q, a = square < 1.0 ? square : 1.0, z = exact_sqrt(1.0 - a), b = exact_sqrt(index - a);
    return exact_div(z * (b - z), z * b + a);
}

float place_share(float square, float scale) {
    float w = square * scale;
    return w < 1.0 ? w : 1.0;
}

float place_within(float square, float scale) { return 1.0 - place_share(square, scale); }

vec3 place_moved(Sample p, float x, float y) { return vec3(p.at.x + x, p.at.y + y, 1.0); }

vec3 place_at(Sample p, float x, float y) { return vec3(p.at.x + (x - p.d.x), p.at.y + (y - p.d.y), 1.0); }

vec3 place_radial(Sample p, Numbers n, uint shape) {
    float dx = p.d.x, dy = p.d.y, square = dx * dx + dy * dy;
    if (shape == SHAPE_BUMP) {
        float rest = place_within(square, n.a), t = (n.b * rest) * rest;
        return place_moved(p, -(dx * t), -(dy * t));
    }
    if (shape == SHAPE_LINE) {
        float q = n.c * dx + n.d * dy, rest = place_within(q * q, n.a), t = q * ((n.b * rest) * rest);
        return place_moved(p, -(n.c * t), -(n.d * t));
    }
    if (shape == SHAPE_PINCH) {
        float w = place_share(square, n.a), rest = 1.0 - w;
        float low = w > 9.094947017729282e-13 ? w : 9.094947017729282e-13;
        float t = e32_exp2(-((n.b * rest) * rest) * e32_log2(low)) - 1.0;
        return place_moved(p, dx * t, dy * t);
    }
    if (shape == SHAPE_HOLE) {
        float t = exact_div(n.a, square > n.a ? square : n.a);
        float edge = (exact_sqrt(square) - n.b) + 0.5, low = edge > 0.0 ? edge : 0.0;
        vec3 q = place_moved(p, -(dx * t), -(dy * t));
        q.z = low < 1.0 ? low : 1.0;
        return q;
    }
    if (shape == SHAPE_SPLASH) {
        float t = square > n.a ? exact_div(n.b, exact_sqrt(square)) - 1.0 : 0.0;
        return place_moved(p, dx * t, dy * t);
    }
    if (shape == SHAPE_TORUS) {
        float r = exact_sqrt(square), q = ((r - n.a) + n.c) * n.b;
        float shift = exact_div((n.c * q) * place_lens(q, n.d), r), t = q > -1.0 && q < 1.0 ? shift : 0.0;
        return place_moved(p, -(dx * t), -(dy * t));
    }
    float along = (dx * n.a + dy * n.b) * n.c, low = along > 0.0 ? along : 0.0, t = low < 1.0 ? low : 1.0;
    float ex = dx - n.a * t, ey = dy - n.b * t, q = exact_sqrt(ex * ex + ey * ey) * n.d;
    float shift = q < 1.0 ? place_lens(q, n.e) : 0.0;
    return place_moved(p, -(ex * shift), -(ey * shift));
}

// Shapes by the distance and the direction.

vec3 place_turn(Sample p, float angle, float factor) {
    float c = exact_cos(angle) * factor, s = exact_sin(angle) * factor;
    return place_moved(p, p.d.x * (c - 1.0) + p.d.y * s, p.d.y * (c - 1.0) - p.d.x * s);
}

vec3 place_spiral(Sample p, Numbers n, ivec2 size) {
    float square = p.d.x * p.d.x + p.d.y * p.d.y, some = square > 9.094947017729282e-13 ? square : 9.094947017729282e-13;
    float away = e32_log2(some) * 0.346573590 - n.c, direction = exact_atan2(-p.d.y, p.d.x) - n.d;
    float scale = n.a * away - n.b * direction, angle = n.a * direction + n.b * away;
    float ex = exact_cos(angle), ey = -exact_sin(angle);
    float right = ex > 0.0 ? ex * n.f : -(ex * n.g), below = ey > 0.0 ? ey * n.h : -(ey * n.i);
    float gauge = right > below ? right : below;
    float level = place_floor(exact_div(scale + exact_log2(gauge) * 0.693147181, -n.e));
    float r = exact_exp2((scale + level * n.e) * 1.44269504);
    vec3 q = place_at(p, r * ex, r * ey);
    float low_x = q.x > -0.5 ? q.x : -0.5, low_y = q.y > -0.5 ? q.y : -0.5;
    float last_x = float(size.x - 1) + 0.5, last_y = float(size.y - 1) + 0.5;
    return vec3(low_x < last_x ? low_x : last_x, low_y < last_y ? low_y : last_y, 1.0);
}

vec3 place_turned(Sample p, Numbers n, uint shape, uint count, ivec2 size) {
    float dx = p.d.x, dy = p.d.y, square = dx * dx + dy * dy;
    if (shape == SHAPE_TWIRL) {
        float rest = place_within(square, n.a);
        return place_turn(p, -((n.b * rest) * rest), 1.0);
    }
    if (shape == SHAPE_VORTEX) {
        float rest = 1.0 - exact_sqrt(place_share(square, n.a));
        return place_turn(p, -((n.b * rest) * rest), 1.0);
    }
    if (shape == SHAPE_TUNNEL) {
        float r = exact_sqrt(square);
        vec3 q = place_turn(p, n.c * (1.0 - exact_div(r, n.b)), exact_div(n.b, r));
        bool is_out = square > n.a;
        return vec3(is_out ? q.x : p.at.x, is_out ? q.y : p.at.y, 1.0);
    }
    if (shape == SHAPE_WRAP) {
        float f = exact_atan2(dy, dx) * 0.159154943 + n.a, away = exact_sqrt(square) - n.b;
        return vec3(
            float(size.x) * (f - place_floor(f)) - 0.5, (float(size.y) - away * n.c) - 0.5, 1.0);
    }
    if (shape == SHAPE_SPIRAL) return place_spiral(p, n, size);
    float x = dx * n.a - dy * n.b, y = -(dx * n.b) - dy * n.a;
    for (uint i = 0u; i < count; i++) {
        y = exact_abs(y);
        float beyond = y * n.c - x * n.d, t = beyond > 0.0 ? beyond : 0.0;
        x = x + (2.0 * t) * n.d;
        y = y - (2.0 * t) * n.c;
    }
    y = exact_abs(y);
    return place_at(p, x * n.a - y * n.b, -(x * n.b + y * n.a));
}

// Shapes by cells of a lattice.

float place_mirrored(float t) {
    float h = t * 0.5;
    return exact_abs(2.0 * (h - place_floor(h + 0.5)));
}

float place_centered(float t) { return t - place_floor(t + 0.5); }

bool place_home(float a, float b) { return (a > 0.0 && b >= 0.0) || (a == 0.0 && b == 0.0); }

// The weights of a half cell's corners by colour.
vec3 place_colored(vec3 w, float i, float j) {
    uint kind = place_modulo(int(i - j) + 6291456, 3u);
    return vec3(
        kind == 0u ? w.x : (kind == 1u ? w.z : w.y), kind == 0u ? w.y : (kind == 1u ? w.x : w.z),
        kind == 0u ? w.z : (kind == 1u ? w.y : w.x));
}

// The numbers in the lattice that a sample shows, and a factor.
vec3 place_fold(float u, float v, float dimming, uint shape) {
    float i = place_floor(u), j = place_floor(v), a = u - i, b = v - j;
    bool upper = a + b >= 1.0;
    if (shape == SHAPE_PARALLELOGRAM) return vec3(place_mirrored(u), place_mirrored(v), 1.0);
    if (shape == SHAPE_REFLECTED) return vec3(place_mirrored(2.0 * u) * 0.5, place_mirrored(2.0 * v) * 0.5, 1.0);
    if (shape == SHAPE_TRANSLATED) return vec3(place_centered(u), place_centered(v), 1.0);
    if (shape == SHAPE_GLIDE) return vec3((int(j) & 1) == 0 ? a : 1.0 - a, b, 1.0);
    if (shape == SHAPE_QUARTERS) {
        float x = place_centered(u), y = place_centered(v);
        for (uint turn = 0u; turn < 3u; turn++) {
            bool home = place_home(x, y);
            float turned = y;
            y = home ? y : -x;
            x = home ? x : turned;
        }
        return vec3(x, y, 1.0);
    }
    if (shape == SHAPE_EIGHTHS) {
        float x = place_mirrored(2.0 * u) * 0.5, y = place_mirrored(2.0 * v) * 0.5;
        return vec3(x < y ? y : x, x < y ? x : y, 1.0);
    }
    if (shape == SHAPE_TRIANGLE) return vec3(upper ? 1.0 - a : a, upper ? 1.0 - b : b, 1.0);
    vec3 w = vec3(upper ? (a + b) - 1.0 : 1.0 - (a + b), upper ? 1.0 - b : a, upper ? 1.0 - a : b);
    if (shape == SHAPE_SIXTHS) {
        bool is_second = w.y > w.x;
        bool is_third = w.z > (is_second ? w.y : w.x);
        float corner = upper ? 1.0 : 0.0;
        float x = u - (i + (is_third ? 0.0 : (is_second ? 1.0 : corner)));
        float y = v - (j + (is_third ? 1.0 : (is_second ? 0.0 : corner)));
        for (uint turn = 0u; turn < 5u; turn++) {
            bool home = place_home(x, y);
            float turned = x + y;
            y = home ? y : -x;
            x = home ? x : turned;
        }
        return vec3(x, y, 1.0);
    }
    vec3 c = place_colored(w, i, j);
    if (shape == SHAPE_THIRDS) return vec3(c.y, c.z, 1.0);
    if (shape == SHAPE_TWELFTHS) {
        float high = c.x < c.y ? c.y : c.x, low = c.x < c.y ? c.x : c.y;
        float rest = low < c.z ? low : c.z, middle = low < c.z ? c.z : low;
        return vec3(middle < high ? middle : high, rest, 1.0);
    }
    float power = ((exact_abs(i) + exact_abs(j)) + exact_abs((i + j) + (upper ? 1.0 : 0.0))) * dimming;
    return vec3(c.y, c.z, power < -40.0 ? 0.0 : e32_exp2(power));
}

float place_limited(float x) {
    float low = x > -2097152.0 ? x : -2097152.0;
    return low < 2097152.0 ? low : 2097152.0;
}

vec3 place_plane(Sample p, Numbers n, ivec2 size) {
    float below = (n.g * p.at.x + n.h * p.at.y) + n.i;
    bool seen = below > 1e-4;
    float inverse = e32_reciprocal(seen ? below : 1.0);
    float u = place_limited(((n.a * p.at.x + n.b * p.at.y) + n.c) * inverse + 0.5);
    float v = place_limited(((n.d * p.at.x + n.e * p.at.y) + n.f) * inverse + 0.5);
    return vec3(
        (u - float(size.x) * place_floor(u * n.j)) - 0.5, (v - float(size.y) * place_floor(v * n.k)) - 0.5,
        seen ? 1.0 : 0.0);
}

vec3 place_cells(Sample p, Numbers n) {
    float mx = (place_floor(p.d.x * n.a) + 0.5) * n.b, my = (place_floor(p.d.y * n.a) + 0.5) * n.b;
    float qx = p.d.x - mx, qy = p.d.y - my;
    return place_at(p, mx + (qx * n.c + qy * n.d), my + (qy * n.c - qx * n.d));
}

// Shapes by a second picture.

float place_height(int column, int row, uint k) {
    uint i = place_modulo(column + int(constant(BIAS_X)), constant(OTHER_WIDTH));
    uint j = place_modulo(row + int(constant(BIAS_Y)), constant(OTHER_HEIGHT));
    return source_pixel(1u, 4u, int(i), int(j)).x;
}

vec3 place_pictured(Sample p, Numbers n, uint shape, uint k) {
    if (shape == SHAPE_SIGNALS) {
        // The pixel that holds the sample.
        vec4 q = source_pixel(1u, 4u, int(place_floor(p.at.x + 0.5)), int(place_floor(p.at.y + 0.5)));
        return place_moved(p, n.a * (q.x - 0.5), n.a * (q.y - 0.5));
    }
    int column = int(place_floor(p.d.x + n.b)), row = int(place_floor(p.d.y + n.c));
    // Right, left, below, above.
    vec4 heights = vec4(0.0);
    for (int side = 0; side < 4; side++) {
        int dx = side == 0 ? 1 : (side == 1 ? -1 : 0), dy = side == 2 ? 1 : (side == 3 ? -1 : 0);
        float height = place_height(column + dx, row + dy, k);
        if (side == 0) heights.x = height;
        if (side == 1) heights.y = height;
        if (side == 2) heights.z = height;
        if (side == 3) heights.w = height;
    }
    return place_moved(p, n.a * (heights.x - heights.y), n.a * (heights.z - heights.w));
}

// Reading.

int place_inside(int i, int size, bool wraps) {
    int last = size - 1;
    int cut = i > 0 ? (i < last ? i : last) : 0;
    return wraps ? int(place_modulo(i + 4 * size, uint(size))) : cut;
}

vec2 place_cell(float place, int size, bool nearest) {
    float low = place > -4.0 ? place : -4.0, most = float(size) + 4.0;
    float inside = low < most ? low : most;
    float q = nearest ? inside + 0.5 : inside;
    float below = place_floor(q);
    return vec2(below, nearest ? 0.0 : q - below);
}

float place_weight(float w, int i, int size, bool wraps, uint k) {
    return constant(IS_TRANSPARENT) != 0u && !wraps && place_inside(i, size, false) != i ? 0.0 : w;
}

vec4 place_read(int x, int y, uint k) {
    return source_pixel(
        0u, constant(CHANNELS), place_inside(x, int(constant(WIDTH)), constant(WRAPS_COLUMNS) != 0u),
        place_inside(y, int(constant(HEIGHT)), constant(WRAPS_ROWS) != 0u));
}

// The weights of four pixels for a cubic, or of two.
vec4 place_weights(float t, bool bicubic) {
    float t2 = t * t, t3 = t2 * t;
    vec4 cubic = vec4(
        (t2 - 0.5 * t3) - 0.5 * t, (1.5 * t3 - 2.5 * t2) + 1.0, (2.0 * t2 - 1.5 * t3) + 0.5 * t, 0.5 * t3 - 0.5 * t2);
    return bicubic ? cubic : vec4(1.0 - t, t, 0.0, 0.0);
}

float place_part(vec4 w, int i) { return i == 0 ? w.x : (i == 1 ? w.y : (i == 2 ? w.z : w.w)); }

// One call reads all pixels: drivers copy a function for each call.
vec4 place_gather(vec3 p, uint k) {
    int width = int(constant(WIDTH)), height = int(constant(HEIGHT));
    bool columns = constant(WRAPS_COLUMNS) != 0u, rows = constant(WRAPS_ROWS) != 0u;
    bool nearest = constant(SAMPLING) == SAMPLING_NEAREST, bicubic = constant(SAMPLING) == SAMPLING_BICUBIC;
    vec2 a = place_cell(p.x, width, nearest), b = place_cell(p.y, height, nearest);
    int before = bicubic ? 1 : 0, taps = bicubic ? 4 : 2;
    int x = int(a.x) - before, y = int(b.x) - before;
    vec4 wx = place_weights(a.y, bicubic), wy = place_weights(b.y, bicubic);
    float across = 0.0, coverage = 0.0;
    for (int tap = 0; tap < taps; tap++) across = across + place_weight(place_part(wx, tap), x + tap, width, columns, k);
    vec4 q = vec4(0.0);
    for (int row = 0; row < taps; row++) {
        float down = place_weight(place_part(wy, row), y + row, height, rows, k);
        vec4 line = vec4(0.0);
        for (int column = 0; column < taps; column++) {
            float along = place_weight(place_part(wx, column), x + column, width, columns, k);
            line = line + place_read(x + column, y + row, k) * along;
        }
        q = q + line * down;
        coverage = coverage + across * down;
    }
    if (constant(CHANNELS) != 4u) q.w = coverage;
    float positive = q.w > 0.0 ? q.w : 0.0;
    if (bicubic) q.w = positive < 1.0 ? positive : 1.0;
    return q * p.z;
}

vec4 warp_place(vec4 p, uint k) {
    Numbers n;
    n.a = constant_float(NUMBERS_A);
    n.b = constant_float(NUMBERS_B);
    n.c = constant_float(NUMBERS_C);
    n.d = constant_float(NUMBERS_D);
    n.e = constant_float(NUMBERS_E);
    n.f = constant_float(NUMBERS_F);
    n.g = constant_float(NUMBERS_G);
    n.h = constant_float(NUMBERS_H);
    n.i = constant_float(NUMBERS_I);
    n.j = constant_float(NUMBERS_J);
    n.k = constant_float(NUMBERS_K);
    int x = int(here.x), y = int(here.y);
    float step = constant_float(STEP);
    Sample own;
    own.at = vec2((float(x) + 0.5) * step - 0.5, (float(y) + 0.5) * step - 0.5);
    own.d.x = float(x - int(constant(CENTER_X))) * step + constant_float(TO_X);
    own.d.y = float(y - int(constant(CENTER_Y))) * step + constant_float(TO_Y);
    uint shape = constant(SHAPE);
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    vec3 place;
    if (shape <= SHAPE_LOZENGE) {
        place = place_radial(own, n, shape);
    } else if (shape <= SHAPE_MIRRORS) {
        place = place_turned(own, n, shape, constant(COUNT), size);
    } else if (shape == SHAPE_CELLS) {
        place = place_cells(own, n);
    } else if (shape == SHAPE_PLANE) {
        place = place_plane(own, n, size);
    } else if (shape >= SHAPE_SIGNALS) {
        place = place_pictured(own, n, shape, k);
    } else {
        float u = n.a * own.d.x + n.b * own.d.y, v = n.c * own.d.x + n.d * own.d.y;
        vec3 to = place_fold(u, v, n.i, shape);
        float da = to.x - u, db = to.y - v;
        place = vec3(own.at.x + (n.e * da + n.f * db), own.at.y + (n.g * da + n.h * db), to.z);
    }
    return place_gather(place, k);
}
