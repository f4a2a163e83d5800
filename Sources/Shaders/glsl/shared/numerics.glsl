// The E32 arithmetic: twin of E32 in Kernels/Arithmetic/E32.swift. One rounding an operation, in the order written.

float e32_log2(float x) {
    int i = floatBitsToInt(x);
    int e = (i - 0x3f3504f3) >> 23;
    float f = intBitsToFloat(i - (e << 23)) - 1.0;
    float p = uintBitsToFloat(0x3e00dcebu);
    p = p * f + uintBitsToFloat(0xbe53c003u);
    p = p * f + uintBitsToFloat(0x3e5ca701u);
    p = p * f + uintBitsToFloat(0xbe74c051u);
    p = p * f + uintBitsToFloat(0x3e936ea4u);
    p = p * f + uintBitsToFloat(0xbeb8adbfu);
    p = p * f + uintBitsToFloat(0x3ef639b3u);
    p = p * f + uintBitsToFloat(0xbf38aa39u);
    p = p * f + uintBitsToFloat(0x3fb8aa3bu);
    return float(e) + f * p;
}

float e32_exp2(float x) {
    float low = x < -125.0 ? -125.0 : x;
    float c = low > 127.0 ? 127.0 : low;
    float t = c + 12582912.0;
    float f = c - (t - 12582912.0);
    float q = uintBitsToFloat(0x3920b5afu);
    q = q * f + uintBitsToFloat(0x3aaf8417u);
    q = q * f + uintBitsToFloat(0x3c1d96f0u);
    q = q * f + uintBitsToFloat(0x3d6357beu);
    q = q * f + uintBitsToFloat(0x3e75fdeeu);
    q = q * f + uintBitsToFloat(0x3f317218u);
    float p = 1.0 + f * q;
    return uintBitsToFloat(floatBitsToUint(p) + (floatBitsToUint(t) << 23));
}

float e32_reciprocal(float y) {
    float r = uintBitsToFloat(0x7ef311c7u - floatBitsToUint(y));
    r = r * (2.0 - y * r);
    r = r * (2.0 - y * r);
    return r + r * (1.0 - y * r);
}

uint e32_half(float x) {
    uint u = floatBitsToUint(x);
    uint a = u & 0x7fffffffu;
    uint normal = (a + 0xc8000fffu + ((a >> 13) & 1u)) >> 13;
    uint tiny = floatBitsToUint(uintBitsToFloat(a) + 0.5) - 0x3f000000u;
    uint h = a < 0x38800000u ? tiny : normal;
    h = a < 0x477ff000u ? h : 0x7bffu;
    uint sign = (u >> 16) & 0x8000u;
    return h == 0u ? 0u : h | sign;
}

float e32_float_of_half(uint h) {
    uint m = h & 0x7fffu;
    uint normal = (m << 13) + 0x38000000u;
    uint tiny = floatBitsToUint(float(int(m)) * uintBitsToFloat(0x33800000u));
    uint bits = m < 0x400u ? tiny : normal;
    bits = m < 0x7c00u ? bits : (m == 0x7c00u ? 0x477fe000u : 0u);
    return uintBitsToFloat(bits | ((h & 0x8000u) << 16));
}

float e32_sanitize(float x) {
    uint u = floatBitsToUint(x);
    uint a = u & 0x7fffffffu;
    uint m = a < 0x30800000u ? 0u : a;
    m = a > 0x49800000u ? 0x49800000u : m;
    m = a > 0x7f800000u ? 0u : m;
    return uintBitsToFloat(m == 0u ? 0u : m | (u & 0x80000000u));
}

uint e32_quantize(float x, float scale) {
    float low = x > 0.0 ? x : 0.0;
    float c = low < 1.0 ? low : 1.0;
    return floatBitsToUint(c * scale + 8388608.0) & 0x7fffffu;
}
