// Twin of LUT3DStage.cell: largest integer not above q, at most last_cell; 0 <= q < 2^22.
float lut_cell(float q, float last_cell) {
    float nearest = (q + 12582912.0) - 12582912.0;
    float below = nearest > q ? nearest - 1.0 : nearest;
    return below < last_cell ? below : last_cell;
}

// Converts an integral float below 2^22 to an index.
uint lut_node(float x) { return floatBitsToUint(x + 8388608.0) & 0x7fffffu; }

float lut_inside(float u, float last) {
    float low = u > 0.0 ? u : 0.0;
    return low < last ? low : last;
}

// Returns the distance outside the cube, limited to `limit` either way.
float lut_distance(float u, float q, float limit) {
    float d = u - q;
    float at_least = d > -limit ? d : -limit;
    return at_least < limit ? at_least : limit;
}

// Returns a node: four words, the last unused.
vec3 lut_vertex(uint first, uint index) {
    return uintBitsToFloat(table_entry(first + 4u * index).xyz);
}
