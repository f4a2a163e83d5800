// Helpers of the sinks: twins of Kernels/Arithmetic/PlaneView.swift.

// Returns the word address of a byte offset in an output plane's row `y` (absolute output row).
uint output_byte(uint plane, uint y, uint byte) {
    uint words = FRAME_OUTPUT + plane * FRAME_PLANE_WORDS;
    return frame(words) + (y - frame(FRAME_FIRST_ROW)) * frame(words + 1u) + byte;
}

void put(uint byte, uint word) { output_words.data[byte >> 2] = word; }

float dither_noise(uint x, uint y, uint channel) {
    uint h = (x * 0x9e3779b1u) ^ (y * 0x85ebca77u) ^ (channel * 0xc2b2ae3du);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    h = h ^ (h >> 16);
    return float(int(h >> 8)) * uintBitsToFloat(0x33800000u) - 0.5;
}

uint dither_quantize(float x, float scale, float amplitude, uint channel) {
    if (amplitude == 0.0) return e32_quantize(x, scale);
    float low = x > 0.0 ? x : 0.0;
    float c = low < 1.0 ? low : 1.0;
    float v = c * scale + amplitude * dither_noise(here.x, here.y, channel);
    float a = v > 0.0 ? v : 0.0;
    float b = a < scale ? a : scale;
    return floatBitsToUint(b + 8388608.0) & 0x7fffffu;
}

// Rounds a value in code units to the nearest code.
uint code_of(float x, float largest) {
    float low = x > 0.0 ? x : 0.0;
    float c = low < largest ? low : largest;
    return floatBitsToUint(c + 8388608.0) & 0x7fffffu;
}
