// mix_looks: the twin of MixLooks.
#pragma words SOURCE AMOUNT

float mix_looks_channel(float standard, float high, float amount) {
    float most = high > standard ? high : standard, least = high > standard ? standard : high;
    bool is_some = least > uintBitsToFloat(0x21800000u);
    float from = e32_log2(is_some ? standard : 1.0), to = e32_log2(is_some ? high : 1.0);
    float between = e32_exp2(from + amount * (to - from));
    float low = between > least ? between : least, inside_looks = low < most ? low : most;
    return is_some ? inside_looks : 0.0;
}

vec4 mix_looks(vec4 p, uint k) {
    float amount = constant_float(AMOUNT);
    if (amount >= 1.0) return p;
    vec4 s = source_pixel(constant(SOURCE), 3u, int(here.x), int(here.y));
    if (amount <= 0.0) return vec4(s.x, s.y, s.z, p.w);
    return vec4(mix_looks_channel(s.x, p.x, amount), mix_looks_channel(s.y, p.y, amount),
                mix_looks_channel(s.z, p.z, amount), p.w);
}
