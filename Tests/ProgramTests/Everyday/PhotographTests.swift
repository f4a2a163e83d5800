import Foundation
import TestFiles
import TestSupport
import Testing

/// Tests what becomes of the parts beside a picture, through the program: nothing is lost without a word.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PhotographTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let shared = SharedData.url("data/formats2/motion") != nil
  private static func path(_ name: String) throws -> String {
    try #require(SharedData.url("data/formats2/" + name)).path
  }

  /// The kinds of outputs, one of each container.
  private static let kinds = [
    "sdr-jpeg", "sdr-png", "sdr-avif", "pq-heic", "linear-tiff", "exr", "sdr-jxl", "rgba16f",
  ]

  private func render(_ words: [String]) throws -> (status: Int32, items: [[String: Any]]) {
    let record = folder.path("r-\(UUID().uuidString).jsonl")
    let run = try Program.run(["render"] + words + ["--backend", "cpu", "--record", record, "--progress", "none"])
    let lines = FileManager.default.fileExists(atPath: record) ? try recordLines(record) : []
    return (run.status, lines.filter { $0["type"] as? String == "item" })
  }

  private func info(_ path: String) throws -> [String: Any] {
    let run = try Program.run(["info", "--json", path])
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  /// The parts that `info` lists, previews left out, by the code of the warning that one is lost.
  private func parts(_ info: [String: Any]) -> [String: Int] {
    var found: [String: Int] = [:]
    if info["motion"] as? [String: Any] != nil { found["motion.dropped"] = 1 }
    if (info["c2pa"] as? [String: Any])?["present"] as? Bool == true { found["c2pa.dropped"] = 1 }
    let pictures = (info["auxiliaries"] as? [[String: Any]] ?? []).filter { $0["isPreview"] as? Bool == false }
    if !pictures.isEmpty { found["aux.dropped"] = pictures.count }
    for trailer in info["trailers"] as? [[String: Any]] ?? [] {
      let codes = ["unknown": "trailer.unknown", "parts": "parts.dropped", "text": "text.dropped"]
      found[codes[trailer["kind"] as? String ?? ""] ?? "trailer.dropped"] = 1
    }
    return found
  }

  private func codes(_ item: [String: Any]) -> Set<String> {
    Set((item["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String })
  }

  /// The rows of the page, by the names of its columns.
  private static func table() throws -> [[String: String]] {
    let text = try String(
      contentsOf: SharedData.repository.appendingPathComponent("docs/data/beside.tsv"), encoding: .utf8)
    let rows = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0)) }
  }

  @Test("what a file holds beside its picture is in each output, or its record names it", .enabled(if: shared))
  func nothingIsLostSilently() throws {
    let names = [
      "motion/motion_v2.jpg", "motion/motion_v2_gainmap_order.jpg", "motion/samsung_sef.jpg", "motion/motion_flag0.jpg",
      "motion/microvideo_v1.jpg", "motion/motion_mpvd.heic", "c2pa/C.jpg", "c2pa/signed_96x64.avif",
      "c2pa/signed_96x64.png", "c2pa/signed_96x64.tif", "c2pa/signed_96x64.jxl", "c2pa/signed_96x64.webp",
    ]
    let inputs =
      try names.map { try Self.path($0) }
      + (SharedData.url("data/images/heic_gainmap/pug.heic").map { [$0.path] } ?? [])
    let out = folder.path("out")
    let words = Self.kinds.flatMap { ["--to", $0] } + ["--name", "{name}-{target}.{ext}", "--resize", "160"]
    let found = try render(inputs + words + ["--out", out])
    #expect(found.items.count == inputs.count * Self.kinds.count)
    let table = try Self.table()
    var kept = 0, said = 0
    for item in found.items {
      let input = try #require(item["input"] as? String), output = try #require(item["output"] as? String)
      guard item["status"] as? String != "failed" else {
        Issue.record("\(input): \(item["message"] ?? "")")
        continue
      }
      let codes = codes(item), before = parts(try info(input))
      // Samples without a header hold nothing else.
      let isPlain = output.hasSuffix(".rgba16f")
      let after = isPlain ? [:] : parts(try info(output))
      for (code, count) in before {
        let isKept = after[code] ?? 0 >= count
        #expect(isKept || codes.contains(code), "\(input) to \(output): \(code)")
        let row = table.first { $0["code"] == code && ["any", item["format"] as? String].contains($0["of"]) }
        let container = String(output.split(separator: ".").last ?? "")
        let word = row?[["jpg": "jpeg", "tif": "tiff"][container] ?? container]
        #expect(word == "dropped" ? !isKept : isKept, "\(input) to \(output): \(code) is \(word ?? "not") in the table")
        if isKept { kept += 1 } else { said += 1 }
      }
      #expect(after["trailer.unknown"] == nil, "\(output)")
    }
    #expect(kept >= 10 && said >= 50, "\(kept) kept, \(said) named")
  }

  @Test("texts and parts that nothing knows are in the output's XMP, or its record names them")
  func textsAndParts() throws {
    let photo = folder.path("a.jpg"), comment = segment(0xFE, Array("by hand".utf8))
    let jpeg = splice(comment + segment(0xE5, Array("Vendor\0data".utf8)), into: TinyJPEG.color444)
    try Data(jpeg).write(to: URL(fileURLWithPath: photo))
    let kinds = ["sdr-png", "linear-tiff", "sdr-jxl", "sdr-avif", "sdr-jpeg"]
    let found = try render(
      [photo] + kinds.flatMap { ["--to", $0] } + ["--name", "{stem}-{target}.{ext}", "--out", folder.path("t")])
    #expect(found.items.count == kinds.count)
    for item in found.items {
      let output = try #require(item["output"] as? String)
      #expect(codes(item) == ["parts.dropped"], "\(output)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
      #expect(bytes.range(of: Data("by hand".utf8)) != nil, "\(output)")
    }
    let bare = try render([photo, "--to", "sdr-png", "--metadata", "none", "--out", folder.path("bare")])
    #expect(codes(bare.items[0]) == ["parts.dropped"])
  }

  @Test("a video that is taken out is the one that the file has, and lies beside the output", .enabled(if: shared))
  func extractedVideos() throws {
    for name in ["samsung_sef.jpg", "motion_mpvd.heic", "motion_v2_padding.jpg"] {
      let input = try Self.path("motion/" + name), stem = String(name.prefix { $0 != "." })
      let found = try render([input, "--to", "sdr-png", "--motion", "extract", "--out", folder.path(stem)])
      #expect(folder.files(stem) == ["\(stem).mp4", "\(stem).png"])
      #expect(found.items[0]["beside"] as? [String] == [folder.path("\(stem)/\(stem).mp4")])
      let motion = try #require(try info(input)["motion"] as? [String: Any])
      let start = try #require(motion["start"] as? Int), bytes = try #require(motion["bytes"] as? Int)
      let whole = try Data(contentsOf: URL(fileURLWithPath: input))
      #expect(
        try Data(contentsOf: folder.url.appendingPathComponent("\(stem)/\(stem).mp4")) == whole[start..<start + bytes])
      #expect(!codes(found.items[0]).contains("motion.dropped"))
    }
  }

  /// A picture with an Apple maker note of one tag, the identifier of a Live Photo.
  private static let live: [UInt8] = {
    func words(_ values: [Int], _ bytes: Int) -> [UInt8] {
      values.flatMap { value in (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) } }
    }
    func directory(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      words([1, tag, type], 2) + words([count, value, 0], 4)
    }
    let note = Array("Apple iOS\0\0\u{1}MM".utf8) + directory(0x11, 2, 8, 32) + Array("ABCDEFG\0".utf8)
    let exif =
      words([0x4D4D, 42], 2) + words([8], 4) + directory(0x8769, 4, 1, 26) + directory(0x927C, 7, note.count, 44) + note
    return splice(segment(0xE1, Array("Exif\0\0".utf8) + exif), into: TinyJPEG.color444)
  }()

  @Test("the video of a Live Photo is copied beside its output, or the record says that the pair is broken")
  func livePhotos() throws {
    let photo = folder.path("IMG_1.JPG"), movie = Data("a movie".utf8)
    try Data(Self.live).write(to: URL(fileURLWithPath: photo))
    #expect(try info(photo)["livePhoto"] as? String == "ABCDEFG")
    #expect(codes(try render([photo, "--to", "sdr-jpeg", "--out", folder.path("alone")]).items[0]).isEmpty)
    try movie.write(to: folder.url.appendingPathComponent("IMG_1.MOV"))
    let without = try render([photo, "--to", "sdr-jpeg", "--out", folder.path("without")])
    #expect(codes(without.items[0]) == ["live.unpaired"] && folder.files("without") == ["IMG_1.jpg"])
    let pair = try render([photo, "--to", "sdr-jpeg", "--copy-live", "--out", folder.path("pair")])
    #expect(codes(pair.items[0]).isEmpty && folder.files("pair") == ["IMG_1.MOV", "IMG_1.jpg"])
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("pair/IMG_1.MOV")) == movie)
    #expect(try info(folder.path("pair/IMG_1.jpg"))["livePhoto"] as? String == "ABCDEFG")
    let bare = try render([
      photo, "--to", "sdr-jpeg", "--copy-live", "--metadata", "no-location", "--out", folder.path("bare"),
    ])
    #expect(codes(bare.items[0]) == ["live.unpaired"] && folder.files("bare") == ["IMG_1.MOV", "IMG_1.jpg"])
  }

  @Test(
    "depth turns and is cut with its picture, without its calibration",
    .enabled(if: SharedData.url("data/images/heic_gainmap/pug.heic") != nil, "skipped: no data"))
  func depthThroughGeometry() throws {
    let input = try #require(SharedData.url("data/images/heic_gainmap/pug.heic")).path
    func sizes(_ path: String) throws -> [[Int?]] {
      let all = try info(path)["auxiliaries"] as? [[String: Any]] ?? []
      return all.filter { $0["type"] as? String == "disparity" }.map { [$0["width"] as? Int, $0["height"] as? Int] }
    }
    let before = try #require(try sizes(input).first),
      edits = [
        ("small", []), ("turned", ["--filter", "rotate"]), ("cut", ["--filter", "crop=aspect:1"]),
      ]
    for (name, words) in edits {
      let found = try render([input, "--to", "pq-heic", "--resize", "400", "--out", folder.path(name)] + words)
      let codes = codes(found.items[0]), after = try sizes(folder.path("\(name)/pug.heic"))
      #expect(!codes.contains("aux.dropped") && after.count == 1, "\(name): \(codes)")
      #expect(codes.contains("aux.calibration") == (name == "cut"))
      if name == "cut" {
        let side = min(before[0] ?? 0, before[1] ?? 0)
        #expect(after[0].allSatisfy { abs(($0 ?? 0) - side) <= 1 }, "\(after) of \(before)")
      } else {
        #expect(after[0] == before)
      }
    }
    let dropped = try render([input, "--to", "pq-avif", "--resize", "400", "--out", folder.path("other")])
    #expect(codes(dropped.items[0]).contains("aux.dropped"))
  }

  @Test(
    "a distortion moves base, map and depth alike, or the map is made anew and depth left out with a warning",
    .enabled(if: SharedData.url("data/images/heic_gainmap/pug.heic") != nil, "skipped: no data"))
  func depthThroughDistortions() throws {
    let input = try #require(SharedData.url("data/images/heic_gainmap/pug.heic")).path
    for (filter, isAlike) in [("twirl-distortion", true), ("vortex-distortion", false)] {
      let found = try render([
        input, "--to", "adaptive-heic", "--filter", "thumbnail=size:320", "--filter", filter + "=radius:90", "--out",
        folder.path(filter),
      ])
      let item = try #require(found.items.first), file = try info(folder.path("\(filter)/pug.heic"))
      #expect((item["operatorReason"] as? String)?.contains("edited alike") == isAlike, "\(filter)")
      #expect(codes(item) == [isAlike ? "aux.calibration" : "aux.dropped"], "\(filter)")
      #expect((file["auxiliaries"] as? [[String: Any]])?.count == (isAlike ? 1 : 0), "\(filter)")
      #expect((file["gainMap"] as? [String: Any])?["alternateHeadroom"] as? Double == 1.8, "\(filter)")
    }
  }

  @Test("content credentials are left out, refused, or a file beside the output", .enabled(if: shared))
  func credentials() throws {
    for name in ["signed_96x64.jpg", "signed_96x64.png", "signed_96x64.avif", "signed_96x64.jxl"] {
      let input = try Self.path("c2pa/" + name), ending = String(name.suffix(3))
      for choice in ["drop", "refuse", "sidecar"] {
        let out = "\(ending)-\(choice)"
        let found = try render([input, "--to", "sdr-jpeg", "--c2pa", choice, "--out", folder.path(out)])
        let codes = codes(found.items[0]), code = found.items[0]["code"] as? String
        switch choice {
        case "refuse":
          #expect(found.status == 65 && code == "c2pa.refused" && folder.files(out) == [])
          continue
        case "drop": #expect(codes.contains("c2pa.dropped") && folder.files(out) == ["signed_96x64.jpg"])
        default:
          #expect(!codes.contains("c2pa.dropped"))
          #expect(folder.files(out) == ["signed_96x64.c2pa", "signed_96x64.jpg"])
          let store = try Data(contentsOf: folder.url.appendingPathComponent("\(out)/signed_96x64.c2pa"))
          #expect(store.dropFirst(4).starts(with: Data("jumb".utf8)))
          #expect(store.prefix(4).reduce(0) { $0 << 8 | Int($1) } == store.count)
        }
        let output = try Data(contentsOf: folder.url.appendingPathComponent("\(out)/signed_96x64.jpg"))
        #expect(output.firstRange(of: Data("c2pa".utf8)) == nil && output.firstRange(of: Data("jumb".utf8)) == nil)
      }
    }
  }
}
