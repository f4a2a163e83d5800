// pattern: the twin of Pattern.
#pragma words COLUMNS ROWS SHAPE IS_SMOOTH FIRST_R FIRST_G FIRST_B FIRST_A SECOND_R SECOND_G SECOND_B SECOND_A SCALE
#pragma words OFFSET ROOT_TABLE ROOT_MIN_BITS ROOT_MAX_BITS ROOT_K ROOT_SLOPE
#pragma values SHAPE SUM PARITY PRODUCT DISTANCE

vec4 pattern(vec4 p, uint k) {
    float column = table_float(constant(COLUMNS) + here.x), row = table_float(constant(ROWS) + here.y);
    uint shape = constant(SHAPE);
    float t = column + row;
    if (shape == SHAPE_PARITY) t = (column + row) - 2.0 * (column * row);
    if (shape == SHAPE_PRODUCT) t = 1.0 - column * row;
    if (shape == SHAPE_DISTANCE) {
        float root = curve_lookup(
            constant(ROOT_TABLE), floatBitsToUint(t), constant(ROOT_MIN_BITS), constant(ROOT_MAX_BITS), constant(ROOT_K));
        float d = t < uintBitsToFloat(constant(ROOT_MIN_BITS)) ? t * constant_float(ROOT_SLOPE) : root;
        t = d * constant_float(SCALE) + constant_float(OFFSET);
    }
    float low = t > 0.0 ? t : 0.0;
    float u = low < 1.0 ? low : 1.0;
    if (constant(IS_SMOOTH) != 0u) u = (u * u) * (3.0 - 2.0 * u);
    vec4 q;
    q.x = constant_float(FIRST_R) * (1.0 - u) + constant_float(SECOND_R) * u;
    q.y = constant_float(FIRST_G) * (1.0 - u) + constant_float(SECOND_G) * u;
    q.z = constant_float(FIRST_B) * (1.0 - u) + constant_float(SECOND_B) * u;
    q.w = constant_float(FIRST_A) * (1.0 - u) + constant_float(SECOND_A) * u;
    return q;
}
