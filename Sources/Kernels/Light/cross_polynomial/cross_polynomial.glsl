// cross_polynomial: the twin of CrossPolynomial.
#pragma words RED_C0 RED_C1 RED_C2 RED_C3 RED_C4 RED_C5 RED_C6 RED_C7 RED_C8 RED_C9 GREEN_C0 GREEN_C1 GREEN_C2 GREEN_C3
#pragma words GREEN_C4 GREEN_C5 GREEN_C6 GREEN_C7 GREEN_C8 GREEN_C9 BLUE_C0 BLUE_C1 BLUE_C2 BLUE_C3 BLUE_C4 BLUE_C5 BLUE_C6
#pragma words BLUE_C7 BLUE_C8 BLUE_C9
#pragma part TERMS C0 C1 C2 C3 C4 C5 C6 C7 C8 C9

float cross_polynomial_value(float r, float g, float b, uint k) {
    float line = (constant_float(TERMS_C0(k)) * r + constant_float(TERMS_C1(k)) * g) + constant_float(TERMS_C2(k)) * b;
    float squares = (constant_float(TERMS_C3(k)) * (r * r) + constant_float(TERMS_C4(k)) * (g * g))
        + constant_float(TERMS_C5(k)) * (b * b);
    float products = (constant_float(TERMS_C6(k)) * (r * g) + constant_float(TERMS_C7(k)) * (g * b))
        + constant_float(TERMS_C8(k)) * (b * r);
    return polynomial_limited(((line + squares) + products) + constant_float(TERMS_C9(k)), -1048576.0, 1048576.0);
}

vec4 cross_polynomial(vec4 p, uint k) {
    float r = polynomial_limited(p.x, -1048576.0, 1048576.0), g = polynomial_limited(p.y, -1048576.0, 1048576.0);
    float b = polynomial_limited(p.z, -1048576.0, 1048576.0);
    return vec4(cross_polynomial_value(r, g, b, RED_C0), cross_polynomial_value(r, g, b, GREEN_C0),
                cross_polynomial_value(r, g, b, BLUE_C0), p.w);
}
