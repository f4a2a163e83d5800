import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests the flattening of deep OpenEXR files.
@Suite struct EXRDeepTests {
  private static let channels =
    ["R", "G", "B", "A"].map { EXRBuilder.Channel(name: $0) }
    + [EXRBuilder.Channel(name: "Z", type: 2)]

  /// One sample by A, B, G, R, Z.
  private func file(tile: Int? = nil, _ deep: @escaping @Sendable (Int, Int) -> [[Float]]) -> [UInt8] {
    var part = EXRBuilder.Part(Self.channels, data: [-1, 2, 3, 5], display: [0, 2, 2, 5])
    (part.tile, part.deep) = (tile, deep)
    return EXRBuilder(parts: [part]).bytes
  }

  @Test("deep files of another program are flattened as numpy does", arguments: [false, true])
  func foreignFiles(isTiled: Bool) throws {
    let source = try EXRTests.read(isTiled ? EXRFiles.deepTiles : EXRFiles.deepScanLines)
    #expect(source.warnings.map(\.code) == ["exr.deep", "ocio.guess"])
    for y in 0..<3 {
      for x in 0..<5 { #expect(EXRTests.pixel(source, x, y) == EXRFiles.flattened[5 * y + x], "\(x), \(y)") }
    }
  }

  @Test("samples lie over each other by depth, in either layout", arguments: [nil, 3])
  func depthDecides(tile: Int?) throws {
    let bytes = file(tile: tile) { x, y in
      // Behind an opaque sample nothing is seen; a half transparent one in front lets half through.
      x == y ? [] : [[1, 1, 1, 1, 9], [0.5, 0, 0.25, Float(x), 2], [1, 0.5, 0, Float(y), 5]]
    }
    let source = try EXRTests.read(bytes)
    #expect(source.image.width == 3 && source.image.format == .float32 && source.image.alphaIsPremultiplied)
    for y in 0..<4 {
      for x in 0..<3 {
        let expected: [Float] = x == y + 2 ? [0, 0, 0, 0] : [Float(x) + Float(y + 2) / 2, 0.25, 0.25, 1]
        #expect(EXRTests.pixel(source, x, y) == expected, "\(x), \(y)")
      }
    }
  }

  @Test func samplesThatAreNotFiniteAreCounted() throws {
    let odd: [[Float]] = [[1, .nan, 0, -.infinity, 1], [.nan, 0, 0, 0, .nan]]
    let source = try EXRTests.read(file { x, _ in x == 2 ? odd : [] })
    #expect(source.image.madeFinite == 4 * 3)
  }

  @Test func theNearestSampleIsThatOfADepthChannel() throws {
    let source = try EXRTests.read(file { _, _ in [[1, 0, 0, 0, 9], [1, 0, 0, 0, 4]] }) { $0.reading.picture = "Z" }
    #expect(source.image.model == .grey && EXRTests.pixel(source, 1, 1) == [4])
  }

  @Test func flatPartsComeBeforeDeepOnes() throws {
    var deep = EXRBuilder.Part(Self.channels, data: [0, 0, 1, 1])
    (deep.name, deep.deep) = ("deep", { _, _ in [[1, 0.5, 0.5, 0.5, 1]] })
    var flat = EXRBuilder.Part(EXRBuilder.constants(["Y": 3]), data: [0, 0, 1, 1])
    flat.name = "flat"
    let bytes = EXRBuilder(parts: [deep, flat]).bytes
    #expect(EXRTests.pixel(try EXRTests.read(bytes), 0, 0) == [3])
    let source = try EXRTests.read(bytes) { $0.reading.picture = "deep" }
    #expect(EXRTests.pixel(source, 1, 1) == [0.5, 0.5, 0.5, 1])
    #expect(source.pictures[0].note == "deep half, uncompressed")
  }

  @Test func deepFilesThatAreDamagedAreErrors() throws {
    let whole = file { _, _ in [[1, 0, 0, 0, 9]] }
    for count in stride(from: 4, to: whole.count, by: 7) {
      #expect(EXRTests.refused(Array(whole[..<count])) != nil, "\(count) bytes")
    }
    // The first chunk: row, three sizes, numbers.
    let start = whole.count - 4 * (4 + 24 + 4 * 5 + 5 * 12)
    for (at, value) in [(4, 255), (12, 1), (20, 1), (20, 255), (28, 9), (32, 0), (47, 128)] {
      var file = whole
      file[start + at] = UInt8(value)
      #expect(EXRTests.refused(file) != nil, "byte \(at)")
    }
    var huge = whole
    huge[start + 20 + 4] = 255
    #expect(EXRTests.refused(huge)?.code == "decode.limit")
    var part = EXRBuilder.Part(Self.channels, data: [0, 0, 1, 1])
    (part.deep, part.compression) = ({ _, _ in [] }, 4)
    #expect(EXRTests.refused(EXRBuilder(parts: [part]).bytes).map { "\($0)" }?.contains("deep OpenEXR") == true)
  }
}
