// Bit-indexed quadratic tables: twin of CurveTable.lookup in Kernels/Arithmetic/CurveTable.swift.
float curve_lookup(uint first, uint bits, uint min_bits, uint max_bits, uint k) {
    uint low = bits < min_bits ? min_bits : bits;
    uint c = low > max_bits ? max_bits : low;
    uvec4 entry = table_entry(first + ((c - min_bits) >> (23u - k)) * 4u);
    float f = uintBitsToFloat(((c << k) & 0x7fffffu) | 0x3f800000u) - 1.0;
    return uintBitsToFloat(entry.x) + f * (uintBitsToFloat(entry.y) + f * uintBitsToFloat(entry.z));
}

// Twin of CurveStage.apply in Kernels/Light/curve/CurveStage.swift: an odd function for negative values, a line below the
// table. Magnitudes below 2^-30 count as 0, which has no sign: Vulkan leaves open which zero an operation makes.
float curve_odd(uint first, float x, uint min_bits, uint max_bits, uint k, float slope, float value) {
    uint u = floatBitsToUint(x), m = u & 0x7fffffffu;
    float found = curve_lookup(first, m, min_bits, max_bits, k);
    uint flushed = m < 0x30800000u ? 0u : m;
    float line = value + uintBitsToFloat(flushed) * slope;
    float y = m < min_bits ? line : found;
    return uintBitsToFloat(floatBitsToUint(y) ^ (flushed == 0u ? 0u : u & 0x80000000u));
}
