// constant_color: the twin of ConstantColor.
#pragma words COLOR_R COLOR_G COLOR_B COLOR_A

vec4 constant_color(vec4 p, uint k) {
    return vec4(constant_float(COLOR_R), constant_float(COLOR_G), constant_float(COLOR_B), constant_float(COLOR_A));
}
