// spot_light: the twin of SpotLightStage.
#pragma words LAMP_X LAMP_Y LAMP_TO_X LAMP_TO_Y SQUARE AXIS_X AXIS_Y ALONG POWER GAIN COLOR_R COLOR_G COLOR_B

vec4 spot_light(vec4 p, uint k) {
    float dx = float(int(here.x) - int(constant(LAMP_X))) + constant_float(LAMP_TO_X);
    float dy = float(int(here.y) - int(constant(LAMP_Y))) + constant_float(LAMP_TO_Y);
    float square = (dx * dx + dy * dy) + constant_float(SQUARE), least = uintBitsToFloat(0x35800000u);
    float inverse = e32_exp2(-0.5 * e32_log2(square > least ? square : least));
    float cosine = ((dx * constant_float(AXIS_X) + dy * constant_float(AXIS_Y)) + constant_float(ALONG)) * inverse;
    float power = e32_log2(cosine > least ? cosine : least) * constant_float(POWER);
    float gain = e32_exp2(power > -40.0 ? power : -40.0) * (constant_float(GAIN) * inverse);
    return vec4(p.x * (gain * constant_float(COLOR_R)), p.y * (gain * constant_float(COLOR_G)),
                p.z * (gain * constant_float(COLOR_B)), p.w);
}
