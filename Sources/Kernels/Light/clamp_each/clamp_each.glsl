// clamp_each: the twin of ClampEach.
#pragma words LOW_R LOW_G LOW_B LOW_A HIGH_R HIGH_G HIGH_B HIGH_A

float clamp_each_channel(float x, uint k) {
    float low = constant_float(LOW_R), high = constant_float(HIGH_R);
    float a = x > low ? x : low;
    return a < high ? a : high;
}

vec4 clamp_each(vec4 p, uint k) {
    return vec4(clamp_each_channel(p.x, LOW_R), clamp_each_channel(p.y, LOW_G), clamp_each_channel(p.z, LOW_B),
                clamp_each_channel(p.w, LOW_A));
}
