// clamp_range: the twin of ClampStage.
#pragma words LOW HIGH

float clamp_channel(float x, float low, float high) {
    float a = x > low ? x : low;
    return a < high ? a : high;
}

vec4 clamp_range(vec4 p, uint k) {
    float low = constant_float(LOW), high = constant_float(HIGH);
    return vec4(clamp_channel(p.x, low, high), clamp_channel(p.y, low, high), clamp_channel(p.z, low, high), p.w);
}
