// deflate_counts, deflate_order, deflate_trees: the Huffman codes of each chunk. The twin of DeflateCodes.

// deflate_counts: one symbol of a chunk an invocation. Source 0: the output of deflate_tokens. Output: DEFLATE_SYMBOLS words a chunk.
void deflate_counts(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / DEFLATE_SYMBOLS, symbol = number % DEFLATE_SYMBOLS;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint count = 0u, segments = deflate_segments(chunk);
    for (uint segment = 0u; segment < segments; segment += 1u) count += source_word(0u, deflate_info(chunk, segment) + symbol);
    // So each tree has two codes.
    bool is_forced = symbol == 0u || symbol == DEFLATE_END || symbol == DEFLATE_LITERALS || symbol == DEFLATE_LITERALS + 1u;
    output_words.data[number] = is_forced && count == 0u ? 1u : count;
}

// deflate_order: one symbol of a chunk an invocation: its place among those of its tree, the rarest first. Source 0: the output of
// deflate_counts. Output: the symbols of each chunk in that order, literals and lengths before distances.
void deflate_order(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number / DEFLATE_SYMBOLS, symbol = number % DEFLATE_SYMBOLS;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint first = symbol < DEFLATE_LITERALS ? 0u : DEFLATE_LITERALS, end = symbol < DEFLATE_LITERALS ? DEFLATE_LITERALS : DEFLATE_SYMBOLS;
    uint count = source_word(0u, number), place = first;
    for (uint other = first; other < end; other += 1u) {
        uint others = source_word(0u, chunk * DEFLATE_SYMBOLS + other);
        if (others < count || others == count && other < symbol) place += 1u;
    }
    output_words.data[chunk * DEFLATE_SYMBOLS + place] = symbol;
}

// deflate_trees: a tree of a chunk an invocation. Source 0: the output of deflate_counts; source 1: that of deflate_order. Output: a word a
// symbol, its code below its length.
void deflate_trees(uvec2 grid, uint k) {
    uint number = grid_number(grid), chunk = number >> 1, words = chunk * DEFLATE_SYMBOLS;
    if (chunk >= frame(DEFLATE_CHUNKS)) return;
    uint first = (number & 1u) == 0u ? 0u : DEFLATE_LITERALS, all = (number & 1u) == 0u ? DEFLATE_LITERALS : DEFLATE_SYMBOLS - DEFLATE_LITERALS;
    uint unused = 0u;
    for (uint place = 0u; place < all; place += 1u) {
        if (source_word(0u, words + source_word(1u, words + first + place)) == 0u) unused += 1u;
    }
    uint n = all - unused;
    // The counts of symbols, the rarest first, of which the tree's nodes and then lengths take the places (Moffat and Katajainen, In-place
    // calculation of minimum-redundancy codes, 1995). Halved and rounded up, counts stay in order; all counts 1 give no code of 10 bits.
    uint nodes[DEFLATE_LITERALS];
    for (uint shift = 0u; shift < 32u; shift += 1u) {
        for (uint place = 0u; place < n; place += 1u) {
            uint count = source_word(0u, words + source_word(1u, words + first + unused + place));
            nodes[place] = (count - 1u >> shift) + 1u;
        }
        uint root = 0u, leaf = 0u;
        for (uint node = 0u; node + 1u < n; node += 1u) {
            uint sum = 0u;
            for (uint part = 0u; part < 2u; part += 1u) {
                bool takes_tree = leaf >= n;
                if (!takes_tree && root < node) takes_tree = nodes[root] < nodes[leaf];
                if (takes_tree) {
                    sum += nodes[root];
                    nodes[root] = node;
                    root += 1u;
                } else {
                    sum += nodes[leaf];
                    leaf += 1u;
                }
            }
            nodes[node] = sum;
        }
        // The depths of inner nodes, then of leaves.
        nodes[n - 2u] = 0u;
        for (uint node = n - 2u; node > 0u; node -= 1u) nodes[node - 1u] = nodes[nodes[node - 1u]] + 1u;
        uint open = 1u, inner_left = n - 1u, left = n;
        for (uint depth = 0u; depth < n && open > 0u; depth += 1u) {
            uint inner = 0u;
            for (; inner < open && inner_left > 0u; inner += 1u) {
                if (nodes[inner_left - 1u] != depth) break;
                inner_left -= 1u;
            }
            for (uint each = inner; each < open && left > 0u; each += 1u) {
                left -= 1u;
                nodes[left] = depth;
            }
            open = 2u * inner;
        }
        if (nodes[0u] <= 15u) break;
    }
    // Codes of a length follow each other in the order of symbols (RFC 1951, 3.2.2).
    uint lengths[DEFLATE_LITERALS], next[17];
    for (uint length = 0u; length < 17u; length += 1u) next[length] = 0u;
    for (uint symbol = 0u; symbol < all; symbol += 1u) lengths[symbol] = 0u;
    for (uint place = 0u; place < n; place += 1u) {
        uint length = nodes[place] & 15u;
        lengths[source_word(1u, words + first + unused + place) - first] = length;
        next[length + 1u] += 1u;
    }
    // Until it is a code, an element is the number of codes that are a bit shorter.
    uint code = 0u;
    for (uint length = 1u; length < 16u; length += 1u) {
        code = code + next[length] << 1;
        next[length] = code;
    }
    for (uint symbol = 0u; symbol < all; symbol += 1u) {
        uint length = lengths[symbol];
        output_words.data[words + first + symbol] = length == 0u ? 0u : next[length] | length << 16;
        if (length > 0u) next[length] += 1u;
    }
}
