// affine: see HDRPlan/Stages/Affine.swift.
vec4 affine(vec4 p, uint k) {
    return vec4(p.x * constant_float(k) + constant_float(k + 3u), p.y * constant_float(k + 1u) + constant_float(k + 4u),
                p.z * constant_float(k + 2u) + constant_float(k + 5u), p.w);
}
