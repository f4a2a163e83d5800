// Bindings and accessors that every stage and sink may use. Word numbers are those of FrameLayout in Plan.swift.
// Frame and constants are read at the same place by all invocations: uniform buffers, sizes as in SharedLayout
// (GPURender/SharedLayout.swift). lavapipe renders 2 to 4 times as fast as with storage buffers.
layout(set = 0, binding = 0, std140) uniform FrameWords { uvec4 data[40]; } frame_words;
layout(set = 0, binding = 1, std140) uniform ConstantWords { uvec4 data[1024]; } constant_words;
layout(set = 0, binding = 2) readonly buffer TableWords { uint data[]; } table_words;
// The same memory once more, for entries of four words: one load of 128 bits instead of three of 32.
layout(set = 0, binding = 2) readonly buffer TableEntries { uvec4 data[]; } table_entries;
layout(set = 0, binding = 3) readonly buffer SourceWords0 { uint data[]; } source_words_0;
layout(set = 0, binding = 4) readonly buffer SourceWords1 { uint data[]; } source_words_1;
layout(set = 0, binding = 5) readonly buffer SourceWords2 { uint data[]; } source_words_2;
layout(set = 0, binding = 6) readonly buffer SourceWords3 { uint data[]; } source_words_3;
layout(set = 0, binding = 7) writeonly buffer OutputWords { uint data[]; } output_words;
layout(set = 0, binding = 8, rgba16ui) writeonly uniform uimage2D output_image;
// Half-float pictures of earlier passes, in the order of their sources.
layout(set = 0, binding = 9, rgba16ui) readonly uniform uimage2D source_image_0;
layout(set = 0, binding = 10, rgba16ui) readonly uniform uimage2D source_image_1;
layout(set = 0, binding = 11, rgba16ui) readonly uniform uimage2D source_image_2;

// The pixel being worked on: `here` in the output, `at` in the stored picture (source 0). Set by begin_pixel.
uvec2 here;
ivec2 at;

uint frame(uint word) { return frame_words.data[word >> 2][word & 3u]; }
int frame_int(uint word) { return int(frame_words.data[word >> 2][word & 3u]); }
uint constant(uint word) { return constant_words.data[word >> 2][word & 3u]; }
float constant_float(uint word) { return uintBitsToFloat(constant_words.data[word >> 2][word & 3u]); }
float table_float(uint word) { return uintBitsToFloat(table_words.data[word]); }
uint table(uint word) { return table_words.data[word]; }
// Returns four words; the first one's number is a multiple of 4, as those of tables are (PlanDataBuilder.table).
uvec4 table_entry(uint word) { return table_entries.data[word >> 2]; }

uint source_word(uint source, uint word) {
    if (source == 0u) return source_words_0.data[word];
    if (source == 1u) return source_words_1.data[word];
    if (source == 2u) return source_words_2.data[word];
    return source_words_3.data[word];
}

// FrameLayout
const uint FRAME_FIRST_ROW = 0u, FRAME_ROW_COUNT = 1u, FRAME_WIDTH = 2u, FRAME_HEIGHT = 3u;
const uint FRAME_MAPPING = 4u, FRAME_SOURCES = 16u, FRAME_SOURCE_WORDS = 32u, FRAME_CHANNEL_WORDS = 8u;
const uint FRAME_OUTPUT = 144u, FRAME_PLANE_WORDS = 2u;
const uint CHANNEL_OFFSET = 0u, CHANNEL_ROW_BYTES = 1u, CHANNEL_STEP_BYTES = 2u;
const uint CHANNEL_WIDTH = 3u, CHANNEL_HEIGHT = 4u, CHANNEL_FIRST_ROW = 5u;

// Returns the first frame word of a channel of a source.
uint channel_words(uint source, uint channel) {
    return FRAME_SOURCES + source * FRAME_SOURCE_WORDS + channel * FRAME_CHANNEL_WORDS;
}

// Returns the byte address of sample (x, y) of a channel in its bound buffer; y is the row in the whole picture.
uint sample_address(uint channel, int x, int y) {
    return frame(channel + CHANNEL_OFFSET) + uint(y - frame_int(channel + CHANNEL_FIRST_ROW)) * frame(channel + CHANNEL_ROW_BYTES)
        + uint(x) * frame(channel + CHANNEL_STEP_BYTES);
}

// Reads an 8-bit (bytes == 1) or 16-bit sample.
uint sample_bits(uint source, uint channel, int x, int y, uint bytes) {
    uint address = sample_address(channel, x, y);
    uint word = source_word(source, address >> 2) >> ((address & 3u) << 3);
    return bytes == 1u ? word & 0xffu : word & 0xffffu;
}


// Defined in sources.glsl.
float plane_sample(uint source, uint index, int x, int y);
vec4 source_pixel(uint source, uint channels, int x, int y);

// Sets `here` and `at` for an output pixel.
void begin_pixel(uvec2 xy) {
    here = xy;
    int x = int(xy.x), y = int(xy.y);
    at = ivec2(frame_int(FRAME_MAPPING) + x * frame_int(FRAME_MAPPING + 2u) + y * frame_int(FRAME_MAPPING + 4u),
               frame_int(FRAME_MAPPING + 1u) + x * frame_int(FRAME_MAPPING + 3u) + y * frame_int(FRAME_MAPPING + 5u));
}

// Runs the pass's stages on one output pixel; the kernel composer replaces the body.
vec4 program(uvec2 xy);
