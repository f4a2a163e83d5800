// Twins of RatioCorrected in Kernels/Samples/rcd/RatioCorrected.swift.
int rcd_inside(int i, int size) {
    int q = i < 0 ? -i : (i >= size ? 2 * (size - 1) - i : i);
    int low = q > 0 ? q : 0;
    return low < size - 1 ? low : size - 1;
}

// Returns a sample of a plane of a picture of the given size, x columns and y rows from the pixel.
float rcd_sample(uint source, uint channel, ivec2 size, int x, int y) {
    return plane_sample(source, channel, rcd_inside(at.x + x, size.x), rcd_inside(at.y + y, size.y));
}

float rcd_size(float x) { return x < 0.0 ? -x : x; }

float rcd_clearer(float own, float around) { return rcd_size(0.5 - own) < rcd_size(0.5 - around) ? around : own; }

float rcd_gradient(float a, float c, float back, float green, float beyond) {
    float near = (1e-5 + rcd_size(a - back)) + rcd_size(a - c);
    return near + rcd_size(green - beyond);
}

float rcd_weighed(float a, float a_gradient, float b, float b_gradient) {
    return (b_gradient * a + a_gradient * b) * e32_reciprocal(a_gradient + b_gradient);
}
