// Twins of WarpProjective.floor in Kernels/Neighbours/warp_projective/WarpProjective.swift and of Bilinear in Kernels/Arithmetic/Bilinear.swift.

// Returns the largest integer not above q; |q| < 2^22.
float place_floor(float q) {
    float nearest = (q + 12582912.0) - 12582912.0;
    return nearest > q ? nearest - 1.0 : nearest;
}

// The pixel at or before a place, and the share of those after it, for columns and rows.
vec4 bilinear_at(float px, float py, ivec2 size) {
    float last_x = float(size.x - 1), last_y = float(size.y - 1);
    float qx = lut_inside(px, last_x), qy = lut_inside(py, last_y);
    float cell_x = lut_cell(qx, last_x), cell_y = lut_cell(qy, last_y);
    return vec4(cell_x, cell_y, qx - cell_x, qy - cell_y);
}

vec4 bilinear_value(uint source, uint channels, vec4 r, ivec2 size) {
    int x = int(lut_node(r.x)), y = int(lut_node(r.y));
    int right = x + 1 < size.x ? x + 1 : x, below = y + 1 < size.y ? y + 1 : y;
    vec4 a = source_pixel(source, channels, x, y), b = source_pixel(source, channels, right, y);
    vec4 c = source_pixel(source, channels, x, below), d = source_pixel(source, channels, right, below);
    return (a * (1.0 - r.z) + b * r.z) * (1.0 - r.w) + (c * (1.0 - r.z) + d * r.z) * r.w;
}
