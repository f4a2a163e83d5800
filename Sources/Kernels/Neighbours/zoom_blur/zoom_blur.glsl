// zoom_blur: the twin of ZoomBlurStage.
#pragma words CHANNELS SAMPLES TABLE SHARE WIDTH HEIGHT

vec4 zoom_blur(vec4 p, uint k) {
    uint channels = constant(CHANNELS), samples = constant(SAMPLES), start = constant(TABLE);
    ivec2 size = ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
    float x = float(int(here.x)), y = float(int(here.y));
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < samples; i++) {
        uint entry = start + 4u * i;
        float scale = table_float(entry);
        vec4 place = bilinear_at(scale * x + table_float(entry + 1u), scale * y + table_float(entry + 2u), size);
        sum = sum + bilinear_value(0u, channels, place, size);
    }
    sum = sum * constant_float(SHARE);
    if (channels != 4u) sum.w = 1.0;
    return sum;
}
