// add_positive: see HDRPlan/Stages/AddPositive.swift.
vec4 add_positive(vec4 p, uint k) {
    float sum = (constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z;
    float positive = sum > 0.0 ? sum : 0.0;
    float d = positive * constant_float(k + 3u);
    return vec4(p.x + d, p.y + d, p.z + d, p.w);
}
