/// All warning codes about gain maps, with their meaning for the picture. The codes are stable. A test compares the
/// list with the sources.
package enum GainMapWarnings {
  /// The use of the map after a warning.
  package enum Effect: String, Sendable, Hashable, CaseIterable {
    /// The map is not used: the picture is the base alone.
    case ignored
    /// The map is used.
    case used
  }

  package struct Entry: Sendable, Hashable {
    package var code: String
    package var effect: Effect
    package var meaning: String
  }

  /// True if a code means that the file has a map that could not be used.
  package static func dropsMap(_ code: String) -> Bool { all.contains { $0.code == code && $0.effect == .ignored } }

  package static let all: [Entry] = [
    Entry(code: "gainmap.altr", effect: .ignored, meaning: "a tmap item that no altr group prefers over the base"),
    Entry(
      code: "gainmap.apple-headroom", effect: .ignored,
      meaning: "Apple's map without a headroom in XMP or maker note; content-headroom can state it"),
    Entry(code: "gainmap.aspect", effect: .used, meaning: "the map's shape is more than 2 % off the picture's"),
    Entry(
      code: "gainmap.auxiliary", effect: .ignored, meaning: "an auxiliary map of unknown type, or without metadata"),
    Entry(
      code: "gainmap.base", effect: .ignored, meaning: "a map for an SDR base on a PNG that is PQ or HLG"),
    Entry(code: "gainmap.brand", effect: .ignored, meaning: "a tmap item in a file without the brand tmap"),
    Entry(
      code: "gainmap.color", effect: .used,
      meaning: "the alternate's colour in a jhgm box cannot be read; the base's primaries are assumed"),
    Entry(
      code: "gainmap.damaged", effect: .ignored, meaning: "the map of a PNG file in a chunk whose checksum is wrong"),
    Entry(
      code: "gainmap.decode", effect: .ignored,
      meaning: "the map of a HEIF, AVIF, JPEG XL or PNG file cannot be decoded"),
    Entry(code: "gainmap.equal-headrooms", effect: .used, meaning: "both headrooms are equal: the base is shown"),
    Entry(
      code: "gainmap.frame", effect: .ignored,
      meaning: "the map of a JPEG XL animation, whose first frame it belongs to"),
    Entry(code: "gainmap.headrooms", effect: .used, meaning: "the metadata says equal headrooms"),
    Entry(
      code: "gainmap.invalid", effect: .ignored,
      meaning: "impossible metadata: zero denominator, maximum below minimum, gamma not above 0, no number"),
    Entry(code: "gainmap.ispe", effect: .used, meaning: "the tmap item states another size than the picture's"),
    Entry(code: "gainmap.legacy", effect: .used, meaning: "metadata in libultrahdr's draft layout"),
    Entry(
      code: "gainmap.makernote", effect: .used, meaning: "a headroom tag of Apple's maker note that is no fraction"),
    Entry(
      code: "gainmap.metadata", effect: .ignored,
      meaning: "the map of a TIFF file without hdrgm XMP, of a PNG without gmAP"),
    Entry(code: "gainmap.missing", effect: .ignored, meaning: "a JPEG file announces a map and has none"),
    Entry(code: "gainmap.nested", effect: .used, meaning: "the map of a PNG file that has a map of its own"),
    Entry(code: "gainmap.offset", effect: .used, meaning: "a negative offset"),
    Entry(code: "gainmap.order", effect: .used, meaning: "the map of a PNG file behind its pixels"),
    Entry(code: "gainmap.pixels", effect: .ignored, meaning: "the map of a JPEG file cannot be decoded"),
    Entry(
      code: "gainmap.png-private", effect: .ignored,
      meaning: "the map of a PNG file in chunks gMAP and gDAT, on whose layout nobody has agreed"),
    Entry(code: "gainmap.prefix", effect: .used, meaning: "a tmap payload without its version byte"),
    Entry(
      code: "gainmap.primary", effect: .used, meaning: "the tmap item is the primary item; its base is the picture"),
    Entry(code: "gainmap.range", effect: .used, meaning: "a gain or headroom beyond 16 stops"),
    Entry(code: "gainmap.reference", effect: .ignored, meaning: "a tmap item that is not made of base and map"),
    Entry(
      code: "gainmap.several", effect: .used, meaning: "a second map with metadata of the same kind; the first counts"),
    Entry(code: "gainmap.trailing", effect: .used, meaning: "bytes after the metadata"),
    Entry(
      code: "gainmap.transform", effect: .used,
      meaning: "the map or the tmap item is turned or cropped otherwise; the base's transforms hold for both"),
    Entry(code: "gainmap.truncated", effect: .ignored, meaning: "metadata that ends too early"),
    Entry(code: "gainmap.version", effect: .ignored, meaning: "metadata for newer readers"),
  ]
}
