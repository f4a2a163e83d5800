import FileParts
import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Reading TIFF: layouts out of the builder, colour, pages, what is refused.
@Suite(.enabled(if: codecLibraries().contains { $0.name == "libtiff" && $0.version != nil }, "skipped: no libtiff"))
struct TIFFTests {
  static func builder(
    _ width: Int, _ height: Int, channels: Int, bits: Int, float: Bool = false,
    _ change: (inout TIFFBuilder) -> Void = { _ in }
  ) -> TIFFBuilder {
    var builder = TIFFBuilder()
    (builder.width, builder.height, builder.channels, builder.bits) = (width, height, channels, bits)
    builder.photometric = channels < 3 ? 1 : 2
    builder.sampleFormat = float ? 3 : 1
    var noise = Writer.Noise(width + bits)
    builder.samples = (0..<width * height * channels).map { index in
      guard float else { return noise.next() >> (64 - UInt64(bits)) }
      let value = Double(noise.next() >> 40) / 4096 - 500
      switch bits {
      case 16: return UInt64(Float16(value).bitPattern)
      case 32: return UInt64(Float(value).bitPattern)
      default: return Double(Float(value)).bitPattern
      }
    }
    change(&builder)
    return builder
  }

  /// Samples of a picture as codes or bits, pixel by pixel.
  static func codes(_ image: SampleImage) -> [UInt64] { image.codes }

  static func read(_ builder: TIFFBuilder) throws -> SourceImage { try decodeImage(builder.bytes) }

  static func refusal(_ builder: TIFFBuilder) -> String {
    do {
      _ = try read(builder)
      return "read"
    } catch { return "\(error)" }
  }

  @Test(
    "strips and tiles of whole samples are read as they are, in every order and arrangement",
    arguments: [
      (8, false), (16, false), (16, true), (32, true),
    ])
  func layouts(bits: Int, isFloat: Bool) throws {
    for variant in 0..<64 {
      let builder = Self.builder(37, 11, channels: 3, bits: bits, float: isFloat) {
        $0.isLittleEndian = variant & 1 == 0
        $0.isBig = variant & 2 != 0
        $0.isPlanar = variant & 4 != 0
        $0.block = variant & 8 == 0 ? .strips(rows: 4) : .tiles(width: 16, height: 16)
        $0.isDeflate = variant & 16 != 0 || variant & 32 != 0
        $0.predictor = variant & 32 == 0 ? 1 : (isFloat ? 3 : 2)
      }
      let image = try Self.read(builder).image
      #expect(Self.codes(image) == builder.samples, "variant \(variant)")
      #expect(image.model == .rgb && image.bitDepth == bits && image.format.isInteger == !isFloat)
    }
  }

  @Test("less than 8 bits are spread over 8, and up to 16 kept", arguments: [1, 2, 4, 6, 10, 12, 14])
  func packedSamples(bits: Int) throws {
    for channels in [1, 3] {
      let builder = Self.builder(13, 5, channels: channels, bits: bits) { $0.block = .strips(rows: 2) }
      let image = try Self.read(builder).image
      let factor: UInt64 = [1: 255, 2: 85, 4: 17][bits] ?? 1
      #expect(Self.codes(image) == builder.samples.map { $0 * factor })
      #expect(image.bitDepth == ([1, 2, 4].contains(bits) ? 8 : bits))
    }
  }

  @Test("integers of 32 bits become 16, floats of 64 bits 32")
  func wideSamples() throws {
    let whole = Self.builder(9, 4, channels: 3, bits: 32)
    #expect(
      Self.codes(try Self.read(whole).image) == whole.samples.map { UInt64((Double($0) / 65_537).rounded()) })
    let double = Self.builder(9, 4, channels: 1, bits: 64, float: true)
    #expect(
      Self.codes(try Self.read(double).image)
        == double.samples.map { UInt64(Float(Double(bitPattern: $0)).bitPattern) })
  }

  @Test("floats that are no light become finite")
  func floatsAreFinite() throws {
    let values: [Float] = [.nan, -.nan, .infinity, -.infinity, 1e30, -1e30, 1e-12, -1e-12, 0.5, -0]
    let builder = Self.builder(10, 1, channels: 1, bits: 32, float: true) { builder in
      builder.samples = values.map { UInt64($0.bitPattern) }
    }
    let expected: [Float] = [0, 0, 65_504, -65_504, 65_504, -65_504, 0, 0, 0.5, 0]
    let image = try Self.read(builder).image
    #expect(Self.codes(image) == expected.map { UInt64($0.bitPattern) })
    #expect(image.madeFinite == 4)
  }

  @Test("0 is white where the file says so, but not in alpha nor in floats")
  func whiteIsZero() throws {
    for isPlanar in [false, true] {
      let builder = Self.builder(7, 3, channels: 2, bits: 8) {
        $0.photometric = 0
        $0.isPlanar = isPlanar
        $0.extra = [(338, 3, [2])]
      }
      let expected = builder.samples.enumerated().map { $0 % 2 == 0 ? 255 - $1 : $1 }
      #expect(Self.codes(try Self.read(builder).image) == expected)
    }
    let floats = Self.builder(7, 3, channels: 1, bits: 32, float: true) { $0.photometric = 0 }
    #expect(Self.codes(try Self.read(floats).image) == floats.samples)
  }

  @Test("extra samples are alpha as they are marked, and left out where they are not")
  func alpha() throws {
    for (marks, isAlpha, isAssociated) in [
      ([1], true, true), ([2], true, false), ([0], false, false), ([], false, false),
    ] {
      let builder = Self.builder(5, 4, channels: 4, bits: 16) {
        $0.extra = marks.isEmpty ? [] : [(338, 3, marks.map { UInt64($0) })]
      }
      let source = try Self.read(builder)
      #expect((source.image.alpha != nil) == isAlpha && source.image.alphaIsPremultiplied == isAssociated)
      #expect(source.warnings.contains { $0.code == "tiff.extra" } == !isAlpha)
      let colors = builder.samples.enumerated().filter { $0.offset % 4 < 3 || isAlpha }.map(\.element)
      #expect(Self.codes(source.image) == colors)
    }
    // Behind one without a meaning.
    let five = Self.builder(5, 4, channels: 5, bits: 8) { $0.extra = [(338, 3, [0, 2])] }
    let expected = five.samples.enumerated().filter { $0.offset % 5 != 3 }.map(\.element)
    #expect(Self.codes(try Self.read(five).image) == expected)
  }

  @Test("palettes become their colours, of 8 bits where these suffice")
  func palettes() throws {
    for (scale, bits) in [(257, 8), (1, 8), (200, 16)] as [(UInt64, Int)] {
      let map: [UInt64] = (0..<48).map { (UInt64($0) * 37 % 256) * scale }
      let builder = Self.builder(6, 5, channels: 1, bits: 4) {
        $0.photometric = 3
        $0.extra = [(320, 3, map)]
      }
      let image = try Self.read(builder).image
      let factor = scale == 257 ? 257 : 1
      let expected = builder.samples.flatMap { index in (0..<3).map { map[$0 * 16 + Int(index)] / UInt64(factor) } }
      #expect(image.bitDepth == bits && Self.codes(image) == expected)
    }
    // Indices beside a sample that has no meaning here.
    for isPlanar in [false, true] {
      let map: [UInt64] = (0..<768).map { UInt64($0 % 256) }
      let builder = Self.builder(6, 5, channels: 2, bits: 8) {
        $0.photometric = 3
        $0.isPlanar = isPlanar
        $0.extra = [(320, 3, map)]
      }
      let indices = builder.samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      #expect(Self.codes(try Self.read(builder).image) == indices.flatMap { [$0, $0, $0] })
    }
    let without = Self.builder(6, 5, channels: 1, bits: 4) { $0.photometric = 3 }
    #expect(Self.refusal(without).contains("palette picture without its 16 colours"))
  }

  @Test("CMYK without a profile is (1 - ink)(1 - black), and said to be")
  func plainInks() throws {
    let builder = Self.builder(3, 1, channels: 4, bits: 8) {
      $0.photometric = 5
      $0.samples = [0, 0, 0, 0, 255, 0, 0, 0, 0, 128, 255, 51]
    }
    let source = try Self.read(builder)
    let black = 65_535 - 51 * 257
    #expect(
      Self.codes(source.image)
        == [65_535, 65_535, 65_535, 0, 65_535, 65_535, UInt64(black), UInt64((127 * 257 * black + 32_767) / 65_535), 0])
    #expect(source.color.encoding == .cicp(primaries: 1, transfer: 13))
    #expect(source.warnings.contains { $0.code == "tiff.converted" })
  }

  @Test("Lab becomes R'G'B' in BT.2020: greys stay grey and white is white", arguments: [8, 16], [8, 9])
  func lab(bits: Int, photometric: Int) throws {
    // White, black, a grey of L* 50, a red of L* 50, a* 60, b* 40.
    let isSigned = photometric == 8, unit = bits == 8 ? 1 : 256
    let most = bits == 8 ? 255.0 : (isSigned ? 65_535 : 65_280)
    func axis(_ value: Int) -> UInt64 {
      guard isSigned else { return UInt64((value + 128) * unit) }
      return UInt64(UInt16(truncatingIfNeeded: value * unit)) & (bits == 8 ? 255 : 65_535)
    }
    var samples: [UInt64] = []
    for (l, a, b) in [(100.0, 0, 0), (0, 0, 0), (50, 0, 0), (50, 60, 40)] {
      samples += [UInt64((l / 100 * most).rounded()), axis(a), axis(b)]
    }
    let builder = Self.builder(4, 1, channels: 3, bits: bits) {
      $0.photometric = photometric
      $0.samples = samples
    }
    let source = try Self.read(builder)
    #expect(source.color.encoding == .cicp(primaries: 9, transfer: 13))
    let codes = Self.codes(source.image).map(Int.init)
    #expect(codes[0...2].allSatisfy { $0 > 65_500 } && codes[3...5].allSatisfy { $0 < 40 }, "\(codes)")
    // L* 50 is 0.1842 of white, 0.4663 by the sRGB curve.
    for code in codes[6...8] { #expect(abs(code - 30_560) < 160, "\(codes)") }
    #expect(codes[9] > codes[10] + 15_000 && codes[9] > codes[11] + 12_000)
  }

  @Test(
    "Y'CbCr that is not JPEG becomes planes with their chroma",
    arguments: [[1, 1], [2, 1], [2, 2], [1, 2], [4, 1]])
  func luma(subsampling: [Int]) throws {
    let h = subsampling[0], v = subsampling[1], width = 9, height = 6
    // Packed units, built by hand: luma 10 * y + x, chroma 100 and 200 plus the unit.
    let across = (width + h - 1) / h, down = (height + v - 1) / v
    var data: [UInt64] = []
    for uy in 0..<down {
      for ux in 0..<across {
        for dy in 0..<v { for dx in 0..<h { data.append(UInt64(10 * (uy * v + dy) + ux * h + dx)) } }
        data += [UInt64(100 + ux), UInt64(200 + uy)]
      }
    }
    var builder = Self.builder(data.count, 1, channels: 1, bits: 8) {
      $0.samples = data
      $0.block = .strips(rows: 1)
    }
    builder.extra = [
      (256, 4, [UInt64(width)]), (257, 4, [UInt64(height)]), (258, 3, [8, 8, 8]), (262, 3, [6]), (277, 3, [3]),
      (278, 4, [UInt64(height)]), (339, 3, [1, 1, 1]), (530, 3, subsampling.map { UInt64($0) }),
    ]
    let source = try Self.read(builder), image = source.image
    #expect(image.model == .ycc && source.color.matrix == 6 && source.color.fullRange)
    func value(_ plane: SamplePlane, _ x: Int, _ y: Int) -> Int {
      Int(plane.buffer.base.load(fromByteOffset: y * plane.rowBytes + x, as: UInt8.self))
    }
    for y in 0..<height { for x in 0..<width { #expect(value(image.channels[0], x, y) == 10 * y + x) } }
    #expect(image.channels[1].width == across && image.channels[1].height == down)
    for y in 0..<down {
      for x in 0..<across {
        #expect(value(image.channels[1], x, y) == 100 + x && value(image.channels[2], x, y) == 200 + y)
      }
    }
  }

  @Test("colour comes from the profile, else integers are sRGB and floats linear light")
  func colour() throws {
    func color(float: Bool, bits: Int = 16, _ extra: [(tag: Int, type: Int, values: [UInt64])]) throws -> ColorEncoding
    {
      try decodeImage(
        Self.builder(4, 4, channels: 3, bits: bits, float: float) { $0.extra = extra }.bytes, request: .metadata
      ).color.encoding
    }
    func profile(_ primaries: Int, _ transfer: Int) -> [(tag: Int, type: Int, values: [UInt64])] {
      [(34675, 7, (ICCProfileWriter.profile(primaries: primaries, transfer: transfer) ?? []).map { UInt64($0) })]
    }
    #expect(try color(float: false, []) == .cicp(primaries: 1, transfer: 13))
    #expect(try color(float: false, profile(9, 16)) == .cicp(primaries: 9, transfer: 16))
    #expect(try color(float: true, []) == .cicp(primaries: 1, transfer: 8))
    #expect(try color(float: true, profile(12, 8)) == .cicp(primaries: 12, transfer: 8))
    #expect(try color(float: true, profile(9, 18)) == .cicp(primaries: 9, transfer: 18))
    // BT.2020 by PrimaryChromaticities; integers do not look at it.
    let points: [UInt64] = [708, 292, 170, 797, 131, 46].flatMap { [$0, 1000] }
    #expect(try color(float: true, [(319, 5, points)]) == .cicp(primaries: 9, transfer: 8))
    #expect(try color(float: false, [(319, 5, points)]) == .cicp(primaries: 1, transfer: 13))
    guard case .matrixTRC(_, let matrix, let code) = try color(float: true, [(37439, 5, [406, 1])]) else {
      Issue.record("no matrix")
      return
    }
    #expect(code == 1 && matrix[0] > 1.25 && abs(matrix[0...2].reduce(0, +) - 2) < 1e-6)
  }

  @Test("the first whole page is read, or the one asked for")
  func pages() throws {
    var first = Self.builder(3, 3, channels: 1, bits: 8) { $0.extra = [(254, 4, [1])] }
    let second = Self.builder(5, 4, channels: 1, bits: 16) {
      $0.extra = [(285, 2, Array("paper\0".utf8).map { UInt64($0) })]
    }
    let map = Self.builder(5, 4, channels: 1, bits: 8) { $0.photometric = 52553 }
    first.next = [second, map, Self.builder(6, 2, channels: 3, bits: 8)]
    let main = try Self.read(first)
    #expect(main.picture == 2 && main.pictures.count == 3 && main.image.width == 5)
    #expect(main.pictures.map(\.note) == ["8 bit, reduced", "16 bit", "8 bit"])
    #expect(main.pictures[1].name == "paper")
    #expect(main.warnings.contains { $0.code == "tiff.pages" })
    for (choice, width) in [("1", 3), ("3", 6), ("paper", 5)] {
      #expect(try decodeImage(first.bytes, picture: choice).image.width == width)
    }
    #expect(throws: DecodeError.self) { try decodeImage(first.bytes, picture: "4") }
  }

  /// Film scanners write NEF (TIFF/EP) and DNG so: the first directory is a reduced version, the picture lies below it.
  @Test("the picture below a reduced version is the one that is read", arguments: [false, true])
  func pictureBelowItsReducedVersion(isDNG: Bool) throws {
    let whole = Self.builder(6, 4, channels: 3, bits: 16) { $0.extra = [(254, 4, [0])] }
    var small = Self.builder(3, 2, channels: 3, bits: 8) { _ in }
    // Reduced; make and orientation are of both.
    small.extra = [(254, 4, [1]), (271, 2, Array("Scanner\0".utf8).map { UInt64($0) }), (274, 3, [6])]
    if isDNG { small.extra.append((50706, 1, [1, 1, 0, 0])) }
    small.below = [whole]
    let source = try decodeImage(small.bytes), exif = String(decoding: source.exif ?? [], as: UTF8.self)
    #expect(source.format == .tiff && source.image.width == 6 && source.image.bitDepth == 16)
    #expect(source.pictures.map(\.note) == ["8 bit, reduced", "16 bit"] && source.picture == 2)
    #expect(source.pictures.numbers == [2] && source.warnings.isEmpty, "\(source.warnings)")
    #expect(source.geometry.orientation == .right && exif.contains("Scanner"))
    let chosen = try decodeImage(small.bytes, picture: "1")
    #expect(chosen.image.width == 3 && chosen.picture == 1)
  }

  @Test("Adobe's gain map is a directory of its own with the main picture's hdrgm")
  func gainMap() throws {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="3" \
      hdrgm:HDRCapacityMax="3"/></rdf:RDF></x:xmpmeta>
      """
    for (channels, bits, isFloat) in [(1, 8, false), (3, 16, false), (1, 32, true)] {
      var builder = Self.builder(8, 6, channels: 3, bits: 8) {
        $0.extra = [(700, 1, Array(xmp.utf8).map { UInt64($0) })]
      }
      let map = Self.builder(4, 3, channels: channels, bits: bits, float: isFloat) {
        $0.photometric = 52553
        $0.extra = [(254, 4, [32])]
      }
      builder.next = [map]
      let source = try Self.read(builder)
      let found = try #require(source.gainMap)
      #expect(
        found.metadata.kind == .hdrgm && found.metadata.max == [3, 3, 3] && found.metadata.alternateHeadroom == 3)
      #expect(Self.codes(found.image) == map.samples && source.pictures.isEmpty)
      builder.next = []
      #expect(try Self.read(builder).warnings.contains { $0.code == "gainmap.missing" })
    }
  }

  @Test(
    "what is not read is refused by its name",
    arguments: [
      ("DNG", [(50706, 1, [1, 4, 0, 0])]), ("camera raw", [(262, 3, [32803])]), ("Pixar", [(259, 3, [32909])]),
      ("JPEG XL", [(259, 3, [52546])]), ("SGI Log", [(259, 3, [34676])]),
      ("complex", [(258, 3, [64, 64, 64]), (339, 3, [5, 5, 5])]),
      ("transparency mask", [(262, 3, [4])]), ("InkSet 2", [(262, 3, [5]), (332, 3, [2]), (277, 3, [4])]),
      ("several depths", [(258, 3, [8, 8, 5])]), ("places of 0 strips", [(273, 3, [])]),
      ("sizes of 1 strips", [(279, 4, [3])]), ("too early", [(273, 4, [1 << 20, 8])]),
    ] as [(String, [(Int, Int, [UInt64])])])
  func refusals(name: String, extra: [(Int, Int, [UInt64])]) {
    let builder = Self.builder(4, 4, channels: 3, bits: 8) {
      $0.extra = extra.map { (tag: $0.0, type: $0.1, values: $0.2) }
    }
    let text = Self.refusal(builder)
    #expect(text.contains(name), "\(text)")
  }

  @Test("Deflate that cannot hold its samples is refused before it is inflated")
  func bomb() {
    let builder = Self.builder(4, 4, channels: 3, bits: 8) {
      $0.isDeflate = true
      $0.extra = [(256, 4, [60_000]), (278, 4, [4])]
    }
    #expect(Self.refusal(builder).contains("cannot hold its samples"))
  }

  @Test("a chain of directories that leads back ends there")
  func loop() throws {
    let builder = Self.builder(4, 4, channels: 3, bits: 8)
    var bytes = builder.bytes
    // The last field is that of the next directory, the first that of the first one.
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: bytes[4..<8])
    #expect(try decodeImage(bytes).warnings.contains { $0.code == "tiff.loop" })
  }

  @Test("no truncated file is read, and none does harm")
  func truncated() throws {
    let bytes = Self.builder(9, 7, channels: 3, bits: 16) {
      $0.isDeflate = true
      $0.predictor = 2
    }.bytes
    for count in stride(from: 8, to: bytes.count - 8, by: 7) {
      #expect(throws: DecodeError.self) { try decodeImage(Array(bytes[..<count])) }
    }
  }

  @Test(
    "files of the malformed set are read or refused as that set says",
    .enabled(if: SharedData.url("data/malformed/MANIFEST.tsv") != nil, "skipped: no data"))
  func malformedSet() throws {
    let manifest = try #require(SharedData.url("data/malformed/MANIFEST.tsv"))
    let rows = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t")
    }
    var count = 0
    for row in rows where row[0].hasPrefix("tif-") || row[0].hasPrefix("up-tif-") {
      // 64 megapixels are slow to decode and no fault.
      if row[0].hasPrefix("tif-deflate-bomb") { continue }
      let file = try #require(SharedData.url("data/malformed/" + row[0]))
      count += 1
      do {
        _ = try decodeImage([UInt8](Data(contentsOf: file)))
        #expect(
          row.last?.contains("ok") == true || row.last?.contains("warn") == true || row[0].contains("74d2a784"),
          "\(row[0])")
      } catch let error as DecodeError {
        #expect(row.last != "ok", "\(row[0]): \(error)")
      }
    }
    #expect(count > 10)
  }
}
