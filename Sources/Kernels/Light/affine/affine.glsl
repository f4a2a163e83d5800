// affine: the twin of Affine.
#pragma words SCALE_R SCALE_G SCALE_B OFFSET_R OFFSET_G OFFSET_B

vec4 affine(vec4 p, uint k) {
    return vec4(p.x * constant_float(SCALE_R) + constant_float(OFFSET_R),
                p.y * constant_float(SCALE_G) + constant_float(OFFSET_G),
                p.z * constant_float(SCALE_B) + constant_float(OFFSET_B), p.w);
}
