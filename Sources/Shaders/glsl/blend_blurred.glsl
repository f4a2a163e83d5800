// blend_blurred: see BlendBlurred in HDRPlan/Filters/UnsharpMask.swift.
#pragma words MODE SOURCE CHANNELS AMOUNT LUMINANCE_R LUMINANCE_G LUMINANCE_B
#pragma values MODE UNSHARP LUMINANCE BLOOM GLOOM

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
    if (mode == MODE_LUMINANCE) {
        float wr = constant_float(LUMINANCE_R), wg = constant_float(LUMINANCE_G), wb = constant_float(LUMINANCE_B);
        float blurred = (p.x * wr + p.y * wg) + p.z * wb, own = (r * wr + g * wg) + b * wb;
        float more = (own - blurred) * amount;
        return vec4(r + more, g + more, b + more, a);
    }
    return vec4(blend_blurred_channel(mode, r, p.x, amount), blend_blurred_channel(mode, g, p.y, amount),
                blend_blurred_channel(mode, b, p.z, amount), a);
}
