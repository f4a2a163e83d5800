// color_polynomial: see PolynomialStage in HDRPlan/Filters/ColorPolynomial.swift.
float polynomial_limited(float x, float low, float high) {
    float a = x > low ? x : low;
    return a < high ? a : high;
}

float polynomial_value(float v, uint k, float low, float high) {
    float x = polynomial_limited(v, -1048576.0, 1048576.0);
    float y = ((constant_float(k + 3u) * x + constant_float(k + 2u)) * x + constant_float(k + 1u)) * x + constant_float(k);
    return polynomial_limited(y, low, high);
}

vec4 color_polynomial(vec4 p, uint k) {
    return vec4(polynomial_value(p.x, k, -1048576.0, 1048576.0), polynomial_value(p.y, k + 4u, -1048576.0, 1048576.0),
                polynomial_value(p.z, k + 8u, -1048576.0, 1048576.0), polynomial_value(p.w, k + 12u, 0.0, 1.0));
}
