// vibrance: the twin of VibranceStage.
#pragma words LUMINANCE_R LUMINANCE_G LUMINANCE_B AMOUNT

vec4 vibrance(vec4 p, uint k) {
    float y = (constant_float(LUMINANCE_R) * p.x + constant_float(LUMINANCE_G) * p.y) + constant_float(LUMINANCE_B) * p.z;
    float rg = p.y > p.x ? p.y : p.x, most = p.z > rg ? p.z : rg;
    float low_rg = p.y < p.x ? p.y : p.x, least = p.z < low_rg ? p.z : low_rg;
    float range = most - least;
    float divisor = most > uintBitsToFloat(0x38d1b717u) ? most : uintBitsToFloat(0x38d1b717u);
    float strong = range * e32_reciprocal(divisor);
    float saturation = strong < 1.0 ? strong : 1.0;
    float solid = range > uintBitsToFloat(0x2b800000u) ? range : 1.0;
    float away = (p.y - p.z) * e32_reciprocal(solid) - 0.5;
    float gap = away < 0.0 ? -away : away;
    float near = 1.0 - uintBitsToFloat(0x4019999au) * gap;
    float inside = near > 0.0 ? near : 0.0;
    float below_red = p.y > p.x ? 0.0 : inside;
    float t = p.z > p.y ? 0.0 : below_red;
    float skin = 0.5 * ((t * t) * (3.0 - 2.0 * t));
    float f = 1.0 + constant_float(AMOUNT) * ((1.0 - saturation) * (1.0 - skin));
    return vec4(y + f * (p.x - y), y + f * (p.y - y), y + f * (p.z - y), p.w);
}
