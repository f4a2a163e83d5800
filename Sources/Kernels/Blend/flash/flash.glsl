// flash: the twin of FlashStage.
#pragma words TO_X TO_Y RADIUS SLOPE REACH CONTRAST OPACITY COLOR_R COLOR_G COLOR_B

float flash_rays(float x, float y, float d, float contrast) {
    float inverse = e32_reciprocal(d > uintBitsToFloat(0x35800000u) ? d : 1.0), a = x * inverse, b = y * inverse;
    float a2 = a * a - b * b, b2 = 2.0 * (a * b), a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a;
    float a4 = a2 * a2 - b2 * b2, b4 = 2.0 * (a2 * b2), a8 = a4 * a4 - b4 * b4, b8 = 2.0 * (a4 * b4);
    float a16 = a8 * a8 - b8 * b8, b16 = 2.0 * (a8 * b8);
    float cos7 = a4 * a3 - b4 * b3, sin11 = a8 * b3 + b8 * a3, cos19 = a16 * a3 - b16 * b3;
    float fifth = uintBitsToFloat(0x3e4ccccdu), less = uintBitsToFloat(0x3e19999au);
    return lut_inside(0.5 + contrast * ((fifth * cos7 + less * sin11) + less * cos19), 1.0);
}

vec4 flash(vec4 p, uint k) {
    float x = float(int(here.x)) + constant_float(TO_X), y = float(int(here.y)) + constant_float(TO_Y);
    float d = planar_length(x, y), q = flash_rays(x, y, d, constant_float(CONTRAST));
    float t = lut_inside((constant_float(RADIUS) * (1.0 + constant_float(REACH) * q) - d) * constant_float(SLOPE), 1.0);
    float w = constant_float(OPACITY) * ((t * t) * (3.0 - 2.0 * t));
    return vec4(p.x * (1.0 - w) + constant_float(COLOR_R) * w, p.y * (1.0 - w) + constant_float(COLOR_G) * w,
                p.z * (1.0 - w) + constant_float(COLOR_B) * w, p.w * (1.0 - w) + w);
}
