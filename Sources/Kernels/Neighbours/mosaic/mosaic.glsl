// mosaic: the twin of MosaicStage.
#pragma words CHANNELS POINTS WIDTH HEIGHT SCALE_X OFFSET_X SCALE_Y OFFSET_Y SIDE_X SIDE_Y CENTER_X CENTER_Y REACH
#pragma values POINTS SCATTERED HEXAGONS

int mosaic_nearest(float place, int size) {
    float most = float(size - 1);
    return int(lut_node(lut_cell(lut_inside(place, most) + 0.5, most)));
}

vec4 mosaic(vec4 p, uint k) {
    uint channels = constant(CHANNELS);
    bool is_hexagon = constant(POINTS) == POINTS_HEXAGONS;
    float side_x = constant_float(SIDE_X), side_y = constant_float(SIDE_Y);
    float v = float(int(here.y)) * constant_float(SCALE_Y) + constant_float(OFFSET_Y);
    float row = place_floor(v), fv = v - row;
    float u = float(int(here.x)) * constant_float(SCALE_X) + constant_float(OFFSET_X);
    float column = place_floor(u), fu = u - column;
    int cell_x = int(column), cell_y = int(row);
    float least = uintBitsToFloat(0x7149f2cau), place_x = 0.0, place_y = 0.0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            uint cx = uint(cell_x + dx), cy = uint(cell_y + dy);
            float ax = is_hexagon ? 0.5 * float(int(cy & 1u)) : dither_noise(cx, cy, 0u) + 0.5;
            float ay = is_hexagon ? 0.0 : dither_noise(cx, cy, 1u) + 0.5;
            float x = float(dx) + ax, y = float(dy) + ay;
            float ex = (x - fu) * side_x, ey = (y - fv) * side_y, d = ex * ex + ey * ey;
            if (d < least) {
                least = d;
                place_x = float(cell_x + dx) + ax;
                place_y = float(cell_y + dy) + ay;
            }
        }
    }
    if (least > constant_float(REACH)) return vec4(0.0);
    return source_pixel(
        0u, channels, mosaic_nearest(place_x * side_x + constant_float(CENTER_X), int(constant(WIDTH))),
        mosaic_nearest(place_y * side_y + constant_float(CENTER_Y), int(constant(HEIGHT))));
}
