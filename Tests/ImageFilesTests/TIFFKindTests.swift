import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Kinds of TIFF samples beside unsigned integers and the usual floats.
@Suite(.enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct TIFFKindTests {
  typealias Entries = [(tag: Int, type: Int, values: [UInt64])]

  private func floats(_ image: SampleImage) -> [Float] {
    TIFFTests.codes(image).map { Float(bitPattern: UInt32($0)) }
  }

  /// Makes a file of one strip of these bytes, described by the entries.
  private func file(_ bytes: [UInt8], _ entries: Entries, without: Set<Int> = []) -> [UInt8] {
    var builder = TIFFTests.builder(bytes.count, 1, channels: 1, bits: 8) {
      $0.samples = bytes.map { UInt64($0) }
      $0.block = .strips(rows: 1)
    }
    builder.extra = entries
    builder.without = without
    return builder.bytes
  }

  // MARK: Integers

  /// A smooth picture of 11x6 pixels in signed integers of `bits`, and its upper 8 or 16 bits.
  private func signed(
    _ bits: Int, from least: Int, _ change: (inout TIFFBuilder) -> Void = { _ in }
  ) -> (builder: TIFFBuilder, codes: [Int]) {
    let kept = bits == 8 ? 8 : 16, step = bits == 8 ? 1 : 256
    let codes = (0..<11 * 6 * 3).map { (at: Int) -> Int in (least + at / 3 % 11 * 6 + at / 33 * 9 + at % 3) * step }
    let builder = TIFFTests.builder(11, 6, channels: 3, bits: bits) {
      $0.sampleFormat = 2
      $0.samples = codes.map { (code: Int) -> UInt64 in
        UInt64(truncatingIfNeeded: code << (bits - kept)) & (bits == 64 ? .max : 1 << UInt64(bits) - 1)
      }
      change(&$0)
    }
    return (builder, codes)
  }

  @Test("the largest signed code is white, and what is below 0 becomes 0 with a warning", arguments: [8, 16, 32, 64])
  func signedIntegers(bits: Int) throws {
    for (isPlanar, isTiled) in [(false, false), (true, true)] {
      let (builder, codes) = signed(bits, from: -20) {
        $0.isPlanar = isPlanar
        if isTiled { $0.block = .tiles(width: 16, height: 16) }
      }
      let source = try TIFFTests.read(builder), most = bits == 8 ? 127.0 : 32_767
      let expected = codes.map { (code: Int) -> UInt64 in
        UInt64((Double(max(0, code)) / most * (bits == 8 ? 255 : 65_535)).rounded())
      }
      #expect(TIFFTests.codes(source.image) == expected && source.image.bitDepth == (bits == 8 ? 8 : 16))
      let below = codes.count { $0 < 0 }
      let warning = try #require(source.warnings.first { $0.code == "tiff.negative" })
      #expect("\(warning.message)" == "\(below) samples below 0 became 0")
    }
    let bright = TIFFTests.builder(2, 1, channels: 1, bits: 16) {
      $0.sampleFormat = 2
      $0.samples = [32_767, 0]
    }
    let source = try TIFFTests.read(bright)
    #expect(TIFFTests.codes(source.image) == [65_535, 0] && source.warnings.isEmpty)
  }

  @Test("unsigned integers that are marked as signed are read as what they are", arguments: [8, 16, 32, 64])
  func wronglySigned(bits: Int) throws {
    let (builder, codes) = signed(bits, from: 90), source = try TIFFTests.read(builder)
    let wrap = bits == 8 ? 255 : 65_535
    #expect(codes.contains { $0 > wrap / 2 })
    let expected = codes.map { (code: Int) -> UInt64 in UInt64(code & wrap) }
    #expect(TIFFTests.codes(source.image) == expected && source.warnings.map(\.code) == ["tiff.signed"])
  }

  @Test("integers of 24 and 64 bits become the nearest of 16", arguments: [24, 64])
  func longIntegers(bits: Int) throws {
    for isLittleEndian in [true, false] {
      let builder = TIFFTests.builder(9, 4, channels: 3, bits: bits) { $0.isLittleEndian = isLittleEndian }
      let most = bits == 24 ? 16_777_215.0 : 18_446_744_073_709_551_615.0
      let expected = builder.samples.map { (code: UInt64) -> UInt64 in UInt64((Double(code) / most * 65_535).rounded())
      }
      #expect(TIFFTests.codes(try TIFFTests.read(builder).image) == expected)
    }
  }

  @Test("signed integers are no palette, no inks, no Lab and not inverted", arguments: [0, 3, 5, 6, 8])
  func signedColours(photometric: Int) {
    let text = TIFFTests.refusal(
      TIFFTests.builder(4, 4, channels: 4, bits: 8) {
        $0.sampleFormat = 2
        $0.photometric = photometric
      })
    #expect(text.contains("TIFF of this depth") && text.contains("8-bit signed integers"), "\(text)")
  }

  // MARK: Floats

  @Test("floats of 24 bits are exact, in both orders and with a predictor")
  func shortFloats() throws {
    // 1, -1.5, 2^-62 (the smallest normal one), the largest below 2^-62, 0, infinity, a NaN, 65504, 0.5.
    let bits: [UInt64] = [
      0x3F_0000, 0xBF_8000, 0x01_0000, 0x00_FFFF, 0, 0x7F_0000, 0x7F_0001, 0x4E_FFC0, 0x3E_0000,
    ]
    // Below 2^-30 light is none.
    let expected: [Float] = [1, -1.5, 0, 0, 0, 65_504, 0, 65_504, 0.5]
    for variant in 0..<4 {
      let builder = TIFFTests.builder(3, 3, channels: 1, bits: 24, float: true) {
        $0.samples = bits
        $0.isLittleEndian = variant & 1 == 0
        $0.isDeflate = variant & 2 != 0
        $0.predictor = variant & 2 != 0 ? 3 : 1
      }
      let source = try TIFFTests.read(builder)
      #expect(floats(source.image) == expected && source.color.encoding == .cicp(primaries: 1, transfer: 8))
    }
  }

  // MARK: Logarithms

  /// Returns the entries of a picture of 3 pixels.
  private func logarithm(_ photometric: UInt64, _ compression: UInt64, channels: Int, _ more: Entries = []) -> Entries {
    let each = Array(repeating: UInt64(16), count: channels)
    return [
      (256, 4, [3]), (257, 4, [1]), (258, 3, each), (259, 3, [compression]), (262, 3, [photometric]),
      (277, 3, [UInt64(channels)]), (278, 4, [1]), (339, 3, each.map { _ in 2 }),
    ] + more
  }

  private func luminance(_ code: Int) -> Double {
    code == 0 ? 0 : exp2((Double(code) + 0.5) / 256 - 64)
  }

  @Test("LogL is linear light")
  func logarithmOfLuminance() throws {
    // Planes of bytes, the upper one first, each as 3 literals: 0, 2^0, 2^3.
    let codes = [0, 16_384, 17_152]
    let bytes = [3] + codes.map { UInt8($0 >> 8) } + [3] + codes.map { UInt8($0 & 255) }
    let source = try decodeImage(file(bytes, logarithm(32_844, 34_676, channels: 1)))
    #expect(source.image.model == .grey && source.color.encoding == .cicp(primaries: 1, transfer: 8))
    for (found, code) in zip(floats(source.image), codes) {
      #expect(abs(Double(found) - luminance(code)) <= 1e-6 * luminance(code), "\(found)")
    }
  }

  @Test("LogLuv of 32 bits is X, Y, Z, which become light by a matrix")
  func logLuv() throws {
    // u' and v' of D65 are 0.1978 and 0.4683.
    let pixels: [(l: Int, u: Int, v: Int)] = [(16_384, 81, 192), (16_128, 120, 200), (0, 81, 192)]
    func plane(_ byte: ((l: Int, u: Int, v: Int)) -> Int) -> [UInt8] { [3] + pixels.map { UInt8(byte($0) & 255) } }
    let bytes = plane { $0.l >> 8 } + plane { $0.l } + plane { $0.u } + plane { $0.v }
    let source = try decodeImage(file(bytes, logarithm(32_845, 34_676, channels: 3)))
    let found = floats(source.image).map { Double($0) }
    for (index, pixel) in pixels.enumerated() {
      let u = (Double(pixel.u) + 0.5) / 410, v = (Double(pixel.v) + 0.5) / 410, y = luminance(pixel.l)
      let x: Double = 9 * u / (4 * v) * y, z: Double = (12 - 3 * u - 20 * v) / (4 * v) * y
      let expected: [Double] = [x, y, z]
      for c in 0..<3 {
        let error: Double = abs(found[3 * index + c] - expected[c])
        #expect(error <= 2e-6 * expected[c] + 1e-15)
      }
    }
    guard case .matrixTRC(let curves, let matrix, nil) = source.color.encoding else {
      Issue.record("no matrix")
      return
    }
    #expect(curves.allSatisfy { $0 == .identity })
    // White of D65 is white.
    let white = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329]
    for c in 0..<3 {
      let sum: Double = zip(matrix[3 * c..<3 * c + 3], white).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(sum - 1) < 1e-9)
    }
  }

  @Test("StoNits and WhitePoint of LogLuv count, a profile does not")
  func logLuvLight() throws {
    let bytes: [UInt8] = Array(repeating: 0, count: 9)
    func matrix(_ more: Entries) throws -> (rows: [Double], codes: [String]) {
      let source = try decodeImage(file(bytes, logarithm(32_845, 34_677, channels: 3, more)))
      guard case .matrixTRC(_, let rows, _) = source.color.encoding else { return ([], []) }
      return (rows, source.warnings.map(\.code))
    }
    let plain = try matrix([])
    #expect(plain.codes.isEmpty && plain.rows.count == 9)
    let doubled = try matrix([(37_439, 5, [406, 1])])
    let isDouble = zip(doubled.rows, plain.rows).allSatisfy { (new: Double, old: Double) in abs(new - 2 * old) < 1e-9 }
    #expect(isDouble)
    // White of equal energy becomes white.
    let equal = try matrix([(318, 5, [1, 3, 1, 3])])
    for c in 0..<3 {
      let sum: Double = equal.rows[3 * c..<3 * c + 3].reduce(0, +)
      #expect(abs(sum - 1) < 1e-6)
    }
    let wrong = try matrix([(318, 5, [1, 1, 1, 1])])
    #expect(wrong.rows == plain.rows && wrong.codes == ["tiff.primaries"])
    #expect(try matrix([(34_675, 7, [1, 2, 3])]).codes == ["icc.mismatch"])
  }

  @Test("logarithms of another layout or compression are refused")
  func strangeLogarithms() {
    func refusal(_ photometric: UInt64, _ compression: UInt64, channels: Int, _ more: Entries = []) -> String {
      do {
        _ = try decodeImage(file([0, 0, 0], logarithm(photometric, compression, channels: channels, more)))
        return "read"
      } catch { return "\(error)" }
    }
    #expect(refusal(32_845, 1, channels: 3).contains("LogLuv TIFF of this compression"))
    #expect(refusal(2, 34_676, channels: 3).contains("RGB TIFF of this compression"))
    #expect(refusal(32_845, 34_676, channels: 4).contains("4 samples a pixel in LogLuv"))
    #expect(refusal(32_845, 34_676, channels: 1).contains("1 samples a pixel are no LogLuv"))
    #expect(refusal(32_845, 34_676, channels: 3, [(284, 3, [2])]).contains("in planes"))
  }

  // MARK: Old JPEG

  @Test("old JPEG with a stream of its own has the samples of that JPEG", arguments: [0, 1, 2, 3])
  func oldJPEG(kind: Int) throws {
    let jpeg = [TinyJPEG.color444, TinyJPEG.color422, TinyJPEG.color420, TinyJPEG.grey][kind]
    let expected = try decodeImage(jpeg).image, isGrey = kind == 3
    for hasStrips in [true, false] {
      let entries: Entries = [
        (256, 4, [9]), (257, 4, [5]), (258, 3, isGrey ? [8] : [8, 8, 8]), (259, 3, [6]), (262, 3, [isGrey ? 1 : 2]),
        (277, 3, [isGrey ? 1 : 3]), (278, 4, [5]), (339, 3, [1]), (512, 3, [1]), (513, 4, [8]),
        (514, 4, [UInt64(jpeg.count)]),
      ]
      let source = try decodeImage(file(jpeg, entries, without: hasStrips ? [] : [273, 278, 279]))
      #expect(source.image.chroma == expected.chroma && source.image.model == expected.model)
      for (plane, other) in zip(source.image.channels, expected.channels) {
        #expect(plane.width == other.width && plane.height == other.height)
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            func code(_ plane: SamplePlane) -> UInt8 {
              plane.buffer.base.load(fromByteOffset: plane.offset + y * plane.rowBytes + x, as: UInt8.self)
            }
            #expect(code(plane) == code(other))
          }
        }
      }
    }
  }

  @Test("old JPEG without any place is refused, and one that lies about its size fails")
  func brokenOldJPEG() {
    func failure(_ entries: Entries, without: Set<Int> = []) -> String {
      do {
        _ = try decodeImage(file(TinyJPEG.color444, entries, without: without))
        return "read"
      } catch { return "\(error)" }
    }
    let head: Entries = [
      (256, 4, [9]), (257, 4, [5]), (258, 3, [8, 8, 8]), (259, 3, [6]), (262, 3, [6]), (277, 3, [3]), (278, 4, [5]),
      (339, 3, [1]), (512, 3, [1]),
    ]
    #expect(failure(head, without: [273]).contains("places of 0 strips"))
    #expect(failure(head + [(513, 4, [1 << 31]), (514, 4, [600])], without: [273, 279]) != "read")
    #expect(failure(head + [(513, 4, [8]), (273, 4, [1 << 20])]).contains("too early"))
    let large = head.map { $0.tag == 256 || $0.tag == 257 || $0.tag == 278 ? ($0.tag, $0.type, [16_000]) : $0 }
    #expect(failure(large + [(513, 4, [8]), (514, 4, [600])]) != "read")
  }

  // MARK: Real files

  @Test(
    "real files have the samples that other readers find",
    .enabled(if: SharedData.url("data/formats/tiff") != nil, "skipped: no data"))
  func realFiles() throws {
    func read(_ name: String) throws -> SourceImage {
      try decodeImage([UInt8](Data(contentsOf: try #require(SharedData.url("data/formats/tiff/" + name)))))
    }
    func isNear(_ found: some Sequence<Float>, _ expected: [Float], _ tolerance: Float = 1e-6) -> Bool {
      zip(found, expected).allSatisfy { abs($0 - $1) < tolerance }
    }
    // libtiff 4.5.0 by itself, SGILOGDATAFMT_FLOAT.
    #expect(isNear(floats(try read("image-tiff_off_luv24.tif").image), [0.06697469, 0.06705843, 0.06708114]))
    #expect(isNear(floats(try read("algart-tiff_lenna_256_logluv32.tiff").image), [0.6427002, 0.6068016, 0.5500587]))
    // tifffile 2026.3.3; it does not read the other layouts of the picture.
    let planar = floats(try read("libtiff.net_tiger-rgb-float-strip-planar-24.tif_converted_lzw.tif").image)
    #expect(planar.count == 73 * 76 * 3 && planar[0] == 0.80000305)
    #expect(isNear([planar.reduce(0, +) / Float(planar.count)], [0.6166113], 1e-4))
    #expect(floats(try read("libtiff.net_tiger-rgb-float-tile-contig-24.tif_converted_deflate_3.tif").image) == planar)
    let lerc = TIFFTests.codes(try read("imagecodecs_gray.lerc.u1.tif").image)
    #expect(lerc.starts(with: [138, 132, 127, 126, 124, 120]) && lerc.max() == 247)
    let signed = try read("image-tiff_tiled-oversize-gray-i8.tif")
    #expect(TIFFTests.codes(signed.image).starts(with: [47, 43, 40, 42, 42, 41]))
    #expect(signed.warnings.map(\.code) == ["tiff.signed"])
    for name in ["TwelveMonkeys_WangJPEG.tif", "libtiff_ojpeg_single_strip_no_rowsperstrip.tiff"] {
      let image = try read(name).image
      #expect(image.model == .ycc && image.chroma == (name.hasPrefix("Twelve") ? .s422 : .s420))
    }
  }
}
