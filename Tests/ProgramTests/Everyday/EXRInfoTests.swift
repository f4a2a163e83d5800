import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests the facts that `info` gives about OpenEXR files.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct EXRInfoTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let ap1: [Float] = [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767]
  static let wide: [Float] = [0.73, 0.28, 0.14, 0.855, 0.1, -0.05, 0.3127, 0.329]

  private func write(_ chromaticities: [Float]?) throws -> String {
    let channels = EXRBuilder.constants(["R": 1, "G": 1, "B": 1]) + [EXRBuilder.Channel(name: "Z", type: 2)]
    var part = EXRBuilder.Part(channels, data: [-2, 1, 9, 6], display: [0, 0, 7, 3])
    if let chromaticities {
      part.attributes = [("chromaticities", "chromaticities", chromaticities.flatMap { EXRBuilder.float($0) })]
    }
    try Data(EXRBuilder(parts: [part]).bytes).write(to: folder.url.appendingPathComponent("a.exr"))
    return folder.path("a.exr")
  }

  /// Chromaticities, and the line about colour.
  @Test(
    "info names the colour space of an OpenEXR file, with its chromaticities",
    arguments: [
      (ap1, "ACEScg (0.713 0.293, 0.165 0.83, 0.128 0.044, white 0.32168 0.33767), linear"),
      (wide, "Linear S-Gamut3 (0.73 0.28, 0.14 0.855, 0.1 -0.05, white 0.3127 0.329), linear"),
      (nil, "not stated; read as CICP 1/8"),
    ])
  func color(chromaticities: [Float]?, text: String) throws {
    let told = try Program.run(["info", try write(chromaticities)])
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.output.contains("\n  colour    \(text)\n"), "\(told.output)")
    #expect(told.output.contains("data window 12x6 at -2, 1, display window 8x4 at 0, 0"), "\(told.output)")
    #expect(told.output.contains("half B G R; float Z"), "\(told.output)")
  }

  @Test("info --json has windows, compression, channels and chromaticities of an OpenEXR file")
  func json() throws {
    let told = try Program.run(["info", "--json", try write(Self.ap1)])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any])
    let part = try #require(object["exr"] as? [String: Any])
    #expect(part["space"] as? String == "ACEScg" && part["compression"] as? String == "uncompressed")
    #expect(part["dataWindow"] as? [Int] == [-2, 1, 12, 6] && part["displayWindow"] as? [Int] == [0, 0, 8, 4])
    let points = try #require(part["chromaticities"] as? [[Double]])
    #expect(zip(points.flatMap { $0 }, Self.ap1).allSatisfy { abs($0 - Double($1)) < 1e-6 } && points.count == 4)
    let channels = try #require(part["channels"] as? [[String: Any]])
    #expect(
      channels.map { $0["name"] as? String } == ["B", "G", "R", "Z"] && channels[3]["type"] as? String == "float")
    #expect(channels.map { $0["isShown"] as? Bool } == [true, true, true, false])
    // The keys of other files are the same.
    let other = try Program.run(["info", "--json", SharedData.examples + "/lamps.jpg"])
    #expect(other.output.contains("\"exr\":null"))
  }

  @Test("info shows all parts of an OpenEXR file, and attributes by their types")
  func partsAndAttributes() throws {
    var left = EXRBuilder.Part(EXRBuilder.constants(["R": 1, "G": 1, "B": 1]), data: [0, 0, 3, 2])
    left.name = "left"
    left.attributes = [
      ("owner", "string", Array("A studio".utf8)),
      ("framesPerSecond", "rational", EXRBuilder.little(24000, 4) + EXRBuilder.little(1001, 4)),
      ("timeCode", "timecode", EXRBuilder.little(0x0123_4512, 4) + EXRBuilder.little(0, 4)),
      ("worldToNDC", "m44f", [UInt8](repeating: 0, count: 64)), ("strange", "studio:thing", [1, 2, 3]),
      ("short", "v2f", [1]),
    ]
    var depth = EXRBuilder.Part([EXRBuilder.Channel(name: "Z", type: 2)], data: [0, 0, 1, 1], display: [0, 0, 3, 2])
    (depth.name, depth.tile) = ("depth", 16)
    try Data(EXRBuilder(parts: [left, depth]).bytes).write(to: folder.url.appendingPathComponent("a.exr"))
    let told = try Program.run(["info", folder.path("a.exr")]).output
    for line in [
      "part 1 \"left\": uncompressed, data window 4x3 at 0, 0", "half B G R",
      "other part 2 \"depth\": tiles, uncompressed, data window 2x2 at 0, 0, display window 4x3 at 0, 0, float Z",
      "owner = A studio", "framesPerSecond = 24000/1001", "timeCode = 01:23:45:12",
      "worldToNDC = 0.0 0.0", "strange = studio:thing, 3 bytes", "short = v2f, 1 bytes",
    ] {
      #expect(told.contains("  \(line)"), "\(line) in \(told)")
    }
    let object = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try Program.run(["info", "--json", folder.path("a.exr")]).output.utf8))
        as? [String: Any])
    let part = try #require(object["exr"] as? [String: Any])
    #expect((part["parts"] as? [[String: Any]])?.map { $0["name"] as? String } == ["left", "depth"])
    #expect((part["attributes"] as? [[String: String]])?.first?["value"] == "A studio")
  }

  @Test("info shows primaries that the command line states")
  func stated() throws {
    let told = try Program.run(["info", try write(Self.ap1), "--cicp", "12/8"])
    #expect(told.output.contains("CICP 12/8/0 full range, Linear P3-D65 (0.68 0.32"), "\(told.output)")
  }
}
