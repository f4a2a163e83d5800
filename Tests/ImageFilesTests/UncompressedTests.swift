import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Uncompressed HEIF (ISO/IEC 23001-17): every layout sample by sample; what is not read has a name; broken fields are
/// errors.
struct UncompressedTests {
  typealias File = UncompressedFile
  typealias B = HEIFBuilder

  static let rgb = [4, 5, 6], ycc = [1, 2, 3]

  static let layouts: [File] = {
    var list: [File] = []
    for order in [0, 1, 3] {
      for (bits, align) in [(8, 0), (8, 1), (8, 2), (10, 0), (10, 2), (12, 0), (12, 4), (14, 0), (16, 0), (16, 2)] {
        list.append(File(rgb, bits: bits, align: align).with { $0.interleaving = order })
      }
      for (bits, align) in [(8, 0), (8, 2), (10, 2), (12, 3), (16, 0), (16, 4)] {
        list.append(
          File(rgb, bits: bits, align: align).with {
            ($0.interleaving, $0.isLittleEndian) = (order, true)
          })
      }
      list.append(File([7, 6, 5, 4], bits: 8).with { $0.interleaving = order })
      list.append(File([4, 5, 12, 6], bits: 8).with { $0.interleaving = order })
      list.append(File([0], bits: 12).with { ($0.interleaving, $0.rowAlign) = (order, 16) })
      list.append(
        File(ycc, bits: 10).with {
          ($0.interleaving, $0.rowAlign, $0.tileAlign) = (order, 7, 64)
          ($0.columns, $0.rows) = (3, 2)
        })
    }
    for order in 0...4 where order != 2 {
      list.append(
        File(rgb, bits: 16).with {
          ($0.interleaving, $0.columns, $0.rows, $0.tileAlign) = (order, 2, 4, order == 4 ? 50 : 0)
        })
    }
    for (sampling, order) in [(1, 0), (2, 0), (3, 0), (1, 2), (2, 2)] {
      for (types, bits, align) in [(ycc, 8, 0), ([1, 3, 2], 8, 0), (ycc, 16, 0), (ycc, 10, 2), (ycc, 10, 0)] {
        let one = File(types, bits: bits, align: align).with { ($0.sampling, $0.interleaving) = (sampling, order) }
        list.append(one)
        list.append(one.with { ($0.columns, $0.rows, $0.rowAlign) = (3, 2, 16) })
      }
    }
    // Pixels with padding after them; alpha of another depth; alpha beside grey.
    list.append(File(rgb, bits: 8).with { ($0.interleaving, $0.pixelSize) = (1, 5) })
    list.append(File(rgb, bits: 10).with { ($0.interleaving, $0.pixelSize) = (1, 4) })
    list.append(
      File(rgb, bits: 10).with { $0.components.append(.init(type: 7, bits: 16)) })
    list.append(File([0, 7], bits: 8).with { $0.interleaving = 1 })
    for (profile, types) in [("rgb3", rgb), ("rgba", rgb + [7]), ("abgr", [7, 6, 5, 4])] {
      list.append(File(types, bits: 8).with { ($0.profile, $0.interleaving) = (profile, 1) })
    }
    for method in [File.Compression.zlib, .deflate] {
      for units in [nil, 1, 2, 7] as [Int?] {
        list.append(
          File(rgb, bits: 12).with { ($0.compression, $0.units, $0.columns, $0.rows) = (method, units, 3, 2) })
      }
    }
    return list
  }()

  @Test(arguments: layouts)
  func everySampleIsRead(file: File) throws {
    for request in [DecodeRequest.metadata, .pixels] {
      let source = try decodeImage(file.bytes, request: request)
      #expect(source.warnings == [] && source.format == .heif)
      #expect(source.decoder?.hasPrefix(file.compression == nil ? "hdrbatch" : "libdeflate") == true)
      let image = source.image, types = file.components.map(\.type)
      #expect(image.model == (types.contains(4) ? .rgb : types.contains(1) ? .ycc : .grey))
      #expect(image.width == file.width && image.height == file.height)
      #expect(image.bitDepth == file.components.first { ![7, 12].contains($0.type) }?.bits)
      #expect(image.chroma == (types.contains(0) ? .none : [.s444, .s422, .s420, .s411][file.sampling]))
      guard request == .pixels else { continue }
      for (index, component) in file.components.enumerated() where component.type != 12 {
        let plane: SamplePlane
        switch component.type {
        case 7:
          plane = try #require(image.alpha)
          #expect(image.alphaBitDepth == component.bits && !image.alphaIsPremultiplied)
        case 4...6: plane = image.channels[component.type - 4]
        case 0: plane = image.channels[0]
        default: plane = image.channels[component.type - 1]
        }
        let shift = file.shifts(component)
        #expect(plane.width == file.width >> shift.h && plane.height == file.height >> shift.v)
        let wrong = (0..<plane.height).reduce(0) { sum, y in
          sum + (0..<plane.width).count { plane.value($0, y) != file.value(index, $0, y) }
        }
        #expect(wrong == 0, "component \(component.type)")
      }
    }
  }

  @Test("a picture in the middle of other bytes ends where it ends")
  func ends() throws {
    for file in [
      File(Self.rgb, bits: 10), File(Self.rgb, bits: 8).with { ($0.interleaving, $0.rowAlign) = (1, 64) },
      File(Self.ycc, bits: 8).with { ($0.sampling, $0.interleaving) = (2, 2) },
      File(Self.rgb, bits: 16).with { ($0.compression, $0.units) = (.zlib, 3) },
    ] {
      #expect(throws: Never.self) { try decodeImage(file.with { $0.surplus = 1 }.bytes) }
      #expect(throws: DecodeError.self) { try decodeImage(file.with { $0.surplus = -1 }.bytes) }
    }
    let short = File([0], bits: 8).with { $0.surplus = -1 }
    #expect(throws: DecodeError.truncated(where: "data of item 1")) { try decodeImage(short.bytes) }
  }

  @Test("colour comes from nclx; R, G, B need no matrix")
  func color() throws {
    var builder = File(Self.rgb, bits: 10).builder
    builder.items[0].properties.append(B.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 0, 0x80]))
    let source = try decodeImage(builder.bytes)
    #expect(source.color.cicp == CICP(9, 16, 0, full: true) && source.image.model == .rgb)
    builder = File(Self.ycc, bits: 8).with { $0.sampling = 2 }.builder
    builder.items[0].properties.append(B.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 0, 0x80]))
    #expect(throws: DecodeError.malformed(where: "colr box", what: "identity matrix with 4:2:0 chroma")) {
      try decodeImage(builder.bytes)
    }
  }

  @Test("uncompressed tiles of a grid are laid side by side")
  func grid() throws {
    let tile = File(Self.rgb, bits: 10).with { ($0.width, $0.height) = (8, 4) }
    var builder = tile.builder
    builder.items[0].id = 2
    builder.items.append(
      .init(
        id: 1, type: "grid", data: B.grid(rows: 1, columns: 2, width: 15, height: 4), properties: [B.ispe(15, 4)]))
    builder.references = [("dimg", 1, [2, 2])]
    let image = try decodeImage(builder.bytes).image
    #expect(image.model == .rgb)
    for (index, plane) in image.channels.enumerated() {
      for x in 0..<15 { #expect(plane.value(x, 3) == tile.value(index, x % 8, 3)) }
    }
    let masked = File([4, 5, 6, 7], bits: 8).with { ($0.width, $0.height) = (8, 4) }
    builder.items[0] = masked.builder.items[0]
    builder.items[0].id = 2
    #expect(throws: DecodeError.unsupported(feature: "grid of tiles with alpha", found: "alpha in the tile itself")) {
      try decodeImage(builder.bytes)
    }
  }

  // MARK: - Foreign files

  /// Files of tests/data of libheif 1.19.8 (written by GPAC and libheif), hashed as that libheif decodes them, built with
  /// its reader of uncompressed pictures. Most hold the same picture, so their names say the hash.
  static let foreign: [String] = HEIF.list("data/formats/unci").filter { $0.hasSuffix(".heif") }

  static let hashes: [(String, UInt64)] = [
    ("_RGB", 0x36D6_68F9_F69C_064D), ("_ABGR", 0x36D6_68F9_F69C_064D), ("_RGxB", 0x36D6_68F9_F69C_064D),
    ("_R8G8B8", 0x36D6_68F9_F69C_064D), ("_B16R16G16", 0x7B92_F337_FDB9_3AF5), ("_M", 0x58BC_FFEB_9140_84F5),
    ("_YUV_tiled", 0x2A33_83C6_A517_12AD), ("Y16U16V16_420", 0xC9DC_E68D_0354_273D),
    ("Y16U16V16_422", 0xA3AF_A3E6_475C_1695), ("_420", 0x4AEE_9723_D433_1369), ("_422", 0x743E_6D3F_A32D_31FD),
    ("generic_compressed", 0x433C_974B_A6E9_7325),
  ]

  @Test(.enabled(if: !foreign.isEmpty, "skipped: no data"), arguments: foreign)
  func foreignFilesHaveTheirSamplesOrAreRefused(name: String) throws {
    let bytes = try #require(SharedData.bytes("data/formats/unci/" + name))
    let isRefused = ["R5G6B5", "R7", "brotli"].contains { name.contains($0) }
    if isRefused {
      let error = #expect(throws: DecodeError.self) { try decodeImage(bytes) }
      #expect(error?.code == "decode.unsupported")
      return
    }
    let image = try decodeImage(bytes).image
    #expect(image.hash == Self.hashes.first { name.contains($0.0) }?.1)
    #expect((image.alpha != nil) == ["ABGR", "A8"].contains { name.contains($0) })
    if let alpha = image.alpha {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      alpha.hash(into: &hash)
      #expect(hash == 0xC5B6_2B22_4C20_AE6B)
    }
  }

  // MARK: - Refused

  static let refused: [(File, String)] = [
    (File(rgb, bits: 10).with { ($0.interleaving, $0.blockSize) = (1, 4) }, "in blocks"),
    (File(rgb, bits: 8).with { $0.flags = 0x10 }, "in blocks"),
    (File(ycc, bits: 8).with { ($0.sampling, $0.interleaving) = (1, 5) }, "several Y a pixel"),
    (File(rgb, bits: 7), "7 bits of red"),
    (File(rgb, bits: 24), "24 bits of red"),
    (File(rgb, bits: 16).with { $0.components[1].bits = 12 }, "16, 12, 16 bits"),
    (File(rgb, bits: 16).with { $0.components[1].format = 1 }, "floating point"),
    (File(rgb, bits: 32).with { $0.components[2].format = 2 }, "complex"),
    (File([11], bits: 8), "filter array"), (File([8], bits: 8), "depth"), (File([13, 14, 15], bits: 8), "cyan"),
    (File([10], bits: 8), "palette"), (File([40], bits: 8), "unknown type"), (File([4, 5], bits: 8), "red, green"),
    (File([7], bits: 8), "alpha"),
    (File(rgb, bits: 10).with { $0.isLittleEndian = true }, "not whole bytes"),
    (
      File(rgb, bits: 10).with {
        $0.interleaving = 1
        $0.components[0].align = 2
      }, "both words and single bits"
    ),
  ]

  @Test(arguments: refused)
  func whatIsNotReadHasAName(file: File, part: String) {
    let error = #expect(throws: DecodeError.self) { try decodeImage(file.bytes, request: .metadata) }
    guard case .unsupported(_, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains(part), "\(found)")
  }

  @Test("profiles, versions and compressions that are not read have a name")
  func unknownCodes() {
    func error(_ change: (inout HEIFBuilder) -> Void) -> String {
      var builder = File(Self.rgb, bits: 8).with { $0.compression = .zlib }.builder
      change(&builder)
      do throws(DecodeError) {
        _ = try decodeImage(builder.bytes)
        return "none"
      } catch {
        return "\(error)"
      }
    }
    func uncC(_ version: Int, _ profile: String) -> [UInt8] {
      B.fullBox("uncC", version: version, Array(profile.utf8))
    }
    #expect(error { $0.items[0].properties[2] = uncC(1, "yuv2") }.contains("profile of an uncompressed picture"))
    #expect(error { $0.items[0].properties[2] = uncC(2, "rgb3") }.contains("uncC version"))
    func cmpC(_ name: String) -> [UInt8] { B.fullBox("cmpC", Array(name.utf8) + [0]) }
    #expect(error { $0.items[0].properties[3] = cmpC("brot") }.contains("Brotli"))
    #expect(error { $0.items[0].properties[3] = cmpC("zstd") }.contains("zstd"))
    #expect(error { $0.items[0].properties[3] = cmpC("defl") }.contains("libdeflate"))
    #expect(error { $0.items[0].properties.remove(at: 2) }.contains("uncC box: there is none"))
    #expect(error { $0.items[0].properties.remove(at: 1) }.contains("cmpd box: there is none"))
    #expect(error { $0.items[0].type = "hvc1" }.contains("generic compression is not supported"))
  }

  static let malformed: [(File, String)] = [
    (File(rgb, bits: 8).with { $0.columns = 5 }, "tiles in 12x8 pixels"),
    (File(rgb, bits: 8).with { $0.rows = 3 }, "tiles in 12x8 pixels"),
    (File(ycc, bits: 8).with { ($0.sampling, $0.columns) = (2, 4) }, "4:2:0 tiles of 3x8"),
    (File(ycc, bits: 8).with { ($0.sampling, $0.interleaving) = (2, 1) }, "side by side"),
    (File(rgb, bits: 8).with { $0.sampling = 1 }, "without Cb and Cr"),
    (File(rgb, bits: 8).with { $0.pixelSize = 4 }, "a pixel size without whole pixels"),
    (File(rgb, bits: 8).with { ($0.interleaving, $0.pixelSize) = (1, 2) }, "24 bits in pixels of 2 bytes"),
    (File(rgb, bits: 12, align: 1), "12 bits in words of 1 bytes"),
    (File([4, 5, 6, 6], bits: 8), "two blue components"),
    (File([2, 1, 3], bits: 8).with { ($0.sampling, $0.interleaving) = (2, 2) }, "without Cb beside Cr"),
  ]

  @Test(arguments: malformed)
  func contradictionsAreErrors(file: File, part: String) {
    let error = #expect(throws: DecodeError.self) { try decodeImage(file.bytes, request: .metadata) }
    #expect(error?.code == "decode.malformed" && "\(error.map { "\($0)" } ?? "")".contains(part))
  }

  /// Every field of `uncC`, `cmpd`, `cmpC` and `icef` replaced by values that hurt, and every box cut: an error, or a
  /// picture of the size that `ispe` says, never a trap.
  @Test(arguments: [
    File(rgb, bits: 10).with { ($0.interleaving, $0.columns) = (1, 2) },
    File(ycc, bits: 16).with { ($0.sampling, $0.interleaving, $0.isLittleEndian, $0.rowAlign) = (2, 2, true, 8) },
    File(rgb + [7], bits: 8).with { ($0.compression, $0.units, $0.interleaving, $0.tileAlign) = (.deflate, 4, 4, 16) },
  ])
  func absurdFieldsNeverTrap(file: File) {
    let builder = file.builder
    var errors = 0, pictures = 0
    func check(_ change: (inout HEIFBuilder) -> Void) {
      var broken = builder
      change(&broken)
      do throws(DecodeError) {
        let image = try decodeImage(broken.bytes).image
        #expect(image.width == 12 && image.height == 8)
        pictures += 1
      } catch {
        errors += 1
      }
    }
    for property in builder.items[0].properties.indices.dropFirst() {
      let box = builder.items[0].properties[property]
      for index in box.indices.dropFirst(8) {
        for value in [0, 1, 2, 3, 5, 7, 12, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8] {
          check { $0.items[0].properties[property][index] = value }
        }
        check {
          $0.items[0].properties[property] = B.box(String(decoding: box[4..<8], as: UTF8.self), Array(box[8..<index]))
        }
      }
    }
    #expect(errors > 300 && pictures > 20, "\(errors) errors, \(pictures) pictures")
  }

  @Test("padding and compressed units cannot ask for more than the file is worth")
  func bounds() {
    func error(_ file: File, _ change: (inout HEIFBuilder) -> Void = { _ in }) -> DecodeError? {
      var builder = file.builder
      change(&builder)
      do throws(DecodeError) {
        _ = try decodeImage(builder.bytes)
        return nil
      } catch {
        return error
      }
    }
    // A pixel of a megabyte, compressed: refused before memory is taken for it.
    let wide = File(Self.rgb, bits: 8).with { ($0.interleaving, $0.compression) = (1, .deflate) }
    let huge = wide.with { $0.pixelSize = 1 << 20 }.uncC
    #expect(error(wide) { $0.items[0].properties[2] = huge }?.code == "decode.malformed")
    let beyond = wide.with { $0.pixelSize = 1 << 30 }.uncC
    #expect(error(wide) { $0.items[0].properties[2] = beyond }?.code == "decode.malformed")
    // A large picture of few bytes.
    #expect(error(wide) { $0.items[0].properties[0] = B.ispe(6000, 6000) } == .truncated(where: "data of item 1"))
    // Units over each other.
    let units = File(Self.rgb, bits: 8).with { ($0.compression, $0.units) = (.deflate, 2) }
    let length = units.builder.items[0].data.count / 2
    let same = B.fullBox("icef", [1 << 5 | 1 << 2] + B.u32(3) + (0..<3).flatMap { _ in B.u16(0) + B.u16(length) })
    #expect(
      error(units) { $0.items[0].properties[4] = same }
        == .malformed(where: "icef box", what: "its units hold more than the item"))
    let far = B.fullBox("icef", [4 << 5 | 4 << 2] + B.u32(1) + B.u64(.max) + B.u64(2))
    #expect(error(units) { $0.items[0].properties[4] = far }?.code == "decode.malformed")
    // More comes out than the picture has.
    let longer = units.with { $0.width = 13 }
    #expect(error(longer) { $0.items[0].properties[0] = B.ispe(12, 8) }?.code == "decode.malformed")
    // Components and tiles without end.
    #expect(error(File([Int](repeating: 12, count: 17), bits: 8))?.code == "decode.malformed")
    let tiles = File(Self.rgb, bits: 8).with { ($0.width, $0.height, $0.columns, $0.rows) = (300, 300, 300, 300) }
    #expect(error(tiles)?.code == "decode.malformed")
  }
}
