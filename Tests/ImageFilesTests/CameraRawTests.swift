import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Samples of camera raw files: by LibRaw, and by our own tiles.
@Suite(.enabled(if: rawMissing() == nil, "skipped: no LibRaw"))
struct CameraRawTests {
  /// Words of all planes, pixel by pixel.
  static func words(_ raw: CameraRaw) -> [UInt16] {
    let picture = raw.samples
    var result: [UInt16] = []
    result.reserveCapacity(picture.width * picture.height * picture.channels.count)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        for plane in picture.channels {
          let at = plane.offset + y * plane.rowBytes + x * plane.stepBytes
          result.append(plane.buffer.base.loadUnaligned(fromByteOffset: at, as: UInt16.self))
        }
      }
    }
    return result
  }

  @Test("plain strips, in both byte orders, are what was stored")
  func plain() throws {
    for isLittleEndian in [false, true] {
      let raw = try CameraRaw(DNGBuilder.filterArray(64, 48) { $0.isLittleEndian = isLittleEndian }.bytes)
      #expect(
        raw.samples.format == .uint16 && raw.samples.channels.count == 1 && raw.picture.filters?.letters == "RGGB")
      #expect(
        raw.picture.levels.black == [64] && raw.picture.levels.white == [4000] && raw.picture.orientation == .right)
      #expect(Self.words(raw) == DNGBuilder.samples(64 * 48, below: 4000).map { UInt16($0) })
      #expect(raw.dng != nil && raw.warnings.isEmpty && raw.picture.decoder.hasPrefix("LibRaw"))
    }
  }

  @Test("uncompressed tiles are what was stored, and are refused by name where LibRaw would take them for rows")
  func plainTiles() throws {
    let samples = DNGBuilder.samples(64 * 48, below: 4000)
    var builder = DNGBuilder.filterArray(64, 48)
    builder.raw[278] = nil
    (builder.raw[322], builder.raw[323]) = (.longs(32), .longs(24))
    builder.tiles = (0..<4).map { tile in
      (0..<24 * 32).flatMap { at in
        builder.number(UInt64(samples[(tile / 2 * 24 + at / 32) * 64 + tile % 2 * 32 + at % 32]), 2)
      }
    }
    let library = try #require(codecLibraries().first { $0.name == "LibRaw" }?.version)
    if library.hasPrefix("0.20.") {
      #expect { try CameraRaw(builder.bytes) } throws: { error in
        (error as? DecodeError)?.code == "decode.unsupported" && "\(error)".contains("scripts/raw")
      }
    } else {
      #expect(Self.words(try CameraRaw(builder.bytes)) == samples.map { UInt16($0) })
    }
  }

  @Test("tiles of lossless JPEG in three planes come back through their table")
  func proRAW() throws {
    let builder = DNGBuilder.proRAW()
    let raw = try CameraRaw(builder.bytes)
    #expect(raw.samples.channels.count == 3 && raw.picture.filters == nil && raw.picture.levels.linearization.isEmpty)
    #expect(Self.words(raw) == DNGBuilder.proRAWCodes().map { UInt16($0 * 65_535 / 4095) })
  }

  @Test(
    "the vector of lossless JPEG gives its samples",
    .enabled(if: SharedData.url("specs/more-formats-vectors.json") != nil, "skipped: no data"))
  func losslessJPEG() throws {
    let rows = SharedData.json("specs/more-formats-vectors.json")?["lossless_jpeg"] as? [[String: Any]] ?? []
    let row = try #require(rows.first), data = try #require(Data(base64Encoded: row["base64"] as? String ?? ""))
    // LibRaw refuses pictures of fewer than 22 rows or columns, so it fills a tile of a larger one.
    let wanted = CameraVectorTests.numbers(row["samples"]).map { UInt16($0) }
    var builder = DNGBuilder.filterArray(32, 24)
    for (tag, value) in [
      258: DNGBuilder.Value.shorts(12), 259: .shorts(7), 322: .longs(8), 323: .longs(6), 50714: .shorts(0),
    ] { builder.raw[tag] = value }
    builder.raw[278] = nil
    builder.tiles = [[UInt8]](repeating: Array(data), count: 16)
    let raw = try CameraRaw(builder.bytes), words = Self.words(raw)
    #expect(wanted.count == 48)
    for y in 0..<24 {
      for x in 0..<32 { #expect(words[y * 32 + x] == wanted[y % 6 * 8 + x % 8], "\(x), \(y)") }
    }
  }

  @Test("floats are read here, and are finite")
  func floats() throws {
    let values: [Float] = [0, 0.5, 1, 4, -1, .nan, .infinity, 1e30, -.infinity, 1e-30]
    for bits in [16, 32] {
      for isLittleEndian in [false, true] {
        var builder = DNGBuilder.filterArray(10, 4) { $0.isLittleEndian = isLittleEndian }
        (builder.raw[258], builder.raw[339]) = (.shorts(bits), .shorts(3))
        (builder.raw[50714], builder.raw[50717]) = (.shorts(0), .shorts(1))
        builder.tiles = [
          (0..<40).flatMap { index -> [UInt8] in
            let value = values[index % 10]
            let word = bits == 32 ? UInt64(value.bitPattern) : UInt64(Float16(value).bitPattern)
            return builder.number(word, bits / 8)
          }
        ]
        let raw = try CameraRaw(builder.bytes)
        #expect(raw.samples.format == (bits == 32 ? .float32 : .float16) && raw.picture.levels.white == [1])
        let base = raw.samples.channels[0].buffer.base
        let found = (0..<10).map { index in
          bits == 32
            ? base.load(fromByteOffset: 4 * index, as: Float.self)
            : Float(base.load(fromByteOffset: 2 * index, as: Float16.self))
        }
        #expect(found.prefix(5) == values.prefix(5))
        // 1e30 is infinite as a half, and 1e-30 is 0.
        #expect(Array(found.suffix(5)) == [0, 65_504, 65_504, -65_504, 0], "\(bits) bits")
      }
    }
  }

  @Test(
    "Deflate with every predictor gives back words, of floats and integers",
    arguments: [
      (1, false), (2, false), (34_892, false), (34_893, false), (1, true), (3, true), (34_894, true), (34_895, true),
    ])
  func deflate(predictor: Int, isFloat: Bool) throws {
    for bits in isFloat ? [16, 32] : [16] {
      let width = 12, height = 4, size = bits / 8
      let step = [34_892: 2, 34_893: 4, 34_894: 2, 34_895: 4][predictor] ?? 1
      let values = DNGBuilder.samples(width * height, below: 1000).map { value -> UInt64 in
        if !isFloat { return UInt64(value) }
        return bits == 16 ? UInt64(Float16(value).bitPattern) : UInt64(Float(value).bitPattern)
      }
      for isLittleEndian in [false, true] {
        var builder = DNGBuilder.filterArray(width, height) { $0.isLittleEndian = isLittleEndian }
        (builder.raw[258], builder.raw[339]) = (.shorts(bits), .shorts(isFloat ? 3 : 1))
        (builder.raw[259], builder.raw[317]) = (.shorts(8), .shorts(predictor))
        if isFloat { (builder.raw[50714], builder.raw[50717]) = (.shorts(0), .shorts(1)) }
        var bytes: [UInt8] = []
        for y in 0..<height {
          var row = Array(values[y * width..<(y + 1) * width])
          if !isFloat, predictor > 1 {
            for x in stride(from: width - 1, through: step, by: -1) { row[x] = (row[x] &- row[x - step]) & 0xFFFF }
          }
          if !isFloat || predictor == 1 {
            bytes += row.flatMap { builder.number($0, size) }
            continue
          }
          var planes = (0..<size).flatMap { plane in
            row.map { UInt8(truncatingIfNeeded: $0 >> UInt64(8 * (size - 1 - plane))) }
          }
          for x in stride(from: planes.count - 1, through: step, by: -1) { planes[x] = planes[x] &- planes[x - step] }
          bytes += planes
        }
        builder.tiles = [TIFFBuilder.zlib(bytes)]
        let raw = try CameraRaw(builder.bytes), base = raw.samples.channels[0].buffer.base
        #expect(raw.samples.format == (isFloat ? (bits == 16 ? .float16 : .float32) : .uint16))
        let found = values.indices.map { index -> UInt64 in
          size == 2
            ? UInt64(base.load(fromByteOffset: 2 * index, as: UInt16.self))
            : UInt64(base.load(fromByteOffset: 4 * index, as: UInt32.self))
        }
        #expect(found == values, "\(bits) bits")
        builder.tiles = [Array(TIFFBuilder.zlib(bytes).dropLast(9))]
        #expect(throws: DecodeError.self) { try CameraRaw(builder.bytes) }
      }
    }
  }

  // MARK: JPEG XL

  /// Made by imagecodecs 2026.3.6, jpegxl_encode(lossless=True, bitspersample=10, usecontainer=False).
  static let tile10 = hexBytes(
    """
    ff0a28301450b4080804010054034b2833dd3c0b1a89dbff0a0a4a4a4401148e811888c60ec5181c528cc15231c630c65a2d42e1d018636b00be40
    c000026001002457a8fb638d6ea2bb85dd79cf44b0854d04875a5af81312415a6e22d8c226826d192bec268244775e35d16df4aa147a3bb12d31fc
    64db5436b163db7112da873bdb714868af419f431287c4e6394e42273bcefe3909edda769c043c79b6edb86df7d989fd8a560bd939c8eac89cea72
    debccee00767d33312ebeb6ff82da5034fba8f9115dd88df312fe756a8ec13b0f672aa4c1e0ad2ee33213812c7689e024e00
    """)
  static let codes10: [Int] = (0..<48).flatMap { at -> [Int] in
    let x = at % 8, y = at / 8
    return [(x * 100 + y * 37) % 1024, (x * 31 + y * 90 + 5) % 1024, x * y * 7 % 1024]
  }
  /// A tile with 12 bits and one plane of 10x8.
  static let tile12 = hexBytes(
    """
    ff0ac16050b4080804010070014b386a18d2db352a28488aad6a9f11503d6330180c0683c160546130180c0683c178ce2a0c0683c1603ce7aa5461
    30188ce75c1506a30a83f19cabc2603018559e7355180c0683c1b89a2a0c0683c160309eb30a83c1603018cfb92a
    """)
  static let codes12 = (0..<80).map { ($0 % 10 * 397 + $0 / 10 * 811) % 4096 }

  /// Tiles of 8x6 in a picture of 20x11.
  static func jxlBuilder(_ tile: [UInt8] = tile10) -> DNGBuilder {
    var builder = DNGBuilder.filterArray(20, 11)
    for tag in [278, 33421, 33422] { builder.raw[tag] = nil }
    for (tag, value) in [
      258: DNGBuilder.Value.shorts(10, 10, 10), 259: .shorts(52546), 262: .shorts(34892), 277: .shorts(3),
      322: .longs(8), 323: .longs(6), 50714: .shorts(0, 0, 0), 50717: .longs(1023, 1023, 1023),
    ] { builder.raw[tag] = value }
    builder.tiles = [[UInt8]](repeating: tile, count: 6)
    return builder
  }

  @Test(
    "tiles of JPEG XL give the codes of their own depth, bare and in boxes",
    .enabled(if: jxlMissing() == nil, "skipped: no libjxl"))
  func jxlTiles() throws {
    let boxed = JXL.file(JXL.box("jxlc", Self.tile10))
    for tile in [Self.tile10, boxed] {
      let raw = try CameraRaw(Self.jxlBuilder(tile).bytes), words = Self.words(raw)
      #expect(raw.samples.channels.count == 3 && raw.picture.levels.white == [1023, 1023, 1023])
      for at in words.indices {
        let c = at % 3, x = at / 3 % 20, y = at / 60
        #expect(Int(words[at]) == Self.codes10[(y % 6 * 8 + x % 8) * 3 + c], "\(x), \(y), \(c)")
      }
    }
    #expect(throws: DecodeError.self) { try CameraRaw(Self.jxlBuilder(Array(Self.tile10.prefix(100))).bytes) }
    #expect(throws: DecodeError.self) { try CameraRaw(Self.jxlBuilder(Self.tile12).bytes) }
    #expect(throws: DecodeError.self) { try CameraRaw(Self.jxlBuilder([1, 2, 3, 4]).bytes) }
  }

  @Test("quarter pictures of a filter array in JPEG XL go back to their places, through the table")
  func interleaved() throws {
    try #require(jxlMissing() == nil)
    var builder = DNGBuilder.filterArray(10, 8)
    for (tag, value) in [
      258: DNGBuilder.Value.shorts(12), 259: .shorts(52546), 50975: .longs(2), 52547: .longs(2), 50714: .shorts(0),
      50712: .table((0..<4096).map { $0 * 16 }), 50717: .longs(65_520),
    ] { builder.raw[tag] = value }
    builder.tiles = [Self.tile12]
    let words = Self.words(try CameraRaw(builder.bytes))
    for y in 0..<8 {
      for x in 0..<10 {
        let from = (y % 2 * 4 + y / 2) * 10 + x % 2 * 5 + x / 2
        #expect(Int(words[y * 10 + x]) == 16 * Self.codes12[from], "\(x), \(y)")
      }
    }
  }

  // MARK: Files

  /// Path below `data`, size, planes, format, digest; made by scripts/peers/oracles/raw.py.
  static let digests: [[String]] = {
    let url = SharedData.repository.appendingPathComponent("scripts/peers/oracles/raw.tsv")
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }()

  @Test("samples are those of rawpy, or the file is refused", .enabled(if: DNGTests.hasFiles, "skipped: no data"))
  func samplesOfFiles() throws {
    var read = 0
    for row in Self.digests {
      guard let bytes = SharedData.bytes("data/" + row[0]) else { continue }
      do {
        let raw = try CameraRaw(bytes)
        #expect(
          "\(raw.picture.width)x\(raw.picture.height)" == row[1] && "\(raw.samples.channels.count)" == row[2],
          "\(row[0])")
        let first = raw.samples.channels[0]
        let data = UnsafeRawBufferPointer(start: first.buffer.base, count: first.rowBytes * raw.picture.height)
        #expect(MD5.hexadecimal(Self.afterPolynomials(raw) ?? Array(data)) == row[4], "\(row[0])")
        read += 1
      } catch {
        #expect(row[4] == "-", "\(row[0]): \(error)")
      }
    }
    #expect(read >= 6)
  }

  /// Returns the words of lossy JPEG after its polynomials, as LibRaw gives them; `nil` for other files.
  private static func afterPolynomials(_ raw: CameraRaw) -> [UInt8]? {
    guard raw.dng?.image.compression == 34_892 else { return nil }
    let tables = raw.picture.opcodes[1].compactMap { opcode -> [UInt16]? in
      guard case .mapPolynomial(_, let coefficients) = opcode else { return nil }
      return (0..<256).map { code in
        let light = coefficients.reversed().reduce(0.0) { (sum: Double, next: Double) in
          sum * Double(code) / 255 + next
        }
        return UInt16(light * 65_535)
      }
    }
    return words(raw).enumerated().flatMap { index, code in
      let word = tables[index % 3][Int(code)]
      return [UInt8(word & 255), UInt8(word >> 8)]
    }
  }

  @Test("makers that are not read are refused before LibRaw sees them")
  func refusedMakers() {
    for head in ["FOVb", "0000RED1", "0000RED2"] {
      do {
        _ = try CameraRaw(Array(head.utf8) + [UInt8](repeating: 0, count: 64))
        Issue.record("\(head) is read")
      } catch { #expect(error.code == "decode.unsupported") }
    }
    #expect(throws: DecodeError.self) { try CameraRaw([UInt8](repeating: 0, count: 64)) }
  }
}

/// Camera raw files that end before their samples do.
@Suite(.enabled(if: rawMissing() == nil, "skipped: no LibRaw"))
struct CutCameraRawTests {
  @Test("a file whose decoder reads blocks is whole with all of them, and truncated without the last byte")
  func blocks() throws {
    let whole = PanasonicRaw.file(brightness: 900), raw = try CameraRaw(whole)
    #expect(raw.samples.width == PanasonicRaw.width && raw.samples.height == PanasonicRaw.height)
    #expect(raw.warnings.isEmpty && CameraRawTests.words(raw).allSatisfy { 600..<1500 ~= $0 })
    for count in [PanasonicRaw.start, PanasonicRaw.start + 100, PanasonicRaw.start + 20_000, whole.count - 1] {
      #expect(throws: DecodeError.truncated(where: "camera raw samples"), "\(count)") {
        try CameraRaw(Array(whole[..<count]))
      }
    }
  }

  @Test("samples that no tile holds are zero, whatever memory held")
  func unwritten() throws {
    var builder = DNGBuilder.filterArray(64, 48)
    for (tag, value) in [
      258: DNGBuilder.Value.shorts(12), 259: .shorts(7), 322: .longs(64), 323: .longs(48), 50714: .shorts(0),
    ] { builder.raw[tag] = value }
    builder.raw[278] = nil
    // The upper half of the tile.
    let half = [Int](repeating: 1000, count: 64 * 24)
    builder.tiles = [LosslessJPEG.encode(half, width: 64, height: 24, components: 1, bits: 12)]
    let blocks = (0..<64).map { _ in UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 56 * 2, alignment: 16) }
    for block in blocks { block.initializeMemory(as: UInt8.self, repeating: 0xAA) }
    for block in blocks { block.deallocate() }
    let words = CameraRawTests.words(try CameraRaw(builder.bytes))
    #expect(words.prefix(half.count).allSatisfy { $0 == 1000 } && words.dropFirst(half.count).allSatisfy { $0 == 0 })
  }
}
