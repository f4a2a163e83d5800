// sunbeams: the twin of SunbeamsStage.
#pragma words CENTER_X CENTER_Y CENTER_TO_X CENTER_TO_Y COSINE SINE RADIUS REACH LEAST SHARE CONTRAST COLOR_R COLOR_G COLOR_B
#pragma words COLOR_A

vec4 sunbeams(vec4 p, uint k) {
    float dx = float(int(here.x) - int(constant(CENTER_X))) + constant_float(CENTER_TO_X);
    float dy = float(int(here.y) - int(constant(CENTER_Y))) + constant_float(CENTER_TO_Y), d = planar_length(dx, dy);
    float x = dx * constant_float(COSINE) - dy * constant_float(SINE);
    float y = dx * constant_float(SINE) + dy * constant_float(COSINE);
    float q = rays_of(x, y, d, constant_float(CONTRAST));
    float reach = constant_float(REACH) * (constant_float(LEAST) + constant_float(SHARE) * q);
    float t = lut_inside(1.0 - (d - constant_float(RADIUS)) * e32_reciprocal(reach > 0.5 ? reach : 0.5), 1.0);
    float w = (t * t) * (3.0 - 2.0 * t);
    w = w < uintBitsToFloat(0x38800000u) ? 0.0 : w;
    return vec4(constant_float(COLOR_R) * w, constant_float(COLOR_G) * w, constant_float(COLOR_B) * w,
                constant_float(COLOR_A) * w);
}
