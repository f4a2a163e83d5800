import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// PNM, BMP and QOI.
@Suite struct SimpleFormatTests {
  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func sharedFilesHaveTheirTruth() throws {
    let files = PlainExpectations.files("simple")
    #expect(files.count == 4)
    for (name, rows) in files {
      let source = try Plain.read(try PlainExpectations.bytes(name))
      #expect(source.color.encoding == .cicp(primaries: 1, transfer: 13) && source.color.cicp == nil)
      for row in rows { #expect(Plain.shown(source, row.x, row.y) == row.values, "\(name) \(row.x),\(row.y)") }
      let stated = try Plain.read(try PlainExpectations.bytes(name)) {
        $0.reading.raw = RawDescription(primaries: 12, transfer: 13)
      }
      #expect(stated.color.cicp?.primaries == 12)
    }
  }

  // MARK: PNM

  private static func pnm(_ header: String, _ samples: [UInt8]) -> [UInt8] { Array(header.utf8) + samples }

  @Test("codes of 8, 10, 12 and 16 bits stay, others are scaled to 8 or 16")
  func largestValuesDecideTheDepth() throws {
    for (header, samples, values, bits, stated) in [
      ("P5 2 1 255\n", [7, 255], [7, 255], 8, 8), ("P5\n# a\n2 1\n#b\n1\n", [0, 1], [0, 255], 8, 1),
      ("P5 2 1 100 ", [50, 100], [128, 255], 8, 7), ("P5 2 1 1023\n", [3, 255, 0, 9], [1023, 9], 10, 10),
      ("P5 2 1 1000\n", [3, 232, 0, 1], [65_535, 66], 16, 10), ("P5 2 1 65535\n", [1, 2, 3, 4], [258, 772], 16, 16),
      ("P5 2 1 256\n", [1, 0, 0, 1], [65_535, 256], 16, 9),
    ] as [(String, [UInt8], [Double], Int, Int)] {
      let source = try Plain.read(Self.pnm(header, samples))
      #expect([0, 1].flatMap { Plain.stored(source, $0, 0) } == values, "\(header)")
      #expect(source.image.bitDepth == bits && source.bitDepth == stated && source.image.model == .grey, "\(header)")
    }
    let color = try Plain.read(Self.pnm("P6 1 1 255 ", [1, 2, 3, 4]))
    #expect(Plain.stored(color, 0, 0) == [1, 2, 3] && Plain.codes(color) == ["pnm.trailing"])
  }

  // MARK: BMP

  private struct Bitmap {
    var width = 2, height = 2, depth = 24, compression = 0, headerSize = 40, offset: Int?
    /// The bytes behind the first 40 of the header.
    var more: [UInt8] = []
    var data: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]

    init(_ change: (inout Bitmap) -> Void = { _ in }) { change(&self) }

    static func u32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    var bytes: [UInt8] {
      let start = offset ?? 54 + more.count
      var bytes = Array("BM".utf8)
      for number in [0, 0, start, headerSize, width, height] { bytes += Self.u32(number) }
      bytes += [1, 0, UInt8(depth), 0]
      bytes += Self.u32(compression)
      bytes += [UInt8](repeating: 0, count: 20)
      return bytes + more + data
    }
  }

  @Test func bitmapsAreReadUpwardsAndDownwards() throws {
    let up = try Plain.read(Bitmap().bytes), down = try Plain.read(Bitmap { $0.height = -2 }.bytes)
    #expect(Plain.stored(up, 0, 0) == [9, 8, 7] && Plain.stored(up, 1, 1) == [6, 5, 4])
    #expect(Plain.stored(down, 0, 0) == [3, 2, 1] && down.header == [HeaderField("rows", "top-down")])
    let wide = try Plain.read(Bitmap { ($0.depth, $0.data) = (32, [UInt8](0..<16)) }.bytes)
    #expect(Plain.stored(wide, 0, 1) == [2, 1, 0] && wide.image.alpha == nil)
    let short = try Plain.read(Bitmap { ($0.depth, $0.data) = (16, [0xFF, 0x7F, 0x1F, 0, 0, 0, 0xE0, 3]) }.bytes)
    #expect(Plain.stored(short, 0, 1) == [255, 255, 255] && Plain.stored(short, 1, 1) == [0, 0, 255])
    #expect(Plain.stored(short, 1, 0) == [0, 255, 0])
  }

  @Test("masks say where channels lie, and how many bits they have")
  func masksSayWhereChannelsLie() throws {
    func masks(_ values: Int...) -> [UInt8] { values.flatMap(Bitmap.u32) }
    let alpha = try Plain.read(
      Bitmap {
        ($0.width, $0.height, $0.depth, $0.compression, $0.headerSize) = (1, 1, 32, 3, 56)
        ($0.more, $0.data) = (masks(0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000), [1, 2, 3, 4])
      }.bytes)
    #expect(Plain.stored(alpha, 0, 0) == [1, 2, 3, 4])
    let ten = try Plain.read(
      Bitmap {
        ($0.width, $0.height, $0.depth, $0.compression) = (1, 1, 32, 3)
        ($0.more, $0.data) = (masks(0x3FF0_0000, 0xF_FC00, 0x3FF, 0), [0xFF, 0x03, 0x00, 0x20])
      }.bytes)
    #expect(ten.image.bitDepth == 16 && Plain.stored(ten, 0, 0) == [(512.0 * 65_535 / 1023).rounded(), 0, 65_535])
    for wrong in [masks(0, 0xFF00, 0xFF, 0), masks(0xFF00, 0xFF00, 0xFF, 0), masks(0xFF00FF, 0xFF00, 0xFF00_0000, 0)] {
      let file = Bitmap { ($0.depth, $0.compression, $0.more) = (32, 3, wrong) }
      #expect(Plain.error(file.bytes)?.code == "decode.malformed")
    }
  }

  @Test func bitmapsSayTheirColours() throws {
    func version5(_ kind: String, profile: [UInt8] = []) -> [UInt8] {
      var more = [UInt8](repeating: 0, count: 84)
      more.replaceSubrange(16..<20, with: kind.utf8.reversed())
      more.replaceSubrange(72..<80, with: Bitmap.u32(124 + 16) + Bitmap.u32(profile.count))
      return more
    }
    for (kind, codes) in [("sRGB", []), ("Win ", []), ("LINK", ["bmp.colour"]), ("MBED", ["bmp.colour"])] {
      // A profile that is longer than the file is none.
      let profile = [UInt8](repeating: 0, count: kind == "MBED" ? 4000 : 0)
      let source = try Plain.read(Bitmap { ($0.headerSize, $0.more) = (124, version5(kind, profile: profile)) }.bytes)
      #expect(Plain.codes(source) == codes, "\(kind)")
    }
    let p3 = try #require(ICCProfileWriter.profile(primaries: 12, transfer: 13))
    let file = Bitmap {
      ($0.headerSize, $0.more) = (124, version5("MBED", profile: p3))
      $0.data += p3
    }
    #expect(try Plain.read(file.bytes).color.icc == p3)
    #expect(try Plain.read(file.bytes) { $0.reading.raw = RawDescription(primaries: 9, transfer: 16) }.color.icc == nil)
  }

  // MARK: QOI

  private static func qoi(
    _ width: Int, _ height: Int, channels: UInt8 = 4, space: UInt8 = 0, _ data: [UInt8]
  ) -> [UInt8] {
    var bytes = Array("qoif".utf8)
    for number in [width, height] { bytes += Bitmap.u32(number).reversed() }
    bytes += [channels, space]
    bytes += data
    bytes += [0, 0, 0, 0, 0, 0, 0, 1]
    return bytes
  }

  @Test func everyKindOfPixelOfQOIIsRead() throws {
    // A whole pixel, a run of two, a small difference, one by green, R G B alone, one that was seen.
    // The place of the first pixel is (3 · 10 + 5 · 20 + 7 · 30 + 11 · 40) mod 64 = 12.
    let data: [UInt8] = [0xFF, 10, 20, 30, 40, 0xC1, 0x7A, 0xA8, 0x96, 0xFE, 1, 2, 3, 12]
    let source = try Plain.read(Self.qoi(7, 1, data))
    #expect(Plain.stored(source, 0, 0) == [10, 20, 30, 40])
    #expect(Plain.stored(source, 1, 0) == [10, 20, 30, 40] && Plain.stored(source, 2, 0) == [10, 20, 30, 40])
    #expect(Plain.stored(source, 3, 0) == [11, 20, 30, 40])
    #expect(Plain.stored(source, 4, 0) == [20, 28, 36, 40])
    #expect(Plain.stored(source, 5, 0) == [1, 2, 3, 40] && Plain.stored(source, 6, 0) == [10, 20, 30, 40])
    #expect(try decodeImage(Self.qoi(7, 1, data + [1, 2])).warnings.map(\.code) == ["qoi.trailing"])
    let linear = try Plain.read(Self.qoi(1, 1, channels: 3, space: 1, [0xFE, 1, 2, 3]))
    #expect(linear.color.encoding == .cicp(primaries: 1, transfer: 8) && linear.image.alpha == nil)
  }

  @Test func faultsAreErrors() {
    func expect(_ file: [UInt8], _ code: String) {
      #expect(Plain.error(file)?.code == code, "\(String(decoding: file.prefix(48), as: UTF8.self))")
    }
    expect(Self.pnm("P5 2 1 0\n", [1, 2]), "decode.malformed")
    expect(Self.pnm("P5 2 1 70000\n", [1, 2]), "decode.malformed")
    expect(Self.pnm("P5 2 x 255\n", [1, 2]), "decode.malformed")
    expect(Self.pnm("P5 0 1 255\n", [1, 2]), "decode.malformed")
    expect(Self.pnm("P5 2 1 100\n", [1, 101]), "decode.malformed")
    expect(Self.pnm("P5 2 2 255\n", [1, 2]), "decode.truncated")
    expect(Self.pnm("P5 2 1", []), "decode.truncated")
    expect(Self.pnm("P6 60000 60000 255\n", []), "decode.limit")
    expect(Self.pnm("P5 " + String(repeating: "#\n", count: 40_000), []), "decode.malformed")
    expect(Self.pnm("P5 99999999999 1 255\n", []), "decode.malformed")
    expect(Self.pnm("P7\n", []), "decode.unsupported")
    expect(Bitmap { $0.compression = 1 }.bytes, "decode.unsupported")
    expect(Bitmap { $0.depth = 8 }.bytes, "decode.unsupported")
    expect(Bitmap { $0.headerSize = 12 }.bytes, "decode.unsupported")
    expect(Bitmap { $0.height = 3 }.bytes, "decode.truncated")
    expect(Bitmap { $0.width = -2 }.bytes, "decode.malformed")
    expect(Bitmap { $0.offset = 20 }.bytes, "decode.malformed")
    expect(Bitmap { $0.height = Int(Int32.min) }.bytes, "decode.limit")
    expect(Bitmap { $0.offset = 0xFFFF_FFFF }.bytes, "decode.truncated")
    expect(Array(Bitmap().bytes.prefix(30)), "decode.truncated")
    expect(Self.qoi(7, 1, [0xFE, 1]), "decode.truncated")
    expect(Self.qoi(7, 7, channels: 5, []), "decode.malformed")
    expect(Self.qoi(0, 7, []), "decode.malformed")
    expect(Self.qoi(60_000, 60_000, []), "decode.limit")
    expect(Self.qoi(10_000, 10_000, []), "decode.truncated")
    expect(Array("qoif".utf8), "decode.truncated")
  }
}
