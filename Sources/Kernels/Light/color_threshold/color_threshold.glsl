// color_threshold: the twin of ThresholdStage.
#pragma words THRESHOLD

vec4 color_threshold(vec4 p, uint k) {
    float threshold = constant_float(THRESHOLD);
    return vec4(p.x < threshold ? 0.0 : 1.0, p.y < threshold ? 0.0 : 1.0, p.z < threshold ? 0.0 : 1.0, p.w);
}
