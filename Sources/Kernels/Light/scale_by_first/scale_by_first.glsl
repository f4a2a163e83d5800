// scale_by_first: the twin of ScaleByFirst.
#pragma words FIRST OTHERS DOMAIN_MIN_BITS DOMAIN_MAX_BITS DOMAIN_K

vec4 scale_by_first(vec4 p, uint k) {
    uint bits = floatBitsToUint(p.x) & 0x7fffffffu;
    float a = curve_lookup(
        constant(FIRST), bits, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K));
    float b = curve_lookup(
        constant(OTHERS), bits, constant(DOMAIN_MIN_BITS), constant(DOMAIN_MAX_BITS), constant(DOMAIN_K));
    return vec4(p.x * a, p.y * b, p.z * b, p.w);
}
