// Twin of Extreme.key in HDRPlan/Filters/Extreme.swift: an integer that orders as the number of these bits does; its own
// inverse.
int order_key(uint bits) {
    int i = int(bits);
    return i ^ ((i >> 31) & 0x7fffffff);
}
