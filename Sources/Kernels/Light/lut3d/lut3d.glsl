// lut3d: the twin of LUT3DStage.
#pragma words NODES SIZE SCALE_R SCALE_G SCALE_B BIAS_R BIAS_G BIAS_B LIMIT

// Interpolates tetrahedrally at a point inside the cube, in node units.
vec3 lut3d_value(uint first_word, uint size, float x, float y, float z) {
    float last_cell = float(int(size) - 2);
    float cx = lut_cell(x, last_cell), cy = lut_cell(y, last_cell), cz = lut_cell(z, last_cell);
    float fx = x - cx, fy = y - cy, fz = z - cz;
    uint dy = size, dz = size * size, all = 1u + dy + dz;
    bool xy = fx >= fy;
    float hi_xy = xy ? fx : fy, lo_xy = xy ? fy : fx;
    uint step_hi_xy = xy ? 1u : dy, step_lo_xy = xy ? dy : 1u;
    bool hi_first = hi_xy >= fz, lo_first = lo_xy >= fz;
    float hi = hi_first ? hi_xy : fz, lo = lo_first ? fz : lo_xy;
    float mid = lo_first ? lo_xy : (hi_first ? fz : hi_xy);
    uint first = hi_first ? step_hi_xy : dz, lowest = lo_first ? dz : step_lo_xy;
    uint index = lut_node(cx) + lut_node(cy) * dy + lut_node(cz) * dz;
    vec3 near = lut_vertex(first_word, index) * (1.0 - hi) + lut_vertex(first_word, index + first) * (hi - mid);
    return (near + lut_vertex(first_word, index + all - lowest) * (mid - lo)) + lut_vertex(first_word, index + all) * lo;
}

vec4 lut3d(vec4 p, uint k) {
    uint first = constant(NODES), size = constant(SIZE);
    float last = float(int(size) - 1), limit = constant_float(LIMIT);
    float ux = p.x * constant_float(SCALE_R) + constant_float(BIAS_R);
    float uy = p.y * constant_float(SCALE_G) + constant_float(BIAS_G);
    float uz = p.z * constant_float(SCALE_B) + constant_float(BIAS_B);
    float x = lut_inside(ux, last), y = lut_inside(uy, last), z = lut_inside(uz, last);
    vec3 v = lut3d_value(first, size, x, y, z);
    vec3 sum = v;
    float dx = lut_distance(ux, x, limit), dy = lut_distance(uy, y, limit), dz = lut_distance(uz, z, limit);
    if (dx != 0.0) {
        float away = dx > 0.0 ? dx : -dx;
        sum = sum + (v - lut3d_value(first, size, dx > 0.0 ? x - 1.0 : x + 1.0, y, z)) * away;
    }
    if (dy != 0.0) {
        float away = dy > 0.0 ? dy : -dy;
        sum = sum + (v - lut3d_value(first, size, x, dy > 0.0 ? y - 1.0 : y + 1.0, z)) * away;
    }
    if (dz != 0.0) {
        float away = dz > 0.0 ? dz : -dz;
        sum = sum + (v - lut3d_value(first, size, x, y, dz > 0.0 ? z - 1.0 : z + 1.0)) * away;
    }
    return vec4(sum, p.w);
}
