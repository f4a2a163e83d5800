import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests the description of a DNG's picture: directories, levels, colours, looks, opcodes.
@Suite struct DNGTests {
  /// Directory, values, count, codes of a file of tests that is here.
  static func file(_ name: String) throws -> [UInt8] { try #require(SharedData.bytes("data/" + name)) }
  static let hasFiles = SharedData.url("data/formats/raw") != nil

  @Test("a synthetic ProRAW says all that it holds", arguments: [false, true])
  func proRAW(isLittleEndian: Bool) throws {
    let preview = try encodeAdaptive(AdaptiveJPEG.request()).main
    var builder = DNGBuilder.proRAW(preview: preview)
    if isLittleEndian {
      builder.isLittleEndian = true
      builder.raw[52525] = .bytes(builder.gainTable(), type: 7)
    }
    let bytes = builder.bytes, dng = try DNGDescription(bytes)
    #expect(dng.version == "1.7.1.0" && dng.make == "Maker" && dng.model == "Maker Model 1")
    #expect(dng.orientation == .right && dng.neutral == [0.45, 1, 0.54] && abs(dng.baselineExposure + 0.3) < 1e-12)
    let image = dng.image
    #expect(image.width == 70 && image.height == 40 && image.planes == 3 && image.bits == 12 && image.filters == nil)
    #expect(image.blockWidth == 40 && image.blockHeight == 24 && image.isTiled && image.compression == 7)
    #expect(image.levels.linearization.count == 4096 && image.levels.linearization[4095] == 65_535)
    #expect(image.levels.white == [65_535, 65_535, 65_535] && image.levels.black == [0, 0, 0])
    #expect(image.crop == SensorArea(left: 0, top: 0, right: 70, bottom: 40) && image.activeArea == image.crop)
    let profile = dng.profile
    #expect(profile.keepsBlack && profile.toneCurve?.points.count == 257)
    #expect(profile.calibration?.first.color.rows == DNGBuilder.matrix1)
    #expect(profile.calibration?.first.temperature == 2850 && profile.calibration?.second?.temperature == 6500)
    #expect(profile.gainTableMap?.rows == 2 && profile.gainTableMap?.columns == 3 && profile.gainTableMap?.depth == 5)
    let found = try #require(dng.preview)
    #expect(found.width == 48 && found.height == 32 && found.hasGainMap && Array(bytes[found.place]) == preview)
    #expect(dng.warnings.isEmpty)
  }

  @Test("gain tables are read in all four storages", arguments: 0..<4)
  func gainTables(storage: Int) throws {
    var builder = DNGBuilder.proRAW()
    builder.main[52544] = .bytes(builder.gainTable2(storage: storage), type: 7)
    let map = try #require(try DNGDescription(builder.bytes).profile.gainTableMap)
    #expect(map.storage.rawValue == storage && map.gamma == 0.5 && map.gains.count == 30)
    let wanted: [Float] = [
      0.5 + 3.5 * 8 / 255, 0.5 + 3.5 * 2000 / 65_535, 0.5 + 1.0 / 16, 0.5 + 1.0 / 16,
    ]
    #expect(abs(map.gains[1] - wanted[storage]) < 1e-6)
  }

  @Test("profiles for high dynamic range are found by their group")
  func profiles() throws {
    var builder = DNGBuilder.proRAW()
    func range(_ kind: Int) -> DNGBuilder.Value {
      .bytes(builder.number(1, 2) + builder.number(UInt64(kind), 2) + builder.number(UInt64(Float(8).bitPattern), 4))
    }
    func profile(_ name: String, _ group: String, _ kind: Int) -> [Int: DNGBuilder.Value] {
      [
        50721: .fractions(DNGBuilder.matrix1, isSigned: true), 50778: .shorts(21), 50936: .text(name),
        52552: .text(group), 52551: range(kind), 50940: .floats([0, 0, 0.5, 0.6, 1, 1]),
      ]
    }
    builder.main[52552] = .text("look")
    builder.profiles = [profile("other", "x", 1), profile("sdr", "look", 0), profile("hdr", "look", 1)]
    let dng = try DNGDescription(builder.bytes)
    #expect(dng.hdrProfiles.map(\.name) == ["other", "hdr"])
    #expect(dng.hdrProfile?.name == "hdr" && dng.hdrProfile?.dynamicRange?.peak == 8)
    #expect(dng.hdrProfile?.toneCurve?.points.count == 3 && dng.warnings.isEmpty)
    builder.main[50933] = .longs(12)
    builder.profiles = []
    #expect(try DNGDescription(builder.bytes).warnings.map(\.code) == ["dng.profile"])
  }

  @Test("opcodes are typed; optional ones that are not applied are warnings")
  func opcodes() throws {
    func u32(_ values: Int...) -> [UInt8] { values.flatMap(TinyICC.word) }
    func f64(_ values: Double...) -> [UInt8] {
      values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) } }
    }
    func f32(_ values: [Float]) -> [UInt8] { values.flatMap { TinyICC.word(Int($0.bitPattern)) } }
    func opcode(_ id: Int, _ data: [UInt8], optional: Bool = false) -> [UInt8] {
      u32(id, 0x0103_0000, optional ? 1 : 0, data.count) + data
    }
    let area = u32(0, 0, 4, 6, 0, 1, 1, 2)
    let list: [[UInt8]] = [
      opcode(3, f64(0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5)), opcode(6, u32(0, 0, 4, 6)),
      opcode(7, area + u32(2) + [0, 1, 0, 2]), opcode(8, area + u32(1) + f64(0.5, 2)),
      opcode(9, area + u32(1, 2) + f64(1, 0.5, 0, 0) + u32(1) + f32([1, 2])),
      opcode(10, area + u32(4) + f32([1, 2, 3, 4])), opcode(11, area + u32(3) + f32([1, 2, 3])),
      opcode(12, area + u32(4) + f32([1, 2, 3, 4])), opcode(13, area + u32(3) + f32([1, 2, 3])),
      opcode(1, [1, 2, 3], optional: true), opcode(99, [], optional: true),
    ]
    var warnings: [Warning] = []
    let bytes = u32(list.count) + list.flatMap { $0 }
    let found = try SensorOpcode.list(bytes[...], name: "OpcodeList3", warnings: &warnings)
    #expect(found.count == 9 && warnings.map(\.code) == ["dng.opcode", "dng.opcode"])
    let place = SensorOpcode.Area(
      top: 0, left: 0, bottom: 4, right: 6, plane: 0, planes: 1, rowPitch: 1, columnPitch: 2)
    #expect(found[1] == .trimBounds(top: 0, left: 0, bottom: 4, right: 6))
    #expect(found[2] == .mapTable(place, [1, 2]) && found[3] == .mapPolynomial(place, [0.5, 2]))
    #expect(found[5] == .deltaPerRow(place, [1, 2, 3, 4]) && found[8] == .scalePerColumn(place, [1, 2, 3]))
    for id in [1, 2, 4, 5, 14, 99] {
      #expect(throws: DecodeError.self) {
        try SensorOpcode.list((u32(1) + opcode(id, []))[...], name: "OpcodeList3", warnings: &warnings)
      }
    }
    for cut in 0..<bytes.count {
      #expect(throws: DecodeError.self) {
        try SensorOpcode.list(bytes[..<cut], name: "OpcodeList3", warnings: &warnings)
      }
    }
  }

  @Test("files of Adobe's SDK and of cameras say what they hold", .enabled(if: hasFiles, "skipped: no data"))
  func realFiles() throws {
    let eight = try DNGDescription(Self.file("formats/raw/adobe-dng-sdk_05_PGTM2_unsigned8.dng"))
    #expect(eight.profile.gainTableMap?.storage == .uint8 && eight.image.planes == 3 && eight.image.bits == 16)
    let first = try DNGDescription(Self.file("formats/raw/adobe-dng-sdk_08_PGTM2_float32.dng"))
    #expect(first.profile.gainTableMap?.storage == .float32 && first.profile.gainTableMap?.gamma == 1)
    let looks = try DNGDescription(Self.file("formats/raw/adobe-dng-sdk_14_hdr_sdr_profiles.dng"))
    #expect(looks.image.isFloat && looks.image.bits == 32 && looks.baselineExposure == 2)
    #expect(looks.profile.name == "SDR" && looks.profile.exposureOffset == -2 && looks.profile.keepsBlack)
    #expect(looks.hdrProfiles.map(\.name) == ["HDR Linear", "HDR Tone Map", "HDR Tint"])
    let small = try DNGDescription(Self.file("formats/raw/imagemeta_sample.dng"))
    #expect(small.image.filters?.letters == "RGGB" && small.image.levels.white == [1023])
    #expect(small.image.levels.black == [31] && small.image.activeArea.left == 12 && small.image.crop.width == 2592)
    #expect(abs(small.baselineExposure + 0.5) < 1e-12)
  }

  // MARK: Faults

  /// Changes that make one fault each, with the code of the error.
  static let faults: [(name: String, code: String, change: @Sendable (inout DNGBuilder) -> Void)] = [
    ("no DNGVersion", "decode.unsupported", { $0.main[50706] = nil }),
    ("version 2", "decode.unsupported", { $0.main[50706] = .bytes([2, 0, 0, 0]) }),
    ("no raw picture", "decode.malformed", { $0.raw[254] = .longs(1) }),
    ("loop of directories", "decode.malformed", { $0.next = -1 }),
    ("raw directory twice", "decode.malformed", { $0.main[330] = .longs(8, 8) }),
    ("129 directories below", "decode.limit", { $0.main[330] = .places(Array(1000..<1129)) }),
    ("directory outside", "decode.malformed", { $0.main[330] = .longs(1 << 30) }),
    ("width 0", "decode.malformed", { $0.raw[256] = .longs(0) }),
    ("width 70 000", "decode.limit", { $0.raw[256] = .longs(70_000) }),
    ("two planes", "decode.unsupported", { $0.raw[277] = .shorts(2) }),
    ("compression VC-5", "decode.unsupported", { $0.raw[259] = .shorts(9) }),
    ("pattern of 9", "decode.limit", { $0.raw[33421] = .shorts(9, 9) }),
    ("pattern too short", "decode.malformed", { $0.raw[33422] = .bytes([0, 1, 1]) }),
    ("cyan filters", "decode.unsupported", { $0.raw[33422] = .bytes([3, 1, 1, 2]) }),
    ("rotated filters", "decode.unsupported", { $0.raw[50711] = .shorts(2) }),
    ("black of 9 rows", "decode.limit", { $0.raw[50713] = .shorts(9, 1) }),
    ("black too short", "decode.malformed", { $0.raw[50713] = .shorts(2, 2) }),
    ("white below black", "decode.malformed", { $0.raw[50717] = .shorts(64) }),
    ("empty table", "decode.malformed", { $0.raw[50712] = .table([]) }),
    ("area outside", "decode.malformed", { $0.raw[50829] = .longs(0, 0, 17, 16) }),
    ("crop outside", "decode.malformed", { $0.raw[50720] = .fractions([17, 4]) }),
    ("singular matrix", "decode.malformed", { $0.main[50721] = .fractions([1, 0, 0, 1, 0, 0, 0, 0, 1]) }),
    ("no matrix", "decode.malformed", { $0.main[50721] = nil }),
    ("white of 0", "decode.malformed", { $0.main[50728] = .fractions([0, 1, 1]) }),
    ("white of 2000", "decode.malformed", { $0.main[50728] = .fractions([2000, 1, 1]) }),
    ("exposure of 100 stops", "decode.malformed", { $0.main[50730] = .fractions([100]) }),
    ("falling curve", "decode.malformed", { $0.main[50940] = .floats([0, 0, 0.5, 1, 0.4, 1]) }),
    ("curve of 8193 points", "decode.limit", { $0.main[50940] = .floats([Double](repeating: 0, count: 16_386)) }),
    ("curve of nothing", "decode.malformed", { $0.main[50940] = .floats([0, .nan, 1, 1]) }),
    ("map of 2^21", "decode.limit", { ($0.main[50937], $0.main[50938]) = (.longs(2048, 1024, 1), .floats([0])) }),
    ("map too short", "decode.malformed", { ($0.main[50937], $0.main[50938]) = (.longs(2, 2, 1), .floats([0, 1])) }),
    ("cut gains", "decode.truncated", { $0.raw[52525] = .bytes(Array($0.gainTable().dropLast())) }),
    ("gains of 2^23", "decode.limit", { $0.raw[52525] = .bytes($0.gainTable(rows: 1 << 12, columns: 1 << 11)) }),
    ("gain of 5000", "decode.malformed", { $0.raw[52525] = .bytes($0.gainTable(gain: 5000)) }),
    ("gamma of 9", "decode.malformed", { $0.main[52544] = .bytes($0.gainTable2(storage: 0, gamma: 9)) }),
    ("gains of type 4", "decode.malformed", { $0.main[52544] = .bytes($0.gainTable2(storage: 4)) }),
    ("HDR version 2", "decode.malformed", { $0.main[52551] = .bytes([0, 2, 0, 1, 0, 0, 0, 0]) }),
    ("mandatory warp", "decode.unsupported", { $0.raw[51022] = .bytes([0, 0, 0, 1] + Self.opcode(1, flags: 0)) }),
    ("cut opcodes", "decode.truncated", { $0.raw[51009] = .bytes([0, 0, 0, 2] + Self.opcode(1, flags: 1)) }),
    ("33 opcodes", "decode.limit", { $0.raw[51008] = .bytes([0, 0, 0, 33]) }),
    ("two gain maps of 2^19 gains and more", "decode.limit", { $0.raw[51009] = .bytes($0.gainMaps(2, side: 725)) }),
    ("strip outside", "decode.truncated", { $0.raw[273] = .longs(1 << 20) }),
    ("strip cut", "decode.truncated", { $0.raw[279] = .longs(1 << 20) }),
    ("interleaved by 3", "decode.unsupported", { $0.raw[50975] = .longs(3) }),
  ]

  private static func opcode(_ id: UInt8, flags: UInt8) -> [UInt8] {
    [0, 0, 0, id, 1, 3, 0, 0, 0, 0, 0, flags, 0, 0, 0, 0]
  }

  @Test("each fault is one error of its kind", arguments: faults.indices)
  func malformed(index: Int) throws {
    let fault = Self.faults[index]
    let builder = DNGBuilder.filterArray(16, 16, fault.change)
    do {
      _ = try CameraRaw(builder.bytes)
      Issue.record("\(fault.name) is read")
    } catch {
      #expect(error.code == fault.code, "\(fault.name): \(error)")
    }
  }

  @Test("changed bytes are refused or described, and never end the process")
  func changes() throws {
    var noise = Writer.Noise(5), builder = DNGBuilder.filterArray(16, 16)
    builder.main[52544] = .bytes(builder.gainTable2(storage: 1), type: 7)
    builder.main[50940] = .floats([0, 0, 0.5, 0.6, 1, 1])
    builder.main[50937] = .longs(2, 2, 1)
    builder.main[50938] = .floats([Double](repeating: 1, count: 12))
    builder.raw[51009] = .bytes([0, 0, 0, 1] + Self.opcode(1, flags: 1))
    builder.profiles = [[50721: .fractions(DNGBuilder.matrix1, isSigned: true), 50936: .text("x")]]
    let bytes = builder.bytes
    var described = 0
    for _ in 0..<600 {
      var changed = bytes
      for _ in 0...noise.next() % 4 {
        let at = 4 + Int(noise.next() % UInt64(changed.count - 4))
        changed[at] = [0, 1, 255, UInt8(truncatingIfNeeded: noise.next())][Int(noise.next() % 4)]
      }
      if (try? DNGDescription(changed)) != nil { described += 1 }
    }
    #expect(described > 20 && described < 580)
  }

  @Test("a file cut anywhere is refused or read, and never ends the process")
  func cuts() throws {
    let bytes = DNGBuilder.proRAW().bytes
    for count in stride(from: 0, to: bytes.count, by: 131) {
      #expect(throws: DecodeError.self) { try CameraRaw(Array(bytes.prefix(count))) }
    }
  }
}
