// user: a user's kernel; the twin of UserStage. The composer puts the kernel's function in
// the place of user_kernel (SPIRV/ModuleLinker.swift). It calls the functions kernel_* and those of
// shared/user_functions.glsl. The kernel's parameters are words after these.
#pragma words HEADROOM CONTENT_HEADROOM RADIUS CHANNELS WIDTH HEIGHT INPUT_WIDTH INPUT_HEIGHT SECOND_WIDTH SECOND_HEIGHT

// The first word of the kernel that runs.
uint user_words;

float kernel_float(const uint word) {
    uint k = user_words;
    return constant_float(WORDS_END + exact_uint_min(word, 47u));
}
uint kernel_word(const uint word) {
    uint k = user_words;
    return constant(WORDS_END + exact_uint_min(word, 47u));
}
float kernel_headroom() {
    uint k = user_words;
    return constant_float(HEADROOM);
}
float kernel_content_headroom() {
    uint k = user_words;
    return constant_float(CONTENT_HEADROOM);
}
ivec2 kernel_position() { return ivec2(here); }
ivec2 kernel_size() {
    uint k = user_words;
    return ivec2(int(constant(WIDTH)), int(constant(HEIGHT)));
}

// Reads a source's pixel at most RADIUS away; beyond the border the border's pixels repeat.
vec4 kernel_pixel(const uint source, const int x, const int y) {
    uint k = user_words;
    uint size = 2u * source;
    int reach = int(constant(RADIUS));
    int column = int(here.x) + exact_int_clamp(x, -reach, reach), row = int(here.y) + exact_int_clamp(y, -reach, reach);
    return source_pixel(
        source, source == 0u ? constant(CHANNELS) : 4u, exact_int_clamp(column, 0, int(constant(WIDTH + size)) - 1),
        exact_int_clamp(row, 0, int(constant(HEIGHT + size)) - 1));
}

vec4 user_kernel(const vec4 p) { return p; }

vec4 user(vec4 p, uint k) {
    user_words = k;
    vec4 q = user_kernel(p);
    return vec4(e32_sanitize(q.x), e32_sanitize(q.y), e32_sanitize(q.z), limit_alpha(e32_sanitize(q.w)));
}
