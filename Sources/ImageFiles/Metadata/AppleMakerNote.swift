import HDRCore
import PlainData

/// The two numbers of Apple's maker note that give the headroom of the gain map: tag 33 (0x0021, HDRHeadroom) and tag
/// 48 (0x0030, HDRGain).
///
/// Layout (docs/gain-map-maths.md#apple): "Apple iOS", two zeros, 1, "MM", then a TIFF directory at byte 14. It is
/// always big-endian, whatever the byte order of the Exif; offsets count from the first byte of the note.
package struct AppleMakerNote: Sendable, Hashable {
  package private(set) var headroom: Double?
  package private(set) var gain: Double?

  private static let signature = Array("Apple iOS\0\0\u{1}MM".utf8)

  /// Reads a note; `nil` when it is not Apple's or its directory does not fit. A number that cannot be read (another
  /// type, outside the note, denominator 0) is left out with `gainmap.makernote`.
  package init?(_ bytes: ArraySlice<UInt8>, warnings: inout [Warning]) {
    guard bytes.starts(with: Self.signature) else { return nil }
    let note = Array(bytes)
    func number(_ at: Int, _ count: Int) -> Int { note[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
    let directory = Self.signature.count
    guard note.count >= directory + 2 else { return nil }
    let count = number(directory, 2)
    guard note.count - directory - 2 >= 12 * count else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index, tag = number(entry, 2)
      guard tag == 0x21 || tag == 0x30 else { continue }
      let isRational = number(entry + 2, 2) == 10 && number(entry + 4, 4) == 1
      let at = number(entry + 8, 4)
      guard isRational, at <= note.count - 8, number(at + 4, 4) != 0 else {
        warnings.append(Warning("gainmap.makernote", "tag \(tag) of Apple's maker note is not a fraction"))
        continue
      }
      func signed(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: number(at, 4))) }
      let value = signed(at) / signed(at + 4)
      if tag == 0x21 { headroom = value } else { gain = value }
    }
  }
}

extension AppleGainMap {
  /// Makes the metadata from the properties of the map's XMP (`AppleGainMap.namespace`) and the picture's maker note.
  ///
  /// Warnings: `gainmap.invalid` for an XMP headroom that is no positive number of at most 2^16 (then the maker note
  /// decides), `gainmap.apple-headroom` if the headroom is not stated and the map will not be applied.
  init(_ properties: [String: [String]], note: AppleMakerNote?, warnings: inout [Warning]) {
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
