// Twins of PlanarLength in Kernels/Arithmetic/PlanarLength.swift.
float length_of_square(float square) {
    bool is_some = square > uintBitsToFloat(0x17800000u);
    float root = e32_exp2(0.5 * e32_log2(is_some ? square : 1.0));
    return is_some ? root : 0.0;
}

float planar_length(float x, float y) { return length_of_square(x * x + y * y); }
