// mixed_gains: see HDRPlan/Stages/MixedGains.swift.
float mixed_gains_factor(vec4 p, float component, uint k) {
    float rg = p.y > p.x ? p.y : p.x;
    float high = p.z > rg ? p.z : rg;
    float gr = p.y < p.x ? p.y : p.x;
    float low = p.z < gr ? p.z : gr;
    float sum = (constant_float(k + 1u) * p.x + constant_float(k + 2u) * p.y) + constant_float(k + 3u) * p.z;
    float m = ((sum + constant_float(k + 4u) * high) + constant_float(k + 5u) * low) + constant_float(k + 6u) * component;
    float x = m > 0.0 ? m : 0.0;
    return curve_lookup(constant(k + 7u), floatBitsToUint(x), constant(k + 8u), constant(k + 9u), constant(k + 10u));
}

vec4 mixed_gains(vec4 p, uint k) {
    vec3 f = vec3(1.0);
    uint count = constant(k), at = k + 1u;
    for (uint curve = 0u; curve < count; ++curve) {
        float first = mixed_gains_factor(p, p.x, at);
        f.x = f.x * first;
        if (constant(at) != 0u) {
            f.y = f.y * mixed_gains_factor(p, p.y, at);
            f.z = f.z * mixed_gains_factor(p, p.z, at);
        } else {
            f.y = f.y * first;
            f.z = f.z * first;
        }
        at += 11u;
    }
    return vec4(p.x * f.x, p.y * f.y, p.z * f.z, p.w);
}
