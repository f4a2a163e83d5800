// load_float_planes: see HDRPlan/Stages/LoadFloatPlanes.swift.
vec4 load_float_planes(vec4 p, uint k) {
    bool one = constant(k) == 1u;
    vec4 q;
    q.x = plane_sample(0u, 0u, at.x, at.y);
    q.y = plane_sample(0u, one ? 0u : 1u, at.x, at.y);
    q.z = plane_sample(0u, one ? 0u : 2u, at.x, at.y);
    q.w = 1.0;
    if (constant(k) == 4u) q.w = plane_sample(0u, 3u, at.x, at.y);
    return q;
}
