import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

@Suite struct RadianceTests {
  private static func vectors(_ group: String) throws -> [[String: Any]] {
    let root = try #require(SharedData.json("specs/formats-2026-vectors.json"))
    if let one = root[group] as? [String: Any] { return [one] }
    return try #require(root[group] as? [[String: Any]])
  }

  /// A file of plain pixels or of what is given as its lines.
  static func file(
    _ header: [String] = ["FORMAT=32-bit_rle_rgbe"], size: String = "-Y 1 +X 2",
    _ lines: [UInt8] = [128, 64, 32, 129, 128, 128, 128, 128]
  ) -> [UInt8] {
    Array((["#?RADIANCE"] + header + ["", size, ""]).joined(separator: "\n").utf8) + lines
  }

  private static func matrix(_ source: SourceImage) -> [Double]? {
    if case .matrixTRC(_, let rows, _) = source.color.encoding { rows } else { nil }
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func sharedFilesHaveTheLightOfOtherReaders() throws {
    let files = PlainExpectations.files("radiance")
    #expect(files.count >= 17)
    for (name, rows) in files {
      let source = try Plain.read(try PlainExpectations.bytes(name))
      for row in rows {
        let values = row.values
        let light = row.what.hasPrefix("codes") ? (0..<3).map { values[$0] * exp2(values[3] - 136) } : values
        let isBlack = row.what.hasPrefix("codes") && values[3] == 0
        let found =
          row.what.hasPrefix("linear") ? Plain.stored(source, row.x, row.y) : Plain.shown(source, row.x, row.y)
        for (a, b) in zip(found, light) {
          let expected = isBlack ? 0 : Plain.bounded(b)
          #expect(abs(a - expected) <= 1e-6 * abs(expected), "\(name) \(row.what) \(row.x),\(row.y): \(a), \(expected)")
        }
      }
    }
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func wordsAreThoseOfTheVectors() throws {
    for vector in try Self.vectors("rgbe") {
      let word = hexBytes(try #require(vector["word"] as? String)), values = try #require(vector["value"] as? [Double])
      #expect((0..<3).map { Double(Float(word[$0]) * RGBE.steps[Int(word[3])]) } == values)
    }
    for vector in try Self.vectors("rgbe_encode") {
      let value = try #require(vector["value"] as? [Double]).map(Float.init)
      let exponent = RGBE.exponent(value.max() ?? 0)
      let word = value.map { Int(RGBE.mantissa($0, exponent)) } + [exponent]
      #expect(word == (try #require(vector["word"] as? [Int])), "\(value)")
    }
    let vector = try Self.vectors("radiance_rle")[0]
    let head = hexBytes(try #require(vector["header_width10"] as? String))
    for kind in ["old", "new"] {
      let source = try Plain.read(head + hexBytes(try #require(vector[kind] as? String)))
      for x in 0..<10 {
        let word: [Double] = x < 9 ? [16, 32, 48, 130] : [1, 2, 3, 128]
        #expect(Plain.stored(source, x, 0) == word.prefix(3).map { $0 * exp2(word[3] - 136) }, "\(kind) \(x)")
      }
    }
  }

  @Test("the eight forms of the size turn the picture as they say")
  func sizesSayOrientations() throws {
    let pixel: [UInt8] = [128, 128, 128, 129]
    for (size, orientation) in [
      ("-Y 3 +X 2", .up), ("-Y 3 -X 2", .upMirrored), ("+Y 3 -X 2", .down), ("+Y 3 +X 2", .downMirrored),
      ("+X 2 -Y 3", .leftMirrored), ("-X 2 -Y 3", .right), ("-X 2 +Y 3", .rightMirrored), ("+X 2 +Y 3", .left),
    ] as [(String, Orientation)] {
      let source = try Plain.read(Self.file(size: size, [UInt8](repeatElement(pixel, count: 6).joined())))
      #expect(source.geometry.orientation == orientation, "\(size)")
      #expect((source.geometry.outputWidth, source.geometry.outputHeight) == (2, 3), "\(size)")
    }
  }

  @Test func exposuresAreKeptOrDividedAsTheCallerSays() throws {
    let file = Self.file([
      "EXPOSURE=2.0", "EXPOSURE= 0.5", "EXPOSURE=4", "COLORCORR= 1 2 0.5", "FORMAT=32-bit_rle_rgbe",
    ])
    let kept = try Plain.read(file)
    #expect(Plain.codes(kept) == ["hdr.exposure"] && "\(kept.warnings[0].message)".contains("4, 8, 2 times"))
    #expect(kept.color.encoding == .cicp(primaries: 1, transfer: 8) && Plain.stored(kept, 0, 0) == [1, 0.5, 0.25])
    #expect(kept.header.filter { $0.name == "EXPOSURE" }.map(\.text) == ["2.0", "0.5", "4"])
    let applied = try Plain.read(file) { $0.reading.plain.exposure = .apply }
    #expect(Plain.codes(applied).isEmpty && Plain.stored(applied, 0, 0) == [1, 0.5, 0.25])
    let scaled = try #require(Self.matrix(applied)), plain = try #require(Primaries.bt709.matrix(to: .bt2020)).rows
    for (index, value) in scaled.enumerated() {
      #expect(abs(value - plain[index] / [4, 8, 2][index % 3]) < 1e-12)
    }
    let calibrated = try Plain.read(Self.file()) { $0.reading.plain.white = 406 }
    #expect(
      try #require(Self.matrix(calibrated)).enumerated().allSatisfy { abs($0.element - 2 * plain[$0.offset]) < 1e-12 })
  }

  @Test func primariesAreThoseOfTheFileOrTheCaller() throws {
    let p3 = Self.file(["PRIMARIES= 0.680 0.320 0.265 0.690 0.150 0.060 0.3127 0.3290", "FORMAT=32-bit_rle_rgbe"])
    #expect(try Plain.read(p3).color.encoding == .cicp(primaries: 12, transfer: 8))
    #expect(try Plain.read(p3).color.cicp?.primaries == 12)
    #expect(try Plain.read(Self.file()).color.cicp == nil)
    let stated = try Plain.read(p3) { $0.reading.raw = RawDescription(primaries: 9, transfer: 8) }
    #expect(stated.color.encoding == .cicp(primaries: 9, transfer: 8))
    #expect(
      Plain.error(p3) { $0.reading.raw = RawDescription(primaries: 9, transfer: 16) }?.code == "decode.undescribed")
    // White of XYZ is D65: its light is white in BT.2020.
    let xyz = try #require(Self.matrix(try Plain.read(Self.file(["FORMAT=32-bit_rle_xyze"]))))
    let white = Matrix3(xyz) * Primaries.xyz(Primaries.d65)
    #expect(white.allSatisfy { abs($0 - 1) < 1e-9 })
  }

  @Test func oddHeadersAreReadWithAWarning() throws {
    for (header, codes) in [
      ([], ["hdr.format"]), (["GAMMA=2.2", "FORMAT=32-bit_rle_rgbe"], ["hdr.gamma"]),
      (["PIXASPECT=2", "FORMAT=32-bit_rle_rgbe"], ["hdr.aspect"]),
      (
        ["EXPOSURE=0", "EXPOSURE=nan", "EXPOSURE=1e400", "FORMAT=32-bit_rle_rgbe"],
        ["hdr.ignored", "hdr.ignored", "hdr.ignored"]
      ),
      (["PRIMARIES=0 0 0 0 0 0 0 0", "FORMAT=32-bit_rle_rgbe"], ["hdr.ignored"]),
      (["COLORCORR=1 2", "FORMAT=32-bit_rle_rgbe"], ["hdr.ignored"]),
      (["PRIMARIES=0.64 0.33 0.3 0.6 0.15 0.06 0.3127 0.329", "FORMAT=32-bit_rle_xyze"], ["hdr.ignored"]),
      (["# a comment", "GAMMA=1", "pfilt -x 512", "VIEW= -vtv", "FORMAT=32-bit_rle_rgbe\r"], []),
    ] as [([String], [String])] {
      #expect(Plain.codes(try Plain.read(Self.file(header))) == codes, "\(header)")
    }
  }

  @Test func bytesBehindTheLastLineAreNamed() throws {
    #expect(try decodeImage(Self.file() + [1, 2]).warnings.map(\.code) == ["hdr.trailing"])
    #expect(try decodeImage(Self.file()).warnings.isEmpty)
  }

  @Test("lines that do not fit, and headers that say nothing of use, are errors")
  func faultsAreErrors() {
    let runs: [UInt8] = [2, 2, 0, 8]
    func expect(_ file: [UInt8], _ code: String) {
      #expect(Plain.error(file)?.code == code, "\(String(decoding: file.prefix(48), as: UTF8.self))")
    }
    expect(Self.file(size: "-Y 1 +X 8", runs + [137, 1]), "decode.malformed")
    expect(Self.file(size: "-Y 1 +X 8", runs + [0, 1]), "decode.malformed")
    expect(Self.file(size: "-Y 1 +X 8", [2, 2, 0, 9, 136, 1]), "decode.malformed")
    expect(Self.file(size: "-Y 1 +X 8", runs + [136, 1, 3, 1]), "decode.truncated")
    expect(Self.plain([1, 1, 1, 1]), "decode.malformed")
    expect(Self.plain([9, 9, 9, 9, 1, 1, 1, 2]), "decode.malformed")
    expect(
      Self.file(size: "-Y 1 +X 3", [9, 9, 9, 9, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0]),
      "decode.malformed")
    expect(Self.plain([9, 9, 9, 9]), "decode.truncated")
    expect(Self.file(size: "-Y 1 +X -2"), "decode.malformed")
    expect(Self.file(size: "-Y 1 +Y 2"), "decode.malformed")
    expect(Self.file(size: "-Y 0 +X 2"), "decode.malformed")
    expect(Self.file(size: "-Y 99999999999999999999 +X 2"), "decode.malformed")
    expect(Self.file(size: "-Y 70000 +X 70000"), "decode.limit")
    expect(Self.file(size: "-Y 60000 +X 60000"), "decode.limit")
    expect(Self.file(size: "-Y 3 +X 2"), "decode.truncated")
    expect(Self.file(["FORMAT=64-bit"]), "decode.unsupported")
    expect(Self.file([String(repeating: "a", count: 5000)]), "decode.malformed")
    expect(Self.file([String](repeating: "a=1", count: 20_000)), "decode.malformed")
    expect(Array("#?RADIANCE\n".utf8), "decode.truncated")
  }

  private static func plain(_ pixels: [UInt8]) -> [UInt8] { file(["FORMAT=32-bit_rle_rgbe"], pixels) }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data"))
  func malformedFilesHaveTheirCodes() throws {
    for (name, code) in [
      ("cut", "decode.truncated"), ("dump0", "decode.malformed"), ("exposure0", nil), ("huge", "decode.limit"),
      ("line_1mb", "decode.malformed"), ("negative", "decode.malformed"), ("no_blank", "decode.malformed"),
      ("oldrle_first", "decode.malformed"), ("oldrle_shift", "decode.malformed"), ("primaries_bad", nil),
      ("run_over", "decode.malformed"),
    ] as [(String, String?)] {
      let bytes = try PlainExpectations.bytes("malformed/dhdr_\(name).hdr")
      #expect(Plain.error(bytes)?.code == code, "\(name): \(String(describing: Plain.error(bytes)))")
    }
    let softimage = Plain.error(try PlainExpectations.bytes("radiance/softimage_4x4-alpha.pic"))
    #expect(softimage == .unsupported(feature: "file format", found: "Softimage PIC"))
  }

  // MARK: Writing

  /// A picture of light, with columns of equal pixels.
  private static func picture(_ width: Int, _ height: Int) -> SampleImage {
    let image = SampleImage.planar(width: width, height: height, model: .rgb, format: .float32, bitDepth: 32)
    for (channel, plane) in image.channels.enumerated() {
      for y in 0..<height {
        for x in 0..<width { plane.floats(y)[x] = Float((x / 9 + channel) % 7) * exp2(Float(y % 23) - 12) }
      }
    }
    return image
  }

  private static func request(_ image: SampleImage, primaries: Int = 1) -> EncodeRequest {
    EncodeRequest(
      kind: .hdr, image: image, hasAlpha: false, cicp: CICP(primaries, 8, 0, full: true), contentHeadroom: 4,
      displayHeadroom: 4)
  }

  @Test("a written picture is read again with the words it was given", arguments: [1, 7, 8, 9, 127, 300])
  func writtenFilesAreReadAgain(width: Int) throws {
    let image = Self.picture(width, 25), files = try encodeImage(Self.request(image))
    try verifyEncoded(files, Self.request(image))
    let again = try Plain.read(files.main)
    #expect(files.warnings.isEmpty && again.color.encoding == .cicp(primaries: 1, transfer: 8))
    for y in 0..<25 {
      for x in 0..<width {
        let light = image.channels.map { $0.floats(y)[x] }, step = RGBE.steps[RGBE.exponent(light.max() ?? 0)]
        for (a, b) in zip(Plain.stored(again, x, y), light) {
          #expect(a <= Double(b) && Double(b) < a + Double(step) + 1e-30, "\(x),\(y)")
        }
      }
    }
    // Words that were read are written as they are.
    #expect(try encodeImage(Self.request(again.image)).main == files.main)
    if width == 300 { #expect(files.main.count < 300 * 25 * 2) }
  }

  @Test(.enabled(if: PlainExpectations.isHere, "skipped: no data")) func runsAreThoseOfTheVector() throws {
    let vector = try Self.vectors("radiance_rle")[0], image = Self.picture(10, 1)
    for x in 0..<10 {
      let word: [Float] = x < 9 ? [16, 32, 48, 130] : [1, 2, 3, 128]
      // Words of a picture have a mantissa of 128 or more: 64, 128, 192 for both, with exponents of their own.
      for channel in 0..<3 { image.channels[channel].floats(0)[x] = word[channel] * exp2(word[3] - 136) }
    }
    let file = try encodeImage(Self.request(image)).main
    let head = hexBytes(try #require(vector["header_width10"] as? String))
    #expect(file.starts(with: head))
    #expect(try Plain.read(file).image.channels[2].floats(0)[9] == 3 * exp2(Float(-8)))
    #expect(Array(file.dropFirst(head.count)) == [2, 2, 0, 10, 138, 64, 138, 128, 138, 192, 137, 128, 1, 122])
  }

  @Test func negativeComponentsAreCounted() throws {
    let image = Self.picture(9, 1)
    image.channels[1].floats(0)[3] = -1
    // Less than a step of the pixel is no colour that was lost.
    image.channels[1].floats(0)[4] = -1e-9
    let files = try encodeImage(Self.request(image))
    #expect(files.warnings.map(\.code) == ["gamut.clipped"] && "\(files.warnings[0].message)".hasPrefix("1 pixels"))
    #expect(Plain.stored(try Plain.read(files.main), 3, 0)[1] == 0)
  }

  @Test func otherPrimariesAreStated() throws {
    let files = try encodeImage(Self.request(Self.picture(8, 2), primaries: 9))
    #expect(try Plain.read(files.main).color.cicp?.primaries == 9)
    #expect(
      String(decoding: files.main, as: UTF8.self).contains(
        "\nPRIMARIES=0.708 0.292 0.17 0.797 0.131 0.046 0.3127 0.329\n"))
    var acescg = Self.request(Self.picture(8, 2))
    acescg.space = NamedSpace.named("ACEScg")
    try verifyEncoded(try encodeImage(acescg), acescg)
    acescg.space = NamedSpace.named("CIE XYZ-D65 - Scene-referred")
    #expect(throws: EncodeError.self) { try encodeImage(acescg) }
  }
}
