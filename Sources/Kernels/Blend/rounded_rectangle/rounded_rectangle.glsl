// rounded_rectangle: the twin of RoundedRectangle.
#pragma words CENTER_X CENTER_Y CENTER_TO_X CENTER_TO_Y INNER_X INNER_Y RADIUS IS_LINE LIMIT COLOR_R COLOR_G COLOR_B COLOR_A

vec4 rounded_rectangle(vec4 p, uint k) {
    float dx = float(int(here.x) - int(constant(CENTER_X))) + constant_float(CENTER_TO_X);
    float dy = float(int(here.y) - int(constant(CENTER_Y))) + constant_float(CENTER_TO_Y);
    float qx = (dx < 0.0 ? -dx : dx) - constant_float(INNER_X), qy = (dy < 0.0 ? -dy : dy) - constant_float(INNER_Y);
    float out_x = qx > 0.0 ? qx : 0.0, out_y = qy > 0.0 ? qy : 0.0, most = qx > qy ? qx : qy;
    float within = most < 0.0 ? most : 0.0;
    float d = (planar_length(out_x, out_y) + within) - constant_float(RADIUS);
    float away = constant(IS_LINE) != 0u && d < 0.0 ? -d : d;
    float cover = lut_inside(constant_float(LIMIT) - away, 1.0);
    return vec4(constant_float(COLOR_R) * cover, constant_float(COLOR_G) * cover, constant_float(COLOR_B) * cover,
                constant_float(COLOR_A) * cover);
}
