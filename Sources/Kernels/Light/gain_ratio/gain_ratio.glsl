// gain_ratio: the twin of GainRatio.
#pragma words BYTES MODE SIGN TABLES_R TABLES_G TABLES_B IS_LOG BASE_OFFSET_R BASE_OFFSET_G BASE_OFFSET_B
#pragma words ALTERNATE_OFFSET_R ALTERNATE_OFFSET_G ALTERNATE_OFFSET_B MATRIX_M0 MATRIX_M1 MATRIX_M2 MATRIX_M3 MATRIX_M4
#pragma words MATRIX_M5 MATRIX_M6 MATRIX_M7 MATRIX_M8 LUMINANCE_R LUMINANCE_G LUMINANCE_B
#pragma values MODE PER_CHANNEL LUMINANCE MAXIMUM

float gain_logarithm(float x) { return e32_log2(x > 1e-10 ? x : 1e-10); }

float gain_quotient(float alternate, float log_base, float sign) {
    float d = gain_logarithm(alternate) - log_base;
    return sign * (d > -33.21928 ? d : -33.21928);
}

vec4 gain_ratio(vec4 p, uint k) {
    uint bytes = constant(BYTES), mode = constant(MODE);
    float sign = constant_float(SIGN);
    vec3 b;
    for (uint c = 0u; c < 3u; c++)
        b[c] = table_float(constant(TABLES_R + c) + sample_bits(1u, channel_words(1u, c), at.x, at.y, bytes));
    if (constant(IS_LOG) == 1u) {
        return vec4(gain_quotient(p.x + constant_float(ALTERNATE_OFFSET_R), b.x, sign),
                    gain_quotient(p.y + constant_float(ALTERNATE_OFFSET_G), b.y, sign),
                    gain_quotient(p.z + constant_float(ALTERNATE_OFFSET_B), b.z, sign), p.w);
    }
    uint m = MATRIX_M0;
    vec3 q;
    q.x = constant_float(m) * b.x + constant_float(m + 1u) * b.y + constant_float(m + 2u) * b.z;
    q.y = constant_float(m + 3u) * b.x + constant_float(m + 4u) * b.y + constant_float(m + 5u) * b.z;
    q.z = constant_float(m + 6u) * b.x + constant_float(m + 7u) * b.y + constant_float(m + 8u) * b.z;
    if (mode == MODE_PER_CHANNEL) {
        return vec4(
            gain_quotient(
                p.x + constant_float(ALTERNATE_OFFSET_R), gain_logarithm(q.x + constant_float(BASE_OFFSET_R)), sign),
            gain_quotient(
                p.y + constant_float(ALTERNATE_OFFSET_G), gain_logarithm(q.y + constant_float(BASE_OFFSET_G)), sign),
            gain_quotient(
                p.z + constant_float(ALTERNATE_OFFSET_B), gain_logarithm(q.z + constant_float(BASE_OFFSET_B)), sign),
            p.w);
    }
    float alternate, base;
    if (mode == MODE_LUMINANCE) {
        float wr = constant_float(LUMINANCE_R), wg = constant_float(LUMINANCE_G), wb = constant_float(LUMINANCE_B);
        alternate = wr * p.x + wg * p.y + wb * p.z;
        base = wr * q.x + wg * q.y + wb * q.z;
    } else {
        float x = p.x > p.y ? p.x : p.y, y = q.x > q.y ? q.x : q.y;
        alternate = x > p.z ? x : p.z;
        base = y > q.z ? y : q.z;
    }
    float value = gain_quotient(
        alternate + constant_float(ALTERNATE_OFFSET_R), gain_logarithm(base + constant_float(BASE_OFFSET_R)), sign);
    return vec4(value, value, value, p.w);
}
