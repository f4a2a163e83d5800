import HDRCore
import ImageFiles
import Testing

/// The range of HEVC codes: by the colour box, the bit stream, the standard, the caller.
@Suite(.enabled(if: HEVCEncoder.missing == nil, "skipped: no HEVC encoder"))
struct HEIFRangeTests {
  /// Builds a file with the full-range flag of the colour box and of the bit stream; `nil`: none.
  private static func file(box: Bool?, stream: Bool?) throws -> [UInt8] {
    var coded = try HEVCEncoder.encode(
      Writer.planar(64, 64, .s420), cicp: CICP(9, 16, 9, full: stream ?? true), settings: .init(quality: 50))
    if stream == nil { coded.configuration = try #require(HEVCParameterSets.withoutVUI(coded.configuration)) }
    var muxer = HEIFMuxer(brands: ["heix", "mif1"])
    let item = muxer.addItem("hvc1", data: coded.data)
    muxer.setProperty(HEIFBox.hvcC(coded.configuration), essential: true, of: item)
    muxer.setProperty(HEIFBox.ispe(width: coded.width, height: coded.height), essential: false, of: item)
    if let box { muxer.setProperty(HEIFBox.nclx(CICP(9, 16, 9, full: box)), essential: false, of: item) }
    return try muxer.fileBytes()
  }

  private static func read(_ bytes: [UInt8], asked: Bool? = nil) throws -> (full: Bool, warnings: [String]) {
    var limits = DecodeLimits()
    limits.reading.fullRange = asked
    let source = try decodeImage(bytes, request: .metadata, limits: limits)
    return (source.color.fullRange, source.warnings.map(\.code))
  }

  @Test("HEVC that states no range is limited, with a warning") func unstatedIsLimited() throws {
    let bytes = try Self.file(box: nil, stream: nil)
    let found = try Self.read(bytes)
    #expect(!found.full && found.warnings == ["heif.range.assumed"])
    #expect(try decodeImage(bytes).image.width == 64)
  }

  @Test("a stated range is taken without a warning", arguments: [true, false], [true, false])
  func statedCounts(isFull: Bool, isInBox: Bool) throws {
    let found = try Self.read(try Self.file(box: isInBox ? isFull : nil, stream: isInBox ? nil : isFull))
    #expect(found.full == isFull && found.warnings.isEmpty)
  }

  @Test("where colour box and bit stream differ, the box counts and both are named", arguments: [true, false])
  func theBoxCounts(box: Bool) throws {
    let bytes = try Self.file(box: box, stream: !box)
    let source = try decodeImage(bytes, request: .metadata)
    #expect(source.color.fullRange == box)
    let warning = try #require(source.warnings.first)
    #expect(warning.code == "heif.range.conflict")
    #expect(warning.message.description.contains("box says \(box ? "full" : "limited") range"))
    #expect(warning.message.description.contains("bit stream \(box ? "limited" : "full")"))
  }

  @Test("the caller's range counts before the file's", arguments: [true, false], [true, false, nil])
  func theCallerCounts(asked: Bool, stated: Bool?) throws {
    let found = try Self.read(try Self.file(box: stated, stream: stated), asked: asked)
    #expect(found.full == asked && found.warnings.isEmpty)
  }
}

/// Parameter sets of an `hvcC` record, changed.
enum HEVCParameterSets {
  /// The record with a sequence parameter set that ends in front of its VUI (H.265 clause 7.3.2.2): no
  /// vui_parameters, no extension. `nil` where the VUI of x265 is not found.
  static func withoutVUI(_ record: [UInt8]) -> [UInt8]? {
    var result = Array(record.prefix(23)), rest = record.dropFirst(23)
    while rest.count > 5 {
      let head = rest.prefix(5), length = Int(head.dropFirst(3).first!) << 8 | Int(head.last!)
      var unit = Array(rest.dropFirst(5).prefix(length))
      // One unit in each array, as this project's encoder writes them.
      if head.first! & 63 == 33 {
        guard let cut = cutBeforeVUI(unit) else { return nil }
        unit = cut
      }
      result += head.prefix(3) + [UInt8(unit.count >> 8), UInt8(unit.count & 255)] + unit
      rest = rest.dropFirst(5 + length)
    }
    return result
  }

  /// vui_parameters_present_flag 1, no aspect ratio, no overscan, video_signal_type of format 5 with a description.
  private static func cutBeforeVUI(_ unit: [UInt8]) -> [UInt8]? {
    var plain: [UInt8] = [], zeros = 0
    for byte in unit {
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      plain.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    let bits = plain.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let description: [UInt8] = [9, 16, 9].flatMap { byte in (0..<8).map { UInt8(byte >> (7 - $0) & 1) } }
    let begin = bits.indices.first { start in
      bits.dropFirst(start).starts(with: [1, 0, 0, 1, 1, 0, 1])
        && bits.dropFirst(start + 8).starts(with: [1] + description)
    }
    guard let begin else { return nil }
    // No VUI, no extension, and the bit that ends a payload.
    var cut = bits[..<begin] + [0, 0, 1]
    while cut.count % 8 != 0 { cut.append(0) }
    let bytes = stride(from: 0, to: cut.count, by: 8).map { at in cut[at..<at + 8].reduce(0) { $0 << 1 | $1 } }
    return escaped(bytes)
  }

  /// Emulation prevention (H.265 clause 7.3.1.1).
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [], zeros = 0
    for byte in bytes {
      if zeros >= 2 && byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return result
  }
}
