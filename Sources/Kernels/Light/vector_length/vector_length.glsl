// vector_length: the twin of VectorLength.
#pragma words SCALE

vec4 vector_length(vec4 p, uint k) {
    float length = length_of_square((p.x * p.x + p.y * p.y) + p.z * p.z) * constant_float(SCALE);
    return vec4(length, length, length, p.w);
}
