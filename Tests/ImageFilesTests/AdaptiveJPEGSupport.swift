import FileParts
import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import TestFiles
import Testing

/// Pictures, metadata and readings of the Adaptive HDR JPEG tests.
enum AdaptiveJPEG {
  /// Fractions that no float holds exactly, different in each channel.
  static let threeChannels = metadata(
    alternate: Rational32(13, 10),
    [
      (Rational32(-256_907, 1_000_000), Rational32(1_277_177, 1_000_000), Rational32(119_223, 125_000)),
      (Rational32(-52_273, 200_000), Rational32(1_277_203, 1_000_000), Rational32(188_219, 200_000)),
      (Rational32(-70_071, 250_000), Rational32(1_277_969, 1_000_000), Rational32(459_711, 500_000)),
    ])

  static let oneChannel = metadata(
    alternate: Rational32(7, 3), [(Rational32(-1, 3), Rational32(7, 3), Rational32(1, 1))])

  static func metadata(
    base: Rational32 = Rational32(0, 1), alternate: Rational32,
    _ rows: [(min: Rational32, max: Rational32, gamma: Rational32)],
    offset: Rational32 = Rational32(1, 64), usesBaseColorSpace: Bool = true
  ) -> GainMapMetadata {
    let iso = ISO21496(
      baseHeadroom: base, alternateHeadroom: alternate,
      channels: rows.map {
        .init(min: $0.min, max: $0.max, gamma: $0.gamma, baseOffset: offset, alternateOffset: offset)
      }, usesBaseColorSpace: usesBaseColorSpace)
    return GainMapMetadata(iso, rawPayload: iso.serialized(for: .jpeg))
  }

  /// Soft waves, R G B A or grey.
  static func waves(_ width: Int, _ height: Int, channels: Int, phase: Double = 0) -> SampleImage {
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: channels, format: .uint8, bitDepth: 8)
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<height {
        for x in 0..<width {
          let wave = sin(Double(x) * 0.09 + Double(index) + phase) + cos(Double(y) * 0.07 - Double(index))
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes)
            .storeBytes(of: UInt8(128 + 60 * wave), as: UInt8.self)
        }
      }
    }
    return image
  }

  static func request(
    _ metadata: GainMapMetadata = threeChannels, width: Int = 48, height: Int = 32, mapChannels: Int = 4,
    bindings: AdaptiveBindings = .all
  ) -> AdaptiveRequest {
    var request = AdaptiveRequest(
      container: .jpeg, base: .samples(waves(width, height, channels: 4)),
      baseColor: AdaptiveColor(cicp: CICP(12, 13, 0, full: true)),
      map: .samples(waves(width, height, channels: mapChannels, phase: 2)),
      mapColor: CICP(2, 2, mapChannels == 1 ? 2 : 6, full: true), metadata: metadata,
      alternateColor: AdaptiveColor(cicp: CICP(12, 16, 0, full: true)), bindings: bindings)
    request.quality = 95
    request.mapQuality = 95
    return request
  }

  /// A request that writes the file's own streams again.
  static func rewriting(_ bytes: [UInt8]) throws -> AdaptiveRequest {
    let source = try decodeImage(bytes, request: .metadata), coded = try codedRenditions(bytes)
    let map = try #require(source.gainMap), picture = try #require(coded.map)
    return AdaptiveRequest(
      container: .jpeg, base: coded.base,
      baseColor: AdaptiveColor(cicp: source.color.cicp ?? .sRGB, icc: source.color.icc), map: picture,
      mapColor: CICP(2, 2, map.matrix, full: true), metadata: map.metadata,
      alternateColor: map.alternateColor.map { AdaptiveColor(cicp: $0.cicp ?? .unspecified, icc: $0.icc) },
      exif: source.exif, xmp: source.xmp.flatMap(xmpWithoutPixelDescription))
  }

  /// Every segment of a stream up to its first scan.
  static func segments(_ bytes: ArraySlice<UInt8>) -> [(marker: Int, bytes: ArraySlice<UInt8>)] {
    var at = bytes.startIndex + 2
    var result: [(marker: Int, bytes: ArraySlice<UInt8>)] = []
    while at + 4 <= bytes.endIndex, bytes[at] == 0xFF {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard at + 2 + length <= bytes.endIndex else { break }
      result.append((Int(bytes[at + 1]), bytes[at..<at + 2 + length]))
      if bytes[at + 1] == 0xDA { break }
      at += 2 + length
    }
    return result
  }

  /// The file cut into its two streams, at the first EOI that a SOI follows.
  static func streams(_ file: [UInt8]) throws -> (primary: ArraySlice<UInt8>, map: ArraySlice<UInt8>) {
    let coded = try codedRenditions(file)
    guard case .jpegStream(let primary) = coded.base, case .jpegStream(let map)? = coded.map else {
      throw DecodeError.truncated(where: "streams")
    }
    #expect(primary + map == file)
    return (file[..<primary.count], file[primary.count...])
  }

  /// A segment's name in short: its marker and the text it begins with.
  static func names(_ stream: ArraySlice<UInt8>) -> [String] {
    segments(stream).map { segment in
      let text = String(decoding: segment.bytes.dropFirst(4).prefix { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
      let isNamed = 0xE0...0xEF ~= segment.marker
      return String(segment.marker, radix: 16) + (isNamed ? " " + text : "")
    }
  }

  /// Returns the part after the application segments: tables and scans.
  static func coded(_ stream: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let first = segments(stream).first { !(0xE0...0xEF ~= $0.marker) }
    return stream[(first?.bytes.startIndex ?? stream.endIndex)...]
  }
}
