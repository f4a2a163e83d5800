// rgb_to_ycc: see HDRPlan/Stages/RGBToYCC.swift.
float nominal(float x) {
    float low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

vec4 rgb_to_ycc(vec4 p, uint k) {
    float r = nominal(p.x), g = nominal(p.y), b = nominal(p.z);
    float y = (constant_float(k) * r + constant_float(k + 1u) * g) + constant_float(k + 2u) * b;
    return vec4(y * constant_float(k + 3u) + constant_float(k + 4u), (b - y) * constant_float(k + 5u) + constant_float(k + 7u),
                (r - y) * constant_float(k + 6u) + constant_float(k + 7u), p.w);
}
