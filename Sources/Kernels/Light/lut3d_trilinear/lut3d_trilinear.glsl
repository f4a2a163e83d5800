// lut3d_trilinear: the twin of LUT3DTrilinear.
#pragma words NODES SIZE SCALE_R SCALE_G SCALE_B BIAS_R BIAS_G BIAS_B LIMIT

// Interpolates at a point inside the cube, in node units: along x, then y, then z.
vec3 trilinear_value(uint first_word, uint size, float x, float y, float z) {
    float last_cell = float(int(size) - 2);
    float cx = lut_cell(x, last_cell), cy = lut_cell(y, last_cell), cz = lut_cell(z, last_cell);
    float fx = x - cx, fy = y - cy, fz = z - cz, gx = 1.0 - fx, gy = 1.0 - fy, gz = 1.0 - fz;
    uint dy = size, dz = size * size;
    uint n = lut_node(cx) + lut_node(cy) * dy + lut_node(cz) * dz;
    vec3 a = lut_vertex(first_word, n) * gx + lut_vertex(first_word, n + 1u) * fx;
    vec3 b = lut_vertex(first_word, n + dy) * gx + lut_vertex(first_word, n + dy + 1u) * fx;
    vec3 near = a * gy + b * fy;
    vec3 c = lut_vertex(first_word, n + dz) * gx + lut_vertex(first_word, n + dz + 1u) * fx;
    vec3 d = lut_vertex(first_word, n + dz + dy) * gx + lut_vertex(first_word, n + dz + dy + 1u) * fx;
    vec3 far = c * gy + d * fy;
    return near * gz + far * fz;
}

vec4 lut3d_trilinear(vec4 p, uint k) {
    uint first = constant(NODES), size = constant(SIZE);
    float last = float(int(size) - 1), limit = constant_float(LIMIT);
    float ux = p.x * constant_float(SCALE_R) + constant_float(BIAS_R);
    float uy = p.y * constant_float(SCALE_G) + constant_float(BIAS_G);
    float uz = p.z * constant_float(SCALE_B) + constant_float(BIAS_B);
    float x = lut_inside(ux, last), y = lut_inside(uy, last), z = lut_inside(uz, last);
    vec3 v = trilinear_value(first, size, x, y, z);
    vec3 sum = v;
    float dx = lut_distance(ux, x, limit), dy = lut_distance(uy, y, limit), dz = lut_distance(uz, z, limit);
    if (dx != 0.0) sum = sum + (v - trilinear_value(first, size, dx > 0.0 ? x - 1.0 : x + 1.0, y, z)) * (dx > 0.0 ? dx : -dx);
    if (dy != 0.0) sum = sum + (v - trilinear_value(first, size, x, dy > 0.0 ? y - 1.0 : y + 1.0, z)) * (dy > 0.0 ? dy : -dy);
    if (dz != 0.0) sum = sum + (v - trilinear_value(first, size, x, y, dz > 0.0 ? z - 1.0 : z + 1.0)) * (dz > 0.0 ? dz : -dz);
    return vec4(sum, p.w);
}
