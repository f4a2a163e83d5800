import FileParts
import HDRCore
import PlainData

/// The contents of the application segments of one JPEG stream.
struct JPEGMetadata {
  /// The ISO 21496-1 payload of the first such segment, after the identifier: 4 bytes in a primary, more in a map.
  var isoPayload: ArraySlice<UInt8>?
  var icc: [UInt8]?
  /// TIFF-structured Exif, without its prefix.
  var exif: [UInt8]?
  var parsedExif: Exif?
  /// The first standard XMP packet, with the properties of extended XMP.
  var xmp: [UInt8]?
  /// The image resources of all APP13 segments, joined.
  var photoshop: [UInt8]?
  /// The properties of all packets of the stream together.
  var packet: XMPPacket?
  /// The MPF block and the file position of its first byte.
  var multiPicture: (tiff: ArraySlice<UInt8>, origin: Int)?

  init(_ jpeg: JPEGStructure, _ bytes: [UInt8], limits: DecodeLimits, warnings: inout [Warning]) {
    isoPayload = jpeg.payloads(0xE2, "urn:iso:std:iso:ts:21496:-1\0", in: bytes).first
    if let mpf = jpeg.payloads(0xE2, "MPF\0", in: bytes).first { multiPicture = (mpf, mpf.startIndex) }
    icc = Self.joinICC(jpeg.payloads(0xE2, "ICC_PROFILE\0", in: bytes), limits: limits, warnings: &warnings)
    if let found = jpeg.payloads(0xE1, "Exif\0\0", in: bytes).first {
      parsedExif = Exif(Array(found), warnings: &warnings)
      if parsedExif != nil { exif = Array(found) }
    }
    let resources = jpeg.payloads(0xED, JPEGIdentifier.photoshop, in: bytes)
    let count = resources.reduce(0) { $0 + $1.count }
    if count > limits.maxMetadataBytes {
      warnings.append(Warning("jpeg.limit", "the block of image resources of \(count) bytes is ignored"))
    } else if !resources.isEmpty {
      photoshop = Array(resources.joined())
    }
    readXMP(jpeg, bytes, warnings: &warnings)
  }

  var hasISOVersion: Bool { isoPayload != nil }

  var hdrgm: [String: [String]]? { packet?.properties[HDRGainMapXMP.namespace] }

  /// True if this stream is marked as an Apple gain map (docs/gain-map-maths.md#apple).
  var isAppleGainMap: Bool {
    packet?.value(XMPNamespace.appleGainMap, "HDRGainMapVersion") != nil
      || packet?.value(XMPNamespace.applePixelData, "AuxiliaryImageType")
        == AppleGainMap.urn
  }

  // MARK: ICC

  /// Joins the parts of a profile (ICC.1:2022 annex B.4): sequence from 1, the same count in every part.
  private static func joinICC(
    _ parts: [ArraySlice<UInt8>], limits: DecodeLimits, warnings: inout [Warning]
  ) -> [UInt8]? {
    guard let first = parts.first else { return nil }
    func ignored(_ code: String, _ why: String) -> [UInt8]? {
      warnings.append(Warning(code, "ICC profile ignored: \(why)"))
      return nil
    }
    guard first.count > 2 else { return ignored("icc.truncated", "its first part is empty") }
    let count = Int(first[first.startIndex + 1])
    guard parts.count == count else { return ignored("icc.parts", "\(parts.count) of \(count) parts are here") }
    var ordered = [ArraySlice<UInt8>?](repeating: nil, count: count)
    for part in parts {
      guard part.count >= 2 else { return ignored("icc.truncated", "a part is empty") }
      let sequence = Int(part[part.startIndex])
      guard (1...count).contains(sequence), Int(part[part.startIndex + 1]) == count, ordered[sequence - 1] == nil else {
        return ignored("icc.parts", "its parts do not count from 1 to \(count)")
      }
      ordered[sequence - 1] = part.dropFirst(2)
    }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total <= limits.maxICCBytes else {
      return ignored("icc.limit", "\(total) bytes, limit \(limits.maxICCBytes)")
    }
    return ordered.flatMap { $0 ?? [] }
  }

  // MARK: XMP

  private mutating func readXMP(_ jpeg: JPEGStructure, _ bytes: [UInt8], warnings: inout [Warning]) {
    let standard = jpeg.payloads(0xE1, "http://ns.adobe.com/xap/1.0/\0", in: bytes)
    if standard.count > 1 {
      warnings.append(Warning("xmp.several", "\(standard.count) XMP packets; the first one travels along"))
    }
    for payload in standard.prefix(8) {
      let text = Array(payload)
      guard let parsed = XMPPacket(text, warnings: &warnings) else { continue }
      if xmp == nil { xmp = text }
      merge(parsed)
    }
    let chunks = jpeg.payloads(0xE1, "http://ns.adobe.com/xmp/extension/\0", in: bytes)
    guard !chunks.isEmpty else { return }
    guard let extended = Self.joinExtended(chunks, guid: packet?.value(XMPNamespace.note, "HasExtendedXMP")) else {
      warnings.append(Warning("xmp.extended", "extended XMP is incomplete and was ignored"))
      return
    }
    guard let parsed = XMPPacket(extended, warnings: &warnings) else { return }
    merge(parsed)
    guard let standard = xmp else { return }
    guard let merged = XMPAssembly.merging(extended, into: standard) else {
      warnings.append(
        Warning("xmp.extended", "extended XMP of \(extended.count) bytes does not fit its packet and does not travel"))
      return
    }
    xmp = merged
  }

  private mutating func merge(_ parsed: XMPPacket) {
    if packet == nil { packet = parsed } else { packet?.merge(parsed) }
  }

  /// Joins extended XMP (XMP specification part 3, 1.1.3.1): 32 digits of an identifier, u32 full length, u32 offset,
  /// data.
  private static func joinExtended(_ chunks: [ArraySlice<UInt8>], guid: String?) -> [UInt8]? {
    var ranges: [(offset: Int, data: ArraySlice<UInt8>)] = []
    var length: Int?
    for chunk in chunks where chunk.count >= 40 {
      // Packets of another identifier are left over from an edit.
      if let guid, latin1(chunk.prefix(32)) != guid { continue }
      func word(_ at: Int) -> Int { chunk.dropFirst(at).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
      let total = word(32)
      guard total > 0, total <= XMLScanner.maxBytes, length == nil || length == total else { return nil }
      length = total
      ranges.append((word(36), chunk.dropFirst(40)))
    }
    guard let length else { return nil }
    var result: [UInt8] = []
    for range in ranges.sorted(by: { $0.offset < $1.offset }) {
      guard range.offset == result.count, result.count + range.data.count <= length else { return nil }
      result += range.data
    }
    return result.count == length ? result : nil
  }
}
