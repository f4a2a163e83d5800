// gain_ratio: see HDRPlan/Stages/GainRatio.swift.
float gain_logarithm(float x) { return e32_log2(x > 1e-10 ? x : 1e-10); }

float gain_quotient(float alternate, float log_base, float sign) {
    float d = gain_logarithm(alternate) - log_base;
    return sign * (d > -33.21928 ? d : -33.21928);
}

vec4 gain_ratio(vec4 p, uint k) {
    uint bytes = constant(k), mode = constant(k + 1u);
    float sign = constant_float(k + 2u);
    vec3 b;
    for (uint c = 0u; c < 3u; c++)
        b[c] = table_float(constant(k + 3u + c) + sample_bits(1u, channel_words(1u, c), at.x, at.y, bytes));
    if (constant(k + 6u) == 1u) {
        return vec4(gain_quotient(p.x + constant_float(k + 10u), b.x, sign),
                    gain_quotient(p.y + constant_float(k + 11u), b.y, sign),
                    gain_quotient(p.z + constant_float(k + 12u), b.z, sign), p.w);
    }
    uint m = k + 13u;
    vec3 q;
    q.x = constant_float(m) * b.x + constant_float(m + 1u) * b.y + constant_float(m + 2u) * b.z;
    q.y = constant_float(m + 3u) * b.x + constant_float(m + 4u) * b.y + constant_float(m + 5u) * b.z;
    q.z = constant_float(m + 6u) * b.x + constant_float(m + 7u) * b.y + constant_float(m + 8u) * b.z;
    if (mode == 0u) {
        return vec4(gain_quotient(p.x + constant_float(k + 10u), gain_logarithm(q.x + constant_float(k + 7u)), sign),
                    gain_quotient(p.y + constant_float(k + 11u), gain_logarithm(q.y + constant_float(k + 8u)), sign),
                    gain_quotient(p.z + constant_float(k + 12u), gain_logarithm(q.z + constant_float(k + 9u)), sign),
                    p.w);
    }
    float alternate, base;
    if (mode == 1u) {
        float wr = constant_float(k + 22u), wg = constant_float(k + 23u), wb = constant_float(k + 24u);
        alternate = wr * p.x + wg * p.y + wb * p.z;
        base = wr * q.x + wg * q.y + wb * q.z;
    } else {
        float x = p.x > p.y ? p.x : p.y, y = q.x > q.y ? q.x : q.y;
        alternate = x > p.z ? x : p.z;
        base = y > q.z ? y : q.z;
    }
    float value = gain_quotient(alternate + constant_float(k + 10u), gain_logarithm(base + constant_float(k + 7u)), sign);
    return vec4(value, value, value, p.w);
}
