import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Reading WebP: chunks, heads, frames; and files of other writers by libwebp.
@Suite struct WebPTests {
  static let hasLibrary = codecLibraries().contains { $0.name == "libwebp" && $0.version != nil }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(payload.count, 4) + payload + (payload.count & 1 == 1 ? [0] : [])
  }

  private static func file(_ chunks: [UInt8]..., more: Int = 0) -> [UInt8] {
    let body = Array("WEBP".utf8) + chunks.flatMap { $0 }
    return Array("RIFF".utf8) + little(body.count + more, 4) + body
  }

  private static func lossless(_ width: Int, _ height: Int, alpha: Bool = false, version: Int = 0)
    -> [UInt8]
  {
    [0x2F] + little(width - 1 | (height - 1) << 14 | (alpha ? 1 << 28 : 0) | version << 29, 4) + [
      1, 2, 3,
    ]
  }

  private static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
    [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(width, 2) + little(height, 2) + [1, 2, 3]
  }

  private static func canvas(_ width: Int, _ height: Int, flags: UInt8 = 0) -> [UInt8] {
    chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
  }

  private static func frame(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ inside: [UInt8])
    -> [UInt8]
  {
    chunk(
      "ANMF",
      little(x / 2, 3) + little(y / 2, 3) + little(width - 1, 3) + little(height - 1, 3) + [
        100, 0, 0, 0,
      ] + inside)
  }

  private static func read(_ bytes: [UInt8]) -> Result<SourceImage, DecodeError> {
    Result { () throws(DecodeError) in try decodeImage(bytes, request: .metadata) }
  }

  private static func container(_ bytes: [UInt8]) throws -> WebPContainer {
    var warnings: [Warning] = []
    return try WebPContainer(bytes, limits: DecodeLimits(), warnings: &warnings)
  }

  @Test("chunks give size, alpha and metadata without the library")
  func chunksGiveHead() throws {
    let plain = try Self.read(Self.file(Self.chunk("VP8 ", Self.lossy(30, 20)))).get()
    #expect(
      plain.format == .webp && plain.image.width == 30 && plain.image.height == 20
        && plain.warnings.isEmpty)
    #expect(plain.color.encoding == .sRGB && plain.image.format == .uint8)
    let xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"></x:xmpmeta>".utf8)
    let rich = try Self.read(
      Self.file(
        Self.canvas(30, 20, flags: 0x14), Self.chunk("ALPH", [0, 1]),
        Self.chunk("VP8 ", Self.lossy(30, 20)),
        Self.chunk("XMP ", xmp), Self.chunk("C2PA", FileExtrasTests.store(9)), Self.chunk("XMP ", [1, 2]),
        Self.chunk("C2PA", [1, 2, 3]))
    ).get()
    #expect(rich.xmp == xmp && rich.warnings.isEmpty)
    #expect(rich.extras.credentials?.byteCount == FileExtrasTests.store(9).count)
    #expect(rich.extras.trailers == [FileTrailer(.parts, byteCount: 5, names: ["XMP ", "C2PA"])])
    let trailing = try Self.read(Self.file(Self.chunk("VP8L", Self.lossless(3, 4))) + [1, 2, 3])
      .get()
    #expect(trailing.warnings.map(\.code) == ["webp.trailing"])
  }

  @Test("of an animation the first frame counts, on the canvas")
  func firstFrameCounts() throws {
    let bytes = Self.file(
      Self.canvas(40, 30, flags: 2), Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]),
      Self.frame(4, 6, 20, 10, Self.chunk("VP8L", Self.lossless(20, 10))),
      Self.frame(0, 0, 40, 30, Self.chunk("VP8L", Self.lossless(40, 30))))
    let source = try Self.read(bytes).get()
    #expect(source.image.width == 40 && source.image.height == 30)
    #expect(source.warnings.map(\.code) == ["animation.first-frame"])
    let file = try Self.container(bytes)
    #expect(file.frames == 2 && file.frame.x == 4 && file.frame.y == 6)
    // The library sees that frame alone.
    let plain = try Self.container(file.plain)
    #expect(plain.frames == 0 && plain.width == 20 && plain.frame.chunk == file.frame.chunk)
  }

  @Test(
    "faults are refused by name",
    arguments: [
      ("cut", "decode.truncated", file(chunk("VP8L", lossless(3, 4)), more: 40)),
      ("no picture", "decode.malformed", file(chunk("ICCP", [1, 2]))),
      (
        "a chunk beyond the end", "decode.truncated",
        file(Array("VP8L".utf8) + little(900, 4) + lossless(3, 4))
      ),
      (
        "a version of tomorrow", "decode.unsupported",
        file(chunk("VP8L", lossless(3, 4, version: 1)))
      ),
      ("no signature", "decode.malformed", file(chunk("VP8L", [0x2E, 0, 0, 0, 0]))),
      (
        "no start code", "decode.malformed", file(chunk("VP8 ", [0x10, 0, 0, 1, 2, 3, 4, 0, 4, 0]))
      ),
      ("no key frame", "decode.malformed", file(chunk("VP8 ", [0x11] + lossy(4, 4).dropFirst()))),
      ("no width", "decode.malformed", file(chunk("VP8 ", lossy(0, 4)))),
      ("a short head", "decode.truncated", file(chunk("VP8L", [0x2F, 1]))),
      ("another canvas", "decode.malformed", file(canvas(9, 9), chunk("VP8L", lossless(3, 4)))),
      (
        "a canvas of 2^24", "decode.limit",
        file(canvas(1 << 24, 1 << 24), chunk("VP8L", lossless(3, 4)))
      ),
      (
        "frames without a canvas", "decode.malformed",
        file(frame(0, 0, 3, 4, chunk("VP8L", lossless(3, 4))))
      ),
      (
        "a frame beyond the canvas", "decode.malformed",
        file(canvas(9, 9), frame(8, 0, 3, 4, chunk("VP8L", lossless(3, 4))))
      ),
      (
        "a frame of another size", "decode.malformed",
        file(canvas(9, 9), frame(0, 0, 4, 4, chunk("VP8L", lossless(3, 4))))
      ),
    ])
  func faultIsRefused(name: String, code: String, bytes: [UInt8]) {
    switch Self.read(bytes) {
    case .success: Issue.record("\(name) is read")
    case .failure(let error): #expect(error.code == code, "\(name): \(error)")
    }
  }

  @Test(
    "samples equal those of another reader",
    .enabled(
      if: hasLibrary && SharedData.url("data/formats2/expected.tsv") != nil,
      "skipped: no libwebp or no data"))
  func samplesEqualOtherReaders() throws {
    let table = String(
      decoding: try #require(SharedData.bytes("data/formats2/expected.tsv")), as: UTF8.self)
    var pictures: [String: SourceImage] = [:]
    var rows = 0
    for line in table.split(separator: "\n") where line.hasPrefix("webp/") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if pictures[cells[0]] == nil {
        pictures[cells[0]] = try decodeImage(
          try #require(SharedData.bytes("data/formats2/" + cells[0])))
      }
      let image = try #require(pictures[cells[0]]).image
      let x = try #require(Int(cells[5]))
      let y = try #require(Int(cells[6]))
      let wanted = cells[7...].compactMap { Int($0) }
      let planes = image.channels + (image.alpha.map { [$0] } ?? [])
      let found = planes.map {
        Int(
          $0.buffer.base.load(
            fromByteOffset: $0.offset + y * $0.rowBytes + x * $0.stepBytes, as: UInt8.self))
      }
      #expect(Array(found.prefix(wanted.count)) == wanted, "\(line): \(found)")
      rows += 1
    }
    #expect(rows == 60 && pictures.count == 6)
    let rich = try #require(pictures["webp/icc_exif6_xmp_64x48.webp"])
    #expect(rich.color.icc != nil && rich.xmp != nil && rich.geometry.orientation == .right)
    #expect(pictures["webp/lossless_alpha_64x48.webp"]?.image.alpha != nil)
    #expect(pictures["webp/anim_64x48.webp"]?.warnings.map(\.code) == ["animation.first-frame"])
  }

  @Test(
    "malformed files are typed errors",
    .enabled(if: SharedData.url("data/formats2/malformed") != nil, "skipped: no data"))
  func malformedFilesAreTyped() throws {
    for (name, code) in [
      "cut": "decode.truncated", "riff_size": "decode.truncated", "vp8x_canvas": "decode.limit",
    ] {
      let bytes = try #require(SharedData.bytes("data/formats2/malformed/dwebp_\(name).webp"))
      switch Self.read(bytes) {
      case .success: Issue.record("\(name) is read")
      case .failure(let error): #expect(error.code == code, "\(name): \(error)")
      }
    }
  }
}
