// spot_color: the twin of SpotColorStage.
#pragma words FIRST_CENTER_R FIRST_CENTER_G FIRST_CENTER_B FIRST_OTHER_R FIRST_OTHER_G FIRST_OTHER_B FIRST_LIMIT
#pragma words FIRST_SLOPE SECOND_CENTER_R SECOND_CENTER_G SECOND_CENTER_B SECOND_OTHER_R SECOND_OTHER_G SECOND_OTHER_B
#pragma words SECOND_LIMIT SECOND_SLOPE THIRD_CENTER_R THIRD_CENTER_G THIRD_CENTER_B THIRD_OTHER_R THIRD_OTHER_G
#pragma words THIRD_OTHER_B THIRD_LIMIT THIRD_SLOPE
#pragma part SPOT CENTER_R CENTER_G CENTER_B OTHER_R OTHER_G OTHER_B LIMIT SLOPE

float spot_color_weight(vec4 p, uint k) {
    float r = p.x - constant_float(SPOT_CENTER_R(k)), g = p.y - constant_float(SPOT_CENTER_G(k));
    float b = p.z - constant_float(SPOT_CENTER_B(k));
    float d = length_of_square(((r * r + g * g) + b * b) * uintBitsToFloat(0x3eaaaaabu));
    float t = lut_inside((constant_float(SPOT_LIMIT(k)) - d) * constant_float(SPOT_SLOPE(k)), 1.0);
    return (t * t) * (3.0 - 2.0 * t);
}

vec4 spot_color_mixed(vec4 q, float w, uint k) {
    return vec4(q.x * (1.0 - w) + constant_float(SPOT_OTHER_R(k)) * w, q.y * (1.0 - w) + constant_float(SPOT_OTHER_G(k)) * w,
                q.z * (1.0 - w) + constant_float(SPOT_OTHER_B(k)) * w, q.w);
}

vec4 spot_color(vec4 p, uint k) {
    vec4 q = spot_color_mixed(p, spot_color_weight(p, FIRST_CENTER_R), FIRST_CENTER_R);
    q = spot_color_mixed(q, spot_color_weight(p, SECOND_CENTER_R), SECOND_CENTER_R);
    return spot_color_mixed(q, spot_color_weight(p, THIRD_CENTER_R), THIRD_CENTER_R);
}
