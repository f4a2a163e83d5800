import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Reading JPEG 2000: boxes, heads of code streams, colour; and files of other writers by OpenJPEG.
@Suite struct JPEG2000Tests {
  static let hasLibrary = codecLibraries().contains { $0.name == "OpenJPEG" && $0.version != nil }

  /// The head of a code stream, and fields of the boxes around it.
  struct Made {
    var width = 40
    var height = 30
    var left = 0
    var profile = 0
    /// The tiles of which there are parts, and what each states as its length.
    var tileParts = [0]
    var tileBytes: Int?
    var tile = (width: 40, height: 30)
    /// The byte of each component: bits - 1, 0x80 signed.
    var depths: [UInt8] = [7, 7, 7]
    var spacing: UInt8 = 1
    /// The length of SIZ in place of the right one.
    var length: Int?
    /// The contents of comments.
    var comments: [[UInt8]] = [[1, 2]]
    var isBare = false
    var statedWidth: Int?
    var statedCount: Int?
    var boxes: [[UInt8]] = []
    var behind: [[UInt8]] = []

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      big(payload.count + 8, 4) + Array(type.utf8) + payload
    }

    /// A description by code points.
    static func cicp(_ primaries: Int, _ transfer: Int, _ matrix: Int, full: Bool = true) -> [UInt8] {
      box(
        "colr",
        [5, 0, 0] + big(primaries, 2) + big(transfer, 2) + big(matrix, 2) + [full ? 0x80 : 0])
    }

    static func space(_ number: Int) -> [UInt8] { box("colr", [1, 0, 0] + big(number, 4)) }

    static func channels(_ list: [(Int, Int, Int)]) -> [UInt8] {
      box("cdef", big(list.count, 2) + list.flatMap { big($0.0, 2) + big($0.1, 2) + big($0.2, 2) })
    }

    var bytes: [UInt8] {
      let big = Self.big
      var stream: [UInt8] =
        [0xFF, 0x4F, 0xFF, 0x51] + big(length ?? 38 + 3 * depths.count, 2) + big(profile, 2)
      stream += big(left + width, 4) + big(height, 4) + big(left, 4) + big(0, 4)
      stream +=
        big(tile.width, 4) + big(tile.height, 4) + big(0, 4) + big(0, 4) + big(depths.count, 2)
      stream += depths.flatMap { [$0, spacing, spacing] }
      stream += comments.flatMap { [0xFF, 0x64] + big($0.count + 2, 2) + $0 }
      for index in tileParts {
        stream += [0xFF, 0x90, 0, 10] + big(index, 2) + big(tileBytes ?? 24, 4) + [0, 1]
        stream += [UInt8](repeating: 0x5A, count: 12)
      }
      stream += [0xFF, 0xD9]
      if isBare { return stream }
      let header = Self.box(
        "ihdr",
        big(height, 4) + big(statedWidth ?? width, 4) + big(statedCount ?? depths.count, 2) + [
          7, 7, 0, 0,
        ])
      return [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
        + Self.box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
        + Self.box("jp2h", header + boxes.flatMap { $0 })
        + Self.box("jp2c", stream) + behind.flatMap { $0 }
    }
  }

  private static func read(
    _ limits: DecodeLimits = DecodeLimits(), _ change: (inout Made) -> Void
  ) -> Result<SourceImage, DecodeError> {
    var made = Made()
    change(&made)
    return Result { () throws(DecodeError) in
      try decodeImage(made.bytes, request: .metadata, limits: limits)
    }
  }

  // MARK: Boxes

  @Test("code points go before a profile, and that before a number, in any order of boxes")
  func precedenceOfColour() throws {
    let both = try Self.read { $0.boxes = [Made.space(16), Made.cicp(9, 16, 0)] }.get()
    #expect(
      both.color.cicp == CICP(9, 16, 0, full: true) && both.format == .jp2
        && both.image.model == .rgb)
    #expect(both.warnings.map(\.code) == ["jp2.hdr8bit"])
    let limited = try Self.read { $0.boxes = [Made.cicp(9, 18, 9, full: false)] }.get()
    #expect(limited.color.cicp == CICP(9, 18, 9, full: false) && limited.image.model == .ycc)
    let number = try Self.read { $0.boxes = [Made.space(18)] }.get()
    #expect(
      number.image.model == .ycc && number.color.matrix == CICP.Matrix.bt601
        && number.warnings.isEmpty)
    let unknown = try Self.read { $0.boxes = [Made.cicp(65_535, 16, 0), Made.space(16)] }.get()
    #expect(unknown.color.encoding == .sRGB && unknown.warnings.map(\.code) == ["jp2.cicp"])
    let silent = try Self.read { $0.isBare = true }.get()
    #expect(silent.color.encoding == .sRGB && silent.warnings.map(\.code) == ["colour.assumed"])
    if let vector = SharedData.json("specs/formats-2026-vectors.json")?["jp2_colr_cicp"] as? [String: String] {
      #expect(Made.cicp(9, 16, 0) == hexBytes(vector["pq_2020_full"] ?? ""))
    }
    var limits = DecodeLimits()
    limits.reading.raw = RawDescription(primaries: 9, transfer: 16)
    let said = try Self.read(limits) { ($0.isBare, $0.depths) = (true, [15, 15, 15]) }.get()
    #expect(
      said.color.cicp == CICP(9, 16, 0, full: true) && said.image.bitDepth == 16
        && said.warnings.isEmpty)
  }

  @Test("channels are what cdef says; a bare code stream's fourth is alpha")
  func channelsAreDefined() throws {
    func layout(_ change: (inout Made) -> Void) throws -> (JP2Layout, [String]) {
      var made = Made()
      var warnings: [Warning] = []
      change(&made)
      let file = try JP2Container(made.bytes, limits: DecodeLimits(), warnings: &warnings)
      return (try JP2Layout(file, warnings: &warnings), warnings.map(\.code))
    }
    let (bgra, _) = try layout {
      $0.depths = [7, 7, 7, 7]
      $0.boxes = [Made.channels([(0, 0, 3), (1, 0, 2), (2, 0, 1), (3, 2, 0)])]
    }
    #expect(bgra.colors == [2, 1, 0] && bgra.alpha == 3 && bgra.isPremultiplied)
    let (bare, none) = try layout { ($0.depths, $0.isBare) = ([7, 7], true) }
    #expect(bare.colors == [0] && bare.alpha == 1 && none.isEmpty)
    let (extra, codes) = try layout { $0.depths = [7, 7, 7, 7] }
    #expect(extra.alpha == nil && extra.colors == [0, 1, 2] && codes == ["jp2.extra"])
    #expect(throws: DecodeError.self) {
      try layout { $0.boxes = [Made.channels([(0, 0, 1), (1, 0, 2)])] }
    }
    #expect(throws: DecodeError.self) { try layout { $0.boxes = [Made.channels([(9, 0, 1)])] } }
  }

  @Test("Exif and XMP of uuid boxes are read, and the orientation of Exif counts")
  func identifiedBoxesAreRead() throws {
    let exif: [UInt8] = [
      0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    let xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"></x:xmpmeta>".utf8)
    let identifiers: [[UInt8]] = [
      Array("JpgTiffExif->JP2".utf8),
      [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
      ],
    ]
    let source = try Self.read {
      $0.boxes = [Made.space(16)]
      $0.behind = [Made.box("uuid", identifiers[0] + exif), Made.box("uuid", identifiers[1] + xmp)]
    }.get()
    #expect(source.exif == exif && source.xmp == xmp && source.geometry.orientation == .right)
  }

  /// Changes that make one fault each, with the code of the error.
  static let faults: [(name: String, code: String, change: @Sendable (inout Made) -> Void)] = [
    ("another width in the boxes", "decode.malformed", { $0.statedWidth = 41 }),
    ("another number of components", "decode.malformed", { $0.statedCount = 4 }),
    ("a short SIZ", "decode.malformed", { $0.length = 41 }),
    ("five components", "decode.limit", { $0.depths = [7, 7, 7, 7, 7] }),
    ("17 bits", "decode.unsupported", { $0.depths = [16, 16, 16] }),
    ("signed samples", "decode.unsupported", { $0.depths = [0x87, 0x87, 0x87] }),
    ("several depths", "decode.unsupported", { $0.depths = [7, 7, 9] }),
    ("chroma of another size", "decode.unsupported", { $0.spacing = 2 }),
    ("tiles of no size", "decode.malformed", { $0.tile = (0, 30) }),
    ("tiles beside the picture", "decode.malformed", { ($0.left, $0.tile) = (50, (40, 30)) }),
    ("small tiles", "decode.limit", { ($0.width, $0.height, $0.tile) = (300, 300, (4, 4)) }),
    (
      "pixels that few bytes cannot hold", "decode.malformed",
      { ($0.width, $0.height, $0.tile) = (900, 900, (900, 900)) }
    ),
    ("a side of 65 536", "decode.limit", { ($0.width, $0.tile) = (65_536, (65_536, 30)) }),
    ("a tile is missing", "decode.malformed", { $0.tile = (20, 30) }),
    ("a tile that there is not", "decode.malformed", { $0.tileParts = [1] }),
    ("a tile part beyond the end", "decode.truncated", { $0.tileBytes = 900 }),
    ("no tile part", "decode.truncated", { $0.tileParts = [] }),
    ("CMYK of three components", "decode.malformed", { $0.boxes = [Made.space(12)] }),
    (
      "inks of several depths", "decode.unsupported",
      { ($0.depths, $0.boxes) = ([7, 7, 7, 9], [Made.space(12)]) }
    ),
    (
      "four other inks by a profile", "decode.unsupported",
      {
        let profile = TinyICC.profile(space: "4CLR", tags: [:])
        ($0.depths, $0.boxes) = ([7, 7, 7, 7], [Made.box("colr", [2, 0, 0] + profile)])
      }
    ),
    ("a space of no name", "decode.unsupported", { $0.boxes = [Made.space(14)] }),
    ("a palette", "decode.unsupported", { $0.boxes = [Made.box("pclr", [0, 2])] }),
  ]

  @Test("each fault is refused by name") func faultIsRefused() {
    for fault in Self.faults {
      switch Self.read(DecodeLimits(), fault.change) {
      case .success: Issue.record("\(fault.name) is read")
      case .failure(let error): #expect(error.code == fault.code, "\(fault.name): \(error)")
      }
    }
  }

  // MARK: Cinema

  @Test(
    "digital cinema is X'Y'Z' with white at 48 cd/m², by its profile or as asked for",
    arguments: [true, false])
  func cinemaIsXYZ(isAsked: Bool) throws {
    var limits = DecodeLimits()
    limits.reading.readsCinema = isAsked
    let source = try Self.read(limits) {
      ($0.isBare, $0.depths, $0.profile) = (true, [11, 11, 11], isAsked ? 0 : 3)
    }.get()
    guard case .matrixTRC(let curves, let rows, _) = source.color.encoding else {
      Issue.record("not X'Y'Z'")
      return
    }
    #expect(curves == [.gamma(2.6), .gamma(2.6), .gamma(2.6)] && source.light.signalWhite == 48)
    // Light of D65 at 48 cd/m² is white.
    let white = Primaries.xyz(Primaries.d65).map { $0 * 48 / 52.37 }
    for value in Matrix3(rows) * white { #expect(abs(value - 1) < 1e-9) }
    guard
      let vectors = SharedData.json("specs/formats-2026-vectors.json")?["dci"] as? [[String: Any]]
    else { return }
    for vector in vectors {
      let code = try #require(vector["code"] as? Double)
      let nits = try #require(vector["X_times_nits"] as? Double)
      let light = ToneCurve.gamma(2.6).value(code / 4095)
      #expect(abs(light * 52.37 - nits) < 1e-9 * max(1, nits))
    }
  }

  // MARK: Files of other writers

  @Test(
    "samples equal the array they were made from, or those of another reader",
    .enabled(
      if: hasLibrary && SharedData.url("data/formats2/expected.tsv") != nil,
      "skipped: no OpenJPEG or no data"))
  func samplesEqualOtherReaders() throws {
    let table = String(
      decoding: try #require(SharedData.bytes("data/formats2/expected.tsv")), as: UTF8.self)
    var pictures: [String: SourceImage] = [:]
    var rows = 0
    for line in table.split(separator: "\n")
    where line.hasPrefix("jpeg2000/") && !line.contains("cmyk") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if pictures[cells[0]] == nil {
        pictures[cells[0]] = try decodeImage(
          try #require(SharedData.bytes("data/formats2/" + cells[0])))
      }
      let image = try #require(pictures[cells[0]]).image
      let x = try #require(Int(cells[5]))
      let y = try #require(Int(cells[6]))
      let found = image.channels.map {
        Int(
          $0.buffer.base.load(
            fromByteOffset: $0.offset + y * $0.rowBytes + x * $0.stepBytes, as: UInt16.self))
      }
      #expect(found == cells[7...].compactMap { Int($0) }, "\(line): \(found)")
      rows += 1
    }
    #expect(rows == 80 && pictures.count == 8)
    #expect(pictures["jpeg2000/ht_pq_cicp.jph"]?.color.cicp == CICP(9, 16, 0, full: true))
    #expect(pictures["jpeg2000/enum16_then_cicp.jp2"]?.color.cicp == CICP(9, 16, 0, full: true))
    #expect(pictures["jpeg2000/dci_xyz12.j2c"]?.image.bitDepth == 12)
  }

  @Test("CMYK becomes R'G'B' of 16 bits, in any order of components")
  func inksBecomeColours() throws {
    let plain = try Self.read { ($0.depths, $0.boxes) = ([7, 7, 7, 7], [Made.space(12)]) }.get()
    #expect(plain.image.bitDepth == 16 && plain.image.model == .rgb && plain.color.encoding == .sRGB)
    #expect(plain.warnings.map(\.code) == ["jp2.converted"])
    var made = Made(), warnings: [Warning] = []
    made.depths = [3, 3, 3, 3]
    made.boxes = [
      Made.space(12), Made.channels([(0, 0, 4), (1, 0, 1), (2, 0, 2), (3, 0, 3)]),
    ]
    let file = try JP2Container(made.bytes, limits: DecodeLimits(), warnings: &warnings)
    let layout = try JP2Layout(file, warnings: &warnings)
    #expect(layout.colors == [1, 2, 3, 0])
    var limits = DecodeLimits()
    limits.reading.raw = RawDescription(primaries: 9, transfer: 16)
    #expect(throws: DecodeError.unsupported(feature: "another colour for this JPEG 2000", found: "CMYK")) {
      try Self.read(limits) { ($0.depths, $0.boxes) = ([7, 7, 7, 7], [Made.space(12)]) }.get()
    }
  }

  @Test(
    "inks of a file have the light of the codes that another reader finds",
    .enabled(
      if: hasLibrary && SharedData.url("data/formats2/expected.tsv") != nil,
      "skipped: no OpenJPEG or no data"))
  func inksEqualAnotherReaders() throws {
    let name = "jpeg2000/kde_testcard_cmyk.jp2"
    let image = try decodeImage(try #require(SharedData.bytes("data/formats2/" + name))).image
    let rows = try #require(PlainExpectations.files("jpeg2000").first { $0.file == name }).rows
    #expect(rows.count == 10)
    for row in rows {
      let inks = row.values.map { Int($0) * 257 }, black = 65_535 - inks[3]
      let found = image.channels.map {
        Int(
          $0.buffer.base.load(
            fromByteOffset: $0.offset + row.y * $0.rowBytes + row.x * $0.stepBytes, as: UInt16.self))
      }
      #expect(found == inks.prefix(3).map { ((65_535 - $0) * black + 32_767) / 65_535 }, "\(row.x),\(row.y)")
    }
  }

  @Test(
    "malformed files are typed errors or warnings",
    .enabled(if: SharedData.url("data/formats2/malformed") != nil, "skipped: no data"))
  func malformedFilesAreTyped() throws {
    let wanted = [
      "components16385": "decode.malformed", "cut": "decode.truncated",
      "ihdr_huge": "decode.malformed",
      "siz_65536": "decode.malformed", "tiles1x1": "decode.malformed", "colr_cicp_unknown": "jp2.cicp",
    ]
    for (name, code) in wanted {
      let bytes = try #require(SharedData.bytes("data/formats2/malformed/djp2_\(name).jp2"))
      let found: String
      do {
        found = try decodeImage(bytes, request: .metadata).warnings.map(\.code).joined(
          separator: " ")
      } catch { found = error.code }
      #expect(found.hasPrefix(code), "\(name): \(found)")
    }
  }
}
