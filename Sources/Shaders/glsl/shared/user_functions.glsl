// Functions that replace GLSL's in users' kernels, as devices may round those freely (docs/kernels.md#functions). Each
// accepts every number: arguments outside a function's domain move to its edge, and nothing is divided by zero.
// Parameters are const, so that they are passed as values.

float exact_abs(const float x) { return uintBitsToFloat(floatBitsToUint(x) & 0x7fffffffu); }
float exact_sign(const float x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }
float exact_min(const float x, const float y) { return y < x ? y : x; }
float exact_max(const float x, const float y) { return x < y ? y : x; }
float exact_clamp(const float x, const float low, const float high) { return exact_min(exact_max(x, low), high); }

// Converts to integers: towards 0, from the nearest number in range.
int exact_int(const float x) {
    float low = x > -2147483520.0 ? x : -2147483520.0;
    float c = low < 2147483520.0 ? low : 2147483520.0;
    return int(c);
}
uint exact_uint(const float x) {
    float low = x > 0.0 ? x : 0.0;
    return uint(low < 4294967040.0 ? low : 4294967040.0);
}

// Numbers from 2^23 on are whole.
float exact_trunc(const float x) {
    bool is_whole = exact_abs(x) >= 8388608.0;
    float small = float(exact_int(is_whole ? 0.0 : x));
    return is_whole ? x : small;
}
float exact_floor(const float x) {
    float t = exact_trunc(x);
    return t > x ? t - 1.0 : t;
}
float exact_ceil(const float x) {
    float t = exact_trunc(x);
    return t < x ? t + 1.0 : t;
}
// Rounds halves to the even neighbour.
float exact_round(const float x) {
    bool is_small = exact_abs(x) < 4194304.0;
    float nearest = ((is_small ? x : 0.0) + 12582912.0) - 12582912.0;
    return is_small ? nearest : exact_floor(x + 0.5);
}
float exact_fract(const float x) { return x - exact_floor(x); }

// Limits divisors to 2^-80...2^80.
float exact_divisor(const float y) {
    float a = exact_abs(y);
    float low = a > uintBitsToFloat(0x17800000u) ? a : uintBitsToFloat(0x17800000u);
    float c = low < uintBitsToFloat(0x67800000u) ? low : uintBitsToFloat(0x67800000u);
    return y < 0.0 ? -c : c;
}
float exact_div(const float x, const float y) {
    float d = exact_divisor(y);
    float r = e32_reciprocal(d);
    float q = x * r;
    return q + (x - q * d) * r;
}
float exact_mod(const float x, const float y) { return x - y * exact_floor(exact_div(x, y)); }

// 1/sqrt(x) for x limited to 2^-100...2^100.
float exact_root_reciprocal(const float x) {
    float r = uintBitsToFloat(0x5f375a86u - (floatBitsToUint(x) >> 1));
    float h = 0.5 * x;
    r = r * (1.5 - (h * r) * r);
    r = r * (1.5 - (h * r) * r);
    return r * (1.5 - (h * r) * r);
}
float exact_sqrt(const float x) {
    bool is_some = x > uintBitsToFloat(0x0d800000u);
    float low = is_some ? x : 1.0;
    float c = low < uintBitsToFloat(0x71800000u) ? low : uintBitsToFloat(0x71800000u);
    float r = exact_root_reciprocal(c);
    float s = c * r;
    return is_some ? s + (c - s * s) * (0.5 * r) : 0.0;
}
float exact_inversesqrt(const float x) {
    float low = x > uintBitsToFloat(0x0d800000u) ? x : uintBitsToFloat(0x0d800000u);
    return exact_root_reciprocal(low < uintBitsToFloat(0x71800000u) ? low : uintBitsToFloat(0x71800000u));
}

float exact_exp2(const float x) { return e32_exp2(x > -125.0 ? x : -125.0); }
// Smaller arguments count as 2^-125.
float exact_log2(const float x) {
    float low = x > uintBitsToFloat(0x01000000u) ? x : uintBitsToFloat(0x01000000u);
    return e32_log2(low < uintBitsToFloat(0x7e800000u) ? low : uintBitsToFloat(0x7e800000u));
}
// Subtracts the exponent's whole part before the product is rounded.
float exact_exp(const float x) {
    float low = x > -86.0 ? x : -86.0;
    float c = low < 88.0 ? low : 88.0;
    float n = (c * 1.44269504 + 12582912.0) - 12582912.0;
    float f = (c - n * 0.693359375) + n * 2.12194440e-4;
    return e32_exp2(n) * e32_exp2(f * 1.44269504);
}
float exact_log(const float x) { return exact_log2(x) * 0.693147181; }
float exact_pow(const float x, const float y) {
    float power = exact_exp2(y * exact_log2(x));
    return x > uintBitsToFloat(0x01000000u) ? power : (y > 0.0 ? 0.0 : power);
}

// Quarter turns and the rest, by pi/2 in three parts; arguments beyond 2^16 count as 0.
vec2 exact_turn(const float x) {
    float c = exact_abs(x) <= 65536.0 ? x : 0.0;
    float n = (c * 0.636619772 + 12582912.0) - 12582912.0;
    return vec2(n, ((c - n * 1.5703125) - n * 4.83751297e-4) - n * 7.54978995e-8);
}
float exact_wave(const vec2 turn, const int quarter) {
    float z = turn.y * turn.y;
    float s = turn.y + turn.y * z * (-0.166666546 + z * (8.33216087e-3 + z * -1.95152959e-4));
    float c = (1.0 - 0.5 * z) + z * z * (4.16666457e-2 + z * (-1.38873163e-3 + z * 2.44331571e-5));
    int n = int(turn.x) + quarter;
    float part = (n & 1) == 0 ? s : c;
    return (n & 2) == 0 ? part : -part;
}
float exact_sin(const float x) { return exact_wave(exact_turn(x), 0); }
float exact_cos(const float x) { return exact_wave(exact_turn(x), 1); }
float exact_tan(const float x) {
    vec2 turn = exact_turn(x);
    return exact_div(exact_wave(turn, 0), exact_wave(turn, 1));
}
float exact_atan(const float x) {
    float a = exact_abs(x);
    bool is_steep = a > 2.41421366, is_middle = a > 0.414213568;
    // From 2^40 on the angle is the same, and squares of smaller quotients would be subnormal.
    float far = a < 1099511627776.0 ? a : 1099511627776.0;
    float t = is_steep ? exact_div(-1.0, far) : (is_middle ? exact_div(a - 1.0, a + 1.0) : a);
    float z = t * t;
    float p = ((8.05374450e-2 * z - 0.138776854) * z + 0.199777111) * z - 0.333329499;
    float angle = (is_steep ? 1.57079637 : (is_middle ? 0.785398185 : 0.0)) + (p * z * t + t);
    return x < 0.0 ? -angle : angle;
}
float exact_atan2(const float y, const float x) {
    float angle = exact_atan(exact_div(y, x));
    if (x > 0.0) return angle;
    if (x < 0.0) return y < 0.0 ? angle - 3.14159274 : angle + 3.14159274;
    return y > 0.0 ? 1.57079637 : (y < 0.0 ? -1.57079637 : 0.0);
}
float exact_tanh(const float x) {
    float a = exact_abs(x), z = x * x;
    float p = (((-5.70498873e-3 * z + 2.06390888e-2) * z - 5.37397156e-2) * z + 0.133314423) * z - 0.333332819;
    float large = 1.0 - exact_div(2.0, exact_exp(2.0 * exact_min(a, 16.0)) + 1.0);
    return a < 0.625 ? p * z * x + x : (x < 0.0 ? -large : large);
}

float exact_radians(const float x) { return x * 0.0174532925; }
float exact_degrees(const float x) { return x * 57.2957795; }
float exact_fma(const float x, const float y, const float z) { return x * y + z; }
float exact_mix(const float x, const float y, const float a) { return x * (1.0 - a) + y * a; }
float exact_step(const float edge, const float x) { return x < edge ? 0.0 : 1.0; }
float exact_smoothstep(const float low, const float high, const float x) {
    float t = exact_clamp(exact_div(x - low, high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float exact_dot2(const vec2 x, const vec2 y) { return x.x * y.x + x.y * y.y; }
float exact_dot3(const vec3 x, const vec3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
float exact_dot4(const vec4 x, const vec4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
float exact_length2(const vec2 x) { return exact_sqrt(exact_dot2(x, x)); }
float exact_length3(const vec3 x) { return exact_sqrt(exact_dot3(x, x)); }
float exact_length4(const vec4 x) { return exact_sqrt(exact_dot4(x, x)); }
float exact_distance1(const float x, const float y) { return exact_abs(x - y); }
float exact_distance2(const vec2 x, const vec2 y) { return exact_length2(x - y); }
float exact_distance3(const vec3 x, const vec3 y) { return exact_length3(x - y); }
float exact_distance4(const vec4 x, const vec4 y) { return exact_length4(x - y); }
vec2 exact_normalize2(const vec2 x) { return x * exact_inversesqrt(exact_dot2(x, x)); }
vec3 exact_normalize3(const vec3 x) { return x * exact_inversesqrt(exact_dot3(x, x)); }
vec4 exact_normalize4(const vec4 x) { return x * exact_inversesqrt(exact_dot4(x, x)); }
float exact_reflect1(const float x, const float n) { return x - n * (2.0 * (n * x)); }
vec2 exact_reflect2(const vec2 x, const vec2 n) { return x - n * (2.0 * exact_dot2(n, x)); }
vec3 exact_reflect3(const vec3 x, const vec3 n) { return x - n * (2.0 * exact_dot3(n, x)); }
vec4 exact_reflect4(const vec4 x, const vec4 n) { return x - n * (2.0 * exact_dot4(n, x)); }
vec3 exact_cross(const vec3 x, const vec3 y) {
    return vec3(x.y * y.z - y.y * x.z, x.z * y.x - y.z * x.x, x.x * y.y - y.x * x.y);
}

// Integers: a quotient by 0 is 0, the remainder has the dividend's sign.
int exact_int_div(const int x, const int y) {
    if (y == -1) return 0 - x;
    return y == 0 ? 0 : x / (y == 0 ? 1 : y);
}
int exact_int_mod(const int x, const int y) { return x - y * exact_int_div(x, y); }
uint exact_uint_div(const uint x, const uint y) { return y == 0u ? 0u : x / (y == 0u ? 1u : y); }
uint exact_uint_mod(const uint x, const uint y) { return x - y * exact_uint_div(x, y); }
int exact_int_abs(const int x) { return x < 0 ? 0 - x : x; }
int exact_int_sign(const int x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }
int exact_int_min(const int x, const int y) { return y < x ? y : x; }
int exact_int_max(const int x, const int y) { return x < y ? y : x; }
int exact_int_clamp(const int x, const int low, const int high) { return exact_int_min(exact_int_max(x, low), high); }
uint exact_uint_min(const uint x, const uint y) { return y < x ? y : x; }
uint exact_uint_max(const uint x, const uint y) { return x < y ? y : x; }
uint exact_uint_clamp(const uint x, const uint low, const uint high) {
    return exact_uint_min(exact_uint_max(x, low), high);
}
// Limits an index of an array or a vector whose last index is `last`.
int exact_int_index(const int x, const int last) { return exact_int_clamp(x, 0, last); }
uint exact_uint_index(const uint x, const uint last) { return exact_uint_min(x, last); }
