import HDRCore
import PlainData

/// The numbers of Apple's maker note that give the headroom of the gain map, tag 33 (0x0021, HDRHeadroom) and tag 48
/// (0x0030, HDRGain), and the identifier of a Live Photo, tag 17 (0x0011), which its video has too.
///
/// Layout (docs/gain-map-maths.md#apple): "Apple iOS", two zeros, 1, "MM", then a TIFF directory at byte 14. It is
/// always big-endian, whatever the byte order of the Exif; offsets count from the first byte of the note.
package struct AppleMakerNote: Sendable, Hashable {
  package private(set) var headroom: Double?
  package private(set) var gain: Double?
  package private(set) var contentIdentifier: String?

  private static let signature = Array("Apple iOS\0\0\u{1}MM".utf8)

  /// Reads a note; `nil` when it is not Apple's or its directory does not fit. A number that cannot be read (another
  /// type, outside the note, denominator 0) is left out with `gainmap.makernote`.
  package init?(_ bytes: ArraySlice<UInt8>, warnings: inout [Warning]) {
    guard bytes.starts(with: Self.signature) else { return nil }
    let note = TIFFBytes(Array(bytes), isLittleEndian: false)
    guard let (entries, _) = note.directory(at: Self.signature.count) else { return nil }
    if let entry = entries.first(where: { $0.tag == 0x11 }), entry.type == 2, (5...64).contains(entry.count),
      let at = note.number(entry.field, 4), at <= note.bytes.count - entry.count
    {
      contentIdentifier = String(decoding: note.bytes[at..<at + entry.count].prefix { $0 != 0 }, as: UTF8.self)
    }
    for entry in entries where entry.tag == 0x21 || entry.tag == 0x30 {
      guard entry.type == 10, entry.count == 1, let at = note.number(entry.field, 4),
        let numerator = note.number(at, 4), let denominator = note.number(at + 4, 4), denominator != 0
      else {
        warnings.append(Warning("gainmap.makernote", "tag \(entry.tag) of Apple's maker note is not a fraction"))
        continue
      }
      func signed(_ word: Int) -> Double { Double(Int32(truncatingIfNeeded: word)) }
      let value = signed(numerator) / signed(denominator)
      if entry.tag == 0x21 { headroom = value } else { gain = value }
    }
  }
}

extension AppleGainMap {
  /// Makes the metadata from the properties of the map's XMP (`AppleGainMap.namespace`) and the picture's maker note.
  ///
  /// Warnings: `gainmap.invalid` for an XMP headroom that is no positive number of at most 2^16 (then the maker note
  /// decides), `gainmap.apple-headroom` if the headroom is not stated and the map will not be applied.
  package init(_ properties: [String: [String]], note: AppleMakerNote?, warnings: inout [Warning]) {
    var stated: Double?
    if let text = properties["HDRGainMapHeadroom"]?.first {
      let digits = text.filter { !$0.isWhitespace }
      if digits.utf8.count <= 64, let value = decimal(digits), value > 0, value <= AppleGainMap.largestHeadroom {
        stated = value
      } else {
        warnings.append(Warning("gainmap.invalid", "HDRGainMapHeadroom is \"\(text.prefix(16))\"; ignored"))
      }
    }
    self.init(
      version: properties["HDRGainMapVersion"]?.first.flatMap { Int($0) }, xmpHeadroom: stated, tag33: note?.headroom,
      tag48: note?.gain)
    if headroom == nil {
      warnings.append(
        Warning(
          "gainmap.apple-headroom",
          "Apple's gain map has no headroom, neither in XMP nor in the maker note: it is not applied"))
    }
  }
}
