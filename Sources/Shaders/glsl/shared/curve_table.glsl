// Bit-indexed quadratic tables: twin of CurveTable.lookup in HDRPlan/Stages/CurveTable.swift.
float curve_lookup(uint first, uint bits, uint min_bits, uint max_bits, uint k) {
    uint low = bits < min_bits ? min_bits : bits;
    uint c = low > max_bits ? max_bits : low;
    uint e = first + ((c - min_bits) >> (23u - k)) * 4u;
    float f = uintBitsToFloat(((c << k) & 0x7fffffu) | 0x3f800000u) - 1.0;
    return table_float(e) + f * (table_float(e + 1u) + f * table_float(e + 2u));
}
