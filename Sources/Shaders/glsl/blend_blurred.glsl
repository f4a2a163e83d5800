// blend_blurred: see BlendBlurred in HDRPlan/Filters/UnsharpMask.swift.
float blend_blurred_channel(uint mode, float own, float blurred, float amount) {
    if (mode == 0u) return own + (own - blurred) * amount;
    if (mode == 2u) {
        float low = own < 1.0 ? own : 1.0;
        return own + (blurred * (1.0 - low)) * amount;
    }
    float low = blurred < 1.0 ? blurred : 1.0, positive = own > 0.0 ? own : 0.0;
    return own - (positive * (1.0 - low)) * amount;
}

vec4 blend_blurred(vec4 p, uint k) {
    uint mode = constant(k), source = constant(k + 1u);
    float amount = constant_float(k + 3u);
    vec4 own_pixel = source_pixel(source, constant(k + 2u), at.x, at.y);
    float r = own_pixel.x, g = own_pixel.y, b = own_pixel.z, a = constant(k + 2u) == 4u ? own_pixel.w : p.w;
    if (mode == 1u) {
        float wr = constant_float(k + 4u), wg = constant_float(k + 5u), wb = constant_float(k + 6u);
        float blurred = (p.x * wr + p.y * wg) + p.z * wb, own = (r * wr + g * wg) + b * wb;
        float more = (own - blurred) * amount;
        return vec4(r + more, g + more, b + more, a);
    }
    return vec4(blend_blurred_channel(mode, r, p.x, amount), blend_blurred_channel(mode, g, p.y, amount),
                blend_blurred_channel(mode, b, p.z, amount), a);
}
