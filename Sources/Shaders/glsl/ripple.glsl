// ripple: see Ripple in HDRPlan/Filters/Ripple.swift.
// Ripple.Bilinear: the pixel at or before a place, and the share of those after it, for columns and rows.
vec4 ripple_at(float px, float py, ivec2 size) {
    float last_x = float(size.x - 1), last_y = float(size.y - 1);
    float qx = lut_inside(px, last_x), qy = lut_inside(py, last_y);
    float cell_x = lut_cell(qx, last_x), cell_y = lut_cell(qy, last_y);
    return vec4(cell_x, cell_y, qx - cell_x, qy - cell_y);
}

vec4 ripple_value(uint source, uint channels, vec4 r, ivec2 size) {
    int x = int(lut_node(r.x)), y = int(lut_node(r.y));
    int right = x + 1 < size.x ? x + 1 : x, below = y + 1 < size.y ? y + 1 : y;
    vec4 a = source_pixel(source, channels, x, y), b = source_pixel(source, channels, right, y);
    vec4 c = source_pixel(source, channels, x, below), d = source_pixel(source, channels, right, below);
    return (a * (1.0 - r.z) + b * r.z) * (1.0 - r.w) + (c * (1.0 - r.z) + d * r.z) * r.w;
}

vec4 ripple(vec4 p, uint k) {
    bool has_alpha = constant(k) == 4u;
    uint target = constant(k + 1u), shade = constant(k + 2u);
    int x = int(here.x), y = int(here.y);
    float dx = float(x - int(constant(k + 7u))) + constant_float(k + 9u);
    float dy = float(y - int(constant(k + 8u))) + constant_float(k + 10u);
    float d = dx * dx + dy * dy;
    float inverse = curve_lookup(
        constant(k + 18u), floatBitsToUint(d), constant(k + 21u), constant(k + 22u), constant(k + 23u));
    float u = (d * inverse) * constant_float(k + 11u) + constant_float(k + 12u);
    vec4 q;
    q.w = 1.0;
    if (u <= 0.0 || u >= 1.0) {
        if (u <= 0.0) q = source_pixel(target, constant(k), x, y);
        else q = source_pixel(0u, constant(k), x, y);
        return q;
    }
    uint bits = floatBitsToUint(1.0 + u);
    float wave = curve_lookup(constant(k + 19u), bits, constant(k + 24u), constant(k + 25u), constant(k + 26u));
    float turn = curve_lookup(constant(k + 20u), bits, constant(k + 24u), constant(k + 25u), constant(k + 26u));
    float nx = dx * inverse, ny = dy * inverse;
    float shift = wave * constant_float(k + 13u);
    ivec2 size = ivec2(int(constant(k + 3u)), int(constant(k + 4u)));
    ivec2 shade_size = ivec2(int(constant(k + 5u)), int(constant(k + 6u)));
    vec4 r = ripple_at(float(x) + nx * shift, float(y) + ny * shift, size);
    vec4 glint = ripple_at(
        (nx * turn) * constant_float(k + 14u) + constant_float(k + 15u),
        (ny * turn) * constant_float(k + 16u) + constant_float(k + 17u), shade_size);
    float own = (u * u) * (3.0 - 2.0 * u);
    vec4 base = ripple_value(target, constant(k), r, size) * (1.0 - own) + ripple_value(0u, constant(k), r, size) * own;
    vec4 light = ripple_value(shade, 4u, glint, shade_size);
    if (has_alpha) q.w = base.w;
    q.x = base.x + (2.0 * light.x - light.w) * q.w;
    q.y = base.y + (2.0 * light.y - light.w) * q.w;
    q.z = base.z + (2.0 * light.z - light.w) * q.w;
    return q;
}
