import Testing

/// A fault in the text of a kernel.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// The stem of a GLSL file in Sources/Kernels or Sources/Shaders/glsl/shared.
  var file: String
  /// The first place where this stands...
  var text: String
  /// ...has this instead.
  var fault: String
  /// Stage or sink whose cases show it.
  var stage: String
  /// The reason why no picture can show it; `nil`: `verify` must find it.
  var whyEqual: String?

  init(_ file: String, _ text: String, _ fault: String, in stage: String? = nil, equal whyEqual: String? = nil) {
    (self.file, self.text, self.fault, self.whyEqual) = (file, text, fault, whyEqual)
    self.stage = stage ?? file
  }

  var testDescription: String { "\(file): \(text) -> \(fault)" }
}

extension Mutant {
  /// Every stage, every sink and every shared file has one at least: exchanged words and channels, comparisons at ties,
  /// sums in another order, edges, clamps, signs, coefficients.
  static let all = loads + pixels + places + cameras + blends + sinks + codecs + shared + equal

  private static let loads = [
    Mutant("load_samples", "x & ((1 << shift) - 1), 1 << shift", "x & 1, 1 << shift"),
    Mutant("load_samples", "(h.z - h.y) * s01 + h.y * s11", "(h.z - h.y) * s01 + h.y * s10"),
    Mutant("load_half", "low < 1.0 ? low : 1.0", "low"),
    Mutant("load_float", "a > 0.0 ? a : 0.0", "a"),
    Mutant("load_float_planes", "constant(CHANNELS)", "3u"),
    Mutant("load_area", "table_float(x + 2u + i)", "table_float(x + 1u + table(x + 1u) - i)"),
    Mutant(
      "ycc_to_rgb", "(y + constant_float(GREEN_CB) * p.y) + constant_float(GREEN_CR) * p.z",
      "y + (constant_float(GREEN_CB) * p.y + constant_float(GREEN_CR) * p.z)"),
    Mutant("dolby_reshape", "table_float(next) <= code", "table_float(next) < code"),
    Mutant("dolby_reshape", "dolby_term(yu, factors + 3u)", "dolby_term(yu, factors + 4u)"),
    Mutant("dolby_reshape", "sum = sum + dolby_term(own[channel]", "sum = dolby_term(own[channel]"),
    Mutant("dolby_reshape", "low < largest ? low : largest", "low"),
    Mutant("ycc_to_ryb", "p.y > 0.0 ? constant_float(BLUE_ABOVE)", "p.z > 0.0 ? constant_float(BLUE_ABOVE)"),
    Mutant("ycgco_lifting", "nearest > halved ? nearest - 1.0 : nearest", "nearest"),
  ]

  private static let pixels = [
    Mutant("add_positive", "sum > 0.0 ? sum : 0.0", "sum"),
    Mutant("affine", "p.z * constant_float(SCALE_B)", "p.z * constant_float(SCALE_G)"),
    Mutant(
      "matrix3", "(constant_float(M6) * p.x + constant_float(M7) * p.y) + constant_float(M8) * p.z",
      "constant_float(M6) * p.x + (constant_float(M7) * p.y + constant_float(M8) * p.z)"),
    Mutant("matrix4", "low < 1.0 ? low : 1.0", "low"),
    Mutant("curve", "VALUE0_R + channel", "VALUE0_R"),
    Mutant("signed_curve", "m < 0x30800000u ? 0u : m", "m"),
    Mutant("knots", "HIGH_R + channel", "HIGH_R"),
    Mutant("knots", "x - table_float(first + piece)", "x"),
    Mutant("scale_by_max", "m > 0.0 ? m : 0.0", "m"),
    Mutant("scale_by_luminance", "floatBitsToUint(y) & 0x7fffffffu", "floatBitsToUint(y)"),
    Mutant("scale_by_first", "p.z * b", "p.z * a"),
    Mutant("mixed_gains", "constant_float(CURVE_LEAST(k)) * low", "constant_float(CURVE_LEAST(k)) * high"),
    Mutant("pbr_neutral", "(pn * e32_reciprocal(over)) * share", "pn * (e32_reciprocal(over) * share)"),
    Mutant("aces_output", "x > end ? x : bent", "bent"),
    Mutant("aces_inverse", "(x * x + k1 * x) * (end + k2)", "x * ((x + k1) * (end + k2))"),
    Mutant("aces_inverse", "cusp.w > own ? aces_room(first, near.x) : own", "own"),
    Mutant("aces_inverse", "ACES_J_END) - outside.x", "ACES_J_MAX) - outside.x"),
    Mutant("aces1_head", "light > constant_float(FULL_END) ? fading : amount", "fading"),
    Mutant("aces1_head", "u < 0.0 ? 1.0 - rise : 1.0 + rise", "1.0 + rise"),
    Mutant("aces1_head", "most > dark ? most : dark", "most"),
    Mutant("aces1_head", "light > whole * constant_float(FULL_END) ? fading : full", "fading"),
    Mutant("aces1_head", "halved * halved + 4.0 * (rest", "halved * halved + 2.0 * (rest"),
    Mutant("aces1_head", "(high - low) * e32_reciprocal(distance", "(high - red) * e32_reciprocal(distance"),
    Mutant("hsv", "4.0 + (p.x - p.y) * inverse", "4.0 + (p.y - p.x) * inverse"),
    Mutant("hsv", "near > inside ? near - 1.0 : near", "near"),
    Mutant("hsv", "-below > most ? -below : most", "most"),
    Mutant("chromaticity", "z_weight * p.z", "p.z"),
    Mutant("chromaticity", "2.25 * (u * share)", "(2.25 * u) * share"),
    Mutant("chromaticity", "(12.0 - 3.0 * u) - 20.0 * v", "12.0 - (3.0 * u + 20.0 * v)"),
    Mutant("aces1_head_inverse", "is_clear ? ratio : slope", "1.0"),
    Mutant("aces1_head_inverse", "(1.0 - 0.5 * amount) * divisor", "divisor"),
    Mutant("aces_gamut_compress", "n > 0.0 ? kept : v", "kept"),
    Mutant("aces_gamut_compress", "n < end ? moved : v", "moved"),
    Mutant("aces_gamut_compress", "(most - v) * per", "(v - most) * per"),
    Mutant("aces_gamut_compress", "is_inverse ? 1.0 - n : n", "n"),
    Mutant(
      "gain_map", "constant_float(BASE_OFFSET_B), constant_float(ALTERNATE_OFFSET_B)",
      "constant_float(BASE_OFFSET_B), constant_float(ALTERNATE_OFFSET_G)"),
    Mutant("gain_map", "left + u * (right - left)", "left * (1.0 - u) + right * u"),
    Mutant("gain_ratio", "q.z + constant_float(BASE_OFFSET_B)", "q.z + constant_float(BASE_OFFSET_G)"),
    Mutant("gain_ratio", "constant_float(ALTERNATE_OFFSET_B), b.z", "constant_float(ALTERNATE_OFFSET_G), b.z"),
    Mutant(
      "vector_length", "(p.x * p.x + p.y * p.y) + p.z * p.z", "p.x * p.x + (p.y * p.y + p.z * p.z)"),
    Mutant("clamp_range", "clamp_channel(p.z, low, high)", "p.z"),
    Mutant("clamp_each", "clamp_each_channel(p.z, LOW_B)", "clamp_each_channel(p.z, LOW_G)"),
    Mutant("clamp_alpha", "low < 1.0 ? low : 1.0", "low"),
    Mutant("lut1d", "BIAS_R + channel", "BIAS_R"),
    Mutant("lut3d", "dz > 0.0 ? z - 1.0 : z + 1.0", "z - 1.0"),
    Mutant("lut3d", "(hi - mid)", "(hi - lo)"),
    Mutant("lut3d_trilinear", "near * gz + far * fz", "near + (far - near) * fz"),
    Mutant(
      "color_polynomial", "constant_float(CUBIC_A3(k)) * x + constant_float(CUBIC_A2(k))",
      "constant_float(CUBIC_A2(k)) * x + constant_float(CUBIC_A3(k))"),
    Mutant("color_posterize", "nearest > q ? nearest - 1.0", "nearest >= q ? nearest - 1.0"),
    Mutant("color_threshold", "p.z < threshold", "p.z <= threshold"),
    Mutant("color_map", "left < end ? left + 1 : left", "left < end - 1 ? left + 1 : left"),
    Mutant("vibrance", "(t * t) * (3.0 - 2.0 * t)", "t * (t * (3.0 - 2.0 * t))"),
    Mutant("desaturate", "v < 0.0 ? y - v : v - y", "v - y"),
    Mutant("unpremultiply", "0x37000000u", "0x38000000u"),
    Mutant("unpremultiply", "p.w < 1.0 ? inverse : 1.0", "inverse"),
    Mutant("premultiply", "p.z * p.w", "p.z"),
    Mutant("rgb_to_ycc", "(r - y) * constant_float(CR_SCALE)", "(r - y) * constant_float(CB_SCALE)"),
    Mutant("log_luminance", "y > least ? y : least", "y"),
    Mutant("luminance_gain", "own > 0.0 ? own : 0.0", "own"),
    Mutant("multiply_add", "q + source_pixel(", "q - source_pixel("),
    Mutant("component", "p.z > rg ? p.z : rg", "rg"),
    Mutant("cross_polynomial", "(line + squares) + products", "line + (squares + products)"),
    Mutant("spot_color", "(r * r + g * g) + b * b", "r * r + (g * g + b * b)"),
    Mutant(
      "spot_light", "(dx * dx + dy * dy) + constant_float(SQUARE)", "dx * dx + (dy * dy + constant_float(SQUARE))"),
    Mutant("dither", "here.y, 2u", "here.y, 1u"),
    Mutant("user", "WIDTH + size", "HEIGHT + size"),
  ]

  /// Stages that know where a pixel is, or read around it.
  private static let places = [
    Mutant("convolve_x", "i < taps", "i + 1u < taps"),
    Mutant("convolve_y", "table_float(weights + i)", "table_float(weights + taps - 1u - i)"),
    Mutant("convolve_2d", "(columns >> 1)", "(rows >> 1)"),
    Mutant("disc", "disc_is_pair = y > 0", "disc_is_pair = y >= 0"),
    Mutant("median3", "at.y < bottom ? at.y + 1 : bottom", "at.y < right ? at.y + 1 : bottom"),
    Mutant("motion_blur", "at.y + int(table(entry))", "at.y - int(table(entry))"),
    Mutant("morphology", "q.z - least.z", "q.z - least.y"),
    Mutant("zoom_blur", "table_float(entry + 2u)", "table_float(entry + 1u)"),
    Mutant("sobel", "ag > ar ? g.y", "ag >= ar ? g.y"),
    Mutant("sobel", "less * (e - a) + more * (d - b)", "less * (e - a) - more * (d - b)"),
    Mutant("canny", "(gy > 0.0) ? 1 : -1", "(gy > 0.0) ? -1 : 1"),
    Mutant("joint_bilateral", "unlike > -20.0 ? unlike : -20.0", "unlike"),
    Mutant("page_curl", "quarter + to_top : quarter - to_top", "quarter - to_top : quarter + to_top"),
    Mutant("mosaic", "d < least", "d <= least"),
    Mutant("warp_projective", "transparent && second != j", "transparent && first != i"),
    Mutant("warp_bicubic", "(2.0 * t2 - 1.5 * t3) + 0.5 * t", "2.0 * t2 - (1.5 * t3 - 0.5 * t)"),
    Mutant("warp_place", "x = x + (2.0 * t) * n.d", "x = x + (2.0 * t) * n.c"),
    Mutant("warp_place", "kind == 0u ? w.y : (kind == 1u ? w.x : w.z)", "kind == 0u ? w.y : (kind == 1u ? w.z : w.x)"),
    Mutant("ripple", "(u * u) * (3.0 - 2.0 * u)", "u * (u * (3.0 - 2.0 * u))"),
    Mutant("extreme", "a > most", "a >= most"),
    Mutant("bin_index", "constant(ALPHA_EDGES)", "constant(EDGES)"),
    Mutant("clusters", "square < least ? float(i)", "square <= least ? float(i)"),
    Mutant("clusters", "float(sum & 0xfff)", "float(sum & 0x7ff)"),
    Mutant("red_bounds", "(width - p.x) - p.z", "(height - p.x) - p.z"),
    Mutant("histogram", "y < end.y", "y < end.y - 1"),
    Mutant("pattern", "(u * u) * (3.0 - 2.0 * u)", "u * (u * (3.0 - 2.0 * u))"),
    Mutant("vignette", "constant_float(TO_Y)", "constant_float(TO_X)"),
    Mutant("sweep", "(t * t) * (3.0 - 2.0 * t)", "t * (t * (3.0 - 2.0 * t))"),
    Mutant("holes", "(t * t) * (3.0 - 2.0 * t)", "t * (t * (3.0 - 2.0 * t))"),
    Mutant("flash", "p.w * (1.0 - w) + w", "p.w * (1.0 - w)"),
    Mutant("rounded_rectangle", "most < 0.0 ? most : 0.0", "most"),
    Mutant("mesh", "ey * wy) * table_float(line + 6u), 1.0", "ey * wy) * table_float(line + 6u), 0.5"),
    Mutant("star_shine", "stops - y * across) - x * along", "stops - x * along) - y * across"),
    Mutant("sunbeams", "(t * t) * (3.0 - 2.0 * t)", "t * (t * (3.0 - 2.0 * t))"),
    Mutant("halo", "(inside * inside) * gain", "inside * (inside * gain)"),
    Mutant("shaded_material", "y < bottom ? y + 1 : bottom", "y < right ? y + 1 : bottom"),
  ]

  private static let cameras = [
    Mutant("load_cfa", "value < 1.0 ? value : 1.0", "value"),
    Mutant("rcd_directions", "((a + f) - (c + d)) - 3.0 * (b + e)", "(a + f) - ((c + d) + 3.0 * (b + e))"),
    Mutant("rcd_green", "(1e-5 + here_light) + beyond", "1e-5 + (here_light + beyond)"),
    Mutant(
      "rcd_opposite", "(own + (1.0 - share) * falling) + share * rising",
      "own + ((1.0 - share) * falling + share * rising)"),
    Mutant(
      "rcd_colors", "rcd_color_along(size, !is_beside, own, -1, 0)",
      "rcd_color_along(size, is_beside, own, -1, 0)"),
    Mutant("place_table", "((constant(CHANNELS) >> c) & 1u)", "(constant(CHANNELS) & 1u)"),
    Mutant(
      "hue_sat_map", "lut_vertex(offset, 1u), lut_vertex(next, 1u)", "lut_vertex(next, 1u), lut_vertex(offset, 1u)"),
    Mutant("gain_table_map", "is_turned ? row : column", "is_turned ? column : row"),
    Mutant("rgb_tone", "bottom + (top - bottom) * share", "bottom * (1.0 - share) + top * share"),
    Mutant("mix_looks", "between > least ? between : least", "between"),
  ]

  private static let blends = [
    Mutant("constant_color", "constant_float(COLOR_B)", "constant_float(COLOR_G)"),
    Mutant("composite", "t * alpha + b * (1.0 - top_alpha)", "t * alpha + b * (1.0 - alpha)"),
    Mutant("mix_input", "y < int(constant(MASK_HEIGHT))", "y < int(constant(MASK_WIDTH))"),
    Mutant("blend_mode", "(b + t) - 2.0 * (b * t)", "b + (t - 2.0 * (b * t))"),
    Mutant("blend_mode", "t > 0.5 ? blend_screen", "t < 0.5 ? blend_screen"),
    Mutant("blend_blurred", "(p.x * wr + p.y * wg) + p.z * wb", "p.x * wr + (p.y * wg + p.z * wb)"),
  ]

  private static let sinks = [
    Mutant("store_rgba16f", "e32_half(p.w)", "e32_half(1.0)"),
    Mutant("store_rgba16", "amplitude, 2u", "amplitude, 1u"),
    Mutant("store_rgba8", "amplitude, 1u", "amplitude, 0u"),
    Mutant("store_planar_ycc", "cb_sum[1] + cb1", "cb_sum[1] + cb0"),
    Mutant("store_planar_ycc", "p[2].w * largest", "p[1].w * largest"),
    Mutant("store_float_planes", "constant(CHANNELS) >= 3u", "constant(CHANNELS) == 3u"),
  ]

  private static let codecs = [
    Mutant("jpeg_blocks", "(sum + bias + 1) >> 2", "(sum - bias + 2) >> 2", in: "JPEG"),
    Mutant("jpeg_blocks", "(sum + bias) >> 1", "sum >> 1", in: "JPEG"),
    Mutant("jpeg_blocks", "jpeg_least(row, frame(JPEG_SAMPLE_ROWS) - 1u)", "row", in: "JPEG"),
    Mutant("jpeg_blocks", "(e2 + e3) * 4433", "(e2 + e3) * 4434", in: "JPEG"),
    Mutant("jpeg_blocks", "if (is_dummy) c = 0;", "", in: "JPEG"),
    Mutant("jpeg_blocks", "jpeg_magnitude(value) + (divisor >> 1)", "jpeg_magnitude(value)", in: "JPEG"),
    Mutant("jpeg_blocks", "8421375", "8421376", in: "JPEG"),
    Mutant("jpeg_codes", "zeros >> 4; long_run > 0u", "zeros >> 4; long_run > 1u", in: "JPEG"),
    Mutant("jpeg", "all - luma + 1u", "all - luma", in: "JPEG"),
    Mutant("jpeg_codes", "value < 0 ? value - 1 : value", "value", in: "JPEG"),
    Mutant("jpeg_codes", "bits += source_word(3u, index)", "bits += source_word(3u, 0u)", in: "JPEG"),
    Mutant("bits", "uint word = before | own", "uint word = own", in: "JPEG"),
    Mutant("jpeg_codes", "source_word(0u, number)", "source_word(0u, number + 1u)", in: "JPEG"),
    Mutant("jpeg_counts", "counts[16u + 0xf0u] += zeros >> 4", "counts[16u + 0xf0u] += zeros >> 5", in: "JPEG"),
    Mutant("jpeg_counts", "if (zeros > 0u) counts[16u] += 1u;", "", in: "JPEG"),
    Mutant("jpeg_counts", "kind == chroma", "chroma == 0u", in: "JPEG"),
    Mutant("jpeg_counts", "part += groups", "part += parts", in: "JPEG"),
    Mutant("jpeg_symbols", "extra - 2 * least + 1", "extra - 2 * least", in: "JPEG scan"),
    Mutant("jpeg_symbols", "window >> 16 < source_word", "window >> 16 <= source_word", in: "JPEG scan"),
    Mutant("jpeg_symbols", "size == 0u && run != 15u ? 64u", "size == 0u ? 64u", in: "JPEG scan"),
    Mutant("jpeg_symbols", "(31u - shift)", "(30u - shift)", in: "JPEG scan"),
    Mutant("jpeg_states", "is_known = 1u", "is_known = 0u", in: "JPEG scan"),
    Mutant("jpeg_states", "if (is_same)", "if (frame(CHUNKS_ROUND) > 2u)", in: "JPEG scan"),
    Mutant("jpeg_states", "5u * before + 4u", "5u * before + 3u", in: "JPEG scan"),
    Mutant("jpeg_states", "jpeg_add_dc(jpeg_symbol_component, ", "jpeg_add_dc(0u, ", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "if (is_own && (place & 63u) == 0u)", "if ((place & 63u) == 0u)", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "jpeg_interval_end - bit >= 8u", "jpeg_interval_end - bit >= 16u", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "if (bit > jpeg_interval_end) return JPEG_SHORT;", "", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "jpeg_symbol_next > 64u", "jpeg_symbol_next > 80u", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "(at & 1u) << 4", "0u", in: "JPEG scan"),
    Mutant("jpeg_coefficients", "flags |= source_word", "flags = source_word", in: "JPEG scan"),
    Mutant("jpeg_idct", "value << 16 >> 16", "value", in: "JPEG scan"),
    Mutant("jpeg_idct", "32767 : 127", "65535 : 127", in: "JPEG scan"),
    Mutant("jpeg_idct", "below |= c", "below |= 1u", in: "JPEG scan"),
    Mutant("jpeg_idct", "r7 * -4927", "r7 * -4926", in: "JPEG scan"),
    Mutant("bits", "(bits >> 23) - 126u", "(bits >> 23) - 125u", in: "JPEG"),
    Mutant("bits", "bits << (32u - rest)", "bits << (31u - rest)", in: "deflate"),
    Mutant("bits", "word >> 2 & 0x33333333u", "word >> 2 & 0x33333331u", in: "deflate"),
    Mutant("bits", "(end & 31u) != 0u && !is_short", "false", in: "deflate"),
    Mutant("deflate", "deflate_split(length - 3u, 2u)", "deflate_split(length - 3u, 1u)", in: "deflate"),
    Mutant("deflate", "length == 258u", "length == 259u", in: "deflate"),
    Mutant("deflate", "frame(DEFLATE_ROWS) - first", "frame(DEFLATE_CHUNK_ROWS)", in: "deflate"),
    Mutant("deflate", "chunk * frame(DEFLATE_CHUNK_ROWS) + deflate_line", "deflate_line", in: "deflate"),
    Mutant("deflate", "ivec2(int(x), int(y)))[channel]", "ivec2(int(x), int(y)))[0u]", in: "deflate"),
    Mutant("deflate_tiff", "(address & 2u) << 3", "0u", in: "deflate"),
    Mutant("deflate_tiff", "x > 0u ? deflate_tiff_sample(x - 1u, channel) : 0u", "x > 0u ? 0u : 0u", in: "deflate"),
    Mutant("deflate_tiff", "place < samples ? bits >> 8", "place > samples ? bits >> 8", in: "deflate"),
    Mutant("deflate_tiff", "24u - 8u * (place / samples)", "8u * (place / samples)", in: "deflate"),
    Mutant("deflate_tiff", "plane * frame(DEFLATE_PLANE_WORDS)", "0u", in: "deflate"),
    Mutant("deflate_exr", "frame(DEFLATE_CHANNELS) - 1u - place / width", "place / width", in: "deflate"),
    Mutant("deflate_exr", "value - before + 128u", "value - before", in: "deflate"),
    Mutant("deflate_exr", "first > 0u && first < bytes", "false", in: "deflate"),
    Mutant("measure_halves", "word > 0x7c00u ? 0u : word", "word", in: "deflate"),
    Mutant("measure_halves", "most >= frame(MEASURE_BOUND) ? 1u : 0u", "0u", in: "deflate"),
    Mutant("deflate_rows", "part ^ (bytes - 1u)", "part", in: "deflate"),
    Mutant("deflate_rows", "deflate_sample(x, y - 1u, part)", "deflate_sample(x, y, part)", in: "deflate"),
    Mutant("deflate_rows", "else if (x > 0u)", "else if (x > 1u)", in: "deflate"),
    Mutant("deflate_tokens", "places[hash] = at + 1u", "places[hash] = at", in: "deflate"),
    Mutant("deflate_tokens", "if (length >= 4u)", "if (length >= 5u)", in: "deflate"),
    Mutant("deflate_tokens", "(count - index) * value", "(count - index - 1u) * value", in: "deflate"),
    Mutant("deflate_tokens", "length += 4u", "length += 3u", in: "deflate"),
    Mutant("deflate_trees", "nodes[root] < nodes[leaf]", "nodes[root] <= nodes[leaf]", in: "deflate"),
    Mutant("deflate_trees", "nodes[0u] <= 15u", "nodes[0u] <= 16u", in: "deflate"),
    Mutant("deflate_trees", "others == count && other < symbol", "others == count && other > symbol", in: "deflate"),
    Mutant("deflate_trees", "is_forced && count == 0u", "false", in: "deflate"),
    Mutant("deflate_codes", "symbol - 261u >> 2", "symbol - 261u >> 1", in: "deflate"),
    Mutant("deflate_codes", "count * sum", "count", in: "deflate"),
    Mutant("deflate_codes", "+ 31u >> 5", ">> 5", in: "deflate"),
    Mutant("deflate_codes", "bits_reversed(deflate_extra)", "deflate_extra", in: "deflate"),
    Mutant("deflate_codes", "74u + 4u * symbol", "75u + 4u * symbol", in: "deflate"),
    Mutant("measure_codes", "most > b ? most : b", "most", in: "sums"),
    Mutant("measure_codes", "most == 255u", "most >= 254u", in: "sums"),
    Mutant("measure_codes", "x += columns", "x += columns + 1u", in: "sums"),
    Mutant("measure_light", "word > 0x7c00u ? 0u : word", "word", in: "sums"),
    Mutant("measure_light", "most > b ? most : b", "most", in: "sums"),
    Mutant("measure_light", "word > 0xa400u", "word > 0x8000u", in: "sums"),
    Mutant("measure_light", "exponent == 0u ? fraction", "false ? fraction", in: "sums"),
    Mutant("measure_light", "low < light ? 1u", "low < light ? 0u", in: "sums"),
    Mutant("measure_light", "32u - places", "31u - places", in: "sums"),
    Mutant("measure_light", "frame(MEASURE_PREFIX)", "0u", in: "sums"),
    Mutant("measure_light", "word & 31u", "word & 15u", in: "sums"),
    Mutant("measure_pq", "measured_low < light ? 1u : 0u", "0u", in: "sums"),
    Mutant("measure_pq", "(next - node) * (code & 15u) >> 4", "(next - node) * (code & 15u) + 8u >> 4", in: "sums"),
    Mutant("measure_pq", "code >= frame(MEASURE_BOUND)", "code > frame(MEASURE_BOUND)", in: "sums"),
    Mutant("measure_pq", "low > 65535.0 ? 65535.0 : low", "low", in: "sums"),
    Mutant("measure_pq", "(byte & 2u) << 3", "0u", in: "sums"),
    Mutant("measure_pq", "y >> frame(MEASURE_SHIFT_Y)", "y >> frame(MEASURE_SHIFT_X)", in: "sums"),
    Mutant("measure_planes", "word | 0x80000000u : ~word", "word : ~word", in: "sums"),
    Mutant("measure_planes", "inverse[plane] > rest ? inverse[plane] : rest", "rest", in: "sums"),
    Mutant("measure_planes", "plane * frame(MEASURE_PLANE_WORDS) + place", "place", in: "sums"),
  ]

  private static let shared = [
    Mutant("output_transform", "place - table_float(cell + node)", "place - table_float(cell)", in: "aces_output"),
    Mutant(
      "output_transform", "((room_at_cusp * upper_power) * cusp.y)", "(room_at_cusp * (upper_power * cusp.y))",
      in: "aces_output"),
    Mutant("output_transform", "filled > 0.75 ? filled : 0.75", "filled", in: "aces_output"),
    Mutant("output_transform", "apart < 0.0 ? low : high", "high", in: "aces_output"),
    Mutant("output_transform", "d < 0.0 ? 4.0 + t : t", "t", in: "aces_output"),
    Mutant("output_transform", "low < most ? low : most", "low", in: "aces_output"),
    Mutant("curve_table", "low > max_bits ? max_bits : low", "low", in: "curve"),
    Mutant("curve_table", "0x30800000u", "0x31000000u", in: "curve"),
    Mutant("curve_table", "flushed == 0u ? 0u : u & 0x80000000u", "u & 0x80000000u", in: "curve"),
    Mutant("foreground", "x < width && y < height", "x < width && y < width", in: "composite"),
    Mutant("foreground", "low < 1.0 ? low : 1.0", "low", in: "composite"),
    Mutant("lut_cell", "d > -limit ? d : -limit", "d", in: "lut3d"),
    Mutant("numerics", "0x3c1d96f0u", "0x3c1d96f1u", in: "gain_map"),
    Mutant("numerics", "float(e) + f * p", "f * p", in: "log_luminance"),
    Mutant("numerics", "r + r * (1.0 - y * r)", "r * (2.0 - y * r)", in: "unpremultiply"),
    Mutant("numerics", "0xc8000fffu + ((a >> 13) & 1u)", "0xc8001000u", in: "store_rgba16f"),
    Mutant("numerics", "m == 0x7c00u ? 0x477fe000u : 0u", "0u", in: "load_half"),
    Mutant("numerics", "a > 0x7f800000u ? 0u : m", "m", in: "load_float"),
    Mutant("numerics", "low < 1.0 ? low : 1.0", "low", in: "store_rgba16"),
    Mutant("order", "(i >> 31) & 0x7fffffff", "i >> 31", in: "extreme"),
    Mutant("places", "x + 1 < size.x", "x + 1 < size.x - 1", in: "zoom_blur"),
    Mutant("planar_length", "is_some ? root : 0.0", "root", in: "sobel"),
    Mutant(
      "prelude", "x * frame_int(FRAME_MAPPING + 2u) + y * frame_int(FRAME_MAPPING + 4u)",
      "x * frame_int(FRAME_MAPPING + 2u) + y * frame_int(FRAME_MAPPING + 3u)", in: "load_samples"),
    Mutant("prelude", "(address & 3u) << 3", "(address & 2u) << 3", in: "load_samples"),
    Mutant(
      "rays", "(fifth * cos7 + less * sin11) + less * cos19", "fifth * cos7 + (less * sin11 + less * cos19)",
      in: "flash"),
    Mutant("ratio_corrected", "2 * (size - 1) - i", "2 * size - 1 - i", in: "rcd_green"),
    Mutant("sources", " + ((before >> 2) & 1u)", "", in: "composite"),
    Mutant("sources", "channels == 4u ? plane_sample(source, 3u, x, y) : 1.0", "1.0", in: "median3"),
    Mutant("stores", "0xc2b2ae3du", "0xc2b2ae3fu", in: "store_rgba8"),
    Mutant("stores", "low < largest ? low : largest", "low", in: "store_planar_ycc"),
    Mutant("user_functions", "q + (x - q * d) * r", "q", in: "user"),
    Mutant("user_functions", "is_some ? s + (c - s * s) * (0.5 * r) : 0.0", "is_some ? s : 0.0", in: "user"),
  ]

  private static let equal = [
    Mutant(
      "lut3d", "bool xy = fx >= fy", "bool xy = fx > fy",
      equal: "where two shares are equal the vertex that changes has weight 0"),
    Mutant(
      "blend_mode", "t > 0.5 ? high : low", "t >= 0.5 ? high : low",
      equal: "at t = 0.5 both are b, which lies in 0...1"),
    Mutant(
      "pbr_neutral", "x < uintBitsToFloat(0x3da3d70au)", "x <= uintBitsToFloat(0x3da3d70au)",
      equal: "at x = 0x3da3d70a both arms are 0x3d23d70a"),
    Mutant("motion_blur", "channels != 4u", "channels < 4u", equal: "pictures have 1, 3 or 4 channels"),
    Mutant(
      "hue_sat_map", "turned >= 6.0", "turned > 6.0",
      equal: "at 6, as at 0, the channel lies outside of the hue's part: near is at most 0, and so is its share"),
    Mutant(
      "numerics", "m < 0x400u", "m < 0x401u", in: "load_half",
      equal: "half 0x400 is 2^-14, as 1024 times 2^-24 is"),
  ]
}
