// holes: the twin of HolesStage.
#pragma words TO_X TO_Y COSINE SINE COMPRESSION SLOPE START

vec4 holes(vec4 p, uint k) {
    float x = float(int(here.x)) + constant_float(TO_X), y = float(int(here.y)) + constant_float(TO_Y);
    float compression = constant_float(COMPRESSION), c = constant_float(COSINE), s = constant_float(SINE);
    float near = compression * e32_reciprocal(compression + planar_length(x, y));
    float u = (c * x - s * y) * near, v = (s * x + c * y) * near;
    float du = u - place_floor(u + 0.5), dv = v - place_floor(v + 0.5);
    float weight = constant_float(START) - constant_float(SLOPE) * (2.0 * (du * du + dv * dv));
    float t = lut_inside(weight, 1.0);
    float smooth_weight = (t * t) * (3.0 - 2.0 * t);
    return vec4(smooth_weight, smooth_weight, smooth_weight, p.w);
}
