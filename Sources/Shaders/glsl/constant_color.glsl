// constant_color: see HDRPlan/Filters/ConstantColor.swift.
vec4 constant_color(vec4 p, uint k) {
    return vec4(constant_float(k), constant_float(k + 1u), constant_float(k + 2u), constant_float(k + 3u));
}
