import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// SMPTE ST 2094-50 metadata in the coded pictures of HEIF files (docs/tone-formulas.md#st-2094-50).
@Suite struct ToneMetadataMessageTests {
  static let payload: [UInt8] = [0x00, 0x40, 0x59, 0xdc, 0x80]
  static let message: [UInt8] = [0xb5, 0x00, 0x90, 0x00, 0x01] + payload

  /// An AVIF whose picture is OBUs alone.
  static func avif(_ data: [UInt8], config: [UInt8] = []) -> [UInt8] {
    var builder = HEIFBuilder()
    builder.brands = ["avif", "mif1"]
    builder.items = [
      HEIFBuilder.Item(
        id: 1, type: "av01", data: data,
        properties: [HEIFBuilder.ispe(64, 64), HEIFBuilder.box("av1C", [0x81, 0x00, 0x4c, 0x00] + config)])
    ]
    return builder.bytes
  }

  /// An HEIC with the parameter sets of a real one and the units of a made one.
  static func heic(_ units: [[UInt8]], extra: [[UInt8]] = []) throws -> [UInt8] {
    let file = [UInt8](
      try Data(contentsOf: SharedData.repository.appendingPathComponent("Examples/citadel-pq.heic")))
    let name = Array("hvcC".utf8)
    let start = try #require(
      file.indices.dropFirst(4).first { $0 + 4 <= file.count && Array(file[$0..<$0 + 4]) == name })
    let size = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    var builder = HEIFBuilder()
    builder.items = [
      HEIFBuilder.Item(
        id: 1, type: "hvc1", data: units.flatMap { HEIFBuilder.u32($0.count) + $0 },
        properties: [HEIFBuilder.ispe(64, 64), Array(file[start - 4..<start - 4 + size])] + extra)
    ]
    return builder.bytes
  }

  static func read(_ bytes: [UInt8]) throws -> SourceImage { try decodeImage(bytes, request: .metadata) }

  /// An OBU with its size.
  static func obu(_ type: UInt8, _ body: [UInt8], hasExtension: Bool = false) -> [UInt8] {
    [type << 3 | (hasExtension ? 6 : 2)] + (hasExtension ? [0] : []) + [UInt8(body.count)] + body
  }

  @Test("ST 2094-50 metadata is read from AV1 metadata OBUs and av1C")
  func av1() throws {
    let delimiter = Self.obu(2, []), metadata = Self.obu(5, [4] + Self.message + [0x80])
    let found = try Self.read(Self.avif(delimiter + metadata))
    #expect(found.light.toneMetadata == Self.payload)
    #expect(found.light.headroomAdaptive?.baselineHeadroom == 2.3004)
    #expect(try Self.read(Self.avif(delimiter, config: metadata)).light.toneMetadata != nil)
    // Another code of the same provider.
    let other: [UInt8] = [0xb5, 0x00, 0x90, 0x00, 0x05] + Self.payload
    #expect(try Self.read(Self.avif(Self.obu(5, [4] + other + [0x80]))).light.toneMetadata == Self.payload)
    #expect(HeadroomAdaptiveMetadata.t35Message(other) == Self.message)
    #expect(try Self.read(Self.avif(Self.obu(5, [4] + Self.message, hasExtension: true))).light.toneMetadata != nil)
    // The last OBU may go without its size.
    #expect(try Self.read(Self.avif(delimiter + [5 << 3, 4] + Self.message)).light.toneMetadata != nil)
    // Another type of metadata, another country, a size beyond the end, a size without an end.
    let head: UInt8 = 5 << 3 | 2
    let others: [[UInt8]] = [
      Self.obu(5, [3] + Self.message), Self.obu(5, [4, 0xb4] + Self.message), [head, 99, 4] + Self.message,
      [head] + [UInt8](repeating: 0xff, count: 12), [head | 4], [],
    ]
    for data in others {
      let source = try Self.read(Self.avif(delimiter + data))
      #expect(source.light.toneMetadata == nil && source.warnings.isEmpty, "\(data)")
    }
  }

  @Test("ST 2094-50 metadata is read from HEVC SEI messages and hvcC")
  func hevc() throws {
    func sei(_ body: [UInt8]) -> [UInt8] { [39 << 1, 1] + body + [0x80] }
    let own: [UInt8] = [4, UInt8(Self.message.count)] + Self.message
    #expect(try Self.read(Self.heic([sei(own)])).light.toneMetadata == Self.payload)
    // The message comes after another one and after a long one.
    let other: [UInt8] = [137, 2, 9, 9], long: [UInt8] = [255, 1, 255, 3] + [UInt8](repeating: 7, count: 258)
    #expect(try Self.read(Self.heic([[40 << 1, 1, 0], sei(other + long + own)])).light.toneMetadata == Self.payload)
    // Emulation prevention: 00 00 01 becomes 00 00 03 01.
    let zeros: [UInt8] = [0xb5, 0x00, 0x90, 0x00, 0x01, 0x00, 0x40, 0x00, 0x00, 0x80]
    let escaped = zeros.prefix(9) + [0x03, 0x80]
    #expect(
      try Self.read(Self.heic([sei([4, UInt8(zeros.count)] + escaped)])).light.toneMetadata == Array(zeros.dropFirst(5))
    )
    let others: [[UInt8]] = [
      [4, 200] + Self.message, [255, 255, 255], [4], [5, UInt8(Self.message.count)] + Self.message,
    ]
    for body in others { #expect(try Self.read(Self.heic([sei(body)])).light.toneMetadata == nil, "\(body)") }
  }

  /// Metadata that cannot be read are a warning and no failure.
  @Test func brokenMetadataAreLeftOut() throws {
    let source = try Self.read(Self.avif(Self.obu(5, [4, 0xb5, 0x00, 0x90, 0x00, 0x01, 0x00])))
    #expect(source.light.toneMetadata == nil)
    #expect(source.warnings.map(\.code) == ["tone.metadata"])
  }
}
