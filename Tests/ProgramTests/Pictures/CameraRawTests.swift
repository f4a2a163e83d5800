import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Camera raw files through the program: a made ProRAW with local gains, a tone curve, and a preview with a gain map.
@Suite(.enabled(if: rawMissing() == nil, "skipped: no LibRaw"))
struct CameraRawRenderTests {
  /// An Ultra HDR JPEG of 70x40, as telephones put it into their raw files.
  private static func preview(_ folder: TemporaryFolder) throws -> [UInt8] {
    let made = try Program.run([
      "render", SharedData.small("lamps.jpg"), "--out", folder.path("preview"), "--to", "adaptive-jpeg",
      "--filter", "scale=width:\(DNGBuilder.proRAWWidth),height:\(DNGBuilder.proRAWHeight)",
    ])
    #expect(made.status == 0, "\(made.errors)")
    return Array(try Data(contentsOf: folder.url.appendingPathComponent("preview/lamps.jpg")))
  }

  private static func proRAW(_ preview: [UInt8]) -> DNGBuilder {
    var builder = DNGBuilder.proRAW(preview: preview)
    if !preview.isEmpty {
      builder.main[256] = .longs(DNGBuilder.proRAWWidth)
      builder.main[257] = .longs(DNGBuilder.proRAWHeight)
    }
    return builder
  }

  private static func write(_ builder: DNGBuilder, _ folder: TemporaryFolder, _ name: String = "a.dng") throws -> String
  {
    let path = folder.path(name)
    try Data(builder.bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Linear light of a rendition, as halves.
  private static func light(_ path: String, _ folder: TemporaryFolder, _ words: [String]) throws -> [Double] {
    let made = try Program.run(
      [
        "render", path, "--out", folder.path("light"), "--to", "rgba16f", "--on-existing", "replace", "--backend",
        "cpu",
      ]
        + words)
    #expect(made.status == 0, "\(made.errors)")
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("light/a.rgba16f")))
    return bytes.withUnsafeBytes { raw in
      (0..<bytes.count / 2).map { Double(raw.load(fromByteOffset: 2 * $0, as: Float16.self)) }
    }
  }

  @Test("the preview is what is shown where it is whole; it comes out byte for byte, and its payloads are kept")
  func embedded() throws {
    let folder = try TemporaryFolder()
    let preview = try Self.preview(folder)
    let path = try Self.write(Self.proRAW(preview), folder)
    let taken = try Program.run(["render", path, "--extract", "preview", "--out", folder.path("out")])
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(Array(try Data(contentsOf: folder.url.appendingPathComponent("out/a.jpg"))) == preview)
    let kept = try Program.run(["render", path, "--to", "adaptive-jpeg", "--out", folder.path("kept")])
    #expect(kept.status == 0, "\(kept.errors)")
    let bytes = Array(try Data(contentsOf: folder.url.appendingPathComponent("kept/a.jpg")))
    let one = try codedRenditions(preview), two = try codedRenditions(bytes)
    guard case .jpegStream(let before) = one.map, case .jpegStream(let after) = two.map else {
      Issue.record("no map")
      return
    }
    #expect(before == after)
    // The rendition is turned as the raw file says.
    let source = try decodeImage(bytes, request: .metadata)
    #expect(source.geometry.orientation == .right && source.gainMap != nil)
  }

  @Test("thousands of opcodes cost a file, not a run; as many as may be are done", arguments: [4096, 32])
  func opcodeLists(count: Int) throws {
    let folder = try TemporaryFolder()
    let builder = DNGBuilder.filterArray(64, 48) { builder in
      for tag in [51008, 51009] {
        builder.raw[tag] = .bytes(DNGBuilder.polynomials(count, width: 64, height: 48), type: 7)
      }
      builder.raw[51022] = .bytes(DNGBuilder.polynomials(count, width: 64, height: 48, planes: 3), type: 7)
    }
    let path = try Self.write(builder, folder), example = SharedData.small("lamps.jpg")
    let made = try Program.run([
      "render", path, example, "--raw-look", "profile", "--to", "rgba16f", "--out", folder.path("out"), "--backend",
      "cpu",
    ])
    let isRefused = count > SensorOpcode.maxOpcodes
    #expect(made.status == (isRefused ? 65 : 0), "\(made.errors)")
    #expect(made.errors.contains("opcodes of OpcodeList1 is \(count)") == isRefused, "\(made.errors)")
    #expect(made.errors.contains("[decode.limit]") == isRefused, "\(made.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/lamps.rgba16f")))
  }

  @Test("every look renders; amounts 0, 0.5 and 1 follow each other", arguments: [false, true])
  func looks(isJXL: Bool) throws {
    try #require(!isJXL || jxlMissing() == nil)
    let folder = try TemporaryFolder()
    var builder = Self.proRAW([])
    if isJXL { try Self.recode(&builder) }
    let path = try Self.write(builder, folder)
    let looks = try ["0", "0.5", "1"].map {
      try Self.light(path, folder, ["--raw-look", "profile", "--raw-amount", $0])
    }
    let linear = try Self.light(path, folder, ["--raw-look", "linear"])
    #expect(linear.count == looks[0].count && linear != looks[0] && linear != looks[2])
    var between = 0
    // They are mixed in RIMM, where nothing is below 0.
    let toRIMM = try #require((CameraCalibration.xyzToBT2020 * CameraCalibration.rimmToXYZ).inverse)
    for at in stride(from: 0, to: looks[0].count, by: 4) {
      let colors = looks.map { toRIMM * Array($0[at..<at + 3]) }
      // Of binary16, from the pixel's largest channel.
      let rounding = 2e-3 * max(looks[2][at..<at + 3].max() ?? 0, 1e-2)
      for channel in 0..<3 {
        let (s, m, h) = (colors[0][channel], colors[1][channel], colors[2][channel])
        #expect(min(s, h) - rounding <= m && m <= max(s, h) + rounding, "\(at): \(s) \(m) \(h)")
        if abs(h - s) > 0.05 { between += 1 }
      }
    }
    #expect(between > 100)
    #expect((looks[0].max() ?? 9) <= 1.3 && (looks[2].max() ?? 0) > 1)
    // SDR gets the SDR look by default, HDR the other.
    #expect(try Self.light(path, folder, ["--headroom", "1", "--beyond", "keep"]) == looks[0])
    #expect(try Self.light(path, folder, []) == looks[2])
  }

  /// Codes the samples again in tiles of lossless JPEG XL.
  private static func recode(_ builder: inout DNGBuilder) throws {
    let (width, height, side) = (DNGBuilder.proRAWWidth, DNGBuilder.proRAWHeight, (x: 40, y: 24))
    let codes = DNGBuilder.proRAWCodes()
    builder.tiles = []
    for top in stride(from: 0, to: height, by: side.y) {
      for left in stride(from: 0, to: width, by: side.x) {
        let image = SampleImage.interleaved(
          width: side.x, height: side.y, channelCount: 4, format: .uint16, bitDepth: 16)
        for at in 0..<side.x * side.y {
          let x = min(left + at % side.x, width - 1), y = min(top + at / side.x, height - 1)
          for c in 0..<3 {
            image.channels[0].buffer.base.storeBytes(
              of: UInt16(codes[(y * width + x) * 3 + c]), toByteOffset: 8 * at + 2 * c, as: UInt16.self)
          }
        }
        builder.tiles.append(
          try encodeImage(
            EncodeRequest(
              kind: .pqJXL, image: image, hasAlpha: false, cicp: CICP(9, 16, 0, full: true),
              coding: CodingOptions(quality: 100),
              contentHeadroom: 1,
              displayHeadroom: 1)
          ).main)
      }
    }
    builder.main[50706] = .bytes([1, 7, 1, 0])
    builder.raw[259] = .shorts(52546)
    builder.raw[258] = .shorts(16, 16, 16)
  }

  @Test("an Adaptive JPEG has the SDR look as base and the HDR look as alternate")
  func adaptive() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(Self.proRAW([]), folder)
    let made = try Program.run([
      "render", path, "--raw-look", "profile", "--to", "adaptive-jpeg", "--quality", "100", "--out", folder.path("out"),
    ])
    #expect(made.status == 0, "\(made.errors)")
    let source = try decodeImage(Array(try Data(contentsOf: folder.url.appendingPathComponent("out/a.jpg"))))
    let map = try #require(source.gainMap?.metadata)
    #expect(map.baseHeadroom == 0 && map.alternateHeadroom > 0.2)
  }

  @Test("settings change what they say")
  func settings() throws {
    let folder = try TemporaryFolder()
    let path = try Self.write(Self.proRAW([]), folder), linear = ["--raw-look", "linear"]
    let plain = try Self.light(path, folder, linear)
    let bright = try Self.light(path, folder, linear + ["--raw-exposure", "1"])
    let based = try Self.light(path, folder, linear + ["--raw-baseline-exposure", "0.7"])
    for at in stride(from: 0, to: plain.count, by: 41) where at % 4 < 3 && plain[at] > 0.01 {
      #expect(abs(bright[at] / plain[at] - 2) < 4e-3)
      #expect(abs(based[at] / plain[at] - 2) < 4e-3)
    }
    let look = ["--raw-look", "profile", "--raw-amount", "0"]
    let standard = try Self.light(path, folder, look)
    for words in [
      ["--raw-boost", "0"], ["--raw-shadow-bias", "0.05"], ["--raw-local-tone", "0"], ["--raw-white", "4000"],
    ] {
      #expect(try Self.light(path, folder, look + words) != standard, "\(words)")
    }
    // A warmer light that is taken for white leaves less red.
    let warm = try Self.light(path, folder, linear + ["--raw-white", "3000"])
    let cold = try Self.light(path, folder, linear + ["--raw-white", "9000"])
    func sum(_ light: [Double], _ c: Int) -> Double {
      stride(from: c, to: light.count, by: 4).reduce(0) { $0 + light[$1] }
    }
    #expect(sum(warm, 0) / sum(warm, 2) < sum(cold, 0) / sum(cold, 2))
    for words in [["--raw-amount", "1.5"], ["--raw-white", "100"], ["--raw-look", "best"]] {
      #expect(try Program.run(["render", path, "--out", folder.path("x"), "--to", "exr"] + words).status == 64)
    }
  }

  /// Cut at many places, and one lie or loop each.
  private static func broken() -> [[UInt8]] {
    let whole = DNGBuilder.proRAW(), bytes = whole.bytes
    let lies: [(inout DNGBuilder) -> Void] = [
      { $0.next = -1 }, { $0.main[330] = .longs(8, 8) }, { $0.main[330] = .longs(1 << 30) },
      { $0.raw[256] = .longs(0) }, { $0.raw[256] = .longs(60_000) }, { $0.raw[257] = .longs(1 << 31) },
      { $0.raw[277] = .shorts(5) }, { $0.raw[258] = .shorts(17, 17, 17) }, { $0.raw[259] = .shorts(9) },
      { $0.raw[324] = .longs(1 << 30, 1, 1, 1) }, { $0.raw[325] = .longs(1, 1, 1, 1) },
      { $0.raw[322] = .longs(1 << 20) }, { $0.raw[50717] = .longs(0, 0, 0) },
      { $0.raw[50829] = .longs(0, 0, 999, 999) }, { $0.main[50721] = nil }, { $0.main[50728] = .fractions([0, 1, 1]) },
      { $0.main[50940] = .floats([0, 0, 0.5, 1, 0.4, 1]) }, { $0.raw[52525] = .bytes($0.gainTable(gain: 5000)) },
      { $0.raw[51022] = .bytes([0, 0, 0, 1, 0, 0, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) },
      { for at in $0.tiles.indices { $0.tiles[at] = Array($0.tiles[at].prefix(60)) } },
    ]
    return (1...12).map { Array(bytes.prefix(bytes.count * $0 / 13)) }
      + lies.map { change in
        var builder = whole
        change(&builder)
        return builder.bytes
      }
  }

  @Test("a broken file is one row with its reason; the others go on")
  func rows() throws {
    let folder = try TemporaryFolder(), broken = Self.broken()
    _ = try Self.write(Self.proRAW([]), folder, "in-good.dng")
    var paths = [folder.path("in-good.dng")]
    for (index, bytes) in broken.enumerated() {
      paths.append(folder.path("in-\(index).dng"))
      try Data(bytes).write(to: URL(fileURLWithPath: paths[index + 1]))
    }
    let record = folder.path("record.jsonl")
    let made = try Program.run(
      ["render"] + paths + ["--to", "exr", "--out", folder.path("out"), "--record", record, "--memory", "512M"])
    #expect(made.status != 0 && broken.count >= 30)
    let rows = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").filter {
      $0.contains("\"type\":\"item\"")
    }
    #expect(rows.count == broken.count + 1)
    for row in rows where !row.contains("in-good") {
      // Damage inside a tile's stream is a warning; nothing ends the codec process.
      #expect(row.contains("\"code\":\"decode.") || row.contains("raw.damaged"), "\(row.prefix(300))")
    }
    #expect(rows.contains { $0.contains("in-good") && !$0.contains("\"status\":\"failed\"") })
  }
}
