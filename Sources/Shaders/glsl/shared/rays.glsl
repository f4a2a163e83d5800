// Twin of Rays.of in Kernels/Arithmetic/Rays.swift: 0...1 by the direction of (x, y), whose length is d.
float rays_of(float x, float y, float d, float contrast) {
    float inverse = e32_reciprocal(d > uintBitsToFloat(0x35800000u) ? d : 1.0), a = x * inverse, b = y * inverse;
    float a2 = a * a - b * b, b2 = 2.0 * (a * b), a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a;
    float a4 = a2 * a2 - b2 * b2, b4 = 2.0 * (a2 * b2), a8 = a4 * a4 - b4 * b4, b8 = 2.0 * (a4 * b4);
    float a16 = a8 * a8 - b8 * b8, b16 = 2.0 * (a8 * b8);
    float cos7 = a4 * a3 - b4 * b3, sin11 = a8 * b3 + b8 * a3, cos19 = a16 * a3 - b16 * b3;
    float fifth = uintBitsToFloat(0x3e4ccccdu), less = uintBitsToFloat(0x3e19999au);
    return lut_inside(0.5 + contrast * ((fifth * cos7 + less * sin11) + less * cos19), 1.0);
}
