// Twins of Compositing.loadForeground and Compositing.limitAlpha in Kernels/Blend/composite/Compositing.swift.

// Returns a pixel of a picture of four channels and a given size; 0 outside.
vec4 foreground_pixel(uint source, int x, int y, int width, int height) {
    if (x >= 0 && y >= 0 && x < width && y < height) return source_pixel(source, 4u, x, y);
    return vec4(0.0);
}

float limit_alpha(float a) {
    float low = a > 0.0 ? a : 0.0;
    return low < 1.0 ? low : 1.0;
}
