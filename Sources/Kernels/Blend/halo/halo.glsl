// halo: the twin of HaloStage.
#pragma words CENTER_X CENTER_Y CENTER_TO_X CENTER_TO_Y COSINE SINE RADIUS APART SLOPE STRENGTH CONTRAST COLOR_R COLOR_G
#pragma words COLOR_B COLOR_A

float halo_ring(float u, float gain) {
    float v = 1.0 - u * u, inside = v > 0.0 ? v : 0.0;
    float t = (inside * inside) * gain;
    return t < uintBitsToFloat(0x38800000u) ? 0.0 : t;
}

vec4 halo(vec4 p, uint k) {
    float dx = float(int(here.x) - int(constant(CENTER_X))) + constant_float(CENTER_TO_X);
    float dy = float(int(here.y) - int(constant(CENTER_Y))) + constant_float(CENTER_TO_Y), d = planar_length(dx, dy);
    float x = dx * constant_float(COSINE) - dy * constant_float(SINE);
    float y = dx * constant_float(SINE) + dy * constant_float(COSINE);
    float q = rays_of(x, y, d, constant_float(CONTRAST)), gain = 1.0 + constant_float(STRENGTH) * (2.0 * q - 1.0);
    float lit = gain > 0.0 ? gain : 0.0, away = d - constant_float(RADIUS), slope = constant_float(SLOPE);
    float red = halo_ring((away - constant_float(APART)) * slope, lit), green = halo_ring(away * slope, lit);
    float blue = halo_ring((away + constant_float(APART)) * slope, lit);
    float rg = green > red ? green : red, most = blue > rg ? blue : rg;
    return vec4(constant_float(COLOR_R) * red, constant_float(COLOR_G) * green, constant_float(COLOR_B) * blue,
                constant_float(COLOR_A) * (most < 1.0 ? most : 1.0));
}
