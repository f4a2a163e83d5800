// joint_bilateral: the twin of JointBilateral.
#pragma words SMALL GUIDE CHANNELS WIDTH HEIGHT REACH SCALE_X OFFSET_X SCALE_Y OFFSET_Y DISTANCE DIFFERENCE

vec4 joint_bilateral(vec4 p, uint k) {
    uint channels = constant(CHANNELS);
    int reach = int(constant(REACH)), right = int(constant(WIDTH)) - 1, bottom = int(constant(HEIGHT)) - 1;
    float u = float(int(here.x)) * constant_float(SCALE_X) + constant_float(OFFSET_X);
    float v = float(int(here.y)) * constant_float(SCALE_Y) + constant_float(OFFSET_Y);
    float column = place_floor(u + 0.5), row = place_floor(v + 0.5), sum = 0.0;
    vec4 total = vec4(0.0);
    for (int dy = -reach; dy <= reach; dy++) {
        int y = int(row) + dy;
        y = y > 0 ? (y < bottom ? y : bottom) : 0;
        float ey = float(dy) + (row - v), down = (ey * ey) * constant_float(DISTANCE);
        for (int dx = -reach; dx <= reach; dx++) {
            int x = int(column) + dx;
            x = x > 0 ? (x < right ? x : right) : 0;
            float ex = float(dx) + (column - u), d = p.x - plane_sample(constant(GUIDE), 0u, x, y);
            float unlike = (d * d) * constant_float(DIFFERENCE), least = unlike > -20.0 ? unlike : -20.0;
            float stops = (down + (ex * ex) * constant_float(DISTANCE)) + least;
            float w = e32_exp2(stops > -76.0 ? stops : -76.0);
            sum = sum + w;
            total = total + w * source_pixel(constant(SMALL), channels, x, y);
        }
    }
    total = total * e32_reciprocal(sum);
    total.w = channels == 4u ? limit_alpha(total.w) : 1.0;
    return total;
}
