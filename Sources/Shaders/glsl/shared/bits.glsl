// Bits that runs of codes are written as, an invocation a run, without shared memory, barriers and atomics. Where two runs share
// a word, both leave their parts, the seams, and a later dispatch joins them.

// Returns the number of bits of a value's magnitude, at most 24.
uint bits_of(int value) {
    uint bits = floatBitsToUint(float(value < 0 ? -value : value));
    return bits == 0u ? 0u : (bits >> 23) - 126u;
}

// Returns the number of an invocation in a grid of rows; the frame's first word is their length.
uint grid_number(uvec2 grid) { return grid.x < frame(0u) ? grid.y * frame(0u) + grid.x : 0xffffffffu; }

uint bits_reversed(uint word) {
    word = word >> 1 & 0x55555555u | (word & 0x55555555u) << 1;
    word = word >> 2 & 0x33333333u | (word & 0x33333333u) << 2;
    word = word >> 4 & 0x0f0f0f0fu | (word & 0x0f0f0f0fu) << 4;
    word = word >> 8 & 0x00ff00ffu | (word & 0x00ff00ffu) << 8;
    return word >> 16 | word << 16;
}

// True if a word's first bit is its lowest, not its highest. Seams have it the highest in both cases.
bool bits_lowest_first;
// The bits of the run that are not written yet, from the highest, and their number; the next word; the run's first word.
uint bits_held, bits_held_count, bits_word, bits_first_word;
// The place of the run's two seams, of the stream, and whether the first word is a seam.
uint bits_seam, bits_stream;
bool bits_start_inside;

// Begins a run at a bit of the stream.
// - stream, seam: places in the output of the stream's first word and of the run's two seams.
void bits_begin(uint start, uint stream, uint seam) {
    bits_held = 0u;
    bits_held_count = start & 31u;
    bits_word = start >> 5;
    bits_first_word = bits_word;
    bits_stream = stream;
    bits_seam = seam;
    bits_start_inside = bits_held_count != 0u;
}

void bits_put_word() {
    if (bits_word == bits_first_word && bits_start_inside) {
        output_words.data[bits_seam] = bits_held;
    } else {
        output_words.data[bits_stream + bits_word] = bits_lowest_first ? bits_reversed(bits_held) : bits_held;
    }
    bits_word += 1u;
}

// Appends 1 to 27 bits; `bits` has no others.
void bits_put(uint bits, uint count) {
    uint room = 32u - bits_held_count;
    if (count < room) {
        bits_held |= bits << (room - count);
        bits_held_count += count;
        return;
    }
    uint rest = count - room;
    bits_held |= bits >> rest;
    bits_put_word();
    bits_held = rest == 0u ? 0u : bits << (32u - rest);
    bits_held_count = rest;
}

// Leaves the part of a word that the next run goes on with. A run that ends in its first word has left nothing before: it
// is the last one.
void bits_end() {
    bool is_short = bits_word == bits_first_word && bits_start_inside;
    if (is_short) output_words.data[bits_seam] = bits_held;
    output_words.data[bits_seam + 1u] = is_short ? 0u : bits_held;
}

// Writes the word in which a run begins, if it begins inside.
// - start: the bit; word: the place in the output of the stream's first word.
// - before, own: the last seam of the run before, and the run's first.
void bits_join(uint start, uint stream, uint before, uint own) {
    uint word = before | own;
    if ((start & 31u) != 0u) output_words.data[stream + (start >> 5)] = bits_lowest_first ? bits_reversed(word) : word;
}

// Writes the word in which the last run ends, unless it ends at a word or in the word in which it begins, which is joined.
void bits_close(uint start, uint end, uint stream, uint seam) {
    bool is_short = end >> 5 == start >> 5 && (start & 31u) != 0u;
    if ((end & 31u) != 0u && !is_short) {
        output_words.data[stream + (end >> 5)] = bits_lowest_first ? bits_reversed(seam) : seam;
    }
}
