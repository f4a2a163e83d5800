// add_positive: the twin of AddPositive.
#pragma words WEIGHTS_R WEIGHTS_G WEIGHTS_B AMOUNT

vec4 add_positive(vec4 p, uint k) {
    float sum = (constant_float(WEIGHTS_R) * p.x + constant_float(WEIGHTS_G) * p.y) + constant_float(WEIGHTS_B) * p.z;
    float positive = sum > 0.0 ? sum : 0.0;
    float d = positive * constant_float(AMOUNT);
    return vec4(p.x + d, p.y + d, p.z + d, p.w);
}
