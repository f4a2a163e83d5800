// log_luminance: the twin of LogLuminance.
#pragma words WEIGHTS_R WEIGHTS_G WEIGHTS_B LEAST

vec4 log_luminance(vec4 p, uint k) {
    float y = (constant_float(WEIGHTS_R) * p.x + constant_float(WEIGHTS_G) * p.y) + constant_float(WEIGHTS_B) * p.z;
    float least = constant_float(LEAST);
    float l = e32_log2(y > least ? y : least);
    return vec4(l, l, l, p.w);
}
