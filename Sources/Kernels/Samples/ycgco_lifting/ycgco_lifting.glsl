// ycgco_lifting: the twin of YCgCoLifting.
#pragma words SCALE

float ycgco_halved(float x) {
    float halved = x * 0.5;
    float nearest = (halved + 12582912.0) - 12582912.0;
    return nearest > halved ? nearest - 1.0 : nearest;
}

vec4 ycgco_lifting(vec4 p, uint k) {
    float scale = constant_float(SCALE);
    float t = p.x - ycgco_halved(p.y);
    float b = t - ycgco_halved(p.z);
    return vec4((b + p.z) * scale, (t + p.y) * scale, b * scale, p.w);
}
