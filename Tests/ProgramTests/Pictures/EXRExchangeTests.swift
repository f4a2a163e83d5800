import Foundation
import HDRCore
import ImageFiles
import TestFiles
import TestSupport
import Testing

/// Tests what OpenEXR that is made of OpenEXR keeps, through the built program.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct EXRExchangeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let attributes: [(String, String, [UInt8])] = [
    ("owner", "string", Array("A studio".utf8)), ("longitude", "float", EXRBuilder.float(7)),
    ("worldToNDC", "m44f", [UInt8](repeating: 1, count: 64)),
    ("studio:a name of more than 31 bytes", "studio:type", [9]),
    ("acesImageContainerFlag", "int", [1, 0, 0, 0]), ("preview", "preview", [UInt8](repeating: 0, count: 8)),
  ]

  /// A red that rises to the right and a green that rises downwards, from -2, 1 on, with more than the display window.
  private func write(_ more: [EXRBuilder.Channel] = []) throws {
    let channels = [
      EXRBuilder.Channel(name: "R") { x, _ in EXRBuilder.half(Float(x + 3)) },
      EXRBuilder.Channel(name: "G") { _, y in EXRBuilder.half(Float(y)) },
      EXRBuilder.Channel(name: "B") { _, _ in EXRBuilder.half(0.5) },
    ]
    var part = EXRBuilder.Part(channels + more, data: [-2, 1, 9, 6], display: [0, 0, 7, 3])
    part.attributes = Self.attributes
    part.attributes.append(("colorInteropID", "string", Array("lin_rec2020_scene".utf8)))
    try Data(EXRBuilder(parts: [part]).bytes).write(to: folder.url.appendingPathComponent("a.exr"))
  }

  private func render(_ out: String, _ words: [String]) throws -> (source: SourceImage, codes: [String]) {
    let result = try Program.run(
      [
        "render", folder.path("a.exr"), "-o", folder.path(out), "--backend", "cpu", "--record",
        folder.path(out + ".jsonl"),
      ]
        + words)
    #expect(result.status == 0, "\(result.errors)")
    let rows = try recordLines(folder.path(out + ".jsonl")).filter { $0["type"] as? String == "item" }
    let codes = (rows.first?["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    let name = try #require(folder.files(out).first)
    var limits = DecodeLimits()
    limits.reading.exr.window = .data
    let bytes = try #require(FileManager.default.contents(atPath: folder.path(out + "/" + name)))
    return (try decodeImage([UInt8](bytes), limits: limits), codes)
  }

  private func value(_ source: SourceImage, _ channel: Int, _ x: Int, _ y: Int) -> Float {
    let plane = source.image.channels[channel]
    let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    return Float(at.loadUnaligned(as: Float16.self))
  }

  @Test func bothWindowsAndAttributesTravel() throws {
    try write()
    let (source, codes) = try render("out", ["--to", "exr", "--filter", "exposure=ev:1"])
    let part = try #require(source.exr)
    #expect(part.outline.dataWindow == .init(left: -2, top: 1, width: 12, height: 6))
    #expect(part.outline.displayWindow == .init(left: 0, top: 0, width: 8, height: 4))
    #expect(value(source, 0, 0, 0) == 2 && value(source, 0, 11, 5) == 24 && value(source, 1, 3, 5) == 12)
    let kept = ["owner", "longitude", "worldToNDC", "studio:a name of more than 31 bytes"]
    for (name, type, bytes) in Self.attributes where kept.contains(name) {
      #expect(part.attributes.contains(.init(name: name, type: type, value: bytes)), "\(name)")
    }
    #expect(!part.attributes.contains { ["acesImageContainerFlag", "preview"].contains($0.name) })
    #expect(codes == ["exr.attributes-dropped"])
  }

  @Test("a window that is asked for is the picture, and lies where it did", arguments: ["display", "data"])
  func chosenWindow(_ window: String) throws {
    try write()
    let part = try #require(try render("out", ["--to", "exr", "--exr-window", window]).source.exr?.outline)
    let display = EXRPart.Window(left: 0, top: 0, width: 8, height: 4)
    #expect(part.displayWindow == display)
    #expect(part.dataWindow == (window == "data" ? .init(left: -2, top: 1, width: 12, height: 6) : display))
  }

  @Test func movedPixelsBeginAtZeroAndDropWhatBelongsToPlaces() throws {
    try write()
    let (source, codes) = try render("out", ["--to", "exr", "--filter", "crop=rect:1/2/4/2"])
    let part = try #require(source.exr), window = EXRPart.Window(left: 0, top: 0, width: 4, height: 2)
    #expect(part.outline.dataWindow == window && part.outline.displayWindow == window)
    #expect(value(source, 0, 0, 0) == 4 && value(source, 1, 0, 0) == 2)
    #expect(part.attributes.contains { $0.name == "owner" } && !part.attributes.contains { $0.name == "worldToNDC" })
    #expect(codes == ["exr.overscan-dropped", "exr.attributes-dropped"])
  }

  @Test("metadata that are not wanted stay behind", arguments: ["no-location", "copyright", "none"])
  func metadata(_ choice: String) throws {
    try write()
    let source = try render("out", ["--to", "exr", "--metadata", choice]).source
    let names = Set(source.exr?.attributes.map(\.name) ?? [])
    #expect(names.contains("owner") == (choice != "none") && !names.contains("longitude"))
    #expect(names.contains("worldToNDC") == (choice == "no-location"))
  }

  private static let others = [
    EXRBuilder.Channel(name: "Z", type: 2) { x, y in (Float(x) + 100 * Float(y)).bitPattern },
    EXRBuilder.Channel(name: "id", type: 0) { x, y in UInt32(y * 20 + x + 2) },
  ]

  private func names(_ source: SourceImage) -> [String] { source.exr?.outline.channels.map(\.name) ?? [] }

  private func plane(_ out: String, _ name: String) throws -> SourceImage {
    var limits = DecodeLimits()
    (limits.reading.exr.window, limits.reading.picture) = (.data, name)
    return try decodeImage(
      [UInt8](try #require(FileManager.default.contents(atPath: folder.path(out + "/a.exr")))), limits: limits)
  }

  private func float(_ source: SourceImage, _ x: Int, _ y: Int) -> Float {
    let plane = source.image.channels[0]
    return (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).loadUnaligned(as: Float.self)
  }

  @Test("other channels travel with their words", arguments: ["none", "rlimit", "sandbox"])
  func channels(isolation: String) throws {
    try write(Self.others)
    let (source, codes) = try render(
      "out", ["--to", "exr", "--metadata", "none", "--isolation", isolation, "--accept", "exact"])
    #expect(names(source) == ["B", "G", "R", "Z", "id"] && codes.isEmpty)
    let (z, id) = (try plane("out", "Z"), try plane("out", "id"))
    for (x, y) in [(0, 0), (11, 0), (3, 5), (11, 5)] {
      #expect(float(z, x, y) == Float(x - 2 + 100 * (y + 1)) && float(id, x, y) == Float((y + 1) * 20 + x))
    }
  }

  @Test func channelsAreChosen() throws {
    try write(Self.others)
    #expect(names(try render("a", ["--to", "exr", "--channels", "none"]).source) == ["B", "G", "R"])
    #expect(names(try render("b", ["--to", "exr", "--channels", "i*,x"]).source) == ["B", "G", "R", "id"])
  }

  @Test func channelsMoveWithThePictureOrAreDroppedWithAWarning() throws {
    try write(Self.others)
    let metadata = ["--to", "exr", "--metadata", "none"]
    let (cropped, codes) = try render("a", metadata + ["--filter", "crop=rect:1/2/4/2", "--filter", "rotate"])
    #expect(names(cropped) == ["B", "G", "R", "Z", "id"] && codes == ["exr.overscan-dropped"])
    #expect(cropped.image.width == 2 && cropped.image.height == 4)
    // The display window begins at 0, 0: the crop is 1...4, 2...3, and its top right corner becomes the top left one.
    let z = try plane("a", "Z")
    #expect(float(z, 0, 0) == 204 && float(z, 1, 3) == 301)
    let (small, said) = try render("b", metadata + ["--filter", "resize=size:4"])
    #expect(names(small) == ["B", "G", "R"] && said.contains("exr.channels-dropped"))
    #expect(try render("c", ["--to", "pq-png", "--metadata", "none"]).codes.contains("exr.channels-dropped"))
    let silent = try render("d", ["--to", "pq-png", "--metadata", "none", "--channels", "none"])
    #expect(!silent.codes.contains("exr.channels-dropped"))
  }

  @Test func otherFormatsSayWhatTheyLose() throws {
    try write()
    #expect(try render("a", ["--to", "sdr-png"]).codes.contains("exr.attributes-dropped"))
    #expect(try !render("b", ["--to", "sdr-png", "--metadata", "none"]).codes.contains("exr.attributes-dropped"))
  }

  @Test("each container keeps attributes and channels, or says that it has lost them, as the table says")
  func containers() throws {
    try write(Self.others)
    let page = SharedData.repository.appendingPathComponent("docs/data/beside.tsv")
    let table = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let rows = table.filter { $0[1] == "exr" }
    #expect(rows.map { $0[2] } == ["exr.attributes-dropped", "exr.channels-dropped"])
    for (kind, column) in [
      ("sdr-jpeg", "jpeg"), ("sdr-avif", "avif"), ("pq-png", "png"), ("linear-tiff", "tiff"), ("exr", "exr"),
      ("adaptive-jpeg", "jpeg"), ("rgba16f", "rgba16f"),
    ] {
      let result = try Program.run([
        "render", folder.path("a.exr"), "-o", folder.path(kind), "--backend", "cpu", "--to", kind, "--record",
        folder.path(kind + ".jsonl"),
      ])
      #expect(result.status == 0, "\(kind): \(result.errors)")
      let items = try recordLines(folder.path(kind + ".jsonl")).filter { $0["type"] as? String == "item" }
      let codes = (items.first?["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      let index = try #require(table[0].firstIndex(of: column))
      for row in rows where row[index] == "dropped" { #expect(codes.contains(row[2]), "\(kind)") }
      if kind == "exr" {
        // The claim of an ACES container alone is dropped, by the same code.
        #expect(rows.allSatisfy { $0[index] == "kept" } && codes == ["exr.attributes-dropped"])
      }
    }
  }
}
