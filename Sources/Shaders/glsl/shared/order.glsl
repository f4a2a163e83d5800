// Twin of Extreme.key in Kernels/Neighbours/extreme/Extreme.swift: turns the bits of a number into an integer with the same order.
// It is its own inverse.
int order_key(uint bits) {
    int i = int(bits);
    return i ^ ((i >> 31) & 0x7fffffff);
}
