// pattern: see Pattern in HDRPlan/Filters/Pattern.swift.
vec4 pattern(vec4 p, uint k) {
    float column = table_float(constant(k) + here.x), row = table_float(constant(k + 1u) + here.y);
    uint shape = constant(k + 2u);
    float t = column + row;
    if (shape == 1u) t = (column + row) - 2.0 * (column * row);
    if (shape == 2u) t = 1.0 - column * row;
    if (shape == 3u) {
        float root = curve_lookup(
            constant(k + 14u), floatBitsToUint(t), constant(k + 15u), constant(k + 16u), constant(k + 17u));
        float d = t < uintBitsToFloat(constant(k + 15u)) ? t * constant_float(k + 18u) : root;
        t = d * constant_float(k + 12u) + constant_float(k + 13u);
    }
    float low = t > 0.0 ? t : 0.0;
    float u = low < 1.0 ? low : 1.0;
    if (constant(k + 3u) != 0u) u = (u * u) * (3.0 - 2.0 * u);
    vec4 q;
    q.x = constant_float(k + 4u) * (1.0 - u) + constant_float(k + 8u) * u;
    q.y = constant_float(k + 5u) * (1.0 - u) + constant_float(k + 9u) * u;
    q.z = constant_float(k + 6u) * (1.0 - u) + constant_float(k + 10u) * u;
    q.w = constant_float(k + 7u) * (1.0 - u) + constant_float(k + 11u) * u;
    return q;
}
