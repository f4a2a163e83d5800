// desaturate: the twin of Desaturate.
#pragma words LUMINANCE_R LUMINANCE_G LUMINANCE_B PEAK

float grey_share(float v, float y, float peak) {
    float excess = v < 0.0 ? -v : v - peak;
    float to_grey = v < 0.0 ? y - v : v - y;
    float t = excess * e32_reciprocal(to_grey);
    float above = v > peak ? t : 0.0;
    return v < 0.0 ? t : above;
}

float grey_mixed(float v, float y, float t, float peak) {
    float m = v + t * (y - v);
    float low = m > 0.0 ? m : 0.0;
    float inside = low < peak ? low : peak;
    float bright = y < peak ? inside : peak;
    return y > 0.0 ? bright : 0.0;
}

vec4 desaturate(vec4 p, uint k) {
    float peak = constant_float(PEAK);
    float y = (constant_float(LUMINANCE_R) * p.x + constant_float(LUMINANCE_G) * p.y) + constant_float(LUMINANCE_B) * p.z;
    float tr = grey_share(p.x, y, peak), tg = grey_share(p.y, y, peak), tb = grey_share(p.z, y, peak);
    float most = tr > 0.0 ? tr : 0.0;
    float trg = tg > most ? tg : most;
    float t = tb > trg ? tb : trg;
    return vec4(grey_mixed(p.x, y, t, peak), grey_mixed(p.y, y, t, peak), grey_mixed(p.z, y, t, peak), p.w);
}
