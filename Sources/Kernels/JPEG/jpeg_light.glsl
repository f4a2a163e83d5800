// jpeg_light: the largest code of R, G and B, and the number of pixels with the code 255, of one pixel in PARTS. The record
// needs both of a picture whose pixels stay on the device. The twin of RenderedLight.codes (HDRRender).
//
// Source 0: R G B x of 8 bits. Output: two words an invocation.
#pragma values LIGHT COLUMNS PARTS PIXELS

void jpeg_light(uvec2 grid, uint k) {
    uint part = grid.y * frame(LIGHT_COLUMNS) + grid.x;
    if (grid.x >= frame(LIGHT_COLUMNS) || part >= frame(LIGHT_PARTS)) return;
    uint largest = 0u, full = 0u;
    for (uint pixel = part; pixel < frame(LIGHT_PIXELS); pixel += frame(LIGHT_PARTS)) {
        uint p = source_word(0u, pixel), r = p & 0xffu, g = p >> 8 & 0xffu, b = p >> 16 & 0xffu;
        uint most = r > g ? r : g;
        most = most > b ? most : b;
        largest = largest > most ? largest : most;
        full += most == 255u ? 1u : 0u;
    }
    output_words.data[2u * part] = largest;
    output_words.data[2u * part + 1u] = full;
}
