// ycc_to_rgb: the twin of YCCToRGB.
#pragma words LUMA RED_CR GREEN_CB GREEN_CR BLUE_CB

vec4 ycc_to_rgb(vec4 p, uint k) {
    float y = p.x * constant_float(LUMA);
    vec4 q;
    q.x = y + constant_float(RED_CR) * p.z;
    q.y = (y + constant_float(GREEN_CB) * p.y) + constant_float(GREEN_CR) * p.z;
    q.z = y + constant_float(BLUE_CB) * p.y;
    q.w = p.w;
    return q;
}
