// flash: the twin of FlashStage.
#pragma words TO_X TO_Y RADIUS SLOPE REACH CONTRAST OPACITY COLOR_R COLOR_G COLOR_B

vec4 flash(vec4 p, uint k) {
    float x = float(int(here.x)) + constant_float(TO_X), y = float(int(here.y)) + constant_float(TO_Y);
    float d = planar_length(x, y), q = rays_of(x, y, d, constant_float(CONTRAST));
    float t = lut_inside((constant_float(RADIUS) * (1.0 + constant_float(REACH) * q) - d) * constant_float(SLOPE), 1.0);
    float w = constant_float(OPACITY) * ((t * t) * (3.0 - 2.0 * t));
    return vec4(p.x * (1.0 - w) + constant_float(COLOR_R) * w, p.y * (1.0 - w) + constant_float(COLOR_G) * w,
                p.z * (1.0 - w) + constant_float(COLOR_B) * w, p.w * (1.0 - w) + w);
}
