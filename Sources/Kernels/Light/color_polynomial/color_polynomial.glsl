// color_polynomial: the twin of PolynomialStage.
#pragma words RED_A0 RED_A1 RED_A2 RED_A3 GREEN_A0 GREEN_A1 GREEN_A2 GREEN_A3 BLUE_A0 BLUE_A1 BLUE_A2 BLUE_A3 ALPHA_A0
#pragma words ALPHA_A1 ALPHA_A2 ALPHA_A3
#pragma part CUBIC A0 A1 A2 A3

float polynomial_limited(float x, float low, float high) {
    float a = x > low ? x : low;
    return a < high ? a : high;
}

float polynomial_value(float v, uint k, float low, float high) {
    float x = polynomial_limited(v, -1048576.0, 1048576.0);
    float y = ((constant_float(CUBIC_A3(k)) * x + constant_float(CUBIC_A2(k))) * x + constant_float(CUBIC_A1(k))) * x
        + constant_float(CUBIC_A0(k));
    return polynomial_limited(y, low, high);
}

vec4 color_polynomial(vec4 p, uint k) {
    return vec4(polynomial_value(p.x, RED_A0, -1048576.0, 1048576.0),
                polynomial_value(p.y, GREEN_A0, -1048576.0, 1048576.0),
                polynomial_value(p.z, BLUE_A0, -1048576.0, 1048576.0), polynomial_value(p.w, ALPHA_A0, 0.0, 1.0));
}
