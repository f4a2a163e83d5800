// motion_blur: see MotionBlurStage in HDRPlan/Filters/MotionBlur.swift.
int motion_blur_inside(int i, int size) { return i > 0 ? (i < size ? i : size - 1) : 0; }

float motion_blur_channel(uint index, uint k) {
    uint rows = constant(k + 1u), start = constant(k + 2u);
    int width = int(constant(k + 3u)), height = int(constant(k + 4u));
    float sum = 0.0;
    for (uint row = 0u; row < rows; row++) {
        uint entry = start + 4u * row;
        int y = motion_blur_inside(at.y + int(table(entry)), height), x = at.x + int(table(entry + 1u));
        uint count = table(entry + 2u), weight = start + table(entry + 3u);
        for (uint i = 0u; i < count; i++) {
            sum = sum + table_float(weight + i) * plane_sample(0u, index, motion_blur_inside(x + int(i), width), y);
        }
    }
    return sum;
}

vec4 motion_blur(vec4 p, uint k) {
    vec4 q;
    q.x = motion_blur_channel(0u, k);
    q.y = motion_blur_channel(1u, k);
    q.z = motion_blur_channel(2u, k);
    q.w = 1.0;
    if (constant(k) == 4u) q.w = motion_blur_channel(3u, k);
    return q;
}
