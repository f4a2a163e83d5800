// matrix4: see Matrix4Stage in HDRPlan/Filters/ColorMatrix.swift.
float matrix4_row(vec4 p, uint k) {
    return (((constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z)
            + constant_float(k + 3u) * p.w) + constant_float(k + 4u);
}

vec4 matrix4(vec4 p, uint k) {
    float t = matrix4_row(p, k + 15u);
    float low = t > 0.0 ? t : 0.0;
    return vec4(matrix4_row(p, k), matrix4_row(p, k + 5u), matrix4_row(p, k + 10u), low < 1.0 ? low : 1.0);
}
