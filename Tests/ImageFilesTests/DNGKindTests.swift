import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Kinds of DNG samples that are decoded here, beside those of `CameraRawTests`.
@Suite struct DNGKindTests {
  /// A DNG of tiles of 9x5 in lossy JPEG, 18x10 pixels.
  private func lossy(_ tile: [UInt8], planes: Int = 3, _ change: (inout DNGBuilder) -> Void = { _ in }) -> DNGBuilder {
    var builder = DNGBuilder.filterArray(18, 10)
    for tag in [278, 33421, 33422] { builder.raw[tag] = nil }
    let each = [Int](repeating: 0, count: planes)
    for (tag, value) in [
      258: DNGBuilder.Value.table(each.map { _ in 8 }), 259: .shorts(34892), 262: .shorts(34892),
      277: .shorts(planes), 322: .longs(9), 323: .longs(5), 50714: .table(each), 50717: .table(each.map { _ in 255 }),
    ] { builder.raw[tag] = value }
    builder.tiles = [[UInt8]](repeating: tile, count: 4)
    change(&builder)
    return builder
  }

  /// The codes of a JPEG of R, G, B or grey, at a place of the tiled picture.
  private func expected(_ jpeg: [UInt8], planes: Int) throws -> [UInt16] {
    let image = try decodeImage(jpeg).image
    return (0..<10).flatMap { y in
      (0..<18).flatMap { x in
        image.channels.prefix(planes).map { plane in
          let at = plane.offset + y % 5 * plane.rowBytes + x % 9 * plane.stepBytes
          return UInt16(plane.buffer.base.load(fromByteOffset: at, as: UInt8.self))
        }
      }
    }
  }

  @Test("lossy JPEG gives its codes, of three colours and of one")
  func lossyCodes() throws {
    for (jpeg, planes) in [(TinyJPEG.rgb, 3), (TinyJPEG.grey, 1)] {
      let raw = try CameraRaw(lossy(jpeg, planes: planes).bytes)
      #expect(CameraRawTests.words(raw) == (try expected(jpeg, planes: planes)))
      #expect(raw.picture.levels.white == Array(repeating: 255, count: planes) && raw.warnings.isEmpty)
      #expect(raw.picture.decoder == "libjpeg-turbo")
    }
  }

  @Test("Y'CbCr of lossy JPEG becomes three colours")
  func lossyLuma() throws {
    let words = CameraRawTests.words(try CameraRaw(lossy(TinyJPEG.color444).bytes))
    let image = try decodeImage(TinyJPEG.color444).image
    for y in 0..<10 {
      for x in 0..<18 {
        let codes = image.channels.map {
          Double($0.buffer.base.load(fromByteOffset: $0.offset + y % 5 * $0.rowBytes + x % 9, as: UInt8.self))
        }
        let (luma, cb, cr) = (codes[0], codes[1] - 128, codes[2] - 128)
        let green: Double = luma - 0.344136 * cb - 0.714136 * cr
        let colors: [Double] = [luma + 1.402 * cr, green, luma + 1.772 * cb]
        for c in 0..<3 {
          let found = Double(words[(y * 18 + x) * 3 + c]), wanted: Double = min(max(colors[c], 0), 255)
          #expect(abs(found - wanted) <= 1)
        }
      }
    }
  }

  @Test("black, white and the table of lossy JPEG count, and its polynomials stay opcodes")
  func lossyLevels() throws {
    let table = (0..<256).map { $0 * $0 }
    let builder = lossy(TinyJPEG.rgb) {
      $0.raw[50712] = .table(table)
      $0.raw[50714] = .shorts(512, 512, 512)
      $0.raw[50717] = .longs(65_025, 65_025, 65_025)
      $0.raw[51009] = .bytes(DNGBuilder.polynomials(3, width: 18, height: 10, planes: 3), type: 7)
    }
    let raw = try CameraRaw(builder.bytes)
    let wanted = try expected(TinyJPEG.rgb, planes: 3).map { (code: UInt16) in UInt16(table[Int(code)]) }
    let levels = raw.picture.levels
    #expect(CameraRawTests.words(raw) == wanted)
    #expect(levels.black == [512, 512, 512])
    #expect(levels.white == [65_025, 65_025, 65_025])
    #expect(levels.linearization.isEmpty && raw.picture.opcodes[1].count == 3)
  }

  @Test("tiles of lossy JPEG that are cut, of another size or other colours are errors")
  func brokenTiles() {
    func failure(_ builder: DNGBuilder) -> String {
      do {
        _ = try CameraRaw(builder.bytes)
        return "read"
      } catch { return "\(error.code) \(error)" }
    }
    #expect(failure(lossy(Array(TinyJPEG.rgb.dropLast(4)))).hasPrefix("decode.truncated"))
    #expect(failure(lossy(TinyJPEG.grey)).contains("JPEG of 9x5x1 for 9x5x3"))
    #expect(failure(lossy(TinyJPEG.rgb) { $0.raw[322] = .longs(18) }).contains("for 18x5x3"))
    #expect(failure(lossy([1, 2, 3, 4])).hasPrefix("decode.malformed"))
    #expect(
      failure(lossy(TinyJPEG.rgb) { $0.raw[258] = .shorts(16, 16, 16) }).contains("16-bit integers by lossy JPEG"))
  }

  @Test("samples in planes are put side by side, plain and in JPEG")
  func planes() throws {
    let builder = lossy(TinyJPEG.grey) {
      $0.raw[284] = .shorts(2)
      $0.tiles = [[UInt8]](repeating: TinyJPEG.grey, count: 12)
    }
    let grey = try expected(TinyJPEG.grey, planes: 1)
    let tripled = grey.flatMap { (code: UInt16) -> [UInt16] in [code, code, code] }
    #expect(CameraRawTests.words(try CameraRaw(builder.bytes)) == tripled)

    var floats = DNGBuilder.filterArray(4, 3)
    for tag in [33421, 33422] { floats.raw[tag] = nil }
    for (tag, value) in [
      258: DNGBuilder.Value.shorts(16, 16, 16), 262: .shorts(34892), 277: .shorts(3), 278: .longs(2),
      284: .shorts(2), 339: .shorts(3, 3, 3), 50714: .shorts(0, 0, 0), 50717: .shorts(1, 1, 1),
    ] { floats.raw[tag] = value }
    floats.tiles = (0..<3).flatMap { (plane: Int) -> [[UInt8]] in
      [0..<8, 8..<12].map { (range: Range<Int>) -> [UInt8] in
        range.flatMap { (at: Int) -> [UInt8] in
          floats.number(UInt64(Float16(Double(plane * 100 + at)).bitPattern), 2)
        }
      }
    }
    let words = CameraRawTests.words(try CameraRaw(floats.bytes))
    let wanted = (0..<12).flatMap { (at: Int) -> [UInt16] in
      (0..<3).map { (plane: Int) -> UInt16 in Float16(Double(plane * 100 + at)).bitPattern }
    }
    #expect(words == wanted)
  }

  @Test("floats of 24 bits are exact, plain in both orders and by Deflate", arguments: [0, 1, 2])
  func shortFloats(kind: Int) throws {
    // 1, -1.5, 65504 and 0.5; 4 more in the second row.
    let values: [UInt64] = [0x3F_0000, 0xBF_8000, 0x4E_FFC0, 0x3E_0000, 0, 0x40_0000, 0x3F_8000, 0x3E_8000]
    let expected: [Float] = [1, -1.5, 65_504, 0.5, 0, 2, 1.5, 0.75]
    var builder = DNGBuilder.filterArray(4, 2) { $0.isLittleEndian = kind == 1 }
    (builder.raw[258], builder.raw[339]) = (.shorts(24), .shorts(3))
    (builder.raw[50714], builder.raw[50717]) = (.shorts(0), .shorts(1))
    if kind == 2 {
      (builder.raw[259], builder.raw[317]) = (.shorts(8), .shorts(34_894))
      let rows = [values.prefix(4), values.suffix(4)].flatMap { row -> [UInt8] in
        var planes = [16, 8, 0].flatMap { (shift: UInt64) -> [UInt8] in
          row.map { (value: UInt64) -> UInt8 in UInt8(truncatingIfNeeded: value >> shift) }
        }
        for x in stride(from: planes.count - 1, through: 2, by: -1) { planes[x] = planes[x] &- planes[x - 2] }
        return planes
      }
      builder.tiles = [TIFFBuilder.zlib(rows)]
    } else {
      builder.tiles = [values.flatMap { builder.number($0, 3) }]
    }
    let raw = try CameraRaw(builder.bytes), base = raw.samples.channels[0].buffer.base
    #expect(raw.samples.format == .float32)
    let found = (0..<8).map { (at: Int) -> Float in base.load(fromByteOffset: 4 * at, as: Float.self) }
    #expect(found == expected)
  }

  @Test("an optional number of 0/0 is left out with a warning", arguments: [50_730, 50_739, 50_727, 50_728, 51_041])
  func absentNumbers(tag: Int) throws {
    let plain = try CameraRaw(DNGBuilder.filterArray(32, 24).bytes)
    let count = [50_727: 3, 50_728: 3, 51_041: 2][tag] ?? 1
    let builder = DNGBuilder.filterArray(32, 24) { (builder: inout DNGBuilder) in
      if tag == 51_041 {
        builder.raw[tag] = .doubles([.nan, 0])
      } else {
        builder.main[tag] = .undefined(count)
      }
    }
    let raw = try CameraRaw(builder.bytes)
    let codes = raw.warnings.map(\.code), message = raw.warnings.first.map { "\($0.message)" } ?? ""
    #expect(codes == ["dng.number"] && message.contains("\(tag)"))
    #expect(CameraRawTests.words(raw) == CameraRawTests.words(plain))
    if tag == 50_730 { #expect(raw.picture.exposure == 0) }
  }

  @Test("a colour matrix of 0/0 is still an error")
  func requiredNumbers() {
    let builder = DNGBuilder.filterArray(32, 24) { $0.main[50_721] = .undefined(9) }
    #expect(throws: DecodeError.malformed(where: "ColorMatrix1", what: "a number is not finite")) {
      try CameraRaw(builder.bytes)
    }
  }
}
