// blend_blurred: the twin of BlendBlurred.
#pragma words MODE SOURCE CHANNELS AMOUNT LUMINANCE_R LUMINANCE_G LUMINANCE_B SLOPE START
#pragma values MODE UNSHARP LUMINANCE BLOOM GLOOM NOISE

float blend_blurred_channel(uint mode, float own, float blurred, float amount) {
    if (mode == MODE_UNSHARP) return own + (own - blurred) * amount;
    if (mode == MODE_BLOOM) {
        float low = own < 1.0 ? own : 1.0;
        return own + (blurred * (1.0 - low)) * amount;
    }
    float low = blurred < 1.0 ? blurred : 1.0, positive = own > 0.0 ? own : 0.0;
    return own - (positive * (1.0 - low)) * amount;
}

vec4 blend_blurred(vec4 p, uint k) {
    uint mode = constant(MODE), source = constant(SOURCE);
    float amount = constant_float(AMOUNT);
    vec4 own_pixel = source_pixel(source, constant(CHANNELS), at.x, at.y);
    float r = own_pixel.x, g = own_pixel.y, b = own_pixel.z, a = constant(CHANNELS) == 4u ? own_pixel.w : p.w;
    if (mode == MODE_LUMINANCE || mode == MODE_NOISE) {
        float wr = constant_float(LUMINANCE_R), wg = constant_float(LUMINANCE_G), wb = constant_float(LUMINANCE_B);
        float blurred = (p.x * wr + p.y * wg) + p.z * wb, own = (r * wr + g * wg) + b * wb;
        if (mode == MODE_NOISE) {
            float d = own - blurred, size = d < 0.0 ? -d : d;
            float t = lut_inside(size * constant_float(SLOPE) + constant_float(START), 1.0);
            float share = amount * ((t * t) * (3.0 - 2.0 * t));
            return vec4(p.x + (r - p.x) * share, p.y + (g - p.y) * share, p.z + (b - p.z) * share, a);
        }
        float more = (own - blurred) * amount;
        return vec4(r + more, g + more, b + more, a);
    }
    return vec4(blend_blurred_channel(mode, r, p.x, amount), blend_blurred_channel(mode, g, p.y, amount),
                blend_blurred_channel(mode, b, p.z, amount), a);
}
