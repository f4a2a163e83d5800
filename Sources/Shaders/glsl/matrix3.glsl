// matrix3: see HDRPlan/Stages/Matrix3Stage.swift.
vec4 matrix3(vec4 p, uint k) {
    vec4 q;
    q.x = (constant_float(k) * p.x + constant_float(k + 1u) * p.y) + constant_float(k + 2u) * p.z;
    q.y = (constant_float(k + 3u) * p.x + constant_float(k + 4u) * p.y) + constant_float(k + 5u) * p.z;
    q.z = (constant_float(k + 6u) * p.x + constant_float(k + 7u) * p.y) + constant_float(k + 8u) * p.z;
    q.w = p.w;
    return q;
}
