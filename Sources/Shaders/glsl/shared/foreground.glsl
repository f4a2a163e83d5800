// Twins of Compositing.loadForeground and Compositing.limitAlpha in HDRPlan/Filters/Compositing.swift.

// A pixel of four planes of a picture of some size; 0 outside.
vec4 foreground_pixel(uint source, int x, int y, int width, int height) {
    vec4 t = vec4(0.0);
    if (x >= 0 && y >= 0 && x < width && y < height) {
        t.x = plane_sample(source, 0u, x, y);
        t.y = plane_sample(source, 1u, x, y);
        t.z = plane_sample(source, 2u, x, y);
        t.w = plane_sample(source, 3u, x, y);
    }
    return t;
}

float limit_alpha(float a) {
    float low = a > 0.0 ? a : 0.0;
    return low < 1.0 ? low : 1.0;
}
