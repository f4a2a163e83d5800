// color_posterize: the twin of PosterizeStage.
#pragma words LEVELS STEP

float posterize_channel(float x, uint k) {
    float q = x * constant_float(LEVELS) + 0.5;
    float size = q < 0.0 ? -q : q;
    float nearest = (q + 12582912.0) - 12582912.0;
    float below = nearest > q ? nearest - 1.0 : nearest;
    float stepped = below * constant_float(STEP);
    return size < 4194304.0 ? stepped : x;
}

vec4 color_posterize(vec4 p, uint k) {
    return vec4(posterize_channel(p.x, k), posterize_channel(p.y, k), posterize_channel(p.z, k), p.w);
}
