// matrix4: the twin of Matrix4Stage.
#pragma words RED_R RED_G RED_B RED_A RED_BIAS GREEN_R GREEN_G GREEN_B GREEN_A GREEN_BIAS BLUE_R BLUE_G BLUE_B BLUE_A
#pragma words BLUE_BIAS ALPHA_R ALPHA_G ALPHA_B ALPHA_A ALPHA_BIAS
#pragma part ROW R G B A BIAS

float matrix4_row(vec4 p, uint k) {
    return (((constant_float(ROW_R(k)) * p.x + constant_float(ROW_G(k)) * p.y) + constant_float(ROW_B(k)) * p.z)
            + constant_float(ROW_A(k)) * p.w) + constant_float(ROW_BIAS(k));
}

vec4 matrix4(vec4 p, uint k) {
    float t = matrix4_row(p, ALPHA_R);
    float low = t > 0.0 ? t : 0.0;
    return vec4(matrix4_row(p, RED_R), matrix4_row(p, GREEN_R), matrix4_row(p, BLUE_R), low < 1.0 ? low : 1.0);
}
