// ycc_to_rgb: see HDRPlan/Stages/YCCToRGB.swift.
vec4 ycc_to_rgb(vec4 p, uint k) {
    float y = p.x * constant_float(k);
    vec4 q;
    q.x = y + constant_float(k + 1u) * p.z;
    q.y = (y + constant_float(k + 2u) * p.y) + constant_float(k + 3u) * p.z;
    q.z = y + constant_float(k + 4u) * p.y;
    q.w = p.w;
    return q;
}
