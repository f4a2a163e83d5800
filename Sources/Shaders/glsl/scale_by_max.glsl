// scale_by_max: see HDRPlan/Stages/ScaleByMax.swift.
vec4 scale_by_max(vec4 p, uint k) {
    float rg = p.y > p.x ? p.y : p.x;
    float m = p.z > rg ? p.z : rg;
    float x = m > 0.0 ? m : 0.0;
    float f = curve_lookup(constant(k), floatBitsToUint(x), constant(k + 1u), constant(k + 2u), constant(k + 3u));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
